"""The verb `quack leader`: who should lead a network, and at what price."""

import argparse
import csv
import functools
import io
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from quack.cli.screen import remark, show_table

if TYPE_CHECKING:
    from quack.networks import Network, Tree
    from quack.simulation.progress import Tell

__all__ = ["add"]

_EPILOG = """\
examples:
  quack leader grid:14x14
  quack leader barabasi-albert:1000000,3
  quack leader my-network.graphml --tree tree.csv
  quack leader cycle:64 --distributed

The leader is the graph's median: the agent with the smallest sum of distances Σd to all others, of several the lowest.
The bound on the group regret exceeds that of one agent playing alone by 3 Σd Σ_a Δ_a (Theorem 1).

--distributed lets the agents find it by themselves, each knowing its neighbours only, in the ways of `quack.appendix`: by the
paper's Best Leader (Appendix A, its election repaired); by the same without the step in which distances travel to the source,
where they are known already; by the same with all its searches side by side; and by flooding the network with everybody's list of
neighbours. A message is what one agent sends one neighbour in one round. Bytes: 7 bits of a whole number to a byte, 8 bytes for
any other number, no headers. At most 2,000 agents.
Then they play with the leader above, and pass orders and rewards along the tree, or by flooding (section 3.1), where no routes
need be known, but everything says who said it and when, and passes every link.
"""

_ACTIONS = 10


def add(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "leader",
        help="find the median of a network, the sum of distances, and the tree of messages",
        description="Find the agent that should lead a network, and the shortest-path tree of its orders and rewards.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("network", metavar="NAME|FILE", help="a network, as in `quack compare`")
    parser.add_argument("--leader", metavar="AGENT", default="median", help="look at this agent instead of the median")
    parser.add_argument("--tree", type=Path, metavar="FILE.csv", help="write agent, parent and distance of every agent")
    parser.add_argument(
        "--distributed", action="store_true", help="also let the agents find the leader themselves, and count their messages"
    )
    parser.set_defaults(verb=_leader)


def _leader(options: argparse.Namespace) -> int:
    from quack.appendix.ways import check_few
    from quack.networks import leader, read, shortest_path_tree
    from quack.store import check_writable

    if options.tree is not None:
        check_writable(options.tree)
    start = time.perf_counter()
    network = read(options.network)
    read_s = time.perf_counter() - start
    if options.distributed:
        check_few(network)
    start = time.perf_counter()
    chosen = leader(network, options.leader)
    search_s = time.perf_counter() - start
    tree = shortest_path_tree(network, chosen)
    show_table(network.name, (), _facts(network, tree, read_s, search_s))
    if options.tree is not None:
        _write_tree(options.tree, network, tree)
    if options.distributed:
        _show_distributed(network, tree, options.leader)
    return 0


def _show_distributed(network: "Network", tree: "Tree", chosen: str) -> None:
    """Let the agents find their leader in every way, and play some rounds with the one that was chosen."""
    from quack.appendix.learning import open_game, play
    from quack.appendix.ways import rounds_of_all, search
    from quack.environments import Bernoulli
    from quack.policies import Uniform
    from quack.simulation.progress import reporting

    m = network.n_agents
    with reporting(True, m * rounds_of_all(m)) as report:
        found = list(search(network, lambda rounds, way: report(m * rounds, way)))
    horizon = 2 * int(tree.distance.max()) + 2  # by then orders and rewards flow everywhere
    game = open_game(network, Uniform(), Bernoulli([0.5] * _ACTIONS), horizon, leader=chosen)
    costs = []
    for label, messages, rounds in (("along the tree", "tree", m + horizon), ("by flooding", "flooding", horizon)):
        with reporting(True, m * rounds) as report:
            played = play(network, game, messages, functools.partial(_report, report, m, f"learning {label}"))
        costs.append((label, *_numbers(*played.steady[1:])))
    show_table(
        "\nfound by the agents themselves",
        ("way", "leader", "Σd", "rounds", "messages", "bytes"),
        [(each.way, _named(network, each.leader), *_numbers(each.total, *each.traffic[:3])) for each in found],
    )
    show_table(
        f"\nround {horizon} of learning, {_ACTIONS} actions",
        ("orders and rewards", "messages", "bytes", "largest message"),
        costs,
    )


def _report(report: "Tell", m: int, doing: str, rounds: int) -> None:
    """Report rounds of all agents."""
    report(m * rounds, doing)


def _numbers(*numbers: int) -> tuple[str, ...]:
    return tuple(f"{number:,}" for number in numbers)


def _named(network: "Network", agent: int) -> str:
    """Return an agent's number, and the user's own name of it, if there is one."""
    return f"{agent}" if network.labels is None else f"{agent} ({network.label_of(agent)!r})"


def _facts(network: "Network", tree: "Tree", read_s: float, search_s: float) -> list[tuple[str, str]]:
    from quack.simulation.table import counted

    followers = np.delete(tree.subtree_sizes(), tree.root)
    total = int(tree.distance.sum())
    return [
        ("agents", f"{network.n_agents:,}"),
        ("edges", f"{network.n_edges:,}"),
        ("leader", _named(network, tree.root)),
        ("sum of distances Σd", f"{total:,}"),
        ("farthest agent", f"{counted(int(tree.distance.max()), 'hop')} away"),
        ("additive term of Theorem 1", f"{3 * total:,} ΣΔ"),
        ("most pairs that a follower sends in a round", f"{int(followers.max()) if len(followers) else 0:,}"),
        ("time to read the network", f"{read_s:.3f} s"),
        ("time to find the leader", f"{search_s:.3f} s"),
    ]


def _write_tree(path: Path, network: "Network", tree: "Tree") -> None:
    """Write the tree in the user's own names of the agents; the leader has no parent."""
    from quack.store import atomic_file

    with atomic_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        table = csv.writer(text, lineterminator="\n")
        table.writerow(("agent", "parent", "distance"))
        for agent, (parent, distance) in enumerate(zip(tree.parent.tolist(), tree.distance.tolist(), strict=True)):
            above = "" if agent == tree.root else network.label_of(parent)
            table.writerow((network.label_of(agent), above, distance))
        text.detach()
    remark(f"saved {path}")
