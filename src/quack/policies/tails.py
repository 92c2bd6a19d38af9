"""Tails of Beta distributions under an exponential: what Thompson sampling needs in order not to draw.

A Beta density with α, β ≥ 1 is log-concave, so it lies below its tangent exponential at every point c:
f(x) ≤ f(c) exp(s (x − c)) with s = (log f)'(c). Beyond c, on the side to which it falls, that exponential has the mass f(c)/|s|:
no incomplete beta function is needed to bound a tail, nor to draw from it exactly.

References
----------
L. Devroye (1986). "Non-uniform random variate generation." Springer, Section VII.2 (log-concave densities).
C. Loader (2000). "Fast and accurate computation of binomial probabilities" (the saddle-point form of a density).
"""

import math

from quack.kernels import kernel

__all__ = ["height", "log_ratio", "slope", "tail_mass"]

_SERIES = 16.0  # from here on Stirling's series has all digits
_NEAR = 0.1


@kernel
def slope(x: float, alpha: float, beta: float) -> float:
    """Return the derivative of the logarithm of the density of Beta(α, β)."""
    return (alpha - 1.0) / x - (beta - 1.0) / (1.0 - x)


@kernel
def tail_mass(x: float, alpha: float, beta: float, side: float) -> float:
    """Return a bound of the mass of Beta(α, β) above x (side 1) or below it (side −1): that of the tangent exponential; or 1."""
    fall = -side * slope(x, alpha, beta)
    return min(1.0, height(x, alpha, beta) / fall) if fall > 0.0 else 1.0


@kernel
def log_ratio(x: float, c: float, alpha: float, beta: float) -> float:
    """Return log f(x)/f(c) for the density of Beta(α, β)."""
    return (alpha - 1.0) * math.log(x / c) + (beta - 1.0) * math.log((1.0 - x) / (1.0 - c))


@kernel
def height(x: float, alpha: float, beta: float) -> float:
    """Return the density of Beta(α, β), α, β ≥ 1, with all its digits however large α and β are.

    It is (n + 1) times the probability of α − 1 successes in n = α + β − 2 trials, in which nothing large cancels (Loader).
    """
    successes = alpha - 1.0
    failures = beta - 1.0
    n = successes + failures
    if successes == 0.0:
        return (n + 1.0) * math.exp(n * math.log1p(-x))
    if failures == 0.0:
        return (n + 1.0) * math.exp(n * math.log(x))
    exponent = _stirling_rest(n) - _stirling_rest(successes) - _stirling_rest(failures)
    exponent -= _deviance(successes, n * x) + _deviance(failures, n * (1.0 - x))
    return (n + 1.0) * math.exp(exponent) * math.sqrt(n / (2.0 * math.pi * successes * failures))


@kernel
def _stirling_rest(z: float) -> float:
    """Return log Γ(z + 1) − [(z + ½) log z − z + ½ log 2π], z > 0."""
    rest = 0.0
    while z < _SERIES:
        rest += (z + 0.5) * math.log1p(1.0 / z) - 1.0
        z += 1.0
    w = 1.0 / (z * z)
    return rest + (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - w / 1188.0) * w) * w) * w) / z


@kernel
def _deviance(observed: float, expected: float) -> float:
    """Return o log(o/e) + e − o, without the cancellation where o and e are close."""
    difference = observed - expected
    v = difference / (observed + expected)
    if abs(v) > _NEAR:
        return observed * math.log(observed / expected) - difference
    term = 2.0 * observed * v
    total = difference * v
    j = 3.0
    while True:
        term *= v * v
        next_total = total + term / j
        if next_total == total:
            return total
        total = next_total
        j += 2.0
