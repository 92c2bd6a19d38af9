"""What every node chooses, holds, offers and lets go (I4, I6, I8)."""

import bisect
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from quack.simulation.checker.disks import Disks
from quack.simulation.checker.leaders import Leaders
from quack.simulation.checker.words import NO_ORDER, Epoch, Id, Notes, Stream, Ticket, Version, epoch, ranges, reward, version

__all__ = ["Custodians"]


class Life:
    """One life of a node, as a custodian."""

    def __init__(self, boot: int) -> None:
        self.boot = boot
        self.following: Version = NO_ORDER
        self.heard = NO_ORDER[0]  # the highest epoch that it has certainly heard of
        self.garbled = False  # what it takes for its leader since may never have been
        self.order: Sequence[Any] | None = None
        self.choices = 0
        self.serials = 0
        self.last_ticket = (0, -1)  # boot and number of the ticket whose window closed last
        self.custody: dict[Stream, set[int]] = defaultdict(set)
        self.ages: list[tuple[Version, Id]] = []  # the same in the order of versions

    def take(self, identity: Id, age: Version) -> None:
        """Take into custody."""
        if identity[2] not in self.custody[identity[:2]]:
            self.custody[identity[:2]].add(identity[2])
            bisect.insort(self.ages, (age, identity))

    def let_go(self, gone: Iterable[tuple[Version, Id]]) -> None:
        """Hold it no more."""
        gone = set(gone)
        for _, identity in gone:
            self.custody[identity[:2]].discard(identity[2])
        self.ages = [entry for entry in self.ages if entry not in gone]

    def between(self, low: Version | None, high: Version) -> list[Id]:
        """Return what is held of versions between two, neither of them included."""
        first = 0 if low is None else bisect.bisect_right(self.ages, low, key=lambda entry: entry[0])
        return [identity for _, identity in self.ages[first : bisect.bisect_left(self.ages, high, key=lambda entry: entry[0])]]


