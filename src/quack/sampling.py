"""Normal, gamma and Beta numbers as pure functions of a cell of the tape, and many of them at once.

A cell is a number's own: what is drawn there depends on nothing else, so that runs may be played side by side in any blocks. Each
sampler proposes and accepts, attempt after attempt, and an attempt reads its own lanes of the cell. The functions of a whole row
do the first attempt of all numbers together, in a form that processors work on side by side, and leave to the others what that
does not settle: one in ten or fewer. They return the same bits as the functions of one number.

References
----------
G. Marsaglia, W. W. Tsang (2000). "The ziggurat method for generating random variables." J. Statistical Software 5(8).
G. Marsaglia, W. W. Tsang (2000). "A simple method for generating gamma variables." ACM Trans. Math. Software 26(3).
"""

import math
from typing import NamedTuple

import numpy as np

from quack.kernels import Floats, Integers, kernel
from quack.tape import Cell, Tape, uniform, uniforms, words

__all__ = ["Rooms", "beta_odds", "beta_odds_row", "new_rooms", "standard_normal", "standard_normal_row"]

_LAYERS = 256
_EDGE = 3.6541528853610088  # where the tail begins, for 256 layers of equal area (Marsaglia and Tsang 2000)
_LANES = 4  # of one attempt: the proposals, what decides about them, and the rare cases of the first and of the second normal
_BOOSTED = 0.5  # gamma numbers of smaller shapes come from those of a shape larger by 1


def _ziggurat() -> tuple[Floats, Floats]:
    """Return the layers of exp(−x²/2): how wide each is, and how high it begins.

    Layer 0 is the rectangle below the edge and the tail together, as wide as a rectangle of this height and the common area.
    """
    widths, heights = np.zeros(_LAYERS + 1), np.ones(_LAYERS + 1)
    heights[1] = math.exp(-0.5 * _EDGE * _EDGE)
    area = _EDGE * heights[1] + math.sqrt(0.5 * math.pi) * math.erfc(_EDGE / math.sqrt(2.0))
    widths[0], widths[1] = area / heights[1], _EDGE
    for layer in range(2, _LAYERS):
        heights[layer] = heights[layer - 1] + area / widths[layer - 1]
        widths[layer] = math.sqrt(-2.0 * math.log(heights[layer]))
    return widths, heights


_WIDTHS, _HEIGHTS = _ziggurat()


@kernel
def _layer(high: int, low: int) -> int:
    """Return a layer: the eight bits of two words that `_inside` leaves."""
    return (high & 31) | ((low & 7) << 5)


@kernel
def _inside(high: int, low: int) -> float:
    """Return a uniform number in [−1, 1): 53 bits of two words."""
    return ((high >> 5) * 67108864 + (low >> 6)) * 2.0**-52 - 1.0


@kernel
def _normal_of(high: int, low: int, cell: Cell, lane: int) -> float:
    """Return a standard normal number, or NaN if the attempt fails. The lane is for the one case in eighty that needs more."""
    layer = _layer(high, low)
    x = _inside(high, low) * _WIDTHS[layer]
    if abs(x) < _WIDTHS[layer + 1]:
        return x  # type: ignore[no-any-return]
    u, v = uniforms(cell, lane)
    if layer == 0:
        beyond = -math.log(1.0 - u) / _EDGE
        far = _EDGE + beyond if x > 0.0 else -_EDGE - beyond
        return far if -2.0 * math.log(1.0 - v) > beyond * beyond else math.nan
    height = _HEIGHTS[layer] + u * (_HEIGHTS[layer + 1] - _HEIGHTS[layer])
    return x if height < math.exp(-0.5 * x * x) else math.nan


@kernel
def standard_normal(cell: Cell) -> float:
    """Return a standard normal number, by the ziggurat method."""
    lane = 0
    while True:
        a, b, _, _ = words(cell, lane)
        x = _normal_of(a, b, cell, lane + 1)
        if x == x:  # noqa: PLR0124 (it is no NaN)
            return x
        lane += _LANES


@kernel
def _log_ratio(d: float, y: float) -> float:
    """Return the logarithm of the chance with which y is accepted: how much lower the wanted density is than the proposed one."""
    return d * (1.5 * y * y - 3.0 * y - y * y * y + 3.0 * math.log1p(y))


