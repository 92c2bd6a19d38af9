"""Catoni's estimator against a root found by bisection."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

import quack
from quack.policies.catoni import pulls

RNG = np.random.default_rng(0)


def pull(values, beta, centre):
    """Return Σψ(β(X − μ)), ψ(y) = sign(y) log(1 + |y| + y²/2), as it is written."""
    y = beta * (np.asarray(values) - centre)
    return math.fsum(np.sign(y) * np.log1p(np.abs(y) + y**2 / 2))


def scale(n, level, variance):
    return math.sqrt(2 * level / (n * (variance + 2 * variance * level / (n - 2 * level))))


def naive_root(values, beta):
    low, high = min(values), max(values)
    return low if low == high else optimize.brentq(lambda centre: pull(values, beta, centre), low, high, xtol=1e-13, rtol=1e-14)


def test_by_hand():
    """One action: N = t − 1 ≥ 8 log t from N = 27 on. Symmetric rewards: the root is their centre; U − μ̂ = 2 √(vL/N)."""
    policy = quack.CatoniUCB(moment=4.0, radius=0.5)
    state = policy.init(1, 30)
    finite = []
    for s in range(1, 31):
        policy.update(state, 0, 3.0 if s % 2 else -1.0, RNG)
        if math.isfinite(state.optimism[0]):
            finite.append(s)
    assert finite == list(range(27, 31))
    assert state.estimate[0] == pytest.approx(1.0, abs=1e-12)
    assert state.optimism[0] == pytest.approx(1 + math.sqrt(4 * 2 * math.log(31) / 30))


@given(st.lists(st.floats(-1e3, 1e3), min_size=60, max_size=90), st.floats(0.1, 100), st.integers(0, 59), st.floats(-1e12, 1e12))
def test_it_is_the_root_after_every_reward(values, variance, place, outlier):
    values[place] = outlier
    policy = quack.CatoniUCB(moment=variance)
    state = policy.init(1, len(values))
    for s, value in enumerate(values, 1):
        policy.update(state, 0, value, RNG)
        level = 2 * math.log(s + 1)
        if s < 4 * level:
            assert state.optimism[0] == math.inf
        elif s % 10 == 0 or s == len(values):
            root = naive_root(values[:s], scale(s, level, variance))
            assert state.estimate[0] == pytest.approx(root, rel=1e-9, abs=1e-9)
            assert state.optimism[0] == pytest.approx(state.estimate[0] + 2 * math.sqrt(variance * level / s), rel=1e-12)


def test_other_actions_follow_the_clock():
    """As t grows, so does L: the estimate of an action moves although it is not played."""
    policy = quack.CatoniUCB(moment=3.0)
    draws = np.random.default_rng(1).standard_t(3.0, 150)
    state = policy.init(2, 150)
    for s, value in enumerate(draws.tolist()):
        policy.update(state, 0 if s < 75 else 1, value, RNG)
    level = 2 * math.log(151)
    for action, values in enumerate((draws[:75], draws[75:])):
        assert state.estimate[action] == pytest.approx(naive_root(values, scale(75, level, 3.0)), rel=1e-11)
    assert policy.select(state, RNG) == int(np.argmax(state.optimism))


def test_pulls_are_their_formula():
    policy = quack.CatoniUCB()
    state = policy.init(1, 500)
    draws = np.random.default_rng(2).standard_cauchy(500) * 50
    for value in draws.tolist():
        state.rewards.write(0, int(state.plays[0]), value)
        state.plays[0] += 1
    for centre in (-10.0, 0.0, 300.0):
        total, stiffness = pulls(state, 0, 0.7, centre)
        y = np.abs(0.7 * (draws - centre))
        assert total == pytest.approx(pull(draws, 0.7, centre), rel=1e-11)
        assert stiffness == pytest.approx(np.sum((1 + y) / (1 + y + y**2 / 2)), rel=1e-12)


def test_rewards_beyond_all_reason_do_not_overflow():
    bandit = quack.Bandit(quack.CatoniUCB(), n_actions=1, horizon=60)
    for s in range(60):
        bandit.update(0, 1e300 if s == 20 else -1e300 if s == 40 else 0.5)
    assert bandit.state.estimate[0] == pytest.approx(0.5, abs=3)


def test_more_rewards_than_the_horizon_are_refused_and_change_nothing():
    bandit = quack.Bandit(quack.CatoniUCB(), n_actions=2, horizon=3)
    for _ in range(3):
        bandit.update(0, 1.0)
    with pytest.raises(quack.SpecError, match="CatoniUCB was given more rewards than the horizon"):
        bandit.update(0, 1.0)
    assert bandit.state.plays.tolist() == [3, 0]


def test_ties_are_as_one_wants():
    policy = quack.CatoniUCB(random_ties=True)
    assert {policy.select(policy.init(3, 10), RNG) for _ in range(50)} == {0, 1, 2}
    assert quack.CatoniUCB().select(quack.CatoniUCB().init(3, 10), RNG) == 0


def test_conformance():
    quack.check_policy(quack.CatoniUCB(moment=3.0, radius=0.2), quack.StudentT([1.0, 0.0], degrees=3.0))


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (quack.CatoniUCB(moment=0.0), "CatoniUCB: moment is 0.0; a positive finite number"),
        (quack.CatoniUCB(radius=math.nan), "radius is nan"),
        (quack.CatoniUCB(epsilon=0.85), "CatoniUCB: epsilon is 0.85; only 1 is accepted"),
    ],
)
def test_impossible_parameters(policy, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        policy.init(3, 10)
