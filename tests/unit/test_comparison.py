"""compare(...): what it refuses, in one sentence and before any work starts, and what it accepts."""

import concurrent.futures
import decimal
import os
from typing import NamedTuple

import networkx as nx
import numpy as np
import pytest

import quack

ENVIRONMENT = quack.Bernoulli([0.5, 0.4])
GROUP = quack.QuACK(quack.UCB())


def compare(**changes):
    options = {"groups": {"it": GROUP}, "environment": ENVIRONMENT, "network": "cycle:4", "horizon": 6, "runs": 2, "seed": 0}
    return quack.compare(**options | {"engine": "interpreted", "progress": False} | changes)


class Gaps(NamedTuple):
    """An environment with impossible gaps."""

    gaps: object

    reward_range = property(lambda self: (0.0, 1.0))

    def reward(self, action, cell):
        return 0.0


class Answering(NamedTuple):
    """A policy that answers what it is told."""

    answer: object

    def init(self, n_actions, horizon):
        return ()

    def select(self, state, rng):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def update(self, state, action, reward, rng):
        pass


class Mine:
    def __init__(self, answer):
        self.answer = answer

    def select(self):
        return self.answer

    def update(self, action, reward):
        pass


class Always:
    """A factory of objects that give one answer."""

    def __init__(self, answer):
        self.answer = answer

    def __call__(self, n_actions, horizon, rng):
        return Mine(self.answer)


