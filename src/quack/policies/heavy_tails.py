"""What the policies for heavy tails share: checks, sums without rounding error, and the memory of every reward."""

from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, Integers, kernel

__all__ = ["History", "add_exactly", "check_exponent", "new_history"]


def check_exponent(owner: str, epsilon: float) -> float:
    """Return ε, which is in (0, 1]: rewards have moments of order 1 + ε."""
    if not 0 < epsilon <= 1:
        raise SpecError(
            f"{owner}: epsilon is {epsilon}; a number in (0, 1], for rewards with moments of order 1 + ε, is accepted"
        )
    return float(epsilon)


@kernel
def add_exactly(total: float, correction: float, value: float) -> tuple[float, float]:
    """Return a sum and what rounding has taken from it so far: their sum is exact to the last digit (Neumaier 1974)."""
    rounded = total + value
    if abs(total) >= abs(value):
        return rounded, correction + ((total - rounded) + value)
    return rounded, correction + ((value - rounded) + total)


class History(NamedTuple):
    """A number for each play of each action, in order.

    How often each action will be played is not known, only how often all of them together: so the actions take chunks from one
    pool as they need them. A chunk has about √H places, for a horizon H: the pool and the table of chunks waste O(k √H) places.
    """

    pool: Floats
    chunk: Integers  # chunk[a, i]: the chunk in which numbers i·2^shift … of action a lie
    taken: Integers  # how many chunks are taken
    shift: int  # a chunk has 2^shift places

    def where(self, action: int, i: int) -> int:
        """Return the place in the pool of the i-th number of an action."""
        return (int(self.chunk[action, i >> self.shift]) << self.shift) | (i & ((1 << self.shift) - 1))

    def write(self, action: int, i: int, value: float) -> None:
        """Append the i-th number of an action; the first is the 0th."""
        if i & ((1 << self.shift) - 1) == 0:
            self.chunk[action, i >> self.shift] = self.taken[0]
            self.taken[0] += 1
        self.pool[self.where(action, i)] = value


def new_history(n_actions: int, horizon: int) -> History:
    """Return an empty history with room for as many numbers as there are rounds.

    The arrays are zeros: of a large one the operating system gives memory only to the pages that are written.
    """
    shift = (horizon.bit_length() + 1) // 2
    per_action = (horizon >> shift) + 1
    chunks = (horizon >> shift) + n_actions
    return History(np.zeros(chunks << shift), np.zeros((n_actions, per_action), np.int64), np.zeros(1, np.int64), shift)
