"""The table of a comparison, for people."""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quack.simulation.result import Comparison, GroupResult

__all__ = ["caption", "columns", "plain_table", "rows"]

columns = ("group", "final group regret", "95 % CI", "2.5 %", "97.5 %", "CPU time", "per agent-round", "engine")


def _number(value: float) -> str:
    """Write a number with three digits or more, never in scientific notation."""
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"  # noqa: PLR2004 (from a thousand on, whole numbers)


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds < 100 else f"{seconds:,.0f} s"  # noqa: PLR2004 (three digits)


def _row(group: "GroupResult", asked: int) -> tuple[str, ...]:
    low, high = group.band()
    finished = "" if len(group.runs) == asked else f" ({len(group.runs)} of {asked} runs)"
    return (
        group.label + finished,
        _number(group.mean[-1]),
        f"± {_number(group.half_width)}",
        _number(low[-1]),
        _number(high[-1]),
        _time(group.cpu_s),
        f"{group.ns_per_agent_round:,.3g} ns",
        group.mode,
    )


def rows(comparison: "Comparison") -> list[tuple[str, ...]]:
    """Return one row of text per group, in the order of `columns`."""
    return [_row(group, comparison.settings.runs) for group in comparison.values()]


def caption(comparison: "Comparison") -> str:
    """Say in one line what was compared."""
    s = comparison.settings
    return (
        f"{s.network}: {s.n_agents:,} agents, {s.n_edges:,} edges; {s.environment}; "
        f"horizon {s.horizon:,}, {s.runs:,} runs, seed {s.seed}, quack {s.version}; {_time(comparison.wall_s)}"
    )


def plain_table(comparison: "Comparison") -> str:
    """Return the table as plain text."""
    cells = [columns, *rows(comparison)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    lines = [
        "  ".join(cell.ljust(width) if i in (0, len(columns) - 1) else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True)))
        for row in cells
    ]
    return "\n".join([caption(comparison), *(line.rstrip() for line in lines)])
