"""Journals: written, read, and run again."""

import json

import pytest

import quack
from quack.agent import Rules
from quack.simulation import journal
from quack.simulation.campaign import mixed
from quack.simulation.checker import check
from quack.simulation.replay import replay
from quack.simulation.world import World


@pytest.fixture(scope="module", params=[3, 11])
def full(request):
    """The full journal of a world, and the policy in it."""
    scenario = mixed(request.param)
    return World(scenario, request.param, full=True).run(), scenario.task.policy


@pytest.mark.parametrize("name", ["world.jsonl", "world.jsonl.gz"])
def test_what_is_written_is_read(full, name, tmp_path):
    facts, _ = full
    journal.write(facts, tmp_path / name)
    assert list(journal.read(tmp_path / name)) == journal.plain(facts)


def test_a_file_tells_the_checker_and_the_agents_what_memory_told_them(full, tmp_path):
    facts, policy = full
    journal.write(facts, tmp_path / "world.jsonl.gz")
    read = list(journal.read(tmp_path / "world.jsonl.gz"))
    assert check(read, policy) == check(facts, policy) == []
    steps = sum(fact["kind"] == "step" for fact in facts)
    assert replay(read, policy) == replay(facts, policy) == steps > 500


def test_a_full_journal_is_the_journal_with_steps_between(full):
    facts, _ = full
    assert [fact for fact in facts if fact["kind"] != "step"] == World(mixed(facts[0]["seed"]), facts[0]["seed"]).run()


def test_replay_sees_another_effect_and_another_rule(full):
    facts, policy = full
    read = json.loads(json.dumps(facts))
    place = next(i for i, fact in enumerate(read) if fact["kind"] == "step" and fact["effects"])
    read[place]["effects"].pop()
    with pytest.raises(quack.SpecError, match="is another now"):
        replay(read, policy)

    class Silent(Rules):
        def gossips(self, _top):
            return (0, 0, 0)

    with pytest.raises(quack.SpecError, match="is another now"):
        replay(facts, policy, Silent())


def test_replay_needs_steps():
    with pytest.raises(quack.SpecError, match="only a full journal"):
        replay(World(mixed(3), 3).run(), mixed(3).task.policy)
    with pytest.raises(quack.SpecError, match="this is no journal"):
        replay([], quack.UCB())


@pytest.mark.parametrize(
    ("content", "line"), [(b'{"kind": "world"}\n{"at": 1}\n', 2), (b"[1]\n", 1), (b"\xff\n", 1), (b"{\n", 1)]
)
def test_a_file_that_is_no_journal_is_refused_with_its_line(content, line, tmp_path):
    path = tmp_path / "world.jsonl"
    path.write_bytes(content)
    with pytest.raises(quack.StoreError, match=f"line {line} is no record"):
        list(journal.read(path))


def test_a_file_that_is_missing_or_damaged_is_refused(tmp_path):
    with pytest.raises(quack.StoreError, match="cannot read"):
        list(journal.read(tmp_path / "nothing.jsonl"))
    (tmp_path / "world.jsonl.gz").write_bytes(b"not packed")
    with pytest.raises(quack.StoreError, match="cannot read"):
        list(journal.read(tmp_path / "world.jsonl.gz"))
