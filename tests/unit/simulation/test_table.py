"""The table can be read, whatever is in it."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quack.simulation import table
from quack.simulation.result import Comparison, GroupResult, Settings

SETTINGS = Settings("cycle:4", 4, 4, "Bernoulli([0.5, 0.25])", (0.0, 0.25), 8, 3, 0)


def comparison(*labels, finished=3, **changes):
    plays = np.array([[[20, 12]], [[8, 24]], [[32, 0]]])[:finished]
    numbers = {"runs": np.arange(finished), "plays": plays, "gaps": np.array([0.0, 0.25]), "rounds": np.array([8])}
    groups = {label: GroupResult(label, "QuACK(…)", "compiled", n_agents=4, cpu_s=0.5, **numbers) for label in labels}
    return Comparison(dataclasses.replace(SETTINGS, **changes), groups, 61.0)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1, "1.000"),
        (0.2, "0.2000"),
        (12.3456, "12.35"),
        (999.99, "1,000.0"),
        (1234.56, "1,235"),
        (1e6, "1,000,000"),
        (123_456_789, "123,456,789"),
        (1e12, "1.000e+12"),
        (0.001234, "0.001234"),
        (1e-9, "1.000e-09"),
        (-12.3456, "-12.35"),
        (float("nan"), "–"),
        (float("inf"), "–"),
    ],
)
def test_numbers(value, written):
    assert table.number(value) == written


@given(st.floats(1e-30, 1e30))
def test_a_number_keeps_its_digits(value):
    written = table.number(value)
    assert float(written.replace(",", "")) == pytest.approx(value, rel=6e-4)
    assert len(written) <= len("100,000,000")


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "0.00 ns"),
        (12e-9, "12.0 ns"),
        (999.7e-9, "1.00 µs"),
        (1.234e-5, "12.3 µs"),
        (0.5, "500 ms"),
        (1, "1.00 s"),
        (99.96, "100 s"),
        (7199, "7,199 s"),
        (7200, "2 h 00 min"),
        (100_000, "27 h 46 min"),
        (float("nan"), "–"),
    ],
)
def test_times(seconds, written):
    assert table.duration(seconds) == written


@given(st.text(max_size=40), st.integers(10, 40))
def test_a_brief_text_keeps_its_ends(text, most):
    short = table.brief(text, most)
    assert len(short) <= max(most, 10)
    assert short == text or (len(text) > most and text.startswith(short.split(" … ")[0]))


@pytest.mark.parametrize("number", [1, 20])
def test_columns_stand_under_each_other(number):
    labels = [f"group {i}" + "x" * (i % 7) for i in range(number)]
    lines = table.plain_table(comparison(*labels)).splitlines()[1:]
    assert len(lines) == number + 1
    assert len({line.index(word) for line, word in zip(lines, ["engine"] + ["compiled"] * number, strict=True)}) == 1
    assert all(line == line.rstrip() for line in lines)


def test_a_row_says_everything():
    assert table.rows(comparison("a"))[0] == ("a", "3.000", "± 7.45", "0.1500", "5.850", "500 ms", "5.21 ms", "compiled")


def test_one_run_has_no_interval():
    assert table.rows(comparison("a", finished=1))[0][2] == "–"


def test_an_unfinished_group_says_so():
    assert table.rows(comparison("a", finished=2))[0][0] == "a (2 of 3 runs)"


def test_long_labels_are_shortened_if_they_can_still_be_told_apart():
    long = "QuACK(GaussianThompsonSampling(sigma=0.5, prior_mean=0.0, prior_sigma={}))"
    labels = [row[0] for row in table.rows(comparison(long.format(1), long.format(2)))]
    assert max(map(len, labels)) == 48
    assert labels[0] != labels[1]
    middle = "x" * 40 + "{}" + "y" * 40
    labels = [row[0] for row in table.rows(comparison(middle.format(1), middle.format(2)))]
    assert labels == [middle.format(1), middle.format(2)]


def test_the_caption_counts():
    said = table.caption(comparison("a", n_agents=1, n_edges=1, runs=1, horizon=10**6))
    assert said.startswith("cycle:4: 1 agent, 1 edge; Bernoulli([0.5, 0.25]); horizon 1,000,000, 1 run, seed 0, quack ")
    assert said.endswith("; 61.0 s")
    many = table.caption(comparison("a", environment=f"Bernoulli({[0.5] * 1000})"))
    assert len(many) < 250
