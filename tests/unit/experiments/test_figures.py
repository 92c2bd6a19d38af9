"""Figures in the size of a paper: nothing is cut off, nothing overlaps."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from quack.errors import SpecError, StoreError
from quack.experiments.figures import check_figure_path, regret_panels, save_figure
from quack.simulation.result import Comparison, GroupResult, Settings

LONG = "QuACK(policy=GaussianThompsonSampling(sigma=1.0, prior_mean=0.0, prior_sigma=1.0), leader='median')"


def comparison(network="cycle:196", labels=("QuACK-UCB", "QuACK-TS", "no cooperation", "pooled ceiling"), finished=3):
    settings = Settings(network, 196, 196, f"Bernoulli({[0.5] + [0.45] * 9})", (0.0, 0.05), 8000, 3, 0)
    plays = np.random.default_rng(0).integers(0, 100_000, (finished, 20, 2)).cumsum(axis=1)
    numbers = {"runs": np.arange(finished), "plays": plays, "gaps": np.array([0.0, 0.05]), "rounds": np.arange(400, 8001, 400)}
    groups = {label: GroupResult(label, LONG, "compiled", n_agents=4, cpu_s=0.5, **numbers) for label in labels}
    return Comparison(settings, groups, 1.0)


MANY = tuple(f"group {i} of a name that is rather long" for i in range(20))


@pytest.mark.parametrize("labels", [("a",), ("QuACK-UCB", "QuACK-TS", "no cooperation", "pooled ceiling"), MANY])
@pytest.mark.parametrize("panels", [1, 2, 3, 4])
def test_nothing_is_cut_off_and_nothing_overlaps(panels, labels):
    figure = regret_panels([comparison(f"network:{i}", labels) for i in range(panels)])
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()
    shown = [ax for ax in figure.axes if ax.axison]
    parts = [ax.get_tightbbox(renderer) for ax in shown]
    parts += [figure.legends[0].get_window_extent(renderer), figure._supxlabel.get_window_extent(renderer)]
    width, height = figure.canvas.get_width_height()
    for part in parts:
        assert 0 <= part.x0 < part.x1 <= width
        assert 0 <= part.y0 < part.y1 <= height
    for one, other in itertools.combinations(parts, 2):
        assert min(one.x1, other.x1) <= max(one.x0, other.x0) or min(one.y1, other.y1) <= max(one.y0, other.y0)
    assert len(shown) == panels
    assert all(ax.get_window_extent(renderer).height > 0.8 * figure.dpi for ax in shown)
    assert figure.get_figwidth() <= 7


def test_one_legend_names_every_group():
    partial = comparison("star:196", ("QuACK-UCB",), finished=1)
    figure = regret_panels([partial, comparison()])
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["QuACK-UCB", "QuACK-TS", "no cooperation", "pooled ceiling"]


def test_the_caption_says_how_to_make_it_again():
    said = regret_panels([comparison()])._supxlabel.get_text().replace("\n", " ")
    assert "band of 3 runs; Bernoulli([0.5, 0.45" in said
    assert "seed 0" in said
    assert f"QuACK-UCB: {LONG}" in said
    unfinished = regret_panels([comparison(finished=2)])._supxlabel.get_text()
    assert "band of the finished runs" in unfinished.replace("\n", " ")


@pytest.mark.parametrize(("suffix", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("PDF", b"%PDF")])
def test_the_name_says_the_format(suffix, magic, tmp_path):
    path = tmp_path / f"it.{suffix}"
    save_figure(regret_panels([comparison()]), path)
    assert path.read_bytes().startswith(magic)


@pytest.mark.parametrize("name", ["it.jpg", "it", ".svg", "it.svg.gz"])
def test_other_formats_are_refused(name):
    with pytest.raises(SpecError, match=r"a file name that ends in \.svg, \.png, \.pdf is accepted"):
        check_figure_path(Path(name))


def test_a_formula_that_is_none_is_one_sentence(tmp_path):
    figure = regret_panels([comparison(labels=("$\\foo^$",))])
    with pytest.raises(StoreError, match=r"cannot draw .*; what stands between two \$ in a label is a formula: "):
        save_figure(figure, tmp_path / "it.svg")
    assert list(tmp_path.iterdir()) == []


def test_one_dollar_is_no_formula(tmp_path):
    save_figure(regret_panels([comparison(labels=("5 $", "6 $"))]), tmp_path / "it.svg")
