"""Where agents live: nodes with disks and clocks, links between them, and a queue of what will happen."""

import heapq
import random
from collections import Counter
from typing import Any

from quack.agent import Agent, Event, Received, Retiring, Rewarded, Rules, Synced, Ticket
from quack.agent.effects import Answered, Chose, Effect, Send, Write
from quack.agent.messages import Message, Routed
from quack.simulation.faults import Disk
from quack.simulation.journal import Fact, written
from quack.simulation.scenario import Scenario
from quack.tape import open_tape

__all__ = ["Life", "Stage"]


class Life:
    """A node that runs."""

    __slots__ = ("agent", "boot", "outbox", "rate", "synced", "waiting")

    def __init__(self, agent: Agent, boot: int, rate: float) -> None:
        self.agent = agent
        self.boot = boot
        self.rate = rate  # ticks per second
        self.outbox: list[Send] = []
        self.synced = 0
        self.waiting = False  # whether a sync that was put off is under way


class Stage:
    """The state of a world, and what its nodes do by themselves."""

    def __init__(self, scenario: Scenario, seed: int, rules: Rules, *, full: bool, watch: bool) -> None:
        self.scenario = scenario
        self.seed = seed
        self.rules = rules
        self.full = full
        self.watch = watch
        self.rng = random.Random(f"{seed}")  # noqa: S311 (no secret)
        self.chance = random.Random(f"{seed} application")  # noqa: S311 (the application does the same whatever else happens)
        self.tape = open_tape(seed, 0)
        self.facts: list[Fact] = []
        self.now = 0.0
        self.events: Counter[str] = Counter()
        self.messages: Counter[str] = Counter()
        self.faults = scenario.faults.checked()
        self.neighbours: dict[int, set[int]] = {node: set(near) for node, near in enumerate(scenario.neighbours)}
        self.nodes = len(self.neighbours)  # numbers that were given so far
        self.disks = {node: Disk() for node in self.neighbours}
        self.rates = {node: self._rate() for node in self.neighbours}
        self.lives: dict[int, Life] = {}
        self.cut: Counter[tuple[int, int]] = Counter()
        self.frozen: dict[int, float] = {}
        self.leaving: set[int] = set()
        self.disks_left = self.faults.disks
        self.quiet = False
        self.drawn: Counter[int] = Counter()  # rewards read off the tape, by node
        self.unconfirmed: dict[int, dict[Ticket, float]] = {}  # what an application reports again after a crash
        self.tickets: list[tuple[int, Ticket, float]] = []
        self.troubled: float | None = None
        self.recoveries: list[float] = []
        self._queue: list[tuple[float, int, str, int, Any]] = []
        self._boots = 0
        self._pushed = 0

    # Nodes

    def _rate(self) -> float:
        drift = 1 + self.faults.drift
        return self.rng.uniform(1 / drift, drift)

    def _start(self, node: int, _data: Any) -> None:
        """Begin a life."""
        if node in self.lives or node not in self.neighbours:
            return
        self._boots += 1
        disk = self.disks[node]
        near = tuple(sorted(self.neighbours[node]))
        scenario = self.scenario
        agent = Agent(node, self._boots, near, scenario.task, scenario.settings, disk.durable, self.rules)
        life = self.lives[node] = Life(agent, self._boots, self.rates[node])
        self._fact("start", node=node, boot=life.boot, neighbours=near, disk=len(disk.durable))
        self._push(self.rng.random(), "tick", node, life.boot)
        if node in self.leaving:
            self._step(node, Retiring())
        for ticket, value in list(self.unconfirmed.get(node, {}).items()):
            self._push(1.0, "report", node, (ticket, value))

    def _end_life(self, node: int) -> None:
        """End a life; of what was being written, the beginning may have become durable."""
        life = self.lives.pop(node)
        disk = self.disks[node]
        if disk.writing and self.rng.random() < self.faults.torn:
            self._make_durable(node, life, self.rng.randint(0, len(disk.writing)))
        disk.writing.clear()
        self.frozen.pop(node, None)
        self._fact("crash", node=node, boot=life.boot, disk=len(disk.durable))

    def _step(self, node: int, event: Event) -> list[Effect]:
        """Give a node an event, and obey."""
        life = self.lives[node]
        effects = life.agent.step(event)
        if self.full:
            self._fact("step", node=node, boot=life.boot, event=written(event), effects=[written(effect) for effect in effects])
        if not effects:
            return effects
        disk = self.disks[node]
        for effect in effects:  # what the application did precedes what followed from it
            if type(effect) is Chose:
                self._fact("chosen", node=node, boot=life.boot, ticket=effect.ticket)
            elif type(effect) is Answered and type(event) is Rewarded:
                self._fact("rewarded", node=node, boot=life.boot, ticket=event.ticket, value=event.value, answer=effect.answer)
        for effect in effects:
            kind = type(effect)
            if kind is Send:
                life.outbox.append(effect)  # type: ignore[arg-type]
            elif kind is Write:
                disk.writing.append(effect.record)  # type: ignore[union-attr]
            elif kind not in _ANSWERS:
                fact = {"kind": _NAMES[kind], "at": self.now, "node": node, "boot": life.boot}
                fact.update(zip(effect._fields, effect, strict=True))
                self.facts.append(fact)
        self.barrier(node, life)
        return effects

    # Disks

    def barrier(self, node: int, life: Life) -> None:
        """Let the messages of a step leave when its records are durable."""
        disk = self.disks[node]
        if disk.writing:
            if self.rng.random() < self.faults.slow_sync:
                if not life.waiting:
                    life.waiting = True
                    self._push(self.rng.uniform(0.05, 2.0), "sync", node, life.boot)
                return
            self._sync(node, life)
        elif life.outbox:
            self._carry(node, life)

    def _sync(self, node: int, life: Life) -> None:
        """Make everything durable that is under way, let the messages leave, and say so."""
        life.waiting = False
        self._make_durable(node, life, len(self.disks[node].writing))
        self._carry(node, life)
        self._step(node, Synced(life.synced))

    def _late_sync(self, node: int, boot: int) -> None:
        life = self.lives.get(node)
        if life is not None and life.boot == boot and life.waiting:
            self._sync(node, life)

    def _make_durable(self, node: int, life: Life, count: int) -> None:
        first, records = self.disks[node].sync(count)
        life.synced += len(records)
        if records:
            self._fact("durable", node=node, boot=life.boot, first=first, records=records)
        outstanding = self.unconfirmed.get(node)
        if outstanding:
            for record in records:
                if record[0] == "report":
                    outstanding.pop(record[1], None)

    # Messages

    def _carry(self, node: int, life: Life) -> None:
        """Give the messages of a node to the network."""
        faults, cut, sent, queue, now = self.faults, self.cut, self.messages, self._queue, self.now
        loss, duplication, stuck, delay = faults.loss, faults.duplication, faults.stuck, faults.delay
        random = self.rng.random
        outbox, life.outbox = life.outbox, []
        for to, message in outbox:
            sent[type(message.payload if type(message) is Routed else message).__name__] += 1
            if (cut and (node, to) in cut) or (loss and random() < loss):
                continue
            for _ in range(2 if duplication and random() < duplication else 1):
                at = now + 0.01 + delay * random()
                if stuck and random() < stuck:
                    at += 5.0 + 85.0 * random()
                self._pushed += 1
                heapq.heappush(queue, (at, self._pushed, "message", to, (node, message)))

    def _message(self, node: int, data: tuple[int, Message]) -> None:
        life = self.lives.get(node)
        if life is not None and data[0] in life.agent.links:
            self._step(node, Received(*data))

    # What will happen, and what has

    def _push(self, after: float, kind: str, node: int = -1, data: Any = None) -> None:
        self._pushed += 1
        heapq.heappush(self._queue, (self.now + after, self._pushed, kind, node, data))

    def _fact(self, kind: str, **fields: Any) -> None:
        self.facts.append({"kind": kind, "at": self.now, **fields})


_ANSWERS = (Chose, Answered)
_NAMES = {kind: kind.__name__.lower() for kind in Effect.__args__ if kind not in (Send, Write)}
