"""Thompson sampling for rewards in [0, 1]: Beta posteriors."""

from typing import NamedTuple

import numpy as np

from quack.kernels import Floats
from quack.policies.base import check_sizes, positive

__all__ = ["ThompsonSampling", "ThompsonState"]


class ThompsonState(NamedTuple):
    """The posterior of each action."""

    alpha: Floats  # prior + number of successes
    beta: Floats  # prior + number of failures


class ThompsonSampling(NamedTuple):
    """Play an action with the probability that it is the best, given what was seen.

    ::

        θ_a ~ Beta(α + S_a, β + N_a − S_a),    play argmax_a θ_a

    S_a is the number of successes of a among its N_a plays. A reward x strictly between 0 and 1 counts as one toss of a coin that
    succeeds with probability x, which leaves the mean as it is.

    Parameters
    ----------
    alpha, beta : float, default 1.0
        The prior, > 0; the default is uniform.

    Notes
    -----
    Guarantee, uniform prior: for every ε > 0, regret ≤ (1 + ε) Σ_a Δ_a log(H)/kl(μ_a, μ_⋆) + O(k/ε²).

    References
    ----------
    S. Agrawal, N. Goyal (2012). "Analysis of Thompson sampling for the multi-armed bandit problem." COLT, Algorithm 2 (the coin).
    S. Agrawal, N. Goyal (2013). "Further optimal regret bounds for Thompson sampling." AISTATS, Theorem 1 (the guarantee).

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.ThompsonSampling(), n_actions=2, horizon=200, seed=0)
    >>> for _ in range(200):
    ...     action = bandit.select()
    ...     bandit.update(action, float(action == 1))
    >>> bandit.select()
    1
    """

    alpha: float = 1.0
    beta: float = 1.0

    @property
    def rewards_within(self) -> tuple[float, float]:
        """Rewards must lie between 0 and 1."""
        return 0.0, 1.0

    def init(self, n_actions: int, horizon: int) -> ThompsonState:
        """Check the parameters and return the prior."""
        check_sizes(n_actions, horizon)
        alpha = positive("ThompsonSampling", "alpha", self.alpha)
        beta = positive("ThompsonSampling", "beta", self.beta)
        return ThompsonState(np.full(n_actions, alpha), np.full(n_actions, beta))

    def select(self, state: ThompsonState, rng: np.random.Generator) -> int:
        """Draw a mean for each action and return the action with the largest."""
        best = 0
        largest = -1.0
        for action in range(len(state.alpha)):
            theta = rng.beta(state.alpha[action], state.beta[action])
            if theta > largest:
                largest = theta
                best = action
        return best

    def update(self, state: ThompsonState, action: int, reward: float, rng: np.random.Generator) -> None:
        """Count a success or a failure; toss the coin for a reward between 0 and 1."""
        if 0.0 < reward < 1.0:
            reward = 1.0 if rng.random() < reward else 0.0
        state.alpha[action] += reward
        state.beta[action] += 1.0 - reward
