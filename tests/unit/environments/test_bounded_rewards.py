"""Bounded rewards: against SciPy's distributions, and what is refused."""

import math
import pickle

import numpy as np
import pytest
from scipy import stats

import quack
from quack.environments import beta_rewards
from quack.tape import ACTION, Cell, open_tape

N = 10_000
# Dvoretzky, Kiefer and Wolfowitz with Massart's constant: P(sup |F_n − F| > w) ≤ 2 exp(−2 n w²), here 1e-9.
WIDTH = math.sqrt(math.log(2e9) / (2 * N))


def rewards(environment, action, n=N):
    tape = open_tape(11, 0)
    return np.array([environment.reward(action, Cell(tape, ACTION, action, j)) for j in range(n)])


def farthest(sample, law):
    """Return the largest distance between two distribution functions, looked at in every reward and just below it."""
    values, counts = np.unique(sample, return_counts=True)
    above = np.cumsum(counts) / len(sample)
    below = np.concatenate(([0.0], above[:-1]))
    return max(np.abs(above - law.cdf(values)).max(), np.abs(below - law.cdf(np.nextafter(values, -np.inf))).max())


@pytest.mark.parametrize(("a", "b"), [(4.0, 1.0), (0.5, 0.5), (2.5, 30.0), (1.0, 1.0), (0.05, 0.2)])
def test_beta_rewards_are_beta_distributed(a, b):
    assert farthest(rewards(quack.BetaRewards([a], [b]), 0), stats.beta(a, b)) <= WIDTH


def test_beta_rewards_near_the_corners_neither_overflow_nor_divide_by_zero():
    """With both parameters near 0 the law is almost a coin: Hoeffding for the share of ones."""
    sample = rewards(quack.BetaRewards([1e-4], [3e-4]), 0, 2000)
    assert ((sample < 1e-6) | (sample > 1 - 1e-6)).mean() > 0.99
    assert abs((sample > 0.5).mean() - 0.25) <= math.sqrt(math.log(2e9) / 4000)


def test_a_gamma_variate_ends_its_tries(monkeypatch):
    monkeypatch.setattr(beta_rewards, "_LANES", 0)
    cell = Cell(open_tape(0, 0), ACTION, 0, 0)
    assert beta_rewards.log_gamma_variate(2.0, 0.5, cell, 1) == pytest.approx(math.log(2 - 1 / 3))


def test_uniform_rewards_are_uniform():
    environment = quack.UniformRewards([-1.0, 0.25, 3.0], [1.0, 0.75, 3.0])
    assert farthest(rewards(environment, 0), stats.uniform(-1, 2)) <= WIDTH
    assert farthest(rewards(environment, 1), stats.uniform(0.25, 0.5)) <= WIDTH
    assert set(rewards(environment, 2, 50)) == {3.0}
    assert environment.means.tolist() == [0, 0.5, 3]
    assert environment.gaps.tolist() == [3, 2.5, 0]
    assert environment.reward_range == (-1, 3)


def test_mixed_rewards_have_the_laws_that_they_name():
    environment = quack.MixedRewards([("bernoulli", 0.9), ("two-point", 0.4, 1.0), ("uniform", 0.5, 0.7), ("beta", 4, 1)])
    assert environment.means == pytest.approx([0.9, 0.7, 0.6, 0.8])
    assert environment.gaps == pytest.approx([0, 0.2, 0.3, 0.1])
    two_point = stats.rv_discrete(values=((0, 1), (0.5, 0.5)))
    laws = [stats.bernoulli(0.9), None, stats.uniform(0.5, 0.2), stats.beta(4, 1)]
    for action, law in enumerate(laws):
        sample = rewards(environment, action)
        distance = farthest(sample, law) if law else farthest((sample - 0.4) / 0.6, two_point)
        assert distance <= WIDTH, environment.laws[action]


def test_the_usual_mixture_is_that_of_the_privacy_paper():
    environment = quack.MixedRewards()
    assert environment.means == pytest.approx([0.9] + [0.8] * 5 + [0.7] * 5 + [0.6] * 5 + [0.5] * 4)
    assert environment.laws[0] == ("bernoulli", 0.9)


def test_the_means_of_beta_rewards():
    environment = quack.BetaRewards([4, 1], [1, 3])
    assert environment.means.tolist() == [0.8, 0.25]
    assert environment.gaps == pytest.approx([0, 0.55])


ENVIRONMENTS = [
    quack.UniformRewards([0.0, 0.5], [1.0, 0.5]),
    quack.BetaRewards([0.5, 2.0], [2.0, 2.0]),
    quack.MixedRewards([("bernoulli", 0.9), ("two-point", 0.4, 1.0), ("uniform", 0.5, 0.7), ("beta", 4.0, 1.0)]),
]


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=repr)
def test_conformance_pickle_and_repr(environment):
    quack.check_environment(environment)
    copy = pickle.loads(pickle.dumps(environment))
    assert type(copy) is type(environment)
    assert repr(copy) == repr(environment) == repr(eval(repr(environment), vars(quack)))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: quack.UniformRewards([0, 1], [1]), "low has 2 numbers and high 1"),
        (lambda: quack.UniformRewards([0.5], [0.4]), r"low\[0\] is 0.5 and high\[0\] 0.4"),
        (lambda: quack.UniformRewards([0.5], [math.inf]), r"high\[0\] is inf"),
        (lambda: quack.BetaRewards([1, 2], [1]), "a has 2 numbers and b 1"),
        (lambda: quack.BetaRewards([0], [1]), r"a\[0\] is 0.0; a positive number"),
        (lambda: quack.BetaRewards([1], [-1]), r"b\[0\] is -1.0"),
        (lambda: quack.MixedRewards([]), r"laws are \[\]"),
        (lambda: quack.MixedRewards("beta"), "laws are 'beta'"),
        (lambda: quack.MixedRewards(["beta"]), r"laws\[0\] is 'beta'; a law such as"),
        (lambda: quack.MixedRewards([("betta", 1, 1)]), "Did you mean 'beta'"),
        (lambda: quack.MixedRewards([("beta", 1)]), r"after 'beta', 2 parameter"),
        (lambda: quack.MixedRewards([("beta", 1, 0)]), "positive parameters"),
        (lambda: quack.MixedRewards([("bernoulli", 1.5)]), "numbers from 0 to 1"),
        (lambda: quack.MixedRewards([("uniform", 0.5, 0.4)]), "the lower first"),
        (lambda: quack.MixedRewards([("bernoulli", "much")]), r"laws\[0\] is \['much'\]"),
    ],
)
def test_impossible_parameters(make, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        make()
