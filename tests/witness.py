"""A witness of QuACK: plays it in the interpreter, round by round, and works out by itself what every agent must have done.

The witness uses the group for the leader's decisions only. What followers play, when their rewards arrive and how long the queues
must be follows from Algorithm 1 and the distances, agent by agent, with none of the group's shortcuts (layers, rings, counts).
"""

from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import pytest
from hypothesis import strategies as st

import quack
from quack.experiments.expressions import names
from quack.groups.base import open_world
from quack.groups.quack import warm_up
from quack.tape import open_tape, policy_generator


class Diary(NamedTuple):
    """A policy that writes down what it is fed."""

    policy: Any
    entries: list

    interpreted_only = True

    def init(self, n_actions, horizon):
        return self.policy.init(n_actions, horizon)

    def select(self, state, rng):
        return self.policy.select(state, rng)

    def update(self, state, action, reward, rng):
        self.entries.append((action, reward))
        self.policy.update(state, action, reward, rng)


class Testimony(NamedTuple):
    """What happened; index 0 of the first axis is round 1."""

    distance: np.ndarray  # (agents,)
    actions: np.ndarray  # (rounds, agents): what everybody played, by Algorithm 1
    counted: np.ndarray  # (rounds, actions): the group's own count of plays up to each round
    queued: np.ndarray  # (rounds, actions): queue lengths when the leader played
    consumed: np.ndarray  # (rounds, actions): T'_a(s_t), the leader's own reward of round t included
    diary: list  # (action, reward) as the policy was fed

    def plays(self, action: int, agent: int, t: int) -> int:
        """T_aw(t): plays of an action by an agent up to round t."""
        return int((self.actions[: max(t, 0), agent] == action).sum())

    def delivered(self, action: int, t: int) -> int:
        """Σ_w T_aw(t − d_w): rewards of an action that have reached the leader by round t."""
        return sum(self.plays(action, w, t - d) for w, d in enumerate(self.distance))


def observe(network, policy, environment, horizon, *, seed=0, run=0, leader="median") -> Testimony:
    """Play one run of QuACK and testify."""
    entries: list = []
    group = quack.QuACK(Diary(policy, entries), leader)
    graph = quack.networks.read(network)
    n_actions = len(environment.gaps)
    placement = group.place(graph, n_actions, horizon)
    world = open_world(environment, open_tape(seed, run))
    state, rng = group.init(placement, world), policy_generator(seed, run)
    distance = np.array([nx.shortest_path_length(graph.to_networkx(), placement.leader, w) for w in range(graph.n_agents)])

    actions = np.zeros((horizon, graph.n_agents), int)
    counted, queued, consumed = (np.zeros((horizon, n_actions), int) for _ in range(3))
    plays = np.zeros(n_actions, np.int64)
    for t in range(1, horizon + 1):
        ordered = group.round(placement, state, world, t, rng, plays)
        own = np.eye(n_actions, dtype=int)[ordered]
        counted[t - 1] = plays
        queued[t - 1] = state.queues.waiting - own
        consumed[t - 1] = state.queues.reader.read + own
        for w, d in enumerate(distance):
            if d == 0:
                actions[t - 1, w] = ordered
            elif t > d:
                actions[t - 1, w] = actions[t - d - 1, placement.leader]
            else:
                actions[t - 1, w] = warm_up(world.tape, w, t, n_actions)
    return Testimony(distance, actions, counted, queued, consumed, entries)


@st.composite
def connected_graphs(draw, most_agents=9):
    """Any connected graph: a random tree and some more edges."""
    m = draw(st.integers(1, most_agents))
    parents = [draw(st.integers(0, w - 1)) for w in range(1, m)]
    graph = nx.Graph()
    graph.add_nodes_from(range(m))
    graph.add_edges_from((w, parent) for w, parent in enumerate(parents, 1))
    if m > 2:
        vertices = st.integers(0, m - 1)
        more = draw(st.lists(st.tuples(vertices, vertices), max_size=m))
        graph.add_edges_from((v, w) for v, w in more if v != w)
    return quack.networks.read(graph)


CORE = (quack.UCB(sigma=0.5), quack.UCB1(), quack.ThompsonSampling(), quack.GaussianThompsonSampling(), quack.Uniform())
POLICIES = (
    *CORE,
    quack.AsymptoticUCB(sigma=0.5),
    quack.MOSS(sigma=0.5),
    quack.KLUCB(),
    quack.Giro(),
    quack.PHE(),
    quack.MaillardSampling(),
    quack.EpsilonGreedy(),
    quack.ExploreThenCommit(),
)

DUELS = quack.Duelling("cyclic")
HEAVY = quack.StudentT([1.0, 0.0], degrees=3.0)
FITTING = {  # what a policy is made of or meets, where it is not the plain one
    "Borda": (quack.Borda(quack.UCB(sigma=0.5)), DUELS),
    "CCB": (quack.CCB(), DUELS),
    "RUCB": (quack.RUCB(), DUELS),
    "CatoniUCB": (quack.CatoniUCB(moment=3.0, radius=0.3), HEAVY),
    "MedianOfMeansUCB": (quack.MedianOfMeansUCB(radius=0.1), HEAVY),
    "TruncatedMeanUCB": (quack.TruncatedMeanUCB(radius=0.1), HEAVY),
    "BernoulliLDPUCB": (quack.BernoulliLDPUCB(), quack.PrivateBernoulli(quack.Bernoulli([0.8, 0.3]), 1.0)),
    "LaplaceLDPUCB": (quack.LaplaceLDPUCB(), quack.PrivateLaplace(quack.Bernoulli([0.8, 0.3]), 1.0)),
}

RANDOM_GRAPH = "erdos-renyi:12,0.25,seed=3"
OFFERED = [  # every policy of the package, found, not listed, with rewards that fit it
    pytest.param(*(FITTING.get(name) or (policy(), quack.Bernoulli([0.8, 0.5, 0.4]))), id=name)
    for name, policy in names()["policy"].items()
    if name != "from_object"
]


@st.composite
def situations(draw):
    """Any connected graph with a leader, policy, bandit, horizon and seed."""
    network = draw(connected_graphs())
    n_actions = draw(st.integers(1, 4))
    means = draw(st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0]), min_size=n_actions, max_size=n_actions))
    return {
        "network": network,
        "policy": draw(st.sampled_from(POLICIES)),
        "environment": quack.Bernoulli(means),
        "horizon": draw(st.integers(1, 30)),
        "seed": draw(st.integers(0, 2**64 - 1)),
        "leader": draw(st.integers(0, network.n_agents - 1)),
    }
