"""quack leader: who should lead a network, and at what price."""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from quack.cli.screen import show_table
from quack.errors import SpecError
from quack.networks import Network, leader, read, shortest_path_tree
from quack.simulation.store import atomic_file

__all__ = ["add"]

_EPILOG = """\
examples:
  quack leader grid:14x14
  quack leader barabasi-albert:1000000,3
  quack leader my-network.graphml --tree tree.csv

The leader is the graph's median: the agent with the smallest sum of distances Σd to all others, of several the lowest. The bound on
the group regret exceeds that of one agent playing alone by 3 Σd Σ_a Δ_a (Theorem 1).
"""


def add(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "leader",
        help="find the median of a network, the sum of distances, and the tree of messages",
        description="Find the agent that should lead a network, and the shortest-path tree along which orders and rewards travel.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("network", metavar="NAME|FILE", help="a network, as in `quack compare`")
    parser.add_argument("--leader", metavar="AGENT", default="median", help="look at this agent instead of the median")
    parser.add_argument("--tree", type=Path, metavar="FILE.csv", help="write agent, parent and distance of every agent")
    parser.set_defaults(verb=_leader)


def _leader(options: argparse.Namespace) -> int:
    if options.tree is not None and not options.tree.parent.is_dir():
        raise SpecError(f"cannot write {options.tree}: there is no folder {options.tree.parent}")
    start = time.perf_counter()
    network = read(options.network)
    read_s = time.perf_counter() - start
    start = time.perf_counter()
    choice = int(options.leader) if options.leader.lstrip("-").isdigit() else options.leader
    chosen = leader(network, choice)
    search_s = time.perf_counter() - start
    tree = shortest_path_tree(network, chosen)
    sizes = tree.subtree_sizes()
    followers = np.delete(sizes, chosen)
    label = "" if network.labels is None else f" ({network.labels[chosen]!r})"
    body = [
        ("agents", f"{network.n_agents:,}"),
        ("edges", f"{network.n_edges:,}"),
        ("leader", f"{chosen}{label}"),
        ("sum of distances Σd", f"{int(tree.distance.sum()):,}"),
        ("farthest agent", f"{int(tree.distance.max()):,} hops"),
        ("additive term of Theorem 1", f"{3 * int(tree.distance.sum()):,} ΣΔ"),
        ("most pairs a follower sends a round", f"{int(followers.max()) if len(followers) else 0:,}"),
        ("time to read the network", f"{read_s:.3f} s"),
        ("time to find the leader", f"{search_s:.3f} s"),
    ]
    show_table(network.name, ("", "value"), body)
    for note in network.notes:
        print(f"note: {note}")
    if options.tree is not None:
        _write_tree(options.tree, network, tree)
    return 0


def _write_tree(path: Path, network: Network, tree: Any) -> None:
    with atomic_file(path) as file:
        file.write(b"agent,parent,distance\n")
        table = np.column_stack([np.arange(network.n_agents), tree.parent, tree.distance])
        np.savetxt(file, table, fmt="%d", delimiter=",")
