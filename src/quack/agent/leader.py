"""A node that may lead: election, the log and its standbys, orders. What turns a custodian into a leader and back."""

from quack.agent.custodian import Custodian
from quack.agent.effects import (
    Acknowledged,
    Claimed,
    Committed,
    Consumed,
    Logged,
    Opened,
    Published,
    Retired,
    Yielded,
)
from quack.agent.identities import Epoch, Order, Reward
from quack.agent.leading import Leadership
from quack.agent.messages import Acknowledgement, Copied, Copy, Offer
from quack.agent.recovery import Recovered
from quack.agent.rules import Rules
from quack.agent.settings import Settings, Task

__all__ = ["Leader"]

_PIECE = 1024  # most rewards in a copy


class Leader(Custodian):
    """Claims the lead, keeps the log and lets the policy read it; keeps copies for others."""

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
        super().__init__(me, boot, neighbours, task, settings, rules, recovered)
        self.lead: Leadership | None = None
        self.replicas: dict[Epoch, list[Reward]] = recovered.replicas
        self.retired = False

    def leads_in(self) -> Epoch | None:
        """Return the epoch in which this node leads."""
        return self.lead.epoch if self.lead is not None else None

    # Election

    def _elect(self) -> None:
        """Claim, outbid, give up: what the map demands."""
        leader, lead = self.map.leader(), self.lead
        still = self.now - self.changed
        if lead is not None and leader != lead.epoch:
            self._yield()  # a higher epoch is in reach
        elif lead is not None and self._reclaims(lead.epoch):
            self._yield()
            self._claim()
        elif lead is not None and (not self.able or self._misplaced(still)):
            self._yield()
        elif leader is None and lead is None and self.able and self.rules.is_settled(still, self.settings.settle):
            median = self.map.median()
            if median is not None and median[1] == self.me:
                self._claim()
        if leader is not None or not self.able:
            for epoch in [epoch for epoch in self.replicas if not self.able or (leader is not None and epoch < leader)]:
                self._write("release", epoch)
                self.custody.merge(self.replicas.pop(epoch))

    def _reclaims(self, epoch: Epoch) -> bool:
        still = self.now - max(self.changed, self.top_since)
        return self.rules.reclaims(epoch, self.top) and self.rules.is_settled(still, self.settings.settle)

    def _misplaced(self, still: int) -> bool:
        """Whether the median is nearer to all by more than the hysteresis, and the map has long been still."""
        if still <= self.settings.move:
            return False
        median = self.map.median()
        return median is not None and median[0] * (1 + self.settings.hysteresis) < self.map.total_distance()

    def _claim(self) -> None:
        """Begin an epoch: what is in custody here, copies for others included, is the beginning of its log."""
        epoch = self.rules.new_epoch(self.top, self.me, self.boot)
        self._hear(epoch)
        for replicas in self.replicas.values():
            self.custody.merge(replicas)
        self.replicas.clear()
        log = self.custody.take_all()
        self._write("lead", epoch)
        self.lead = Leadership(epoch, log, self.now, self.written, self.task, self.rules)
        self._effects.append(Claimed(epoch, tuple(log)))

    def _yield(self) -> None:
        """End the epoch: the log is custody."""
        if self.lead is None:
            return
        self._write("yield")
        self._effects.append(Yielded(self.lead.epoch))
        self.custody.merge(self.lead.log)
        self.lead = None

    def _keeps_copies(self, epoch: Epoch) -> bool:
        return epoch in self.replicas

    def _retire(self) -> None:
        """Say that nothing is held here any more, once it is so and all windows are closed.

        A reward may still be reported afterwards: then it is held, and said again when that has been handed over too.
        """
        idle = not self.able and self.lead is None and not self.custody.rewards and not self.replicas
        idle = idle and not (self.window and len(self.window))
        if idle and not self.retired:
            self._effects.append(Retired())
        self.retired = idle

    # The log

    def _has_room(self) -> bool:
        if self.lead is not None:
            return len(self.lead.log) < self.settings.log_capacity
        return super()._has_room()

    def _keep(self, reward: Reward) -> None:
        if self.lead is None:
            super()._keep(reward)
        elif self.lead.is_new(reward):
            self._log(self.lead, reward, self.me)

    def _log(self, lead: Leadership, reward: Reward, source: int) -> None:
        lead.append(reward, self.written)
        self._effects.append(Logged(lead.epoch, len(lead.log) - 1, reward, source))

    def _on_offer(self, offer: Offer) -> None:
        """Accept rewards in the custodian's order; all or none of a batch, and none by its action: that would deadlock."""
        lead = self.lead
        self._hear(offer.epoch)
        if lead is None or offer.epoch != lead.epoch or not self.rules.in_order(offer.after, lead.known):
            return
        if len(lead.log) + len(offer.rewards) > self.settings.log_capacity or offer.source not in self.map.announced:
            return  # no room; or nobody that could be told
        new = [reward for reward in offer.rewards if lead.is_new(reward)]
        for reward in new:
            self._write("log", reward)
            self._log(lead, reward, offer.source)
        if offer.left == 0:
            lead.drained.add(offer.source)
        if not offer.rewards:
            return
        lead.waiting.setdefault(offer.source, set()).update(reward[:2] for reward in offer.rewards)
        if not self._advance() and not new:
            self._acknowledge(lead, offer.source)

    def _advance(self) -> bool:
        """Commit what can be; tell those who wait for it. Return whether something was committed."""
        lead = self.lead
        if lead is None:
            return False
        _, replicated = self._replicated(lead)
        if not lead.commit(replicated):
            return False
        self._effects.append(Committed(lead.epoch, lead.committed))
        for source in list(lead.waiting):
            self._acknowledge(lead, source)
        return True

    def _replicated(self, lead: Leadership) -> tuple[tuple[int, ...], int]:
        """Return the standbys, and how much of the log is durable at all of them."""
        standbys = self.map.standbys(self.settings.standbys) if self.settings.standbys else []
        copied = [lead.copied.get((node, self.map.announced[node].boot), 0) for node in standbys]
        return tuple(standbys), self.rules.replicated_position(copied, self.settings.standbys, len(lead.log))

    def _acknowledge(self, lead: Leadership, source: int) -> None:
        standbys, replicated = self._replicated(lead)
        if not self.rules.may_acknowledge(replicated, lead.committed):
            return
        cover = lead.cover(lead.waiting[source])
        if lead.committed == len(lead.log):
            del lead.waiting[source]
        if cover and self._route(source, Acknowledgement(lead.epoch, cover, standbys)):
            self._effects.append(Acknowledged(lead.epoch, source, cover))

    # Orders

    def _publish(self) -> None:
        """Let the policy read; if it wants another action than before, or wants its first, order it."""
        lead = self.lead
        if lead is None or not (lead.opened or self._opens(lead)):
            return
        before = lead.wanted if lead.sequence else None
        for reward in lead.decide():
            self._effects.append(Consumed(lead.epoch, reward))
        if lead.wanted != before:
            lead.sequence += 1
            order = Order(lead.epoch, lead.sequence, lead.wanted)
            self._effects.append(Published(order))
            self._adopt(order)

    def _opens(self, lead: Leadership) -> bool:
        """Begin to feed the policy: when all in reach have handed over, or after a while, and that is committed."""
        if lead.target is None:
            drain = self.settings.drain
            others = self.map.distances(self.me) if drain > 0 else {}
            missing = any(node not in lead.drained for node in others if node != self.me)
            if not self.rules.may_open(missing, self.now - lead.since, drain):
                return False
            lead.target = len(lead.log)
        if lead.committed < lead.target:
            return False
        lead.open(lead.target)
        self._effects.append(Opened(lead.epoch, lead.target))
        return True

    # Copies

    def _replicate(self) -> None:
        """Send each standby what it lacks of the log: the next piece when it has the one before, or after a while again."""
        lead = self.lead
        if lead is None or not self.settings.standbys:
            return
        for node in self.map.standbys(self.settings.standbys):
            life = node, self.map.announced[node].boot
            position = lead.copied.get(life, 0)
            before = lead.copying.get(life)
            again = before is None or before[0] != position or self.now - before[1] > self.settings.patience
            if position < len(lead.log) and again:
                lead.copying[life] = position, self.now
                self._route(node, Copy(self.me, lead.epoch, position, tuple(lead.log[position : position + _PIECE])))

    def _on_copy(self, copy: Copy) -> None:
        """Keep a copy for a leader, unless a later leader is known."""
        if copy.epoch < self.top or not self.able or self.lead is not None:
            return
        self._hear(copy.epoch)
        have = self.replicas.setdefault(copy.epoch, [])
        if copy.position <= len(have) <= self.settings.log_capacity:
            for reward in copy.rewards[len(have) - copy.position :]:
                have.append(reward)
                self._write("replica", copy.epoch, reward)
        self._route(copy.source, Copied(self.me, self.boot, copy.epoch, len(have)))

    def _on_copied(self, copied: Copied) -> None:
        lead = self.lead
        announced = self.map.announced.get(copied.source)
        if lead is None or copied.epoch != lead.epoch or announced is None or announced.boot != copied.boot:
            return
        if copied.length > len(lead.log):
            return  # whoever says so has another log
        life = copied.source, copied.boot
        if copied.length > lead.copied.get(life, 0):
            lead.copied[life] = copied.length
            if not self._advance():
                for source in list(lead.waiting):
                    self._acknowledge(lead, source)
            self._replicate()
