"""`quack compare`, on instances so small that nothing needs a compiler."""

import numpy as np
import pytest

import quack
import quack.cli

TINY = ["--engine", "interpreted", "--quiet", "--horizon", "6", "--runs", "2"]
UCB = ["--group", "QuACK(UCB())"]


def compare(*arguments):
    return quack.cli.main(["compare", *TINY, *arguments])


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_default_shows_a_row_for_each_group(capsys):
    assert compare("--network", "cycle:3") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("cycle:3: 3 agents, 3 edges; Bernoulli([0.5, ")
    assert [line.split("  ")[0] for line in lines[2:]] == ["QuACK-UCB", "QuACK-TS", "no cooperation", "pooled"]


def test_the_result_is_that_of_the_function(capsys):
    assert compare("-n", "star:4", "-g", "it=QuACK(UCB(sigma=0.5))", "--seed", "9", "--save", "it.npz") == 0
    assert capsys.readouterr().err == "saved it.npz\n"
    environment = quack.Bernoulli([0.5] + [0.45] * 9)
    group = quack.QuACK(quack.UCB(sigma=0.5))
    again = quack.compare({"it": group}, environment, "star:4", 6, 2, 9, engine="interpreted", progress=False)
    np.testing.assert_array_equal(quack.load("it.npz")["it"].plays, again["it"].plays)


def test_several_networks_give_a_table_and_a_file_each_and_one_figure(tmp_path, capsys):
    assert compare("-n", "cycle:3", "-n", "star:4", *UCB, "--save", "it.npz", "--figure", "it.svg") == 0
    assert capsys.readouterr().out.count("final group regret") == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["it-cycle-3.npz", "it-star-4.npz", "it.svg"]


def test_flags_override_the_file(tmp_path, capsys):
    (tmp_path / "it.toml").write_text('network = "cycle:3"\nhorizon = 50\n[groups]\n"a" = "Pooled(UCB1())"\n')
    assert compare("it.toml") == 0
    assert "cycle:3: 3 agents, 3 edges" in (said := capsys.readouterr().out)
    assert "horizon 6, 2 runs" in said


def test_a_users_own_class_is_found_in_the_folder(tmp_path, capsys):
    source = "class First:\n def __init__(self, k, n, rng): pass\n def select(self): return 0\n def update(self, a, x): pass\n"
    (tmp_path / "own_policy_of_a_user.py").write_text(source)
    assert compare("-n", "cycle:3", "-g", "mine=QuACK(from_object(own_policy_of_a_user.First))") == 0
    assert "mine" in capsys.readouterr().out


