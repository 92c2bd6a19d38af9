"""Borda: any policy, on duels with a random opponent."""

from typing import Any, NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Integers
from quack.policies.base import Policy, check_sizes, require_record
from quack.policies.pairs import arms, number_of_arms, pair_number

__all__ = ["Borda", "BordaState"]


class BordaState(NamedTuple):
    """The policy's own state, and the arms of each action."""

    policy: Any
    first: Integers
    n_arms: int


class Borda(NamedTuple):
    """Let a policy choose an arm, and let that arm duel with another, drawn at random.

    ::

        i: the arm that the policy wants;    j uniform among the other arms;    duel (i, j);    tell the policy whether i won

    The policy then sees a bandit whose means are the Borda scores b_i = (1/(k − 1)) Σ_{j≠i} P_ij.

    Parameters
    ----------
    policy : Policy
        Any single-agent policy for rewards 0 and 1. It is told k actions, the arms.

    Notes
    -----
    Actions are ordered duels, see `quack.Duelling`, with ``regret="borda"`` for the regret that it minimises up to the
    opponents' share: the random opponent costs the mean Borda gap in every round, whatever the policy does.

    References
    ----------
    K. Jamieson, S. Katariya, A. Deshpande, R. Nowak (2015). "Sparse dueling bandits." AISTATS, Section 2 (the Borda reduction).

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.Borda(quack.UCB(sigma=0.5)), n_actions=9, horizon=100, seed=0)   # three arms
    >>> first, second = divmod(bandit.select(), 3)
    >>> first, first != second
    (0, True)
    """

    policy: Policy

    @property
    def duels(self) -> bool:
        """Actions are pairs of arms."""
        return True

    @property
    def unordered(self) -> bool:
        """Who is first matters: the policy chose it."""
        return False

    @property
    def rewards_within(self) -> tuple[float, float]:
        """1 if the first arm wins, 0 if the second does."""
        return 0.0, 1.0

    def init(self, n_actions: int, horizon: int) -> BordaState:
        """Return the policy's state over the arms."""
        check_sizes(n_actions, horizon)
        require_record(self.policy)
        if getattr(self.policy, "duels", False):
            raise SpecError(f"Borda takes a policy that plays arms; {self.policy!r} plays duels already")
        k = number_of_arms(self, n_actions, unordered=False)
        return BordaState(self.policy.init(k, horizon), arms(k, unordered=False)[0], k)

    def select(self, state: BordaState, rng: np.random.Generator) -> int:
        """Return the duel of the wanted arm with any other."""
        i = int(self.policy.select(state.policy, rng))
        j = i
        if state.n_arms > 1:
            j = int(rng.random() * (state.n_arms - 1))
            if j >= i:
                j += 1
        return pair_number(i, j, state.n_arms, False)

    def update(self, state: BordaState, action: int, reward: float, rng: np.random.Generator) -> None:
        """Tell the policy whether its arm won."""
        self.policy.update(state.policy, int(state.first[action]), reward, rng)
