"""From a full journal back to agents: fed the recorded events, fresh agents must answer with the recorded effects."""

from collections.abc import Callable, Iterable
from typing import Any

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
    Unlinked,
)
from quack.agent.messages import Limits
from quack.agent.recovery import read_record
from quack.agent.wire import decode, read_ticket
from quack.errors import SpecError
from quack.simulation.faults import garble
from quack.simulation.journal import Fact, plain, written

__all__ = ["replay"]

_RULES = Rules()


def replay(records: Iterable[Fact], policy: Any, rules: Rules = _RULES) -> int:
    """Run the agents of a journal again; return how many steps were the same, and raise at the first that is not.

    Parameters
    ----------
    records
        A full journal: one with `step` records.
    policy
        The policy that the journal names.

    Examples
    --------
    >>> from quack.simulation.campaign import mixed
    >>> from quack.simulation.world import World
    >>> scenario = mixed(3)
    >>> replay(World(scenario, 3, full=True).run(), scenario.task.policy) > 1000
    True
    """
    journal = iter(records)
    world = next(journal, {"kind": "nothing"})
    if world["kind"] != "world":
        raise SpecError("this is no journal: its first record must be of the kind 'world'")
    again = _Again(world, policy, rules)
    handlers: dict[str, Callable[[Fact], None]] = {
        "start": again.start,
        "durable": again.durable,
        "destroyed": again.destroyed,
        "garbage": again.garbage,
        "step": again.step,
    }
    for record in journal:
        handle = handlers.get(record["kind"])
        if handle is not None:
            handle(record)
    if not again.steps:
        raise SpecError("the journal has no steps: only a full journal can be replayed")
    return again.steps


class _Again:
    """The agents and the disks of a journal."""

    def __init__(self, world: Fact, policy: Any, rules: Rules) -> None:
        self.task = Task(
            policy, world["actions"], world["horizon"], world["policy_seed"], world["run"], world["low"], world["high"]
        )
        self.settings = Settings(**world["settings"])
        self.limits = Limits(world["actions"], world["low"], world["high"])
        self.rules = rules
        self.agents: dict[int, Agent] = {}
        self.disks: dict[int, list[tuple[Any, ...]]] = {}
        self.steps = 0

    def start(self, record: Fact) -> None:
        """Begin a life with what is on the disk."""
        node = record["node"]
        disk = self.disks.setdefault(node, [])
        self.agents[node] = Agent(node, record["boot"], tuple(record["neighbours"]), self.task, self.settings, disk, self.rules)

    def durable(self, record: Fact) -> None:
        """Keep what was written."""
        self.disks.setdefault(record["node"], []).extend(read_record(entry) for entry in record["records"])

    def destroyed(self, record: Fact) -> None:
        """Forget it."""
        self.disks[record["node"]] = []

    def garbage(self, record: Fact) -> None:
        """Spread the same nonsense."""
        garble(self.agents[record["node"]], record["seed"], record["nodes"])

    def step(self, record: Fact) -> None:
        """Take the same step, and compare."""
        effects = [written(effect) for effect in self.agents[record["node"]].step(self._event(record["event"]))]
        if effects != plain(record["effects"]):
            raise SpecError(
                f"step {self.steps} of the journal, at {record['at']}, is another now: node {record['node']} answered "
                f"{effects} to {record['event']}, and had answered {record['effects']}"
            )
        self.steps += 1

    def _event(self, event: Any) -> Event:
        name, *fields = event
        if name == "Received":
            return Received(fields[0], decode(fields[1], self.limits))
        if name == "Rewarded":
            return Rewarded(read_ticket(fields[0]), fields[1])
        made: Event = _EVENTS[name](*fields)
        return made


_EVENTS: dict[str, Any] = {kind.__name__: kind for kind in (Ticked, Asked, Synced, Linked, Unlinked, Retiring)}
