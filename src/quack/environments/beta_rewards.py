"""Beta-distributed rewards: any shape on [0, 1]."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

from quack.environments.base import numbers
from quack.errors import SpecError
from quack.kernels import Floats, kernel
from quack.tape import Cell, normal, uniform, uniforms

__all__ = ["BetaRewards", "beta"]

# The lanes of a cell from which the two gamma variates of a beta variate are made; lane 0 serves both.
_FIRST_LANES = (1, 2001)
_LANES = 2000


class _Fields(NamedTuple):
    a: Floats
    b: Floats


class BetaRewards(_Fields):
    """Action a pays a number in [0, 1] with the density of Beta(a, b): proportional to x^(a−1) (1−x)^(b−1).

    Parameters
    ----------
    a, b
        The two parameters for each action, > 0. The mean is a / (a + b).

    Notes
    -----
    A beta variate is G_a / (G_a + G_b) for two gamma variates, each by the rejection method of Marsaglia and Tsang: exact. They
    are kept as logarithms, because for parameters near 0 both underflow.

    References
    ----------
    G. Marsaglia, W. W. Tsang (2000). "A simple method for generating gamma variables." ACM TOMS 26(3).

    Examples
    --------
    >>> import quack
    >>> quack.BetaRewards([4.0, 1.0], [1.0, 1.0]).gaps
    array([0. , 0.3])
    """

    __slots__ = ()

    def __new__(cls, a: Sequence[float] | Floats, b: Sequence[float] | Floats) -> Self:
        """Check the parameters."""
        first, second = numbers("BetaRewards", "a", a), numbers("BetaRewards", "b", b)
        if len(first) != len(second):
            raise SpecError(f"BetaRewards: a has {len(first)} numbers and b {len(second)}; one of each per action is accepted")
        for name, values in (("a", first), ("b", second)):
            for action, value in enumerate(values):
                if value <= 0:
                    raise SpecError(f"BetaRewards: {name}[{action}] is {value}; a positive number is accepted")
        return super().__new__(cls, first, second)

    def __repr__(self) -> str:
        return f"BetaRewards({self.a.tolist()}, {self.b.tolist()})"

    @property
    def means(self) -> Floats:
        """μ_a = a / (a + b)."""
        means: Floats = self.a / (self.a + self.b)
        return means

    @property
    def gaps(self) -> Floats:
        """Δ_a = max μ − μ_a."""
        gaps: Floats = self.means.max() - self.means
        return gaps

    @property
    def reward_range(self) -> tuple[float, float]:
        """Rewards lie between 0 and 1."""
        return 0.0, 1.0

    def reward(self, action: int, cell: Cell) -> float:
        """Return the cell's beta variate."""
        return beta(self.a[action], self.b[action], cell)


@kernel
def beta(a: float, b: float, cell: Cell) -> float:
    """Return a Beta(a, b) variate: G_a / (G_a + G_b) for gamma variates G."""
    u, v = uniforms(cell)
    odds = log_gamma_variate(b, 1.0 - v, cell, _FIRST_LANES[1]) - log_gamma_variate(a, 1.0 - u, cell, _FIRST_LANES[0])
    return 1.0 / (1.0 + math.exp(min(odds, 700.0)))  # beyond 700 the exponential overflows, and the variate is as good as 0


@kernel
def log_gamma_variate(shape: float, boost: float, cell: Cell, first_lane: int) -> float:
    """Return the logarithm of a gamma variate (Marsaglia and Tsang 2000).

    `boost` is a uniform number U in (0, 1]. Below shape 1, G_shape = G_(shape + 1) · U^(1/shape) (their Section 6). A try fails
    with a probability below 1/20, so that all 1000 of them fail in no world.
    """
    d = (shape if shape >= 1.0 else shape + 1.0) - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    volume = 1.0
    for lane in range(first_lane, first_lane + _LANES, 2):
        x = normal(cell, lane)
        side = 1.0 + c * x
        tried = side * side * side  # not side**3, which the compiler computes in another way
        if tried > 0.0 and math.log(1.0 - uniform(cell, lane + 1)) < 0.5 * x * x + d - d * tried + d * math.log(tried):
            volume = tried
            break
    log_variate = math.log(d) + math.log(volume)
    return log_variate if shape >= 1.0 else log_variate + math.log(boost) / shape
