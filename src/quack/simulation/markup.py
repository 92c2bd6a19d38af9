"""Results as HTML: what a notebook shows, and the pieces of a page. Everything that came from outside is escaped."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from quack.simulation.svg import curves
from quack.simulation.table import caption, columns, counted, rows

if TYPE_CHECKING:
    from quack.simulation.result import Comparison, GroupResult

__all__ = ["comparison_markup", "group_markup", "table_markup"]

_MOST_CURVES = 14  # in a notebook: with more, nothing can be told apart


def table_markup(header: Sequence[str], body: Sequence[Sequence[str]], *, words: Sequence[int] = (0,)) -> str:
    """Return a table of texts: the columns of words to the left, those of numbers to the right.

    Examples
    --------
    >>> table_markup(["regret"], [["<b>"]], words=())
    '<table><tr><th style="text-align:right">regret</th></tr><tr><td style="text-align:right">&lt;b&gt;</td></tr></table>'
    """

    def row(cells: Sequence[str], tag: str) -> str:
        sides = ("left" if i in words else "right" for i in range(len(cells)))
        return "".join(
            f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>' for cell, side in zip(cells, sides, strict=True)
        )

    lines = [row(header, "th"), *(row(cells, "td") for cells in body)]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def comparison_markup(comparison: "Comparison") -> str:
    """Return what a notebook shows of a comparison: what was compared, its table, its curves."""
    groups = list(comparison.values())[:_MOST_CURVES]
    chart = curves(groups, f"Group regret on {comparison.settings.network}", width=640, height=280)
    more = f"<p>The curves are those of the first {_MOST_CURVES} groups.</p>" if len(comparison) > _MOST_CURVES else ""
    table = table_markup(columns, rows(comparison), words=(0, len(columns) - 1))
    return f"<div><p>{escape(caption(comparison))}</p>{table}{chart}{more}</div>"


def group_markup(group: "GroupResult") -> str:
    """Return what a notebook shows of one group."""
    low, high = group.band()
    said = (
        f"{group.description}; {counted(group.n_agents, 'agent')}, {counted(len(group.runs), 'run')}, {group.mode}. Final group "
        f"regret {group.mean[-1]:,.1f} in the mean, {low[-1]:,.1f} to {high[-1]:,.1f} in 95 % of the runs."
    )
    chart = curves([group], f"Group regret of {group.label}", width=520, height=220)
    return f"<div><p><b>{escape(group.label)}</b>: {escape(said)}</p>{chart}</div>"
