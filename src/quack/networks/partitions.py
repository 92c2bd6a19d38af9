"""How a network falls into parts: agents no two of which are neighbours, and cliques that cover all agents.

In the γ-th power G_γ neighbours are agents that hear each other within γ hops. Agents that are independent in it do not hear each
other: they are the leaders of CMP-UCB. Both numbers here stand in the bounds of algorithms that pass messages.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from quack.errors import SpecError
from quack.extras import require
from quack.kernels import Floats, Integers
from quack.networks.bits import cover_size, edge_cliques, joining, neighbours, rows_of_bits
from quack.networks.graphs import Network, whole_number
from quack.networks.medians import attentively
from quack.networks.powers import powers

__all__ = [
    "clique_cover_number",
    "gamma_for_leaders",
    "independence_number",
    "leader_counts",
    "maximum_independent_set",
]

_LONGEST_S = 60.0
"""After this time of one search the answer is that there is none (docs/decisions/0006-partitions.md)."""

_MOST_CLIQUES = 50_000
_MOST_AGENTS = 20_000  # of a search: its tables are rows of bits, m² of them
_MOST_TUNED = 256  # of a search for γ, which is several searches
_SCALE = 1000.0  # of the largest weight: the solver tells sums apart to a millionth
_EQUAL = 1e-9  # relative difference below which two sums of weights are the same


def maximum_independent_set(network: Network, weights: Sequence[float] | Floats | Integers | None = None) -> Integers:
    """Return agents no two of which are neighbours, of the largest total weight: exactly, in ascending order.

    ::

        max Σ_v w_v x_v,    x_v ∈ {0, 1},    Σ_{v ∈ K} x_v ≤ 1 for cliques K that cover all edges

    Of several such sets it is the one that has agent 0, if any of them has it, and so on in the order of the numbers: so the
    answer does not depend on the solver. It is maximal, even where weights are 0: every other agent has a neighbour in it.

    Parameters
    ----------
    network
        Any network, or a power of one.
    weights
        w_v ≥ 0, one for each agent; by default 1. Sums that differ by less than 10⁻⁹ of themselves count as equal.

    Raises
    ------
    SpecError
        If there are more than 20,000 agents, or no proof is found within a minute: the problem is NP-hard. Trees, cycles, grids
        and their powers are quick, as are most graphs of up to a hundred agents.

    Examples
    --------
    >>> from quack.networks import cycle, power, star
    >>> maximum_independent_set(power(cycle(16), 3))
    array([ 0,  4,  8, 12])
    >>> maximum_independent_set(star(5), weights=[4.5, 1, 1, 1, 1])
    array([0])
    """
    m = network.n_agents
    weight = _weights(weights, m)
    _refuse_many(network)
    near = rows_of_bits(network)
    cliques = edge_cliques(near)
    allowed = np.ones(m, np.bool_)
    best = _heaviest(cliques, weight, allowed, network)
    most = float(weight[best].sum())
    chosen = np.zeros(m, np.bool_)
    # Agents are taken in their order as long as a set of the largest weight has all of them. Many are tried at once, more if
    # that goes well and fewer if not: one alone that fails is in no such set.
    at_once = m
    while (candidates := joining(near, chosen, allowed)).any():
        places = np.flatnonzero(candidates)[:at_once]
        tried = chosen.copy()
        tried[places] = True
        if not best[places].all():
            rest = allowed & ~tried & ~neighbours(near, tried)
            other = tried | _heaviest(cliques, weight, rest, network)
            if weight[other].sum() < most * (1.0 - _EQUAL):
                if len(places) == 1:
                    allowed[places] = False
                at_once = max(1, len(places) // 2)
                continue
            best = other
        chosen = tried
        at_once *= 2
    return np.flatnonzero(chosen)


def independence_number(network: Network) -> int:
    """Return α(G): how many agents there can be of which no two are neighbours.

    It has the limits of `maximum_independent_set`.

    Examples
    --------
    >>> from quack.networks import cycle, grid, power
    >>> independence_number(cycle(7)), independence_number(power(grid(8, 8), 6))
    (3, 4)
    """
    _refuse_many(network)
    everybody = np.ones(network.n_agents, np.bool_)
    return int(_heaviest(edge_cliques(rows_of_bits(network)), np.ones(network.n_agents), everybody, network).sum())


def clique_cover_number(network: Network) -> int:
    """Return χ̄(G): with how many cliques one can cover all agents; the colouring number of the complement.

    Raises
    ------
    SpecError
        If there are more than 20,000 agents, more than 50,000 maximal cliques, or no proof is found within a minute: the problem
        is NP-hard. The sentence says between which numbers the answer lies.

    Examples
    --------
    >>> from quack.networks import cycle, star
    >>> clique_cover_number(cycle(7)), clique_cover_number(star(7))
    (4, 6)
    """
    _refuse_many(network)
    most = cover_size(rows_of_bits(network))
    least = independence_number(network)
    if least == most:
        return least
    networkx = require("networkx", "the cliques of a network")
    sparse = require("scipy.sparse", "the cliques of a network")
    graph = networkx.Graph(network.edges().tolist())
    graph.add_nodes_from(range(network.n_agents))  # a power of 0 hops has agents without neighbours
    cliques = []
    for clique in networkx.find_cliques(graph):
        cliques.append(clique)
        if len(cliques) > _MOST_CLIQUES:
            raise SpecError(
                f"{network.name} has more than {_MOST_CLIQUES:,} maximal cliques, too many to find its clique cover number, "
                f"which lies between {least} and {most}"
            )
    members = np.concatenate([np.asarray(clique) for clique in cliques])
    owner = np.repeat(np.arange(len(cliques)), [len(clique) for clique in cliques])
    covers = sparse.csr_array((np.ones(len(members)), (members, owner)), shape=(network.n_agents, len(cliques)))
    used = _solve(np.ones(len(cliques)), covers, 1.0, math.inf)
    if used is None:
        raise SpecError(
            f"the clique cover number of {network.name} was not found in {_LONGEST_S:g} s; it lies between {least} and {most}"
        )
    return int(used.sum())


def leader_counts(network: Network) -> dict[int, int]:
    """Return for each γ from 0 to the diameter how many agents a maximum independent set of G_γ has, weighted by degrees in G_γ.

    They are the leaders of CMP-UCB. Larger γ lead to a single one, as at the diameter.

    Examples
    --------
    >>> from quack.networks import cycle
    >>> leader_counts(cycle(8))
    {0: 8, 1: 4, 2: 2, 3: 2, 4: 1}
    """
    return {gamma: len(maximum_independent_set(within, within.degrees)) for gamma, within in powers(network)}


def gamma_for_leaders(network: Network, n_leaders: int) -> int:
    """Return the least γ with which CMP-UCB has so many leaders: the least traffic that does.

    Parameters
    ----------
    network
        A network of up to 256 agents; some seconds for that many, less than one for up to a hundred.
    n_leaders
        How many, one of the numbers in `leader_counts`.

    Examples
    --------
    >>> from quack.networks import grid
    >>> gamma_for_leaders(grid(6, 6), 2)
    6
    """
    n_leaders = whole_number("leaders", n_leaders, 1)
    if network.n_agents > _MOST_TUNED:
        raise SpecError(
            f"{network.name} has {network.n_agents:,} agents; γ is sought for a number of leaders among at most {_MOST_TUNED}. "
            "Give γ itself"
        )
    for gamma, within in powers(network):
        if _may_lead(within, n_leaders) and len(maximum_independent_set(within, within.degrees)) == n_leaders:
            return gamma
    possible = ", ".join(map(str, sorted(set(leader_counts(network).values()))))
    raise SpecError(f"leaders is {n_leaders}; on {network.name} there can be {possible}, each by a γ of its own")


def _may_lead(within: Network, n_leaders: int) -> bool:
    """Whether so many agents may be the heaviest independent set by degrees, as far as is seen without a search.

    They weigh at least as much as those of any independent set, and none more than the largest degree; each has a clique of its
    own in any cover.
    """
    _refuse_many(within)
    near, everybody = rows_of_bits(within), np.ones(within.n_agents, np.bool_)
    some = int(within.degrees[joining(near, ~everybody, everybody)].sum())
    return some <= n_leaders * int(within.degrees.max()) and n_leaders <= cover_size(near)


def _weights(weights: Any, m: int) -> Floats:
    """Return one weight for each agent."""
    if weights is None:
        return np.ones(m)
    try:
        array = np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        array = np.zeros(0)
    if array.shape != (m,) or not (np.isfinite(array) & (array >= 0)).all():
        raise SpecError(f"weights are {weights!r}; a finite number of at least 0 for each of {m} agents is accepted")
    return array


def _refuse_many(network: Network) -> None:
    if network.n_agents > _MOST_AGENTS:
        raise SpecError(f"{network.name} has {network.n_agents:,} agents; at most {_MOST_AGENTS:,} can be partitioned")


def _heaviest(
    cliques: list[list[int]], weight: Floats, allowed: npt.NDArray[np.bool_], network: Network
) -> npt.NDArray[np.bool_]:
    """Return an independent set of the largest weight among the agents that are allowed."""
    chosen = np.zeros(len(weight), np.bool_)
    agents = np.flatnonzero(allowed)
    if not len(agents):
        return chosen
    sparse = require("scipy.sparse", "an independent set")
    rows = [members for clique in cliques if len(members := [agent for agent in clique if allowed[agent]]) > 1]
    number = np.zeros(len(weight), np.int64)
    number[agents] = np.arange(len(agents))
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    member = number[[agent for row in rows for agent in row]]
    least_one = max(len(rows), 1)
    table = sparse.csr_array((np.ones(len(member)), (owner, member)), shape=(least_one, len(agents)))
    largest = float(weight[agents].max())
    taken = _solve(-weight[agents] * (_SCALE / largest if largest > 0 else 0.0), table, -math.inf, 1.0)
    if taken is None:
        raise SpecError(
            f"a maximum independent set of {network.name} was not found in {_LONGEST_S:g} s; "
            "a smaller network, or a power in which agents have more neighbours, is accepted"
        )
    chosen[agents[taken]] = True
    return chosen


def _solve(cost: Floats, table: Any, low: float, high: float) -> npt.NDArray[np.bool_] | None:
    """Return the choice of least cost with low ≤ table · choice ≤ high, or None if it is not found in time."""
    optimize = require("scipy.optimize", "a partition of a network")
    answers: list[Any] = []

    def search() -> None:
        answers.append(
            optimize.milp(
                cost,
                integrality=np.ones(len(cost)),
                bounds=optimize.Bounds(0, 1),
                constraints=optimize.LinearConstraint(table, low, high),
                options={"mip_rel_gap": 0.0, "time_limit": _LONGEST_S},
            )
        )

    attentively(search)
    if answers[0].status != 0:
        return None
    return np.asarray(np.round(answers[0].x), np.bool_)
