"""Ties: the lowest action by default, any of the equal ones with equal chances on request."""

import numpy as np
import pytest

import quack
from quack.kernels import any_argmax, argmax
from single_agent import assert_probabilities, fed, hoeffding

OPTIMISTIC = [quack.UCB, quack.UCB1, quack.AsymptoticUCB, quack.MOSS, quack.KLUCB, quack.BernoulliLDPUCB, quack.LaplaceLDPUCB]
PLAYED = [(action, reward) for reward in (0.0, 1.0, 1.0) * 12 for action in (0, 2, 3)]  # equal histories, and none of action 1


@pytest.mark.parametrize("policy", [*OPTIMISTIC, quack.EpsilonGreedy, quack.Giro, quack.PHE])
def test_actions_never_played_are_equal(policy):
    """Threshold: Hoeffding."""
    given = {"epsilon": 0.0} if policy is quack.EpsilonGreedy else {}
    assert policy(**given).select(policy().init(3, 10), np.random.default_rng(0)) == 0
    state = fed(policy(**given), [(1, 0.5)] * 40)
    assert_probabilities(policy(**given, random_ties=True), state, [0.5, 0, 0.5], 5000)


@pytest.mark.parametrize("policy", OPTIMISTIC)
def test_equal_histories_are_equal(policy):
    """Three actions with the same rewards in the same order against one that paid nothing. Threshold: Hoeffding."""
    state = fed(policy(), [*PLAYED, *[(1, 0.0)] * 100], 4)
    assert policy().select(state, np.random.default_rng(0)) == 0
    assert_probabilities(policy(random_ties=True), state, [1 / 3, 0, 1 / 3, 1 / 3], 5000)


@pytest.mark.parametrize("policy", OPTIMISTIC)
def test_nothing_is_drawn_without_a_tie(policy):
    state = fed(policy(), [(0, 0.0), (1, 1.0), (2, 0.5)] * 30)
    assert policy(random_ties=True).select(state, None) == policy().select(state, None) == 1


def test_any_argmax():
    """The largest, wherever it stands; of equal ones each a third of the time. Threshold: Hoeffding."""
    rng, n = np.random.default_rng(3), 20_000
    values = np.array([1.0, 2.0, 1.5, 2.0, -1.0, 2.0])
    seen = np.bincount([any_argmax(values, rng) for _ in range(n)], minlength=6) / n
    assert np.abs(seen - [0, 1 / 3, 0, 1 / 3, 0, 1 / 3]).max() <= hoeffding(n, 6)
    assert any_argmax(np.array([3.0, 1.0, 2.0]), None) == argmax(np.array([3.0, 1.0, 2.0])) == 0


def test_equal_means_at_the_commitment():
    """Threshold: Hoeffding."""
    committed = []
    for seed in range(2000):
        policy, rng = quack.ExploreThenCommit(exploration=1, random_ties=True), np.random.default_rng(seed)
        state = policy.init(3, 10)
        for action, reward in ((0, 1.0), (1, 0.0), (2, 1.0)):
            policy.update(state, action, reward, rng)
        committed.append(policy.select(state, rng))
    shares = np.bincount(committed, minlength=3) / len(committed)
    assert np.abs(shares - [0.5, 0, 0.5]).max() <= hoeffding(len(committed), 3)


def test_equal_rivals():
    """At first every other arm may beat c alike. Threshold: Hoeffding."""
    state = fed(quack.CCB(), [], 9)
    rng, n = np.random.default_rng(0), 5000
    assert {divmod(quack.CCB().select(state, rng), 3) for _ in range(200)} == {(0, 1), (1, 0), (2, 0)}
    assert_probabilities(quack.CCB(random_ties=True), state, [0, 1 / 6, 1 / 6, 1 / 6, 0, 1 / 6, 1 / 6, 1 / 6, 0], n)


@pytest.mark.parametrize("policy", [quack.UCB(random_ties=True), quack.CCB(random_ties=True)], ids=repr)
def test_random_ties_keep_the_promises(policy):
    quack.check_policy(policy)
