"""Each check finds what it is there for."""

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import quack
from quack.conformance import ConformanceError
from quack.groups.pooled import PooledPlacement
from quack.policies.base import check_sizes
from quack.tape import uniform


class State(NamedTuple):
    plays: np.ndarray


class Good(NamedTuple):
    def init(self, n_actions, horizon):
        check_sizes(n_actions, horizon)
        return State(np.zeros(n_actions))

    def select(self, state, rng):
        return int(np.argmin(state.plays))

    def update(self, state, action, reward, rng):
        state.plays[action] += 1


def broken(**methods):
    """Make a policy like Good but for some methods."""
    return type("Broken", (Good,), {"__slots__": (), **methods})()


SHARED = State(np.zeros(4))


def init_shared(self, n_actions, horizon):
    check_sizes(n_actions, horizon)
    return SHARED if n_actions == 4 else State(np.zeros(n_actions))


def select_writes(self, state, rng):
    state.plays[0] += 1
    return 1


def update_returns(self, state, action, reward, rng):
    state.plays[action] += 1
    return state


class Forgetful:
    asked = 0

    def select(self):
        Forgetful.asked += 1
        return math.isqrt(Forgetful.asked) % 4  # no two stretches of its answers are the same

    def update(self, action, reward):
        pass


@pytest.mark.parametrize(
    ("policy", "finding"),
    [
        (quack.UCB, "is a class, not a policy"),
        (Forgetful(), "is not a policy"),
        (broken(init=lambda self, n_actions, horizon: State(np.zeros(max(n_actions, 1)))), "raised no SpecError"),
        (broken(select=lambda self, state, rng: len(state.plays)), "chose action 4 of 4"),
        (broken(select=select_writes), "select wrote into the state"),
        (broken(update=update_returns), "update returned State"),
        (broken(init=init_shared), "the same array twice"),
        (quack.from_object(lambda *_: Forgetful()), "alone, after the same rewards"),
    ],
    ids=lambda value: value if isinstance(value, str) else "policy",
)
def test_a_broken_policy_is_found_out(policy, finding):
    with pytest.raises(ConformanceError, match=finding):
        quack.check_policy(policy)


def test_the_good_one_passes():
    assert len(quack.check_policy(Good())) == 10


class Odd(NamedTuple):
    """An environment with a switch for each way to be wrong."""

    fault: int

    @property
    def gaps(self):
        return np.array([0.1, 0.2] if self.fault == 0 else [0.0, 0.5])

    @property
    def reward_range(self):
        return 0.0, 1.0

    def reward(self, action, cell) -> Any:
        if self.fault == 1:
            return 1.0 if action == 0 else 0.9
        if self.fault == 2:
            return 2.0 if action == 0 else 1.5
        if self.fault == 3:
            return float(np.random.default_rng().random())
        return 1.0 if uniform(cell) < 0.9 - 0.5 * action else 0.0


@pytest.mark.parametrize(
    ("fault", "finding"),
    [(0, "the smallest gap is 0.1"), (1, "measured 0.1"), (2, "outside 0.0 … 1.0"), (3, "paid differently")],
)
def test_a_broken_environment_is_found_out(fault, finding):
    with pytest.raises(ConformanceError, match=finding):
        quack.check_environment(Odd(fault))


class Idle(NamedTuple):
    """A group in which the last agent sleeps."""

    def place(self, network, n_actions, horizon):
        return PooledPlacement(network.n_agents, n_actions, horizon)

    def init(self, placement, world):
        return ()

    def run(self, placement, state, world, rng, record):
        for t in range(1, placement.horizon + 1):
            record.plays[0] += placement.n_agents - 1
            record.close(t, placement.n_agents)


def test_a_broken_group_is_found_out():
    with pytest.raises(ConformanceError, match="plays per round are not"):
        quack.check_group(Idle())
