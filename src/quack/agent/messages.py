"""What agents say to each other: tuples of whole numbers, rewards and tuples of them."""

from typing import NamedTuple

from quack.agent.identities import Cover, Epoch, Order, Reward, RewardId, Ticket

__all__ = [
    "MESSAGES",
    "MOST",
    "PAYLOADS",
    "Acknowledgement",
    "Announcement",
    "Copied",
    "Copy",
    "Hello",
    "Instruction",
    "Known",
    "Limits",
    "Message",
    "Offer",
    "Payload",
    "Report",
    "Routed",
]

MOST = 2**48
"""Every whole number on the wire is smaller."""


class Hello(NamedTuple):
    """I am here; this is the fingerprint of my map, the highest epoch I heard of, the order I follow."""

    fingerprint: int
    top: Epoch
    order: Order | None


class Known(NamedTuple):
    """What my map is made of: (node, number, boot) of each announcement. The answer to another fingerprint."""

    announcements: tuple[tuple[int, int, int], ...]


class Announcement(NamedTuple):
    """A node's links, flooded. Of two of a node, the one with the higher (number, boot) is newer."""

    node: int
    number: int
    boot: int
    links: tuple[int, ...]  # neighbours that it hears, ascending
    term: int  # of the epoch in which it leads; 0: it does not
    able: bool  # whether it may lead, or keep copies: not when it is about to leave


class Instruction(NamedTuple):
    """The leader's order, on its way down the tree."""

    order: Order


class Offer(NamedTuple):
    """Rewards in custody, on their way to the leader of an epoch, in custody order."""

    source: int
    epoch: Epoch
    after: RewardId | None  # what stands before them in custody; None: the first of them is the first
    rewards: tuple[Reward, ...]
    left: int  # how many stand behind them


class Acknowledgement(NamedTuple):
    """What is durable at the leader of this epoch and at its standbys."""

    epoch: Epoch
    cover: Cover
    standbys: tuple[int, ...]  # on whose copies it relies


class Copy(NamedTuple):
    """A piece of the leader's log, for a standby."""

    source: int
    epoch: Epoch
    position: int
    rewards: tuple[Reward, ...]


class Copied(NamedTuple):
    """How much of the log a standby has."""

    source: int
    boot: int
    epoch: Epoch
    length: int


class Report(NamedTuple):
    """A reward that was reported to another node than the one that chose."""

    ticket: Ticket
    value: float


Payload = Offer | Acknowledgement | Copy | Copied | Report

PAYLOADS = (Offer, Acknowledgement, Copy, Copied, Report)


class Routed(NamedTuple):
    """A message from end to end, on its way over neighbours."""

    destination: int
    hops_left: int
    payload: Payload


Message = Hello | Known | Announcement | Instruction | Routed

MESSAGES = (Hello, Known, Announcement, Instruction, Routed)


class Limits(NamedTuple):
    """What a message may say in this network."""

    n_actions: int
    low: float
    high: float
