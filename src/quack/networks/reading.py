"""Reading a network from whatever the user has: the border at which it is checked, once."""

import os
import sys
import warnings
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quack.errors import QuackWarning, SpecError
from quack.kernels import Integers
from quack.networks.files import graphml, text_pairs
from quack.networks.graphs import MOST_AGENTS, Network, component_sizes, distinct, from_edges
from quack.networks.names import from_name, is_name, refuse_name

__all__ = ["read"]

_PAIR = 2
_SIZES_SHOWN = 5
_TOO_LARGE = 2**63  # for the machine's whole numbers
_FORMS = (
    "a network is given as a name such as 'grid:14x14', a file, a networkx graph, a square adjacency matrix or a list of edges"
)


def read(source: object) -> Network:
    """Return the network that the source describes, or say in a sentence why it is none.

    Parameters
    ----------
    source
        * a `Network`: it is returned;
        * a name: the family, a colon, its builder's arguments: ``"cycle:196"``, ``"grid:14x14"``, ``"grid:196"`` (a
          square), ``"erdos-renyi:100,0.1,seed=3"``, …;
        * a networkx graph, undirected, with any labels: labels that are whole numbers are taken in ascending order,
          others in the graph's;
        * a square adjacency matrix, dense or scipy sparse, symmetric: where it is not 0 there is an edge;
        * a list or array of edges, that is of pairs of agents, numbered 0 … m-1 or called by any labels, which are
          taken in the order of appearance;
        * the path of a file: ``.graphml``, or text with an edge a line (two columns, ``#`` for comments).

        A nested list or array of numbers with as many rows as columns is a matrix, one with two columns is a list of
        edges. Two by two could be both: whole numbers are read as two edges, except for ``[[0, 1], [1, 0]]``, the matrix
        of two agents.

    Returns
    -------
    Network
        Its `notes` say what was changed; they are also warnings (`QuackWarning`). Self-loops are dropped, parallel
        edges merged, weights ignored.

    Raises
    ------
    SpecError
        If the graph is directed, disconnected or empty, or the source is not understood.

    Examples
    --------
    >>> import numpy as np
    >>> from quack.networks import read
    >>> read([(0, 1), (1, 2)]) == read(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])) == read("path:3")
    True
    """
    network = _read(source)
    if network is not source:
        for note in network.notes:
            warnings.warn(f"{network.name}: {note}", QuackWarning, stacklevel=2)
    return network


def _read(source: object) -> Network:
    if isinstance(source, Network):
        return source
    if isinstance(source, (str, os.PathLike)):
        return from_name(source) if isinstance(source, str) and is_name(source) else _from_file(source)
    return _from_data(source)


def _from_data(source: object) -> Network:
    # Who holds a networkx graph or a sparse matrix has imported the library: no need to load it to find out.
    networkx, sparse = sys.modules.get("networkx"), sys.modules.get("scipy.sparse")
    if networkx is not None and isinstance(source, networkx.Graph):
        return _from_networkx(source, str(source.name or "networkx graph"))
    if sparse is not None and sparse.issparse(source):
        entries = source.tocoo()  # type: ignore[attr-defined]
        entries.sum_duplicates()
        return _from_entries(entries.shape, entries.row, entries.col, entries.data)
    if hasattr(source, "__array__"):
        array = np.asarray(source)
        return _from_array(array) if array.dtype.kind in "biuf" else _from_list(array.tolist())
    if isinstance(source, Iterable) and not isinstance(source, (Mapping, bytes)):
        return _from_list(list(source))
    raise SpecError(f"{_FORMS}, not {type(source).__name__}")


def _from_file(source: str | os.PathLike[str]) -> Network:
    if not os.path.isfile(source):  # noqa: PTH113 (Path.is_file raises for a text that is too long for a name)
        raise refuse_name(os.fspath(source))
    file = Path(source)
    if file.suffix.casefold() == ".graphml":
        return _from_networkx(graphml(file), file.stem)
    pairs, longer = text_pairs(file)
    if pairs and isinstance(pairs[0][0], int):
        return _from_numbers(np.array(pairs), file.stem, weighted=longer)
    return _from_labels(pairs, file.stem, weighted=longer)


def _from_networkx(graph: Any, name: str) -> Network:
    if graph.is_directed():
        raise SpecError(f"{name} is directed; agents talk both ways, so give an undirected graph (to_undirected())")
    labels = list(graph.nodes)
    if all(isinstance(label, int) for label in labels):
        labels.sort()
    number = {label: place for place, label in enumerate(labels)}
    pairs = np.array([(number[v], number[w]) for v, w in graph.edges()], dtype=np.int64).reshape(-1, 2)
    weighted = any(weight not in {None, 1} for _, _, weight in graph.edges(data="weight"))
    return _connected(len(labels), pairs, name, labels=labels, weighted=weighted)


def _from_array(array: npt.NDArray[Any]) -> Network:
    """Tell a matrix from a list of edges by its shape."""
    if array.size == 0:
        raise SpecError(f"there are no agents: the array has the shape {array.shape}")
    square = array.ndim == _PAIR and array.shape[0] == array.shape[1]
    whole = array.dtype.kind != "f" or bool((np.isfinite(array) & (array == np.floor(array))).all())
    if array.ndim == _PAIR and array.shape[1] == _PAIR and array.tolist() != [[0, 1], [1, 0]] and (whole or not square):
        if not whole:
            raise SpecError("in a list of edges the agents are whole numbers from 0, or labels")
        return _from_numbers(array, "edge list")
    if square:
        rows, columns = np.nonzero(array)
        return _from_entries(array.shape, rows, columns, array[rows, columns])
    shape = " x ".join(map(str, array.shape))
    raise SpecError(f"an array of {shape} is neither a square adjacency matrix nor a list of edges (pairs of agents)")


