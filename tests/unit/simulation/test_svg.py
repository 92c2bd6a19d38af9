"""Charts as text: well formed, inside their frame, escaped, legible."""

import itertools
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quack.simulation import svg
from quack.simulation.palette import DARK, LIGHT, dash_lengths
from quack.simulation.result import GroupResult

SPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = '<script>alert("1")</script>&amp;\'"'


def group(label="a", rounds=(2, 4, 8), runs=5, seed=0, bad=50):
    plays = np.random.default_rng(seed).integers(0, bad + 1, (runs, len(rounds), 2)).cumsum(axis=1)
    return GroupResult(label, HOSTILE, "compiled", np.array(rounds), np.arange(runs), plays, np.array([0.0, 0.25]), 4, 0.5)


def numbers(path):
    """Return the points of a path, as (x, y)."""
    x = y = 0.0
    for command, argument in re.findall(r"([MLHVhZ])([^MLHVhZ]*)", path):
        values = [float(value) for value in argument.split()]
        if command in "ML":
            x, y = values
        elif command == "H":
            (x,) = values
        elif command == "V":
            (y,) = values
        elif command == "h":
            x += values[0]
        yield x, y


def assert_inside(text):
    root = ET.fromstring(text)  # noqa: S314 (our own)
    _, _, width, height = map(float, root.get("viewBox").split())
    paths = [path.get("d") for path in root.iter(f"{SPACE}path")]
    points = [point for path in paths for point in numbers(path)]
    points += [(float(text.get("x")), float(text.get("y"))) for text in root.iter(f"{SPACE}text") if text.get("x")]
    assert points
    assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
    return root


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("draw", [svg.curves, svg.distributions])
@pytest.mark.parametrize(
    "groups",
    [
        [group()],
        [group(HOSTILE), group("b", seed=1), group("c" * 300)],
        [group(rounds=(8,))],
        [group(runs=1)],
        [group(bad=0)],
        [group(str(i), seed=i) for i in range(40)],
    ],
    ids=["one", "hostile", "a point", "one run", "no regret", "many"],
)
def test_charts_are_well_formed_and_inside_their_frame(draw, groups, log):
    root = assert_inside(draw(groups, HOSTILE, log=log))
    assert not list(root.iter(f"{SPACE}script"))
    assert root.find(f"{SPACE}title").text == HOSTILE
    shown = {text.text for text in root.iter(f"{SPACE}text")}
    assert {group.label for group in groups if len(group.label) < 34} <= shown


def test_a_curve_ends_where_its_mean_is():
    only = group(rounds=(4, 8))
    root = ET.fromstring(svg.curves([only], "", width=500, height=200))  # noqa: S314
    (line,) = [path for path in root.iter(f"{SPACE}path") if path.get("fill") == "none" and "quack-0" in path.get("style", "")][
        :1
    ]
    (x0, y0), (x1, y1) = numbers(line.get("d"))
    axis = 200 - 42.0  # where regret is 0; the highest value stands 4 % below the top
    top = 12.0
    per_unit = (axis - top) / (1.04 * float(only.band()[1].max()))
    assert (axis - y0) / per_unit == pytest.approx(only.mean[0], abs=0.1 / per_unit)
    assert (axis - y1) / per_unit == pytest.approx(only.mean[1], abs=0.1 / per_unit)
    assert (x1 - 62) == pytest.approx(2 * (x0 - 62), abs=0.2)


@given(st.lists(st.floats(0, 300), min_size=1, max_size=18).map(sorted))
def test_labels_stand_apart_and_in_order(wanted):
    places = svg._apart(wanted, 10, 300)
    assert all(b - a >= 15 - 1e-9 for a, b in itertools.pairwise(places))
    assert places[0] >= 10 - 1e-9
    assert places[-1] <= 300 + 1e-9


def test_labels_with_room_stay_where_their_curves_end():
    assert svg._apart([20.0, 80.0, 200.0], 10, 300) == [20.0, 80.0, 200.0]


def test_a_straight_line_needs_two_points():
    assert svg._path([(0, 0), (1, 1), (2, 2), (3, 3)]) == "M0 0L3 3"
    assert svg._path([(0, 0), (1, 1), (2, 1)]) == "M0 0L1 1L2 1"
    assert svg._path([(0, 0), (2, 0), (1, 0)]) == "M0 0L2 0L1 0"


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def test_colours_stand_out_from_their_ground():
    """WCAG 2.1's contrast, 3 to 1 for graphics; two light hues of Okabe and Ito's on white have 2 to 1."""
    assert all(1.05 / (luminance(colour) + 0.05) >= 2 for colour in LIGHT)
    assert all((luminance(colour) + 0.05) / (luminance("#14171a") + 0.05) >= 3 for colour in DARK)


def test_the_first_groups_have_dashes_of_their_own():
    assert len({dash_lengths(place) for place in range(7)}) == 7
