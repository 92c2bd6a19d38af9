"""What compiled code may call: the mark, and the small functions that everybody shares.

A policy's methods are plain Python. The engine compiles them as they stand, together with every function that they call
and that carries the mark `kernel`. This module imports no compiler: without one, a kernel is just a function.

The rules for a text that must mean the same interpreted and compiled, to the last bit:

* scalars through `math`, not `numpy`: NumPy's vector logarithm differs from the C library's in the last digit;
* integers stay below 2**63 in every intermediate value, or wrap harmlessly under a mask;
* a number read from an integer array goes through `int(...)` before arithmetic that may be large.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["Floats", "Integers", "argmax", "is_kernel", "kernel", "restore"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

F = TypeVar("F", bound=Callable[..., Any])

_KERNELS: set[Callable[..., Any]] = set()


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
