"""Worlds under faults: one seed is one world, and no world breaks an invariant.

The slice of new seeds is another one each time, and printed. `quack simulate --campaign N` runs as many as one likes.
"""

import secrets

import pytest

from quack.agent import NEVER, Rules, recovery
from quack.simulation.campaign import mixed
from quack.simulation.checker import check
from quack.simulation.world import World


class ByVersionOnly(Rules):
    """A log can hear of a node's later rewards first, over another custodian; custody took over that order."""

    def custody_order(self, rewards):
        return sorted(rewards, key=lambda reward: reward.version)


def drop_what_is_not_in_the_log(recovered, cover):
    """A life died leading; later lives let go of its log. A third, reading the disk, took what was let go for held."""
    recovered.custody.drop(cover, NEVER)


# Worlds in which a mistake of ours was found, and the mistake.
REGRESSIONS = {17: ByVersionOnly, 211: drop_what_is_not_in_the_log}


def violations(seed, rules=None):
    scenario = mixed(seed)
    return check(World(scenario, seed, rules or Rules()).run(), scenario.task.policy)


def judge(seed):
    found = violations(seed)
    assert not found, f"seed {seed}: {found[0]}; replay it with: quack simulate --replay {seed}"


@pytest.mark.parametrize("seed", sorted(REGRESSIONS), ids=str)
def test_a_world_that_taught_something_is_at_peace_and_still_knows_the_mistake(seed, monkeypatch):
    judge(seed)
    mistake = REGRESSIONS[seed]
    if isinstance(mistake, type):
        assert violations(seed, mistake())
    else:
        monkeypatch.setitem(recovery._FOLDS, "drop", mistake)
        assert violations(seed)


@pytest.mark.parametrize("part", range(5))
def test_new_worlds(part):
    """200 worlds that nobody has seen yet."""
    first = secrets.randbits(40)
    print(f"seeds {first} … {first + 39}")  # noqa: T201
    for seed in range(first, first + 40):
        judge(seed)


def test_one_seed_is_one_world():
    assert World(mixed(5), 5).run() == World(mixed(5), 5).run()
    assert World(mixed(5), 5).run() != World(mixed(5), 6).run()
