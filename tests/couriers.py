"""Networks whose agents pass letters by hand: each round everybody gives its neighbours what it holds, and drops what it knows.

The groups of `quack` that pass messages look back as many rounds as there are hops. Here letters really travel, a hop a round,
with a life that is counted down, and are told apart by who wrote them when. Policies are asked one by one, each with a state of
its own. Both read the same tape, so both must play the same.
"""

import itertools
import math
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from quack.groups.quack import warm_up
from quack.tape import AGENT, Cell, open_tape, policy_generator


class Letter(NamedTuple):
    """What an agent wrote in a round."""

    origin: int
    time: int
    life: int  # how many more hops it may go
    content: Any
    hops: int = 0


class Post:
    """Everybody's letters."""

    def __init__(self, graph, life):
        self.graph, self.life = graph, life
        self.known = {v: set() for v in graph}  # (origin, time) of all letters that an agent has seen
        self.new = {v: [] for v in graph}  # those that it saw first at the start of this round

    def exchange(self, written, t):
        """End round t: everybody sends what it wrote and what was new to it. Letters arrive for the next round."""
        arrived = {v: [] for v in self.graph}
        for v in self.graph:
            own = [Letter(v, t, self.life, written[v])] if v in written else []
            self.known[v].update((letter.origin, letter.time) for letter in own)
            for letter in own + self.new[v]:
                if letter.life > 0:
                    for w in self.graph[v]:
                        arrived[w].append(letter._replace(life=letter.life - 1, hops=letter.hops + 1))
        for v, letters in arrived.items():
            self.new[v] = []
            for letter in letters:
                if (letter.origin, letter.time) not in self.known[v]:
                    self.known[v].add((letter.origin, letter.time))
                    self.new[v].append(letter)
            self.new[v].sort(key=lambda letter: (letter.hops, letter.origin))


class World(NamedTuple):
    """A network, rewards, and the tape that they are read from."""

    graph: Any
    environment: Any
    horizon: int
    seed: int

    @property
    def n_actions(self):
        return len(self.environment.gaps)

    def reward(self, agent, action, t):
        return self.environment.reward(action, Cell(open_tape(self.seed, 0), AGENT, agent, t))

    def anything(self, agent, t):
        return warm_up(open_tape(self.seed, 0), agent, t, self.n_actions)


class Alone:
    """A policy and its own state; its clock counts rewards, or rounds if it can."""

    def __init__(self, policy, world, heard):
        self.policy, self.rng = policy, None
        self.state = policy.init(world.n_actions, heard * world.horizon)
        self.by_rounds = hasattr(policy, "tick")

    def learn(self, action, reward):
        (self.policy.observe if self.by_rounds else self.policy.update)(self.state, action, reward, self.rng)

    def choose(self, t, rng):
        if self.by_rounds:
            self.policy.tick(self.state, t)
        return self.policy.select(self.state, rng)


class RobustUCB:
    """Robust UCB with the truncated mean, from its formula, each mean anew."""

    def __init__(self, world, moment=3.0, epsilon=0.5, radius=0.2):
        self.rewards = [[] for _ in range(world.n_actions)]
        self.moment, self.epsilon, self.radius = moment, epsilon, radius

    def learn(self, action, reward):
        self.rewards[action].append(reward)

    def choose(self, t, rng):
        level, p = 2 * math.log(t), 1 + self.epsilon
        index = []
        for rewards in self.rewards:
            n = len(rewards)
            kept = [x for j, x in enumerate(rewards, 1) if level == 0 or abs(x) <= (self.moment * j / level) ** (1 / p)]
            spread = 4 * self.radius * self.moment ** (1 / p)
            index.append(math.fsum(kept) / n + spread * (level / n) ** (self.epsilon / p) if n else math.inf)
        return index.index(max(index))


def close_ones(graph, life):
    """How many agents there are in the largest ball."""
    return max(len(nx.single_source_shortest_path_length(graph, v, life)) for v in graph)


