"""What can happen to an agent. It has no other way to learn of anything, the time included."""

from typing import NamedTuple

from quack.agent.identities import Ticket
from quack.agent.messages import Message

__all__ = ["Asked", "Event", "Linked", "Received", "Retiring", "Rewarded", "Synced", "Ticked", "Unlinked"]


class Ticked(NamedTuple):
    """Time passes. Everything that the agent does after a while, it does after so many ticks."""


class Received(NamedTuple):
    """A neighbour's message arrived."""

    sender: int
    message: Message


class Asked(NamedTuple):
    """The application wants an action. Answered by `Chose`, at once and always."""


class Rewarded(NamedTuple):
    """The application reports the reward of a ticket. Answered by `Answered`."""

    ticket: Ticket
    value: float


class Synced(NamedTuple):
    """So many of the records that this life wrote are durable now, the first of them first."""

    records: int


class Linked(NamedTuple):
    """The operator made a link."""

    neighbour: int


class Unlinked(NamedTuple):
    """The operator removed a link."""

    neighbour: int


class Retiring(NamedTuple):
    """The operator wants the node to hand over what it holds, and go. When it can, it says `Retired`."""


Event = Ticked | Received | Asked | Rewarded | Synced | Linked | Unlinked | Retiring
