"""What an agent does in a round of QuACK apart from passing messages: the leader asks its policy, a follower obeys."""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.policies.base import Policy
from quack.reduction import decide

__all__ = ["FirstInFirstOut", "Leading", "Player", "Senses"]


class Senses(NamedTuple):
    """How one agent meets the world."""

    guess: Callable[[int], int]  # an action for round t, any of them uniformly
    reward: Callable[[int, int], float]  # what an action pays in round t


class FirstInFirstOut:
    """Reward queues that hold rewards."""

    def __init__(self, n_actions: int) -> None:
        self._waiting: tuple[deque[float], ...] = tuple(deque() for _ in range(n_actions))
        self.arrived: tuple[list[float], ...] = tuple([] for _ in range(n_actions))  # all that ever came

    def holds(self, action: int) -> bool:
        """Whether a reward of the action waits."""
        return 0 <= action < len(self._waiting) and bool(self._waiting[action])

    def pop(self, action: int) -> float:
        """Take out the oldest."""
        return self._waiting[action].popleft()

    def append(self, action: int, reward: float) -> None:
        """Put a reward at the end of its queue."""
        self._waiting[action].append(reward)
        self.arrived[action].append(reward)


class Leading:
    """The leader's part: a policy and its queues.

    Parameters
    ----------
    policy
        Any single-agent policy.
    n_actions
        How many actions there are.
    horizon
        How many rounds the policy will see at most: m·n.
    rng
        The policy's own randomness.
    """

    def __init__(self, policy: Policy, n_actions: int, horizon: int, rng: np.random.Generator) -> None:
        self._policy = policy
        self._n_actions = n_actions
        self._state = policy.init(n_actions, horizon)
        self._rng = rng
        self._wanted: int | None = None
        self.queues = FirstInFirstOut(n_actions)

    def decide(self) -> int:
        """Return the action to play."""
        wanted = self._policy.select(self._state, self._rng) if self._wanted is None else self._wanted
        self._wanted = decide(self._policy, self._state, self.queues, wanted, self._rng)
        if not 0 <= self._wanted < self._n_actions:
            raise SpecError(f"{self._policy!r} chose action {self._wanted}; actions are 0 … {self._n_actions - 1}")
        return int(self._wanted)


class Player:
    """An agent that plays round after round.

    Parameters
    ----------
    senses
        Its world.
    leading
        What it needs to lead; None for a follower.

    Examples
    --------
    >>> follower = Player(Senses(guess=lambda t: 2, reward=lambda action, t: 0.5))
    >>> follower.play()                                     # no order has come yet
    (2, 0.5)
    >>> follower.order = 0
    >>> follower.play(), follower.actions
    ((0, 0.5), [2, 0])
    """

    def __init__(self, senses: Senses, leading: Leading | None = None) -> None:
        self._senses = senses
        self.leading = leading
        self.order: int | None = None  # what a follower has been told to play
        self.actions: list[int] = []  # what it played in rounds 1, 2, …

    @property
    def instructed(self) -> bool:
        """Whether what it plays comes from the leader's policy."""
        return self.leading is not None or self.order is not None

    def play(self) -> tuple[int, float]:
        """Play the next round, and return the action and its reward."""
        t = len(self.actions) + 1
        if self.leading is not None:
            action = self.leading.decide()
        elif self.order is not None:
            action = self.order
        else:
            action = self._senses.guess(t)
        reward = float(self._senses.reward(action, t))
        self.actions.append(action)
        self.hear(action, reward)
        return action, reward

    def hear(self, action: int, reward: float) -> None:
        """Put a reward into its queue, if one leads: everybody's, the own one too."""
        if self.leading is not None:
            self.leading.queues.append(action, reward)
