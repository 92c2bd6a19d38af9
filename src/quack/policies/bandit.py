"""A policy with its state: for those who only want a single-agent bandit, and to stop and go on with it."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from quack.errors import SpecError
from quack.policies.base import Policy, require_record
from quack.store import read_arrays, write_arrays

__all__ = ["Bandit"]

_FORMAT = 1
_GENERATORS: dict[str, Any] = {
    kind.__name__: kind for kind in (np.random.MT19937, np.random.PCG64, np.random.PCG64DXSM, np.random.Philox, np.random.SFC64)
}


class Bandit:
    """A policy with its state: the small mutable face for those who only want a single-agent bandit.

    Parameters
    ----------
    policy
        Any policy.
    n_actions
        Number of actions.
    horizon
        Number of rounds that will be played; policies that need it use it.
    seed
        Seed of the policy's own randomness: an integer, or a `numpy.random.Generator`.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.UCB(sigma=0.5), n_actions=2, horizon=100, seed=0)
    >>> for reward in (0.0, 1.0, 1.0):
    ...     action = bandit.select()
    ...     bandit.update(action, reward)
    >>> bandit.select()
    1
    """

    def __init__(self, policy: Policy, n_actions: int, horizon: int, seed: int | np.random.Generator | None = None) -> None:
        require_record(policy)
        self.policy = policy
        self.n_actions = n_actions
        self.horizon = horizon
        self.state = policy.init(n_actions, horizon)
        self._rng = np.random.default_rng(seed)

    def select(self) -> int:
        """Return the action to play."""
        action = int(self.policy.select(self.state, self._rng))
        if not 0 <= action < self.n_actions:
            raise SpecError(f"{self.policy!r} chose action {action}; actions are 0 … {self.n_actions - 1}")
        return action

    def update(self, action: int, reward: float) -> None:
        """Learn from the reward of an action. A reward that the policy cannot use is refused, and nothing changes."""
        if not 0 <= action < self.n_actions:
            raise SpecError(f"action is {action}; actions are 0 … {self.n_actions - 1}")
        low, high = getattr(self.policy, "rewards_within", (-math.inf, math.inf))
        if not (math.isfinite(reward) and low <= reward <= high):
            accepted = f"from {low:g} to {high:g}" if math.isfinite(high - low) else "that is finite"
            raise SpecError(f"the reward of action {action} is {reward}; {self.policy!r} takes a reward {accepted}")
        self.policy.update(self.state, action, float(reward), self._rng)

    def __repr__(self) -> str:
        return f"Bandit({self.policy!r}, n_actions={self.n_actions})"

    def save(self, path: str | Path) -> None:
        """Write the state into a file, without pickle: arrays and a description. `load` goes on with it, bit for bit.

        Raises
        ------
        SpecError
            If the policy is a plain Python object: what it keeps to itself cannot be written.
        StoreError
            If the file cannot be written; an older one is left as it was.
        """
        meta = {
            "kind": "bandit",
            "format": _FORMAT,
            "policy": repr(self.policy),
            "n_actions": self.n_actions,
            "horizon": self.horizon,
            "generator": self._rng.bit_generator.state,
        }
        arrays = {f"state_{i}": np.asarray(part) for i, part in enumerate(_parts(self.state, self.policy))}
        write_arrays(Path(path), {"meta": np.frombuffer(json.dumps(meta, default=_plain).encode(), np.uint8), **arrays})

    @classmethod
    def load(cls, path: str | Path, policy: Policy) -> Self:
        """Read what `save` wrote and go on where it stopped.

        Parameters
        ----------
        path
            The file.
        policy
            The policy that was saved, with the same parameters: a file does not say which code to run.

        Examples
        --------
        >>> import quack, tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "bandit.npz"
        >>> bandit = quack.Bandit(quack.ThompsonSampling(), n_actions=3, horizon=10, seed=0)
        >>> bandit.save(file)
        >>> quack.Bandit.load(file, quack.ThompsonSampling()).select() == bandit.select()
        True
        """
        require_record(policy)
        return read_arrays(Path(path), "saved bandit", lambda arrays: cls._from_arrays(arrays, policy))

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, Any], policy: Policy) -> Self:
        meta = json.loads(arrays["meta"].tobytes())
        if meta["kind"] != "bandit" or meta["format"] != _FORMAT:
            raise SpecError(f"it holds a {meta['kind']} in format {meta['format']}; bandits in format {_FORMAT} are read")
        if meta["policy"] != repr(policy):
            raise SpecError(f"it was saved by {meta['policy']}; {policy!r} cannot go on with it")
        generator = _GENERATORS[meta["generator"]["bit_generator"]]()
        generator.state = meta["generator"]
        bandit = cls(policy, meta["n_actions"], meta["horizon"], np.random.Generator(generator))
        for i, part in enumerate(_parts(bandit.state, policy)):
            saved = arrays[f"state_{i}"]
            if isinstance(part, np.ndarray):
                if saved.shape != part.shape or saved.dtype != part.dtype:
                    raise SpecError(f"part {i} of its state is {saved.dtype}{saved.shape}, not {part.dtype}{part.shape}")
                part[...] = saved
        return bandit


def _parts(state: Any, policy: Policy) -> list[npt.NDArray[Any] | float]:
    """List the arrays and numbers of a state in their order."""
    if isinstance(state, tuple):
        return [part for field in state for part in _parts(field, policy)]
    if isinstance(state, np.ndarray | float | int | np.generic):
        return [state]  # type: ignore[list-item]
    raise SpecError(f"the state of {policy!r} holds {type(state).__name__}: only arrays and numbers can be saved")


def _plain(value: Any) -> Any:
    """Write what some bit generators keep in arrays as lists."""
    return value.tolist()
