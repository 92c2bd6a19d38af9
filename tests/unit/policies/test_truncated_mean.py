"""The truncated mean against its formula, and what its heap holds."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.conformance.checking import plays_the_same
from quack.policies.truncated_mean import exit_level

RNG = np.random.default_rng(0)
STABLE = quack.Stable([0.7, 0.4, 0.1], alpha=1.9)


def naive_mean(rewards, order, moment, level):
    """Return 1/N Σ_j X_j 1{L ≤ u j / |X_j|^p}, by going through all rewards."""
    kept = [x for j, x in enumerate(rewards, 1) if level <= exit_level(moment, order, float(j), x)]
    return math.fsum(kept) / len(rewards)


def test_by_hand():
    """ε = 1, u = 4, r = ½: ℓ = 4j/X², L = 2 log t, U = μ̂ + 4 √(L/N).

    Round 1 pays 1: ℓ = 4. Round 2 (action 1) pays 3: ℓ = 4/9 < L = 2 log 3, dropped at once. Round 3 (action 0, N = 2) pays 1.5:
    ℓ = 8/2.25 = 3.556 ≥ 2 log 4 = 2.773, kept: μ̂ = (1.25, 0). Rounds 4 and 5 (action 1) pay 0: at t = 6, L = 3.584 > 3.556, the
    1.5 leaves: μ̂ = (0.5, 0). Rounds 6 and 7 (action 1): at t = 8, L = 4.159 > 4, the 1 leaves as well.
    """
    policy = quack.TruncatedMeanUCB(epsilon=1.0, moment=4.0, radius=0.5)
    state = policy.init(2, 10)
    assert state.optimism.tolist() == [math.inf, math.inf]
    means, levels = [], []
    for action, reward in [(0, 1.0), (1, 3.0), (0, 1.5), (1, 0.0), (1, 0.0), (1, 0.0), (1, 0.0)]:
        policy.update(state, action, reward, RNG)
        means.append(state.mean.tolist())
        levels.append(2 * math.log(len(means) + 1))
    assert means == [[1, 0], [1, 0], [1.25, 0], [1.25, 0], [0.5, 0], [0.5, 0], [0, 0]]
    assert state.optimism.tolist() == pytest.approx([4 * math.sqrt(levels[-1] / 2), 4 * math.sqrt(levels[-1] / 5)])
    assert policy.select(state, RNG) == 0


def test_a_reward_at_its_exit_level_is_kept():
    """u = 2 log 3 and X = 1: ℓ_1 = u, which is L in round 3 exactly; in round 4 it is out."""
    policy = quack.TruncatedMeanUCB(epsilon=0.5, moment=2.0 * math.log(3.0))
    state = policy.init(2, 10)
    policy.update(state, 0, 1.0, RNG)
    policy.update(state, 1, 0.0, RNG)
    assert state.mean.tolist() == [1, 0]
    policy.update(state, 1, 0.0, RNG)
    assert state.mean.tolist() == [0, 0]


rewards = st.one_of(st.floats(-20, 20), st.sampled_from([0.0, 1.0, -1.0, 2.0, 1e-300, 1e200, -1e308]))


@given(st.lists(st.tuples(st.integers(0, 2), rewards), min_size=1, max_size=60), st.floats(0.05, 1), st.floats(0.1, 50))
def test_it_is_the_formula_after_every_reward(history, epsilon, moment):
    policy = quack.TruncatedMeanUCB(epsilon, moment, radius=0.3)
    state = policy.init(3, 50)
    order = 1 + epsilon
    for s, (action, reward) in enumerate(history, 1):
        policy.update(state, action, reward, RNG)
        level = 2 * math.log(min(s, 50) + 1)
        for each in range(3):
            seen = [x for a, x in history[:s] if a == each]
            if not seen:
                assert state.optimism[each] == math.inf
                continue
            mean = naive_mean(seen, order, moment, level)
            assert state.mean[each] == pytest.approx(mean, rel=1e-14, abs=1e-14)
            width = 0.3 * 4 * moment ** (1 / order) * (level / len(seen)) ** (epsilon / order)
            assert state.optimism[each] == pytest.approx(mean + width, rel=1e-12)


@given(st.lists(st.tuples(st.integers(0, 1), st.floats(-9, 9)), max_size=60))
def test_the_heap_holds_what_will_leave_and_the_first_to_leave_is_on_top(history):
    policy = quack.TruncatedMeanUCB(epsilon=1.0, moment=2.0)
    state = policy.init(2, 60)
    for action, reward in history:
        policy.update(state, action, reward, RNG)
    heap, size = state.leaving, int(state.leaving.size[0])
    held = sorted(zip(heap.exit_level[:size].tolist(), heap.action[:size].tolist(), heap.reward[:size].tolist(), strict=True))
    expected, plays = [], [0, 0]
    for action, reward in history:
        plays[action] += 1
        level = exit_level(2.0, 2.0, float(plays[action]), reward)
        if 2 * math.log(len(history) + 1) <= level < 2 * math.log(61):
            expected.append((level, action, reward))
    assert held == sorted(expected)
    assert all(heap.exit_level[(i - 1) // 2] <= heap.exit_level[i] for i in range(1, size))


def test_a_hundred_thousand_rewards_against_the_formula():
    """Heavy tails and a moment bound that is far too small, so that much leaves: the means are exact to the last digit or two."""
    n = 100_000
    policy = quack.TruncatedMeanUCB(epsilon=0.8, moment=0.5)
    generator = np.random.default_rng(7)
    draws = 0.7 + generator.standard_t(1.9, n)
    actions = generator.integers(0, 2, n)
    state = policy.init(2, n)
    entered = most = 0
    for s in range(1, n + 1):
        before = int(state.leaving.size[0])
        policy.update(state, int(actions[s - 1]), float(draws[s - 1]), RNG)
        entered += max(int(state.leaving.size[0]) - before, 0)
        most = max(most, int(state.leaving.size[0]))
        if s in (10, 300, 5000, 40_000, n):
            level = 2 * math.log(s + 1)
            for each in range(2):
                seen = draws[:s][actions[:s] == each]
                kept = seen[level <= 0.5 * np.arange(1, len(seen) + 1) / np.abs(seen) ** 1.8]
                assert state.mean[each] == pytest.approx(math.fsum(kept) / len(seen), rel=1e-15, abs=1e-17)
                assert len(kept) < len(seen)
    assert entered > 50
    assert most < 500


def test_after_the_horizon_the_level_stands_still():
    policy = quack.TruncatedMeanUCB(epsilon=1.0, moment=4.0)
    state = policy.init(1, 5)
    for _ in range(12):
        policy.update(state, 0, 1.0, RNG)
    assert state.mean[0] == naive_mean([1.0] * 12, 2.0, 4.0, 2 * math.log(6))
    assert state.leaving.size[0] == 0


def test_actions_are_first_played_in_order_and_ties_are_as_one_wants():
    assert quack.TruncatedMeanUCB().select(quack.TruncatedMeanUCB().init(5, 10), RNG) == 0
    policy = quack.TruncatedMeanUCB(random_ties=True)
    assert {policy.select(policy.init(3, 10), RNG) for _ in range(50)} == {0, 1, 2}


def test_regret_is_below_the_corrected_bound():
    """Bubeck et al., Theorem 1, times 2^(p/ε): 10⁶ rounds; uniform play would lose seventy times the bound."""
    environment = quack.StudentT([1.0, 0.0], degrees=3.0)
    moment, n = environment.moment(2.0), 1_000_000
    bound = 4 * 8 * (4 * moment / 1.0) * math.log(n) + 5
    policy = quack.TruncatedMeanUCB(epsilon=1.0, moment=moment)
    result = quack.compare({"it": quack.Pooled(policy)}, environment, "path:1", n, 2, 0, progress=False)["it"]
    assert result.final.max() <= bound < 0.05 * n


def test_conformance_and_restored_states():
    quack.check_policy(quack.TruncatedMeanUCB(moment=0.5, radius=0.1), STABLE)
    plays_the_same(quack.Independent(quack.TruncatedMeanUCB(moment=0.5, radius=0.1)), STABLE)


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (quack.TruncatedMeanUCB(epsilon=0.0), r"TruncatedMeanUCB: epsilon is 0.0; a number in \(0, 1\]"),
        (quack.TruncatedMeanUCB(epsilon=1.1), "epsilon is 1.1"),
        (quack.TruncatedMeanUCB(epsilon=math.nan), "epsilon is nan"),
        (quack.TruncatedMeanUCB(moment=0.0), "moment is 0.0; a positive finite number"),
        (quack.TruncatedMeanUCB(radius=-1.0), "radius is -1.0"),
    ],
)
def test_impossible_parameters(policy, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        policy.init(3, 10)
