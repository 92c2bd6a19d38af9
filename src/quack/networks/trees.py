"""Hop distances and shortest-path trees: the delays of the paper, and the way that messages take.

Nothing here loops over levels, so a path of a million agents costs what a star of a million agents costs.
"""

from typing import NamedTuple

import numpy as np

from quack.extras import require
from quack.kernels import Integers
from quack.networks.graphs import Network, whole_number

__all__ = ["Tree", "distances", "shortest_path_tree", "total_distance"]

_SMALL = 10_000
"""Half-edges that plain Python reads in a millisecond, about; loading SciPy takes a hundred."""


class Tree(NamedTuple):
    """A shortest-path tree: every agent knows one neighbour that is a hop closer to the root.

    Attributes
    ----------
    root
        The agent that everything is sent to.
    parent
        The parent of each agent. The root's parent is the root itself, so that going up never leaves the array.
    distance
        The hops from each agent to the root.
    """

    root: int
    parent: Integers
    distance: Integers

    def children(self) -> tuple[tuple[int, ...], ...]:
        """Return the children of each agent, ascending; the root is nobody's child.

        Examples
        --------
        >>> from quack.networks import path, shortest_path_tree
        >>> shortest_path_tree(path(4), 1).children()
        ((), (0, 2), (3,), ())
        """
        of: list[list[int]] = [[] for _ in self.parent]
        for agent, parent in enumerate(self.parent.tolist()):
            if agent != self.root:
                of[parent].append(agent)
        return tuple(map(tuple, of))

    def subtree_sizes(self) -> Integers:
        """Return how many agents hang below each agent, itself included: the pairs in its message per round.

        Examples
        --------
        >>> from quack.networks import path, shortest_path_tree
        >>> shortest_path_tree(path(4), 1).subtree_sizes()
        array([1, 4, 2, 1])
        """
        # After j steps, size[v] counts the agents fewer than 2^j hops below v, and above[v] is 2^j hops above v.
        size = np.ones(len(self.parent), dtype=np.int64)
        above, hops = self.parent, 1
        while (below := self.distance >= hops).any():
            size += np.bincount(above[below], weights=size[below], minlength=len(size)).astype(np.int64)
            above, hops = above[above], 2 * hops
        return size


def distances(network: Network, source: int) -> Integers:
    """Return the hops from each agent to one agent: its delay d_vw. Breadth-first search, O(m log D + edges).

    Examples
    --------
    >>> from quack.networks import distances, grid
    >>> distances(grid(2, 3), 4)
    array([2, 1, 2, 1, 0, 1])
    """
    source = whole_number("source", source, 0, network.n_agents - 1)
    if len(network.neighbours) <= _SMALL:
        return _few_distances(network, source)
    csgraph = require("scipy.sparse.csgraph", "measuring distances in a network")
    _, found_by = csgraph.breadth_first_order(network.to_scipy(), source)
    above = found_by.astype(np.int64)
    above[source] = source
    # Pointer jumping: above[v] is hops[v] hops above v; both double until everybody points to the source.
    hops = np.ones(network.n_agents, dtype=np.int64)
    hops[source] = 0
    while (further := hops[above]).any():
        hops += further
        above = above[above]
    return hops


def _few_distances(network: Network, source: int) -> Integers:
    """Return the same in plain Python: quicker on a small network than loading a library."""
    offsets, neighbours = network.offsets.tolist(), network.neighbours.tolist()
    hops = [-1] * network.n_agents
    hops[source] = 0
    found = [source]
    for agent in found:  # it grows while it is read
        for other in neighbours[offsets[agent] : offsets[agent + 1]]:
            if hops[other] < 0:
                hops[other] = hops[agent] + 1
                found.append(other)
    return np.array(hops, dtype=np.int64)


def shortest_path_tree(network: Network, root: int) -> Tree:
    """Return the tree in which each agent's parent is its lowest-numbered neighbour that is one hop closer to the root.

    It is what the distributed Bellman-Ford of the paper's Appendix A.1 arrives at, with ties to the lowest number.

    Examples
    --------
    >>> from quack.networks import cycle, shortest_path_tree
    >>> shortest_path_tree(cycle(4), 0)
    Tree(root=0, parent=array([0, 0, 1, 0]), distance=array([0, 1, 2, 1]))
    """
    distance = distances(network, root)
    owners = np.repeat(np.arange(network.n_agents), network.degrees)
    closer = np.flatnonzero(distance[network.neighbours] < distance[owners])
    # Owners and, within one, neighbours ascend: the first entry of each owner is its lowest closer neighbour.
    agents, first = np.unique(owners[closer], return_index=True)
    parent = np.full(network.n_agents, root, dtype=np.int64)
    parent[agents] = network.neighbours[closer[first]]
    return Tree(int(root), parent, distance)


def total_distance(network: Network, agent: int) -> int:
    """Return the sum of the hops from all agents to one: Σ_w d_vw of the paper's Theorem 1.

    Examples
    --------
    >>> from quack.networks import star, total_distance
    >>> total_distance(star(16), 0), total_distance(star(16), 1)
    (15, 29)
    """
    return int(distances(network, agent).sum())
