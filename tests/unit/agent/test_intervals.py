"""A set with few gaps is a set."""

from hypothesis import given
from hypothesis import strategies as st

from quack.agent.intervals import IntervalSet


@given(st.lists(st.integers(0, 40)))
def test_it_does_what_a_set_does(numbers):
    known, model = IntervalSet(), set()
    for number in numbers:
        assert known.add(number) is (number not in model)
        model.add(number)
    assert [number for number in range(42) if number in known] == sorted(model)
    flat = [bound for interval in known.intervals for bound in interval]
    assert flat == sorted(set(flat)), "intervals that touch are one"


@given(st.sets(st.integers(0, 40), min_size=1).filter(lambda numbers: len(numbers) <= max(numbers)))
def test_filling_the_lowest_gap_makes_one_interval_less(numbers):
    known = IntervalSet()
    for number in numbers:
        known.add(number)
    before = list(known.intervals)
    if len(before) > 1:
        known.fill_lowest_gap()
        assert known.intervals == [(before[0][0], before[1][1]), *before[2:]]
