"""Normally distributed rewards."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

from quack.environments.base import numbers
from quack.errors import SpecError
from quack.kernels import Floats
from quack.tape import Cell, normal

__all__ = ["Gaussian"]


class _Fields(NamedTuple):
    means: Floats
    sigma: float


class Gaussian(_Fields):
    """Action a pays N(μ_a, σ²).

    Parameters
    ----------
    means
        μ_a for each action, finite.
    sigma
        Standard deviation of every reward, ≥ 0; at 0 each action always pays its mean.

    Examples
    --------
    >>> import quack
    >>> quack.Gaussian([1.0, 0.5], sigma=2.0).gaps
    array([0. , 0.5])
    """

    __slots__ = ()

    def __new__(cls, means: Sequence[float] | Floats, sigma: float = 1.0) -> Self:
        """Check the parameters."""
        if not (math.isfinite(sigma) and sigma >= 0):
            raise SpecError(f"Gaussian: sigma is {sigma}; a finite number, at least 0, is accepted")
        return super().__new__(cls, numbers("Gaussian", "means", means), float(sigma))

    def __repr__(self) -> str:
        return f"Gaussian({self.means.tolist()}, sigma={self.sigma})"

    @property
    def gaps(self) -> Floats:
        """Δ_a = max μ − μ_a."""
        gaps: Floats = self.means.max() - self.means
        return gaps

    @property
    def reward_range(self) -> tuple[float, float]:
        """Rewards are unbounded, unless they are certain."""
        if self.sigma == 0:
            return float(self.means.min()), float(self.means.max())
        return -math.inf, math.inf

    def reward(self, action: int, cell: Cell) -> float:
        """Return the mean plus σ times the cell's normal number."""
        return self.means[action] + self.sigma * normal(cell)  # type: ignore[no-any-return]
