"""Algorithm 1 written a second time, verbatim, with real queues and other randomness: the mean group regret must be the same."""

import math
from collections import deque

import networkx as nx
import numpy as np
import pytest

import quack

MEANS = np.array([0.7, 0.5, 0.4])


def algorithm_1(graph, leader, n, rng, sigma=0.5):
    """Play QuACK-UCB as printed (with erratum E1), agent by agent; return the group regret."""
    m, k = len(graph), len(MEANS)
    distance = nx.single_source_shortest_path_length(graph, leader)
    width = 2 * sigma**2 * math.log((m * n) ** 2)
    plays, total = np.zeros(k), np.zeros(k)
    queues = [deque() for _ in range(k)]
    history = {w: [] for w in graph}  # (action, reward) of round 1, 2, …

    def select():
        return int(np.argmax([total[a] / plays[a] + math.sqrt(width / plays[a]) if plays[a] else math.inf for a in range(k)]))

    def update(action, reward):
        plays[action] += 1
        total[action] += reward

    for t in range(1, n + 1):
        for w in sorted(graph):
            if w != leader and t - distance[w] >= 1:
                action, reward = history[w][t - distance[w] - 1]
                queues[action].append(reward)
        action = select()
        while queues[action]:
            update(action, queues[action].popleft())
            action = select()
        reward = float(rng.random() < MEANS[action])
        update(action, reward)
        history[leader].append((action, reward))
        for w in graph:
            if w != leader:
                played = history[leader][t - distance[w] - 1][0] if t > distance[w] else int(rng.integers(k))
                history[w].append((played, float(rng.random() < MEANS[played])))
    return sum(MEANS.max() - MEANS[a] for rounds in history.values() for a, _ in rounds)


def uncertainty(samples, span):
    """Maurer and Pontil's empirical Bernstein inequality at 1e-9."""
    log_term = math.log(4e9)
    return math.sqrt(2 * samples.var(ddof=1) * log_term / len(samples)) + 7 * span * log_term / (3 * (len(samples) - 1))


@pytest.mark.parametrize("network", ["cycle:7", "star:6", "path:5"])
def test_same_mean_group_regret(network):
    graph = quack.networks.read(network)
    leader, n, runs = quack.networks.median(graph), 60, 400
    rng = np.random.default_rng(11)
    verbatim = np.array([algorithm_1(graph.to_networkx(), leader, n, rng) for _ in range(runs)])
    ours = quack.compare(
        {"it": quack.QuACK(quack.UCB(sigma=0.5))}, quack.Bernoulli(MEANS), network, n, 20 * runs, seed=3, progress=False
    )["it"].final
    span = graph.n_agents * n * (MEANS.max() - MEANS.min())
    assert abs(verbatim.mean() - ours.mean()) <= uncertainty(verbatim, span) + uncertainty(ours, span)
    # Not by luck: their difference is small against its standard error, too.
    error = math.sqrt(verbatim.var() / len(verbatim) + ours.var() / len(ours))
    assert abs(verbatim.mean() - ours.mean()) <= 5 * error
