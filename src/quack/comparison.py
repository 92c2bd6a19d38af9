"""The main job: groups × environment × network → Comparison."""

import concurrent.futures
import operator
import os
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from quack.environments.base import Environment
from quack.errors import Interrupted, SpecError
from quack.groups.base import Group
from quack.kernels import Integers
from quack.networks import read
from quack.simulation.chunk import Chunk, Outcome, compile_chunk
from quack.simulation.engine import interpreted_only
from quack.simulation.progress import Report, reporting
from quack.simulation.result import Comparison, GroupResult, Settings
from quack.simulation.schedule import perform_all, split
from quack.tape import open_tape

__all__ = ["compare"]

Engine = Literal["auto", "compiled", "interpreted"]

_CHECKPOINTS = 200


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
        Any connected network: a name such as ``"grid:14x14"``, a `quack.networks.Network`, a networkx graph, an adjacency matrix, an
        edge list, a file.
    horizon
        Number of rounds, at least 1. In every round every agent plays once.
    runs
        Number of independent repetitions, at least 1.
    seed
        The same seed gives the same result to the last bit, whatever the engine, the executor and the number of workers. By default a
        new one is drawn; the result says which.
    checkpoints
        How many rounds to write down (spread evenly; the last round is always there), or which.
    engine
        "auto" compiles whatever can be compiled and interprets plain Python objects. "compiled" refuses them. "interpreted"
        compiles nothing, for debugging.
    workers
        Number of threads; by default one per processor. Compiled runs use them all at once.
    executor
        Any `concurrent.futures.Executor`, instead of threads.
    progress
        True, False, or a function that is called with a `quack.Progress` about ten times a second.

    Raises
    ------
    SpecError
        If anything is impossible; before any work starts.
    Interrupted
        If Ctrl-C is pressed; its `partial` holds the runs that were finished.

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
    start = time.perf_counter()
    _check_environment(environment)
    checked = _check_groups(groups, environment, engine)
    horizon, runs, seed = _count("horizon", horizon), _count("runs", runs), _check_seed(seed)
    workers = _count("workers", _processors() if workers is None else workers)
    rounds = _check_checkpoints(checkpoints, horizon)
    graph = read(network)
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
    work = [
        Chunk(label, group, group.place(graph, len(settings.gaps), horizon), environment, seed, range(runs), rounds, compiled)
        for label, (group, compiled) in checked.items()
    ]
    agent_rounds = graph.n_agents * horizon
    outcomes: dict[int, Outcome] = {}
    chunks = split(work, agent_rounds, workers)
    try:
        with reporting(progress, len(work) * runs * agent_rounds) as tell:
            for whole in work:
                tell(0, f"compiling {whole.label}" if whole.compiled else whole.label)
                compile_chunk(whole)
            perform_all(chunks, executor, workers, tell, outcomes)
    except KeyboardInterrupt:
        raise Interrupted(_gather(work, outcomes, settings, time.perf_counter() - start)) from None
    result = _gather(work, outcomes, settings, time.perf_counter() - start)
    assert result is not None, "every run is finished"  # noqa: S101 (an invariant)
    return result


def _gather(work: Sequence[Chunk], outcomes: Mapping[int, Outcome], settings: Settings, wall_s: float) -> Comparison | None:
    """Put the outcomes of each group together; None if there are none."""
    groups = {}
    for whole in work:
        parts = sorted((o for o in outcomes.values() if o.label == whole.label and len(o.runs)), key=lambda o: int(o.runs[0]))
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


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _count(name: str, value: Any) -> int:
    try:
        count = operator.index(value)
    except TypeError:
        count = 0
    if count < 1:
        raise SpecError(f"{name} is {value!r}; a whole number, at least 1, is accepted")
    return count


def _check_seed(seed: int | None) -> int:
    if seed is None:
        return secrets.randbits(32)
    try:
        number = operator.index(seed)
    except TypeError:
        raise SpecError(f"seed is {seed!r}; an integer from 0 to 2**64 - 1 is accepted") from None
    open_tape(number, 0)
    return number


def _check_checkpoints(checkpoints: Any, horizon: int) -> Integers:
    """Return increasing rounds, the last of which is the horizon."""
    if np.ndim(checkpoints) == 0:
        number = min(_count("checkpoints", checkpoints), horizon)
        return np.unique(np.linspace(horizon / number, horizon, number).round().astype(np.int64))
    rounds = np.asarray(checkpoints)
    if rounds.ndim != 1 or rounds.size == 0 or rounds.dtype.kind not in "iu" or rounds.min() < 1 or rounds.max() > horizon:
        raise SpecError(f"checkpoints are {checkpoints!r}; a number, or rounds from 1 to the horizon {horizon}, are accepted")
    return np.unique(np.append(rounds, horizon)).astype(np.int64)


def _check_environment(environment: Any) -> None:
    if isinstance(environment, type) or not all(hasattr(environment, name) for name in ("gaps", "reward", "reward_range")):
        raise SpecError(f"environment is {environment!r}; an environment is accepted, such as quack.Bernoulli([0.5, 0.4])")


def _check_groups(groups: Any, environment: Environment, engine: Engine) -> dict[str, tuple[Group, bool]]:
    """Return each group with whether it will be compiled."""
    if engine not in ("auto", "compiled", "interpreted"):
        raise SpecError(f"engine is {engine!r}; 'auto', 'compiled' and 'interpreted' are accepted")
    if not isinstance(groups, Mapping) or not groups:
        raise SpecError(f"groups are {groups!r}; a dictionary from names to groups, at least one, is accepted")
    checked = {}
    for label, group in groups.items():
        _check_group(label, group, environment)
        plain = interpreted_only(group)
        if plain and engine == "compiled":
            raise SpecError(
                f"{label!r} is {group!r}, which cannot be compiled: a plain Python object runs with engine='auto' or 'interpreted'"
            )
        checked[str(label)] = (group, engine != "interpreted" and not plain)
    return checked


def _check_group(label: Any, group: Any, environment: Environment) -> None:
    if isinstance(group, type) or not all(callable(getattr(group, name, None)) for name in ("place", "init", "run")):
        hint = f"; to let a network play it, write QuACK({group!r})" if hasattr(group, "select") else ""
        raise SpecError(f"{label!r} is {group!r}, which is not a group such as QuACK(UCB()){hint}")
    policy = getattr(group, "policy", group)
    low, high = getattr(policy, "rewards_within", (-np.inf, np.inf))
    least, most = environment.reward_range
    if least < low or most > high:
        raise SpecError(
            f"{policy!r} takes rewards from {low:g} to {high:g}, but those of {environment!r} lie between {least:g} and {most:g}"
        )
