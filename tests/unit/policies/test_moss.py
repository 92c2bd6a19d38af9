"""MOSS, with the horizon and without, against hand and theorem."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from single_agent import assert_regret, chosen, fed, histories, rewards_of, trace

PAYS = [[1, 0, 1, 0], [0, 1, 1, 1, 1, 1]]


def test_trace_by_hand():
    """σ = ½ and H = 10: the bonus after N plays is √(log(5/N)/N) = 1.2686, 0.6769, 0.4127, 0.2362, 0, 0. Estimates at

    t = 3: 2.2686, 1.2686 → 0;    4: ½ + 0.6769, 1.2686 → 1;    5: 1.1769, ½ + 0.6769: equal → 0;    6: ⅔ + 0.4127, 1.1769 → 1;
    t = 7: 1.0794, ⅔ + 0.4127: equal → 0;    8: ½ + 0.2362, 1.0794 → 1;    9: 0.7362, ¾ + 0.2362 → 1;    10: 0.7362, ⅘ → 1
    """
    assert trace(quack.MOSS(sigma=0.5), PAYS, 10) == [0, 1, 0, 1, 0, 1, 0, 1, 1, 1]


def test_anytime_trace_by_hand():
    """The same with t for H. At t = 3: √log(3/2) = 0.6368, 1.6368 and 0.6368 → 0; at t = 4 two plays are action 0's share:

    ½ and √log 2 = 0.8326 → 1;    5: ½ + √(log(5/4)/2) = 0.8340, equal → 0;    6: ⅔ + 0 and ½ + √(log(6/4)/2) = 0.9503 → 1
    """
    assert trace(quack.MOSS(sigma=0.5, anytime=True), PAYS, 7) == [0, 1, 0, 1, 0, 1, 0]
    state = fed(quack.MOSS(sigma=0.5, anytime=True), [(0, 1), (1, 0), (0, 0), (1, 1), (0, 1)], 2)
    assert state.optimism.tolist() == pytest.approx([0.6667, 0.9503], abs=1e-4)


@given(histories, st.floats(0.1, 3), st.integers(1, 1000), st.booleans())
def test_estimates_are_the_formula(history, sigma, horizon, anytime):
    policy = quack.MOSS(sigma=sigma, anytime=anytime)
    state = fed(policy, history, horizon=horizon)
    rounds = len(history) + 1 if anytime else horizon

    def bonus(n):
        return sigma * math.sqrt(4 / n * math.log(max(1, rounds / (3 * n))))

    index = [np.mean(xs) + bonus(len(xs)) if xs else math.inf for xs in rewards_of(history)]
    assert state.optimism.tolist() == pytest.approx(index)
    assert index[chosen(policy, state)] == pytest.approx(max(index))


def test_regret_is_below_theorem_9_1():
    """39 σ √(kH) + Σ Δ, on a horizon so long that this is less than uniform play."""
    assert_regret(quack.MOSS(sigma=0.5), [0.2, 0.8], 40_000, 250, 39 * 0.5 * math.sqrt(2 * 40_000) + 0.6)


def test_impossible_parameters_and_rewards():
    with pytest.raises(quack.SpecError, match="MOSS: sigma is 0; a positive finite number"):
        quack.MOSS(sigma=0).init(2, 10)
    with pytest.raises(quack.SpecError, match="that is finite"):
        quack.Bandit(quack.MOSS(), 2, 10).update(0, math.nan)


@pytest.mark.parametrize("policy", [quack.MOSS(sigma=0.5), quack.MOSS(anytime=True, random_ties=True)], ids=repr)
def test_it_keeps_the_promises(policy):
    quack.check_policy(policy)
