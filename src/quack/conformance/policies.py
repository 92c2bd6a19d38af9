"""The promises of a policy."""

import itertools
import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from quack.comparison import compare
from quack.conformance.checking import Check, demand, pickles, plays_the_same, run_checks, usual_environment
from quack.environments.base import Environment, read_by_action
from quack.errors import SpecError
from quack.groups.quack import QuACK
from quack.policies.base import Policy, require_record
from quack.simulation.engine import interpreted_only
from quack.tape import open_tape, policy_generator

__all__ = ["check_policy", "follow_leaps"]

_ROUNDS = 200


def check_policy(policy: Policy, environment: Environment | None = None) -> tuple[str, ...]:
    """Check a policy and return what was checked; raise `ConformanceError` if it fails.

    Parameters
    ----------
    policy
        A record, or what `quack.from_object` makes.
    environment
        The rewards to check it with; by default Bernoulli ones, or duels for a policy that plays duels.

    Examples
    --------
    >>> import quack
    >>> for promise in quack.check_policy(quack.UCB()):
    ...     print(promise)
    It is a record of parameters with init, select and update
    It refuses a bandit without actions or without rounds
    It always chooses an action that exists
    Selecting changes nothing but the generator
    Updating returns nothing and writes in place: no array grows
    Two states share no memory
    It pickles
    One action and one round are enough
    It cannot tell QuACK's queues from a world of its own (Lemma 1)
    By leaps it learns the same as step by step, and decides the same
    Interpreted and compiled, it plays the same to the last bit
    """
    environment = environment or usual_environment(policy)
    checks: list[Check] = [
        _is_record,
        _refuses_nothing,
        _chooses_actions,
        _selects_purely,
        _updates_in_place,
        _shares_nothing,
        pickles,
        _plays_one_round,
        _replays,
    ]
    if hasattr(policy, "advance"):
        checks.append(_leaps)
    if hasattr(policy, "observe") and hasattr(policy, "tick"):
        checks.append(_keeps_time)
    if not interpreted_only(policy):
        checks.append(_compiles_policy)
    return run_checks(policy, checks, environment)


class _Step(NamedTuple):
    """One round of a policy that plays alone, watched closely."""

    state: Any
    action: Any
    reward: float
    before: list[Any]  # the state's contents before select
    between: list[Any]  # between select and update
    returned: Any  # by update


def _contents(state: Any) -> list[Any]:
    """Copy everything in a state, in order."""
    if isinstance(state, tuple):
        return [item for field in state for item in _contents(field)]
    return [state.copy() if isinstance(state, np.ndarray) else pickle.dumps(state)]


def _same(left: list[Any], right: list[Any]) -> bool:
    return all(
        np.array_equal(a, b, equal_nan=True) if isinstance(a, np.ndarray) else a == b for a, b in zip(left, right, strict=True)
    )


def _play_alone(policy: Policy, environment: Environment, watch: Callable[[_Step], None]) -> None:
    n_actions = len(environment.gaps)
    state = policy.init(n_actions, _ROUNDS)
    rng, reader = policy_generator(0, 0), read_by_action(environment, open_tape(0, 0))
    for _ in range(_ROUNDS):
        before = _contents(state)
        action = policy.select(state, rng)
        between = _contents(state)
        demand(0 <= action < n_actions, f"chose action {action!r} of {n_actions}")
        reward = reader.next(action)
        returned = policy.update(state, action, reward, rng)  # type: ignore[func-returns-value]
        watch(_Step(state, action, reward, before, between, returned))


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
        raise AssertionError(f"init({n_actions}, {horizon}) raised no SpecError; quack.policies.base.check_sizes does it")


def _chooses_actions(policy: Any, environment: Environment) -> None:
    """It always chooses an action that exists."""

    def watch(step: _Step) -> None:
        demand(isinstance(step.action, int | np.integer), f"chose {step.action!r}, no integer")

    _play_alone(policy, environment, watch)


def _selects_purely(policy: Any, environment: Environment) -> None:
    """Selecting changes nothing but the generator."""
    if interpreted_only(policy):  # an object keeps its state to itself; the first select makes it
        return
    _play_alone(policy, environment, lambda step: demand(_same(step.before, step.between), "select wrote into the state"))


