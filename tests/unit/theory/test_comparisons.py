"""Comparisons of bounds, on every small network and against the formulas of the paper."""

import math

import networkx as nx
import numpy as np
import pytest
from networkx.generators.atlas import graph_atlas_g

import quack
from quack.theory import comparisons

REGULAR = [g for g in graph_atlas_g()[2:] if len({d for _, d in g.degree()}) == 1 and nx.is_connected(g)]


def test_regular_graphs():
    """Of all connected regular graphs of up to 7 agents, the paper's inequality holds on those that are not complete."""
    assert len(REGULAR) == 1 + 1 + 2 + 2 + 5 + 4  # of 2, 3, … 7 agents: OEIS A005177
    for graph in REGULAR:
        claim = comparisons.regular_graph(quack.networks.read(graph))
        m = len(graph)
        assert claim.holds == (graph.number_of_edges() < m * (m - 1) / 2)


@pytest.mark.parametrize("name", ["cycle:64", "random-regular:60,3,seed=1", "random-regular:60,20,seed=1"])
def test_larger_regular_graphs(name):
    network = quack.networks.read(name)
    claim = comparisons.regular_graph(network)
    assert claim.holds
    adjacency = network.to_scipy().toarray()
    values = np.sort(np.abs(np.linalg.eigvalsh((np.eye(network.n_agents) + adjacency) / (1 + network.degrees[0]))))
    pace = math.sqrt(2 * math.log(1 / values[-2]))
    m = network.n_agents
    assert claim.right == pytest.approx(6 * m * math.ceil(math.log(2 * m * 22) / pace) / pace + m + 4)


def test_uneven_degrees_are_refused():
    with pytest.raises(quack.SpecError, match="in star:4 agents have from 1 to 3 neighbours"):
        comparisons.regular_graph(quack.networks.star(4))


@pytest.mark.parametrize("m", [2, 3, 16, 196])
def test_star(m):
    """ "C_G + m + 4 > 7m + 4" for m ≥ 3. Two agents meet at once: λ = 0, a stage is one round, and both sides are 18."""
    claim = comparisons.star(m)
    assert claim.left == 3 + 3 * quack.networks.total_distance(quack.networks.star(m), 0) == 3 * m
    assert claim.right > 7 * m + 4 or (m == 2 and claim.right == 7 * m + 4)
    assert claim.holds
    assert comparisons.star(m, as_printed=True).left == m + 2


def test_the_printed_step_for_the_star_fails_for_two_agents():
    """6m log m/√(2 log(m/(m − 1))) > 6m is true for m ≥ 3."""
    for m in range(2, 50):
        assert (math.log(m) > math.sqrt(2 * math.log(m / (m - 1)))) == (m >= 3)


@pytest.mark.parametrize("name", ["cycle:16", "grid:4x4", "star:16", "erdos-renyi:16,0.2,seed=5"])
def test_additive_terms(name):
    network = quack.networks.read(name)
    claim = comparisons.additive_terms(network)
    bandit = quack.Bernoulli([1.0, 0.0])
    assert claim.holds
    assert claim.left == pytest.approx(quack.theory.bounds.quack_ucb(network, bandit, 10).additive)
    assert claim.right == pytest.approx(quack.theory.bounds.dducb(network, bandit, 10).additive)


@pytest.mark.parametrize(
    ("m", "n", "parts", "holds"), [(16, 5000, 1, False), (16, 15, 2, False), (16, 16, 2, True), (1, 9, 1, True)]
)
def test_smaller_leading_term(m, n, parts, holds):
    claim = comparisons.smaller_leading_term(m, n, parts)
    assert claim.holds == holds
    assert math.log(m * n) <= parts * math.log(n) + 1e-12 or not holds
    assert claim.left <= claim.right + 1e-12 or not holds
