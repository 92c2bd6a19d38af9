"""Agents that pass messages play what Algorithm 1 says: the same action of every agent in every round."""

from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import pytest

import quack
from quack.appendix.learning import open_game, play
from quack.groups.base import open_world
from quack.groups.quack import warm_up
from quack.tape import open_tape, policy_generator


class Greedy:
    """A class of somebody's own."""

    def __init__(self, n_actions, horizon, rng):
        self.plays = np.zeros(n_actions)
        self.total = np.zeros(n_actions)

    def select(self):
        return int(np.argmax(np.where(self.plays > 0, self.total / np.maximum(self.plays, 1), np.inf)))

    def update(self, action, reward):
        self.plays[action] += 1
        self.total[action] += reward


POLICIES = (
    quack.UCB(sigma=0.5),
    quack.ThompsonSampling(),
    quack.GaussianThompsonSampling(),
    quack.EpsilonGreedy(),
    quack.Uniform(),
    quack.from_object(Greedy),
)


class Recorded(NamedTuple):
    """A world in which the j-th reward of an action is the j-th that reached the leader's queue."""

    rewards: Any

    @property
    def gaps(self):
        return np.zeros(len(self.rewards))

    @property
    def reward_range(self):
        return 0.0, 1.0

    def reward(self, action, cell):
        return float(self.rewards[action][cell.position])


class Situation(NamedTuple):
    network: Any
    policy: Any
    leader: int
    horizon: int
    n_actions: int
    seed: int
    table: np.ndarray  # what each agent is paid, in each round, for each action

    def game(self):
        world = quack.Bernoulli([0.5] * self.n_actions)  # its warm-up only
        game = open_game(self.network, self.policy, world, self.horizon, seed=self.seed, leader=self.leader)

        def senses(agent):
            return game.senses(agent)._replace(reward=lambda action, t: self.table[agent, t - 1, action])

        return game._replace(senses=senses)


def random_graph(rng, m):
    """Draw a connected graph: a tree, deep or bushy, with none, some or many more edges."""
    reach = rng.choice([1, 3, m])
    graph = nx.Graph()
    graph.add_nodes_from(range(m))
    graph.add_edges_from((w, int(rng.integers(max(0, w - reach), w))) for w in range(1, m))
    graph.add_edges_from(rng.integers(0, m, (int(rng.choice([0, 1, m // 2, 2 * m])), 2)).tolist())
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return quack.networks.read(nx.relabel_nodes(graph, dict(enumerate(rng.permutation(m).tolist()))))


def situation(seed, most_agents=64):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, rng.choice([4, 12, most_agents]) + 1))
    network = random_graph(rng, m)
    leader = int(rng.integers(m)) if rng.random() < 0.5 else quack.networks.median(network)
    horizon, n_actions = int(rng.integers(1, 60)), int(rng.integers(1, 6))
    table = rng.random((m, horizon, n_actions)).round(2)
    return Situation(network, POLICIES[seed % len(POLICIES)], leader, horizon, n_actions, seed, table)


def by_algorithm_1(its, rewards):
    """Play the group on recorded rewards, and work out from the distances what everybody does."""
    group = quack.QuACK(its.policy, its.leader)
    placement = group.place(its.network, its.n_actions, its.horizon)
    world = open_world(Recorded(rewards), open_tape(its.seed, 0))
    state, rng = group.init(placement, world), policy_generator(its.seed, 0)
    plays = np.zeros(its.n_actions, np.int64)
    orders = [group.round(placement, state, world, t, rng, plays) for t in range(1, its.horizon + 1)]
    actions = np.empty((its.horizon, its.network.n_agents), int)
    for w, d in enumerate(quack.networks.distances(its.network, its.leader)):
        for t in range(1, its.horizon + 1):
            actions[t - 1, w] = orders[t - d - 1] if t > d else warm_up(world.tape, w, t, its.n_actions)
    assert (np.bincount(actions.ravel(), minlength=its.n_actions) == plays).all()
    return actions


def check(seed, messages, most_agents=64):
    its = situation(seed, most_agents)
    played = play(its.network, its.game(), messages)
    assert (played.actions == by_algorithm_1(its, played.arrived)).all(), f"seed {seed}"
    delays = quack.networks.distances(its.network, its.leader)
    assert sum(map(len, played.arrived)) == sum(np.maximum(its.horizon - np.maximum(delays, 0), 0)), f"seed {seed}"


@pytest.mark.parametrize("first", range(0, 240, 40))
def test_along_the_tree(first):
    for seed in range(first, first + 40):
        check(seed, "tree")


@pytest.mark.parametrize("first", range(0, 240, 40))
def test_by_flooding(first):
    for seed in range(first, first + 40):
        check(seed, "flooding")


def test_by_flooding_everything_that_was_heard_in_the_last_m_rounds():
    """Copies come again and again, and none is queued twice or obeyed late."""
    for seed in range(60):
        check(seed, "flooding as printed", most_agents=12)


def test_all_ways_play_the_same():
    """Algorithm 1 leaves open in which order rewards are queued that arrive in the same round; so here these are equal."""
    for seed in range(60):
        its = situation(seed, most_agents=12)
        arrival = np.arange(its.horizon)[None, :] + quack.networks.distances(its.network, its.leader)[:, None]
        by_arrival = np.random.default_rng(seed).random((arrival.max() + 1, its.n_actions))
        its = its._replace(table=by_arrival[arrival])
        tree, flooding, printed = (play(its.network, its.game(), way) for way in ("tree", "flooding", "flooding as printed"))
        assert (tree.actions == flooding.actions).all()
        assert (tree.actions == printed.actions).all()
        assert all(map(np.array_equal, tree.arrived, flooding.arrived))
