"""What a comparison found is a mapping, is computed with honestly, and survives a file."""

import dataclasses
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.simulation.result import Comparison, GroupResult, Settings

SETTINGS = Settings("cycle:4", 4, 4, "Bernoulli([0.5, 0.25])", (0.0, 0.25), 8, 3, 2**64 - 1)


def group(label="a", runs=3, **changes):
    plays = np.array([[[4, 4], [20, 12]], [[0, 8], [8, 24]], [[8, 0], [32, 0]]])[:runs]
    fields = {"label": label, "description": "QuACK(…)", "mode": "compiled", "rounds": np.array([2, 8]), "runs": np.arange(runs)}
    fields |= {"plays": plays, "gaps": np.array([0.0, 0.25]), "n_agents": 4, "cpu_s": 0.96e-6}
    return GroupResult(**fields | changes)


def comparison(*groups):
    return Comparison(SETTINGS, {one.label: one for one in groups or (group(),)}, 1.5)


def test_regret_is_what_plays_cost():
    np.testing.assert_array_equal(group().regret, [[1, 3], [2, 6], [0, 0]])
    np.testing.assert_array_equal(group().final, [3, 6, 0])
    np.testing.assert_array_equal(group().mean, [1, 3])
    low, high = group().band(0, 100)
    np.testing.assert_array_equal(low, [0, 0])
    np.testing.assert_array_equal(high, [2, 6])
    np.testing.assert_allclose(group().band(), np.percentile(group().regret, [2.5, 97.5], axis=0))


def test_time_per_play():
    assert group().ns_per_agent_round == pytest.approx(0.96e-6 / (3 * 4 * 8) * 1e9)


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=20))
def test_the_interval_is_students(counts):
    plays = np.array([[[1000 - count, count]] for count in counts])
    found = group(runs=len(counts), plays=plays, rounds=np.array([8]))
    sample = np.array(counts) * 0.25
    expected = scipy.stats.t.ppf(0.975, len(counts) - 1) * scipy.stats.sem(sample)
    assert found.half_width == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_one_run_has_no_interval_and_no_warning():
    assert math.isnan(group(runs=1).half_width)
    np.testing.assert_array_equal(group(runs=1).band(), [[1, 3], [1, 3]])


def test_a_comparison_is_a_mapping():
    found = comparison(group("a"), group("b"))
    assert list(found) == ["a", "b"]
    assert len(found) == 2
    assert "a" in found
    assert found["b"].label == "b"
    assert found.complete
    with pytest.raises(KeyError, match="no group 'B'; there are 'a', 'b'. Did you mean 'b'?"):
        found["B"]


def test_equal_is_everything_equal():
    assert comparison() == comparison()
    assert comparison() != comparison(group(), group("b"))
    assert comparison() != Comparison(dataclasses.replace(SETTINGS, seed=1), {"a": group()}, 1.5)
    assert comparison() != Comparison(SETTINGS, {"a": group()}, 1.6)
    assert comparison() != {"a": group()}
    for name, value in {"mode": "interpreted", "cpu_s": 1.0, "plays": group().plays + 1, "runs": np.arange(1, 4)}.items():
        assert dataclasses.replace(group(), **{name: value}) != group()
    assert group() != 3


def test_a_file_keeps_everything(tmp_path):
    found = comparison(group("a $ σ"), group("b", runs=1, cpu_s=1 / 3))
    found.save(tmp_path / "it.npz")
    again = quack.load(str(tmp_path / "it.npz"))
    assert again == found
    assert again.settings == found.settings
    assert not again.complete
    for label, one in again.items():
        for field in dataclasses.fields(one):
            ours, theirs = getattr(one, field.name), getattr(found[label], field.name)
            assert type(ours) is type(theirs)
            assert np.asarray(ours).dtype == np.asarray(theirs).dtype


def test_pandas_gets_a_tidy_table():
    table = comparison(group("a"), group("b", runs=1)).to_pandas()
    assert list(table.columns) == ["group", "run", "round", "regret", "plays_0", "plays_1"]
    assert len(table) == 3 * 2 + 1 * 2
    row = table[(table.group == "a") & (table.run == 1) & (table["round"] == 8)].iloc[0]
    assert (row.regret, row.plays_0, row.plays_1) == (6.0, 8, 24)


def test_xarray_gets_the_dimensions():
    data = comparison(group("a"), group("b")).to_xarray()
    assert dict(data.sizes) == {"group": 2, "run": 3, "round": 2, "action": 2}
    assert data.plays.dtype == np.int64
    assert data.regret.sel(group="b", run=1, round=8) == 6
    np.testing.assert_array_equal(data.gap, [0, 0.25])
    assert data.attrs["seed"] == SETTINGS.seed


def test_xarray_fills_unfinished_runs_with_nan():
    data = comparison(group("a"), group("b", runs=1)).to_xarray()
    assert data.regret.sel(group="a", run=2, round=8) == 0
    assert np.isnan(data.regret.sel(group="b", run=2)).all()
    assert data.regret.sel(group="b", run=0, round=8) == 3


def test_it_shows_itself():
    assert repr(comparison()) == "<Comparison of a on cycle:4, 3 runs>"
    assert str(comparison()).startswith("cycle:4: 4 agents, 4 edges; ")
