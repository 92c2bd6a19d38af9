"""Who performs which chunk when: threads by default, or any executor; and what happens on Ctrl-C."""

import concurrent.futures
import contextlib
import itertools
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from quack.groups.base import runs_together
from quack.simulation.chunk import Chunk, Outcome, Signals, new_signals, perform
from quack.simulation.interrupts import Interrupts, heeding_interrupts
from quack.simulation.progress import Tell

__all__ = ["perform_all", "split"]

_POLL_S = 0.1
_FAREWELL_S = 0.5  # for other processes to hand over what they have finished
_IN_FLIGHT = 1024  # chunks handed to an executor at once
_CHUNK_AGENT_ROUNDS = {True: 5_000_000, False: 20_000}  # about a tenth of a second, compiled and interpreted


def split(work: Sequence[Chunk], agent_rounds: int, workers: int) -> Iterator[Chunk]:
    """Cut the work of each group into chunks, the groups in turn, so that an interruption leaves them with the same runs.

    Parameters
    ----------
    work
        One chunk per group, with all its runs.
    agent_rounds
        Size of one run.
    workers
        How many will perform them.
    """

    def parts(whole: Chunk) -> Iterator[Chunk]:
        together = runs_together(whole.group, whole.placement)
        fair = -(-len(whole.runs) // (workers if together > 1 else 2 * workers))
        size = min(fair, _CHUNK_AGENT_ROUNDS[whole.compiled] // agent_rounds)
        size = max(1, size // together * together, min(fair, together))
        return (whole._replace(runs=whole.runs[i : i + size]) for i in range(0, len(whole.runs), size))

    turns = itertools.zip_longest(*map(parts, work))
    return (chunk for turn in turns for chunk in turn if chunk is not None)


def perform_all(
    chunks: Iterable[Chunk],
    agent_rounds: int,
    executor: concurrent.futures.Executor | None,
    workers: int,
    tell: Tell,
    outcomes: dict[int, Outcome],
    interrupts: Interrupts,
) -> None:
    """Perform all chunks and put their outcomes into a dictionary, by the chunk's place.

    A run has so many `agent_rounds`. When Ctrl-C comes, runs under way end at their next round, and what was finished stands in
    the dictionary. Another process hears of Ctrl-C only from a terminal, which tells all its processes; otherwise it finishes the
    chunk that it is at.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(interrupts.held())
        if executor is None:
            executor = stack.enter_context(concurrent.futures.ThreadPoolExecutor(workers, thread_name_prefix="quack"))
        _Schedule(chunks, agent_rounds, executor, tell, outcomes, interrupts).run()
    interrupts.heed()


class _Schedule:
    """The chunks in flight, and the signals of those that run in this process."""

    def __init__(
        self,
        chunks: Iterable[Chunk],
        agent_rounds: int,
        executor: concurrent.futures.Executor,
        tell: Tell,
        outcomes: dict[int, Outcome],
        interrupts: Interrupts,
    ) -> None:
        self.waiting = iter(enumerate(chunks))
        self.agent_rounds = agent_rounds
        self.executor = executor
        # Threads see the same memory; other executors can tell of a chunk only when it is finished.
        self.near = isinstance(executor, concurrent.futures.ThreadPoolExecutor)
        self.name = secrets.token_hex(8)
        self.tell = tell
        self.outcomes = outcomes
        self.interrupts = interrupts
        # All chunks share it: a chunk that was submitted, but not yet noted when Ctrl-C came, ends with the others.
        self.stop = np.zeros(1, np.int64)
        self.flying: dict[concurrent.futures.Future[Outcome], tuple[int, Chunk, Signals]] = {}
        self.landed = 0  # agent-rounds of finished chunks
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
        for place, chunk in itertools.islice(self.waiting, _IN_FLIGHT - len(self.flying)):
            self.interrupts.heed()
            signals = new_signals()._replace(stop=self.stop)
            if self.near:
                future = self.executor.submit(perform, chunk, signals)
            else:
                future = self.executor.submit(_perform_apart, chunk, self.name)
            self.flying[future] = (place, chunk, signals)

    def _collect(self) -> None:
        for future in [future for future in self.flying if future.done()]:
            place, chunk, _ = self.flying[future]
            outcome = self.outcomes[place] = future.result()
            if len(outcome.runs) < len(chunk.runs):  # the other process heard of Ctrl-C
                raise KeyboardInterrupt
            del self.flying[future]
            self.landed += len(chunk.runs) * self.agent_rounds

    def _report(self, label: str) -> None:
        now_s = time.monotonic()
        if self.flying and now_s - self.told_s < _POLL_S:
            return
        self.told_s = now_s
        self.tell(self.landed + sum(int(signals.done[0]) for _, _, signals in self.flying.values()), label)

    def _stop(self) -> None:
        """End what runs, forget what does not, and keep what was finished."""
        self.stop[0] = 1
        for future in self.flying:
            future.cancel()
        concurrent.futures.wait(self.flying, None if self.near else _FAREWELL_S)
        for future, (place, _, _) in self.flying.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                self.outcomes[place] = future.result()


_ended: set[str] = set()  # in a worker process: schedules that Ctrl-C has ended


def _perform_apart(chunk: Chunk, schedule: str) -> Outcome:
    """Perform a chunk in a process of its own, in a thread: so Python hears of Ctrl-C while a compiled run goes on."""
    if schedule in _ended:
        raise KeyboardInterrupt
    signals = new_signals()
    with heeding_interrupts() as interrupts, interrupts.held(), concurrent.futures.ThreadPoolExecutor(1) as thread:
        future = thread.submit(perform, chunk, signals)
        while not concurrent.futures.wait([future], _POLL_S).done:
            signals.stop[0] = interrupts.pressed
        if interrupts.pressed:
            _ended.add(schedule)
        return future.result()
