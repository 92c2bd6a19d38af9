"""Leader election: the network agrees on the agent with the smallest value (Appendix A.2)."""

from typing import NamedTuple

from quack.appendix.programs import Inbox, Outbox, Place

__all__ = ["Candidate", "Election"]


class Candidate(NamedTuple):
    """An agent and its value. Candidates are compared by value first, then by name."""

    value: int
    agent: int


class Election:
    """The best candidate that an agent has heard of: the smallest value, of equal values the lowest name.

    ::

        S_w ← min({S_w} ∪ {S_z : z ∈ N_w}),   S_w = (f_w, w) in the beginning

    Each round sends S_w to every neighbour. After D rounds all hold the same candidate; m rounds are enough for those who do not
    know D. An agent is the leader if it holds itself.

    Parameters
    ----------
    place
        The agent.
    value
        f_w, a whole number of at least 0. The smallest wins.

    Notes
    -----
    Deviation: the smallest *state* is passed on, because the printed rule compares with the values that the neighbours began
    with, so that a value travels a single hop: on a path with the values 1, 5, 5, 2 it elects both ends.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Algorithm LE in Appendix A.2.

    Examples
    --------
    >>> from quack.appendix.programs import Place
    >>> program = Election(Place(agent=2, neighbours=(1, 3), n_agents=4), value=5)
    >>> program.step({1: Candidate(1, 0), 3: Candidate(5, 3)})
    {1: Candidate(value=1, agent=0), 3: Candidate(value=1, agent=0)}
    >>> program.elected
    False
    """

    def __init__(self, place: Place, value: int) -> None:
        self._neighbours = place.neighbours
        self._itself = Candidate(value, place.agent)
        self.best = self._itself

    @property
    def elected(self) -> bool:
        """Whether the agent holds itself for the best."""
        return self.best == self._itself

    def start(self) -> Outbox:
        """Send the best candidate."""
        return dict.fromkeys(self._neighbours, self.best)

    def step(self, inbox: Inbox) -> Outbox | None:
        """Keep the best of all."""
        best = min(inbox.values(), default=self.best)
        if best >= self.best:
            return None
        self.best = best
        return self.start()
