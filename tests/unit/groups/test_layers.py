"""The echo of orders, a few terms a round, is the sum over all layers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.groups.layers import add_echo, echo, open_sums

histograms = st.lists(st.integers(0, 9), min_size=1, max_size=12).map(lambda h: np.array(h, np.int64))


@given(histograms, st.integers(1, 2), st.integers(1, 40), st.integers(0, 99))
def test_an_echo_is_the_sum_over_all_layers(layers, stride, n_actions, seed):
    form, horizon = echo(layers, stride, n_actions), 60
    sums, orders, counts = open_sums(form, n_actions), np.zeros(128, np.int64), np.zeros(n_actions, np.int64)
    played = np.random.default_rng(seed).integers(n_actions, size=horizon + 1)
    for t in range(1, horizon + 1):
        orders[t] = played[t]
        before = counts.copy()
        add_echo(form, sums, orders, t, counts)
        expected = np.zeros(n_actions, np.int64)
        for d, agents in enumerate(layers):
            if t - d * stride >= 1:
                expected[played[t - d * stride]] += agents
        assert (counts - before == expected).all()


@pytest.mark.parametrize(("network", "sums", "most"), [("star:10000", 0, 2), ("cycle:10000", 1, 4), ("grid:100x100", 2, 10)])
def test_long_distances_cost_a_few_terms(network, sums, most):
    placement = quack.QuACK(quack.UCB()).place(quack.networks.read(network), 10, 10_000)
    assert placement.played.sums == sums
    assert len(placement.played.delays) <= most
    assert len(placement.returned.delays) <= most