def everybody_learns(world, life, new_agent, rng=None):
    """MP-UCB: return what everybody played, a row for each round."""
    post = Post(world.graph, life)
    agents = {v: new_agent() for v in world.graph}
    played = []
    for t in range(1, world.horizon + 1):
        actions = {}
        for v, agent in agents.items():
            for letter in post.new[v]:
                agent.learn(*letter.content)
            actions[v] = agent.choose(t, rng)
        seen = {v: (action, world.reward(v, action, t)) for v, action in actions.items()}
        for v, agent in agents.items():
            agent.learn(*seen[v])
        post.exchange(seen, t)
        played.append(list(actions.values()))
    return np.array(played)


def best_leaders(graph, life):
    """The heaviest independent set of the power, by degrees, of equal ones the first; by trying all sets."""
    hops = dict(nx.all_pairs_shortest_path_length(graph))
    degree = {v: sum(0 < hop <= life for hop in hops[v].values()) for v in graph}
    best = None
    for leads in itertools.product((1, 0), repeat=len(graph)):  # in the order in which the first of equal ones comes first
        chosen = [v for v in graph if leads[v]]
        if all(hops[v][w] > life for v, w in itertools.combinations(chosen, 2)):
            weight = sum(degree[v] for v in chosen)
            if best is None or weight > best[0]:
                best = weight, chosen
    return best[1], degree, hops


def leaders_learn(world, life, new_agent, *, follow="degree", before="uniform"):
    """CMP-UCB."""
    leaders, degree, hops = best_leaders(world.graph, life)
    post = Post(world.graph, life)
    chief = {}
    for v in world.graph:
        near = [w for w in leaders if hops[v][w] <= life]
        chief[v] = min(near, key=lambda w: (-degree[w] if follow == "degree" else hops[v][w], w))
    agents = {v: new_agent() for v in world.graph if v in leaders or before == "policy"}
    orders = dict.fromkeys(world.graph, (0, None))  # the latest letter of one's leader: when, what
    played = []
    for t in range(1, world.horizon + 1):
        actions = {}
        for v in world.graph:
            for letter in post.new[v]:
                if letter.origin == chief[v]:
                    orders[v] = max(orders[v], (letter.time, letter.content[0]))
                if v in agents:
                    agents[v].learn(*letter.content)
            if v not in leaders and orders[v][0] > 0:
                actions[v] = orders[v][1]
            elif v in agents:
                actions[v] = agents[v].choose(t, None)
            else:
                actions[v] = world.anything(v, t)
        seen = {v: (action, world.reward(v, action, t)) for v, action in actions.items()}
        for v, agent in agents.items():
            agent.learn(*seen[v])
        post.exchange(seen, t)
        played.append([actions[v] for v in world.graph])
    return np.array(played)


def everybody_duels(world, life, policy):
    """MP-RUCB."""
    rng = policy_generator(world.seed, 0)
    post = Post(world.graph, life)
    states = {v: policy.init(world.n_actions, world.horizon) for v in world.graph}
    played = []
    for t in range(1, world.horizon + 1):
        actions, advice = {}, {}
        for v, state in states.items():
            for letter in post.new[v]:
                action, reward, _ = letter.content
                policy.observe(state, action, reward, rng)
            policy.tick(state, t)
            if state.hypothesis[0] == -1:
                heard = [letter.content[2] for letter in post.new[v]]
                possible = [arm for arm in heard if arm is not None and state.contender[arm]]
                state.hypothesis[0] = possible[0] if possible else -1
            advice[v] = None if state.hypothesis[0] == -1 else int(state.hypothesis[0])
            actions[v] = policy.select(state, rng)
        written = {v: (action, world.reward(v, action, t), advice[v]) for v, action in actions.items()}
        for v, state in states.items():
            policy.observe(state, *written[v][:2], rng)
        post.exchange(written, t)
        played.append(list(actions.values()))
    return np.array(played)


def news_travels(world, leader, leads, shown):
    """FYL and DPE2: `leads(t)` is what the leader does in round t, and what it tells; others play what `shown` makes of that."""
    post = Post(world.graph, len(world.graph))
    latest = dict.fromkeys(world.graph, (0, 0))
    told = 0
    played = []
    for t in range(1, world.horizon + 1):
        for v in world.graph:
            latest[v] = max([latest[v], *((letter.time, letter.content) for letter in post.new[v])])
        action, tells = leads(t)
        played.append([action if v == leader else shown(latest[v][1]) for v in world.graph])
        post.exchange({leader: tells} if tells != told else {}, t)
        told = tells
    return np.array(played)