class Custodians:
    """All nodes of a world."""

    def __init__(self, notes: Notes, disks: Disks, leaders: Leaders) -> None:
        self.notes = notes
        self.disks = disks
        self.leaders = leaders
        self.lives: dict[int, Life] = {}
        self.boots: dict[int, int] = {}
        self.said: dict[Ticket, set[float]] = defaultdict(set)  # what the application reported of a ticket
        self.tickets: dict[Ticket, tuple[Version, int]] = {}
        self.before: dict[tuple[Epoch, int, Id], set[Id | None]] = defaultdict(set)  # offered behind what
        self.counted: dict[tuple[int, int, Ticket], Id] = {}
        self.ticket_of: dict[Id, Ticket] = {}
        self.learnt: dict[tuple[Epoch, Ticket], Id] = {}  # as what a ticket entered a log

    def start(self, record: Mapping[str, Any]) -> None:
        """Begin a life: what was durable is in custody again."""
        node, boot = record["node"], record["boot"]
        self.notes.demand(boot > self.boots.get(node, 0), "I3", f"node {node} lives its life {boot} after {self.boots.get(node)}")
        self.boots[node] = boot
        life = self.lives[node] = Life(boot)
        for identity in self.disks.custody(node):
            life.take(identity, self.notes.contents[identity].version)

    def crash(self, record: Mapping[str, Any]) -> None:
        """End a life."""
        self.lives.pop(record["node"], None)

    def garbage(self, record: Mapping[str, Any]) -> None:
        """Note that its map is nonsense."""
        self._life(record).garbled = True

    def chosen(self, record: Mapping[str, Any]) -> None:
        """Look whether a choice follows the latest order."""
        node, life = record["node"], self._life(record)
        *ticket, followed, action = record["ticket"]
        if ticket != [node, life.boot, life.choices]:
            self.notes.accuse("I1", f"choice {life.choices} of node {node} has the ticket {ticket}")
        life.choices += 1
        self.tickets[tuple(ticket)] = version(followed), action
        if version(followed) != life.following or (life.order is not None and life.order[2] != action):
            self.notes.accuse("I4", f"node {node} plays {action} for {version(followed)}, and its order is {life.order}")

    def rewarded(self, record: Mapping[str, Any]) -> None:
        """Note what the application said."""
        if record["answer"] in {"accepted", "forwarded"}:
            self.said[tuple(record["ticket"][:3])].add(record["value"])

    def held(self, record: Mapping[str, Any]) -> None:
        """Take a new reward into custody: the next of its stream, once for its ticket, with the value that was said."""
        node, life = record["node"], self._life(record)
        identity, content = reward(record["reward"], self.notes)
        ticket: Ticket = tuple(record["ticket"][:3])
        if identity != (node, life.boot, life.serials):
            self.notes.accuse("I1", f"reward {life.serials} of node {node} in its life {life.boot} is called {identity}")
        life.serials += 1
        self.ticket_of[identity] = ticket
        twice = self.counted.setdefault((node, life.boot, ticket), identity)
        if twice != identity:
            self.notes.accuse("I1", f"ticket {ticket} counts twice: as reward {twice} and as {identity}")
        asked = self.tickets.get(ticket)
        if asked != (content.version, content.action):
            self.notes.accuse("I2", f"reward {identity} is of {content.version}, {content.action}; its ticket of {asked}")
        self._value(identity, ticket, content.value)
        if self.notes.settings["window"] is not None:
            if ticket[1:] <= life.last_ticket:
                self.notes.accuse("window", f"ticket {ticket} is released after {life.last_ticket}")
            life.last_ticket = ticket[1], ticket[2]
        if not self.leaders.leads(node):
            life.take(identity, content.version)
            own = sum(len(serials) for stream, serials in life.custody.items() if stream[0] == node)
            if own > self.notes.settings["capacity"]:
                self.notes.accuse("I6", f"node {node} holds {own} rewards of its own")

    def offered(self, record: Mapping[str, Any]) -> None:
        """Look whether rewards are offered in the order of custody, and none left out."""
        node, life, term = record["node"], self._life(record), epoch(record["epoch"])
        identities: list[Id] = [tuple(written) for written in record["ids"]]
        if not life.garbled:
            life.heard = max(life.heard, term)
        behind: Id | None = None if record["after"] is None else tuple(record["after"])
        contents = self.notes.contents
        low = None if behind is None else contents[behind].version
        for identity in identities:
            self.before[term, node, identity].add(behind)
            age = contents[identity].version
            same = behind is not None and low == age and behind[:2] == identity[:2]
            if (low is not None and age < low) or (same and behind is not None and behind[2] >= identity[2]):
                self.notes.accuse("I8", f"node {node} offers {identity} behind {behind}, which is younger")
            elif skipped := [other for other in life.between(low, age) if other != identity]:
                self.notes.accuse("I8", f"node {node} offers {identity} behind {behind}, and holds the older {skipped[0]}")
            behind, low = identity, age

    def logged(self, record: Mapping[str, Any]) -> None:
        """Look whether what comes before it in custody was accepted before it."""
        term, source = epoch(record["epoch"]), record["source"]
        identity: Id = tuple(record["reward"][:3])
        self._learn(term, identity)
        if source == record["node"]:
            return
        reign, before = self.leaders.reigns[term], self.before.get((term, source, identity), set())
        if not before:
            self.notes.accuse("I8", f"{term} accepts {identity} from {source}, who did not offer it")
        elif not any(behind is None or behind in reign.place for behind in before):
            self.notes.accuse("I8", f"{term} accepts {identity} from {source} before what precedes it in custody")

    def dropped(self, record: Mapping[str, Any]) -> None:
        """Let go of what the leader of an epoch has acknowledged, and of nothing else."""
        node, life, term = record["node"], self._life(record), epoch(record["epoch"])
        said = self.leaders.acknowledged_to.get((term, node), {})
        if term < life.heard:
            self.notes.accuse("custody", f"node {node} heeds an acknowledgement of {term}, and knows {life.heard}")
        gone = []
        for stream, low, high in ranges(record["cover"]):
            serials = {serial for serial in life.custody.get(stream, ()) if low <= serial < high}
            if unsaid := serials - said.get(stream, set()):
                self.notes.accuse("I2", f"node {node} drops {(*stream, min(unsaid))}, which {term} has not acknowledged to it")
            gone += [(self.notes.contents[*stream, serial].version, (*stream, serial)) for serial in serials]
        life.let_go(gone)

    def claimed(self, record: Mapping[str, Any]) -> None:
        """Turn custody into the beginning of a log: all of it."""
        life, log = self._life(record), {tuple(written[:3]) for written in record["log"]}
        for identity in log:
            self._learn(epoch(record["epoch"]), identity)
        missing = [identity for _, identity in life.ages if identity not in log]
        self.notes.demand(not missing, "I2", f"node {record['node']} leads without {missing[:1]}, which it holds")
        life.heard = max(life.heard, epoch(record["epoch"]))
        life.let_go(life.ages)

    def yielded(self, record: Mapping[str, Any]) -> None:
        """Turn a log into custody."""
        life = self._life(record)
        for identity in self.leaders.reigns[epoch(record["epoch"])].log:
            life.take(identity, self.notes.contents[identity].version)

    def adopted(self, record: Mapping[str, Any]) -> None:
        """Follow an order that is newer than the one before."""
        life, order = self._life(record), record["order"]
        newer = epoch(order[0]), order[1]
        if newer <= life.following:
            self.notes.accuse("I4", f"node {record['node']} follows {newer} after {life.following}")
        life.following, life.order, life.heard = newer, order, max(life.heard, newer[0])

    def state(self, record: Mapping[str, Any]) -> None:
        """Look at the bounds of memory."""
        settings, node = self.notes.settings, record["node"]
        most = settings.get("log_capacity")
        self.notes.demand(
            most is None or record["log"] <= most, "I6", f"node {node} has a log of {record['log']}, {most} at most"
        )
        self.notes.demand(record["open"] <= settings["capacity"], "I6", f"node {node} awaits rewards of {record['open']} tickets")

    def _learn(self, term: Epoch, identity: Id) -> None:
        """Look whether a log has a ticket twice: a life that died may have told of a reward that the next one releases again."""
        ticket = self.ticket_of.get(identity)
        if ticket is not None and (as_what := self.learnt.setdefault((term, ticket), identity)) != identity:
            self.notes.accuse("I1", f"{term} learns from ticket {ticket} twice: as {as_what} and as {identity}")

    def _value(self, identity: Id, ticket: Ticket, value: float) -> None:
        """Look whether a value is what the application said, or the default."""
        possible = set(self.said.get(ticket, ()))
        if self.notes.settings["window"] is not None:
            possible.add(self.notes.settings["default"])
        if value not in possible:
            self.notes.accuse("I2", f"reward {identity} is {value}; of its ticket {sorted(possible)} was said")

    def _life(self, record: Mapping[str, Any]) -> Life:
        """Return the life that a record speaks of, and object if it is not the node's."""
        life = self.lives.get(record["node"])
        if life is None or life.boot != record["boot"]:
            self.notes.accuse("journal", f"node {record['node']} does not live its life {record['boot']} ({record['kind']})")
            life = self.lives.setdefault(record["node"], Life(record["boot"]))
        return life
