"""An experiment is checked key by key, and says where it was wrong."""

import pytest

import quack
from quack.errors import SpecError
from quack.experiments.spec import Experiment, split_label


def write(path, text):
    path.write_text(text)
    return path


def test_the_defaults_can_be_made():
    experiment = Experiment()
    assert len(experiment.make_environment().gaps) == 10
    assert list(experiment.make_groups()) == ["QuACK-UCB", "QuACK-TS", "no cooperation", "pooled"]


def test_a_file_says_everything(tmp_path):
    text = """
    network = ["cycle:4", "star:5"]
    environment = "Bernoulli([0.5, 0.4])"
    horizon = 7
    runs = 3
    seed = 9
    engine = "interpreted"
    [groups]
    "a label, with = and (brackets" = "QuACK(UCB1())"
    """
    experiment = Experiment.from_toml(write(tmp_path / "it.toml", text))
    assert (experiment.network, experiment.horizon, experiment.runs) == (("cycle:4", "star:5"), 7, 3)
    assert (experiment.seed, experiment.engine) == (9, "interpreted")
    assert experiment.make_groups() == {"a label, with = and (brackets": quack.QuACK(quack.UCB1())}


def test_one_network_needs_no_list(tmp_path):
    assert Experiment.from_toml(write(tmp_path / "it.toml", 'network = "cycle:4"')).network == ("cycle:4",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("horizn = 3", "there is no key 'horizn'. Did you mean 'horizon'? Known are "),
        ("runs = true", "runs is True; a whole number is accepted"),
        ("runs = 1.5", "runs is 1.5; a whole number is accepted"),
        ('seed = "x"', "seed is 'x'; a whole number is accepted"),
        ("network = []", "network is []; a name"),
        ("network = [3]", "network is [3]; a name"),
        ("groups = []", "groups is []; a table"),
        ("[groups]", "groups is {}; a table"),
        ("[groups]\na = 3", "groups is {'a': 3}; a table"),
        ("environment = 3", "environment is 3; an expression"),
        ("engine = 3", "engine is 3; "),
        ("horizon = ", "is not a TOML file: "),
        ('[groups]\na = "x"\na = "y"', "is not a TOML file: "),
    ],
)
def test_what_is_wrong_is_named_with_the_file(text, sentence, tmp_path):
    path = write(tmp_path / "it.toml", text)
    with pytest.raises(SpecError) as refusal:
        Experiment.from_toml(path)
    assert str(path) in str(refusal.value)
    assert sentence in str(refusal.value)


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "it.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError, match="is not a TOML file"):
        Experiment.from_toml(path)
    with pytest.raises(SpecError, match="cannot read .*: Is a directory"):
        Experiment.from_toml(tmp_path)


def test_a_group_that_is_wrong_is_named_once():
    with pytest.raises(SpecError, match=r"^group 'a', 'QuACK\(\)': QuACK: missing"):
        Experiment(groups={"a": "QuACK()"}).make_groups()
    with pytest.raises(SpecError, match=r"^group 'QuACK\(\)': QuACK: missing"):
        Experiment(groups={"QuACK()": "QuACK()"}).make_groups()


@pytest.mark.parametrize(
    ("text", "label", "expression"),
    [
        ("QuACK(UCB(sigma=0.5))", "QuACK(UCB(sigma=0.5))", "QuACK(UCB(sigma=0.5))"),
        ("mine = QuACK(UCB(sigma=0.5))", "mine", "QuACK(UCB(sigma=0.5))"),
        ("σ (large)=QuACK(UCB())", "σ (large)", "QuACK(UCB())"),
        ("1] a=QuACK(UCB())", "1] a", "QuACK(UCB())"),
        ("=x", "", "x"),
        ("x=", "x", ""),
        ("", "", ""),
    ],
)
def test_a_label_ends_at_the_first_equals_outside_brackets(text, label, expression):
    assert split_label(text) == (label, expression)
