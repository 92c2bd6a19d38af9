"""A grid is checked before anything is played, and every {name} in a text means something."""

import itertools
from pathlib import Path

import pytest

from quack.errors import SpecError
from quack.experiments.runner import prepare_cells
from quack.experiments.spec import Experiment

GROUP = {"it": "QuACK(UCB(sigma={sigma}))"}


def cells(**values):
    return Experiment(**values).cells()


def test_without_a_grid_there_is_a_cell_for_each_network():
    found = cells(network=("cycle:4", "star:5"))
    assert [cell.name for cell in found] == ["network=cycle:4", "network=star:5"]
    assert [cell.experiment.network for cell in found] == [("cycle:4",), ("star:5",)]


def test_all_combinations_are_cells():
    grid = {"horizon": (5, 6), "sigma": (0.5, 1), "p": ([0.5, 0.4], [0.9])}
    found = cells(network=("cycle:4", "path:3"), environment="Bernoulli({p})", groups=GROUP, grid=grid)
    expected = itertools.product(("cycle:4", "path:3"), (5, 6), ("0.5", "1"), ("[0.5, 0.4]", "[0.9]"))
    seen = [
        (cell.experiment.network[0], cell.experiment.horizon, cell.experiment.groups["it"], cell.experiment.environment)
        for cell in found
    ]
    assert seen == [(network, horizon, f"QuACK(UCB(sigma={s}))", f"Bernoulli({p})") for network, horizon, s, p in expected]
    assert len({cell.name for cell in found}) == 16
    assert not any(cell.experiment.grid for cell in found)


def test_texts_of_the_grid_may_name_others():
    found = cells(grid={"network": ("cycle:{m}", "star:{m}"), "m": (3, 4)})
    assert [cell.varied["network"] for cell in found] == ["cycle:3", "cycle:4", "star:3", "star:4"]
    assert [cell.experiment.network[0] for cell in found] == ["cycle:3", "cycle:4", "star:3", "star:4"]


def test_a_value_of_its_own_needs_no_list():
    assert [cell.varied["m"] for cell in cells(network=("cycle:{m}",), grid={"m": 7})] == [7]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"network": ("cycle:{m}",)}, r"network 'cycle:\{m\}' has \{m\}, for which the grid has no values"),
        (
            {"groups": {"a": "QuACK(UCB(sigma={sigm}))"}, "grid": {"sigma": (1,)}},
            r"group 'a' has \{sigm\}.* Did you mean 'sigma'\?",
        ),
        ({"environment": "Bernoulli({p})"}, r"has \{p\}, for which the grid has no values"),
        ({"grid": {"horizn": (1, 2)}}, r"grid.horizn is no key and stands as \{horizn\} in no text. Did you mean 'horizon'\?"),
        ({"grid": {"checkpoints": (1, 2)}}, "checkpoints cannot vary in a grid; network, environment"),
        ({"grid": {"groups": ("a",)}}, "groups cannot vary in a grid"),
        ({"grid": {"horizon": (5, "x")}}, "grid.horizon has 'x'; .*a whole number is accepted"),
        ({"grid": {"network": (5,)}}, "grid.network has 5; "),
        ({"grid": {"horizon": ()}}, r"grid.horizon is \(\); a list of"),
        ({"grid": {"horizon": (5, 6, 5)}}, "grid.horizon has 5 twice; each value once is accepted"),
        ({"grid": {"m": ({"a": 1},)}}, "grid.m is .*; a list of numbers, texts or lists of numbers is accepted"),
        ({"grid": {"m": (float("nan"),)}}, "grid.m is "),
        ({"grid": {"a b": (1,)}}, "the grid has 'a b'; a name of letters, digits and _ is accepted"),
        ({"grid": [1]}, "grid is .*; a table"),
        (
            {"network": ("cycle:{a}{b}",), "grid": {"a": tuple(range(400)), "b": tuple(range(400))}},
            "the grid has 160,000 cells; at most 100,000 are accepted",
        ),
    ],
)
def test_what_is_impossible_is_one_sentence(values, sentence):
    with pytest.raises(SpecError, match=sentence) as refusal:
        cells(**values)
    assert "\n" not in str(refusal.value)


def test_settings_are_typed_as_in_the_file():
    settings = [
        "horizon=7",
        "network=star:5",
        'engine="interpreted"',
        "grid.sigma=[0.5, 1]",
        "groups.a b=QuACK(UCB(sigma={sigma}))",
    ]
    experiment = Experiment(groups=GROUP).with_settings(settings)
    assert (experiment.horizon, experiment.network, experiment.engine) == (7, ("star:5",), "interpreted")
    assert experiment.grid == {"sigma": (0.5, 1)}
    assert experiment.groups == GROUP | {"a b": "QuACK(UCB(sigma={sigma}))"}
    again = experiment.with_settings(["grid.m=[3, 4]", "network=cycle:{m}", "grid.sigma=2", "groups.'a b'=Pooled(UCB())"])
    assert again.grid == {"sigma": (2,), "m": (3, 4)}
    assert again.groups["a b"] == "Pooled(UCB())"
    assert [cell.varied["m"] for cell in again.cells()] == [3, 4]


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("horizn=3", "--set: there is no key 'horizn'. Did you mean 'horizon'"),
        ("horizon=many", "--set: horizon is 'many'; a whole number is accepted"),
        ("horizon=1.5", "--set: horizon is 1.5; a whole number"),
        ("horizon", "--set is 'horizon'; KEY=VALUE is accepted"),
        ("=3", "--set is '=3'; KEY=VALUE is accepted"),
        ("grid.=3", "--set is 'grid.=3'; KEY=VALUE"),
        ("gird.m=3", "there is no table 'gird'. Did you mean 'grid'"),
        ("groups.a=3", "--set: groups is .*; a table from labels"),
        ("grid.horizon=x", "grid.horizon has 'x'"),
    ],
)
def test_a_setting_that_is_wrong_is_one_sentence(setting, sentence):
    with pytest.raises(SpecError, match=sentence):
        Experiment().with_settings([setting])


def test_a_setting_is_given_once():
    with pytest.raises(SpecError, match="--set sets horizon twice; once is accepted"):
        Experiment().with_settings(["horizon=3", "horizon=4"])
    with pytest.raises(SpecError, match=r"--set sets grid\.m twice"):
        Experiment().with_settings(["grid.m=3", "grid.m=4"])


def test_a_key_stands_at_one_place():
    with pytest.raises(SpecError, match=r"it\.toml: horizon stands in the grid too; horizon or grid\.horizon is accepted"):
        Experiment().updated({"horizon": 3, "grid": {"horizon": [1, 2]}}, "it.toml")
    with pytest.raises(SpecError, match="horizon stands in the grid too"):
        Experiment(grid={"horizon": (1, 2)}).with_settings(["horizon=3"])


@pytest.mark.parametrize("file", sorted((Path(__file__).parents[3] / "examples").glob("*.toml")), ids=lambda file: file.name)
def test_the_examples_can_be_played(file):
    cells, plans, _ = prepare_cells(Experiment.from_toml(file))
    assert len(cells) == len(plans) > 1


def test_what_travels_is_read_back():
    experiment = Experiment(groups=GROUP, checkpoints=(3, 5), grid={"sigma": (0.5, 1), "seed": (1, 2)})
    assert Experiment().updated(experiment.to_dict(), "it") == experiment
