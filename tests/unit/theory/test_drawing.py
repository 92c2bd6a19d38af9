"""Bounds over regret curves."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import quack
from quack.experiments.figures import regret_panels
from quack.theory import bound_of, draw_bounds
from quack.theory.drawing import bound_curves

GROUPS = {
    "UCB": quack.QuACK(quack.UCB(sigma=0.5)),
    "Thompson": quack.QuACK(quack.ThompsonSampling()),
    "alone": quack.Pooled(quack.ThompsonSampling()),
    "coop": quack.CoopUCB(),
}
GAME = {"environment": quack.Bernoulli([0.9, 0.1]), "network": "star:3"}


@pytest.fixture(scope="module")
def result():
    return quack.compare(GROUPS, **GAME, horizon=60, runs=2, seed=0, engine="interpreted", progress=False, checkpoints=6)


def curves(result):
    return bound_curves(result, GROUPS, GAME["environment"], quack.networks.read(GAME["network"]))


def test_a_theorem_or_theorem_1_measured_or_the_reason_why_not(result):
    found, missing = curves(result)
    assert [curve.label for curve in found] == ["UCB", "Thompson"]
    assert list(missing) == ["alone", "coop"]
    bound = bound_of(GROUPS["UCB"], quack.networks.star(3), GAME["environment"], 60)
    np.testing.assert_allclose(found[0].values, bound.curve(result["UCB"].rounds))
    most = 3 * result["alone"].rounds * 0.8
    np.testing.assert_allclose(found[1].values, np.minimum(result["alone"].mean + 3 * 2 * 0.8, most))
    assert found[1].source == "Theorem 1, with S_π(mt) measured by alone"


def test_without_the_policy_alone_the_sentence_says_what_would_help(result):
    groups = {**GROUPS, "alone": quack.Pooled(quack.UCB1())}
    _, missing = bound_curves(result, groups, GAME["environment"], quack.networks.star(3))
    assert "a Pooled(ThompsonSampling(" in missing["Thompson"]


def test_bounds_have_their_groups_colour_and_one_entry_in_the_legend(result):
    axes = result.plot(Figure().subplots(), log=True)
    colours = {line.get_label(): line.get_color() for line in axes.get_lines()}
    missing = draw_bounds(axes, result, GROUPS, **GAME)
    assert list(missing) == ["alone", "coop"]
    first, second, entry = axes.get_lines()[4:]
    assert (first.get_color(), second.get_color()) == (colours["UCB"], colours["Thompson"])
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == [*GROUPS, entry.get_label()]
    assert axes.get_ylim()[1] >= max(line.get_ydata().max() for line in (first, second))


def test_a_linear_axis_grows_with_the_bounds(result):
    axes = result.plot(Figure().subplots())
    before = axes.get_ylim()
    draw_bounds(axes, result, GROUPS, **GAME)
    assert axes.get_ylim()[0] == before[0] == 0
    assert axes.get_ylim()[1] >= axes.get_lines()[4].get_ydata().max()


def test_nothing_proven_changes_nothing(result):
    groups = dict.fromkeys(GROUPS, quack.CoopUCB())
    axes = result.plot(Figure().subplots())
    before = axes.get_ylim(), len(axes.get_lines())
    assert list(draw_bounds(axes, result, groups, **GAME)) == list(GROUPS)
    assert (axes.get_ylim(), len(axes.get_lines())) == before


def test_panels_with_bounds_say_where_they_come_from(result):
    found, _ = curves(result)
    figure = regret_panels([result], bounds=[found])
    said = figure._supxlabel.get_text().replace("\n", " ")
    assert "Bounds, where they are less than m t Δ_max: UCB: Theorem 1; Lattimore" in said
    assert [text.get_text() for text in figure.legends[0].get_texts()][-1] == "proven bound (same colour)"
    assert "Bounds" not in regret_panels([result])._supxlabel.get_text()
