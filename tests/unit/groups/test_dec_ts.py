"""Dec-TS against a second program and a central sampler, conservation, bad parameters."""

import math

import numpy as np
import pytest

import gossip_witness as witness
import quack
from gossip_witness import assert_plays, counted, final_state, paper_matrix, played, published_matrix
from quack.networks import complete, cycle, grid, path, star
from quack.sampling import beta_odds
from quack.tape import DRAW, Cell, open_tape

BERNOULLI = quack.Bernoulli([0.7, 0.2, 0.5])
UNIT = quack.UniformRewards([0.2, 0.0, 0.1], [0.9, 0.6, 0.8])
GAUSSIAN = quack.Gaussian([0.6, 0.1, 0.4], sigma=0.7)
NETWORKS = [grid(3, 3), star(6), cycle(5), path(1)]


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.name)
@pytest.mark.parametrize("environment", [BERNOULLI, UNIT], ids=["0 or 1", "between 0 and 1"])
@pytest.mark.parametrize("eta", [None, 1.5])
def test_plays_as_a_second_program(network, environment, eta):
    matrix = paper_matrix(network)
    assert_plays(quack.DecTS(eta), environment, network, 30, lambda world: witness.dec_ts(world, matrix, eta), runs=2)


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.name)
def test_gaussian_form_plays_as_a_second_program(network):
    matrix = paper_matrix(network)
    group = quack.GaussianDecTS(sigma=0.7, prior_mean=0.3, prior_sigma=2.0)
    assert_plays(group, GAUSSIAN, network, 40, lambda world: witness.gaussian_dec_ts(world, matrix, sigma=0.7, prior=(0.3, 2.0)))


def test_rounds_that_overlap_change_nothing():
    network = path(30)
    assert quack.DecTS().place(network, 3, 20).rounds > 1
    assert_plays(quack.DecTS(), BERNOULLI, network, 20, lambda world: witness.dec_ts(world, paper_matrix(network)), runs=1)


def test_on_a_complete_graph_everybody_is_one_central_sampler():
    """All agents draw from one posterior, that of all rewards: Beta(1 + successes, 1 + failures)."""
    m, k, horizon = 6, 3, 40
    for run in range(2):
        world, successes, failures, plays = witness.World(BERNOULLI, run, horizon), np.ones(k), np.ones(k), []
        for t in range(1, horizon + 1):
            actions = []
            for v in range(m):
                pairs = [beta_odds(successes[a], failures[a], Cell(world.tape, DRAW, v * k + a, t)) for a in range(k)]
                actions.append(int(np.argmax([one / (one + other) for one, other in pairs])))
            for v, action in enumerate(actions):
                x = world.reward(v, t, action)
                successes[action] += x
                failures[action] += 1 - x
            plays.append(actions)
        assert np.array_equal(played(quack.DecTS(), BERNOULLI, complete(m), horizon)[run], counted(plays, k))


def test_one_agent_is_thompson_sampling():
    alpha, beta, plays, world = np.ones(3), np.ones(3), [], witness.World(BERNOULLI, 0, 80)
    for t in range(1, 81):
        action = int(np.argmax([world.beta(0, t, a, alpha[a], beta[a]) for a in range(3)]))
        x = world.reward(0, t, action)
        alpha[action] += x
        beta[action] += 1 - x
        plays.append([action])
    assert np.array_equal(played(quack.DecTS(), BERNOULLI, path(1), 80)[0], counted(plays, 3))


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.name)
@pytest.mark.parametrize("horizon", [1, 2, 15])
def test_beliefs_sum_to_the_prior_and_the_plays(network, horizon):
    """Σ_v (α + β) = 2m + m · plays, for each action."""
    state, plays, _ = final_state(quack.DecTS(), UNIT, network, horizon, runs=2)
    m = network.n_agents
    assert np.allclose(state.held.table[horizon % 2].sum(axis=(0, 1)), 2 * m + m * plays)
    assert (state.held.table[horizon % 2] >= 1 - 1e-12).all()


