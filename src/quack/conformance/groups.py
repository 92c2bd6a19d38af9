"""The promises of a group."""

from typing import Any

import numpy as np

from quack.comparison import compare
from quack.conformance.checking import Check, demand, pickles, plays_the_same, run_checks, usual_environment
from quack.environments.base import Environment
from quack.groups.base import Group
from quack.simulation.engine import interpreted_only

__all__ = ["check_group"]

_NETWORKS = ("path:1", "path:2", "path:5", "star:6", "erdos-renyi:12,0.4,seed=1")


def check_group(group: Group, environment: Environment | None = None) -> tuple[str, ...]:
    """Check a group and return what was checked; raise `ConformanceError` if it fails.

    Parameters
    ----------
    group
        A record of parameters with place, init and run.
    environment
        The rewards to check it with; by default Bernoulli ones, or duels for a group that plays duels.

    Examples
    --------
    >>> import quack
    >>> len(quack.check_group(quack.QuACK(quack.UCB())))
    4
    """
    checks: list[Check] = [_everybody_plays, _repeats, pickles]
    if not interpreted_only(group):
        checks.append(_compiles_group)
    return run_checks(group, checks, environment or usual_environment(getattr(group, "policy", group)))


def _everybody_plays(group: Any, environment: Environment) -> None:
    """Every agent plays once in every round."""
    for network in _NETWORKS:
        for horizon in (1, 3, 20):
            result = compare({"it": group}, environment, network, horizon, 2, 0, progress=False)["it"]
            n_agents = result.n_agents
            demand(
                (result.plays.sum(axis=2) == n_agents * result.rounds).all(),
                f"{network}, horizon {horizon}: plays per round are not {n_agents}",
            )


def _repeats(group: Any, environment: Environment) -> None:
    """The same seed gives the same plays, run by run."""
    long = compare({"it": group}, environment, "path:5", 30, 4, 7, progress=False)["it"]
    short = compare({"it": group}, environment, "path:5", 30, 2, 7, progress=False, workers=1)["it"]
    demand(np.array_equal(long.plays[:2], short.plays), "two runs and the first two of four differ")


def _compiles_group(group: Any, environment: Environment) -> None:
    """Interpreted and compiled, it plays the same to the last bit."""
    plays_the_same(group, environment)
