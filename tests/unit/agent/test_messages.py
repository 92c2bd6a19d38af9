"""Messages: there and back again, and nothing that no agent would send."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quack.agent.checks import check
from quack.agent.identities import Order, Reward, Ticket
from quack.agent.messages import (
    MOST,
    Acknowledgement,
    Announcement,
    Copied,
    Copy,
    Hello,
    Instruction,
    Known,
    Limits,
    Offer,
    Report,
    Routed,
)
from quack.agent.wire import decode, encode
from quack.errors import RemoteProtocolError

LIMITS = Limits(n_actions=3, low=-1.0, high=2.0)
numbers = st.integers(0, MOST - 1)
epochs = st.tuples(st.integers(1, MOST - 1), numbers, numbers)
versions = st.tuples(st.tuples(numbers, numbers, numbers), numbers)
actions = st.integers(0, 2)
values = st.floats(-1.0, 2.0)
orders = st.builds(Order, epochs, st.integers(1, MOST - 1), actions)
tickets = st.builds(Ticket, numbers, numbers, numbers, versions, actions)
rewards = st.lists(st.builds(Reward, numbers, numbers, numbers, versions, actions, values), max_size=3).map(tuple)
intervals = st.lists(st.integers(0, 99), unique=True, max_size=6).map(
    lambda bounds: tuple(zip(sorted(bounds)[::2], sorted(bounds)[1::2], strict=False))
)
payloads = st.one_of(
    st.builds(Offer, numbers, epochs, st.none() | st.tuples(numbers, numbers, numbers), rewards, numbers),
    st.builds(
        Acknowledgement,
        epochs,
        st.lists(st.tuples(numbers, numbers, intervals), max_size=3).map(tuple),
        st.lists(numbers, max_size=2).map(tuple),
    ),
    st.builds(Copy, numbers, epochs, numbers, rewards),
    st.builds(Copied, numbers, numbers, epochs, numbers),
    st.builds(Report, tickets, values),
)
messages = st.one_of(
    st.builds(Hello, numbers, epochs, st.none() | orders),
    st.builds(Known, st.lists(st.tuples(numbers, numbers, numbers), max_size=3).map(tuple)),
    st.builds(
        Announcement,
        st.just(1000),
        numbers,
        numbers,
        st.sets(st.integers(0, 99)).map(lambda links: tuple(sorted(links))),
        numbers,
        st.booleans(),
    ),
    st.builds(Instruction, orders),
    st.builds(Routed, numbers, numbers, payloads),
)


@given(messages)
def test_what_is_encoded_is_decoded(message):
    check(message, LIMITS)
    read = decode(json.loads(json.dumps(encode(message))), LIMITS)
    assert read == message
    assert repr(read) == repr(message), "types too, all the way down"


BAD = [math.nan, math.inf, -math.inf, -1, MOST, 2**64, True, "1", None, [1], 1.5]


@pytest.mark.parametrize("bad", BAD, ids=repr)
@pytest.mark.parametrize("place", range(8))
def test_a_bad_number_anywhere_is_refused(bad, place):
    """Each whole number of a routed offer in turn, and its reward."""
    fields = [3, 1, 2, 3, 4, 5, 0, 1.0]
    fields[place] = bad
    to, source, term, sequence, boot, serial, action, value = fields
    if place == 7 and bad == 1.5:
        return  # a good reward
    reward = Reward(2, boot, serial, ((1, 1, 1), sequence), action, value)
    with pytest.raises(RemoteProtocolError, match="is accepted"):
        check(Routed(to, 9, Offer(source, (term, 1, 1), None, (reward,), 0)), LIMITS)


@pytest.mark.parametrize("value", [-1.5, 2.5, 1, math.nan, math.inf])
def test_a_reward_outside_the_limits_is_refused(value):
    with pytest.raises(RemoteProtocolError, match="a finite float from -1 to 2 is accepted"):
        check(Routed(1, 1, Report(Ticket(1, 1, 1, ((0, 0, 0), 0), 0), value)), LIMITS)


@pytest.mark.parametrize(
    "message",
    [
        Announcement(1, 1, 1, (3, 2), 0, True),
        Announcement(1, 1, 1, (2, 2), 0, True),
        Announcement(1, 1, 1, (1,), 0, True),
        Announcement(1, 1, 1, (2,), 0, 1),
        Acknowledgement((1, 1, 1), ((1, 1, ((3, 3),)),), ()),
        Acknowledgement((1, 1, 1), (), (-1,)),
        Acknowledgement((1, 1, 1), ((1, 1, ((3, 5), (4, 6))),), ()),
        Acknowledgement((1, 1, 1), ((1, 1),), ()),
        Acknowledgement((1, 1, 1), 7, ()),
        Instruction(Order((0, 1, 1), 1, 0)),
        Instruction(Order((1, 1, 1), 0, 0)),
        Instruction(Order((1, 1, 1), 1, 3)),
        Instruction(((1, 1, 1), 1, 0)),
        Hello(1, (1, 1), None),
        Routed(1, 1, Hello(1, (1, 1, 1), None)),
        Routed(1, 1, Routed(1, 1, Copied(1, 1, (1, 1, 1), 1))),
        Known(((1, 1),)),
        Copied(1, 1, None, 1),
        "Hello",
        None,
        (1, 2),
    ],
    ids=repr,
)
def test_what_no_agent_sends_is_refused(message):
    with pytest.raises(RemoteProtocolError):
        check(message, LIMITS)


nonsense = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["Hello", "Routed", "Offer", "Copy", "Known", "x"]),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=20,
)


@given(nonsense)
def test_nonsense_is_refused_in_one_way(plain):
    """Whatever arrives, decoding answers with a message or with one kind of error."""
    try:
        message = decode(plain, LIMITS)
    except RemoteProtocolError:
        return
    check(message, LIMITS)


@given(messages, st.data())
def test_a_message_with_a_part_replaced_is_refused_in_one_way(message, data):
    plain = json.loads(json.dumps(encode(message)))
    part = plain
    while True:
        place = data.draw(st.integers(0, len(part) - 1))
        if not isinstance(part[place], list) or not part[place] or data.draw(st.booleans()):
            part[place] = data.draw(nonsense)
            break
        part = part[place]
    try:
        read = decode(plain, LIMITS)
    except RemoteProtocolError:
        return
    check(read, LIMITS)
