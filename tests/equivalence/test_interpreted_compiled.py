"""The interpreter and the compiler run one text: the same plays, to the last bit."""

import numpy as np
import pytest

import quack
from witness import CORE, OFFERED, RANDOM_GRAPH

BERNOULLI = quack.Bernoulli([0.5, 0.0, 0.3, 1.0, 0.45])
GAUSSIAN = quack.Gaussian([0.5, 0.1, 0.7], sigma=0.8)
UNIT_ONLY = (quack.UCB1, quack.ThompsonSampling)

CASES = [
    (group(policy), environment)
    for group in (quack.QuACK, quack.Pooled, quack.Independent)
    for policy in CORE
    for environment in (BERNOULLI, GAUSSIAN)
    if not (environment is GAUSSIAN and isinstance(policy, UNIT_ONLY))
]


@pytest.mark.parametrize(("group", "environment"), CASES, ids=repr)
def test_interpreted_equals_compiled(group, environment):
    for network in ("erdos-renyi:11,0.25,seed=4", "path:1"):
        compiled, interpreted = (
            quack.compare({"it": group}, environment, network, 40, 2, 2**63 + 11, engine=engine, progress=False)["it"]
            for engine in ("compiled", "interpreted")
        )
        assert (compiled.mode, interpreted.mode) == ("compiled", "interpreted")
        assert np.array_equal(compiled.plays, interpreted.plays)


@pytest.mark.parametrize(("policy", "environment"), OFFERED)
def test_interpreted_equals_compiled_with_any_policy(policy, environment):
    compiled, interpreted = (
        quack.compare({"it": quack.QuACK(policy)}, environment, RANDOM_GRAPH, 60, 1, 5, engine=engine, progress=False)["it"]
        for engine in ("compiled", "interpreted")
    )
    assert (compiled.mode, interpreted.mode) == ("compiled", "interpreted")
    assert np.array_equal(compiled.plays, interpreted.plays)


def test_rewards_between_zero_and_one_go_through_the_coin():
    """Thompson sampling tosses a coin for such rewards: its random numbers too are the same in both modes."""
    environment = quack.Gaussian([0.25, 0.75], sigma=0.0)
    compiled, interpreted = (
        quack.compare(
            {"it": quack.QuACK(quack.ThompsonSampling())}, environment, "star:5", 60, 2, 0, engine=engine, progress=False
        )
        for engine in ("compiled", "interpreted")
    )
    assert np.array_equal(compiled["it"].plays, interpreted["it"].plays)
