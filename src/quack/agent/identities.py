"""What has a name in the protocol: epochs, orders, tickets, rewards. All are tuples, compared from left to right."""

from typing import NamedTuple

__all__ = ["NO_EPOCH", "NO_VERSION", "Cover", "Epoch", "Order", "Reward", "RewardId", "Stream", "Ticket", "Version"]

Epoch = tuple[int, int, int]
"""A leadership: (term, node, boot). The boot keeps two lives of a node apart that do not know of each other."""

Version = tuple[Epoch, int]
"""Which order was followed: (epoch, sequence)."""

Stream = tuple[int, int]
"""The rewards that one life of a node accepted: (node, boot)."""

RewardId = tuple[int, int, int]
"""(node, boot, serial)."""

Cover = tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...]
"""A set of reward ids: for each stream, intervals low ≤ serial < high."""

NO_EPOCH: Epoch = (0, 0, 0)
NO_VERSION: Version = (NO_EPOCH, 0)


class Order(NamedTuple):
    """An instruction of a leader."""

    epoch: Epoch
    sequence: int
    action: int


class Ticket(NamedTuple):
    """A choice: the `number`-th of a life of a node. Whoever sees its reward reports it with the ticket."""

    node: int
    boot: int
    number: int
    version: Version
    action: int


class Reward(NamedTuple):
    """A reward in the network's custody.

    The serial is dense, unlike the ticket's number: choices that are never rewarded leave no gaps, so a set of serials is a few
    intervals.
    """

    node: int
    boot: int
    serial: int
    version: Version
    action: int
    value: float
