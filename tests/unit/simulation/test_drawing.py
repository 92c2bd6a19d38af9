"""The curves on a pair of axes."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from quack.simulation.drawing import draw_regret
from quack.simulation.result import Comparison, GroupResult, Settings

SETTINGS = Settings("cycle:4", 4, 4, "Bernoulli([0.5, 0.25])", (0.0, 0.25), 8, 3, 0)


def comparison(*labels, rounds=(2, 8)):
    plays = np.random.default_rng(0).integers(0, 10, (3, len(rounds), 2)).cumsum(axis=1)
    numbers = {"runs": np.arange(3), "plays": plays, "gaps": np.array([0.0, 0.25]), "rounds": np.array(rounds)}
    groups = {label: GroupResult(label, "QuACK(…)", "compiled", n_agents=4, cpu_s=0.5, **numbers) for label in labels}
    return Comparison(SETTINGS, groups, 1.0)


@pytest.fixture
def ax():
    return Figure(layout="constrained").subplots()


def test_each_group_has_a_line_and_a_band(ax):
    found = comparison("a", "b")
    assert draw_regret(found, ax) is ax
    assert [line.get_label() for line in ax.get_lines()] == ["a", "b"]
    np.testing.assert_array_equal(ax.get_lines()[0].get_xydata(), np.column_stack([[2, 8], found["a"].mean]))
    assert len(ax.collections) == 2
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("round", "group regret", "cycle:4, 4 agents")
    assert ax.get_xlim() == (0, 8)
    assert ax.get_ylim()[0] == 0


def test_49_groups_can_be_told_apart(ax):
    draw_regret(comparison(*map(str, range(49))), ax)
    assert len({(line.get_color(), str(line._unscaled_dash_pattern)) for line in ax.get_lines()}) == 49


def test_a_legend_names_every_group(ax):
    draw_regret(comparison("_a", "$\\epsilon$", "x" * 200), ax)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts[:2] == ["_a", "$\\epsilon$"]
    assert len(texts[2]) == 60


def test_one_round_is_a_point(ax):
    draw_regret(comparison("a", rounds=(8,)), ax)
    assert ax.get_lines()[0].get_marker() == "o"


def test_a_logarithmic_axis(ax):
    draw_regret(comparison("a"), ax, log=True)
    assert ax.get_yscale() == "log"
    ax.figure.draw_without_rendering()


def test_a_logarithmic_axis_without_regret_is_plain(ax):
    found = comparison("a")
    found["a"].plays[:, :, 1] = 0
    draw_regret(found, ax, log=True)
    assert ax.get_yscale() == "linear"
    ax.figure.draw_without_rendering()


def test_plot_makes_axes_of_its_own(monkeypatch):
    monkeypatch.setitem(mpl.rcParams, "backend", "agg")
    import matplotlib.pyplot as plt

    axes = comparison("a").plot()
    try:
        assert len(axes.get_lines()) == 1
    finally:
        plt.close(axes.figure)
