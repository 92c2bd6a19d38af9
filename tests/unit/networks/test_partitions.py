"""Powers, independent sets and clique covers, against brute force and against what is known of cycles and grids."""

import itertools
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quack import SpecError
from quack.networks import (
    clique_cover_number,
    complete,
    cycle,
    gamma_for_leaders,
    grid,
    independence_number,
    leader_counts,
    maximum_independent_set,
    partitions,
    path,
    power,
    read,
    star,
)
from quack.networks.powers import balls
from witness import connected_graphs


@given(connected_graphs(), st.integers(0, 9))
def test_a_power_joins_whom_so_many_hops_part(network, gamma):
    hops = dict(nx.all_pairs_shortest_path_length(read(network).to_networkx()))
    expected = {(v, w) for v in hops for w in hops[v] if v < w and hops[v][w] <= gamma}
    assert set(map(tuple, power(network, gamma).edges().tolist())) == expected


@given(connected_graphs(), st.integers(0, 9))
def test_a_ball_lists_its_agents_by_their_distance(network, gamma):
    hops = dict(nx.all_pairs_shortest_path_length(network.to_networkx()))
    around = balls(network, gamma)
    for v in range(network.n_agents):
        part = slice(around.offsets[v], around.offsets[v + 1])
        expected = sorted((hop, w) for w, hop in hops[v].items() if hop <= gamma)
        assert list(zip(around.hops[part].tolist(), around.agents[part].tolist(), strict=True)) == expected


def independent_sets(network):
    """Every independent set, as a tuple of agents, in the order of the subsets' bits."""
    near = [set(network.neighbours_of(v).tolist()) for v in range(network.n_agents)]
    for bits in range(2**network.n_agents):
        chosen = [v for v in range(network.n_agents) if bits >> v & 1]
        if not any(w in near[v] for v, w in itertools.combinations(chosen, 2)):
            yield chosen


@settings(max_examples=60)
@given(connected_graphs(), st.integers(0, 3), st.data())
def test_the_heaviest_independent_set_is_that_of_brute_force(network, gamma, data):
    network = power(network, gamma)
    m = network.n_agents
    weights = data.draw(
        st.one_of(
            st.none(),
            st.just(network.degrees),
            st.lists(st.integers(0, 5), min_size=m, max_size=m),
            st.lists(st.sampled_from([0.1, 0.2, 0.3, 1e-3, 7.0]), min_size=m, max_size=m),
        )
    )
    weight = np.ones(m) if weights is None else np.asarray(weights, float)
    sets = list(independent_sets(network))
    most = max(math.fsum(weight[chosen]) for chosen in sets)
    heaviest = [chosen for chosen in sets if math.fsum(weight[chosen]) > most - 1e-6]
    # The first of them: agent 0 if any has it, and so on.
    first = max(heaviest, key=lambda chosen: [v in chosen for v in range(m)])
    assert maximum_independent_set(network, weights).tolist() == first
    assert independence_number(network) == max(map(len, sets))


def least_colouring(graph):
    """The colouring number of a small graph: every assignment is tried."""
    for colours in range(1, len(graph) + 1):
        for colour in itertools.product(range(colours), repeat=len(graph)):
            if all(colour[v] != colour[w] for v, w in graph.edges):
                return colours
    return 0


@settings(max_examples=40)
@given(connected_graphs(most_agents=6), st.integers(0, 3))
def test_covering_with_cliques_is_colouring_the_complement(network, gamma):
    network = power(network, gamma)
    assert clique_cover_number(network) == least_colouring(nx.complement(network.to_networkx()))


