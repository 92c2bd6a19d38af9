"""Policies of other libraries, made cooperative in one line each.

::

    quack.QuACK(quack.adapters.river(river.bandit.UCB(delta=1.0)))
    quack.QuACK(quack.adapters.mabwiser(LearningPolicy.ThompsonSampling()))
    quack.QuACK(quack.adapters.smpybandits(UCBalpha, alpha=1.0))
    quack.QuACK(quack.adapters.scikit(lambda: BootstrappedUCB(nchoices=10)))

The libraries are no dependencies of this one: an adapter speaks their language, and they are installed by who uses them.
Adapted policies are Python objects and run interpreted. Each run gets an object of its own, seeded from the run's generator
where the library allows it.
"""

import copy
import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from quack.errors import MissingExtra, SpecError
from quack.policies.base import ObjectPolicy, from_object

__all__ = ["mabwiser", "river", "scikit", "smpybandits"]

_SEEDS = 2**31 - 1


def river(policy: Any) -> ObjectPolicy:
    """Adapt a policy of River: an object with ``pull(arm_ids)`` and ``update(arm_id, reward)``.

    Parameters
    ----------
    policy
        One of `river.bandit`, such as ``river.bandit.UCB(delta=1.0)``. It is a pattern: each run gets a clone, with a seed of
        its own if the policy takes one.

    References
    ----------
    J. Montiel et al. (2021). "River: machine learning for streaming data in Python." JMLR 22(110).
    """
    if isinstance(policy, type) or not all(hasattr(policy, name) for name in ("pull", "update", "clone")):
        raise SpecError(f"{policy!r} is no policy of River: an object with pull, update and clone is accepted")
    return from_object(_River(policy))


def mabwiser(learning_policy: Any, **settings: Any) -> ObjectPolicy:
    """Adapt a learning policy of MABWiser.

    Parameters
    ----------
    learning_policy
        Such as ``mabwiser.mab.LearningPolicy.UCB1(alpha=1.25)``.
    settings
        Handed on to `mabwiser.mab.MAB`. The arms and the seed come from the run.

    Notes
    -----
    MABWiser must have seen rewards before it can choose: every action is played once first, in order.

    References
    ----------
    E. Strong, B. Kleynhans, S. Kadıoğlu (2021). "MABWiser: parallelizable contextual multi-armed bandits." IJAIT 30(4).
    """
    if isinstance(learning_policy, type):
        name = learning_policy.__name__
        raise SpecError(f"{name} is a class, not a learning policy of MABWiser: give an instance, LearningPolicy.{name}()")
    return from_object(_MABWiser(learning_policy, tuple(settings.items())))


def smpybandits(policy_class: Callable[..., Any], **parameters: Any) -> ObjectPolicy:
    """Adapt a class in the style of SMPyBandits: ``startGame()``, ``choice()``, ``getReward(arm, reward)``.

    Parameters
    ----------
    policy_class
        Called with the number of arms and the parameters, once per run.
    parameters
        What else the class takes.

    References
    ----------
    L. Besson (2018). "SMPyBandits: an open-source research framework for single and multi-players multi-arms bandits in Python."
    """
    if not callable(policy_class):
        raise SpecError(f"{policy_class!r} is no class: a class with startGame, choice and getReward is accepted")
    return from_object(_SMPyBandits(policy_class, tuple(parameters.items())))


def scikit(make: Callable[..., Any]) -> ObjectPolicy:
    """Adapt a model in the style of scikit-learn: ``predict(X)`` chooses, ``partial_fit(X, actions, rewards)`` learns.

    Parameters
    ----------
    make
        Makes a new model for each run; called without arguments, or as ``make(n_actions, horizon, rng)`` if it takes three.

    Notes
    -----
    There is no context: X is always one row with a single 1. A model that cannot predict before it was fitted sees every action
    once first, in order.
    """
    if not callable(make):
        raise SpecError(f"{make!r} is a model, not a way to make one for each run: a function or a class is accepted")
    return from_object(_Scikit(make))


