"""What a policy is, and how any class of one's own becomes one."""

import math
import operator
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from quack.errors import SpecError

__all__ = ["ObjectPolicy", "Policy", "check_sizes", "from_object", "positive", "require_record"]


class Policy(Protocol):
    """A single-agent bandit algorithm: an immutable record of parameters with three methods.

    A policy is a `NamedTuple` of numbers. Its state is another, of arrays, that `update` writes in place; the arrays never grow.
    The same text runs in the interpreter and compiled. `docs/skeleton_policy.py` is one to copy.

    A policy whose rewards must lie in an interval says so by a property ``rewards_within``, a pair (low, high); one whose rewards
    must have moments of an order, by a property ``needs_moment``, the order.

    A policy may add a method ``advance(state, action, rewards, most, rng)``, for speed alone. It learns from at least one and at
    most so many of the action's next rewards, and returns from how many and what `select` returns then; all but the last must
    leave that as it was. State and generator are as if it had learnt step by step (see `docs/leaps.md`).

    A policy takes the rewards that it was told for the rounds that went by. One that can do otherwise, for a group whose agents
    hear many rewards in a round, has ``observe(state, action, reward, rng)``, which learns without moving the clock, and
    ``tick(state, t)``, which begins round t. Then `update` in round t is `observe`, and `tick` of t + 1.
    """

    def init(self, n_actions: int, horizon: int) -> Any:
        """Check the parameters and return the state before the first round. Never compiled.

        The horizon is the number of rounds that the policy itself will see: m·n inside QuACK.
        """

    def select(self, state: Any, rng: np.random.Generator) -> int:
        """Return the action to play, 0 … n_actions − 1. Nothing but `rng` may change."""

    def update(self, state: Any, action: int, reward: float, rng: np.random.Generator) -> None:
        """Learn from a reward: write into the arrays of the state."""


def check_sizes(n_actions: int, horizon: int) -> None:
    """Refuse a bandit without actions or without rounds."""
    if n_actions < 1:
        raise SpecError(f"n_actions is {n_actions}; at least 1 action is needed")
    if horizon < 1:
        raise SpecError(f"horizon is {horizon}; at least 1 round is needed")


def positive(owner: str, name: str, value: float) -> float:
    """Return a parameter that must be a positive finite number."""
    if not (isinstance(value, float | int | np.number) and math.isfinite(value) and value > 0):
        raise SpecError(f"{owner}: {name} is {value!r}; a positive finite number is accepted")
    return float(value)


def require_record(policy: object) -> None:
    """Refuse what is not a policy, with a sentence that says how to make it one."""
    methods = ("init", "select", "update")
    if isinstance(policy, type):
        raise SpecError(
            f"{policy.__name__} is a class, not a policy: give an instance, {policy.__name__}(), if it is a record with "
            f"{', '.join(methods)}, or quack.from_object(factory) if it is any other class"
        )
    missing = [name for name in methods if not callable(getattr(policy, name, None))]
    if missing or not isinstance(policy, tuple):
        raise SpecError(
            f"{policy!r} is not a policy: a policy is a NamedTuple with the methods {', '.join(methods)}; "
            "any other class becomes one by quack.from_object(factory)"
        )


class ObjectState(NamedTuple):
    """The state of a wrapped object: the object itself, made when it is first needed."""

    n_actions: int
    horizon: int
    box: list[Any]  # empty until the first `select`, then exactly the object


class ObjectPolicy(NamedTuple):
    """A plain Python object as a policy. Made by `from_object`; runs interpreted."""

    factory: Callable[[int, int, np.random.Generator], Any]
    last: list[Any]  # the object made last: a factory that hands out one object twice is caught

    @property
    def interpreted_only(self) -> bool:
        """A compiler cannot see into a Python object."""
        return True

    def __repr__(self) -> str:
        name = getattr(self.factory, "__qualname__", None) or repr(self.factory)
        return f"from_object({name})"

    def init(self, n_actions: int, horizon: int) -> ObjectState:
        """Return a state without an object; the factory is called with the run's generator at the first `select`."""
        check_sizes(n_actions, horizon)
        return ObjectState(n_actions, horizon, [])

    def select(self, state: ObjectState, rng: np.random.Generator) -> int:
        """Ask the object, made on the first call."""
        answer = self._object(state, rng).select()
        try:
            return operator.index(answer)
        except TypeError:
            raise SpecError(
                f"{self!r}: select() returned {answer!r}; an integer action from 0 to {state.n_actions - 1} is accepted"
            ) from None

    def update(self, state: ObjectState, action: int, reward: float, rng: np.random.Generator) -> None:
        """Tell the object."""
        self._object(state, rng).update(action, reward)

    def _object(self, state: ObjectState, rng: np.random.Generator) -> Any:
        if state.box:
            return state.box[0]
        made = self.factory(state.n_actions, state.horizon, rng)
        missing = [name for name in ("select", "update") if not callable(getattr(made, name, None))]
        if missing:
            lacks = " and no ".join(missing)
            raise SpecError(f"{self!r} made {made!r}, which has no {lacks}; select() and update(action, reward) are needed")
        if any(made is earlier for earlier in self.last):
            raise SpecError(
                f"{self!r} returned the same object twice: runs and agents would share what they learn. "
                "Make a new one on each call"
            )
        self.last[:] = [made]
        state.box.append(made)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process starts with an empty memory of what was made: the objects themselves do not travel.
        return from_object, (self.factory,)


def from_object(factory: Callable[[int, int, np.random.Generator], Any]) -> ObjectPolicy:
    """Turn any Python class into a policy.

    Parameters
    ----------
    factory
        Called as ``factory(n_actions, horizon, rng)`` once per run; returns a new object with ``select() -> int`` and
        ``update(action, reward)``. ``rng`` is the run's `numpy.random.Generator`: an object that draws all its random numbers
        from it is reproducible. `compare` makes two objects before, and asks them for an action, to see whether it can.

    Notes
    -----
    Objects run interpreted, about a hundred times slower than a record; results say which mode ran.

    Examples
    --------
    >>> import quack
    >>> class Greedy:
    ...     def __init__(self, n_actions, horizon, rng):
    ...         self.plays = [0] * n_actions
    ...         self.total = [0.0] * n_actions
    ...     def select(self):
    ...         means = [t / p if p else float("inf") for t, p in zip(self.total, self.plays)]
    ...         return means.index(max(means))
    ...     def update(self, action, reward):
    ...         self.plays[action] += 1
    ...         self.total[action] += reward
    >>> quack.from_object(Greedy)
    from_object(Greedy)
    """
    if not callable(factory):
        raise SpecError(
            f"from_object takes a factory that makes a new object for each run, not an object: {factory!r}. "
            "A class or a function of (n_actions, horizon, rng) is accepted"
        )
    return ObjectPolicy(factory, [])
