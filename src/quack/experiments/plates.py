"""The pictures of the catalogue, from lines alone: light or dark, a column or a page wide."""

import contextlib
import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quack.experiments.catalogue import Entry
from quack.experiments.figures import STYLE
from quack.experiments.series import Series
from quack.extras import require
from quack.simulation.palette import DARK, LIGHT, dash
from quack.simulation.scale import Scale, tick_label

if TYPE_CHECKING:
    import matplotlib.figure

__all__ = ["WIDTHS_IN", "Look", "draw"]

WIDTHS_IN = {"one": 3.4, "two": 7.0}
"""Of a column, and of a page of two columns."""

_GROUND, _INK, _FAINT = {False: "white", True: "#14171a"}, {False: "black", True: "#e8eaed"}, {False: "0.35", True: "0.7"}
_PANEL_IN = 1.95
_ROW_IN = 0.17
_LINE_IN = 0.105  # of the caption
_CAPTION_PT = 5.5
_LETTERS_PER_IN = 22  # of the caption
_LEGEND_LETTERS_PER_IN = 15
_MARKERS = "osD^vPX"
_DEPTH = 500.0  # the lowest regret that a logarithmic axis shows, as a part of the highest
_MARKS, _FEW_MARKS = 5, 3  # along an axis, and along that of a narrow panel


class Look(NamedTuple):
    """How a figure is drawn, not what.

    Attributes
    ----------
    dark
        Whether it is for a dark ground.
    width
        "one" or "two" columns of a paper.
    caption
        Whether the caption stands below the picture; beside it, in a file of its own, it always is.
    """

    dark: bool = False
    width: str = "two"
    caption: bool = True


def draw(entry: Entry, lines: Sequence[Series], caption: str, look: Look) -> "matplotlib.figure.Figure":
    """Return the picture."""
    with _style(look):
        by_row = entry.kind in ("ranking", "bounds")
        return (_rows if by_row else _curves)(entry, lines, caption, look)


@contextlib.contextmanager
def _style(look: Look) -> Iterator[None]:
    ink, ground = _INK[look.dark], _GROUND[look.dark]
    inks = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    colours = dict.fromkeys(inks, ink) | dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), ground)
    with require("matplotlib", "a figure").rc_context(STYLE | colours):
        yield


def _colour(place: int, look: Look) -> str:
    return (DARK if look.dark else LIGHT)[place % len(LIGHT)]


def _frame(
    panels: int, columns: int, panel_in: float, caption: str, legend_rows: int, look: Look
) -> "tuple[matplotlib.figure.Figure, list[Any]]":
    """Return a figure with its caption, and its axes."""
    width = WIDTHS_IN[look.width]
    said = textwrap.wrap(caption, int(width * _LETTERS_PER_IN), break_on_hyphens=False)
    rows = math.ceil(panels / columns)
    height = rows * panel_in + legend_rows * 0.16 + len(said) * _LINE_IN
    figure: matplotlib.figure.Figure = require("matplotlib.figure", "a figure").Figure(
        figsize=(width, height), layout="constrained"
    )
    axes = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for unused in axes[panels:]:
        unused.set_axis_off()
    if said:
        figure.supxlabel(
            "\n".join(said), x=0.01, ha="left", fontsize=_CAPTION_PT, color=_FAINT[look.dark], parse_math=False, linespacing=1.25
        )
    return figure, axes[:panels]


def _curves(entry: Entry, lines: Sequence[Series], caption: str, look: Look) -> "matplotlib.figure.Figure":
    """Draw a panel of lines with bands for each panel of the figure, and one legend."""
    panels = list(dict.fromkeys(line.panel for line in lines))
    labels = list(dict.fromkeys(line.group for line in lines))
    columns = min(len(panels), 3 if look.width == "two" else 1 + (len(panels) > 3))  # noqa: PLR2004 (more than three are many)
    per_row = max(1, min(len(labels), int(WIDTHS_IN[look.width] * _LEGEND_LETTERS_PER_IN / (max(map(len, labels)) + 7))))
    figure, axes = _frame(len(panels), columns, _PANEL_IN, caption, math.ceil(len(labels) / per_row), look)
    handles: dict[str, Any] = {}
    for place, (panel, ax) in enumerate(zip(panels, axes, strict=True)):
        mine = [line for line in lines if line.panel == panel]
        for line in mine:
            handles.setdefault(line.group, _line(ax, line, labels.index(line.group), entry, look))
        if entry.kind == "queues":
            _limit(ax, mine[0].bound, look)
        _axes(ax, entry, mine, _FEW_MARKS if columns > 1 and look.width == "one" else _MARKS)
        ax.set_title(panel)
        if place % columns == 0:
            ax.set_ylabel(
                "longest queue" if entry.kind == "queues" else "final group regret" if entry.against else "group regret"
            )
        if place >= len(panels) - columns:
            ax.set_xlabel(entry.against or "round")
    figure.legend(
        [handles[label] for label in labels], labels, loc="outside upper center", ncols=per_row, frameon=False, handlelength=2.8
    )
    return figure


def _line(ax: Any, line: Series, place: int, entry: Entry, look: Look) -> Any:
    colour = _colour(place, look)
    marked = {"marker": _MARKERS[place % len(_MARKERS)], "markersize": 3} if entry.kind == "against" else {}
    (drawn,) = ax.plot(line.x, line.mean, color=colour, linestyle=dash(place), zorder=3, **marked)
    ax.fill_between(line.x, line.low, line.high, color=colour, alpha=0.25 if look.dark else 0.17, linewidth=0)
    return drawn


