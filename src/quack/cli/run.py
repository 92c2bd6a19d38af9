"""The verb `quack run`: play a study into a folder, and go on with it after any interruption."""

import argparse
import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quack.cli.arguments import whole_number
from quack.cli.screen import remark, show_table
from quack.errors import Interrupted, SpecError
from quack.experiments.spec import Experiment
from quack.extras import require

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

__all__ = ["add", "show_study"]

_EPILOG = """\
a study is an experiment, as in `quack compare`, with a grid of what varies:
  network = ["cycle:{m}", "star:{m}"]
  environment = "Bernoulli([0.5] + [0.5 - {gap}] * 9)"
  horizon = 2000
  runs = 100
  seed = 0
  checkpoints = 50

  [groups]
  "QuACK" = "QuACK({policy})"
  "no cooperation" = "Independent({policy})"

  [grid]                                      # all combinations are cells
  m = [16, 64]                                # a name of your own stands as {m} in the texts above
  gap = [0.05, 0.1]
  policy = ["UCB(sigma=0.5)", "mymodule.MyPolicy(c=2)"]
keys can vary too: network, environment, horizon, runs, seed, engine.

examples:
  quack run study.toml
      into the folder study.results; after Ctrl-C, a crash or a power cut the same command goes on, to the same bits
  quack run study.toml --set runs=1000 --set grid.m=[16] --set groups.pooled="Pooled({policy})" --out larger
      other values; quotes and lists as in TOML
  quack run study.toml --shard 3/8 --out part-3
      the third of eight parts, on a machine of its own; `quack merge part-* --out study.results` puts them together
  quack run study.toml --cluster tcp://10.0.0.1:8786
      on a Dask cluster that is running, whose workers can import what your study names
"""


def add(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "run",
        help="play a study from a file into a folder; interrupted, it goes on",
        description="Play groups on a grid of settings. Finished runs are kept in a folder as they come.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    option = parser.add_argument
    option("file", type=Path, help="the study (TOML)")
    option("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings", help="another value; may be repeated")
    option("--out", type=Path, metavar="FOLDER", help="where the results go (default: the file's name with .results)")
    option("--workers", type=whole_number, metavar="N", help="number of threads (default: one per processor)")
    option("--processes", action="store_true", help="let the workers be processes: that pays for plain Python objects")
    option("--cluster", metavar="ADDRESS", help="let the workers be those of a Dask cluster, such as tcp://10.0.0.1:8786")
    option("--shard", type=_shard, metavar="I/N", help="play part I of N only, I = 1 … N")
    option("--table", type=Path, metavar="FILE", help="write the table as .csv or .parquet, too")
    option("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(verb=_run)


def _shard(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; I/N is, such as 3/8")
    return int(match[1]), int(match[2])


def _run(options: argparse.Namespace) -> int:
    require("numba", "quack run")
    from quack.experiments.runner import run_study
    from quack.experiments.summaries import check_table_path
    from quack.store import check_writable

    experiment = Experiment.from_toml(options.file).with_settings(options.settings)
    if options.table is not None:
        check_writable(check_table_path(options.table))
    folder = options.out or _default_folder(options.file, options.shard)
    try:
        with _workers(options) as (executor, workers):
            how: Any = {"executor": executor, "workers": workers, "shard": options.shard, "progress": not options.quiet}
            study = run_study(experiment, folder, **how)
    except Interrupted as interruption:
        partial: Any = interruption.partial
        finished = f"of {partial.asked:,} runs {partial.finished:,} are finished in {folder}"
        remark(f"quack: interrupted; {finished}, and the same command goes on there")
        return 130
    show_study(study)
    if options.table is not None:
        study.save_table(options.table)
        remark(f"saved {options.table}")
    return 0


@contextlib.contextmanager
def _workers(options: argparse.Namespace) -> "Iterator[tuple[Executor | None, int | None]]":
    """Give the executor that is asked for, and how many workers it has."""
    from quack.experiments.workers import cluster, processes
    from quack.simulation.admission import check_workers

    if options.cluster is not None:
        if options.processes or options.workers is not None:
            raise SpecError("--cluster has its own workers; without --workers and --processes it is accepted")
        with cluster(options.cluster) as given:
            yield given
    elif options.processes:
        workers = check_workers(options.workers, None)
        with processes(workers) as executor:
            yield executor, workers
    else:
        yield None, options.workers


def _default_folder(file: Path, shard: tuple[int, int] | None) -> Path:
    part = "" if shard is None else f"-{shard[0]}-of-{shard[1]}"
    return Path(f"{file.stem}{part}.results")


def show_study(study: Any) -> None:
    """Print the table of a study."""
    from quack.experiments.summaries import table_cells
    from quack.simulation.table import counted

    header, body = table_cells(study.summaries())
    if body:
        show_table(f"{study.folder}: {counted(len(study.cells), 'cell')}, quack {study.version}", header, body)
    remark(f"{study.finished:,} of {counted(study.asked, 'run')} are in {study.folder}")
