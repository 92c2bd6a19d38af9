"""EpsilonGreedy against its probabilities and theorem."""

import math

import numpy as np
import pytest

import quack
from single_agent import assert_probabilities, assert_regret, fed, trace


def test_trace_by_hand():
    """ε = 0. The means before each choice from t = 4 on: 1, 0, ½ → 0;  ½, 0, ½ → 0;  ⅓, 0, ½ → 2;  ⅓, 0, ¼ → 0;  ½, 0, ¼ → 0."""
    pays = [[1.0, 0.0, 0.0, 1.0, 0.0], [0.0], [0.5, 0.0]]
    assert trace(quack.EpsilonGreedy(epsilon=0), pays, 8) == [0, 1, 2, 0, 0, 2, 0, 0]


def test_choices_have_their_probabilities():
    """ε = 0.3 and three actions: 0.1 each, and 0.7 for the best. Threshold: Hoeffding."""
    policy = quack.EpsilonGreedy(epsilon=0.3)
    assert_probabilities(policy, fed(policy, [(0, 0.0), (1, 1.0), (2, 0.5)]), [0.1, 0.8, 0.1])


def test_decaying_choices_have_their_probabilities():
    """c/d² = 4 and k = 3: ε_t = min(1, 12/t), at t = 4 always and at t = 16 three times in four. Threshold: Hoeffding."""
    policy = quack.EpsilonGreedy(decay=4.0)
    assert_probabilities(policy, fed(policy, [(0, 0.0), (1, 1.0), (2, 0.5)]), [1 / 3, 1 / 3, 1 / 3])
    assert_probabilities(policy, fed(policy, [(0, 0.0), (1, 1.0), (2, 0.5)] * 5), [0.25, 0.5, 0.25])


def test_an_action_never_played_is_the_best_when_not_exploring():
    policy = quack.EpsilonGreedy(epsilon=0.0)
    assert policy.select(fed(policy, [(0, 1.0), (2, 1.0)]), np.random.default_rng(0)) == 1


def theorem_3(t, c, d, k):
    """The probability with which an action that is not the best is played in round t, where the theorem speaks of it."""
    x = c * k / ((t - 1) * d**2 * math.sqrt(math.e)) if t > c * k / d else 1.0
    if x >= 1:
        return 1.0
    return c / (d**2 * t) + 2 * (c / d**2) * -math.log(x) * x ** (c / (5 * d**2)) + 4 * math.e / d**2 * x ** (c / 2)


def test_regret_is_below_theorem_3():
    bound = 0.6 * sum(min(1.0, theorem_3(t, 6, 0.6, 2)) for t in range(1, 1001))
    assert_regret(quack.EpsilonGreedy(decay=6 / 0.6**2), [0.2, 0.8], 1000, 2000, bound)


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (quack.EpsilonGreedy(epsilon=1.5), r"EpsilonGreedy: epsilon is 1.5; a number in \[0, 1\]"),
        (quack.EpsilonGreedy(epsilon=math.nan), "epsilon is nan"),
        (quack.EpsilonGreedy(decay=0), "EpsilonGreedy: decay is 0; a positive finite number"),
    ],
)
def test_impossible_parameters(policy, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        policy.init(2, 10)


def test_rewards_that_are_no_numbers_are_refused():
    with pytest.raises(quack.SpecError, match="that is finite"):
        quack.Bandit(quack.EpsilonGreedy(), 2, 10).update(0, math.inf)


@pytest.mark.parametrize("policy", [quack.EpsilonGreedy(random_ties=True), quack.EpsilonGreedy(decay=2.0)], ids=repr)
def test_it_keeps_the_promises(policy):
    quack.check_policy(policy)
