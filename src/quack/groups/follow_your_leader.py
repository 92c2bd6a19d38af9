"""Follow your leader: one agent duels by any policy, and the others play the arm that it believes to be the best."""

from typing import Any, NamedTuple

import numpy as np

from quack.environments.base import pay
from quack.errors import SpecError
from quack.groups.base import Record, World
from quack.kernels import Floats, Integers, kernel
from quack.networks import Network, distances, leader
from quack.policies.base import Policy, require_record
from quack.policies.pairs import arms, number_of_arms, pair_number
from quack.policies.rucb import RUCB
from quack.tape import AGENT, Cell

__all__ = ["FollowPlacement", "FollowState", "FollowYourLeader", "follow_told"]


class FollowPlacement(NamedTuple):
    """The network as the leader sees it, and the arms of each action."""

    leader: int
    layers: Integers  # layers[d]: number of agents at distance d
    first: Integers
    second: Integers
    unordered: bool
    n_agents: int
    n_actions: int
    horizon: int


class FollowState(NamedTuple):
    """One run."""

    policy: Any
    wins: Floats  # W_ij of the leader's own duels
    beaten: Floats  # how many arms each arm has beaten more often than not
    told: Integers  # told[t % len]: the candidate's duel with itself after round t; before the first, that of arm 0


class FollowYourLeader(NamedTuple):
    """One agent, the leader, runs a duelling policy on its own duels; the others duel its candidate against itself.

    ::

        round t, leader:          duel as the policy says; W_ij counts how often arm i beat arm j
                                  candidate ĉ: the arm with the most j such that W_ĉj > W_jĉ
        round t, at distance d:   duel (ĉ, ĉ) for the leader's candidate ĉ after its round t − d

    The candidate stays until another arm has beaten more; it is arm 0 at first. When it changes, its number travels through the
    network, a hop a round: nothing else is ever sent.

    Parameters
    ----------
    policy : Policy, default RUCB()
        Any single-agent policy that plays duels. It is told the horizon n.
    leader : int or "median" or a label, default "median"
        The agent that leads.

    Notes
    -----
    Actions are duels, see `quack.Duelling`. Followers learn nothing: (ĉ, ĉ) is a fair coin, which costs nothing if ĉ is the
    Condorcet winner.

    Guarantee: group regret O(k log n), whatever the number of agents, for a policy that has it, up to terms without n.

    Deviation: the candidate is the arm that beats most others in the leader's own counts, which is what RUCB recommends, because
    a policy as such names no candidate.

    References
    ----------
    O. Raveh, J. Honda, M. Sugiyama (2024). "Multi-player approaches for dueling bandits." arXiv 2405.16168 (the black box).

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"FYL": quack.FollowYourLeader(quack.RUCB())},
    ...     environment=quack.Duelling("cyclic"), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["FYL"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    policy: Policy = RUCB()
    leader: Any = "median"

    def place(self, network: Network, n_actions: int, horizon: int) -> FollowPlacement:
        """Find the leader and count the agents at each distance from it."""
        require_record(self.policy)
        if not getattr(self.policy, "duels", False):
            raise SpecError(f"FollowYourLeader takes a policy that plays duels, such as RUCB(); {self.policy!r} plays arms")
        unordered = bool(getattr(self.policy, "unordered", False))
        k = number_of_arms(self, n_actions, unordered=unordered)
        self.policy.init(n_actions, horizon)
        chosen = leader(network, self.leader)
        layers = np.bincount(distances(network, chosen))
        return FollowPlacement(chosen, layers, *arms(k, unordered=unordered), unordered, network.n_agents, n_actions, horizon)

    def init(self, placement: FollowPlacement, world: World) -> FollowState:  # noqa: ARG002 (the protocol's)
        """Return a leader that knows nothing."""
        k = int(placement.first.max()) + 1
        reach = min(len(placement.layers) - 1, placement.horizon)
        return FollowState(
            self.policy.init(placement.n_actions, placement.horizon), np.zeros((k, k)), np.zeros(k), np.zeros(reach + 1, np.int64)
        )

    def run(self, placement: FollowPlacement, state: FollowState, world: World, rng: np.random.Generator, record: Record) -> None:
        """Play all rounds."""
        candidate = 0
        for t in range(1, placement.horizon + 1):
            action = self.policy.select(state.policy, rng)
            if not 0 <= action < placement.n_actions:
                record.refuse(t, action)
                return
            reward = pay(world.environment, world.limits, action, Cell(world.tape, AGENT, placement.leader, t))
            record.plays[action] += 1
            follow_told(placement.layers, state.told, t, record.plays)
            self.policy.update(state.policy, action, reward, rng)
            i, j = int(placement.first[action]), int(placement.second[action])
            if i != j:
                count_win(state, i, j, reward)
            candidate = best_candidate(state.beaten, candidate)
            state.told[t % len(state.told)] = pair_number(candidate, candidate, len(state.beaten), placement.unordered)
            if record.close(t, placement.n_agents):
                return


@kernel
def count_win(state: FollowState, i: int, j: int, reward: float) -> None:
    """Count a duel of two different arms, and keep up who has beaten whom more often than not."""
    wins, beaten = state.wins, state.beaten
    beaten[i] -= 1.0 if wins[i, j] > wins[j, i] else 0.0
    beaten[j] -= 1.0 if wins[j, i] > wins[i, j] else 0.0
    wins[i, j] += reward
    wins[j, i] += 1.0 - reward
    beaten[i] += 1.0 if wins[i, j] > wins[j, i] else 0.0
    beaten[j] += 1.0 if wins[j, i] > wins[i, j] else 0.0


@kernel
def best_candidate(beaten: Floats, candidate: int) -> int:
    """Return the first arm that has beaten most others, or the present candidate, if that has beaten as many."""
    for arm in range(len(beaten)):
        if beaten[arm] > beaten[candidate]:
            candidate = arm
    return candidate


@kernel
def follow_told(layers: Integers, told: Integers, t: int, plays: Integers) -> None:
    """Count what everybody but the leader plays in round t: at distance d, what the leader told after round t − d.

    Whom nothing has reached yet finds a row that was never written: action 0.
    """
    for d in range(1, len(layers)):
        plays[told[(t - d) % len(told)] if d < t else 0] += layers[d]
