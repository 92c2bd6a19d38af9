"""Results as one page that opens anywhere: no network, no script, light or dark as the reader likes it."""

import ast
import importlib.resources
import itertools
import math
import re
import shlex
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from quack.errors import SpecError, StoreError
from quack.experiments.citation import BIBTEX
from quack.experiments.folder import is_study
from quack.experiments.study import load_study
from quack.simulation.markup import table_markup
from quack.simulation.palette import DARK, LIGHT
from quack.simulation.result import Comparison
from quack.simulation.svg import curves, distributions
from quack.simulation.table import brief, columns, counted, number, rows
from quack.version import __version__

__all__ = ["read_results", "report"]

_LONGEST_LABEL = 48
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_PAIRS = (
    "Row less column: mean of the differences run by run, ± half the width of its 95 % confidence interval (Student’s t). In the "
    "same run all groups have the same seed, so what is luck of the run falls out. ▼ the row regrets less, ▲ more; without a "
    "mark the interval contains 0. Bold: clear even when all {pairs} of this table are asked at once (Bonferroni)."
)
_SPREAD = (
    "One value per run: histogram, mean (ring), the middle 50 % (thick) and 95 % (thin). Point at a group to read its parameters."
)


def read_results(paths: Sequence[Path]) -> list[Comparison]:
    """Read comparisons from files; of a study's folder, its cells; of another, those of all its .npz files, by name."""
    return [comparison for path in paths for comparison in _read(path)]


def _read(path: Path) -> list[Comparison]:
    if is_study(path):
        return list(load_study(path).values())
    return [Comparison.load(file) for file in _files(path)]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("**/*.npz"))
    if not found:
        raise StoreError(f"there is no result in the folder {path}; files that end in .npz are read")
    return found


def report(comparisons: Sequence[Comparison], *, title: str | None = None, log: bool = False) -> str:
    """Write a page: for each comparison its curves, its table, the differences in pairs, the distributions and the settings.

    Parameters
    ----------
    comparisons
        At least one.
    title
        Its headline; by default the networks.
    log
        Whether regret is drawn on logarithmic axes.
    """
    if not comparisons:
        raise SpecError("a report of nothing is asked for; at least one result is accepted")
    networks = [comparison.settings.network for comparison in comparisons]
    heading = title or f"Group regret on {brief(', '.join(dict.fromkeys(networks)), 100)}"
    body = [f"<h1>{escape(heading)}</h1>", f'<p class="faint">{escape(_abstract(comparisons))}</p>']
    if len(comparisons) > 1:
        body.append(_overview(comparisons))
    for place, comparison in enumerate(comparisons):
        body += _section(comparison, f"c{place}", log=log)
    body.append(f"<h2>How to cite</h2><pre>{escape(BIBTEX)}</pre>")
    body.append(f'<p class="faint">Written by quack report, quack {escape(__version__)}.</p>')
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">'
        f"<title>{escape(heading)}</title><style>{_style()}</style></head><body>{''.join(body)}</body></html>\n"
    )


def _style() -> str:
    """Return the page's looks: its sheet, and the groups' colours on a light and on a dark ground."""
    sheet = importlib.resources.files("quack.experiments").joinpath("report.css").read_text(encoding="utf-8")
    light, dark = ("".join(f"--quack-{i}:{hue};" for i, hue in enumerate(hues)) for hues in (LIGHT, DARK))
    return f"{sheet}:root{{{light}}}@media (prefers-color-scheme: dark){{:root{{{dark}}}}}"


def _abstract(comparisons: Sequence[Comparison]) -> str:
    groups = {label for comparison in comparisons for label in comparison}
    runs = sum(len(group.runs) for comparison in comparisons for group in comparison.values())
    plays = sum(
        len(group.runs) * group.n_agents * int(group.rounds[-1]) for comparison in comparisons for group in comparison.values()
    )
    on = counted(len(comparisons), "network") if len({c.settings.network for c in comparisons}) == len(comparisons) else ""
    on = on or counted(len(comparisons), "comparison")
    return f"{counted(len(groups), 'group')}, {on}, {counted(runs, 'run')} in all, {plays:,} plays."


def _overview(comparisons: Sequence[Comparison]) -> str:
    """Return a table of final regrets: a row for each group, a column for each comparison."""
    labels = list(dict.fromkeys(label for comparison in comparisons for label in comparison))
    header = ["group", *(comparison.settings.network for comparison in comparisons)]
    body = [[brief(label, _LONGEST_LABEL), *(_interval(comparison, label) for comparison in comparisons)] for label in labels]
    links = ", ".join(
        f'<a href="#c{place}">{escape(comparison.settings.network)}</a>' for place, comparison in enumerate(comparisons)
    )
    return (
        "<h3>Final group regret, mean and 95 % confidence interval</h3>"
        f'<div class="scroll numbers">{table_markup(header, body)}</div>'
        f'<p class="faint">In detail: {links}.</p>'
    )


def _interval(comparison: Comparison, label: str) -> str:
    if label not in list(comparison):
        return "–"
    group = comparison[label]
    half = group.half_width
    return number(group.mean[-1]) + ("" if math.isnan(half) else f" ± {number(half, 3)}")


