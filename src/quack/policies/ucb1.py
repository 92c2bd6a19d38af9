"""UCB1, the upper confidence bound of Auer, Cesa-Bianchi and Fischer."""

import math
from typing import NamedTuple

import numpy as np

from quack.kernels import Floats, any_argmax, argmax
from quack.policies.base import check_sizes

__all__ = ["UCB1", "UCB1State"]


class UCB1State(NamedTuple):
    """What UCB1 remembers."""

    plays: Floats  # N_a
    mean: Floats  # μ̂_a
    optimism: Floats  # U_a, +inf before the first play
    rounds: Floats  # one number: t, the number of plays so far


class UCB1(NamedTuple):
    """Play every action once, then the one with the largest optimistic estimate, whose width grows with time.

    ::

        U_a = μ̂_a + √(2 log t / N_a),    play argmax_a U_a

    t = Σ_a N_a is the number of plays so far, on the policy's own clock. For rewards in [0, 1]. It needs no horizon.

    Parameters
    ----------
    random_ties : bool, default False
        Whether equal estimates are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee: regret after H rounds ≤ Σ_a 8 log(H)/Δ_a + (1 + π²/3) Σ_a Δ_a.

    References
    ----------
    P. Auer, N. Cesa-Bianchi, P. Fischer (2002). "Finite-time analysis of the multiarmed bandit problem." Machine Learning 47,
    Theorem 1.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.UCB1(), n_actions=3, horizon=100)
    >>> chosen = []
    >>> for _ in range(6):
    ...     chosen.append(bandit.select())
    ...     bandit.update(chosen[-1], 1.0 if chosen[-1] == 2 else 0.0)
    >>> chosen
    [0, 1, 2, 2, 2, 2]
    """

    random_ties: bool = False

    @property
    def rewards_within(self) -> tuple[float, float]:
        """Rewards must lie between 0 and 1."""
        return 0.0, 1.0

    def init(self, n_actions: int, horizon: int) -> UCB1State:
        """Return the state before the first round."""
        check_sizes(n_actions, horizon)
        return UCB1State(np.zeros(n_actions), np.zeros(n_actions), np.full(n_actions, np.inf), np.zeros(1))

    def select(self, state: UCB1State, rng: np.random.Generator) -> int:
        """Return the action with the largest optimistic estimate; one that was never played comes first."""
        return any_argmax(state.optimism, rng) if self.random_ties else argmax(state.optimism)

    def update(self, state: UCB1State, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count the play, move the mean and refresh all estimates: the clock is in each."""
        plays = state.plays[action] + 1.0
        state.plays[action] = plays
        state.mean[action] += (reward - state.mean[action]) / plays
        state.rounds[0] += 1.0
        log_term = 2.0 * math.log(state.rounds[0])
        for other in range(len(state.plays)):
            if state.plays[other] > 0.0:
                state.optimism[other] = state.mean[other] + math.sqrt(log_term / state.plays[other])
