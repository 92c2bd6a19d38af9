"""Dec-TS: every agent samples what it believes of each action, and all beliefs average by gossip."""

import math
from typing import Any, NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.groups.base import Record, World, collect, count
from quack.groups.estimates import Choice, Estimates, close_all, interleaved, new_choice, new_estimates, on_lines, side_by_side
from quack.kernels import Floats, Integers, kernel
from quack.networks import Network
from quack.networks.gossip import Gossip, GossipKind, averaging_matrix, mix
from quack.policies.base import check_sizes, positive
from quack.sampling import Rooms, beta_odds_row, new_rooms, standard_normal_row
from quack.tape import DRAW

__all__ = ["DecTS", "DecTSPlacement", "DecTSState", "GaussianDecTS"]


class DecTSPlacement(NamedTuple):
    """The network as Dec-TS sees it, and what its agents believe at first."""

    gossip: Gossip
    weight: float  # how much a reward counts for: η, over σ² where beliefs are Gaussian
    prior: tuple[float, float]  # the two numbers that are a belief
    n_agents: int
    n_actions: int
    horizon: int
    rounds: int  # so many are interleaved
    reach: int  # each so many agents behind the one before


class DecTSState(NamedTuple):
    """Some runs side by side."""

    held: Estimates  # beliefs with the rewards of round t, at t % 2
    choice: Choice
    counted: Integers  # (rounds, actions · runs): plays in each of the interleaved rounds
    rooms: Rooms
    one: Floats  # room for the draws of one action
    other: Floats


