"""What the heavy-tailed environments share: integrals over the half-line, and the sentence for a moment that does not exist."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats

__all__ = ["check_order", "integral"]

_STEP = 1 / 64
_NODES = np.arange(-512, 513) * _STEP  # log t from −2300 to 2300: room for integrands that decay as slowly as t^−1.02
_LOG_T: Floats = math.pi / 2 * np.sinh(_NODES)
_LOG_WEIGHT: Floats = np.log(_STEP * math.pi / 2 * np.cosh(_NODES))


def integral(log_integrand: Callable[[Floats], Any]) -> float:
    """Return the real part of ∫₀^∞ f(t) dt by the double exponential rule: the trapezoid rule in w, where t = exp(π/2 · sinh w).

    The integrand is a function from log t to log f(t), real or complex: so neither t nor f(t) overflows, however slowly f decays.

    References
    ----------
    H. Takahasi, M. Mori (1974). "Double exponential formulas for numerical integration." Publ. RIMS 9.

    Examples
    --------
    >>> round(integral(lambda x: 0.5 * x - np.exp(np.minimum(x, 100.0))), 12) == round(math.gamma(1.5), 12)
    True
    """
    return float(np.exp(log_integrand(_LOG_T) + _LOG_T + _LOG_WEIGHT).sum().real)


def check_order(law: str, order: float, below: float) -> float:
    """Return the order of a moment, which exists if it is below a bound."""
    if not 0 < order < below:
        raise SpecError(f"{law}: there is no moment of order {order}; those of order above 0 and below {below:g} exist")
    return float(order)
