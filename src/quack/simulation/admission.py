"""What a comparison admits: every argument is checked here, at the border, before any work starts."""

import concurrent.futures
import inspect
import operator
import os
import pickle
import secrets
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from quack.environments.base import Environment
from quack.errors import QuackWarning, SpecError
from quack.groups.base import Group
from quack.kernels import Integers
from quack.simulation.chunk import Chunk
from quack.simulation.engine import interpreted_only
from quack.simulation.fingerprint import is_record
from quack.simulation.progress import Report
from quack.simulation.table import brief, counted

__all__ = [
    "Engine",
    "check_answer",
    "check_checkpoints",
    "check_count",
    "check_environment",
    "check_groups",
    "check_progress",
    "check_seed",
    "check_size",
    "check_travel",
    "check_workers",
    "number_of_checkpoints",
    "shown",
]

Engine = Literal["auto", "compiled", "interpreted"]

_MOST_WORKERS = 1024
_HIGHEST_SEED = 2**64 - 1
_LONGEST = 300  # characters of a caller's value in a sentence


def shown(value: object) -> str:
    """Write a caller's value for a sentence: a list of a million means is no sentence."""
    return brief(" ".join(repr(value).split()), _LONGEST)


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_count(name: str, value: Any, most: int | None = None) -> int:
    """Return a whole number that is at least 1."""
    try:
        count = 0 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        count = 0
    if count < 1 or (most is not None and count > most):
        limit = "at least 1" if most is None else f"from 1 to {most}"
        raise SpecError(f"{name} is {shown(value)}; a whole number, {limit}, is accepted")
    return count


def check_workers(workers: int | None, executor: Any) -> int:
    """Return for how many workers the work is cut."""
    if executor is not None and not isinstance(executor, concurrent.futures.Executor):
        raise SpecError(f"executor is {shown(executor)}; None or a concurrent.futures.Executor is accepted")
    if workers is None:
        # Executors do not tell how many workers they have, but those of the standard library know it by this name.
        known = getattr(executor, "_max_workers", None)
        workers = known if isinstance(known, int) else _processors()
    return check_count("workers", workers, _MOST_WORKERS)


def check_progress(progress: Any) -> bool | Report:
    """Return what to do about progress."""
    if isinstance(progress, bool):
        return progress
    if callable(progress):
        report: Report = progress
        return report
    raise SpecError(f"progress is {shown(progress)}; True, False or a function of a quack.Progress is accepted")


def check_travel(work: Sequence[Chunk], executor: concurrent.futures.Executor | None) -> None:
    """Refuse what cannot be sent to another process before anything is sent."""
    if not isinstance(executor, concurrent.futures.ProcessPoolExecutor):
        return
    for whole in work:
        try:
            pickle.dumps(whole)
        except Exception as error:
            raise SpecError(
                f"{whole.label!r} is {shown(whole.group)}, which cannot be sent to another process ({error}); "
                "classes and functions at the top of a module can, and threads, the default, take everything"
            ) from error


def check_size(n_groups: int, runs: int, n_checkpoints: int, n_actions: int) -> None:
    """Refuse a result that this machine cannot hold."""
    size = 8 * n_groups * runs * n_checkpoints * n_actions
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 2**36
    if size > memory:
        raise SpecError(
            f"{counted(n_groups, 'group')} × {counted(runs, 'run')} × {counted(n_checkpoints, 'checkpoint')} × "
            f"{counted(n_actions, 'action')} are {size / 2**30:,.0f} GiB of counts; this machine has {memory / 2**30:,.0f}"
        )


def check_seed(seed: int | None) -> int:
    """Return the seed, or a new one if there is none."""
    if seed is None:
        return secrets.randbits(32)
    try:
        number = -1 if isinstance(seed, bool) else operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number <= _HIGHEST_SEED:
        raise SpecError(f"seed is {shown(seed)}; a whole number from 0 to 2**64 - 1 is accepted")
    return number


def number_of_checkpoints(checkpoints: Any, horizon: int) -> int:
    """Count the checkpoints before memory is given to them."""
    return len(checkpoints) if _is_list(checkpoints) else min(check_count("checkpoints", checkpoints), horizon)


def check_checkpoints(checkpoints: Any, horizon: int) -> Integers:
    """Return increasing rounds, the last of which is the horizon."""
    if not _is_list(checkpoints):
        number = number_of_checkpoints(checkpoints, horizon)
        return np.unique(np.linspace(horizon / number, horizon, number).round().astype(np.int64))
    try:
        rounds = np.asarray(checkpoints)
    except ValueError:  # lists of different lengths
        rounds = np.zeros(0)
    whole = rounds.ndim == 1 and rounds.size > 0 and rounds.dtype.kind in "iu"
    if not whole or rounds.min() < 1 or rounds.max() > horizon:
        raise SpecError(
            f"checkpoints are {shown(checkpoints)}; a number, or rounds from 1 to the horizon {horizon}, are accepted"
        )
    return np.unique(np.append(rounds.astype(np.int64), horizon))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes) and getattr(value, "ndim", 1) > 0


