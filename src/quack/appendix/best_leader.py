"""Best Leader: the network elects the agent with the smallest sum of distances, its graph median (Appendix A.3)."""

from typing import NamedTuple

from quack.appendix.bellman_ford import Adoption, BellmanFord
from quack.appendix.election import Election
from quack.appendix.programs import Inbox, Life, Outbox, Place

__all__ = ["Convergecast", "Hop", "Standing", "best_leader", "best_leader_as_printed"]


class Standing(NamedTuple):
    """What an agent knows in the end."""

    leader: int
    total: int  # f_v: the sum of all agents' distances from this one
    distance: int  # from the leader
    parent: int | None  # the neighbour through which the leader is so near; None for the leader itself


class Hop(NamedTuple):
    """An agent and its distance from the source of a search."""

    agent: int
    distance: int


class Convergecast:
    """Everybody's distance, sent up the tree to its source.

    ::

        M_w ← M_w ∪ ⋃_{z ∈ C_w} M_z,   M_w = {(w, d_w)} in the beginning

    Each round sends M_w to the parent. It takes as many rounds as the farthest agent is away; m are enough.

    Parameters
    ----------
    place
        The agent.
    search, adoption
        What it knows from Bellman-Ford.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Algorithm Best Leader in Appendix A.3.

    Examples
    --------
    >>> from quack.appendix.programs import Place
    >>> place = Place(agent=1, neighbours=(0, 2), n_agents=3)
    >>> search = BellmanFord(place, source=0)
    >>> _ = search.step({0: 0, 2: 3})
    >>> adoption = Adoption(place, search.parent)
    >>> adoption.step({2: 2})
    >>> program = Convergecast(place, search, adoption)
    >>> _ = program.step({2: frozenset({Hop(2, 2)})})
    >>> sorted(program.heard)
    [Hop(agent=1, distance=1), Hop(agent=2, distance=2)]
    """

    def __init__(self, place: Place, search: BellmanFord, adoption: Adoption) -> None:
        self._parent = search.parent
        self._children = adoption.children
        self.heard = frozenset({Hop(place.agent, search.distance)})

    def start(self) -> Outbox:
        """Send all that was heard to the parent."""
        return {} if self._parent is None else {self._parent: self.heard}

    def step(self, inbox: Inbox) -> Outbox | None:
        """Add what the children have heard."""
        heard = self.heard.union(*(inbox[child] for child in self._children))
        if len(heard) == len(self.heard):
            return None
        self.heard = heard
        return self.start()


def best_leader_as_printed(place: Place) -> Life[Standing]:
    """Search from every agent in turn, collect the distances at the source, and elect the smallest sum.

    Rounds: m · ((m − 1) + 1 + m) + m.

    Parameters
    ----------
    place
        The agent.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Algorithm Best Leader in Appendix A.3.

    Examples
    --------
    >>> from quack.appendix.rounds import run
    >>> from quack.networks import path
    >>> run(path(3), best_leader_as_printed).results[0]
    Standing(leader=1, total=3, distance=1, parent=1)
    """
    m = place.n_agents
    searches: list[BellmanFord] = []
    total = 0
    for source in range(m):
        search = BellmanFord(place, source)
        yield search, m - 1
        adoption = Adoption(place, search.parent)
        yield adoption, 1
        collection = Convergecast(place, search, adoption)
        yield collection, m
        if source == place.agent:
            total = sum(hop.distance for hop in collection.heard)
        searches.append(search)
    return (yield from _elect(place, searches, total))


def best_leader(place: Place) -> Life[Standing]:
    """Search from every agent in turn, and elect the smallest sum, without collecting anything.

    Links go both ways, so d_vw = d_wv: when the searches from all w are over, v knows all its distances already, and adds up its
    own table. Rounds: m · (m − 1) + m.

    Parameters
    ----------
    place
        The agent.

    Examples
    --------
    >>> from quack.appendix.rounds import run
    >>> from quack.networks import path
    >>> run(path(3), best_leader).results[0]
    Standing(leader=1, total=3, distance=1, parent=1)
    """
    searches: list[BellmanFord] = []
    for source in range(place.n_agents):
        search = BellmanFord(place, source)
        yield search, place.n_agents - 1
        searches.append(search)
    return (yield from _elect(place, searches, sum(search.distance for search in searches)))


def _elect(place: Place, searches: list[BellmanFord], total: int) -> Life[Standing]:
    """Elect the smallest sum of distances."""
    election = Election(place, total)
    yield election, place.n_agents
    leader = election.best.agent
    return Standing(leader, total, searches[leader].distance, searches[leader].parent)
