"""From a figure of the catalogue to files: play its studies, keep their results, write its data, its caption and its pictures."""

import dataclasses
import hashlib
import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quack.comparison import Plan, prepare
from quack.errors import StoreError
from quack.experiments.catalogue import Choices, Entry, Study
from quack.experiments.expressions import evaluate
from quack.experiments.figures import save_figure
from quack.experiments.plates import Look, draw
from quack.experiments.queues import longest_queues
from quack.experiments.series import FINALS, Played, Series, final_rows, series_of, write_table
from quack.groups.quack import QuACK
from quack.networks import distances, read
from quack.simulation.admission import Engine
from quack.simulation.progress import Progress, Report, reporting
from quack.simulation.result import Comparison
from quack.simulation.table import counted
from quack.store import atomic_file
from quack.version import __version__

__all__ = ["Made", "caption", "make"]

_MOST_TEXTS = 5  # in a caption


class Made(NamedTuple):
    """What was made of a figure."""

    files: list[Path]
    found: Played  # each study with its result; empty of figures that show queues
    kept: int  # how many studies were found played
    played: int
    cpu_s: float  # of all runs, those of kept studies too


class _Job(NamedTuple):
    """A study in which everything is checked, and the file that holds its result or will."""

    study: Study
    plan: Plan
    path: Path


def make(
    entry: Entry,
    choices: Choices,
    folder: Path,
    *,
    looks: Sequence[Look] = (Look(),),
    formats: Sequence[str] = ("svg", "pdf", "png"),
    table: str = "csv",
    fresh: bool = False,
    announce: Callable[[], None] | None = None,
    engine: Engine = "auto",
    workers: int | None = None,
    progress: bool | Report = True,
) -> Made:
    """Make a figure: its pictures, its data, its caption. Studies that lie in the folder already are not played again.

    Parameters
    ----------
    entry, choices
        Which figure, and with which numbers.
    folder
        Where everything goes; results go into its folder ``data``, shared by all figures.
    looks
        Light or dark, narrow or wide; of each there is a picture in each format.
    formats
        Some of "svg", "pdf", "png".
    table
        "csv" or "parquet".
    fresh
        Whether to play even what lies there.
    announce
        Called when everything is checked and nothing is played yet.
    engine, workers, progress
        As in `quack.compare`.
    """
    (folder / "data").mkdir(parents=True, exist_ok=True)
    watched = entry.kind == "queues"
    plans = [(study, _plan(study, choices, "interpreted" if watched else engine)) for study in entry.studies(choices)]
    if announce is not None:
        announce()
    if watched:
        lines, made = _queues(plans, choices, progress), Made([], [], 0, len(plans), 0.0)
    else:
        jobs = [_Job(study, plan, folder / "data" / _file_name(plan)) for study, plan in plans]
        made = _play(jobs, fresh=fresh, workers=workers, progress=progress)
        lines = series_of(entry, made.found)
        finals = folder / f"{entry.name}-runs.{table}"
        write_table(finals, final_rows(made.found), FINALS)
        made.files.append(finals)
    data = folder / f"{entry.name}.{table}"
    write_table(data, [row for line in lines for row in line.rows()])
    said = caption(entry, choices)
    text = folder / f"{entry.name}.txt"
    with atomic_file(text) as file:
        file.write(f"{said}\n".encode())
    made.files.extend([data, text])
    for look in looks:
        picture = draw(entry, lines, said if look.caption else "", look)
        for kind in formats:
            path = folder / f"{entry.name}{'-dark' if look.dark else ''}.{kind}"
            save_figure(picture, path)
            made.files.append(path)
    return made


def _agent_rounds(plan: Plan) -> int:
    return plan.settings.n_agents * plan.settings.horizon * plan.settings.runs * len(plan.work)


def _plan(study: Study, choices: Choices, engine: Engine) -> Plan:
    """Check everything that can be wrong with a study."""
    groups = {label: evaluate(text, f"group {label!r},") for label, text in study.groups.items()}
    environment = evaluate(study.environment, "environment")
    return prepare(groups, environment, study.network, choices.horizon, choices.runs, choices.seed, engine=engine)


def _file_name(plan: Plan) -> str:
    """Return a name that two plans share exactly if they play the same."""
    described = [dataclasses.asdict(plan.settings), [(chunk.label, repr(chunk.group)) for chunk in plan.work]]
    digest = hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()
    return f"{plan.settings.network.replace(':', '-').replace('/', '-')}-{digest[:12]}.npz"


