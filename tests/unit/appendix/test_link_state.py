"""What an agent makes of announcements."""

import quack
from quack.appendix.best_leader import Standing
from quack.appendix.link_state import Announcement, LinkState
from quack.appendix.programs import Place
from quack.appendix.rounds import run


def test_a_link_counts_if_both_ends_announce_it():
    """An agent that does not know the whole graph yet finds the leader of what it knows."""
    program = LinkState(Place(agent=1, neighbours=(0, 2), n_agents=4))
    program.start()
    assert program.standing() == Standing(leader=1, total=0, distance=0, parent=None)
    program.step({0: (Announcement(0, 1, (1,)),), 2: (Announcement(3, 1, (2,)),)})
    assert program.standing() == Standing(leader=0, total=1, distance=1, parent=0)
    program.step({2: (Announcement(2, 1, (1, 3)),)})
    assert program.standing() == Standing(leader=1, total=4, distance=0, parent=None)
    assert program.finished


def test_an_old_announcement_is_no_news():
    program = LinkState(Place(agent=1, neighbours=(0, 2), n_agents=4))
    program.start()
    program.step({0: (Announcement(0, 2, (1,)),)})
    assert program.step({2: (Announcement(0, 1, (1, 3)),)}) == {}
    assert program.graph[0] == Announcement(0, 2, (1,))


def test_who_has_nothing_to_pass_on_is_silent():
    """On a star a leaf announces itself, and passes on nothing."""

    def life(place):
        program = LinkState(place)
        yield program, None
        return program.finished

    outcome = run(quack.networks.star(10), life)
    assert outcome.traffic()[:2] == (2, 9 + 9 + 9)
    assert all(outcome.results)
