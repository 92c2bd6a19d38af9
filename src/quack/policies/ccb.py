"""CCB: Copeland confidence bounds, for duels in which no arm need beat all others."""

import math
from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, Integers, kernel, replaces
from quack.policies.base import check_sizes
from quack.policies.pairs import arms, number_of_arms, pair_number
from quack.policies.rucb import upper_bound

__all__ = ["CCB", "CCBState"]

_COIN = 0.5


class CCBState(NamedTuple):
    """What CCB remembers, and what it has worked out for the next round."""

    wins: Floats  # W_ij
    first: Integers  # first arm of each action
    second: Integers  # second arm of each action
    candidate: Integers  # 1 for the arms of 𝓑, which may be Copeland winners
    rival: Integers  # rival[i, j] = 1: j is in 𝓑_i, the arms that are believed to beat i
    most_losses: Integers  # L_C: losses of a Copeland winner, as far as is known
    upper: Integers  # how many others arm i may beat, optimistically
    round: Integers  # t, the next round


@kernel
def lower_bound(wins: Floats, i: int, j: int, width: float) -> float:
    """Return W_ij/n_ij − √(width/n_ij): 0 while n_ij = 0, and ½ on the diagonal."""
    return 1.0 - upper_bound(wins, j, i, width)


@kernel
def start_again(state: CCBState) -> None:
    """Reset disproven hypotheses: every arm is a candidate, nobody a known rival."""
    for i in range(len(state.candidate)):
        state.candidate[i] = 1
        forget_rivals(state, i)
    state.most_losses[0] = len(state.candidate)


@kernel
def forget_rivals(state: CCBState, i: int) -> None:
    """Empty 𝓑_i."""
    for j in range(len(state.candidate)):
        state.rival[i, j] = 0


@kernel
def best_score(state: CCBState) -> int:
    """Return the best optimistic score."""
    best = 0
    for i in range(len(state.upper)):
        best = max(best, int(state.upper[i]))
    return best


@kernel
def reset_if_disproven(state: CCBState, width: float) -> None:
    """Step 2: if an arm believed to beat i certainly loses to it, start again."""
    k = len(state.candidate)
    for i in range(k):
        for j in range(k):
            if state.rival[i, j] == 1 and lower_bound(state.wins, i, j, width) > _COIN:
                start_again(state)
                return


@kernel
def remove_losers(state: CCBState, width: float) -> None:
    """Step 3: an arm that cannot win any more leaves 𝓑, and the arms that certainly beat it are written down."""
    k = len(state.candidate)
    best = 0
    for i in range(k):
        best = max(best, pessimistic_score(state, i, width))
    left = 0
    for i in range(k):
        if state.candidate[i] == 1 and state.upper[i] < best:
            state.candidate[i] = 0
            size = 0
            for j in range(k):
                size += state.rival[i, j]
            if size != state.most_losses[0] + 1:
                for j in range(k):
                    state.rival[i, j] = 1 if upper_bound(state.wins, i, j, width) < _COIN else 0
        left += state.candidate[i]
    if left == 0:
        start_again(state)


@kernel
def pessimistic_score(state: CCBState, i: int, width: float) -> int:
    """Return how many others arm i certainly beats."""
    score = 0
    for j in range(len(state.candidate)):
        if j != i and lower_bound(state.wins, i, j, width) >= _COIN:
            score += 1
    return score


@kernel
def add_winners(state: CCBState, width: float, rng: np.random.Generator) -> None:
    """Step 4: an arm with the best optimistic score, known exactly, is a Copeland winner: it tells how many losses one has."""
    k = len(state.candidate)
    best = best_score(state)
    for i in range(k):
        if state.upper[i] != best or pessimistic_score(state, i, width) != best:
            continue
        state.candidate[i] = 1
        forget_rivals(state, i)
        state.most_losses[0] = k - 1 - best
        for j in range(k):
            if j != i:
                trim(state, j, state.most_losses[0] + 1, rng)


@kernel
def trim(state: CCBState, j: int, allowed: int, rng: np.random.Generator) -> None:
    """Empty 𝓑_j if it is too small to prove anything; keep a random part if it is larger than needed."""
    k = len(state.candidate)
    size = 0
    for a in range(k):
        size += state.rival[j, a]
    if size < allowed:
        forget_rivals(state, j)
        return
    for a in range(k):
        if state.rival[j, a] == 1:
            # Of `size` arms still to be looked at, `allowed` stay: each with the same probability.
            if rng.random() * size < allowed:
                allowed -= 1
            else:
                state.rival[j, a] = 0
            size -= 1


