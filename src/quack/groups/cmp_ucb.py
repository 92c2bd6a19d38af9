"""CMP-UCB: leaders that do not hear each other decide, and everybody else copies one of them."""

from typing import NamedTuple, Self

import numpy as np

from quack.errors import SpecError, nearest
from quack.groups.base import Record, World
from quack.groups.messages import ByRewards, ByRounds, hear, learner_of, new_said, new_team, play_all, robust
from quack.groups.mp_ucb import MessageState
from quack.groups.quack import warm_up
from quack.kernels import Integers, member
from quack.networks import Network
from quack.networks.graphs import whole_number
from quack.networks.partitions import gamma_for_leaders, maximum_independent_set
from quack.networks.powers import Balls, balls, power
from quack.policies.base import Policy, require_record

__all__ = ["CMPUCB", "CentralPlacement", "life_of"]

_RULES = {"follow": ("degree", "distance"), "before": ("uniform", "policy")}


class CentralPlacement(NamedTuple):
    """Who leads, who follows whom, who hears whom."""

    leaders: Integers  # ascending
    leader_of: Integers  # whom each agent follows; leaders themselves
    delay: Integers  # how far away its leader is; 0 for leaders
    thinkers: Integers  # agents that run the policy: the leaders, and after them others that do so until they hear of a leader
    until: Integers  # the last round in which each of the thinkers does
    around: Balls  # of the thinkers
    farthest: int
    learner: ByRewards | ByRounds
    n_agents: int
    n_actions: int
    horizon: int
    rewards: int  # that a thinker hears at most, its own included


class _Fields(NamedTuple):
    policy: Policy
    gamma: int | None
    leaders: int | None
    follow: str
    before: str


