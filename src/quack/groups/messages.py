"""What groups share whose agents pass on what they see: a message says who played what, and what it paid.

A message of an agent reaches everybody within γ hops, in as many rounds as there are hops, once: forwarding by neighbours who
drop what they have seen before does just that. So nothing needs to be forwarded here: whoever is d hops away looks d rounds back.
"""

from typing import Any, NamedTuple

import numpy as np

from quack.environments.base import pay
from quack.errors import SpecError
from quack.groups.base import Record, World
from quack.kernels import Floats, Integers, kernel
from quack.networks.powers import Balls
from quack.policies.base import Policy
from quack.policies.truncated_mean import TruncatedMeanUCB
from quack.tape import AGENT, Cell

__all__ = ["ByRewards", "ByRounds", "Said", "hear", "learner_of", "new_said", "new_team", "play_all", "robust"]


class Said(NamedTuple):
    """What all agents did in the last rounds: round t stands in row t % len."""

    actions: Integers
    rewards: Floats


def new_said(n_agents: int, farthest: int, horizon: int) -> Said:
    """Return room for the rounds that are still on their way to somebody, and the present one."""
    rounds = min(max(farthest, 1), horizon) + 1
    return Said(np.zeros((rounds, n_agents), np.int64), np.zeros((rounds, n_agents)))


class ByRewards(NamedTuple):
    """A policy whose clock counts the rewards that it hears."""

    policy: Any

    def hear(self, state: Any, action: int, reward: float, rng: np.random.Generator) -> None:
        """Learn."""
        self.policy.update(state, action, reward, rng)

    def begin(self, state: Any, t: int) -> None:
        """Do nothing."""


class ByRounds(NamedTuple):
    """A policy whose clock shows the round."""

    policy: Any

    def hear(self, state: Any, action: int, reward: float, rng: np.random.Generator) -> None:
        """Learn."""
        self.policy.observe(state, action, reward, rng)

    def begin(self, state: Any, t: int) -> None:
        """Begin round t."""
        self.policy.tick(state, t)


def learner_of(policy: Policy) -> ByRewards | ByRounds:
    """Return how a policy learns from others: with the clock of the rounds, if it can."""
    return ByRounds(policy) if hasattr(policy, "observe") and hasattr(policy, "tick") else ByRewards(policy)


def robust(owner: str, policy: Policy | None, epsilon: float | None, moment: float | None, radius: float | None) -> Policy:
    """Return the policy that was given, or robust UCB with the parameters that were given."""
    named = {"epsilon": epsilon, "moment": moment, "radius": radius}
    given: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    if policy is None:
        return TruncatedMeanUCB(**given)
    if given:
        raise SpecError(
            f"{owner}: {' and '.join(given)} {'is' if len(given) == 1 else 'are'} given beside a policy, {policy!r}, "
            "which has parameters of its own; one or the other is accepted"
        )
    return policy


def new_team(policy: Policy, n_members: int, n_actions: int, horizon: int) -> Any:
    """Return states of so many agents in one record, see `quack.kernels.member`."""
    return _repeated(policy, policy.init(n_actions, horizon), n_members)


def _repeated(policy: Policy, value: Any, n: int) -> Any:
    """Return a value n times: arrays along a new first dimension. Memory that is zero is not written: it costs nothing."""
    if isinstance(value, np.ndarray):
        if value.ndim == 0:
            raise SpecError(f"{policy!r} keeps a number in an array without dimensions; np.zeros(1) has one")
        try:
            many = np.zeros((n, *value.shape), value.dtype)
        except MemoryError:
            raise SpecError(
                f"{n} agents with {policy!r} do not fit into memory: {n * value.nbytes / 2**30:,.0f} GiB for one array of theirs"
            ) from None
        if value.any():
            many[:] = value
        return many
    if isinstance(value, list):
        return [list(value) for _ in range(n)]
    if isinstance(value, tuple):
        fields = [_repeated(policy, field, n) for field in value]
        return type(value)(*fields) if hasattr(value, "_fields") else tuple(fields)
    return value


@kernel
def hear(learner: Any, state: Any, around: Balls, who: int, said: Said, t: int, rng: np.random.Generator) -> None:
    """Tell an agent what reaches it at the start of round t, its own last reward first, then the nearest agents'.

    `who` is its place among the `around`. Agents that hear nothing yet of the nearest hear nothing of farther ones.
    """
    for i in range(around.offsets[who], around.offsets[who + 1]):
        sent = t - max(int(around.hops[i]), 1)
        if sent < 1:
            break
        row, other = sent % len(said.actions), around.agents[i]
        learner.hear(state, int(said.actions[row, other]), said.rewards[row, other], rng)


@kernel
def play_all(said: Said, world: World, t: int, record: Record) -> bool:
    """Let every agent play what it has chosen for round t, and close the round. True: leave."""
    row = t % len(said.actions)
    n_agents = said.actions.shape[1]
    for agent in range(n_agents):
        action = int(said.actions[row, agent])
        said.rewards[row, agent] = pay(world.environment, world.limits, action, Cell(world.tape, AGENT, agent, t))
        record.plays[action] += 1
    return record.close(t, n_agents)
