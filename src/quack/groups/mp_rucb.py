"""MP-RUCB: every agent duels by RUCB, on its own duels and on those of everybody whose messages reach it."""

from typing import NamedTuple

import numpy as np

from quack.groups.base import Record, World
from quack.groups.messages import ByRounds, Said, hear, new_said, new_team, play_all
from quack.kernels import Integers, kernel, member
from quack.networks import Network
from quack.networks.graphs import whole_number
from quack.networks.powers import Balls, balls
from quack.policies.rucb import RUCB, RUCBState

__all__ = ["MPRUCB", "DuelPlacement", "DuelState"]


class DuelPlacement(NamedTuple):
    """Who hears whom."""

    around: Balls
    learner: ByRounds
    n_agents: int
    n_actions: int
    horizon: int


class DuelState(NamedTuple):
    """One run: what every agent knows, and what is on its way."""

    team: RUCBState
    said: Said
    advised: Integers  # the arm that each agent recommends with its message of a round, or −1; in the rows of `said`


class MPRUCB(NamedTuple):
    """Every agent runs RUCB on the duels of all agents within γ hops, and tells them which arm it believes to be the best.

    ::

        start of round t:     agent v counts the duel of w in round t − max(d_vw, 1) for every w with d_vw ≤ γ, itself included
                              work out C and B of `RUCB` with these counts and α log t
                              if B = ∅:  B becomes the first arm of C that such a w recommended, nearest w first
        round t:              duel as RUCB does; recommend the arm of B, if there is one

    Parameters
    ----------
    alpha : float, default 0.51
        Width of the confidence intervals, > ½.
    gamma : int, default 1
        γ ≥ 0, the life of a message. 0: nobody talks; from the diameter on: everybody hears everybody.
    unordered : bool, default False
        Actions are unordered pairs. The environment must be so too.

    Notes
    -----
    Actions are duels, see `quack.Duelling`. It needs a Condorcet winner. In every round an agent sends each neighbour the
    messages of all agents within γ − 1 hops: a pair of arms, who won, and a recommended arm.

    Guarantee: group regret O(χ̄(G_γ) Σ_a log n/Δ_a) for the clique cover number χ̄ of G_γ, up to terms without n.

    Deviation: the rule for recommended arms is an approximation of the paper's: agents without an arm in B take the first
    recommended one that may still beat all others, because the exact rule could not be checked against the paper's own code.

    References
    ----------
    O. Raveh, J. Honda, M. Sugiyama (2024). "Multi-player approaches for dueling bandits." arXiv 2405.16168.

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"MP-RUCB": quack.MPRUCB(gamma=2)},
    ...     environment=quack.Duelling("cyclic"), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["MP-RUCB"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    alpha: float = 0.51
    gamma: int = 1
    unordered: bool = False

    @property
    def duels(self) -> bool:
        """Actions are pairs of arms."""
        return True

    @property
    def needs_condorcet_winner(self) -> bool:
        """Without one it never stops to pay."""
        return True

    @property
    def rewards_within(self) -> tuple[float, float]:
        """1 if the first arm wins, 0 if the second does."""
        return 0.0, 1.0

    def place(self, network: Network, n_actions: int, horizon: int) -> DuelPlacement:
        """Check the parameters and find out who hears whom."""
        policy = RUCB(self.alpha, self.unordered)
        around = balls(network, whole_number("MPRUCB: gamma", self.gamma, 0))
        new_team(policy, network.n_agents, n_actions, horizon)
        return DuelPlacement(around, ByRounds(policy), network.n_agents, n_actions, horizon)

    def init(self, placement: DuelPlacement, world: World) -> DuelState:  # noqa: ARG002 (the protocol's)
        """Return agents that know nothing."""
        policy = RUCB(self.alpha, self.unordered)
        team = new_team(policy, placement.n_agents, placement.n_actions, placement.horizon)
        said = new_said(placement.n_agents, int(placement.around.hops.max()), placement.horizon)
        return DuelState(team, said, np.full_like(said.actions, -1))

    def run(self, placement: DuelPlacement, state: DuelState, world: World, rng: np.random.Generator, record: Record) -> None:
        """Play all rounds."""
        said = state.said
        for t in range(1, placement.horizon + 1):
            row = t % len(said.actions)
            for agent in range(placement.n_agents):
                mine = member(state.team, agent)
                hear(placement.learner, mine, placement.around, agent, said, t, rng)
                placement.learner.begin(mine, t)
                if mine.hypothesis[0] < 0:
                    mine.hypothesis[0] = advice(mine, placement.around, agent, state.advised, t)
                state.advised[row, agent] = mine.hypothesis[0]
                said.actions[row, agent] = placement.learner.policy.select(mine, rng)
            if play_all(said, world, t, record):
                return


@kernel
def advice(state: RUCBState, around: Balls, agent: int, advised: Integers, t: int) -> int:
    """Return the first arm that reaches an agent at the start of round t as a recommendation and is in its C, or −1."""
    for i in range(around.offsets[agent], around.offsets[agent + 1]):
        sent = t - max(int(around.hops[i]), 1)
        if sent < 1:
            break
        arm = int(advised[sent % len(advised), around.agents[i]])
        if arm >= 0 and state.contender[arm] == 1:
            return arm
    return -1
