"""Every example in the docs and docstrings runs and prints what it says."""

import doctest
import importlib
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import quack
from quack.cli import understand

ROOT = Path(__file__).parents[2]
MODULES = sorted(module.name for module in pkgutil.walk_packages(quack.__path__, "quack.") if module.name != "quack.__main__")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def run_doctests(module):
    outcome = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert outcome.failed == 0
    return outcome.attempted


@pytest.mark.parametrize("name", ["quack", *MODULES])
def test_docstrings(name):
    run_doctests(importlib.import_module(name))


@pytest.mark.parametrize("name", quack.__all__)
def test_every_algorithm_has_an_example(name):
    thing = getattr(quack, name)
    if isinstance(thing, type) and hasattr(thing, "_fields") and not hasattr(thing, "left_s"):
        assert ">>>" in thing.__doc__, f"{name} shows no example"
        assert "References" in thing.__doc__ or hasattr(thing, "gaps"), f"{name} names no source"


def test_the_skeleton_conforms(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    module = importlib.import_module("skeleton_policy")
    assert run_doctests(module) > 0
    quack.check_policy(module.SkeletonPolicy())


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_pages_runs(page, tmp_path, monkeypatch):
    """The blocks of a page run one after the other, with the runs of a comparison cut to two."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names = {}
    for block in blocks(page, "python"):
        exec(compile(re.sub(r"runs=\d+", "runs=2", block), page.name, "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_pages_are_understood(page, tmp_path):
    """Each `quack` command in a page is accepted by the command line: its own --help answers, and its flags are known."""
    for block in blocks(page, "(?:bash|console|sh)"):
        for line in block.splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words and words[0] == "quack" and len(words) > 1:
                understand(words[1:])


def test_the_command_is_installed():
    command = Path(sys.executable).with_name("quack")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"quack {quack.__version__}\n"


def test_the_page_of_deviations_is_up_to_date(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    made = importlib.import_module("make_fidelity")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run: python docs/make_fidelity.py"


def test_the_results_are_those_that_are_stored(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    made = importlib.import_module("make_results")
    assert made.PAGE.read_text(encoding="utf-8") == made.page(), "run: python docs/make_results.py"
    assert made.README.read_text(encoding="utf-8") == made.readme(), "run: python docs/make_results.py"


def test_decisions_are_numbered_without_gaps():
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    heads = [page.read_text(encoding="utf-8").partition(".")[0] for page in pages]
    assert heads == [f"# {number}" for number in range(1, len(pages) + 1)]
    assert [page.name[:5] for page in pages] == [f"{number:04}-" for number in range(1, len(pages) + 1)]
