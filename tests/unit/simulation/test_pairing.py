"""Differences between groups, run by run."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from quack.simulation.pairing import difference
from quack.simulation.result import Comparison, GroupResult, Settings

counts = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=2, max_size=30)


def group(final, runs=None, label="a"):
    plays = np.array([[[1000 - bad, bad]] for bad in final])
    runs = np.arange(len(final)) if runs is None else np.array(runs)
    return GroupResult(label, "QuACK(…)", "compiled", np.array([8]), runs, plays, np.array([0.0, 0.25]), 4, 0.5)


@given(counts, st.sampled_from([0.5, 0.95, 0.999]))
def test_the_interval_is_students_of_paired_samples(pairs, level):
    one, other = zip(*pairs, strict=True)
    found = difference(group(one), group(other), level=level)
    if len({a - b for a, b in pairs}) == 1:  # scipy divides 0 by 0 here
        assert found.half_width == 0
        return
    expected = scipy.stats.ttest_rel(np.array(one) * 0.25, np.array(other) * 0.25)
    low, high = expected.confidence_interval(level)
    assert found.mean - found.half_width == pytest.approx(low, rel=1e-9, abs=1e-9)
    assert found.mean + found.half_width == pytest.approx(high, rel=1e-9, abs=1e-9)
    assert found.clear == (low > 0 or high < 0)


def test_only_runs_that_both_have_finished_are_pairs():
    found = difference(group([100, 200, 300], [0, 2, 5]), group([40, 7, 90], [2, 3, 5]))
    assert found.runs == 2
    assert found.mean == (160 + 210) / 2 * 0.25


def test_without_pairs_there_is_nothing_to_say():
    nothing = difference(group([1], [0]), group([1], [1]))
    assert math.isnan(nothing.mean)
    assert (nothing.runs, nothing.clear) == (0, False)
    single = difference(group([8]), group([4]))
    assert (single.mean, single.runs, single.clear) == (1.0, 1, False)


def test_what_both_share_falls_out():
    """The groups differ by one play in every run, whose luck is a thousand times larger."""
    luck = np.random.default_rng(0).integers(0, 1000, 20)
    settings = Settings("cycle:4", 4, 4, "Bernoulli([0.5, 0.25])", (0.0, 0.25), 8, 20, 0)
    found = Comparison(settings, {"a": group(luck), "b": group(luck + 1)}, 1.0).difference("a", "b")
    assert found == (-0.25, 0.0, 20)
    assert found.clear
