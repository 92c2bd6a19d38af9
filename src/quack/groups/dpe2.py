"""DPE2: one agent explores as little as can be, and the others play the action that it has found to be the best."""

from typing import Any, NamedTuple

import numpy as np

from quack.environments.base import pay
from quack.groups.base import Record, World
from quack.groups.follow_your_leader import follow_told
from quack.kernels import Floats, Integers, argmax, kernel
from quack.networks import Network, distances, leader
from quack.policies.base import check_sizes
from quack.policies.kl_ucb import exploration, upper_mean
from quack.tape import AGENT, Cell

__all__ = ["DPE2", "DPE2Placement", "DPE2State"]


class DPE2Placement(NamedTuple):
    """The network as the leader sees it."""

    leader: int
    layers: Integers  # layers[d]: number of agents at distance d
    n_agents: int
    n_actions: int
    horizon: int


class DPE2State(NamedTuple):
    """One run."""

    plays: Floats  # N_a of the leader
    total: Floats  # sum of its rewards
    mean: Floats
    upper: Floats  # U_a
    order: Integers  # the actions of E, in the order in which they are played
    left: Integers  # two numbers: the size of E, and how many of E were played; −1: b comes first
    best: Integers  # one number: b
    told: Integers  # told[t % len]: b after round t; before the first it is action 0


class DPE2(NamedTuple):
    """One agent, the leader, plays its best action and, once each, those that may be better; the others play its best action.

    ::

        leader:  play b, then each action of E once, the largest index first;  then
                 b = argmax_a μ̂_a,   E = {a : U_a > μ̂_b},   U_a = max{q : N_a kl(μ̂_a, q) ≤ log t + 4 log log t};    repeat
        round t, at distance d:   play the leader's b after its round t − d

    N_a and μ̂_a are the number of the leader's plays of a and their mean, t the round that comes. At first b is action 0, and E
    are all others. When b changes, its number travels through the network, a hop a round: nothing else is ever sent, and that
    finitely often in expectation. Rewards must lie in [0, 1].

    Parameters
    ----------
    leader : int or "median" or a label, default "median"
        The agent that leads.

    Notes
    -----
    Guarantee: divided by log n, group regret tends to at most Σ_a Δ_a/kl(μ_a, μ_⋆), as if one agent played alone.

    Deviation: E may hold b itself, as in a public implementation; a negative log t + 4 log log t, for t ≤ 2, counts as 0.

    Deviation: who leads is a parameter, because how a leader is elected costs no regret.

    References
    ----------
    P.-A. Wang, A. Proutiere, K. Ariu, Y. Jedra, A. Russo (2020). "Optimal algorithms for multiplayer multi-armed bandits."
    AISTATS (DPE2).

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"DPE2": quack.DPE2()},
    ...     environment=quack.Bernoulli([0.4, 0.6]), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["DPE2"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    leader: Any = "median"

    @property
    def rewards_within(self) -> tuple[float, float]:
        """Rewards must lie between 0 and 1."""
        return 0.0, 1.0

    def place(self, network: Network, n_actions: int, horizon: int) -> DPE2Placement:
        """Find the leader and count the agents at each distance from it."""
        check_sizes(n_actions, horizon)
        chosen = leader(network, self.leader)
        return DPE2Placement(chosen, np.bincount(distances(network, chosen)), network.n_agents, n_actions, horizon)

    def init(self, placement: DPE2Placement, world: World) -> DPE2State:  # noqa: ARG002 (the protocol's)
        """Return a leader that knows nothing."""
        k = placement.n_actions
        reach = min(len(placement.layers) - 1, placement.horizon)
        return DPE2State(
            plays=np.zeros(k),
            total=np.zeros(k),
            mean=np.zeros(k),
            upper=np.zeros(k),
            order=np.arange(1, k + 1),
            left=np.array([k - 1, -1]),
            best=np.zeros(1, np.int64),
            told=np.zeros(reach + 1, np.int64),
        )

    def run(self, placement: DPE2Placement, state: DPE2State, world: World, rng: np.random.Generator, record: Record) -> None:  # noqa: ARG002
        """Play all rounds."""
        for t in range(1, placement.horizon + 1):
            action = int(state.best[0] if state.left[1] < 0 else state.order[state.left[1]])
            state.total[action] += pay(world.environment, world.limits, action, Cell(world.tape, AGENT, placement.leader, t))
            state.plays[action] += 1.0
            record.plays[action] += 1
            follow_told(placement.layers, state.told, t, record.plays)
            state.left[1] += 1
            if state.left[1] == state.left[0]:
                think(state, t + 1)
            state.told[t % len(state.told)] = state.best[0]
            if record.close(t, placement.n_agents):
                return


@kernel
def think(state: DPE2State, t: int) -> None:
    """Work out b and E for the plays from round t on."""
    allowed = exploration(float(t), True, 4.0)
    for a in range(len(state.plays)):
        state.mean[a] = state.total[a] / state.plays[a]
        state.upper[a] = upper_mean(state.mean[a], allowed / state.plays[a])
    best = argmax(state.mean)
    size = 0
    for a in range(len(state.plays)):
        if state.upper[a] > state.mean[best]:
            place = size
            while place > 0 and state.upper[state.order[place - 1]] < state.upper[a]:
                state.order[place] = state.order[place - 1]
                place -= 1
            state.order[place] = a
            size += 1
    state.best[0] = best
    state.left[0] = size
    state.left[1] = -1
