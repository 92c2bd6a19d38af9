"""Whatever comes from outside passes here: no NaN, no infinity, nothing negative, nothing huge, no list that is too long."""

import math
from collections.abc import Callable
from typing import Any

from quack.agent.identities import Order, Reward, Ticket
from quack.agent.messages import (
    MESSAGES,
    MOST,
    PAYLOADS,
    Acknowledgement,
    Announcement,
    Copied,
    Copy,
    Hello,
    Instruction,
    Known,
    Limits,
    Offer,
    Report,
    Routed,
)
from quack.errors import RemoteProtocolError

__all__ = ["check", "check_ticket", "check_value", "shown"]

_MOST_ITEMS = 2**16  # in a list


def check(message: Any, limits: Limits) -> None:
    """Refuse a message that no agent would send."""
    examine = _EXAMINERS.get(type(message))
    if examine is None:
        raise RemoteProtocolError(
            f"a message is {shown(message)}; one of {', '.join(sorted(kind.__name__ for kind in MESSAGES))} is accepted"
        )
    try:
        examine(message, limits)
    except (TypeError, ValueError, AttributeError, IndexError):
        raise RemoteProtocolError(f"a message is malformed: {shown(message)}") from None


def shown(value: Any) -> str:
    """Write what is refused for a sentence."""
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + " …"  # noqa: PLR2004 (a sentence, not a page)


def _refuse(what: str, value: Any, accepted: str) -> None:
    raise RemoteProtocolError(f"{what} is {shown(value)}; {accepted} is accepted")


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
    if type(items) is not tuple or len(items) > _MOST_ITEMS:
        _refuse(what, items, f"a tuple of at most {_MOST_ITEMS}")


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
    _items("a list of standbys", message.standbys)
    for node in message.standbys:
        check_number("a standby", node)
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
    if type(message.payload) not in PAYLOADS:
        _refuse("what is routed", message.payload, "an offer, an acknowledgement, a copy, an answer to one, or a report")
    check(message.payload, limits)


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
