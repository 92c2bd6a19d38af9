"""Chunks: how they are cut, who performs them, and what happens when something goes wrong."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.simulation import schedule
from quack.simulation.chunk import Chunk

ENVIRONMENT = quack.Bernoulli([0.5, 0.4, 0.3])
GROUPS = {"a": quack.QuACK(quack.ThompsonSampling()), "b": quack.Independent(quack.UCB())}


def compare(groups=GROUPS, **options):
    options = {"runs": 12, "seed": 5, "engine": "interpreted", "progress": False} | options
    return quack.compare(groups, ENVIRONMENT, "grid:2x3", 30, **options)


def plays(result):
    return {label: group.plays.tolist() for label, group in result.items()}


@pytest.fixture(scope="module")
def reference():
    return plays(compare(workers=1))


@given(st.lists(st.tuples(st.integers(1, 300), st.booleans()), min_size=1, max_size=4), st.integers(1, 10**8), st.integers(1, 64))
def test_every_run_is_in_exactly_one_chunk(work, agent_rounds, workers):
    wholes = [
        Chunk(str(i), None, None, None, 0, range(runs), None, compiled, agent_rounds) for i, (runs, compiled) in enumerate(work)
    ]
    chunks = list(schedule.split(wholes, workers))
    for whole in wholes:
        mine = [chunk for chunk in chunks if chunk.label == whole.label]
        assert [run for chunk in mine for run in chunk.runs] == list(whole.runs)
        assert {chunk.compiled for chunk in mine} == {whole.compiled}
        # Small enough to keep every worker busy twice, and to end soon, unless one run is longer.
        longest = max(len(chunk.runs) for chunk in mine)
        assert longest <= -(-len(whole.runs) // (2 * workers))
        assert longest == 1 or longest * agent_rounds <= (5_000_000 if whole.compiled else 20_000)


def test_groups_take_turns():
    wholes = [Chunk(label, None, None, None, 0, range(4), None, compiled=True, agent_rounds=10**9) for label in "ab"]
    assert "".join(chunk.label for chunk in schedule.split(wholes, 1)) == "abababab"


def test_chunks_grow_and_shrink_to_a_tenth_of_a_second():
    """As soon as the pace of a group is known; and at the end no worker has much to do when the others have nothing."""
    (fast, slow) = (
        Chunk(label, None, None, None, 0, range(10_000), None, compiled=True, agent_rounds=10**6) for label in ("fast", "slow")
    )
    paces = {}
    sizes = {"fast": [], "slow": []}
    for chunk in schedule.split([fast, slow], 2, paces):
        sizes[chunk.label].append(len(chunk.runs))
        paces |= {"fast": 1e-9, "slow": 25e-9}
    for label, longest in (("fast", 100), ("slow", 4)):
        assert sum(sizes[label]) == 10_000
        assert sizes[label][1] == max(sizes[label][1:]) == longest
        assert sizes[label][-1] == 1
    assert sizes["fast"][0] == 5


def test_a_billion_runs_are_not_listed():
    whole = Chunk("a", None, None, None, 0, range(2**32), None, compiled=True, agent_rounds=10**9)
    assert next(schedule.split([whole], 1)).runs == range(1)


class Immediate(concurrent.futures.Executor):
    """Performs what it is given while the caller waits."""

    def submit(self, function, /, *arguments, **options):
        future = concurrent.futures.Future()
        future.set_result(function(*arguments, **options))
        return future


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_threads_do_not_change_the_result(workers, reference):
    assert plays(compare(workers=workers)) == reference


def test_an_executor_does_not_change_the_result(reference):
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        assert plays(compare(executor=threads)) == reference
        assert plays(compare(executor=threads, workers=1)) == reference  # it serves again
    assert plays(compare(executor=Immediate())) == reference


def test_processes_do_not_change_the_result(reference):
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        assert plays(compare(executor=processes)) == reference
        mine = quack.QuACK(quack.from_object(lambda *_: quack.Bandit(quack.UCB(), 2, 30)))
        with pytest.raises(quack.SpecError, match="'mine' is .*, which cannot be sent to another process"):
            compare({"mine": mine}, executor=processes)


@pytest.mark.parametrize("executor", [None, Immediate()])
def test_progress_grows_to_the_total(executor):
    seen = []
    compare(progress=seen.append, executor=executor, workers=1)
    total = 2 * 12 * 6 * 30
    assert {progress.total for progress in seen} == {total}
    done = [progress.done for progress in seen]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, total)
    assert {progress.doing for progress in seen} <= {"a", "b"}


class Placement(NamedTuple):
    anything: int


class Waiting(NamedTuple):
    """A group that plays one round after the other until it is told to stop, or for ten seconds."""

    def place(self, network, n_actions, horizon):
        return Placement(0)

    def init(self, placement, world):
        return ()

    def run(self, placement, state, world, rng, record):
        end = time.monotonic() + 10
        while time.monotonic() < end:
            record.done[0] += 1
            time.sleep(0.001)
            if record.stop[0]:
                return
        raise TimeoutError("nobody said stop")


class Failing(Waiting):
    def run(self, placement, state, world, rng, record):
        raise ArithmeticError("failed")


def test_an_error_is_raised_once_and_ends_the_others():
    with pytest.raises(ArithmeticError, match="failed"):
        compare({"waiting": Waiting(), "failing": Failing()}, workers=2, runs=3)


def test_a_single_long_run_is_seen_to_move():
    seen = []

    def watch(progress):
        seen.append(progress.done)
        if len(set(seen)) > 4:
            raise KeyboardInterrupt

    with pytest.raises(quack.Interrupted) as interruption:
        quack.compare({"it": Waiting()}, ENVIRONMENT, "path:2", 10**6, 1, 0, engine="interpreted", progress=watch)
    assert interruption.value.partial is None


@pytest.fixture
def handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def whole():
    return compare(runs=400, checkpoints=2)


@pytest.mark.parametrize("executor", [None, concurrent.futures.ThreadPoolExecutor(2), Immediate()])
@pytest.mark.usefixtures("handler")
def test_ctrl_c_keeps_the_runs_that_are_finished(executor, whole):
    def press(progress):
        if progress.done:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(quack.Interrupted) as interruption:
        compare(runs=400, checkpoints=2, progress=press, executor=executor, workers=2)
    partial = interruption.value.partial
    assert not partial.complete or isinstance(executor, Immediate)
    for label, group in partial.items():
        np.testing.assert_array_equal(group.plays, whole[label].plays[group.runs])


@pytest.mark.usefixtures("handler")
def test_ctrl_c_after_the_last_run_keeps_them_all():
    def press(progress):
        if progress.done == progress.total:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(quack.Interrupted) as interruption:
        compare(progress=press)
    assert interruption.value.partial.complete


@pytest.mark.usefixtures("handler")
def test_ctrl_c_before_the_first_run():
    def press(_progress):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(quack.Interrupted) as interruption:
        compare(progress=press)
    assert interruption.value.partial is None


@pytest.mark.usefixtures("handler")
def test_a_worker_process_that_heard_ctrl_c_starts_no_other_chunk():
    def press_and_wait(_chunk, signals):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        end = time.monotonic() + 10
        while not signals.stop[0]:
            assert time.monotonic() < end
            time.sleep(0.001)
        return "what is finished"

    def another(_chunk, _signals):
        return "another chunk"

    assert schedule._perform_apart(press_and_wait, None, "one") == "what is finished"
    with pytest.raises(KeyboardInterrupt):
        schedule._perform_apart(another, None, "one")
    assert schedule._perform_apart(another, None, "another") == "another chunk"


TERMINAL = """
import concurrent.futures, multiprocessing, sys, time
from typing import NamedTuple
import quack

