"""How far a simulation is: a bar on a terminal, a line now and then when piped."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from quack.extras import require

__all__ = ["Progress", "Report", "reporting"]

_LINE_EVERY_S = 10.0
_BAR_EVERY_S = 0.1


class Progress(NamedTuple):
    """How far a simulation is, in agent-rounds: one play of one agent in one round of one run of one group."""

    done: int
    total: int
    elapsed_s: float
    doing: str

    @property
    def left_s(self) -> float:
        """Estimated seconds until the end, at the rate so far; infinite while nothing is done."""
        return self.elapsed_s * (self.total - self.done) / self.done if self.done else float("inf")


Report = Callable[[Progress], object]


@contextlib.contextmanager
def reporting(progress: bool | Report, total: int) -> Iterator[Callable[[int, str], None]]:
    """Give a function ``tell(done, doing)`` that reports as the caller wishes.

    Parameters
    ----------
    progress
        True: on standard error, as a bar if it is a terminal and as lines otherwise; False: not at all; a function: it is called with
        each `Progress`.
    total
        The number of agent-rounds of the whole simulation.
    """
    start = time.perf_counter()

    def at(done: int, doing: str) -> Progress:
        return Progress(done, total, time.perf_counter() - start, doing)

    if progress is False:
        yield lambda _done, _doing: None
    elif progress is not True:
        report = progress
        yield lambda done, doing: report(at(done, doing)) and None
    elif sys.stderr.isatty():
        with _bar(total) as tell:
            yield tell
    else:
        yield _lines(at)


@contextlib.contextmanager
def _bar(total: int) -> Iterator[Callable[[int, str], None]]:
    console = require("rich.console", "the progress bar").Console(stderr=True)
    bars = require("rich.progress", "the progress bar")
    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.TaskProgressColumn(),
        bars.TextColumn("{task.fields[rate]}"),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=console, transient=True, refresh_per_second=1 / _BAR_EVERY_S) as display:
        task = display.add_task("", total=total, rate="")
        start = time.perf_counter()

        def tell(done: int, doing: str) -> None:
            rate = done / (time.perf_counter() - start) / 1e6
            display.update(task, completed=done, description=doing, rate=f"{rate:,.1f} M agent-rounds/s")

        yield tell


def _lines(at: Callable[[int, str], Progress]) -> Callable[[int, str], None]:
    said_s = 0.0

    def tell(done: int, doing: str) -> None:
        nonlocal said_s
        now = at(done, doing)
        if now.elapsed_s - said_s >= _LINE_EVERY_S:
            said_s = now.elapsed_s
            left = f", about {now.left_s:.0f} s left" if now.done else ""
            print(f"{now.doing}: {now.done / now.total:.0%} after {now.elapsed_s:.0f} s{left}", file=sys.stderr, flush=True)  # noqa: T201

    return tell
