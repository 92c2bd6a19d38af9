"""The main job: groups × environment × network → Comparison."""

import concurrent.futures
import dataclasses
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from quack.environments.base import Environment
from quack.errors import Interrupted, QuackError, SpecError
from quack.groups.base import Group
from quack.networks import Network, read
from quack.simulation.admission import (
    Engine,
    check_answer,
    check_checkpoints,
    check_count,
    check_environment,
    check_groups,
    check_progress,
    check_seed,
    check_size,
    check_travel,
    check_workers,
    number_of_checkpoints,
    shown,
)
from quack.simulation.chunk import Chunk, Outcome, compile_chunk, perform
from quack.simulation.interrupts import heeding_interrupts
from quack.simulation.progress import Report, reporting
from quack.simulation.result import Comparison, GroupResult, Settings
from quack.simulation.schedule import perform_all, split
from quack.simulation.table import counted

__all__ = ["Plan", "compare", "prepare"]

_CHECKPOINTS = 200
_MOST_RUNS = 2**32  # a run's number is one word of the tape's counter
_MOST_PLAYS = 2**44  # and a position on the tape is 44 bits of it


def compare(
    groups: Mapping[str, Group],
    environment: Environment,
    network: Any,
    horizon: int,
    runs: int = 100,
    seed: int | None = None,
    *,
    checkpoints: int | Sequence[int] | npt.NDArray[np.integer[Any]] = _CHECKPOINTS,
    engine: Engine = "auto",
    workers: int | None = None,
    executor: concurrent.futures.Executor | None = None,
    progress: bool | Report = True,
) -> Comparison:
    """Play groups in the same worlds and return what they did.

    Parameters
    ----------
    groups
        The algorithms by the names that the table and the figure will show.
    environment
        What the actions pay.
    network
        Any connected network: a name such as ``"grid:14x14"``, a `quack.networks.Network`, a networkx graph, an adjacency matrix,
        an edge list, a file.
    horizon
        Number of rounds, at least 1. In every round every agent plays once.
    runs
        Number of independent repetitions, at least 1.
    seed
        The same seed gives the same result to the last bit, whatever the engine, the executor and the number of workers. By
        default a new one is drawn; the result says which.
    checkpoints
        How many rounds to write down (spread evenly; the last round is always there), or which.
    engine
        "auto" compiles whatever can be compiled and interprets plain Python objects. "compiled" refuses them. "interpreted"
        compiles nothing, for debugging.
    workers
        Number of threads; by default one per processor. Compiled runs use them all at once.
    executor
        Any `concurrent.futures.Executor`, instead of threads; `workers` then says for how many the work is cut, by default for as
        many as it has.
    progress
        True, False, or a function that is called with a `quack.Progress` about ten times a second.

    Raises
    ------
    SpecError
        If anything is impossible; before any work starts.
    Interrupted
        If Ctrl-C is pressed; its `partial` holds the runs that were finished. Runs under way end at their next round; those in
        other processes do so if the terminal tells these of the Ctrl-C too, as it does, and otherwise go on to their chunk's end.

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"together": quack.QuACK(quack.UCB(sigma=0.5)), "alone": quack.Independent(quack.UCB(sigma=0.5))},
    ...     environment=quack.Bernoulli([0.9, 0.1]), network="star:10", horizon=100, runs=20, seed=0, progress=False,
    ... )
    >>> bool(result["together"].mean[-1] < result["alone"].mean[-1])
    True
    """
    workers = check_workers(workers, executor)
    check_progress(progress)
    plan = prepare(groups, environment, network, horizon, runs, seed, checkpoints=checkpoints, engine=engine)
    return plan.play(workers=workers, executor=executor, progress=progress)


