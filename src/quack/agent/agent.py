"""The agent: one node of the protocol, with one door."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from quack.agent.checks import check, check_ticket, check_value
from quack.agent.effects import Effect
from quack.agent.events import Asked, Event, Linked, Received, Retiring, Rewarded, Synced, Ticked, Unlinked
from quack.agent.identities import Epoch, Order
from quack.agent.leader import Leader
from quack.agent.messages import (
    MOST,
    Acknowledgement,
    Announcement,
    Copied,
    Copy,
    Hello,
    Instruction,
    Known,
    Limits,
    Offer,
    Report,
    Routed,
)
from quack.agent.recovery import Recovered
from quack.agent.rules import Rules
from quack.agent.settings import Settings, Task
from quack.errors import LocalProtocolError, RemoteProtocolError, SpecError

__all__ = ["Agent", "State"]

_RULES = Rules()


class State(NamedTuple):
    """What an agent says of itself: for operators and journals."""

    leader: Epoch | None  # the epoch that it believes in
    order: Order | None
    leads: Epoch | None  # its own epoch
    held: int  # rewards in custody
    open: int  # choices whose window is open
    log: int  # length of the leader's log
    committed: int
    queued: tuple[int, ...]  # rewards that wait for the policy, of each action
    streams: int
    intervals: int
    known: int  # nodes that its map reaches
    distance: int  # its sum of distances


class Agent(Leader):
    """One node of the network: it plays, follows, looks after rewards, and leads when it must.

    It is a state machine without clock, network, disk or thread. Whoever runs it gives it events and obeys two kinds of effects:
    `Send` a message to a neighbour, `Write` a record. One promise is asked for: the messages of a step leave only when the
    records of that step, and those before, are durable; and `Synced` says so.

    Parameters
    ----------
    me : int
        The node's number, the same in all its lives.
    boot : int
        The number of this life: higher than in any before, from 1 on. (In the paper's rounds, 0.)
    neighbours : tuple of int
        Whom it has links to.
    task : Task
        What is to be learnt, the same everywhere.
    settings : Settings
        The numbers of the protocol.
    records : iterable of records
        What former lives wrote and is still on the disk.
    rules : Rules
        What safety rests on; tests replace one at a time.

    Notes
    -----
    An event that cannot happen raises `LocalProtocolError`, a message that cannot be `RemoteProtocolError`; the state is then
    unchanged.

    Deviation: leader and tree follow from a flooded map of links, not from distributed Bellman-Ford and an election, because a
    link that changes then costs one flood instead of another preprocessing; in a calm network they are the same leader and tree.

    Deviation: orders travel only when the action changes, and rewards wait until they are acknowledged, because messages are
    lost; in rounds without loss (`Settings.rounds`) every agent plays in every round what Algorithm 1 says.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK: A multipurpose queuing algorithm for cooperative k-armed bandits."
    AISTATS, Section 3.1 and Appendix A. P. Joulani, A. György, C. Szepesvári (2013). "Online learning under delayed feedback."
    ICML: the leader is their QPM-D.

    Examples
    --------
    A node alone becomes its own leader:

    >>> import quack
    >>> from quack.agent import Agent, Asked, Rewarded, Settings, Synced, Task, Ticked
    >>> agent = Agent(0, 1, (), Task(quack.UCB(sigma=0.5), n_actions=2, horizon=100), Settings(drain=0))
    >>> for _ in range(10):
    ...     for effect in agent.step(Ticked()):
    ...         if type(effect).__name__ == "Write":
    ...             _ = agent.step(Synced(agent.written))
    >>> agent.order
    Order(epoch=(1, 0, 1), sequence=1, action=0)
    >>> agent.step(Asked())
    [Chose(ticket=Ticket(node=0, boot=1, number=0, version=((1, 0, 1), 1), action=0))]
    """

    def __init__(
        self,
        me: int,
        boot: int,
        neighbours: Iterable[int],
        task: Task,
        settings: Settings,
        records: Iterable[tuple[Any, ...]] = (),
        rules: Rules = _RULES,
    ) -> None:
        near = tuple(neighbours)
        for name, number in (("me", me), ("boot", boot), *(("a neighbour", neighbour) for neighbour in near)):
            if type(number) is not int or not 0 <= number < MOST:
                raise SpecError(f"{name} is {number!r}; a whole number from 0 to 2**48 - 1 is accepted")
        if me in near or len(set(near)) < len(near):
            raise SpecError(f"the neighbours of {me} are {near}; others, each once, are accepted")
        self.limits = Limits(task.n_actions, task.low, task.high)
        super().__init__(me, boot, near, task.checked(), settings.checked(), rules, Recovered(me, records, rules))
        self.synced = 0
        self._events: dict[type, Callable[[Any], None]] = {
            Ticked: self._at_tick,
            Received: self._at_received,
            Asked: self._at_asked,
            Rewarded: self._at_rewarded,
            Synced: self._at_synced,
            Linked: self._at_linked,
            Unlinked: self._at_unlinked,
            Retiring: self._at_retiring,
        }
        self._payloads: dict[type, Callable[[Any], None]] = {
            Offer: self._on_offer,
            Acknowledgement: self._on_acknowledgement,
            Copy: self._on_copy,
            Copied: self._on_copied,
            Report: self._on_report,
        }

    def step(self, event: Event) -> list[Effect]:
        """Take an event in; return what follows from it. The only way to change the agent."""
        take = self._events.get(type(event))
        if take is None:
            raise LocalProtocolError(
                f"{event!r} is no event; one of {', '.join(kind.__name__ for kind in self._events)} is accepted"
            )
        effects: list[Effect] = []
        self._effects = effects
        take(event)
        return effects

    def state(self) -> State:
        """Return what the agent says of itself."""
        lead = self.lead
        known = lead.known.values() if lead is not None else ()
        return State(
            leader=self.map.leader(),
            order=self.order,
            leads=self.leads_in(),
            held=len(self.custody),
            open=len(self.window) if self.window is not None else 0,
            log=len(lead.log) if lead is not None else 0,
            committed=lead.committed if lead is not None else 0,
            queued=tuple(map(len, lead.queues.waiting)) if lead is not None else (),
            streams=len(known),
            intervals=sum(len(serials.intervals) for serials in known) + self.reported.gaps(),
            known=len(self.map.known()),
            distance=self.map.total_distance(),
        )

    def _at_tick(self, _event: Ticked) -> None:
        self.now += 1
        self.links.age(self.now)
        self._announce()
        led = self.leads_in()
        self._elect()
        if led != self.leads_in():
            self._announce()
        self._close_windows()
        self._advance()
        if not self.settings.decide_when_asked:
            self._publish()
        self._greet()
        self._replicate()
        self._offer()
        self._retire()

    def _at_received(self, event: Received) -> None:
        sender, message = event
        if sender not in self.links:
            raise LocalProtocolError(f"a message came from {sender!r}, which is no neighbour; {list(self.links.links)} are")
        check(message, self.limits)
        if isinstance(message, Hello):
            self._on_hello(sender, message)
            if message.order is not None:
                self._adopt(message.order)
        elif isinstance(message, Routed):
            if message.destination == self.me:
                self._payloads[type(message.payload)](message.payload)
            else:
                self._forward(message)
        elif isinstance(message, Announcement):
            self._on_announcement(sender, message)
        elif isinstance(message, Instruction):
            self._adopt(message.order)
        elif isinstance(message, Known):
            self._on_known(sender, message)
        else:
            raise RemoteProtocolError(f"a {type(message).__name__} came without a route")

    def _at_asked(self, _event: Asked) -> None:
        if not self.able:
            raise LocalProtocolError("an action was asked for, but this node is retiring")
        if self.settings.decide_when_asked:
            self._publish()
        self._choose()

    def _at_rewarded(self, event: Rewarded) -> None:
        ticket, value = event
        try:
            check_ticket(ticket, self.limits)
            check_value(value, self.limits)
        except RemoteProtocolError as error:
            raise LocalProtocolError(f"a reward was reported that cannot be: {error}") from None
        if ticket[:2] == (self.me, self.boot) and ticket.number >= self.chosen:
            raise LocalProtocolError(f"a reward was reported for {ticket}, but only {self.chosen} choices were made")
        self._rewarded(ticket, value)

    def _at_synced(self, event: Synced) -> None:
        records = event.records
        if type(records) is not int or not self.synced <= records <= self.written:
            raise LocalProtocolError(
                f"{records!r} records are said to be durable; from {self.synced} to {self.written} are accepted"
            )
        self.synced = records
        if self.lead is not None:
            self.lead.sync(records)
            self._advance()

    def _at_linked(self, event: Linked) -> None:
        neighbour = event.neighbour
        if type(neighbour) is not int or not 0 <= neighbour < MOST or neighbour == self.me or neighbour in self.links:
            raise LocalProtocolError(f"a link to {neighbour!r} was made; a new one to another node is accepted")
        self.links.add(neighbour)

    def _at_unlinked(self, event: Unlinked) -> None:
        if event.neighbour not in self.links:
            raise LocalProtocolError(f"a link to {event.neighbour!r} was removed; one to {list(self.links.links)} is accepted")
        self.links.remove(event.neighbour)
        self._announce()

    def _at_retiring(self, _event: Retiring) -> None:
        if not self.able:
            raise LocalProtocolError("this node is retiring already")
        self.able = False
        self._announce()
