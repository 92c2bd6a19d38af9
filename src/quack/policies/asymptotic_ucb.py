"""UCB with the exploration that is asymptotically optimal, without a horizon."""

import math
from typing import Any, NamedTuple

import numpy as np

from quack.kernels import Floats, any_argmax, argmax
from quack.policies.base import check_sizes, positive
from quack.policies.leaps import advance_with_clock

__all__ = ["AsymptoticUCB", "AsymptoticUCBState"]


class AsymptoticUCBState(NamedTuple):
    """What asymptotic UCB remembers."""

    plays: Floats  # N_a
    total: Floats  # sum of the rewards of a
    optimism: Floats  # U_a, +inf before the first play
    rounds: Floats  # one number: t, the round that comes next
    variance: float  # σ²


class AsymptoticUCB(NamedTuple):
    """Play every action once, then the one with the largest optimistic estimate, whose width grows as slowly as it may.

    ::

        U_a = μ̂_a + σ √(2 log f(t) / N_a),    f(t) = 1 + t log² t,    play argmax_a U_a

    t is the round that is decided, on the policy's own clock: one more than the number of plays so far. N_a is the number of
    plays of a, μ̂_a the mean of its rewards; U_a = +∞ while N_a = 0. It needs no horizon.

    Parameters
    ----------
    sigma : float, default 1.0
        Subgaussian parameter of the rewards, > 0; ½ serves all rewards in [0, 1].
    random_ties : bool, default False
        Whether equal estimates are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee, σ = 1: regret after H rounds ≤ Σ_a inf_{0<ε<Δ_a} Δ_a (1 + 5/ε² + 2 (log f(H) + √(π log f(H)) + 1)/(Δ_a − ε)²);
    divided by log H it tends to at most Σ_a 2/Δ_a, which no policy can beat on Gaussian rewards. With σ: σ times the bound for
    gaps Δ_a/σ.

    References
    ----------
    T. Lattimore, C. Szepesvári (2020). "Bandit Algorithms", Algorithm 6 and Theorem 8.1.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.AsymptoticUCB(sigma=0.5), n_actions=2, horizon=100)
    >>> for reward in (1.0, 0.0):
    ...     bandit.update(bandit.select(), reward)
    >>> bandit.state.optimism.round(4).tolist()      # ½ √(2 log(1 + 3 log² 3)) = 0.8748 above the means
    [1.8748, 0.8748]
    """

    sigma: float = 1.0
    random_ties: bool = False

    def init(self, n_actions: int, horizon: int) -> AsymptoticUCBState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        sigma = positive("AsymptoticUCB", "sigma", self.sigma)
        return AsymptoticUCBState(np.zeros(n_actions), np.zeros(n_actions), np.full(n_actions, np.inf), np.ones(1), sigma * sigma)

    def select(self, state: AsymptoticUCBState, rng: np.random.Generator) -> int:
        """Return the action with the largest optimistic estimate; one that was never played comes first."""
        return any_argmax(state.optimism, rng) if self.random_ties else argmax(state.optimism)

    def update(self, state: AsymptoticUCBState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count the play and refresh all estimates: the clock is in each."""
        state.plays[action] += 1.0
        state.total[action] += reward
        state.rounds[0] += 1.0
        level = self.level(state, state.rounds[0])
        for other in range(len(state.plays)):
            plays = state.plays[other]
            if plays > 0.0:
                state.optimism[other] = self.estimate_at(state, state.total[other], plays, level)

    def advance(
        self, state: AsymptoticUCBState, action: int, rewards: Any, most: int, rng: np.random.Generator
    ) -> tuple[int, int]:
        """Learn by leaps."""
        return advance_with_clock(self, state, action, rewards, most, rng)

    def level(self, state: AsymptoticUCBState, rounds: float) -> float:
        """Return N times the square of the width of the confidence interval, at a time."""
        log_t = math.log(rounds)
        return 2.0 * state.variance * math.log(1.0 + rounds * log_t * log_t)

    def estimate_at(self, state: AsymptoticUCBState, total: float, plays: float, level: float) -> float:  # noqa: ARG002 (the signature of all)
        """Return the optimistic estimate of an action."""
        return total / plays + math.sqrt(level / plays)

    def bonus_at(self, state: AsymptoticUCBState, plays: float, level: float) -> float:  # noqa: ARG002
        """Return N times the width of the confidence interval, √(w N): concave in N."""
        return math.sqrt(level * plays)
