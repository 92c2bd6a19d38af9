"""UCB for rewards that were privatised to one bit."""

import math
from typing import Any, NamedTuple

import numpy as np

from quack.kernels import Floats, any_argmax, argmax
from quack.policies.base import check_sizes, positive
from quack.policies.leaps import advance_with_clock

__all__ = ["BernoulliLDPUCB", "BernoulliLDPUCBState"]


class BernoulliLDPUCBState(NamedTuple):
    """What UCB on privatised bits remembers."""

    plays: Floats  # N_a
    total: Floats  # sum of the bits of a
    optimism: Floats  # U_a, +inf before the first play
    rounds: Floats  # one number: t, the round that comes next


class BernoulliLDPUCB(NamedTuple):
    """Play every action once, then the one with the largest optimistic estimate of the mean of its privatised bits.

    ::

        the agent reports   Y ~ Bernoulli((x e^ε + 1 − x)/(e^ε + 1))   in place of its reward x ∈ [0, 1]
        U_a = μ̂ʸ_a + √(2 log t / N_a),    play argmax_a U_a

    μ̂ʸ_a is the mean of the N_a bits of a; U_a = +∞ while N_a = 0. t is the round that is decided, on the policy's own clock. The
    order of the means of bits is that of the means of rewards, so nothing is converted back. The bits come from the environment
    ``quack.PrivateBernoulli(environment, epsilon)``, which privatises where the reward is observed.

    Parameters
    ----------
    epsilon : float, default 1.0
        Privacy of the bits, > 0: the environment's. The choice does not depend on it; `estimate` and the guarantee do.
    random_ties : bool, default False
        Whether equal estimates are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee: regret after H rounds ≤ Σ_a 8 log(H)/(c² Δ_a) + (1 + π²/3) Σ_a Δ_a, where c = (e^ε − 1)/(e^ε + 1): it is UCB1 on
    bits, whose gaps are c Δ_a.

    Deviation: an action that was never played comes first, while the authors' code begins with one play of mean 0 on each
    action's account, because those plays never happened.

    References
    ----------
    W. Ren, X. Zhou, J. Liu, N. B. Shroff (2020). "Multi-armed bandits with local differential privacy." arXiv 2007.03121,
    algorithm LDP-UCB-B (mechanism CTB).
    P. Auer, N. Cesa-Bianchi, P. Fischer (2002). "Finite-time analysis of the multiarmed bandit problem." Machine Learning 47,
    Theorem 1 (the guarantee).

    Examples
    --------
    >>> import quack
    >>> policy = quack.BernoulliLDPUCB(epsilon=1.0)
    >>> bandit = quack.Bandit(policy, n_actions=2, horizon=100)
    >>> for bit in (1.0, 0.0):
    ...     bandit.update(bandit.select(), bit)
    >>> bandit.state.optimism.round(4).tolist()      # √(2 log 3) = 1.4823 above the means
    [2.4823, 1.4823]
    >>> round(policy.estimate(bandit.state, 0), 4)      # e/(e − 1)
    1.582
    """

    epsilon: float = 1.0
    random_ties: bool = False

    @property
    def rewards_within(self) -> tuple[float, float]:
        """Bits are 0 and 1."""
        return 0.0, 1.0

    def init(self, n_actions: int, horizon: int) -> BernoulliLDPUCBState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        positive("BernoulliLDPUCB", "epsilon", self.epsilon)
        return BernoulliLDPUCBState(np.zeros(n_actions), np.zeros(n_actions), np.full(n_actions, np.inf), np.ones(1))

    def estimate(self, state: BernoulliLDPUCBState, action: int) -> float:
        """Return the unbiased estimate of an action's mean reward: ((e^ε + 1) μ̂ʸ − 1)/(e^ε − 1); NaN before its first play."""
        if state.plays[action] == 0.0:
            return math.nan
        mean = float(state.total[action] / state.plays[action])
        return mean - (2.0 * mean - 1.0) * math.exp(-self.epsilon) / math.expm1(-self.epsilon)

    def select(self, state: BernoulliLDPUCBState, rng: np.random.Generator) -> int:
        """Return the action with the largest optimistic estimate; one that was never played comes first."""
        return any_argmax(state.optimism, rng) if self.random_ties else argmax(state.optimism)

    def update(self, state: BernoulliLDPUCBState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count the bit and refresh all estimates: the clock is in each."""
        state.plays[action] += 1.0
        state.total[action] += reward
        state.rounds[0] += 1.0
        level = self.level(state, state.rounds[0])
        for other in range(len(state.plays)):
            plays = state.plays[other]
            if plays > 0.0:
                state.optimism[other] = self.estimate_at(state, state.total[other], plays, level)

    def advance(
        self, state: BernoulliLDPUCBState, action: int, rewards: Any, most: int, rng: np.random.Generator
    ) -> tuple[int, int]:
        """Learn by leaps."""
        return advance_with_clock(self, state, action, rewards, most, rng)

    def level(self, state: BernoulliLDPUCBState, rounds: float) -> float:  # noqa: ARG002 (the signature of all)
        """Return N times the square of the width of the confidence interval, at a time."""
        return 2.0 * math.log(rounds)

    def estimate_at(self, state: BernoulliLDPUCBState, total: float, plays: float, level: float) -> float:  # noqa: ARG002
        """Return the optimistic estimate of an action."""
        return total / plays + math.sqrt(level / plays)

    def bonus_at(self, state: BernoulliLDPUCBState, plays: float, level: float) -> float:  # noqa: ARG002
        """Return N times the width of the confidence interval, √(w N): concave in N."""
        return math.sqrt(level * plays)
