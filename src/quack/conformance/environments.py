"""The promises of an environment."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from quack.conformance.checking import Check, demand, plays_the_same, run_checks
from quack.environments.base import Environment, RewardReader, read_by_action
from quack.groups.quack import QuACK
from quack.policies.uniform import Uniform
from quack.tape import ACTION, Cell, open_tape

__all__ = ["check_environment"]

_SAMPLES = 20_000
# Hoeffding's inequality with this probability of a false alarm; seeds are fixed besides, so no check is ever flaky.
_FALSE_ALARM = 1e-9


def check_environment(environment: Environment) -> tuple[str, ...]:
    """Check an environment and return what was checked; raise `ConformanceError` if it fails.

    Examples
    --------
    >>> import quack
    >>> len(quack.check_environment(quack.Gaussian([0.2, 0.8], sigma=1.0)))
    5
    """
    checks: list[Check] = [_has_gaps, _rewards_purely, _rewards_in_range, _pays_its_means, _compiles_environment]
    return run_checks(environment, checks, environment)


def _has_gaps(environment: Any, _same: Any) -> None:
    """It has a gap for each action, and the best action's is 0."""
    gaps = np.asarray(environment.gaps)
    demand(gaps.ndim == 1 and gaps.size > 0 and np.isfinite(gaps).all(), f"gaps are {gaps}")
    demand(gaps.min() == 0, f"the smallest gap is {gaps.min()}")


def _rewards(environment: Any, action: int, count: int = _SAMPLES) -> list[float]:
    tape = open_tape(0, 0)
    return [environment.reward(action, Cell(tape, ACTION, action, j)) for j in range(count)]


def _rewards_purely(environment: Any, _same: Any) -> None:
    """The reward in a cell is always the same."""
    for action in range(len(environment.gaps)):
        demand(_rewards(environment, action, 100) == _rewards(environment, action, 100), f"action {action} paid differently")


def _rewards_in_range(environment: Any, _same: Any) -> None:
    """Every reward lies in the stated range."""
    low, high = environment.reward_range
    for action in range(len(environment.gaps)):
        worst = [x for x in _rewards(environment, action) if not low <= x <= high]
        demand(not worst, f"action {action} paid {worst[:3]}, outside {low} … {high}")


def _pays_its_means(environment: Any, _same: Any) -> None:
    """Where rewards are bounded, their means differ by the gaps, however they are read."""
    low, high = environment.reward_range
    if not math.isfinite(high - low) or getattr(environment, "distorts", False):  # what is seen is not what it costs
        return
    width = (high - low) * math.sqrt(math.log(2 / _FALSE_ALARM) / (2 * _SAMPLES))
    best = int(np.argmin(environment.gaps))
    reader = read_by_action(environment, open_tape(0, 0))
    ways: dict[str, Callable[[int], list[float]]] = {"reward": lambda action: _rewards(environment, action)}
    if not isinstance(reader, RewardReader):
        ways["success"] = lambda action: [reader.next(action) for _ in range(_SAMPLES)]
    for name, read in ways.items():
        top = np.mean(read(best))
        for action, gap in enumerate(environment.gaps):
            measured = top - np.mean(read(action))
            demand(abs(measured - gap) <= 2 * width, f"{name}: the gap of action {action} is {gap}, measured {measured:.4f}")


def _compiles_environment(environment: Any, _same: Any) -> None:
    """Interpreted and compiled, it pays the same to the last bit."""
    plays_the_same(QuACK(Uniform()), environment)
