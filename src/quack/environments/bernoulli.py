"""Rewards that are 0 or 1."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from quack.environments.base import numbers
from quack.errors import SpecError
from quack.kernels import Floats
from quack.tape import Cell, uniform

__all__ = ["Bernoulli"]


class _Fields(NamedTuple):
    means: Floats


class Bernoulli(_Fields):
    """Action a pays 1 with probability μ_a and 0 otherwise.

    Parameters
    ----------
    means
        μ_a for each action, in [0, 1].

    Notes
    -----
    Rewards are ½-subgaussian (Hoeffding's lemma). The paper's instance is ``Bernoulli([0.5] + [0.45] * 9)`` (Section 5).

    Examples
    --------
    >>> import quack
    >>> environment = quack.Bernoulli([0.5, 0.25])
    >>> environment.gaps
    array([0.  , 0.25])
    """

    __slots__ = ()

    def __new__(cls, means: Sequence[float] | Floats) -> Self:
        """Check the means."""
        array = numbers("Bernoulli", "means", means)
        for action, mean in enumerate(array):
            if not 0 <= mean <= 1:
                raise SpecError(f"Bernoulli: means[{action}] is {mean}; a probability, from 0 to 1, is accepted")
        return super().__new__(cls, array)

    def __repr__(self) -> str:
        return f"Bernoulli({self.means.tolist()})"

    @property
    def gaps(self) -> Floats:
        """Δ_a = max μ − μ_a."""
        gaps: Floats = self.means.max() - self.means
        return gaps

    @property
    def reward_range(self) -> tuple[float, float]:
        """Rewards are 0 or 1."""
        return 0.0, 1.0

    def success(self, action: int) -> float:
        """Return the probability of reward 1."""
        return self.means[action]  # type: ignore[no-any-return]

    def reward(self, action: int, cell: Cell) -> float:
        """Return 1 if the cell's uniform number is below the mean."""
        return 1.0 if uniform(cell) < self.means[action] else 0.0
