"""Algorithm 1: who plays what when."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given

import quack
from witness import observe, situations


class Once(NamedTuple):
    """Asks for action 1 once, then always for action 0."""

    def init(self, n_actions, horizon):
        return np.zeros(1, np.int64), n_actions, horizon

    def select(self, state, rng):
        return 1 if state[0][0] == 0 else 0

    def update(self, state, action, reward, rng):
        state[0][0] += 1


@pytest.fixture(scope="module")
def path():
    # So many actions that no warm-up happens to play action 1.
    environment = quack.Bernoulli([0.5] * 5000)
    testimony = observe("path:5", Once(), environment, 14, leader=0)
    assert not (testimony.actions[1:, 1] == 1)[:0].any()
    return testimony


def test_order_of_round_t_is_played_at_distance_d_in_round_t_plus_d(path):
    """ "IF t > d_vw: Receive A_{t−d_vw} from v via shortest path; Play A_t^w = A_{t−d_vw}^v"."""
    played = np.argwhere(path.actions == 1) + [1, 0]
    assert [tuple(place) for place in played] == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)]


def test_reward_of_an_order_is_in_the_queue_after_twice_the_distance(path):
    """ "Receive messages via shortest path: M_t = {(A_{t−d_vw}^w, X_{t−d_vw}^w)}"."""
    lengths = path.queued[:, 1]
    arrivals = [int(t) + 1 for t in np.flatnonzero(np.diff(lengths, prepend=0))]
    assert arrivals == [1 + 2 * d for d in (1, 2, 3, 4)]
    assert lengths[-1] == 4


def test_leader_never_hears_of_orders_that_come_back_after_the_horizon():
    testimony = observe("path:9", Once(), quack.Bernoulli([0.5] * 5000), 5, leader=0)
    assert testimony.queued[:, 1].tolist() == [0, 0, 1, 1, 2]


@given(situations())
def test_the_group_counts_what_each_agent_plays(situation):
    testimony = observe(**situation)
    n_actions = testimony.counted.shape[1]
    by_agent = np.stack([(testimony.actions == a).sum(axis=1).cumsum() for a in range(n_actions)], axis=1)
    assert (testimony.counted == by_agent).all()


@given(situations())
def test_the_leader_plays_only_an_action_whose_queue_is_empty(situation):
    """ "WHILE Q_a ≠ ∅" ends, then "Play A_t^v = a": Σ_w T_aw(τ − d_w) = T'_a(s_τ) at such a round τ, step (⋆) of Lemma 2."""
    testimony = observe(**situation)
    leader = int(np.argmin(testimony.distance))
    for t, action in enumerate(testimony.actions[:, leader], 1):
        assert testimony.queued[t - 1, action] == 0
        assert testimony.delivered(action, t) == testimony.consumed[t - 1, action]


@given(situations())
def test_the_policy_is_fed_the_leaders_own_reward(situation):
    """Erratum E1: Algorithm 1 as printed never updates π with X_t^v, while s_t "includes the action chosen by the leader"."""
    testimony = observe(**situation)
    leader = int(np.argmin(testimony.distance))
    fed = [action for action, _ in testimony.diary]
    # Everything consumed, up to the last round's own reward, went through update, and the first thing was the first play.
    assert len(fed) == testimony.consumed[-1].sum() - 1
    if fed:
        assert fed[0] in {testimony.actions[0, leader], *testimony.actions[:, leader]}
    if len(testimony.distance) == 1:
        assert fed == testimony.actions[:-1, 0].tolist()
