"""Tables on a terminal and in a pipe."""

import io
import re
import sys

from quack.cli.screen import show_table


def on_a_terminal(monkeypatch, *table):
    """Return what a terminal of 40 columns shows."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", output := Terminal())
        patch.setenv("COLUMNS", "40")
        patch.setenv("TERM", "xterm")
        show_table(*table)
    return re.sub(r"\x1b\[[0-9;]*m", "", output.getvalue())


def test_a_pipe_gets_plain_lines(capsys):
    show_table("title", ("name", "what"), [("a", "one"), ("long name", "two")])
    assert capsys.readouterr().out == "title\nname       what\na          one\nlong name  two\n"


def test_a_header_may_be_empty(capsys):
    show_table("title", (), [("a", "1"), ("bb", "2")])
    assert capsys.readouterr().out == "title\na   1\nbb  2\n"


def test_a_terminal_gets_a_table_that_fits(monkeypatch):
    lines = on_a_terminal(monkeypatch, "title", ("name", "what"), [("a", "word " * 20)]).splitlines()
    assert max(map(len, lines)) <= 40
    assert any("───" in line for line in lines)


def test_brackets_are_no_markup(monkeypatch):
    said = on_a_terminal(monkeypatch, "[bold]title[/]", ("[red]", "x"), [("[link=a]b", "[/]")])
    assert all(text in said for text in ("[bold]title[/]", "[red]", "[link=a]b", "[/]"))