class CCB(NamedTuple):
    """Look for an arm that beats as many others as any arm does, and let its doubtful duels decide.

    ::

        U_ij, L_ij = W_ij/n_ij ± √(α log t / n_ij)
        score of i:  #{j ≠ i : U_ij ≥ ½}, optimistic,    #{j ≠ i : L_ij ≥ ½}, pessimistic
        with probability ¼, a doubtful pair:  duel (i, j) with j ∈ 𝓑_i and L_ij ≤ ½ ≤ U_ij, if there is one;    else
        c: any arm of the best optimistic score; with probability ⅔ any such arm of 𝓑, if there is one
        d = argmax {U_jc : L_jc ≤ ½}; with probability ½ over j ∈ 𝓑_c, if there is one;    duel (c, d)

    W_ij counts how often arm i beat arm j, n_ij = W_ij + W_ji. 𝓑 holds the arms that may still be Copeland winners, 𝓑_i the arms
    believed to beat i, one more of them than the L_C losses of a Copeland winner: they prove that i is none.

    Parameters
    ----------
    alpha : float, default 0.51
        Width of the confidence intervals, > ½.
    unordered : bool, default False
        Actions are unordered pairs: half as many queues inside QuACK. The environment must be made so too.
    random_ties : bool, default False
        Whether rivals with equal U_jc are drawn at random; by default the lowest arm duels.

    Notes
    -----
    Actions are duels, see `quack.Duelling`, with ``regret="copeland"``. A Copeland winner always exists.

    Guarantee: with probability 1 − δ the Copeland regret after T rounds is O((k² + (C + L_C) k log T)/Δ²) for C winners with
    L_C losses.

    Deviation: 𝓑_i is written down when i leaves 𝓑, not for every candidate in every round, as the paper's wording has it;
    public codes differ.

    References
    ----------
    M. Zoghi, Z. Karnin, S. Whiteson, M. de Rijke (2015). "Copeland dueling bandits." NeurIPS, Algorithm 1 and Theorem 3.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.CCB(), n_actions=4, horizon=400, seed=0)       # two arms
    >>> for _ in range(400):
    ...     duel = bandit.select()
    ...     bandit.update(duel, [0.0, 1.0, 0.0, 0.0][duel])                        # arm 0 always wins
    >>> bandit.select()                                                            # arm 0 against itself
    0
    """

    alpha: float = 0.51
    unordered: bool = False
    random_ties: bool = False

    @property
    def duels(self) -> bool:
        """Actions are pairs of arms."""
        return True

    @property
    def rewards_within(self) -> tuple[float, float]:
        """1 if the first arm wins, 0 if the second does."""
        return 0.0, 1.0

    def init(self, n_actions: int, horizon: int) -> CCBState:
        """Check the parameters and return the state before the first round: every arm is a candidate."""
        check_sizes(n_actions, horizon)
        if not (math.isfinite(self.alpha) and self.alpha > _COIN):
            raise SpecError(f"CCB: alpha is {self.alpha}; a finite number above 1/2 is accepted")
        k = number_of_arms(self, n_actions, unordered=self.unordered)
        first, second = arms(k, unordered=self.unordered)
        return CCBState(
            wins=np.zeros((k, k)),
            first=first,
            second=second,
            candidate=np.ones(k, np.int64),
            rival=np.zeros((k, k), np.int64),
            most_losses=np.full(1, k),
            upper=np.full(k, k - 1),
            round=np.ones(1, np.int64),
        )

    def select(self, state: CCBState, rng: np.random.Generator) -> int:
        """Return the duel that tells most."""
        k = len(state.candidate)
        width = self.alpha * math.log(state.round[0])
        if rng.random() < 0.25:  # noqa: PLR2004 (the paper's probability)
            doubtful = self.doubtful_pair(state, width, rng)
            if doubtful >= 0:
                return pair_number(doubtful // k, doubtful % k, k, self.unordered)
        c = self.promising_arm(state, rng)
        known = rng.random() < _COIN
        d = self.rival_of(state, c, width, known, rng)
        if d < 0:
            d = self.rival_of(state, c, width, False, rng)
        return pair_number(c, d, k, self.unordered)

    def doubtful_pair(self, state: CCBState, width: float, rng: np.random.Generator) -> int:
        """Draw one of the pairs i·k + j with j ∈ 𝓑_i whose winner is open, or return -1."""
        k = len(state.candidate)
        chosen = -1
        found = 0
        for i in range(k):
            for j in range(k):
                if state.rival[i, j] == 0 or lower_bound(state.wins, i, j, width) > _COIN:
                    continue
                if upper_bound(state.wins, i, j, width) >= _COIN:
                    found += 1
                    if replaces(found, rng):
                        chosen = i * k + j
        return chosen

    def promising_arm(self, state: CCBState, rng: np.random.Generator) -> int:
        """Draw c among the arms of the best optimistic score, with probability ⅔ among candidates if there are any."""
        best = best_score(state)
        only_candidates = rng.random() < 2.0 / 3.0
        chosen = -1
        chosen_candidate = -1
        found = 0
        found_candidates = 0
        for i in range(len(state.candidate)):
            if state.upper[i] != best:
                continue
            found += 1
            if replaces(found, rng):
                chosen = i
            if state.candidate[i] == 1:
                found_candidates += 1
                if replaces(found_candidates, rng):
                    chosen_candidate = i
        return chosen_candidate if only_candidates and chosen_candidate >= 0 else chosen

    def rival_of(self, state: CCBState, c: int, width: float, known: bool, rng: np.random.Generator) -> int:
        """Return d, the arm that may beat c most clearly, of 𝓑_c or of all; -1 if there is none. Arm c itself always may."""
        chosen = -1
        best = -1.0
        ties = 1
        for j in range(len(state.candidate)):
            if (known and state.rival[c, j] == 0) or lower_bound(state.wins, j, c, width) > _COIN:
                continue
            danger = upper_bound(state.wins, j, c, width)
            if danger > best:
                best = danger
                chosen = j
                ties = 1
            elif self.random_ties and danger == best:
                ties += 1
                if replaces(ties, rng):
                    chosen = j
        return chosen

    def update(self, state: CCBState, action: int, reward: float, rng: np.random.Generator) -> None:
        """Count the win, and work out the hypotheses of the next round (steps 1 to 4)."""
        i, j = state.first[action], state.second[action]
        if i != j:
            state.wins[i, j] += reward
            state.wins[j, i] += 1.0 - reward
        state.round[0] += 1
        width = self.alpha * math.log(state.round[0])
        k = len(state.candidate)
        for a in range(k):
            score = 0
            for b in range(k):
                if a != b and upper_bound(state.wins, a, b, width) >= _COIN:
                    score += 1
            state.upper[a] = score
        reset_if_disproven(state, width)
        remove_losers(state, width)
        add_winners(state, width, rng)
