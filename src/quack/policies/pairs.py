"""Duels as actions: a pair of arms has a number.

Ordered pairs of k arms, (i, j) as i·k + j, are k² actions; unordered ones, i ≤ j counted row by row, k(k + 1)/2. A duel of an
arm with itself is an action too: to play it is how a policy stops paying.
"""

import math
from typing import Any

import numpy as np

from quack.errors import SpecError
from quack.kernels import Integers, kernel

__all__ = ["arms", "number_of_arms", "pair_number"]


@kernel
def pair_number(i: int, j: int, k: int, unordered: bool) -> int:
    """Return the action that is the duel of arm i against arm j."""
    if not unordered:
        return i * k + j
    if i > j:
        i, j = j, i
    return i * k - (i * (i - 1)) // 2 + j - i


def arms(k: int, *, unordered: bool) -> tuple[Integers, Integers]:
    """Return the first and the second arm of each action."""
    if unordered:
        rows, columns = np.triu_indices(k)
    else:
        rows, columns = np.divmod(np.arange(k * k), k)
    return rows.astype(np.int64), columns.astype(np.int64)


def number_of_arms(policy: Any, n_actions: int, *, unordered: bool) -> int:
    """Return k for a number of actions that are duels; refuse one that cannot be."""
    k = (math.isqrt(8 * n_actions + 1) - 1) // 2 if unordered else math.isqrt(n_actions)
    if n_actions != (k * (k + 1) // 2 if unordered else k * k):
        kind = "unordered pairs of k arms, k(k + 1)/2" if unordered else "ordered pairs of k arms, k²"
        raise SpecError(f"{policy!r} plays duels: its actions are {kind}; {n_actions} is no such number")
    return k
