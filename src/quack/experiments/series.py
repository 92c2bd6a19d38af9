"""What a figure draws, as numbers: lines with a band. They come from results, go into a file, and come back from it."""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quack.experiments.catalogue import Entry, Study
from quack.extras import require
from quack.kernels import Floats
from quack.simulation.result import Comparison
from quack.store import atomic_file

__all__ = ["FINALS", "Played", "Series", "final_rows", "series_of", "write_table"]

_COLUMNS = ("panel", "group", "x", "mean", "low", "high", "bound")
FINALS = ("panel", "network", "at", "group", "run", "regret")
"""The columns of the table of final regrets, a row for each run."""

Played = Sequence[tuple[Study, Comparison]]
Row = tuple[object, ...]


class Series(NamedTuple):
    """A line of a figure: mean and band, and what is proven if that is shown.

    Of rankings and bounds it is a single point, whose x is 0.
    """

    panel: str
    group: str
    x: Floats
    mean: Floats
    low: Floats  # 2.5th percentile of the runs
    high: Floats  # 97.5th
    bound: float = math.nan

    def rows(self) -> list[Row]:
        """Return one row for each point, in the order of the columns of the file."""
        numbers = zip(self.x, self.mean, self.low, self.high, strict=True)
        return [(self.panel, self.group, *map(float, point), self.bound) for point in numbers]


def series_of(entry: Entry, played: Played) -> list[Series]:
    """Return the lines of a figure that shows regret."""
    if entry.kind == "against":
        return _against(played)
    found = []
    for study, comparison in played:
        for group in comparison.values():
            low, high = group.band()
            last = slice(None) if entry.kind == "curves" else slice(-1, None)
            x = group.rounds.astype(float) if entry.kind == "curves" else np.zeros(1)
            bound = _bound(study, comparison, group.label) if entry.kind == "bounds" else math.nan
            found.append(Series(study.panel, group.label, x, group.mean[last], low[last], high[last], bound))
    return found


def _against(played: Played) -> list[Series]:
    """Return a line for each group of each panel: its final regret over the places of the studies."""
    points: dict[tuple[str, str], list[tuple[float, float, float, float]]] = {}
    for study, comparison in played:
        for group in comparison.values():
            low, high = group.band()
            point = (study.at, float(group.mean[-1]), float(low[-1]), float(high[-1]))
            points.setdefault((study.panel, group.label), []).append(point)
    return [Series(panel, label, *np.array(sorted(line)).T) for (panel, label), line in points.items()]


def _bound(study: Study, comparison: Comparison, label: str) -> float:
    """Return what is proven of a group; NaN if nothing is."""
    from quack.experiments.expressions import evaluate
    from quack.networks import read
    from quack.theory import bound_of

    group, environment = evaluate(study.groups[label], "group"), evaluate(study.environment, "environment")
    return bound_of(group, read(study.network), environment, comparison.settings.horizon).value


def final_rows(played: Played) -> list[Row]:
    """Return the final regret of every run, in the order of `FINALS`: what comparisons in pairs need."""
    return [
        (study.panel, study.network, study.at, group.label, int(run), float(regret))
        for study, comparison in played
        for group in comparison.values()
        for run, regret in zip(group.runs, group.final, strict=True)
    ]


def write_table(path: Path, rows: Iterable[Row], columns: Sequence[str] = _COLUMNS) -> None:
    """Write rows as CSV or, if the file is called so, as Parquet."""
    if path.suffix == ".parquet":
        pandas = require("pandas", "a Parquet file")
        require("pyarrow", "a Parquet file")
        with atomic_file(path) as file:
            pandas.DataFrame(list(rows), columns=list(columns)).to_parquet(file, index=False)
        return
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_brief(value) for value in row] for row in rows)
    with atomic_file(path) as file:
        file.write(text.getvalue().encode())


def _brief(value: object) -> object:
    """Write a number with the nine digits that a drawing can use at most; nothing for NaN."""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.9g}"
    return value
