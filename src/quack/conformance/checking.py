"""How checks run, and those that policies, environments and groups share."""

import pickle
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from quack.comparison import compare
from quack.environments.base import Environment
from quack.environments.bernoulli import Bernoulli
from quack.environments.duelling import Duelling
from quack.errors import QuackError

__all__ = ["Check", "ConformanceError", "demand", "pickles", "plays_the_same", "run_checks", "usual_environment"]

Check = Callable[[Any, Environment], None]


class ConformanceError(QuackError, AssertionError):
    """Something does not keep its promises; the message lists every check that failed."""


def run_checks(subject: Any, checks: Iterable[Callable[[Any, Any], None]], environment: Environment) -> tuple[str, ...]:
    """Run checks; a check that fails does not keep the others from running."""
    passed, failed = [], []
    for check in checks:
        promise = (check.__doc__ or "").partition("\n")[0].rstrip(".")
        try:
            check(subject, environment)
        except Exception as error:  # noqa: BLE001 (whatever a user's own code raises is a finding)
            failed.append(f"{promise}: {type(error).__name__}: {error}")
        else:
            passed.append(promise)
    if failed:
        count = f"{len(failed)} of {len(failed) + len(passed)}"
        raise ConformanceError("\n  ".join([f"{subject!r} fails {count} checks:", *failed]))
    return tuple(passed)


def demand(condition: object, finding: str) -> None:
    """Report a finding unless the condition holds."""
    if not condition:
        raise AssertionError(finding)


def pickles(subject: Any, environment: Environment) -> None:  # noqa: ARG001
    """It pickles."""
    copy = pickle.loads(pickle.dumps(subject))  # noqa: S301 (its own pickle)
    demand(repr(copy) == repr(subject), f"came back as {copy!r}")


def plays_the_same(group: Any, environment: Environment) -> None:
    """Demand that a group plays the same interpreted and compiled."""
    compiled, interpreted = (
        compare({"it": group}, environment, "path:5", 60, 2, 3, engine=engine, progress=False)["it"]
        for engine in ("compiled", "interpreted")
    )
    for run, checkpoint in np.argwhere((compiled.plays != interpreted.plays).any(axis=2)):
        raise AssertionError(f"in run {run}, plays differ by round {compiled.rounds[checkpoint]}")


def usual_environment(player: Any) -> Environment:
    """Return rewards that a policy or a group without needs can be checked with."""
    if getattr(player, "duels", False):
        return Duelling("cyclic", unordered=getattr(player, "unordered", False))
    return Bernoulli([0.5, 0.3, 0.7, 0.4])
