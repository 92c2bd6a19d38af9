"""Random networks: connected, reproducible for ever, and of the law that their docstrings state.

Frequencies are compared with probabilities by Hoeffding's inequality, P(|frequency - p| > t) ≤ 2 exp(-2 n t²): with
n = 20,000 draws and t = 0.02 a correct generator fails with probability under 2.3e-7 per comparison. Seeds are fixed.
"""

import hashlib
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pytest

from quack import SpecError
from quack.networks import (
    barabasi_albert,
    erdos_renyi,
    random_edges,
    random_geometric,
    random_graphs,
    random_regular,
    read,
    watts_strogatz,
)
from quack.networks.graphs import component_sizes
from quack.networks.preferential import attach

DRAWS, TOLERANCE = 20_000, 0.02

GOLDEN = [
    (erdos_renyi, (100, 0.1, 3), "c40b3ba02d1b38e5"),
    (erdos_renyi, (3000, 0.004, 0), "c76db77af82ecbe3"),
    (watts_strogatz, (100, 6, 0.2, 3), "baa0d8e78c9cf028"),
    (random_regular, (100, 5, 3), "3da8dc5327256cdb"),
    (random_regular, (30, 20, 1), "1da6a8f44f1636f0"),
    (barabasi_albert, (1000, 4, 3), "b7a58f0aafec714e"),
    (random_geometric, (200, 0.15, 3), "575786a0dcd25d23"),
]


@pytest.mark.parametrize(("build", "arguments", "digest"), GOLDEN)
def test_the_same_seed_gives_the_same_edges_for_ever(build, arguments, digest):
    edges = build(*arguments).edges().astype("<i8")
    assert hashlib.sha256(edges.tobytes()).hexdigest()[:16] == digest


@pytest.mark.parametrize(("build", "arguments", "digest"), GOLDEN)
def test_connected_named_and_different_for_another_seed(build, arguments, digest):
    network = build(*arguments)
    assert component_sizes(network) == [network.n_agents]
    assert read(network.name) == network
    assert build(*arguments[:-1], arguments[-1] + 1) != network
    assert build(*arguments[:-1]) == build(*arguments[:-1], 0)


