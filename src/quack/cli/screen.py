"""What a person reads: rich tables on a terminal, plain lines when piped."""

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quack.errors import StoreError
from quack.extras import require

if TYPE_CHECKING:
    from quack.simulation.result import Comparison

__all__ = ["discard_output", "remark", "say", "show_comparison", "show_table"]


def show_comparison(comparison: "Comparison") -> None:
    """Print the table of a comparison."""
    from quack.simulation.table import caption, columns, plain_table, rows

    if sys.stdout.isatty():
        _show_rich(caption(comparison), columns, rows(comparison), [True, *[False] * (len(columns) - 2), True])
    else:
        say(plain_table(comparison))


def show_table(title: str, header: Sequence[str], body: Sequence[Sequence[str]]) -> None:
    """Print a table of words. The header may be empty."""
    if sys.stdout.isatty():
        _show_rich(title, header, body, [True] * len(body[0]))
        return
    cells = [header, *body] if header else body
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells)
    say("\n".join([title, *lines]))


def say(text: str) -> None:
    """Print, and go on if nobody reads any more, as `head` does: the results may still be saved."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        discard_output()
        raise StoreError(f"cannot write to the standard output: {error.strerror or error}") from error


def remark(text: str) -> None:
    """Print what is not the output itself."""
    with contextlib.suppress(OSError):  # nobody reads it
        print(text, file=sys.stderr, flush=True)


def discard_output() -> None:
    """Let the rest of the output go nowhere, Python's own last flush too."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _show_rich(title: str, header: Sequence[str], body: Sequence[Sequence[str]], words: Sequence[bool]) -> None:
    """Draw a table; its columns of words stand to the left, those of numbers to the right."""
    text = require("rich.text", "a table").Text  # without it, [brackets] would be markup
    table = require("rich.table", "a table").Table(
        title=text(title),
        title_justify="left",
        title_style="italic",
        show_header=bool(header),
        box=require("rich.box", "a table").SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    for name, is_word in zip(header or [""] * len(words), words, strict=True):
        table.add_column(text(name), justify="left" if is_word else "right", overflow="fold")
    for row in body:
        table.add_row(*map(text, row))
    require("rich.console", "a table").Console().print(table)
