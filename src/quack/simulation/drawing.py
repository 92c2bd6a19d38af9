"""The regret curves of a comparison on one pair of axes."""

from typing import TYPE_CHECKING

from quack.extras import require

if TYPE_CHECKING:
    import matplotlib.axes

    from quack.simulation.result import Comparison

__all__ = ["COLOURS", "draw_regret"]

# Okabe and Ito's palette, which colour-blind readers can tell apart; each group has its own dash too, for print in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1)))


def draw_regret(comparison: "Comparison", ax: "matplotlib.axes.Axes | None" = None) -> "matplotlib.axes.Axes":
    """Draw mean group regret over rounds, with the band between the 2.5 and 97.5 percentiles of the runs."""
    if ax is None:
        ax = require("matplotlib.pyplot", "plot()").subplots(figsize=(6.0, 4.0), layout="constrained")[1]
    for i, group in enumerate(comparison.values()):
        colour = COLOURS[i % len(COLOURS)]
        low, high = group.band()
        ax.plot(group.rounds, group.mean, color=colour, linestyle=_DASHES[i % len(_DASHES)], label=group.label)
        ax.fill_between(group.rounds, low, high, color=colour, alpha=0.15, linewidth=0)
    ax.set_xlabel("round")
    ax.set_ylabel("group regret")
    ax.set_title(f"{comparison.settings.network}, {comparison.settings.n_agents:,} agents")
    ax.set_xlim(0, comparison.settings.horizon)
    ax.set_ylim(bottom=0)
    ax.grid(visible=True, alpha=0.3)
    ax.legend()
    return ax
