"""A world under faults: agents, links, disks, applications and clocks, all driven by one seed. One seed is one world.

First a phase of faults, then a quiet one in which the world must come to rest. Everything that happens is written into the
journal (`docs/journal.md`); judging it is the checker's business.
"""

import heapq
import math
import random
from collections import Counter
from typing import Any, NamedTuple

from quack.agent import (
    Agent,
    Asked,
    Event,
    Linked,
    Received,
    Retiring,
    Rewarded,
    Rules,
    Settings,
    Synced,
    Task,
    Ticked,
    Ticket,
    Unlinked,
)
from quack.agent.effects import Answered, Chose, Effect, Send, Write
from quack.agent.messages import Message, Routed
from quack.agent.topology import distances
from quack.environments.base import Environment
from quack.simulation.faults import INCIDENTS, Disk, Faults, connected, garble
from quack.simulation.journal import FORMAT, Fact, written
from quack.tape import AGENT, Cell, open_tape

__all__ = ["Scenario", "World"]

_RULES = Rules()
_LOOK_S = 25.0  # between two looks at everybody's state
_REST_S = 3.0  # between two looks whether the world is at rest


class Scenario(NamedTuple):
    """What a world begins with.

    Parameters
    ----------
    neighbours
        The neighbours of each agent.
    environment : Environment
        What actions pay.
    task, settings
        What the agents learn, and the numbers of the protocol.
    faults
        What goes wrong.
    duration : float
        Seconds of the phase of faults.
    patience : float
        Seconds that the quiet phase may take.
    arrivals : float
        Choices per second at each node.
    report : float
        Seconds until a reward is reported, at most.
    forgotten, twice, elsewhere : float
        The probability that a reward is never reported, reported twice, reported to another node.
    clicks : bool
        Only rewards above 0 are reported: no report means 0. Needs a window.
    """

    neighbours: tuple[tuple[int, ...], ...]
    environment: Environment
    task: Task
    settings: Settings
    faults: Faults
    duration: float = 80.0
    patience: float = 700.0
    arrivals: float = 1.0
    report: float = 0.0
    forgotten: float = 0.0
    twice: float = 0.0
    elsewhere: float = 0.0
    clicks: bool = False


class _Life:
    """A node that runs."""

    __slots__ = ("agent", "boot", "outbox", "rate", "synced", "waiting")

    def __init__(self, agent: Agent, boot: int, rate: float) -> None:
        self.agent = agent
        self.boot = boot
        self.rate = rate  # ticks per second
        self.outbox: list[Send] = []
        self.synced = 0
        self.waiting = False  # whether a sync that was put off is under way


