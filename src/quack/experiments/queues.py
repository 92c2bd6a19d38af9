"""How long the leader's reward queues are: QuACK is played round by round, in the interpreter, and looked at after each."""

import numpy as np

from quack.environments.base import Environment
from quack.groups.base import open_world
from quack.groups.quack import QuACK
from quack.kernels import Floats
from quack.networks import Network
from quack.tape import open_tape, policy_generator

__all__ = ["longest_queues"]


def longest_queues(group: QuACK, environment: Environment, network: Network, horizon: int, seed: int, run: int) -> Floats:
    """Return the length of the longest reward queue after the leader's play in each round, (horizon,).

    The leader's own reward of the round is in none: it arrives at the start of the next. Lemma 2: no queue is longer than
    2 Σ_w d_w.

    Examples
    --------
    >>> import quack
    >>> star = quack.networks.star(16)
    >>> lengths = longest_queues(quack.QuACK(quack.UCB(sigma=0.5)), quack.Bernoulli([0.5, 0.4]), star, 100, seed=0, run=0)
    >>> int(lengths.max()) <= 2 * quack.networks.total_distance(star, 0)
    True
    """
    n_actions = len(environment.gaps)
    placement = group.place(network, n_actions, horizon)
    world = open_world(environment, open_tape(seed, run))
    state, rng = group.init(placement, world), policy_generator(seed, run)
    plays = np.zeros(n_actions, np.int64)
    longest = np.zeros(horizon)
    for t in range(1, horizon + 1):
        action = group.round(placement, state, world, t, rng, plays)
        waiting = state.queues.waiting.copy()
        waiting[action] -= 1  # the leader's own
        longest[t - 1] = waiting.max()
    return longest
