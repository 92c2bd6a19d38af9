"""The regret curves of a comparison on one pair of axes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from quack.extras import require
from quack.kernels import Floats, Integers
from quack.simulation.palette import LIGHT, dash
from quack.simulation.table import brief, counted

if TYPE_CHECKING:
    import matplotlib.axes

    from quack.simulation.result import Comparison

__all__ = ["Reference", "draw_legend", "draw_references", "draw_regret"]

_MOST_INSIDE = 6  # entries of a legend among the curves
_LONGEST_LABEL = 60
_DOTS: Any = (0, (1, 2.5))  # wider apart than those of any group
_BESIDE = "beside the curve of a group"  # how a reference is told from a group's own curve


class Reference(NamedTuple):
    """A curve with which a group's own is compared, such as a bound on it."""

    label: str  # the group's
    rounds: Integers
    values: Floats
    source: str  # where it comes from


def draw_regret(
    comparison: "Comparison", ax: "matplotlib.axes.Axes | None" = None, *, log: bool = False
) -> "matplotlib.axes.Axes":
    """Draw mean group regret over rounds, with the band between the 2.5 and 97.5 percentiles of the runs.

    On a logarithmic axis groups that differ by orders of magnitude can all be seen.
    """
    ticker = require("matplotlib.ticker", "plot()")
    if ax is None:
        ax = require("matplotlib.pyplot", "plot()").subplots(figsize=(6.0, 4.0), layout="constrained")[1]
    for i, group in enumerate(comparison.values()):
        colour = LIGHT[i % len(LIGHT)]
        low, high = group.band()
        (line,) = ax.plot(group.rounds, group.mean, color=colour, linestyle=dash(i), label=group.label)
        if len(group.rounds) == 1:  # a line through one point is not seen
            line.set(marker="o", markersize=3, clip_on=False)
        ax.fill_between(group.rounds, low, high, color=colour, alpha=0.15, linewidth=0)
    ax.set_xlabel("round")
    ax.set_ylabel("group regret")
    ax.set_title(f"{comparison.settings.network}, {counted(comparison.settings.n_agents, 'agent')}")
    ax.set_xlim(0, comparison.settings.horizon)
    log = log and any((group.regret > 0).any() for group in comparison.values())  # a logarithmic axis has no place for 0 alone
    if log:
        ax.set_yscale("log", nonpositive="clip")
    else:
        ax.set_ylim(bottom=0)
    for axis in (ax.xaxis,) if log else (ax.xaxis, ax.yaxis):
        axis.set_major_locator(ticker.MaxNLocator(5, integer=axis is ax.xaxis))
        axis.set_major_formatter(ticker.ScalarFormatter(useMathText=True))
    ax.ticklabel_format(axis="x" if log else "both", style="sci", scilimits=(-3, 5))
    ax.grid(visible=True, alpha=0.3)
    inside = len(comparison) <= _MOST_INSIDE
    draw_legend(ax, ax, **({} if inside else {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}))
    return ax


def draw_references(references: Sequence[Reference], ax: "matplotlib.axes.Axes", name: str) -> None:
    """Draw curves dotted, in the colours of their groups, with one entry for all of them in the legend."""
    colours = {line.get_label(): line.get_color() for line in ax.get_lines()}
    for reference in references:
        colour = colours.get(reference.label, "0.4")
        ax.plot(reference.rounds, reference.values, color=colour, linestyle=_DOTS, linewidth=1.0, gid=_BESIDE)
    if references:
        ax.plot([], [], color="0.4", linestyle=_DOTS, linewidth=1.0, label=name)
        ax.set_ylim(top=max(ax.get_ylim()[1], 1.05 * max(float(reference.values.max()) for reference in references)))


def draw_legend(owner: Any, ax: "matplotlib.axes.Axes", **placing: Any) -> None:
    """Give the legend of one pair of axes to them or to a figure."""
    lines = [line for line in ax.get_lines() if line.get_gid() != _BESIDE]
    owner.legend(lines, [brief(str(line.get_label()), _LONGEST_LABEL) for line in lines], frameon=False, **placing)
