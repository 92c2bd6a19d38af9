"""QuACK by flooding: everybody passes everything on, so that no route need be known (section 3.1, last paragraph)."""

from collections import deque
from typing import NamedTuple

from quack.appendix.players import Player
from quack.appendix.programs import Inbox, Outbox, Place

__all__ = ["Flooding", "Letter", "Order", "Report"]


class Order(NamedTuple):
    """What the leader played in a round."""

    time: int
    action: int


class Report(NamedTuple):
    """What a follower played in a round, and what it was paid."""

    origin: int
    time: int
    action: int
    reward: float


class Letter(NamedTuple):
    """What an agent passes on in a round."""

    orders: tuple[Order, ...]
    reports: tuple[Report, ...]


class Flooding:
    """What an agent tells all its neighbours: what it saw itself, and what it has heard lately.

    Everything carries who said it and when. What has been heard before, known by origin and time, is neither passed on nor queued
    again, and a follower obeys the newest order. The first copy takes the shortest way, so orders and rewards arrive when they
    would along the tree.

    Parameters
    ----------
    place
        The agent.
    player
        What it plays.
    leader
        Whose orders count.
    repeats
        In how many rounds a piece of news is sent, ≥ 1. The paper suggests "everything they have been sent in the past m rounds",
        which is m; where no message is lost, 1 does the same.

    Notes
    -----
    The leader passes no reports on: they have arrived. So a copy of one may have to go around the leader, and come as late as
    m + `repeats` rounds after it was said. That long an agent remembers whom it has heard of: m · (m + `repeats` + 1) names at
    most.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", section 3.1.

    Examples
    --------
    >>> from quack.appendix.players import Senses
    >>> place = Place(agent=1, neighbours=(0, 2), n_agents=3)
    >>> player = Player(Senses(guess=lambda t: 4, reward=lambda action, t: 0.5))
    >>> program = Flooding(place, player, leader=0)
    >>> program.start()[0]
    Letter(orders=(), reports=(Report(origin=1, time=1, action=4, reward=0.5),))
    >>> program.step({0: Letter((Order(1, 3),), ())})[2]
    Letter(orders=(Order(time=1, action=3),), reports=(Report(origin=1, time=2, action=3, reward=0.5),))
    """

    def __init__(self, place: Place, player: Player, leader: int, repeats: int = 1) -> None:
        self._place = place
        self._player = player
        self._leader = leader
        self._repeats = repeats
        self._heard: dict[int, set[int]] = {}  # who said something, by the round in which it was said
        self._newest = 0  # the time of the order that is obeyed
        self._orders: deque[tuple[Order, ...]] = deque(maxlen=repeats)  # heard in the last rounds
        self._reports: deque[tuple[Report, ...]] = deque(maxlen=repeats)

    def start(self) -> Outbox:
        """Play the first round."""
        return self._play([], [])

    def step(self, inbox: Inbox) -> Outbox | None:
        """Take what is new, and play the next round."""
        orders = [order for letter in inbox.values() for order in letter.orders if self._is_new(self._leader, order.time)]
        reports = [report for letter in inbox.values() for report in letter.reports if self._is_new(*report[:2])]
        for order in orders:
            if order.time > self._newest:
                self._newest, self._player.order = order
        if self._player.leading is None:
            return self._play(orders, reports)
        for report in sorted(reports):
            self._player.hear(report.action, report.reward)
        return self._play([], [])  # whatever reaches the leader has arrived

    def _is_new(self, origin: int, time: int) -> bool:
        """Whether this has not been heard yet, and note that it has."""
        said = self._heard.setdefault(time, set())
        if origin in said:
            return False
        said.add(origin)
        return True

    def _play(self, orders: list[Order], reports: list[Report]) -> Outbox:
        """Play a round, and tell everybody what is new."""
        action, reward = self._player.play()
        now = len(self._player.actions)
        self._is_new(self._place.agent, now)
        if self._player.leading is None:
            reports.append(Report(self._place.agent, now, action, reward))
        else:
            orders.append(Order(now, action))
        self._heard.pop(now - self._place.n_agents - self._repeats, None)
        self._orders.append(tuple(orders))
        self._reports.append(tuple(reports))
        letter = Letter(tuple(o for told in self._orders for o in told), tuple(r for told in self._reports for r in told))
        return dict.fromkeys(self._place.neighbours, letter)
