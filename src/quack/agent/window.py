"""From a choice to its reward: who may still report, and when the reward is released."""

from collections.abc import Iterator, Mapping

from quack.agent.identities import Ticket
from quack.agent.intervals import IntervalSet
from quack.agent.rules import Rules

__all__ = ["Reported", "Window"]


class _Open:
    """A choice whose window is open."""

    __slots__ = ("closes", "ticket", "value")

    def __init__(self, ticket: Ticket, closes: int, value: float | None = None) -> None:
        self.ticket = ticket
        self.closes = closes
        self.value = value


class Window:
    """Choices that await their rewards, in their order."""

    def __init__(self, rules: Rules, ticks: int, capacity: int, reopened: Mapping[Ticket, float | None]) -> None:
        self.rules = rules
        self.ticks = ticks
        self.capacity = capacity
        # A life that ended took its clock with it: the windows that it left open are open for their whole length again.
        self.open = {(ticket.boot, ticket.number): _Open(ticket, ticks, value) for ticket, value in reopened.items()}

    def __len__(self) -> int:
        return len(self.open)

    def choose(self, ticket: Ticket, now: int) -> bool:
        """Open the window of a choice; False if there are too many: its reward is lost, whatever it will be."""
        if len(self.open) >= self.capacity:
            return False
        self.open[ticket.boot, ticket.number] = _Open(ticket, now + self.ticks)
        return True

    def report(self, ticket: Ticket, value: float) -> str:
        """Note a reward; return what became of it."""
        entry = self.open.get((ticket.boot, ticket.number))
        if entry is None or entry.ticket != ticket:
            return "expired"
        if entry.value is not None:
            return "duplicate"
        entry.value = value
        return "accepted"

    def due(self, now: int) -> Iterator[tuple[Ticket, float | None]]:
        """Take out what is to be released, in the order of the choices. A rule decides; whoever stops early leaves the rest."""
        while self.open:
            key, entry = next(iter(self.open.items()))
            if not self.rules.releases(entry.value is not None, now, entry.closes):
                return
            del self.open[key]
            yield entry.ticket, entry.value

    def release_reported(self, ticket: Ticket, now: int) -> float | None:
        """Take out what was just reported, if a rule wants it released before its window closes."""
        entry = self.open[ticket.boot, ticket.number]
        if now >= entry.closes or not self.rules.releases(True, now, entry.closes):
            return None
        del self.open[ticket.boot, ticket.number]
        return entry.value


class Reported:
    """Without a window: which choices were reported. Of lives that this disk does not know, nothing is accepted."""

    def __init__(self, boot: int, most_gaps: int, numbers: Mapping[int, IntervalSet]) -> None:
        self.most_gaps = most_gaps
        self.numbers = {**numbers, boot: IntervalSet()}

    def report(self, ticket: Ticket) -> str:
        """Note that a choice is reported; return what became of it."""
        numbers = self.numbers.get(ticket.boot)
        if numbers is None:
            return "expired"
        if not numbers.add(ticket.number):
            return "duplicate"
        if len(numbers.intervals) > self.most_gaps:
            numbers.fill_lowest_gap()
        return "accepted"

    def gaps(self) -> int:
        """Return how many intervals are remembered."""
        return sum(len(numbers.intervals) for numbers in self.numbers.values())
