"""Does a policy, an environment or a group keep its promises? Public: run it on your own before you trust a figure.

Each check is a function whose first docstring line says what must be true.
"""

import math
import pickle
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from quack.comparison import compare
from quack.environments.base import Environment, RewardReader, read_by_action
from quack.environments.bernoulli import Bernoulli
from quack.environments.gaussian import Gaussian
from quack.errors import QuackError, SpecError
from quack.groups.base import Group, World
from quack.groups.quack import QuACK
from quack.policies.base import Policy, require_record
from quack.policies.uniform import Uniform
from quack.simulation.engine import interpreted_only
from quack.tape import ACTION, Cell, open_tape, policy_generator

__all__ = ["ConformanceError", "check_environment", "check_group", "check_policy"]

_N_ACTIONS = 4
_ROUNDS = 200
_SAMPLES = 20_000
# Hoeffding's inequality with this probability of a false alarm; seeds are fixed besides, so no check is ever flaky.
_FALSE_ALARM = 1e-9
_NETWORKS = ("path:1", "path:2", "path:5", "star:6", "erdos-renyi:12,0.4,seed=1")


class ConformanceError(QuackError, AssertionError):
    """Something does not keep its promises; the message lists every check that failed."""


def check_policy(policy: Policy, environment: Environment | None = None) -> tuple[str, ...]:
    """Check a policy and return what was checked; raise `ConformanceError` if it fails.

    Parameters
    ----------
    policy
        A record, or what `quack.from_object` makes.
    environment
        The rewards to check it with; by default Bernoulli ones, which every bandit policy takes.

    Examples
    --------
    >>> import quack
    >>> for promise in quack.check_policy(quack.UCB()):
    ...     print(promise)
    It is a record of parameters with init, select and update
    It refuses a bandit without actions or without rounds
    It always chooses an action that exists
    select changes nothing but the generator
    update returns nothing and writes in place: no array grows
    Two states share no memory
    It pickles
    One action and one round are enough
    It cannot tell QuACK's queues from a world of its own (Lemma 1)
    Interpreted and compiled, it plays the same to the last bit
    """
    environment = environment or Bernoulli([0.5, 0.3, 0.7, 0.4])
    checks = [
        _is_record,
        _refuses_nothing,
        _chooses_actions,
        _selects_purely,
        _updates_in_place,
        _shares_nothing,
        _pickles,
        _plays_one_round,
        _replays,
    ]
    if not interpreted_only(policy):
        checks.append(_compiles_policy)
    return _run(policy, checks, environment)


def check_environment(environment: Environment) -> tuple[str, ...]:
    """Check an environment and return what was checked; raise `ConformanceError` if it fails.

    Examples
    --------
    >>> import quack
    >>> len(quack.check_environment(quack.Gaussian([0.2, 0.8], sigma=1.0)))
    5
    """
    checks = [_has_gaps, _rewards_purely, _rewards_in_range, _pays_its_means, _compiles_environment]
    return _run(environment, checks, environment)


def check_group(group: Group, environment: Environment | None = None) -> tuple[str, ...]:
    """Check a group and return what was checked; raise `ConformanceError` if it fails.

    Examples
    --------
    >>> import quack
    >>> len(quack.check_group(quack.QuACK(quack.UCB())))
    4
    """
    checks = [_everybody_plays, _repeats, _pickles]
    if not interpreted_only(group):
        checks.append(_compiles_group)
    return _run(group, checks, environment or Bernoulli([0.5, 0.3, 0.7, 0.4]))


def _run(subject: Any, checks: Iterable[Callable[[Any, Any], None]], environment: Environment) -> tuple[str, ...]:
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
        raise ConformanceError(f"{subject!r} fails {len(failed)} of {len(failed) + len(passed)} checks:\n  " + "\n  ".join(failed))
    return tuple(passed)


def _demand(condition: object, finding: str) -> None:
    if not condition:
        raise AssertionError(finding)


# --- Policies ----------------------------------------------------------------------------------------------------------------


class _Step(NamedTuple):
    """One round of a policy that plays alone, watched closely."""

    state: Any
    action: Any
    before: list[Any]  # the state's contents before select
    between: list[Any]  # between select and update
    returned: Any  # by update


def _contents(state: Any) -> list[Any]:
    """Copy everything in a state, in order."""
    if isinstance(state, tuple):
        return [item for field in state for item in _contents(field)]
    return [state.copy() if isinstance(state, np.ndarray) else pickle.dumps(state)]


