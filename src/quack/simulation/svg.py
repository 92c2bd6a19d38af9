"""Small charts of groups as text: SVG that a page or a notebook shows as it is, without a library or a network.

Ink is `currentColor` and the groups' colours are CSS variables with a default, so a page may be light or dark.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from quack.kernels import Floats
from quack.simulation.palette import LIGHT, dash_lengths
from quack.simulation.scale import Scale, tick_label
from quack.simulation.table import brief, counted

if TYPE_CHECKING:
    from quack.simulation.result import GroupResult

__all__ = ["colour", "curves", "distributions"]

_LINE = 1.8
_LETTER = 7.8  # width of one, of a label, in a wide font
_LABEL_APART = 15.0
_LONGEST_LABEL = 34
_LEFT, _TOP, _BOTTOM = 62.0, 12.0, 42.0
_ROW = 46.0  # height of a distribution
_BINS = 60
_DEPTH = 500.0  # the lowest regret that a logarithmic axis shows, as a part of the highest
_ROUNDING = 1e-9


def colour(place: int) -> str:
    """Return the colour of the group at a place: a variable that the page may set, and what it is otherwise."""
    place %= len(LIGHT)
    return f"var(--quack-{place},{'currentColor' if place == len(LIGHT) - 1 else LIGHT[place]})"


def curves(groups: "Sequence[GroupResult]", title: str, *, width: float = 720.0, height: float = 340.0, log: bool = False) -> str:
    """Draw mean group regret over rounds, with the band between the 2.5 and 97.5 percentiles of the runs.

    Each curve is named at its end.
    """
    labels = [brief(group.label, _LONGEST_LABEL) for group in groups]
    right = 34.0 + _LETTER * max(map(len, labels))
    bands = [group.band() for group in groups]
    y = _regret_scale([value for band in bands for value in band], height - _BOTTOM, _TOP, log=log)
    x = Scale(0.0, float(groups[0].rounds[-1]), _LEFT, width - right)
    parts = [_grid(x, y, "round", "group regret")]
    for i, (group, (low, high)) in enumerate(zip(groups, bands, strict=True)):
        there = [x.place(t) for t in group.rounds]
        around = [*zip(there, map(y.place, high), strict=True), *reversed([*zip(there, map(y.place, low), strict=True)])]
        parts.append(f'<path d="{_path(around)}Z" style="fill:{colour(i)}" fill-opacity=".16"/>')
    for i, group in enumerate(groups):
        points = [*zip(map(x.place, group.rounds), map(y.place, group.mean), strict=True)]
        mark = f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="3" style="fill:{colour(i)}"/>'
        line = f'<path d="{_path(points)}" fill="none" {_stroke(i)}/>' if len(points) > 1 else mark
        parts.append(f"<g><title>{_title(group)}</title>{line}</g>")
    ends = [y.place(group.mean[-1]) for group in groups]
    parts.append(_labels(labels, groups, ends, (x.end, width - right), (_TOP + 4, height - _BOTTOM)))
    # Many groups have labels that reach below the axes.
    return _svg(parts, width, max(height, _TOP + 4 + _LABEL_APART * len(groups)), title)


def distributions(groups: "Sequence[GroupResult]", title: str, *, width: float = 720.0, log: bool = False) -> str:
    """Draw how the final regret of the runs is distributed: a histogram per group, its mean, and the middle 95 and 50 percent."""
    labels = [brief(group.label, _LONGEST_LABEL) for group in groups]
    left = 16.0 + _LETTER * max(map(len, labels))
    height = _TOP + _ROW * len(groups) + _BOTTOM
    finals = [group.final for group in groups]
    low = min(float(final.min()) for final in finals)
    high = max(float(final.max()) for final in finals)
    log = log and low > 0
    room = 0.04 * (high - low) or 0.04 * high or 1.0
    x = Scale(low / 1.1, high * 1.1, left, width - 18, log=True) if log else Scale(low - room, high + room, left, width - 18)
    parts = [_grid(x, None, "final group regret of a run", "", (_TOP, height - _BOTTOM))]
    for i, (group, label) in enumerate(zip(groups, labels, strict=True)):
        base = _TOP + _ROW * (i + 1) - 10
        parts.append(
            f'<g><title>{_title(group)}</title><text x="{left - 10:.1f}" y="{base - 8:.1f}" text-anchor="end">'
            f"{escape(label)}</text>{_histogram(group.final, x, base, i)}</g>"
        )
    return _svg(parts, width, height, title)


def _histogram(final: Floats, x: Scale, base: float, place: int) -> str:
    """Draw a histogram in bins of equal width on the page, and below it the mean, the middle half and the middle 95 percent."""
    pixels = [x.place(value) for value in final]
    counts, edges = np.histogram(pixels, _BINS, (x.start, x.end))
    heights = counts / counts.max() * (_ROW - 20)
    steps = [(x.start, base)]
    for tall, left, right in zip(heights, edges[:-1], edges[1:], strict=True):
        steps += [(left, base - tall), (right, base - tall)]
    steps.append((x.end, base))
    quantiles = [x.place(value) for value in np.percentile(final, (2.5, 25, 75, 97.5))]
    mean = x.place(float(final.mean()))
    bar = f'style="stroke:{colour(place)}"'
    return (
        f'<path d="{_path(steps)}Z" style="fill:{colour(place)}" fill-opacity=".45"/>'
        f'<path d="M{quantiles[0]:.1f} {base + 5:.1f}H{quantiles[3]:.1f}" {bar} stroke-width="1.5"/>'
        f'<path d="M{quantiles[1]:.1f} {base + 5:.1f}H{quantiles[2]:.1f}" {bar} stroke-width="5"/>'
        f'<circle cx="{mean:.1f}" cy="{base + 5:.1f}" r="3.6" fill="var(--quack-ground,#fff)" {bar} stroke-width="2"/>'
    )


def _regret_scale(values: Iterable[Floats], bottom: float, top: float, *, log: bool) -> Scale:
    every = np.concatenate([np.ravel(value) for value in values])
    high = float(every.max())
    positive = every[every > 0]
    if log and len(positive):
        low = max(float(positive.min()), high / _DEPTH)
        return Scale(low if low < high else high / 2, high * 1.05, bottom, top, log=True)
    return Scale(0.0, high * 1.04 or 1.0, bottom, top)


def _grid(x: Scale, y: Scale | None, below: str, beside: str, column: tuple[float, float] | None = None) -> str:
    """Draw lines at round numbers, the numbers, and what they count."""
    top, bottom = (y.end, y.start) if y else column or (0.0, 0.0)
    lines, texts = [], []
    for tick in x.ticks():
        there = x.place(tick)
        lines.append(f"M{there:.1f} {top:.1f}V{bottom:.1f}")
        texts.append(f'<text x="{there:.1f}" y="{bottom + 16:.1f}" text-anchor="middle">{tick_label(tick)}</text>')
    texts.append(f'<text x="{(x.start + x.end) / 2:.1f}" y="{bottom + 34:.1f}" text-anchor="middle">{below}</text>')
    if y:
        for tick in y.ticks():
            there = y.place(tick)
            lines.append(f"M{x.start:.1f} {there:.1f}H{x.end:.1f}")
            texts.append(f'<text x="{x.start - 7:.1f}" y="{there + 4:.1f}" text-anchor="end">{tick_label(tick)}</text>')
        texts.append(f'<text transform="translate(13 {(top + bottom) / 2:.1f})rotate(-90)" text-anchor="middle">{beside}</text>')
    return f'<path d="{"".join(lines)}" fill="none" stroke="currentColor" stroke-opacity=".16"/>{"".join(texts)}'


def _labels(
    labels: Sequence[str],
    groups: "Sequence[GroupResult]",
    ends: Sequence[float],
    span: tuple[float, float],
    room: tuple[float, float],
) -> str:
    """Name each curve at its end; labels that would meet are moved apart, in the order of the ends."""
    order = sorted(range(len(ends)), key=lambda i: ends[i])
    heights = _apart([ends[i] for i in order], *room)
    end, left = span
    parts = []
    for i, height in zip(order, heights, strict=True):
        parts.append(
            f'<g><title>{_title(groups[i])}</title><path d="M{end + 2:.1f} {ends[i]:.1f}L{left + 8:.1f} {height:.1f}h16" '
            f'fill="none" {_stroke(i)}/><text x="{left + 29:.1f}" y="{height + 4:.1f}">{escape(labels[i])}</text></g>'
        )
    return "".join(parts)


def _apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Return ascending places near the wanted ones, far enough from each other; from `low` on, and up to `high` if they fit."""
    places: list[float] = []
    for place in wanted:
        places.append(max(place, places[-1] + _LABEL_APART if places else low))
    highest = max(high, low + _LABEL_APART * (len(places) - 1))
    for i in range(len(places) - 1, -1, -1):
        places[i] = min(places[i], highest)
        highest = places[i] - _LABEL_APART
    return places


