"""The ceiling of cooperation: one agent that plays for all."""

from typing import Any, NamedTuple

import numpy as np

from quack.environments.base import BitReader, RewardReader, read_by_action
from quack.groups.base import Record, World
from quack.networks import Network
from quack.policies.base import Policy, require_record
from quack.reduction import ByLeaps, StepByStep, pace

__all__ = ["Pooled", "PooledPlacement", "PooledState"]


class PooledPlacement(NamedTuple):
    """How often to play."""

    n_agents: int
    n_actions: int
    horizon: int


class PooledState(NamedTuple):
    """One run."""

    policy: Any
    rewards: RewardReader | BitReader
    pace: StepByStep | ByLeaps


class Pooled(NamedTuple):
    """One agent plays m·n rounds alone, m in every round of the network: cooperation without distance.

    Its final regret is the S_π(mn) of Theorem 1: what a group could reach if every reward were known to all at once.

    Parameters
    ----------
    policy : Policy
        Any single-agent policy. It is told the horizon m·n.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK: A multipurpose queuing algorithm for cooperative k-armed bandits."
    AISTATS, Section 3.2.

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"ceiling": quack.Pooled(quack.UCB(sigma=0.5))},
    ...     environment=quack.Bernoulli([0.6, 0.4]), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["ceiling"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    policy: Policy

    def place(self, network: Network, n_actions: int, horizon: int) -> PooledPlacement:
        """Count the agents; where they stand does not matter."""
        require_record(self.policy)
        self.policy.init(n_actions, network.n_agents * horizon)
        return PooledPlacement(network.n_agents, n_actions, horizon)

    def init(self, placement: PooledPlacement, world: World) -> PooledState:
        """Return a policy that has seen nothing."""
        policy = self.policy.init(placement.n_actions, placement.n_agents * placement.horizon)
        return PooledState(policy, read_by_action(world.environment, world.tape, world.limits), pace(self.policy))

    def run(
        self,
        placement: PooledPlacement,
        state: PooledState,
        world: World,  # noqa: ARG002 (the reader in the state knows the world)
        rng: np.random.Generator,
        record: Record,
    ) -> None:
        """Play m times a round."""
        action = self.policy.select(state.policy, rng)
        for t in range(1, placement.horizon + 1):
            left = placement.n_agents
            while left > 0:
                if not 0 <= action < placement.n_actions:
                    record.refuse(t, action)
                    return
                learnt, wanted = state.pace.advance(self.policy, state.policy, action, state.rewards, left, rng)
                record.plays[action] += learnt
                left -= learnt
                action = wanted
            if record.close(t, placement.n_agents):
                return
