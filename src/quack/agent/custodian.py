"""A node that follows orders and looks after rewards until the leader has them: what every agent does."""

import math

from quack.agent.custody import to_cover
from quack.agent.effects import Adopted, Answered, Chose, Dropped, Held, Offered
from quack.agent.identities import NO_VERSION, Epoch, Order, Reward, Ticket, Version
from quack.agent.messages import Acknowledgement, Instruction, Offer, Report
from quack.agent.node import Node
from quack.agent.recovery import Recovered
from quack.agent.rules import Rules
from quack.agent.settings import Settings, Task
from quack.agent.window import Reported, Window
from quack.tape import WARM_UP, Cell, integer, open_tape

__all__ = ["Custodian"]

_BOOTS = 2**12  # the actions before the first order differ between so many lives


class Custodian(Node):
    """Follows the newest order, takes rewards into custody, and offers them to the leader."""

    def __init__(
        self,
        me: int,
        boot: int,
        neighbours: tuple[int, ...],
        task: Task,
        settings: Settings,
        rules: Rules,
        recovered: Recovered,
    ) -> None:
        super().__init__(me, boot, neighbours, settings, rules, recovered.top)
        self.task = task
        self.tape = open_tape(task.seed, task.run)
        self.custody = recovered.custody
        self.chosen = 0  # tickets of this life
        self.accepted = 0  # rewards of this life
        self.reported = Reported(boot, settings.most_gaps, recovered.reported)
        self.window = None if settings.window is None else Window(rules, settings.window, settings.capacity, recovered.open)
        self.offering: Epoch | None = None  # the leader to whom custody is offered
        self.progress = 0  # when it last let go of something, or began anew
        self.said_empty = False

    # Orders

    def _adopt(self, order: Order) -> None:
        """Follow an order if it is newer, and pass it on to those whose way to the leader leads over this node."""
        self._hear(order.epoch)
        if self.order is not None and order[:2] <= self.order[:2]:
            return
        self.order = order
        self._effects.append(Adopted(order))
        for neighbour in self.links.up:
            if self.map.hop(order.epoch[1], neighbour) == self.me:
                self._send(neighbour, Instruction(order))

    # Choices and rewards

    def _choose(self) -> None:
        version: Version = NO_VERSION
        if self.order is None:
            place = self.chosen + 1 + (self.boot % _BOOTS << 32)
            action = integer(Cell(self.tape, WARM_UP, self.me, place), self.task.n_actions)
        else:
            version, action = self.order[:2], self.order.action
        ticket = Ticket(self.me, self.boot, self.chosen, version, action)
        self.chosen += 1
        if self.window is not None and self.window.choose(ticket, self.now):
            self._write("open", ticket)
        self._effects.append(Chose(ticket))

    def _rewarded(self, ticket: Ticket, value: float) -> None:
        if ticket.node != self.me:
            self._effects.append(Answered("forwarded" if self._route(ticket.node, Report(ticket, value)) else "unreachable"))
        else:
            self._effects.append(Answered(self._accept_report(ticket, value)))

    def _accept_report(self, ticket: Ticket, value: float) -> str:
        """Take a reward for a ticket of this node; return what became of it."""
        if self.window is not None:
            answer = self.window.report(ticket, value)
            if answer == "accepted":
                self._write("report", ticket, value)
                released = self.window.release_reported(ticket, self.now)
                if released is not None:
                    self._take(ticket, released)
            return answer
        if not self._has_room():
            return "full"
        answer = self.reported.report(ticket)
        if answer == "accepted":
            self._take(ticket, value)
        return answer

    def _close_windows(self) -> None:
        """Release the rewards of choices whose window closes; while custody is full, they wait, and their order with them."""
        if self.window is None:
            return
        room = math.inf if self._has_room() else 0
        while room:
            due = next(self.window.due(self.now), None)
            if due is None:
                return
            ticket, reported = due
            value = self.rules.closing_value(reported, self.settings.default)
            if value is not None:
                self._take(ticket, value)
            room = self._has_room()

    def _has_room(self) -> bool:
        return self.rules.has_room(self.custody.own, self.settings.capacity)

    def _take(self, ticket: Ticket, value: float) -> None:
        """Take a reward into custody, under an id of its own."""
        reward = Reward(self.me, self.boot, self.accepted, ticket.version, ticket.action, value)
        self.accepted += 1
        self._write("own", reward, ticket)
        self._effects.append(Held(reward, ticket))
        self._keep(reward)

    def _keep(self, reward: Reward) -> None:
        self.custody.add(reward)
        if self.settings.eager:
            self._offer()

    # Custody

    def _offer(self) -> None:
        """Send what is in custody to the leader, in order; without progress for a while, from the first on."""
        leader = self.map.leader()
        if leader is None:
            return
        self._hear(leader)  # also of one that only a map that was garbled knows of
        if leader[1] == self.me:
            return
        if leader != self.offering or self.now - self.progress > self.settings.patience:
            self.offering, self.progress = leader, self.now
            self.custody.sent, self.said_empty = 0, False
        after, rewards = self.custody.next_batch(self.settings.batch)
        if not rewards and not self._must_say_empty(leader):
            return
        self.custody.sent += len(rewards)
        left = len(self.custody) - self.custody.sent
        self.said_empty = left == 0
        if self._route(leader[1], Offer(self.me, leader, after, rewards, left)):
            self._effects.append(Offered(leader, after, tuple(reward[:3] for reward in rewards), left))

    def _must_say_empty(self, leader: Epoch) -> bool:
        """Whether a new leader waits to hear that nothing is held here."""
        waits = self.settings.drain > 0 and (self.order is None or self.order.epoch != leader)
        return waits and not self.said_empty and not self.custody.rewards

    def _on_acknowledgement(self, acknowledgement: Acknowledgement) -> None:
        """Let go of what the leader of the highest epoch says is durable."""
        epoch, cover, standbys = acknowledgement
        if self.leads_in() is not None or not self.rules.heeds(epoch, self.top):
            self._hear(epoch)
            return
        if not self.rules.lets_go(self.me in standbys, self._keeps_copies(epoch)):
            return
        dropped = self.custody.drop(cover, max(1, min(self.settings.batch, 1024)))
        if dropped:
            ids = to_cover(reward[:3] for reward in dropped)
            self._write("drop", ids)
            self._effects.append(Dropped(epoch, ids))
            self.progress = self.now
            self._offer()

    def _keeps_copies(self, epoch: Epoch) -> bool:  # noqa: ARG002 (who may lead says more)
        """Whether copies are kept here for the leader of an epoch."""
        return False

    def _on_report(self, report: Report) -> None:
        if report.ticket.node == self.me:
            self._accept_report(report.ticket, report.value)
