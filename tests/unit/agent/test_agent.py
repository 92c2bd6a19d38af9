"""The door: what cannot be is refused and changes nothing; one agent against a model of what it must do."""

import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import quack
from quack.agent import Agent, Asked, Linked, Received, Retiring, Rewarded, Settings, Synced, Task, Ticked, Unlinked
from quack.agent.effects import Answered, Chose, Consumed, Retired, Send, Write
from quack.agent.identities import NO_VERSION, Order, Reward, Ticket
from quack.agent.messages import MESSAGES, Acknowledgement, Announcement, Copied, Copy, Hello, Instruction, Offer, Routed
from quack.errors import LocalProtocolError, ProtocolError, RemoteProtocolError

TASK = Task(quack.UCB(sigma=0.5), 2, 1000, low=0.0, high=1.0)


def an_agent(**changes):
    """An agent in the middle of its life: a map, a leader, custody."""
    agent = Agent(1, 1, (0, 2), TASK, Settings(rise=1, **changes))
    agent.step(Ticked())
    for sender in (0, 2):
        agent.step(Received(sender, Hello(1, (1, 0, 1), None)))
        agent.step(Received(sender, Announcement(sender, 3, 1, (1,), int(sender == 0), True)))
    agent.step(Ticked())
    for _ in range(3):
        ticket = agent.step(Asked())[-1].ticket
        agent.step(Rewarded(ticket, 1.0))
    agent.step(Synced(agent.written))
    return agent


# Atoms of which events are made, good and bad.
atoms = st.sampled_from(
    [0, 1, 2, 3, 7, -1, 2**48, 2**70, True, None, "x", 0.5, 1.0, math.nan, math.inf, (), (1, 1, 1), ((1, 0, 1), 1)]
)
parts = st.recursive(atoms, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=6)


def made(kind, field=parts):
    return st.tuples(*[field] * len(kind._fields)).map(lambda fields: kind(*fields))


tickets = made(Ticket) | st.builds(
    Ticket, st.sampled_from([0, 1, 9]), st.sampled_from([1, 2]), st.integers(0, 5), st.just(NO_VERSION), st.integers(0, 2)
)
payloads = st.one_of(made(Copied), made(Offer))
heard = st.one_of(
    parts,
    *[made(kind) for kind in MESSAGES],
    st.builds(Routed, st.sampled_from([0, 1, 2, 9]), st.integers(-1, 3), payloads),
    st.builds(Instruction, made(Order) | st.builds(Order, st.just((1, 0, 1)), st.integers(0, 3), st.integers(-1, 3))),
)
events = st.one_of(
    parts,
    st.just(Ticked()),
    st.just(Asked()),
    st.builds(Received, st.sampled_from([0, 1, 2, 9, None]), heard),
    st.builds(Rewarded, tickets | parts, atoms),
    st.builds(Synced, atoms),
    st.builds(Linked, parts),
    st.builds(Unlinked, parts),
    st.just(Retiring()),
)


@settings(max_examples=60)
@given(st.lists(events, max_size=12), st.booleans())
def test_whatever_is_refused_changes_nothing(given_events, windowed):
    """Arbitrary events: each is taken, or refused by a ProtocolError and nothing else, and then the state is as before."""
    agent = an_agent(window=3 if windowed else None)
    for event in given_events:
        before = pickle.dumps(vars_of(agent))
        try:
            agent.step(event)
        except ProtocolError:
            assert pickle.dumps(vars_of(agent)) == before, event


def vars_of(agent):
    """Everything that an agent is, but the tables of its own methods and the effects that it handed out."""
    return {name: value for name, value in vars(agent).items() if name not in ("_events", "_payloads", "_effects")}