def _same(left: list[Any], right: list[Any]) -> bool:
    return all(np.array_equal(a, b, equal_nan=True) if isinstance(a, np.ndarray) else a == b for a, b in zip(left, right, strict=True))


def _play_alone(policy: Policy, environment: Environment, watch: Callable[[_Step], None]) -> None:
    n_actions = len(environment.gaps)
    state = policy.init(n_actions, _ROUNDS)
    rng, reader = policy_generator(0, 0), read_by_action(environment, open_tape(0, 0))
    for _ in range(_ROUNDS):
        before = _contents(state)
        action = policy.select(state, rng)
        between = _contents(state)
        _demand(0 <= action < n_actions, f"chose action {action!r} of {n_actions}")
        returned = policy.update(state, action, reader.next(action), rng)  # type: ignore[func-returns-value]
        watch(_Step(state, action, before, between, returned))


def _is_record(policy: Any, environment: Environment) -> None:  # noqa: ARG001 (every check takes both)
    """It is a record of parameters with init, select and update."""
    require_record(policy)


def _refuses_nothing(policy: Any, environment: Environment) -> None:  # noqa: ARG001
    """It refuses a bandit without actions or without rounds."""
    for n_actions, horizon in ((0, 10), (3, 0), (-1, 10)):
        try:
            policy.init(n_actions, horizon)
        except SpecError:
            continue
        raise AssertionError(f"init(n_actions={n_actions}, horizon={horizon}) raised no SpecError; quack.policies.base.check_sizes does it")


def _chooses_actions(policy: Any, environment: Environment) -> None:
    """It always chooses an action that exists."""
    _play_alone(policy, environment, lambda step: _demand(isinstance(step.action, int | np.integer), f"chose {step.action!r}, no integer"))


def _selects_purely(policy: Any, environment: Environment) -> None:
    """select changes nothing but the generator."""
    if interpreted_only(policy):  # an object keeps its state to itself; the first select makes it
        return
    _play_alone(policy, environment, lambda step: _demand(_same(step.before, step.between), "select wrote into the state"))


def _updates_in_place(policy: Any, environment: Environment) -> None:
    """update returns nothing and writes in place: no array grows."""
    state = policy.init(len(environment.gaps), _ROUNDS)
    shapes = [np.shape(item) for item in _contents(state)]

    def watch(step: _Step) -> None:
        _demand(step.returned is None, f"update returned {step.returned!r}")
        _demand([np.shape(item) for item in _contents(step.state)] == shapes, "an array of the state changed its shape")

    _play_alone(policy, environment, watch)


def _shares_nothing(policy: Any, environment: Environment) -> None:
    """Two states share no memory."""

    def arrays(state: Any) -> list[Any]:
        if isinstance(state, tuple):
            return [array for field in state for array in arrays(field)]
        return [state] if isinstance(state, np.ndarray) else []

    first, second = (arrays(policy.init(len(environment.gaps), _ROUNDS)) for _ in range(2))
    _demand(not any(np.shares_memory(a, b) for a in first for b in second), "init returned the same array twice")


def _pickles(subject: Any, environment: Environment) -> None:  # noqa: ARG001
    """It pickles."""
    copy = pickle.loads(pickle.dumps(subject))  # noqa: S301 (its own pickle)
    _demand(repr(copy) == repr(subject), f"came back as {copy!r}")


def _plays_one_round(policy: Any, environment: Environment) -> None:  # noqa: ARG001
    """One action and one round are enough."""
    state, rng = policy.init(1, 1), policy_generator(0, 0)
    _demand(policy.select(state, rng) == 0, "chose another action than 0, the only one")
    policy.update(state, 0, 1.0, rng)


class _Diary(NamedTuple):
    """A policy that writes down what it is fed."""

    policy: Any
    entries: list[tuple[int, float]]

    interpreted_only = True

    def init(self, n_actions: int, horizon: int) -> Any:
        self.entries.clear()
        return self.policy.init(n_actions, horizon)

    def select(self, state: Any, rng: np.random.Generator) -> int:
        return int(self.policy.select(state, rng))

    def update(self, state: Any, action: int, reward: float, rng: np.random.Generator) -> None:
        self.entries.append((action, reward))
        self.policy.update(state, action, reward, rng)


def _replays(policy: Any, environment: Environment) -> None:
    """It cannot tell QuACK's queues from a world of its own (Lemma 1)."""
    entries: list[tuple[int, float]] = []
    compare({"diary": QuACK(_Diary(policy, entries))}, environment, "path:5", 60, 1, 0, progress=False)
    state, rng = policy.init(len(environment.gaps), 300), policy_generator(0, 0)
    for s, (action, reward) in enumerate(entries, 1):
        alone = policy.select(state, rng)
        _demand(alone == action, f"in its round {s} it chose {action} inside QuACK and {alone} alone, after the same rewards")
        policy.update(state, action, reward, rng)


