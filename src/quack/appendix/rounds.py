"""Runs the programs of all agents round by round, carries their messages, and counts them."""

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from quack.appendix.programs import Life, Outbox, Place, Program, size
from quack.networks import Network

__all__ = ["Outcome", "Phase", "Traffic", "run", "untold"]

Result = TypeVar("Result")


class Traffic(NamedTuple):
    """What was sent.

    A message is what one agent sends one neighbour in one round; its bytes are those of `programs.size`.
    """

    rounds: int = 0
    messages: int = 0
    n_bytes: int = 0
    largest: int = 0  # bytes of the largest message

    def then(self, other: "Traffic") -> "Traffic":
        """Return the traffic of both, one after the other."""
        return Traffic(
            self.rounds + other.rounds,
            self.messages + other.messages,
            self.n_bytes + other.n_bytes,
            max(self.largest, other.largest),
        )


class Phase(NamedTuple):
    """What was sent in one phase."""

    program: str
    traffic: Traffic
    last: Traffic  # what was sent in its last round


class Outcome(NamedTuple, Generic[Result]):
    """What the agents found out, each for itself, and what that cost."""

    results: tuple[Result, ...]
    phases: tuple[Phase, ...]

    def traffic(self, *programs: str) -> Traffic:
        """Return the traffic of the phases of these programs, of all phases if none is named."""
        total = Traffic()
        for phase in self.phases:
            if not programs or phase.program in programs:
                total = total.then(phase.traffic)
        return total


def untold(*_progress: object) -> None:
    """Tell nobody how far it is."""


def run(
    network: Network,
    life: Callable[[Place], Life[Result]],
    *,
    every_step: bool = False,
    tell: Callable[[int], object] = untold,
) -> Outcome[Result]:
    """Let every agent of a network live, phase after phase.

    An agent is not asked again after a step in which nothing changed until its inbox changes, and a phase in which everybody is
    at rest is over: programs are deterministic, so what remains repeats the last round and can be counted without being executed.

    Parameters
    ----------
    network
        Who can talk to whom.
    life
        The phases of an agent, given its place.
    every_step
        Execute every step of every agent. The outcome is the same; tests compare.
    tell
        Called after each round that is executed, with the number of rounds so far.

    Examples
    --------
    >>> from quack.appendix.best_leader import best_leader_as_printed
    >>> from quack.networks import path
    >>> outcome = run(path(4), best_leader_as_printed)
    >>> [standing.leader for standing in outcome.results], outcome.traffic().rounds
    ([1, 1, 1, 1], 36)
    """
    neighbours = [tuple(network.neighbours_of(v).tolist()) for v in range(network.n_agents)]
    lives = [life(Place(v, those, network.n_agents)) for v, those in enumerate(neighbours)]
    results: dict[int, Result] = {}
    phases: list[Phase] = []
    while len(results) < len(lives):
        turns = []
        for agent, existence in enumerate(lives):
            try:
                turns.append(next(existence))
            except StopIteration as end:
                results[agent] = end.value
        if turns:
            phases.append(_play(turns, neighbours, _after(phases, tell), every_step=every_step))
    return Outcome(tuple(results[agent] for agent in range(len(lives))), tuple(phases))


def _after(phases: list[Phase], tell: Callable[[int], object]) -> Callable[[int], object]:
    """Return what tells the rounds of a phase as rounds of all phases so far."""
    before = sum(phase.traffic.rounds for phase in phases)
    return lambda rounds: tell(before + rounds)


def _play(
    turns: list[tuple[Program, int | None]], neighbours: list[tuple[int, ...]], tell: Callable[[int], object], *, every_step: bool
) -> Phase:
    """Play one phase."""
    plans = {(type(program).__name__, rounds) for program, rounds in turns}
    if len(plans) > 1 or len(turns) < len(neighbours):
        raise ValueError(f"all agents must be in the same phase, not in {sorted(map(str, plans))}")
    ((name, rounds),) = plans
    post = _Post(neighbours)
    awake = post.deliver((agent, program.start()) for agent, (program, _) in enumerate(turns))
    awake.update(range(len(turns)))
    done = last = Traffic()
    while done.rounds != rounds and (rounds is not None or post.messages):
        last = post.traffic()
        done = done.then(last)
        tell(done.rounds)
        asked = range(len(turns)) if every_step else awake
        answers = [(agent, turns[agent][0].step(post.inboxes[agent])) for agent in asked]
        changed = [(agent, outbox) for agent, outbox in answers if outbox is not None]
        awake = post.deliver(changed)
        awake.update(agent for agent, _ in changed)
        if not awake and not every_step and rounds is not None:
            last = post.traffic()
            left = rounds - done.rounds
            rest = Traffic(left, left * last.messages, left * last.n_bytes, last.largest if left else 0)
            return Phase(name, done.then(rest), last)
    return Phase(name, done, last)


class _Post:
    """What lies in everybody's outbox, and therefore in everybody's inbox of the round."""

    def __init__(self, neighbours: list[tuple[int, ...]]) -> None:
        self.inboxes: list[dict[int, object]] = [{} for _ in neighbours]
        self.messages = 0
        self.n_bytes = 0
        self._outboxes: list[Outbox] = [{} for _ in neighbours]
        self._bytes = [0] * len(neighbours)
        self._largest = [0] * len(neighbours)
        self._neighbours = [frozenset(those) for those in neighbours]

    def deliver(self, outboxes: Iterable[tuple[int, Outbox]]) -> set[int]:
        """Replace these outboxes, and return whose inboxes that changes."""
        touched: set[int] = set()
        for agent, outbox in outboxes:
            old = self._outboxes[agent]
            if not outbox.keys() <= self._neighbours[agent]:
                raise ValueError(f"agent {agent} sends to {sorted(outbox.keys() - self._neighbours[agent])}, no neighbours of it")
            for other in old.keys() - outbox.keys():
                del self.inboxes[other][agent]
                touched.add(other)
            for other, message in outbox.items():
                if old.get(other) is not message:
                    self.inboxes[other][agent] = message
                    touched.add(other)
            self._weigh(agent, old, outbox)
        return touched

    def _weigh(self, agent: int, old: Outbox, outbox: Outbox) -> None:
        """Count a new outbox instead of the old one. What goes to several neighbours is measured once."""
        n_bytes = largest = 0
        measured: object = None
        size_of_it = 0
        for message in outbox.values():
            if message is not measured:
                measured, size_of_it = message, size(message)
                largest = max(largest, size_of_it)
            n_bytes += size_of_it
        self.messages += len(outbox) - len(old)
        self.n_bytes += n_bytes - self._bytes[agent]
        self._bytes[agent] = n_bytes
        self._largest[agent] = largest
        self._outboxes[agent] = outbox

    def traffic(self) -> Traffic:
        """Return what one round sends."""
        return Traffic(1, self.messages, self.n_bytes, max(self._largest))
