"""Leaps: a policy that learns from many rewards at once does what it would do step by step."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import rel_entr

import quack
from quack.conformance.policies import follow_leaps
from quack.environments.base import read_by_action
from quack.policies.kl_ucb import lower_mean
from quack.tape import open_tape
from single_agent import fed

SIGMAS = (1e-9, 0.01, 0.5, 1.0, 30.0, 1e9, 1e150)
LEAPING = [quack.UCB(sigma=sigma) for sigma in SIGMAS] + [
    quack.UCB(sigma=0.5, random_ties=True),
    quack.UCB(sigma=1e-9, random_ties=True),
    quack.UCB(delta=1.0),
    quack.MOSS(sigma=0.5),
    quack.MOSS(sigma=1e-9),
    quack.MOSS(sigma=30.0, random_ties=True),
    quack.MOSS(anytime=True),
    quack.MOSS(sigma=1e-9, anytime=True),
    quack.MOSS(sigma=0.5, anytime=True, random_ties=True),
    *(quack.AsymptoticUCB(sigma=sigma) for sigma in SIGMAS[::2]),
    quack.AsymptoticUCB(sigma=0.5, random_ties=True),
    quack.UCB1(),
    quack.UCB1(random_ties=True),
    quack.BernoulliLDPUCB(),
    quack.KLUCB(),
    quack.KLUCB(c=3.0),
    quack.KLUCB(random_ties=True),
]
MEANS = ([0.5, 0.45, 0.45], [0.5, 0.5], [0.0, 1.0, 1.0], [0.0, 0.0], [0.3], [1.0, 1.0, 1.0, 0.999], [0.0, 2**-40])


@pytest.mark.parametrize("policy", LEAPING, ids=repr)
@pytest.mark.parametrize("means", MEANS, ids=repr)
def test_leaps_are_steps(policy, means):
    follow_leaps(policy, quack.Bernoulli(means), 1500)


REAL = [
    quack.UCB(),
    quack.UCB(sigma=0.1),
    quack.UCB(random_ties=True),
    quack.MOSS(),
    quack.MOSS(anytime=True),
    quack.AsymptoticUCB(),
    quack.AsymptoticUCB(sigma=0.1),
]


@pytest.mark.parametrize("policy", REAL, ids=repr)
@pytest.mark.parametrize(
    "environment", [quack.Gaussian([0.5, 0.4], sigma=0.5), quack.StudentT([1.0, 0.9], degrees=1.5)], ids=repr
)
def test_leaps_over_real_rewards_are_steps(policy, environment):
    assert follow_leaps(policy, environment, 600) > 200


def test_leaps_of_kl_ucb_over_real_rewards_are_steps():
    assert follow_leaps(quack.KLUCB(), quack.BetaRewards([2.0, 3.0], [2.0, 4.0]), 600) > 200


@given(st.floats(1e-9, 1.0 - 1e-9), st.floats(0.0, 30.0))
def test_the_lower_mean_is_allowed_and_nearly_the_smallest(target, allowed):
    """kl(p, q) by SciPy's relative entropy: at the mean that is returned it is allowed, a little below it is not."""

    def kl(mean):
        return rel_entr(mean, target) + rel_entr(1.0 - mean, 1.0 - target)

    mean = lower_mean(target, allowed)
    assert target * 1e-3 * (1.0 - 1e-12) <= mean <= target
    assert mean == target or kl(mean) <= allowed * (1.0 + 1e-9) + 1e-15
    if mean > target * 1.001e-3 and allowed > 1e-6:
        assert kl(mean - 1e-6 * (target - mean)) > allowed * (1.0 - 1e-6)


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=5), st.integers(0, 2**64 - 1), st.floats(0.001, 10), st.booleans())
def test_leaps_are_steps_on_any_bandit(means, seed, sigma, random_ties):
    follow_leaps(quack.UCB(sigma=sigma, random_ties=random_ties), quack.Bernoulli(means), 300, seed)
    follow_leaps(quack.MOSS(sigma=sigma, random_ties=random_ties), quack.Bernoulli(means), 300, seed)
    follow_leaps(quack.MOSS(sigma=sigma, anytime=True, random_ties=random_ties), quack.Bernoulli(means), 300, seed)
    follow_leaps(quack.AsymptoticUCB(sigma=sigma, random_ties=random_ties), quack.Bernoulli(means), 300, seed)
    follow_leaps(quack.UCB1(random_ties=random_ties), quack.Bernoulli(means), 300, seed)
    follow_leaps(quack.KLUCB(c=None if sigma < 1.0 else sigma, random_ties=random_ties), quack.Bernoulli(means), 300, seed)


