"""PHE against the law of its coins, listed one by one."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import quack
from single_agent import assert_probabilities, fed, trace


def law(rewards, a):
    """Every mean of the rewards and ⌈a N⌉ tosses, with its probability."""
    coins = math.ceil(a * len(rewards))
    size = len(rewards) + coins
    return [((sum(rewards) + heads) / size, math.comb(coins, heads) / 2**coins) for heads in range(coins + 1)]


@pytest.mark.parametrize("random_ties", [False, True])
@pytest.mark.parametrize("a", [2.0, 0.75])
def test_choices_have_the_probabilities_of_all_tosses(a, random_ties):
    """Threshold: Hoeffding."""
    policy = quack.PHE(a=a, random_ties=random_ties)
    by_action = [[1.0, 0.0, 1.0], [1.0, 0.5], [0.25]]
    state = fed(policy, [(action, x) for action, xs in enumerate(by_action) for x in xs])
    probabilities = np.zeros(3)
    for outcome in itertools.product(*(law(xs, a) for xs in by_action)):
        means = [mean for mean, _ in outcome]
        best = [action for action, mean in enumerate(means) if mean == max(means)]
        for action in best if random_ties else best[:1]:
            probabilities[action] += math.prod(p for _, p in outcome) / (len(best) if random_ties else 1)
    assert_probabilities(policy, state, probabilities)


def test_many_coins_choose_as_the_binomial_law_does():
    """2000 and 20 coins, where rejection draws the one and counting up the other. Threshold: Hoeffding."""
    policy = quack.PHE(a=1.0)
    state = fed(policy, [(0, 0.5)] * 2000 + [(1, 0.5)] * 20, 2)
    heads = np.arange(21)
    first = stats.binom(2000, 0.5).sf(np.ceil((heads + 10) / 40 * 4000 - 1000) - 1) @ stats.binom(20, 0.5).pmf(heads)
    assert_probabilities(policy, state, [first, 1 - first])


def test_trace_by_hand():
    """One coin for each action. After one play, actions 0 and 1 have 0 or ½ and action 2 has ½ or 1.

    Equal ones go to 0 or 1, once each, as two plays leave them ⅓ at most. After two plays action 2 has ⅔ at least. So from t = 6
    on it is alone.
    """
    choices = trace(quack.PHE(a=0.01), [[0.0] * 9, [0.0] * 9, [1.0] * 9], 9)
    assert choices[:3] == [0, 1, 2]
    assert choices[5:] == [2, 2, 2, 2]


def test_impossible_parameters_and_rewards():
    with pytest.raises(quack.SpecError, match="PHE: a is -2; a positive finite number"):
        quack.PHE(a=-2).init(2, 10)
    with pytest.raises(quack.SpecError, match=r"the reward of action 0 is 2.0; .* takes a reward from 0 to 1"):
        quack.Bandit(quack.PHE(), 2, 10).update(0, 2.0)


def test_it_keeps_the_promises():
    quack.check_policy(quack.PHE(a=1.1, random_ties=True))
