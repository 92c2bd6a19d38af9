"""Take one rule away, and the judge says which invariant falls. Each broken rule is caught within the first twenty worlds."""

import pytest

import quack
from quack.agent import Retiring, Rules, Settings, Task
from quack.simulation.campaign import mixed
from quack.simulation.checker import check
from quack.simulation.faults import Disk, Faults
from quack.simulation.world import Scenario, World

WORLDS = 20


class Twice(Rules):
    def is_new(self, known, reward):
        known.add(reward.serial)
        return True


class Unsynced(Rules):
    def durable_position(self, _synced, length):
        return length


class WithoutCopies(Rules):
    def replicated_position(self, _copied, _standbys, length):
        return length


class Hungry(Rules):
    def consumable(self, _committed, length):
        return length


class Credulous(Rules):
    def heeds(self, _epoch, _top):
        return True


class WithoutBoot(Rules):
    def new_epoch(self, top, node, _boot):
        return top[0] + 1, node, 0


class WithoutTerm(Rules):
    def new_epoch(self, _top, node, boot):
        return 1, node, boot


class Modest(Rules):
    def outbids_echo(self):
        return False


class Silent(Rules):
    def gossips(self, _top):
        return (0, 0, 0)


class Resigned(Rules):
    def reclaims(self, _epoch, _top):
        return False


class Rash(Rules):
    def is_settled(self, _still, _settle):
        return True


class Careless(Rules):
    def in_order(self, _after, _known):
        return True


class Shuffled(Rules):
    def custody_order(self, rewards):
        return list(rewards)


class Misfed(Rules):
    def feeding_order(self, rewards):
        return list(rewards)


class Impatient(Rules):
    def releases(self, reported, now, closes):
        return reported or now >= closes


class WithoutDefault(Rules):
    def closing_value(self, reported, _default):
        return reported


class Boundless(Rules):
    def has_room(self, _held, _capacity):
        return True


class Hasty(World):
    """Messages leave before the records of their step are durable."""

    def barrier(self, node, life):
        self._carry(node, life)
        super().barrier(node, life)


MUTANTS = {
    "is_new": (Twice, {"I1"}),
    "durable_position": (Unsynced, {"commit"}),
    "replicated_position": (WithoutCopies, {"commit"}),
    "consumable": (Hungry, {"commit"}),
    "heeds": (Credulous, {"custody"}),
    "new_epoch, the life": (WithoutBoot, {"I3"}),
    "new_epoch, the term": (WithoutTerm, {"I3"}),
    "outbids_echo": (Modest, {"I7"}),
    "gossips": (Silent, {"I7"}),
    "reclaims": (Resigned, {"I7"}),
    "is_settled": (Rash, {"events"}),
    "in_order": (Careless, {"I8"}),
    "custody_order": (Shuffled, {"I8"}),
    "feeding_order": (Misfed, {"I5"}),
    "releases": (Impatient, {"window"}),
    "closing_value": (WithoutDefault, {"window"}),
    "has_room": (Boundless, {"I6"}),
}


def caught(invariants, make):
    """Return the first seed whose world breaks one of the invariants; None if none of the first worlds does."""
    for seed in range(WORLDS):
        scenario = mixed(seed)
        broken = {violation.rule for violation in check(make(scenario, seed).run(), scenario.task.policy)}
        if broken & invariants:
            return seed
    return None


@pytest.mark.parametrize(("mutant", "invariants"), MUTANTS.values(), ids=MUTANTS)
def test_a_broken_rule_is_caught(mutant, invariants):
    seed = caught(invariants, lambda scenario, seed: World(scenario, seed, mutant()))
    assert seed is not None, f"no world of {WORLDS} shows {invariants}"
    scenario = mixed(seed)
    assert check(World(scenario, seed).run(), scenario.task.policy) == [], "with the rule, this world is whole"


def test_messages_that_leave_before_their_records_are_durable_are_caught():
    assert caught({"commit"}, Hasty) is not None, "a copy is confirmed that a crash can still take back"


