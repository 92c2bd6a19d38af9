"""The world's randomness: a pure function of where one looks, never of when.

Rewards are not drawn when a program happens to ask. They lie on a tape, and a reader names the *cell*: (seed, run, purpose,
stream, position). Whoever reads a cell, in whatever order, on whatever thread, finds the same value there. Therefore

* results do not depend on executors, threads, engines or the order of runs;
* all policies of a comparison meet the same luck (common random numbers);
* nothing is stored: a queue of rewards is a count of how many have been read.

The values come from Philox4x32-10, a counter-based generator: 10 rounds of a keyed bijection of 128 bits. The key is the
seed, the counter is the cell, so different cells never collide.

References
----------
J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw (2011). "Parallel random numbers: as easy as 1, 2, 3." Proceedings of
SC'11. The constants are those of its Random123 library, and the tests check its published known answers.
"""

import math
from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Integers, kernel

__all__ = [
    "ACTION",
    "AGENT",
    "DRAW",
    "WARM_UP",
    "Cell",
    "ReadCell",
    "Tape",
    "bernoulli_word",
    "bernoulli_words",
    "integer",
    "normal",
    "open_tape",
    "philox",
    "policy_generator",
    "uniform",
    "uniforms",
]

# What a cell is for. The number is part of the counter: changing one changes every result.
ACTION = 0  # the j-th reward ever read of an action
AGENT = 1  # the reward of an agent in a round
WARM_UP = 2  # what a follower plays before the first order reaches it
BITS = 3  # 32 yes-or-no rewards of an action at once
DRAW = 4  # what an agent draws in a round for one of its actions, of an agent that samples what it believes

_MASK = 0xFFFFFFFF
_HIGHEST_SEED = 2**64 - 1


class Tape(NamedTuple):
    """The randomness of one run."""

    key_low: int
    key_high: int
    run: int


class Cell(NamedTuple):
    """One place on the tape, where a handful of random values lie.

    `purpose` and `stream` say whose place it is (an action's, an agent's), `position` counts along it.
    """

    tape: Tape
    purpose: int
    stream: int
    position: int

    def words(self, lane: int) -> tuple[int, int, int, int]:
        """Return the four words of a lane.

        The counter is (position low, purpose · lane · position high, stream, run): positions to 2⁴⁴, streams and runs to 2³².
        """
        position, tape = int(self.position), self.tape
        second = self.purpose | (lane << 8) | ((position >> 32) << 20)
        return philox(position & _MASK, second, int(self.stream), int(tape.run), tape.key_low, tape.key_high)


class ReadCell(NamedTuple):
    """A cell whose first lane has been read already: together with those of other runs, which is quicker."""

    tape: Tape
    purpose: int
    stream: int
    position: int
    first: tuple[int, int, int, int]

    def words(self, lane: int) -> tuple[int, int, int, int]:
        """Return the four words of a lane."""
        return self.first if lane == 0 else Cell(self.tape, self.purpose, self.stream, self.position).words(lane)


def open_tape(seed: int, run: int) -> Tape:
    """Return the tape of a run. A seed is an integer in 0 … 2⁶⁴ − 1."""
    if not 0 <= seed <= _HIGHEST_SEED:
        raise SpecError(f"seed is {seed}; an integer from 0 to 2**64 - 1 is accepted")
    return Tape(seed & _MASK, seed >> 32, run)


