"""Campaigns: many worlds, several processes, stopped at the first that is wrong."""

import subprocess
import sys

import pytest

from quack.simulation import campaign as module
from quack.simulation.campaign import Outcome, campaign, judge, mixed
from quack.simulation.checker import Violation


def test_processes_see_what_one_sees():
    told = []
    one = campaign(100, 45, 1, told.append)
    assert [outcome.seeds for outcome in told] == [20, 40, 45]
    two = campaign(100, 45, 2, lambda _: None)
    assert (one.seeds, dict(one.counts), one.violations) == (two.seeds, dict(two.counts), two.violations)
    assert one.counts["chosen"] > 45 * 50
    assert one.violations == ()


def test_it_stops_at_the_first_bad_world(monkeypatch):
    monkeypatch.setattr(
        module, "check", lambda facts, _policy: [Violation("I9", 1.0, "all is lost")] if facts[0]["seed"] == 105 else []
    )
    assert judge(range(100, 120)).seeds == 6
    outcome = campaign(100, 60, 1, lambda _: None)
    assert outcome.seeds == 6
    assert outcome.violations == ((105, "I9 at 1: all is lost"),)


def test_an_exception_says_how_to_see_it_again(monkeypatch):
    def fall(_facts, _policy):
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(module, "check", fall)
    with pytest.raises(RuntimeError, match="a mistake of ours") as caught:
        judge([7])
    assert caught.value.__notes__ == ["in the world of seed 7; quack simulate --replay 7 shows it again"]


def test_outcomes_add_up():
    a, b = Outcome(2, {"crash": 1}), Outcome(3, {"crash": 2, "cut": 1}, ((5, "x"),))
    assert a.joined(b) == Outcome(5, {"crash": 3, "cut": 1}, ((5, "x"),))


def test_the_mixed_campaign_has_everything():
    """Every setting and every fault is met, on and off, within two hundred seeds."""
    scenarios = [mixed(seed) for seed in range(200)]
    for field in ("standbys", "window", "batch", "capacity", "drain", "eager"):
        assert len({getattr(scenario.settings, field) for scenario in scenarios}) > 1, field
    for field in scenarios[0].faults._fields:
        if field != "down":
            assert len({getattr(scenario.faults, field) for scenario in scenarios}) > 1, field
    assert {len(scenario.neighbours) for scenario in scenarios} >= {2, 3, 4, 5, 6}


def test_the_simulator_needs_no_laboratory():
    """Agents, worlds, campaigns and replays import NumPy and nothing heavier."""
    code = """
import sys
import quack.simulation.campaign, quack.simulation.lockstep, quack.simulation.replay
print([name for name in ("numba", "scipy", "networkx", "matplotlib", "rich", "pandas") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
