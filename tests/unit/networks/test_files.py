"""Networks in files."""

import networkx as nx
import pytest

from quack import QuackWarning, SpecError
from quack.networks import grid, path, read


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lan.txt", "0 1\n1 2\n"),
        ("lan.edgelist", "# a comment\n\n0\t1   # the first\n  1 2 {}\n"),
        ("lan.csv", "0,1\n1, 2"),
        ("lan.csv", "source,target\n0,1\n1,2\n"),
        ("lan", "0;1\n1;2".replace(";", " ")),
    ],
)
def test_text_has_an_edge_a_line(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    for source in (file, str(file)):
        network = read(source)
        assert (network, network.name, network.labels) == (path(3), "lan", None)


def test_text_with_labels(tmp_path):
    file = tmp_path / "people.txt"
    file.write_text("ann bob\nbob 3\n", encoding="utf-8")
    assert read(file).labels == ("ann", "bob", "3")


def test_further_columns_are_weights(tmp_path):
    file = tmp_path / "lan.csv"
    file.write_text("0,1,2.5\n1,2,1\n", encoding="utf-8")
    with pytest.warns(QuackWarning, match=r"^lan: edge weights ignored: a hop takes one round$"):
        assert read(file) == path(3)


def test_networkx_edge_list_comes_back(tmp_path):
    file = tmp_path / "grid.edgelist"
    nx.write_edgelist(grid(3, 4).to_networkx(), file)
    assert read(file) == grid(3, 4)


def test_graphml_comes_back(tmp_path):
    file = tmp_path / "square.graphml"
    nx.write_graphml(grid(4, 4).to_networkx(), file)
    network = read(file)
    assert (network, network.labels, network.name) == (grid(4, 4), None, "square")
    nx.write_graphml(nx.Graph([("a", "b"), ("b", "c")]), file)
    assert read(str(file)).labels == ("a", "b", "c")


def test_directed_graphml_is_refused(tmp_path):
    file = tmp_path / "one_way.graphml"
    nx.write_graphml(nx.DiGraph([("a", "b")]), file)
    with pytest.raises(SpecError, match=r"^one_way is directed; agents talk both ways"):
        read(file)


def test_what_is_no_graph_is_refused(tmp_path):
    broken = tmp_path / "broken.graphml"
    broken.write_text("<graphml", encoding="utf-8")
    with pytest.raises(SpecError, match=r"broken\.graphml' is not a GraphML file: "):
        read(broken)
    single = tmp_path / "single.txt"
    single.write_text("0 1\n2\n", encoding="utf-8")
    with pytest.raises(SpecError, match=r"single\.txt', line 2: an edge is a pair of agents, not '2'"):
        read(single)
    binary = tmp_path / "binary.npz"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(SpecError, match=r"binary\.npz' is neither GraphML \(\.graphml\) nor a text with an edge a line"):
        read(binary)
    empty = tmp_path / "empty.txt"
    empty.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(SpecError, match=r"^there are no agents in empty$"):
        read(empty)


def test_missing_files_are_refused(tmp_path):
    for source in (tmp_path / "missing.txt", str(tmp_path / "missing.txt"), tmp_path, "x" * 10_000, "nul\0"):
        with pytest.raises(SpecError, match="is neither an existing file nor the name of a network"):
            read(source)
