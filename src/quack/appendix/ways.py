"""The ways in which a network finds its best leader by itself, side by side."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from quack.appendix.best_leader import Standing, best_leader, best_leader_as_printed
from quack.appendix.distance_vectors import distance_vectors
from quack.appendix.link_state import link_state, link_state_after_a_loss
from quack.appendix.programs import Life, Place
from quack.appendix.rounds import Traffic, run, untold
from quack.errors import SpecError
from quack.networks import Network, shortest_path_tree

__all__ = ["MOST_AGENTS", "WAYS", "Found", "check_few", "rounds_of_all", "search"]

MOST_AGENTS = 2000
"""Each agent keeps a table of all agents, and each of them is a Python object."""

WAYS: dict[str, Callable[[Place], Life[Standing]]] = {
    "Best Leader as printed": best_leader_as_printed,
    "without its convergecast": best_leader,
    "all its searches at once": distance_vectors,
    "link-state flooding": link_state,
}


class Found(NamedTuple):
    """What the agents have found out in one way."""

    way: str
    leader: int
    total: int  # Σ_w d_vw of the leader v
    traffic: Traffic


def search(network: Network, tell: Callable[[int, str], object] = untold) -> Iterator[Found]:
    """Find the best leader of a network in every way, and once more after a link has failed.

    A network that is a tree loses no link: it would fall apart.

    Parameters
    ----------
    network
        At most `MOST_AGENTS` agents.
    tell
        Called with the number of rounds so far, of all ways together, and what is under way.

    Examples
    --------
    >>> from quack.networks import grid
    >>> for found in search(grid(4, 4)):
    ...     print(f"{found.way:28} {found.leader} {found.traffic.rounds:4} {found.traffic.messages:6}")
    Best Leader as printed       5  528  16368
    without its convergecast     5  256  12288
    all its searches at once     5   13    560
    link-state flooding          5    6    216
    … after a link has failed    9    5     46
    """
    check_few(network)
    return _search(network, tell)


def _search(network: Network, tell: Callable[[int, str], object]) -> Iterator[Found]:
    before = 0
    for way, life in WAYS.items():
        outcome = run(network, life, tell=_telling(tell, before, way))
        yield _found(way, outcome.results, outcome.traffic())
        before += outcome.traffic().rounds
    spare = _spare_link(network)
    if spare is not None:
        after = run(network, lambda place: link_state_after_a_loss(place, spare))
        yield _found("… after a link has failed", after.results, after.phases[1].traffic)


def check_few(network: Network) -> None:
    """Refuse a network whose agents are too many to run one by one."""
    if network.n_agents > MOST_AGENTS:
        raise SpecError(
            f"{network.name} has {network.n_agents:,} agents; the programs of at most {MOST_AGENTS:,} agents are run one by one"
        )


def rounds_of_all(n_agents: int) -> int:
    """Return about how many rounds `search` takes: those whose number depends on m alone, which are nearly all."""
    m = n_agents
    return m * (m - 1 + 1 + m) + m + m * (m - 1) + m


def _telling(tell: Callable[[int, str], object], before: int, way: str) -> Callable[[int], object]:
    """Return what tells the rounds of one way as rounds of all."""
    return lambda rounds: tell(before + rounds, way)


def _found(way: str, standings: tuple[Standing, ...], traffic: Traffic) -> Found:
    """Make sure that all agents agree."""
    leaders = {standing.leader for standing in standings}
    if len(leaders) > 1:
        raise ValueError(f"{way}: the agents elected {sorted(leaders)}")
    (leader,) = leaders
    return Found(way, leader, standings[leader].total, traffic)


def _spare_link(network: Network) -> tuple[int, int] | None:
    """Return the first link that is not on the tree of agent 0, and therefore not needed to hold the network together."""
    parent = shortest_path_tree(network, 0).parent
    first, second = network.edges().T
    spare = np.flatnonzero((parent[first] != second) & (parent[second] != first))
    return (int(first[spare[0]]), int(second[spare[0]])) if len(spare) else None
