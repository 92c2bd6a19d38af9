"""A policy to copy: fill in three methods, then run `quack check skeleton_policy:SkeletonPolicy` beside this file.

The text runs interpreted and compiled. The rules:

* parameters are fields, numbers with defaults; the state is a NamedTuple of arrays (and of numbers that never change);
* `init` checks the parameters and makes the arrays, all that will ever be needed; it is never compiled;
* `select` changes nothing but `rng`; `update` writes into the arrays and returns nothing;
* loops are fine, and faster than NumPy expressions, which make new arrays; logarithms and roots come from `math`;
* a function that these methods call carries the mark `@quack.kernel`.
"""

import math
from typing import NamedTuple

import numpy as np

import quack
from quack.kernels import Floats
from quack.policies.base import check_sizes


class SkeletonState(NamedTuple):
    """What the policy remembers."""

    plays: Floats  # N_a
    total: Floats  # S_a, the sum of the rewards of a


@quack.kernel
def mean_of(total: float, plays: float) -> float:
    """Return the mean of an action's rewards, +∞ before the first play: such an action is tried first."""
    return total / plays if plays > 0 else math.inf


class SkeletonPolicy(NamedTuple):
    """Explore at random with probability ε, otherwise play the action with the best mean so far.

    ::

        with probability ε: any action, uniformly;    else argmax_a S_a / N_a

    Parameters
    ----------
    epsilon : float, default 0.1
        Probability of a random play, in [0, 1].

    References
    ----------
    R. S. Sutton, A. G. Barto (2018). "Reinforcement Learning", Section 2.2.

    Examples
    --------
    >>> bandit = quack.Bandit(SkeletonPolicy(epsilon=0.0), n_actions=2, horizon=10, seed=0)
    >>> for reward in (0.0, 1.0):
    ...     bandit.update(bandit.select(), reward)
    >>> bandit.select()
    1
    """

    epsilon: float = 0.1

    def init(self, n_actions: int, horizon: int) -> SkeletonState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        if not 0 <= self.epsilon <= 1:
            raise quack.SpecError(f"SkeletonPolicy: epsilon is {self.epsilon}; a number in [0, 1] is accepted")
        return SkeletonState(np.zeros(n_actions), np.zeros(n_actions))

    def select(self, state: SkeletonState, rng: np.random.Generator) -> int:
        """Return the action to play."""
        n_actions = len(state.plays)
        if rng.random() < self.epsilon:
            return int(rng.random() * n_actions)
        best = 0
        largest = -math.inf
        for action in range(n_actions):
            mean = mean_of(state.total[action], state.plays[action])
            if mean > largest:
                largest = mean
                best = action
        return best

    def update(self, state: SkeletonState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Learn from a reward."""
        state.plays[action] += 1.0
        state.total[action] += reward
