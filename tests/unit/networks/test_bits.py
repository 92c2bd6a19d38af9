"""Cliques and independent sets that are found without a solver, on random graphs."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from quack.networks import clique_cover_number, path
from quack.networks.bits import cover_size, edge_cliques, joining, neighbours, rows_of_bits
from quack.networks.graphs import from_edges

MASKS = st.lists(st.booleans(), min_size=9, max_size=9).map(np.array)


@st.composite
def graphs(draw):
    """Return a graph of nine agents, connected or not."""
    edges = draw(st.lists(st.sampled_from(list(itertools.combinations(range(9), 2)))))
    ends = np.array(edges, np.int64).reshape(-1, 2)
    return from_edges(9, ends[:, 0], ends[:, 1], "drawn")


def test_a_row_says_who_is_a_neighbour():
    assert rows_of_bits(path(3)) == [0b010, 0b101, 0b010]


@given(graphs())
def test_every_edge_is_in_a_clique_and_all_of_a_clique_are_neighbours(network):
    edges = {tuple(sorted(edge)) for edge in network.edges().tolist()}
    covered = {pair for clique in edge_cliques(rows_of_bits(network)) for pair in itertools.combinations(sorted(clique), 2)}
    assert covered == edges


@given(graphs())
def test_a_cover_is_no_smaller_than_the_smallest(network):
    assert clique_cover_number(network) <= cover_size(rows_of_bits(network)) <= network.n_agents


@given(graphs(), MASKS, MASKS)
def test_who_joins_is_independent_and_nobody_else_could(network, chosen, allowed):
    near = rows_of_bits(network)
    joined = joining(near, chosen, allowed)
    taken = chosen | joined
    assert not (joined & ~allowed).any()
    assert not (joined & neighbours(near, taken)).any()
    assert (taken | neighbours(near, taken))[allowed].all()


@given(graphs(), MASKS)
def test_neighbours_are_those_of_the_edges(network, agents):
    expected = {w for v, w in network.edges().tolist() if agents[v]} | {v for v, w in network.edges().tolist() if agents[w]}
    assert set(np.flatnonzero(neighbours(rows_of_bits(network), agents)).tolist()) == expected