def _section(comparison: Comparison, anchor: str, *, log: bool) -> Iterator[str]:
    settings = comparison.settings
    groups = list(comparison.values())
    heading = f"{settings.network}: {counted(settings.n_agents, 'agent')}, {counted(settings.n_edges, 'edge')}"
    said = f"{settings.environment}; horizon {settings.horizon:,}; {counted(settings.runs, 'run')}; seed {settings.seed}"
    unfinished = "" if comparison.complete else " The comparison was interrupted: only finished runs are shown."
    yield f'<section id="{anchor}"><h2>{escape(heading)}</h2><p class="faint">{escape(brief(said, 300) + "." + unfinished)}</p>'
    chart = curves(groups, f"Group regret on {settings.network}", width=860, height=400, log=log)
    yield f"<h3>Group regret over rounds</h3><figure>{chart}<figcaption>Mean over runs and the band between the 2.5 and 97.5 "
    yield "percentiles.</figcaption></figure></section>"
    table = table_markup(columns, rows(comparison), words=(0, len(columns) - 1))
    yield f'<section><h3>Final group regret</h3><div class="scroll numbers">{table}</div></section>'
    if len(groups) > 1:
        yield f"<section><h3>Differences in pairs</h3>{_pairs(comparison)}</section>"
    spread = distributions(groups, f"Final group regret on {settings.network}", width=860, log=log)
    yield f"<section><h3>How the final regret is distributed</h3><figure>{spread}"
    yield f"<figcaption>{_SPREAD}</figcaption></figure></section>"
    yield f"<section><h3>Settings</h3>{_settings(comparison)}</section>"


def _pairs(comparison: Comparison) -> str:
    """Return the matrix of differences."""
    labels = list(comparison)
    short = [brief(label, _LONGEST_LABEL) for label in labels]
    pairs = len(labels) * (len(labels) - 1) // 2
    lines = [f"<tr><th></th>{''.join(f'<th>{escape(label)}</th>' for label in short)}</tr>"]
    for label, name in zip(labels, short, strict=True):
        cells = "".join(_difference(comparison, label, other, pairs) for other in labels)
        lines.append(f"<tr><td>{escape(name)}</td>{cells}</tr>")
    said = escape(_PAIRS.format(pairs=counted(pairs, "pair")))
    return f'<div class="scroll numbers"><table class="pairs">{"".join(lines)}</table></div><p class="faint">{said}</p>'


def _difference(comparison: Comparison, one: str, other: str, pairs: int) -> str:
    if one == other:
        return "<td></td>"
    found = comparison.difference(one, other)
    if math.isnan(found.half_width):
        return f'<td style="text-align:right">{_signed(found.mean)}</td>'
    sure = comparison.difference(one, other, level=1 - 0.05 / pairs).clear
    kind, mark = (("less", "▼ ") if found.mean < 0 else ("more", "▲ ")) if found.clear else ("", "")
    text = f"{mark}{_signed(found.mean)} ± {number(found.half_width, 3)}"
    return f'<td class="{kind}{" sure" if sure else ""}" style="text-align:right">{text}</td>'


def _signed(value: float) -> str:
    return number(value).replace("-", "−", 1) if value < 0 else number(value)


def _settings(comparison: Comparison) -> str:
    settings = comparison.settings
    body = [
        ["network", f"{settings.network} ({counted(settings.n_agents, 'agent')}, {counted(settings.n_edges, 'edge')})"],
        ["environment", settings.environment],
        ["gaps", brief(", ".join(f"{gap:.6g}" for gap in settings.gaps), 400)],
        ["horizon, runs, seed", f"{settings.horizon:,}, {settings.runs:,}, {settings.seed}"],
        ["version", f"quack {settings.version}"],
        *([f"group {label}", group.description] for label, group in comparison.items()),
    ]
    table = table_markup(["setting", "value"], body, words=(0, 1))
    command = _command(comparison)
    again = f"<p>The same result, to the last bit:</p><pre>{escape(command)}</pre>" if command else ""
    return f'<div class="scroll">{table}</div>{again}'


def _command(comparison: Comparison) -> str | None:
    """Return the command line that makes the comparison again; None if a part of it cannot be named there."""
    settings = comparison.settings
    expressions = [settings.environment, *(group.description for group in comparison.values())]
    if not all(map(_is_expression, expressions)) or ":" not in settings.network:
        return None
    groups = [("-g", f"{label}={group.description}") for label, group in comparison.items()]
    numbers = [("--horizon", settings.horizon), ("--runs", settings.runs), ("--seed", settings.seed)]
    flags = [("-n", settings.network), ("-e", settings.environment), *groups, *numbers]
    options = (f"{flag} {_quoted(str(value))}" for flag, value in flags)
    return " \\\n  ".join(itertools.chain(["quack compare"], options))


def _quoted(text: str) -> str:
    """Quote a word for a shell; expressions contain single quotes, so double ones are easier to read."""
    return f'"{text}"' if "'" in text and not re.search(r'["$`\\!]', text) else shlex.quote(text)


def _is_expression(text: str) -> bool:
    """Whether a text can be read as Python. It is not evaluated: a result may come from anywhere."""
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True
