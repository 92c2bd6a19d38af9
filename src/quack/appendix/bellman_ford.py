"""Distributed Bellman-Ford: everybody learns its distance from a source, its parent, and its children (Appendix A.1)."""

from quack.appendix.programs import Inbox, Outbox, Place

__all__ = ["Adoption", "BellmanFord"]


class BellmanFord:
    """The distance of one agent from a source, and the neighbour through which it is that short.

    ::

        d_w ← min(d_w, 1 + min_{z ∈ N_w} d_z)
        P_w ← argmin_{z ∈ N_w} d_z   if d_w has fallen

    Each round sends d_w to every neighbour. It takes m − 1 rounds: then the farthest agent has heard, however long the way is.
    A distance is final after exactly d rounds.

    Parameters
    ----------
    place
        The agent.
    source
        Where distances are counted from.

    Notes
    -----
    An infinite distance is written m, which no distance reaches. Of several parents the lowest is taken.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Algorithm DBF in Appendix A.1.

    Examples
    --------
    >>> from quack.appendix.programs import Place
    >>> program = BellmanFord(Place(agent=2, neighbours=(1, 3), n_agents=4), source=0)
    >>> program.start()                                     # 4 stands for infinity
    {1: 4, 3: 4}
    >>> program.step({1: 1, 3: 4})
    {1: 2, 3: 2}
    >>> program.distance, program.parent
    (2, 1)
    """

    def __init__(self, place: Place, source: int) -> None:
        self._neighbours = place.neighbours
        self.distance = 0 if place.agent == source else place.n_agents
        self.parent: int | None = None

    def start(self) -> Outbox:
        """Send the distance."""
        return dict.fromkeys(self._neighbours, self.distance)

    def step(self, inbox: Inbox) -> Outbox | None:
        """Take the shortest way that the neighbours offer."""
        nearest = min(inbox.values())
        if nearest + 1 >= self.distance:
            return None
        self.distance = nearest + 1
        self.parent = min(z for z, distance in inbox.items() if distance == nearest)
        return self.start()


class Adoption:
    """Tell one's parent, and learn who one's children are: the last lines of DBF, one round.

    Parameters
    ----------
    place
        The agent.
    parent
        Its parent; None for the source.

    Examples
    --------
    >>> from quack.appendix.programs import Place
    >>> program = Adoption(Place(agent=2, neighbours=(1, 3), n_agents=4), parent=1)
    >>> program.start()
    {1: 2}
    >>> program.step({3: 3})
    >>> program.children
    (3,)
    """

    def __init__(self, place: Place, parent: int | None) -> None:
        self._agent = place.agent
        self._parent = parent
        self.children: tuple[int, ...] = ()

    def start(self) -> Outbox:
        """Send one's name to the parent."""
        return {} if self._parent is None else {self._parent: self._agent}

    def step(self, inbox: Inbox) -> Outbox | None:
        """Whoever calls is a child."""
        self.children = tuple(sorted(inbox.values()))
        return None
