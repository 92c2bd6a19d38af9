"""KLUCB: the root against a root finder, the choice against the full maximum, the regret against the theorem."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special

import quack
from quack.policies.kl_ucb import cannot_reach, divergence, exploration, upper_mean
from single_agent import assert_regret, chosen, fed, histories, rewards_of, trace


def kl(p, q):
    return float(special.rel_entr(p, q) + special.rel_entr(1 - p, 1 - q))


def root(p, allowed):
    """The largest q with kl(p, q) ≤ allowed, by another method and another formula."""
    most = 1 - 1e-15
    return optimize.brentq(lambda q: kl(p, q) - allowed, p, most, xtol=1e-15) if kl(p, most) > allowed else 1.0


def test_trace_by_hand():
    """kl(0, q) = −log(1 − q) and kl(½, q) = −½ log(4q(1 − q)); log f(t) for t = 3, …, 6 is 1.5306, 2.1619, 2.6356, 3.0088.

    t = 3: means 1 and 0 after 1 and 1 plays: 1, 1 − e^(−1.5306) = 0.7836 → 0 pays 0
    t = 4: ½ and 0 after 2 and 1: ½ + ½√(1 − e^(−2.1619)) = 0.9703, 1 − e^(−2.1619) = 0.8849 → 0 pays 0
    t = 5: ⅓ and 0 after 3 and 1: 0.8908, as ⅓ log(⅓/0.8908) + ⅔ log(⅔/0.1092) = 0.8785 = 2.6356/3, and 0.9283 → 1 pays 1
    t = 6: ⅓ and ½ after 3 and 2: 0.9104, ½ + ½√(1 − e^(−3.0088)) = 0.9875 → 1 pays 1
    """
    assert trace(quack.KLUCB(), [[1, 0, 0, 0], [0, 1, 1, 1]], 6) == [0, 1, 0, 0, 1, 1]
    assert upper_mean(0.5, exploration(4.0, False, 0.0) / 2) == pytest.approx(0.9703, abs=1e-4)
    assert upper_mean(1 / 3, exploration(5.0, False, 0.0) / 3) == pytest.approx(0.8908, abs=1e-4)


def test_exploration_by_hand():
    assert exploration(1.0, False, 0.0) == 0
    assert exploration(10.0, False, 0.0) == pytest.approx(math.log(1 + 10 * math.log(10) ** 2))
    assert exploration(10.0, True, 0.0) == pytest.approx(math.log(10))
    assert exploration(10.0, True, 3.0) == pytest.approx(math.log(10) + 3 * math.log(math.log(10)))
    assert exploration(2.0, True, 3.0) == 0  # the formula is negative
    assert exploration(1.0, True, 0.0) == 0


@given(st.floats(0, 1), st.floats(0.001, 20))
def test_the_upper_mean_is_the_root(p, allowed):
    assert upper_mean(p, allowed) == pytest.approx(root(p, allowed), abs=1e-12)


@pytest.mark.parametrize("allowed", [0.0, 1e-12, 1e-6, 0.1, 1.0, 40.0, 1e6])
def test_the_upper_mean_at_the_ends(allowed):
    assert upper_mean(1.0, allowed) == 1
    assert upper_mean(0.0, allowed) == pytest.approx(-math.expm1(-allowed), rel=1e-15)
    assert upper_mean(5e-324, allowed) == pytest.approx(-math.expm1(-allowed), rel=1e-15)
    for p in (1e-16, 1e-3, 0.5, 0.999, 1 - 1e-16):
        assert p <= upper_mean(p, allowed) <= 1


@given(st.floats(1e-9, 1 - 1e-9), st.floats(-12, 1))
def test_small_divergences_are_exact(p, exponent):
    """Where the textbook formula loses all digits, the root gives back the divergence as precisely as q − p is known."""
    allowed = 10.0**exponent
    q = upper_mean(p, allowed)
    if q < 1 - 1e-12:
        assert divergence(p, q - p) == pytest.approx(allowed, rel=1e-15 * (1 + q / (q - p)) * (1 + 1 / (1 - q)) * 8)


@given(histories, st.sampled_from([None, 0.0, 3.0]))
def test_the_choice_is_that_of_the_full_maximum(history, c):
    """Although most upper means are never computed."""
    policy = quack.KLUCB(c=c)
    state = fed(policy, history)
    t = len(history) + 1
    level = math.log(1 + t * math.log(t) ** 2) if c is None else max(0.0, math.log(t) + c * math.log(math.log(t)))
    by_action = rewards_of(history)
    index = [root(min(sum(xs) / len(xs), 1), level / len(xs)) if xs else math.inf for xs in by_action]
    assert index[chosen(policy, state)] == pytest.approx(max(index), abs=1e-12)


@given(st.floats(0, 1), st.floats(0, 10))
def test_equal_actions_are_never_told_apart(p, allowed):
    assert not cannot_reach(p, allowed, upper_mean(p, allowed))


def test_what_cannot_reach_a_target():
    assert cannot_reach(0.2, 0.1, math.inf)  # an action that was never played
    assert cannot_reach(0.2, kl(0.2, 0.5) * 0.999, 0.5)
    assert not cannot_reach(0.2, kl(0.2, 0.5) * 1.001, 0.5)
    assert cannot_reach(0.0, math.log(2) * 0.999, 0.5)
    assert not cannot_reach(0.0, math.log(2) * 1.001, 0.5)
    assert not cannot_reach(1.0, 0.1, 1.0)
    assert divergence(0.25, 0.75) == math.inf


def test_regret_is_below_theorem_10_6():
    f = exploration(1000.0, False, 0.0)
    bound = min(
        0.6 * (f / kl(0.2 + e, 0.8 - d) + 1 / (2 * e**2) + 2 / d**2)
        for e, d in itertools.product(np.linspace(0.05, 0.5, 46), repeat=2)
        if e + d < 0.6
    )
    assert_regret(quack.KLUCB(), [0.2, 0.8], 1000, 2000, bound)


@pytest.mark.parametrize("c", [-1, math.inf, math.nan])
def test_impossible_parameters(c):
    with pytest.raises(quack.SpecError, match=f"KLUCB: c is {c}; None or a finite number, at least 0"):
        quack.KLUCB(c=c).init(2, 10)


def test_rewards_outside_the_unit_interval_are_refused():
    with pytest.raises(quack.SpecError, match=r"the reward of action 1 is 1.5; .* takes a reward from 0 to 1"):
        quack.Bandit(quack.KLUCB(), 2, 10).update(1, 1.5)


@pytest.mark.parametrize("policy", [quack.KLUCB(), quack.KLUCB(c=3.0, random_ties=True)], ids=repr)
def test_it_keeps_the_promises(policy):
    quack.check_policy(policy)
