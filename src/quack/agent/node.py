"""A node and its map: links, announcements, routes. The lowest layer of an agent."""

from typing import Any

from quack.agent.effects import Effect, Send, Write
from quack.agent.identities import Epoch, Order
from quack.agent.links import Links
from quack.agent.messages import Announcement, Hello, Known, Message, Payload, Routed
from quack.agent.rules import Rules
from quack.agent.settings import Settings
from quack.agent.topology import Map

__all__ = ["Node"]


class Node:
    """What a node knows of the network. Everything here is soft: it is learnt again after a crash, or after nonsense."""

    def __init__(self, me: int, boot: int, neighbours: tuple[int, ...], settings: Settings, rules: Rules, top: Epoch) -> None:
        self.me = me
        self.boot = boot
        self.settings = settings
        self.rules = rules
        self.now = 0  # ticks of this life
        self.links = Links(neighbours, settings.rise, settings.dead)
        self.map = Map(me, settings.most_agents)
        self.announced = 0  # when this node announced last
        self.changed = 0  # when the map changed last
        self.top = top  # the highest epoch heard of
        self.top_since = 0
        self.able = True
        self.order: Order | None = None
        self.written = 0  # records of this life
        self._effects: list[Effect] = []
        self.map.put(Announcement(me, 1, boot, (), 0, True))

    def leads_in(self) -> Epoch | None:
        """Return the epoch in which this node leads."""
        return None

    def _write(self, *record: Any) -> None:
        self.written += 1
        self._effects.append(Write(record))

    def _send(self, to: int, message: Message) -> None:
        self._effects.append(Send(to, message))

    def _route(self, destination: int, payload: Payload) -> bool:
        """Send a payload towards a node; False if no way is known."""
        hop = self.map.hop(destination)
        if hop is None:
            return False
        self._send(hop, Routed(destination, 2 * len(self.map.announced), payload))
        return True

    def _forward(self, message: Routed) -> None:
        hop = self.map.hop(message.destination)
        if hop is not None and message.hops_left > 0:
            self._send(hop, Routed(message.destination, message.hops_left - 1, message.payload))

    def _hear(self, epoch: Epoch) -> None:
        """Note that there was such an epoch."""
        if epoch > self.top:
            self.top, self.top_since = epoch, self.now

    def _announce(self) -> None:
        """Say anew what is no longer as it was said: links, lead, readiness. Mends a map that was garbled, too."""
        epoch = self.leads_in()
        said = self.map.announced.get(self.me)
        now = (self.boot, self.links.up, epoch[0] if epoch else 0, self.able)
        if said is None or said[2:] != now or self.now - self.announced >= self.settings.refresh:
            self.announced = self.now
            self._put(Announcement(self.me, said.number + 1 if said else 1, *now), None)

    def _put(self, announcement: Announcement, sender: int | None) -> None:
        """Take in an announcement and pass it on."""
        if self.map.put(announcement):
            self.changed = self.now
        if announcement.term:
            self._hear((announcement.term, announcement.node, announcement.boot))
        for neighbour in self.links.up:
            if neighbour != sender:
                self._send(neighbour, announcement)

    def _greet(self) -> None:
        hello = Hello(self.map.fingerprint(), self.rules.gossips(self.top), self.order)
        for neighbour in self.links.links:
            self._send(neighbour, hello)

    def _on_hello(self, sender: int, hello: Hello) -> None:
        self.links.hear(sender, self.now)
        if hello.fingerprint != self.map.fingerprint():
            self._send(sender, Known(self.map.known()))
        self._hear(hello.top)

    def _on_known(self, sender: int, known: Known) -> None:
        """Answer with every announcement that the neighbour lacks or has in an older form."""
        theirs = {node: (number, boot) for node, number, boot in known.announcements}
        reachable = self.map.distances(self.me)
        for node, announcement in self.map.announced.items():
            if (node in theirs or node in reachable) and theirs.get(node, (0, 0)) < announcement[1:3]:
                self._send(sender, announcement)

    def _on_announcement(self, sender: int, announcement: Announcement) -> None:
        mine = self.map.announced.get(announcement.node)
        if mine is None or mine[1:3] < announcement[1:3]:
            if announcement.node != self.me:
                self._put(announcement, sender)
            elif self.rules.outbids_echo():
                self._outbid(announcement)
        elif mine[1:3] > announcement[1:3]:
            self._send(sender, mine)

    def _outbid(self, echo: Announcement) -> None:
        """Exceed the number of an announcement of an earlier life, or of one that nobody made."""
        if echo.term:
            self._hear((echo.term, echo.node, echo.boot))
        epoch = self.leads_in()
        self._put(Announcement(self.me, echo.number + 1, self.boot, self.links.up, epoch[0] if epoch else 0, self.able), None)
