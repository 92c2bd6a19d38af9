"""Perturbed-history exploration."""

import math
from typing import NamedTuple

import numpy as np

from quack.kernels import Floats, binomial, replaces
from quack.policies.base import check_sizes, positive

__all__ = ["PHE", "PHEState"]


class PHEState(NamedTuple):
    """What perturbed-history exploration remembers."""

    plays: Floats  # N_a
    total: Floats  # S_a, the sum of the rewards of a


class PHE(NamedTuple):
    """Play the action with the largest mean after as many tosses of a fair coin were added to its rewards as it can bear.

    ::

        U_a = (S_a + B)/(N_a + ⌈a N_a⌉),    B ~ Binomial(⌈a N_a⌉, ½),    U_a = +∞ while N_a = 0,    play argmax_a U_a

    S_a is the sum of the N_a rewards of a, in [0, 1].

    Parameters
    ----------
    a : float, default 2.0
        Coins per reward, > 0; the theorem needs a > 2. The default is the authors'; smaller explores less.
    random_ties : bool, default False
        Whether equal means are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee, for a > 2: regret after H rounds = O(Σ_a log(H)/Δ_a), and O(√(kH log H)) whatever the gaps.

    Deviation: equal means go to the lowest action unless `random_ties`, as in all our policies, while the authors' code adds a
    tiny random number to each action's mean.

    References
    ----------
    B. Kveton, C. Szepesvári, M. Ghavamzadeh, C. Boutilier (2019). "Perturbed-history exploration in stochastic multi-armed
    bandits." IJCAI, Algorithm 1 and Theorems 1 and 2.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.PHE(), n_actions=2, horizon=200, seed=0)
    >>> for _ in range(200):
    ...     action = bandit.select()
    ...     bandit.update(action, float(action == 1))
    >>> bandit.select()
    1
    """

    a: float = 2.0
    random_ties: bool = False

    @property
    def rewards_within(self) -> tuple[float, float]:
        """Rewards must lie between 0 and 1."""
        return 0.0, 1.0

    def init(self, n_actions: int, horizon: int) -> PHEState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        positive("PHE", "a", self.a)
        return PHEState(np.zeros(n_actions), np.zeros(n_actions))

    def select(self, state: PHEState, rng: np.random.Generator) -> int:
        """Toss the coins and return the action with the largest mean; one that was never played comes first."""
        best = 0
        largest = -1.0
        ties = 1.0
        for action in range(len(state.plays)):
            mean = math.inf
            if state.plays[action] > 0.0:
                coins = float(math.ceil(self.a * state.plays[action]))
                mean = (state.total[action] + binomial(coins, 0.5, rng)) / (state.plays[action] + coins)
            if mean > largest:
                best = action
                largest = mean
                ties = 1.0
            elif self.random_ties and mean == largest:
                ties += 1.0
                if replaces(ties, rng):
                    best = action
        return best

    def update(self, state: PHEState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count the play."""
        state.plays[action] += 1.0
        state.total[action] += reward
