"""Section 3.1: how many messages. Erratum E7: not the diameter but the subtree."""

import numpy as np
import pytest

import quack


@pytest.mark.parametrize(
    ("network", "most", "diameter"),
    [("cycle:196", 98, 98), ("grid:4x4", 6, 6), ("grid:8x8", 24, 14), ("grid:14x14", 84, 26), ("star:16", 1, 2)],
)
def test_a_follower_sends_as_many_pairs_as_its_subtree_has_agents(network, most, diameter):
    """ "the communication complexity … for each agent w is upper bounded by the diameter of the graph" fails on grids."""
    graph = quack.networks.read(network)
    leader = quack.networks.median(graph)
    sizes = np.delete(quack.networks.shortest_path_tree(graph, leader).subtree_sizes(), leader)
    assert sizes.max() == most
    assert max(quack.networks.distances(graph, v).max() for v in range(graph.n_agents)) == diameter
