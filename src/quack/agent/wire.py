"""Messages as lists, for any format that has lists, numbers and texts; and back, checked."""

from collections.abc import Callable
from typing import Any

from quack.agent.checks import check, shown
from quack.agent.identities import Order, Reward, Ticket
from quack.agent.messages import MESSAGES, PAYLOADS, Copy, Hello, Instruction, Limits, Message, Offer, Report, Routed
from quack.errors import RemoteProtocolError

__all__ = ["decode", "encode", "read_reward", "read_ticket", "tuples"]


def encode(message: Message) -> list[Any]:
    """Return a message as lists, numbers, and its name in front.

    Examples
    --------
    >>> from quack.agent.messages import Copied, Routed
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
        raise RemoteProtocolError(f"a message is malformed: {shown(plain)}") from None
    check(message, limits)
    return message


def read_ticket(plain: Any) -> Ticket:
    """Read a ticket that was written as lists."""
    return Ticket(*tuples(plain))


def read_reward(plain: Any) -> Reward:
    """Read a reward that was written as lists."""
    return Reward(*tuples(plain))


def _plain(field: Any) -> Any:
    if type(field) in PAYLOADS:
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

_KINDS: dict[str, Any] = {kind.__name__: kind for kind in (*MESSAGES, *PAYLOADS)}
