"""A study ends with the same bits however it was cut, interrupted, divided or performed."""

import concurrent.futures
import json
import multiprocessing
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.comparison import Plan
from quack.experiments import pace, runner
from quack.experiments.parcels import Place
from quack.experiments.runner import run_study
from quack.simulation.chunk import Chunk

EXPERIMENT = quack.Experiment(
    network=("cycle:3", "star:4"),
    environment="Bernoulli([0.6, 0.4, 0.3])",
    groups={"a": "QuACK(ThompsonSampling())", "b": "Independent(UCB(sigma={sigma}))"},
    horizon=20,
    runs=11,
    seed=3,
    engine="interpreted",
    checkpoints=4,
    grid={"sigma": (0.5, 1.0)},
)

LONG = EXPERIMENT.with_settings(["horizon=40", "runs=30"])


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    """Cut into many small chunks, and measure for a moment only."""
    monkeypatch.setattr(pace, "_SLICE_S", 0.0)
    monkeypatch.setattr(pace, "_SHORTEST_S", 0.002)
    monkeypatch.setattr(pace, "_CHUNKS_A_WORKER", 10**6)


def plays(study):
    return {(cell, label): group.plays.tolist() for cell, comparison in study.items() for label, group in comparison.items()}


def play(folder, experiment=EXPERIMENT, **options):
    return run_study(experiment, folder, **{"workers": 2, "progress": False} | options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return what `compare` finds for each cell."""
    found = {}
    for network in ("cycle:3", "star:4"):
        for sigma in (0.5, 1.0):
            groups = {"a": quack.QuACK(quack.ThompsonSampling()), "b": quack.Independent(quack.UCB(sigma=sigma))}
            bandit = quack.Bernoulli([0.6, 0.4, 0.3])
            result = quack.compare(groups, bandit, network, 20, 11, 3, checkpoints=4, engine="interpreted", progress=False)
            found |= {(f"network={network}, sigma={sigma}", label): group.plays.tolist() for label, group in result.items()}
    return found


def test_every_cell_is_what_compare_finds(tmp_path, whole):
    study = play(tmp_path / "it")
    assert plays(study) == whole
    assert study.complete
    assert len(list((tmp_path / "it" / "runs").iterdir())) > 8  # several chunks each


@pytest.mark.parametrize("workers", [1, 5])
def test_neither_workers_nor_the_cut_change_it(workers, tmp_path, whole, monkeypatch):
    monkeypatch.setattr(pace, "_SHORTEST_S", 0.002 * workers)
    assert plays(play(tmp_path / "it", workers=workers)) == whole


def test_executors_do_not_change_it(tmp_path, whole):
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        assert plays(play(tmp_path / "threads", executor=threads)) == whole
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        assert plays(play(tmp_path / "processes", executor=processes)) == whole


def test_shards_are_disjoint_and_make_the_whole(tmp_path, whole):
    studies = [play(tmp_path / "it", shard=(i, 3)) for i in (2, 1)]
    assert [study.complete for study in studies] == [False, False]
    assert 0 < studies[0].finished < studies[1].finished < studies[1].asked
    assert plays(play(tmp_path / "it", shard=(3, 3))) == whole


def test_more_parts_than_runs(tmp_path, whole):
    for i in range(1, 14):
        study = play(tmp_path / "it", shard=(i, 13))
    assert plays(study) == whole


@given(st.integers(1, 40), st.lists(st.integers(0, 40), max_size=8), st.integers(1, 7))
def test_what_is_missing_is_played_once_by_one_part(runs, ends, parts):
    ends = sorted({min(end, runs) for end in ends})
    finished = [Place(0, 0, range(*pair), Path()) for pair in zip(ends[::2], ends[1::2], strict=False)]
    whole = Chunk("a", None, None, None, 0, range(runs), None, compiled=True)
    plan = Plan(None, (whole,))
    jobs = [job for i in range(parts) for job in runner._jobs([plan], {(0, 0): finished}, runner.Shard(i + 1, parts))]
    played = [run for job in jobs for run in job.work.runs]
    kept = [run for place in finished for run in place.runs]
    assert sorted(played + kept) == list(range(runs))


def test_checking_much_is_said(tmp_path, monkeypatch):
    play(tmp_path / "it", EXPERIMENT.with_settings(["runs=1"]))
    monkeypatch.setattr("quack.experiments.folder._MUCH", 0)
    seen = []
    play(tmp_path / "it", EXPERIMENT.with_settings(["runs=1"]), progress=seen.append)
    assert {now.doing for now in seen} == {f"checking what is finished in {tmp_path / 'it'}"}


def test_a_second_call_plays_nothing(tmp_path, monkeypatch, whole):
    play(tmp_path / "it")
    monkeypatch.setattr(runner, "perform_all", None)
    assert plays(play(tmp_path / "it")) == whole


@pytest.mark.parametrize("damage", [b"", b"x", None])
def test_what_is_damaged_or_lost_is_played_again(damage, tmp_path, whole):
    play(tmp_path / "it")
    files = sorted((tmp_path / "it" / "runs").iterdir())
    for file in files[1::3]:
        if damage is None:
            file.unlink()
        else:
            content = file.read_bytes()
            file.write_bytes(content[: len(content) // 2] + damage + content[len(content) // 2 + len(damage) :] * len(damage))
    (tmp_path / "it" / "runs" / ".quack-0123").write_bytes(b"left by a process that was killed")
    if damage is None:
        study = play(tmp_path / "it")
    else:
        broken = quack.load_study(tmp_path / "it")
        with pytest.raises(quack.StoreError, match="is damaged; `quack run` plays its runs again"):
            plays(broken)
        with pytest.warns(quack.QuackWarning, match=f"{len(files[1::3])} files? in .* were damaged: .* will be played again"):
            study = play(tmp_path / "it")
    assert plays(study) == whole
    assert not list((tmp_path / "it" / "runs").glob(".quack*"))


@pytest.fixture
def handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("handler")
def test_ctrl_c_keeps_what_is_finished_and_the_next_call_goes_on(tmp_path):
    def press(progress):
        if progress.done > progress.total / 3:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(quack.Interrupted) as interruption:
        play(tmp_path / "it", LONG, progress=press)
    whole = plays(play(tmp_path / "through", LONG))
    partial = interruption.value.partial
    assert 0 < partial.finished < partial.asked
    for cell, comparison in partial.items():
        for label, group in comparison.items():
            assert group.plays.tolist() == np.array(whole[cell, label])[group.runs].tolist()
    seen = []
    assert plays(play(tmp_path / "it", LONG, progress=seen.append)) == whole
    assert seen[0].done == seen[0].resumed > 0
    assert seen[0].per_s == 0  # what was done before is no speed
    assert seen[-1].done == seen[-1].total


SCRIPT = """
import sys
import time
import quack
from quack.experiments import pace
from pathlib import Path
pace._SLICE_S, pace._SHORTEST_S, pace._CHUNKS_A_WORKER = 0.0, 0.002, 10**6

def wait(progress):
    # Half-way, wait for the signal that the test sends.
    if progress.done > progress.total / 4 and not Path("go").exists():
        Path("ready").touch()
        while not Path("go").exists():
            time.sleep(0.01)

quack.run_study(Path(sys.argv[1]), sys.argv[2], workers=2, progress=wait)
"""


def toml(experiment):
    """Write an experiment as a file: JSON's lists and texts are TOML's."""
    plain = experiment.to_dict()
    groups, grid = plain.pop("groups"), plain.pop("grid")
    lines = [f"{key} = {json.dumps(value)}" for key, value in plain.items()]
    for name, table in (("groups", groups), ("grid", grid)):
        lines += [f"[{name}]", *(f"{json.dumps(key)} = {json.dumps(value)}" for key, value in table.items())]
    return "\n".join(lines)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_process_that_was_ended_half_way_goes_on_to_the_same_bits(number, tmp_path):
    (tmp_path / "study.toml").write_text(toml(LONG))
    line = [sys.executable, "-W", "ignore", "-c", SCRIPT, "study.toml", "it"]
    with subprocess.Popen(line, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        while not (tmp_path / "ready").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
        (tmp_path / "go").touch()
    assert process.returncode != 0
    half = quack.load_study(tmp_path / "it")
    assert 0 < half.finished < half.asked
    subprocess.run(line, cwd=tmp_path, check=True)
    through = play(tmp_path / "through", LONG)
    assert plays(quack.load_study(tmp_path / "it")) == plays(through)
    assert quack.load_study(tmp_path / "it").complete


def test_two_at_once_are_refused(tmp_path):
    (tmp_path / "study.toml").write_text(toml(LONG))
    line = [sys.executable, "-W", "ignore", "-c", SCRIPT, "study.toml", "it"]
    with subprocess.Popen(line, cwd=tmp_path) as process:
        while not (tmp_path / "ready").exists():
            assert process.poll() is None
            time.sleep(0.01)
        with pytest.raises(quack.StoreError, match=rf"it is in use by another process \({process.pid}\)"):
            play(tmp_path / "it", LONG)
        process.kill()


CHANGES = {
    "horizon": ("horizon=21", "horizon is 20 there and 21 here"),
    "a group": ("groups.c=Pooled(UCB())", "groups is .* there and .* here"),
    "the grid": ("grid.sigma=[0.5, 2.0]", "grid is .*1.0.* there and .*2.0.* here"),
    "a key that is in the grid now": ("grid.horizon=[20, 21]", "horizon is 20 there and in the grid here"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_another_study_in_the_same_folder_is_refused(case, tmp_path):
    setting, sentence = CHANGES[case]
    play(tmp_path / "it", EXPERIMENT.with_settings(["runs=1"]))
    with pytest.raises(quack.SpecError, match=f"it holds another study: {sentence}; a new folder is accepted"):
        play(tmp_path / "it", EXPERIMENT.with_settings(["runs=1", setting]))


def test_edited_code_is_another_study(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    source = (
        "class First:\n def __init__(self, k, n, rng): pass\n def select(self): return 0\n def update(self, action, x): pass\n"
    )
    (tmp_path / "own_policy_of_a_study.py").write_text(source)
    experiment = EXPERIMENT.with_settings(["groups.a=QuACK(from_object(own_policy_of_a_study.First))", "runs=1"])
    assert play(tmp_path / "it", experiment).complete
    (tmp_path / "own_policy_of_a_study.py").write_text(source.replace("return 0", "return 1"))
    with pytest.raises(quack.SpecError, match="holds another study: the code of own_policy_of_a_study is another"):
        play(tmp_path / "it", experiment)


def test_an_edited_network_is_another_study(tmp_path):
    (tmp_path / "it.edges").write_text("0 1\n1 2\n2 3\n")
    experiment = EXPERIMENT.with_settings([f"network={tmp_path}/it.edges", "runs=1"])
    play(tmp_path / "it", experiment)
    (tmp_path / "it.edges").write_text("0 1\n1 2\n1 3\n")
    with pytest.raises(quack.SpecError, match="holds another study: the network it has other edges"):
        play(tmp_path / "it", experiment)


def test_another_version_is_another_study(tmp_path, monkeypatch):
    play(tmp_path / "it", EXPERIMENT.with_settings(["runs=1"]))
    manifest = tmp_path / "it" / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"version": "{quack.__version__}"', '"version": "0.0.1"', 1))
    with pytest.raises(quack.SpecError, match=f"it is of quack 0.0.1, and this is quack {quack.__version__}"):
        play(tmp_path / "it", EXPERIMENT.with_settings(["runs=1"]))


@pytest.mark.parametrize(
    ("settings", "options", "sentence"),
    [
        (["groups.a=QuACK(UCV())"], {}, "cell .*"),
        (["network=cycel:4"], {}, "Did you mean 'cycle'"),
        (["grid.sigma=[0.5, -1]"], {}, "network=cycle:3, sigma=-1: UCB: sigma is -1; a positive finite number is accepted"),
        ([], {"shard": (4, 3)}, "shard is 4/3; i/n with i from 1 to n is accepted"),
        ([], {"shard": (0, 3)}, "shard is 0/3"),
        ([], {"workers": 0}, "workers is 0"),
        ([], {"progress": 3}, "progress is 3"),
        ([], {"executor": 3}, "executor is 3"),
    ],
)
def test_what_is_impossible_is_refused_before_anything_is_written(settings, options, sentence, tmp_path):
    sentence = sentence.replace("cell .*", "network=cycle:3, sigma=0.5: group 'a', 'QuACK.*there is no UCV. Did you mean 'UCB'")
    with pytest.raises(quack.SpecError, match=sentence):
        play(tmp_path / "it", EXPERIMENT.with_settings(settings), **options)
    assert not (tmp_path / "it").exists()


def test_folders_that_are_none(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(quack.StoreError, match="file is not a folder; the results of a study go to one"):
        play(tmp_path / "file")
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "thesis.tex").write_text("")
    with pytest.raises(
        quack.StoreError, match="papers holds 'thesis.tex' and is not a study; an empty or new folder is accepted"
    ):
        play(tmp_path / "papers")
    with pytest.raises(quack.StoreError, match="cannot write .*: Not a directory"):
        play(tmp_path / "file" / "it")


def test_a_disk_that_is_full_is_one_sentence_and_loses_nothing(tmp_path, whole, monkeypatch):
    real, written = runner.put, []

    def full(*arguments):
        if len(written) == 3:
            raise quack.StoreError("cannot write it: No space left on device")
        written.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(runner, "put", full)
    with pytest.raises(quack.StoreError, match="No space left on device"):
        play(tmp_path / "it")
    assert quack.load_study(tmp_path / "it").finished == sum(len(parcel.runs) for parcel, *_ in written)
    monkeypatch.setattr(runner, "put", real)
    assert plays(play(tmp_path / "it")) == whole


def test_a_worker_of_another_version_is_refused(tmp_path, monkeypatch):
    real = runner.perform_packed
    monkeypatch.setattr(runner, "perform_packed", lambda *arguments: real(*arguments)._replace(version="0.0.1"))
    with pytest.raises(quack.QuackError, match="a worker has quack 0.0.1"):
        play(tmp_path / "it")


def test_a_long_study_says_so_and_goes_on(tmp_path, whole, monkeypatch):
    monkeypatch.setattr(runner, "_LONG_S", 0.0)
    sentence = "this will take about .* with 2 workers. Interrupt it when you like: .*it, .* Processes .* would take"
    with pytest.warns(quack.QuackWarning, match=sentence):
        assert plays(play(tmp_path / "it")) == whole


def test_memory_does_not_grow_with_the_number_of_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(pace, "_COUNTS", 100 * 8 * 20)  # a hundred runs a chunk
    monkeypatch.setattr(pace, "_SHORTEST_S", 10.0)
    small = quack.Experiment(("path:1",), "Bernoulli([0.5] * 20)", {"it": "Pooled(Uniform())"}, 8, engine="interpreted")

    def peak(runs):
        tracemalloc.start()
        play(tmp_path / str(runs), small.with_settings([f"runs={runs}"]), workers=1)
        assert len(list((tmp_path / str(runs) / "runs").iterdir())) == runs // 100
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(100)  # what is loaded once
    few, many = peak(400), peak(1600)
    results = (1600 - 400) * 8 * 20 * 8  # what the further runs would take
    assert many - few < results / 10