class Placement(NamedTuple):
    anything: int

class Long(NamedTuple):
    def place(self, network, n_actions, horizon):
        return Placement(0)
    def init(self, placement, world):
        return ()
    def run(self, placement, state, world, rng, record):
        if world.tape.run > 1:
            open(f"started-{world.tape.run}", "w").close()
            end = time.monotonic() + 30
            while not record.stop[0] and time.monotonic() < end:
                time.sleep(0.001)

if __name__ == "__main__":
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(sys.argv[1])) as processes:
        try:
            quack.compare({"it": Long()}, quack.Bernoulli([0.5]), "path:2", 9, 9, 0, engine="interpreted",
                          progress=False, executor=processes)
        except quack.Interrupted as interruption:
            print(interruption.partial["it"].runs.tolist(), flush=True)
    print("left")
"""


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_ctrl_c_from_a_terminal_ends_worker_processes(method, tmp_path):
    (tmp_path / "script.py").write_text(TERMINAL)
    line = [sys.executable, "-W", "ignore", "script.py", method]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": tmp_path, "start_new_session": True}
    with subprocess.Popen(line, **options) as process:
        while not (tmp_path / "started-2").exists() or not (tmp_path / "started-3").exists():
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        started = time.monotonic()
        out, err = process.communicate(timeout=60)
    assert out == "[0, 1]\nleft\n", err
    assert time.monotonic() - started < 20  # the runs would last 30 s
    assert "Traceback" not in err