def policy_generator(seed: int, run: int) -> np.random.Generator:
    """Return the generator of a policy's own randomness in a run. It never touches the tape."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(run,))))


@kernel
def philox(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Encrypt the counter (c0, c1, c2, c3) under the key (k0, k1): Philox4x32-10, four random 32-bit words.

    Products of two 32-bit words may exceed 2⁶³; compiled, they wrap, and the masks below recover the same halves.

    Examples
    --------
    The first of the known answers that come with Random123:

    >>> [f"{word:08x}" for word in philox(0, 0, 0, 0, 0, 0)]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    for _ in range(10):
        left = 0xD2511F53 * c0
        right = 0xCD9E8D57 * c2
        c0, c1, c2, c3 = ((right >> 32) & _MASK) ^ c1 ^ k0, right & _MASK, ((left >> 32) & _MASK) ^ c3 ^ k1, left & _MASK
        k0 = (k0 + 0x9E3779B9) & _MASK
        k1 = (k1 + 0xBB67AE85) & _MASK
    return c0, c1, c2, c3


@kernel
def words(cell: Cell | ReadCell, lane: int) -> tuple[int, int, int, int]:
    """Return four 32-bit words of a cell. A cell holds as many as one likes: lane 0, 1, … 4095."""
    return cell.words(lane)


@kernel
def uniforms(cell: Cell, lane: int = 0) -> tuple[float, float]:
    """Return two independent uniform numbers in [0, 1), multiples of 2⁻⁵³."""
    a, b, c, d = words(cell, lane)
    return ((a >> 5) * 67108864 + (b >> 6)) * 2.0**-53, ((c >> 5) * 67108864 + (d >> 6)) * 2.0**-53


@kernel
def uniform(cell: Cell, lane: int = 0) -> float:
    """Return a uniform number in [0, 1), a multiple of 2⁻⁵³."""
    a, b, _, _ = words(cell, lane)
    return ((a >> 5) * 67108864 + (b >> 6)) * 2.0**-53


@kernel
def normal(cell: Cell, lane: int = 0) -> float:
    """Return a standard normal number: √(−2 log(1 − u)) cos(2πv) for two uniforms u, v (Box and Muller 1958)."""
    u, v = uniforms(cell, lane)
    return math.sqrt(-2.0 * math.log(1.0 - u)) * math.cos(2.0 * math.pi * v)


@kernel
def integer(cell: Cell, bound: int) -> int:
    """Return an integer in 0 … bound − 1; each with a probability within 2⁻³² of 1/bound."""
    a, _, _, _ = words(cell, 0)
    return (a * bound) >> 32


@kernel
def bernoulli_word(probability: float, tape: Tape, stream: int, block: int) -> int:
    """Return 32 independent yes-or-no values, one a bit, each yes with exactly the given probability.

    Bit i compares a uniform number U_i with p, binary digit by binary digit, all 32 at once: where the digits differ for the
    first time, U_i < p if and only if the digit of U_i is 0. Doubling a float is exact, so p loses nothing. A word needs about
    6.3 digits, four to a call of the generator: two calls for 32 rewards.
    """
    yes, undecided = _first_digits(_prefix(probability), tape, stream, block)
    return _further_digits(probability, tape, stream, block, yes, undecided)


@kernel
def bernoulli_words(probability: float, tape: Tape, stream: int, block: int, found: Integers, undecided: Integers) -> None:
    """Fill an array with the words of as many blocks, the same as one by one; a second array of its length is scratch.

    The first eight digits are compared whether anything is undecided or not: the same arithmetic for all blocks, so that the
    processor does many at once. One word in eight needs more.
    """
    prefix = _prefix(probability)
    for i in range(len(found)):
        found[i], undecided[i] = _first_digits(prefix, tape, stream, block + i)
    for i in range(len(found)):
        if undecided[i] != 0:
            found[i] = _further_digits(probability, tape, stream, block + i, int(found[i]), int(undecided[i]))


@kernel
def _prefix(probability: float) -> int:
    """Return the first eight binary digits of a probability; of 1, which is 0.111… too, eight ones."""
    return min(int(probability * 256.0), 255)


@kernel
def _first_digits(prefix: int, tape: Tape, stream: int, block: int) -> tuple[int, int]:
    """Compare 32 uniform numbers with the first eight digits: which are below, which are undecided."""
    a, b, c, d = words(Cell(tape, BITS, stream, block), 0)
    e, f, g, h = words(Cell(tape, BITS, stream, block), 1)
    yes, undecided = _next_digit(0, _MASK, a, prefix >> 7)
    yes, undecided = _next_digit(yes, undecided, b, prefix >> 6)
    yes, undecided = _next_digit(yes, undecided, c, prefix >> 5)
    yes, undecided = _next_digit(yes, undecided, d, prefix >> 4)
    yes, undecided = _next_digit(yes, undecided, e, prefix >> 3)
    yes, undecided = _next_digit(yes, undecided, f, prefix >> 2)
    yes, undecided = _next_digit(yes, undecided, g, prefix >> 1)
    return _next_digit(yes, undecided, h, prefix)


@kernel
def _next_digit(yes: int, undecided: int, digits: int, digit: int) -> tuple[int, int]:
    """Compare one digit of 32 numbers with the lowest bit of `digit`; without a branch, so that it vectorises."""
    ones = -(digit & 1) & _MASK
    return yes | (undecided & ~digits & ones), undecided & (digits ^ ones ^ _MASK)


@kernel
def _further_digits(probability: float, tape: Tape, stream: int, block: int, yes: int, undecided: int) -> int:
    """Compare what eight digits did not decide."""
    probability = probability * 256.0 - _prefix(probability)
    lane = 2
    while undecided != 0 and probability > 0.0:
        for digits in words(Cell(tape, BITS, stream, block), lane):
            probability *= 2.0
            if probability >= 1.0:
                probability -= 1.0
                yes, undecided = _next_digit(yes, undecided, digits, 1)
            else:
                yes, undecided = _next_digit(yes, undecided, digits, 0)
        lane += 1
    return yes
