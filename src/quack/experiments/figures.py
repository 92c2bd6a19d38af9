"""Figures of several comparisons, in the size in which a paper prints them. They read results and nothing else."""

import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quack.errors import SpecError, StoreError
from quack.extras import require
from quack.simulation.drawing import Reference, draw_legend, draw_references, draw_regret
from quack.simulation.result import Comparison
from quack.simulation.table import brief, counted
from quack.store import atomic_file

if TYPE_CHECKING:
    import matplotlib.figure

__all__ = ["STYLE", "check_figure_path", "regret_panels", "save_figure"]

_FORMATS = ("svg", "png", "pdf")
_COLUMNS = 3  # panels side by side
_WIDTHS_IN = (3.5, 5.2, 7.0)  # of a column of text, and of a page of two
_PANEL_HEIGHT_IN = 2.1
_LINE_HEIGHT_IN = 0.15
_LETTERS_PER_IN = 22  # of the caption
_LEGEND_LETTERS_PER_IN = 14
_LONGEST_CAPTION = 900
_BOUND = "proven bound (same colour)"
STYLE = {
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "lines.linewidth": 1.2,
    "axes.linewidth": 0.6,
    "grid.linewidth": 0.4,
    "svg.fonttype": "path",
    "svg.hashsalt": "quack",  # the same figure, the same file
    "pdf.fonttype": 42,  # letters remain letters, as publishers demand
}
_UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


def check_figure_path(path: Path) -> Path:
    """Refuse a picture's file name before the work that would fill it."""
    if path.suffix.lstrip(".").lower() not in _FORMATS:
        raise SpecError(f"figure is {str(path)!r}; a file name that ends in {', '.join('.' + f for f in _FORMATS)} is accepted")
    return path


def regret_panels(
    comparisons: Sequence[Comparison], *, log: bool = False, bounds: Sequence[Sequence[Reference]] = ()
) -> "matplotlib.figure.Figure":
    """Draw one panel per comparison, with one legend and a caption that says how to make it again.

    `bounds` are curves of what is proven, of each comparison, to be drawn beside those of its groups.
    """
    figures = require("matplotlib.figure", "a figure")
    columns = min(len(comparisons), _COLUMNS)
    panel_rows = math.ceil(len(comparisons) / columns)
    width = _WIDTHS_IN[columns - 1]
    caption = textwrap.wrap(_caption(comparisons, bounds), int(width * _LETTERS_PER_IN))
    longest = max(comparisons, key=len)  # an interrupted comparison may lack groups
    entries = [*longest, _BOUND] if any(bounds) else list(longest)
    legend_columns = _legend_columns(entries, width)
    legend_rows = math.ceil(len(entries) / legend_columns)
    height = panel_rows * _PANEL_HEIGHT_IN + (legend_rows + len(caption)) * _LINE_HEIGHT_IN
    with require("matplotlib", "a figure").rc_context(STYLE):
        figure: matplotlib.figure.Figure = figures.Figure(figsize=(width, height), layout="constrained")
        panels = figure.subplots(panel_rows, columns, squeeze=False).ravel()
        for place, panel in enumerate(panels):
            if place >= len(comparisons):
                panel.set_axis_off()
                continue
            draw_regret(comparisons[place], panel, log=log)
            if bounds:
                draw_references(bounds[place], panel, _BOUND)
            panel.get_legend().remove()
            if place % columns:
                panel.set_ylabel("")
        draw_legend(figure, panels[comparisons.index(longest)], loc="outside upper center", ncols=legend_columns)
        figure.supxlabel("\n".join(caption), x=0.01, ha="left", fontsize=5.5, color="0.35", parse_math=False)
    return figure


def _legend_columns(labels: Sequence[str], width: float) -> int:
    """Return how many entries of a legend fit beside each other; each has about six letters of line."""
    return max(1, min(len(labels), int(width * _LEGEND_LETTERS_PER_IN / (max(map(len, labels)) + 6))))


def _caption(comparisons: Sequence[Comparison], bounds: Sequence[Sequence[Reference]]) -> str:
    settings = comparisons[0].settings
    described = {group.label: group.description for comparison in comparisons for group in comparison.values()}
    groups = "; ".join(f"{label}: {description}" for label, description in described.items())
    proven = {bound.label: bound.source for curves in bounds for bound in curves}
    named = "; ".join(f"{label}: {source}" for label, source in proven.items())
    dotted = f" Bounds, where they are less than m t Δ_max: {named}." if proven else ""
    runs = counted(settings.runs, "run") if all(comparison.complete for comparison in comparisons) else "the finished runs"
    return brief(
        f"Mean group regret and 2.5–97.5 % band of {runs}; {brief(settings.environment, 200)}; "
        f"seed {settings.seed}; quack {settings.version}. {groups}.{dotted}",
        _LONGEST_CAPTION,
    )


def save_figure(figure: "matplotlib.figure.Figure", path: Path) -> None:
    """Write a figure in the format that the file's name says."""
    kind = check_figure_path(path).suffix.lstrip(".").lower()
    with atomic_file(path) as file, require("matplotlib", "a figure").rc_context(STYLE):
        try:
            figure.savefig(file, format=kind, dpi=300, metadata=_UNDATED.get(kind))
        except ValueError as error:
            reason = str(error).strip().splitlines()[-1]
            raise StoreError(f"cannot draw {path}; what stands between two $ in a label is a formula: {reason}") from error
