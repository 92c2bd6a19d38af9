"""The network itself: what it says about itself, that it cannot be changed, that it survives a pickle."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import networkx as nx
import numpy as np
import pytest

from quack import SpecError
from quack.networks import Network, cycle, grid, path, read, star
from quack.networks.graphs import component_sizes, distinct, from_edges, refuse_huge, whole_number


def test_rows_are_compressed_and_ascending():
    network = from_edges(4, np.array([3, 1, 3]), np.array([0, 0, 1]), "triangle and tail")
    assert network.offsets.tolist() == [0, 2, 4, 4, 6]
    assert network.neighbours.tolist() == [1, 3, 0, 3, 0, 1]
    assert (network.offsets.dtype, network.neighbours.dtype) == (np.int64, np.int32)
    assert network.degrees.tolist() == [2, 2, 0, 2]
    assert network.neighbours_of(3).tolist() == [0, 1]
    assert component_sizes(network) == [3, 1]


def test_an_edge_given_twice_counts_once():
    once = from_edges(2, np.array([0]), np.array([1]), "once")
    assert from_edges(2, np.array([0, 1, 0]), np.array([1, 0, 1]), "thrice") == once
    assert once.n_edges == 1


def test_edges_stand_once_with_the_lower_number_first():
    edges = grid(3, 4).edges()
    assert edges.shape == (17, 2)
    assert (edges[:, 0] < edges[:, 1]).all()
    assert set(map(tuple, edges.tolist())) == {tuple(sorted(edge)) for edge in grid(3, 4).to_networkx().edges}
    assert cycle(1).edges().shape == (0, 2)


def test_it_cannot_be_changed():
    network = cycle(5)
    with pytest.raises(ValueError, match="read-only"):
        network.neighbours[0] = 3
    with pytest.raises(ValueError, match="read-only"):
        network.offsets[0] = 3
    with pytest.raises(FrozenInstanceError):
        network.name = "ring"


def test_it_does_not_freeze_what_it_was_made_of():
    offsets, neighbours = np.array([0, 1, 2]), np.array([1, 0], dtype=np.int32)
    Network(offsets, neighbours)
    assert offsets.flags.writeable
    assert neighbours.flags.writeable


@pytest.mark.parametrize("clone", [lambda n: pickle.loads(pickle.dumps(n)), copy.copy, copy.deepcopy])
def test_it_survives_pickle_and_copy(clone):
    network = read([("a", "b"), ("b", "c")])
    other = clone(network)
    assert other == network
    assert (other.name, other.labels, other.notes) == (network.name, network.labels, network.notes)
    assert clone(grid(3, 5)).known_median == 7
    assert not other.neighbours.flags.writeable


def test_equality_is_that_of_the_edges():
    assert cycle(3) == read("complete:3")
    assert hash(cycle(3)) == hash(read("complete:3"))
    assert cycle(3) != path(3)
    assert cycle(3) != "cycle:3"
    assert len({cycle(4), cycle(4), grid(2, 2), star(4)}) == 3  # a square is a ring, but with other numbers


def test_repr_counts_agents_and_edges():
    assert repr(grid(14, 14)) == "Network('grid:14x14', 196 agents, 364 edges)"
    assert repr(path(2)) == "Network('path:2', 2 agents, 1 edge)"
    assert repr(path(1)) == "Network('path:1', 1 agent, 0 edges)"


def test_networkx_graph_keeps_labels_and_isolated_agent():
    graph = read([("x", "y"), ("y", "z")]).to_networkx()
    assert set(map(frozenset, graph.edges)) == {frozenset("xy"), frozenset("yz")}
    assert nx.number_of_nodes(star(1).to_networkx()) == 1
    assert read(nx.petersen_graph()).to_networkx().edges == nx.petersen_graph().edges


def test_labels():
    assert read([("x", "y"), ("y", "z")]).label_of(2) == "z"
    assert path(3).label_of(2) == 2


def test_scipy_matrix():
    assert path(3).to_scipy().toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert path(1).to_scipy().toarray().tolist() == [[0]]


def test_distinct_is_unique():
    numbers = np.array([[3, 1], [3, 2]])
    assert distinct(numbers).tolist() == [1, 2, 3]
    assert distinct(np.empty(0, dtype=np.int64)).tolist() == []


def test_whole_numbers():
    assert whole_number("n_agents", np.int16(7), 1) == 7
    with pytest.raises(SpecError, match=r"^n_agents must be a whole number of at least 1, not 2\.5$"):
        whole_number("n_agents", 2.5, 1)
    with pytest.raises(SpecError, match=r"^n_agents must be at least 1, not 0$"):
        whole_number("n_agents", 0, 1)
    with pytest.raises(SpecError, match=r"^n_agents must be at most 2147483647, not 3000000000$"):
        whole_number("n_agents", 3 * 10**9, 1)


def test_huge_graphs_are_refused_by_their_memory():
    refuse_huge("small", 2**28)
    with pytest.raises(SpecError, match=r"huge would have about 5e\+09 edges, 37.3 GiB of memory; at most 1.3e\+08 edges"):
        refuse_huge("huge", 1e10)
