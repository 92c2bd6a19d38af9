"""Student's t rewards: between the normal law and the heaviest tails."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from quack.environments.base import numbers
from quack.environments.moments import check_order, integral
from quack.errors import SpecError
from quack.kernels import Floats
from quack.policies.base import positive
from quack.tape import Cell, uniforms

__all__ = ["StudentT"]


class _Fields(NamedTuple):
    means: Floats
    degrees: float
    scale: float


class StudentT(_Fields):
    """Action a pays μ_a + s T, where T has Student's t distribution with ν degrees of freedom.

    Parameters
    ----------
    means
        μ_a for each action, finite.
    degrees
        ν > 1, so that there is a mean; any real number. Moments of order p exist for p < ν.
    scale
        s > 0. The variance is s² ν / (ν − 2) if ν > 2.

    References
    ----------
    R. W. Bailey (1994). "Polar generation of random variates with the t-distribution." Math. Comp. 62(206) (in its trigonometric
    form).

    Examples
    --------
    >>> import quack
    >>> environment = quack.StudentT([1.0, 0.5], degrees=3.0)
    >>> environment.gaps
    array([0. , 0.5])
    >>> round(environment.centred_moment(2.0), 9)       # the variance
    3.0
    """

    __slots__ = ()

    def __new__(cls, means: Sequence[float] | Floats, degrees: float, scale: float = 1.0) -> Self:
        """Check the parameters."""
        if not 1 < degrees < math.inf:
            raise SpecError(f"StudentT: degrees is {degrees}; a finite number above 1, where the mean exists, is accepted")
        return super().__new__(cls, numbers("StudentT", "means", means), float(degrees), positive("StudentT", "scale", scale))

    def __repr__(self) -> str:
        return f"StudentT({self.means.tolist()}, degrees={self.degrees}, scale={self.scale})"

    @property
    def gaps(self) -> Floats:
        """Δ_a = max μ − μ_a."""
        gaps: Floats = self.means.max() - self.means
        return gaps

    @property
    def reward_range(self) -> tuple[float, float]:
        """Rewards are unbounded."""
        return -math.inf, math.inf

    @property
    def moments_below(self) -> float:
        """Moments of order p exist for p < ν."""
        return self.degrees

    def reward(self, action: int, cell: Cell) -> float:
        """Return μ + s √(ν (U^(−2/ν) − 1)) cos 2πV for two uniforms U, V."""
        degrees = self.degrees
        u, v = uniforms(cell)
        radius = math.sqrt(degrees * math.expm1(-2.0 / degrees * math.log(1.0 - u)))
        return self.means[action] + self.scale * (radius * math.cos(2.0 * math.pi * v))  # type: ignore[no-any-return]

    def centred_moment(self, order: float) -> float:
        """Return E|X − μ|^p = s^p ν^(p/2) Γ((p+1)/2) Γ((ν−p)/2) / (√π Γ(ν/2)), the same for every action."""
        p = check_order(repr(self), order, self.degrees)
        log_ratio = math.lgamma((p + 1) / 2) + math.lgamma((self.degrees - p) / 2) - math.lgamma(self.degrees / 2)
        return math.exp(p * math.log(self.scale) + p / 2 * math.log(self.degrees) + log_ratio) / math.sqrt(math.pi)

    def moment(self, order: float) -> float:
        """Return max_a E|X_a|^p = s^p ∫ |m + x|^p f(x) dx, where m = |μ|/s and f is the density of T."""
        p = check_order(repr(self), order, self.degrees)
        mean = float(np.abs(self.means).max())
        if mean == 0:
            return self.centred_moment(p)
        nu, log_m = self.degrees, math.log(mean) - math.log(self.scale)
        log_height = math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2) - 0.5 * math.log(nu * math.pi)

        def log_density(log_x: Floats) -> Floats:
            return log_height - (nu + 1) / 2 * np.logaddexp(0.0, 2 * log_x - math.log(nu))

        def same_side(log_x: Floats) -> Floats:  # (m + x)^p f(x)
            return p * np.logaddexp(log_m, log_x) + log_density(log_x)

        def beyond(log_t: Floats) -> Floats:  # t^p f(m + t): on the other side of 0
            return p * log_t + log_density(np.logaddexp(log_m, log_t))

        def towards(log_t: Floats) -> Floats:  # (m − x)^p f(x) at x = m / (1 + t): between 0 and the mean
            log_x = log_m - np.logaddexp(0.0, log_t)
            return p * (log_x + log_t) + log_density(log_x) + 2 * log_x - log_m

        moment: float = self.scale**p * (integral(same_side) + integral(beyond) + integral(towards))
        return moment
