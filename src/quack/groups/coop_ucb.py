"""Coop-UCB: every agent is optimistic about running averages of the whole network."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from quack.errors import SpecError
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
from quack.networks.gossip import Gossip, GossipKind, averaging_matrix, centrality, mix
from quack.policies.base import check_sizes, positive

__all__ = ["CoopPlacement", "CoopState", "CoopUCB", "new_state", "play"]


class CoopPlacement(NamedTuple):
    """The network as coop-UCB sees it."""

    gossip: Gossip
    extra: Floats  # ε_c of each agent
    n_agents: int
    n_actions: int
    horizon: int
    published: bool  # whether to play as the published code does
    rounds: int  # so many are interleaved
    reach: int  # each so many agents behind the one before


class CoopState(NamedTuple):
    """Some runs side by side."""

    held: Estimates  # ŝ and n̂ with the plays of round t, at t % 2
    choice: Choice
    counted: Integers  # (rounds, actions · runs): plays in each of the interleaved rounds
    width: Floats  # of interleaved rounds: the square of the bonus where n̂ + ε_c = n̂² …
    more: Floats  # … and what is added to ε_c


class _Fields(NamedTuple):
    gamma: float
    sigma: float
    epsilon_c: Any
    matrix: GossipKind
    as_published: bool


class CoopUCB(_Fields):
    """Every agent plays the action with the largest optimistic estimate, from counts and sums that all average by gossip.

    ::

        first each agent plays every action once; then in round t
        agent v plays   argmax_a  ŝ_a/n̂_a + σ √( 2γ · (n̂_a + ε_c^v)/(m n̂_a) · log t / n̂_a )
        everybody       ŝ ← P (ŝ + r),   n̂ ← P (n̂ + ξ)

    r and ξ are an agent's reward and 1 at the action that it played, and 0 elsewhere; m n̂_a is about the number of plays of a by
    all agents, and ŝ_a/n̂_a the mean of their rewards.

    Parameters
    ----------
    gamma : float, default 1.01
        γ > 1: how much the confidence intervals are stretched. The default is the paper's.
    sigma : float, default 1.0
        Subgaussian parameter of the rewards, > 0; ½ is enough for rewards in [0, 1].
    epsilon_c : float or sequence of float, optional
        ε_c^v ≥ 0: how much less an agent knows than the mean, for all agents or one number each. By default it is computed from
        the network: m Σ_{p≥2} λ_p²/(1 − λ_p²) (u_p^v)² for the eigenvalues λ_p and orthonormal eigenvectors u_p of P. 0 is for
        agents that do not know their network.
    matrix : {"paper", "metropolis", "max-degree", "best-constant", "as-published"}, default "paper"
        P, see `quack.networks.gossip_matrix`.
    as_published : bool, default False
        Play as the code does that was published with DDUCB, in order to repeat old figures. That code

        * gossips inside its loop over the agents: everybody averages after each single play, m times a round, and agents play
          one after the other and know what those before them saw;
        * takes the rows of the matrix of eigenvectors for its columns, and does not sort them with the eigenvalues, so that its
          ε_c^v = m Σ_{p≥2} Σ_j |λ_p λ_j| / (1 − |λ_p λ_j|) · |⟨u_p, u_j⟩ u_p^v u_j^v| is another;
        * does not count the m·k plays with which it begins, and counts rounds from 1 after them;
        * has the matrix "as-published" on networks whose degrees differ.

        All four are repeated here. Its regret is that of the rewards seen, ours that of the gaps.

    Notes
    -----
    In every round an agent sends two numbers per action to each neighbour.

    Deviation: ε_c has the form above, because the original one (one-sided sums over pairs of eigenvectors) changes with the
    basis that is chosen where eigenvalues coincide: 57 to 76 on a cycle of 16, whose agents are all alike.

    References
    ----------
    P. Landgren, V. Srivastava, N. E. Leonard (2016). "Distributed cooperative decision-making in multiarmed bandits: frequentist
    and Bayesian algorithms." CDC, Section IV.

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"coop-UCB": quack.CoopUCB(sigma=0.5)},
    ...     environment=quack.Bernoulli([0.6, 0.4]), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["coop-UCB"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    __slots__ = ()

    def __new__(
        cls,
        gamma: float = 1.01,
        sigma: float = 1.0,
        epsilon_c: float | Sequence[float] | Floats | None = None,
        matrix: GossipKind = "paper",
        as_published: bool = False,
    ) -> Self:
        """Make an array of a list of numbers: the compiler knows no lists."""
        given = epsilon_c if epsilon_c is None else _as_numbers(epsilon_c)
        return super().__new__(cls, gamma, sigma, given, matrix, as_published)

    def place(self, network: Network, n_actions: int, horizon: int) -> CoopPlacement:
        """Check the parameters; make the matrix, and ε_c of each agent."""
        check_sizes(n_actions, horizon)
        above_one("CoopUCB", "gamma", self.gamma)
        positive("CoopUCB", "sigma", self.sigma)
        gossip = averaging_matrix("CoopUCB", network, "as-published" if self.as_published else self.matrix)
        if self.epsilon_c is not None:
            extra = _given(self.epsilon_c, network.n_agents)
        else:
            extra = _published_centrality(gossip) if self.as_published else centrality(gossip)
        sizes = network.n_agents, n_actions, horizon
        return CoopPlacement(gossip, extra, *sizes, self.as_published, *interleaved(network))

    def together(self, placement: CoopPlacement) -> int:
        """Return how many runs are played side by side."""
        return side_by_side(placement.n_agents, placement.n_actions, 2)

    def init(self, placement: CoopPlacement, world: World) -> CoopState:
        """Return agents that know nothing."""
        return new_state(placement, world)

    def run(self, placement: CoopPlacement, state: CoopState, world: World, rng: np.random.Generator, record: Record) -> None:  # noqa: ARG002
        """Play all rounds."""
        stretch = 2.0 * self.gamma * self.sigma * self.sigma / placement.n_agents
        if placement.published:
            play_in_turn(placement, state, world, stretch, record)
        else:
            play(placement, state, world, stretch, 0.0, record)


def new_state(placement: CoopPlacement, world: World) -> CoopState:
    """Return agents that know nothing."""
    held = new_estimates(2, placement.n_agents, placement.n_actions, world.runs)
    counted = np.zeros((placement.rounds, placement.n_actions * world.runs), np.int64)
    return CoopState(held, new_choice(world.runs), counted, np.zeros(placement.rounds), np.zeros(placement.rounds))


@kernel
def play(placement: CoopPlacement, state: CoopState, world: World, stretch: float, pace: float, record: Record) -> None:
    """Play all rounds: everybody averages what was held before, chooses, and adds what it sees.

    The index has `stretch` · log t where its formula has 2γσ²/m log t, and ε_c + `pace` · √(log(t − 1)) where it has ε_c. In the
    first round after the beginning there is nothing to average yet: everybody chooses by its own first plays.
    """
    begun = placement.n_actions + 1
    t = begin(placement, state.held.table[begun % 2], state.choice, world, record, False)
    while t <= placement.horizon:
        rounds = min(placement.rounds, placement.horizon - t + 1)
        for j in range(rounds):
            state.width[j] = stretch * math.log(t + j)
            state.more[j] = pace * math.sqrt(math.log(max(t + j - 1, 1)))
        for step in range(placement.n_agents + (rounds - 1) * placement.reach):
            for j in range(rounds):
                agent = step - j * placement.reach
                if 0 <= agent < placement.n_agents:
                    play_one(
                        placement, state, world, t + j, agent, state.width[j], state.more[j], t + j > begun, state.counted[j]
                    )
        if close_all(record, t, state.counted, rounds, placement.n_agents * world.runs):
            return
        t += rounds


@kernel
def play_one(
    placement: CoopPlacement,
    state: CoopState,
    world: World,
    t: int,
    agent: int,
    width: float,
    more: float,
    averages: bool,
    plays: Integers,
) -> None:
    """Play one agent's round."""
    held, choice = state.held, state.choice
    table = held.table[t % 2, agent]
    if averages:
        mix(placement.gossip, agent, held.rows[(t - 1) % 2], held.rows[t % 2, agent])
    choose(table, width, placement.extra[agent] + more, choice)
    collect(world, agent, t, choice.actions, choice.rewards)
    count(choice.actions, plays)
    learn(table, choice, 1.0)


@kernel
def play_in_turn(placement: CoopPlacement, state: CoopState, world: World, stretch: float, record: Record) -> None:
    """Play all rounds as the published code does: one agent after the other, and everybody averages after each play."""
    held, choice = state.held, state.choice
    begin(placement, held.table[0], choice, world, record, True)
    now = 0
    for t in range(1, placement.horizon + 1):
        for agent in range(placement.n_agents):
            choose(held.table[now, agent], stretch * math.log(t), placement.extra[agent], choice)
            collect(world, agent, t, choice.actions, choice.rewards)
            count(choice.actions, record.plays)
            learn(held.table[now, agent], choice, 1.0)
            for everybody in range(placement.n_agents):
                mix(placement.gossip, everybody, held.rows[now], held.rows[1 - now, everybody])
            now = 1 - now
        if record.close(t, placement.n_agents * world.runs):
            return


def _as_numbers(epsilon_c: Any) -> Any:
    """Return a number, or an array of numbers, or what was given if it is neither."""
    try:
        numbers = np.array(epsilon_c, np.float64)
    except (TypeError, ValueError):
        return epsilon_c
    numbers.setflags(write=False)
    return numbers if numbers.ndim else float(numbers)


def _given(epsilon_c: Any, n_agents: int) -> Floats:
    """Return the ε_c that somebody gave, one number each."""
    if not isinstance(epsilon_c, float | np.ndarray) or np.shape(epsilon_c) not in ((), (n_agents,)):
        raise SpecError(f"CoopUCB: epsilon_c is {epsilon_c!r}; one number, or one for each of {n_agents} agents, is accepted")
    extra = np.asarray(epsilon_c)
    if not (np.isfinite(extra) & (extra >= 0)).all():
        raise SpecError(f"CoopUCB: epsilon_c is {epsilon_c!r}; finite numbers of at least 0 are accepted")
    return np.broadcast_to(extra, (n_agents,)).copy()


def _published_centrality(gossip: Gossip) -> Floats:
    """Return ε_c as the published code computes it: the formula stands at `as_published`."""
    values, vectors = np.linalg.eig(gossip.to_scipy().toarray())
    values, rows = np.sort(values.real)[::-1], vectors.real
    paces = abs(np.outer(values[1:], values))
    shares = paces / (1.0 - paces) * abs(rows[1:] @ rows.T)
    extra: Floats = len(values) * (abs(rows[1:]) * (shares @ abs(rows))).sum(axis=0)
    return extra
