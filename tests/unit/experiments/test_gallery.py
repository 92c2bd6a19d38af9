"""From a figure to files: played once, kept, drawn again from what is kept."""

import csv

import numpy as np
import pytest

import quack
from quack.errors import StoreError
from quack.experiments.catalogue import CATALOGUE, Choices, Entry, Study
from quack.experiments.gallery import caption, command, make
from quack.experiments.plates import Look
from quack.experiments.queues import longest_queues

BANDIT = "Bernoulli([0.5, 0.25])"
GROUPS = {"QuACK-UCB": "QuACK(UCB(sigma=0.5))", "pooled": "Pooled(UCB(sigma=0.5))"}
CHOICES = Choices(horizon=8, runs=3)


def small(kind="curves", **changes):
    studies = [Study("a cycle", "cycle:4", BANDIT, GROUPS, 4), Study("a cycle", "cycle:5", BANDIT, GROUPS, 5)]
    return Entry("small", "", "A small figure", kind, lambda _: studies, **changes)


def made(entry, folder, choices=CHOICES, **options):
    return make(entry, choices, folder, **{"engine": "interpreted", "progress": False, "formats": ("svg",)} | options)


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_pictures_data_and_caption_lie_side_by_side(tmp_path):
    found = made(small(), tmp_path, formats=("svg", "pdf", "png"))
    names = {"small-runs.csv", "small.csv", "small.txt", "small.svg", "small.pdf", "small.png"}
    assert {path.name for path in found.files} == names
    assert {path.name for path in tmp_path.iterdir()} == names | {"data"}
    assert (tmp_path / "small.txt").read_text(encoding="utf-8") == caption(small(), CHOICES) + "\n"


def test_the_data_is_that_of_compare(tmp_path):
    made(small(), tmp_path)
    groups = {"QuACK-UCB": quack.QuACK(quack.UCB(sigma=0.5)), "pooled": quack.Pooled(quack.UCB(sigma=0.5))}
    options = {"engine": "interpreted", "progress": False}
    expected = quack.compare(groups, quack.Bernoulli([0.5, 0.25]), "cycle:4", 8, 3, 0, **options)
    lines = [row for row in table(tmp_path / "small.csv") if row["group"] == "pooled"][:8]
    np.testing.assert_allclose([float(row["mean"]) for row in lines], expected["pooled"].mean)
    np.testing.assert_allclose([float(row["low"]) for row in lines], expected["pooled"].band()[0])
    np.testing.assert_allclose([float(row["x"]) for row in lines], expected["pooled"].rounds)
    finals = [float(row["regret"]) for row in table(tmp_path / "small-runs.csv") if row["network"] == "cycle:4"]
    np.testing.assert_allclose(finals, [*expected["QuACK-UCB"].final, *expected["pooled"].final])


def test_against_something_else_there_is_a_point_for_each_study(tmp_path):
    made(small("against", against="agents"), tmp_path)
    lines = table(tmp_path / "small.csv")
    assert [(row["group"], row["x"]) for row in lines] == [(group, x) for group in GROUPS for x in ("4", "5")]


def test_what_lies_there_is_not_played_again(tmp_path):
    first = made(small(), tmp_path)
    assert (first.played, first.kept) == (2, 0)
    before = (tmp_path / "small.csv").read_bytes(), (tmp_path / "small.svg").read_bytes()
    again = made(small("against", against="agents"), tmp_path)  # another figure of the same studies
    assert (again.played, again.kept) == (0, 2)
    assert made(small(), tmp_path).kept == 2
    assert ((tmp_path / "small.csv").read_bytes(), (tmp_path / "small.svg").read_bytes()) == before
    assert made(small(), tmp_path, fresh=True).played == 2
    assert made(small(), tmp_path, choices=CHOICES._replace(seed=1)).played == 2


def test_an_interrupted_figure_goes_on(tmp_path):
    made(small(), tmp_path)
    results = sorted((tmp_path / "data").iterdir())
    results[0].unlink()
    again = made(small(), tmp_path)
    assert (again.played, again.kept) == (1, 1)


def test_a_result_under_anothers_name_is_refused(tmp_path):
    made(small(), tmp_path)
    one, other = sorted((tmp_path / "data").iterdir())
    one.write_bytes(other.read_bytes())
    with pytest.raises(StoreError, match="holds another result than its name says; remove it, or ask for --fresh"):
        made(small(), tmp_path)


def test_parquet_holds_the_same(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    made(small(), tmp_path)
    made(small(), tmp_path, table="parquet")
    plain, packed = pandas.read_csv(tmp_path / "small.csv"), pandas.read_parquet(tmp_path / "small.parquet")
    pandas.testing.assert_frame_equal(plain, packed, check_dtype=False, rtol=1e-8)


def test_a_dark_picture_stands_beside_the_light_one(tmp_path):
    found = made(small(), tmp_path, looks=[Look(), Look(dark=True)])
    assert {path.name for path in found.files if path.suffix == ".svg"} == {"small.svg", "small-dark.svg"}


def test_queues_are_watched(tmp_path):
    studies = [Study("a star", "star:6", BANDIT, {"QuACK-UCB": "QuACK(UCB(sigma=0.5))"})]
    made(Entry("small", "", "Queues", "queues", lambda _: studies), tmp_path)
    lines = table(tmp_path / "small.csv")
    group, environment = quack.QuACK(quack.UCB(sigma=0.5)), quack.Bernoulli([0.5, 0.25])
    star = quack.networks.star(6)
    expected = np.mean([longest_queues(group, environment, star, 8, 0, run) for run in range(3)], axis=0)
    np.testing.assert_allclose([float(row["mean"]) for row in lines], expected)
    assert {row["bound"] for row in lines} == {"10"}  # 2 Σ_w d_w


def test_progress_runs_over_all_studies_once(tmp_path):
    told = []
    made(small(), tmp_path, progress=told.append)
    assert {now.total for now in told} == {8 * 3 * 2 * (4 + 5)}
    assert [now.done for now in told] == sorted(now.done for now in told)
    assert told[-1].done == told[-1].total
    assert "a cycle (2 of 2)" in told[-1].doing


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_the_caption_says_everything(entry):
    choices = Choices(123, 45, seed=6, sigma=0.75, moment=8.0, epsilon=0.5, radius=0.3)
    said = caption(entry, choices)
    assert "45 runs, 123 rounds" in said
    assert command(entry, choices) in said
    assert f"quack {quack.__version__}" in said
    studies = entry.studies(choices)
    assert all(study.network in said for study in studies)
    for text in (studies[0].environment, *studies[0].groups.values()):
        assert text in said or text.removeprefix("QuACK(").removesuffix(")") in {*studies[0].groups}


def test_the_command_is_understood():
    from quack.cli import figure, understand

    choices = Choices(123, 45, seed=6, sigma=0.75, moment=8.0, epsilon=0.5, radius=0.3)
    entry = CATALOGUE[0]
    options = understand(command(entry, choices).split()[1:])
    assert options.names == [entry.name]
    assert figure.choices_of(entry, options) == choices
