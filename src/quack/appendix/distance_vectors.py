"""All searches of Best Leader at once: whole tables of distances travel, and only what is new in them."""

from collections.abc import Mapping
from typing import NamedTuple

from quack.appendix.best_leader import Hop, Standing
from quack.appendix.election import Candidate
from quack.appendix.programs import Inbox, Life, Outbox, Place

__all__ = ["DistanceVectors", "News", "distance_vectors"]


class News(NamedTuple):
    """What an agent has learnt in a round."""

    hops: tuple[Hop, ...]  # agents that it had not heard of, and their distances from it
    candidates: tuple[Candidate, ...]  # sums of distances


class DistanceVectors:
    """The m runs of Bellman-Ford side by side, and the election with them.

    ::

        d_w[v] ← min(d_w[v], 1 + min_{z ∈ N_w} d_z[v])      for all v at once
        f_w = Σ_v d_w[v]                                     as soon as all v are known
        f of all agents, passed on                           the smallest leads

    Each round sends to every neighbour what is new. An agent knows that it has finished when it holds m sums; that takes 2D
    rounds, and one more to pass the last of them on.

    Parameters
    ----------
    place
        The agent.

    Examples
    --------
    >>> from quack.appendix.programs import Place
    >>> program = DistanceVectors(Place(agent=0, neighbours=(1,), n_agents=2))
    >>> program.start()
    {1: News(hops=(Hop(agent=0, distance=0),), candidates=())}
    >>> program.step({1: News((Hop(1, 0),), ())})
    {1: News(hops=(Hop(agent=1, distance=1),), candidates=(Candidate(value=1, agent=0),))}
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._silent = False
        self.distances: dict[int, int] = {place.agent: 0}
        self.parents: dict[int, int | None] = {place.agent: None}
        self.totals: dict[int, int] = {}

    @property
    def finished(self) -> bool:
        """Whether the agent knows the sums of all agents."""
        return len(self.totals) == self._place.n_agents

    def start(self) -> Outbox:
        """Send one's own name."""
        return self._tell([self._place.agent], self._add_up())

    def step(self, inbox: Inbox) -> Outbox | None:
        """Learn what is new, and pass it on."""
        candidates = []
        for news in inbox.values():
            for candidate in news.candidates:
                if candidate.agent not in self.totals:
                    self.totals[candidate.agent] = candidate.value
                    candidates.append(candidate)
        found = self._search(inbox)
        candidates += self._add_up()
        if self._silent and not found and not candidates:
            return None
        return self._tell(found, candidates)

    def _search(self, inbox: Mapping[int, News]) -> list[int]:
        """Take the shortest ways that the neighbours offer, of equal ones that of the lowest; return what has changed."""
        found: dict[int, None] = {}
        for neighbour in sorted(inbox):
            for agent, distance in inbox[neighbour].hops:
                if distance + 1 < self.distances.get(agent, self._place.n_agents):
                    self.distances[agent] = distance + 1
                    self.parents[agent] = neighbour
                    found[agent] = None
        return list(found)

    def _add_up(self) -> list[Candidate]:
        """Return the own sum when the last agent has been found."""
        if len(self.distances) < self._place.n_agents or self._place.agent in self.totals:
            return []
        self.totals[self._place.agent] = sum(self.distances.values())
        return [Candidate(self.totals[self._place.agent], self._place.agent)]

    def _tell(self, found: list[int], candidates: list[Candidate]) -> Outbox:
        self._silent = not found and not candidates
        if self._silent:
            return {}
        news = News(tuple(Hop(agent, self.distances[agent]) for agent in found), tuple(candidates))
        return dict.fromkeys(self._place.neighbours, news)


def distance_vectors(place: Place) -> Life[Standing]:
    """Find the best leader by distance vectors.

    Parameters
    ----------
    place
        The agent.

    Examples
    --------
    >>> from quack.appendix.rounds import run
    >>> from quack.networks import path
    >>> run(path(3), distance_vectors).results[0]
    Standing(leader=1, total=3, distance=1, parent=1)
    """
    program = DistanceVectors(place)
    yield program, None
    _, leader = min((total, agent) for agent, total in program.totals.items())
    return Standing(leader, program.totals[place.agent], program.distances[leader], program.parents[leader])
