"""DDUCB against a second program, what a stage knows, conservation, a single agent, the published code, bad parameters."""

import math
from typing import NamedTuple

import numpy as np
import pytest

import gossip_witness as witness
import quack
from gossip_witness import assert_plays, counted, final_state, paper_matrix, played, published_matrix
from quack.networks import complete, cycle, grid, path, star
from quack.tape import normal

BANDIT = quack.Gaussian([0.6, 0.1, 0.4], sigma=0.7)
NETWORKS = [grid(3, 3), star(5), cycle(6), path(1), complete(4)]


@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.name)
@pytest.mark.parametrize("accelerated", [True, False])
@pytest.mark.parametrize("local_updates", [True, False])
def test_plays_as_a_second_program(network, accelerated, local_updates):
    options = {"accelerated": accelerated, "local_updates": local_updates, "sigma": 0.3, "eta": 1.7, "epsilon": 0.03}
    matrix = paper_matrix(network)
    assert_plays(quack.DDUCB(**options), BANDIT, network, 120, lambda world: witness.dducb(world, matrix, **options))


def test_rounds_that_overlap_change_nothing():
    network = path(40)
    assert quack.DDUCB().place(network, 3, 150).rounds > 1
    matrix = paper_matrix(network)
    assert_plays(quack.DDUCB(sigma=0.3), BANDIT, network, 150, lambda world: witness.dducb(world, matrix, sigma=0.3), runs=1)


class Turning(NamedTuple):
    """Action 0 pays much less in some rounds."""

    bad_from: int
    bad_until: int

    @property
    def gaps(self):
        return np.array([0.0, 0.5, 0.6])

    @property
    def reward_range(self):
        return -math.inf, math.inf

    def reward(self, action, cell):
        penalty = 8.0 if action == 0 and self.bad_from <= cell.position <= self.bad_until else 0.0
        return 1.0 - 0.5 * action + 0.1 * normal(cell) - penalty


def test_a_stage_knows_all_but_the_stage_before():
    """ "In stage ℓ the index uses data up to the end of stage ℓ − 2": a stage shows two stages later, not before."""
    network, k = cycle(5), 3
    length = len(quack.DDUCB().place(network, k, 10).steps)
    third = k + 2 * length  # rounds before the third stage
    horizon = third + 3 * length
    calm, shaken = (
        played(quack.DDUCB(sigma=0.1), Turning(first, third + length), network, horizon, 1)[0]
        for first in (horizon + 1, third + 1)
    )
    differ = np.flatnonzero((calm != shaken).any(axis=1)) + 1
    assert differ[0] == third + 2 * length + 1


def test_without_local_updates_everybody_plays_one_action_a_stage():
    network, k = cycle(5), 3
    length = len(quack.DDUCB().place(network, k, 10).steps)
    each = np.diff(played(quack.DDUCB(), BANDIT, network, k + 4 * length, 1)[0], axis=0, prepend=0)
    for stage in range(4):
        rounds = each[k + stage * length : k + (stage + 1) * length]
        assert (rounds == rounds[0]).all()


