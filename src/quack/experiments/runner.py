"""From an experiment to a folder of results: interrupted anywhere, it goes on where it stopped, to the same bits."""

import concurrent.futures
import functools
import itertools
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, cast

from quack.comparison import Plan, prepare
from quack.errors import Interrupted, QuackError, QuackWarning, SpecError
from quack.experiments.folder import finished_runs, open_folder, runs_folder, salvage
from quack.experiments.manifest import Manifest
from quack.experiments.pace import chunk_size, expected_s, measured, wall_s
from quack.experiments.parcels import Parcel, Place, perform_packed, put
from quack.experiments.spec import Cell, Experiment
from quack.experiments.study import Study
from quack.networks import Network, read
from quack.simulation.admission import Engine, check_progress, check_travel, check_workers
from quack.simulation.chunk import Chunk, compile_chunk
from quack.simulation.interrupts import heeding_interrupts
from quack.simulation.progress import Report, reporting
from quack.simulation.schedule import cut, perform_all
from quack.simulation.table import counted, duration
from quack.version import __version__

__all__ = ["Shard", "check_shard", "prepare_cells", "run_study"]

_LONG_S = 600.0  # from here on a study says how long it will take
_WORTH_IT = 0.75  # of the time: from here on another kind of workers is proposed
_THREADS_IN_FLIGHT = 4  # chunks handed over at once, for each worker; results that wait to be written take memory
_IN_FLIGHT = 256  # at least, where nobody knows how many workers there are


class Shard(NamedTuple):
    """The part `number` of so many, from 1 on."""

    number: int
    of: int


class _Job(NamedTuple):
    """Runs of a group of a cell that are to be played."""

    cell: int
    group: int
    work: Chunk


def run_study(
    experiment: Experiment | str | Path,
    folder: str | Path,
    *,
    workers: int | None = None,
    executor: concurrent.futures.Executor | None = None,
    shard: tuple[int, int] | None = None,
    progress: bool | Report = True,
) -> Study:
    """Play an experiment into a folder, or go on with what was begun there.

    Parameters
    ----------
    experiment
        An `Experiment`, or a TOML file that describes one.
    folder
        Where the results go: a new folder, an empty one, or one in which the same experiment was begun. Finished runs are written
        there as they come, about a second's worth at a time. Whatever ends the process, the same call goes on where it stopped.
    workers
        Number of threads; by default one per processor.
    executor
        Any `concurrent.futures.Executor`, instead of threads; `workers` then says how many it has, if it does not tell.
    shard
        (i, n): play part i of n only, i = 1 … n. `quack merge` puts the folders of all parts together.
    progress
        True, False, or a function that is called with a `quack.Progress` about ten times a second.

    Raises
    ------
    SpecError
        If anything is impossible, or if the folder holds another study; before any work starts.
    StoreError
        If the folder cannot be written, or is in use.
    Interrupted
        If Ctrl-C is pressed; its `partial` is the `Study` with the runs that were finished.

    Notes
    -----
    The results do not depend on how the work is cut, who performs it, or how often it was interrupted. Memory does not grow with
    the number of runs. A run that was under way when the process ended is played again.

    Examples
    --------
    >>> import tempfile, quack
    >>> experiment = quack.Experiment(groups={"it": "QuACK(UCB(sigma={sigma}))"}, horizon=50, runs=4, grid={"sigma": (0.5, 1.0)})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     study = quack.run_study(experiment, folder, progress=False)
    ...     study.at(sigma=0.5)["it"].plays.shape
    (4, 50, 10)
    """
    given, folder = experiment, Path(folder)
    experiment = given if isinstance(given, Experiment) else Experiment.from_toml(given)
    workers = check_workers(workers, executor)
    report = check_progress(progress)
    part = check_shard(shard)
    cells, plans, networks = prepare_cells(experiment)
    for plan in plans:
        check_travel(plan.work, executor)
    manifest = Manifest.of(experiment, cells, plans, networks)
    with open_folder(folder, manifest):
        finished = finished_runs(salvage(folder, manifest, report), manifest, folder)
        jobs = [job for job in _jobs(plans, finished, part) if job.work.runs]
        try:
            if jobs:
                _Session(manifest, folder, jobs, plans, part).play(workers, executor, report)
        except KeyboardInterrupt:
            raise Interrupted(Study(folder)) from None
        except concurrent.futures.BrokenExecutor as error:
            raise QuackError(
                f"a worker process ended abruptly ({error}); what is finished is kept in {folder}, and the same call goes on"
            ) from error
    return Study(folder)


def prepare_cells(experiment: Experiment) -> tuple[list[Cell], list[Plan], dict[str, Network]]:
    """Check every cell before the first is played."""
    cells = experiment.cells()
    networks: dict[str, Network] = {}
    plans = []
    for cell in cells:
        try:
            plans.append(_prepare(cell.experiment, networks))
        except SpecError as error:
            raise SpecError(f"{cell.name}: {error}" if len(cells) > 1 else str(error)) from error
    return cells, plans, networks