def _title(group: "GroupResult") -> str:
    return escape(f"{group.label}: {group.description}; {group.mean[-1]:,.1f} in the mean of {counted(len(group.runs), 'run')}")


def _stroke(place: int) -> str:
    lengths = " ".join(f"{length * _LINE:.3g}" for length in dash_lengths(place))
    return f'style="stroke:{colour(place)}" stroke-width="{_LINE}"' + (f' stroke-dasharray="{lengths}"' if lengths else "")


def _path(points: Sequence[tuple[float, float]]) -> str:
    """Write a line through points, to a tenth of a pixel, without those that lie straight between their neighbours."""
    kept: list[tuple[float, float]] = []
    for point in ((round(a, 1), round(b, 1)) for a, b in points):
        if len(kept) > 1 and _straight(kept[-2], kept[-1], point):
            kept.pop()
        if not kept or kept[-1] != point:
            kept.append(point)
    return "M" + "L".join(f"{a:.6g} {b:.6g}" for a, b in kept)


def _straight(first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]) -> bool:
    along = (middle[0] - first[0], middle[1] - first[1])
    on = (last[0] - middle[0], last[1] - middle[1])
    ahead = along[0] * on[0] + along[1] * on[1] >= 0
    return ahead and abs(along[0] * on[1] - along[1] * on[0]) < _ROUNDING


def _svg(parts: Sequence[str], width: float, height: float, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" font-family="system-ui,sans-serif" font-size="12" fill="currentColor" '
        'style="max-width:100%;height:auto">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
