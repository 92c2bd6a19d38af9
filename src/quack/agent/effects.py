"""What an agent answers.

Only two of them must be obeyed: `Send` and `Write`, and a message leaves only when the records that were written in its step or
before are durable. `Chose` and `Answered` are answers to the application; the rest are notices.
"""

from typing import Any, NamedTuple

from quack.agent.identities import Cover, Epoch, Order, Reward, RewardId, Ticket
from quack.agent.messages import Message

__all__ = [
    "Acknowledged",
    "Adopted",
    "Answered",
    "Chose",
    "Claimed",
    "Committed",
    "Consumed",
    "Dropped",
    "Effect",
    "Held",
    "Logged",
    "Offered",
    "Opened",
    "Published",
    "Retired",
    "Send",
    "Write",
    "Yielded",
]


class Send(NamedTuple):
    """Hand a message to a neighbour. It may be lost, late, doubled."""

    to: int
    message: Message


class Write(NamedTuple):
    """Append a record to the disk, and say `Synced` when it is durable."""

    record: tuple[Any, ...]


class Chose(NamedTuple):
    """The action to play, and what its reward is to be reported with."""

    ticket: Ticket


class Answered(NamedTuple):
    """What became of a report: accepted, duplicate, full, expired, forwarded, unreachable."""

    answer: str


class Held(NamedTuple):
    """A reward of this node is in custody, or in the log of this node that leads."""

    reward: Reward
    ticket: Ticket


class Offered(NamedTuple):
    """Rewards in custody were sent to the leader."""

    epoch: Epoch
    after: RewardId | None
    ids: tuple[RewardId, ...]
    left: int


class Dropped(NamedTuple):
    """Custody was handed over."""

    epoch: Epoch
    cover: Cover


class Claimed(NamedTuple):
    """The node leads from now on."""

    epoch: Epoch
    log: tuple[Reward, ...]


class Logged(NamedTuple):
    """The leader accepted a reward."""

    epoch: Epoch
    position: int
    reward: Reward
    source: int


class Opened(NamedTuple):
    """The leader begins to feed its policy: the log before this position by versions, the rest in its order."""

    epoch: Epoch
    position: int


class Committed(NamedTuple):
    """The log before this position is durable here and at the standbys."""

    epoch: Epoch
    position: int


class Consumed(NamedTuple):
    """The policy learnt from a reward."""

    epoch: Epoch
    reward: Reward


class Published(NamedTuple):
    """The leader gives a new order."""

    order: Order


class Adopted(NamedTuple):
    """The node follows another order."""

    order: Order


class Acknowledged(NamedTuple):
    """The leader told a custodian what is committed."""

    epoch: Epoch
    to: int
    cover: Cover


class Yielded(NamedTuple):
    """The node leads no more."""

    epoch: Epoch


class Retired(NamedTuple):
    """The node holds nothing any more; it may go."""


Effect = (
    Send
    | Write
    | Chose
    | Answered
    | Held
    | Offered
    | Dropped
    | Claimed
    | Logged
    | Opened
    | Committed
    | Consumed
    | Published
    | Adopted
    | Acknowledged
    | Yielded
    | Retired
)
