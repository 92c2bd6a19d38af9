"""Coop-UCB and coop-UCB2 against a second program, conservation, a single agent, the published code, bad parameters."""

import math

import numpy as np
import pytest

import gossip_witness as witness
import quack
from gossip_witness import assert_plays, counted, final_state, paper_matrix, played, published_matrix
from quack.networks import cycle, grid, path, star

BANDIT = quack.Gaussian([0.6, 0.1, 0.4, 0.5], sigma=0.7)
NETWORKS = [grid(3, 4), star(7), cycle(6), path(1), quack.networks.erdos_renyi(9, 0.4, seed=2)]


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.name)
def test_plays_as_a_second_program(network):
    matrix = paper_matrix(network)
    extra = witness.centrality(matrix)
    extra = np.zeros(1) + extra
    assert_plays(quack.CoopUCB(sigma=0.7), BANDIT, network, 60, lambda world: witness.coop_ucb(world, matrix, extra, sigma=0.7))


@pytest.mark.parametrize("epsilon_c", [0, 3.5, [0.0, 1, 2, 3, 4, 5, 6]], ids=str)
def test_given_epsilon_c(epsilon_c):
    network = star(7)
    extra = np.broadcast_to(np.array(epsilon_c, float), 7)
    group = quack.CoopUCB(gamma=1.5, epsilon_c=epsilon_c)
    assert_plays(group, BANDIT, network, 50, lambda w: witness.coop_ucb(w, paper_matrix(network), extra, gamma=1.5))


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.name)
@pytest.mark.parametrize("eta", [2.0, 3.2])
def test_coop_ucb_2_plays_as_a_second_program(network, eta):
    matrix, stretch = paper_matrix(network), 1.01 / (1 - eta**2 / 16)

    def simulate(world):
        return witness.coop_ucb(world, matrix, lambda t: math.sqrt(math.log(t - 1)), gamma=stretch, sigma=0.7)

    assert_plays(quack.CoopUCB2(sigma=0.7, eta=eta), BANDIT, network, 60, simulate)


def test_rounds_that_overlap_change_nothing():
    """On long networks several rounds pass over the memory together; checkpoints cut them short."""
    network = path(40)
    placement = quack.CoopUCB().place(network, 4, 50)
    assert placement.rounds > 1
    matrix = paper_matrix(network)
    simulation = counted(witness.coop_ucb(witness.World(BANDIT, 0, 50), matrix, witness.centrality(matrix)), 4)
    for checkpoints in ([50], [5, 6, 7, 20, 31, 50]):
        ours = quack.compare(
            {"it": quack.CoopUCB()},
            BANDIT,
            network,
            50,
            1,
            witness.SEED,
            checkpoints=checkpoints,
            engine="interpreted",
            progress=False,
        )["it"].plays[0]
        assert np.array_equal(ours, simulation[np.array(checkpoints) - 1])


@pytest.mark.parametrize("group", [quack.CoopUCB(), quack.CoopUCB2()], ids=["CoopUCB", "CoopUCB2"])
@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.name)
@pytest.mark.parametrize("horizon", [2, 4, 5, 40])
def test_estimates_sum_to_what_was_played(group, network, horizon):
    """Σ_v n̂ = plays of each action by all agents."""
    state, plays, _ = final_state(group, BANDIT, network, horizon, runs=2)
    held = state.held.table[max(horizon, 5) % 2]  # the first plays are in the place of the round that follows them
    assert np.allclose(held[:, 0].sum(axis=0), plays, atol=1e-9)
    assert (held[:, 0][:, plays.min(axis=1) > 0] > 0).all()


def test_one_agent_is_ucb_with_a_running_clock():
    """m = 1: ŝ/n̂ + σ √(2γ log t / n̂), worked out here from the rewards alone."""
    for run in range(3):
        world, total, count, plays = witness.World(BANDIT, run, 150), np.zeros(4), np.zeros(4), []
        for t in range(1, 151):
            index = total / np.maximum(count, 1) + 0.7 * np.sqrt(2 * 1.01 * math.log(t) / np.maximum(count, 1))
            action = t - 1 if t <= 4 else int(np.argmax(index))
            total[action] += world.reward(0, t, action)
            count[action] += 1
            plays.append([action])
        assert np.array_equal(played(quack.CoopUCB(sigma=0.7), BANDIT, path(1), 150, 3)[run], counted(plays, 4))


