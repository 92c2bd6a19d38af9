"""Worlds under faults: one seed is one world, and no world breaks an invariant.

The slice of new seeds is another one each time, and printed. `quack simulate --campaign N` runs as many as one likes.
"""

import secrets

import pytest

from quack.simulation.campaign import mixed
from quack.simulation.checker import check
from quack.simulation.world import World

# Worlds that once broke an invariant, and what it taught.
REGRESSIONS = {
    15: "a log that heard a node's later rewards first keeps them in that order; custody must not",
    20: "a custodian goes on as soon as it is acknowledged, not at its next tick",
    29: "the world is not at rest while a link that flapped is still down",
    30: "a node that hands over needs its neighbours until it has",
    42: "a life that died leading let go of rewards later: they are not in its log",
    78: "an acknowledgement may arrive when the leader's disk is no more",
}


def judge(seed):
    scenario = mixed(seed)
    violations = check(World(scenario, seed).run(), scenario.task.policy)
    assert not violations, f"seed {seed}: {violations[0]}; replay it with: quack simulate --replay {seed}"


@pytest.mark.parametrize("seed", sorted(REGRESSIONS), ids=str)
def test_worlds_that_taught_something(seed):
    judge(seed)


@pytest.mark.parametrize("part", range(4))
def test_new_worlds(part):
    """160 worlds that nobody has seen yet."""
    first = secrets.randbits(40)
    print(f"seeds {first} … {first + 39}")  # noqa: T201
    for seed in range(first, first + 40):
        judge(seed)


def test_one_seed_is_one_world():
    assert World(mixed(5), 5).run() == World(mixed(5), 5).run()
    assert World(mixed(5), 5).run() != World(mixed(5), 6).run()