@pytest.mark.parametrize("options", [{}, {"accelerated": False}, {"local_updates": True}], ids=str)
@pytest.mark.parametrize("network", NETWORKS, ids=lambda network: network.name)
def test_what_is_held_sums_to_what_was_played(options, network):
    """Counts that are being mixed, gathered and finished sum to the plays, at any time; those used are positive."""
    group = quack.DDUCB(**options)
    length = len(group.place(network, 3, 10).steps)
    for horizon in (3, 3 + length, 3 + 3 * length, 3 + 3 * length + length // 2):
        state, plays, _ = final_state(group, BANDIT, network, horizon, runs=2)
        steps = (horizon - 4) % length + 1 if horizon > 3 else 0  # of this stage
        mixing = state.mixing.table[steps % 2]
        held = mixing + state.gathered.table[0] + state.finished.table[0]
        assert np.allclose(held[:, 0].sum(axis=0), plays)
        assert (state.used.table[0][:, 0] > 0).all()


def test_one_agent_is_delayed_ucb():
    """m = 1: stages of one round. The index in round t knows the rewards up to round t − 2 and has s = t − 2, at first k."""
    k, horizon = 3, 200
    for run in range(3):
        world, seen, plays = witness.World(BANDIT, run, horizon), [], []
        for t in range(1, horizon + 1):
            if t <= k:
                action = t - 1
            else:
                known = seen[: max(k, t - 2)]
                total = np.array([sum(x for a, x in known if a == b) for b in range(k)])
                count = np.array([sum(1 for a, _ in known if a == b) for b in range(k)])
                action = int(np.argmax(total / count + 0.3 * np.sqrt(4 * math.log(max(k, t - 2)) / count)))
            seen.append((action, world.reward(0, t, action)))
            plays.append([action])
        assert np.array_equal(played(quack.DDUCB(sigma=0.3), BANDIT, path(1), horizon, 3)[run], counted(plays, k))


@pytest.mark.parametrize("network", [grid(3, 3), cycle(5)], ids=lambda network: network.name)
@pytest.mark.parametrize("accelerated", [True, False])
def test_as_published(network, accelerated):
    matrix = published_matrix(network)
    group = quack.DDUCB(as_published=True, accelerated=accelerated, sigma=0.3)
    assert_plays(
        group, BANDIT, network, 130, lambda world: witness.published_dducb(world, matrix, accelerated=accelerated, sigma=0.3)
    )


DEFECTS = ["local updates", "mixing in every round", "shared memory", "first share", "free plays", "second eigenvalue", "matrix"]


@pytest.mark.parametrize("defect", DEFECTS)
def test_each_published_defect_matters(defect):
    """Taken away, each alone, it changes the plays: so each is really there."""
    network, n = grid(3, 3), 400
    if defect == "second eigenvalue":  # two sides of three that all know each other: −½ is larger than ¼
        network = quack.networks.read([(v, w) for v in range(3) for w in range(3, 6)])
    matrix = published_matrix(network)
    ours = played(quack.DDUCB(as_published=True), BANDIT, network, n, 1)[0]
    if defect == "matrix":
        repaired = witness.published_dducb(witness.World(BANDIT, 0, n), paper_matrix(network))
    else:
        repaired = witness.published_dducb(witness.World(BANDIT, 0, n), matrix, without=defect)
    assert not np.array_equal(ours, counted(repaired, 3)[:n])


@pytest.mark.parametrize(
    ("group", "sentence"),
    [
        (quack.DDUCB(eta=1.0), "DDUCB: eta is 1.0; a finite number above 1"),
        (quack.DDUCB(eta=math.nan), "eta is nan"),
        (quack.DDUCB(sigma=0.0), "DDUCB: sigma is 0.0"),
        (quack.DDUCB(epsilon=0.0), "DDUCB: epsilon is 0.0; a number between 0 and 1"),
        (quack.DDUCB(epsilon=1.0), "DDUCB: epsilon is 1.0; a number between 0 and 1"),
        (quack.DDUCB(epsilon=math.nan), "DDUCB: epsilon is nan"),
        (quack.DDUCB(matrix="max-degree"), "would never agree"),
    ],
    ids=repr,
)
def test_impossible_parameters(group, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        quack.compare({"it": group}, BANDIT, "cycle:6", 10, 1, 0, progress=False)


def test_an_epsilon_beyond_the_theorem_works_with_a_warning():
    with pytest.warns(quack.QuackWarning, match=r"epsilon is 0.3; with eta = 2 its guarantee holds below 0.047619"):
        placement = quack.DDUCB(epsilon=0.3).place(cycle(16), 2, 10)
    assert len(placement.steps) < 21


def test_weights_below_zero_are_fine_within_a_stage():
    assert quack.DDUCB(matrix="best-constant").place(star(9), 3, 10).gossip.own.min() < 0
    assert (played(quack.DDUCB(matrix="best-constant"), BANDIT, star(9), 60)[:, -1].sum(axis=1) == 540).all()
