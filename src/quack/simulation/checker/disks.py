"""What lies on each disk, and whether promises made on disks are kept (I2)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from quack.simulation.checker.words import Epoch, Id, Notes, Stream, Ticket, epoch, ranges, reward

__all__ = ["Disks"]


class Disk:
    """The rewards on one disk."""

    def __init__(self) -> None:
        self.length = 0  # records
        self.custody: dict[Stream, set[int]] = defaultdict(set)  # serials that its node answers for
        self.replicas: dict[Epoch, dict[Stream, set[int]]] = {}  # copies for a leader, while it leads

    def keep(self, identity: Id) -> None:
        """Take a reward into custody."""
        self.custody[identity[:2]].add(identity[2])

    def release(self, epochs: Iterable[Epoch]) -> None:
        """Make custody of the copies for leaders that lead no more."""
        for ended in list(epochs):
            for stream, serials in self.replicas.pop(ended, {}).items():
                self.custody[stream] |= serials

    def drop(self, stream: Stream, low: int, high: int) -> set[int]:
        """Let go of what is in custody of serials low ≤ serial < high; return those that lie nowhere else on the disk."""
        there = {serial for serial in self.custody.get(stream, ()) if low <= serial < high}
        if there:
            self.custody[stream] -= there
        for shelf in self.replicas.values():
            there -= shelf.get(stream, set())
        return there

    def rewards(self) -> set[Id]:
        """Return all that is on it."""
        shelves = (self.custody, *self.replicas.values())
        return {(*stream, serial) for shelf in shelves for stream, serials in shelf.items() for serial in serials}


class Disks:
    """All disks of a world, and who holds which reward."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.disks: dict[int, Disk] = defaultdict(Disk)
        self.holders: dict[Id, set[int]] = defaultdict(set)
        self.copied: dict[tuple[Epoch, Id], set[int]] = defaultdict(set)  # whose disk ever held a copy for that leader
        self.lost: set[Id] = set()  # every disk that held it was destroyed
        self.let_go: set[Id] = set()  # somebody dropped it
        self.ruined: Counter[Id] = Counter()  # how many disks with it were destroyed
        self.promised: dict[Id, Ticket] = {}
        self.reported: dict[Ticket, tuple[int, float]] = {}  # durable reports that are not in custody yet: on whose disk, what
        self.reader: dict[str, Callable[[int, Sequence[Any]], None]] = {
            "own": self._own,
            "log": self._log,
            "replica": self._replica,
            "drop": self._drop,
            "report": self._report,
            "lead": lambda node, _: self.disks[node].release(self.disks[node].replicas),
            "release": lambda node, line: self.disks[node].release([epoch(line[1])]),
            "yield": self._mark,
            "open": self._open,
        }
        self.windows: dict[Ticket, int] = {}  # choices whose window is open, and on whose disk
        self._ticket_of: dict[Ticket, Id] = {}

    def holds(self, node: int, identity: Id) -> bool:
        """Whether a reward lies on a disk."""
        return node in self.holders.get(identity, ())

    def custody(self, node: int) -> set[Id]:
        """Return what a node that starts now is the custodian of."""
        return {(*stream, serial) for stream, serials in self.disks[node].custody.items() for serial in serials}

    def durable(self, record: Mapping[str, Any]) -> None:
        """Read records that reached a disk."""
        node, disk = record["node"], self.disks[record["node"]]
        if record["first"] != disk.length:
            self.notes.accuse("disk", f"node {node} writes at {record['first']} on a disk of {disk.length} records")
        disk.length += len(record["records"])
        for line in record["records"]:
            self.reader[line[0]](node, line)

    def start(self, record: Mapping[str, Any]) -> None:
        """Compare what a node finds."""
        self._compare(record)

    def crash(self, record: Mapping[str, Any]) -> None:
        """Compare what a node leaves."""
        self._compare(record)

    def destroyed(self, record: Mapping[str, Any]) -> None:
        """Forget a disk; what lay on no other is lost."""
        node = record["node"]
        for identity in self.disks.pop(node, Disk()).rewards():
            self.holders[identity].discard(node)
            self.ruined[identity] += 1
            # Who let go of it was told that it lies on R + 1 disks: so many must be destroyed before it may be lost.
            enough = self.ruined[identity] > self.notes.settings["standbys"] or identity not in self.let_go
            if not self.holders[identity] and enough:
                self.lost.add(identity)
        for ticket in [ticket for ticket, (where, _) in self.reported.items() if where == node]:
            del self.reported[ticket]
        for ticket in [ticket for ticket, where in self.windows.items() if where == node]:
            del self.windows[ticket]

    def left(self, record: Mapping[str, Any]) -> None:
        """Forget the disk of a node that goes for good. What it has let go of may still lie there."""
        for identity in self.disks.pop(record["node"], Disk()).rewards():
            self._forget(record["node"], identity)

    def _compare(self, record: Mapping[str, Any]) -> None:
        node, length = record["node"], self.disks[record["node"]].length
        self.notes.demand(record["disk"] == length, "disk", f"node {node} has {record['disk']} records; {length} were written")

    def _hold(self, node: int, written: Sequence[Any]) -> Id:
        identity, _ = reward(written, self.notes)
        self.holders[identity].add(node)
        self.lost.discard(identity)
        return identity

    def _mark(self, node: int, line: Sequence[Any]) -> None:
        """Read a record that moves no reward."""

    def _open(self, node: int, line: Sequence[Any]) -> None:
        self.windows[tuple(line[1][:3])] = node

    def _own(self, node: int, line: Sequence[Any]) -> None:
        identity = self._hold(node, line[1])
        self.disks[node].keep(identity)
        ticket: Ticket = tuple(line[2][:3])
        self.promised[identity] = ticket
        counted = self._ticket_of.setdefault(ticket, identity)
        if counted != identity:
            self.notes.accuse("I1", f"ticket {ticket} counts twice: as reward {counted} and as {identity}")
        self.windows.pop(ticket, None)
        where, value = self.reported.pop(ticket, (node, self.notes.contents[identity].value))
        if value != self.notes.contents[identity].value:
            what = f"on the disk of {where} ticket {ticket} was reported {value}, and reward {identity} is"
            self.notes.accuse("I2", f"{what} {self.notes.contents[identity].value}")

    def _log(self, node: int, line: Sequence[Any]) -> None:
        self.disks[node].keep(self._hold(node, line[1]))

    def _replica(self, node: int, line: Sequence[Any]) -> None:
        leader, identity = epoch(line[1]), self._hold(node, line[2])
        self.copied[leader, identity].add(node)
        shelf = self.disks[node].replicas.setdefault(leader, defaultdict(set))
        shelf[identity[:2]].add(identity[2])

    def _drop(self, node: int, line: Sequence[Any]) -> None:
        for stream, low, high in ranges(line[1]):
            for serial in self.disks[node].drop(stream, low, high):
                self.let_go.add((*stream, serial))
                self._forget(node, (*stream, serial))

    def _forget(self, node: int, identity: Id) -> None:
        """Note that a node holds a reward no more, because it was told that others do."""
        self.holders[identity].discard(node)
        # An acknowledgement may arrive when the disks that it speaks of, the leader's and the standbys', are no more.
        if not self.holders[identity] and self.ruined[identity] > self.notes.settings["standbys"]:
            self.lost.add(identity)

    def _report(self, node: int, line: Sequence[Any]) -> None:
        ticket: Ticket = tuple(line[1][:3])
        if ticket not in self._ticket_of:
            self.reported[ticket] = node, line[2]
