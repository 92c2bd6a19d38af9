"""Rewards that wait until the leader says that they are durable there."""

from bisect import bisect_right
from collections.abc import Iterable

from quack.agent.identities import Cover, Reward, RewardId
from quack.agent.intervals import IntervalSet
from quack.agent.rules import Rules

__all__ = ["Custody", "covers", "to_cover"]


def to_cover(ids: Iterable[RewardId]) -> Cover:
    """Return a set of ids as intervals.

    Examples
    --------
    >>> to_cover([(0, 1, 0), (2, 1, 5), (0, 1, 1)])
    ((0, 1, ((0, 2),)), (2, 1, ((5, 6),)))
    """
    sets: dict[tuple[int, int], IntervalSet] = {}
    for node, boot, serial in ids:
        sets.setdefault((node, boot), IntervalSet()).add(serial)
    return tuple((node, boot, tuple(sets[node, boot].intervals)) for node, boot in sorted(sets))


def covers(cover: Cover) -> dict[tuple[int, int], IntervalSet]:
    """Return intervals as sets that can be asked."""
    return {(node, boot): IntervalSet(intervals) for node, boot, intervals in cover}


class Custody:
    """Rewards in custody order, and how many of the first of them are under way to the leader."""

    def __init__(self, me: int, rules: Rules) -> None:
        self.me = me
        self.rules = rules
        self.rewards: list[Reward] = []
        self.ids: set[RewardId] = set()
        self.sent = 0
        self.own = 0  # rewards that this node accepted itself

    def __len__(self) -> int:
        return len(self.rewards)

    def add(self, reward: Reward) -> None:
        """Take a reward into custody. One of an older version goes before newer ones, and what is under way is sent again."""
        self.ids.add(reward[:3])
        self.own += reward.node == self.me
        if self.rewards and reward.version < self.rewards[-1].version:
            place = bisect_right(self.rewards, reward.version, key=lambda held: held.version)
            self.sent = min(self.sent, place)
            self.rewards.insert(place, reward)
        else:
            self.rewards.append(reward)

    def merge(self, rewards: Iterable[Reward]) -> None:
        """Take in what a log or a standby's copy held."""
        new = []
        for reward in rewards:
            if reward[:3] not in self.ids:
                self.ids.add(reward[:3])
                new.append(reward)
        self.rewards = self.rules.custody_order([*new, *self.rewards])
        self.own += sum(reward.node == self.me for reward in new)
        self.sent = 0

    def take_all(self) -> list[Reward]:
        """Empty custody and return what was in it."""
        rewards = self.rewards
        self.rewards, self.ids, self.sent, self.own = [], set(), 0, 0
        return rewards

    def next_batch(self, most: int) -> tuple[RewardId | None, tuple[Reward, ...]]:
        """Return what may be sent now, and what stands before it; at most so many are under way."""
        batch = tuple(self.rewards[self.sent : most])
        return (self.rewards[self.sent - 1][:3] if self.sent else None), batch

    def drop(self, cover: Cover, stride: int) -> list[Reward]:
        """Let go of what is covered; look from the front on, and no further than a stride behind the first that is not."""
        known = covers(cover)
        dropped: list[Reward] = []
        kept: list[Reward] = []
        under_way = self.sent
        place = 0
        for place, reward in enumerate(self.rewards, 1):
            stream = known.get(reward[:2])
            if stream is not None and reward.serial in stream:
                dropped.append(reward)
                under_way -= place <= self.sent
            else:
                kept.append(reward)
                if len(kept) >= stride:
                    break
        if dropped:
            self.rewards[:place] = kept
            self.sent = under_way
            for reward in dropped:
                self.ids.discard(reward[:3])
                self.own -= reward.node == self.me
        return dropped
