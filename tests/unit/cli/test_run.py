"""`quack run` and `quack merge`, on instances so small that nothing needs a compiler."""

import csv
import os
import signal
import subprocess
import sys
import time

import pytest

import quack
import quack.cli
from quack.experiments import pace

STUDY = """
network = "cycle:{m}"
environment = "Bernoulli([0.6, 0.4])"
horizon = 6
runs = 4
engine = "interpreted"
checkpoints = 2
[groups]
"one, with a label" = "QuACK({policy})"
pooled = "Pooled(UCB())"
[grid]
m = [3, 4]
policy = ["UCB()", "ThompsonSampling()"]
"""


def run(*arguments):
    return quack.cli.main(["run", "study.toml", "--quiet", *arguments])


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pace, "_SLICE_S", 0.0)
    (tmp_path / "study.toml").write_text(STUDY)


def test_a_study_ends_in_a_table_and_a_folder(tmp_path, capsys):
    assert run() == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0] == f"study.results: 4 cells, quack {quack.__version__}"
    assert lines[1].split("  ")[:3] == ["network", "m", "policy"]
    assert len(lines) == 2 + 4 * 2
    assert said.err == "32 of 32 runs are in study.results\n"
    study = quack.load_study(tmp_path / "study.results")
    assert study.complete
    assert len(study) == 4


def test_settings_and_a_folder_of_ones_own(capsys):
    assert run("--set", "runs=2", "--set", "grid.m=[3]", "--set", 'groups.mine="QuACK({policy})"', "--out", "it") == 0
    assert "12 of 12 runs are in it" in capsys.readouterr().err
    study = quack.load_study("it")
    assert [cell.varied["m"] for cell in study.cells] == [3, 3]
    assert list(study.at(policy="UCB()")) == ["one, with a label", "pooled", "mine"]


def test_the_table_of_the_folder_is_that_of_compare():
    assert run("--table", "it.csv") == 0
    with open("it.csv", encoding="utf-8") as file:  # noqa: PTH123
        rows = {(row["m"], row["policy"], row["group"]): row for row in csv.DictReader(file)}
    assert len(rows) == 8
    again = quack.compare(
        {"one, with a label": quack.QuACK(quack.ThompsonSampling()), "pooled": quack.Pooled(quack.UCB())},
        quack.Bernoulli([0.6, 0.4]), "cycle:4", 6, 4, 0, engine="interpreted", progress=False,
    )  # fmt: skip
    for label, group in again.items():
        row = rows["4", "ThompsonSampling()", label]
        low, high = group.band()
        assert float(row["final_regret"]) == pytest.approx(group.mean[-1], rel=1e-12)
        assert float(row["half_width_95"]) == pytest.approx(group.half_width, rel=1e-12)
        assert (float(row["final_regret_2.5%"]), float(row["final_regret_97.5%"])) == pytest.approx((low[-1], high[-1]))
        assert (row["agents"], row["rounds"], row["runs"], row["mode"]) == ("4", "6", "4", "interpreted")
    frame = quack.load_study("study.results").to_pandas()
    assert frame["final_regret"].tolist() == [float(row["final_regret"]) for row in rows.values()]


def test_a_table_for_columns():
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run("--table", "it.parquet") == 0
    assert parquet.read_table("it.parquet").to_pandas().equals(quack.load_study("study.results").to_pandas())


def test_parts_are_played_apart_and_merged(capsys):
    for i in ("1", "2"):
        assert run("--shard", f"{i}/2") == 0
    assert "16 of 32 runs are in study-2-of-2.results" in capsys.readouterr().err
    assert quack.cli.main(["merge", "study-1-of-2.results", "study-2-of-2.results", "--out", "it", "--quiet"]) == 0
    assert "32 of 32 runs are in it" in capsys.readouterr().err
    assert run() == 0
    merged, whole = quack.load_study("it"), quack.load_study("study.results")
    assert all((merged[cell][label].plays == group.plays).all() for cell in whole for label, group in whole[cell].items())


def test_a_study_can_be_reported(tmp_path):
    assert run() == 0
    assert quack.cli.main(["report", "study.results", "--out", "it.html"]) == 0
    page = (tmp_path / "it.html").read_text(encoding="utf-8")
    assert "one, with a label" in page
    assert "cycle:4" in page


def test_an_unfinished_study_says_how_much_there_is(capsys):
    assert run("--shard", "1/2", "--set", "runs=3") == 0
    assert "1 of 3" in capsys.readouterr().out


