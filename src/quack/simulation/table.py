"""The table of a comparison, for people."""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quack.simulation.result import Comparison, GroupResult

__all__ = ["brief", "caption", "columns", "counted", "duration", "number", "plain_table", "rows"]

columns = ("group", "final group regret", "95 % CI", "2.5 %", "97.5 %", "CPU time", "per agent round", "engine")

_LONGEST_LABEL = 48
_LONGEST_ENVIRONMENT = 100


def brief(text: str, most: int) -> str:
    """Return the text, or its beginning and its end if it is longer than so many characters."""
    if len(text) <= most:
        return text
    end = (most - 3) // 3
    return f"{text[: most - 3 - end]} … {text[-end:]}"


def counted(number: int, noun: str) -> str:
    """Return the number with its noun, in the plural if there is not exactly one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def number(value: float, digits: int = 4) -> str:
    """Write a number with so many significant digits, those before the point all of them; plainly unless it is huge or tiny."""
    if not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    magnitude = math.floor(math.log10(abs(value)))
    if not -4 <= magnitude < 9:  # noqa: PLR2004 (beyond, one counts zeros instead of reading)
        return f"{value:.{digits - 1}e}"
    return f"{value:,.{max(0, digits - 1 - magnitude)}f}"


def duration(seconds: float) -> str:
    """Write a duration with three digits, in the unit that suits it."""
    if not math.isfinite(seconds):
        return "–"
    if seconds >= 7200:  # noqa: PLR2004 (two hours: from here on seconds are noise)
        return f"{seconds // 3600:,.0f} h {seconds % 3600 // 60:02.0f} min"
    if seconds >= 100:  # noqa: PLR2004 (three digits)
        return f"{seconds:,.0f} s"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * size:
            return f"{seconds / size:#.3g} {unit}".replace(". ", " ")
    return f"{seconds * 1e9:#.3g} ns".replace(". ", " ")


def _row(group: "GroupResult", label: str, asked: int) -> tuple[str, ...]:
    low, high = group.band()
    finished = "" if len(group.runs) == asked else f" ({len(group.runs):,} of {counted(asked, 'run')})"
    half_width = group.half_width
    return (
        label + finished,
        number(group.mean[-1]),
        "–" if math.isnan(half_width) else f"± {number(half_width, 3)}",
        number(low[-1]),
        number(high[-1]),
        duration(group.cpu_s),
        duration(group.ns_per_agent_round / 1e9),
        group.mode,
    )


def rows(comparison: "Comparison") -> list[tuple[str, ...]]:
    """Return one row of text per group, in the order of `columns`."""
    labels = [brief(label, _LONGEST_LABEL) for label in comparison]
    if len(set(labels)) < len(labels):  # shortened, some could not be told apart
        labels = list(comparison)
    groups = zip(comparison.values(), labels, strict=True)
    return [_row(group, label, comparison.settings.runs) for group, label in groups]


def caption(comparison: "Comparison") -> str:
    """Say in one line what was compared."""
    s = comparison.settings
    network = f"{s.network}: {counted(s.n_agents, 'agent')}, {counted(s.n_edges, 'edge')}"
    played = f"horizon {s.horizon:,}, {counted(s.runs, 'run')}, seed {s.seed}, quack {s.version}"
    return f"{network}; {brief(s.environment, _LONGEST_ENVIRONMENT)}; {played}; {duration(comparison.wall_s)}"


def plain_table(comparison: "Comparison") -> str:
    """Return the table as plain text: words to the left, numbers to the right."""
    cells = [columns, *rows(comparison)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [caption(comparison)]
    for row in cells:
        first, *numbers, last = row
        middle = (number.rjust(width) for number, width in zip(numbers, widths[1:-1], strict=True))
        lines.append("  ".join((first.ljust(widths[0]), *middle, last)))
    return "\n".join(lines)
