"""Link-state flooding: everybody announces its neighbours, so that everybody knows the graph and works out the leader itself."""

import functools
from typing import NamedTuple

from quack.appendix.best_leader import Standing
from quack.appendix.programs import Inbox, Life, Outbox, Place

__all__ = ["Announcement", "LinkState", "link_state", "link_state_after_a_loss"]


class Announcement(NamedTuple):
    """Whom an agent can talk to. A later version replaces an earlier one."""

    agent: int
    version: int
    neighbours: tuple[int, ...]


class LinkState:
    """The graph as one agent knows it.

    An announcement that is new to an agent goes on to every neighbour that has not just sent it. So it passes each link once, or
    twice if it comes to both ends in the same round, and reaches everybody after as many rounds as there are hops: D in all, and
    one more if some links still carry what is no news. An agent knows that it has the whole graph when everybody who is mentioned
    has spoken; it need not know how many there are.

    Parameters
    ----------
    place
        The agent.

    References
    ----------
    J. M. McQuillan, I. Richer, E. C. Rosen (1980). "The new routing algorithm for the ARPANET." IEEE Transactions on
    Communications 28.

    Examples
    --------
    >>> from quack.appendix.programs import Place
    >>> program = LinkState(Place(agent=1, neighbours=(0, 2), n_agents=3))
    >>> _ = program.start()
    >>> program.step({0: (Announcement(0, 1, (1,)),)})
    {2: (Announcement(agent=0, version=1, neighbours=(1,)),)}
    >>> program.finished                                    # nothing was heard of agent 2
    False
    """

    def __init__(self, place: Place) -> None:
        self._agent = place.agent
        self._neighbours = place.neighbours
        self._outbox: Outbox = {}
        self.graph: dict[int, Announcement] = {}
        self._fresh = self._announce()

    @property
    def finished(self) -> bool:
        """Whether the agent knows the links of everybody whom it has heard of."""
        return all(agent in self.graph for known in self.graph.values() for agent in known.neighbours)

    def lose(self, neighbour: int) -> None:
        """Notice that a link is gone; `start` says so to the neighbours that remain."""
        self._neighbours = tuple(other for other in self._neighbours if other != neighbour)
        self._fresh = self._announce()

    def start(self) -> Outbox:
        """Send the own announcement, if it is new."""
        self._outbox = dict.fromkeys(self._neighbours, self._fresh) if self._fresh else {}
        self._fresh = ()
        return self._outbox

    def step(self, inbox: Inbox) -> Outbox | None:
        """Keep what is new, and pass it on to those who have not sent it."""
        fresh: dict[Announcement, None] = {}
        for neighbour in sorted(inbox):
            for announcement in inbox[neighbour]:
                known = self.graph.get(announcement.agent)
                if known is None or known.version < announcement.version:
                    self.graph[announcement.agent] = announcement
                    fresh[announcement] = None
        if not fresh and not self._outbox:
            return None
        self._outbox = {}
        for neighbour in self._neighbours:
            sent = frozenset(inbox.get(neighbour, ()))
            if new := tuple(announcement for announcement in fresh if announcement not in sent):
                self._outbox[neighbour] = new
        return self._outbox

    def standing(self) -> Standing:
        """Return what follows from the graph: the same leader for everybody who knows the same graph."""
        survey = _survey(frozenset(self.graph.values()))
        _, leader = min((survey.totals[agent], agent) for agent in self.graph if survey.reaches(self._agent, agent))
        distance = survey.distance(self._agent, leader)
        reached = (other for other in self._neighbours if survey.reaches(self._agent, other))
        nearer = (other for other in reached if survey.distance(other, leader) < distance)
        return Standing(leader, survey.totals[self._agent], distance, min(nearer, default=None))

    def _announce(self) -> tuple[Announcement, ...]:
        """Write down the own links, in a new version."""
        before = self.graph.get(self._agent)
        own = Announcement(self._agent, 1 if before is None else before.version + 1, self._neighbours)
        self.graph[self._agent] = own
        return (own,)


def link_state(place: Place) -> Life[Standing]:
    """Find the best leader by link-state flooding.

    Parameters
    ----------
    place
        The agent.

    Examples
    --------
    >>> from quack.appendix.rounds import run
    >>> from quack.networks import path
    >>> run(path(3), link_state).results[0]
    Standing(leader=1, total=3, distance=1, parent=1)
    """
    program = LinkState(place)
    yield program, None
    return program.standing()


def link_state_after_a_loss(place: Place, lost: tuple[int, int]) -> Life[Standing]:
    """Find the best leader by link-state flooding; then a link is gone, its two ends say so, and the leader is found again.

    Parameters
    ----------
    place
        The agent.
    lost
        The ends of the link. If the network falls apart with it, each part finds a leader of its own.

    Examples
    --------
    >>> from quack.appendix.rounds import run
    >>> from quack.networks import path
    >>> outcome = run(path(3), lambda place: link_state_after_a_loss(place, (0, 1)))
    >>> [standing.leader for standing in outcome.results]
    [0, 1, 1]
    >>> [phase.traffic.messages for phase in outcome.phases]
    [6, 1]
    """
    program = LinkState(place)
    yield program, None
    if place.agent in lost:
        program.lose(lost[0] if place.agent == lost[1] else lost[1])
    yield program, None
    return program.standing()


class Survey(NamedTuple):
    """What follows from a graph. A ball is a set of agents, a bit for each."""

    bit: dict[int, int]
    balls: list[dict[int, int]]  # balls[t][v]: the agents at most t hops from v
    totals: dict[int, int]  # the sum of the distances of those that v can reach

    def reaches(self, agent: int, other: int) -> bool:
        """Whether a way from one to the other is known."""
        return bool(self.balls[-1][agent] & self.bit.get(other, 0))

    def distance(self, agent: int, other: int) -> int:
        """Return the number of hops."""
        return next(t for t, ball in enumerate(self.balls) if ball[agent] & self.bit[other])


@functools.lru_cache(maxsize=1)  # all agents of a network ask the same
def _survey(graph: frozenset[Announcement]) -> Survey:
    """Grow balls around all agents at once: Σ_w d_vw = Σ_t (agents that v reaches, but not in t hops).

    A link counts if both its ends announce it.
    """
    announced = {known.agent: known.neighbours for known in graph}
    links = {v: [w for w in those if v in announced.get(w, ())] for v, those in announced.items()}
    bit = {agent: 1 << place for place, agent in enumerate(links)}
    balls = [bit]
    while len(balls) == 1 or balls[-1] != balls[-2]:
        last = balls[-1]
        balls.append({v: functools.reduce(int.__or__, (last[w] for w in those), last[v]) for v, those in links.items()})
    totals = {v: sum(reached.bit_count() - ball[v].bit_count() for ball in balls) for v, reached in balls[-1].items()}
    return Survey(bit, balls, totals)