def _updates_in_place(policy: Any, environment: Environment) -> None:
    """Updating returns nothing and writes in place: no array grows."""
    state = policy.init(len(environment.gaps), _ROUNDS)
    shapes = [np.shape(item) for item in _contents(state)]

    def watch(step: _Step) -> None:
        demand(step.returned is None, f"update returned {step.returned!r}")
        demand([np.shape(item) for item in _contents(step.state)] == shapes, "an array of the state changed its shape")

    _play_alone(policy, environment, watch)


def _shares_nothing(policy: Any, environment: Environment) -> None:
    """Two states share no memory."""

    def arrays(state: Any) -> list[Any]:
        if isinstance(state, tuple):
            return [array for field in state for array in arrays(field)]
        return [state] if isinstance(state, np.ndarray) else []

    first, second = (arrays(policy.init(len(environment.gaps), _ROUNDS)) for _ in range(2))
    demand(not any(np.shares_memory(a, b) for a in first for b in second), "init returned the same array twice")


def _keeps_time(policy: Any, environment: Environment) -> None:
    """To observe, and to begin the next round, is to update."""
    rng = policy_generator(0, 0)
    state = policy.init(len(environment.gaps), _ROUNDS)
    policy.tick(state, 1)
    rounds = iter(range(2, _ROUNDS + 2))

    def watch(step: _Step) -> None:
        demand(_same(_contents(state), step.before), "observe and tick left another state than update")
        policy.observe(state, step.action, step.reward, rng)
        policy.tick(state, next(rounds))

    _play_alone(policy, environment, watch)


def _plays_one_round(policy: Any, environment: Environment) -> None:  # noqa: ARG001
    """One action and one round are enough."""
    state, rng = policy.init(1, 1), policy_generator(0, 0)
    demand(policy.select(state, rng) == 0, "chose another action than 0, the only one")
    policy.update(state, 0, 1.0, rng)


class _Diary(NamedTuple):
    """A policy that writes down what it is fed."""

    policy: Any
    entries: list[tuple[int, float]]

    @property
    def interpreted_only(self) -> bool:
        """A list of what happened is a Python object."""
        return True

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
        demand(alone == action, f"in its round {s} it chose {action} inside QuACK and {alone} alone, after the same rewards")
        policy.update(state, action, reward, rng)


def _leaps(policy: Any, environment: Environment) -> None:
    """By leaps it learns the same as step by step, and decides the same."""
    follow_leaps(policy, environment, rewards=1000)


def follow_leaps(policy: Any, environment: Environment, rewards: int, seed: int = 0, horizon: int | None = None) -> int:
    """Let a policy leap and walk side by side, through as many rewards, and return how many of them it leapt over."""
    n_actions = len(environment.gaps)
    walker, leaper = (policy.init(n_actions, horizon or rewards) for _ in range(2))
    steps, leaps = (read_by_action(environment, open_tape(seed, 0)) for _ in range(2))
    rng, other = (policy_generator(seed, 0) for _ in range(2))
    wanted, learnt, leapt = policy.select(walker, rng), 0, 0
    demand(policy.select(leaper, other) == wanted, "two new states chose differently")
    for most in itertools.cycle((1, 100, 7, 2, 33, 1000)):
        taken, chosen = policy.advance(leaper, wanted, leaps, most, other)
        demand(1 <= taken <= most, f"advance learnt from {taken!r} rewards; 1 to {most} were to be learnt from")
        for j in range(1, taken + 1):
            policy.update(walker, wanted, steps.next(wanted), rng)
            after, expected = policy.select(walker, rng), chosen if j == taken else wanted
            demand(after == expected, f"after {learnt + j} rewards it chose {expected} by leaps, {after} step by step")
        demand(_same(_contents(walker), _contents(leaper)), f"after {learnt} rewards and {taken} by leaps the states differ")
        demand(str(rng.bit_generator.state) == str(other.bit_generator.state), "by leaps it drew other random numbers")
        leapt += taken > 1 and taken
        learnt += taken
        wanted = chosen
        if learnt > rewards:
            break
    return leapt


def _compiles_policy(policy: Any, environment: Environment) -> None:
    """Interpreted and compiled, it plays the same to the last bit."""
    plays_the_same(QuACK(policy), environment)
