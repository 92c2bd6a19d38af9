"""What must be true when the world has come to rest (I2, I7), and how much may happen on the way."""

from collections import deque
from collections.abc import Mapping
from typing import Any

from quack.simulation.checker.disks import Disks
from quack.simulation.checker.leaders import Leaders
from quack.simulation.checker.words import Id, Notes, epoch

__all__ = ["Rest"]

# Everybody may claim at the beginning, and somebody again after each disturbance. Two that outbid each other claim for ever.
_CLAIMS_PER_NODE = 2

_SHOWN = 3  # ids in a sentence


class Rest:
    """The network as the operator made it, and the states of the nodes at the end."""

    def __init__(self, notes: Notes, disks: Disks, leaders: Leaders) -> None:
        self.notes = notes
        self.disks = disks
        self.leaders = leaders
        self.links: dict[int, set[int]] = {node: set() for node in range(notes.world["nodes"])}
        for a, b in notes.world["edges"]:
            self.links[a].add(b)
            self.links[b].add(a)
        self.states: dict[int, Mapping[str, Any]] = {}
        self.disturbances = 1

    def start(self, record: Mapping[str, Any]) -> None:
        """Count it."""
        self.disturbances += 1
        self.links.setdefault(record["node"], set())

    def crash(self, record: Mapping[str, Any]) -> None:
        """Count it, and forget the node's state."""
        self.disturbances += 1
        self.states.pop(record["node"], None)

    def cut(self, record: Mapping[str, Any]) -> None:
        """Count it: each link that changes is news for the map."""
        self.disturbances += len(record["links"])

    def healed(self, record: Mapping[str, Any]) -> None:
        """Count it."""
        self.disturbances += len(record["links"])

    def frozen(self, _: Mapping[str, Any]) -> None:
        """Count it: a node falls silent, and comes back."""
        self.disturbances += 2

    def garbage(self, _: Mapping[str, Any]) -> None:
        """Count it."""
        self.disturbances += 1

    def joined(self, record: Mapping[str, Any]) -> None:
        """Add a node."""
        self.disturbances += 1
        for neighbour in record["neighbours"]:
            self.links.setdefault(record["node"], set()).add(neighbour)
            self.links.setdefault(neighbour, set()).add(record["node"])

    def linked(self, record: Mapping[str, Any]) -> None:
        """Add one end of a link."""
        self.disturbances += 1
        self.links.setdefault(record["node"], set()).add(record["neighbour"])

    def unlinked(self, record: Mapping[str, Any]) -> None:
        """Remove one end of a link."""
        self.disturbances += 1
        self.links.setdefault(record["node"], set()).discard(record["neighbour"])

    def left(self, record: Mapping[str, Any]) -> None:
        """Remove a node and its links."""
        self.disturbances += 1
        self.states.pop(record["node"], None)
        for neighbour in self.links.pop(record["node"], set()):
            self.links.get(neighbour, set()).discard(record["node"])

    def state(self, record: Mapping[str, Any]) -> None:
        """Keep the latest."""
        self.states[record["node"]] = record

    def end(self, record: Mapping[str, Any]) -> None:
        """Judge the world at rest."""
        most = _CLAIMS_PER_NODE * len(self.links) + self.disturbances
        claims = self.leaders.claims
        self.notes.demand(claims <= most, "events", f"{claims} claims after {self.disturbances} disturbances; {most} at most")
        self.notes.demand(record["settled"], "I7", "the world did not come to rest")
        missing = self.links.keys() ^ self.states.keys()
        self.notes.demand(not missing, "I7", f"at the end there is no state of, or no place for, the nodes {sorted(missing)}")
        accepted: set[Id] = set()
        for part in self._parts():
            accepted |= self._judge(part)
        self._promises(accepted)

    def _promises(self, accepted: set[Id]) -> None:
        """Look for what was durable once and is in no log now, although a disk with it was never destroyed."""
        broken = [identity for identity in self.disks.promised if identity not in accepted and identity not in self.disks.lost]
        self.notes.demand(not broken, "I2", f"{len(broken)} rewards are lost: {broken[:_SHOWN]}")
        forgotten = list(self.disks.reported)
        self.notes.demand(not forgotten, "I2", f"{len(forgotten)} reported tickets never became rewards: {forgotten[:_SHOWN]}")
        ignored = list(self.disks.windows)
        self.notes.demand(not ignored, "window", f"{len(ignored)} choices never became rewards: {ignored[:_SHOWN]}")

    def _judge(self, part: Mapping[int, int]) -> set[Id]:
        """Judge a connected part of the network, whose nodes have these sums of distances; return its leader's log."""
        states = [self.states[node] for node in part if node in self.states]
        ruling = [epoch(state["leads"]) for state in states if state["leads"] is not None]
        if len(ruling) != 1 or ruling[0] not in self.leaders.reigns:
            self.notes.accuse("I7", f"{len(ruling)} nodes of {sorted(part)} lead: {ruling}")
            return set()
        (term,) = ruling
        hysteresis = self.notes.settings["hysteresis"]
        least = min(part, key=lambda node: (part[node], node))
        if part[term[1]] > (1.0 + hysteresis) * part[least]:
            self.notes.accuse("I7", f"{term} leads with Σd = {part[term[1]]}, and node {least} has {part[least]}")
        reign = self.leaders.reigns[term]
        for state in states:
            self._at_rest(state, term, part)
        if reign.committed != len(reign.log):
            self.notes.accuse("I7", f"{term} has committed {reign.committed} of {len(reign.log)} rewards")
        self._dense(set(reign.log))
        return set(reign.log)

    def _at_rest(self, state: Mapping[str, Any], term: tuple[int, int, int], part: Mapping[int, int]) -> None:
        """Judge one node."""
        node = state["node"]
        believed = None if state["leader"] is None else epoch(state["leader"])
        self.notes.demand(believed == term, "I7", f"node {node} takes {believed} for its leader, not {term}")
        order = None if state["order"] is None else (epoch(state["order"][0]), state["order"][1])
        last = self.leaders.last_order(term)
        self.notes.demand(order == last, "I7", f"node {node} follows {order}; the last order is {last}")
        if state["leads"] is None:
            self.notes.demand(state["held"] == 0, "I7", f"node {node} still holds {state['held']} rewards")
        self.notes.demand(state["open"] == 0, "I7", f"node {node} still awaits {state['open']} rewards")
        self.notes.demand(state["known"] == len(part), "I7", f"node {node} knows {state['known']} agents of {len(part)}")
        if state["distance"] is not None:
            self.notes.demand(
                state["distance"] == part[node], "I7", f"node {node} believes in Σd = {state['distance']}; it is {part[node]}"
            )

    def _dense(self, log: set[Id]) -> None:
        """Look whether the set of known ids can be kept as few intervals: no gaps but those of destroyed disks."""
        highest: dict[tuple[int, int], int] = {}
        for node, boot, serial in log:
            highest[node, boot] = max(highest.get((node, boot), -1), serial)
        for (node, boot), last in highest.items():
            gaps = [serial for serial in range(last) if (node, boot, serial) not in log]
            if unexplained := [serial for serial in gaps if (node, boot, serial) not in self.disks.lost]:
                self.notes.accuse(
                    "I6", f"the stream {(node, boot)} has gaps at {unexplained[:_SHOWN]}, and no disk was destroyed"
                )

    def _parts(self) -> list[dict[int, int]]:
        """Return the connected parts of the network: the sum of distances of each of their nodes."""
        distances = {node: self._distances(node) for node in self.links}
        parts: dict[frozenset[int], dict[int, int]] = {}
        for node, reached in distances.items():
            parts.setdefault(frozenset(reached), {})[node] = sum(reached.values())
        return list(parts.values())

    def _distances(self, source: int) -> dict[int, int]:
        """Return how far everybody is who can be reached over links that both ends have."""
        reached, queue = {source: 0}, deque([source])
        while queue:
            node = queue.popleft()
            for neighbour in self.links[node]:
                if neighbour not in reached and node in self.links.get(neighbour, ()):
                    reached[neighbour] = reached[node] + 1
                    queue.append(neighbour)
        return reached