@dataclasses.dataclass(frozen=True, repr=False)
class _River:
    pattern: Any

    def __call__(self, n_actions: int, _horizon: int, rng: np.random.Generator) -> "_RiverBandit":
        takes_seed = "seed" in inspect.signature(type(self.pattern)).parameters
        clone = self.pattern.clone({"seed": int(rng.integers(_SEEDS))}) if takes_seed else self.pattern.clone()
        return _RiverBandit(clone, n_actions)

    def __repr__(self) -> str:
        return f"river {type(self.pattern).__name__}"


class _RiverBandit:
    def __init__(self, policy: Any, n_actions: int) -> None:
        self.policy = policy
        self.actions = list(range(n_actions))

    def select(self) -> int:
        return int(self.policy.pull(self.actions))

    def update(self, action: int, reward: float) -> None:
        self.policy.update(action, reward)


@dataclasses.dataclass(frozen=True, repr=False)
class _MABWiser:
    learning_policy: Any
    settings: tuple[tuple[str, Any], ...]

    def __call__(self, n_actions: int, _horizon: int, rng: np.random.Generator) -> "_MABWiserBandit":
        try:
            from mabwiser.mab import MAB
        except ModuleNotFoundError:
            raise MissingExtra("the adapter for MABWiser needs mabwiser: pip install mabwiser") from None
        seed = int(rng.integers(_SEEDS))
        policy = copy.deepcopy(self.learning_policy)
        return _MABWiserBandit(MAB(list(range(n_actions)), policy, seed=seed, **dict(self.settings)), n_actions)

    def __repr__(self) -> str:
        return f"mabwiser {type(self.learning_policy).__name__.strip('_')}"


class _MABWiserBandit:
    def __init__(self, bandit: Any, n_actions: int) -> None:
        self.bandit = bandit
        self.unseen = list(range(n_actions))

    def select(self) -> int:
        return self.unseen[0] if self.unseen else int(self.bandit.predict())

    def update(self, action: int, reward: float) -> None:
        self.bandit.partial_fit([action], [reward])
        if action in self.unseen:
            self.unseen.remove(action)


@dataclasses.dataclass(frozen=True, repr=False)
class _SMPyBandits:
    policy_class: Callable[..., Any]
    parameters: tuple[tuple[str, Any], ...]

    def __call__(self, n_actions: int, _horizon: int, _rng: np.random.Generator) -> "_SMPyBandit":
        return _SMPyBandit(self.policy_class(n_actions, **dict(self.parameters)))

    def __repr__(self) -> str:
        return f"smpybandits {self.policy_class.__name__}"


class _SMPyBandit:
    def __init__(self, policy: Any) -> None:
        self.policy = policy
        policy.startGame()

    def select(self) -> int:
        return int(self.policy.choice())

    def update(self, action: int, reward: float) -> None:
        self.policy.getReward(action, reward)


@dataclasses.dataclass(frozen=True, repr=False)
class _Scikit:
    make: Callable[..., Any]

    def __call__(self, n_actions: int, horizon: int, rng: np.random.Generator) -> "_ScikitBandit":
        try:
            inspect.signature(self.make).bind(n_actions, horizon, rng)
        except TypeError:
            return _ScikitBandit(self.make(), n_actions)
        return _ScikitBandit(self.make(n_actions, horizon, rng), n_actions)

    def __repr__(self) -> str:
        return f"scikit {getattr(self.make, '__name__', repr(self.make))}"


class _ScikitBandit:
    def __init__(self, model: Any, n_actions: int) -> None:
        self.model = model
        self.unseen = list(range(n_actions))
        self.context = np.ones((1, 1))

    def select(self) -> int:
        return self.unseen[0] if self.unseen else int(np.ravel(self.model.predict(self.context))[0])

    def update(self, action: int, reward: float) -> None:
        self.model.partial_fit(self.context, np.array([action]), np.array([reward]))
        if action in self.unseen:
            self.unseen.remove(action)
