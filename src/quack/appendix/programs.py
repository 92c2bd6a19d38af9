"""What the program of one agent is: it knows its neighbours, reads what they sent, and says what to send them next.

Time goes by in rounds. In a round every agent sends what stands in its outbox, hears what its neighbours sent, and writes its
next outbox. Nothing else passes between agents; `rounds.run` is the post office.
"""

import functools
from collections.abc import Generator, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

__all__ = ["Inbox", "Life", "Outbox", "Place", "Program", "size"]

Message = Any
"""A whole number of at least 0, a float, a tuple or frozenset of any number of these, or a record (`NamedTuple`) of all these.

A tuple or frozenset may hold records, too. A record's fields are always of the same types.
"""

Inbox = Mapping[int, Message]
"""What each neighbour sent in this round. Neighbours that sent nothing are not there."""

Outbox = dict[int, Message]
"""What goes to each neighbour."""

Result = TypeVar("Result")


class Place(NamedTuple):
    """What an agent knows when it begins: its name, its neighbours' names, and how many agents there are.

    Agents are called 0 … m − 1, and they know that.
    """

    agent: int
    neighbours: tuple[int, ...]  # ascending
    n_agents: int


class Program(Protocol):
    """What an agent does in a phase: a deterministic function of its state and its inbox."""

    def start(self) -> Outbox:
        """Return what to send in the first round."""

    def step(self, inbox: Inbox) -> Outbox | None:
        """Hear the messages of a round and return what to send in the next; None if nothing changed.

        None is a promise: state and outbox are as before, and they would be so again after the same inbox. A round in which
        everybody returns None is therefore repeated by all that follow.
        """


Life = Generator[tuple[Program, int | None], None, Result]
"""All phases of an agent: it yields a program and for how many rounds it runs, and returns what it has found out.

None instead of a number: until nobody sends anything. All agents yield the same kind of program for the same number of rounds,
which they can, because the number depends on m alone.
"""


def size(message: Message) -> int:
    """Return how many bytes a message takes.

    ::

        whole number n ≥ 0      7 bits to a byte, at least one byte (LEB128)
        other number            8 bytes (IEEE 754)
        record                  its fields, one after the other
        tuple or set            how many elements there are, then the elements

    The receiver knows from the phase what is coming, so no byte says so. Headers of a transport are not counted.

    Examples
    --------
    >>> size(127), size(128), size(0.5), size((1, 2, 300))
    (1, 2, 8, 5)
    """
    if isinstance(message, int):
        return (message.bit_length() + 6) // 7 or 1
    if isinstance(message, float):
        return 8
    content = sum(map(_remembered_size, message))
    return content if hasattr(message, "_fields") else size(len(message)) + content


# The same records travel again and again. By type, because records of different kinds may be equal as tuples.
_remembered_size = functools.lru_cache(maxsize=1 << 17, typed=True)(size)
