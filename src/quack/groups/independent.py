"""The floor of cooperation: agents that never speak."""

from typing import Any, NamedTuple

import numpy as np

from quack.environments.base import pay
from quack.groups.base import Record, World
from quack.kernels import restore
from quack.networks import Network
from quack.policies.base import Policy, require_record
from quack.tape import AGENT, Cell

__all__ = ["Independent", "IndependentPlacement", "IndependentState"]


class IndependentPlacement(NamedTuple):
    """How many play."""

    n_agents: int
    n_actions: int
    horizon: int


class IndependentState(NamedTuple):
    """One state serves all agents, one after the other."""

    policy: Any
    fresh: Any  # a policy that has seen nothing


class Independent(NamedTuple):
    """Every agent runs its own copy of the policy on its own rewards: no cooperation at all.

    Its regret is m times that of one agent over n rounds: what a group pays for not talking.

    Parameters
    ----------
    policy : Policy
        Any single-agent policy. It is told the horizon n.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK: A multipurpose queuing algorithm for cooperative k-armed bandits."
    AISTATS, Section 2 (the setting without messages).

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"floor": quack.Independent(quack.UCB(sigma=0.5))},
    ...     environment=quack.Bernoulli([0.6, 0.4]), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["floor"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    policy: Policy

    def place(self, network: Network, n_actions: int, horizon: int) -> IndependentPlacement:
        """Count the agents; where they stand does not matter."""
        require_record(self.policy)
        self.policy.init(n_actions, horizon)
        return IndependentPlacement(network.n_agents, n_actions, horizon)

    def init(self, placement: IndependentPlacement, world: World) -> IndependentState:  # noqa: ARG002 (the protocol's)
        """Return a policy that has seen nothing, twice."""
        return IndependentState(
            self.policy.init(placement.n_actions, placement.horizon),
            self.policy.init(placement.n_actions, placement.horizon),
        )

    def run(
        self,
        placement: IndependentPlacement,
        state: IndependentState,
        world: World,
        rng: np.random.Generator,
        record: Record,
    ) -> None:
        """Play agent by agent: they do not meet, so each may play all its rounds before the next begins."""
        for agent in range(placement.n_agents):
            restore(state.policy, state.fresh)
            for t in range(1, placement.horizon + 1):
                action = self.policy.select(state.policy, rng)
                if not 0 <= action < placement.n_actions:
                    record.refuse(t, action)
                    return
                reward = pay(world.environment, world.limits, action, Cell(world.tape, AGENT, agent, t))
                self.policy.update(state.policy, action, reward, rng)
                record.plays[action] += 1
                if record.close(t, 1):
                    return
