"""ExploreThenCommit against hand and theorem."""

import math

import pytest

import quack
from single_agent import assert_regret, chosen, fed, trace


def test_trace_by_hand():
    """m = 2: in turn 0 1 2 0 1 2; means ½, ¾, ¾: the lowest of the equal ones, for ever, although it pays nothing more."""
    pays = [[1.0, 0.0], [0.5, 1.0, 0.0, 0.0, 0.0, 0.0], [0.75, 0.75]]
    assert trace(quack.ExploreThenCommit(exploration=2), pays, 10) == [0, 1, 2, 0, 1, 2, 1, 1, 1, 1]


def test_nothing_is_learnt_after_the_commitment():
    policy = quack.ExploreThenCommit(exploration=1)
    state = fed(policy, [(0, 0.0), (1, 0.5), (2, 0.25)] + [(0, 1.0)] * 50)
    assert chosen(policy, state) == 1
    assert state.plays.tolist() == [1, 1, 1]


@pytest.mark.parametrize(("n_actions", "horizon", "m"), [(1, 1, 1), (5, 1, 1), (10, 10, 1), (2, 2000, 100), (3, 3 * 27, 9)])
def test_the_exploration_comes_from_the_horizon_unless_told_otherwise(n_actions, horizon, m):
    """⌈(H/k)^(2/3)⌉."""
    assert quack.ExploreThenCommit().init(n_actions, horizon).exploration in (m, m + 1)  # the root is rounded
    assert quack.ExploreThenCommit(exploration=7).init(n_actions, horizon).exploration == 7


def test_regret_is_below_theorem_6_1():
    """m = 20, H = 1000: 20 Δ + 960 Δ exp(−20 Δ²/4)."""
    bound = 20 * 0.6 + 960 * 0.6 * math.exp(-20 * 0.36 / 4)
    assert_regret(quack.ExploreThenCommit(exploration=20), [0.2, 0.8], 1000, 2000, bound)


@pytest.mark.parametrize("exploration", [0, -3, 2.5])
def test_impossible_parameters(exploration):
    with pytest.raises(quack.SpecError, match=f"ExploreThenCommit: exploration is {exploration}; a whole number, at least 1"):
        quack.ExploreThenCommit(exploration=exploration).init(2, 10)


def test_rewards_that_are_no_numbers_are_refused():
    with pytest.raises(quack.SpecError, match="that is finite"):
        quack.Bandit(quack.ExploreThenCommit(), 2, 10).update(0, math.nan)


def test_it_keeps_the_promises():
    quack.check_policy(quack.ExploreThenCommit(exploration=3))
