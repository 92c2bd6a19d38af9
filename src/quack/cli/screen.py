"""What a person reads: rich tables on a terminal, plain lines when piped."""

import sys
from collections.abc import Sequence

from quack.extras import require
from quack.simulation.result import Comparison
from quack.simulation.table import caption, columns, plain_table, rows

__all__ = ["show_comparison", "show_table"]


def show_comparison(comparison: Comparison) -> None:
    """Print the table of a comparison."""
    if sys.stdout.isatty():
        show_table(caption(comparison), columns, rows(comparison))
    else:
        print(plain_table(comparison), flush=True)


def show_table(title: str, header: Sequence[str], body: Sequence[Sequence[str]]) -> None:
    """Print a table; its first and last columns are words, the others numbers."""
    if not sys.stdout.isatty():
        print(title)
        widths = [max(len(row[i]) for row in [header, *body]) for i in range(len(header))]
        for row in [header, *body]:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        return
    table = require("rich.table", "a table").Table(title=title, title_justify="left", title_style="italic")
    for i, name in enumerate(header):
        table.add_column(name, justify="left" if i in (0, len(header) - 1) else "right", overflow="fold")
    for row in body:
        table.add_row(*row)
    require("rich.console", "a table").Console().print(table)
