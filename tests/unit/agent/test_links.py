"""Links rise after hellos in a row, fall after a silence, and rise slower when they flap."""

from quack.agent.links import Links


def hellos_until_up(links, now):
    for count in range(1, 100):
        now += 1
        if links.hear(7, now):
            return count, now
    raise AssertionError


def test_a_link_rises_after_three_hellos_in_a_row():
    links = Links((7,), rise=3, dead=10)
    assert hellos_until_up(links, 0) == (3, 3)
    assert links.up == (7,)


def test_hellos_far_apart_are_not_in_a_row():
    links = Links((7,), rise=3, dead=10)
    assert not any(links.hear(7, now) for now in range(0, 60, 6))
    assert links.up == ()


def test_a_link_falls_after_a_silence():
    links = Links((7,), rise=1, dead=10)
    links.hear(7, 5)
    assert not links.age(15)
    assert links.age(16)
    assert links.up == ()
    assert not links.age(17), "it fell already"


def test_a_link_that_flaps_needs_more_hellos_but_not_ever_more():
    links, now, needed = Links((7,), rise=3, dead=10), 0, []
    for _ in range(6):
        count, now = hellos_until_up(links, now)
        needed.append(count)
        now += 11
        assert links.age(now)
    assert needed == [3, 6, 12, 24, 24, 24]


def test_a_link_that_stood_for_long_is_trusted_again():
    links, now = Links((7,), rise=3, dead=10), 0
    for _ in range(2):
        _, now = hellos_until_up(links, now)
        now += 11
        links.age(now)
    _, now = hellos_until_up(links, now)
    for _ in range(90):
        now += 1
        links.hear(7, now)
    links.age(now + 11)
    assert hellos_until_up(links, now + 11)[0] == 6, "twice three, for it fell once since"


def test_links_are_made_and_removed():
    links = Links((7,), rise=1, dead=10)
    links.add(3)
    links.hear(3, 1)
    links.hear(7, 1)
    assert links.up == (3, 7)
    links.remove(7)
    assert links.up == (3,)
    assert 7 not in links
