"""Uniform play: the reference that learns nothing."""

from typing import NamedTuple

import numpy as np

from quack.policies.base import check_sizes

__all__ = ["Uniform", "UniformState"]


class UniformState(NamedTuple):
    """What uniform play needs to know."""

    n_actions: int


class Uniform(NamedTuple):
    """Play each action with probability 1/k, whatever the rewards.

    Its regret after H rounds is H times the mean gap, exactly in expectation: a check for every simulator, and the line above
    which an algorithm is worse than none.

    References
    ----------
    T. Lattimore, C. Szepesvári (2020). "Bandit Algorithms", Section 4.4 (the regret of a policy as a sum of gaps).

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.Uniform(), n_actions=5, horizon=10, seed=0)
    >>> [bandit.select() for _ in range(5)]
    [3, 1, 0, 0, 4]
    """

    def init(self, n_actions: int, horizon: int) -> UniformState:
        """Return the only state."""
        check_sizes(n_actions, horizon)
        return UniformState(n_actions)

    def select(self, state: UniformState, rng: np.random.Generator) -> int:
        """Return any action."""
        return int(rng.random() * state.n_actions)

    def update(self, state: UniformState, action: int, reward: float, rng: np.random.Generator) -> None:
        """Learn nothing."""
