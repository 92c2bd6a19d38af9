"""The networks that a formula describes."""

import networkx as nx
import numpy as np
import pytest

from quack import SpecError
from quack.networks import complete, cycle, distances, grid, path, star, total_distance
from quack.networks.medians import total_distances

SIZES = range(1, 13)


@pytest.mark.parametrize("m", SIZES)
def test_they_are_networkx_graphs_of_the_same_name(m):
    for ours, theirs in [
        (path(m), nx.path_graph(m)),
        (star(m), nx.star_graph(m - 1)),
        (complete(m), nx.complete_graph(m)),
        (cycle(m), nx.cycle_graph(m) if m > 2 else nx.path_graph(m)),
    ]:
        assert list(ours.to_networkx()) == list(theirs)
        assert ours.to_networkx().edges == theirs.edges


@pytest.mark.parametrize("rows", range(1, 8))
@pytest.mark.parametrize("columns", range(1, 8))
def test_grid_is_numbered_row_by_row_without_wrapping(rows, columns):
    network = grid(rows, columns)
    row, column = np.divmod(np.arange(rows * columns), columns)
    for agent in range(rows * columns):
        expected = abs(row - row[agent]) + abs(column - column[agent])
        assert (distances(network, agent) == expected).all()
    assert network.n_edges == rows * (columns - 1) + columns * (rows - 1)


def test_known_medians_are_the_medians():
    families = [build(m) for build in (cycle, path, star, complete) for m in SIZES]
    for network in families + [grid(rows, columns) for rows in SIZES for columns in SIZES]:
        assert network.known_median == np.argmin(total_distances(network)), network


def test_names():
    names = [network.name for network in (cycle(9), path(9), star(9), complete(9), grid(2, 3))]
    assert names == ["cycle:9", "path:9", "star:9", "complete:9", "grid:2x3"]


def test_smallest():
    assert cycle(2) == path(2) == star(2) == complete(2) == grid(1, 2) == grid(2, 1)
    assert cycle(1) == path(1) == star(1) == complete(1) == grid(1, 1)
    assert (cycle(2).n_edges, cycle(1).n_edges) == (1, 0)


def test_a_million_agents():
    network = grid(1000, 1000)
    assert (network.n_agents, network.n_edges) == (10**6, 2 * 1000 * 999)
    assert total_distance(cycle(10**6), 0) == 10**12 // 4


@pytest.mark.parametrize("build", [cycle, path, star, complete])
def test_sizes_are_checked(build):
    with pytest.raises(SpecError, match="n_agents must be at least 1, not 0"):
        build(0)
    with pytest.raises(SpecError, match=r"n_agents must be a whole number of at least 1, not '3'"):
        build("3")


def test_grid_sides_are_checked():
    with pytest.raises(SpecError, match="columns must be at least 1, not -2"):
        grid(3, -2)
    with pytest.raises(SpecError, match="rows · columns must be at most"):
        grid(10**6, 10**6)


def test_absurd_complete_graphs_are_refused():
    with pytest.raises(SpecError, match=r"complete:100000 would have about 5e\+09 edges, 37.3 GiB"):
        complete(100_000)