def check_environment(environment: Any) -> None:
    """Refuse what is no environment, or has no finite gap for each action."""
    if isinstance(environment, type) or not all(hasattr(environment, name) for name in ("gaps", "reward", "reward_range")):
        raise SpecError(f"environment is {shown(environment)}; an environment is accepted, such as quack.Bernoulli([0.5, 0.4])")
    gaps = np.asarray(environment.gaps)
    if gaps.ndim != 1 or gaps.size == 0 or gaps.dtype.kind not in "iuf" or not (np.isfinite(gaps) & (gaps >= 0)).all():
        raise SpecError(f"{shown(environment)}: gaps are {shown(gaps)}; a finite number, at least 0, for each action is accepted")


def check_groups(groups: Any, environment: Environment, engine: Engine) -> dict[str, tuple[Group, bool]]:
    """Return each group with whether it will be compiled."""
    if engine not in ("auto", "compiled", "interpreted"):
        raise SpecError(f"engine is {shown(engine)}; 'auto', 'compiled' and 'interpreted' are accepted")
    if not isinstance(groups, Mapping) or not groups:
        raise SpecError(f"groups are {shown(groups)}; a dictionary from names to groups, at least one, is accepted")
    checked = {}
    for label, group in groups.items():
        if not isinstance(label, str) or not label.strip() or not label.isprintable():
            raise SpecError(f"a group is called {shown(label)}; a text of printable characters is accepted")
        _check_group(label, group, environment)
        plain = interpreted_only(group)
        if plain and engine == "compiled":
            raise SpecError(
                f"{label!r} is {shown(group)}, which cannot be compiled: "
                "a plain Python object runs with engine='auto' or 'interpreted'"
            )
        checked[label] = (group, engine != "interpreted" and not plain)
    return checked


def _check_group(label: str, group: Any, environment: Environment) -> None:
    if isinstance(group, type) or not all(callable(getattr(group, name, None)) for name in ("place", "init", "run")):
        written = f"{group.__name__}()" if isinstance(group, type) else shown(group)
        hint = f"; to let a network play it, write QuACK({written})" if hasattr(group, "select") else ""
        raise SpecError(f"{label!r} is {shown(group)}, which is not a group such as QuACK(UCB()){hint}")
    _check_switches(group)
    policy = getattr(group, "policy", group)
    _check_duels(label, policy, environment)
    _check_moments(label, policy, environment)
    low, high = getattr(policy, "rewards_within", (-np.inf, np.inf))
    least, most = environment.reward_range
    if least < low or most > high:
        unbounded = not np.isfinite([least, most]).all()
        raise SpecError(
            f"{label!r} takes rewards from {low:g} to {high:g}, but those of {shown(environment)} "
            + ("are unbounded" if unbounded else f"lie between {least:g} and {most:g}")
        )


def _check_switches(record: Any) -> None:
    """Refuse a parameter that is neither true nor false where a record has a switch: "no" would be true."""
    if not is_record(record):
        return
    for kind in reversed(type(record).__mro__):
        for name, annotation in inspect.get_annotations(kind).items():
            value = getattr(record, name, False)
            if annotation in {bool, "bool"} and not (isinstance(value, int | np.bool_) and value in {0, 1}):
                raise SpecError(f"{type(record).__name__}: {name} is {shown(value)}; True or False is accepted")
    for part in record:
        _check_switches(part)


def _check_duels(label: str, policy: Any, environment: Environment) -> None:
    """Refuse a policy of duels on a bandit of arms, and pairs that are counted differently."""
    pairs = getattr(environment, "duels", False)
    if getattr(policy, "duels", False):
        if not pairs:
            raise SpecError(f"{label!r} plays duels, but an action of {shown(environment)} is one arm; quack.Duelling has duels")
        unordered = getattr(environment, "unordered", False)
        if getattr(policy, "unordered", False) != unordered:
            raise SpecError(f"{label!r} and the environment count pairs differently: give both unordered={unordered}")
        if getattr(policy, "needs_condorcet_winner", False) and getattr(environment, "winner", 0) is None:
            warnings.warn(
                f"{label!r} needs an arm that beats all others, and {shown(environment)} has none: its regret will not stop. "
                "quack.CCB needs none",
                QuackWarning,
                stacklevel=5,
            )


def _check_moments(label: str, policy: Any, environment: Environment) -> None:
    """Refuse rewards without the moments that a policy for heavy tails relies on."""
    order, below = getattr(policy, "needs_moment", 0.0), getattr(environment, "moments_below", np.inf)
    if order >= below:
        raise SpecError(
            f"{label!r} needs moments of order {order:g}; those of {shown(environment)} exist below order {below:g} only"
        )


def check_answer(label: str, policy: Any, n_actions: int, horizon: int) -> None:
    """Ask a policy what it would play first: what is no action would make the compiler, or a run, fail in its own words.

    A plain Python object is asked twice, so that one which is handed out twice is caught, whichever process would get it.
    """
    if not hasattr(policy, "select"):
        return
    for _ in range(2 if interpreted_only(policy) else 1):
        answer = policy.select(policy.init(n_actions, horizon), np.random.default_rng(0))
    if isinstance(answer, bool) or not isinstance(answer, int | np.integer) or not 0 <= answer < n_actions:
        accepted = f"an integer action from 0 to {n_actions - 1} is accepted"
        raise SpecError(f"{label!r}: select() of {shown(policy)} returned {shown(answer)}; {accepted}")
