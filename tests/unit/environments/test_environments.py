"""Environments refuse what cannot be, and read their tapes."""

import pickle

import numpy as np
import pytest

import quack
from quack.environments.base import read_by_action
from quack.tape import ACTION, AGENT, Cell, bernoulli_word, normal, open_tape, uniform


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: quack.Bernoulli([]), r"means has shape \(0,\)"),
        (lambda: quack.Bernoulli([0.5, 1.5]), r"means\[1\] is 1.5; a probability, from 0 to 1, is accepted"),
        (lambda: quack.Bernoulli([-0.1]), r"means\[0\] is -0.1"),
        (lambda: quack.Bernoulli([float("nan")]), r"means\[0\] is nan; finite numbers"),
        (lambda: quack.Bernoulli([[0.5], [0.5]]), r"shape \(2, 1\)"),
        (lambda: quack.Bernoulli("half"), "a sequence of numbers"),
        (lambda: quack.Bernoulli(0.5), r"shape \(\)"),
        (lambda: quack.Gaussian([float("inf")]), r"means\[0\] is inf"),
        (lambda: quack.Gaussian([0.0], sigma=-1), "sigma is -1"),
        (lambda: quack.Gaussian([0.0], sigma=float("nan")), "sigma is nan"),
    ],
)
def test_impossible_parameters(make, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        make()


def test_gaps_and_ranges():
    assert np.allclose(quack.Bernoulli([0.5, 0.45]).gaps, [0, 0.05])
    assert quack.Bernoulli([0.5]).reward_range == (0, 1)
    assert quack.Gaussian([1, 3]).gaps.tolist() == [2, 0]
    assert quack.Gaussian([1, 3]).reward_range == (-np.inf, np.inf)
    assert quack.Gaussian([1, 3], sigma=0).reward_range == (1, 3)


def test_parameters_cannot_be_changed_behind_ones_back():
    means = np.array([0.5, 0.4])
    environment = quack.Bernoulli(means)
    means[0] = 0.9
    assert environment.means[0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        environment.means[0] = 0.9


@pytest.mark.parametrize("environment", [quack.Bernoulli([0.5, 0.4]), quack.Gaussian([0.5, 0.4], 2.0)], ids=repr)
def test_pickle_and_repr(environment):
    assert repr(pickle.loads(pickle.dumps(environment))) == repr(environment)
    assert repr(eval(repr(environment), vars(quack))) == repr(environment)


def test_rewards_are_what_lies_in_the_cell():
    tape = open_tape(0, 0)
    cell = Cell(tape, AGENT, 3, 17)
    assert quack.Bernoulli([1.0, 0.0]).reward(0, cell) == 1
    assert quack.Bernoulli([1.0, 0.0]).reward(1, cell) == 0
    assert quack.Bernoulli([0.45]).reward(0, cell) == float(uniform(cell) < 0.45)
    assert quack.Gaussian([2.0], 3.0).reward(0, cell) == 2.0 + 3.0 * normal(cell)


def test_readers_walk_along_the_tape_of_each_action():
    tape = open_tape(0, 2)
    gaussian = quack.Gaussian([0.0, 1.0])
    reader = read_by_action(gaussian, tape)
    order = [0, 1, 1, 0, 1]
    positions = [0, 0, 1, 1, 2]
    read = [reader.next(action) for action in order]
    assert read == [gaussian.reward(a, Cell(tape, ACTION, a, j)) for a, j in zip(order, positions, strict=True)]

    bits = read_by_action(quack.Bernoulli([0.3, 0.8]), tape)
    read = [bits.next(1) for _ in range(70)]
    expected = [(bernoulli_word(0.8, tape, 1, j // 32) >> (j % 32)) & 1 for j in range(70)]
    assert read == expected