class CMPUCB(_Fields):
    """Some agents lead; each learns from everybody within γ hops, and everybody else replays what a leader near it has played.

    ::

        leaders 𝓛:            the independent set of G_γ whose agents have the most neighbours in G_γ in all
        round t, leader v:    learn (A_w, X_w) of round t − max(d_vw, 1) from every w with d_vw ≤ γ; play what the policy chooses
        round t, others:      play what their leader played in round t − d, for d ≤ γ hops to it; uniformly while t ≤ d

    G_γ joins agents that are at most γ hops apart. Leaders learn from everybody they hear, not only from those that follow them.

    Parameters
    ----------
    policy : Policy, default TruncatedMeanUCB()
        Any single-agent policy; CMP-UCB's own is robust UCB. It is told the horizon (number of agents that the best informed
        leader hears) · n.
    gamma : int, optional
        γ ≥ 0, the life of a message. From the diameter on there is one leader, and with 0 everybody leads.
    leaders : int, optional
        In place of γ: how many leaders there shall be; the least γ that gives so many is taken, see
        `quack.networks.gamma_for_leaders`. By default, without γ, 1.
    follow : {"degree", "distance"}, default "degree"
        Whom those follow who hear several leaders: the one with the most neighbours in G_γ, or the nearest. Of equal ones the
        one with the lowest number.
    before : {"uniform", "policy"}, default "uniform"
        What those play who have not heard of their leader yet: anything, or what a policy of their own chooses, which learns as
        leaders do.
    epsilon, moment, radius : float, optional
        In place of a policy: the parameters of `TruncatedMeanUCB`.

    Notes
    -----
    The independent set is exact; of equally good ones the first, see `quack.networks.maximum_independent_set`.

    The confidence intervals of `TruncatedMeanUCB` and `RUCB` grow with the round t, as the paper has it; those of other policies,
    whose clock is the number of rewards, with the logarithm of all that was heard.

    The public code of the authors is not repeated by an option: its truncated mean returns 0 whatever the rewards (it adds the
    kept rewards to the threshold), so its leaders play whatever was played least; its messages never die, and of those that
    differ in their time alone one is dropped.

    Guarantee: group regret O(α(G_γ) Σ_a u^(1/ε) Δ_a^(−1/ε) log n + (m γ α(G_γ) + α(G_γ) + m) Σ_a Δ_a) for the independence number
    α(G_γ), up to constants.

    Deviation: those who wait for the first order play uniformly, as in QuACK, because the paper leaves it open; the public code's
    way is `before="policy"`.

    Deviation: of messages that arrive in the same round those of nearer agents are learnt first, because the order matters to a
    truncated mean and the paper leaves it open.

    References
    ----------
    A. Dubey, A. Pentland (2020). "Cooperative multi-agent bandits with heavy tails." ICML (the centralised
    algorithm).

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"CMP-UCB": quack.CMPUCB(epsilon=0.85, moment=5.67, radius=0.1, leaders=2)},
    ...     environment=quack.Stable([0.7, 0.4], alpha=1.9), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["CMP-UCB"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    __slots__ = ()

    def __new__(
        cls,
        policy: Policy | None = None,
        gamma: int | None = None,
        leaders: int | None = None,
        follow: str = "degree",
        before: str = "uniform",
        *,
        epsilon: float | None = None,
        moment: float | None = None,
        radius: float | None = None,
    ) -> Self:
        """Make robust UCB if no policy is given."""
        return super().__new__(cls, robust("CMPUCB", policy, epsilon, moment, radius), gamma, leaders, follow, before)

    def place(self, network: Network, n_actions: int, horizon: int) -> CentralPlacement:
        """Find the leaders, and whom everybody else follows."""
        require_record(self.policy)
        for name, value in (("follow", self.follow), ("before", self.before)):
            if value not in _RULES[name]:
                raise SpecError(
                    f"CMPUCB: {name} is {value!r}; {' and '.join(map(repr, _RULES[name]))} are accepted."
                    f"{nearest(str(value), _RULES[name])}"
                )
        gamma = life_of(self, network)
        within, around = power(network, gamma), balls(network, gamma)
        leaders = maximum_independent_set(within, within.degrees)
        leader_of, delay = _followed(around, leaders, within.degrees if self.follow == "degree" else None)
        waiting = np.flatnonzero(delay > 0) if self.before == "policy" else leaders[:0]
        thinkers = np.concatenate((leaders, waiting))
        until = np.concatenate((np.full(len(leaders), horizon), delay[waiting]))
        heard = _of(around, thinkers)
        rewards = int(np.diff(heard.offsets).max()) * horizon
        new_team(self.policy, len(thinkers), n_actions, rewards)
        return CentralPlacement(
            leaders=leaders,
            leader_of=leader_of,
            delay=delay,
            thinkers=thinkers,
            until=until,
            around=heard,
            farthest=int(max(heard.hops.max(), delay.max())),
            learner=learner_of(self.policy),
            n_agents=network.n_agents,
            n_actions=n_actions,
            horizon=horizon,
            rewards=rewards,
        )

    def init(self, placement: CentralPlacement, world: World) -> MessageState:  # noqa: ARG002 (the protocol's)
        """Return leaders that know nothing."""
        team = new_team(self.policy, len(placement.thinkers), placement.n_actions, placement.rewards)
        return MessageState(team, new_said(placement.n_agents, placement.farthest, placement.horizon))

    def run(
        self, placement: CentralPlacement, state: MessageState, world: World, rng: np.random.Generator, record: Record
    ) -> None:
        """Play all rounds."""
        said = state.said
        for t in range(1, placement.horizon + 1):
            row = t % len(said.actions)
            for agent in range(placement.n_agents):
                delay = int(placement.delay[agent])
                if t <= delay:
                    said.actions[row, agent] = warm_up(world.tape, agent, t, placement.n_actions)
                elif delay > 0:
                    said.actions[row, agent] = said.actions[(t - delay) % len(said.actions), placement.leader_of[agent]]
            for i in range(len(placement.thinkers)):
                if t <= placement.until[i]:
                    mine = member(state.team, i)
                    hear(placement.learner, mine, placement.around, i, said, t, rng)
                    placement.learner.begin(mine, t)
                    action = self.policy.select(mine, rng)
                    if not 0 <= action < placement.n_actions:
                        record.refuse(t, action)
                        return
                    said.actions[row, placement.thinkers[i]] = action
            if play_all(said, world, t, record):
                return


def life_of(group: CMPUCB, network: Network) -> int:
    """Return γ on a network."""
    if group.gamma is not None and group.leaders is not None:
        raise SpecError(f"CMPUCB: gamma is {group.gamma} and leaders is {group.leaders}; one of the two is accepted")
    if group.gamma is not None:
        return whole_number("CMPUCB: gamma", group.gamma, 0)
    return gamma_for_leaders(network, 1 if group.leaders is None else group.leaders)


def _of(around: Balls, agents: Integers) -> Balls:
    """Return the balls of some agents, in their order."""
    parts = [np.arange(around.offsets[agent], around.offsets[agent + 1]) for agent in agents]
    places = np.concatenate(parts)
    offsets = np.concatenate(([0], np.cumsum([len(part) for part in parts])))
    return Balls(offsets, around.agents[places], around.hops[places])


def _followed(around: Balls, leaders: Integers, degrees: Integers | None) -> tuple[Integers, Integers]:
    """Return whom each agent follows and how far away that is; by degrees if these are given, else by distance."""
    n_agents = len(around.offsets) - 1
    leads = np.zeros(n_agents, np.bool_)
    leads[leaders] = True
    leader_of, delay = np.zeros(n_agents, np.int64), np.zeros(n_agents, np.int64)
    for agent in range(n_agents):
        ball = slice(around.offsets[agent], around.offsets[agent + 1])
        candidates = np.flatnonzero(leads[around.agents[ball]]) + around.offsets[agent]
        names, hops = around.agents[candidates], around.hops[candidates]
        best = np.lexsort((names, hops if degrees is None else -degrees[names]))[0]
        leader_of[agent], delay[agent] = names[best], hops[best]
    return leader_of, delay
