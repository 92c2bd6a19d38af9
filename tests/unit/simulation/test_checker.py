"""A small world written by hand, and one lie at a time: the judge names the invariant that it breaks."""

import copy

import pytest

import quack
from quack.simulation.checker import check

EPOCH = [1, 0, 1]
FIRST, SECOND = [EPOCH, 1], [EPOCH, 2]
REWARD = [1, 1, 0, FIRST, 0, 1.0]
TICKET = [1, 1, 0, FIRST, 0]
ANOTHER = [1, 1, 1, FIRST, 0, 0.0]
COVER = [[1, 1, [[0, 1]]]]


def world(**settings):
    return {
        "kind": "world",
        "at": 0.0,
        "format": 1,
        "seed": 0,
        "nodes": 2,
        "actions": 2,
        "edges": [[0, 1]],
        "means": [0.5, 0.4],
        "policy": "UCB()",
        "horizon": 10,
        "policy_seed": 0,
        "run": 0,
        "arrivals": 1.0,
        "settings": {"standbys": 0, "window": None, "default": 0.0, "capacity": 5, "log_capacity": 100, "hysteresis": 0.1}
        | settings,
    }


def of(kind, node=None, boot=1, **fields):
    life = {} if node is None else {"node": node, "boot": boot}
    return {"kind": kind, "at": 1.0, **life, **fields}


def state(node, **fields):
    usual = {"leader": EPOCH, "order": [EPOCH, 2, 1], "leads": EPOCH if node == 0 else None, "held": 0, "open": 0, "log": 1}
    return of("state", node, **usual | {"committed": 1, "queued": [0, 0], "known": 2, "distance": 1} | fields)


def story():
    """Node 0 leads; node 1 plays action 0 and earns 1; the leader learns it and orders action 1."""
    return {
        "world": world(),
        "start 0": of("start", 0, neighbours=[1], disk=0),
        "start 1": of("start", 1, neighbours=[0], disk=0),
        "claimed": of("claimed", 0, epoch=EPOCH, log=[]),
        "lead": of("durable", 0, first=0, records=[["lead", EPOCH]]),
        "opened": of("opened", 0, epoch=EPOCH, position=0),
        "first order": of("published", 0, order=[EPOCH, 1, 0]),
        "0 adopts": of("adopted", 0, order=[EPOCH, 1, 0]),
        "1 adopts": of("adopted", 1, order=[EPOCH, 1, 0]),
        "chosen": of("chosen", 1, ticket=TICKET),
        "rewarded": of("rewarded", 1, ticket=TICKET, value=1.0, answer="accepted"),
        "held": of("held", 1, reward=REWARD, ticket=TICKET),
        "own": of("durable", 1, first=0, records=[["own", REWARD, TICKET]]),
        "offered": of("offered", 1, epoch=EPOCH, after=None, ids=[[1, 1, 0]], left=0),
        "logged": of("logged", 0, epoch=EPOCH, position=0, reward=REWARD, source=1),
        "log": of("durable", 0, first=1, records=[["log", REWARD]]),
        "committed": of("committed", 0, epoch=EPOCH, position=1),
        "acknowledged": of("acknowledged", 0, epoch=EPOCH, to=1, cover=COVER),
        "dropped": of("dropped", 1, epoch=EPOCH, cover=COVER),
        "drop": of("durable", 1, first=1, records=[["drop", COVER]]),
        "consumed": of("consumed", 0, epoch=EPOCH, reward=REWARD),
        "second order": of("published", 0, order=[EPOCH, 2, 1]),
        "0 obeys": of("adopted", 0, order=[EPOCH, 2, 1]),
        "1 obeys": of("adopted", 1, order=[EPOCH, 2, 1]),
        "quiet": of("quiet"),
        "state 0": state(0),
        "state 1": state(1),
        "end": of("end", settled=True, events={}, messages={}),
    }


