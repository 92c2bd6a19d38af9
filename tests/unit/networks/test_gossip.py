"""Gossip matrices: stochastic, on edges, as fast as their formulas say; the polynomials that mix; who is central."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import eval_chebyt

import quack
from gossip_witness import centrality as centrality_by_eigenvectors
from gossip_witness import eigenvalues, paper_matrix, published_matrix
from quack.networks import barabasi_albert, complete, cycle, erdos_renyi, grid, path, spectrum, star
from quack.networks.gossip import (
    Gossip,
    centrality,
    chebyshev,
    check_mixing,
    check_weights,
    gossip_matrix,
    mix,
    mixing_polynomial,
    second_eigenvalue,
    steps_to_mix,
    whole,
)
from witness import connected_graphs

STOCHASTIC = ("paper", "metropolis", "max-degree", "best-constant")
NETWORKS = [
    path(1),
    path(2),
    path(7),
    cycle(9),
    grid(4, 6),
    star(12),
    complete(6),
    erdos_renyi(30, 0.2, seed=1),
    barabasi_albert(25, 2, seed=2),
]
SIDES = (4, 6, 8, 10, 12, 14)
SQUARES = [side * side for side in SIDES]


def dense(matrix):
    return matrix.to_scipy().toarray()


def laplacian(network):
    return nx.laplacian_matrix(network.to_networkx(), nodelist=range(network.n_agents)).toarray().astype(float)


@given(connected_graphs(), st.sampled_from(STOCHASTIC))
def test_doubly_stochastic_symmetric_and_on_edges(network, kind):
    matrix = dense(gossip_matrix(network, kind))
    assert abs(matrix.sum(axis=0) - 1).max() <= 1e-12
    assert abs(matrix.sum(axis=1) - 1).max() <= 1e-12
    assert np.array_equal(matrix, matrix.T)
    edges = nx.to_numpy_array(network.to_networkx(), nodelist=range(network.n_agents)) > 0
    assert np.array_equal((matrix != 0) & ~np.eye(len(matrix), dtype=bool), edges)


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.name)
def test_each_matrix_is_its_formula(network):
    m, degrees = network.n_agents, network.degrees.astype(float)
    one, far = np.eye(m), laplacian(network)
    assert np.allclose(dense(gossip_matrix(network)), paper_matrix(network), atol=1e-15)
    assert np.allclose(dense(gossip_matrix(network, "as-published")), published_matrix(network), atol=1e-15)
    if m > 1:
        assert np.allclose(dense(gossip_matrix(network, "max-degree")), one - far / degrees.max(), atol=1e-15)
        spectrum = np.linalg.eigvalsh(far)
        best = one - 2 * far / (spectrum[1] + spectrum[-1])
        assert np.allclose(dense(gossip_matrix(network, "best-constant")), best, atol=1e-12)
    metropolis = dense(gossip_matrix(network, "metropolis"))
    for v, w in network.to_networkx().edges:
        assert metropolis[v, w] == pytest.approx(1 / (1 + max(degrees[v], degrees[w])))


def test_no_single_weight_mixes_faster_than_the_best_constant():
    network = erdos_renyi(20, 0.25, seed=4)
    best = second_eigenvalue(gossip_matrix(network, "best-constant"))
    one, far = np.eye(20), laplacian(network)
    for weight in np.linspace(0.001, 0.4, 400):
        assert max(abs(eigenvalues(one - weight * far)[1:])) >= best - 1e-12


TABLE = {
    "cycle": (0.949253, 0.989872, 0.996790, 0.998684, 0.999365, 0.999657),
    "grid": (0.882843, 0.946410, 0.969552, 0.980423, 0.986370, 0.989971),
    "star": tuple(round((m - 1) / m, 6) for m in SQUARES),
}
FORMULAS = {
    "cycle": lambda m: (1 + 2 * math.cos(2 * math.pi / m)) / 3,
    "grid": lambda m: 1 - (2 - 2 * math.cos(math.pi / math.isqrt(m))) / 5,
    "star": lambda m: (m - 1) / m,
}
LENGTHS = {  # of a stage, ε = 1/22
    "cycle": (21, 52, 100, 164, 246, 347),
    "grid": (14, 23, 32, 43, 53, 64),
    "star": (19, 32, 45, 60, 75, 90),
}


def square(family, m):
    return grid(math.isqrt(m), math.isqrt(m)) if family == "grid" else {"cycle": cycle, "star": star}[family](m)


@pytest.mark.parametrize("family", TABLE)
@pytest.mark.parametrize("place", range(6))
def test_eigenvalues_and_lengths_of_stages(family, place):
    m = SQUARES[place]
    pace = second_eigenvalue(gossip_matrix(square(family, m)))
    assert pace == pytest.approx(TABLE[family][place], abs=5e-7)
    assert pace == pytest.approx(FORMULAS[family](m), abs=1e-12)
    assert steps_to_mix(pace, m, 1 / 22, accelerated=True) == LENGTHS[family][place]


@pytest.mark.parametrize(("m", "pace"), [(16, 0.98495), (36, 0.99466), (64, 0.99731), (196, 0.99924)])
def test_the_published_matrix_mixes_far_slower_and_is_not_stochastic(m, pace):
    matrix = gossip_matrix(square("grid", m), "as-published")
    assert second_eigenvalue(matrix) == pytest.approx(pace, abs=6e-6)
    sums = dense(matrix).sum(axis=1)
    assert sums.min() == pytest.approx(0.966667, abs=1e-6)
    assert sums.max() == pytest.approx(1.008333, abs=1e-6)
    degrees = square("grid", m).degrees
    assert np.allclose(dense(matrix) @ degrees, degrees)  # its fixed vector


@pytest.mark.parametrize("network", [cycle(150), grid(9, 16), star(80), erdos_renyi(120, 0.06, seed=3)], ids=lambda n: n.name)
@pytest.mark.parametrize("kind", ["paper", "metropolis", "best-constant"])
def test_the_sparse_search_finds_the_same_eigenvalues(network, kind, monkeypatch):
    exact = max(abs(eigenvalues(dense(gossip_matrix(network, kind)))[1:]))
    monkeypatch.setattr(spectrum, "_DENSE", 10)
    assert second_eigenvalue(gossip_matrix(network, kind)) == pytest.approx(exact, abs=1e-10)


def test_a_negative_eigenvalue_can_be_the_largest():
    matrix = gossip_matrix(complete(2), "max-degree")
    assert second_eigenvalue(matrix) == pytest.approx(1.0)
    assert second_eigenvalue(matrix, absolute=False) == pytest.approx(-1.0)


@given(connected_graphs(), st.sampled_from([1 / 22, 1e-3, 0.5]), st.booleans())
def test_a_stage_mixes_to_epsilon_over_m(network, epsilon, accelerated):
    """ "‖q_C(P) v − v̄‖ ≤ ε/m ‖v‖": the operator norm, for accelerated gossip and for plain."""
    matrix, m = gossip_matrix(network), network.n_agents
    pace = second_eigenvalue(matrix)
    steps = steps_to_mix(pace, m, epsilon, accelerated=accelerated)
    coefficients = chebyshev(pace, steps) if accelerated else np.tile((1.0, 0.0), (steps, 1))
    polynomial = mixing_polynomial(matrix, coefficients)
    assert np.linalg.norm(polynomial - 1 / m, 2) <= epsilon / m + 1e-12
    assert abs(polynomial.sum(axis=1) - 1).max() <= 1e-9  # the mean stays
    if pace > 0 and accelerated:
        values, vectors = np.linalg.eigh(dense(matrix))
        wanted = vectors @ np.diag(eval_chebyt(steps, values / pace) / eval_chebyt(steps, 1 / pace)) @ vectors.T
        assert np.allclose(polynomial, wanted, atol=1e-9)


@pytest.mark.parametrize(("network", "ratio"), [(cycle(16), 0.76), (grid(4, 4), 0.56), (star(16), 0.71)], ids=str)
def test_how_sharp_the_length_of_a_stage_is(network, ratio):
    matrix = gossip_matrix(network)
    pace = second_eigenvalue(matrix)
    polynomial = mixing_polynomial(matrix, chebyshev(pace, steps_to_mix(pace, 16, 1 / 22, accelerated=True)))
    assert np.linalg.norm(polynomial - 1 / 16, 2) * 16 * 22 == pytest.approx(ratio, abs=0.005)


@given(connected_graphs())
def test_mixed_counts_are_positive(network):
    """Where anybody has played, everybody counts some of it after a stage."""
    matrix, m = gossip_matrix(network), network.n_agents
    pace = second_eigenvalue(matrix)
    polynomial = mixing_polynomial(matrix, chebyshev(pace, steps_to_mix(pace, m, 1 / 22, accelerated=True)))
    assert polynomial.min() > 0


@pytest.mark.parametrize(
    ("network", "agent", "value"),
    [(cycle(16), 0, 23.55), (cycle(64), 5, 476.34), (grid(4, 4), 0, 18.52), (grid(4, 4), 1, 9.99), (star(9), 0, 0.0)],
    ids=str,
)
def test_centrality_of_known_agents(network, agent, value):
    assert centrality(gossip_matrix(network))[agent] == pytest.approx(value, abs=0.005)


@given(connected_graphs())
def test_centrality_is_the_sum_over_eigenvectors(network):
    ours = centrality(gossip_matrix(network))
    assert np.allclose(ours, centrality_by_eigenvectors(paper_matrix(network)) if network.n_agents > 1 else 0.0, atol=1e-8)


def test_centrality_depends_on_no_basis():
    """On a cycle all agents are alike, though eigenvalues coincide in pairs; rotated pairs of eigenvectors give the same."""
    matrix = paper_matrix(cycle(12))
    values, vectors = np.linalg.eigh(matrix)
    angle = 0.7
    for p in range(len(values) - 1):
        if abs(values[p] - values[p + 1]) < 1e-12:
            pair = vectors[:, p : p + 2].copy()
            vectors[:, p] = math.cos(angle) * pair[:, 0] - math.sin(angle) * pair[:, 1]
            vectors[:, p + 1] = math.sin(angle) * pair[:, 0] + math.cos(angle) * pair[:, 1]
    weights = np.where(values > 1 - 1e-12, 0.0, values**2 / (1 - np.minimum(values**2, 1 - 1e-12)))
    extra = centrality(gossip_matrix(cycle(12)))
    assert np.allclose(12 * (vectors**2 @ weights), extra)
    assert np.ptp(extra) <= 1e-9


@given(connected_graphs(), st.integers(1, 5))
def test_one_step_is_the_product_with_the_matrix(network, width):
    matrix = gossip_matrix(network)
    held = np.random.default_rng(0).standard_normal((network.n_agents, width))
    out = np.full((network.n_agents, width), np.nan)
    for agent in range(network.n_agents):
        mix(matrix, agent, held, out[agent])
    assert np.allclose(out, dense(matrix) @ held, atol=1e-14)


def test_any_symmetric_matrix_is_one_of_gossip():
    matrix = np.random.default_rng(1).standard_normal((5, 5))
    matrix += matrix.T
    assert np.array_equal(dense(whole(matrix)), matrix)


def test_matrices_that_never_mix_or_turn_negative_are_refused():
    with pytest.raises(quack.SpecError, match="they would never agree; the matrix 'paper' mixes"):
        check_mixing(gossip_matrix(cycle(8), "max-degree"), second_eigenvalue(gossip_matrix(cycle(8), "max-degree")))
    with pytest.raises(quack.SpecError, match="CoopUCB: the gossip matrix of these 9 agents has an entry of -0.6"):
        check_weights("CoopUCB", gossip_matrix(star(9), "best-constant"))
    with pytest.raises(quack.SpecError, match="no gossip matrix 'papers'. Did you mean 'paper'"):
        gossip_matrix(star(3), "papers")
    for network in NETWORKS:
        check_weights("it", gossip_matrix(network))


@pytest.mark.parametrize("degree", range(10))
def test_neighbours_are_added_in_pairs_whatever_their_number(degree):
    rng = np.random.default_rng(degree)
    weights, held = rng.random(degree), rng.normal(size=(degree + 1, 3))
    gossip = Gossip(
        np.full(degree + 1, 0.3), weights, np.array([0] + [degree] * (degree + 1)), np.arange(1, degree + 1, dtype=np.int32)
    )
    out, expected, first = np.zeros(3), 0.3 * held[0], degree % 2
    if first:
        expected = expected + weights[0] * held[1]
    for e in range(first, degree, 2):
        expected = expected + (weights[e] * held[e + 1] + weights[e + 1] * held[e + 2])
    mix(gossip, 0, held, out)
    assert np.array_equal(out, expected)
