"""What only a leader has: the log of accepted rewards, the policy that reads it, and who has told and kept what."""

from collections import deque
from collections.abc import Iterable

from quack.agent.identities import Cover, Epoch, Reward, Stream
from quack.agent.intervals import IntervalSet
from quack.agent.rules import Rules
from quack.agent.settings import Task
from quack.errors import SpecError
from quack.reduction import decide
from quack.tape import policy_generator

__all__ = ["Leadership", "LogQueues"]


class LogQueues:
    """A queue of rewards per action, filled from the log; it remembers what was taken out."""

    def __init__(self, n_actions: int) -> None:
        self.waiting: list[deque[Reward]] = [deque() for _ in range(n_actions)]
        self.taken: list[Reward] = []

    def put(self, rewards: Iterable[Reward]) -> None:
        """Append to the queues."""
        for reward in rewards:
            self.waiting[reward.action].append(reward)

    def holds(self, action: int) -> bool:
        """Whether a reward of the action waits."""
        return 0 <= action < len(self.waiting) and bool(self.waiting[action])

    def pop(self, action: int) -> float:
        """Take out the oldest."""
        reward = self.waiting[action].popleft()
        self.taken.append(reward)
        return reward.value


class Leadership:
    """One epoch of one leader. Its policy is a function of the log: a leader that begins anew reads it from the start."""

    def __init__(self, epoch: Epoch, log: list[Reward], now: int, written: int, task: Task, rules: Rules) -> None:
        self.epoch = epoch
        self.log = log
        self.since = now
        self.task = task
        self.rules = rules
        self.known: dict[Stream, IntervalSet] = {}
        for reward in log:
            self.known.setdefault(reward[:2], IntervalSet()).add(reward.serial)
        self.synced = 0  # how much of the log is durable here
        self._marks: deque[tuple[int, int]] = deque([(written, len(log))])  # (records written, length of the log then)
        self.copied: dict[tuple[int, int], int] = {}  # how much of it each life of a standby has
        self.copying: dict[tuple[int, int], tuple[int, int]] = {}  # what was sent to it last: from where, and when
        self.committed = 0
        self.stable: dict[Stream, IntervalSet] = {}  # the ids of what is committed
        self.waiting: dict[int, set[Stream]] = {}  # custodians that wait for an acknowledgement, of which streams
        self.drained: set[int] = set()  # custodians that have handed over everything
        self.policy_state = task.policy.init(task.n_actions, task.horizon)
        self.rng = policy_generator(task.seed, task.run)
        self.queues = LogQueues(task.n_actions)
        self.fed = 0
        self.opened = False
        self.target: int | None = None  # what must be committed before the policy begins
        self.wanted = -1
        self.sequence = 0

    def is_new(self, reward: Reward) -> bool:
        """Whether a reward enters the log."""
        return self.rules.is_new(self.known.setdefault(reward[:2], IntervalSet()), reward)

    def append(self, reward: Reward, written: int) -> None:
        """Write a reward into the log; so many records will have been written with it."""
        self.log.append(reward)
        if self._marks and self._marks[-1][0] == written:
            self._marks.pop()
        self._marks.append((written, len(self.log)))

    def sync(self, records: int) -> None:
        """Note how many records are durable."""
        while self._marks and self._marks[0][0] <= records:
            self.synced = self._marks.popleft()[1]

    def commit(self, replicated: int) -> bool:
        """Commit what is durable here and at the standbys; return whether that is more than before."""
        position = min(self.rules.durable_position(self.synced, len(self.log)), replicated)
        if position <= self.committed:
            return False
        for reward in self.log[self.committed : position]:
            self.stable.setdefault(reward[:2], IntervalSet()).add(reward.serial)
        self.committed = position
        return True

    def open(self, position: int) -> None:
        """Feed what the network held before this epoch, oldest version first, and let the policy begin."""
        self.opened = True
        self.fed = position
        self.queues.put(self.rules.feeding_order(self.log[:position]))
        self._ask()

    def _ask(self) -> None:
        self.wanted = int(self.task.policy.select(self.policy_state, self.rng))
        self._check()

    def _check(self) -> None:
        if not 0 <= self.wanted < self.task.n_actions:
            raise SpecError(f"{self.task.policy!r} chose action {self.wanted}; actions are 0 … {self.task.n_actions - 1}")

    def decide(self) -> list[Reward]:
        """Let the policy read what it may see; return what it read."""
        position = self.rules.consumable(self.committed, len(self.log))
        if position > self.fed:
            self.queues.put(self.log[self.fed : position])
            self.fed = position
        self.wanted = int(decide(self.task.policy, self.policy_state, self.queues, self.wanted, self.rng))
        self._check()
        taken, self.queues.taken = self.queues.taken, []
        return taken

    def cover(self, streams: Iterable[Stream]) -> Cover:
        """Return what is committed of some streams."""
        return tuple((*stream, tuple(self.stable[stream].intervals)) for stream in sorted(streams) if stream in self.stable)