@kernel
def beta_odds(alpha: float, beta: float, cell: Cell) -> tuple[float, float]:
    """Return two independent gamma numbers G and H of shapes α and β, up to a common factor: G/(G + H) is Beta(α, β).

    ::

        d = α − 1/3,  y = x/(3√d) for a standard normal x,  G = d (1 + y)³,
        accepted with probability exp(d (3/2 y² − 3y − y³ + 3 log(1 + y)))

    for every α > 1/3, and so for β; one uniform number decides about both. A shape of at most ½ is raised by 1, and the gamma
    number multiplied by U^(1/α). Who compares G/(G + H) with G′/(G′ + H′) may compare G H′ with G′ H, and needs no division.
    """
    raise_alpha = 1.0 if alpha <= _BOOSTED else 0.0
    raise_beta = 1.0 if beta <= _BOOSTED else 0.0
    d, e = alpha + raise_alpha - 1.0 / 3.0, beta + raise_beta - 1.0 / 3.0
    lane = 0
    while True:
        a, b, c, f = words(cell, lane)
        y = _normal_of(a, b, cell, lane + 2) / (3.0 * math.sqrt(d))
        z = _normal_of(c, f, cell, lane + 3) / (3.0 * math.sqrt(e))
        if y > -1.0 and z > -1.0:
            u, _ = uniforms(cell, lane + 1)
            if u < _surely(d, y, e, z) or u < math.exp(_log_ratio(d, y) + _log_ratio(e, z)):
                break
        lane += _LANES
    one, other = d * ((1.0 + y) * (1.0 + y) * (1.0 + y)), e * ((1.0 + z) * (1.0 + z) * (1.0 + z))
    if raise_alpha + raise_beta == 0.0:
        return one, other
    u, v = uniforms(cell, lane + _LANES)
    log_one = math.log(one) + (math.log(1.0 - u) / alpha if raise_alpha == 1.0 else 0.0)
    log_other = math.log(other) + (math.log(1.0 - v) / beta if raise_beta == 1.0 else 0.0)
    largest = max(log_one, log_other)
    return math.exp(log_one - largest), math.exp(log_other - largest)


@kernel
def _surely(d: float, y: float, e: float, z: float) -> float:
    """Return a number that the chance of acceptance exceeds, if neither y nor z is below −½.

    The chance is exp(−L) with L = d (¾ y⁴ − 3/5 y⁵ + 3/6 y⁶ − …) + …, at most 3/2 (d y⁴ + e z⁴), and exp(−L) ≥ 1 − L.
    """
    loss = 1.5 * (d * (y * y) * (y * y) + e * (z * z) * (z * z))
    return 1.0 - loss if y > -0.5 and z > -0.5 else -1.0  # noqa: PLR2004


class Rooms(NamedTuple):
    """Room for the first attempt of a row."""

    x: Floats
    z: Floats
    chance: Floats
    layer: Integers  # of x
    other_layer: Integers  # of z


def new_rooms(runs: int) -> Rooms:
    """Return room for so many numbers side by side."""
    return Rooms(np.zeros(runs), np.zeros(runs), np.zeros(runs), np.zeros(runs, np.int64), np.zeros(runs, np.int64))


@kernel
def standard_normal_row(tape: Tape, purpose: int, stream: int, position: int, rooms: Rooms, out: Floats) -> None:
    """Write one standard normal number per run side by side: `standard_normal` of its cell."""
    for i in range(len(out)):
        a, b, _, _ = words(Cell(Tape(tape.key_low, tape.key_high, tape.run + i), purpose, stream, position), 0)
        out[i] = _inside(a, b)
        rooms.layer[i] = _layer(a, b)
    _normals_of(rooms.layer, out)
    for i in range(len(out)):
        if out[i] != out[i]:  # it is NaN
            out[i] = standard_normal(Cell(Tape(tape.key_low, tape.key_high, tape.run + i), purpose, stream, position))


@kernel
def beta_odds_row(
    alphas: Floats,
    betas: Floats,
    tape: Tape,
    purpose: int,
    stream: int,
    position: int,
    rooms: Rooms,
    ones: Floats,
    others: Floats,
) -> None:
    """Write a pair (G, H) for each of the runs side by side: `beta_odds` of its cell.

    One loop for each step: together they are more than the compiler turns into instructions for eight numbers at once.
    """
    for i in range(len(ones)):
        a, b, c, f = words(Cell(Tape(tape.key_low, tape.key_high, tape.run + i), purpose, stream, position), 0)
        rooms.x[i], rooms.z[i] = _inside(a, b), _inside(c, f)
        rooms.layer[i], rooms.other_layer[i] = _layer(a, b), _layer(c, f)
    for i in range(len(ones)):
        rooms.chance[i] = uniform(Cell(Tape(tape.key_low, tape.key_high, tape.run + i), purpose, stream, position), 1)
    _normals_of(rooms.layer, rooms.x)
    _normals_of(rooms.other_layer, rooms.z)
    for i in range(len(ones)):
        d, e = max(alphas[i], _BOOSTED) - 1.0 / 3.0, max(betas[i], _BOOSTED) - 1.0 / 3.0
        y, z = rooms.x[i] / (3.0 * math.sqrt(d)), rooms.z[i] / (3.0 * math.sqrt(e))
        settled = (rooms.chance[i] < _surely(d, y, e, z)) & (alphas[i] > _BOOSTED) & (betas[i] > _BOOSTED)
        ones[i] = d * ((1.0 + y) * (1.0 + y) * (1.0 + y)) if settled else math.nan
        others[i] = e * ((1.0 + z) * (1.0 + z) * (1.0 + z))
    for i in range(len(ones)):
        if ones[i] != ones[i]:  # it is NaN
            cell = Cell(Tape(tape.key_low, tape.key_high, tape.run + i), purpose, stream, position)
            ones[i], others[i] = beta_odds(alphas[i], betas[i], cell)


@kernel
def _normals_of(layers: Integers, out: Floats) -> None:
    """Make normal numbers of numbers in [−1, 1) and their layers, NaN where one needs more."""
    for i in range(len(out)):
        layer = layers[i] & 255
        x = out[i] * _WIDTHS[layer]
        out[i] = x if abs(x) < _WIDTHS[layer + 1] else math.nan
