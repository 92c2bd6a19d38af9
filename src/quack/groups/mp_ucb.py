"""MP-UCB: every agent decides for itself, and learns from everybody whose messages reach it."""

from typing import Any, NamedTuple, Self

import numpy as np

from quack.groups.base import Record, World
from quack.groups.messages import ByRewards, ByRounds, Said, hear, learner_of, new_said, new_team, play_all, robust
from quack.kernels import member
from quack.networks import Network
from quack.networks.graphs import whole_number
from quack.networks.powers import Balls, balls
from quack.policies.base import Policy, require_record

__all__ = ["MPUCB", "MessagePlacement", "MessageState"]


class MessagePlacement(NamedTuple):
    """Who hears whom."""

    around: Balls
    learner: ByRewards | ByRounds
    n_agents: int
    n_actions: int
    horizon: int
    rewards: int  # that an agent hears at most, its own included


class MessageState(NamedTuple):
    """One run: what every agent knows, and what is on its way."""

    team: Any
    said: Said


class _Fields(NamedTuple):
    policy: Policy
    gamma: int


class MPUCB(_Fields):
    """Every agent runs the policy on its own rewards and on those of all agents within γ hops, which arrive as many rounds later.

    ::

        start of round t:     agent v learns (A_w, X_w) of round t − max(d_vw, 1) from every w with d_vw ≤ γ, itself included
        round t:              it plays what its policy chooses

    Parameters
    ----------
    policy : Policy, default TruncatedMeanUCB()
        Any single-agent policy; MP-UCB's own is robust UCB. It is told the horizon (number of agents in the largest ball) · n.
    gamma : int, default 1
        γ ≥ 0, the life of a message. 0: nobody talks; from the diameter on: everybody hears everybody.
    epsilon, moment, radius : float, optional
        In place of a policy: the parameters of `TruncatedMeanUCB`.

    Notes
    -----
    In every round an agent sends each neighbour the messages of all agents within γ − 1 hops: an action and a reward each.

    The confidence intervals of `TruncatedMeanUCB` and `RUCB` grow with the round t, as the paper has it; those of other policies,
    whose clock is the number of rewards, with the logarithm of all that was heard.

    The public code of the authors is not repeated by an option: its truncated mean returns 0 whatever the rewards (it adds the
    kept rewards to the threshold), so its agents play whatever was played least.

    Guarantee: group regret O(χ̄(G_γ) Σ_a u^(1/ε) Δ_a^(−1/ε) log n) for the clique cover number χ̄ of G_γ, up to terms without n.

    Deviation: of messages that arrive in the same round those of nearer agents are learnt first, because the order matters to a
    truncated mean and the paper leaves it open.

    References
    ----------
    A. Dubey, A. Pentland (2020). "Cooperative multi-agent bandits with heavy tails." ICML (the decentralised
    algorithm).

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"MP-UCB": quack.MPUCB(quack.UCB(sigma=0.5), gamma=2)},
    ...     environment=quack.Bernoulli([0.6, 0.4]), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["MP-UCB"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    __slots__ = ()

    def __new__(
        cls,
        policy: Policy | None = None,
        gamma: int = 1,
        *,
        epsilon: float | None = None,
        moment: float | None = None,
        radius: float | None = None,
    ) -> Self:
        """Make robust UCB if no policy is given."""
        return super().__new__(cls, robust("MPUCB", policy, epsilon, moment, radius), gamma)

    def place(self, network: Network, n_actions: int, horizon: int) -> MessagePlacement:
        """Find out who hears whom."""
        require_record(self.policy)
        around = balls(network, whole_number("MPUCB: gamma", self.gamma, 0))
        rewards = int(np.diff(around.offsets).max()) * horizon
        new_team(self.policy, network.n_agents, n_actions, rewards)
        return MessagePlacement(around, learner_of(self.policy), network.n_agents, n_actions, horizon, rewards)

    def init(self, placement: MessagePlacement, world: World) -> MessageState:  # noqa: ARG002 (the protocol's)
        """Return agents that know nothing."""
        team = new_team(self.policy, placement.n_agents, placement.n_actions, placement.rewards)
        return MessageState(team, new_said(placement.n_agents, int(placement.around.hops.max()), placement.horizon))

    def run(
        self, placement: MessagePlacement, state: MessageState, world: World, rng: np.random.Generator, record: Record
    ) -> None:
        """Play all rounds."""
        said = state.said
        for t in range(1, placement.horizon + 1):
            for agent in range(placement.n_agents):
                mine = member(state.team, agent)
                hear(placement.learner, mine, placement.around, agent, said, t, rng)
                placement.learner.begin(mine, t)
                action = self.policy.select(mine, rng)
                if not 0 <= action < placement.n_actions:
                    record.refuse(t, action)
                    return
                said.actions[t % len(said.actions), agent] = action
            if play_all(said, world, t, record):
                return
