"""The command as a whole: its surroundings, its exit status, and what it says when something goes wrong."""

import errno
import io
import sys
import warnings

import pytest

import quack.cli
from quack.errors import QuackWarning


@pytest.fixture
def verb(monkeypatch):
    """Let `quack list` do something else."""

    def replace(function):
        monkeypatch.setattr("quack.cli.listing._list", function)

    return replace


def test_a_verb_gives_the_exit_status(verb):
    verb(lambda _options: 7)
    assert quack.cli.main(["list"]) == 7


def test_ctrl_c_is_one_line_and_130(verb, capsys):
    def press(_options):
        raise KeyboardInterrupt

    verb(press)
    assert quack.cli.main(["list"]) == 130
    assert capsys.readouterr().err == "quack: interrupted\n"


def test_a_mistake_in_code_keeps_its_traceback(verb, capsys):
    def divide(_options):
        return 1 // 0

    verb(divide)
    assert quack.cli.main(["list"]) == 2
    said = capsys.readouterr().err
    assert "in divide" in said
    assert said.endswith("quack: error: ZeroDivisionError: integer division or modulo by zero\n")


def test_a_sentence_has_an_end(verb, capsys):
    def refuse(_options):
        raise quack.SpecError("x" * 1_000_000)

    verb(refuse)
    assert quack.cli.main(["list"]) == 2
    assert len(capsys.readouterr().err) < 2100


def test_our_warnings_are_notes_and_others_are_pythons(verb, capsys):
    def warn(_options):
        warnings.warn("look here", QuackWarning, stacklevel=1)
        warnings.warn("look there", RuntimeWarning, stacklevel=1)
        return 0

    verb(warn)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        quack.cli.main(["list"])
    said = capsys.readouterr().err
    assert said.startswith("quack: note: look here\n")
    assert "RuntimeWarning: look there" in said


def test_the_caller_keeps_his_own_settings(verb):
    seen = []
    verb(lambda _options: seen.append(sys.path[-1]) or 0)
    path, show = sys.path.copy(), warnings.showwarning
    quack.cli.main(["list"])
    assert seen == [""]  # the folder where the user is, behind the libraries
    assert sys.path == path
    assert warnings.showwarning is show


def test_a_terminal_without_greek_letters_shows_question_marks(monkeypatch):
    output = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", output)
    assert quack.cli.main(["leader", "star:4"]) == 0
    output.flush()
    assert b"sum of distances ?d" in output.buffer.getvalue()


@pytest.mark.parametrize(("number", "status"), [(errno.EPIPE, 0), (errno.ENOSPC, 2)])
def test_output_that_nobody_takes(number, status, monkeypatch, capsys):
    class Broken(io.StringIO):
        def write(self, _text):
            raise OSError(number, "broken")

    monkeypatch.setattr(sys, "stdout", Broken())
    discarded = []
    monkeypatch.setattr("quack.cli.screen.discard_output", lambda: discarded.append(True))
    assert quack.cli.main(["list", "groups"]) == status
    assert discarded
    error = capsys.readouterr().err
    assert error == ("" if status == 0 else "quack: error: cannot write to the standard output: broken\n")


@pytest.mark.parametrize("line", [["compare"], ["check", "UCB()"]])
def test_a_missing_extra_names_the_command_that_installs_it(line, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "numba", None)
    assert quack.cli.main(line) == 2
    assert capsys.readouterr().err == f"quack: error: quack {line[0]} needs numba: pip install 'quack-bandits[lab]'\n"
