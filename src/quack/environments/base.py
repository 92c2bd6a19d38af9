"""What an environment is, the checks that all share, and how a reader walks along its tapes."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, Integers, kernel
from quack.tape import ACTION, Cell, Tape, bernoulli_word

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


class BitReader(NamedTuple):
    """Reads rewards that are 0 or 1, 32 to a word."""

    environment: Any
    tape: Tape
    read: Integers  # how many rewards of each action have been read
    word: Integers  # the word in which the action's last reward lies

    def next(self, action: int) -> float:
        """Return the next reward of the action."""
        position = int(self.read[action])
        self.read[action] = position + 1
        if position & 31 == 0:
            self.word[action] = bernoulli_word(self.environment.success(action), self.tape, action, position >> 5)
        return float((int(self.word[action]) >> (position & 31)) & 1)


def read_by_action(environment: Environment, tape: Tape, limits: Limits | None = None) -> RewardReader | BitReader:
    """Return a reader that stands at the first reward of each action."""
    read = np.zeros(len(environment.gaps), np.int64)
    if hasattr(environment, "success"):
        return BitReader(environment, tape, read, read.copy())
    return RewardReader(environment, tape, limits or limits_of(environment), read)
