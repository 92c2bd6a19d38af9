"""MOSS: the UCB policy whose worst case is as good as any policy's."""

import math
from typing import Any, NamedTuple

import numpy as np

from quack.kernels import Floats, any_argmax, argmax, kernel
from quack.policies.base import check_sizes, positive
from quack.policies.leaps import advance_alone, advance_with_clock

__all__ = ["MOSS", "MOSSState"]


class MOSSState(NamedTuple):
    """What MOSS remembers."""

    plays: Floats  # N_a
    total: Floats  # sum of the rewards of a
    optimism: Floats  # U_a, +inf before the first play
    rounds: Floats  # one number: the horizon H or, anytime, t, the round that comes next
    width: float  # 4 σ²


@kernel
def moss_estimate(total: float, plays: float, share: float, width: float) -> float:
    """Return the optimistic estimate of an action that was played, given the share H/k of the rounds that is fair."""
    bonus = math.sqrt(width / plays * math.log(share / plays)) if share > plays else 0.0
    return total / plays + bonus


class MOSS(NamedTuple):
    """Play every action once, then the one with the largest optimistic estimate; one played more than its share has no bonus.

    ::

        U_a = μ̂_a + σ √((4/N_a) log⁺(H/(k N_a))),    log⁺ x = max(0, log x),    play argmax_a U_a

    H is the horizon that the policy sees (m·n inside QuACK), k the number of actions, N_a the number of plays of a and μ̂_a the
    mean of its rewards; U_a = +∞ while N_a = 0. Anytime, t stands for H: the round that is decided, on the policy's own clock.

    Parameters
    ----------
    sigma : float, default 1.0
        Subgaussian parameter of the rewards, > 0; ½ serves all rewards in [0, 1], and makes the 4σ² a 1, as other libraries
        have it.
    anytime : bool, default False
        Whether to use the rounds played instead of the horizon.
    random_ties : bool, default False
        Whether equal estimates are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee, with the horizon: regret after H rounds ≤ 39 σ √(kH) + Σ_a Δ_a.

    Deviation: anytime keeps the constant 4σ², because then the two forms differ in the clock only. In the anytime paper's
    notation, (1 + α)/2 for ½-subgaussian rewards, it is α = 1, while its theorem takes α = 1.35.

    References
    ----------
    T. Lattimore, C. Szepesvári (2020). "Bandit Algorithms", Algorithm 7 and Theorem 9.1.
    J.-Y. Audibert, S. Bubeck (2009). "Minimax policies for adversarial and stochastic bandits." COLT (the first MOSS).
    R. Degenne, V. Perchet (2016). "Anytime optimal algorithms in stochastic multi-armed bandits." ICML (MOSS-anytime).

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.MOSS(sigma=0.5), n_actions=2, horizon=100)
    >>> for reward in (1.0, 0.0):
    ...     bandit.update(bandit.select(), reward)
    >>> bandit.state.optimism.round(4).tolist()      # √(log 50) = 1.9779 above the means
    [2.9779, 1.9779]
    """

    sigma: float = 1.0
    anytime: bool = False
    random_ties: bool = False

    def init(self, n_actions: int, horizon: int) -> MOSSState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        sigma = positive("MOSS", "sigma", self.sigma)
        rounds = np.full(1, 1.0 if self.anytime else float(horizon))
        return MOSSState(np.zeros(n_actions), np.zeros(n_actions), np.full(n_actions, np.inf), rounds, 4.0 * sigma * sigma)

    def select(self, state: MOSSState, rng: np.random.Generator) -> int:
        """Return the action with the largest optimistic estimate; one that was never played comes first."""
        return any_argmax(state.optimism, rng) if self.random_ties else argmax(state.optimism)

    def update(self, state: MOSSState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count the play and refresh the action's estimate; anytime, all of them."""
        state.plays[action] += 1.0
        state.total[action] += reward
        if self.anytime:
            state.rounds[0] += 1.0
        share = state.rounds[0] / len(state.plays)
        for other in range(len(state.plays)):
            if other == action or (self.anytime and state.plays[other] > 0.0):
                state.optimism[other] = moss_estimate(state.total[other], state.plays[other], share, state.width)

    def advance(self, state: MOSSState, action: int, rewards: Any, most: int, rng: np.random.Generator) -> tuple[int, int]:
        """Learn by leaps, up to the action's share of the rounds, where its bonus ends."""
        left = state.rounds[0] / len(state.plays) - state.plays[action]
        if left > 0.0:
            most = max(1, int(min(float(most), left)))
        if self.anytime:
            return advance_with_clock(self, state, action, rewards, most, rng)
        return advance_alone(self, state, action, rewards, most, rng)

    def estimate(self, state: MOSSState, total: float, plays: float) -> float:
        """Return the optimistic estimate of an action."""
        return moss_estimate(total, plays, state.rounds[0] / len(state.plays), state.width)

    def bonus(self, state: MOSSState, plays: float) -> float:
        """Return N times the width of the confidence interval now."""
        return self.bonus_at(state, plays, state.rounds[0] / len(state.plays))

    def level(self, state: MOSSState, rounds: float) -> float:
        """Return the share of the rounds that is fair, at a time."""
        return rounds / len(state.plays)

    def estimate_at(self, state: MOSSState, total: float, plays: float, level: float) -> float:
        """Return the optimistic estimate of an action, given the share."""
        return moss_estimate(total, plays, level, state.width)

    def bonus_at(self, state: MOSSState, plays: float, level: float) -> float:
        """Return N times the width of the confidence interval, √(w N log(K/N)): concave in N up to the share K, 0 beyond."""
        return math.sqrt(state.width * plays * math.log(level / plays)) if level > plays else 0.0
