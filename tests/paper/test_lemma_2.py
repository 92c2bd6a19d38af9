"""Lemma 2 and the steps of Theorem 1 that hold on every path."""

import numpy as np
from hypothesis import given

import quack
from witness import observe, situations


@given(situations())
def test_lemma_2_no_queue_is_longer_than_twice_the_sum_of_distances(situation):
    """ "Σ_w T_aw(t − d_vw) ≤ T'_a(s_t) + 2 Σ_w d_vw for all t": the difference is the length of the queue."""
    testimony = observe(**situation)
    assert testimony.queued.max() <= 2 * testimony.distance.sum()


@given(situations())
def test_a_queue_holds_what_was_delivered_and_not_consumed(situation):
    """|Q_a| = Σ_w T_aw(t − d_w) − T'_a(s_t) in every round."""
    testimony = observe(**situation)
    horizon, n_actions = testimony.queued.shape
    for t in {1, 2, 3, horizon // 2, horizon} - {0}:
        if t <= horizon:
            for action in range(n_actions):
                held = testimony.delivered(action, t) - testimony.consumed[t - 1, action]
                assert testimony.queued[t - 1, action] == held


@given(situations())
def test_simulated_rounds_never_exceed_the_real_ones(situation):
    """ "s_n ≤ mn"; sharper, s_n ≤ mn − Σ_w min(n, d_w)."""
    testimony = observe(**situation)
    n, m = testimony.actions.shape
    assert testimony.consumed[-1].sum() <= m * n - np.minimum(n, testimony.distance).sum()


@given(situations())
def test_theorem_1_pathwise(situation):
    """ "Σ_w T_aw(n) ≤ T'_a(mn) + 3 Σ_{w≠v} d_vw"; on every path even with T'_a(s_n)."""
    testimony = observe(**situation)
    assert (testimony.counted[-1] <= testimony.consumed[-1] + 3 * testimony.distance.sum()).all()


def test_lemma_2_is_tight_on_a_star():
    """The factor 2 cannot be improved: on a star with 15 leaves some queue reaches exactly 2 · 15."""
    environment = quack.Bernoulli([0.5] + [0.45] * 9)
    longest = max(observe("star:16", quack.UCB(sigma=0.5), environment, 300, run=run).queued.max() for run in range(3))
    assert longest == 30
