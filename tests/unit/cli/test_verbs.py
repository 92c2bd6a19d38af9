"""The small verbs: list, leader, check."""

import re
import sys

import pytest

import quack.cli

BANDIT = """
class Greedy:
    def __init__(self, n_actions, horizon, rng):
        self.plays = [0] * n_actions
    def select(self):
        return self.plays.index(min(self.plays))
    def update(self, action, reward):
        self.plays[action] += 1

class Stubborn(Greedy):
    def select(self):
        return 7

class Nothing:
    pass
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Put a user's module into the folder where the command is called."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bandits_of_a_user.py").write_text(BANDIT)
    yield "bandits_of_a_user"
    sys.modules.pop("bandits_of_a_user", None)


@pytest.mark.parametrize("kind", ["policies", "environments", "groups", "networks"])
def test_list_shows_one_kind(kind, capsys):
    assert quack.cli.main(["list", kind]) == 0
    assert capsys.readouterr().out.startswith(f"{kind}\nname")


def test_list_shows_names_parameters_and_what_they_do(capsys):
    assert quack.cli.main(["list"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"\nGaussian\(means, sigma=1.0\) +Action a pays N\(μ_a, σ²\)\.\n", said)
    assert "QuACK(policy, leader='median')" in said
    assert "grid:14x14" in said


def test_leader_of_a_star(capsys):
    assert quack.cli.main(["leader", "star:5"]) == 0
    said = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    facts = {words[0]: words[-1].strip() for words in said}
    assert facts["leader"] == "0"
    assert facts["sum of distances Σd"] == "4"
    assert facts["additive term of Theorem 1"] == "12 ΣΔ"
    assert facts["farthest agent"] == "1 hop away"
    assert facts["most pairs that a follower sends in a round"] == "1"


def test_leader_of_one_agent(capsys):
    assert quack.cli.main(["leader", "path:1"]) == 0
    assert "0 hops away" in capsys.readouterr().out


def test_the_agents_find_the_leader_themselves(capsys):
    assert quack.cli.main(["leader", "grid:4x4", "--distributed"]) == 0
    said = capsys.readouterr().out.splitlines()
    table = [re.split(" {2,}", line) for line in said[said.index("found by the agents themselves") + 1 :]]
    assert table[0] == ["way", "leader", "Σd", "rounds", "messages", "bytes"]
    assert {tuple(row[1:3]) for row in table[1:5]} == {("5", "32")}
    assert table[1][3:5] == ["528", "16,368"]
    assert table[5][0] == "… after a link has failed"
    assert table[-3] == ["orders and rewards", "messages", "bytes", "largest message"]
    assert table[-2] == ["along the tree", "30", str(15 * (1 + 1) + 32 * 9), "55"]
    assert table[-1][:2] == ["by flooding", "48"]


def test_the_tree_speaks_the_users_names(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friends.txt").write_text('ann bob\nbob "eve\n')
    assert quack.cli.main(["leader", "friends.txt", "--leader", "ann", "--tree", "tree.csv"]) == 0
    assert "leader                                       0 ('ann')" in capsys.readouterr().out
    assert (tmp_path / "tree.csv").read_text() == 'agent,parent,distance\nann,,0\nbob,ann,1\n"""eve",bob,2\n'


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["cyle:4"], "Did you mean 'cycle'?"),
        (["cycle:4", "--leader", "9"], "an agent 0 … 3"),
        (["cycle:4", "--leader", "-3"], "an agent 0 … 3"),
        (["cycle:4", "--leader", "--3"], "expected one argument"),
        (["cycle:4", "--leader", "²"], "an agent 0 … 3"),
        (["cycle:4", "--tree", "no/tree.csv"], "there is no folder no"),
        (["cycle:4", "--tree", "."], "it is a folder"),
        (["cycle:3000", "--distributed"], "at most 2,000 agents"),
    ],
)
def test_leader_refuses_in_one_sentence(arguments, sentence, capsys):
    assert quack.cli.main(["leader", *arguments]) == 2
    output = capsys.readouterr()
    assert sentence in output.err
    assert output.err.count("\n") == 1
    assert output.out == ""


def test_check_lists_the_promises_that_are_kept(module, capsys):
    assert quack.cli.main(["check", f"from_object({module}.Greedy)"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok  ") for line in lines[:-1])
    assert lines[-1] == f"from_object(Greedy) passes {len(lines) - 1} checks"


def test_check_gives_1_if_a_promise_is_broken(module, capsys):
    assert quack.cli.main(["check", f"from_object({module}.Stubborn)"]) == 1
    output = capsys.readouterr()
    assert "chose action 7 of 4" in output.out
    assert output.err == ""


@pytest.mark.parametrize(
    ("subject", "sentence"),
    [
        ("UCV", "there is no UCV. Did you mean 'UCB'?"),
        ("UCB(sigma=-1)", "UCB: sigma is -1; a positive finite number is accepted"),
        ("Bernoulli", "Bernoulli: missing a required argument: 'means'; Bernoulli(means) is accepted"),
        ("no_such_module:X", "there is no module 'no_such_module' that Python can import from here"),
        ("{module}:Gredy", "the module {module} has no Gredy. Did you mean 'Greedy'?"),
        ("{module}:Greedy", "from_object({module}.Greedy) makes a policy of it"),
        ("{module}:Nothing", "{module}.Nothing is no policy, environment or group"),
        ("3", "'3' is 3, which cannot be checked: a policy has init, select and update"),
        (":", "is not an expression"),
        ("", "is not an expression"),
    ],
)
def test_check_refuses_what_cannot_be_checked(subject, sentence, module, capsys):
    assert quack.cli.main(["check", subject.format(module=module)]) == 2
    output = capsys.readouterr()
    assert sentence.format(module=module) in output.err
    assert output.err.count("\n") == 1