PUBLISHED = [grid(3, 3), cycle(5), star(5)]


@pytest.mark.parametrize("network", PUBLISHED, ids=lambda network: network.name)
def test_as_published(network):
    group = quack.CoopUCB(as_published=True)
    placement = group.place(network, 4, 10)
    matrix, extra = placement.gossip.to_scipy().toarray(), placement.extra
    assert np.allclose(matrix, published_matrix(network), atol=1e-15)
    # From the very same bits: where eigenvalues coincide, the last of them decides which eigenvectors come out.
    assert np.allclose(extra, witness.published_centrality(matrix))
    assert_plays(group, BANDIT, network, 40, lambda world: witness.published_coop_ucb(world, matrix, extra))


@pytest.mark.parametrize("defect", ["m gossip steps a round", "free first plays", "ε_c of rows", "matrix"])
def test_each_published_defect_matters(defect):
    """Taken away, each alone, it changes the plays: so each is really there."""
    network = grid(3, 3)
    matrix, group = published_matrix(network), quack.CoopUCB(as_published=True)
    extra = group.place(network, 4, 10).extra
    options = {"m gossip steps a round": {"in_turn": False}, "free first plays": {"free": False}}.get(defect, {})
    if defect == "ε_c of rows":
        extra = witness.centrality(paper_matrix(network))
    if defect == "matrix":
        matrix = paper_matrix(network)
    ours = played(group, BANDIT, network, 120, 1)[0]
    repaired = witness.published_coop_ucb(witness.World(BANDIT, 0, 120), matrix, extra, **options)
    assert not np.array_equal(ours, counted(repaired, 4)[:120])


@pytest.mark.parametrize(
    ("group", "sentence"),
    [
        (quack.CoopUCB(gamma=1.0), "CoopUCB: gamma is 1.0; a finite number above 1"),
        (quack.CoopUCB(gamma=math.inf), "gamma is inf"),
        (quack.CoopUCB(sigma=0.0), "CoopUCB: sigma is 0.0; a positive finite number"),
        (quack.CoopUCB(epsilon_c=[1, 2]), "epsilon_c is array.*; one number, or one for each of 6 agents"),
        (quack.CoopUCB(epsilon_c=[[1] * 6]), "one number, or one for each of 6 agents"),
        (quack.CoopUCB(epsilon_c=[1]), "one number, or one for each of 6 agents"),
        (quack.CoopUCB(epsilon_c="much"), "epsilon_c is 'much'; one number"),
        (quack.CoopUCB(epsilon_c=[[1], [2, 3]]), "one number, or one for each of 6 agents"),
        (quack.CoopUCB(epsilon_c=-1.0), "epsilon_c is -1.0; finite numbers of at least 0"),
        (quack.CoopUCB(epsilon_c=math.nan), "epsilon_c is nan; finite numbers of at least 0"),
        (quack.CoopUCB(matrix="max-degree"), "would never agree"),
        (quack.CoopUCB(matrix="peper"), "no gossip matrix 'peper'. Did you mean 'paper'"),
        (quack.CoopUCB2(gamma=0.5), "CoopUCB2: gamma is 0.5"),
        (quack.CoopUCB2(sigma=-1.0), "CoopUCB2: sigma is -1.0"),
        (quack.CoopUCB2(eta=4.0), "CoopUCB2: eta is 4.0; a number between 0 and 4"),
        (quack.CoopUCB2(eta=0.0), "CoopUCB2: eta is 0.0"),
    ],
    ids=repr,
)
def test_impossible_parameters(group, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        quack.compare({"it": group}, BANDIT, "cycle:6", 10, 1, 0, progress=False)


def test_weights_below_zero_are_refused():
    for group in (quack.CoopUCB(matrix="best-constant"), quack.CoopUCB2(matrix="best-constant")):
        with pytest.raises(quack.SpecError, match="has an entry of -0.6"):
            quack.compare({"it": group}, BANDIT, "star:9", 10, 1, 0, progress=False)
