"""Maillard sampling against its probabilities."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from single_agent import assert_probabilities, assert_regret, fed, histories, rewards_of, trace


def test_weights_by_hand():
    """σ = ½: w = exp(−2 N gap²). Means 1, ½, ¼ after 1, 2, 1 plays: 1, exp(−2 · 2 · ¼), exp(−2 · 9/16)."""
    state = fed(quack.MaillardSampling(), [(0, 1.0), (1, 1.0), (1, 0.0), (2, 0.25)])
    assert state.weight.tolist() == pytest.approx([1, math.exp(-1), math.exp(-9 / 8)])


def test_trace_by_hand():
    """σ = 0.05: after one play each, action 2 leads by 1 and the others weigh exp(−200)."""
    assert trace(quack.MaillardSampling(sigma=0.05), [[0.0] * 9, [0.0] * 9, [1.0] * 9], 9) == [0, 1, 2, 2, 2, 2, 2, 2, 2]


@given(histories, st.floats(0.05, 3))
def test_weights_are_the_formula(history, sigma):
    state = fed(quack.MaillardSampling(sigma=sigma), history)
    means = [np.mean(xs) if xs else -math.inf for xs in rewards_of(history)]
    plays = [len(xs) for xs in rewards_of(history)]
    weights = [
        math.exp(-n * (max(means) - m) ** 2 / (2 * sigma**2)) if n else math.inf for n, m in zip(plays, means, strict=True)
    ]
    assert state.weight.tolist() == pytest.approx(weights, rel=1e-9, abs=1e-12)
    assert 1 in state.weight


def test_choices_have_the_probabilities_of_the_weights():
    """Threshold: Hoeffding."""
    policy = quack.MaillardSampling()
    state = fed(policy, [(0, 0.5), (1, 1.0), (1, 0.0), (1, 0.5), (2, 0.75), (2, 0.75)])
    weights = np.exp([-2 * 0.0625, -2 * 3 * 0.0625, 0.0])
    assert_probabilities(policy, state, weights / weights.sum())


def test_an_action_without_weight_is_never_played():
    """Not even when rounding leaves a rest at the end, as if the whole mass were drawn."""

    class Everything:
        def random(self):
            return 1.0

    policy = quack.MaillardSampling()
    state = fed(policy, [(0, 1.0), (1, 1.0)] + [(2, 0.0)] * 1000)
    assert state.weight.tolist() == [1, 1, 0]
    assert policy.select(state, Everything()) == 1


def test_regret_is_below_the_bound_of_its_proof():
    """Bian and Jun (2022), proof of Theorem 1 with c = 1 and e = Δ/4: how often another action is played.

    2 + 8σ² log(n)/Δ²; its own mean e too large, Σ_N exp(−Ne²/2σ²); the best one's too small by e + y after N plays, where it is
    exp(Ny²/2σ²) times less likely: Σ_N exp(−Ne²/2σ²) (1 + σ²/(Ne²)).
    """
    gap, variance, horizon = 0.6, 0.25, 1000
    x = (gap / 4) ** 2 / (2 * variance)
    plays = 2 + 8 * variance * math.log(horizon) / gap**2 + 2 / math.expm1(x) - math.log(-math.expm1(-x)) / (2 * x)
    assert_regret(quack.MaillardSampling(), [0.2, 0.8], horizon, 2000, gap * plays)


def test_impossible_parameters_and_rewards():
    with pytest.raises(quack.SpecError, match="MaillardSampling: sigma is inf; a positive finite number"):
        quack.MaillardSampling(sigma=math.inf).init(2, 10)
    with pytest.raises(quack.SpecError, match="that is finite"):
        quack.Bandit(quack.MaillardSampling(), 2, 10).update(0, math.nan)


def test_it_keeps_the_promises():
    quack.check_policy(quack.MaillardSampling())
