"""What leaders accept, commit, feed to their policy and order (I1, I3, I5)."""

import math
from collections import defaultdict, deque
from collections.abc import Mapping
from typing import Any

from quack.simulation.checker.disks import Disks
from quack.simulation.checker.words import NO_ORDER, Content, Epoch, Id, Notes, Stream, epoch, ranges, reward
from quack.tape import policy_generator

__all__ = ["Leaders", "Reign"]


class Student:
    """The policy of one epoch, fed again: what it wants next follows from what it was fed."""

    def __init__(self, policy: Any, world: Mapping[str, Any]) -> None:
        self.policy = policy
        self.state = policy.init(world["actions"], world["horizon"])
        self.rng = policy_generator(world["policy_seed"], world["run"])
        self.wanted = int(policy.select(self.state, self.rng))

    def learn(self, content: Content) -> None:
        """Feed it a reward."""
        self.policy.update(self.state, content.action, content.value, self.rng)
        self.wanted = int(self.policy.select(self.state, self.rng))


class Reign:
    """One epoch: the log of a leader, and how far the policy has read it."""

    def __init__(self, student: Student | None) -> None:
        self.log: list[Id] = []
        self.place: dict[Id, int] = {}
        self.committed = 0
        self.counted: dict[Stream, set[int]] = defaultdict(set)  # serials that are committed
        self.queues: dict[int, deque[int]] | None = None  # by action, positions that were not fed yet; None before it opens
        self.orders = 0
        self.student = student
        self.over = False

    def append(self, identity: Id) -> bool:
        """Put a reward at the end of the log. False if it stands there already."""
        if identity in self.place:
            return False
        self.place[identity] = len(self.log)
        self.log.append(identity)
        return True


