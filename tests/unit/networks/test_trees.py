"""Distances and shortest-path trees, against networkx on random connected graphs."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quack import SpecError
from quack.networks import cycle, distances, grid, path, read, shortest_path_tree, star, total_distance
from quack.networks.graphs import from_edges


@st.composite
def connected(draw):
    """Return a random tree with some more edges, and one of its agents."""
    m = draw(st.integers(1, 25))
    edges = [(agent, draw(st.integers(0, agent - 1))) for agent in range(1, m)]
    if m > 1:
        more = st.tuples(st.integers(0, m - 1), st.integers(0, m - 1)).filter(lambda pair: pair[0] != pair[1])
        edges += draw(st.lists(more, max_size=20))
    first, second = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    number = np.array(draw(st.permutations(range(m))))
    return from_edges(m, number[first], number[second], "random"), draw(st.integers(0, m - 1))


@given(connected())
def test_distances_are_those_of_breadth_first_search(drawn):
    network, source = drawn
    expected = nx.single_source_shortest_path_length(network.to_networkx(), source)
    found = distances(network, source)
    assert found.dtype == np.int64
    assert found.tolist() == [expected[agent] for agent in range(network.n_agents)]
    assert total_distance(network, source) == sum(expected.values())


def test_large_networks_have_the_distances_that_plain_python_finds():
    """Both ways to search, on both sides of the size that decides between them."""
    for network in (cycle(4_999), cycle(5_001), grid(70, 80), path(6_000)):
        for source in (0, 17):
            expected = nx.single_source_shortest_path_length(network.to_networkx(), source)
            assert distances(network, source).tolist() == [expected[agent] for agent in range(network.n_agents)]


@given(connected())
def test_the_parent_is_the_lowest_neighbour_one_hop_closer(drawn):
    network, root = drawn
    tree = shortest_path_tree(network, root)
    assert tree.root == root == tree.parent[root]
    for agent in set(range(network.n_agents)) - {root}:
        closer = [w for w in network.neighbours_of(agent) if tree.distance[w] == tree.distance[agent] - 1]
        assert tree.parent[agent] == min(closer)


@given(connected())
def test_children_and_subtrees_agree_with_the_parents(drawn):
    network, root = drawn
    tree = shortest_path_tree(network, root)
    children, sizes = tree.children(), tree.subtree_sizes()
    assert sum(map(len, children)) == network.n_agents - 1
    for agent, below in enumerate(children):
        assert list(below) == sorted(below)
        assert all(tree.parent[child] == agent for child in below)
        assert sizes[agent] == 1 + sum(sizes[child] for child in below)
    # Each agent is counted by everybody on its way to the root, itself included.
    assert sizes.sum() == tree.distance.sum() + network.n_agents


def test_largest_messages_of_the_appendix():
    """The largest subtree below the leader of cycle 196 and of grids (algorithms, erratum E7)."""
    for network, largest in [(cycle(196), 98), (grid(4, 4), 6), (grid(8, 8), 24), (grid(14, 14), 84), (star(9), 1)]:
        tree = shortest_path_tree(network, network.known_median)
        assert max(size for agent, size in enumerate(tree.subtree_sizes()) if agent != tree.root) == largest


def test_a_path_of_a_million_agents():
    tree = shortest_path_tree(path(10**6), 0)
    assert (tree.distance == np.arange(10**6)).all()
    assert (tree.subtree_sizes() == np.arange(10**6, 0, -1)).all()


def test_numbers_may_be_numpys():
    assert isinstance(shortest_path_tree(path(3), np.int64(1)).root, int)
    assert isinstance(total_distance(path(3), np.int64(1)), int)


def test_alone():
    tree = shortest_path_tree(read("cycle:1"), 0)
    assert (tree.parent.tolist(), tree.distance.tolist(), tree.children(), tree.subtree_sizes().tolist()) == (
        [0],
        [0],
        ((),),
        [1],
    )


@pytest.mark.parametrize("source", [3, -1])
def test_there_must_be_such_an_agent(source):
    with pytest.raises(SpecError, match=f"source must be at .*, not {source}"):
        distances(path(3), source)