def judged(told):
    return check(told.values(), quack.UCB())


def test_the_truth_breaks_nothing():
    assert judged(story()) == []


def change(name, **fields):
    def tell(told):
        told[name] |= fields
        return told

    return tell


def without(*names):
    def tell(told):
        return {name: record for name, record in told.items() if name not in names}

    return tell


def insert(before, **records):
    def tell(told):
        return {
            key: record
            for name, found in told.items()
            for key, record in [*(records.items() if name == before else ()), (name, found)]
        }

    return tell


def swapped(first, second):
    def tell(told):
        names = list(told)
        a, b = names.index(first), names.index(second)
        names[a], names[b] = names[b], names[a]
        return {name: told[name] for name in names}

    return tell


LIES = {
    "a reward changes its value": ("I1", change("consumed", reward=[*REWARD[:5], 0.5])),
    "a reward is logged twice": ("I1", insert("log", again=of("logged", 0, epoch=EPOCH, position=1, reward=REWARD, source=0))),
    "a log has a gap": ("I1", change("logged", position=1)),
    "a ticket counts twice": ("I1", insert("own", again=of("held", 1, reward=ANOTHER, ticket=TICKET))),
    "a durable ticket counts twice": (
        "I1",
        change("own", records=[["own", REWARD, TICKET], ["own", ANOTHER, TICKET]]),
    ),
    "serials have a gap": ("I1", change("held", reward=ANOTHER)),
    "a durable reward is lost": ("I2", without("offered", "logged", "log", "committed", "acknowledged", "consumed")),
    "a reward is dropped unasked": ("I2", without("acknowledged")),
    "a reward is made up": ("I2", without("rewarded")),
    "a reward is of another choice": ("I2", change("chosen", ticket=[1, 1, 0, FIRST, 1])),
    "a report is forgotten": ("I2", insert("quiet", report=of("durable", 1, first=2, records=[["report", [1, 1, 9], 1.0]]))),
    "a claim leaves custody behind": ("I2", insert("offered", coup=of("claimed", 1, epoch=[2, 1, 1], log=[]))),
    "an epoch is another's": ("I3", change("claimed", epoch=[1, 1, 1])),
    "an epoch begins twice": ("I3", insert("opened", again=of("claimed", 0, epoch=EPOCH, log=[]))),
    "an order has two actions": ("I3", insert("0 adopts", again=of("published", 0, order=[EPOCH, 1, 1]))),
    "an order skips a number": ("I3", change("second order", order=[EPOCH, 3, 1])),
    "an order is invented": ("I3", change("1 adopts", order=[EPOCH, 1, 1])),
    "who leads no more gives orders": ("I3", insert("second order", end_of_epoch=of("yielded", 0, epoch=EPOCH))),
    "a life begins again": ("I3", insert("quiet", again=of("start", 1, neighbours=[0], disk=2))),
    "an older order is followed": ("I4", insert("quiet", back=of("adopted", 1, order=[EPOCH, 1, 0]))),
    "a choice ignores the order": ("I4", change("chosen", ticket=[1, 1, 0, [[0, 0, 0], 0], 0])),
    "the policy did not want that": ("I5", change("second order", order=[EPOCH, 2, 0])),
    "the policy is fed before it opens": ("I5", without("opened")),
    "the policy is fed twice": ("I5", insert("second order", again=of("consumed", 0, epoch=EPOCH, reward=REWARD))),
    "custody overflows": ("I6", change("world", **world(capacity=0))),
    "too many tickets are open": ("I6", change("state 1", open=9)),
    "a log overflows": ("I6", change("state 0", log=1000)),
    "nobody leads": ("I7", change("state 0", leads=None)),
    "somebody follows another leader": ("I7", change("state 1", leader=[2, 1, 1])),
    "somebody missed the last order": ("I7", change("state 1", order=[EPOCH, 1, 0])),
    "somebody still holds rewards": ("I7", change("state 1", held=1)),
    "somebody still waits": ("I7", change("state 1", open=1)),
    "somebody does not know all": ("I7", change("state 1", known=1)),
    "somebody measures wrongly": ("I7", change("state 1", distance=2)),
    "somebody is not heard of": ("I7", without("state 1")),
    "the world never rests": ("I7", change("end", settled=False)),
    "the leader stands at the rim": (
        "I7",
        insert("quiet", **{f"join {n}": of("joined", node=n, neighbours=[1]) for n in (2, 3)}),
    ),
    "it is accepted from who did not offer": ("I8", without("offered")),
    "it is accepted before what precedes it": ("I8", change("offered", after=[1, 1, 1], ids=[[1, 1, 0]])),
    "a log begins with the young": (
        "I8",
        change("claimed", log=[[0, 7, 0, FIRST, 0, 1.0], [0, 7, 1, [[0, 0, 0], 0], 0, 1.0]]),
    ),
    "what is not durable is committed": ("commit", swapped("log", "committed")),
    "there are too few copies": ("commit", change("world", **world(standbys=1))),
    "more is committed than there is": ("commit", change("committed", position=2)),
    "it is consumed before committed": ("commit", swapped("committed", "consumed")),
    "it is acknowledged before committed": ("acknowledge", swapped("committed", "acknowledged")),
    "a disk is shorter than written": ("disk", change("drop", first=0)),
    "a node acts after its death": ("journal", insert("chosen", death=of("crash", 1, disk=0))),
    "time runs backwards": ("journal", change("start 0", at=9.0)),
    "leaders come and go without a reason": (
        "events",
        insert("quiet", **{f"claim {n}": of("claimed", 1, epoch=[n, 1, 1], log=[]) for n in range(2, 20)}),
    ),
}


