"""Searches of a network without a solver: cliques and independent sets that are good, if not always the best.

Neighbours are rows of bits, one whole number of Python's an agent: bit w of row v is 1 if v and w are neighbours. What all
members of a set have in common is then one operation a member.
"""

import numpy as np
import numpy.typing as npt

from quack.networks.graphs import Network

__all__ = ["cover_size", "edge_cliques", "joining", "neighbours", "rows_of_bits"]


def rows_of_bits(network: Network) -> list[int]:
    """Return the neighbours of each agent as a number: bit w is 1 if w is one."""
    rows = []
    for agent in range(network.n_agents):
        bits = np.zeros(network.n_agents, np.bool_)
        bits[network.neighbours_of(agent)] = True
        rows.append(_number(bits))
    return rows


def _number(bits: npt.NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def _grown(near: list[int], clique: int, candidates: int) -> int:
    """Return a maximal clique: the lowest of those that are neighbours of all join."""
    while candidates:
        lowest = candidates & -candidates
        clique |= lowest
        candidates &= near[lowest.bit_length() - 1]
    return clique


def _members(clique: int) -> list[int]:
    found = []
    while clique:
        lowest = clique & -clique
        found.append(lowest.bit_length() - 1)
        clique ^= lowest
    return found


def edge_cliques(near: list[int]) -> list[list[int]]:
    """Return cliques that cover every edge: far fewer constraints than edges, and far tighter ones."""
    uncovered = list(near)
    cliques = []
    for agent in range(len(near)):
        while uncovered[agent]:
            edge = 1 << agent | uncovered[agent] & -uncovered[agent]
            other = (edge ^ 1 << agent).bit_length() - 1
            clique = _grown(near, edge, near[agent] & near[other])
            members = _members(clique)
            for member in members:
                uncovered[member] &= ~clique
            cliques.append(members)
    return cliques


def cover_size(near: list[int]) -> int:
    """Return how many cliques it takes if each starts at the lowest agent that is left, and takes whom it can."""
    left = (1 << len(near)) - 1
    cliques = 0
    while left:
        lowest = left & -left
        left &= ~_grown(near, lowest, left & near[lowest.bit_length() - 1])
        cliques += 1
    return cliques


def joining(near: list[int], chosen: npt.NDArray[np.bool_], allowed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return who else joins if all join, in their order, who are allowed and have no neighbour among those before."""
    joined = np.zeros(len(near), np.bool_)
    free = _number(allowed & ~chosen & ~neighbours(near, chosen))
    while free:
        lowest = free & -free
        agent = lowest.bit_length() - 1
        joined[agent] = True
        free &= ~(near[agent] | lowest)
    return joined


def neighbours(near: list[int], agents: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return all neighbours of some agents."""
    reached = 0
    for agent in np.flatnonzero(agents):
        reached |= near[agent]
    content = np.frombuffer(reached.to_bytes(-(-len(near) // 8), "little"), np.uint8)
    return np.unpackbits(content, count=len(near), bitorder="little").astype(np.bool_)
