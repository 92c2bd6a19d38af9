"""Workers that are processes: of this machine, or of a Dask cluster, one of which is killed half-way."""

import json
import os
import signal
import subprocess
import sys
import time

import distributed
import pytest

import quack
from quack.experiments import pace, runner
from quack.experiments.workers import cluster, processes

EXPERIMENT = quack.Experiment(
    network=("cycle:3", "star:4"),
    environment="Bernoulli([0.6, 0.4, 0.3])",
    groups={"a": "QuACK(ThompsonSampling())", "b": "Independent(UCB(sigma=0.5))"},
    horizon=40,
    runs=80,
    seed=3,
    engine="interpreted",
    checkpoints=4,
)


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    monkeypatch.setattr(pace, "_SLICE_S", 0.0)
    monkeypatch.setattr(pace, "_SHORTEST_S", 0.02)
    monkeypatch.setattr(pace, "_CHUNKS_A_WORKER", 10**6)
    monkeypatch.setattr(runner, "_IN_FLIGHT", 1)  # eight for two workers: the others wait until these are collected


def plays(study):
    return {(cell, label): group.plays.tolist() for cell, comparison in study.items() for label, group in comparison.items()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return plays(quack.run_study(EXPERIMENT, tmp_path_factory.mktemp("whole"), progress=False))


@pytest.fixture
def dask(tmp_path):
    """Start a scheduler and two workers, each a process of its own, and return the address and the workers."""
    options = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    file = tmp_path / "scheduler.json"
    place = ["--scheduler-file", str(file)]
    words = {
        "scheduler": [*place, "--port", "0", "--host", "127.0.0.1", "--no-dashboard"],
        "worker": [*place, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"],
    }
    lines = {kind: [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words[kind]] for kind in words}
    started = [subprocess.Popen(lines["scheduler"], **options)]
    try:
        while not file.exists() or not file.read_text():
            assert started[0].poll() is None
            time.sleep(0.02)
        started += [subprocess.Popen(lines["worker"], **options) for _ in range(2)]
        yield json.loads(file.read_text())["address"], started[1:]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def wait_for_workers(address, number):
    with distributed.Client(address, set_as_default=False) as client:
        client.wait_for_workers(number, timeout=30)


def test_a_dask_worker_that_is_killed_half_way_changes_nothing(dask, tmp_path, whole):
    address, workers = dask
    wait_for_workers(address, 2)
    seen = []

    def kill(progress):
        seen.append(progress.done)
        if progress.done > progress.total / 4 and workers[0].poll() is None:
            workers[0].kill()

    with cluster(address) as (executor, threads):
        assert threads == 2
        study = quack.run_study(EXPERIMENT, tmp_path / "it", executor=executor, workers=threads, progress=kill)
    assert workers[0].poll() == -signal.SIGKILL
    assert workers[1].poll() is None
    assert len([done for done in sorted(set(seen)) if done > seen[-1] / 4]) > 1  # there was something left to do
    assert study.complete
    assert plays(study) == whole


def test_a_scheduler_that_does_not_answer_is_one_sentence(monkeypatch):
    monkeypatch.setattr("quack.experiments.workers._PATIENCE_S", 0.2)
    with pytest.raises(quack.SpecError, match="no Dask scheduler answers at 'tcp://127.0.0.1:9'"), cluster("tcp://127.0.0.1:9"):
        pass
    with pytest.raises(quack.SpecError, match="no Dask scheduler answers at 'xyz://nowhere'"), cluster("xyz://nowhere"):
        pass


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(quack.MissingExtra, match=r"a cluster needs distributed: pip install 'quack-bandits\[cluster\]'"),
        cluster("tcp://127.0.0.1:8786"),
    ):
        pass


def test_processes_play_the_same(tmp_path, whole):
    with processes(2) as executor:
        assert plays(quack.run_study(EXPERIMENT, tmp_path / "it", executor=executor, progress=False)) == whole


def test_a_process_that_dies_is_one_sentence_and_the_next_call_goes_on(tmp_path, whole):
    killed = []

    def kill(progress):
        if progress.done > progress.total / 4 and not killed:
            killed.append(next(iter(executor._processes)))
            os.kill(killed[0], signal.SIGKILL)

    with processes(2) as executor, pytest.raises(quack.QuackError, match="a worker process ended abruptly .* is kept in .*it"):
        quack.run_study(EXPERIMENT, tmp_path / "it", executor=executor, progress=kill)
    study = quack.load_study(tmp_path / "it")
    assert 0 < study.finished < study.asked
    assert plays(quack.run_study(EXPERIMENT, tmp_path / "it", progress=False)) == whole


ORPHANS = """
import time
from quack.experiments.workers import processes

if __name__ == "__main__":
    with processes(1) as executor:
        print(executor.submit(__import__("os").getpid).result(), flush=True)
        time.sleep(60)
"""


def test_processes_leave_with_the_one_that_started_them(tmp_path):
    (tmp_path / "script.py").write_text(ORPHANS)
    line = [sys.executable, "script.py"]
    with subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        os.kill(int(process.stdout.readline()), 0)  # the worker is there
        process.kill()
        # The worker has the same output: this ends when both have.
        assert process.communicate(timeout=30) == ("", None)
