"""What compiled code may call: the mark, and the small functions that everybody shares.

A policy's methods are plain Python. The engine compiles them as they stand, together with every function that they call
and that carries the mark `kernel`. This module imports no compiler: without one, a kernel is just a function.

The rules for a text that must mean the same interpreted and compiled, to the last bit:

* scalars through `math`, not `numpy`: NumPy's vector logarithm differs from the C library's in the last digit;
* integers stay below 2**63 in every intermediate value, or wrap harmlessly under a mask;
* a number read from an integer array goes through `int(...)` before arithmetic that may be large.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = [
    "Floats",
    "Integers",
    "any_argmax",
    "argmax",
    "binomial",
    "disjoint",
    "is_disjoint",
    "is_kernel",
    "kernel",
    "member",
    "popcount",
    "replaces",
    "restore",
]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

F = TypeVar("F", bound=Callable[..., Any])

_KERNELS: set[Callable[..., Any]] = set()
_DISJOINT: set[Callable[..., Any]] = set()


def kernel(function: F) -> F:
    """Mark a function as one that compiled code may call. The function itself is returned unchanged.

    Examples
    --------
    >>> from quack import kernel
    >>> @kernel
    ... def half(x):
    ...     return x / 2
    >>> half(3.0)
    1.5
    """
    _KERNELS.add(function)
    return function


def is_kernel(function: object) -> bool:
    """Whether a function carries the mark."""
    return function in _KERNELS


def disjoint(function: F) -> F:
    """Mark a kernel whose array arguments share no memory where it writes, and which keeps and returns none of them.

    Compiled, it works on eight numbers at once without looking first whether what it writes is what it is about to read. Such a
    kernel is a loop and nothing else; whoever calls it answers for the arrays.
    """
    _DISJOINT.add(function)
    return kernel(function)


def is_disjoint(function: object) -> bool:
    """Whether a kernel relies on arrays that share no memory."""
    return function in _DISJOINT


@kernel
def argmax(values: Floats) -> int:
    """Return the place of the largest value; of equal ones the first."""
    place = 0
    largest = values[0]
    for i in range(1, len(values)):
        if values[i] > largest:
            largest = values[i]
            place = i
    return place


@kernel
def replaces(ties: float, rng: np.random.Generator) -> bool:
    """Whether the newest of so many equal values replaces the one held; in the end each is held with the same probability."""
    return rng.random() * ties < 1.0


@kernel
def any_argmax(values: Floats, rng: np.random.Generator) -> int:
    """Return the place of the largest value; of equal ones any, with equal chances. It draws only where values are equal."""
    place = 0
    largest = values[0]
    ties = 1.0
    for i in range(1, len(values)):
        if values[i] > largest:
            largest = values[i]
            place = i
            ties = 1.0
        elif values[i] == largest:
            ties += 1.0
            if replaces(ties, rng):
                place = i
    return place


@kernel
def binomial(trials: float, chance: float, rng: np.random.Generator) -> float:
    """Return how many of a whole number of trials succeed, each with the given chance.

    `Generator.binomial` does not serve: its numbers differ between versions of NumPy, and compiled from interpreted.
    """
    if trials <= 0.0 or chance <= 0.0:
        return 0.0
    if chance >= 1.0:
        return trials
    rare = min(chance, 1.0 - chance)
    count = _few_of(trials, rare, rng) if trials * rare < _COUNTED else _many_of(trials, rare, rng)
    return count if rare == chance else trials - count


_COUNTED = 10.0  # from this mean on, rejection costs less than counting up


@kernel
def _few_of(trials: float, chance: float, rng: np.random.Generator) -> float:
    """Draw a binomial number of small mean: walk up its distribution function, which takes as many steps as the mean."""
    odds = chance / (1.0 - chance)
    mass = math.exp(trials * math.log1p(-chance))
    rest = rng.random()
    count = 0.0
    while rest >= mass > 0.0 and count < trials:
        rest -= mass
        count += 1.0
        mass *= (trials - count + 1.0) / count * odds
    return count


@kernel
def _many_of(trials: float, chance: float, rng: np.random.Generator) -> float:
    """Draw a binomial number of mean 10 or more by transformed rejection, in a time that does not depend on the mean.

    W. Hörmann (1993). "The generation of binomial random variates." J. Statist. Comput. Simul. 46, algorithm BTRS.
    """
    odds = chance / (1.0 - chance)
    deviation = math.sqrt(trials * chance * (1.0 - chance))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * chance
    mode = float(math.floor((trials + 1.0) * chance))
    while True:
        u = rng.random() - 0.5
        v = 1.0 - rng.random()
        border = 0.5 - abs(u)
        if border <= 0.0:
            continue
        place = (2.0 * a / border + b) * u + trials * chance + 0.5
        if place < 0.0 or place >= trials + 1.0:
            continue
        count = float(math.floor(place))
        if border >= 0.07 and v <= 0.92 - 4.2 / b:  # noqa: PLR2004 (the constants are Hörmann's)
            return count
        height = v * (2.83 + 5.1 / b) * deviation / (a / (border * border) + b)
        if math.log(height) <= (
            (mode + 0.5) * math.log((mode + 1.0) / (odds * (trials - mode + 1.0)))
            + (trials + 1.0) * math.log((trials - mode + 1.0) / (trials - count + 1.0))
            + (count + 0.5) * math.log(odds * (trials - count + 1.0) / (count + 1.0))
            + (_stirling_error(mode) + _stirling_error(trials - mode))
            - (_stirling_error(count) + _stirling_error(trials - count))
        ):
            return count


@kernel
def _stirling_error(k: float) -> float:
    """Return log(k!) − [½ log(2π) + (k + ½) log(k + 1) − (k + 1)]."""
    if k < len(_STIRLING_ERRORS):
        return _STIRLING_ERRORS[int(k)]
    inverse = 1.0 / (k + 1.0)
    square = inverse * inverse
    return (1.0 / 12.0 - (1.0 / 360.0 - square / 1260.0) * square) * inverse


_STIRLING_ERRORS = (
    0.08106146679532726,
    0.0413406959554093,
    0.02767792568499834,
    0.020790672103765093,
    0.016644691189821193,
    0.013876128823070748,
    0.01189670994589177,
    0.010411265261972096,
    0.009255462182712733,
    0.00833056343336287,
)


def popcount(word: int) -> int:
    """Return how many bits of a word are 1. This is the interpreted form; compiled, it is one instruction of the processor."""
    return int(word).bit_count()


def restore(state: Any, fresh: Any) -> None:
    """Write the values of a fresh state over a used one, in place: arrays entry by entry, records field by field.

    This is the interpreted form; the engine compiles one of the same meaning for each type of record.
    """
    for used, new in zip(state, fresh, strict=True):
        if isinstance(used, np.ndarray):
            used[...] = new
        elif isinstance(used, list):
            used[:] = new
        elif isinstance(used, tuple):
            restore(used, new)


def member(states: Any, i: int) -> Any:
    """Return the i-th of states that are kept in one record, whose arrays have a dimension more: a record of views of theirs.

    This is the interpreted form; the engine compiles one of the same meaning for each type of record.
    """
    if isinstance(states, np.ndarray | list):
        return states[i]
    if isinstance(states, tuple):
        fields = [member(field, i) for field in states]
        return type(states)(*fields) if hasattr(states, "_fields") else tuple(fields)
    return states  # a number: the same for all
