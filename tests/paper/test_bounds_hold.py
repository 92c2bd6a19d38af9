"""Every bound with all its constants is above the measured mean, in every round, on a cycle, a grid, a star and a random graph.

The instances are so easy, and the games so long, that a bound says much less than uniform play costs: so it could fail.
Threshold: the bound itself, about five times the mean. It is stricter than what the empirical Bernstein inequality would allow
at 1e-9 (`single_agent.uncertainty`), which Theorem 1 with a measured S_π has for threshold.
"""

import numpy as np
import pytest

import quack
from quack.theory import bound_of
from quack.theory.drawing import bound_curves
from single_agent import uncertainty

NETWORKS = ["cycle:16", "grid:4x4", "star:16", "erdos-renyi:16,0.2,seed=5"]
RUNS = 300

EASY = quack.Bernoulli([0.9, 0.1])
TAILS = quack.StudentT([10.0, -10.0], degrees=6.0, scale=np.sqrt(2 / 3))  # variance 1, E X² = 101
DUELS = quack.Duelling([[0.5, 0.9], [0.1, 0.5]])
BITS, NOISE = quack.PrivateBernoulli(EASY, 2.0), quack.PrivateLaplace(EASY, 4.0)

PROVEN = {
    "UCB": (quack.QuACK(quack.UCB(sigma=0.5)), EASY, 600),
    "UCB1": (quack.QuACK(quack.UCB1()), EASY, 600),
    "truncated mean": (quack.QuACK(quack.TruncatedMeanUCB(1.0, 101.0)), TAILS, 600),
    "median of means": (quack.QuACK(quack.MedianOfMeansUCB(1.0, 1.0)), TAILS, 600),
    "private bits": (quack.QuACK(quack.BernoulliLDPUCB(epsilon=2.0)), BITS, 600),
    "Laplace noise": (quack.QuACK(quack.LaplaceLDPUCB(epsilon=4.0)), NOISE, 600),
    "RUCB": (quack.QuACK(quack.RUCB(alpha=2.0)), DUELS, 600),
    "DDUCB": (quack.DDUCB(sigma=0.5), EASY, 1500),
    "pooled": (quack.Pooled(quack.UCB(sigma=0.5)), EASY, 100),
    "independent": (quack.Independent(quack.UCB(sigma=0.5)), EASY, 800),
}


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize(("group", "environment", "horizon"), PROVEN.values(), ids=PROVEN)
def test_the_mean_is_below_its_bound(group, environment, horizon, network):
    graph = quack.networks.read(network)
    result = quack.compare({"it": group}, environment, graph, horizon, RUNS, seed=1, checkpoints=20, progress=False)["it"]
    bound = bound_of(group, graph, environment, horizon)
    assert bound.kind == "upper"
    assert (result.mean <= bound.curve(result.rounds)).all()
    uniform = graph.n_agents * horizon * environment.gaps.mean()
    assert result.mean[-1] < bound.value < 0.25 * uniform


@pytest.mark.parametrize("network", NETWORKS)
def test_theorem_1_holds_in_every_round(network):
    """R_G(t) ≤ S_π(mt) + (3 Σ_w d_vw) Σ_a Δ_a for a policy that is told m·n: S_π(mt) is that of one agent that plays for all."""
    groups = {"network": quack.QuACK(quack.ThompsonSampling()), "alone": quack.Pooled(quack.ThompsonSampling())}
    environment, graph, horizon = quack.Bernoulli([0.9, 0.7]), quack.networks.read(network), 300
    result = quack.compare(groups, environment, graph, horizon, RUNS, seed=1, checkpoints=20, progress=False)
    (curve,), missing = bound_curves(result, groups, environment, graph)
    assert list(missing) == ["alone"]
    price = quack.theory.bounds.price_of_distance(graph, environment)
    for place, t in enumerate(curve.rounds.tolist()):
        most = graph.n_agents * t * 0.2
        assert curve.values[place] == pytest.approx(min(result["alone"].mean[place] + price, most))
        difference = result["network"].regret[:, place] - result["alone"].regret[:, place]  # paired: both met the same luck
        assert difference.mean() <= price + uncertainty(difference, 2 * most)
