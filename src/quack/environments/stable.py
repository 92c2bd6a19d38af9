"""Symmetric α-stable rewards: no variance."""

import math
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from quack.environments.base import numbers
from quack.environments.moments import check_order, integral
from quack.errors import SpecError
from quack.kernels import Floats
from quack.policies.base import positive
from quack.tape import Cell, uniforms

__all__ = ["Stable"]

_GAUSSIAN = 2.0  # the α of the normal law


class _Fields(NamedTuple):
    means: Floats
    alpha: float
    scale: float


class Stable(_Fields):
    """Action a pays μ_a + c Z, where Z is symmetric α-stable: the heavy tails of the paper's experiments.

    ::

        E exp(itX) = exp(iμt − |ct|^α)

    Parameters
    ----------
    means
        μ_a for each action, finite.
    alpha
        α in (1, 2]. P(|X| > x) decays like x^−α; at 2 rewards are normal with variance 2c². (Up to 1 there is no mean.)
    scale
        c > 0.

    Notes
    -----
    Moments of order p exist for p < α only (at α = 2 all do; here those up to 2). `moment` gives the u of a truncated mean,
    `centred_moment` the v of a median of means, with 1 + ε = p. The paper's instance is ``Stable([0.7] + [0.4] * 4, alpha=1.9)``
    (Appendix D).

    References
    ----------
    J. M. Chambers, C. L. Mallows, B. W. Stuck (1976). "A method for simulating stable random variables." JASA 71(354).

    Examples
    --------
    >>> import quack
    >>> environment = quack.Stable([0.7, 0.4], alpha=1.9)
    >>> environment.gaps
    array([0. , 0.3])
    >>> round(environment.moment(1.85), 5), round(environment.centred_moment(1.85), 5)
    (5.66918, 5.2627)
    """

    __slots__ = ()

    def __new__(cls, means: Sequence[float] | Floats, alpha: float, scale: float = 1.0) -> Self:
        """Check the parameters."""
        if not 1 < alpha <= _GAUSSIAN:
            raise SpecError(f"Stable: alpha is {alpha}; a number above 1, where the mean exists, and up to 2 is accepted")
        return super().__new__(cls, numbers("Stable", "means", means), float(alpha), positive("Stable", "scale", scale))

    def __repr__(self) -> str:
        return f"Stable({self.means.tolist()}, alpha={self.alpha}, scale={self.scale})"

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
        """Moments of order p exist for p < α; at α = 2, of a normal law, all do."""
        return math.inf if self.alpha == _GAUSSIAN else self.alpha

    def reward(self, action: int, cell: Cell) -> float:
        """Return μ + c sin(αV) / cos(V)^(1/α) · (W / cos((1−α)V))^((α−1)/α) with V uniform on [−π/2, π/2) and W ~ Exp(1)."""
        alpha = self.alpha
        u, v = uniforms(cell)
        angle = math.pi * (u - 0.5)
        waiting = -math.log(1.0 - v)
        z = math.sin(alpha * angle) / math.cos(angle) ** (1.0 / alpha)
        z *= (waiting / math.cos((1.0 - alpha) * angle)) ** ((alpha - 1.0) / alpha)
        return self.means[action] + self.scale * z  # type: ignore[no-any-return]

    def centred_moment(self, order: float) -> float:
        """Return E|X − μ|^p = 2^(p+1) Γ((p+1)/2) Γ(−p/α) / (α √π Γ(−p/2)) · c^p, the same for every action."""
        p = self._order(order)
        ratio = 0.5 if self.alpha == _GAUSSIAN else math.gamma(-p / self.alpha) / (self.alpha * math.gamma(-p / 2))
        moment: float = 2.0 ** (p + 1) * math.gamma((p + 1) / 2) * ratio / math.sqrt(math.pi) * self.scale**p
        return moment

    def moment(self, order: float) -> float:
        """Return max_a E|X_a|^p.

        ::

            E|X|^p = E|X − μ|^p + 2 Γ(1+p) sin(πp/2) / π · ∫₀^∞ (1 − cos μt) exp(−(ct)^α) t^(−1−p) dt
        """
        p = self._order(order)
        mean = float(np.abs(self.means).max())
        centred = self.centred_moment(p)
        if mean == 0:
            return centred
        if p == _GAUSSIAN:
            return mean**2 + centred
        shift = integral(lambda log_t: _log_shift(log_t, p, mean, self.alpha, self.scale))
        return centred + 2 * math.gamma(1 + p) * math.sin(math.pi * p / 2) / math.pi * shift

    def _order(self, order: float) -> float:
        return _GAUSSIAN if order == self.alpha == _GAUSSIAN else check_order(repr(self), order, self.alpha)


def _log_shift(log_r: Floats, p: float, mean: float, alpha: float, scale: float) -> npt.NDArray[np.complex128]:
    """Return the logarithm of (1 + z − e^z) exp(−(ct)^α) t^(−1−p) dt/dr, where z = iμt, on the ray t = r exp(iπ/4α).

    On the real axis its real part is the integrand of `moment`: z is imaginary there. On the ray, to which Cauchy's theorem
    allows one to turn, e^z and exp(−(ct)^α) both decay: nothing oscillates for long, however large μ is against c.
    """
    turn = math.pi / (4 * alpha)
    log_r = np.minimum(log_r, 9 / alpha - math.log(scale))  # from here on the integrand is exp(−5000)
    log_t = log_r + 1j * turn
    log_z = log_t + math.log(mean) + 0.5j * math.pi
    z = np.exp(log_z)
    series = 1 + z / 3 + z**2 / 12 + z**3 / 60 + z**4 / 360  # (e^z − 1 − z) / (z²/2)
    near = np.abs(z) < 0.01  # noqa: PLR2004 (there the difference cancels, and the series is exact to 10^−13)
    log_difference = np.where(near, 2 * log_z + np.log(-series / 2), np.log(z - np.expm1(np.where(near, 1.0, z))))
    return log_difference - np.exp(alpha * (log_t + math.log(scale))) - (1 + p) * log_t + 1j * turn  # type: ignore[no-any-return]
