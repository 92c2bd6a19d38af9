"""Entry points: what an installed package adds is listed, found by name, and cannot break this one."""

import os
import subprocess
import sys

import pytest

MODULE = """
from typing import NamedTuple
import quack

class Always(NamedTuple):
    '''Play one action for ever.'''
    action: int = 0
    def init(self, n_actions, horizon):
        return (self.action,)
    def select(self, state, rng):
        return self.action
    def update(self, state, action, reward, rng):
        pass

class Fair(quack.Bernoulli):
    '''Two fair coins.'''
    def __new__(cls):
        return super().__new__(cls, [0.5, 0.5])

def wheel(n_agents: int) -> quack.networks.Network:
    '''A ring with a hub.'''
    rim = [(v, v % (n_agents - 1) + 1) for v in range(1, n_agents)]
    return quack.networks.read(rim + [(0, v) for v in range(1, n_agents)])
"""
ENTRIES = """
[quack.policies]
Always = added:Always
Broken = nowhere:Nothing

[quack.environments]
Fair = added:Fair

[quack.networks]
wheel = added:wheel
"""


@pytest.fixture
def quack_with_plugins(tmp_path):
    """Install a package, as far as Python can tell, and give a way to run the command."""
    (tmp_path / "added.py").write_text(MODULE)
    info = tmp_path / "added-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)

    def run(*arguments):
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        return subprocess.run(
            [sys.executable, "-m", "quack", *arguments], env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_they_are_listed(quack_with_plugins):
    listed = quack_with_plugins("list").stdout
    assert "Always(action=0)" in listed
    assert "Play one action for ever." in listed
    assert "Two fair coins." in listed
    assert "A ring with a hub." in listed


def test_they_are_found_by_name(quack_with_plugins):
    done = quack_with_plugins(
        *("compare", "--network", "wheel:7", "--environment", "Fair()", "--group", "it=QuACK(Always(action=1))"),
        *("--horizon", "5", "--runs", "2", "--engine", "interpreted", "--quiet"),
    )
    assert done.returncode == 0, done.stderr
    assert "7 agents, 12 edges" in done.stdout


def test_one_that_is_broken_is_named_and_left_out(quack_with_plugins):
    done = quack_with_plugins("list", "policies")
    assert done.returncode == 0
    assert "the plug-in 'Broken' (nowhere:Nothing) cannot be loaded" in done.stderr
    assert "Traceback" not in done.stderr
