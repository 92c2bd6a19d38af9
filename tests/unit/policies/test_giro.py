"""Giro against the law of its resamples, listed one by one."""

import collections
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import quack
from quack.policies.giro import bootstrap_mean
from single_agent import assert_probabilities, fed, hoeffding, trace


def law(history):
    """The law of the mean of as many draws with replacement as the history is long, draw by draw, from every item."""
    n = len(history)
    sums = {Fraction(0): Fraction(1)}
    for _ in range(n):
        longer = collections.Counter()
        for (total, probability), item in itertools.product(sums.items(), history):
            longer[total + item] += probability / n
        sums = longer
    return {total / n: float(probability) for total, probability in sums.items()}


def law_with_pseudo_rewards(rewards, a):
    """The law of U_a: whole numbers of zeros and ones, mixed where a N is no whole number."""
    low = math.floor(a * len(rewards))
    up = a * len(rewards) - low
    mixed = collections.Counter()
    for pseudo, weight in ((low, 1 - up), (low + 1, up)):
        if weight:
            for mean, probability in law([Fraction(x) for x in rewards] + [Fraction(0), Fraction(1)] * pseudo).items():
                mixed[mean] += weight * probability
    return mixed


def choice(laws, random_ties):
    """The probability of each action to have the largest mean."""
    probabilities = np.zeros(len(laws))
    for means in itertools.product(*laws):
        probability = math.prod(one[mean] for one, mean in zip(laws, means, strict=True))
        best = [action for action, mean in enumerate(means) if mean == max(means)]
        for action in best if random_ties else best[:1]:
            probabilities[action] += probability / (len(best) if random_ties else 1)
    return probabilities


@pytest.mark.parametrize(
    ("rewards", "a"),
    [([1.0, 0.0, 1.0], 2 / 3), ([1.0], 2.0), ([0.5, 0.25], 1.0), ([0.5, 0.5, 0.25, 1.0, 0.0], 0.2), ([0.75], 1.0)],
)
def test_a_resample_has_the_law_of_drawing_with_replacement(rewards, a):
    """Threshold: Hoeffding, for the frequency of each mean."""
    state = fed(quack.Giro(a=a), [(0, x) for x in rewards], 1)
    pseudo = round(a * len(rewards))
    expected = law([Fraction(x) for x in rewards] + [Fraction(0), Fraction(1)] * pseudo)
    rng, n = np.random.default_rng(3), 20_000
    seen = collections.Counter(Fraction(bootstrap_mean(state, 0, float(pseudo), rng)).limit_denominator(1000) for _ in range(n))
    assert set(seen) <= set(expected)
    assert max(abs(seen[mean] / n - p) for mean, p in expected.items()) <= hoeffding(n, len(expected))


@pytest.mark.parametrize("random_ties", [False, True])
@pytest.mark.parametrize("a", [1.0, 0.5, 0.3])
def test_choices_have_the_probabilities_of_all_resamples(a, random_ties):
    """Rewards 0 and 1, and others, once and twice; a N whole and not. Threshold: Hoeffding."""
    policy = quack.Giro(a=a, random_ties=random_ties)
    by_action = [[1.0, 0.0], [0.5, 0.5], [0.75]]
    state = fed(policy, [(action, x) for action, xs in enumerate(by_action) for x in xs])
    assert_probabilities(policy, state, choice([law_with_pseudo_rewards(xs, a) for xs in by_action], random_ties))


def test_trace_by_hand():
    """With next to no made-up rewards: every action once, then means 0, ¼ and 1, where every resample of equal rewards is one."""
    assert trace(quack.Giro(a=1e-12), [[0.0] * 9, [0.25] * 9, [1.0] * 9], 9) == [0, 1, 2, 2, 2, 2, 2, 2, 2]


def test_the_pool_keeps_equal_rewards_once_and_actions_apart():
    state = fed(quack.Giro(), [(0, 0.5), (1, 0.5), (0, 0.25), (0, 0.5), (1, 1.0), (0, 0.0)], 2, horizon=6)
    assert state.used[0] == 3
    assert state.value[:3].tolist() == [0.5, 0.5, 0.25]
    assert state.times[:3].tolist() == [2, 1, 1]
    assert state.first.tolist() == [2, 1]
    assert state.following[:3].tolist() == [-1, -1, 0]
    assert state.ones.tolist() == [0, 1]
    assert state.plays.tolist() == [4, 2]


def test_a_full_pool_tosses_a_coin():
    """Also beyond the horizon. Threshold: Hoeffding."""
    policy, rng, n = quack.Giro(pool=1), np.random.default_rng(2), 20_000
    state = policy.init(1, 5)
    policy.update(state, 0, 0.5, rng)
    for _ in range(n):
        policy.update(state, 0, 0.3, rng)
    policy.update(state, 0, 0.5, rng)
    assert state.times.tolist() == [2]
    assert state.plays[0] == n + 2
    assert abs(state.ones[0] / n - 0.3) <= hoeffding(n)


def test_the_pool_is_as_large_as_the_horizon_unless_told_otherwise():
    assert len(quack.Giro().init(2, 50).value) == 50
    assert len(quack.Giro().init(2, 10**9).value) == 10**6
    assert len(quack.Giro(pool=0).init(2, 50).value) == 0


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (quack.Giro(a=0), "Giro: a is 0; a positive finite number"),
        (quack.Giro(pool=-1), "Giro: pool is -1; None or a whole number, at least 0"),
        (quack.Giro(pool=1.5), "Giro: pool is 1.5"),
    ],
)
def test_impossible_parameters(policy, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        policy.init(2, 10)


def test_rewards_outside_the_unit_interval_are_refused():
    with pytest.raises(quack.SpecError, match=r"the reward of action 0 is -0.5; .* takes a reward from 0 to 1"):
        quack.Bandit(quack.Giro(), 2, 10).update(0, -0.5)


def test_it_keeps_the_promises():
    quack.check_policy(quack.Giro(a=0.75, random_ties=True))