def test_every_rule_has_its_mutant():
    rules = {name for name in vars(Rules) if not name.startswith("_")}
    assert {name.partition(",")[0] for name in MUTANTS} == rules - {"may_open", "may_acknowledge", "lets_go"}


class Eager(Rules):
    def may_open(self, _missing, _waited, _drain):
        return True


class Falling(World):
    """A world in which node 0 falls at one known time, and stays away for long."""

    def _begin(self):
        super()._begin()
        self._push(60.0, "crash", 0)

    def _crash(self, node, _data):
        self._end_life(node)
        self._push(50.0, "start", node)


@pytest.mark.parametrize(("rules", "collects"), [(Rules(), True), (Eager(), False)], ids=["may_open", "without"])
def test_a_new_leader_first_collects_what_others_hold(rules, collects):
    """The leader of three falls. Until its successor claims, rewards gather in the custody of the other.

    Without the rule, the successor's policy begins without them: rewards of old orders are fed behind those of new ones.
    """
    scenario = Scenario(
        neighbours=((1, 2), (0, 2), (0, 1)),
        environment=quack.Bernoulli([0.5, 0.4]),
        task=Task(quack.UCB(sigma=0.5), 2, 1000, low=0.0, high=1.0),
        settings=Settings(batch=2),
        faults=Faults(),
        duration=100.0,
    )
    facts = Falling(scenario, 3, rules).run()
    claim = next(place for place, fact in enumerate(facts) if fact["kind"] == "claimed" and fact["at"] > 60.0)
    opening = next(place for place in range(claim, len(facts)) if facts[place]["kind"] == "opened")
    assert facts[claim]["node"] == facts[opening]["node"] == 1
    gathered = {
        fact["reward"][:3] for fact in facts[:claim] if fact["kind"] == "held" and fact["node"] == 2 and fact["at"] > 60.0
    }
    accepted = {fact["reward"][:3] for fact in facts[claim:opening] if fact["kind"] == "logged"}
    assert len(gathered) > 5
    assert (gathered <= accepted) is collects


class Lenient(Rules):
    def may_acknowledge(self, _replicated, _committed):
        return True


class Gullible(Rules):
    def lets_go(self, _relied_on, _keeps_copies):
        return True


class Deserted(World):
    """The next standby does not hear the leader, the only one leaves, and then the leader's disk is destroyed."""

    def _begin(self):
        super()._begin()
        for at, kind, node in ((58.0, "one_way", 2), (60.0, "leave", 1), (64.0, "crash", 0)):
            self._push(at, kind, node)

    def _one_way(self, node, _data):
        self.cut.update([(0, node)])
        self._fact("cut", links=[(0, node)])
        self._push(40.0, "heal", node, [(0, node)])

    def _leave(self, node, _data):
        self.leaving.add(node)
        self._fact("leaving", node=node)
        self._step(node, Retiring())

    def _crash(self, node, _data):
        self._end_life(node)
        self.disks[node] = Disk()
        self._fact("destroyed", node=node)
        self._push(30.0, "start", node)


@pytest.mark.parametrize("mutant", [Lenient, Gullible])
def test_a_standby_that_leaves_is_let_off_only_when_others_have_its_copies(mutant):
    """Otherwise one destroyed disk loses what two disks were to hold."""
    scenario = Scenario(
        neighbours=((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2)),
        environment=quack.Bernoulli([0.5, 0.4]),
        task=Task(quack.UCB(sigma=0.5), 2, 1000, low=0.0, high=1.0),
        settings=Settings(standbys=1, patience=1),
        faults=Faults(delay=1.5),
        duration=120.0,
    )
    broken = [{violation.rule for violation in check(Deserted(scenario, seed, mutant()).run())} for seed in range(6)]
    assert {"I2"} <= set().union(*broken)
    for seed in range(6):
        assert check(Deserted(scenario, seed).run(), scenario.task.policy) == []
