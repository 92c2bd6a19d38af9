"""A reward outside of what an environment says it pays ends in a sentence, whoever plays and however it is run."""

import math
from typing import NamedTuple

import numpy as np
import pytest

import quack


class Boastful(NamedTuple):
    """Pays ½, but from action 1 something else now and then."""

    surprise: float

    @property
    def gaps(self):
        return np.array([0.0, 0.0])

    @property
    def reward_range(self):
        return 0.0, 1.0

    def reward(self, action, cell):
        return self.surprise if action == 1 and cell.position % 4 == 2 else 0.5


GROUPS = [
    quack.QuACK(quack.ThompsonSampling()),
    quack.Independent(quack.UCB1()),
    quack.Pooled(quack.ThompsonSampling()),
    quack.CoopUCB(),
]


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
@pytest.mark.parametrize("group", GROUPS, ids=repr)
@pytest.mark.parametrize("surprise", [1.5, -3.0, math.nan])
def test_it_is_told_with_the_action_and_the_reward(group, surprise, engine):
    told = rf"Boastful\(surprise=.*\) paid {surprise} for action 1, but says that it pays 0 to 1"
    with pytest.raises(quack.SpecError, match=told):
        quack.compare({"it": group}, Boastful(surprise), "path:3", 40, 3, 0, engine=engine, progress=False)


@pytest.mark.parametrize("group", GROUPS, ids=repr)
def test_an_honest_one_is_not_disturbed(group):
    result = quack.compare({"it": group}, Boastful(1.0), "path:3", 40, 3, 0, progress=False)["it"]
    assert (result.plays[:, -1].sum(axis=1) == 120).all()
