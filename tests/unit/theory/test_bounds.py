"""Bounds against figures worked out elsewhere, and their parts against brute force."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

import quack
from quack.theory import Bound, Guarantee, bounds
from quack.theory.symbols import diameter
from witness import connected_graphs

PAPER = quack.Bernoulli([0.5] + [0.45] * 9)
HEAVY = quack.Stable([0.7] + [0.4] * 4, alpha=1.9)
DUELS = quack.Duelling("cyclic")  # Δ̃ = 0.1 for the three arms that lose
NETWORKS = {name: quack.networks.read(name) for name in ("cycle:16", "grid:4x4", "star:16", "cycle:64", "grid:8x8", "star:64")}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cycle:16", 8216.393),
        ("grid:4x4", 8173.193),
        ("star:16", 8150.243),
        ("cycle:64", 10510.525),
        ("grid:8x8", 9473.725),
        ("star:64", 9213.175),
    ],
)
def test_quack_ucb(name, value):
    assert bounds.quack_ucb(NETWORKS[name], PAPER, 5000).value == pytest.approx(value, abs=5e-4)


@pytest.mark.parametrize(("name", "value"), [("cycle:16", 32602.322), ("cycle:64", 37890.850)])
def test_quack_ucb_for_a_larger_sigma(name, value):
    assert bounds.quack_ucb(NETWORKS[name], PAPER, 5000, sigma=1.0).value == pytest.approx(value, abs=5e-4)


@pytest.mark.parametrize(("name", "value"), [("cycle:16", 17513.720), ("grid:4x4", 17203.220)])
def test_dducb_as_printed(name, value):
    assert bounds.dducb(NETWORKS[name], PAPER, 5000, as_printed=True).value == pytest.approx(value, abs=5e-4)


@pytest.mark.parametrize(
    ("family", "constants"),
    [
        (lambda s: quack.networks.cycle(s * s), (1951, 38036, 407146)),
        (lambda s: quack.networks.grid(s, s), (1261, 12266, 75061)),
        (lambda s: quack.networks.star(s * s), (1753, 17187, 105367)),
    ],
    ids=["cycle", "grid", "star"],
)
def test_gossip_constant_of_16_64_and_196_agents(family, constants):
    for side, constant in zip((4, 8, 14), constants, strict=True):
        network = family(side)
        m = side * side
        assert bounds.gossip_constant(network, as_printed=True) == constant
        stage = math.ceil(constant / (6 * m) - 1e-3)  # 21, 52, … : no product is that close to a multiple of 6m from above
        assert bounds.gossip_constant(network) == 6 * m * stage
        placed = quack.DDUCB().place(network, 2, 10)
        assert stage == len(placed.steps)  # the stage that DDUCB really plays


@pytest.mark.parametrize(("name", "constant"), [("cycle:16", 195), ("cycle:64", 3075), ("grid:4x4", 99), ("grid:8x8", 771)])
def test_what_the_network_costs_quack(name, constant):
    assert bounds.quack_ucb(NETWORKS[name], PAPER, 5000).additive == pytest.approx(constant * 9 * 0.05)
    assert bounds.price_of_distance(NETWORKS[name], PAPER) == pytest.approx((constant - 3) * 9 * 0.05)


def test_minimax_lower_bound():
    assert bounds.minimax_lower_bound(NETWORKS["cycle:16"], PAPER, 5000).value == pytest.approx(31.427, abs=5e-4)
    assert bounds.minimax_lower_bound(NETWORKS["star:64"], PAPER, 5000).value == pytest.approx(62.854, abs=5e-4)
    with pytest.raises(quack.SpecError, match="of 10 actions, 8 plays are too few"):
        bounds.minimax_lower_bound(quack.networks.cycle(8), PAPER, 1)


@given(connected_graphs())
@settings(max_examples=40)
def test_distances_against_networkx(network):
    graph = network.to_networkx()
    totals = {v: sum(nx.single_source_shortest_path_length(graph, v).values()) for v in graph}
    assert diameter(network) == nx.diameter(graph)
    assert bounds.price_of_distance(network, PAPER) == pytest.approx(3 * min(totals.values()) * 0.45)
    for v in graph:
        assert bounds.theorem_1(network, PAPER, 10, 0.0, leader=v).value == pytest.approx(3 * totals[v] * 0.45)
    assert max(totals.values()) <= bounds.worst_total_distance(network)


def test_the_printed_worst_total_distance_is_wrong_on_a_complete_network():
    network = quack.networks.complete(5)
    assert quack.networks.total_distance(network, 0) == bounds.worst_total_distance(network) == 4
    assert bounds.worst_total_distance(network, as_printed=True) == 0


def test_truncated_mean_is_printed_times_caution():
    """8 (4u/Δ)^(1/ε) log(mn), four actions with Δ = 0.3; u as tabulated for α = 1.9 and p = 1.85: 5.66923."""
    network = NETWORKS["grid:4x4"]
    printed = 4 * 8 * (4 * 5.66923 / 0.3) ** (1 / 0.85) * math.log(16 * 1000)
    without = bounds.quack_truncated_mean(network, HEAVY, 1000, caution=False)
    assert without.leading == pytest.approx(printed, rel=1e-4)
    assert without.additive == pytest.approx((5 + 3 * 32) * 1.2)
    with_caution = bounds.quack_truncated_mean(network, HEAVY, 1000)
    assert with_caution.leading / without.leading == pytest.approx(2 ** (1.85 / 0.85))
    order = bounds.quack_truncated_mean(network, HEAVY, 1000, as_printed=True)
    assert order.kind == "order"
    assert order.leading == pytest.approx(4 * (5.66923 / 0.3) ** (1 / 0.85) * math.log(16 * 1000), rel=1e-4)
    assert order.additive == pytest.approx(32 * 1.2)


@pytest.mark.parametrize(("gamma", "leaders"), [(8, 1), (5, 2), (7, 2), (3, 4)])
def test_cmp_ucb_counts_leaders(gamma, leaders):
    """On a cycle of 16, γ of 8 / 5 … 7 / 3 makes 1 / 2 / 4 leaders."""
    bound = bounds.cmp_ucb(NETWORKS["cycle:16"], HEAVY, 1000, gamma, epsilon=0.5, u=3.0)
    assert bound.leading == pytest.approx(leaders * 4 * (3.0 / 0.3) ** 2 * math.log(1000))
    assert bound.additive == pytest.approx((16 * gamma * leaders + leaders + 16) * 1.2)


def test_duels_charge_every_queue():
    """Σ over ordered pairs of (Δ_a + Δ_b)/2 is k ΣΔ̃: four arms, ΣΔ̃ = 0.3; on a star of 16, Σd = 15."""
    bound = bounds.quack_rucb(NETWORKS["star:16"], DUELS, 1000)
    assert bound.additive == pytest.approx(3 * 15 * 4 * 0.3)
    assert bound.leading == pytest.approx(30 * math.log(16000))
    printed = bounds.quack_rucb(NETWORKS["star:16"], DUELS, 1000, as_printed=True)
    assert printed.additive == pytest.approx(15 * 0.3)
    assert printed.leading == bound.leading
    halved = bounds.quack_rucb(NETWORKS["star:16"], quack.Duelling("cyclic", unordered=True), 1000)
    assert halved.additive == pytest.approx(3 * 15 * 0.05 * (3 + 2 * 3 + 2 * 3))  # with ⋆, against each other, against themselves


def test_mp_rucb_counts_cliques():
    """A path of 5 in hops of 1: cliques of 2, 2 and 1; the middle ones have two neighbours."""
    bound = bounds.mp_rucb(quack.networks.path(5), DUELS, 1000, gamma=1)
    assert bound.leading == pytest.approx(3 * 30 * math.log(1000))
    assert bound.additive == pytest.approx(25 * 16 * (1 + math.log(3)) * 0.1 + 2 * 4 * 5 * 0.1)


def test_private_rewards_cost_their_noise():
    network, open_ = NETWORKS["star:16"], quack.Bernoulli([0.9, 0.4])
    laplace = bounds.quack_private(network, quack.PrivateLaplace(open_, 2.0), 1000)
    assert laplace.leading == pytest.approx(8 * 9 * math.log(16000) / 0.5)
    coins = bounds.quack_private(network, quack.PrivateBernoulli(open_, 2.0), 1000)
    c = (math.exp(2) - 1) / (math.exp(2) + 1)
    assert coins.leading == pytest.approx(8 * math.log(16000) / (c * c * 0.5))
    assert coins.additive == pytest.approx((1 + math.pi**2 / 3 + 45) * 0.5)
    printed = bounds.quack_private(network, quack.PrivateLaplace(open_, 2.0), 1000, as_printed=True)
    assert (printed.leading, printed.additive) == pytest.approx((math.log(16000) / 4 / 0.5, 15 * 0.5))


def test_bound_of_a_group_is_the_corollary():
    network, horizon = NETWORKS["cycle:16"], 5000
    of_group = bounds.bound_of(quack.QuACK(quack.UCB(sigma=0.5), leader=3), network, PAPER, horizon)
    assert of_group.value == pytest.approx(bounds.quack_ucb(network, PAPER, horizon, sigma=0.5, leader=3).value)
    assert bounds.bound_of(quack.DDUCB(sigma=0.5), network, PAPER, horizon) == bounds.dducb(network, PAPER, horizon, sigma=0.5)
    slow = bounds.bound_of(quack.DDUCB(sigma=0.5, accelerated=False), network, PAPER, horizon)
    assert slow.additive > bounds.dducb(network, PAPER, horizon).additive
    robust = bounds.bound_of(quack.QuACK(quack.TruncatedMeanUCB(0.85, 5.67)), network, HEAVY, horizon)
    assert robust.value == pytest.approx(bounds.quack_truncated_mean(network, HEAVY, horizon, epsilon=0.85, u=5.67).value)


def test_agents_alone_and_agents_together():
    """m agents that play n rounds each, and one that plays m·n: 16 σ² log(·)/Δ + 3Δ."""
    network, bandit = NETWORKS["star:16"], quack.Bernoulli([0.9, 0.4])
    alone = bounds.bound_of(quack.Independent(quack.UCB(sigma=0.5)), network, bandit, 1000)
    together = bounds.bound_of(quack.Pooled(quack.UCB(sigma=0.5)), network, bandit, 1000)
    assert alone.value == pytest.approx(16 * (4 * math.log(1000) / 0.5 + 1.5))
    assert together.value == pytest.approx(4 * math.log(16000) / 0.5 + 1.5)


def test_a_bound_along_the_rounds():
    """UCB is told the horizon: its logarithm is always log(mn). UCB1 and DDUCB count: log(mt). No bound is above m t Δ_max."""
    network, bandit = NETWORKS["cycle:16"], quack.Bernoulli([0.9, 0.1])
    rounds = np.array([1, 100, 1000])
    for group, told in (
        (quack.QuACK(quack.UCB(sigma=0.5)), True),
        (quack.QuACK(quack.UCB1()), False),
        (quack.DDUCB(sigma=0.5), False),
    ):
        curve = bounds.bound_of(group, network, bandit, 1000).curve(rounds)
        for t, value in zip(rounds.tolist(), curve, strict=True):
            then = bounds.bound_of(group, network, bandit, 1000 if told else t)
            assert value == pytest.approx(min(then.value, 16 * t * 0.8))


def test_a_curve_of_nothing_to_learn():
    flat = bounds.bound_of(quack.QuACK(quack.UCB1()), NETWORKS["star:16"], quack.Bernoulli([0.5, 0.5]), 10)
    assert flat.value == 0
    assert flat.curve([1, 10]).tolist() == [0, 0]
    one = bounds.bound_of(quack.Independent(quack.UCB1()), quack.networks.path(1), quack.Bernoulli([0.5, 0.4]), 1)
    assert one.leading == 0
    assert one.curve([1])[0] == pytest.approx(0.1)


def test_theorem_1_with_a_guarantee_of_ones_own():
    bandit = quack.Bernoulli([0.5, 0.25])
    bound = bounds.theorem_1(NETWORKS["star:16"], bandit, 100, Guarantee(7.0, 2.0, anytime=True, reference="mine"))
    assert bound == Bound("QuACK", 7.0, 2.0 + 3 * 15 * 0.25, "upper", 100, 1600.0, 16 * 100 * 0.25, "Theorem 1; mine")


class Mine(quack.UCB1):
    """A policy of a user, with his own theorem."""


def test_users_add_their_own_theorems():
    @bounds.guarantee.register
    def _(policy: Mine, environment, plays):
        return Guarantee(1.0, 2.0, anytime=False, reference="mine")

    assert bounds.bound_of(quack.Pooled(Mine()), NETWORKS["star:16"], PAPER, 10).value == 3.0
    assert bounds.bound_of(quack.Pooled(quack.UCB1()), NETWORKS["star:16"], PAPER, 10).value > 1000


STAR = NETWORKS["star:16"]
GAUSSIAN = quack.Gaussian([1.0, 0.0])


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: bounds.quack_ucb(STAR, PAPER, 0), "horizon must be at least 1, not 0"),
        (
            lambda: bounds.quack_ucb(STAR, PAPER, 10, sigma=0.1),
            "sigma is 0.1; the rewards of .* are 0.5-subgaussian, so 0.5 or more",
        ),
        (lambda: bounds.quack_ucb(STAR, HEAVY, 10), "is not known to be subgaussian"),
        (lambda: bounds.quack_ucb(STAR, DUELS, 10), "do not differ by the gaps"),
        (lambda: bounds.theorem_1(STAR, PAPER, 10, -1.0), "alone is -1.0"),
        (lambda: bounds.theorem_1(STAR, PAPER, 10, math.nan), "alone is nan"),
        (lambda: bounds.theorem_1(STAR, PAPER, 10, 1.0, leader=99), "leader must be 'median' or an agent 0 … 15, not 99"),
        (lambda: bounds.quack_truncated_mean(STAR, HEAVY, 10, epsilon=2.0), "epsilon is 2.0; a number in"),
        (lambda: bounds.quack_truncated_mean(STAR, HEAVY, 10, epsilon=0.95), "there is no moment of order 1.95"),
        (lambda: bounds.quack_truncated_mean(STAR, HEAVY, 10, u=1.0), "u is 1.0; E|X|\\^1.85 of .* is 5.66918"),
        (lambda: bounds.quack_truncated_mean(STAR, GAUSSIAN, 10), "the moments of .* are not known"),
        (lambda: bounds.cmp_ucb(STAR, HEAVY, 10, gamma=0), "gamma must be at least 1, not 0"),
        (lambda: bounds.quack_rucb(STAR, PAPER, 10), "is about duels with an arm that beats all others"),
        (
            lambda: bounds.mp_rucb(STAR, quack.Duelling("mslr-no-condorcet"), 10, 1),
            "is about duels with an arm that beats all others",
        ),
        (lambda: bounds.quack_private(STAR, PAPER, 10), "is about PrivateLaplace"),
        (lambda: bounds.bound_of(quack.CoopUCB(), STAR, PAPER, 10), "no bound on the group regret .* for CoopUCB"),
        (lambda: bounds.bound_of(quack.DDUCB(local_updates=True), STAR, PAPER, 10), "without local updates"),
        (lambda: bounds.bound_of(quack.DDUCB(sigma=0.1), STAR, PAPER, 10), "sigma is 0.1"),
    ],
)
def test_what_is_not_proven_is_refused(ask, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        ask()
