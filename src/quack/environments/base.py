"""What an environment is, the checks that all share, and how a reader walks along its tapes."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from quack.errors import SpecError
from quack.kernels import Floats, Integers, kernel, popcount
from quack.tape import ACTION, Cell, Tape, bernoulli_words

__all__ = ["BitReader", "Environment", "Limits", "RewardReader", "limits_of", "numbers", "pay", "read_by_action"]


class Environment(Protocol):
    """What each action pays: an immutable record, checked when it is made.

    An environment whose rewards are only 0 and 1 may add a method ``success(action)``, the probability of 1: its rewards are then
    read 32 to a machine word. (It keeps `reward`, for groups whose agents learn from their own rewards.)

    One whose mean rewards do not differ by the gaps, because what is seen is not what it costs, has a property ``distorts``,
    True. One whose actions are pairs of arms has a property ``duels``, True. One with heavy tails has a property
    ``moments_below``: E|X|^p exists for orders p below that number.
    """

    @property
    def gaps(self) -> Floats:
        """Δ_a: what a play of each action costs against the best, in expectation. Its length is the number of actions."""

    @property
    def reward_range(self) -> tuple[float, float]:
        """An interval that contains every reward. A run that meets one outside is refused."""

    def reward(self, action: int, cell: Cell) -> float:
        """Return the reward of the action that lies in a cell of the tape: a pure function. Compiled code calls it."""


def numbers(owner: str, name: str, values: Sequence[float] | Floats) -> Floats:
    """Return one finite number per action as a read-only array."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise SpecError(f"{owner}: {name} is {values!r}; a sequence of numbers, one per action, is accepted") from None
    if array.ndim != 1 or array.size == 0:
        raise SpecError(f"{owner}: {name} has shape {array.shape}; a sequence with one number per action is accepted")
    for action, value in enumerate(array):
        if not math.isfinite(value):
            raise SpecError(f"{owner}: {name}[{action}] is {value}; finite numbers are accepted")
    array.setflags(write=False)
    return array


class Limits(NamedTuple):
    """What an environment says of its rewards, and the first one that is not so: a policy may rely on it."""

    low: float
    high: float
    broken: Floats  # (action, reward); action −1: there was none


def limits_of(environment: Environment) -> Limits:
    """Return an environment's limits, not broken yet."""
    low, high = environment.reward_range
    return Limits(float(low), float(high), np.array([-1.0, 0.0]))


@kernel
def pay(environment: Any, limits: Limits, action: int, cell: Cell) -> float:
    """Return the reward in a cell. One outside the limits (or that is no number) is noted, and replaced by one inside.

    The engine makes an error of what is noted when the run ends; until then policies must not meet what they cannot bear.
    """
    reward = environment.reward(action, cell)
    if not limits.low <= reward <= limits.high:
        if limits.broken[0] < 0.0:
            limits.broken[0] = action
            limits.broken[1] = reward
        return max(limits.low, min(0.0, limits.high))
    return reward  # type: ignore[no-any-return]


class RewardReader(NamedTuple):
    """Reads the rewards of each action in the order of the tape."""

    environment: Any
    tape: Tape
    limits: Limits
    read: Integers  # how many rewards of each action have been read

    def next(self, action: int) -> float:
        """Return the next reward of the action."""
        position = int(self.read[action])
        self.read[action] = position + 1
        return pay(self.environment, self.limits, action, Cell(self.tape, ACTION, action, position))

    def take_above(self, action: int, total: float, line: float, rise: float, most: int) -> tuple[int, float]:
        """Read rewards while their running total stays above a rising line, and return how many, and the total.

        After the j-th of them the total is above line + j · rise. The one that would not be is not read.
        """
        taken = 0
        while taken < most:
            position = int(self.read[action])
            higher = total + pay(self.environment, self.limits, action, Cell(self.tape, ACTION, action, position))
            if not higher > line + (taken + 1) * rise:
                break
            self.read[action] = position + 1
            total = higher
            taken += 1
        return taken, total


