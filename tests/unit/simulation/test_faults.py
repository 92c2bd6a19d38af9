"""Faults do what they say: each kind happens, and nothing happens in a calm world."""

import itertools
import random
from collections import Counter

import pytest

import quack
from quack.agent import Rules, Settings, Task
from quack.simulation.checker import check
from quack.simulation.faults import Disk, Faults, connected
from quack.simulation.scenario import Scenario
from quack.simulation.world import World

SQUARE = ((1, 3), (0, 2), (1, 3), (0, 2))


def scenario(duration=60.0, settings=None, **faults):
    environment = quack.Bernoulli([0.8, 0.2])
    task = Task(quack.UCB(sigma=0.5), 2, 400, low=0.0, high=1.0)
    return Scenario(SQUARE, environment, task, settings or Settings(), Faults(**faults), duration=duration)


def kinds(facts):
    return Counter(fact["kind"] for fact in facts)


def test_a_calm_world_counts_every_choice_once():
    facts = World(scenario(), 1).run()
    seen = kinds(facts)
    assert check(facts, quack.UCB(sigma=0.5)) == []
    assert seen["claimed"] == 1
    assert not seen.keys() & {"crash", "cut", "frozen", "garbage", "destroyed", "yielded"}
    assert seen["chosen"] == seen["rewarded"] == seen["held"] == seen["logged"] + len(facts_of(facts, "claimed")[0]["log"])
    assert facts[-1]["settled"]
    assert seen["chosen"] == pytest.approx(4 * 60, abs=5 * (4 * 60) ** 0.5), "Poisson, within five standard deviations"


def facts_of(facts, kind):
    return [fact for fact in facts if fact["kind"] == kind]


@pytest.mark.parametrize(
    ("fault", "fact"),
    [
        ("crash", "crash"),
        ("partition", "cut"),
        ("one_way", "cut"),
        ("freeze", "frozen"),
        ("garbage", "garbage"),
        ("join", "joined"),
        ("leave", "left"),
    ],
)
def test_each_incident_happens_and_is_survived(fault, fact):
    facts = World(scenario(**{fault: 5.0}, down=10.0), 2).run()
    assert kinds(facts)[fact] >= 2
    assert check(facts, quack.UCB(sigma=0.5)) == []


def test_one_way_cuts_are_one_way():
    facts = World(scenario(one_way=5.0), 2).run()
    cut = {tuple(link) for fact in facts_of(facts, "cut") for link in fact["links"]}
    assert any((b, a) not in cut for fact in facts_of(facts, "cut") for a, b in fact["links"] for cut in [set(fact["links"])])
    assert cut


def test_destroyed_disks_are_empty_and_no_more_than_allowed():
    facts = World(scenario(crash=4.0, destroyed=1.0, disks=2, down=5.0), 3).run()
    destroyed = [place for place, fact in enumerate(facts) if fact["kind"] == "destroyed"]
    assert len(destroyed) == 2
    for place in destroyed:
        start = next(fact for fact in facts[place:] if fact["kind"] == "start" and fact["node"] == facts[place]["node"])
        assert start["disk"] == 0


def test_torn_writes_and_late_syncs_leave_a_part_of_what_was_written():
    """Some crash finds records under way, and some of them are durable afterwards."""
    facts = World(scenario(duration=200.0, crash=4.0, torn=1.0, slow_sync=0.8, down=4.0), 4).run()
    torn = [after for before, after in itertools.pairwise(facts) if before["kind"] == "durable" and after["kind"] == "crash"]
    assert torn
    assert check(facts, quack.UCB(sigma=0.5)) == []


def test_loss_and_duplication_are_of_the_size_that_is_asked_for():
    """A message in a calm world arrives; with loss p, binomially many do: within five standard deviations."""
    sent, arrived = totals(World(scenario(loss=0.3), 5))
    assert abs(arrived - 0.7 * sent) < 5 * (sent * 0.21) ** 0.5
    sent, arrived = totals(World(scenario(duplication=0.3), 5))
    assert abs(arrived - 1.3 * sent) < 5 * (sent * 0.21) ** 0.5 + 20, "some are under way at the end"


def totals(world):
    """Messages sent and arrived in the phase of faults."""
    world.scenario = world.scenario._replace(patience=0.0)
    world.run()
    return sum(world.messages.values()), world.events["message"]


def test_the_application_does_the_same_whatever_goes_wrong():
    """Choices come at the same times with and without loss: differences in regret are due to faults."""
    calm, lossy = ([fact["at"] for fact in facts_of(World(scenario(loss=loss), 6).run(), "chosen")] for loss in (0.0, 0.4))
    assert calm == lossy


@pytest.mark.parametrize(
    ("faults", "sentence"),
    [
        ({"loss": 0.95}, "loss is 0.95; a probability from 0 to 0.9 is accepted"),
        ({"torn": -0.1}, "torn is -0.1; a probability from 0 to 1 is accepted"),
        ({"crash": 0.0}, "crash is 0.0; a positive number of seconds is accepted"),
        ({"drift": 2.0}, "drift is 2.0; a number from 0 to 1 is accepted"),
        ({"delay": float("inf")}, "at most 1e.09 seconds are accepted"),
        ({"loss": float("nan")}, "loss is nan"),
    ],
)
def test_impossible_faults_are_refused(faults, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        Faults(**faults).checked()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"standbys": -1}, "standbys is -1; a whole number from 0 on is accepted"),
        ({"batch": 0}, "batch is 0; a whole number from 1 on is accepted"),
        ({"window": 1.5}, "window is 1.5; None or a whole number of ticks is accepted"),
        ({"default": float("nan")}, "default is nan; a finite number is accepted"),
        ({"hysteresis": -0.5}, "hysteresis is -0.5; a number from 0 on is accepted"),
    ],
)
def test_impossible_settings_are_refused(settings, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        Settings(**settings).checked()


def test_a_disk_keeps_what_was_synced():
    disk = Disk()
    disk.writing += [("a",), ("b",), ("c",)]
    assert disk.sync(2) == (0, [("a",), ("b",)])
    assert (disk.durable, disk.writing) == ([("a",), ("b",)], [("c",)])
    assert disk.sync(1) == (2, [("c",)])


def test_connected_against_networkx():
    import networkx as nx

    for seed in range(50):
        graph = nx.gnp_random_graph(7, 0.3, seed=seed)
        neighbours = {node: set(graph[node]) for node in graph}
        nodes = random.Random(seed).sample(range(7), 4)
        assert connected(neighbours, nodes) == nx.is_connected(graph.subgraph(nodes))


def test_a_rule_that_is_replaced_is_seen_by_the_checker():
    """Without deduplication a doubled message counts twice."""

    class Twice(Rules):
        def is_new(self, known, reward):
            known.add(reward.serial)
            return True

    found = {
        violation.rule
        for seed in range(20)
        for violation in check(World(scenario(duplication=0.5, delay=3.0), seed, Twice()).run())
    }
    assert "I1" in found
