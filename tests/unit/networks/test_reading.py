"""Reading a network from everything that users have, and every refusal."""

import re

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from quack import QuackWarning, SpecError
from quack.networks import grid, path, read

GRID = grid(3, 4)
EDGES = GRID.edges()
MATRIX = GRID.to_scipy().toarray()


@pytest.mark.parametrize(
    "source",
    [
        GRID,
        "grid:3x4",
        GRID.to_networkx(),
        nx.MultiGraph(GRID.to_networkx()),
        nx.grid_2d_graph(3, 4),
        MATRIX,
        MATRIX.astype(bool),
        MATRIX.astype(np.int8).tolist(),
        *(sparse.csr_array(MATRIX).asformat(kind) for kind in ("csr", "csc", "coo", "lil", "dok")),
        sparse.csr_matrix(MATRIX),
        EDGES,
        EDGES[::-1, ::-1],
        EDGES.astype(np.uint16),
        EDGES.astype(float),
        EDGES.tolist(),
        list(map(tuple, EDGES.tolist())),
        (tuple(edge) for edge in EDGES.tolist()),
        list(EDGES),
    ],
    ids=lambda source: type(source).__name__,
)
def test_every_form_gives_the_same_network(source):
    network = read(source)
    assert network == GRID
    assert network.notes == ()


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_the_old_matrix_class_is_a_matrix():
    assert read(np.matrix(MATRIX)) == GRID


def test_a_network_is_returned_as_it_is():
    assert read(GRID) is GRID


@pytest.mark.parametrize(
    ("source", "labels", "edges"),
    [
        ([("b", "a"), ("a", "c")], ("b", "a", "c"), [[0, 1], [1, 2]]),
        (np.array([["b", "a"], ["a", "c"]]), ("b", "a", "c"), [[0, 1], [1, 2]]),
        ([(0, "x"), ("x", (1, 2))], (0, "x", (1, 2)), [[0, 1], [1, 2]]),
        ([("a", "b"), ("b", "c"), ("c", "a")], ("a", "b", "c"), [[0, 1], [0, 2], [1, 2]]),
        (nx.Graph([("b", "a"), ("a", "c")]), ("b", "a", "c"), [[0, 1], [1, 2]]),
        (nx.Graph([(9, 3), (3, 5)]), (3, 5, 9), [[0, 1], [0, 2]]),
        (nx.Graph([(2, 1), (1, 0)]), None, [[0, 1], [1, 2]]),
        (nx.empty_graph(1), None, []),
        (nx.empty_graph(["only"]), ("only",), []),
    ],
)
def test_labels_are_kept(source, labels, edges):
    network = read(source)
    assert network.labels == labels
    assert network.edges().tolist() == edges


@pytest.mark.parametrize(
    ("source", "edges", "m"),
    [
        ([[0, 1], [1, 2]], [[0, 1], [1, 2]], 3),
        ([[0, 1], [1, 0]], [[0, 1]], 2),
        ([[0, 1]], [[0, 1]], 2),
        ([[0]], [], 1),
        (sparse.coo_array([[0, 1], [1, 0]]), [[0, 1]], 2),
        ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], [[0, 1], [0, 2], [1, 2]], 3),
    ],
)
def test_small_arrays_are_told_apart_by_shape(source, edges, m):
    network = read(source)
    assert (network.edges().tolist(), network.n_agents, network.notes) == (edges, m, ())


LOOPS = "2 self-loops dropped: an agent hears itself anyway"
LOOP = "1 self-loop dropped: an agent hears itself anyway"
WEIGHTS = "edge weights ignored: a hop takes one round"


@pytest.mark.parametrize(
    ("source", "notes"),
    [
        ([(0, 0), (0, 1), (1, 1), (1, 2)], (LOOPS,)),
        ([(0, 1), (1, 0), (1, 2), (1, 2)], ("2 parallel edges merged",)),
        ([("a", "b"), ("b", "a"), ("a", "a")], (LOOP, "1 parallel edge merged")),
        (nx.Graph([(0, 1), (1, 1)]), (LOOP,)),
        (nx.MultiGraph([(0, 1), (0, 1), (1, 2)]), ("1 parallel edge merged",)),
        (nx.Graph([(0, 1, {"weight": 2.5})]), (WEIGHTS,)),
        (nx.Graph([(0, 1, {"weight": 1})]), ()),
        ([[1, 1, 0], [1, 0, 1], [0, 1, 5]], (LOOPS,)),
        (np.array([[0, 2, 0], [2, 0, 0.5], [0, 0.5, 0]]), (WEIGHTS,)),
        (sparse.coo_array(([2.0, 3.0, 0.0], ([0, 1, 0], [1, 0, 0])), shape=(2, 2)), (WEIGHTS,)),
    ],
)
def test_what_is_changed_is_noted_and_warned_of(source, notes):
    if notes:
        with pytest.warns(QuackWarning) as caught:
            network = read(source)
        assert [str(warning.message) for warning in caught] == [f"{network.name}: {note}" for note in notes]
        assert {warning.filename for warning in caught} == {__file__}
    else:
        network = read(source)
    assert network.notes == notes
    # Having said it once is enough.
    assert read(network) is network