@pytest.mark.parametrize(
    ("event", "error", "sentence"),
    [
        ("Ticked", LocalProtocolError, "is no event"),
        (Received(9, Hello(1, (1, 1, 1), None)), LocalProtocolError, r"came from 9, which is no neighbour; \[0, 2\] are"),
        (Received(0, Hello(-1, (1, 1, 1), None)), RemoteProtocolError, "a fingerprint is -1"),
        (Received(0, Copied(1, 1, (1, 1, 1), 1)), RemoteProtocolError, "came without a route"),
        (Rewarded(Ticket(1, 1, 3, NO_VERSION, 0), 1.0), LocalProtocolError, "only 3 choices were made"),
        (Rewarded(Ticket(1, 1, 0, NO_VERSION, 0), math.nan), LocalProtocolError, "a finite float from 0 to 1 is accepted"),
        (Rewarded(Ticket(1, 1, 0, NO_VERSION, 5), 1.0), LocalProtocolError, "an action is 5"),
        (Synced(4), LocalProtocolError, "from 3 to 3 are accepted"),
        (Synced(2), LocalProtocolError, "from 3 to 3 are accepted"),
        (Linked(2), LocalProtocolError, "a new one to another node is accepted"),
        (Linked(1), LocalProtocolError, "a new one to another node is accepted"),
        (Unlinked(3), LocalProtocolError, r"one to \[0, 2\] is accepted"),
    ],
    ids=str,
)
def test_each_refusal_says_what_would_be_accepted(event, error, sentence):
    with pytest.raises(error, match=sentence):
        an_agent().step(event)


def test_a_node_that_is_retiring_is_asked_no_more_and_goes_when_it_holds_nothing():
    agent = an_agent()
    agent.step(Retiring())
    for event in (Asked(), Retiring()):
        with pytest.raises(LocalProtocolError, match="is retiring"):
            agent.step(event)
    assert not any(isinstance(effect, Retired) for effect in agent.step(Ticked())), "it holds three rewards"
    offer = next(e.message.payload for e in agent.step(Ticked()) + replies(agent) if is_offer(e))
    assert len(offer.rewards) == 3


def test_a_reward_that_is_reported_after_a_node_has_retired_is_handed_over_too():
    """A network that needs the node as a way lets it stay, and an application may be late."""
    agent = an_agent()
    late = agent.step(Asked())[-1].ticket
    agent.step(Retiring())
    agent.step(Received(0, Routed(1, 9, Acknowledgement((1, 0, 1), ((1, 1, ((0, 3),)),), ()))))
    assert Retired() in agent.step(Ticked())
    assert agent.retired
    agent.step(Rewarded(late, 1.0))
    assert Retired() not in agent.step(Ticked())
    assert not agent.retired
    agent.step(Received(0, Routed(1, 9, Acknowledgement((1, 0, 1), ((1, 1, ((0, 4),)),), ()))))
    assert Retired() in agent.step(Ticked())


@pytest.mark.parametrize(("standbys", "kept"), [((1,), 2), ((2,), 0)])
def test_copies_that_became_custody_are_kept_until_others_have_them(standbys, kept):
    """A standby that leaves asks to be let off; an acknowledgement that counts its own copies does not let it off."""
    agent = an_agent(standbys=1)
    agent.step(Rewarded(agent.step(Asked())[-1].ticket, 1.0))
    copies = tuple(Reward(0, 1, serial, ((1, 0, 1), 1), 0, 1.0) for serial in range(2))
    agent.step(Received(0, Routed(1, 9, Copy(0, (1, 0, 1), 0, copies))))
    agent.step(Retiring())
    agent.step(Ticked())
    before = len(agent.custody)
    acknowledgement = Acknowledgement((1, 0, 1), ((0, 1, ((0, 2),)),), standbys)
    agent.step(Received(0, Routed(1, 9, acknowledgement)))
    assert not agent.replicas
    assert len(agent.custody) == before - 2 + kept


def is_offer(effect):
    return isinstance(effect, Send) and isinstance(effect.message, Routed) and isinstance(effect.message.payload, Offer)


