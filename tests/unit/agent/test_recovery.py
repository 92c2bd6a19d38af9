"""What a disk amounts to; and an agent that restarts at any point holds what its records say."""

import json

import pytest

import quack
from quack.agent import Agent, Asked, Rewarded, Settings, Synced, Task, Ticked
from quack.agent.effects import Chose, Write
from quack.agent.identities import NO_VERSION, Reward, Ticket
from quack.agent.recovery import Recovered, read_record
from quack.agent.rules import Rules
from quack.simulation.journal import plain


def reward(serial, node=0, term=1, value=0.5):
    return Reward(node, 1, serial, ((term, 0, 1), 1), 0, value)


def ticket(number):
    return Ticket(0, 1, number, NO_VERSION, 0)


def held(*records):
    recovered = Recovered(0, records, Rules())
    return [entry[:3] for entry in recovered.custody.rewards]


def test_own_rewards_are_in_custody_until_they_are_dropped():
    own = [("own", reward(serial), ticket(serial)) for serial in range(3)]
    assert held(*own) == [(0, 1, 0), (0, 1, 1), (0, 1, 2)]
    assert held(*own, ("drop", ((0, 1, ((0, 2),)),))) == [(0, 1, 2)]


def test_a_log_is_custody_when_its_leadership_is_over_whether_or_not_it_says_so():
    log = [("own", reward(0), ticket(0)), ("lead", (1, 0, 1)), ("log", reward(5, node=2)), ("own", reward(1), ticket(1))]
    everything = [(0, 1, 0), (0, 1, 1), (2, 1, 5)]
    assert sorted(held(*log)) == everything
    assert sorted(held(*log, ("yield",))) == everything
    gone = ("drop", ((0, 1, ((0, 2),)), (2, 1, ((5, 6),))))
    assert held(*log, gone) == [], "whoever drops leads no more"


def test_copies_are_custody_when_released_or_when_their_keeper_leads():
    copies = [("replica", (3, 2, 9), reward(serial, node=2)) for serial in range(2)]
    recovered = Recovered(0, copies, Rules())
    assert (len(recovered.custody), recovered.replicas, recovered.top) == (
        0,
        {(3, 2, 9): [copy[2] for copy in copies]},
        (3, 2, 9),
    )
    assert held(*copies, ("release", (3, 2, 9))) == [(2, 1, 0), (2, 1, 1)]
    assert held(*copies, ("lead", (4, 0, 1))) == [(2, 1, 0), (2, 1, 1)]


def test_custody_is_oldest_version_first():
    records = [("replica", (3, 2, 9), reward(0, node=2, term=2)), ("own", reward(0, term=3), ticket(0)), ("release", (3, 2, 9))]
    assert held(*records) == [(2, 1, 0), (0, 1, 0)]


def test_open_windows_and_reports():
    records = [
        ("open", ticket(0)),
        ("open", ticket(1)),
        ("report", ticket(1), 0.25),
        ("open", ticket(2)),
        ("own", reward(0), ticket(0)),
    ]
    assert Recovered(0, records, Rules()).open == {ticket(1): 0.25, ticket(2): None}


def test_a_record_that_cannot_be_is_refused():
    with pytest.raises(quack.LocalProtocolError, match="a record begins with 'x'"):
        Recovered(0, [("x",)], Rules())


@pytest.mark.parametrize("window", [None, 3])
def test_a_node_that_restarts_after_any_record_answers_for_what_was_durable(window):
    """A leader alone: every reward that is durable is in its log again, with its value, and records survive JSON."""
    task, settings = Task(quack.UCB(), 2, 100, low=0.0, high=1.0), Settings(window=window, drain=0)
    agent, disk = Agent(0, 1, (), task, settings), []

    def step(event):
        effects = agent.step(event)
        disk.extend(effect.record for effect in effects if isinstance(effect, Write))
        if agent.synced < agent.written:
            agent.step(Synced(agent.written))
        return effects

    for number in range(20):
        step(Ticked())
        chosen = next(effect.ticket for effect in step(Asked()) if isinstance(effect, Chose))
        if number % 3:
            step(Rewarded(chosen, 1.0 if number % 2 else 0.0))
    kinds = {record[0] for record in disk}
    assert kinds == ({"lead", "own"} if window is None else {"lead", "own", "open", "report"})
    for length in range(len(disk) + 1):
        kept = [read_record(json.loads(json.dumps(plain(record)))) for record in disk[:length]]
        assert kept == disk[:length]
        again = Agent(0, 2, (), task, settings, kept)
        for _ in range(10):
            again.step(Ticked())
            if again.synced < again.written:
                again.step(Synced(again.written))
        own = [record[1] for record in kept if record[0] == "own"]
        assert again.lead.log[: len(own)] == own
        waiting = {record[1] for record in kept if record[0] == "open"} - {record[2] for record in kept if record[0] == "own"}
        reports = {record[1]: record[2] for record in kept if record[0] == "report"}
        released = [(entry.action, entry.value) for entry in again.lead.log[len(own) :]]
        assert sorted(released) == sorted((entry.action, reports.get(entry, 0.0)) for entry in waiting)
