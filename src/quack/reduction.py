"""The idea of the paper: reward queues, and the leader's loop (Algorithm 1).

The leader runs a single-agent policy for the whole network. Rewards that the network has seen wait in a queue per action.
While the policy wants an action whose queue is not empty, it is fed from the queue and nobody plays; when the queue of the
wanted action is empty, the leader really plays that action, and its order travels to the followers.

The leader is a follower at distance 0: *every* reward enters through the queues, its own too. (Algorithm 1 as printed never
feeds the policy the leader's own reward; the paper's text and its definition of s_t require it.)
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from quack.kernels import kernel

__all__ = ["ByLeaps", "RewardQueues", "StepByStep", "decide", "pace"]


class RewardQueues(Protocol):
    """One queue of rewards per action, first in, first out.

    Rewards may come out in any order that does not depend on their values: then the policy cannot tell the queues from a world
    of its own (Lemma 1), because the rewards of one action are independent and identically distributed.
    """

    def holds(self, action: int) -> bool:
        """Whether a reward of the action waits. False for what is no action."""

    def pop(self, action: int) -> float:
        """Take the oldest waiting reward of the action out of its queue."""


@kernel
def decide(policy: Any, state: Any, queues: RewardQueues, wanted: int, rng: np.random.Generator) -> int:
    """Return the action that the leader really plays next: the while loop of Algorithm 1.

    `wanted` is what the policy asked for last. It is asked again only after it has learnt something: a policy that draws random
    numbers would otherwise change its mind for no reason.
    """
    while queues.holds(wanted):
        policy.update(state, wanted, queues.pop(wanted), rng)
        wanted = policy.select(state, rng)
    return wanted


class StepByStep(NamedTuple):
    """The pace of any policy: it learns from one reward at a time."""

    def decide(self, policy: Any, state: Any, queues: Any, wanted: int, rng: np.random.Generator) -> int:
        """Return the action that the leader really plays next."""
        return decide(policy, state, queues, wanted, rng)

    def advance(
        self,
        policy: Any,
        state: Any,
        action: int,
        rewards: Any,
        most: int,  # noqa: ARG002 (the signature of both paces)
        rng: np.random.Generator,
    ) -> tuple[int, int]:
        """Learn from one reward of the action; return 1 and what the policy wants next."""
        policy.update(state, action, rewards.next(action), rng)
        return 1, policy.select(state, rng)


class ByLeaps(NamedTuple):
    """The pace of a policy that has a method `advance`: it learns from many rewards at once where they cannot change its mind.

    The decisions are those of `decide`, see `docs/leaps.md`.
    """

    def decide(self, policy: Any, state: Any, queues: Any, wanted: int, rng: np.random.Generator) -> int:
        """Return the action that the leader really plays next."""
        while queues.holds(wanted):
            learnt, chosen = policy.advance(state, wanted, queues.reader, queues.waiting[wanted], rng)
            queues.waiting[wanted] -= learnt
            wanted = chosen
        return wanted

    def advance(self, policy: Any, state: Any, action: int, rewards: Any, most: int, rng: np.random.Generator) -> tuple[int, int]:
        """Learn from at least one and so many rewards of the action at most; return how many and what is wanted next."""
        return policy.advance(state, action, rewards, most, rng)  # type: ignore[no-any-return]


def pace(policy: Any) -> StepByStep | ByLeaps:
    """Return how a policy learns."""
    return ByLeaps() if hasattr(policy, "advance") else StepByStep()
