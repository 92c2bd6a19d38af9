"""QuACK: any single-agent policy, played by a network."""

from typing import Any, NamedTuple

import numpy as np

from quack.environments.base import BitReader, RewardReader, read_by_action
from quack.groups.base import Record, World
from quack.groups.layers import Echo, Sums, add_echo, echo, open_sums
from quack.kernels import Integers, kernel
from quack.networks import Network, distances, leader
from quack.policies.base import Policy, require_record
from quack.reduction import ByLeaps, StepByStep, pace
from quack.tape import WARM_UP, Cell, Tape, integer

__all__ = ["QuACK", "QuackPlacement", "QuackState", "TapeQueues", "warm_up"]


class TapeQueues(NamedTuple):
    """Reward queues in which a reward is a count: its value is read from the tape when it is popped (Lemma 1 allows it)."""

    reader: RewardReader | BitReader
    waiting: Integers

    def holds(self, action: int) -> bool:
        """Whether a reward of the action waits."""
        return 0 <= action < len(self.waiting) and bool(self.waiting[action] > 0)

    def pop(self, action: int) -> float:
        """Take out the oldest."""
        self.waiting[action] -= 1
        return self.reader.next(action)


class QuackPlacement(NamedTuple):
    """The network as the leader sees it: who is how far away."""

    leader: int
    n_agents: int
    n_actions: int
    horizon: int
    farthest: int  # the largest distance
    played: Echo  # of the leader's orders: what is played, …
    returned: Echo  # … and what comes back to the leader, twice as late
    outward: Integers  # the agents in the order of their distances
    first: Integers  # outward[first[d]:first[d + 1]] stand at distance d


class QuackState(NamedTuple):
    """One run of QuACK. Its size is that of the policy's state plus O(diameter), whatever the number of agents and rounds."""

    policy: Any
    pace: StepByStep | ByLeaps
    queues: TapeQueues
    wanted: Integers  # what the policy asked for last
    orders: Integers  # orders[t % len]: the action that the leader played in round t
    played: Sums
    returned: Sums
    warm: Integers  # what the agents that no order has reached play in a round
    arriving: Integers  # arriving[t % len, a]: warm-up rewards of a that reach the leader at the start of round t


@kernel
def warm_up(tape: Tape, agent: int, t: int, n_actions: int) -> int:
    """Return what an agent plays in a round in which no order has reached it yet: any action, uniformly."""
    return integer(Cell(tape, WARM_UP, agent, t), n_actions)


