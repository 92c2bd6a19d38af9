"""What the tests of single-agent policies share: feeding, tracing, frequencies, and regret against a theorem."""

import math

import numpy as np
from hypothesis import strategies as st

import quack

UNLIKELY = 1e-9  # the probability with which a threshold may fail on a right program

histories = st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1)), min_size=1, max_size=30)


def hoeffding(n: int, outcomes: int = 1, width: float = 1.0) -> float:
    """How far the mean of n numbers from an interval may lie from its expectation, for so many means at once."""
    return width * math.sqrt(math.log(2 * outcomes / UNLIKELY) / (2 * n))


def uncertainty(samples, span):
    """How far a mean may be above its expectation: Maurer and Pontil's empirical Bernstein inequality at 1e-9."""
    log_term = math.log(2e9)
    n = len(samples)
    return math.sqrt(2 * samples.var(ddof=1) * log_term / n) + 7 * span * log_term / (3 * (n - 1))


def fed(policy, history, n_actions=3, horizon=100):
    """Return the state after the plays of a history, pairs of action and reward."""
    state = policy.init(n_actions, horizon)
    rng = np.random.default_rng(1)
    for action, reward in history:
        policy.update(state, action, reward, rng)
    return state


def rewards_of(history, n_actions=3):
    """Return the rewards of a history, action by action."""
    return [[x for a, x in history if a == action] for action in range(n_actions)]


def chosen(policy, state):
    """Return what a policy that draws nothing chooses: it gets no generator."""
    return policy.select(state, None)


def trace(policy, pays, rounds, horizon=10):
    """Return the choices of a policy alone when pays[a] are the rewards of a, in their order."""
    bandit, left, choices = quack.Bandit(policy, len(pays), horizon, seed=0), [iter(p) for p in pays], []
    for _ in range(rounds):
        choices.append(bandit.select())
        bandit.update(choices[-1], next(left[choices[-1]]))
    return choices


def frequencies(policy, state, n=20_000, n_actions=3):
    """Return how often each action is chosen from one state."""
    rng = np.random.default_rng(5)
    return np.bincount([policy.select(state, rng) for _ in range(n)], minlength=n_actions) / n


def assert_probabilities(policy, state, probabilities, n=20_000):
    """The frequencies of the choices lie within Hoeffding's distance of the probabilities, at 1e-9 for all at once."""
    assert abs(sum(probabilities) - 1) < 1e-9
    distance = np.abs(frequencies(policy, state, n, len(probabilities)) - probabilities).max()
    assert distance <= hoeffding(n, len(probabilities)), distance


def assert_regret(policy, means, horizon, runs, bound):
    """The mean regret lies below the bound plus Hoeffding's distance, and that below the regret of uniform play."""
    environment = quack.Bernoulli(means)
    result = quack.compare({"it": quack.QuACK(policy)}, environment, "path:1", horizon, runs, 0, progress=False, checkpoints=1)
    threshold = bound + hoeffding(runs, width=horizon * environment.gaps.max())
    assert threshold < horizon * environment.gaps.mean()
    assert result["it"].final.mean() <= threshold
