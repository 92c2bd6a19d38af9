"""Groups that play several runs at once: interpreted = compiled, and what a run does depends on no neighbour."""

import numpy as np
import pytest

import quack
from quack.simulation.chunk import Chunk, perform

BANDIT = quack.Bernoulli([0.5, 0.3, 0.7, 0.4])
SEED = 2**63 + 5
RUNS = 26  # a block of 24 and a remainder
GROUPS = [
    quack.CoopUCB(sigma=0.5),
    quack.CoopUCB(as_published=True),
    quack.CoopUCB2(sigma=0.5),
    quack.DDUCB(sigma=0.5),
    quack.DDUCB(sigma=0.5, accelerated=False, local_updates=True),
    quack.DDUCB(as_published=True),
    quack.DDUCB(as_published=True, accelerated=False),
    quack.DecTS(),
    quack.DecTS(as_published=True),
    quack.GaussianDecTS(sigma=0.5),
]


@pytest.mark.parametrize("group", GROUPS, ids=repr)
@pytest.mark.parametrize("network", ["erdos-renyi:6,0.5,seed=4", "path:26"])
def test_interpreted_in_other_blocks_equals_compiled(group, network):
    graph, horizon = quack.networks.read(network), 40 if network.startswith("e") else 30
    placement = group.place(graph, 4, horizon)
    checkpoints = np.arange(1, horizon + 1)
    whole = Chunk("it", group, placement, BANDIT, SEED, range(RUNS), checkpoints, compiled=True)
    assert group.together(placement) == 24
    compiled = perform(whole)
    part = perform(whole._replace(runs=range(23, 25), compiled=False))
    assert np.array_equal(compiled.plays[23:25], part.plays)
    assert len({plays.tobytes() for plays in compiled.plays}) > RUNS // 2  # runs differ (in a short one, not all)


def test_large_networks_play_fewer_runs_side_by_side():
    placement = quack.CoopUCB(epsilon_c=0).place(quack.networks.cycle(100_000), 40, 10)
    assert quack.CoopUCB().together(placement) == 2


GOLDEN = [  # plays of each action by 9 agents in 50 rounds, run 0 and run 1: whoever changes one changes published results
    (quack.CoopUCB(sigma=0.5), [[48, 33, 334, 35], [52, 28, 331, 39]]),
    (quack.CoopUCB2(sigma=0.5), [[28, 21, 358, 43], [54, 38, 337, 21]]),
    (quack.DDUCB(sigma=0.5), [[45, 27, 198, 180], [90, 27, 225, 108]]),
    (quack.DDUCB(sigma=0.5, local_updates=True), [[193, 23, 193, 41], [55, 33, 281, 81]]),
    (quack.DecTS(), [[25, 5, 408, 12], [39, 10, 396, 5]]),
    (quack.GaussianDecTS(sigma=0.5), [[31, 11, 398, 10], [29, 16, 390, 15]]),
]


@pytest.mark.parametrize(("group", "plays"), GOLDEN, ids=lambda value: repr(value)[:40])
def test_golden_plays(group, plays):
    result = quack.compare({"it": group}, BANDIT, "grid:3x3", 50, 2, 2024, engine="interpreted", progress=False)
    assert result["it"].plays[:, -1].tolist() == plays


def test_checkpoints_do_not_end_interleaved_rounds():
    placement = GROUPS[0].place(quack.networks.path(26), 4, 30)
    assert placement.rounds > 5
    every = Chunk("it", GROUPS[0], placement, BANDIT, SEED, range(2), np.arange(1, 31), compiled=False)
    few = every._replace(checkpoints=np.array([7, 8, 21, 30]))
    assert np.array_equal(perform(few).plays, perform(every).plays[:, [6, 7, 20, 29]])
