"""From a choice to its reward: windows, and reports without one."""

from hypothesis import given
from hypothesis import strategies as st

from quack.agent.identities import NO_VERSION, Ticket
from quack.agent.rules import Rules
from quack.agent.window import Reported, Window


def ticket(number, boot=1):
    return Ticket(0, boot, number, NO_VERSION, 0)


@given(st.lists(st.sampled_from(["choose", "report", "pass"]), max_size=40), st.integers(0, 5), st.data())
def test_a_reward_is_released_when_its_window_closes_in_the_order_of_choices(actions, ticks, data):
    window, now, chosen, released = Window(Rules(), ticks, 100, {}), 0, [], []
    said = {}
    for action in actions:
        if action == "choose":
            window.choose(ticket(len(chosen)), now)
            chosen.append(now)
        elif action == "report" and chosen:
            number = data.draw(st.integers(0, len(chosen) - 1))
            gone = number in dict(released)
            expected = "expired" if gone else "duplicate" if number in said else "accepted"
            assert window.report(ticket(number), 1.0) == expected
            if expected == "accepted":
                said[number] = 1.0
                assert window.release_reported(ticket(number), now) is None
        elif action == "pass":
            now += 1
            for closed, value in window.due(now):
                assert now >= chosen[closed.number] + ticks
                assert value == said.get(closed.number)
                released.append((closed.number, now))
            assert all(entry.closes > now for entry in window.open.values())
    released_numbers = [number for number, _ in released]
    assert released_numbers == sorted(released_numbers)


def test_a_life_that_ended_leaves_its_windows_open_for_their_whole_length():
    window = Window(Rules(), 5, 10, {ticket(3): 1.0, ticket(4): None})
    assert list(window.due(4)) == []
    assert window.report(ticket(4), 0.5) == "accepted"
    assert list(window.due(5)) == [(ticket(3), 1.0), (ticket(4), 0.5)]


def test_too_many_open_windows_are_not_opened():
    window = Window(Rules(), 5, 2, {})
    assert [window.choose(ticket(number), 0) for number in range(3)] == [True, True, False]
    assert window.report(ticket(2), 1.0) == "expired"
    assert len(window) == 2


def test_a_ticket_that_was_changed_is_not_the_ticket():
    window = Window(Rules(), 5, 2, {})
    window.choose(ticket(0), 0)
    assert window.report(ticket(0)._replace(action=1), 1.0) == "expired"


def test_without_a_window_each_choice_is_reported_once():
    reported = Reported(2, 100, {})
    assert [reported.report(ticket(number, 2)) for number in (0, 3, 0)] == ["accepted", "accepted", "duplicate"]
    assert reported.report(ticket(0, 1)) == "expired", "of a life that this disk does not know"


def test_the_memory_of_reports_is_bounded():
    reported = Reported(1, 3, {})
    for number in range(0, 100, 2):
        assert reported.report(ticket(number)) == "accepted"
        assert reported.gaps() <= 3
    assert reported.report(ticket(1)) == "duplicate", "the oldest unreported choices cannot be reported any more"
    assert reported.report(ticket(97)) == "accepted"
