"""`member`: one of several states that are kept in one record, interpreted and compiled."""

from typing import NamedTuple

import numpy as np

import quack
from quack.groups.messages import new_team
from quack.kernels import member
from quack.policies.base import check_sizes


class Inner(NamedTuple):
    table: np.ndarray
    scale: float


class State(NamedTuple):
    plays: np.ndarray
    inner: Inner
    pair: tuple
    n_actions: int


class Odd(NamedTuple):
    """A policy that keeps its state in every way there is: nested, in plain tuples, of two dimensions, of whole numbers."""

    def init(self, n_actions, horizon):
        check_sizes(n_actions, horizon)
        inner = Inner(np.full((n_actions, 2), 0.5), 3.0)
        return State(np.zeros(n_actions, np.int64), inner, (np.zeros(n_actions), np.ones(1, np.int64)), n_actions)

    def select(self, state, rng):
        if state.pair[1][0] % 3 == 0:
            return int(state.pair[1][0]) % state.n_actions
        best = 0
        for action in range(state.n_actions):
            if state.inner.table[action, 0] * state.inner.scale > state.inner.table[best, 0] * state.inner.scale:
                best = action
        return best

    def update(self, state, action, reward, rng):
        state.plays[action] += 1
        state.pair[0][action] += reward
        state.pair[1][0] += 1
        state.inner.table[action, 0] = (state.pair[0][action] + 1.0) / (state.plays[action] + 2)
        state.inner.table[action, 1] -= 1.0


def test_members_are_views_of_their_own():
    team = new_team(Odd(), 3, 2, 10)
    assert team.inner.table.tolist() == [[[0.5, 0.5]] * 2] * 3
    Odd().update(member(team, 1), 0, 1.0, None)
    assert team.plays.tolist() == [[0, 0], [1, 0], [0, 0]]
    assert team.pair[1].tolist() == [[1], [2], [1]]
    assert team.inner.table[1, 0].tolist() == [2 / 3, -0.5]
    assert member(team, 2)._replace(n_actions=0).inner.scale == 3.0


def test_compiled_members_are_the_same():
    assert "Interpreted and compiled, it plays the same to the last bit" in quack.check_group(quack.MPUCB(Odd(), gamma=2))
