"""Duels: an action is a pair of arms, and the reward says whether the first one won."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from quack.environments.preferences import named_matrix
from quack.errors import SpecError, nearest
from quack.kernels import Floats
from quack.policies.pairs import arms
from quack.tape import Cell, uniform

__all__ = ["Duelling", "borda_scores", "condorcet_winner", "copeland_scores"]


def condorcet_winner(matrix: Floats) -> int | None:
    """Return the arm that beats every other more often than not, or None."""
    wins = (matrix > 0.5).sum(axis=1)  # noqa: PLR2004 (more often than not)
    winner = int(np.argmax(wins))
    return winner if wins[winner] == len(matrix) - 1 else None


def copeland_scores(matrix: Floats) -> Floats:
    """Return for each arm the share of the others that it beats."""
    return np.asarray((matrix > 0.5).sum(axis=1) / max(len(matrix) - 1, 1))  # noqa: PLR2004 (more often than not)


def borda_scores(matrix: Floats) -> Floats:
    """Return for each arm the mean probability of beating another."""
    return np.asarray((matrix.sum(axis=1) - 0.5) / max(len(matrix) - 1, 1))


def _condorcet_losses(matrix: Floats) -> Floats:
    """Return Δ_i = P_⋆i − ½, what the Condorcet winner has over each arm."""
    winner = condorcet_winner(matrix)
    if winner is None:
        raise SpecError("Duelling: no arm beats all others, so this regret means nothing; regret='copeland' and 'borda' do")
    return np.asarray(matrix[winner] - 0.5)


def _losses(matrix: Floats, regret: str) -> tuple[Floats, Any]:
    """Return what each arm costs by itself, and how the costs of the two of a duel combine."""
    if regret in ("average", "weak", "strong"):
        combine = {"average": lambda i, j: (i + j) / 2, "weak": np.minimum, "strong": np.maximum}[regret]
        return _condorcet_losses(matrix), combine
    scores = copeland_scores(matrix) if regret == "copeland" else borda_scores(matrix)
    return scores.max() - scores, lambda i, j: (i + j) / 2


class _Fields(NamedTuple):
    matrix: Floats
    probability: Floats  # of reward 1, by action
    cost: Floats  # Δ by action
    regret: str
    unordered: bool


class Duelling(_Fields):
    """Action (i, j) is a duel of two arms; it pays 1 if i wins, with probability P_ij, and 0 otherwise.

    ::

        average   Δ_(i,j) = (Δ_i + Δ_j)/2      weak  min(Δ_i, Δ_j)      strong  max(Δ_i, Δ_j),      Δ_i = P_⋆i − ½
        copeland  c_⋆ − (c_i + c_j)/2,  c_i: share of the others that i beats
        borda     b_⋆ − (b_i + b_j)/2,  b_i: mean of P_ij over j ≠ i

    ⋆ is the Condorcet winner, the arm that beats every other more often than not (or the arm with the best score).

    Parameters
    ----------
    matrix
        P, square, with P_ij + P_ji = 1 and ½ on the diagonal; or a name: "arithmetic", "cyclic", "arxiv",
        "hard-condorcet", "mslr", "mslr-no-condorcet".
    regret
        What a duel costs: "average", "weak", "strong", "copeland" or "borda". By default "average", or "copeland" if there is no
        Condorcet winner.
    unordered
        Actions are unordered pairs, i ≤ j: k(k + 1)/2 of them instead of k². The policy must be made so too. Half as many
        queues, half the additive term of the bound.

    Notes
    -----
    Ordered pairs are numbered i·k + j. Names differ between papers: some call max(Δ_i, Δ_j) strong as here, others the average.

    References
    ----------
    Y. Yue, J. Broder, R. Kleinberg, T. Joachims (2009). "The k-armed dueling bandits problem." COLT (average, or strong, and
    weak regret).

    Examples
    --------
    >>> import quack
    >>> environment = quack.Duelling([[0.5, 0.8], [0.2, 0.5]])
    >>> environment.gaps                       # (0, 0), (0, 1), (1, 0), (1, 1)
    array([0.  , 0.15, 0.15, 0.3 ])
    >>> environment.winner
    0
    """

    __slots__ = ()

    def __new__(
        cls, matrix: str | Sequence[Sequence[float]] | Floats, regret: str | None = None, *, unordered: bool = False
    ) -> Self:
        """Check the matrix and work out what each duel costs."""
        preferences = _check(named_matrix(matrix) if isinstance(matrix, str) else matrix)
        if regret is None:
            regret = "copeland" if condorcet_winner(preferences) is None else "average"
        known = ("average", "weak", "strong", "copeland", "borda")
        if regret not in known:
            raise SpecError(f"Duelling: regret is {regret!r}.{nearest(str(regret), known)} Accepted are {', '.join(known)}")
        first, second = arms(len(preferences), unordered=unordered)
        losses, combine = _losses(preferences, regret)
        probability, cost = preferences[first, second], np.asarray(combine(losses[first], losses[second]))
        for array in (preferences, probability, cost):
            array.setflags(write=False)
        return super().__new__(cls, preferences, probability, cost, regret, unordered)

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.matrix, self.regret), {"unordered": self.unordered}

    def __repr__(self) -> str:
        return f"Duelling({self.matrix.tolist()}, regret={self.regret!r}, unordered={self.unordered})"

    @property
    def duels(self) -> bool:
        """Actions are pairs of arms."""
        return True

    @property
    def winner(self) -> int | None:
        """The Condorcet winner, or None."""
        return condorcet_winner(self.matrix)

    @property
    def gaps(self) -> Floats:
        """Δ of each duel."""
        return self.cost

    @property
    def distorts(self) -> bool:
        """The mean reward of a duel is who wins, not what it costs."""
        return True

    @property
    def reward_range(self) -> tuple[float, float]:
        """1 if the first arm wins, 0 if the second does."""
        return 0.0, 1.0

    def success(self, action: int) -> float:
        """Return the probability that the first arm wins."""
        return self.probability[action]  # type: ignore[no-any-return]

    def reward(self, action: int, cell: Cell) -> float:
        """Return 1 if the first arm wins."""
        return 1.0 if uniform(cell) < self.probability[action] else 0.0


def _check(values: Any) -> Floats:
    """Return the matrix as an array, or say what is wrong with it."""
    try:
        matrix = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise SpecError(f"Duelling: the matrix is {values!r}; a square table of probabilities is accepted") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:  # noqa: PLR2004 (a table)
        raise SpecError(f"Duelling: the matrix has shape {matrix.shape}; a square table of probabilities is accepted")
    for (i, j), p in np.ndenumerate(matrix):
        if not 0 <= p <= 1:
            raise SpecError(f"Duelling: P[{i}, {j}] is {p}; a probability, from 0 to 1, is accepted")
        if i == j and p != 0.5:  # noqa: PLR2004 (a fair coin)
            raise SpecError(f"Duelling: P[{i}, {i}] is {p}; an arm beats itself with probability 0.5")
        if abs(p + matrix[j, i] - 1) > 1e-9:  # noqa: PLR2004 (rounding in a file)
            raise SpecError(f"Duelling: P[{i}, {j}] + P[{j}, {i}] = {p + matrix[j, i]}; it must be 1")
    return matrix
