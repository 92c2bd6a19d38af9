"""UCB for rewards to which Laplace noise was added for privacy."""

import math
from typing import NamedTuple

import numpy as np

from quack.kernels import Floats, any_argmax, argmax
from quack.policies.base import check_sizes, positive

__all__ = ["LaplaceLDPUCB", "LaplaceLDPUCBState"]


class LaplaceLDPUCBState(NamedTuple):
    """What UCB under Laplace noise remembers."""

    plays: Floats  # N_a
    total: Floats  # sum of the noisy rewards of a
    optimism: Floats  # U_a, +inf for an action that is played too rarely
    rounds: Floats  # one number: t, the round that comes next
    spread: float  # (√2 + √32/ε)²


class LaplaceLDPUCB(NamedTuple):
    """Play what was played too rarely, otherwise the action with the largest optimistic estimate, wide enough for the noise.

    ::

        the agent reports   x + Laplace(1/ε)   in place of its reward x ∈ [0, 1]
        U_a = μ̂_a + √(2 log t / N_a) + √(32 log t / (ε² N_a)),    U_a = +∞ while N_a ≤ 4 log(t + 1),    play argmax_a U_a

    μ̂_a is the mean of the N_a reports of a. t is the round that is decided, on the policy's own clock. The reports come from the
    environment ``quack.PrivateLaplace(environment, epsilon)``, which privatises where the reward is observed.

    Parameters
    ----------
    epsilon : float, default 1.0
        Privacy of the reports, > 0: the environment's.
    random_ties : bool, default False
        Whether equal estimates are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee: regret after H rounds ≤ Σ_a 8 (1 + 4/ε)² log(H)/Δ_a + (1 + 2π²/3) Σ_a Δ_a. It is the proof for UCB1 with both
    parts of the estimate's error: in round t the mean of the rewards, and that of the noise, passes its part of the width with
    probability t⁻⁴ at most, the latter because N_a > 4 log t. The authors state O(Σ_a log(H)/(ε² Δ_a)).

    Deviation: an action that was never played comes first, while the authors' code begins with one play of mean 0 on each
    action's account, because those plays never happened.

    References
    ----------
    W. Ren, X. Zhou, J. Liu, N. B. Shroff (2020). "Multi-armed bandits with local differential privacy." arXiv 2007.03121,
    algorithm LDP-UCB-L.
    P. Auer, N. Cesa-Bianchi, P. Fischer (2002). "Finite-time analysis of the multiarmed bandit problem." Machine Learning 47,
    proof of Theorem 1.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.LaplaceLDPUCB(epsilon=2.0), n_actions=2, horizon=100)
    >>> chosen = []
    >>> for _ in range(20):
    ...     chosen.append(bandit.select())
    ...     bandit.update(chosen[-1], 0.5)
    >>> chosen      # the beginning is spent on 4 log(t + 1) plays of each
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0]
    """

    epsilon: float = 1.0
    random_ties: bool = False

    def init(self, n_actions: int, horizon: int) -> LaplaceLDPUCBState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        epsilon = positive("LaplaceLDPUCB", "epsilon", self.epsilon)
        spread = (math.sqrt(2.0) + math.sqrt(32.0) / epsilon) ** 2
        return LaplaceLDPUCBState(np.zeros(n_actions), np.zeros(n_actions), np.full(n_actions, np.inf), np.ones(1), spread)

    def select(self, state: LaplaceLDPUCBState, rng: np.random.Generator) -> int:
        """Return the action with the largest optimistic estimate; one that was played too rarely comes first."""
        return any_argmax(state.optimism, rng) if self.random_ties else argmax(state.optimism)

    def update(self, state: LaplaceLDPUCBState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count the report and refresh all estimates: the clock is in each."""
        state.plays[action] += 1.0
        state.total[action] += reward
        state.rounds[0] += 1.0
        width = state.spread * math.log(state.rounds[0])
        enough = 4.0 * math.log(state.rounds[0] + 1.0)
        for other in range(len(state.plays)):
            plays = state.plays[other]
            if plays > enough:
                state.optimism[other] = state.total[other] / plays + math.sqrt(width / plays)
            else:
                state.optimism[other] = math.inf
