"""Who performs which chunk when: threads by default, or any executor; and what happens on Ctrl-C."""

import concurrent.futures
import contextlib
import itertools
import math
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from quack.groups.base import runs_together
from quack.simulation.chunk import Chunk, Signals, new_signals
from quack.simulation.interrupts import Interrupts, heeding_interrupts
from quack.simulation.progress import Tell

__all__ = ["Keep", "Work", "cut", "perform_all", "split"]

_POLL_S = 0.1
_FAREWELL_S = 0.5  # for other processes to hand over what they have finished
_IN_FLIGHT = 1024  # chunks handed to an executor at once
_VECTOR = 8  # runs side by side that the processor does at once
_CHUNK_S = 0.1
_FIRST_AGENT_ROUNDS = {True: 5_000_000, False: 20_000}  # compiled and interpreted, of chunks that are to show how long they take
_LEAST_PACE_S = 1e-12


Work = Callable[[Chunk, Signals], Any]
"""Performs a chunk and returns something that has its finished `runs`, such as an `Outcome`."""

Keep = Callable[[int, Any], object]
"""Takes the place of a chunk among all, and what came of it."""


def split(work: Sequence[Chunk], workers: int, paces: Mapping[str, float] | None = None) -> Iterator[Chunk]:
    """Cut the work of each group into chunks of about a tenth of a second, the groups in turn.

    Each is cut when it is asked for, by what is known then. How the work is cut does not change what comes of it.

    Parameters
    ----------
    work
        One chunk per group, with all its runs.
    workers
        How many will perform them.
    paces
        How many seconds an agent-round of a group takes, by its label, as soon as somebody knows: a group that is not in it gets
        small chunks.
    """
    first = [0] * len(work)
    paces = {} if paces is None else paces
    while any(first[i] < len(whole.runs) for i, whole in enumerate(work)):
        for i, whole in enumerate(work):
            if first[i] < len(whole.runs):
                size = _size(whole, len(whole.runs) - first[i], workers, paces.get(whole.label))
                yield whole._replace(runs=whole.runs[first[i] : first[i] + size])
                first[i] += size