def _compiles_policy(policy: Any, environment: Environment) -> None:
    """Interpreted and compiled, it plays the same to the last bit."""
    _compiles(QuACK(policy), environment)


# --- Environments ------------------------------------------------------------------------------------------------------------


def _has_gaps(environment: Any, _same: Any) -> None:
    """It has a gap for each action, and the best action's is 0."""
    gaps = np.asarray(environment.gaps)
    _demand(gaps.ndim == 1 and gaps.size > 0 and np.isfinite(gaps).all(), f"gaps are {gaps}")
    _demand(gaps.min() == 0, f"the smallest gap is {gaps.min()}")


def _rewards(environment: Any, action: int) -> list[float]:
    tape = open_tape(0, 0)
    return [environment.reward(action, Cell(tape, ACTION, action, j)) for j in range(_SAMPLES)]


def _rewards_purely(environment: Any, _same: Any) -> None:
    """The reward in a cell is always the same."""
    for action in range(len(environment.gaps)):
        _demand(_rewards(environment, action)[:100] == _rewards(environment, action)[:100], f"action {action} paid differently")


def _rewards_in_range(environment: Any, _same: Any) -> None:
    """Every reward lies in the stated range."""
    low, high = environment.reward_range
    for action in range(len(environment.gaps)):
        worst = [x for x in _rewards(environment, action) if not low <= x <= high]
        _demand(not worst, f"action {action} paid {worst[:3]}, outside {low} … {high}")


def _pays_its_means(environment: Any, _same: Any) -> None:
    """Where rewards are bounded, their means differ by the gaps, however they are read."""
    low, high = environment.reward_range
    if not math.isfinite(high - low):
        return
    width = (high - low) * math.sqrt(math.log(2 / _FALSE_ALARM) / (2 * _SAMPLES))
    best = int(np.argmin(environment.gaps))
    reader = read_by_action(environment, open_tape(0, 0))
    for name, read in (
        ("reward", lambda action: _rewards(environment, action)),
        ("success", lambda action: [reader.next(action) for _ in range(_SAMPLES)]),
    ):
        if name == "success" and isinstance(reader, RewardReader):
            continue
        top = np.mean(read(best))
        for action, gap in enumerate(environment.gaps):
            measured = top - np.mean(read(action))
            _demand(abs(measured - gap) <= 2 * width, f"{name}: the gap of action {action} is {gap}, measured {measured:.4f}")


def _compiles_environment(environment: Any, _same: Any) -> None:
    """Interpreted and compiled, it pays the same to the last bit."""
    _compiles(QuACK(Uniform()), environment)


# --- Groups ------------------------------------------------------------------------------------------------------------------


def _everybody_plays(group: Any, environment: Environment) -> None:
    """Every agent plays once in every round."""
    for network in _NETWORKS:
        for horizon in (1, 3, 20):
            result = compare({"it": group}, environment, network, horizon, 2, 0, progress=False)["it"]
            n_agents = result.n_agents
            _demand(
                (result.plays.sum(axis=2) == n_agents * result.rounds).all(),
                f"{network}, horizon {horizon}: plays per round are not {n_agents}",
            )


def _repeats(group: Any, environment: Environment) -> None:
    """The same seed gives the same plays, run by run."""
    long = compare({"it": group}, environment, "path:5", 30, 4, 7, progress=False)["it"]
    short = compare({"it": group}, environment, "path:5", 30, 2, 7, progress=False, workers=1)["it"]
    _demand(np.array_equal(long.plays[:2], short.plays), "two runs and the first two of four differ")


def _compiles_group(group: Any, environment: Environment) -> None:
    """Interpreted and compiled, it plays the same to the last bit."""
    _compiles(group, environment)


def _compiles(group: Any, environment: Environment) -> None:
    compiled, interpreted = (
        compare({"it": group}, environment, "path:5", 60, 2, 3, engine=engine, progress=False)["it"]  # type: ignore[arg-type]
        for engine in ("compiled", "interpreted")
    )
    different = np.argwhere((compiled.plays != interpreted.plays).any(axis=2))
    _demand(
        len(different) == 0,
        f"plays differ first in run {different[0][0] if len(different) else 0} by round {compiled.rounds[different[0][1]] if len(different) else 0}",
    )
