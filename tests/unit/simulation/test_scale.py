"""Round numbers along an axis."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quack.simulation.scale import Scale, tick_label

# An axis is at least a thousandth of the numbers on it.
spans = st.tuples(st.floats(-1e3, 1e3), st.floats(1, 1e3), st.floats(1e-6, 1e9)).map(
    lambda three: (three[0] * three[2], (three[0] + three[1]) * three[2])
)


@given(spans)
def test_ticks_are_few_even_and_on_the_axis(span):
    low, high = span
    ticks = Scale(low, high, 0.0, 1.0).ticks(5)
    assert 1 <= len(ticks) <= 6
    assert all(low - 1e-6 * (high - low) <= tick <= high + 1e-6 * (high - low) for tick in ticks)
    steps = [b - a for a, b in itertools.pairwise(ticks)]
    assert all(math.isclose(step, steps[0], rel_tol=1e-6) for step in steps)


@given(st.floats(1e-6, 1e6), st.floats(1.1, 1e9))
def test_logarithmic_ticks_are_one_two_five(low, ratio):
    for tick in Scale(low, low * ratio, 0.0, 1.0, log=True).ticks():
        assert low * (1 - 1e-6) <= tick <= low * ratio * (1 + 1e-6)
        assert float(f"{tick:e}".partition("e")[0]) in (1.0, 2.0, 5.0)


@given(spans, st.floats(0, 1))
def test_the_ends_are_the_ends(span, share):
    low, high = span
    scale = Scale(low, high, 300.0, 10.0)
    assert scale.place(low) == 300.0
    assert scale.place(high) == pytest.approx(10.0)
    assert 10 - 1e-9 <= scale.place(low + share * (high - low)) <= 300 + 1e-9


def test_a_number_outside_lies_at_the_nearest_end():
    assert Scale(0, 10, 0, 100).place(-5) == 0
    assert Scale(1, 10, 0, 100, log=True).place(0) == 0


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.0, "0"), (0.05, "0.05"), (1e-5, "1e-05"), (9999.0, "9,999"), (1e4, "10 k"), (1.5e6, "1.5 M"), (1e9, "1e+09")],
)
def test_numbers_are_short(value, written):
    assert tick_label(value) == written
