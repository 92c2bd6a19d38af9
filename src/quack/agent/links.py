"""Which neighbours are heard: a link rises after some hellos in a row and falls after a silence; one that flaps rises slower."""

from collections.abc import Iterable

__all__ = ["Links"]

_SLOWEST = 8  # a link that flaps needs at most so many times as many hellos


class _Link:
    """What is known of one neighbour."""

    __slots__ = ("heard", "needed", "risen", "row", "up")

    def __init__(self, rise: int) -> None:
        self.up = False
        self.heard = 0  # when last
        self.risen = 0  # when
        self.row = 0  # hellos in a row
        self.needed = rise


class Links:
    """The links of one node."""

    def __init__(self, neighbours: Iterable[int], rise: int, dead: int) -> None:
        self.rise = rise
        self.dead = dead
        self.links = {neighbour: _Link(rise) for neighbour in sorted(neighbours)}
        self.up: tuple[int, ...] = ()

    def __contains__(self, neighbour: int) -> bool:
        return neighbour in self.links

    def add(self, neighbour: int) -> None:
        """Watch a new neighbour."""
        self.links[neighbour] = _Link(self.rise)

    def remove(self, neighbour: int) -> None:
        """Watch a neighbour no more."""
        del self.links[neighbour]
        self.list_up()

    def hear(self, neighbour: int, now: int) -> bool:
        """Note a hello; return whether the link rises by it."""
        link = self.links[neighbour]
        link.row = link.row + 1 if now - link.heard <= max(1, self.dead // 2) else 1
        link.heard = now
        if link.up:
            if now - link.risen > _SLOWEST * self.dead:
                link.needed = self.rise
            return False
        if link.row < link.needed:
            return False
        link.up, link.risen = True, now
        self.list_up()
        return True

    def age(self, now: int) -> bool:
        """Let the links fall of which nothing was heard; return whether any did."""
        fell = [link for link in self.links.values() if link.up and now - link.heard > self.dead]
        for link in fell:
            link.up, link.row = False, 0
            link.needed = min(2 * link.needed, _SLOWEST * self.rise)
        if fell:
            self.list_up()
        return bool(fell)

    def list_up(self) -> None:
        """List who is heard."""
        self.up = tuple(sorted(neighbour for neighbour, link in self.links.items() if link.up))
