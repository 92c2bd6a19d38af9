"""What safety rests on, one rule a method. `docs/journal.md` says what breaks without each; the tests replace them one by one."""

from collections.abc import Iterable, Mapping, Sequence

from quack.agent.identities import Epoch, Reward, RewardId, Stream, Version
from quack.agent.intervals import IntervalSet

__all__ = ["Rules"]


def _version(reward: Reward) -> Version:
    return reward.version


class Rules:
    """The rules of the protocol. They know nothing and change nothing but what they are given."""

    def is_new(self, known: IntervalSet, reward: Reward) -> bool:
        """Whether a reward enters a log: its id does so once. Notes the id as known."""
        return known.add(reward.serial)

    def durable_position(self, synced: int, _length: int) -> int:
        """How much of the leader's log counts as durable on its own disk."""
        return synced

    def replicated_position(self, copied: Sequence[int], standbys: int, length: int) -> int:
        """How much of the leader's log is durable at so many standbys; without enough of them, nothing is."""
        if standbys == 0:
            return length
        return min(copied) if len(copied) >= standbys else 0

    def consumable(self, committed: int, _length: int) -> int:
        """How much of the log the policy may see: what will survive."""
        return committed

    def heeds(self, epoch: Epoch, top: Epoch) -> bool:
        """Whether custody heeds an acknowledgement. One of an earlier term may be older than custody itself (A → B → A)."""
        return epoch == top

    def may_acknowledge(self, replicated: int, committed: int) -> bool:
        """Whether those who are standbys now have what is committed: who was one may be about to go, and ask to be let off."""
        return replicated >= committed

    def lets_go(self, relied_on: bool, keeps_copies: bool) -> bool:
        """Whether custody lets go of what is acknowledged: not if the acknowledgement counts copies that are custody now."""
        return keeps_copies or not relied_on

    def new_epoch(self, top: Epoch, node: int, boot: int) -> Epoch:
        """Return an epoch that nobody has had or will have."""
        return top[0] + 1, node, boot

    def outbids_echo(self) -> bool:
        """Whether a node that hears its own announcement of an earlier life exceeds its number, so that the new one is heard."""
        return True

    def gossips(self, top: Epoch) -> Epoch:
        """Return the highest epoch that a hello speaks of."""
        return top

    def reclaims(self, epoch: Epoch, top: Epoch) -> bool:
        """Whether a leader must begin a higher epoch: others remember one, and would heed none of its acknowledgements."""
        return top > epoch

    def is_settled(self, still: int, settle: int) -> bool:
        """Whether the map has been still for long enough to act on it. At once, two leaders could outbid each other for ever."""
        return still > settle

    def in_order(self, after: RewardId | None, known: Mapping[Stream, IntervalSet]) -> bool:
        """Whether what precedes a batch in custody is in the log."""
        return after is None or (after[:2] in known and after[2] in known[after[:2]])

    def custody_order(self, rewards: Iterable[Reward]) -> list[Reward]:
        """Return rewards oldest version first; of one version, each node's in the order in which it accepted them.

        Whether a reward exists can depend on rewards of older versions, and on earlier ones of its own.
        """
        ordered = sorted(rewards, key=_version)
        places: dict[tuple[Version, int, int], list[int]] = {}
        for place, reward in enumerate(ordered):
            places.setdefault((reward.version, reward.node, reward.boot), []).append(place)
        for own in places.values():
            for place, reward in zip(own, sorted(ordered[place] for place in own), strict=True):
                ordered[place] = reward
        return ordered

    def feeding_order(self, rewards: Iterable[Reward]) -> list[Reward]:
        """Return the log that a leader began with in the order in which its policy reads it: oldest version first."""
        return sorted(rewards, key=_version)

    def may_open(self, missing: bool, waited: int, drain: int) -> bool:
        """Whether a new leader feeds its policy: everybody in reach has handed over, or it has waited long enough."""
        return not missing or waited >= drain

    def releases(self, _reported: bool, now: int, closes: int) -> bool:
        """Whether the reward of a choice is released: when its window closes, however early it was reported."""
        return now >= closes

    def closing_value(self, reported: float | None, default: float) -> float | None:
        """Return the reward of a choice whose window closes; None would drop it."""
        return default if reported is None else reported

    def has_room(self, held: int, capacity: int) -> bool:
        """Whether custody takes another reward of this node's own."""
        return held < capacity