SHARED = Mine(0)
COUNTS = (0, -1, True, 1.5, 2.0, "3", None, [3], decimal.Decimal(3), float("nan"), np.array([1, 2]), 10**30)
WRONG = [
    *(({"horizon": value}, "horizon is .*; a whole number, from 1 to 17592186044416, is accepted") for value in COUNTS),
    *(({"runs": value}, "runs is .*; a whole number, from 1 to 4294967296, is accepted") for value in COUNTS),
    *(
        ({"workers": value}, "workers is .*; a whole number, from 1 to 1024, is accepted")
        for value in COUNTS
        if value is not None
    ),
    *(
        ({"seed": value}, "seed is .*; a whole number from 0 to 2\\*\\*64 - 1 is accepted")
        for value in (-1, 2**64, True, 1.5, "3", [3])
    ),
    *(({"checkpoints": value}, "checkpoints is .*; a whole number, at least 1") for value in (0, -1, True, 1.5, "5", None, {})),
    *(
        ({"checkpoints": value}, "checkpoints are .*; a number, or rounds from 1 to the horizon 6, are accepted")
        for value in ([], [0], [7], [1.5], [True], [[1], [2, 3]], [[1, 2]], ["a"], np.zeros((2, 2)), range(3))
    ),
    ({"engine": "fast"}, "engine is 'fast'; 'auto', 'compiled' and 'interpreted' are accepted"),
    ({"executor": 3}, "executor is 3; None or a concurrent.futures.Executor is accepted"),
    ({"executor": concurrent.futures.ThreadPoolExecutor}, "executor is <class"),
    ({"progress": "yes"}, "progress is 'yes'; True, False or a function"),
    ({"progress": None}, "progress is None; True, False or a function"),
    *(({"groups": value}, "groups are .*; a dictionary from names to groups") for value in ({}, [], None, "a", [GROUP])),
    *(({"groups": {label: GROUP}}, "a group is called .*; a text of printable") for label in ("", " ", "a\nb", 1, None)),
    ({"groups": {"a": quack.UCB()}}, r"'a' is UCB\(.*\), which is not a group .*; to let a network play it, write QuACK\(UCB\("),
    ({"groups": {"a": quack.UCB}}, r"which is not a group .*, write QuACK\(UCB\(\)\)"),
    ({"groups": {"a": quack.QuACK}}, "'a' is <class .*, which is not a group"),
    ({"groups": {"a": None}}, "'a' is None, which is not a group"),
    ({"groups": {"a": quack.QuACK(3)}}, "3 is not a policy"),
    ({"groups": {"a": quack.QuACK(quack.UCB)}}, "UCB is a class, not a policy"),
    ({"groups": {"a": quack.QuACK(quack.UCB(sigma=-1.0))}}, "UCB: sigma is -1.0; a positive finite number is accepted"),
    ({"groups": {"a": quack.QuACK(quack.UCB(), leader=4)}}, "leader must be 'median' or an agent 0 … 3, not 4"),
    ({"environment": None}, "environment is None; an environment is accepted"),
    ({"environment": quack.Bernoulli}, "environment is <class"),
    ({"environment": "Bernoulli([0.5])"}, "environment is 'Bernoulli"),
    *(
        ({"environment": Gaps(gaps)}, "gaps are .*; a finite number, at least 0, for each action is accepted")
        for gaps in ([], [0.0, float("nan")], [float("inf")], [-1.0, 0.0], [[0.0]], ["a"], None)
    ),
    (
        {"environment": quack.Gaussian([1.0]), "groups": {"a": quack.Pooled(quack.ThompsonSampling())}},
        r"'a' takes rewards from 0 to 1, but those of Gaussian\(\[1.0\], sigma=1.0\) are unbounded",
    ),
    (
        {"environment": quack.Gaussian([3.0], sigma=0.0), "groups": {"a": quack.Pooled(quack.ThompsonSampling())}},
        "lie between 3 and 3",
    ),
    ({"network": "cycel:4"}, "Did you mean 'cycle'?"),
    ({"network": nx.Graph([(0, 1), (2, 3)])}, "disconnected: 2 parts of 2, 2 agents"),
    ({"horizon": 2**43}, "horizon is 8796093022208 and there are 4 agents; at most 2\\*\\*44 plays a run are accepted"),
    ({"runs": 2**32, "checkpoints": 6}, "1 group × 4,294,967,296 runs × 6 checkpoints × 2 actions are .* GiB of counts"),
    *(
        ({"groups": {"a": quack.QuACK(Answering(answer))}}, r"'a': select\(\) of .* returned .*; an integer action from 0 to 1")
        for answer in (2, -1, 1.0, True, "a", None, 2**70)
    ),
    ({"groups": {"a": quack.Pooled(Answering(KeyError("x")))}}, "'a' is .*, which cannot begin: KeyError: 'x'"),
    *(
        (
            {"groups": {"a": quack.QuACK(quack.from_object(Always(answer)))}},
            r"select\(\) .*returned .*; an integer action from 0 to 1",
        )
        for answer in (2, -1, 1.0, "a", None)
    ),
    ({"groups": {"a": quack.Independent(quack.from_object(lambda *_: SHARED))}}, "returned the same object twice"),
    ({"groups": {"a": quack.Pooled(quack.from_object(lambda *_: 3))}}, "made 3, which has no select and no update"),
    (
        {"groups": {"a": quack.Pooled(quack.from_object(lambda: Mine(0)))}},
        "cannot begin: TypeError: .* takes 0 positional arguments",
    ),
]


@pytest.mark.parametrize(
    ("changes", "sentence"), WRONG, ids=[f"{i} {next(iter(changes))}" for i, (changes, _) in enumerate(WRONG)]
)
def test_what_is_impossible_is_one_sentence_before_any_work(changes, sentence, monkeypatch):
    def work(*_arguments, **_options):
        raise AssertionError("work started")

    monkeypatch.setattr("quack.comparison.perform_all", work)
    with pytest.raises(quack.SpecError, match=sentence) as refusal:
        compare(**changes)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 1000


def test_a_million_means_are_no_sentence():
    with pytest.raises(quack.SpecError) as refusal:
        compare(environment=quack.Gaussian([1.0] * 100_000), groups={"a": quack.Pooled(quack.ThompsonSampling())})
    assert len(str(refusal.value)) < 500


def test_an_object_cannot_be_compiled():
    with pytest.raises(
        quack.SpecError, match="'a' is .*, which cannot be compiled: a plain Python object runs with engine='auto'"
    ):
        compare(groups={"a": quack.QuACK(quack.from_object(lambda *_: Mine(0)))}, engine="compiled")


def test_an_object_is_interpreted_and_the_result_says_so():
    found = compare(groups={"a": quack.QuACK(quack.from_object(lambda *_: Mine(1)))}, engine="auto")
    assert found["a"].mode == "interpreted"


