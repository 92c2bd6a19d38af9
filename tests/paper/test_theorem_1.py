"""Theorem 1 and Corollary 1 as bounds on means, and the warm-up's share."""

import math

import numpy as np
import pytest

import quack
from single_agent import uncertainty
from witness import OFFERED, RANDOM_GRAPH

ENVIRONMENT = quack.Bernoulli([0.5] + [0.45] * 9)
RUNS, HORIZON = 2000, 400


@pytest.mark.parametrize("network", ["cycle:16", "grid:4x4", "star:16", "erdos-renyi:16,0.2,seed=5"])
@pytest.mark.parametrize("policy", [quack.UCB(sigma=0.5), quack.ThompsonSampling()], ids=["UCB", "Thompson"])
def test_group_regret_is_at_most_the_policys_plus_the_price_of_distance(network, policy):
    """ "R_G(n) ≤ S_π(mn) + (3 Σ_w d_vw) Σ_a Δ_a", with S_π(mn) measured by one agent that plays m·n rounds."""
    result = quack.compare(
        {"network": quack.QuACK(policy), "alone": quack.Pooled(policy)},
        ENVIRONMENT,
        network,
        HORIZON,
        RUNS,
        seed=1,
        progress=False,
    )
    graph = quack.networks.read(network)
    distances = quack.networks.distances(graph, quack.networks.median(graph))
    difference = result["network"].final - result["alone"].final  # paired: both met the same luck
    span = 2 * graph.n_agents * HORIZON * ENVIRONMENT.gaps.max()
    price = 3 * distances.sum() * ENVIRONMENT.gaps.sum()
    assert difference.mean() <= price + uncertainty(difference, span)
    assert price < 0.5 * span  # the test could fail


@pytest.mark.parametrize(("network", "bound"), [("cycle:16", 8216.393), ("grid:4x4", 8173.193), ("star:16", 8150.243)])
def test_corollary_1(network, bound):
    """ "R_G(n) ≤ Σ 16σ² ln(mn)/Δ_a + (3 + 3 Σ_w d_vw) Σ Δ_a" for UCB with δ = 1/(mn)²; σ = ½ for Bernoulli rewards, n = 5000."""
    graph = quack.networks.read(network)
    distances = quack.networks.distances(graph, quack.networks.median(graph))
    gaps = ENVIRONMENT.gaps[1:]
    formula = (16 * 0.25 * math.log(16 * 5000) / gaps).sum() + (3 + 3 * distances.sum()) * gaps.sum()
    assert formula == pytest.approx(bound, abs=1e-3)
    final = quack.compare({"it": quack.QuACK(quack.UCB(sigma=0.5))}, ENVIRONMENT, network, 5000, 50, seed=1, progress=False)[
        "it"
    ].final
    # A run's regret is at most m n Δ_max = 4000 < bound here, so the mean alone would be no test: it must stay well below.
    assert final.mean() < bound / 3


@pytest.mark.parametrize("network", ["cycle:16", "path:9"])
def test_warm_up_costs_its_share_of_the_mean_gap(network):
    """Rounds 1 … d_w of a follower are uniform: (Σ_w min(n, d_w)) · (1/k) Σ Δ_a in expectation. Threshold: Hoeffding at 1e-9."""
    graph = quack.networks.read(network)
    distance = quack.networks.distances(graph, quack.networks.median(graph))
    n_actions, runs = len(ENVIRONMENT.gaps), 500
    first = int(distance.max())
    # A policy that always asks for the best action: whatever costs, costs because of the warm-up.
    result = quack.compare(
        {"it": quack.QuACK(quack.from_object(lambda *_: AlwaysBest()))}, ENVIRONMENT, network, first + 3, runs, 3, progress=False
    )["it"]
    warm = distance.sum()
    share = warm * ENVIRONMENT.gaps.sum() / n_actions
    width = ENVIRONMENT.gaps.max() * math.sqrt(warm * math.log(2e9) / (2 * runs))
    assert result.plays[:, -1, 1:].sum(axis=1).max() <= warm
    assert abs(result.final.mean() - share) <= width


class AlwaysBest:
    def select(self):
        return 0

    def update(self, action, reward):
        pass


def test_uniform_play_costs_the_mean_gap():
    """QuACK with the uniform policy: group regret = mn times the mean gap in expectation. Threshold: Hoeffding at 1e-9."""
    runs, plays = 100, 16 * HORIZON
    final = quack.compare({"it": quack.QuACK(quack.Uniform())}, ENVIRONMENT, "grid:4x4", HORIZON, runs, 0, progress=False)[
        "it"
    ].final
    # Each order is one uniform draw played by at most 16 agents: the independent draws are the orders, n a run.
    width = ENVIRONMENT.gaps.max() * 16 * math.sqrt(HORIZON * math.log(2e9) / (2 * runs))
    assert abs(final.mean() - plays * ENVIRONMENT.gaps.mean()) <= width


def test_one_agent_is_the_policy_alone():
    """m = 1: no follower, no delay, no queue that ever holds more than the last reward."""
    for policy in (quack.UCB(sigma=0.5), quack.UCB1(), quack.ThompsonSampling(), quack.GaussianThompsonSampling()):
        result = quack.compare(
            {"network": quack.QuACK(policy), "alone": quack.Pooled(policy)}, ENVIRONMENT, "path:1", 500, 3, seed=2, progress=False
        )
        assert np.array_equal(result["network"].plays, result["alone"].plays)


@pytest.mark.parametrize(("policy", "environment"), OFFERED)
def test_theorem_1_with_any_policy(policy, environment):
    """ "Any single-agent bandit algorithm": the same inequality on a random graph, for whatever policy the package offers."""
    network, horizon, runs = RANDOM_GRAPH, 60, 100
    result = quack.compare(
        {"network": quack.QuACK(policy), "alone": quack.Pooled(policy)},
        environment,
        network,
        horizon,
        runs,
        seed=1,
        progress=False,
        checkpoints=1,
        engine="compiled",
    )
    graph = quack.networks.read(network)
    distances = quack.networks.distances(graph, quack.networks.median(graph))
    difference = result["network"].final - result["alone"].final
    span = 2 * graph.n_agents * horizon * environment.gaps.max()
    price = 3 * distances.sum() * environment.gaps.sum()
    assert difference.mean() <= price + uncertainty(difference, span)
