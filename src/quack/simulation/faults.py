"""What goes wrong in a simulated world: how links and disks behave, and what happens to nodes. All times are in seconds."""

import math
import random
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from quack.agent import Agent
from quack.agent.messages import Announcement
from quack.errors import SpecError

__all__ = ["INCIDENTS", "Disk", "Faults", "garble"]

INCIDENTS = ("crash", "partition", "one_way", "freeze", "garbage", "join", "leave")

_LONG = 1.0e9


class Faults(NamedTuple):
    """How bad the world is. Without arguments it is a calm one: messages take up to a fifth of a second, nothing fails.

    Parameters
    ----------
    loss, duplication : float, default 0
        The probability that a message is lost, that it arrives twice.
    delay : float, default 0.2
        A message takes up to so long, so that later ones overtake it.
    stuck : float, default 0
        The probability that a copy of a message is stuck somewhere for 5 to 90 seconds more.
    slow_sync : float, default 0
        The probability that what was written becomes durable only later; messages wait for it.
    torn : float, default 0
        The probability that a crash leaves a part of what was just being written.
    drift : float, default 0
        Clocks run up to so much faster or slower: a rate from 1/(1 + drift) to 1 + drift.
    crash, partition, one_way, freeze, garbage, join, leave : float, default infinity
        The mean time between two such incidents in the network: a node stops and restarts; links are cut, both ways or one way;
        a node stands still; its knowledge of the network becomes nonsense; a node joins, or hands over and leaves.
    down : float, default 30
        The longest time that a node is down, frozen, or a link is cut.
    destroyed : float, default 0
        The probability that a crash destroys the disk.
    disks : int, default 1
        Most disks that are destroyed.
    """

    loss: float = 0.0
    duplication: float = 0.0
    delay: float = 0.2
    stuck: float = 0.0
    slow_sync: float = 0.0
    torn: float = 0.0
    drift: float = 0.0
    crash: float = math.inf
    partition: float = math.inf
    one_way: float = math.inf
    freeze: float = math.inf
    garbage: float = math.inf
    join: float = math.inf
    leave: float = math.inf
    down: float = 30.0
    destroyed: float = 0.0
    disks: int = 1

    def checked(self) -> Self:
        """Return the faults; refuse impossible ones.

        Examples
        --------
        >>> Faults(loss=1.2).checked()
        Traceback (most recent call last):
        quack.errors.SpecError: loss is 1.2; a probability from 0 to 0.9 is accepted
        """
        for name in ("loss", "duplication", "stuck", "slow_sync", "torn", "destroyed"):
            most = 0.9 if name in ("loss", "slow_sync") else 1.0
            if not 0 <= getattr(self, name) <= most:
                raise SpecError(f"{name} is {getattr(self, name)}; a probability from 0 to {most:g} is accepted")
        for name in ("delay", "down", *INCIDENTS):
            if not getattr(self, name) > 0:
                raise SpecError(f"{name} is {getattr(self, name)}; a positive number of seconds is accepted")
        if not 0 <= self.drift <= 1:
            raise SpecError(f"drift is {self.drift}; a number from 0 to 1 is accepted")
        if self.delay > _LONG or self.down > _LONG:
            raise SpecError(f"delay is {self.delay} and down is {self.down}; at most {_LONG:g} seconds are accepted")
        return self

    def calmed(self) -> Self:
        """Return what is left of the faults in the quiet phase: some loss, and clocks that drift."""
        return self._replace(
            loss=min(self.loss, 0.05), stuck=0.0, slow_sync=min(self.slow_sync, 0.3), delay=min(self.delay, 3.0), torn=0.0
        )


class Disk:
    """What a node wrote: durable, or under way and lost in a crash."""

    __slots__ = ("durable", "writing")

    def __init__(self) -> None:
        self.durable: list[tuple[Any, ...]] = []
        self.writing: list[tuple[Any, ...]] = []

    def sync(self, count: int) -> tuple[int, list[tuple[Any, ...]]]:
        """Make the first of what is under way durable; return their place, and them."""
        place, records = len(self.durable), self.writing[:count]
        self.durable += records
        del self.writing[:count]
        return place, records


def garble(agent: Agent, seed: int, nodes: int) -> None:
    """Overwrite what an agent knows of the network with nonsense. Its orders, its custody and its log stay."""
    rng = random.Random(seed)  # noqa: S311 (no secret)
    announced = {}
    for node in rng.sample(range(nodes + 3), rng.randint(0, nodes + 3)):
        links = tuple(sorted(rng.sample([other for other in range(nodes + 3) if other != node], rng.randint(0, nodes))))
        term = rng.choice((0, 0, rng.randint(1, agent.top[0] + 5)))
        announced[node] = Announcement(node, rng.randint(1, 500), rng.randint(0, 200), links, term, rng.random() < _MOSTLY)
    agent.map.announced = announced
    agent.map.forget()
    for link in agent.links.links.values():
        link.up, link.row, link.heard = rng.random() < _MOSTLY, rng.randint(0, 5), agent.now - rng.randint(0, 5)
    agent.links.list_up()
    agent.changed = agent.now - rng.randint(0, agent.now)
    agent.top = max(agent.top, (agent.top[0] + rng.randint(0, 5), rng.randrange(nodes + 3), rng.randint(0, 200)))
    agent.custody.sent = rng.randint(0, len(agent.custody))
    agent.offering = None


_MOSTLY = 0.7


def connected(neighbours: dict[int, set[int]], nodes: Iterable[int]) -> bool:
    """Whether these nodes reach each other over themselves."""
    left = set(nodes)
    frontier = [left.pop()] if left else []
    while frontier:
        near = neighbours[frontier.pop()] & left
        left -= near
        frontier.extend(near)
    return not left
