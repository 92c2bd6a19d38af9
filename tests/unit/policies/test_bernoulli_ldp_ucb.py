"""UCB on privatised bits against hand and theorem."""

import math

import numpy as np
import pytest
from hypothesis import given

import quack
from single_agent import assert_regret, chosen, fed, histories, rewards_of, trace


def test_trace_by_hand():
    """Bits of 0: 1, 0, 1, 0; of 1: 0, 1, 1, 1. √(2 log t) at t = 3 … 7: 1.4823, 1.6651, 1.7941, 1.8930, 1.9728.

    t = 3: 2.4823, 1.4823 → 0;    t = 4: ½ + 1.6651/√2 = 1.6774, 1.6651 → 0;    t = 5: ⅔ + 1.7941/√3 = 1.7025, 1.7941 → 1
    t = 6: ⅔ + 1.8930/√3 = 1.7596, ½ + 1.8930/√2 = 1.8386 → 1;    t = 7: ⅔ + 1.9728/√3 = 1.8056, the same → 0
    """
    pays = [[1, 0, 1, 0], [0, 1, 1, 1]]
    assert trace(quack.BernoulliLDPUCB(), pays, 7) == [0, 1, 0, 0, 1, 1, 0]


@given(histories)
def test_estimates_are_the_formula(history):
    policy = quack.BernoulliLDPUCB()
    state = fed(policy, history)
    width = math.sqrt(2 * math.log(len(history) + 1))
    index = [np.mean(xs) + width / math.sqrt(len(xs)) if xs else math.inf for xs in rewards_of(history)]
    assert state.optimism.tolist() == pytest.approx(index)
    assert index[chosen(policy, state)] == pytest.approx(max(index))


@pytest.mark.parametrize(("epsilon", "mean"), [(0.5, 0.3), (1.0, 0.0), (4.0, 1.0), (700.0, 0.5)])
def test_the_estimate_takes_the_mechanism_back(epsilon, mean):
    """E[Y] = (μ e^ε + 1 − μ)/(e^ε + 1), fed as the reward: the estimate is μ."""
    expected_bit = (mean * math.exp(epsilon) + 1 - mean) / (math.exp(epsilon) + 1)
    policy = quack.BernoulliLDPUCB(epsilon=epsilon)
    state = fed(policy, [(1, expected_bit)])
    assert policy.estimate(state, 1) == pytest.approx(mean)
    assert math.isnan(policy.estimate(state, 0))


def test_regret_is_below_the_theorem():
    """ε = 3, means 0.2 and 0.8: the means of the bits are (1 + μ(e³ − 1))/(e³ + 1), with the gap cΔ.

    Counted in bits the bound is 8 log(H)/(cΔ) + (1 + π²/3) cΔ.
    """
    e = math.exp(3.0)
    bits = [(1 + mean * (e - 1)) / (e + 1) for mean in (0.2, 0.8)]
    gap = (e - 1) / (e + 1) * 0.6
    bound = 8 * math.log(1000) / gap + (1 + math.pi**2 / 3) * gap
    assert_regret(quack.BernoulliLDPUCB(epsilon=3.0), bits, 1000, 2000, bound)


@pytest.mark.parametrize("epsilon", [0, -1, math.inf])
def test_impossible_parameters(epsilon):
    with pytest.raises(quack.SpecError, match=f"BernoulliLDPUCB: epsilon is {epsilon}; a positive finite number"):
        quack.BernoulliLDPUCB(epsilon=epsilon).init(2, 10)


def test_what_is_no_bit_is_refused():
    with pytest.raises(quack.SpecError, match=r"the reward of action 0 is 1.2; .* takes a reward from 0 to 1"):
        quack.Bandit(quack.BernoulliLDPUCB(), 2, 10).update(0, 1.2)


def test_it_keeps_the_promises():
    quack.check_policy(quack.BernoulliLDPUCB(random_ties=True))
