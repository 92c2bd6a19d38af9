"""The median of means against its formula, and the memory of every reward."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.conformance.checking import plays_the_same
from quack.policies.heavy_tails import new_history
from quack.policies.median_of_means import sort

RNG = np.random.default_rng(0)


def naive_median(rewards, level):
    """Return the median of the means of K = ⌊min(1 + 8L, N/2)⌋ blocks of ⌊N/K⌋ rewards."""
    n_blocks = math.floor(min(1 + 8 * level, len(rewards) / 2))
    length = len(rewards) // n_blocks
    return np.median([math.fsum(rewards[i * length : (i + 1) * length]) / length for i in range(n_blocks)])


def test_by_hand():
    """ε = 1, v = 1/12, r = 1: U = μ̂ + 4 √((L + 1/8)/N). Blocks of six rewards: (1, 3), (4, 6), (−999, 1): μ̂ = 2."""
    policy = quack.MedianOfMeansUCB(epsilon=1.0, moment=1 / 12)
    state = policy.init(2, 20)
    medians = []
    for reward in (1.0, 3.0, 4.0, 6.0, -999.0, 1.0):
        policy.update(state, 0, reward, RNG)
        medians.append(float(state.median[0]))
    assert medians == [0, 2, 8 / 3, 3.5, 3.5, 2]
    assert state.optimism[0] == pytest.approx(2 + 4 * math.sqrt((2 * math.log(7) + 0.125) / 6))
    assert state.optimism[1] == math.inf
    assert policy.select(state, RNG) == 1


@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(-1e6, 1e6)), min_size=1, max_size=150), st.floats(0.05, 1), st.floats(0.1, 50)
)
def test_it_is_the_formula_after_every_reward(history, epsilon, moment):
    policy = quack.MedianOfMeansUCB(epsilon, moment, radius=0.2)
    state = policy.init(3, len(history))
    for s, (action, reward) in enumerate(history, 1):
        policy.update(state, action, reward, RNG)
        if s % 10 and s != len(history):
            continue
        level = 2 * math.log(s + 1)
        for each in range(3):
            seen = [x for a, x in history[:s] if a == each]
            if len(seen) < 2:
                assert state.optimism[each] == math.inf
                continue
            median = naive_median(seen, level)
            assert state.median[each] == pytest.approx(median, rel=1e-9, abs=1e-6)
            width = (12 * moment) ** (1 / (1 + epsilon)) * (16 * (level + 1 / 8) / len(seen)) ** (epsilon / (1 + epsilon))
            assert state.optimism[each] == pytest.approx(median + 0.2 * width, rel=1e-9, abs=1e-6)


def test_many_rewards_against_the_formula():
    """Beyond N/2 = 1 + 8L blocks grow long; the other action's median follows the clock although it is not played."""
    n = 20_000
    policy = quack.MedianOfMeansUCB()
    draws = np.random.default_rng(3).standard_t(1.9, n).tolist()
    state = policy.init(2, n)
    for s in range(1, n + 1):
        action = 1 if s % 10 == 0 and s < n / 2 else 0
        policy.update(state, action, draws[s - 1], RNG)
        if s in (50, 600, 9_000, 10_500, n):
            level = 2 * math.log(s + 1)
            seen = [[x for i, x in enumerate(draws[:s], 1) if (i % 10 == 0 and i < n / 2) == bool(each)] for each in range(2)]
            assert state.median.tolist() == pytest.approx([naive_median(seen[0], level), naive_median(seen[1], level)], rel=1e-9)
            assert state.blocks[0] == min(math.floor(1 + 8 * level), len(seen[0]) // 2)


@given(st.lists(st.integers(0, 3), max_size=200), st.integers(0, 50))
def test_a_history_gives_back_what_was_written(actions, spare):
    history = new_history(4, max(len(actions) + spare, 1))
    written = [[] for _ in range(4)]
    for number, action in enumerate(actions):
        history.write(action, len(written[action]), float(number))
        written[action].append(float(number))
    for action in range(4):
        assert [history.pool[history.where(action, i)] for i in range(len(written[action]))] == written[action]


@pytest.mark.parametrize(("n_actions", "horizon"), [(1, 1), (3, 7), (10, 1000), (100, 10)])
def test_a_history_never_runs_out_of_chunks(n_actions, horizon):
    """The worst that can happen: every action but one has begun a chunk that it never fills."""
    for greedy in (0, n_actions - 1):
        history = new_history(n_actions, horizon)
        plays = [0] * n_actions
        for step in range(horizon):
            action = step if step < min(n_actions, horizon) else greedy
            history.write(action, plays[action], 1.0)
            plays[action] += 1
        assert history.pool.sum() == horizon
    assert len(new_history(10, 10**6).pool) < 1.1 * 10**6


@given(st.lists(st.floats(allow_nan=False), max_size=300))
def test_sorting(values):
    array = np.array([*values, -1.0])
    sort(array, len(values))
    assert array[:-1].tolist() == sorted(values)
    assert array[-1] == -1


def test_more_rewards_than_the_horizon_are_refused_and_change_nothing():
    bandit = quack.Bandit(quack.MedianOfMeansUCB(), n_actions=2, horizon=3)
    for _ in range(3):
        bandit.update(0, 1.0)
    before = bandit.state.optimism.tolist()
    with pytest.raises(quack.SpecError, match="MedianOfMeansUCB was given more rewards than the horizon"):
        bandit.update(0, 1.0)
    assert bandit.state.optimism.tolist() == before


def test_conformance_and_restored_states():
    environment = quack.Stable([0.7, 0.4, 0.1], alpha=1.9)
    quack.check_policy(quack.MedianOfMeansUCB(radius=0.1), environment)
    plays_the_same(quack.Independent(quack.MedianOfMeansUCB(radius=0.1, random_ties=True)), environment)


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (quack.MedianOfMeansUCB(epsilon=0.0), r"MedianOfMeansUCB: epsilon is 0.0; a number in \(0, 1\]"),
        (quack.MedianOfMeansUCB(moment=math.inf), "moment is inf; a positive finite number"),
        (quack.MedianOfMeansUCB(radius=0.0), "radius is 0.0"),
    ],
)
def test_impossible_parameters(policy, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        policy.init(3, 10)
