"""QuACK-UCB on the grid of 196, through `compare` itself: against a Python object, against C, on two threads, in memory.

    python -m benchmarks.quack_ucb [--yardstick FOLDER]

The yardstick is a folder with a module `yardstick.py` whose ``quack_ucb_ns(..., variant=CACHED)`` times a C program that does the
same work with cached indices. Without it that line is left out.
"""

import argparse
import concurrent.futures
import importlib.util
import math
import time
import tracemalloc
from typing import Any

import numba
import numpy as np

import quack
from benchmarks.setting import least, store

BANDIT = quack.Bernoulli([0.5] + [0.45] * 9)
GRID = quack.networks.grid(14, 14)


class PlainUCB:
    """The same policy as a Python object, as one would write it."""

    def __init__(self, n_actions: int, horizon: int, rng: np.random.Generator) -> None:  # noqa: ARG002 (the factory's signature)
        self.plays = [0] * n_actions
        self.total = [0.0] * n_actions
        self.width = 2 * math.log(horizon**2)

    def select(self) -> int:
        """Return the action with the largest optimistic estimate."""
        best, largest = 0, -math.inf
        for action, (plays, total) in enumerate(zip(self.plays, self.total, strict=True)):
            optimism = total / plays + math.sqrt(self.width / plays) if plays else math.inf
            if optimism > largest:
                best, largest = action, optimism
        return best

    def update(self, action: int, reward: float) -> None:
        """Count."""
        self.plays[action] += 1
        self.total[action] += reward


def per_agent_round(policy: Any, horizon: int, runs: int) -> float:
    """Return the processor time of a play, in ns, as the table of `compare` states it."""
    result = quack.compare({"it": quack.QuACK(policy)}, BANDIT, GRID, horizon, runs, 1, workers=1, progress=False)
    return result["it"].ns_per_agent_round


def wall(workers: int, runs: int) -> float:
    """Return the wall time of many runs on some threads."""
    start = time.perf_counter()
    quack.compare({"it": quack.QuACK(quack.UCB())}, BANDIT, GRID, 10_000, runs, 1, workers=workers, progress=False)
    return time.perf_counter() - start


@numba.njit(nogil=True)
def sines(count: int) -> float:
    """Keep a processor busy."""
    total = 0.0
    for i in range(count):
        total += math.sin(i)
    return total


def loops_s(workers: int) -> float:
    """Return the wall time of a plain compiled loop that is shared by some threads."""
    sines(1)
    with concurrent.futures.ThreadPoolExecutor(workers) as threads:
        start = time.perf_counter()
        list(threads.map(sines, [60_000_000 // workers] * workers))
        return time.perf_counter() - start


def peak_memory(horizon: int) -> float:
    """Return the most memory that a comparison holds at once, in MiB, by what Python and NumPy allocate."""
    tracemalloc.start()
    quack.compare({"it": quack.QuACK(quack.UCB())}, BANDIT, GRID, horizon, 2, 1, workers=1, progress=False)
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return peak


def c_program(folder: str) -> Any:
    """Load the C program to stand beside."""
    spec = importlib.util.spec_from_file_location("yardstick", f"{folder}/yardstick.py")
    assert spec is not None  # noqa: S101 (a .py file always has one)
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(yardstick: str | None = None) -> None:
    """Measure, print, store."""
    per_agent_round(quack.UCB(), 10, 1)  # compile
    figures: dict[str, float] = {}
    ours, theirs = [], []
    for _ in range(5):  # in turns, so that noise meets both
        ours.append(per_agent_round(quack.UCB(), 10_000, 3))
        if yardstick is not None:
            program = c_program(yardstick)
            theirs.append(program.quack_ucb_ns("grid", sigma=1.0, variant=program.CACHED, runs=3, repeats=1)[0])
    figures["record_ns"] = min(ours)
    if theirs:
        figures["c_cached_ns"] = min(theirs)
        figures["record_over_c_cached"] = min(ours) / min(theirs)
    figures["object_ns"] = least(lambda: per_agent_round(quack.from_object(PlainUCB), 100, 1), 3)
    figures["object_over_record"] = figures["object_ns"] / figures["record_ns"]
    one_thread, two_threads = least(lambda: wall(1, 400), 3), least(lambda: wall(2, 400), 3)
    figures["two_threads_speedup"] = one_thread / two_threads
    figures["plain_loop_two_threads_speedup"] = loops_s(1) / loops_s(2)  # what the machine gives two threads at the moment
    figures["memory_mib_n_10_000"], figures["memory_mib_n_1_000_000"] = peak_memory(10_000), peak_memory(1_000_000)
    for name, value in figures.items():
        print(f"{name:<26} {value:10.3f}")
    store("quack_ucb", figures)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", metavar="FOLDER", help="a C program of the same work to stand beside")
    main(parser.parse_args().yardstick)
