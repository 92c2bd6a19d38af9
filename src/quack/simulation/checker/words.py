"""The words of a journal, as values that can be compared and kept in sets."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

__all__ = [
    "KINDS",
    "NO_ORDER",
    "Content",
    "Epoch",
    "Id",
    "Notes",
    "Stream",
    "Ticket",
    "Version",
    "Violation",
    "epoch",
    "ranges",
    "reward",
    "version",
]

KINDS = (
    *("start", "crash", "destroyed", "durable", "cut", "healed", "frozen", "garbage", "joined", "linked", "unlinked", "leaving"),
    *("left", "quiet", "state", "end", "step", "chosen", "rewarded", "held", "offered", "claimed", "logged", "opened"),
    *("committed", "consumed", "published", "adopted", "acknowledged", "dropped", "yielded", "retired"),
)

Epoch = tuple[int, int, int]  # term, node, boot
Version = tuple[Epoch, int]
Stream = tuple[int, int]  # node, boot
Id = tuple[int, int, int]  # node, boot, serial
Ticket = tuple[int, int, int]  # node, boot, number
NO_ORDER: Version = ((0, 0, 0), 0)


class Violation(NamedTuple):
    """What was broken, when, and by what."""

    rule: str
    at: float
    what: str

    def __str__(self) -> str:
        return f"{self.rule} at {self.at:g}: {self.what}"


class Content(NamedTuple):
    """What an id stands for."""

    version: Version
    action: int
    value: float


class Notes:
    """What all parts of the judge share: the world's numbers, what ids stand for, and what was found."""

    def __init__(self, world: Mapping[str, Any]) -> None:
        self.world = world
        self.settings: Mapping[str, Any] = world["settings"]
        self.contents: dict[Id, Content] = {}
        self.violations: list[Violation] = []
        self.at = 0.0

    def turn_to(self, at: float) -> None:
        """Note the time of the record that comes next."""
        if at < self.at:
            self.accuse("journal", f"time runs backwards, from {self.at:g}")
        self.at = at

    def accuse(self, rule: str, what: str) -> None:
        """Write down a violation."""
        self.violations.append(Violation(rule, self.at, what))

    def demand(self, holds: object, rule: str, what: str) -> None:
        """Write down a violation if something does not hold."""
        if not holds:
            self.accuse(rule, what)

    def learn(self, identity: Id, content: Content) -> None:
        """Note what an id stands for, and object if it stood for something else."""
        known = self.contents.setdefault(identity, content)
        if known != content:
            self.accuse("I1", f"reward {identity} is {content}, and was {known}")


def epoch(written: Sequence[int]) -> Epoch:
    """Read an epoch."""
    term, node, boot = written
    return term, node, boot


def version(written: Sequence[Any]) -> Version:
    """Read a version."""
    return epoch(written[0]), written[1]


def reward(written: Sequence[Any], notes: Notes) -> tuple[Id, Content]:
    """Read a reward: its id and what it stands for, which is noted."""
    node, boot, serial, followed, action, value = written
    identity, content = (node, boot, serial), Content(version(followed), action, value)
    notes.learn(identity, content)
    return identity, content


def ranges(cover: Sequence[Any]) -> Iterator[tuple[Stream, int, int]]:
    """Read a cover: streams with the first serial and the one behind the last."""
    for node, boot, intervals in cover:
        for low, high in intervals:
            yield (node, boot), low, high
