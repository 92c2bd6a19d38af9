"""UCB1, the upper confidence bound of Auer, Cesa-Bianchi and Fischer."""

import math
from typing import Any, NamedTuple

import numpy as np

from quack.kernels import Floats, any_argmax, argmax
from quack.policies.base import check_sizes
from quack.policies.leaps import advance_with_clock

__all__ = ["UCB1", "UCB1State"]


class UCB1State(NamedTuple):
    """What UCB1 remembers."""

    plays: Floats  # N_a
    total: Floats  # sum of the rewards of a
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
        """Count the play and refresh all estimates: the clock is in each."""
        state.plays[action] += 1.0
        state.total[action] += reward
        state.rounds[0] += 1.0
        level = self.level(state, state.rounds[0])
        for other in range(len(state.plays)):
            plays = state.plays[other]
            if plays > 0.0:
                state.optimism[other] = self.estimate_at(state, state.total[other], plays, level)

    def advance(self, state: UCB1State, action: int, rewards: Any, most: int, rng: np.random.Generator) -> tuple[int, int]:
        """Learn by leaps."""
        return advance_with_clock(self, state, action, rewards, most, rng)

    def level(self, state: UCB1State, rounds: float) -> float:  # noqa: ARG002 (the signature of all)
        """Return N times the square of the width of the confidence interval, at a time."""
        return 2.0 * math.log(rounds)

    def estimate_at(self, state: UCB1State, total: float, plays: float, level: float) -> float:  # noqa: ARG002
        """Return the optimistic estimate of an action."""
        return total / plays + math.sqrt(level / plays)

    def bonus_at(self, state: UCB1State, plays: float, level: float) -> float:  # noqa: ARG002
        """Return N times the width of the confidence interval, √(w N): concave in N."""
        return math.sqrt(level * plays)