class Leaders:
    """All epochs of a world."""

    def __init__(self, notes: Notes, disks: Disks, policy: Any) -> None:
        self.notes = notes
        self.disks = disks
        self.policy = policy
        self.reigns: dict[Epoch, Reign] = {}
        self.ruling: dict[int, Epoch] = {}  # who leads now
        self.actions: dict[tuple[Epoch, int], int] = {}  # of each order that was given
        self.acknowledged_to: dict[tuple[Epoch, int], dict[Stream, set[int]]] = defaultdict(lambda: defaultdict(set))
        self.claims = 0
        self.claimed_at: dict[int, float] = {}  # when a life claimed last
        fastest = 1.0 + notes.world.get("faults", {}).get("drift", 0.0)  # ticks per second
        self.least_pause_s = notes.settings.get("settle", 0) / fastest

    def leads(self, node: int) -> bool:
        """Whether a node leads now."""
        return node in self.ruling

    def claimed(self, record: Mapping[str, Any]) -> None:
        """Begin an epoch."""
        node, boot, term = record["node"], record["boot"], epoch(record["epoch"])
        self.claims += 1
        pause_s = self.notes.at - self.claimed_at.get(node, -math.inf)
        if pause_s < self.least_pause_s:
            self.notes.accuse("events", f"node {node} claims again after {pause_s:g} s; {self.least_pause_s:g} s is least")
        self.claimed_at[node] = self.notes.at
        self.notes.demand(term[1:] == (node, boot), "I3", f"epoch {term} is claimed by node {node} in its life {boot}")
        if term in self.reigns:
            self.notes.accuse("I3", f"epoch {term} begins twice")
        if node in self.ruling:
            self.notes.accuse("I3", f"node {node} claims {term} while it leads {self.ruling[node]}")
        reign = self.reigns[term] = Reign(Student(self.policy, self.notes.world) if self.policy is not None else None)
        self.ruling[node] = term
        versions = []
        for written in record["log"]:
            identity, content = reward(written, self.notes)
            versions.append(content.version)
            self.notes.demand(reign.append(identity), "I1", f"reward {identity} is twice in the log of {term}")
        self.notes.demand(versions == sorted(versions), "I8", f"the log of {term} does not begin with the oldest versions")

    def logged(self, record: Mapping[str, Any]) -> None:
        """Accept a reward."""
        term, reign = self._reign(record)
        identity, content = reward(record["reward"], self.notes)
        if not reign.append(identity):
            self.notes.accuse("I1", f"reward {identity} is twice in the log of {term}")
        position = len(reign.log) - 1
        if record["position"] != position:
            self.notes.accuse("I1", f"{term} logs at {record['position']}, not at {position}")
        if reign.queues is not None:
            reign.queues[content.action].append(position)

    def opened(self, record: Mapping[str, Any]) -> None:
        """Line up what the policy will be fed: what was there before it opened by age, the rest as it came."""
        term, reign = self._reign(record)
        behind = record["position"]
        self.notes.demand(reign.queues is None, "I5", f"{term} opens twice")
        self.notes.demand(0 <= behind <= len(reign.log), "I5", f"{term} opens at {behind} of {len(reign.log)}")
        contents = self.notes.contents
        early = sorted(range(min(behind, len(reign.log))), key=lambda position: contents[reign.log[position]].version)
        reign.queues = defaultdict(deque)
        for position in (*early, *range(behind, len(reign.log))):
            reign.queues[contents[reign.log[position]].action].append(position)

    def committed(self, record: Mapping[str, Any]) -> None:
        """Look whether what is called committed lies on enough disks."""
        term, reign = self._reign(record)
        upto, standbys = record["position"], self.notes.settings["standbys"]
        if not reign.committed <= upto <= len(reign.log):
            self.notes.accuse("commit", f"{term} commits up to {upto}, of {len(reign.log)}, after {reign.committed}")
        for identity in reign.log[reign.committed : upto]:
            if not self.disks.holds(term[1], identity):
                self.notes.accuse("commit", f"{term} commits {identity}, which is not on its disk")
            copies = len(self.disks.copied.get((term, identity), set()) - {term[1]})
            if copies < standbys:
                self.notes.accuse("commit", f"{term} commits {identity} with {copies} of {standbys} copies")
            reign.counted[identity[:2]].add(identity[2])
        reign.committed = max(reign.committed, upto)

    def acknowledged(self, record: Mapping[str, Any]) -> None:
        """Look whether what is acknowledged is committed."""
        term, reign = self._reign(record)
        said = self.acknowledged_to[term, record["to"]]
        for stream, low, high in ranges(record["cover"]):
            new = set(range(low, high)) - said[stream]
            said[stream] |= new
            if missing := new - reign.counted.get(stream, set()):
                self.notes.accuse("acknowledge", f"{term} acknowledges {(*stream, min(missing))}, which is not committed")

    def consumed(self, record: Mapping[str, Any]) -> None:
        """Look whether the policy was fed what it wanted, and in order."""
        term, reign = self._reign(record)
        identity, content = reward(record["reward"], self.notes)
        position = reign.place.get(identity, len(reign.log))
        if position >= reign.committed:
            self.notes.accuse("commit", f"{term} consumes {identity}, which is not committed")
        queue = reign.queues[content.action] if reign.queues is not None else deque[int]()
        if not queue or queue.popleft() != position:
            self.notes.accuse("I5", f"{term} feeds {identity} out of turn")
        if reign.student is not None:
            wanted = reign.student.wanted
            if wanted != content.action:
                self.notes.accuse("I5", f"{term} feeds a reward of {content.action} to who wants {wanted}")
            reign.student.learn(content)

    def published(self, record: Mapping[str, Any]) -> None:
        """Look whether an order is what the policy wants."""
        term, reign = self._reign(record)
        ordering, sequence, action = epoch(record["order"][0]), record["order"][1], record["order"][2]
        reign.orders += 1
        self.notes.demand(ordering == term, "I3", f"{term} gives an order of {ordering}")
        self.notes.demand(sequence == reign.orders, "I3", f"order {sequence} of {term} is its {reign.orders}.")
        before = self.actions.setdefault((ordering, sequence), action)
        self.notes.demand(before == action, "I3", f"order {sequence} of {term} is {action}, and was {before}")
        if reign.student is not None:
            wanted = reign.student.wanted
            self.notes.demand(wanted == action, "I5", f"{term} orders {action}, and its policy wants {wanted}")

    def adopted(self, record: Mapping[str, Any]) -> None:
        """Look whether somebody gave that order."""
        term, sequence, action = epoch(record["order"][0]), record["order"][1], record["order"][2]
        given = self.actions.get((term, sequence))
        self.notes.demand(
            given == action, "I3", f"node {record['node']} follows order {sequence} of {term}: {action}, not {given}"
        )

    def yielded(self, record: Mapping[str, Any]) -> None:
        """End an epoch."""
        _, reign = self._reign(record)
        reign.over = True
        self.ruling.pop(record["node"], None)

    def garbage(self, record: Mapping[str, Any]) -> None:
        """Forget when a node claimed: it does not know itself."""
        self.claimed_at.pop(record["node"], None)

    def crash(self, record: Mapping[str, Any]) -> None:
        """End the epoch of a node that dies."""
        self.claimed_at.pop(record["node"], None)
        term = self.ruling.pop(record["node"], None)
        if term is not None:
            self.reigns[term].over = True

    def last_order(self, term: Epoch) -> tuple[Epoch, int]:
        """Return the version of the last order of an epoch."""
        reign = self.reigns[term]
        return (term, reign.orders) if reign.orders else NO_ORDER

    def _reign(self, record: Mapping[str, Any]) -> tuple[Epoch, Reign]:
        """Return the epoch of a record, and object if it is not the writer's."""
        term = epoch(record["epoch"] if "epoch" in record else record["order"][0])
        reign = self.reigns.get(term)
        if reign is None or reign.over or term[1:] != (record["node"], record["boot"]):
            self.notes.accuse("I3", f"node {record['node']} acts for {term}, which it does not lead ({record['kind']})")
        return term, reign if reign is not None else self.reigns.setdefault(term, Reign(None))