def _limit(ax: Any, limit: float, look: Look) -> None:
    ax.axhline(limit, color=_INK[look.dark], linewidth=0.8, linestyle=(0, (2, 2)))
    ax.annotate(
        f"2 Σ d = {limit:,.0f}", (1, limit), (-2, 2), xycoords=("axes fraction", "data"), textcoords="offset points", ha="right",
        va="bottom", fontsize=7,
    )  # fmt: skip


def _axes(ax: Any, entry: Entry, lines: Sequence[Series], marks: int) -> None:
    """Set the scales: logarithmic where the figure says so and there is something positive, from 0 otherwise."""
    highest = max(float(np.max(line.high)) for line in lines)
    if "y" in entry.log and highest > 0:
        ax.set_yscale("log", nonpositive="clip")
        positive = np.concatenate([line.mean[line.mean > 0] for line in lines])
        ax.set_ylim(max(float(positive.min()) * 0.7, highest / _DEPTH), highest * 1.4)
        _logarithmic(ax.yaxis)
    else:
        top = lines[0].bound * 1.08 if entry.kind == "queues" else highest  # above the limit stands what it is
        ax.set_ylim(0, top * 1.05 or 1)
    if "x" in entry.log:
        ax.set_xscale("log", base=2)
        ticks = sorted({float(x) for line in lines for x in line.x})
        ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        ax.minorticks_off()
    else:
        ax.set_xlim(0 if not entry.against else None, None if entry.against else float(lines[0].x[-1]))
        _plain(ax.xaxis, marks)
    if "y" not in entry.log:
        _plain(ax.yaxis, _MARKS)
    ax.grid(visible=True, alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)


def _plain(axis: Any, most: int) -> None:
    ticker = require("matplotlib.ticker", "a figure")
    axis.set_major_locator(ticker.MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: tick_label(round(value, 9))))


def _logarithmic(axis: Any) -> None:
    """Mark 1, 2, 5 and their multiples by ten, or powers of ten alone where these are enough."""
    ticker = require("matplotlib.ticker", "a figure")
    low, high = sorted(axis.get_view_interval())
    axis.set_major_locator(ticker.FixedLocator(Scale(low, high, 0.0, 1.0, log=True).ticks()))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: tick_label(value)))
    axis.set_minor_locator(ticker.NullLocator())


def _rows(entry: Entry, lines: Sequence[Series], caption: str, look: Look) -> "matplotlib.figure.Figure":
    """Draw a row for each group: mean and band of its final regret, and what is proven if that is known."""
    bounds = entry.kind == "bounds"
    panels = [""] if bounds else list(dict.fromkeys(line.panel for line in lines))
    if bounds:
        names = [f"{line.group}   {line.panel}" for line in lines]
    else:
        last = [line for line in lines if line.panel == panels[-1]]
        names = [line.group for line in sorted(last, key=lambda line: float(line.mean[0]))]
    columns = 1 if look.width == "one" else len(panels)
    figure, axes = _frame(len(panels), columns, 0.55 + _ROW_IN * len(names), caption, int(bounds), look)
    for place, (panel, ax) in enumerate(zip(panels, axes, strict=True)):
        name_of: Callable[[Series], str] = (lambda line: f"{line.group}   {line.panel}") if bounds else (lambda line: line.group)
        for line in lines:
            if bounds or line.panel == panel:
                _point(ax, line, names.index(name_of(line)), look)
        ax.set_yticks(range(len(names)), names if place % columns == 0 else [""] * len(names))
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(len(names) - 0.4, -0.6)
        if "x" in entry.log and any(line.mean[0] > 0 for line in lines):
            ax.set_xscale("log")
            _logarithmic(ax.xaxis)
        ax.grid(visible=True, axis="x", alpha=0.3)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.set_title(panel)
        ax.set_xlabel("final group regret")
    if bounds:
        _key(figure, look)
    return figure


def _point(ax: Any, line: Series, row: int, look: Look) -> None:
    measured, proven = _colour(0, look), _colour(1, look)
    ax.plot([line.low[0], line.high[0]], [row, row], color=measured, linewidth=3, alpha=0.35, solid_capstyle="butt")
    ax.plot(line.mean, [row], "o", color=measured, markersize=4)
    if math.isfinite(line.bound):
        ax.plot([line.mean[0], line.bound], [row, row], color=proven, linewidth=0.6, linestyle=(0, (1, 2)), zorder=1)
        ax.plot([line.bound], [row], "D", color=proven, markersize=4)
        ax.annotate(
            f"{line.bound / line.mean[0]:,.3g} ×", (line.bound, row), (6, 0), textcoords="offset points", va="center", fontsize=6
        )
        ax.margins(x=0.12)


def _key(figure: "matplotlib.figure.Figure", look: Look) -> None:
    lines = require("matplotlib.lines", "a figure").Line2D
    marks = [lines([], [], marker=marker, color=_colour(i, look), linestyle="", markersize=4) for i, marker in enumerate("oD")]
    figure.legend(marks, ["measured", "proven, and how many times as much"], loc="outside upper center", ncols=2, frameon=False)
