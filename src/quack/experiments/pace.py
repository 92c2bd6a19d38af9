"""How long a study will take, from a timed slice of it, and how large its chunks are for that.

What is measured decides how the work is cut and what the progress bar says, never what the results are.
"""

import concurrent.futures
import statistics
import time
from collections.abc import Sequence

from quack.groups.base import runs_together
from quack.simulation.chunk import Chunk, Outcome, Signals, new_signals, perform
from quack.simulation.interrupts import Interrupts

__all__ = ["chunk_size", "expected_s", "measured", "wall_s"]

_SLICES = 24  # so many are timed; the others are like these
_SLICE_S = 0.1
_LOOK_S = 0.002
_SHORTEST_S, _LONGEST_S = 1.0, 10.0  # of a chunk
_CHUNKS_A_WORKER = 8
_COUNTS = 2**22  # numbers in a chunk's results: 32 MiB


def measured(wholes: Sequence[Chunk], interrupts: Interrupts) -> list[Chunk]:
    """Return the same work with the expected processor time of an agent-round, from slices of a tenth of a second."""
    step = -(-len(wholes) // _SLICES)
    times: dict[int, float] = {}
    with concurrent.futures.ThreadPoolExecutor(1) as thread, interrupts.held():
        for i in range(0, len(wholes), step):
            signals = new_signals()
            try:
                outcome = _slice(thread, wholes[i], signals, interrupts)
            finally:
                signals.stop[0] = 1
            times[i] = outcome.cpu_s / max(int(signals.done[0]), 1)
            interrupts.heed()
    return [whole._replace(expected_s=times[i] if i in times else _like(whole, wholes, times)) for i, whole in enumerate(wholes)]


def _slice(thread: concurrent.futures.Executor, whole: Chunk, signals: Signals, interrupts: Interrupts) -> Outcome:
    """Play for a while, and at least a round."""
    future = thread.submit(perform, whole, signals)
    start = time.perf_counter()
    while not future.done() and not (signals.done[0] and time.perf_counter() - start > _SLICE_S) and not interrupts.pressed:
        concurrent.futures.wait([future], _LOOK_S)
    signals.stop[0] = 1
    return future.result()


def _like(whole: Chunk, wholes: Sequence[Chunk], times: dict[int, float]) -> float:
    """Guess the pace of what was not timed: that of the same group elsewhere, or of all."""
    same = [pace for i, pace in times.items() if wholes[i].label == whole.label and wholes[i].compiled == whole.compiled]
    return statistics.median(same or times.values())


def expected_s(whole: Chunk) -> float:
    """Return the expected processor time of all runs."""
    return len(whole.runs) * whole.agent_rounds * whole.expected_s


def wall_s(wholes: Sequence[Chunk], workers: int, *, threads: bool) -> float:
    """Return the expected time of everything. Threads take turns at what is interpreted."""
    alone = sum(expected_s(whole) for whole in wholes if threads and not whole.compiled)
    return alone + (sum(map(expected_s, wholes)) - alone) / workers


def chunk_size(whole: Chunk, total_s: float, workers: int) -> int:
    """Return how many runs make a chunk of a second, or of up to ten if there is much to do; its results must fit into memory."""
    target_s = min(max(total_s / (_CHUNKS_A_WORKER * workers), _SHORTEST_S), _LONGEST_S)
    run_s = whole.agent_rounds * whole.expected_s
    together = runs_together(whole.group, whole.placement)
    room = _COUNTS // (len(whole.checkpoints) * len(whole.environment.gaps))
    size = min(int(target_s / run_s) if run_s > 0 else room, room)
    return max(size // together * together, min(together, len(whole.runs)), 1)
