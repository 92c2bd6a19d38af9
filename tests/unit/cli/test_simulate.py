"""The verb `quack simulate`."""

import re

import pytest

import quack.cli


def said_by(capsys, *arguments):
    status = quack.cli.main(["simulate", *arguments])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_regret_under_faults_beside_the_fault_free(capsys):
    status, out, _ = said_by(capsys, "--loss", "0.2", "--crash", "30", "--seeds", "2", "--duration", "60", "--quiet")
    assert status == 0
    rows = {line.split("  ")[0]: re.split(r"  +", line)[1:] for line in out.splitlines()[2:]}
    assert rows["worlds that came to rest"] == ["2 of 2", "2 of 2"]
    assert rows["leaderships"][0] == "1.0 ± 0.0"
    assert rows["crashes, of these with the disk"][0] == "0, 0"
    assert int(rows["crashes, of these with the disk"][1].split(",")[0]) > 0
    assert "median" in rows["recoveries"][1]
    assert float(rows["regret"][0].split()[0]) > 0


def test_a_journal_is_written_and_its_agents_run_again(capsys, tmp_path):
    file = tmp_path / "world.jsonl.gz"
    options = ("-n", "path:3", "--crash", "20", "--partition", "30", "--standbys", "1", "--window", "5", "--report", "3")
    status, _, err = said_by(capsys, *options, "--seeds", "1", "--duration", "50", "--journal", str(file))
    assert status == 0
    assert f"saved {file}" in err
    status, out, _ = said_by(capsys, "--replay", str(file))
    assert status == 0
    assert re.search(r"[\d,]+ steps, all the same again; no violations", out)


def test_a_campaign_and_one_of_its_worlds(capsys):
    status, out, _ = said_by(capsys, "--campaign", "12", "--seed", "50", "--workers", "1")
    assert status == 0
    assert re.search(r"^worlds +12, from seed 50$", out, re.MULTILINE)
    assert re.search(r"^violations +0$", out, re.MULTILINE)
    status, out, _ = said_by(capsys, "--replay", "53")
    assert (status, out) == (0, "the world of seed 53: no violations\n")


def test_a_campaign_that_finds_something_says_how_to_see_it_again(capsys, monkeypatch):
    from quack.simulation import campaign
    from quack.simulation.checker import Violation

    monkeypatch.setattr(campaign, "check", lambda *_: [Violation("I2", 3.0, "1 reward is lost")])
    status, out, _ = said_by(capsys, "--campaign", "5", "--seed", "9", "--workers", "1")
    assert status == 1
    assert out.endswith("I2 at 3: 1 reward is lost\nagain: quack simulate --replay 9\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--loss", "2"], "loss is 2.0; a probability from 0 to 0.9 is accepted"),
        (["--loss", "much"], "'much' is not accepted; a number from 0 on is"),
        (["--crash", "0"], "crash is 0.0; a positive number of seconds is accepted"),
        (["--seeds", "0"], "--seeds is 0; a whole number from 1 on is accepted"),
        (["--campaign", "-1"], "--campaign is -1; a whole number from 1 on is accepted"),
        (["--duration", "0"], "duration is 0"),
        (["--network", "cyle:4"], "Did you mean 'cycle'?"),
        (["--policy", "UCV()"], "there is no UCV. Did you mean 'UCB'?"),
        (["-p", "ThompsonSampling()", "-e", "Gaussian([0, 1])"], "takes rewards from 0 to 1; those of"),
        (["--replay", "nothing.jsonl"], "cannot read nothing.jsonl"),
        (["--journal", "no/world.jsonl"], "there is no folder no"),
        (["--los", "0.2"], "Did you mean '--loss'?"),
    ],
)
def test_impossible_options_are_refused_in_one_sentence(arguments, sentence, capsys):
    status, out, err = said_by(capsys, *arguments)
    assert status == 2
    assert sentence in err
    assert err.count("\n") == 1
    assert out == ""
