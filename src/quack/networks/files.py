"""Networks in files: GraphML, and text with one edge a line."""

from pathlib import Path
from typing import Any

from quack.errors import SpecError
from quack.extras import require

__all__ = ["graphml", "text_pairs"]


def graphml(file: Path) -> Any:
    """Return the networkx graph of a GraphML file; nodes that are all written as numbers become numbers."""
    networkx = require("networkx", "reading a GraphML file")
    try:
        graph = networkx.read_graphml(file)
    except Exception as error:
        # networkx lets through whatever its parser raises: a syntax error, a KeyError, its own.
        raise SpecError(f"{str(file)!r} is not a GraphML file: {error}") from error
    if all(label.isdecimal() for label in graph.nodes):
        return networkx.relabel_nodes(graph, {label: int(label) for label in graph.nodes})
    return graph


def text_pairs(file: Path) -> tuple[list[tuple[Any, Any]], bool]:
    """Return the edges of a text file, and whether some lines said more than an edge.

    One edge a line, two columns separated by commas or blanks; what follows ``#`` is ignored. If all agents are
    written as numbers they become numbers; a first line that is the only one without numbers is a heading.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise SpecError(f"{str(file)!r} is neither GraphML (.graphml) nor a text with an edge a line") from None
    pairs: list[tuple[Any, Any]] = []
    longer = False
    for number, line in enumerate(lines, start=1):
        # A lone {} is where networkx writes that an edge has no attributes.
        words = line.partition("#")[0].removesuffix("{}").replace(",", " ").split()
        if not words:
            continue
        if len(words) == 1:
            raise SpecError(f"{str(file)!r}, line {number}: an edge is a pair of agents, not {line.strip()!r}")
        pairs.append((words[0], words[1]))
        longer = longer or len(words) > 2  # noqa: PLR2004 (an edge has two ends)
    numbered = [first.isdecimal() and second.isdecimal() for first, second in pairs]
    if len(pairs) > 1 and not numbered[0] and all(numbered[1:]):
        pairs, numbered = pairs[1:], numbered[1:]
    return ([(int(first), int(second)) for first, second in pairs] if all(numbered) else pairs), longer
