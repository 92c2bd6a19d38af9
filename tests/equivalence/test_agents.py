"""Agents that know only their neighbours play what `groups/quack.py` plays: the same action of everybody in every round.

The agents are run first. The rewards of each action, in the order in which they entered the leader's log, are then the tape of
the group, which reads them when it pops them. `python tests/equivalence/test_agents.py 1000` compares a thousand networks.
"""

import sys
from typing import NamedTuple

import numpy as np
import pytest

import quack
from quack.agent import Task
from quack.groups.base import open_record, open_world
from quack.groups.quack import warm_up
from quack.simulation.lockstep import Rounds
from quack.tape import AGENT, Cell, open_tape, policy_generator, uniform


class Greedy:
    """A plain Python object, to be wrapped."""

    def __init__(self, n_actions, horizon, rng):
        self.rng, self.plays, self.total = rng, [0] * n_actions, [0.0] * n_actions

    def select(self):
        if self.rng.random() < 0.2:
            return int(self.rng.integers(len(self.plays)))
        return int(np.argmax([total / plays if plays else 2.0 for total, plays in zip(self.total, self.plays, strict=True)]))

    def update(self, action, reward):
        self.plays[action] += 1
        self.total[action] += reward


POLICIES = (
    quack.UCB(sigma=0.5),
    quack.ThompsonSampling(),
    quack.EpsilonGreedy(0.3),
    quack.MOSS(),
    quack.ExploreThenCommit(7),
    quack.from_object(Greedy),
)


class Recorded(NamedTuple):
    """An environment whose rewards were written down before."""

    rewards: list
    gaps: np.ndarray

    @property
    def reward_range(self):
        return 0.0, 1.0

    def reward(self, action, cell):
        return self.rewards[action][cell.position]


def random_connected(rng, most):
    """A random tree with some more edges."""
    m = int(rng.integers(2, most + 1))
    edges = {(int(rng.integers(v)), v) for v in range(1, m)}
    for _ in range(int(rng.integers(0, 2 * m))):
        a, b = sorted(rng.choice(m, 2, replace=False).tolist())
        edges.add((a, b))
    return quack.networks.read(sorted(edges))


def play_agents(network, task, rounds, means):
    """Return the leader, everybody's actions by round, and the rewards of each action in the order of the log."""
    tape = open_tape(task.seed, 9)
    lockstep = Rounds([network.neighbours_of(v) for v in range(network.n_agents)], task)
    actions = [
        lockstep.play(lambda agent, t, action: float(uniform(Cell(tape, AGENT, agent, t)) < means[action])) for _ in range(rounds)
    ]
    log = lockstep.agents[lockstep.leader].lead.log
    return lockstep.leader, actions, [[reward.value for reward in log if reward.action == a] for a in range(task.n_actions)]


def play_group(network, task, rounds, rewards):
    """Return the leader and everybody's actions by round, as the group has them."""
    group = quack.QuACK(task.policy)
    placement = group.place(network, task.n_actions, rounds)
    tape = open_tape(task.seed, task.run)
    world = open_world(Recorded(rewards, np.zeros(task.n_actions)), tape)
    state = group.init(placement, world)
    rng = policy_generator(task.seed, task.run)
    record = open_record(np.array([rounds]), task.n_actions, np.zeros(1, np.int64), np.zeros(1, np.int64))
    distance = quack.networks.distances(network, placement.leader)
    history = []
    for t in range(1, rounds + 1):
        before = record.plays.copy()
        group.round(placement, state, world, t, rng, record.plays)
        actions = tuple(
            int(state.orders[(t - d) % len(state.orders)]) if t > d else warm_up(tape, v, t, task.n_actions)
            for v, d in enumerate(distance)
        )
        assert np.array_equal(np.bincount(actions, minlength=task.n_actions), record.plays - before)  # as it counts
        history.append(actions)
    return placement.leader, history


def compare(seed, most):
    """Play one random network both ways; return the number of agents."""
    rng = np.random.default_rng(seed)
    network = random_connected(rng, most)
    n_actions, rounds = int(rng.integers(2, 6)), int(rng.integers(20, 61))
    task = Task(POLICIES[seed % len(POLICIES)], n_actions, network.n_agents * rounds, seed=seed, low=0.0, high=1.0)
    leader, actions, rewards = play_agents(network, task, rounds, rng.random(n_actions))
    assert (leader, actions) == play_group(network, task, rounds, rewards), f"network {seed}"
    return network.n_agents


@pytest.mark.parametrize("block", range(10))
def test_the_same_action_of_every_agent_in_every_round(block):
    """100 random connected graphs, six policies."""
    for seed in range(10 * block, 10 * block + 10):
        compare(seed, most=64 if seed % 10 == 0 else 24)


if __name__ == "__main__":
    count = int(sys.argv[1])
    sizes = [compare(seed, most=64) for seed in range(count)]
    print(f"the same actions on {count} networks of {min(sizes)} to {max(sizes)} agents")  # noqa: T201