def _prepare(experiment: Experiment, networks: dict[str, Network]) -> Plan:
    (name,) = experiment.network
    if name not in networks:
        networks[name] = read(name)
    return prepare(
        experiment.make_groups(),
        experiment.make_environment(),
        networks[name],
        experiment.horizon,
        experiment.runs,
        experiment.seed,
        checkpoints=experiment.checkpoints,
        engine=cast("Engine", experiment.engine),
        held=False,
    )


def check_shard(shard: tuple[int, int] | None) -> Shard:
    """Return the part to play: without one, the whole."""
    part = Shard(1, 1) if shard is None else Shard(*shard)
    if not 1 <= part.number <= part.of:
        raise SpecError(f"shard is {part.number}/{part.of}; i/n with i from 1 to n is accepted")
    return part


def _jobs(plans: Sequence[Plan], finished: Mapping[tuple[int, int], Sequence[Place]], part: Shard) -> Iterator[_Job]:
    """Iterate over the runs that are not finished."""
    for cell, plan in enumerate(plans):
        for group, whole in enumerate(plan.work):
            mine = _share(len(whole.runs), cell + group, part)
            start = mine.start
            for place in finished.get((cell, group), ()):
                if start < place.runs.start:
                    yield _Job(cell, group, whole._replace(runs=range(start, min(place.runs.start, mine.stop))))
                start = max(start, place.runs.stop)
            yield _Job(cell, group, whole._replace(runs=range(start, mine.stop)))


def _share(runs: int, turn: int, part: Shard) -> range:
    """Return a part's runs of a group. The parts take turns, so that few runs do not all fall to the same."""
    i = (part.number - 1 + turn) % part.of
    return range(runs * i // part.of, runs * (i + 1) // part.of)


class _Session:
    """What one call of `run_study` plays."""

    def __init__(self, manifest: Manifest, folder: Path, jobs: Sequence[_Job], plans: Sequence[Plan], part: Shard) -> None:
        self.manifest = manifest
        self.folder = folder
        self.jobs = jobs
        self.total = sum(
            len(_share(len(whole.runs), cell + group, part)) * whole.agent_rounds
            for cell, plan in enumerate(plans)
            for group, whole in enumerate(plan.work)
        )
        self.resumed = self.total - sum(len(job.work.runs) * job.work.agent_rounds for job in jobs)
        self.under_way: dict[int, tuple[int, int]] = {}  # the cell and the group of each chunk that was handed over

    def play(self, workers: int, executor: concurrent.futures.Executor | None, report: bool | Report) -> None:
        """Compile, time a slice, say how long it will take, and play."""
        with heeding_interrupts() as interrupts, reporting(report, self.total, self.resumed) as tell:
            for job in self.jobs:
                tell(None, f"compiling {job.work.label}" if job.work.compiled else job.work.label)
                compile_chunk(job.work)
                interrupts.heed()
            tell(None, "timing a slice")
            wholes = measured([job.work for job in self.jobs], interrupts)
            self.jobs = [job._replace(work=whole) for job, whole in zip(self.jobs, wholes, strict=True)]
            near = executor is None
            total_s = sum(map(expected_s, wholes))
            self._warn(wholes, workers, threads=near)
            tell(None, wholes[0].label)
            perform_all(
                self._chunks(total_s, workers),
                functools.partial(perform_packed, self.manifest.identity),
                executor,
                workers,
                tell,
                self._keep,
                interrupts,
                _THREADS_IN_FLIGHT * workers if near else max(_IN_FLIGHT, _THREADS_IN_FLIGHT * workers),
                total_s,
            )

    def _warn(self, wholes: Sequence[Chunk], workers: int, *, threads: bool) -> None:
        expected = wall_s(wholes, workers, threads=threads)
        if expected <= _LONG_S:
            return
        elsewhere = wall_s(wholes, workers, threads=False)
        hint = f" Processes (--processes) would take {duration(elsewhere)}: threads take turns at what is interpreted."
        warnings.warn(
            f"this will take about {duration(expected)} with {counted(workers, 'worker')}. Interrupt it when you like: "
            f"what is finished is kept in {self.folder}, and the same command goes on there."
            + (hint if elsewhere < _WORTH_IT * expected else ""),
            QuackWarning,
            stacklevel=2,
        )

    def _chunks(self, total_s: float, workers: int) -> Iterator[Chunk]:
        places = itertools.count()
        for cell, jobs in itertools.groupby(self.jobs, lambda job: job.cell):
            wholes = [job.work for job in jobs]
            labels = [group.label for group in self.manifest.cells[cell].groups]
            for chunk in cut(wholes, [chunk_size(whole, total_s, workers) for whole in wholes]):
                self.under_way[next(places)] = (cell, labels.index(chunk.label))
                yield chunk

    def _keep(self, place: int, parcel: Parcel) -> None:
        if parcel.version != __version__:
            raise QuackError(f"a worker has quack {parcel.version}, and this is quack {__version__}; the same on all is accepted")
        cell, group = self.under_way.pop(place)
        if parcel.content:
            put(parcel, runs_folder(self.folder), cell, group)
