"""How far a simulation is: a bar on a terminal, a line now and then when piped."""

import contextlib
import datetime as dt
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from quack.extras import require

__all__ = ["Progress", "Report", "Tell", "reporting"]

_LINE_EVERY_S = 10.0
_BAR_EVERY_S = 0.1
_REMIND_S = 1.0


class Progress(NamedTuple):
    """How far a simulation is, in agent-rounds: one play of one agent in one round of one run of one group.

    Attributes
    ----------
    done, total
        Agent-rounds.
    elapsed_s
        Seconds since the beginning.
    doing
        What is under way: a group's label.
    prepared_s
        How many of these seconds went by before the first play: the compiler's.
    resumed
        How many of the agent-rounds had been done before the beginning: they are no speed.
    ahead
        What is left, as a multiple of what was done since the beginning, where some agent-rounds are known to take longer than
        others; otherwise None.
    """

    done: int
    total: int
    elapsed_s: float
    doing: str
    prepared_s: float = 0.0
    resumed: int = 0
    ahead: float | None = None

    @property
    def per_s(self) -> float:
        """Agent-rounds per second since the first play."""
        playing_s = self.elapsed_s - self.prepared_s
        return (self.done - self.resumed) / playing_s if playing_s > 0 else 0.0

    @property
    def left_s(self) -> float:
        """Estimated seconds until the end, at the rate so far; infinite while nothing is done."""
        if self.ahead is not None:
            return (self.elapsed_s - self.prepared_s) * self.ahead
        return (self.total - self.done) / self.per_s if self.per_s > 0 else float("inf")


Report = Callable[[Progress], object]


class Tell(Protocol):
    """Says how many agent-rounds are done (None before the first play), what is under way, what is ahead, as in `Progress`."""

    def __call__(self, done: int | None, doing: str, ahead: float | None = None, /) -> None:
        """Report."""


@contextlib.contextmanager
def reporting(progress: bool | Report, total: int, resumed: int = 0) -> Iterator[Tell]:
    """Give a function ``tell(done, doing, ahead)`` that reports as the caller wishes. It is told what this process has done.

    Parameters
    ----------
    progress
        True: on standard error, as a bar if it is a terminal and as lines otherwise; False: not at all; a function: it is called
        with each `Progress`.
    total
        The number of agent-rounds of the whole simulation.
    resumed
        How many of these were done before.
    """
    with contextlib.ExitStack() as stack:
        if callable(progress):
            report = progress
        elif not progress:
            report = _say_nothing
        elif sys.stderr.isatty():
            report = stack.enter_context(_bar(total))
        else:
            report = stack.enter_context(_lines())
        yield _teller(report, total, resumed)


def _teller(report: Report, total: int, resumed: int) -> Tell:
    """Make progress of numbers: it never goes back and never exceeds the total, whatever a group counts."""
    start = time.perf_counter()
    prepared_s = 0.0
    most = resumed

    def tell(done: int | None, doing: str, ahead: float | None = None, /) -> None:
        nonlocal most, prepared_s
        elapsed_s = time.perf_counter() - start
        if done is None:
            prepared_s = elapsed_s
        most = max(most, min(resumed + (done or 0), total))
        report(Progress(most, total, elapsed_s, doing, prepared_s, resumed, ahead))

    return tell


def _say_nothing(_now: Progress) -> None:
    pass


@contextlib.contextmanager
def _bar(total: int) -> Iterator[Report]:
    console = require("rich.console", "the progress bar").Console(stderr=True)
    bars = require("rich.progress", "the progress bar")
    columns = (
        bars.TextColumn("{task.description}", markup=False),
        bars.SpinnerColumn(),
        bars.BarColumn(),
        bars.TaskProgressColumn(),
        bars.TextColumn("{task.fields[rate]}", markup=False),
        bars.TextColumn("{task.fields[left]}", markup=False),
    )
    with bars.Progress(*columns, console=console, transient=True, refresh_per_second=1 / _BAR_EVERY_S) as display:
        task = display.add_task("", total=total, rate="", left="")

        def show(now: Progress) -> None:
            begun = now.done > now.resumed
            rate = f"{now.per_s / 1e6:,.1f} M agent-rounds/s" if begun else ""
            left = f"{dt.timedelta(seconds=round(now.left_s))} left" if begun else ""
            display.update(task, completed=now.done, description=now.doing, rate=rate, left=left)

        yield show


@contextlib.contextmanager
def _lines() -> Iterator[Report]:
    """Say a line now and then. While the compiler works it reports nothing: a thread says how long that takes."""
    start_s = time.perf_counter()
    said_s = 0.0
    latest: Progress | None = None
    turn = threading.Lock()
    over = threading.Event()

    def show(now: Progress) -> None:
        nonlocal said_s, latest
        with turn:
            latest = now
            if now.elapsed_s - said_s >= _LINE_EVERY_S:
                said_s = now.elapsed_s
                _say(now)

    def remind() -> None:
        while not over.wait(_REMIND_S):
            if latest is not None:
                show(latest._replace(elapsed_s=time.perf_counter() - start_s))

    thread = threading.Thread(target=remind, name="quack progress", daemon=True)
    thread.start()
    try:
        yield show
    finally:
        over.set()
        thread.join()


def _say(now: Progress) -> None:
    left = f", about {now.left_s:,.0f} s left" if now.done > now.resumed else ""
    line = f"{now.doing}: {now.done / now.total:.0%} after {now.elapsed_s:,.0f} s{left}"
    with contextlib.suppress(OSError):  # nobody reads any more: no reason to end the simulation
        print(line, file=sys.stderr, flush=True)  # noqa: T201
