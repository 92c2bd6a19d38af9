"""Random networks that are connected and the same for the same seed, on every machine.

The only randomness is `numpy.random.PCG64` through `Generator.random` and `Generator.integers`, and no result hangs
on the last digit of a logarithm. A draw that is not connected is thrown away and the next one is made from the next
child of the seed: the law is that of the model *given* that the graph is connected.
"""

import math
from collections.abc import Callable

import numpy as np

from quack.errors import SpecError
from quack.extras import require
from quack.networks.graphs import Network, component_sizes, from_edges, refuse_huge, whole_number
from quack.networks.preferential import attach
from quack.networks.random_edges import Pairs, bernoulli_pairs, keys_of, pairs_of, regular_pairs, rewired_ring

__all__ = ["barabasi_albert", "erdos_renyi", "random_geometric", "random_regular", "watts_strogatz"]

ATTEMPTS = 100
"""Draws before the parameters are called hopeless: fails by bad luck only if under 5 % of the graphs are connected."""


def erdos_renyi(n_agents: int, probability: float, seed: int = 0) -> Network:
    """Each of the m(m-1)/2 edges is there with the same probability, independently: the graph G(m, p).

    Whole stretches of absent edges are skipped at once, so the cost is that of the edges that are there.

    Parameters
    ----------
    n_agents
        m ≥ 1.
    probability
        p in (0, 1]. Below about ln(m)/m some agent is nearly always without neighbours.
    seed
        A whole number ≥ 0.

    References
    ----------
    Batagelj and Brandes (2005), "Efficient generation of large random networks", Physical Review E 71, 036113,
    section II.

    Examples
    --------
    >>> from quack.networks import erdos_renyi
    >>> erdos_renyi(100, 0.1, seed=3)
    Network('erdos-renyi:100,0.1,seed=3', 100 agents, 515 edges)
    """
    m = whole_number("n_agents", n_agents, 1)
    p = _positive("probability", probability, 1.0)
    name = f"erdos-renyi:{m},{p},seed={seed}"
    refuse_huge(name, m * (m - 1) * p)
    threshold = math.log(m) / m
    return _first_connected(m, name, seed, lambda rng: bernoulli_pairs(m, p, rng), f"probability above ln(m)/m = {threshold:.3g}")


def watts_strogatz(n_agents: int, degree: int, rewiring: float, seed: int = 0) -> Network:
    """Make a small world: a ring in which some edges are replaced by far ones.

    Every agent is joined to the degree/2 next ones on each side. Each edge then, with probability `rewiring`, lets go
    of its further end and takes a uniformly random agent instead. The number of edges stays m · degree/2.
    Deviation: all edges choose their new ends at once instead of one after the other, and those that would be a loop
    or a double edge choose again, because this can be done with whole arrays.

    Parameters
    ----------
    n_agents
        m > degree.
    degree
        Even, ≥ 2.
    rewiring
        A probability in [0, 1]: 0 leaves the ring.
    seed
        A whole number ≥ 0.

    References
    ----------
    Watts and Strogatz (1998), "Collective dynamics of 'small-world' networks", Nature 393, 440-442.

    Examples
    --------
    >>> from quack.networks import watts_strogatz
    >>> watts_strogatz(100, 4, 0.2)
    Network('watts-strogatz:100,4,0.2,seed=0', 100 agents, 200 edges)
    """
    m = whole_number("n_agents", n_agents, 1)
    degree = whole_number("degree", degree, 2)
    if degree % 2 or degree >= m:
        raise SpecError(f"degree must be even and below n_agents = {m}, not {degree}")
    share = 0.0 if rewiring == 0 else _positive("rewiring", rewiring, 1.0)
    name = f"watts-strogatz:{m},{degree},{share},seed={seed}"
    refuse_huge(name, m * degree)
    # In a dense ring it is the lack of free places that stops a draw, in a sparse one that it falls apart.
    remedy = f"a {'larger' if 2 * degree < m else 'smaller'} degree"
    return _first_connected(m, name, seed, lambda rng: rewired_ring(m, degree, share, rng), remedy)