@pytest.mark.parametrize("m", [3, 16, 37, 64])
def test_powers_of_cycles_follow_formulas(m):
    # ⌊m/(γ + 1)⌋ agents can be more than γ hops apart, until from γ = ⌊m/2⌋ on everybody hears everybody. ⌈m/(γ + 1)⌉ arcs of
    # γ + 1 agents cover the cycle; from γ = m/3 on there are cliques that go all around, and covers may do with fewer.
    for gamma in range(1, m // 2 + 1):
        whole = gamma == m // 2
        assert independence_number(power(cycle(m), gamma)) == (1 if whole else m // (gamma + 1)), gamma
        if 3 * gamma < m:
            assert clique_cover_number(power(cycle(m), gamma)) == -(-m // (gamma + 1)), gamma


def test_a_petersen_graph_needs_the_search():
    # Four independent vertices, no triangles: five cliques, which are edges, cover ten agents. The greedy cover may miss it.
    petersen = read(nx.petersen_graph())
    assert independence_number(petersen) == 4
    assert clique_cover_number(petersen) == 5


LEADERS = {  # γ that give 1, 2 and 4 leaders
    "cycle:16": ([8], [5, 6, 7], [3]),
    "cycle:36": ([18], list(range(12, 18)), [7, 8]),
    "cycle:64": ([32], list(range(21, 32)), list(range(12, 16))),
    "grid:4x4": ([6], [4, 5], [2]),
    "grid:6x6": ([10], [6, 7, 8, 9], [4]),
    "grid:8x8": ([14], [9, 10, 11, 12, 13], [6]),
}


@pytest.mark.parametrize("name", LEADERS)
def test_leaders_by_their_number(name):
    network = read(name)
    counts = leader_counts(network)
    for number, gammas in zip((1, 2, 4), LEADERS[name], strict=True):
        assert [gamma for gamma, count in counts.items() if count == number] == gammas
        assert gamma_for_leaders(network, number) == gammas[0]


def test_ends_of_the_range():
    assert leader_counts(path(1)) == {0: 1}
    assert leader_counts(complete(5)) == {0: 5, 1: 1}
    # The hub weighs as much as all leaves, and comes first.
    assert leader_counts(star(7)) == {0: 7, 1: 1, 2: 1}
    assert independence_number(star(7)) == 6


def test_large_networks_of_a_simple_kind_are_no_trouble():
    assert independence_number(grid(40, 50)) == 1000 == clique_cover_number(grid(40, 50))
    assert len(maximum_independent_set(power(path(2000), 4))) == 400


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: power(cycle(5), -1), "gamma must be at least 0, not -1"),
        (lambda: power(cycle(5), 1.5), "gamma must be a whole number"),
        (lambda: maximum_independent_set(cycle(4), [1, 2, 3]), "a finite number of at least 0 for each of 4 agents"),
        (lambda: maximum_independent_set(cycle(4), [1, 2, 3, -1]), "at least 0 for each"),
        (lambda: maximum_independent_set(cycle(4), [1, 2, 3, math.nan]), "a finite number"),
        (lambda: maximum_independent_set(cycle(4), "heavy"), "weights are 'heavy'"),
        (lambda: gamma_for_leaders(cycle(16), 7), "on cycle:16 there can be 1, 2, 3, 4, 5, 8, 16"),
        (lambda: gamma_for_leaders(cycle(16), 0), "leaders must be at least 1, not 0"),
        (lambda: gamma_for_leaders(path(300), 1), "path:300 has 300 agents; .* at most 256. Give γ itself"),
        (lambda: independence_number(path(20_001)), "at most 20,000 can be partitioned"),
    ],
)
def test_the_impossible_is_refused(ask, sentence):
    with pytest.raises(SpecError, match=sentence):
        ask()


def test_what_takes_too_long_is_said(monkeypatch):
    hard = read("random-regular:60,5,seed=1")
    monkeypatch.setattr(partitions, "_MOST_CLIQUES", 100)
    with pytest.raises(SpecError, match=r"more than 100 maximal cliques.* between \d+ and \d+"):
        clique_cover_number(hard)
    monkeypatch.setattr(partitions, "_LONGEST_S", 1e-9)
    with pytest.raises(SpecError, match="was not found in 1e-09 s"):
        independence_number(hard)
