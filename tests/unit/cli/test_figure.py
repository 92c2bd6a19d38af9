"""`quack figure`, on the one figure that needs no compiler."""

import pytest

import quack.cli
from quack.experiments.catalogue import CATALOGUE

QUEUES = ["figure", "queues", "--horizon", "6", "--runs", "2", "--quiet"]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_figure_is_drawn(tmp_path, capsys):
    assert quack.cli.main([*QUEUES, "--out", "there/it"]) == 0
    assert {path.name for path in (tmp_path / "there/it").iterdir()} == {
        *("queues.svg", "queues.pdf", "queues.png", "queues.csv", "queues.txt", "data")
    }
    said = capsys.readouterr()
    assert said.out.startswith("queues: 3 played; ")
    assert "saved there/it/queues.svg" in said.err
    assert "2 runs, 6 rounds" in (tmp_path / "there/it/queues.txt").read_text(encoding="utf-8")


def test_it_says_before_how_long_it_will_take(capsys):
    assert quack.cli.main([*QUEUES[:-1], "--format", "svg"]) == 0
    assert capsys.readouterr().err.startswith("queues: about ")


def test_looks(tmp_path):
    assert quack.cli.main([*QUEUES, "--dark", "--width", "one", "--format", "svg", "--data", "parquet", "--no-caption"]) == 0
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert names == {"queues-dark.svg", "queues.parquet", "queues.txt", "data"}


def test_the_list_says_what_each_takes(capsys):
    assert quack.cli.main(["figure", "list", "--workers", "2"]) == 0
    _, header, *lines = capsys.readouterr().out.splitlines()
    assert header.split() == ["name", "paper", "shows", "plays", "about,", "here"]
    assert [line.split()[0] for line in lines] == [entry.name for entry in CATALOGUE]
    assert all(line.rsplit(maxsplit=1)[1] in ("s", "min", "ms") for line in lines)


def test_the_time_follows_the_numbers(capsys):
    from quack.experiments.durations import agent_rounds

    entry = CATALOGUE[0]
    from quack.experiments.catalogue import Choices

    assert agent_rounds(entry, Choices(10, 2)) == 3 * 196 * 5 * 10 * 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "there is no figure 'nothing'. Known are main, "),
        (["scalin"], "Did you mean 'scaling'?"),
        (["list", "main"], "it takes no other names"),
        (["queues", "--format", "gif"], "'gif' is not accepted; some of svg,pdf,png are"),
        (["queues", "--width", "three"], "'three' is not accepted; one, two are"),
        (["queues", "--sigma", "a"], "'a' is not accepted; a number is"),
        (["main", "--sigma", "-1"], "sigma is -1"),
        (["main", "--horizon", "0"], "horizon is 0"),
        (["queues", "--horizon", "0"], "horizon is 0"),
        (["queues", "--runs", "0"], "runs is 0"),
        (["heavy-grid", "--epsilon", "2"], "needs moments of order 3; those of Stable"),
        (["queues", "--workers", "0"], "workers is 0"),
        (["queues", "--out", "file"], "--out is 'file', which cannot be a folder"),
        ([], "the following arguments are required: NAME|all|list"),
    ],
)
def test_bad_input_is_one_sentence(arguments, said, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert quack.cli.main(["figure", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