def _size(whole: Chunk, left: int, workers: int, pace: float | None) -> int:
    """Return how many runs the next chunk has, of those that are left: all workers are to end together."""
    together = runs_together(whole.group, whole.placement)
    agent_rounds = _FIRST_AGENT_ROUNDS[whole.compiled] if pace is None else int(_CHUNK_S / max(pace, _LEAST_PACE_S))
    most = agent_rounds // whole.agent_rounds
    if together == 1:
        return min(-(-left // (2 * workers)), max(1, most))
    runs = len(whole.runs)
    share = _vectors(runs / workers)
    if share <= most:
        return share
    waves = math.ceil(runs / (workers * together))  # in each, every worker plays once as many runs as it likes best, or fewer
    return max(most // together * together, min(together, _vectors(runs / (workers * waves))))


def _vectors(runs: float) -> int:
    """Return so many runs, or a few more, that fill what the processor does at once."""
    return math.ceil(runs / _VECTOR) * _VECTOR


def cut(work: Sequence[Chunk], sizes: Sequence[int]) -> Iterator[Chunk]:
    """Cut each into chunks of so many runs, the groups in turn, so that an interruption leaves them with the same runs."""

    def parts(whole: Chunk, size: int) -> Iterator[Chunk]:
        return (whole._replace(runs=whole.runs[i : i + size]) for i in range(0, len(whole.runs), size))

    turns = itertools.zip_longest(*map(parts, work, sizes))
    return (chunk for turn in turns for chunk in turn if chunk is not None)


def perform_all(
    chunks: Iterable[Chunk],
    work: Work,
    executor: concurrent.futures.Executor | None,
    workers: int,
    tell: Tell,
    keep: Keep,
    interrupts: Interrupts,
    in_flight: int = _IN_FLIGHT,
    expected_s: float = 0.0,
) -> None:
    """Perform all chunks, at most so many handed over at once, and let what came of each be kept.

    If all together are expected to take so many seconds of processors, progress is measured in these.

    When Ctrl-C comes, runs under way end at their next round, and what was finished is kept. Another process hears of Ctrl-C only
    from a terminal, which tells all its processes; otherwise it finishes the chunk that it is at.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(interrupts.held())
        if executor is None:
            executor = stack.enter_context(concurrent.futures.ThreadPoolExecutor(workers, thread_name_prefix="quack"))
        _Schedule(chunks, work, executor, tell, keep, interrupts, in_flight, expected_s).run()
    interrupts.heed()


class _Schedule:
    """The chunks in flight, and the signals of those that run in this process."""

    def __init__(
        self,
        chunks: Iterable[Chunk],
        work: Work,
        executor: concurrent.futures.Executor,
        tell: Tell,
        keep: Keep,
        interrupts: Interrupts,
        in_flight: int,
        expected_s: float,
    ) -> None:
        self.waiting = iter(enumerate(chunks))
        self.work = work
        self.executor = executor
        # Threads see the same memory; other executors can tell of a chunk only when it is finished.
        self.near = isinstance(executor, concurrent.futures.ThreadPoolExecutor)
        self.name = secrets.token_hex(8)
        self.tell = tell
        self.keep = keep
        self.interrupts = interrupts
        self.in_flight = in_flight
        self.expected_s = expected_s
        # All chunks share it: a chunk that was submitted, but not yet noted when Ctrl-C came, ends with the others.
        self.stop = np.zeros(1, np.int64)
        self.flying: dict[concurrent.futures.Future[Any], tuple[int, Chunk, Signals]] = {}
        self.landed = 0  # agent-rounds of finished chunks, …
        self.landed_s = 0.0  # … and how long they were expected to take
        self.told_s = 0.0

    def run(self) -> None:
        try:
            self._launch()
            while self.flying:
                concurrent.futures.wait(self.flying, _POLL_S, concurrent.futures.FIRST_COMPLETED)
                self.interrupts.heed()
                label = next(chunk.label for _, chunk, _ in self.flying.values())
                self._collect()
                self._launch()
                self._report(label)
        except BaseException:
            self._stop()
            raise

    def _launch(self) -> None:
        for place, chunk in itertools.islice(self.waiting, self.in_flight - len(self.flying)):
            self.interrupts.heed()
            signals = new_signals()._replace(stop=self.stop)
            if self.near:
                future = self.executor.submit(self.work, chunk, signals)
            else:
                future = self.executor.submit(_perform_apart, self.work, chunk, self.name)
            self.flying[future] = (place, chunk, signals)

    def _collect(self) -> None:
        for future in [future for future in self.flying if future.done()]:
            place, chunk, _ = self.flying[future]
            finished = future.result()
            del self.flying[future]  # whoever keeps it may fail: it is not kept twice
            self.keep(place, finished)
            if len(finished.runs) < len(chunk.runs):  # the other process heard of Ctrl-C
                raise KeyboardInterrupt
            agent_rounds = len(chunk.runs) * chunk.agent_rounds
            self.landed += agent_rounds
            self.landed_s += agent_rounds * chunk.expected_s

    def _report(self, label: str) -> None:
        now_s = time.monotonic()
        if self.flying and now_s - self.told_s < _POLL_S:
            return
        self.told_s = now_s
        under_way = [(int(signals.done[0]), chunk.expected_s) for _, chunk, signals in self.flying.values()]
        done = self.landed + sum(done for done, _ in under_way)
        spent_s = self.landed_s + sum(done * expected_s for done, expected_s in under_way)
        self.tell(done, label, max(self.expected_s - spent_s, 0.0) / spent_s if spent_s > 0 else None)

    def _stop(self) -> None:
        """End what runs, forget what does not, and keep what was finished."""
        self.stop[0] = 1
        for future in self.flying:
            future.cancel()
        concurrent.futures.wait(self.flying, None if self.near else _FAREWELL_S)
        for future, (place, _, _) in self.flying.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                self.keep(place, future.result())


_ended: set[str] = set()  # in a worker process: schedules that Ctrl-C has ended


def _perform_apart(work: Work, chunk: Chunk, schedule: str) -> Any:
    """Perform a chunk in a process of its own, in a thread: so Python hears of Ctrl-C while a compiled run goes on."""
    if schedule in _ended:
        raise KeyboardInterrupt
    signals = new_signals()
    with heeding_interrupts() as interrupts, interrupts.held(), concurrent.futures.ThreadPoolExecutor(1) as thread:
        future = thread.submit(work, chunk, signals)
        while not concurrent.futures.wait([future], _POLL_S).done:
            signals.stop[0] = interrupts.pressed
        if interrupts.pressed:
            _ended.add(schedule)
        return future.result()