@pytest.mark.parametrize("horizon", [1, 2, 15])
def test_gaussian_beliefs_sum_to_the_prior_and_the_plays(horizon):
    """Σ_v τ = m/σ₀² + m · plays/σ²."""
    network = grid(3, 3)
    state, plays, _ = final_state(quack.GaussianDecTS(sigma=0.5, prior_sigma=2.0), GAUSSIAN, network, horizon, runs=2)
    assert np.allclose(state.held.table[horizon % 2, :, 0].sum(axis=0), 9 / 4 + 9 * plays / 0.25)


def test_as_published():
    """Its matrix: on a grid the plays are those of the published one, and others than those of the paper's."""
    network = grid(3, 3)
    for group, environment, simulate in (
        (quack.DecTS(as_published=True), BERNOULLI, witness.dec_ts),
        (quack.GaussianDecTS(as_published=True), GAUSSIAN, witness.gaussian_dec_ts),
    ):
        assert_plays(group, environment, network, 30, lambda world, it=simulate: it(world, published_matrix(network)), runs=1)
        repaired = counted(simulate(witness.World(environment, 0, 30), paper_matrix(network)), 3)
        assert not np.array_equal(played(group, environment, network, 30, 1)[0], repaired)


def test_published_beliefs_drift_below_the_prior():
    """On a star the published matrix takes from the leaves: parameters fall below ½, which the sampler bears."""
    state, _, _ = final_state(quack.DecTS(as_published=True, eta=0.01), BERNOULLI, star(12), 60)
    assert state.held.table[60 % 2].min() < 0.5
    assert state.held.table[60 % 2].min() > 0.0


@pytest.mark.parametrize("group", [quack.DecTS(), quack.GaussianDecTS()], ids=["Beta", "Gaussian"])
def test_draws_touch_no_rewards(group):
    """What agents draw and what actions pay lie in different cells."""
    assert beta_odds(2.0, 3.0, Cell(open_tape(0, 0), DRAW, 0, 1)) != beta_odds(2.0, 3.0, Cell(open_tape(0, 0), 1, 0, 1))


@pytest.mark.parametrize(
    ("group", "environment", "sentence"),
    [
        (quack.DecTS(), GAUSSIAN, "takes rewards from 0 to 1, but those of Gaussian.* are unbounded"),
        (quack.DecTS(eta=0.0), BERNOULLI, "DecTS: eta is 0.0; a positive finite number"),
        (quack.DecTS(eta=math.inf), BERNOULLI, "DecTS: eta is inf"),
        (quack.DecTS(matrix="max-degree"), BERNOULLI, "would never agree"),
        (quack.GaussianDecTS(eta=-1.0), GAUSSIAN, "GaussianDecTS: eta is -1.0"),
        (quack.GaussianDecTS(sigma=0.0), GAUSSIAN, "GaussianDecTS: sigma is 0.0"),
        (quack.GaussianDecTS(prior_sigma=0.0), GAUSSIAN, "GaussianDecTS: prior_sigma is 0.0"),
        (quack.GaussianDecTS(prior_mean=math.nan), GAUSSIAN, "GaussianDecTS: prior_mean is nan; a finite number"),
    ],
    ids=repr,
)
def test_impossible_parameters(group, environment, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        quack.compare({"it": group}, environment, "cycle:6", 10, 1, 0, progress=False)


def test_weights_below_zero_are_refused():
    for group, environment in (
        (quack.DecTS(matrix="best-constant"), BERNOULLI),
        (quack.GaussianDecTS(matrix="best-constant"), GAUSSIAN),
    ):
        with pytest.raises(quack.SpecError, match="has an entry of -0.6"):
            quack.compare({"it": group}, environment, "star:9", 10, 1, 0, progress=False)
