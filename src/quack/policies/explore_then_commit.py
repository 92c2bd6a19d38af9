"""Explore-then-commit: try everything equally often, then stay with the best for ever."""

import math
import operator
from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, Integers, any_argmax, argmax
from quack.policies.base import check_sizes

__all__ = ["ExploreThenCommit", "ExploreThenCommitState"]


class ExploreThenCommitState(NamedTuple):
    """What explore-then-commit remembers."""

    plays: Floats  # N_a
    total: Floats  # sum of the rewards of a
    mean: Floats  # μ̂_a(mk), once all are played often enough
    committed: Integers  # one number: the action for the rest of the time, −1 while exploring
    exploration: float  # m


class ExploreThenCommit(NamedTuple):
    """Play every action m times in turn, then for ever the one with the largest mean.

    ::

        round t ≤ mk:   action (t − 1) mod k
        later:          argmax_a μ̂_a(mk)

    μ̂_a(mk) is the mean of the m rewards of a. The reference for learning that does not adapt.

    Parameters
    ----------
    exploration : int, optional
        m, at least 1. By default ⌈(H/k)^(2/3)⌉ for the horizon H that the policy sees (m·n inside QuACK), which balances the two
        terms below without knowing the gaps.
    random_ties : bool, default False
        Whether equal means are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee, for 1-subgaussian rewards and mk ≤ H: regret after H rounds ≤ m Σ_a Δ_a + (H − mk) Σ_a Δ_a exp(−m Δ_a²/4). As
    Δ exp(−mΔ²/4) ≤ √(2/(em)), the second term is at most 0.86 k H/√m whatever the gaps: with the default, regret =
    O(k^(4/3) H^(2/3)) for gaps up to 1.

    References
    ----------
    T. Lattimore, C. Szepesvári (2020). "Bandit Algorithms", Algorithm 1 and Theorem 6.1.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.ExploreThenCommit(exploration=2), n_actions=2, horizon=100)
    >>> chosen = []
    >>> for reward in (0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0):
    ...     chosen.append(bandit.select())
    ...     bandit.update(chosen[-1], reward)
    >>> chosen
    [0, 1, 0, 1, 1, 1, 1]
    """

    exploration: int | None = None
    random_ties: bool = False

    def init(self, n_actions: int, horizon: int) -> ExploreThenCommitState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        wanted = math.ceil((horizon / n_actions) ** (2.0 / 3.0)) if self.exploration is None else self.exploration
        try:
            exploration = operator.index(wanted)
        except TypeError:
            exploration = 0
        if exploration < 1:
            raise SpecError(f"ExploreThenCommit: exploration is {self.exploration}; a whole number, at least 1, is accepted")
        return ExploreThenCommitState(
            plays=np.zeros(n_actions),
            total=np.zeros(n_actions),
            mean=np.zeros(n_actions),
            committed=np.full(1, -1, np.int64),
            exploration=float(exploration),
        )

    def select(self, state: ExploreThenCommitState, rng: np.random.Generator) -> int:  # noqa: ARG002 (the protocol's)
        """Return the action committed to, before that the one played least."""
        if state.committed[0] >= 0:
            return int(state.committed[0])
        least = 0
        for action in range(1, len(state.plays)):
            if state.plays[action] < state.plays[least]:
                least = action
        return least

    def update(self, state: ExploreThenCommitState, action: int, reward: float, rng: np.random.Generator) -> None:
        """Count the play, and commit when every action was played often enough."""
        if state.committed[0] >= 0:
            return
        state.plays[action] += 1.0
        state.total[action] += reward
        for other in range(len(state.plays)):
            if state.plays[other] < state.exploration:
                return
            state.mean[other] = state.total[other] / state.plays[other]
        state.committed[0] = any_argmax(state.mean, rng) if self.random_ties else argmax(state.mean)
