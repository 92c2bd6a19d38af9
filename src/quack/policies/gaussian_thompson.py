"""Thompson sampling for Gaussian rewards of known variance."""

import math
from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats
from quack.policies.base import check_sizes, positive

__all__ = ["GaussianThompsonSampling", "GaussianThompsonState"]


class GaussianThompsonState(NamedTuple):
    """The posterior of each action."""

    precision: Floats  # 1/σ₀² + N_a/σ²
    weighted: Floats  # precision × posterior mean = μ₀/σ₀² + S_a/σ²
    observation: float  # 1/σ², the precision that one reward adds


class GaussianThompsonSampling(NamedTuple):
    """Play an action with the probability that it is the best, given Gaussian rewards of known variance.

    ::

        τ_a = 1/σ₀² + N_a/σ²,    θ_a ~ N((μ₀/σ₀² + S_a/σ²)/τ_a, 1/τ_a),    play argmax_a θ_a

    S_a is the sum of the N_a rewards of a.

    Parameters
    ----------
    sigma : float, default 1.0
        Standard deviation σ of the rewards, > 0.
    prior_mean, prior_sigma : float, default 0.0 and 1.0
        The prior N(μ₀, σ₀²) of each mean, σ₀ > 0.

    Notes
    -----
    Deviation: a proper prior instead of the flat one that follows a first play of each action, because then a policy has a
    posterior from the start. A large `prior_sigma` comes as close to the flat prior as one likes.

    References
    ----------
    S. Agrawal, N. Goyal (2013). "Further optimal regret bounds for Thompson sampling." AISTATS, Section 1.
    A. Lalitha, A. Goldsmith (2021). "Bayesian algorithms for decentralized stochastic bandits"; its code has this prior, N(0, 1).

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.GaussianThompsonSampling(sigma=0.1), n_actions=2, horizon=50, seed=0)
    >>> for _ in range(50):
    ...     action = bandit.select()
    ...     bandit.update(action, [0.2, 0.8][action])
    >>> bandit.select()
    1
    """

    sigma: float = 1.0
    prior_mean: float = 0.0
    prior_sigma: float = 1.0

    def init(self, n_actions: int, horizon: int) -> GaussianThompsonState:
        """Check the parameters and return the prior."""
        check_sizes(n_actions, horizon)
        sigma = positive("GaussianThompsonSampling", "sigma", self.sigma)
        prior_sigma = positive("GaussianThompsonSampling", "prior_sigma", self.prior_sigma)
        if not math.isfinite(self.prior_mean):
            raise SpecError(f"GaussianThompsonSampling: prior_mean is {self.prior_mean}; a finite number is accepted")
        precision = prior_sigma**-2.0
        return GaussianThompsonState(np.full(n_actions, precision), np.full(n_actions, precision * self.prior_mean), sigma**-2.0)

    def select(self, state: GaussianThompsonState, rng: np.random.Generator) -> int:
        """Draw a mean for each action and return the action with the largest."""
        best = 0
        largest = -math.inf
        for action in range(len(state.precision)):
            precision = state.precision[action]
            theta = state.weighted[action] / precision + rng.standard_normal() / math.sqrt(precision)
            if theta > largest:
                largest = theta
                best = action
        return best

    def update(self, state: GaussianThompsonState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Add one observation to the posterior."""
        state.precision[action] += state.observation
        state.weighted[action] += state.observation * reward
