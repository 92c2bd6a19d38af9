"""The network that every part of the package works on: a connected undirected graph in compressed rows."""

import operator
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from quack.errors import SpecError
from quack.extras import require
from quack.kernels import Integers

__all__ = ["Network"]

MOST_AGENTS = 2**31 - 1
"""Neighbours are kept as 32-bit integers."""

MOST_HALF_EDGES = 2**28
"""One gigabyte of neighbours."""


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """Who can talk to whom: a connected undirected graph without loops and parallel edges. It cannot be changed.

    Networks are made by the builders (`cycle`, `grid`, …) and by `read`, which check what they are given; the
    constructor itself checks nothing. Two networks are equal if they have the same edges.

    Parameters
    ----------
    offsets
        The neighbours of agent v are ``neighbours[offsets[v]:offsets[v + 1]]``, ascending.
    neighbours
        The neighbours of all agents, one agent after the other: each edge occurs twice.
    name
        What the network is called, for example ``"grid:14x14"``.
    labels
        The user's own names of the agents, if these were not the numbers 0 … m-1.
    notes
        What was changed when the network was read.
    known_median
        The graph median, lowest number first, where a formula gives it.

    Examples
    --------
    >>> from quack.networks import grid
    >>> network = grid(2, 3)
    >>> network
    Network('grid:2x3', 6 agents, 7 edges)
    >>> network.neighbours_of(4)
    array([1, 3, 5], dtype=int32)
    >>> network.degrees
    array([2, 3, 2, 2, 3, 2])
    """

    offsets: Integers
    neighbours: npt.NDArray[np.int32]
    name: str = "network"
    labels: tuple[Hashable, ...] | None = None
    notes: tuple[str, ...] = ()
    known_median: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "offsets", _read_only(np.asarray(self.offsets, dtype=np.int64)))
        object.__setattr__(self, "neighbours", _read_only(np.asarray(self.neighbours, dtype=np.int32)))

    @property
    def n_agents(self) -> int:
        """The number of agents, m."""
        return len(self.offsets) - 1

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return len(self.neighbours) // 2

    @property
    def degrees(self) -> Integers:
        """The number of neighbours of each agent."""
        return np.diff(self.offsets)

    def neighbours_of(self, agent: int) -> npt.NDArray[np.int32]:
        """Return the neighbours of one agent, ascending."""
        return self.neighbours[self.offsets[agent] : self.offsets[agent + 1]]

    def label_of(self, agent: int) -> Hashable:
        """Return the user's own name of an agent; without one, its number."""
        return agent if self.labels is None else self.labels[agent]

    def edges(self) -> Integers:
        """Return the edges as an array of shape (n_edges, 2), each once, the lower number first.

        Examples
        --------
        >>> from quack.networks import cycle
        >>> cycle(3).edges().tolist()
        [[0, 1], [0, 2], [1, 2]]
        """
        owners = np.repeat(np.arange(self.n_agents), self.degrees)
        once = owners < self.neighbours
        return np.stack((owners[once], self.neighbours[once]), axis=1)

    def to_scipy(self) -> Any:
        """Return the adjacency matrix as a `scipy.sparse.csr_array` of ones."""
        sparse = require("scipy.sparse", "working on a graph")
        ones = np.ones(len(self.neighbours))
        return sparse.csr_array((ones, self.neighbours, self.offsets), shape=(self.n_agents, self.n_agents))

    def to_networkx(self) -> Any:
        """Return the network as a `networkx.Graph`, its nodes named by the user's labels where there are any.

        Examples
        --------
        >>> from quack.networks import star
        >>> sorted(star(4).to_networkx().degree())
        [(0, 3), (1, 1), (2, 1), (3, 1)]
        """
        networkx = require("networkx", "a networkx graph")
        graph = networkx.Graph(name=self.name)
        graph.add_nodes_from(range(self.n_agents) if self.labels is None else self.labels)
        graph.add_edges_from((self.label_of(v), self.label_of(w)) for v, w in self.edges().tolist())
        return graph

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.neighbours, other.neighbours)

    def __hash__(self) -> int:
        return hash((self.offsets.tobytes(), self.neighbours.tobytes()))

    def __repr__(self) -> str:
        agents = "1 agent" if self.n_agents == 1 else f"{self.n_agents} agents"
        edges = "1 edge" if self.n_edges == 1 else f"{self.n_edges} edges"
        return f"Network({self.name!r}, {agents}, {edges})"

    def __reduce__(self) -> tuple[type["Network"], tuple[object, ...]]:
        # Through the constructor, because a pickled array forgets that it is read-only.
        return Network, (self.offsets, self.neighbours, self.name, self.labels, self.notes, self.known_median)


def from_edges(
    n_agents: int,
    first: Integers,
    second: Integers,
    name: str,
    *,
    labels: tuple[Hashable, ...] | None = None,
    known_median: int | None = None,
) -> Network:
    """Make a network of edges first[i]-second[i] between different agents; an edge given twice counts once."""
    keys = distinct(np.concatenate((first * n_agents + second, second * n_agents + first)))
    owners, neighbours = np.divmod(keys, n_agents)
    offsets = np.zeros(n_agents + 1, dtype=np.int64)
    np.cumsum(np.bincount(owners, minlength=n_agents), out=offsets[1:])
    return Network(offsets, neighbours.astype(np.int32), name, labels, (), known_median)


def distinct(numbers: Integers) -> Integers:
    """Return the different numbers, ascending: `numpy.unique` by sorting, which is many times faster than its table."""
    ascending = np.sort(numbers, axis=None)
    first = np.ones(len(ascending), dtype=np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return ascending[first]


def component_sizes(network: Network) -> list[int]:
    """Return the numbers of agents of the connected parts, largest first: a single one for a legal network."""
    csgraph = require("scipy.sparse.csgraph", "checking that a network is connected")
    _, part = csgraph.connected_components(network.to_scipy(), directed=False)
    sizes: list[int] = sorted(np.bincount(part).tolist(), reverse=True)
    return sizes


def whole_number(name: str, value: object, least: int, most: int = MOST_AGENTS) -> int:
    """Return the value as an integer of the range, or say what would be one."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise SpecError(f"{name} must be a whole number of at least {least}, not {value!r}") from None
    if number < least:
        raise SpecError(f"{name} must be at least {least}, not {number}")
    if number > most:
        raise SpecError(f"{name} must be at most {most}, not {number}")
    return number


def refuse_huge(name: str, n_half_edges: float) -> None:
    """Refuse a graph whose edges alone would fill the memory."""
    if n_half_edges > MOST_HALF_EDGES:
        raise SpecError(
            f"{name} would have about {n_half_edges / 2:.2g} edges, {n_half_edges * 4 / 2**30:.3g} GiB of memory; "
            f"at most {MOST_HALF_EDGES / 2:.2g} edges are allowed"
        )


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view