def test_names_of_what_was_read():
    assert read(EDGES).name == "edge list"
    assert read(MATRIX).name == "adjacency matrix"
    assert read(nx.path_graph(3)).name == "networkx graph"
    assert read(nx.Graph([(0, 1)], name="pair")).name == "pair"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (
            nx.DiGraph([(0, 1)]),
            "networkx graph is directed; agents talk both ways, so give an undirected graph (to_undirected())",
        ),
        (
            [[0, 1, 0], [1, 0, 1], [0, 0, 0]],
            "directed: entry (1, 2) is not 0 but entry (2, 1) is; agents talk both ways, so give a symmetric one",
        ),
        (
            sparse.csr_array([[0, 1], [0, 0]]),
            "the adjacency matrix is directed: entry (0, 1) is not 0 but entry (1, 0) is",
        ),
        (nx.Graph([(0, 1), (2, 3), (3, 4)]), "networkx graph is disconnected: 2 parts of 3, 2 agents"),
        (
            nx.disjoint_union_all([nx.path_graph(size) for size in (1, 4, 2, 6, 3, 1, 1)]),
            "networkx graph is disconnected: 7 parts of 6, 4, 3, 2, 1, … agents; agent 0 has no neighbour",
        ),
        (np.zeros((3, 3)), "adjacency matrix is disconnected: 3 parts of 1, 1, 1 agents; agent 0 has no neighbour"),
        (
            nx.Graph({"a": ["b"], "c": []}),
            "networkx graph is disconnected: 2 parts of 2, 1 agents; agent 'c' has no neighbour",
        ),
        ([("a", "b"), ("c", "d")], "edge list is disconnected: 2 parts of 2, 2 agents"),
        (
            [(0, 1), (1, 3), (3, 5)],
            "edge list is disconnected: agent 2 is in no edge, and agents are numbered 0 … 5 without gaps",
        ),
        (
            [(1, 2), (2, 3)],
            "edge list is disconnected: agent 0 is in no edge, and agents are numbered 0 … 3 without gaps",
        ),
        ([(0, 10**12)], "edge list is disconnected: agent 1 is in no edge"),
        ([(0, -1)], "edge list: agents are numbered from 0, but there is an agent -1"),
        (np.array([[0, 1.5]]), "in a list of edges the agents are whole numbers from 0, or labels"),
        (np.array([[0, np.nan], [np.nan, 0]]), "entry (0, 1) of the adjacency matrix is nan; entries are 0 or positive numbers"),
        (np.array([[0, np.inf], [0, 1], [1, 2]]), "in a list of edges the agents are whole numbers from 0, or labels"),
        ([(0, 10**30), (0, 1), (1, 2)], f"agents are numbered from 0 without gaps, but there is an agent {10**30}"),
        (np.array([[0, 1e300], [0, 1], [1, 2]]), "agents are numbered from 0 without gaps, but there is an agent 1e+300"),
        (np.array([[0, 2**63]], np.uint64), f"agents are numbered from 0 without gaps, but there is an agent {2**63}"),
        (np.array([[0, np.nan]]), "in a list of edges the agents are whole numbers from 0, or labels"),
        (nx.empty_graph(0), "there are no agents in networkx graph"),
        ([], "there are no agents: the list is empty"),
        (np.empty((0, 2)), "there are no agents: the array has the shape (0, 2)"),
        (np.empty((0, 0)), "there are no agents: the array has the shape (0, 0)"),
        (sparse.csr_array((0, 0)), "there are no agents in adjacency matrix"),
        (
            sparse.coo_array(([1, 1], ([0, 1], [1, 0])), shape=(2**31, 2**31)),
            "adjacency matrix has 2147483648 agents; at most 2147483647 are allowed",
        ),
        (
            np.ones((3, 4)),
            "an array of 3 x 4 is neither a square adjacency matrix nor a list of edges (pairs of agents)",
        ),
        (np.ones(3), "an array of 3 is neither a square adjacency matrix nor a list of edges (pairs of agents)"),
        ([(0, 1, 0.5), (1, 2, 0.5)], "an array of 2 x 3 is neither a square adjacency matrix nor a list of edges"),
        (sparse.csr_array(np.ones((3, 4))), "an adjacency matrix is square, not 3 x 4"),
        (
            np.array([[0, np.nan, 0], [np.nan, 0, 1], [0, 1, 0]]),
            "entry (0, 1) of the adjacency matrix is nan; entries are 0 or positive numbers",
        ),
        (
            [[0, 1, 0], [1, 0, -2], [0, -2, 0]],
            "entry (1, 2) of the adjacency matrix is -2; entries are 0 or positive numbers",
        ),
        (sparse.csr_array([[0, np.inf], [np.inf, 0]]), "entry (0, 1) of the adjacency matrix is inf"),
        (sparse.csr_array([[0, 1j], [1j, 0]]), "an adjacency matrix holds numbers, not complex128"),
        ([(0, 1), (1, 2, 3)], "an edge is a pair of agents, but entry 1 of the list is (1, 2, 3)"),
        ([("a", "b"), ("c",)], "an edge is a pair of agents, but entry 1 of the list is ('c',)"),
        (["ab", "bc"], "an edge is a pair of agents, but entry 0 of the list is 'ab'"),
        ([0, 1, 2], "an edge is a pair of agents, but entry 0 of the list is 0"),
        ([([], [])], "edge list: the agents' labels must be hashable, such as texts, numbers or tuples"),
        (
            7,
            "a file, a networkx graph, a square adjacency matrix or a list of edges, not int",
        ),
        ({0: [1]}, "not dict"),
        (None, "not NoneType"),
    ],
)
def test_refusals(source, sentence):
    with pytest.raises(SpecError, match=re.escape(sentence)):
        read(source)


def test_pandas_frames_are_arrays():
    assert read(pd.DataFrame({"from": [0, 1], "to": [1, 2]})) == path(3)
    assert read(pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"]})).labels == ("a", "b", "c")
