"""The networks that a formula describes: cycle, path, grid, star, complete graph. Their medians are known."""

import numpy as np

from quack.networks.graphs import MOST_AGENTS, Network, from_edges, refuse_huge, whole_number

__all__ = ["complete", "cycle", "grid", "path", "star"]


def cycle(n_agents: int) -> Network:
    """Agents in a ring: v talks to v-1 and v+1 modulo m. Two agents are one edge, one agent is alone.

    Every agent is a median; its distances to the others sum to ⌊m²/4⌋.

    Parameters
    ----------
    n_agents
        m ≥ 1.

    Examples
    --------
    >>> from quack.networks import cycle, distances
    >>> distances(cycle(5), 0)
    array([0, 1, 2, 2, 1])
    """
    m = whole_number("n_agents", n_agents, 1)
    agents = np.arange(m if m > 1 else 0)
    return from_edges(m, agents, (agents + 1) % m, f"cycle:{m}", known_median=0)


def path(n_agents: int) -> Network:
    """Agents in a line: v talks to v-1 and v+1. The median is agent ⌊(m-1)/2⌋.

    Parameters
    ----------
    n_agents
        m ≥ 1.

    Examples
    --------
    >>> from quack.networks import median, path
    >>> median(path(10))
    4
    """
    m = whole_number("n_agents", n_agents, 1)
    agents = np.arange(m)
    return from_edges(m, agents[:-1], agents[1:], f"path:{m}", known_median=(m - 1) // 2)


def grid(rows: int, columns: int) -> Network:
    """Agents on a rectangular lattice without wrap-around, numbered row by row.

    Distances are |Δrow| + |Δcolumn|, so the median is the middle one of each (the lower one of two).

    Parameters
    ----------
    rows, columns
        Each ≥ 1; m = rows · columns.

    Examples
    --------
    >>> from quack.networks import grid, median, total_distance
    >>> network = grid(14, 14)
    >>> median(network), total_distance(network, 90)
    (90, 1372)
    """
    rows, columns = whole_number("rows", rows, 1), whole_number("columns", columns, 1)
    m = whole_number("rows · columns", rows * columns, 1)
    agents = np.arange(m).reshape(rows, columns)
    first = np.concatenate((agents[:, :-1].ravel(), agents[:-1].ravel()))
    second = np.concatenate((agents[:, 1:].ravel(), agents[1:].ravel()))
    middle = (rows - 1) // 2 * columns + (columns - 1) // 2
    return from_edges(m, first, second, f"grid:{rows}x{columns}", known_median=middle)


def star(n_agents: int) -> Network:
    """One hub, agent 0, that talks to everybody; the others talk to the hub only. The hub is the median.

    Parameters
    ----------
    n_agents
        m ≥ 1, the hub included.

    Examples
    --------
    >>> from quack.networks import star
    >>> star(5).degrees
    array([4, 1, 1, 1, 1])
    """
    m = whole_number("n_agents", n_agents, 1)
    leaves = np.arange(1, m)
    return from_edges(m, np.zeros_like(leaves), leaves, f"star:{m}", known_median=0)


def complete(n_agents: int) -> Network:
    """Everybody talks to everybody. It has m(m-1)/2 edges, so the memory limits it to about 16,000 agents.

    Parameters
    ----------
    n_agents
        m ≥ 1.

    Examples
    --------
    >>> from quack.networks import complete
    >>> complete(16)
    Network('complete:16', 16 agents, 120 edges)
    """
    m = whole_number("n_agents", n_agents, 1, MOST_AGENTS)
    name = f"complete:{m}"
    refuse_huge(name, m * (m - 1))
    owners, places = np.arange(m, dtype=np.int32)[:, None], np.arange(m - 1, dtype=np.int32)
    others = places + (places >= owners)
    return Network(np.arange(m + 1) * (m - 1), others.ravel(), name, known_median=0)