def random_regular(n_agents: int, degree: int, seed: int = 0) -> Network:
    """Every agent has the same number of neighbours; otherwise the edges are as random as they can be.

    Each agent offers `degree` ends; the ends are paired at random; pairs that would be a loop or a double edge are
    separated and their ends paired again. The law is uniform over the regular graphs in the limit of many agents, for
    degrees that grow slower than m^(1/3). For more than half of the possible degree the complement is drawn.

    Parameters
    ----------
    n_agents
        m ≥ 1; m · degree must be even.
    degree
        Below m, and ≥ 2 if there are more than two agents. Degree 2 is a cycle in disorder and seldom connected.
    seed
        A whole number ≥ 0.

    References
    ----------
    Steger and Wormald (1999), "Generating random regular graphs quickly", Combinatorics, Probability and Computing 8,
    377-396.

    Examples
    --------
    >>> from quack.networks import random_regular
    >>> set(random_regular(100, 3).degrees.tolist())
    {3}
    """
    m = whole_number("n_agents", n_agents, 1)
    degree = whole_number("degree", degree, 0)
    if m * degree % 2 or degree >= m:
        raise SpecError(f"degree must be below n_agents = {m} and n_agents · degree even; degree is {degree}")
    name = f"random-regular:{m},{degree},seed={seed}"
    refuse_huge(name, m * degree)

    def draw(rng: np.random.Generator) -> Pairs | None:
        if 2 * degree < m:
            return regular_pairs(m, degree, rng)
        left_out = regular_pairs(m, m - 1 - degree, rng)
        if left_out is None:
            return None
        present = np.ones(m * (m - 1) // 2, dtype=np.bool_)
        present[keys_of(*left_out)] = False
        return pairs_of(np.flatnonzero(present))

    return _first_connected(m, name, seed, draw, "a larger degree")


def barabasi_albert(n_agents: int, edges_per_agent: int, seed: int = 0) -> Network:
    """Make a network with hubs: agents arrive one by one and prefer neighbours that already have many.

    The start is a star of k+1 agents, k = `edges_per_agent`. Each further agent joins k different earlier agents,
    drawn one after the other with probability proportional to the degree before its arrival; a target that it has
    drawn already is drawn again. This is the law of ``networkx.barabasi_albert_graph``, exactly. The network is
    connected and has k(m-k) edges.

    Parameters
    ----------
    n_agents
        m > edges_per_agent.
    edges_per_agent
        k ≥ 1. A tree for k = 1.
    seed
        A whole number ≥ 0.

    References
    ----------
    Barabási and Albert (1999), "Emergence of scaling in random networks", Science 286, 509-512.
    Batagelj and Brandes (2005), Physical Review E 71, 036113, section IV: a uniformly random end of an earlier edge
    *is* an agent drawn in proportion to its degree.

    Examples
    --------
    >>> from quack.networks import barabasi_albert
    >>> barabasi_albert(1000, 3)
    Network('barabasi-albert:1000,3,seed=0', 1000 agents, 2991 edges)
    """
    m = whole_number("n_agents", n_agents, 2)
    k = whole_number("edges_per_agent", edges_per_agent, 1)
    if k >= m:
        raise SpecError(f"edges_per_agent must be below n_agents = {m}, not {k}")
    name = f"barabasi-albert:{m},{k},seed={whole_number('seed', seed, 0, 2**128)}"
    refuse_huge(name, 2 * k * (m - k))
    targets = attach(m, k, _generator(seed, 0))
    arrivals = np.repeat(np.arange(k + 1, m), k)
    first = np.concatenate((np.zeros(k, dtype=np.int64), arrivals))
    return from_edges(m, first, np.concatenate((np.arange(1, k + 1), targets)), name)


def random_geometric(n_agents: int, radius: float, seed: int = 0) -> Network:
    """Agents at uniformly random points of the unit square; those at most `radius` apart can talk.

    Parameters
    ----------
    n_agents
        m ≥ 1.
    radius
        In (0, √2]. The mean degree is about πmr²; below about √(ln(m)/(πm)) the network is nearly always disconnected.
    seed
        A whole number ≥ 0.

    References
    ----------
    Penrose (2003), "Random Geometric Graphs", Oxford University Press.

    Examples
    --------
    >>> from quack.networks import random_geometric
    >>> random_geometric(200, 0.15)
    Network('random-geometric:200,0.15,seed=0', 200 agents, 1132 edges)
    """
    m = whole_number("n_agents", n_agents, 1)
    radius = _positive("radius", radius, math.sqrt(2))
    name = f"random-geometric:{m},{radius},seed={seed}"
    refuse_huge(name, m * (m - 1) * min(1.0, math.pi * radius**2))
    spatial = require("scipy.spatial", "a random geometric network")

    def draw(rng: np.random.Generator) -> Pairs:
        close = spatial.KDTree(rng.random((m, 2))).query_pairs(radius, output_type="ndarray").astype(np.int64)
        return close[:, 0], close[:, 1]

    threshold = math.sqrt(math.log(m) / (math.pi * m))
    return _first_connected(m, name, seed, draw, f"radius above √(ln(m)/(πm)) = {threshold:.3g}")


def _first_connected(m: int, name: str, seed: int, draw: Callable[[np.random.Generator], Pairs | None], remedy: str) -> Network:
    seed = whole_number("seed", seed, 0, 2**128)
    for attempt in range(ATTEMPTS):
        drawn = draw(_generator(seed, attempt))
        # Most failures are an agent without neighbours, which is seen long before the rows are sorted.
        if drawn is None or (m > 1 and not np.bincount(np.concatenate(drawn), minlength=m).all()):
            continue
        network = from_edges(m, *drawn, name)
        if len(component_sizes(network)) == 1:
            return network
    raise SpecError(f"{name} is hardly ever a connected network (not once in {ATTEMPTS} draws); try {remedy}")


def _generator(seed: int, attempt: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(attempt,))))


def _positive(name: str, value: float, most: float) -> float:
    if not 0 < value <= most:
        raise SpecError(f"{name} must be above 0 and at most {most:.4g}, not {value!r}")
    return float(value)