def _play(jobs: Sequence[_Job], *, fresh: bool, workers: int | None, progress: bool | Report) -> Made:
    """Return the result of each job, played now or before."""
    found: dict[Path, Comparison] = {}
    for job in jobs:
        if not fresh and job.path.exists():
            found[job.path] = _kept(job)
    missing = {job.path: job for job in jobs if job.path not in found}
    with reporting(progress, sum(_agent_rounds(job.plan) for job in missing.values())) as tell:
        done = 0
        for place, job in enumerate(missing.values()):
            before = f"{job.study.panel} ({place + 1} of {len(missing)}), "
            comparison = job.plan.play(workers=workers, progress=_within(tell, done, before))
            comparison.save(job.path)
            found[job.path] = comparison
            done += _agent_rounds(job.plan)
    results = [(job.study, found[job.path]) for job in jobs]
    cpu_s = sum(group.cpu_s for comparison in found.values() for group in comparison.values())
    return Made([], results, len(found) - len(missing), len(missing), cpu_s)


def _within(tell: Callable[[int | None, str], None], done: int, before: str) -> Report:
    """Tell of the progress of one study as a part of all."""

    def report(now: Progress) -> None:
        tell(done + now.done if done or now.done else None, before + now.doing)

    return report


def _kept(job: _Job) -> Comparison:
    """Return a result that lies in the folder; refuse one that is not what its name says."""
    comparison = Comparison.load(job.path)
    asked = (job.plan.settings, [(chunk.label, repr(chunk.group)) for chunk in job.plan.work])
    if asked != (comparison.settings, [(group.label, group.description) for group in comparison.values()]):
        raise StoreError(f"{job.path} holds another result than its name says; remove it, or ask for --fresh")
    return comparison


def _queues(plans: Sequence[tuple[Study, Plan]], choices: Choices, progress: bool | Report) -> list[Series]:
    """Return how long the longest queue is, and Lemma 2's limit as the bound."""
    lines = []
    done = 0
    with reporting(progress, sum(_agent_rounds(plan) for _, plan in plans)) as tell:
        for study, plan in plans:
            network = read(study.network)
            for chunk in plan.work:
                lengths = []
                assert isinstance(chunk.group, QuACK), "queues are shown of QuACK"  # noqa: S101 (the catalogue's)
                for run in chunk.runs:
                    tell(done, f"{study.panel}, {chunk.label}")
                    lengths.append(longest_queues(chunk.group, chunk.environment, network, choices.horizon, choices.seed, run))
                    done += network.n_agents * choices.horizon
                found = np.array(lengths)
                low, high = np.percentile(found, (2.5, 97.5), axis=0)
                limit = 2.0 * float(distances(network, chunk.placement.leader).sum())
                x = np.arange(1.0, choices.horizon + 1)
                lines.append(Series(study.panel, chunk.label, x, found.mean(axis=0), low, high, limit))
    return lines


def caption(entry: Entry, choices: Choices) -> str:
    """Say everything that is needed to make the figure again."""
    studies = entry.studies(choices)
    environments = _span([study.environment for study in studies])
    networks = list(dict.fromkeys(study.network for study in studies))
    expressions: dict[str, list[str]] = {}
    for study in studies:
        for label, text in study.groups.items():
            expressions.setdefault(label, []).append(text)
    told = {label: texts for label, texts in expressions.items() if texts[0] != f"QuACK({label})"}
    parts = [f"{label}: {_span(texts)}" for label, texts in told.items()]
    parts += ["A policy stands for QuACK with it"] if len(told) < len(expressions) else []
    source = f" ({entry.source} of the paper)" if entry.source else ""
    what = "Mean length" if entry.kind == "queues" else "Mean"
    return (
        f"{entry.shows}{source}. {what} and 2.5–97.5 % band of {counted(choices.runs, 'run')}, {choices.horizon:,} rounds. "
        f"Networks: {', '.join(networks)}; the leader is the median unless it is named. Rewards: {environments}. "
        f"{'; '.join(parts)}. Made by: {command(entry, choices)} (quack {__version__})."
    )


def _span(texts: Sequence[str]) -> str:
    """Return the texts that differ; of many, the first and the last."""
    different = list(dict.fromkeys(texts))
    return ", ".join(different) if len(different) <= _MOST_TEXTS else f"{different[0]} … {different[-1]}"


def command(entry: Entry, choices: Choices) -> str:
    """Return the command line that makes the figure again."""
    flags: Mapping[str, float] = choices._asdict() | {"u": choices.moment}
    order = ("horizon", "runs", "seed", "sigma", "u", "epsilon", "radius")
    return shlex.join(["quack", "figure", entry.name, *(part for key in order for part in (f"--{key}", f"{flags[key]:.10g}"))])
