"""RUCB: relative upper confidence bounds for duels with a Condorcet winner."""

import math
from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, Integers, kernel, replaces
from quack.policies.base import check_sizes
from quack.policies.pairs import arms, number_of_arms, pair_number

__all__ = ["RUCB", "RUCBState", "upper_bound"]


class RUCBState(NamedTuple):
    """What RUCB remembers, and what it has worked out for the next round."""

    wins: Floats  # W_ij: how often arm i beat arm j
    first: Integers  # first arm of each action
    second: Integers  # second arm of each action
    contender: Integers  # 1 for the arms of C in the next round
    hypothesis: Integers  # the arm in B, or -1
    round: Integers  # t, the next round


@kernel
def upper_bound(wins: Floats, i: int, j: int, width: float) -> float:
    """Return U_ij = W_ij/n_ij + √(width/n_ij): 1 while n_ij = 0, and ½ on the diagonal."""
    if i == j:
        return 0.5
    duels = wins[i, j] + wins[j, i]
    if duels == 0.0:
        return 1.0
    return wins[i, j] / duels + math.sqrt(width / duels)  # type: ignore[no-any-return]


class RUCB(NamedTuple):
    """Let an arm that may still beat all others duel with its most dangerous rival.

    ::

        U_ij = W_ij/n_ij + √(α log t / n_ij),    C = {i : U_ij ≥ ½ for all j},    B ⊆ C with at most one arm
        c: the arm of B with probability ½, else any arm of C outside B;    d = argmax_j U_jc;    duel (c, d)

    W_ij counts how often arm i beat arm j, n_ij = W_ij + W_ji. When C holds one arm, B becomes C; an arm that leaves C leaves B.
    When C is empty, c is any arm. An arm may duel with itself: that is how regret stops.

    Parameters
    ----------
    alpha : float, default 0.51
        Width of the confidence intervals, > ½.
    unordered : bool, default False
        Actions are unordered pairs: half as many queues inside QuACK, half the additive regret. The environment must be so too.

    Notes
    -----
    Actions are duels, see `quack.Duelling`. It needs a Condorcet winner, an arm that beats every other more often than not;
    without one, use `quack.CCB`.

    Guarantee: with probability 1 − δ the regret after T rounds is O(k²) + Σ_j O((Δ_j + Δ_max)/Δ_j²) log T.

    Deviation: among rivals with equal U_jc one is drawn at random, any other arm before c itself, because the paper leaves ties
    open.

    References
    ----------
    M. Zoghi, S. Whiteson, R. Munos, M. de Rijke (2014). "Relative upper confidence bound for the K-armed dueling bandit
    problem." ICML, Algorithm 1 and Theorem 5.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.RUCB(), n_actions=4, horizon=400, seed=0)      # two arms
    >>> for _ in range(400):
    ...     duel = bandit.select()
    ...     bandit.update(duel, [0.0, 1.0, 0.0, 0.0][duel])                        # arm 0 always wins
    >>> bandit.select()                                                            # arm 0 against itself
    0
    """

    alpha: float = 0.51
    unordered: bool = False

    @property
    def duels(self) -> bool:
        """Actions are pairs of arms."""
        return True

    @property
    def needs_condorcet_winner(self) -> bool:
        """Without one it never stops to pay."""
        return True

    @property
    def rewards_within(self) -> tuple[float, float]:
        """1 if the first arm wins, 0 if the second does."""
        return 0.0, 1.0

    def init(self, n_actions: int, horizon: int) -> RUCBState:
        """Check the parameters and return the state before the first round: every arm is a contender."""
        check_sizes(n_actions, horizon)
        if not (math.isfinite(self.alpha) and self.alpha > 0.5):  # noqa: PLR2004 (the paper's condition)
            raise SpecError(f"RUCB: alpha is {self.alpha}; a finite number above 1/2 is accepted")
        k = number_of_arms(self, n_actions, unordered=self.unordered)
        first, second = arms(k, unordered=self.unordered)
        return RUCBState(
            np.zeros((k, k)), first, second, np.ones(k, np.int64), np.full(1, 0 if k == 1 else -1), np.ones(1, np.int64)
        )

    def select(self, state: RUCBState, rng: np.random.Generator) -> int:
        """Return the duel of a contender and its most dangerous rival."""
        k = len(state.contender)
        c = self.challenger(state, rng)
        width = self.alpha * math.log(state.round[0])
        best = -1.0
        d = c
        ties = 0
        for j in range(k):
            if j == c:
                continue
            danger = upper_bound(state.wins, j, c, width)
            if danger > best:
                best = danger
                d = j
                ties = 1
            elif danger == best:
                ties += 1
                if replaces(ties, rng):
                    d = j
        if best < 0.5:  # noqa: PLR2004 (U_cc)
            d = c
        return pair_number(c, d, k, self.unordered)

    def challenger(self, state: RUCBState, rng: np.random.Generator) -> int:
        """Draw c."""
        k = len(state.contender)
        hypothesis = int(state.hypothesis[0])
        size = 0
        for i in range(k):
            size += int(state.contender[i])
        if size == 0:
            return int(rng.random() * k)
        if hypothesis >= 0 and (size == 1 or rng.random() < 0.5):  # noqa: PLR2004 (a fair coin)
            return hypothesis
        place = int(rng.random() * (size if hypothesis < 0 else size - 1))
        for i in range(k):
            if state.contender[i] == 1 and i != hypothesis:
                if place == 0:
                    return i
                place -= 1
        return hypothesis

    def update(self, state: RUCBState, action: int, reward: float, rng: np.random.Generator) -> None:
        """Count the win, and work out C and B for the next round."""
        self.observe(state, action, reward, rng)
        self.tick(state, int(state.round[0]) + 1)

    def observe(self, state: RUCBState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count a win of whomever; the round stays."""
        i, j = state.first[action], state.second[action]
        if i != j:
            state.wins[i, j] += reward
            state.wins[j, i] += 1.0 - reward

    def tick(self, state: RUCBState, t: int) -> None:
        """Begin round t: work out C and B."""
        state.round[0] = t
        k = len(state.contender)
        width = self.alpha * math.log(t)
        size = 0
        last = -1
        for a in range(k):
            state.contender[a] = 1
            for b in range(k):
                if upper_bound(state.wins, a, b, width) < 0.5:  # noqa: PLR2004 (beaten more often than not)
                    state.contender[a] = 0
            if state.contender[a] == 1:
                size += 1
                last = a
        if size == 1:
            state.hypothesis[0] = last
        elif state.hypothesis[0] >= 0 and state.contender[state.hypothesis[0]] == 0:
            state.hypothesis[0] = -1
