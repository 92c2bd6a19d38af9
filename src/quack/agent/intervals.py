"""A set of whole numbers that has few gaps: which serials of a stream are known."""

from bisect import bisect_right
from collections.abc import Iterable
from math import inf

__all__ = ["IntervalSet"]


class IntervalSet:
    """A set of whole numbers, kept as disjoint intervals low ≤ number < high that do not touch.

    Examples
    --------
    >>> known = IntervalSet()
    >>> [known.add(number) for number in (0, 1, 5, 1, 2)]
    [True, True, True, False, True]
    >>> known.intervals
    [(0, 3), (5, 6)]
    >>> 2 in known, 3 in known
    (True, False)
    """

    __slots__ = ("intervals",)

    def __init__(self, intervals: Iterable[tuple[int, int]] = ()) -> None:
        self.intervals = list(intervals)

    def __contains__(self, number: int) -> bool:
        intervals = self.intervals
        place = bisect_right(intervals, (number, inf)) - 1
        return place >= 0 and number < intervals[place][1]

    def add(self, number: int) -> bool:
        """Put a number in; False if it was there."""
        intervals = self.intervals
        if intervals and intervals[-1][1] == number:  # the usual case: the next serial
            intervals[-1] = (intervals[-1][0], number + 1)
            return True
        place = bisect_right(intervals, (number, inf))
        if place and number < intervals[place - 1][1]:
            return False
        low, high, first, last = number, number + 1, place, place
        if place and intervals[place - 1][1] == number:
            low, first = intervals[place - 1][0], place - 1
        if place < len(intervals) and intervals[place][0] == number + 1:
            high, last = intervals[place][1], place + 1
        intervals[first:last] = [(low, high)]
        return True

    def fill_lowest_gap(self) -> None:
        """Put in what lies between the first two intervals, so that there is one less."""
        low, high = self.intervals[0][0], self.intervals[1][1]
        self.intervals[:2] = [(low, high)]
