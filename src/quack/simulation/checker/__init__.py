"""An independent judge of journals: what a simulated world wrote down either keeps the invariants or names who broke which.

It reads what `docs/journal.md` describes and shares no code with the agents that it judges: it has its own idea of what lies on a
disk, what a log holds, which reward the policy must be fed next and who the median is.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from quack.errors import SpecError
from quack.simulation.checker.custodians import Custodians
from quack.simulation.checker.disks import Disks
from quack.simulation.checker.leaders import Leaders
from quack.simulation.checker.rest import Rest
from quack.simulation.checker.words import KINDS, Notes, Violation

__all__ = ["Violation", "check"]

_MOST = 100  # violations: one mistake is often seen from many sides


def check(records: Iterable[Mapping[str, Any]], policy: Any = None) -> list[Violation]:
    """Return how a journal breaks the invariants of `docs/journal.md`: an empty list if it keeps them all.

    Parameters
    ----------
    records
        A journal, in the order in which things happened.
    policy
        The leaders' policy. With it, every decision is made again (I5); without it, only the order in which rewards are fed is
        looked at.

    Examples
    --------
    >>> journal = [
    ...     {"kind": "world", "at": 0.0, "format": 1, "seed": 0, "nodes": 1, "actions": 2, "edges": [], "means": [0.5, 0.4],
    ...      "policy": "UCB()", "horizon": 10, "policy_seed": 0, "run": 0, "arrivals": 1.0,
    ...      "settings": {"standbys": 0, "window": None, "capacity": 10, "log_capacity": 100, "hysteresis": 0.1}},
    ...     {"kind": "start", "at": 0.0, "node": 0, "boot": 1, "neighbours": [], "disk": 0},
    ...     {"kind": "claimed", "at": 1.0, "node": 0, "boot": 1, "epoch": [1, 0, 2], "log": []},
    ... ]
    >>> for violation in check(journal):
    ...     print(violation)
    I3 at 1: epoch (1, 0, 2) is claimed by node 0 in its life 1
    """
    journal = iter(records)
    world = next(journal, None)
    if world is None or world.get("kind") != "world" or world.get("format") != 1:
        raise SpecError("this is no journal: its first record must be of the kind 'world', of format 1")
    notes = Notes(world)
    disks = Disks(notes)
    leaders = Leaders(notes, disks, policy)
    parts = (disks, leaders, Custodians(notes, disks, leaders), Rest(notes, disks, leaders))
    handlers: dict[str, list[Callable[[Mapping[str, Any]], None]]] = {
        kind: [getattr(part, kind) for part in parts if hasattr(part, kind)] for kind in KINDS
    }
    for record in journal:
        kind = record["kind"]
        if kind not in handlers:
            raise SpecError(f"this is no journal: there are no records of the kind {kind!r}")
        notes.turn_to(record["at"])
        for handle in handlers[kind]:
            handle(record)
        if len(notes.violations) >= _MOST:
            break
    return notes.violations