class World:
    """One world, from one seed.

    Parameters
    ----------
    scenario
        What it begins with.
    seed
        What happens.
    rules
        The rules of the agents: tests replace them one by one.
    full
        Write down every step too, so that the agents can be run again from the journal alone.
    watch
        Also note when the network recovers from incidents, in `recoveries`.

    Examples
    --------
    >>> from quack.simulation.campaign import mixed
    >>> facts = World(mixed(7), 7).run()
    >>> facts[0]["kind"], facts[-1]["kind"], facts[-1]["settled"]
    ('world', 'end', True)
    """

    def __init__(self, scenario: Scenario, seed: int, rules: Rules = _RULES, *, full: bool = False, watch: bool = False) -> None:
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
        self.lives: dict[int, _Life] = {}
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

    def run(self) -> list[Fact]:
        """Let the world happen; return its journal."""
        self._begin()
        deadline = self.scenario.duration + self.scenario.patience
        settled = False
        handlers = {
            "tick": self._tick,
            "message": self._message,
            "sync": self._late_sync,
            "choice": self._choice,
            "report": self._report,
            "start": self._start,
            "thaw": self._thaw,
            "heal": self._heal,
            "look": self._look,
            "rest": self._no_event,
            **{kind: getattr(self, "_" + kind) for kind in INCIDENTS},
        }
        while not settled and self._queue and self.now < deadline:
            at, _, kind, node, data = heapq.heappop(self._queue)
            if not self.quiet and at >= self.scenario.duration:
                self.now = self.scenario.duration
                self._calm()
            self.now = max(self.now, at)
            if kind == "rest":
                settled = self._at_rest()
                self._push(_REST_S, "rest")
                continue
            until = self.frozen.get(node)
            if until is not None and kind not in INCIDENTS and kind != "thaw":
                self._push(until - self.now, kind, node, data)
                continue
            self.events[kind] += 1
            handlers[kind](node, data)
        self._look(0, None)
        self._fact("end", settled=settled, events=dict(self.events), messages=dict(self.messages))
        return self.facts

    # The course of events

    def _begin(self) -> None:
        scenario = self.scenario
        task = scenario.task
        edges = sorted((a, b) for a, near in self.neighbours.items() for b in near if a < b)
        self._fact(
            "world",
            format=FORMAT,
            seed=self.seed,
            nodes=self.nodes,
            actions=task.n_actions,
            edges=edges,
            means=[float(mean) for mean in getattr(scenario.environment, "means", ())],
            environment=repr(scenario.environment),
            policy=repr(task.policy),
            horizon=task.horizon,
            policy_seed=task.seed,
            run=task.run,
            low=task.low,
            high=task.high,
            arrivals=scenario.arrivals,
            duration=scenario.duration,
            settings=scenario.settings._asdict(),
            faults=self.faults._asdict(),
        )
        for node in self.neighbours:
            self._start(node, None)
            self._push(self.chance.random(), "choice", node)
        for kind in INCIDENTS:
            self._next_incident(kind)
        self._push(_LOOK_S, "look")

    def _next_incident(self, kind: str) -> None:
        mean = getattr(self.faults, kind)
        if math.isfinite(mean):
            self._push(15.0 * (self.now == 0.0) + self.rng.expovariate(1 / mean), kind)

    def _calm(self) -> None:
        """Begin the quiet phase: everybody is back, links carry."""
        self.quiet = True
        self._fact("quiet")
        self.faults = self.faults.calmed()
        if self.cut:
            self._fact("healed", links=sorted(self.cut))
            self.cut.clear()
        self.frozen.clear()
        for node in self.neighbours:
            if node not in self.lives:
                self._start(node, None)
        self._push(_REST_S, "rest")

    def _no_event(self, _node: int, _data: Any) -> None:
        pass

    def _at_rest(self) -> bool:
        """Whether nothing is left to be done."""
        if self.leaving or any(life.outbox or self.disks[node].writing for node, life in self.lives.items()):
            return False
        if any(life.agent.custody.rewards for life in self.lives.values()):
            return False
        near = {node: tuple(others) for node, others in self.neighbours.items()}
        if any(life.agent.map.total_distance() != sum(distances(near, node).values()) for node, life in self.lives.items()):
            return False
        states = [life.agent.state() for life in self.lives.values()]
        leaders = [state for state in states if state.leads is not None]
        if len(leaders) != 1 or any(state.leader != leaders[0].leads or state.held or state.open for state in states):
            return False
        leader = leaders[0]
        median = min(state.distance for state in states)
        placed = leader.distance <= median * (1 + self.scenario.settings.hysteresis)
        wanted = leader.order is not None and leader.order.epoch == leader.leads and leader.committed == leader.log
        known = all(state.known == len(states) and state.order == leader.order for state in states)
        return placed and wanted and known and leader.order is not None and not leader.queued[leader.order.action]

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
        life = self.lives[node] = _Life(agent, self._boots, self.rates[node])
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

    def _tick(self, node: int, boot: int) -> None:
        life = self.lives.get(node)
        if life is not None and life.boot == boot:
            self._push(1 / life.rate, "tick", node, boot)
            self._step(node, Ticked())
            # Who holds nothing any more may still be the only way between others.
            if node in self.leaving and life.agent.retired and connected(self.neighbours, set(self.neighbours) - {node}):
                self._go(node)
            if self.watch:
                self._watch()

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

    def barrier(self, node: int, life: _Life) -> None:
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

    def _sync(self, node: int, life: _Life) -> None:
        """Make everything durable that is under way, let the messages leave, and say so."""
        life.waiting = False
        self._make_durable(node, life, len(self.disks[node].writing))
        self._carry(node, life)
        self._step(node, Synced(life.synced))

    def _late_sync(self, node: int, boot: int) -> None:
        life = self.lives.get(node)
        if life is not None and life.boot == boot and life.waiting:
            self._sync(node, life)

    def _make_durable(self, node: int, life: _Life, count: int) -> None:
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

    def _carry(self, node: int, life: _Life) -> None:
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

    # Applications

    def _choice(self, node: int, _data: Any) -> None:
        """An application asks for an action, and reports what it pays some time later, or twice, elsewhere, never."""
        if self.quiet or node not in self.neighbours:
            return
        chance, scenario = self.chance, self.scenario
        self._push(chance.expovariate(scenario.arrivals), "choice", node)
        draws = [chance.random() for _ in range(5)]
        self.drawn[node] += 1
        life = self.lives.get(node)
        if life is None or node in self.leaving:
            return
        tickets = [effect.ticket for effect in self._step(node, Asked()) if isinstance(effect, Chose)]
        ticket = tickets[0]
        value = float(scenario.environment.reward(ticket.action, Cell(self.tape, AGENT, node, self.drawn[node])))
        if scenario.clicks and value <= 0.0:
            return
        if draws[0] < scenario.forgotten:
            return
        if scenario.clicks:
            self.unconfirmed.setdefault(node, {})[ticket] = value
        to = node
        if draws[1] < scenario.elsewhere:
            others = sorted(self.lives)
            to = others[int(draws[2] * len(others))]
        for again in range(2 if draws[3] < scenario.twice else 1):
            after = draws[4] * scenario.report * (1 + again)
            if after > 0:
                self._push(after, "report", to, (ticket, value))
            else:
                self._report(to, (ticket, value))

    def _report(self, node: int, data: tuple[Ticket, float]) -> None:
        life = self.lives.get(node)
        if life is None:
            return
        answers = [effect.answer for effect in self._step(node, Rewarded(*data)) if isinstance(effect, Answered)]
        if answers[0] in ("expired", "full"):
            self.unconfirmed.get(data[0].node, {}).pop(data[0], None)

    # Incidents

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

    # Looking

    def _look(self, _node: int, _data: Any) -> None:
        self._push(_LOOK_S, "look")
        for node, life in sorted(self.lives.items()):
            self._fact("state", node=node, boot=life.boot, **life.agent.state()._asdict())

    def _trouble(self) -> None:
        if self.troubled is None:
            self.troubled = self.now

    def _watch(self) -> None:
        """Note how long it took until everybody follows the leader of whom it can hear."""
        if self.troubled is None or self.frozen:
            return
        up = set(self.lives)
        while up:
            part, frontier = set(), [min(up)]
            while frontier:
                node = frontier.pop()
                part.add(node)
                frontier.extend(
                    other
                    for other in self.neighbours[node] & up - part
                    if (node, other) not in self.cut and (other, node) not in self.cut
                )
            orders = {self.lives[node].agent.order for node in part}
            leads = {epoch for node in part if (epoch := self.lives[node].agent.leads_in()) is not None}
            if len(orders) != 1 or {order.epoch for order in orders if order is not None} != leads:
                return
            up -= part
        self.recoveries.append(self.now - self.troubled)
        self.troubled = None

    def _push(self, after: float, kind: str, node: int = -1, data: Any = None) -> None:
        self._pushed += 1
        heapq.heappush(self._queue, (self.now + after, self._pushed, kind, node, data))

    def _fact(self, kind: str, **fields: Any) -> None:
        self.facts.append({"kind": kind, "at": self.now, **fields})


_ANSWERS = (Chose, Answered)
_NAMES = {kind: kind.__name__.lower() for kind in Effect.__args__ if kind not in (Send, Write)}