@pytest.mark.parametrize("answer", [2, -1, 7])
def test_an_object_that_chooses_no_action_later(answer):
    def turncoat(*_):
        made = Mine(0)
        made.update = lambda _action, _reward: setattr(made, "answer", answer)
        return made

    with pytest.raises(quack.SpecError, match=f"chose action {answer} in round 2"):
        compare(groups={"a": quack.QuACK(quack.from_object(turncoat))}, network="path:1")


@pytest.mark.parametrize("workers", [1, 2])
def test_an_object_that_is_shared_between_later_runs(workers):
    made = [Mine(0), Mine(0), shared := Mine(0), shared, shared]
    with pytest.raises(quack.SpecError, match="returned the same object twice"):
        compare(groups={"a": quack.QuACK(quack.from_object(lambda *_: made.pop(0)))}, runs=3, workers=workers)


@pytest.mark.parametrize("whole", [np.int64(3), np.uint8(3), np.array(3)])
def test_numpys_whole_numbers_are_whole_numbers(whole):
    found = compare(horizon=whole, runs=whole, seed=whole, workers=whole, checkpoints=whole)
    assert (found.settings.horizon, found.settings.runs, found.settings.seed) == (3, 3, 3)
    assert all(type(number) is int for number in (found.settings.horizon, found.settings.runs, found.settings.seed))


@pytest.mark.parametrize(
    ("checkpoints", "rounds"),
    [
        (1, [6]),
        (2, [3, 6]),
        (6, [1, 2, 3, 4, 5, 6]),
        (10**12, [1, 2, 3, 4, 5, 6]),
        ([2], [2, 6]),
        ((6, 2, 2), [2, 6]),
        (range(1, 4), [1, 2, 3, 6]),
        (np.array([5], np.uint8), [5, 6]),
    ],
)
def test_checkpoints(checkpoints, rounds):
    found = compare(checkpoints=checkpoints)["it"]
    assert found.rounds.tolist() == rounds
    assert found.plays.sum(axis=2).tolist() == [[4 * t for t in rounds]] * 2


@pytest.mark.parametrize("seed", [0, 2**64 - 1, None])
def test_the_result_says_its_seed(seed):
    found = compare(seed=seed)
    assert 0 <= found.settings.seed < 2**64
    again = compare(seed=found.settings.seed)
    np.testing.assert_array_equal(found["it"].plays, again["it"].plays)


def test_the_smallest_comparison():
    found = compare(environment=quack.Bernoulli([0.5]), network="path:1", horizon=1, runs=1)
    assert found["it"].plays.tolist() == [[[1]]]
    assert found["it"].final.tolist() == [0]


def test_everything_is_in_the_settings():
    found = compare(network=nx.path_graph(3))
    settings = found.settings
    assert (settings.n_agents, settings.n_edges, settings.horizon, settings.runs) == (3, 2, 6, 2)
    assert settings.environment == "Bernoulli([0.5, 0.4])"
    assert settings.gaps == pytest.approx((0, 0.1))
    assert settings.version == quack.__version__
    assert found["it"].description == repr(GROUP)
    assert found.wall_s > 0
    assert found["it"].cpu_s > 0


def test_groups_meet_the_same_luck_whoever_else_plays():
    alone = compare()["it"]
    beside = compare(groups={"other": quack.Independent(quack.UCB1()), "it": GROUP})["it"]
    np.testing.assert_array_equal(alone.plays, beside.plays)


def test_more_runs_begin_with_the_same_runs():
    np.testing.assert_array_equal(compare(runs=5)["it"].plays[:2], compare(runs=2)["it"].plays)


def test_one_thread_per_processor_is_the_default(monkeypatch):
    seen = []
    monkeypatch.setattr("quack.comparison.split", lambda work, workers, paces: seen.append(workers) or iter(()))
    monkeypatch.setattr("quack.comparison._gather", lambda *_: "result")
    compare()
    with concurrent.futures.ThreadPoolExecutor(5) as threads:
        compare(executor=threads)
        compare(executor=threads, workers=7)
    assert seen == [len(os.sched_getaffinity(0)), 5, 7]
