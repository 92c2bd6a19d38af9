"""Rewards spread evenly over an interval."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from quack.environments.base import numbers
from quack.errors import SpecError
from quack.kernels import Floats, kernel
from quack.tape import Cell, uniform

__all__ = ["UniformRewards", "between"]


class _Fields(NamedTuple):
    low: Floats
    high: Floats


class UniformRewards(_Fields):
    """Action a pays any number between low_a and high_a, all equally likely.

    Parameters
    ----------
    low, high
        The ends of each action's interval, finite, low_a ≤ high_a. The mean is (low_a + high_a) / 2.

    Examples
    --------
    >>> import quack
    >>> quack.UniformRewards([0.0, 0.5], [1.0, 1.0]).gaps
    array([0.25, 0.  ])
    """

    __slots__ = ()

    def __new__(cls, low: Sequence[float] | Floats, high: Sequence[float] | Floats) -> Self:
        """Check the intervals."""
        lows, highs = numbers("UniformRewards", "low", low), numbers("UniformRewards", "high", high)
        if len(lows) != len(highs):
            raise SpecError(
                f"UniformRewards: low has {len(lows)} numbers and high {len(highs)}; one of each per action is accepted"
            )
        for action, (least, most) in enumerate(zip(lows, highs, strict=True)):
            if least > most:
                raise SpecError(f"UniformRewards: low[{action}] is {least} and high[{action}] {most}; low ≤ high is accepted")
        return super().__new__(cls, lows, highs)

    def __repr__(self) -> str:
        return f"UniformRewards({self.low.tolist()}, {self.high.tolist()})"

    @property
    def means(self) -> Floats:
        """μ_a = (low_a + high_a) / 2."""
        means: Floats = self.low / 2 + self.high / 2
        return means

    @property
    def gaps(self) -> Floats:
        """Δ_a = max μ − μ_a."""
        gaps: Floats = self.means.max() - self.means
        return gaps

    @property
    def reward_range(self) -> tuple[float, float]:
        """From the lowest end to the highest."""
        return float(self.low.min()), float(self.high.max())

    def reward(self, action: int, cell: Cell) -> float:
        """Return the point of the interval at which the cell's uniform number stands."""
        return between(self.low[action], self.high[action], cell)


@kernel
def between(low: float, high: float, cell: Cell) -> float:
    """Return a uniform number in [low, high]."""
    part = uniform(cell)
    return min(max(low * (1.0 - part) + high * part, low), high)  # rounding may step over an end
