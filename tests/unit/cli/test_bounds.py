"""`quack bounds`."""

import csv

import pytest

import quack
import quack.cli
from quack.theory import bounds


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def cells(said, beginning):
    """Return the cells of the row that begins so."""
    (line,) = (line for line in said.splitlines() if line.startswith(beginning + "  "))
    return [cell.strip() for cell in line.split("  ") if cell]


def test_the_default_is_the_papers_bandit_on_a_small_grid(capsys):
    assert quack.cli.main(["bounds"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("grid:4x4: 16 agents, 24 edges; Bernoulli([0.5, ")
    bound = bounds.quack_ucb(quack.networks.grid(4, 4), quack.Bernoulli([0.5] + [0.45] * 9), 1000)
    assert cells(said, "QuACK-UCB")[1:4] == [f"{bound.value:,.0f}", f"{bound.leading:,.0f}", f"{bound.additive:.2f}"]
    assert cells(said, "Σd")[1] == "32"
    assert cells(said, "C_G")[1] == "1,344"
    assert cells(said, "3 + 3Σd < C_G + m + 4")[1:] == ["99.00", "1,364", "yes"]
    assert cells(said, "QuACK on its tree")[1:] == ["30", "79", "14"]


def test_as_printed(capsys):
    assert quack.cli.main(["bounds", "--as-printed", "-n", "cycle:16", "--horizon", "5000"]) == 0
    said = capsys.readouterr().out
    assert cells(said, "C_G")[1] == "1,951"
    assert cells(said, "DDUCB")[1] == "17,514"


@pytest.mark.parametrize(
    ("environment", "rows"),
    [
        ("Stable([0.7, 0.4], alpha=1.9)", ["QuACK-TruncatedMeanUCB"] * 2 + ["CMP-UCB, γ = 3", "CMP-UCB, γ = 8", "any play"]),
        ("Duelling('cyclic')", ["QuACK-RUCB, α = 2", "QuACK-RUCB", "MP-RUCB, γ = 3", "MP-RUCB, γ = 8", "any play"]),
        ("PrivateBernoulli(Bernoulli([0.9, 0.4]), 1.0)", ["QuACK-BernoulliLDPUCB"] * 2 + ["any play"]),
    ],
)
def test_each_kind_of_rewards_has_its_section(environment, rows, tmp_path, capsys):
    arguments = ["bounds", "-n", "cycle:16", "-e", environment, "--gamma", "3", "--gamma", "8", "--csv", "it.csv"]
    assert quack.cli.main(arguments) == 0
    output = capsys.readouterr()
    assert output.err == "saved it.csv\n"
    assert cells(output.out, "α(G_3)")[1] == "4"
    with (tmp_path / "it.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["algorithm"] for row in table] == rows
    assert all(float(row["bound"]) == pytest.approx(float(row["leading"]) + float(row["additive"])) for row in table)


def test_by_default_messages_reach_through_the_network(capsys):
    assert quack.cli.main(["bounds", "-n", "path:5", "-e", "Duelling('cyclic')"]) == 0
    said = capsys.readouterr().out
    assert cells(said, "χ(G_4)")[1] == "1"
    assert cells(said, "leading term of MP-RUCB, γ = 4: log m ≤ (1 − 1) log n")[-1] == "no"


def test_an_experiment_brings_its_groups(tmp_path, capsys):
    (tmp_path / "it.toml").write_text(
        'network = ["cycle:3", "star:4"]\nenvironment = "Bernoulli([0.9, 0.4])"\nhorizon = 50\n'
        '[groups]\n"mine" = "QuACK(UCB1())"\n"open" = "QuACK(ThompsonSampling())"\n'
    )
    assert quack.cli.main(["bounds", "it.toml"]) == 0
    output = capsys.readouterr()
    assert output.out.count("\nmine  ") == 2
    assert output.out.count("horizon 50") == 2
    assert output.err.startswith("no bound on 'open': no theorem with all its constants is known here for ThompsonSampling(")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--gamma", "0"], "gamma must be at least 1, not 0"),
        (["--gamma", "x"], "'x' is not accepted; a whole number is"),
        (["--horizon", "0"], "horizon must be at least 1, not 0"),
        (["-n", "cyle:4"], "Did you mean 'cycle'?"),
        (["-g", "QuACK(UCV())"], "Did you mean 'UCB'?"),
        (["--csv", "no/it.csv"], "there is no folder no"),
        (["-e", "Duelling('mslr-no-condorcet')"], "duels with an arm that beats all others"),
    ],
)
def test_bounds_refuses_in_one_sentence(arguments, sentence, capsys):
    assert quack.cli.main(["bounds", *arguments]) == 2
    output = capsys.readouterr()
    assert sentence in output.err
    assert output.err.count("\n") == 1
    assert output.out == ""


def test_compare_draws_bounds(tmp_path, capsys):
    tiny = ["compare", "--engine", "interpreted", "--quiet", "--horizon", "6", "--runs", "2", "-n", "cycle:3", "-n", "star:4"]
    groups = ["-g", "a=QuACK(UCB(sigma=0.5))", "-g", "b=CoopUCB()"]
    assert quack.cli.main([*tiny, *groups, "--figure", "it.svg", "--bounds", "--log"]) == 0
    output = capsys.readouterr()
    assert output.err.startswith("no bound on 'b': no bound on the group regret with all its constants is known")
    assert output.err.endswith("saved it.svg\n")
    assert quack.cli.main([*tiny, *groups, "--bounds"]) == 2
    assert "--bounds is for a figure, and none is asked for" in capsys.readouterr().err
