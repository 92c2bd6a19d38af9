"""Figures of several comparisons. They read results and nothing else."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quack.errors import SpecError
from quack.extras import require
from quack.simulation.drawing import draw_regret
from quack.simulation.result import Comparison
from quack.simulation.store import atomic_file

if TYPE_CHECKING:
    import matplotlib.figure

__all__ = ["check_figure_path", "regret_panels", "save_figure"]

_FORMATS = ("svg", "png", "pdf")


def check_figure_path(path: Path) -> Path:
    """Refuse a picture's file name before the work that would fill it."""
    if path.suffix.lstrip(".").lower() not in _FORMATS:
        raise SpecError(f"figure is {str(path)!r}; a file name that ends in {', '.join('.' + f for f in _FORMATS)} is accepted")
    return path


def regret_panels(comparisons: Sequence[Comparison]) -> "matplotlib.figure.Figure":
    """Draw one panel per comparison, side by side, with one legend and a caption that says how to make it again."""
    figures = require("matplotlib.figure", "a figure")
    width = 4.2 * len(comparisons) if len(comparisons) > 1 else 6.0
    figure: matplotlib.figure.Figure = figures.Figure(figsize=(width, 4.2), layout="constrained")
    panels = figure.subplots(1, len(comparisons), squeeze=False)[0]
    for comparison, panel in zip(comparisons, panels, strict=True):
        draw_regret(comparison, panel)
        panel.get_legend().remove()
        if panel is not panels[0]:
            panel.set_ylabel("")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=min(len(labels), 4), frameon=False)
    figure.supxlabel(textwrap.fill(_caption(comparisons), int(width * 15)), fontsize="small")
    return figure


def _caption(comparisons: Sequence[Comparison]) -> str:
    s = comparisons[0].settings
    groups = "; ".join(f"{group.label}: {group.description}" for group in comparisons[0].values())
    return (
        f"Mean group regret and 2.5–97.5 % band of {s.runs:,} runs; {s.environment}; seed {s.seed}; quack {s.version}. {groups}"
    )


def save_figure(figure: "matplotlib.figure.Figure", path: Path) -> None:
    """Write a figure in the format that the file's name says."""
    kind = check_figure_path(path).suffix.lstrip(".").lower()
    with atomic_file(path) as file:
        figure.savefig(file, format=kind, dpi=160)
