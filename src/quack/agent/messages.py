"""What agents say to each other, and the check of what they hear.

A message is a tuple of whole numbers, rewards and tuples of them: `encode` makes lists of it, for any format that has lists, and
`decode` reads them. Whatever comes from outside passes `check`: no NaN, no infinity, nothing negative, nothing huge, no list
that is longer than a message may be.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from quack.agent.identities import Cover, Epoch, Order, Reward, RewardId, Ticket
from quack.errors import RemoteProtocolError

__all__ = [
    "MESSAGES",
    "MOST",
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
    "check",
    "decode",
    "encode",
    "read_reward",
    "read_ticket",
    "tuples",
]

MOST = 2**48
"""Every whole number on the wire is smaller."""

MOST_ITEMS = 2**16
"""The longest list on the wire."""


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


def check(message: Any, limits: Limits) -> None:
    """Refuse a message that no agent would send."""
    examine = _EXAMINERS.get(type(message))
    if examine is None:
        raise RemoteProtocolError(f"a message is {_shown(message)}; one of {', '.join(sorted(_KINDS))} is accepted")
    try:
        examine(message, limits)
    except (TypeError, ValueError, AttributeError, IndexError):
        raise RemoteProtocolError(f"a message is malformed: {_shown(message)}") from None


def encode(message: Message) -> list[Any]:
    """Return a message as lists, numbers, and its name in front.

    Examples
    --------
    >>> encode(Routed(3, 8, Copied(source=1, boot=4, epoch=(2, 3, 9), length=17)))
    ['Routed', 3, 8, ['Copied', 1, 4, [2, 3, 9], 17]]
    """
    plain: list[Any] = [type(message).__name__, *(_plain(field) for field in message)]
    return plain


def decode(plain: Any, limits: Limits) -> Message:
    """Read what `encode` wrote, and refuse what it cannot have written.

    Examples
    --------
    >>> decode(["Instruction", [[1, 0, 2], 1, 0]], Limits(n_actions=2, low=0.0, high=1.0))
    Instruction(order=Order(epoch=(1, 0, 2), sequence=1, action=0))
    """
    try:
        message = _read(plain)
    except (TypeError, ValueError, KeyError, IndexError, RecursionError):
        raise RemoteProtocolError(f"a message is malformed: {_shown(plain)}") from None
    check(message, limits)
    return message


def read_ticket(plain: Any) -> Ticket:
    """Read a ticket that was written as lists."""
    return Ticket(*tuples(plain))


def read_reward(plain: Any) -> Reward:
    """Read a reward that was written as lists."""
    return Reward(*tuples(plain))


def _plain(field: Any) -> Any:
    if type(field) in _PAYLOADS:
        return encode(field)
    return [_plain(part) for part in field] if isinstance(field, tuple) else field


def tuples(field: Any) -> Any:
    """Return lists as tuples, all the way down."""
    return tuple(tuples(part) for part in field) if isinstance(field, list | tuple) else field


def _read(plain: Any) -> Message:
    name, *fields = plain
    return _READERS[name](*fields) if name in _READERS else _KINDS[name](*map(tuples, fields))  # type: ignore[no-any-return]


def _order(field: Any) -> Order | None:
    return None if field is None else Order(*tuples(field))


def _rewards(field: Any) -> tuple[Reward, ...]:
    return tuple(map(read_reward, field))


_READERS: dict[str, Callable[..., Any]] = {
    "Hello": lambda fingerprint, top, order: Hello(fingerprint, tuples(top), _order(order)),
    "Instruction": lambda order: Instruction(Order(*tuples(order))),
    "Routed": lambda destination, hops, payload: Routed(destination, hops, _read(payload)),  # type: ignore[arg-type]
    "Offer": lambda source, epoch, after, rewards, left: Offer(source, tuples(epoch), tuples(after), _rewards(rewards), left),
    "Copy": lambda source, epoch, position, rewards: Copy(source, tuples(epoch), position, _rewards(rewards)),
    "Report": lambda ticket, value: Report(read_ticket(ticket), value),
}


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + " …"  # noqa: PLR2004 (a sentence, not a page)


def _refuse(what: str, value: Any, accepted: str) -> None:
    raise RemoteProtocolError(f"{what} is {_shown(value)}; {accepted} is accepted")


def check_number(what: str, value: Any, below: int = MOST) -> None:
    """Refuse what is no whole number from 0 to a limit."""
    if type(value) is not int or not 0 <= value < below:
        _refuse(what, value, f"a whole number from 0 to {below - 1}")


def check_value(value: Any, limits: Limits) -> None:
    """Refuse what is no reward."""
    if type(value) is not float or not math.isfinite(value) or not limits.low <= value <= limits.high:
        _refuse("a reward", value, f"a finite float from {limits.low:g} to {limits.high:g}")


def check_numbers(what: str, values: Any, length: int) -> None:
    """Refuse what is no tuple of so many whole numbers."""
    if type(values) is not tuple or len(values) != length:
        _refuse(what, values, f"a tuple of {length} whole numbers")
    for value in values:
        if type(value) is not int or not 0 <= value < MOST:
            check_number(what, value)


def check_version(version: Any) -> None:
    """Refuse what is no version."""
    if type(version) is not tuple or len(version) != 2:  # noqa: PLR2004 (epoch and sequence)
        _refuse("a version", version, "a pair of an epoch and a sequence")
    check_numbers("an epoch", version[0], 3)
    check_number("a sequence", version[1])


def check_order(order: Any, limits: Limits) -> None:
    """Refuse what is no order."""
    if type(order) is not Order:
        _refuse("an order", order, "an Order")
    check_numbers("an epoch", order.epoch, 3)
    check_number("a sequence", order.sequence)
    check_number("an action", order.action, limits.n_actions)
    if order.epoch[0] == 0 or order.sequence == 0:
        _refuse("an order", order, "one with a term and a sequence from 1 on")


def check_ticket(ticket: Any, limits: Limits) -> None:
    """Refuse what is no ticket."""
    if type(ticket) is not Ticket:
        _refuse("a ticket", ticket, "a Ticket")
    check_numbers("a ticket", ticket[:3], 3)
    check_version(ticket.version)
    check_number("an action", ticket.action, limits.n_actions)


def _items(what: str, items: Any) -> None:
    if type(items) is not tuple or len(items) > MOST_ITEMS:
        _refuse(what, items, f"a tuple of at most {MOST_ITEMS}")


def _check_rewards(rewards: Any, limits: Limits) -> None:
    """Refuse a list in which something is no reward. Good ones, which are many, pass in one comparison."""
    _items("a list of rewards", rewards)
    most_actions, low, high = limits
    good_version = None  # neighbours in a list often share it
    for reward in rewards:
        if type(reward) is not Reward:
            _refuse("a reward", reward, "a Reward")
        node, boot, serial, version, action, value = reward
        if version is not good_version:
            check_version(version)
            good_version = version
        if not (
            type(node) is type(boot) is type(serial) is type(action) is int
            and 0 <= node < MOST
            and 0 <= boot < MOST
            and 0 <= serial < MOST
            and 0 <= action < most_actions
        ):
            check_numbers("an id", reward[:3], 3)
            check_number("an action", action, most_actions)
        if type(value) is not float or not low <= value <= high or value - value != 0.0:  # of infinity or NaN it is NaN
            check_value(value, limits)


def _check_hello(message: Hello, limits: Limits) -> None:
    check_number("a fingerprint", message.fingerprint, 2**64)
    check_numbers("an epoch", message.top, 3)
    if message.order is not None:
        check_order(message.order, limits)


def _check_known(message: Known, _limits: Limits) -> None:
    _items("a list of announcements", message.announcements)
    for entry in message.announcements:
        check_numbers("an entry", entry, 3)


def _check_announcement(message: Any, _limits: Limits) -> None:
    check_numbers("an announcement", (message.node, message.number, message.boot, message.term), 4)
    _items("a list of links", message.links)
    below = -1
    for link in message.links:
        check_number("a link", link)
        if link <= below or link == message.node:
            _refuse("a list of links", message.links, "an ascending one without the node itself")
        below = link
    if type(message.able) is not bool:
        _refuse("able", message.able, "True or False")


def _check_instruction(message: Instruction, limits: Limits) -> None:
    check_order(message.order, limits)


def _check_offer(message: Offer, limits: Limits) -> None:
    check_number("a node", message.source)
    check_numbers("an epoch", message.epoch, 3)
    if message.after is not None:
        check_numbers("an id", message.after, 3)
    _check_rewards(message.rewards, limits)
    check_number("what is left", message.left)


def _check_acknowledgement(message: Acknowledgement, _limits: Limits) -> None:
    check_numbers("an epoch", message.epoch, 3)
    _items("a cover", message.cover)
    for node, boot, intervals in message.cover:
        check_numbers("a stream", (node, boot), 2)
        _items("a list of intervals", intervals)
        below = -1
        for interval in intervals:
            check_numbers("an interval", interval, 2)
            if not below < interval[0] < interval[1]:
                _refuse("a list of intervals", intervals, "an ascending one")
            below = interval[1]


def _check_copy(message: Copy, limits: Limits) -> None:
    check_numbers("a copy", (message.source, message.position), 2)
    check_numbers("an epoch", message.epoch, 3)
    _check_rewards(message.rewards, limits)


def _check_copied(message: Copied, _limits: Limits) -> None:
    check_numbers("an answer to a copy", (message.source, message.boot, message.length), 3)
    check_numbers("an epoch", message.epoch, 3)


def _check_report(message: Report, limits: Limits) -> None:
    check_ticket(message.ticket, limits)
    check_value(message.value, limits)


def _check_routed(message: Routed, limits: Limits) -> None:
    check_numbers("a route", (message.destination, message.hops_left), 2)
    if type(message.payload) not in _PAYLOADS:
        _refuse("what is routed", message.payload, "an offer, an acknowledgement, a copy, an answer to one, or a report")
    check(message.payload, limits)


_PAYLOADS = (Offer, Acknowledgement, Copy, Copied, Report)

_EXAMINERS: dict[type, Callable[[Any, Limits], None]] = {
    Hello: _check_hello,
    Known: _check_known,
    Announcement: _check_announcement,
    Instruction: _check_instruction,
    Routed: _check_routed,
    Offer: _check_offer,
    Acknowledgement: _check_acknowledgement,
    Copy: _check_copy,
    Copied: _check_copied,
    Report: _check_report,
}

_KINDS: dict[str, Any] = {kind.__name__: kind for kind in _EXAMINERS}
