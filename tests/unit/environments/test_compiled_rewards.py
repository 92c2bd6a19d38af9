"""Compiled, environments pay what they pay interpreted, to the last bit."""

from typing import NamedTuple

import numpy as np
import pytest

import quack
from quack.conformance.checking import plays_the_same


class ButterflyState(NamedTuple):
    n_actions: int
    position: np.ndarray


class Butterfly(NamedTuple):
    """Its position, a chaotic map of all rewards so far, decides the action: a difference in one last bit soon shows."""

    def init(self, n_actions, horizon):
        return ButterflyState(n_actions, np.array([0.3]))

    def select(self, state, rng):
        return int(state.position[0] * state.n_actions)

    def update(self, state, action, reward, rng):
        moved = 7.3 * state.position[0] + 0.1 * action + min(max(reward, -1e6), 1e6) * 1e3
        state.position[0] = min(moved - np.floor(moved), 0.999999)


class Nudged(NamedTuple):
    """A test of the test: pays a last bit more when interpreted."""

    environment: quack.Gaussian
    nudge: float

    @property
    def gaps(self):
        return self.environment.gaps

    @property
    def reward_range(self):
        return self.environment.reward_range

    def reward(self, action, cell):
        return self.environment.reward(action, cell) + self.nudge


def test_the_butterfly_sees_the_last_bit():
    calm, nudged = (
        quack.compare(
            {"it": quack.Pooled(Butterfly())},
            Nudged(quack.Gaussian([0.1, 0.2, 0.3]), nudge),
            "path:1",
            100,
            1,
            0,
            engine="interpreted",
            progress=False,
        )["it"]
        for nudge in (0.0, 2.0**-52)
    )
    assert not np.array_equal(calm.plays, nudged.plays)


@pytest.mark.parametrize(
    "environment",
    [
        quack.Stable([0.7, 0.4, 0.2], 1.3, 0.5),
        quack.StudentT([0.7, 0.4, 0.2], 2.5),
        quack.Pareto([0.7, 0.4, 0.2], 1.5),
        quack.PrivateLaplace(
            quack.MixedRewards([("bernoulli", 0.3), ("two-point", 0.2, 0.3), ("uniform", 0.1, 0.9), ("beta", 0.5, 2.5)]), 1.0
        ),
    ],
    ids=repr,
)
def test_interpreted_equals_compiled(environment):
    plays_the_same(quack.QuACK(Butterfly()), environment)