class QuACK(NamedTuple):
    """One agent, the leader, runs a single-agent policy for all; rewards travel to it, orders travel from it (Algorithm 1).

    ::

        round t, leader:      append (A_{t−d}, X_{t−d}) of every agent at distance d to the queues
                              while the queue of the policy's wanted action is not empty: pop, update, select again
                              play the wanted action
        round t, at distance d:   play what the leader played in round t − d; uniformly while t ≤ d

    Parameters
    ----------
    policy : Policy
        Any single-agent policy. It is told the horizon m·n.
    leader : int or "median" or a label, default "median"
        The agent that leads. The median minimises the sum of distances, and with it the bound.

    Notes
    -----
    Guarantee: group regret ≤ S_π(mn) + 3 Σ_w d_w Σ_a Δ_a, where S_π(mn) is the regret of the policy alone over m·n rounds and
    d_w the distance of agent w from the leader.

    Deviation: the leader's own reward goes through the queues like everybody's, because Algorithm 1 as printed never feeds it to
    the policy, while the text does.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK: A multipurpose queuing algorithm for cooperative k-armed bandits."
    AISTATS, Algorithm 1 and Theorem 1.

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"QuACK-UCB": quack.QuACK(quack.UCB(sigma=0.5))},
    ...     environment=quack.Bernoulli([0.6, 0.4]), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["QuACK-UCB"].plays[:, -1].sum(axis=1)        # every agent plays in every round
    array([1600, 1600, 1600, 1600])
    """

    policy: Policy
    leader: Any = "median"

    def place(self, network: Network, n_actions: int, horizon: int) -> QuackPlacement:
        """Find the leader and count the agents at each distance from it."""
        require_record(self.policy)
        self.policy.init(n_actions, network.n_agents * horizon)
        chosen = leader(network, self.leader)
        distance = distances(network, chosen)
        layers = np.bincount(distance)
        followers = layers.copy()
        followers[0] = 0
        return QuackPlacement(
            leader=chosen,
            n_agents=network.n_agents,
            n_actions=n_actions,
            horizon=horizon,
            farthest=len(layers) - 1,
            played=echo(layers[: horizon + 1], 1, n_actions),
            returned=echo(followers[: horizon // 2 + 1], 2, n_actions),
            outward=np.argsort(distance, kind="stable"),
            first=np.concatenate(([0], np.cumsum(layers))),
        )

    def init(self, placement: QuackPlacement, world: World) -> QuackState:
        """Return empty queues and a policy that has seen nothing."""
        reach = min(placement.farthest, placement.horizon)
        return QuackState(
            policy=self.policy.init(placement.n_actions, placement.n_agents * placement.horizon),
            pace=pace(self.policy),
            queues=TapeQueues(
                read_by_action(world.environment, world.tape, world.limits), np.zeros(placement.n_actions, np.int64)
            ),
            wanted=np.zeros(1, np.int64),
            orders=np.zeros(1 << (2 * reach + 5).bit_length(), np.int64),
            played=open_sums(placement.played, placement.n_actions),
            returned=open_sums(placement.returned, placement.n_actions),
            warm=np.zeros(placement.n_agents if placement.farthest > 0 else 0, np.int64),
            arriving=np.zeros((reach + 1, placement.n_actions), np.int64),
        )

    def run(self, placement: QuackPlacement, state: QuackState, world: World, rng: np.random.Generator, record: Record) -> None:
        """Play all rounds."""
        for t in range(1, placement.horizon + 1):
            action = self.round(placement, state, world, t, rng, record.plays)
            if not 0 <= action < placement.n_actions:
                record.refuse(t, action)
                return
            if record.close(t, placement.n_agents):
                return

    def round(
        self,
        placement: QuackPlacement,
        state: QuackState,
        world: World,
        t: int,
        rng: np.random.Generator,
        plays: Integers,
    ) -> int:
        """Play round t, count everybody's play, and return the leader's action.

        When it returns, the leader's own reward of this round lies in its queue, as rewards at distance 0 do.
        """
        receive(placement, state, t)
        wanted = self.policy.select(state.policy, rng) if t == 1 else int(state.wanted[0])
        action = state.pace.decide(self.policy, state.policy, state.queues, wanted, rng)
        if not 0 <= action < placement.n_actions:
            return action
        state.wanted[0] = action
        state.orders[t & (len(state.orders) - 1)] = action
        state.queues.waiting[action] += 1
        follow(placement, state, world.tape, t, plays)
        return action


@kernel
def receive(placement: QuackPlacement, state: QuackState, t: int) -> None:
    """Put the rewards that reach the leader at the start of round t into its queues.

    From distance d comes the reward of round t − d. It is a reward of the leader's order of round t − 2d or, if no order had
    reached that agent, of its warm-up.
    """
    waiting = state.queues.waiting
    add_echo(placement.returned, state.returned, state.orders, t, waiting)
    if t <= 2 * placement.farthest:
        arriving = t % len(state.arriving)
        for action in range(placement.n_actions):
            waiting[action] += state.arriving[arriving, action]
            state.arriving[arriving, action] = 0


@kernel
def follow(placement: QuackPlacement, state: QuackState, tape: Tape, t: int, plays: Integers) -> None:
    """Count what the agents play in round t, and send the warm-up rewards on their way."""
    add_echo(placement.played, state.played, state.orders, t, plays)
    if t > placement.farthest:
        return
    nearest = int(placement.first[t])
    for i in range(nearest, placement.n_agents):
        state.warm[i] = warm_up(tape, placement.outward[i], t, placement.n_actions)
    arriving = 2 * t % len(state.arriving)  # no division by distance: it would cost more than all else here
    for d in range(t, placement.farthest + 1):
        arrives = t + d <= placement.horizon
        for i in range(placement.first[d], placement.first[d + 1]):
            action = state.warm[i]
            plays[action] += 1
            if arrives:
                state.arriving[arriving, action] += 1
        arriving = arriving + 1 if arriving + 1 < len(state.arriving) else 0