def prepare(told):
    """Give ids their meaning where a lie speaks of a second reward."""
    before = "offered"
    ticket = [1, 1, 1, FIRST, 0]
    return insert(
        before,
        chosen2=of("chosen", 1, ticket=ticket),
        rewarded2=of("rewarded", 1, ticket=ticket, value=0.0, answer="accepted"),
        held2=of("held", 1, reward=ANOTHER, ticket=ticket),
    )(told)


@pytest.mark.parametrize(("rule", "lie"), LIES.values(), ids=LIES)
def test_a_lie_is_named(rule, lie):
    told = copy.deepcopy(story())
    if lie is LIES["it is accepted before what precedes it"][1]:
        told = prepare(told)
    assert rule in {violation.rule for violation in judged(lie(told))}


def test_what_lay_on_destroyed_disks_only_is_excused():
    told = without("offered", "logged", "log", "committed", "acknowledged", "consumed", "dropped", "drop", "second order")(
        story()
    )
    told = {name: record for name, record in told.items() if not name.endswith("obeys")}
    order = [EPOCH, 1, 0]
    told["state 0"] |= {"order": order, "log": 0, "committed": 0}
    told["state 1"] |= {"order": order, "boot": 2}
    told = insert(
        "quiet",
        death=of("crash", 1, disk=1),
        fire=of("destroyed", node=1),
        birth=of("start", 1, boot=2, neighbours=[0], disk=0),
        obeys=of("adopted", 1, boot=2, order=order),
    )(told)
    assert judged(told) == []
    assert {violation.rule for violation in judged(without("fire")(told))} == {"disk", "I2"}


@pytest.mark.parametrize("records", [[], [{"kind": "start"}], [world() | {"format": 2}], [world(), of("unheard")]], ids=len)
def test_what_is_no_journal_is_refused(records):
    with pytest.raises(quack.SpecError, match="no journal"):
        check(records)


def test_a_hundred_violations_are_enough():
    told = [world(), *(of("yielded", 0, epoch=[n, 0, 1]) for n in range(200))]
    assert len(check(told)) <= 101