@pytest.mark.parametrize(
    "policy",
    [
        quack.UCB(sigma=0.5),
        quack.AsymptoticUCB(sigma=0.5),
        quack.UCB1(),
        quack.BernoulliLDPUCB(),
        quack.MOSS(0.5, anytime=True),
        quack.KLUCB(),
    ],
    ids=repr,
)
def test_most_rewards_are_leapt_over(policy):
    assert follow_leaps(policy, quack.Bernoulli([0.5] + [0.45] * 9), 20_000, horizon=10**7) > 0.5 * 20_000


class Steps(NamedTuple):
    """The same policy without its leaps."""

    policy: Any

    def init(self, n_actions, horizon):
        return self.policy.init(n_actions, horizon)

    def select(self, state, rng):
        return self.policy.select(state, rng)

    def update(self, state, action, reward, rng):
        self.policy.update(state, action, reward, rng)


COMPILED = [
    quack.UCB(sigma=0.01),
    quack.UCB(sigma=0.5),
    quack.UCB(sigma=0.5, random_ties=True),
    quack.MOSS(sigma=0.5),
    quack.MOSS(sigma=0.5, anytime=True),
    quack.UCB1(),
    quack.KLUCB(),
]


@pytest.mark.parametrize("policy", COMPILED, ids=repr)
def test_groups_by_leaps_play_the_same_round_by_round(policy):
    """Compiled, through everything, at every round: a million rewards."""
    environment = quack.Bernoulli([0.5] + [0.45] * 5)
    result = quack.compare(
        {group.__name__ + kind.__name__: group(kind(policy)) for group in (quack.QuACK, quack.Pooled) for kind in (Steps, same)},
        environment,
        "grid:10x10",
        1500,
        2,
        seed=6,
        checkpoints=1500,
        progress=False,
    )
    for group in ("QuACK", "Pooled"):
        assert np.array_equal(result[group + "Steps"].plays, result[group + "same"].plays)


def same(policy):
    return policy


@given(st.integers(0, 3000), st.integers(1, 3000), st.floats(-2, 60), st.floats(-1.5, 1.5))
def test_a_total_stays_above_its_line_after_each_reward(skipped, most, height, rise):
    """take_above reads no reward after which the total is not above the line, and stops less than 2⁻¹⁶ and a reward early."""
    environment = quack.Bernoulli([0.45])
    reader, plain = (read_by_action(environment, open_tape(3, 0)) for _ in range(2))
    for _ in range(skipped):
        assert reader.next(0) == plain.next(0)
    taken, total = reader.take_above(0, 7.0, 7.0 - height, rise, most)
    running = 7.0
    for j in range(1, taken + 1):
        running += plain.next(0)
        assert running > 7.0 - height + j * rise
    assert total == running
    assert reader.read[0] == plain.read[0]
    if taken < most and rise <= 1.0 and height > 2.0**-16:
        assert running + plain.next(0) <= 7.0 - height + (taken + 1) * (rise + 2.0**-19) + 2.0**-16


def test_words_made_ahead_are_the_words_one_by_one():
    reader = read_by_action(quack.Bernoulli([0.45, 1.0, 0.0, 0.3]), open_tape(5, 2))
    others = read_by_action(quack.Bernoulli([0.45, 1.0, 0.0, 0.3]), open_tape(5, 2))
    from quack.tape import bernoulli_word

    for action, mean in enumerate((0.45, 1.0, 0.0, 0.3)):
        bits = [int(reader.next(action)) for _ in range(32 * 100)]
        words = [bernoulli_word(mean, open_tape(5, 2), action, block) for block in range(100)]
        assert bits == [(words[i // 32] >> (i % 32)) & 1 for i in range(len(bits))]
        assert others.take_above(action, 0.0, -1.0, 0.0, 3200) == (3200, sum(bits))


def test_a_tie_goes_to_the_lowest_action_by_leaps_too():
    policy = quack.UCB(sigma=0.5)
    for action in (0, 1):
        state = fed(policy, [(0, 1.0), (1, 1.0), (action, 1.0)], n_actions=2)
        rewards = read_by_action(quack.Bernoulli([1.0, 1.0]), open_tape(0, 0))
        assert policy.advance(state, 1 - action, rewards, 1, None) == (1, 0)
