"""Rewards from a log."""

import math
import pickle

import numpy as np
import pytest

import quack
from quack.tape import ACTION, Cell, open_tape


def rewards(environment, action, n):
    tape = open_tape(2, 0)
    return np.array([environment.reward(action, Cell(tape, ACTION, action, j)) for j in range(n)])


def test_every_logged_reward_is_drawn_equally_often():
    """Threshold: Hoeffding at 1e-9 for each of the shares."""
    environment = quack.Empirical([[3.0, -1.0, 0.5, 8.0, 0.25], [7.0]])
    sample = rewards(environment, 0, 10_000)
    width = math.sqrt(math.log(2e9) / 20_000)
    assert set(sample) == {3.0, -1.0, 0.5, 8.0, 0.25}
    for value in set(sample):
        assert abs((sample == value).mean() - 0.2) <= width
    assert set(rewards(environment, 1, 20)) == {7.0}


def test_means_are_those_of_the_logs_exactly():
    logs = [[0.1] * 10, np.array([1e16, 1.0, -1e16]), (2, 3)]
    environment = quack.Empirical(logs)
    assert environment.means.tolist() == [0.1, 1 / 3, 2.5]
    assert environment.gaps.tolist() == [2.4, 2.5 - 1 / 3, 0]
    assert environment.reward_range == (-1e16, 1e16)
    assert [log.tolist() for log in environment.rewards] == [list(log) for log in logs]


def test_conformance_pickle_and_repr():
    small = quack.Empirical([[0.0, 1.0, 0.5], [0.25]])
    quack.check_environment(small)
    large = quack.Empirical([np.arange(30.0), [1.0]])
    assert repr(large) == "<Empirical: 2 actions, 31 rewards>"
    assert repr(eval(repr(small), vars(quack))) == repr(small)
    copy = pickle.loads(pickle.dumps(large))
    assert [log.tolist() for log in copy.rewards] == [log.tolist() for log in large.rewards]


def test_parameters_cannot_be_changed_behind_ones_back():
    log = np.array([1.0, 2.0])
    environment = quack.Empirical([log])
    log[0] = 9.0
    assert environment.values[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        environment.values[0] = 9.0


@pytest.mark.parametrize(
    ("logs", "sentence"),
    [
        ([], "rewards are empty"),
        ("logs", "rewards are 'logs'"),
        (5, "rewards are 5"),
        ([[1.0], []], r"rewards\[1\] has shape \(0,\); a sequence of at least one number"),
        ([[1.0], [[1.0], [2.0]]], r"rewards\[1\] has shape \(2, 1\)"),
        ([[1.0], [2.0, math.nan]], r"rewards\[1\]\[1\] is nan; finite numbers"),
        ([[1.0], [math.inf]], r"rewards\[1\]\[0\] is inf"),
        ([["one"]], r"rewards\[0\] is \['one'\]; a sequence of numbers"),
    ],
)
def test_impossible_logs(logs, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        quack.Empirical(logs)


def table(folder, text, **how):
    file = folder / "log.csv"
    file.write_text(text, encoding="utf-8")
    return quack.Empirical.from_csv(file, **how)


def test_a_table(tmp_path):
    environment = table(tmp_path, "time,action,reward\n1,1,0.5\n2, 0 , 1e-1 \n3,1,-2\n")
    assert [log.tolist() for log in environment.rewards] == [[0.1], [0.5, -2.0]]
    environment = table(tmp_path, '\ufeffshown,"clicks, in all"\n0,3\n', action="shown", reward="clicks, in all")
    assert [log.tolist() for log in environment.rewards] == [[3.0]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("action,rewards\n0,1\n", "has no column 'reward'; its columns are: action, rewards. Did you mean 'rewards'"),
        ("", "has no column 'action'; its columns are: none"),
        ("action,reward\n", "has no rewards"),
        ("action,reward\n0,1\n2,1\n", "has no reward of action 1, but one of action 2"),
        ("action,reward\n0,1\n0,\n", "line 3: reward is ''; a finite number"),
        ("action,reward\n0,1\n0\n", "line 3: reward is ''"),
        ("action,reward\n0,nan\n", "line 2: reward is 'nan'"),
        ("action,reward\n0,many\n", "line 2: reward is 'many'"),
        ("action,reward\n-1,0\n", "line 2: action is '-1'; a whole number, from 0"),
        ("action,reward\n0.5,0\n", "line 2: action is '0.5'"),
        ("action,reward\n" + "9" * 30 + ",0\n", "line 2: action is '999"),
    ],
)
def test_impossible_tables(tmp_path, text, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        table(tmp_path, text)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(quack.SpecError, match=r"nowhere.csv' cannot be read as a table: .*No such file"):
        quack.Empirical.from_csv(tmp_path / "nowhere.csv")
    (tmp_path / "picture.csv").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(quack.SpecError, match="cannot be read as a table"):
        quack.Empirical.from_csv(tmp_path / "picture.csv")
