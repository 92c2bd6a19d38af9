"""The baselines of Section 5 that gossip, and figures that their own authors published."""

import math

import numpy as np
import pytest

import quack
from quack.networks import complete, cycle, grid
from quack.networks.gossip import gossip_matrix

ARMS = [0.2646, 0.6135, 0.8950, 0.5764]


def test_parameters_of_the_experiments():
    """Appendix D: "γ = 1.01", "η = 2", "ε = 1/22" and, for Dec-TS, "η = m" are the defaults."""
    assert quack.CoopUCB().gamma == 1.01
    assert (quack.DDUCB().eta, quack.DDUCB().epsilon, quack.DDUCB().accelerated) == (2.0, 1 / 22, True)
    assert quack.DecTS().place(grid(3, 3), 2, 1).weight == 9.0


def test_the_communication_matrix():
    """Appendix D: "the following doubly stochastic matrix: P = I − (D − M)/(1 + max_v |N_v|)". A path of three by hand."""
    expected = np.array([[2, 1, 0], [1, 1, 1], [0, 1, 2]]) / 3
    assert np.allclose(gossip_matrix(quack.networks.path(3)).to_scipy().toarray(), expected)


@pytest.mark.parametrize(
    ("group", "environment", "network", "horizon", "runs", "published", "tolerance", "noise"),
    [
        # Published curves are means of the rewards' regret; its noise: √(t · Var(X)/m/runs), Var(X) = 0.1 for the best arm, or 1.
        (quack.DecTS(), quack.Bernoulli(ARMS), cycle(64), 100, 2000, 0.98, 0.05, math.sqrt(100 * 0.1 / 64 / 1200)),
        (quack.DecTS(), quack.Bernoulli(ARMS), complete(64), 100, 2000, 0.40, 0.05, math.sqrt(100 * 0.1 / 64 / 1200)),
        (
            quack.GaussianDecTS(),
            quack.Gaussian([0.5] + [0.1] * 16),
            cycle(64),
            800,
            300,
            10.2,
            0.03 * 10.2,
            math.sqrt(800 / 64 / 2000),
        ),
    ],
    ids=["Bernoulli on a cycle", "Bernoulli on a complete graph", "Gaussian on a cycle"],
)
def test_published_regret_of_dec_ts(group, environment, network, horizon, runs, published, tolerance, noise):
    """Read off the plots stored with the authors' code: regret per agent, to the tolerance of the reading.

    Both means lie, by Chebyshev's inequality, within three standard errors of their expectations but for one case in nine.
    """
    result = quack.compare({"it": group}, environment, network, horizon, runs, 1, checkpoints=1, progress=False)["it"]
    regret = result.final / network.n_agents
    error = math.hypot(noise, regret.std(ddof=1) / math.sqrt(runs))
    assert abs(regret.mean() - published) <= tolerance + 3 * error
    assert 2 * error <= tolerance  # the comparison means something
