"""Round numbers along an axis, and where values lie on it."""

import math
from typing import NamedTuple

__all__ = ["Scale", "tick_label"]

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_DECADES = 2.0  # fewer decades than this are also marked at 2 and 5


class Scale(NamedTuple):
    """A stretch of numbers drawn on a stretch of pixels."""

    low: float
    high: float
    start: float  # where the lowest number is drawn
    end: float
    log: bool = False

    def place(self, value: float) -> float:
        """Return where a number is drawn; one outside at the nearest end.

        Examples
        --------
        >>> Scale(0, 10, 100, 0).place(2.5)
        75.0
        """
        value = min(max(value, self.low), self.high)
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 5) -> list[float]:
        """Return round numbers on the axis.

        Examples
        --------
        >>> Scale(0, 10, 0, 1).ticks()
        [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
        >>> Scale(20, 3000, 0, 1, log=True).ticks()
        [100.0, 1000.0]
        """
        if self.log:
            return self._log_ticks()
        rough = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = power * next(step for step in _STEPS if step * power >= rough * (1 - 1e-9))
        first = math.ceil(self.low / step - 1e-9)
        return [i * step for i in range(first, math.floor(self.high / step + 1e-9) + 1)]

    def _log_ticks(self) -> list[float]:
        low, high = math.log10(self.low), math.log10(self.high)
        factors = (1.0, 2.0, 5.0) if high - low < _DECADES else (1.0,)
        decades = range(math.floor(low), math.ceil(high) + 1)
        ticks = [factor * 10.0**decade for decade in decades for factor in factors]
        return [tick for tick in ticks if self.low * (1 - 1e-9) <= tick <= self.high * (1 + 1e-9)]


def tick_label(value: float) -> str:
    """Write a number of an axis, shortly.

    Examples
    --------
    >>> [tick_label(value) for value in (0.0, 0.25, 7500.0, 250000.0, 1e7)]
    ['0', '0.25', '7,500', '250 k', '10 M']
    """
    for size, unit in ((1e6, " M"), (1e4, " k")):
        if size <= abs(value) < 1e9:  # noqa: PLR2004 (beyond, powers of ten are shorter)
            return f"{value / (1e3 if size < 1e6 else size):,.10g}{unit}"  # noqa: PLR2004 (a million)
    return f"{value:,.10g}" if 1e-3 <= abs(value) < 1e4 or value == 0 else f"{value:.3g}"  # noqa: PLR2004 (short enough to read)
