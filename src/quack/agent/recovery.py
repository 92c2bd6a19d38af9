"""What a node finds on its disk when it starts: the fold of its records. `docs/journal.md` lists them."""

from collections.abc import Callable, Iterable
from typing import Any

from quack.agent.custody import Custody
from quack.agent.identities import NO_EPOCH, Epoch, Reward, Ticket
from quack.agent.intervals import IntervalSet
from quack.agent.rules import Rules
from quack.agent.settings import NEVER
from quack.agent.wire import read_reward, read_ticket, tuples
from quack.errors import LocalProtocolError

__all__ = ["Recovered", "read_record"]


class Recovered:
    """What the records of former lives amount to."""

    def __init__(self, me: int, records: Iterable[tuple[Any, ...]], rules: Rules) -> None:
        self.custody = Custody(me, rules)
        self.replicas: dict[Epoch, list[Reward]] = {}
        self.open: dict[Ticket, float | None] = {}
        self.reported: dict[int, IntervalSet] = {}
        self.top: Epoch = NO_EPOCH
        self._log: list[Reward] = []
        self._leads = False
        for record in records:
            fold = _FOLDS.get(record[0])
            if fold is None:
                raise LocalProtocolError(f"a record begins with {record[0]!r}; one of {', '.join(_FOLDS)} is accepted")
            fold(self, *record[1:])
        self._yield()  # no life leads from its start on

    def _open(self, ticket: Ticket) -> None:
        self.open[ticket] = None

    def _report(self, ticket: Ticket, value: float) -> None:
        self.open[ticket] = value

    def _own(self, reward: Reward, ticket: Ticket) -> None:
        self.open.pop(ticket, None)
        self.reported.setdefault(ticket.boot, IntervalSet()).add(ticket.number)
        self.top = max(self.top, reward.version[0])
        if self._leads:
            self._log.append(reward)
        else:
            self.custody.add(reward)

    def _lead(self, epoch: Epoch) -> None:
        self._yield()
        self.top = max(self.top, epoch)
        for earlier in list(self.replicas):
            self._release(earlier)
        self._log = self.custody.take_all()
        self._leads = True

    def _logged(self, reward: Reward) -> None:
        self._log.append(reward)

    def _yield(self) -> None:
        self.custody.merge(self._log)
        self._log, self._leads = [], False

    # The next three are written by nodes that do not lead: a life that led before died leading.

    def _drop(self, cover: Any) -> None:
        self._yield()
        self.custody.drop(cover, NEVER)

    def _replica(self, epoch: Epoch, reward: Reward) -> None:
        self._yield()
        self.top = max(self.top, epoch)
        self.replicas.setdefault(epoch, []).append(reward)

    def _release(self, epoch: Epoch) -> None:
        self._yield()
        self.custody.merge(self.replicas.pop(epoch, []))


_FOLDS: dict[Any, Callable[..., None]] = {
    "open": Recovered._open,  # noqa: SLF001 (its own methods, by the names of the records)
    "report": Recovered._report,  # noqa: SLF001
    "own": Recovered._own,  # noqa: SLF001
    "lead": Recovered._lead,  # noqa: SLF001
    "log": Recovered._logged,  # noqa: SLF001
    "yield": Recovered._yield,  # noqa: SLF001
    "drop": Recovered._drop,  # noqa: SLF001
    "replica": Recovered._replica,  # noqa: SLF001
    "release": Recovered._release,  # noqa: SLF001
}


def read_record(plain: Any) -> tuple[Any, ...]:
    """Read a record that was written as lists.

    Examples
    --------
    >>> read_record(["log", [1, 2, 0, [[1, 0, 1], 3], 1, 0.5]])
    ('log', Reward(node=1, boot=2, serial=0, version=((1, 0, 1), 3), action=1, value=0.5))
    """
    kind, *fields = plain
    if kind in ("open", "report"):
        return (kind, read_ticket(fields[0]), *fields[1:])
    if kind == "own":
        return kind, read_reward(fields[0]), read_ticket(fields[1])
    if kind == "log":
        return kind, read_reward(fields[0])
    if kind == "replica":
        return kind, tuples(fields[0]), read_reward(fields[1])
    return (kind, *tuples(fields))