WRONG = {
    "one group twice": (["-g", "a=QuACK(UCB())", "-g", "a=QuACK(UCB1())"], "two groups are called 'a'"),
    "no label": (["-g", "=QuACK(UCB())"], "a group is called ''"),
    "no expression": (["-g", "a="], "group 'a', '' is not an expression"),
    "no number": (["-e", "Bernoulli([0.5, nan])"], "Bernoulli: means[1] is nan; finite numbers are accepted"),
    "a text": (["-g", "QuACK(UCB(sigma='1'))"], "UCB: sigma is '1'; a positive finite number is accepted"),
    "a switch": (["-g", "QuACK(UCB(random_ties='no'))"], "UCB: random_ties is 'no'; True or False is accepted"),
    "misspelt": (["-g", "QuACK(UCV())"], "group 'QuACK(UCV())': there is no UCV. Did you mean 'UCB'?"),
    "a policy": (["-g", "UCB()"], "is not a group such as QuACK(UCB()); to let a network play it, write QuACK(UCB("),
    "a leader": (["-g", "QuACK(UCB(), leader=99)"], "leader must be 'median' or an agent 0 … 15, not 99"),
    "a parameter": (["-g", "QuACK(UCB(sigma=-1))"], "UCB: sigma is -1; a positive finite number is accepted"),
    "rewards": (["-g", "QuACK(ThompsonSampling())", "-e", "Gaussian([1, 2])"], "takes rewards from 0 to 1"),
    "a probability": (["-e", "Bernoulli([0.5, 1.5])"], "means[1] is 1.5; a probability, from 0 to 1, is accepted"),
    "infinity": (["-e", "Gaussian([1e400])"], "means[0] is inf; finite numbers are accepted"),
    "no actions": (["-e", "Bernoulli([])"], "a sequence with one number per action"),
    "no environment": (["-e", "3"], "environment is 3; an environment is accepted"),
    "a class": (["-e", "Bernoulli"], "environment is <class"),
    "a network": (["-n", "cycel:4"], "Did you mean 'cycle'?"),
    "no agents": (["-n", "cycle:0"], "n_agents must be at least 1, not 0"),
    "no rounds": (["--horizon", "0"], "horizon is 0; a whole number, from 1"),
    "negative": (["--runs", "-1"], "runs is -1; a whole number, from 1"),
    "huge": (["--horizon", "9" * 30], "horizon is 999"),
    "too long": (["--horizon", str(2**43)], "at most 2**44 plays a run are accepted"),
    "too many": (["--runs", str(2**32)], "GiB of counts; this machine has"),
    "no workers": (["--workers", "0"], "workers is 0; a whole number, from 1 to 1024, is accepted"),
    "a seed": (["--seed", "-1"], "seed is -1; a whole number from 0 to 2**64 - 1 is accepted"),
    "a picture": (["--figure", "it.jpg"], "figure is 'it.jpg'; a file name that ends in .svg, .png, .pdf is accepted"),
    "no picture": (["--log"], "--log is for a figure, and none is asked for; --figure FILE asks for one"),
    "no folder": (["--figure", "no/it.svg"], "cannot write no/it.svg: there is no folder no"),
    "a folder": (["--figure", "folder.svg"], "cannot write folder.svg: it is a folder"),
    "a format": (["--save", "it.csv"], "--save is 'it.csv'; a file name that ends in .npz is accepted"),
    "no file": (["it.toml"], "cannot read it.toml: No such file or directory"),
    "a network twice": (["-n", "cycle:3", "-n", "cycle:3", "--save", "it.npz"], "two networks are called 'cycle:3'"),
    "a later network": (["-n", "star:9", "-n", "path:2", "-g", "QuACK(UCB(), leader=5)"], "an agent 0 … 1, not 5"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_impossible_is_one_sentence_before_any_work(case, tmp_path, capsys):
    (tmp_path / "folder.svg").mkdir()
    arguments, sentence = WRONG[case]
    assert compare(*arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert sentence in output.err
    assert output.err.count("\n") == 1


def test_a_missing_drawing_library_is_missed_before_the_work(monkeypatch, capsys):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    assert compare("-n", "cycle:3", *UCB, "--figure", "it.svg") == 2
    assert capsys.readouterr() == ("", "quack: error: a figure needs matplotlib: pip install 'quack-bandits[lab]'\n")


def test_a_disk_that_is_full_leaves_the_older_file(tmp_path, monkeypatch, capsys):
    assert compare("-n", "cycle:3", *UCB, "--save", "it.npz") == 0
    before = (tmp_path / "it.npz").read_bytes()

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert compare("-n", "cycle:4", *UCB, "--save", "it.npz") == 2
    assert capsys.readouterr().err.endswith("quack: error: cannot write it.npz: No space left on device\n")
    assert [path.name for path in tmp_path.iterdir()] == ["it.npz"]
    assert (tmp_path / "it.npz").read_bytes() == before


def test_ctrl_c_keeps_what_is_finished(monkeypatch, capsys):
    def play(plan, **_options):
        whole = real_play(plan, progress=False)
        if plan.settings.network == "cycle:3":
            return whole
        groups = {"a": whole["a"]}
        raise quack.Interrupted(quack.Comparison(plan.settings, groups, 1.0))

    from quack.comparison import Plan

    real_play = Plan.play
    monkeypatch.setattr(Plan, "play", play)
    groups = ["-g", "a=QuACK(UCB())", "-g", "b=QuACK(UCB1())"]
    networks = ["-n", "cycle:3", "-n", "star:4", "-n", "path:5"]
    assert compare(*networks, *groups, "--save", "it.npz", "--figure", "it.pdf") == 130
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        "saved it-cycle-3.npz",
        "quack: interrupted; of 4 runs 2 are finished",
        "saved it-star-4.npz",
        "saved it.pdf",
    ]
    assert "path:5" not in said.out
    assert list(quack.load("it-star-4.npz")) == ["a"]


def test_ctrl_c_before_anything_is_finished(monkeypatch, tmp_path, capsys):
    def play(_plan, **_options):
        raise quack.Interrupted(None)

    monkeypatch.setattr("quack.comparison.Plan.play", play)
    assert compare("-n", "cycle:3", *UCB, "--save", "it.npz", "--figure", "it.pdf") == 130
    assert capsys.readouterr() == ("", "quack: interrupted; of 2 runs 0 are finished\n")
    assert list(tmp_path.iterdir()) == []