def _from_list(rows: list[Any]) -> Network:
    if not rows:
        raise SpecError("there are no agents: the list is empty")
    for place, row in enumerate(rows):
        if not isinstance(row, (list, tuple, np.ndarray)):
            raise SpecError(f"an edge is a pair of agents, but entry {place} of the list is {row!r}; {_FORMS}")
    numbers = all(isinstance(entry, (int, float, np.number, np.bool_)) for row in rows for entry in row)
    if numbers and len({len(row) for row in rows}) == 1:
        return _from_array(np.array(rows))
    for place, row in enumerate(rows):
        if len(row) != _PAIR:
            raise SpecError(f"an edge is a pair of agents, but entry {place} of the list is {row!r}")
    return _from_labels(rows, "edge list")


def _from_entries(shape: tuple[int, ...], rows: Integers, columns: Integers, values: npt.NDArray[Any]) -> Network:
    """Read the entries of a matrix that are not zero, each given once."""
    if len(shape) != _PAIR or shape[0] != shape[1]:
        raise SpecError(f"an adjacency matrix is square, not {' x '.join(map(str, shape))}")
    if values.dtype.kind not in "biuf":
        raise SpecError(f"an adjacency matrix holds numbers, not {values.dtype}")
    stored = values != 0
    rows, columns, values = rows[stored].astype(np.int64), columns[stored].astype(np.int64), values[stored]
    bad = np.flatnonzero(~np.isfinite(values) | ~(values > 0))
    if len(bad):
        v, w, value = int(rows[bad[0]]), int(columns[bad[0]]), values[bad[0]].item()
        raise SpecError(f"entry ({v}, {w}) of the adjacency matrix is {value}; entries are 0 or positive numbers")
    m = shape[0]
    there, back = np.sort(rows * m + columns), np.sort(columns * m + rows)
    if not np.array_equal(there, back):
        v, w = divmod(int(np.setdiff1d(there, back)[0]), m)
        raise SpecError(
            f"the adjacency matrix is directed: entry ({v}, {w}) is not 0 but entry ({w}, {v}) is; "
            "agents talk both ways, so give a symmetric one"
        )
    upper = rows <= columns
    weighted = bool((values[rows != columns] != 1).any())
    return _connected(m, np.stack((rows[upper], columns[upper]), axis=1), "adjacency matrix", weighted=weighted)


def _from_numbers(numbers: npt.NDArray[Any], name: str, *, weighted: bool = False) -> Network:
    """Read edges of numbered agents, in any type of whole numbers."""
    if numbers.min() < 0:
        raise SpecError(f"{name}: agents are numbered from 0, but there is an agent {numbers.min()}")
    if numbers.max() >= _TOO_LARGE:
        raise SpecError(f"{name}: agents are numbered from 0 without gaps, but there is an agent {numbers.max()}")
    pairs = numbers.astype(np.int64)
    present = distinct(pairs)
    last = int(present[-1])
    if last >= len(present):
        missing = int(np.flatnonzero(present != np.arange(len(present)))[0])
        raise SpecError(
            f"{name} is disconnected: agent {missing} is in no edge, and agents are numbered 0 … {last} without gaps "
            "(as nodes of a networkx graph they may have any labels)"
        )
    return _connected(last + 1, pairs, name, weighted=weighted)


def _from_labels(pairs: list[Any], name: str, *, weighted: bool = False) -> Network:
    """Read edges of agents with names."""
    number: dict[Hashable, int] = {}
    try:
        ends = [[number.setdefault(label, len(number)) for label in pair] for pair in pairs]
    except TypeError:
        raise SpecError(f"{name}: the agents' labels must be hashable, such as texts, numbers or tuples") from None
    return _connected(len(number), np.array(ends, dtype=np.int64).reshape(-1, 2), name, labels=list(number), weighted=weighted)


def _connected(m: int, pairs: Integers, name: str, *, labels: list[Hashable] | None = None, weighted: bool = False) -> Network:
    """Make the network, note what had to be changed, and demand that it is connected."""
    if m == 0:
        raise SpecError(f"there are no agents in {name}")
    if m > MOST_AGENTS:
        raise SpecError(f"{name} has {m} agents; at most {MOST_AGENTS} are allowed")
    kept = pairs[pairs[:, 0] != pairs[:, 1]]
    network = from_edges(m, kept[:, 0], kept[:, 1], name)
    labelled = None if labels is None or labels == list(range(m)) else tuple(labels)
    network = replace(network, labels=labelled)
    sizes = component_sizes(network)
    if len(sizes) > 1:
        raise SpecError(_disconnected(network, sizes))
    notes = []
    if loops := len(pairs) - len(kept):
        notes.append(f"{_counted(loops, 'self-loop')} dropped: an agent hears itself anyway")
    if parallel := len(kept) - network.n_edges:
        notes.append(f"{_counted(parallel, 'parallel edge')} merged")
    if weighted:
        notes.append("edge weights ignored: a hop takes one round")
    return replace(network, notes=tuple(notes))


def _disconnected(network: Network, sizes: list[int]) -> str:
    shown = ", ".join(map(str, sizes[:_SIZES_SHOWN])) + (", …" if len(sizes) > _SIZES_SHOWN else "")
    alone = np.flatnonzero(network.degrees == 0)
    example = f"; agent {network.label_of(int(alone[0]))!r} has no neighbour" if len(alone) else ""
    return f"{network.name} is disconnected: {len(sizes)} parts of {shown} agents{example}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
