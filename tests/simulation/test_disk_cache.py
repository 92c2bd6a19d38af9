"""Compiled code on the disk: the second process starts warm, and edited code is never served stale."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

HELPER = """
import quack

SHIFT = 0

@quack.kernel
def shifted(action):
    return action + SHIFT
"""

POLICY = """
from typing import NamedTuple
import numpy as np
import helper

class State(NamedTuple):
    plays: np.ndarray

class Mine(NamedTuple):
    favourite: int = 0

    def init(self, n_actions, horizon):
        return State(np.zeros(n_actions))

    def select(self, state, rng):
        return helper.shifted(self.favourite) + 0

    def update(self, state, action, reward, rng):
        state.plays[action] += 1
"""

SCRIPT = """
import quack
from mine import Mine

result = quack.compare({"it": quack.QuACK(Mine())}, quack.Bernoulli([0.5] * 4), "path:1", 5, 1, 0, progress=False)
print(result["it"].plays[0, -1].argmax())
"""


def files_in(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def study(tmp_path):
    """A user's folder with a policy, a function that it calls, and a script; and a way to run the script."""
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "mine.py").write_text(POLICY)
    (tmp_path / "study.py").write_text(SCRIPT)
    cache = tmp_path / "cache"

    def run(script="study.py") -> tuple[str, bool]:
        """Return what the script printed, and whether anything was compiled anew."""
        before = files_in(cache)
        environment = os.environ | {"QUACK_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip(), files_in(cache) != before

    return tmp_path, run


def test_second_process_starts_warm_and_edits_are_seen(study):
    folder, run = study
    assert run() == ("0", True)
    assert run() == ("0", False)

    (folder / "mine.py").write_text(POLICY.replace("+ 0", "+ 1"))  # the policy's own method
    assert run() == ("1", True)
    assert run() == ("1", False)

    (folder / "helper.py").write_text(HELPER.replace("action + SHIFT", "action + SHIFT + 1"))  # a function that it calls
    assert run() == ("2", True)

    (folder / "helper.py").write_text(HELPER.replace("SHIFT = 0", "SHIFT = 2"))  # a constant of that function
    assert run() == ("3", True)

    (folder / "mine.py").write_text(POLICY)
    (folder / "helper.py").write_text(HELPER)
    assert run() == ("0", False)  # what was compiled first is still there


def test_a_class_of_the_script_itself_starts_warm_too(study):
    folder, run = study
    (folder / "whole.py").write_text(textwrap.dedent(POLICY) + SCRIPT.replace("from mine import Mine", ""))
    assert run("whole.py") == ("0", True)
    assert run("whole.py") == ("0", False)


def test_a_policy_that_allocates_is_compiled_all_the_same_and_told_so(study):
    folder, run = study
    allocating = POLICY.replace("return helper.shifted(self.favourite) + 0", "return int(np.argmin(state.plays * 1.0))")
    (folder / "mine.py").write_text(allocating)
    script = "import warnings\nwarnings.simplefilter('error')\n" + SCRIPT
    (folder / "strict.py").write_text(script)
    with pytest.raises(subprocess.CalledProcessError) as failure:
        run("strict.py")
    assert "allocates memory in every round" in failure.value.stderr
    (folder / "lenient.py").write_text("import warnings\nwarnings.simplefilter('ignore')\n" + SCRIPT)
    assert run("lenient.py") == ("0", False)  # the process above compiled it before it warned


@pytest.mark.skipif(os.name != "posix", reason="needs a folder that nobody can write")
def test_a_cache_that_cannot_be_written_costs_a_warning_not_the_result(study, tmp_path):
    folder, _ = study
    (tmp_path / "cache").write_text("a file where the folder should be")
    (folder / "lenient.py").write_text("import warnings\nwarnings.simplefilter('always')\n" + SCRIPT)
    environment = os.environ | {"QUACK_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "lenient.py"], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
    assert "compiled code cannot be kept" in done.stderr
    assert "QUACK_CACHE_DIR" in done.stderr


NOTEBOOK = """
import quack, helper, mine

def play():
    group = {"it": quack.QuACK(mine.Mine())}
    return quack.compare(group, quack.Bernoulli([0.5] * 4), "path:1", 5, 1, 0, progress=False)["it"].plays[0, -1].argmax()

print(play())
EDIT
try:
    print(play())
except quack.SpecError as error:
    print(error)
"""
NEW_KERNEL = "helper.shifted = quack.kernel(lambda action: action + 2)"
NEW_CLASS = """
import importlib
helper.SHIFT = 3
importlib.reload(helper)
mine = importlib.reload(mine)
helper.shifted = quack.kernel(lambda action: action + 2)
"""


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        ("pass", "0"),
        (NEW_KERNEL, "Mine, or something that it calls, was changed after it was compiled"),
        ("helper.SHIFT = 1", "was changed after it was compiled"),
        (NEW_CLASS, "2"),
    ],
    ids=["nothing", "another function", "a constant of a function", "everything anew"],
)
def test_what_is_edited_within_a_process_is_refused_or_new(study, edit, told):
    folder, run = study
    (folder / "notebook.py").write_text(NOTEBOOK.replace("EDIT", edit))
    before, after = run("notebook.py")[0].splitlines()
    assert before == "0"
    assert told in after
