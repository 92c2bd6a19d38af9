"""What happens to the nodes and links of a simulated world, each after an exponential time: the bad half of the journal."""

import math
from typing import Any

from quack.agent import Linked, Retiring, Unlinked
from quack.simulation.faults import Disk, connected, garble
from quack.simulation.stage import Stage

__all__ = ["Incidents"]


class Incidents(Stage):
    """A stage on which things go wrong."""

    def _next_incident(self, kind: str) -> None:
        mean = getattr(self.faults, kind)
        if math.isfinite(mean):
            self._push(15.0 * (self.now == 0.0) + self.rng.expovariate(1 / mean), kind)

    def _trouble(self) -> None:
        if self.troubled is None:
            self.troubled = self.now

    def _up(self) -> list[int]:
        return sorted(self.lives)

    def _crash(self, _node: int, _data: Any) -> None:
        self._next_incident("crash")
        up = self._up()
        if self.quiet or not up:
            return
        leaders = [node for node in up if self.lives[node].agent.lead is not None]
        node = self.rng.choice(leaders if leaders and self.rng.random() < 0.5 else up)  # noqa: PLR2004 (leaders fall often)
        self._end_life(node)
        if self.disks_left > 0 and self.rng.random() < self.faults.destroyed:
            self.disks_left -= 1
            self.disks[node] = Disk()
            self.unconfirmed.pop(node, None)
            self._fact("destroyed", node=node)
        self._push(self.rng.uniform(0.5, max(0.6, self.faults.down)), "start", node)
        self._trouble()

    def _partition(self, _node: int, _data: Any) -> None:
        self._next_incident("partition")
        side = {node for node in self.neighbours if self.rng.random() < 0.5}  # noqa: PLR2004 (a fair coin)
        links = [(a, b) for a, near in self.neighbours.items() for b in sorted(near) if (a in side) != (b in side)]
        if self.rng.random() < 0.3:  # noqa: PLR2004 (sometimes a single link)
            a = self.rng.choice(sorted(self.neighbours))
            b = self.rng.choice(sorted(self.neighbours[a])) if self.neighbours[a] else a
            links = [(a, b), (b, a)]
        self._sever(links)

    def _one_way(self, _node: int, _data: Any) -> None:
        self._next_incident("one_way")
        links = [(a, b) for a, near in self.neighbours.items() for b in sorted(near)]
        self._sever([link for link in links if self.rng.random() < 0.25])  # noqa: PLR2004 (some of them)

    def _sever(self, links: list[tuple[int, int]]) -> None:
        if self.quiet or not links:
            return
        self.cut.update(links)
        self._fact("cut", links=links)
        self._push(self.rng.uniform(2, max(3.0, 1.5 * self.faults.down)), "heal", 0, links)
        self._trouble()

    def _heal(self, _node: int, links: list[tuple[int, int]]) -> None:
        if self.quiet:
            return
        self.cut.subtract(links)
        healed = [link for link in links if self.cut[link] <= 0]
        for link in healed:
            del self.cut[link]
        self._fact("healed", links=healed)
        self._trouble()

    def _freeze(self, _node: int, _data: Any) -> None:
        self._next_incident("freeze")
        up = self._up()
        if self.quiet or not up:
            return
        node = self.rng.choice(up)
        self.frozen[node] = self.now + self.rng.uniform(3, max(4.0, self.faults.down))
        self._fact("frozen", node=node, until=self.frozen[node])
        self._push(self.frozen[node] - self.now, "thaw", node)
        self._trouble()

    def _thaw(self, node: int, _data: Any) -> None:
        if self.frozen.get(node, math.inf) <= self.now:
            del self.frozen[node]

    def _garbage(self, _node: int, _data: Any) -> None:
        self._next_incident("garbage")
        up = self._up()
        if self.quiet or not up:
            return
        node, seed = self.rng.choice(up), self.rng.getrandbits(32)
        garble(self.lives[node].agent, seed, self.nodes)
        self._fact("garbage", node=node, boot=self.lives[node].boot, seed=seed, nodes=self.nodes)
        self._trouble()

    def _join(self, _node: int, _data: Any) -> None:
        self._next_incident("join")
        near = [node for node in sorted(self.neighbours) if node not in self.leaving]
        if self.quiet or not near:
            return
        chosen = sorted(self.rng.sample(near, min(len(near), self.rng.randint(1, 2))))
        node, self.nodes = self.nodes, self.nodes + 1
        self.neighbours[node] = set(chosen)
        self.disks[node], self.rates[node] = Disk(), self._rate()
        self._fact("joined", node=node, neighbours=chosen)
        for neighbour in chosen:
            self.neighbours[neighbour].add(node)
            self._fact("linked", node=neighbour, neighbour=node)
            if neighbour in self.lives:
                self._step(neighbour, Linked(node))
        self._start(node, None)
        self._push(self.chance.random(), "choice", node)
        self._trouble()

    def _leave(self, _node: int, _data: Any) -> None:
        self._next_incident("leave")
        staying = [node for node in sorted(self.lives) if node not in self.leaving]
        if self.quiet or len(self.neighbours) - len(self.leaving) <= self.scenario.settings.standbys + 2:
            return
        removable = [node for node in staying if connected(self.neighbours, set(self.neighbours) - self.leaving - {node})]
        if not removable:
            return
        node = self.rng.choice(removable)
        self.leaving.add(node)
        self._fact("leaving", node=node)
        self._step(node, Retiring())
        self._trouble()

    def _go(self, node: int) -> None:
        """Let a node that has handed over go for good."""
        del self.lives[node]
        self.leaving.discard(node)
        for neighbour in sorted(self.neighbours.pop(node)):
            self.neighbours[neighbour].discard(node)
            self._fact("unlinked", node=neighbour, neighbour=node)
            if neighbour in self.lives:
                self._step(neighbour, Unlinked(node))
        self.frozen.pop(node, None)
        self._fact("left", node=node)
