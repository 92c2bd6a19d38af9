"""Pareto rewards: positive, with a tail as heavy as one likes."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from quack.environments.base import numbers
from quack.environments.moments import check_order, integral
from quack.errors import SpecError
from quack.kernels import Floats
from quack.tape import Cell, uniform

__all__ = ["Pareto"]


class _Fields(NamedTuple):
    means: Floats
    shape: float


class Pareto(_Fields):
    """Action a pays at least m_a, and more than x with probability (m_a / x)^shape.

    Parameters
    ----------
    means
        μ_a > 0 for each action; the least reward is m_a = μ_a (shape − 1) / shape.
    shape
        Exponent of the tail, > 1, so that there is a mean. Moments of order p exist for p < shape.

    Notes
    -----
    This is the classical law; what NumPy calls ``pareto`` is a Lomax law, which is a Pareto law with least reward 1 minus 1.

    References
    ----------
    N. L. Johnson, S. Kotz, N. Balakrishnan (1994). "Continuous univariate distributions", volume 1, chapter 20.

    Examples
    --------
    >>> import quack
    >>> environment = quack.Pareto([3.0, 2.0], shape=1.5)
    >>> environment.least
    array([1.        , 0.66666667])
    >>> environment.moment(1.25)        # 1.5 · 1^1.25 / (1.5 − 1.25)
    6.0
    """

    __slots__ = ()

    def __new__(cls, means: Sequence[float] | Floats, shape: float) -> Self:
        """Check the parameters."""
        if not 1 < shape < math.inf:
            raise SpecError(f"Pareto: shape is {shape}; a finite number above 1, where the mean exists, is accepted")
        array = numbers("Pareto", "means", means)
        for action, mean in enumerate(array):
            if mean <= 0:
                raise SpecError(f"Pareto: means[{action}] is {mean}; a positive number is accepted")
        return super().__new__(cls, array, float(shape))

    def __repr__(self) -> str:
        return f"Pareto({self.means.tolist()}, shape={self.shape})"

    @property
    def least(self) -> Floats:
        """m_a = μ_a (shape − 1) / shape, the least reward."""
        least: Floats = self.means * ((self.shape - 1) / self.shape)
        return least

    @property
    def gaps(self) -> Floats:
        """Δ_a = max μ − μ_a."""
        gaps: Floats = self.means.max() - self.means
        return gaps

    @property
    def reward_range(self) -> tuple[float, float]:
        """From the lowest of the least rewards upwards."""
        return float(self.least.min()), math.inf

    @property
    def moments_below(self) -> float:
        """Moments of order p exist for p < shape."""
        return self.shape

    def reward(self, action: int, cell: Cell) -> float:
        """Return m_a U^(−1/shape), U uniform on (0, 1]."""
        least = self.means[action] * ((self.shape - 1.0) / self.shape)
        return least * (1.0 - uniform(cell)) ** (-1.0 / self.shape)  # type: ignore[no-any-return]

    def moment(self, order: float) -> float:
        """Return max_a E X_a^p = shape · m_a^p / (shape − p)."""
        p = check_order(repr(self), order, self.shape)
        moment: float = self.shape * float(self.least.max()) ** p / (self.shape - p)
        return moment

    def centred_moment(self, order: float) -> float:
        """Return max_a E|X_a − μ_a|^p.

        The part above the mean is shape · m^shape · μ^(p−shape) · B(p+1, shape−p), the part below an integral.
        """
        p = check_order(repr(self), order, self.shape)
        mean, least, shape = float(self.means.max()), float(self.least.max()), self.shape
        log_beta = math.lgamma(p + 1) + math.lgamma(shape - p) - math.lgamma(shape + 1)
        above = math.exp(math.log(shape) + shape * math.log(least) + (p - shape) * math.log(mean) + log_beta)
        reach = mean - least

        def log_below(log_t: Floats) -> Floats:  # at x = μ − (μ − m)/(1 + t)
            share = -np.logaddexp(0.0, log_t)
            log_x = np.log(mean - reach * np.exp(share))
            log_density = math.log(shape) + shape * math.log(least) - (shape + 1) * log_x
            return p * (share + math.log(reach)) + log_density + 2 * share + math.log(reach)  # type: ignore[no-any-return]

        return above + integral(log_below)
