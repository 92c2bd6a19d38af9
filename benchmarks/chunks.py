"""What a chunk of a study costs, and how two workers scale: threads, processes, and workers of a Dask cluster on this machine.

    python -m benchmarks.chunks [--workers KIND]

A study of a hundred chunks with next to nothing in them, against the same work in two: the difference is what a chunk costs,
from handing it over to having it on the disk. Then a study of some seconds with one worker and with two, in turns.
"""

import argparse
import concurrent.futures
import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import quack
from benchmarks.setting import RESULTS, machine, store
from quack.experiments import runner
from quack.experiments.workers import cluster, processes

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
HEADING = "## A study in chunks"
TINY = quack.Experiment(("grid:4x4",), groups={"it": "QuACK(UCB(sigma=0.5))"}, horizon=100, runs=200, checkpoints=20)
COMPILED = quack.Experiment(("grid:14x14",), groups={"it": "QuACK(UCB(sigma=0.5))"}, horizon=10_000, runs=60)
OBJECT = quack.Experiment(("grid:4x4",), groups={"it": "QuACK(UCB(sigma=0.5))"}, horizon=1_000, runs=40, engine="interpreted")
REPEATS = 4

Workers = Callable[[int], contextlib.AbstractContextManager[concurrent.futures.Executor | None]]


@contextlib.contextmanager
def threads(_number: int) -> Iterator[None]:
    """Let `run_study` start its own."""
    yield None


@contextlib.contextmanager
def dask(number: int) -> Iterator[concurrent.futures.Executor]:
    """Start a scheduler and so many workers, each a process of its own with one thread."""
    import distributed

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
        place = ["--scheduler-file", str(file), "--no-dashboard", "--host", "127.0.0.1"]
        python = [sys.executable, "-m"]
        started = [subprocess.Popen([*python, "distributed.cli.dask_scheduler", *place, "--port", "0"], **quiet)]
        try:
            while not file.exists() or not file.read_text():
                time.sleep(0.05)
            worker = [*python, "distributed.cli.dask_worker", *place, "--nthreads", "1", "--no-nanny"]
            started += [subprocess.Popen(worker, **quiet) for _ in range(number)]
            address = json.loads(file.read_text())["address"]
            with distributed.Client(address, set_as_default=False) as client:
                client.wait_for_workers(number)
            with cluster(address) as (executor, _):
                yield executor
        finally:
            for process in reversed(started):
                process.kill()
                process.wait()


KINDS: dict[str, Workers] = {"threads": threads, "processes": processes, "Dask": dask}


def wall_s(experiment: quack.Experiment, executor: concurrent.futures.Executor | None, workers: int, size: int) -> float:
    """Return the wall time of playing a study in chunks of so many runs, the timed slice left out."""
    with (
        tempfile.TemporaryDirectory(dir=".") as folder,
        mock.patch.object(runner, "chunk_size", return_value=size),
        mock.patch.object(runner, "measured", lambda wholes, _interrupts: list(wholes)),
    ):
        start = time.perf_counter()
        study = quack.run_study(experiment, folder, workers=workers, executor=executor, progress=False)
        elapsed_s = time.perf_counter() - start
        if not study.complete:
            raise RuntimeError("the study is not complete")
    return elapsed_s


def overhead_ms(workers: Workers) -> float:
    """Return what a chunk costs, with one worker: the difference of many chunks and few, in turns."""
    few, many = [], []
    with workers(1) as executor:
        wall_s(TINY, executor, 1, TINY.runs)  # compile, and start what starts late
        for _ in range(REPEATS):
            few.append(wall_s(TINY, executor, 1, TINY.runs // 2))
            many.append(wall_s(TINY, executor, 1, 2))
    return (min(many) - min(few)) / (TINY.runs // 2 - 2) * 1e3


def speedup(workers: Workers, experiment: quack.Experiment) -> float:
    """Return how many times as fast two workers are as one, in turns."""
    with workers(1) as one, workers(2) as two:
        for executor, number in ((one, 1), (two, 2)):
            wall_s(experiment.with_settings(["runs=4"]), executor, number, 1)  # everybody compiles
        alone, together = [], []
        for _ in range(REPEATS):
            alone.append(wall_s(experiment, one, 1, experiment.runs // 10))
            together.append(wall_s(experiment, two, 2, experiment.runs // 10))
    return min(alone) / min(together)


def main(kinds: Sequence[str] = ()) -> None:
    """Measure, print, store, write the page. Kinds that are not measured keep the figures that they had."""
    results = RESULTS / "chunks.json"
    figures: dict[str, dict[str, Any]] = json.loads(results.read_text())["figures"] if results.exists() else {}
    print(f"{'workers':<12} {'ms a chunk':>11} {'two, compiled':>14} {'two, interpreted':>17}")
    for kind in kinds or KINDS:
        if kind == "Dask" and importlib.util.find_spec("distributed") is None:
            print("Dask is not installed: pip install 'quack-bandits[cluster]'")
            continue
        row: dict[str, Any] = {
            "chunk_ms": overhead_ms(KINDS[kind]),
            "speedup_compiled": speedup(KINDS[kind], COMPILED),
            "speedup_interpreted": speedup(KINDS[kind], OBJECT),
            "processor": f"{machine()['processor']}, {os.cpu_count()} cores",
            "load": round(os.getloadavg()[0], 1),
        }
        figures[kind] = row
        print(f"{kind:<12} {row['chunk_ms']:11.2f} {row['speedup_compiled']:14.2f} {row['speedup_interpreted']:17.2f}")
    store("chunks", figures)
    write_page(figures)


def write_page(figures: dict[str, dict[str, Any]]) -> None:
    """Put the section into docs/performance.md, in the place of the one before."""
    rows = "\n".join(
        f"| {kind} | {row['chunk_ms']:.1f} | {row['speedup_compiled']:.2f} | {row['speedup_interpreted']:.2f} "
        f"| {row['processor']} | {row['load']} |"
        for kind, row in figures.items()
    )
    section = f"""{HEADING}

What a chunk of `quack run` costs, from handing it over to having it flushed to the disk, beside the runs in it, which take a
second or more; and how many times as fast two workers of one machine are as one. Threads take turns at what is interpreted. Taken
by `python -m benchmarks.chunks`; the load is that of the machine, other programs included, at the end: where it exceeds the
number of cores, others were at work, and times are too long.

| workers | ms a chunk | two workers, compiled | two workers, interpreted | machine | load |
| --- | ---: | ---: | ---: | --- | ---: |
{rows}
"""
    text = PAGE.read_text(encoding="utf-8")
    before, found, rest = text.partition(f"\n{HEADING}\n")
    after = f"\n## {rest.partition(chr(10) + '## ')[2]}" if found and "\n## " in rest else ""
    PAGE.write_text(f"{before.rstrip()}\n\n{section}{after}", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", choices=KINDS, action="append", default=[], help="measure these only; may be repeated")
    main(parser.parse_args().workers)