def replies(agent):
    return [effect for _ in range(10) for effect in agent.step(Ticked())]


class OneAgent(RuleBasedStateMachine):
    """A node alone, with crashes at any moment and syncs at any pace, against the list of what it promised.

    What was durable when it crashed is in its log again; nothing is counted twice; the policy learns only from what is durable.
    """

    @initialize(window=st.none() | st.integers(0, 4), capacity=st.sampled_from([3, 1000]))
    def begin(self, window, capacity):
        self.settings = Settings(window=window, drain=0, settle=1, capacity=capacity)
        self.boot, self.disk, self.writing = 0, [], []
        self.reports = {}  # ticket → value: accepted in a life that has not crashed since, or durable
        self.start()

    def start(self):
        self.boot += 1
        self.agent = Agent(0, self.boot, (), TASK, self.settings, self.disk)
        self.tickets = getattr(self, "tickets", [])
        self.synced = 0

    def step(self, event):
        effects = self.agent.step(event)
        self.writing += [effect.record for effect in effects if isinstance(effect, Write)]
        for effect in effects:
            if isinstance(effect, Consumed):
                durable = {record[1][:3] for record in self.disk if record[0] == "own"}
                assert effect.reward[:3] in durable, "the policy saw what is not durable"
        return effects

    @rule()
    def tick(self):
        self.step(Ticked())

    @rule()
    def choose(self):
        self.tickets.append(next(effect.ticket for effect in self.step(Asked()) if isinstance(effect, Chose)))

    @precondition(lambda self: self.tickets)
    @rule(data=st.data(), value=st.sampled_from([0.0, 0.5, 1.0]))
    def report(self, data, value):
        ticket = data.draw(st.sampled_from(self.tickets))
        answer = next(effect.answer for effect in self.step(Rewarded(ticket, value)) if isinstance(effect, Answered))
        assert answer in ("accepted", "duplicate", "full", "expired")
        if answer == "accepted":
            assert ticket not in self.reports, "a ticket counts once"
            self.reports[ticket] = value
        elif ticket in self.reports:
            assert answer in ("duplicate", "expired") or self.settings.capacity == 3

    @rule(share=st.floats(0, 1))
    def sync(self, share):
        count = round(share * len(self.writing))
        self.disk += self.writing[:count]
        del self.writing[:count]
        self.synced += count
        self.step(Synced(self.synced))

    @rule(torn=st.floats(0, 1))
    def crash(self, torn):
        self.disk += self.writing[: round(torn * len(self.writing))]
        self.writing = []
        said = {record[1]: record[2] for record in self.disk if record[0] == "report"}
        said |= {record[2]: record[1].value for record in self.disk if record[0] == "own" and self.settings.window is None}
        self.reports = {ticket: value for ticket, value in self.reports.items() if ticket in said}
        assert all(said[ticket] == value for ticket, value in self.reports.items())
        self.start()

    @invariant()
    def holds_what_it_promised(self):
        if not hasattr(self, "agent"):
            return
        agent = self.agent
        held = [*agent.custody.rewards, *(agent.lead.log if agent.lead else ())]
        assert len({reward[:3] for reward in held}) == len(held)
        assert all(len(queue) <= len(held) for queue in (agent.lead.queues.waiting if agent.lead else ()))
        open_tickets = {entry.ticket for entry in agent.window.open.values()} if agent.window is not None else set()
        written = [record for record in self.disk + self.writing if record[0] == "own"]
        assert len(held) == len(written)
        released = {record[2]: record[1].value for record in written}
        for ticket, value in self.reports.items():
            assert ticket in open_tickets or released.get(ticket) == value
        if self.settings.window is None and not agent.lead:
            assert len(agent.custody) <= max(3, self.settings.capacity)


TestOneAgent = OneAgent.TestCase
TestOneAgent.settings = settings(max_examples=60, stateful_step_count=40)