def prepare(
    groups: Mapping[str, Group],
    environment: Environment,
    network: Any,
    horizon: int,
    runs: int,
    seed: int | None,
    *,
    checkpoints: int | Sequence[int] | npt.NDArray[np.integer[Any]] = _CHECKPOINTS,
    engine: Engine = "auto",
    held: bool = True,
) -> "Plan":
    """Check everything that can be wrong with a comparison.

    The parameters are those of `compare`; `held` says whether all results are to be in memory at once.
    """
    check_environment(environment)
    checked = check_groups(groups, environment, engine)
    horizon, runs, seed = check_count("horizon", horizon, _MOST_PLAYS), check_count("runs", runs, _MOST_RUNS), check_seed(seed)
    n_actions = len(environment.gaps)
    check_size(len(checked), runs if held else 1, number_of_checkpoints(checkpoints, horizon), n_actions)
    rounds = check_checkpoints(checkpoints, horizon)
    graph = read(network)
    if graph.n_agents * horizon > _MOST_PLAYS:
        raise SpecError(
            f"horizon is {horizon} and there are {counted(graph.n_agents, 'agent')}; at most 2**44 plays a run are accepted"
        )
    settings = Settings(
        network=graph.name,
        n_agents=graph.n_agents,
        n_edges=graph.n_edges,
        environment=repr(environment),
        gaps=tuple(float(gap) for gap in environment.gaps),
        horizon=horizon,
        runs=runs,
        seed=seed,
    )
    size = graph.n_agents * horizon
    work = tuple(
        Chunk(
            label, group, _place(label, group, graph, n_actions, horizon), environment, seed, range(runs), rounds, compiled, size
        )
        for label, (group, compiled) in checked.items()
    )
    return Plan(settings, work)


def _place(label: str, group: Group, graph: Network, n_actions: int, horizon: int) -> Any:
    """Let a group check its parameters; whatever they make it raise becomes one sentence."""
    try:
        placement = group.place(graph, n_actions, horizon)
        check_answer(label, getattr(group, "policy", None), n_actions, horizon)
    except QuackError:
        raise
    except Exception as error:
        raise SpecError(f"{label!r} is {shown(group)}, which cannot begin: {type(error).__name__}: {error}") from error
    return placement


@dataclasses.dataclass(frozen=True)
class Plan:
    """A comparison in which everything is checked: what is left is to play it."""

    settings: Settings
    work: tuple[Chunk, ...]  # a chunk for each group, with all its runs

    @property
    def agent_rounds(self) -> int:
        """Plays of all agents in all runs of all groups."""
        return sum(len(whole.runs) * whole.agent_rounds for whole in self.work)

    def play(
        self,
        *,
        workers: int | None = None,
        executor: concurrent.futures.Executor | None = None,
        progress: bool | Report = True,
    ) -> Comparison:
        """Play all runs; the parameters are those of `compare`."""
        start = time.perf_counter()
        workers = check_workers(workers, executor)
        check_travel(self.work, executor)
        outcomes: dict[int, Outcome] = {}
        sizes = {whole.label: whole.agent_rounds for whole in self.work}
        paces: dict[str, float] = {}

        def keep(place: int, outcome: Outcome) -> None:
            outcomes[place] = outcome
            if len(outcome.runs):
                paces[outcome.label] = outcome.cpu_s / (len(outcome.runs) * sizes[outcome.label])

        try:
            with (
                heeding_interrupts() as interrupts,
                reporting(check_progress(progress), self.agent_rounds) as tell,
            ):
                for whole in self.work:
                    tell(None, f"compiling {whole.label}" if whole.compiled else whole.label)
                    compile_chunk(whole)
                    interrupts.heed()
                tell(None, self.work[0].label)
                chunks = split(self.work, workers, paces)
                # Few are handed to threads at once, so that the next are cut by how long these took.
                in_flight = {"in_flight": 2 * workers} if executor is None else {}
                perform_all(chunks, perform, executor, workers, tell, keep, interrupts, **in_flight)
        except KeyboardInterrupt:
            raise Interrupted(_gather(self.work, outcomes, self.settings, time.perf_counter() - start)) from None
        result = _gather(self.work, outcomes, self.settings, time.perf_counter() - start)
        assert result is not None, "every run is finished"  # noqa: S101 (an invariant)
        return result


def _gather(work: Sequence[Chunk], outcomes: Mapping[int, Outcome], settings: Settings, wall_s: float) -> Comparison | None:
    """Put the outcomes of each group together; None if there are none."""
    groups = {}
    for whole in work:
        parts = [outcome for outcome in outcomes.values() if outcome.label == whole.label and len(outcome.runs)]
        parts.sort(key=lambda outcome: int(outcome.runs[0]))
        if parts:
            groups[whole.label] = GroupResult(
                label=whole.label,
                description=repr(whole.group),
                mode="compiled" if whole.compiled else "interpreted",
                rounds=whole.checkpoints,
                runs=np.concatenate([part.runs for part in parts]),
                plays=np.concatenate([part.plays for part in parts]),
                gaps=np.array(settings.gaps),
                n_agents=settings.n_agents,
                cpu_s=sum(part.cpu_s for part in parts),
            )
    return Comparison(settings, groups, wall_s) if groups else None
