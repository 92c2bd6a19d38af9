"""The same seed gives the same bits on any executor, number of threads, and order of work."""

import concurrent.futures
import multiprocessing
import random

import numpy as np
import pytest

import quack

GROUPS = {
    "QuACK": quack.QuACK(quack.ThompsonSampling()),
    "floor": quack.Independent(quack.UCB(sigma=0.5)),
    "ceiling": quack.Pooled(quack.UCB(sigma=0.5)),
}


def play(**how):
    return quack.compare(GROUPS, quack.Bernoulli([0.5, 0.4, 0.45]), "grid:3x4", 300, 12, 5, progress=False, **how)


def same(left, right):
    return all(np.array_equal(left[label].plays, right[label].plays) for label in GROUPS)


@pytest.fixture(scope="module")
def one_thread():
    return play(workers=1)


def test_many_threads(one_thread):
    assert same(one_thread, play(workers=2))
    assert same(one_thread, play(workers=7))


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes(one_thread, method):
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        assert same(one_thread, play(executor=executor))


class Shuffled(concurrent.futures.Executor):
    """Performs nothing until asked for the last, then everything in another order."""

    def __init__(self):
        self.waiting = []

    def submit(self, function, /, *arguments, **named):
        future = concurrent.futures.Future()
        self.waiting.append((future, function, arguments, named))
        random.Random(3).shuffle(self.waiting)
        if len(self.waiting) > 4:
            self.perform(self.waiting.pop())
        return future

    def perform(self, job):
        future, function, arguments, named = job
        future.set_running_or_notify_cancel()
        future.set_result(function(*arguments, **named))


def test_any_order(one_thread):
    executor = Shuffled()
    with concurrent.futures.ThreadPoolExecutor(1) as helper:
        # The last jobs are performed by somebody else, some time after they were handed over.
        finish = helper.submit(wait_and_finish, executor)
        result = play(executor=executor)
        finish.result()
    assert same(one_thread, result)


def wait_and_finish(executor):
    quiet = 0
    while quiet < 50:
        if executor.waiting:
            quiet = 0
            executor.perform(executor.waiting.pop())
        quiet += 1
        concurrent.futures.wait([], timeout=0)
        multiprocessing.Event().wait(0.01)


def test_a_run_does_not_depend_on_how_many_there_are(one_thread):
    few = quack.compare(GROUPS, quack.Bernoulli([0.5, 0.4, 0.45]), "grid:3x4", 300, 3, 5, progress=False)
    for label in GROUPS:
        assert np.array_equal(few[label].plays, one_thread[label].plays[:3])


def test_a_group_does_not_depend_on_its_company(one_thread):
    alone = quack.compare({"x": GROUPS["QuACK"]}, quack.Bernoulli([0.5, 0.4, 0.45]), "grid:3x4", 300, 12, 5, progress=False)
    assert np.array_equal(alone["x"].plays, one_thread["QuACK"].plays)


def test_seeds_and_runs_differ(one_thread):
    other = quack.compare(GROUPS, quack.Bernoulli([0.5, 0.4, 0.45]), "grid:3x4", 300, 12, 6, progress=False)
    for label in GROUPS:
        plays = one_thread[label].plays
        assert not np.array_equal(plays, other[label].plays)
        assert len({run.tobytes() for run in plays}) == len(plays)
