"""The link-state map: what every node says of its links, and what follows from it. Who leads is a pure function of it."""

import hashlib
from collections.abc import Mapping

from quack.agent.identities import Epoch
from quack.agent.messages import MOST, Announcement

__all__ = ["Map", "adjacency", "distances", "leader", "median", "next_hop"]

Neighbours = Mapping[int, tuple[int, ...]]


def adjacency(announced: Mapping[int, Announcement]) -> dict[int, tuple[int, ...]]:
    """Return each node's neighbours: a link counts if both ends announce it.

    Examples
    --------
    >>> one, two = Announcement(1, 1, 1, (2, 3), 0, True), Announcement(2, 1, 1, (1,), 0, True)
    >>> adjacency({1: one, 2: two})
    {1: (2,), 2: (1,)}
    """
    links = {node: frozenset(announcement.links) for node, announcement in announced.items()}
    nobody: frozenset[int] = frozenset()
    return {
        node: tuple(link for link in announcement.links if node in links.get(link, nobody))
        for node, announcement in announced.items()
    }


def distances(neighbours: Neighbours, root: int) -> dict[int, int]:
    """Return the hops to a node from all that reach it, nearest first.

    Examples
    --------
    >>> distances({0: (1,), 1: (0, 2), 2: (1,), 7: ()}, 2)
    {2: 0, 1: 1, 0: 2}
    """
    hops = {root: 0}
    frontier = [root]
    while frontier:
        further = []
        for node in frontier:
            for neighbour in neighbours.get(node, ()):
                if neighbour not in hops:
                    hops[neighbour] = hops[node] + 1
                    further.append(neighbour)
        frontier = further
    return hops


def next_hop(neighbours: Neighbours, hops: Mapping[int, int], node: int) -> int | None:
    """Return the neighbour over which a node reaches the root of these distances: of those that are nearer, the lowest.

    Examples
    --------
    >>> square = {0: (1, 2), 1: (0, 3), 2: (0, 3), 3: (1, 2)}
    >>> next_hop(square, distances(square, 3), 0)
    1
    """
    nearer = hops.get(node, 0) - 1
    if nearer < 0:
        return None
    return min((neighbour for neighbour in neighbours[node] if hops.get(neighbour) == nearer), default=None)


def leader(announced: Mapping[int, Announcement], reachable: Mapping[int, int]) -> Epoch | None:
    """Return the epoch of who leads among the reachable: of those that claim the lead, the highest."""
    claims = [(term, node, announced[node].boot) for node in reachable if node in announced and (term := announced[node].term)]
    return max(claims, default=None)


def median(announced: Mapping[int, Announcement], neighbours: Neighbours, reachable: Mapping[int, int]) -> tuple[int, int] | None:
    """Return the smallest sum of distances among the reachable that may lead, and whose it is; of several the lowest.

    Examples
    --------
    >>> path = {node: Announcement(node, 1, 1, links, 0, True) for node, links in {0: (1,), 1: (0, 2), 2: (1,)}.items()}
    >>> near = adjacency(path)
    >>> median(path, near, distances(near, 0))
    (2, 1)
    """
    able = (node for node in reachable if node in announced and announced[node].able)
    return min(((sum(distances(neighbours, node).values()), node) for node in able), default=None)


class Map:
    """What a node knows of the network. What follows is computed when it is asked for, and kept until the map changes."""

    def __init__(self, me: int, most: int) -> None:
        self.me = me
        self.most = most
        self.announced: dict[int, Announcement] = {}
        self.forget()

    def forget(self) -> None:
        """Compute anew what follows, when it is asked for."""
        self._neighbours: dict[int, tuple[int, ...]] | None = None
        self._distances: dict[int, dict[int, int]] = {}
        self._median: tuple[int, int] | None = None
        self._leader: list[Epoch | None] = []
        self._fingerprint: int | None = None

    def put(self, new: Announcement) -> bool:
        """Take in an announcement; return whether anything follows from it, beyond its number."""
        old = self.announced.get(new.node)
        if old is None and len(self.announced) >= self.most:
            self._make_room()
        self.announced[new.node] = new
        if old is not None and old[2:] == new[2:]:
            self._fingerprint = None
            return False
        self.forget()
        return True

    def _make_room(self) -> None:
        """Forget the unreachable; if all are reachable, the map is as large as it may be, and the farthest goes."""
        reachable = self.distances(self.me)
        gone = [node for node in self.announced if node not in reachable] or [list(reachable)[-1]]
        for node in gone:
            self.announced.pop(node, None)

    def neighbours(self) -> dict[int, tuple[int, ...]]:
        """Return each node's neighbours."""
        if self._neighbours is None:
            self._neighbours = adjacency(self.announced)
        return self._neighbours

    def distances(self, root: int) -> dict[int, int]:
        """Return the hops to a node."""
        if root not in self._distances:
            self._distances[root] = distances(self.neighbours(), root)
        return self._distances[root]

    def hop(self, destination: int, node: int | None = None) -> int | None:
        """Return over whom this node, or another, reaches a destination."""
        return next_hop(self.neighbours(), self.distances(destination), self.me if node is None else node)

    def leader(self) -> Epoch | None:
        """Return the epoch of who leads, as this map says."""
        if not self._leader:
            self._leader.append(leader(self.announced, self.distances(self.me)))
        return self._leader[0]

    def median(self) -> tuple[int, int] | None:
        """Return the smallest sum of distances, and whose it is."""
        if self._median is None:
            self._median = median(self.announced, self.neighbours(), self.distances(self.me))
        return self._median

    def total_distance(self) -> int:
        """Return this node's own sum of distances."""
        return sum(self.distances(self.me).values())

    def standbys(self, count: int) -> list[int]:
        """Return the nearest others that may keep copies; of equally near ones the lowest."""
        hops = self.distances(self.me)
        able = [node for node in hops if node != self.me and node in self.announced and self.announced[node].able]
        return sorted(able, key=lambda node: (hops[node], node))[:count]

    def known(self) -> tuple[tuple[int, int, int], ...]:
        """Return what the map of the reachable is made of. Of the unreachable nothing is told: nobody could outbid it."""
        reachable = self.distances(self.me)
        entries = (self.announced[node] for node in reachable if node in self.announced)
        return tuple(sorted((entry.node, entry.number, entry.boot) for entry in entries))

    def fingerprint(self) -> int:
        """Return a number that differs if the map of the reachable differs."""
        if self._fingerprint is None:
            text = repr(self.known()).encode()
            self._fingerprint = int.from_bytes(hashlib.blake2b(text, digest_size=6).digest(), "big") % MOST
        return self._fingerprint
