"""Who performs which chunk when: threads by default, or any executor; and what happens on Ctrl-C."""

import concurrent.futures
import itertools
from collections.abc import Callable, Sequence

from quack.simulation.chunk import Chunk, Outcome, Signals, new_signals, perform

__all__ = ["perform_all", "split"]

_POLL_S = 0.1
_IN_FLIGHT = 1024  # chunks handed to an executor at once
_CHUNK_AGENT_ROUNDS = {True: 5_000_000, False: 20_000}  # about a tenth of a second, compiled and interpreted

Tell = Callable[[int, str], None]


def split(work: Sequence[Chunk], agent_rounds: int, workers: int) -> list[Chunk]:
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
    parts = []
    for whole in work:
        fair = -(-len(whole.runs) // (2 * workers))
        size = max(1, min(fair, _CHUNK_AGENT_ROUNDS[whole.compiled] // agent_rounds))
        parts.append([whole._replace(runs=whole.runs[i : i + size]) for i in range(0, len(whole.runs), size)])
    return [chunk for turn in itertools.zip_longest(*parts) for chunk in turn if chunk is not None]


def perform_all(
    chunks: Sequence[Chunk],
    executor: concurrent.futures.Executor | None,
    workers: int,
    tell: Tell,
    outcomes: dict[int, Outcome],
) -> None:
    """Perform all chunks and put their outcomes into a dictionary, by the chunk's place.

    When Ctrl-C comes, runs under way end at their next round, and what was finished stands in the dictionary.
    """
    if executor is not None:
        _Schedule(chunks, executor, tell, outcomes).run()
        return
    with concurrent.futures.ThreadPoolExecutor(workers, thread_name_prefix="quack") as threads:
        _Schedule(chunks, threads, tell, outcomes).run()


class _Schedule:
    """The chunks in flight, and the signals of those that run in this process."""

    def __init__(
        self,
        chunks: Sequence[Chunk],
        executor: concurrent.futures.Executor,
        tell: Tell,
        outcomes: dict[int, Outcome],
    ) -> None:
        self.waiting = iter(enumerate(chunks))
        self.executor = executor
        # Threads see the same memory; other executors can tell of a chunk only when it is finished.
        self.near = isinstance(executor, concurrent.futures.ThreadPoolExecutor)
        self.tell = tell
        self.outcomes = outcomes
        self.flying: dict[concurrent.futures.Future[Outcome], tuple[int, Chunk, Signals]] = {}
        self.landed = 0  # agent-rounds of finished chunks

    def run(self) -> None:
        try:
            self._launch()
            while self.flying:
                concurrent.futures.wait(self.flying, _POLL_S, concurrent.futures.FIRST_COMPLETED)
                self._collect()
                self._launch()
                self._report()
        except BaseException:
            self._stop()
            raise

    def _launch(self) -> None:
        for place, chunk in itertools.islice(self.waiting, _IN_FLIGHT - len(self.flying)):
            signals = new_signals()
            future = self.executor.submit(perform, chunk, signals if self.near else None)
            self.flying[future] = (place, chunk, signals)

    def _collect(self) -> None:
        for future in [future for future in self.flying if future.done()]:
            place, chunk, _ = self.flying[future]
            self.outcomes[place] = future.result()
            del self.flying[future]
            self.landed += len(chunk.runs) * chunk.placement.n_agents * int(chunk.checkpoints[-1])

    def _report(self) -> None:
        done = self.landed + sum(int(signals.done[0]) for _, _, signals in self.flying.values())
        running = next((chunk.label for future, (_, chunk, _) in self.flying.items() if future.running()), "")
        self.tell(done, running)

    def _stop(self) -> None:
        """End what runs, forget what does not, and keep what was finished."""
        for future, (_, _, signals) in self.flying.items():
            signals.stop[0] = 1
            future.cancel()
        if not self.near:
            return
        concurrent.futures.wait(self.flying)
        for future, (place, _, _) in self.flying.items():
            if not future.cancelled() and future.exception() is None:
                self.outcomes[place] = future.result()