class BitReader(NamedTuple):
    """Reads rewards that are 0 or 1, 32 to a word. Words are made ahead of the reader, up to 32 of an action at once."""

    environment: Any
    tape: Tape
    read: Integers  # how many rewards of each action have been read
    made: Integers  # how many words of each action have been made
    words: Integers  # words[a, i % 32]: word i of the action, of those made last
    scratch: Integers

    def next(self, action: int) -> float:
        """Return the next reward of the action."""
        position = int(self.read[action])
        self.read[action] = position + 1
        if position >> 5 == self.made[action]:
            self.make(action)
        return float((int(self.words[action, (position >> 5) & 31]) >> (position & 31)) & 1)

    def make(self, action: int) -> None:
        """Make the next words of an action: as many as there were, so that short runs make few, and at most 32."""
        made = int(self.made[action])
        fresh = min(max(made, 1), 32)
        column = made & 31
        bernoulli_words(
            self.environment.success(action),
            self.tape,
            action,
            made,
            self.words[action, column : column + fresh],
            self.scratch[:fresh],
        )
        self.made[action] = made + fresh

    def take_above(self, action: int, total: float, line: float, rise: float, most: int) -> tuple[int, float]:
        """Read rewards while their running total stays above a rising line, and return how many, and the total.

        After the j-th of them the total, a whole number, is above line + j · rise. It may stop early, by less than 2⁻¹⁶.
        """
        margin = int(min(total - line, _FAR) * _UNIT)
        fall = int(max(rise, -_FAR) * _UNIT) + 1
        if margin <= 0 or rise > 1.0:
            return 0, total
        row = max(((fall << 6) >> 20) + 1, 0)
        start = int(self.read[action])
        end = start + most
        read = start
        ones = 0
        made = int(self.made[action])
        while read < end:
            if read >> 5 == made:
                self.make(action)
                made = int(self.made[action])
            word = int(self.words[action, (read >> 5) & 31]) >> (read & 31)
            size = min(32 - (read & 31), end - read)
            if margin <= size * fall:  # if all were 0, they might reach the line
                size = min(size, _BYTE)
                byte = (word | (-1 << size)) & 255  # what is not read now counts as 1, which lowers nothing
                if margin + (int(_LOWEST[row, byte]) << 14) <= 0:
                    lower = margin + ((word & 1) << 20) - fall
                    while size > 0 and lower > 0:
                        margin = lower
                        ones += word & 1
                        read += 1
                        size -= 1
                        word >>= 1
                        lower = margin + ((word & 1) << 20) - fall
                    if size > 0:
                        break
                    continue
            successes = popcount(word & ((1 << size) - 1))
            margin += (successes << 20) - size * fall
            ones += successes
            read += size
        self.read[action] = read
        return read - start, total + ones


_BYTE = 8
_FAR = 2.0**40
_UNIT = 2.0**20  # of the fixed-point numbers in which distances from a line are counted


def _lowest() -> npt.NDArray[np.int16]:
    """Tabulate, for 66 slopes r/64 and all bytes, the lowest that eight rewards bring a total above a line, in 1/64."""
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
    rise = np.arange(66)[:, None, None] * np.arange(1, 9)
    lowest: npt.NDArray[np.int16] = np.minimum((64 * bits.cumsum(axis=1) - rise).min(axis=2), 0).astype(np.int16)
    return lowest


_LOWEST = _lowest()


def read_by_action(environment: Environment, tape: Tape, limits: Limits | None = None) -> RewardReader | BitReader:
    """Return a reader that stands at the first reward of each action."""
    n_actions = len(environment.gaps)
    read = np.zeros(n_actions, np.int64)
    if hasattr(environment, "success"):
        return BitReader(environment, tape, read, read.copy(), np.zeros((n_actions, 32), np.int64), np.zeros(32, np.int64))
    return RewardReader(environment, tape, limits or limits_of(environment), read)