WRONG = {
    "no file": (["--set", "x=1"], "network = [", "study.toml is not a TOML file"),
    "a key": ([], "horizn = 3", "study.toml: there is no key 'horizn'. Did you mean 'horizon'"),
    "a setting": (["--set", "horizon=x"], "", "--set: horizon is 'x'; a whole number is accepted"),
    "a name": ([], 'network = "cycle:{m}"', "network 'cycle:{m}' has {m}, for which the grid has no values"),
    "a group": (["--set", "groups.a=QuACK(UCV())"], "", "there is no UCV. Did you mean 'UCB'"),
    "a shard": (["--shard", "3"], "", "'3' is not accepted; I/N is, such as 3/8"),
    "another shard": (["--shard", "4/3"], "", "shard is 4/3; i/n with i from 1 to n is accepted"),
    "a table": (["--table", "it.xlsx"], "", "table is 'it.xlsx'; a file name that ends in .csv or .parquet is accepted"),
    "a folder": (["--table", "no/it.csv"], "", "cannot write no/it.csv: there is no folder no"),
    "workers": (["--workers", "0"], "", "workers is 0; a whole number"),
    "two kinds": (["--cluster", "tcp://1.2.3.4:5", "--processes"], "", "--cluster has its own workers"),
    "an option": (["--horizon", "5"], "", "quack run takes no option '--horizon'"),
    "no folder": (["--out", "study.toml"], "", "study.toml is not a folder"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_impossible_is_one_sentence_before_any_work(case, tmp_path, capsys):
    arguments, text, sentence = WRONG[case]
    (tmp_path / "study.toml").write_text(text)
    assert run(*arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]


def test_without_pyarrow_the_extra_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run("--table", "it.parquet") == 2
    assert "a .parquet file needs pyarrow: pip install 'quack-bandits[parquet]'" in capsys.readouterr().err


def test_compare_plays_no_grid(capsys):
    assert quack.cli.main(["compare", "study.toml"]) == 2
    assert "the file has a grid of m, policy; `quack run FILE` plays it" in capsys.readouterr().err


def test_load_of_a_folder_says_what_reads_it():
    assert run("--set", "runs=1") == 0
    with pytest.raises(quack.StoreError, match=r"study.results is a folder, not a file of results; quack.load_study reads"):
        quack.load("study.results")


def test_a_study_that_is_looked_at():
    assert run("--set", "grid.m=[3]") == 0
    study = quack.load_study("study.results")
    assert repr(study) == "<Study in study.results, 2 cells, 16 of 16 runs>"
    assert str(study).count("\n") == 4
    assert study._repr_html_().count("<tr>") == 5
    assert "<div><p>Study in study.results, 2 cells, 16 of 16 runs</p><table>" in study._repr_html_()
    with pytest.raises(
        KeyError, match="no cell 'network=cycle:3, m=3, policy=UCV'. Did you mean 'network=cycle:3, m=3, policy=UCB"
    ):
        study["network=cycle:3, m=3, policy=UCV"]
    with pytest.raises(quack.SpecError, match="2 cells have m=3; values of one cell are accepted"):
        study.at(m=3)
    with pytest.raises(quack.SpecError, match="no cell has a 'polcy'. Did you mean 'policy'"):
        study.at(polcy=3)


def test_ctrl_c_ends_with_130_and_says_that_the_same_command_goes_on(tmp_path):
    short = (
        "import sys, quack.cli; from quack.experiments import pace; "
        "pace._LONGEST_S = 0.05; sys.exit(quack.cli.main(sys.argv[1:]))"
    )
    line = [sys.executable, "-c", short, "run", "study.toml", "--quiet", "--set", "runs=100000", "--set", "horizon=50"]
    with subprocess.Popen(line, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        while not list((tmp_path / "study.results" / "runs").glob("0*.npz")):
            assert process.poll() is None
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "quack: interrupted; of 800,000 runs " in err
    assert "are finished in study.results, and the same command goes on there" in err
    assert "Traceback" not in err
    assert out == ""


def test_a_disk_that_is_full_is_one_sentence(tmp_path):
    limited = (
        "import resource, sys, quack.cli; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)); "
        "sys.exit(quack.cli.main(sys.argv[1:]))"
    )
    line = [sys.executable, "-B", "-c", limited, "run", "study.toml", "--quiet", "--set", "runs=500", "--set", "checkpoints=6"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith(": File too large\n")
    assert done.stderr.count("\n") == 1
    assert not list((tmp_path / "study.results" / "runs").glob(".*"))
