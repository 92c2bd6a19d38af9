"""The symbols of the bounds: what they ask of a network, an environment and the game."""

import math
from typing import Any

import numpy as np

from quack.environments import Gaussian
from quack.environments.base import Environment
from quack.errors import SpecError
from quack.extras import require
from quack.kernels import Floats
from quack.networks import Network, distances, gossip_matrix, leader, second_eigenvalue
from quack.networks.gossip import GossipKind, check_mixing, steps_to_mix
from quack.networks.graphs import whole_number

__all__ = [
    "check_horizon",
    "diameter",
    "gossip_constant",
    "heavy_tail",
    "moment",
    "positive_gaps",
    "price_of_distance",
    "subgaussian",
    "worst_total_distance",
]

_MOST_ROUNDS = 2**44
_MARGIN = 1.05  # how far an order stays below the first moment that does not exist, as in Dubey and Pentland's program
_RING = 2  # neighbours of everybody on a cycle


def diameter(network: Network) -> int:
    """Return D, the largest distance of two agents.

    Examples
    --------
    >>> from quack.networks import grid
    >>> diameter(grid(14, 14))
    26
    """
    if (network.degrees == network.n_agents - 1).all():
        return min(1, network.n_agents - 1)
    if (network.degrees == _RING).all():
        return network.n_agents // 2
    distance = require("networkit", "the diameter of a network").distance
    first, second = (np.ascontiguousarray(column) for column in network.edges().T)
    edges = (np.ones(len(first)), (first, second))
    graph = require("networkit", "the diameter of a network").GraphFromCoo(
        edges, n=network.n_agents, weighted=False, directed=False
    )
    search = distance.Diameter(graph, algo=distance.DiameterAlgo.EXACT)
    search.run()
    return int(search.getDiameter()[0])


def worst_total_distance(network: Network, *, as_printed: bool = False) -> int:
    """Return what the sum of distances Σ_w d_vw cannot exceed, whoever leads: D (m − 1).

    `as_printed` gives the m (D − 1) of the paper's Appendix C.

    Deviation: D (m − 1) also where the appendix says m (D − 1), because that is 0 on a complete graph, while Σd is m − 1.

    Examples
    --------
    >>> from quack.networks import complete
    >>> worst_total_distance(complete(5)), worst_total_distance(complete(5), as_printed=True)
    (4, 0)
    """
    m, most = network.n_agents, diameter(network)
    return m * (most - 1) if as_printed else most * (m - 1)


def price_of_distance(network: Network, environment: Environment, chosen: object = "median") -> float:
    """Return what Theorem 1 adds to the regret of the policy alone: 3 Σ_w d_vw Σ_a Δ_a.

    The sum is over actions. A duel is an action: over the ordered pairs of k arms, Σ Δ_(a,b) = k Σ_a Δ̃_a for the average regret.

    Examples
    --------
    >>> import quack
    >>> price_of_distance(quack.networks.star(16), quack.Bernoulli([0.5, 0.25]))
    11.25
    """
    total = int(distances(network, leader(network, chosen)).sum())
    return 3.0 * total * float(environment.gaps.sum())


def gossip_constant(
    network: Network,
    epsilon: float = 1 / 22,
    *,
    accelerated: bool = True,
    matrix: GossipKind = "paper",
    as_printed: bool = False,
) -> int:
    """Return C_G, what DDUCB's network costs it.

    ::

        C_G = 6 m C,    C = ⌈log(2m/ε) / √(2 log(1/λ))⌉, the length of a stage;    printed: ⌈6 m log(2m/ε) / √(2 log(1/λ))⌉

    Parameters
    ----------
    network
        Any network.
    epsilon
        ε of DDUCB.
    accelerated, matrix
        As in `quack.DDUCB`; they set C and λ.
    as_printed
        The form of the paper's Section 4.1.

    Notes
    -----
    Deviation: the ceiling is that of a stage's length, not one of the product, because a stage has a whole number of rounds.

    References
    ----------
    D. Martínez-Rubio, V. Kanade, P. Rebeschini (2019). "Decentralized cooperative stochastic bandits." NeurIPS, Theorem 3.2.

    Examples
    --------
    >>> from quack.networks import cycle
    >>> gossip_constant(cycle(16), as_printed=True), gossip_constant(cycle(16))
    (1951, 2016)
    """
    m = network.n_agents
    eigenvalue = mixing_eigenvalue(network, matrix)
    if not as_printed:
        return 6 * m * steps_to_mix(eigenvalue, m, epsilon, accelerated=accelerated)
    if eigenvalue <= 0.0:
        return 0
    return math.ceil(6 * m * math.log(2 * m / epsilon) / math.sqrt(2 * math.log(1 / eigenvalue)))


def mixing_eigenvalue(network: Network, matrix: GossipKind = "paper") -> float:
    """Return λ, the largest absolute eigenvalue of the gossip matrix but the first; refuse a matrix that never mixes."""
    gossip = gossip_matrix(network, matrix)
    eigenvalue = second_eigenvalue(gossip)
    check_mixing(gossip, eigenvalue)
    return eigenvalue


def positive_gaps(environment: Environment) -> Floats:
    """Return Δ_a of the actions that are not the best."""
    gaps = np.asarray(environment.gaps, np.float64)
    return gaps[gaps > 0]


def subgaussian(environment: Any) -> float:
    """Return a σ for which all rewards are σ-subgaussian: that of a normal law, or half of the width of an interval (Hoeffding).

    Examples
    --------
    >>> import quack
    >>> subgaussian(quack.Bernoulli([0.5, 0.4]))
    0.5
    """
    if getattr(environment, "distorts", False):
        raise SpecError(f"the rewards of {environment!r} do not differ by the gaps; theorems on mean rewards do not hold for it")
    if isinstance(environment, Gaussian):
        return environment.sigma
    low, high = environment.reward_range
    if not math.isfinite(high - low):
        raise SpecError(
            f"{environment!r} is not known to be subgaussian; an environment with bounded or normal rewards is accepted"
        )
    return float(high - low) / 2.0


def heavy_tail(environment: Any) -> float:
    """Return an ε in (0, 1] for which moments of order 1 + ε exist: 1, or 0.05 below the first that does not.

    If that is not positive, half of the way to it.

    Examples
    --------
    >>> import quack
    >>> heavy_tail(quack.Stable([0.7, 0.4], alpha=1.9)), heavy_tail(quack.Bernoulli([0.7, 0.4]))
    (0.85, 1.0)
    """
    room = getattr(environment, "moments_below", math.inf) - 1.0
    careful = room + 1.0 - _MARGIN
    return round(min(1.0, careful if careful > 0 else room / 2.0), 12)


def moment(environment: Any, order: float, *, centred: bool = False) -> float:
    """Return E|X|^p, or E|X − μ|^p, of the action for which it is largest; for bounded rewards what it cannot exceed.

    Examples
    --------
    >>> import quack
    >>> moment(quack.Bernoulli([0.7, 0.4]), 1.5), round(moment(quack.StudentT([1.0, 0.0], degrees=4.0), 2.0), 6)
    (1.0, 3.0)
    """
    own = getattr(environment, "centred_moment" if centred else "moment", None)
    if own is not None:
        return float(own(order))
    low, high = environment.reward_range
    most = high - low if centred else max(abs(low), abs(high))
    if not math.isfinite(most):
        raise SpecError(f"the moments of {environment!r} are not known; an environment such as Stable or StudentT is accepted")
    return float(most**order)


def check_horizon(horizon: int) -> int:
    """Return the number of rounds."""
    return whole_number("horizon", horizon, 1, _MOST_ROUNDS)
