"""UCB under Laplace noise against hand and theorem."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from single_agent import chosen, fed, histories, hoeffding, rewards_of, trace

UNBOUNDED = quack.Gaussian([0.5, 0.3, 0.4], sigma=1.0)  # as reports are


def test_trace_by_hand():
    """4 log(t + 1) at t = 10, …, 16 is 9.59, 9.94, 10.26, 10.56, 10.83, 11.09, 11.33.

    At t = 10 action 0 has 9 plays: too few; at t = 11 it has 10, enough, and it is 1's turn. At t = 12 it needs more than 10.26;
    its 11 are enough up to t = 14, and at t = 15 are not.
    """
    choices = trace(quack.LaplaceLDPUCB(), [[0.5] * 30, [0.5] * 30], 16, horizon=100)
    assert choices == [0] * 10 + [1, 0, 1, 1, 0, 1]


@given(histories, st.floats(0.2, 5))
def test_estimates_are_the_formula(history, epsilon):
    policy = quack.LaplaceLDPUCB(epsilon=epsilon)
    history = history * 10
    state = fed(policy, history)
    t = len(history) + 1
    width = math.sqrt(2 * math.log(t)) + math.sqrt(32 * math.log(t)) / epsilon
    index = [
        np.mean(xs) + width / math.sqrt(len(xs)) if len(xs) > 4 * math.log(t + 1) else math.inf for xs in rewards_of(history)
    ]
    assert state.optimism.tolist() == pytest.approx(index)
    assert index[chosen(policy, state)] == pytest.approx(max(index))


def test_regret_is_below_the_theorem():
    """ε = 10, means 0.2 and 0.8, alone. Threshold: the bound and Hoeffding."""
    horizon, runs, rng = 2000, 100, np.random.default_rng(8)
    policy = quack.LaplaceLDPUCB(epsilon=10.0)
    bad_plays = []
    for _ in range(runs):
        state = policy.init(2, horizon)
        noise = rng.laplace(0, 0.1, horizon)
        coins = rng.random(horizon)
        for t in range(horizon):
            action = chosen(policy, state)
            policy.update(state, action, float(coins[t] < (0.2, 0.8)[action]) + noise[t], rng)
        bad_plays.append(state.plays[0])
    bound = 8 * (1 + 4 / 10) ** 2 * math.log(horizon) / 0.6 + (1 + 2 * math.pi**2 / 3) * 0.6
    threshold = bound + hoeffding(runs, width=horizon * 0.6)
    assert 0.6 * np.mean(bad_plays) <= threshold < 0.6 * horizon


@pytest.mark.parametrize("epsilon", [0, -0.5, math.nan])
def test_impossible_parameters(epsilon):
    with pytest.raises(quack.SpecError, match=f"LaplaceLDPUCB: epsilon is {epsilon}; a positive finite number"):
        quack.LaplaceLDPUCB(epsilon=epsilon).init(2, 10)


def test_every_finite_report_is_taken():
    bandit = quack.Bandit(quack.LaplaceLDPUCB(), 2, 10)
    bandit.update(0, -17.5)
    with pytest.raises(quack.SpecError, match="that is finite"):
        bandit.update(0, math.inf)
    assert bandit.state.total.tolist() == [-17.5, 0]


def test_it_keeps_the_promises():
    quack.check_policy(quack.LaplaceLDPUCB(epsilon=2.0, random_ties=True), UNBOUNDED)
