"""The exception tree: who is at fault, in one sentence each.

::

    QuackError
    ├── SpecError (also ValueError)      the caller's specification is impossible
    ├── StoreError                       a file cannot be written or is not what it should be
    ├── ProtocolError                    an agent was given what cannot be; its state is unchanged
    │   ├── LocalProtocolError           … by whoever runs it
    │   └── RemoteProtocolError          … by a neighbour
    └── MissingExtra (also ImportError)  a part of the package that is not installed is asked for

    Interrupted (a KeyboardInterrupt)    Ctrl-C: carries what was finished
    QuackWarning (a UserWarning)         something was done that the caller may not expect
"""

import difflib
from collections.abc import Iterable

__all__ = [
    "Interrupted",
    "LocalProtocolError",
    "MissingExtra",
    "ProtocolError",
    "QuackError",
    "QuackWarning",
    "RemoteProtocolError",
    "SpecError",
    "StoreError",
    "nearest",
]


class QuackError(Exception):
    """Whatever goes wrong in this package."""


class SpecError(QuackError, ValueError):
    """What the caller asked for is impossible; the sentence names the value and what would be accepted."""


class StoreError(QuackError):
    """A file cannot be written, or is not what it should be."""


class ProtocolError(QuackError):
    """An agent was given what cannot be. Its state is unchanged."""


class LocalProtocolError(ProtocolError):
    """An event that cannot happen: a mistake of whoever runs the agent."""


class RemoteProtocolError(ProtocolError):
    """A message that cannot be: a mistake, or worse, of a neighbour."""


class MissingExtra(QuackError, ImportError):  # noqa: N818 (it is read as a sentence: a missing extra)
    """A part of the package that is not installed; the sentence names the command that installs it."""


class QuackWarning(UserWarning):
    """Something was done that the caller may not expect."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C came while runs were under way.

    Attributes
    ----------
    partial : object
        What was finished by then: the `Comparison` of all complete runs, or None if no run was complete; of a study, the `Study`.
    """

    def __init__(self, partial: object) -> None:
        super().__init__("interrupted")
        self.partial = partial


def nearest(name: str, known: Iterable[str]) -> str:
    """Return " Did you mean …?" for a misspelt name, or nothing when no known name is close."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return f" Did you mean {by_folded[close[0]]!r}?" if close else ""
