"""Pictures of the catalogue: nothing cut off, nothing over another, light and dark, a column and a page wide."""

import itertools
import math

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from quack.experiments.catalogue import CATALOGUE, Choices
from quack.experiments.plates import WIDTHS_IN, Look, draw
from quack.experiments.series import Series
from quack.simulation.palette import DARK, LIGHT

BY_NAME = {entry.name: entry for entry in CATALOGUE}


def lines_of(entry):
    """Return lines as the entry has them, of numbers made up."""
    studies = entry.studies(Choices(1000, 3))
    by_line = {}
    for study in studies:
        for label in study.groups:
            by_line.setdefault((study.panel, label), []).append(study.at)
    found = []
    for i, ((panel, label), places) in enumerate(by_line.items()):
        if entry.kind == "against":
            x = np.array(sorted(places), float)
        elif entry.kind in ("ranking", "bounds"):
            x = np.zeros(1)
        else:
            x = np.linspace(5, 1000, 200)
        mean = (i + 1) * 500 * np.sqrt(np.linspace(0.01, 1, len(x)))
        bound = {"queues": 2e4, "bounds": mean[-1] * 30}.get(entry.kind, math.nan)
        found.append(Series(panel, label, x, mean, mean * 0.8, mean * 1.3, bound))
    return found


CAPTION = "A caption of a length that is usual, with everything that is needed to make the figure again. " * 7


@pytest.mark.parametrize("width", ["one", "two"])
@pytest.mark.parametrize("name", BY_NAME)
def test_nothing_is_cut_off_and_nothing_overlaps(name, width):
    figure = draw(BY_NAME[name], lines_of(BY_NAME[name]), CAPTION, Look(width=width))
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()
    shown = [ax for ax in figure.axes if ax.axison]
    parts = [ax.get_tightbbox(renderer) for ax in shown]
    parts += [legend.get_window_extent(renderer) for legend in figure.legends]
    parts.append(figure._supxlabel.get_window_extent(renderer))
    page = figure.bbox
    for part in parts:
        assert page.x0 - 1 <= part.x0 < part.x1 <= page.x1 + 1
        assert page.y0 - 1 <= part.y0 < part.y1 <= page.y1 + 1
    for one, other in itertools.combinations(parts, 2):
        apart_x = min(one.x1, other.x1) <= max(one.x0, other.x0) + 1
        assert apart_x or min(one.y1, other.y1) <= max(one.y0, other.y0) + 1
    for ax in shown:
        marks = [label.get_window_extent(renderer) for label in ax.get_xticklabels() if label.get_text() and label.get_visible()]
        inside = [mark for mark in marks if ax.bbox.x0 - 1 <= (mark.x0 + mark.x1) / 2 <= ax.bbox.x1 + 1]
        assert all(left.x1 <= right.x0 for left, right in itertools.pairwise(sorted(inside, key=lambda mark: mark.x0)))
        assert ax.bbox.width > 0.8 * figure.dpi
        assert ax.bbox.height > 0.6 * figure.dpi
    assert figure.get_figwidth() == WIDTHS_IN[width]


@pytest.mark.parametrize("dark", [False, True])
def test_light_and_dark(dark):
    figure = draw(BY_NAME["main"], lines_of(BY_NAME["main"]), CAPTION, Look(dark=dark))
    colours = (DARK if dark else LIGHT)[:5]
    assert to_hex(figure.get_facecolor()) == ("#14171a" if dark else "#ffffff")
    for ax in figure.axes:
        assert tuple(to_hex(line.get_color()).upper() for line in ax.get_lines()) == colours
        assert to_hex(ax.xaxis.label.get_color()) == ("#e8eaed" if dark else "#000000")


def test_every_algorithm_has_its_own_dash_and_one_entry_in_the_legend():
    figure = draw(BY_NAME["main"], lines_of(BY_NAME["main"]), "", Look())
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["QuACK-UCB", "coop-UCB", "DDUCB", "QuACK-TS", "Dec-TS"]
    assert len({str(line._unscaled_dash_pattern) for line in figure.axes[0].get_lines()}) == 5
    assert figure._supxlabel is None


def test_lines_are_where_the_numbers_are():
    lines = lines_of(BY_NAME["heavy-grid"])
    figure = draw(BY_NAME["heavy-grid"], lines, "", Look())
    for ax, panel in zip(figure.axes, dict.fromkeys(line.panel for line in lines), strict=True):
        assert ax.get_title() == panel
        mine = [line for line in lines if line.panel == panel]
        for drawn, line in zip(ax.get_lines(), mine, strict=True):
            np.testing.assert_array_equal(drawn.get_xydata(), np.column_stack([line.x, line.mean]))
        assert ax.get_ylim()[0] == 0
        assert ax.get_ylim()[1] >= max(line.high.max() for line in mine)


def test_a_ranking_is_in_order_and_a_bound_says_how_many_times_it_is():
    figure = draw(BY_NAME["policies"], lines_of(BY_NAME["policies"]), "", Look())
    names = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert names[0] == "UCB(sigma=0.5)"
    assert len(names) == 13
    bounds = draw(BY_NAME["bounds"], lines_of(BY_NAME["bounds"]), "", Look())
    assert {text.get_text() for text in bounds.axes[0].texts} == {"30 ×"}


def test_figures_without_any_regret_can_be_drawn():
    for name in ("main", "scaling", "policies"):
        entry = BY_NAME[name]
        lines = [line._replace(mean=line.mean * 0, low=line.low * 0, high=line.high * 0) for line in lines_of(entry)]
        draw(entry, lines, "", Look()).draw_without_rendering()
