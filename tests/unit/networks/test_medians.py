"""The graph median, against the sums of all distances, with its ties."""

import _thread
import threading
import types
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from quack import SpecError
from quack.networks import (
    barabasi_albert,
    complete,
    cycle,
    erdos_renyi,
    grid,
    leader,
    median,
    medians,
    path,
    random_geometric,
    random_regular,
    read,
    star,
    total_distance,
)
from quack.networks.graphs import from_edges


def random_networks(count, seed):
    """Yield small networks, many of them full of ties, with shuffled numbers."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        m = int(rng.integers(4, 22))
        graph = [
            lambda m=m, i=i: nx.gnp_random_graph(m, 0.4, seed=i),
            lambda m=m, i=i: nx.random_labeled_tree(m, seed=i),
            lambda m=m: nx.circulant_graph(m, [1, m // 3]),
            lambda: nx.complete_multipartite_graph(*rng.integers(1, 5, size=3).tolist()),
            lambda: nx.convert_node_labels_to_integers(nx.grid_2d_graph(*rng.integers(1, 6, size=2).tolist())),
            lambda m=m: nx.barbell_graph(m // 2, m % 3),
        ][i % 6]()
        if nx.is_connected(graph):
            number = rng.permutation(len(graph))
            edges = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
            yield from_edges(len(graph), number[edges[:, 0]], number[edges[:, 1]], f"{i}")


def sums(network):
    graph = network.to_networkx()
    return [sum(nx.single_source_shortest_path_length(graph, agent).values()) for agent in range(network.n_agents)]


def test_median_is_the_first_smallest_sum():
    ties = 0
    for network in random_networks(300, seed=1):
        expected = sums(network)
        assert medians.total_distances(network).tolist() == expected
        assert median(network) == expected.index(min(expected))
        assert isinstance(median(network), int)
        ties += expected.count(min(expected)) > 1
    assert ties > 100


def test_pruned_search_is_exact_and_breaks_ties_alike():
    for network in random_networks(300, seed=2):
        if network.n_edges:
            assert medians._pruned_search(network) == int(np.argmin(medians.total_distances(network)))
    for network in (
        erdos_renyi(500, 0.03),
        random_geometric(500, 0.12),
        random_regular(300, 4),
        barabasi_albert(900, 2),
    ):
        assert medians._pruned_search(network) == int(np.argmin(medians.total_distances(network)))


@pytest.mark.parametrize("block_bytes", [1, 2**12])
def test_blocks_of_sources_add_up(monkeypatch, block_bytes):
    monkeypatch.setattr(medians, "_BLOCK_BYTES", block_bytes)
    network = read("grid:15x13")
    assert medians.total_distances(network).tolist() == [total_distance(network, v) for v in range(195)]


def test_large_networks_are_searched(monkeypatch):
    monkeypatch.setattr(medians, "_MOST_WORK", 0)
    monkeypatch.setattr(medians, "total_distances", None)
    assert median(without_formula(grid(9, 9))) == 40


def test_trees_and_cycles_need_no_sums(monkeypatch):
    monkeypatch.setattr(medians, "total_distances", None)
    assert median(without_formula(path(10**6))) == 499_999
    assert median(without_formula(star(10**5))) == 0
    assert median(without_formula(cycle(10**5))) == 0
    assert median(read([(3, 1), (1, 2), (2, 0)])) == 1
    assert median(without_formula(path(1))) == 0


def without_formula(network):
    return replace(network, known_median=None)


@pytest.mark.parametrize("m", [16, 36, 64, 100, 144, 196])
def test_medians_table_of_the_paper(m):
    side = int(m**0.5)
    rows = [
        (cycle(m), m * m // 4, m, 0),
        (grid(side, side), side**3 // 2, 4, (side // 2 - 1) * (side + 1)),
        (star(m), m - 1, 1, 0),
        (complete(m), m - 1, m, 0),
    ]
    for network, smallest, n_medians, chosen in rows:
        totals = medians.total_distances(network)
        assert (totals.min(), np.count_nonzero(totals == totals.min())) == (smallest, n_medians)
        assert median(network) == median(without_formula(network)) == chosen
    assert medians.total_distances(star(m))[1] == 2 * m - 3


def test_medians_table_for_odd_sides():
    assert {grid(side, side).known_median for side in (1, 3, 5)} == {0, 4, 12}
    assert total_distance(grid(5, 5), 12) == 5 * 24 // 2
    assert total_distance(cycle(15), 0) == (15**2 - 1) // 4


def test_the_leaders_of_the_paper():
    assert [median(grid(side, side)) for side in (4, 8, 14)] == [5, 27, 90]


LABELLED = read([("ann", "bob"), ("bob", "eve"), ("eve", "7")])
NUMBERED = read(nx.relabel_nodes(nx.path_graph(3), {0: 10, 1: 0, 2: 5}))


@pytest.mark.parametrize(
    ("network", "choice", "agent"),
    [
        (path(5), "median", 2),
        (path(5), 4, 4),
        (path(5), np.int64(4), 4),
        (path(5), "4", 4),
        (LABELLED, "eve", 2),
        (LABELLED, "7", 3),
        (LABELLED, 2, 2),
        (LABELLED, "median", 1),
        (NUMBERED, 0, 0),
        (NUMBERED, 5, 1),
        (NUMBERED, "10", 2),
        (read(nx.grid_2d_graph(2, 3)), (1, 0), 3),
    ],
)
def test_leader(network, choice, agent):
    assert leader(network, choice) == agent


@pytest.mark.parametrize(
    ("network", "choice", "sentence"),
    [
        (path(5), 5, r"^leader must be 'median' or an agent 0 … 4, not 5\.$"),
        (path(5), -1, r"not -1\.$"),
        (path(5), 2.0, r"not 2\.0\.$"),
        (path(5), None, r"not None\.$"),
        (path(5), True, r"not True\.$"),
        (path(5), "medain", r"^leader must be 'median' or an agent 0 … 4, not 'medain'\. Did you mean 'median'\?$"),
        (
            LABELLED,
            "eva",
            r"^leader must be 'median' or an agent 0 … 3 \(the first labels are 'ann', .*\), not 'eva'\. .*'eve'\?$",
        ),
        (NUMBERED, 1, r"^leader must be 'median' or an agent's label \(the first labels are 0, 5, 10\), not 1\.$"),
    ],
)
def test_unknown_leaders_are_refused(network, choice, sentence):
    with pytest.raises(SpecError, match=sentence):
        leader(network, choice)


def searching(run):
    """Return what stands for networkit's search, and runs a function instead."""
    return lambda *_arguments, **_options: types.SimpleNamespace(run=run)


def test_ctrl_c_is_heard_during_a_long_search(monkeypatch):
    over = threading.Event()

    def search():
        if threading.current_thread() is not threading.main_thread():  # where a library of C++ would hear nothing
            _thread.interrupt_main()
            over.wait(60)

    monkeypatch.setattr("networkit.centrality.TopCloseness", searching(search))
    try:
        with pytest.raises(KeyboardInterrupt):
            medians._pruned_search(cycle(5))
        assert not over.is_set()
    finally:
        over.set()


def test_what_fails_in_the_search_is_raised(monkeypatch):
    monkeypatch.setattr("networkit.centrality.TopCloseness", searching(lambda: 1 / 0))
    with pytest.raises(ZeroDivisionError):
        medians._pruned_search(cycle(5))