def test_numbers_of_pairs_and_back():
    pairs = [(low, high) for high in range(60) for low in range(high)]
    first, second = np.array(pairs).T
    assert random_edges.keys_of(first, second).tolist() == list(range(len(pairs)))
    assert random_edges.keys_of(second, first).tolist() == list(range(len(pairs)))
    largest = np.array([2**31 - 2, 2**31 - 3, 94_906_266, 94_906_267])
    for low in (np.zeros_like(largest), largest - 1, largest // 2):
        found = random_edges.pairs_of(random_edges.keys_of(low, largest))
        assert np.array_equal(found, (low, largest))


@pytest.mark.parametrize("longest_skip", [1, 3, 2**20])
def test_erdos_renyi_takes_each_pair_with_its_probability(monkeypatch, longest_skip):
    monkeypatch.setattr(random_edges, "_LONGEST_SKIP", longest_skip)
    rng = np.random.default_rng(1)
    counts, both = np.zeros(10), 0
    for _ in range(DRAWS):
        keys = random_edges.keys_of(*random_edges.bernoulli_pairs(5, 0.3, rng))
        assert len(set(keys.tolist())) == len(keys)
        counts[keys] += 1
        both += {2, 7} <= set(keys.tolist())
    assert abs(counts / DRAWS - 0.3).max() < TOLERANCE
    assert abs(both / DRAWS - 0.09) < TOLERANCE


def test_erdos_renyi_at_the_ends():
    assert erdos_renyi(7, 1) == read("complete:7")
    assert erdos_renyi(1, 0.5).n_agents == 1
    # 2,000 · 1,999 / 2 pairs: Hoeffding with t = 0.005 fails with probability 2 exp(-2 · 1,999,000 · 0.005²) < 1e-40.
    assert abs(erdos_renyi(2000, 0.05).n_edges / (2000 * 1999 / 2) - 0.05) < 0.005


def test_watts_strogatz_ring_and_edges():
    assert watts_strogatz(9, 2, 0) == read("cycle:9")
    assert watts_strogatz(9, 4, 0).to_networkx().edges == nx.watts_strogatz_graph(9, 4, 0).edges
    for degree, rewiring in [(2, 0.1), (4, 0.5), (4, 1.0), (10, 1.0)]:
        network = watts_strogatz(60, degree, rewiring, seed=5)
        assert network.n_edges == 60 * degree // 2
        # Each agent holds the near end of degree/2 edges.
        assert network.degrees.min() >= degree // 2


def test_watts_strogatz_moves_the_share_that_it_should():
    ring = set(map(tuple, watts_strogatz(10_000, 4, 0).edges().tolist()))
    moved = watts_strogatz(10_000, 4, 0.3, seed=2)
    kept = sum(tuple(edge) in ring for edge in moved.edges().tolist()) / len(ring)
    assert abs(kept - 0.7) < TOLERANCE


@pytest.mark.parametrize(
    ("m", "degree"), [(1, 0), (2, 1), (3, 2), (10, 3), (11, 4), (50, 3), (50, 7), (20, 15), (9, 8), (12, 5), (12, 6)]
)
def test_regular_graphs_are_regular(m, degree):
    for seed in range(20):
        network = random_regular(m, degree, seed)
        assert (network.degrees == degree).all()
        assert network.n_edges == m * degree // 2


def test_regular_graphs_treat_agents_alike():
    # Every pair is an edge with probability degree / (m - 1), by symmetry.
    rng = np.random.default_rng(2)
    counts = np.zeros(15)
    draws = 0
    while draws < DRAWS // 4:
        drawn = random_edges.regular_pairs(6, 2, rng)
        if drawn is not None:
            counts[random_edges.keys_of(*drawn)] += 1
            draws += 1
    assert abs(counts / draws - 2 / 5).max() < 2 * TOLERANCE


@pytest.mark.parametrize(("m", "k"), [(2, 1), (3, 2), (10, 1), (10, 9), (200, 1), (200, 3), (200, 20), (3000, 5)])
def test_barabasi_albert_counts(m, k):
    network = barabasi_albert(m, k, seed=4)
    assert network.n_edges == k * (m - k)
    later = attach(m, k, np.random.default_rng(0)).reshape(-1, k)
    for agent, targets in enumerate(later.tolist(), start=k + 1):
        assert len(set(targets)) == k
        assert max(targets) < agent
        assert min(targets) >= 0
    assert component_sizes(network) == [m]


def _choices(degrees: dict[int, int], k: int) -> dict[frozenset[int], Fraction]:
    """Return the law of k different targets, drawn one after the other in proportion to the degrees."""
    law: Counter[frozenset[int]] = Counter()
    for order in permutations(degrees, k):
        probability, left = Fraction(1), sum(degrees.values())
        for agent in order:
            probability *= Fraction(degrees[agent], left)
            left -= degrees[agent]
        law[frozenset(order)] += probability
    return law


def test_barabasi_albert_has_exactly_the_sequential_law():
    """Agents 3 and 4 draw in the same batch; the second's law hangs on what the first has drawn."""
    expected = {}
    for third, p in _choices({0: 2, 1: 1, 2: 1}, 2).items():
        degrees = {agent: 1 + (agent == 0) + (agent in third) for agent in range(3)} | {3: 2}
        for fourth, q in _choices(degrees, 2).items():
            expected[third, fourth] = float(p * q)
    assert sum(expected.values()) == pytest.approx(1)
    rng = np.random.default_rng(3)
    seen: Counter[tuple[frozenset[int], frozenset[int]]] = Counter()
    for _ in range(DRAWS):
        targets = attach(5, 2, rng).tolist()
        seen[frozenset(targets[:2]), frozenset(targets[2:])] += 1
    assert set(seen) <= set(expected)
    assert max(abs(seen[outcome] / DRAWS - p) for outcome, p in expected.items()) < TOLERANCE


def test_barabasi_albert_has_the_degree_law_of_scale_free_graphs():
    # Bollobás et al. (2001): the share of degree d tends to 2k(k+1) / (d(d+1)(d+2)).
    degrees = barabasi_albert(100_000, 3).degrees
    for d in range(3, 12):
        assert abs((degrees == d).mean() - 24 / (d * (d + 1) * (d + 2))) < TOLERANCE / 4
    assert degrees.max() > 300


def test_random_geometric_edges_are_the_close_pairs():
    m, radius, seed = 60, 0.3, 7
    network = random_geometric(m, radius, seed)
    places = random_graphs._generator(seed, 0).random((m, 2))
    close = {(v, w) for v, w in combinations(range(m), 2) if np.hypot(*(places[v] - places[w])) <= radius}
    assert set(map(tuple, network.edges().tolist())) == close
    assert random_geometric(8, 2**0.5) == read("complete:8")
    assert random_geometric(1, 0.1).n_agents == 1


def test_a_draw_that_is_not_connected_is_drawn_again():
    later = [seed for seed in range(30) if not _first_draw_is_connected(seed)]
    assert 0 < len(later) < 30
    for seed in later:
        assert component_sizes(erdos_renyi(12, 0.2, seed)) == [12]


def _first_draw_is_connected(seed):
    graph = nx.empty_graph(12)
    graph.add_edges_from(np.transpose(random_edges.bernoulli_pairs(12, 0.2, random_graphs._generator(seed, 0))).tolist())
    return nx.is_connected(graph)


def test_hopeless_parameters_are_refused():
    with pytest.raises(
        SpecError,
        match=r"^erdos-renyi:1000,0.001,seed=0 is hardly ever a connected network \(not once in 100 draws\); "
        r"try probability above ln\(m\)/m = 0.00691$",
    ):
        erdos_renyi(1000, 0.001)
    with pytest.raises(SpecError, match=r"try radius above √\(ln\(m\)/\(πm\)\) = 0.0469"):
        random_geometric(1000, 0.01)
    with pytest.raises(SpecError, match=r"random-regular:10,1,seed=0 is hardly ever a connected network .* try a larger degree"):
        random_regular(10, 1)
    with pytest.raises(SpecError, match=r"watts-strogatz:21,20,1.0,seed=0 is hardly ever .* try a smaller degree"):
        watts_strogatz(21, 20, 1)


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda: erdos_renyi(0, 0.5), "n_agents must be at least 1, not 0"),
        (lambda: erdos_renyi(10, 0), "probability must be above 0 and at most 1, not 0"),
        (lambda: erdos_renyi(10, 1.5), "probability must be above 0 and at most 1, not 1.5"),
        (lambda: erdos_renyi(10, float("nan")), "probability must be above 0 and at most 1, not nan"),
        (lambda: erdos_renyi(10, 0.5, -1), "seed must be at least 0, not -1"),
        (lambda: erdos_renyi(10**6, 0.5), r"would have about 2\.5e\+11 edges"),
        (lambda: watts_strogatz(10, 3, 0.1), "degree must be even and below n_agents = 10, not 3"),
        (lambda: watts_strogatz(10, 10, 0.1), "degree must be even and below n_agents = 10, not 10"),
        (lambda: watts_strogatz(10, 0, 0.1), "degree must be at least 2, not 0"),
        (lambda: watts_strogatz(10, 4, -0.1), "rewiring must be above 0 and at most 1, not -0.1"),
        (lambda: random_regular(5, 3), "degree must be below n_agents = 5 and n_agents · degree even; degree is 3"),
        (lambda: random_regular(4, 4), "degree must be below n_agents = 4 and n_agents · degree even; degree is 4"),
        (lambda: barabasi_albert(5, 5), "edges_per_agent must be below n_agents = 5, not 5"),
        (lambda: barabasi_albert(1, 1), "n_agents must be at least 2, not 1"),
        (lambda: barabasi_albert(5, 0), "edges_per_agent must be at least 1, not 0"),
        (lambda: barabasi_albert(5, 2, seed=0.5), "seed must be a whole number of at least 0, not 0.5"),
        (lambda: random_geometric(10, 0), "radius must be above 0 and at most 1.414, not 0"),
        (lambda: random_geometric(10, 2), "radius must be above 0 and at most 1.414, not 2"),
        (lambda: random_geometric(10**6, 0.5), "edges are allowed"),
    ],
)
def test_parameters_are_checked(build, sentence):
    with pytest.raises(SpecError, match=sentence):
        build()
