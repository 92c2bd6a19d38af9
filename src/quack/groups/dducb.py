"""DDUCB: decentralised delayed UCB. Counts and sums of a stage are mixed during the next stage, and used in the one after."""

import math
import warnings
from typing import NamedTuple

import numpy as np

from quack.errors import QuackWarning, SpecError
from quack.groups.base import Record, World, collect, count
from quack.groups.estimates import (
    Choice,
    Estimates,
    above_one,
    begin,
    choose,
    close_all,
    interleaved,
    learn,
    new_choice,
    new_estimates,
    side_by_side,
)
from quack.kernels import Floats, Integers, kernel
from quack.networks import Network
from quack.networks.gossip import (
    Gossip,
    GossipKind,
    chebyshev,
    check_mixing,
    gossip_matrix,
    mix,
    mixing_polynomial,
    second_eigenvalue,
    steps_to_mix,
    whole,
)
from quack.policies.base import check_sizes, positive

__all__ = ["DDUCB", "DDUCBPlacement", "DDUCBState"]


class DDUCBPlacement(NamedTuple):
    """The network as DDUCB sees it."""

    gossip: Gossip
    steps: Floats  # (stage length, 2): y ← a P y − b (y of the step before)
    first_share: float  # what one play counts for in the first stage
    n_agents: int
    n_actions: int
    horizon: int
    local_updates: bool
    published: bool  # whether to play as the published code does
    rounds: int  # so many are interleaved
    reach: int  # each so many agents behind the one before


class DDUCBState(NamedTuple):
    """Some runs side by side."""

    mixing: Estimates  # β, what is being mixed: after r steps, in copy r % 2
    gathered: Estimates  # γ, what is seen in this stage
    finished: Estimates  # δ, the sum of what has been mixed
    used: Estimates  # α, what indices are made of
    playing: Integers  # (agents, runs): the action of this stage
    choice: Choice
    counted: Integers  # (rounds, actions · runs): plays in each of the interleaved rounds
    row: Floats  # room for one agent's estimates


