"""The post office of the agents, and the size of messages."""

import itertools
import struct
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.appendix.bellman_ford import BellmanFord
from quack.appendix.best_leader import Hop
from quack.appendix.programs import size
from quack.appendix.rounds import Traffic, run
from quack.appendix.ways import MOST_AGENTS, WAYS, rounds_of_all, search
from witness import connected_graphs


class Spoken(NamedTuple):
    number: int
    share: float
    friends: tuple


def written(message):
    """Write a message byte by byte, as `size` says it is written."""
    if isinstance(message, int):
        parts = []
        while message > 127:
            parts.append(message & 127 | 128)
            message >>= 7
        return bytes([*parts, message])
    if isinstance(message, float):
        return struct.pack("<d", message)
    prefix = b"" if hasattr(message, "_fields") else written(len(message))
    return prefix + b"".join(map(written, message))


whole = st.integers(0, 2**40)
records = st.builds(Hop, whole, whole) | st.builds(Spoken, whole, st.floats(), st.lists(whole, max_size=3).map(tuple))
messages = (
    whole | st.floats() | records | st.lists(whole | records).map(tuple) | st.frozensets(whole | st.builds(Hop, whole, whole))
)


@given(messages)
def test_size_is_the_length_of_what_is_written(message):
    assert size(message) == len(written(message))


@given(connected_graphs(7), st.sampled_from(list(WAYS)))
def test_leaving_out_steps_in_which_nothing_changes_changes_nothing(network, way):
    assert run(network, WAYS[way]) == run(network, WAYS[way], every_step=True)


class Automaton:
    """Any program: where it goes and whom it tells follows from a number, its state, and its inbox; often it stays."""

    def __init__(self, place, number):
        self.place = place
        self.number = number
        self.state = place.agent % 3
        self.states = [self.state]

    def start(self):
        told = [z for z in self.place.neighbours if hash((self.number, self.place.agent, self.state, z)) % 3]
        return {z: hash((self.number, self.state, z)) % 200 for z in told}

    def step(self, inbox):
        drawn = hash((self.number, self.place.agent, self.state, tuple(sorted(inbox.items())))) % 8
        if drawn > 2 or drawn == self.state:
            return None
        self.state = drawn
        self.states.append(drawn)
        return self.start()


@given(connected_graphs(6), st.integers(0, 2**20), st.integers(0, 15))
def test_nor_does_it_for_any_program(network, number, rounds):
    def life(place):
        program = Automaton(place, number)
        yield program, rounds
        return program.states

    assert run(network, life) == run(network, life, every_step=True)


class Watched:
    """A program whose messages are written down, round by round, by somebody who shares no code with the post office."""

    def __init__(self, program, diary):
        self.program = program
        self.diary = diary

    def start(self):
        self.outbox = self.program.start()
        self.posted()
        return self.outbox

    def step(self, inbox):
        answer = self.program.step(inbox)
        self.outbox = self.outbox if answer is None else answer
        self.posted()
        return answer

    def posted(self):
        self.diary.append([len(written(message)) for message in self.outbox.values()])


@given(connected_graphs(7), st.sampled_from(list(WAYS)))
def test_messages_and_bytes_are_those_that_somebody_else_counts(network, way):
    diaries = []

    def life(place):
        own = WAYS[way](place)
        program, rounds = next(own)
        try:
            while True:
                diaries.append(diary := [])
                yield Watched(program, diary), rounds
                diary.pop()  # written after the last round, and never sent
                program, rounds = next(own)
        except StopIteration as end:
            return end.value

    outcome = run(network, life, every_step=True)
    sent = [n_bytes for diary in diaries for posted in diary for n_bytes in posted]
    assert outcome.traffic()[1:] == (len(sent), sum(sent), max(sent, default=0))
    assert run(network, WAYS[way]).traffic() == outcome.traffic()


class Counter:
    """Sends how many rounds it has heard of."""

    def __init__(self, place):
        self.place = place
        self.heard = []

    def start(self):
        return dict.fromkeys(self.place.neighbours, 0)

    def step(self, inbox):
        self.heard.append(dict(inbox))
        return dict.fromkeys(self.place.neighbours, len(self.heard))


def test_what_is_written_in_a_round_arrives_in_the_next():
    def life(place):
        counter = Counter(place)
        yield counter, 3
        return counter.heard

    outcome = run(quack.networks.path(3), life)
    assert outcome.results[1] == [{0: t, 2: t} for t in range(3)]
    assert outcome.traffic() == Traffic(rounds=3, messages=12, n_bytes=12, largest=1)


class Stranger(Counter):
    def start(self):
        return {0: 1}


def test_an_agent_speaks_to_its_neighbours_only():
    def life(place):
        yield Stranger(place), 1

    with pytest.raises(ValueError, match=r"agent 0 sends to \[0\], no neighbours of it"):
        run(quack.networks.path(3), life)


def test_agents_go_through_the_phases_together():
    def life(place):
        yield Counter(place), 1 + place.agent // 2

    with pytest.raises(ValueError, match="all agents must be in the same phase"):
        run(quack.networks.path(3), life)


def test_agents_end_together():
    def life(place):
        yield Counter(place), 1
        if place.agent:
            yield Counter(place), 1

    with pytest.raises(ValueError, match="all agents must be in the same phase"):
        run(quack.networks.path(3), life)


def test_traffic_of_some_phases():
    def life(place):
        yield BellmanFord(place, 0), 2
        yield Counter(place), 1

    outcome = run(quack.networks.path(3), life)
    assert [phase.program for phase in outcome.phases] == ["BellmanFord", "Counter"]
    assert outcome.traffic("Counter") == (1, 4, 4, 1)
    assert outcome.traffic("BellmanFord").then(outcome.traffic("Counter")) == outcome.traffic()


def test_search_says_how_far_it_is():
    told = []
    list(search(quack.networks.cycle(6), lambda rounds, way: told.append((rounds, way))))
    assert told[0][1] == "Best Leader as printed"
    assert all(now < later for (now, _), (later, _) in itertools.pairwise(told))
    rest = sum(found.traffic.rounds for found in search(quack.networks.cycle(6)) if found.way in list(WAYS)[2:])
    assert told[-1][0] == rounds_of_all(6) + rest


def test_search_loses_a_link_if_the_network_can_spare_one():
    assert len(list(search(quack.networks.path(5)))) == len(WAYS)
    *_, last = search(quack.networks.cycle(5))
    assert last.way == "… after a link has failed"
    assert last.total == quack.networks.total_distance(quack.networks.path(5), 2)


def test_too_many_agents_are_refused_before_any_work():
    with pytest.raises(quack.SpecError, match=r"path:2001 has 2,001 agents; the programs of at most 2,000 agents"):
        search(quack.networks.path(MOST_AGENTS + 1))
