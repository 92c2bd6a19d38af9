"""Tables on a terminal and in a pipe."""

import io
import sys

import pytest

from quack.cli.screen import show_table


@pytest.fixture
def terminal(monkeypatch):
    """Pretend that the output is a terminal of 40 columns."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    output = Terminal()
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    return output


def test_a_pipe_gets_plain_lines(capsys):
    show_table("title", ("name", "what"), [("a", "one"), ("long name", "two")])
    assert capsys.readouterr().out == "title\nname       what\na          one\nlong name  two\n"


def test_a_header_may_be_empty(capsys):
    show_table("title", (), [("a", "1"), ("bb", "2")])
    assert capsys.readouterr().out == "title\na   1\nbb  2\n"


def test_a_terminal_gets_a_table_that_fits(terminal):
    show_table("title", ("name", "what"), [("a", "word " * 20)])
    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= 40
    assert any("───" in line for line in lines)


def test_brackets_are_no_markup(terminal):
    show_table("[bold]title[/]", ("[red]", "x"), [("[link=a]b", "[/]")])
    said = terminal.getvalue()
    assert all(text in said for text in ("[bold]title[/]", "[red]", "[link=a]b", "[/]"))