class DDUCB(NamedTuple):
    """Agents mix what they saw in one stage during the next, by accelerated gossip, and act on it in the one after.

    ::

        first each agent plays every action once; then stages of C rounds follow. In each, agent v plays
            argmax_a  α^sum_a/α^count_a + σ √( 2η log s / (m α^count_a) )
        adds what it sees to γ, and does one step of gossip on β a round. At the end of a stage after round t
            s = (t − C) m,    δ ← δ + β,    α ← δ,    β ← γ,    γ ← 0

    α, β, γ, δ hold a sum and a count per action. At first β = (X, 1) and α = (X, 1)/m for the first rewards X, s = k, γ = δ = 0.

    Parameters
    ----------
    eta : float, default 2.0
        η > 1: how much the confidence intervals are stretched.
    epsilon : float, default 1/22
        How far from the mean the mixed counts may be, in (0, 1): it sets the length of a stage, C. The guarantee holds below
        (η − 1)/(7 (η + 1)); a warning says so above.
    sigma : float, default 1.0
        Subgaussian parameter of the rewards, > 0; ½ is enough for rewards in [0, 1].
    accelerated : bool, default True
        Whether gossip follows Chebyshev's polynomials: C = ⌈log(2m/ε)/√(2 log(1/λ))⌉, else C = ⌈log(m/ε)/log(1/λ)⌉.
    local_updates : bool, default False
        Whether an agent chooses anew in every round of a stage, adds its own plays to α at once, each as 1/m of a play, and m
        to s.
    matrix : {"paper", "metropolis", "max-degree", "best-constant", "as-published"}, default "paper"
        P, see `quack.networks.gossip_matrix`; λ is its largest absolute eigenvalue but the first.
    as_published : bool, default False
        Play as the authors' code does, in order to repeat old figures. That code

        * always makes local updates, with 1 more in s after each single play;
        * applies the whole polynomial of degree C in each of the C rounds: C² steps a stage instead of C;
        * keeps α and δ in the same memory, so that an agent's own plays stay in its α for good, and count again when mixed;
        * not accelerated, keeps all sums in β instead, in the same memory as α for a round: own plays of the last stage count in
          α as whole plays, and those of a stage's first round are mixed twice;
        * begins with α = (X, 1)/k;
        * takes for λ the absolute value of the second eigenvalue, not the largest absolute one;
        * does not count the m·k plays with which it begins;
        * has the matrix "as-published" on networks whose degrees differ.

        All of this is repeated here. Three things are not: it plays T − k + 1 rounds where ours plays all of the horizon; its
        regret is that of the rewards seen, ours that of the gaps; and the stages of a third, or of the accelerated length without
        acceleration, that it also tries.

    Notes
    -----
    In every round an agent sends two numbers per action to each neighbour.

    Guarantee: group regret ≤ Σ_a 16 η (1 + ε/2) σ² log(mn)/Δ_a + (C_G + m + 4) Σ_a Δ_a with C_G = 6mC.

    References
    ----------
    D. Martínez-Rubio, V. Kanade, P. Rebeschini (2019). "Decentralized cooperative stochastic bandits." NeurIPS, Algorithm 1 and
    Theorem 3.2.

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"DDUCB": quack.DDUCB(sigma=0.5)},
    ...     environment=quack.Bernoulli([0.6, 0.4]), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["DDUCB"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    eta: float = 2.0
    epsilon: float = 1 / 22
    sigma: float = 1.0
    accelerated: bool = True
    local_updates: bool = False
    matrix: GossipKind = "paper"
    as_published: bool = False

    def place(self, network: Network, n_actions: int, horizon: int) -> DDUCBPlacement:
        """Check the parameters; make the matrix and the steps of a stage."""
        check_sizes(n_actions, horizon)
        above_one("DDUCB", "eta", self.eta)
        positive("DDUCB", "sigma", self.sigma)
        if not 0.0 < self.epsilon < 1.0:
            raise SpecError(f"DDUCB: epsilon is {self.epsilon}; a number between 0 and 1 is accepted")
        most = (self.eta - 1.0) / (7.0 * (self.eta + 1.0))
        if self.epsilon >= most:
            warnings.warn(
                f"DDUCB: epsilon is {self.epsilon:g}; with eta = {self.eta:g} its guarantee holds below {most:.6g}",
                QuackWarning,
                stacklevel=2,
            )
        gossip = gossip_matrix(network, "as-published" if self.as_published else self.matrix)
        pace = abs(second_eigenvalue(gossip, absolute=not self.as_published))
        check_mixing(gossip, pace)
        length = steps_to_mix(pace, network.n_agents, self.epsilon, accelerated=self.accelerated)
        steps = chebyshev(pace, length) if self.accelerated else np.tile((1.0, 0.0), (length, 1))
        first_share, rounds = 1.0 / network.n_agents, interleaved(network)
        if self.as_published:
            gossip = whole(mixing_polynomial(gossip, steps))
            steps = np.tile((1.0, 0.0), (length, 1))
            first_share, rounds = 1.0 / n_actions, (1, network.n_agents)
        sizes, local_updates = (network.n_agents, n_actions, horizon), self.local_updates or self.as_published
        return DDUCBPlacement(gossip, steps, first_share, *sizes, local_updates, self.as_published, *rounds)

    def together(self, placement: DDUCBPlacement) -> int:
        """Return how many runs are played side by side."""
        return side_by_side(placement.n_agents, placement.n_actions, 5)

    def init(self, placement: DDUCBPlacement, world: World) -> DDUCBState:
        """Return agents that know nothing."""
        sizes = placement.n_agents, placement.n_actions, world.runs
        return DDUCBState(
            mixing=new_estimates(2, *sizes),
            gathered=new_estimates(1, *sizes),
            finished=new_estimates(1, *sizes),
            used=new_estimates(1, *sizes),
            playing=np.zeros((placement.n_agents, world.runs), np.int64),
            choice=new_choice(world.runs),
            counted=np.zeros((placement.rounds, placement.n_actions * world.runs), np.int64),
            row=np.zeros(2 * placement.n_actions * world.runs),
        )

    def run(self, placement: DDUCBPlacement, state: DDUCBState, world: World, rng: np.random.Generator, record: Record) -> None:  # noqa: ARG002
        """Play all rounds, stage by stage."""
        length = len(placement.steps)
        t = begin(placement, state.mixing.table[0], state.choice, world, record, placement.published)
        share(state.mixing.rows[0], placement.first_share, state.used.rows[0])
        plays = float(placement.n_actions)  # s
        finished = placement.n_actions  # rounds of the clock at the end of the stage before
        while t <= placement.horizon:
            step = 0
            while step < length and t <= placement.horizon:
                rounds = min(placement.rounds, placement.horizon - t + 1, length - step)
                for wave in range(placement.n_agents + (rounds - 1) * placement.reach):
                    for j in range(rounds):
                        agent = wave - j * placement.reach
                        if 0 <= agent < placement.n_agents:
                            self.play(placement, state, world, t + j, agent, step + j, plays, state.counted[j])
                            if not placement.published:
                                gossip_once(placement, state, agent, step + j)
                if placement.published:  # its agents change what is mixed while they play
                    for agent in range(placement.n_agents):
                        gossip_once(placement, state, agent, step)
                if close_all(record, t, state.counted, rounds, placement.n_agents * world.runs):
                    return
                t += rounds
                step += rounds
            if t > placement.horizon:
                return
            plays = float(finished * placement.n_agents)
            finished += length
            self.end_stage(placement, state, length)

    def play(
        self,
        placement: DDUCBPlacement,
        state: DDUCBState,
        world: World,
        t: int,
        agent: int,
        step: int,
        plays: float,
        counted: Integers,
    ) -> None:
        """Play one agent's round: choose, in the first round of a stage or always; see, remember."""
        choice = state.choice
        if step == 0 or placement.local_updates:
            if placement.local_updates:
                plays += step * placement.n_agents + (agent if placement.published else 0)
            width = 2.0 * self.eta * self.sigma * self.sigma * math.log(plays) / placement.n_agents
            choose(state.used.table[0, agent], width, 0.0, choice)
            for i in range(len(choice.actions)):
                state.playing[agent, i] = choice.actions[i]
        else:
            for i in range(len(choice.actions)):
                choice.actions[i] = state.playing[agent, i]
        collect(world, agent, t, choice.actions, choice.rewards)
        count(choice.actions, counted)
        learn(state.gathered.table[0, agent], choice, 1.0)
        if placement.local_updates:
            learn(state.used.table[0, agent], choice, 1.0 / placement.n_agents)
            if placement.published and t > len(placement.steps):  # α shares its memory
                if self.accelerated:
                    learn(state.finished.table[0, agent], choice, 1.0 / placement.n_agents)
                elif step == 0:
                    learn(state.mixing.table[0, agent], choice, 1.0 / placement.n_agents)

    def end_stage(self, placement: DDUCBPlacement, state: DDUCBState, length: int) -> None:
        """Use what is mixed, mix what was gathered, and gather anew."""
        mixed, finished, used = state.mixing.rows[length % 2], state.finished.rows[0], state.used.rows[0]
        gathered, mixing = state.gathered.rows[0], state.mixing.rows[0]
        for agent in range(len(mixed)):
            for i in range(mixed.shape[1]):
                if placement.published and not self.accelerated:
                    used[agent, i] = mixed[agent, i] + gathered[agent, i]
                    mixing[agent, i] = used[agent, i]
                else:
                    finished[agent, i] += mixed[agent, i]
                    used[agent, i] = finished[agent, i]
                    mixing[agent, i] = gathered[agent, i]
                gathered[agent, i] = 0.0


@kernel
def gossip_once(placement: DDUCBPlacement, state: DDUCBState, agent: int, step: int) -> None:
    """Let one agent take one step of gossip."""
    mix(placement.gossip, agent, state.mixing.rows[step % 2], state.row)
    a, b = placement.steps[step, 0], placement.steps[step, 1]
    out = state.mixing.rows[(step + 1) % 2, agent]
    for i in range(len(out)):
        out[i] = a * state.row[i] - b * out[i]


@kernel
def share(rows: Floats, part: float, out: Floats) -> None:
    """Write a part of everything that is held."""
    for agent in range(len(rows)):
        for i in range(rows.shape[1]):
            out[agent, i] = part * rows[agent, i]
