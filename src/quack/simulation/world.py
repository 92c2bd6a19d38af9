"""A world under faults: agents, links, disks, applications and clocks, all driven by one seed. One seed is one world.

First a phase of faults, then a quiet one in which the world must come to rest. Everything that happens is written into the
journal (`docs/journal.md`); judging it is the checker's business.
"""

import heapq
from typing import Any

from quack.agent import Asked, Rewarded, Rules, Ticked, Ticket
from quack.agent.effects import Answered, Chose
from quack.agent.topology import distances
from quack.simulation.faults import INCIDENTS, connected
from quack.simulation.incidents import Incidents
from quack.simulation.journal import FORMAT, Fact
from quack.simulation.scenario import Scenario
from quack.tape import AGENT, Cell

__all__ = ["Scenario", "World"]

_RULES = Rules()
_LOOK_S = 25.0  # between two looks at everybody's state
_REST_S = 3.0  # between two looks whether the world is at rest


class World(Incidents):
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
        super().__init__(scenario, seed, rules, full=full, watch=watch)

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

    def _tick(self, node: int, boot: int) -> None:
        life = self.lives.get(node)
        if life is not None and life.boot == boot:
            self._push(1 / life.rate, "tick", node, boot)
            self._step(node, Ticked())
            # Who holds nothing any more may still be the only way between others.
            done = life.agent.retired and not self.disks[node].writing
            if node in self.leaving and done and connected(self.neighbours, set(self.neighbours) - {node}):
                self._go(node)
            if self.watch:
                self._watch()

    def _no_event(self, _node: int, _data: Any) -> None:
        pass

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

    # Looking

    def _look(self, _node: int, _data: Any) -> None:
        self._push(_LOOK_S, "look")
        for node, life in sorted(self.lives.items()):
            self._fact("state", node=node, boot=life.boot, **life.agent.state()._asdict())

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
