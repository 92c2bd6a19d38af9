"""UCB with a fixed confidence parameter."""

import math
from typing import Any, NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, any_argmax, argmax
from quack.policies.base import check_sizes, positive
from quack.policies.leaps import advance_alone

__all__ = ["UCB", "UCBState"]


class UCBState(NamedTuple):
    """What UCB remembers."""

    plays: Floats  # N_a
    total: Floats  # sum of the rewards of a
    optimism: Floats  # U_a, +inf before the first play
    width: float  # 2 σ² log(1/δ)


class UCB(NamedTuple):
    """Play the action with the largest optimistic estimate of its mean.

    ::

        U_a = μ̂_a + σ √(2 log(1/δ) / N_a),    U_a = +∞ while N_a = 0,    play argmax_a U_a

    N_a is the number of plays of a, μ̂_a the mean of its rewards.

    Parameters
    ----------
    sigma : float, default 1.0
        Subgaussian parameter of the rewards, > 0. Bernoulli rewards, and all rewards in [0, 1], are ½-subgaussian: `sigma=0.5`
        explores as much as they need, the default far more.
    delta : float, optional
        Confidence parameter, in (0, 1]. By default 1/H² for the horizon H that the policy sees (m·n inside QuACK), as in
        Corollary 1 of the paper.
    random_ties : bool, default False
        Whether equal estimates are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee, with δ = 1/H²: regret after H rounds ≤ Σ_a 16 σ² log(H)/Δ_a + 3 Σ_a Δ_a.

    The estimate of an action changes only when the action is played: one estimate is recomputed per update.

    References
    ----------
    T. Lattimore, C. Szepesvári (2020). "Bandit Algorithms", Algorithm 3 and Theorem 7.1.

    Examples
    --------
    >>> import numpy as np, quack
    >>> policy = quack.UCB(sigma=0.5)
    >>> state, rng = policy.init(n_actions=2, horizon=100), np.random.default_rng(0)
    >>> for action, reward in [(0, 1.0), (1, 0.0)]:
    ...     policy.update(state, action, reward, rng)
    >>> policy.select(state, rng)
    0
    >>> round(float(state.optimism[0]), 4)      # 1 + ½ √(2 log 100²)
    3.146
    """

    sigma: float = 1.0
    delta: float | None = None
    random_ties: bool = False

    def init(self, n_actions: int, horizon: int) -> UCBState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        positive("UCB", "sigma", self.sigma)
        delta = horizon**-2.0 if self.delta is None else self.delta
        if not 0 < delta <= 1:
            raise SpecError(f"UCB: delta is {self.delta}; a number in (0, 1] is accepted")
        width = 2.0 * self.sigma**2 * math.log(1.0 / delta)
        return UCBState(np.zeros(n_actions), np.zeros(n_actions), np.full(n_actions, np.inf), width)

    def select(self, state: UCBState, rng: np.random.Generator) -> int:
        """Return the action with the largest optimistic estimate."""
        return any_argmax(state.optimism, rng) if self.random_ties else argmax(state.optimism)

    def update(self, state: UCBState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count the play and refresh the action's estimate."""
        plays = state.plays[action] + 1.0
        total = state.total[action] + reward
        state.plays[action] = plays
        state.total[action] = total
        state.optimism[action] = self.estimate(state, total, plays)

    def advance(self, state: UCBState, action: int, rewards: Any, most: int, rng: np.random.Generator) -> tuple[int, int]:
        """Learn by leaps."""
        return advance_alone(self, state, action, rewards, most, rng)

    def estimate(self, state: UCBState, total: float, plays: float) -> float:
        """Return the optimistic estimate of an action."""
        return total / plays + math.sqrt(state.width / plays)

    def bonus(self, state: UCBState, plays: float) -> float:
        """Return N times the width of the confidence interval, √(w N): concave in N."""
        return math.sqrt(state.width * plays)
