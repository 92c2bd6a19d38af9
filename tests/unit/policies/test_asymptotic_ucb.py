"""AsymptoticUCB against hand and theorem."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

import quack
from single_agent import assert_regret, chosen, fed, histories, rewards_of, trace


def log_f(t):
    return math.log(1 + t * math.log(t) ** 2)


def test_trace_by_hand():
    """σ = ½. The estimates before each choice:

    t = 3: 1 + ½√(2 · 1.5306), 0 + ½√(2 · 1.5306) = 1.8748, 0.8748        → 0 pays 0
    t = 4: ½ + ½√(2 · 2.1619/2), 0 + ½√(2 · 2.1619) = 1.2352, 1.0397      → 0 pays 1
    t = 5: ⅔ + ½√(2 · 2.6356/3), ½√(2 · 2.6356) = 1.3294, 1.1480          → 0 pays 0
    t = 6: ½ + ½√(2 · 3.0088/4), ½√(2 · 3.0088) = 1.1133, 1.2265          → 1 pays 1
    t = 7: ½ + ½√(2 · 3.3144/4), ½ + ½√(2 · 3.3144/2) = 1.1437, 1.4103    → 1 pays 1
    """
    pays = [[1, 0, 1, 0], [0, 1, 1, 1]]
    assert trace(quack.AsymptoticUCB(sigma=0.5), pays, 7) == [0, 1, 0, 0, 0, 1, 1]
    state = fed(quack.AsymptoticUCB(sigma=0.5), [(0, 1), (1, 0), (0, 0), (0, 1), (0, 0)], 2)
    assert state.optimism.tolist() == pytest.approx([1.1133, 1.2265], abs=1e-4)


@given(histories, st.floats(0.1, 3))
def test_estimates_are_the_formula(history, sigma):
    policy = quack.AsymptoticUCB(sigma=sigma)
    state = fed(policy, history)
    width = sigma * math.sqrt(2 * log_f(len(history) + 1))
    index = [np.mean(xs) + width / math.sqrt(len(xs)) if xs else math.inf for xs in rewards_of(history)]
    assert state.optimism.tolist() == pytest.approx(index)
    assert index[chosen(policy, state)] == pytest.approx(max(index))


@given(histories, st.floats(0.1, 3))
def test_it_is_kl_ucb_for_gaussian_rewards(history, sigma):
    """The largest q with N (q − μ̂)²/(2σ²) ≤ log f(t), by a root finder."""
    state = fed(quack.AsymptoticUCB(sigma=sigma), history)
    level = log_f(len(history) + 1)
    for action, xs in enumerate(rewards_of(history)):
        if xs:
            mean = np.mean(xs)
            allowed = 2 * sigma**2 * level / len(xs)
            excess = optimize.brentq(lambda x, allowed=allowed: x**2 - allowed, 0, 100)
            assert state.optimism[action] == pytest.approx(mean + excess)


def test_regret_is_below_theorem_8_1():
    """σ times the bound for unit σ and the gap Δ/σ = 1.2, at its best ε."""
    f = log_f(1000)
    terms = 2 * (f + math.sqrt(math.pi * f) + 1)
    bound = 0.5 * min(1.2 * (1 + 5 / e**2 + terms / (1.2 - e) ** 2) for e in np.linspace(0.1, 1.1, 101))
    assert_regret(quack.AsymptoticUCB(sigma=0.5), [0.2, 0.8], 1000, 2000, bound)


def test_impossible_parameters_and_rewards():
    with pytest.raises(quack.SpecError, match="AsymptoticUCB: sigma is -1; a positive finite number"):
        quack.AsymptoticUCB(sigma=-1).init(2, 10)
    with pytest.raises(quack.SpecError, match="that is finite"):
        quack.Bandit(quack.AsymptoticUCB(), 2, 10).update(0, math.inf)


def test_it_keeps_the_promises():
    quack.check_policy(quack.AsymptoticUCB(sigma=0.5, random_ties=True))