class DecTS(NamedTuple):
    """Every agent does Thompson sampling with Beta beliefs, and the parameters of all beliefs average by gossip.

    ::

        at first α = β = 1; in every round agent v draws θ_a ~ Beta(α_a, β_a),  plays argmax_a θ_a,  sees x, and
            α_a ← α_a + η x,   β_a ← β_a + η (1 − x)   for the action a that it played
        then everybody   α ← P α,   β ← P β

    Parameters
    ----------
    eta : float, optional
        η > 0: how much an agent's own reward counts for. By default m, so that averaged beliefs are those of an agent who sees
        every reward once.
    matrix : {"paper", "metropolis", "max-degree", "best-constant", "as-published"}, default "paper"
        P, see `quack.networks.gossip_matrix`.
    as_published : bool, default False
        Play as the authors' code does, in order to repeat old figures. It differs in its matrix on networks whose degrees differ,
        "as-published", whose rows do not sum to 1: beliefs are not averaged, but drift towards those of agents with many
        neighbours. (Their figures show the regret of the rewards seen, divided by m; ours is that of the gaps.)

    Notes
    -----
    In every round an agent sends two numbers per action to each neighbour. To average the parameters of Beta densities is to
    average the logarithms of the densities.

    Deviation: a reward x between 0 and 1 adds η x to α and η (1 − x) to β, because averaged parameters are no integers anyway;
    the authors' code has the same formulas, but only ever sees rewards of 0 and 1.

    References
    ----------
    A. Lalitha, A. Goldsmith (2021). "Bayesian algorithms for decentralized stochastic bandits." IEEE J. Selected Areas in
    Information Theory 2(2), Algorithm 1 (arXiv 2010.10569).

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"Dec-TS": quack.DecTS()},
    ...     environment=quack.Bernoulli([0.6, 0.4]), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["Dec-TS"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    eta: float | None = None
    matrix: GossipKind = "paper"
    as_published: bool = False

    @property
    def rewards_within(self) -> tuple[float, float]:
        """Rewards must lie between 0 and 1."""
        return 0.0, 1.0

    def place(self, network: Network, n_actions: int, horizon: int) -> DecTSPlacement:
        """Check the parameters and make the matrix."""
        weight = _eta("DecTS", self.eta, network)
        return _place("DecTS", self, weight, (1.0, 1.0), network, n_actions, horizon)

    def together(self, placement: DecTSPlacement) -> int:
        """Return how many runs are played side by side."""
        return side_by_side(placement.n_agents, placement.n_actions, 2)

    def init(self, placement: DecTSPlacement, world: World) -> DecTSState:
        """Return agents that believe the prior."""
        return _new_state(placement, world)

    def run(self, placement: DecTSPlacement, state: DecTSState, world: World, rng: np.random.Generator, record: Record) -> None:  # noqa: ARG002
        """Play all rounds."""
        play(self, placement, state, world, record)

    def choose(self, state: DecTSState, beliefs: Floats, world: World, first: int, t: int) -> None:
        """Draw a mean for each action, and write the action with the largest in each run.

        G/(G + H) is larger than another's if G times the other's H is larger than H times the other's G.
        """
        choice, one, other = state.choice, state.one, state.other
        for action in range(beliefs.shape[1]):
            beta_odds_row(beliefs[0, action], beliefs[1, action], world.tape, DRAW, first + action, t, state.rooms, one, other)
            for i in range(len(one)):
                better = action == 0 or one[i] * choice.denominator[i] > choice.numerator[i] * other[i]
                choice.numerator[i] = one[i] if better else choice.numerator[i]
                choice.denominator[i] = other[i] if better else choice.denominator[i]
                choice.actions[i] = action if better else choice.actions[i]

    def learn(self, choice: Choice, beliefs: Floats, weight: float) -> None:
        """Add successes and failures."""
        for i in range(len(choice.actions)):
            action = choice.actions[i]
            beliefs[0, action, i] += weight * choice.rewards[i]
            beliefs[1, action, i] += weight * (1.0 - choice.rewards[i])


class GaussianDecTS(NamedTuple):
    """Dec-TS with Gaussian beliefs, for rewards of known variance: precisions and precision-weighted means average by gossip.

    ::

        at first τ = 1/σ₀², ρ = μ₀/σ₀²; in every round agent v draws θ_a ~ N(ρ_a/τ_a, 1/τ_a),  plays argmax_a θ_a,  sees x, and
            τ_a ← τ_a + η/σ²,   ρ_a ← ρ_a + η x/σ²   for the action a that it played
        then everybody   τ ← P τ,   ρ ← P ρ

    Parameters
    ----------
    eta : float, optional
        η > 0: how much an agent's own reward counts for; by default m.
    sigma : float, default 1.0
        Standard deviation σ of the rewards, > 0.
    prior_mean, prior_sigma : float, default 0.0 and 1.0
        The prior N(μ₀, σ₀²) of each mean, σ₀ > 0; the default is that of the authors' code.
    matrix : {"paper", "metropolis", "max-degree", "best-constant", "as-published"}, default "paper"
        P, see `quack.networks.gossip_matrix`.
    as_published : bool, default False
        Play with the matrix of the authors' code, see `DecTS`.

    Notes
    -----
    In every round an agent sends two numbers per action to each neighbour.

    References
    ----------
    A. Lalitha, A. Goldsmith (2021). "Bayesian algorithms for decentralized stochastic bandits." IEEE J. Selected Areas in
    Information Theory 2(2), Algorithm 1 (arXiv 2010.10569).

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"Dec-TS": quack.GaussianDecTS(sigma=0.5)},
    ...     environment=quack.Gaussian([0.6, 0.4], sigma=0.5), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["Dec-TS"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    eta: float | None = None
    sigma: float = 1.0
    prior_mean: float = 0.0
    prior_sigma: float = 1.0
    matrix: GossipKind = "paper"
    as_published: bool = False

    def place(self, network: Network, n_actions: int, horizon: int) -> DecTSPlacement:
        """Check the parameters and make the matrix."""
        sigma = positive("GaussianDecTS", "sigma", self.sigma)
        precision = positive("GaussianDecTS", "prior_sigma", self.prior_sigma) ** -2.0
        if not math.isfinite(self.prior_mean):
            raise SpecError(f"GaussianDecTS: prior_mean is {self.prior_mean}; a finite number is accepted")
        weight = _eta("GaussianDecTS", self.eta, network) / (sigma * sigma)
        prior = precision, precision * self.prior_mean
        return _place("GaussianDecTS", self, weight, prior, network, n_actions, horizon)

    def together(self, placement: DecTSPlacement) -> int:
        """Return how many runs are played side by side."""
        return side_by_side(placement.n_agents, placement.n_actions, 2)

    def init(self, placement: DecTSPlacement, world: World) -> DecTSState:
        """Return agents that believe the prior."""
        return _new_state(placement, world)

    def run(self, placement: DecTSPlacement, state: DecTSState, world: World, rng: np.random.Generator, record: Record) -> None:  # noqa: ARG002
        """Play all rounds."""
        play(self, placement, state, world, record)

    def choose(self, state: DecTSState, beliefs: Floats, world: World, first: int, t: int) -> None:
        """Draw a mean for each action, and write the action with the largest in each run."""
        choice, drawn = state.choice, state.one
        for action in range(beliefs.shape[1]):
            standard_normal_row(world.tape, DRAW, first + action, t, state.rooms, drawn)
            for i in range(len(drawn)):
                precision = beliefs[0, action, i]
                theta = beliefs[1, action, i] / precision + drawn[i] / math.sqrt(precision)
                better = action == 0 or theta > choice.numerator[i]
                choice.numerator[i] = theta if better else choice.numerator[i]
                choice.actions[i] = action if better else choice.actions[i]

    def learn(self, choice: Choice, beliefs: Floats, weight: float) -> None:
        """Add an observation."""
        for i in range(len(choice.actions)):
            action = choice.actions[i]
            beliefs[0, action, i] += weight
            beliefs[1, action, i] += weight * choice.rewards[i]


def _eta(owner: str, eta: float | None, network: Network) -> float:
    """Return η."""
    return float(network.n_agents) if eta is None else positive(owner, "eta", eta)


def _place(
    owner: str,
    group: DecTS | GaussianDecTS,
    weight: float,
    prior: tuple[float, float],
    network: Network,
    n_actions: int,
    horizon: int,
) -> DecTSPlacement:
    check_sizes(n_actions, horizon)
    gossip = averaging_matrix(owner, network, "as-published" if group.as_published else group.matrix)
    return DecTSPlacement(gossip, weight, prior, network.n_agents, n_actions, horizon, *interleaved(network))


def _new_state(placement: DecTSPlacement, world: World) -> DecTSState:
    held = new_estimates(2, placement.n_agents, placement.n_actions, world.runs)
    held.table[:, :, 0], held.table[:, :, 1] = placement.prior
    counted = np.zeros((placement.rounds, placement.n_actions * world.runs), np.int64)
    return DecTSState(held, new_choice(world.runs), counted, new_rooms(world.runs), *on_lines(2, world.runs))


@kernel
def play(group: Any, placement: DecTSPlacement, state: DecTSState, world: World, record: Record) -> None:
    """Play all rounds: everybody averages what was believed before, draws, plays, and adds what it sees."""
    t = 1
    while t <= placement.horizon:
        rounds = min(placement.rounds, placement.horizon - t + 1)
        for step in range(placement.n_agents + (rounds - 1) * placement.reach):
            for j in range(rounds):
                agent = step - j * placement.reach
                if 0 <= agent < placement.n_agents:
                    play_one(group, placement, state, world, t + j, agent, state.counted[j])
        if close_all(record, t, state.counted, rounds, placement.n_agents * world.runs):
            return
        t += rounds


@kernel
def play_one(group: Any, placement: DecTSPlacement, state: DecTSState, world: World, t: int, agent: int, plays: Integers) -> None:
    """Play one agent's round."""
    held, choice = state.held, state.choice
    beliefs = held.table[t % 2, agent]
    if t > 1:
        mix(placement.gossip, agent, held.rows[(t - 1) % 2], held.rows[t % 2, agent])
    group.choose(state, beliefs, world, agent * placement.n_actions, t)
    collect(world, agent, t, choice.actions, choice.rewards)
    count(choice.actions, plays)
    group.learn(choice, beliefs, placement.weight)
