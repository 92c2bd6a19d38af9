"""The table of a study, read in one pass: one row per cell and group."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.experiments.grid import written
from quack.experiments.manifest import StudyCell
from quack.extras import require
from quack.kernels import Floats, Integers
from quack.simulation.chunk import Outcome
from quack.simulation.table import brief, duration, number
from quack.store import atomic_file

__all__ = ["GroupSummary", "check_table_path", "plain_table", "save_table", "summarize", "table_cells"]

_LONGEST = 40  # characters of a value in a table


class GroupSummary(NamedTuple):
    """What one group did in one cell.

    Attributes
    ----------
    cell
        The cell: its `varied`, its `settings`.
    label, mode
        The group's.
    runs
        How many are finished.
    rounds
        The checkpoints.
    mean
        Mean group regret at each.
    final
        Group regret after the last round in each run.
    cpu_s
        Processor time of all runs together.
    """

    cell: StudyCell
    label: str
    mode: str
    runs: int
    rounds: Integers
    mean: Floats
    final: Floats
    cpu_s: float

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % confidence interval of the mean final regret (Student's t); NaN from a single run."""
        if self.runs < 2:  # noqa: PLR2004 (a spread needs two)
            return float("nan")
        quantile = require("scipy.special", "a confidence interval").stdtrit(self.runs - 1, 0.975)
        return float(quantile * self.final.std(ddof=1) / np.sqrt(self.runs))

    @property
    def band(self) -> tuple[float, float]:
        """The 2.5 and 97.5 percentiles of the runs' final regret."""
        low, high = np.percentile(self.final, (2.5, 97.5))
        return float(low), float(high)

    def as_dict(self) -> dict[str, Any]:
        """Return the row of a table."""
        low, high = self.band
        settings = self.cell.settings
        return {
            **{
                name: value if isinstance(value, str | int | float) else written(value)
                for name, value in self.cell.varied.items()
            },
            "group": self.label,
            "agents": settings.n_agents,
            "rounds": settings.horizon,
            "runs": self.runs,
            "final_regret": float(self.mean[-1]),
            "half_width_95": self.half_width,
            "final_regret_2.5%": low,
            "final_regret_97.5%": high,
            "cpu_s": self.cpu_s,
            "mode": self.mode,
        }


def summarize(cell: StudyCell, group: int, rounds: Integers, outcomes: Iterable[Outcome]) -> GroupSummary:
    """Add up what came of a group, chunk by chunk. Sums of plays are whole numbers: the result does not depend on the cut."""
    gaps = np.array(cell.settings.gaps)
    total = np.zeros((len(rounds), len(gaps)), np.int64)
    final, runs, cpu_s = [np.zeros(0)], 0, 0.0
    for outcome in outcomes:
        total += outcome.plays.sum(axis=0)
        final.append(outcome.plays[:, -1] @ gaps)
        runs += len(outcome.runs)
        cpu_s += outcome.cpu_s
    entry = cell.groups[group]
    return GroupSummary(cell, entry.label, entry.mode, runs, rounds, total @ gaps / runs, np.concatenate(final), cpu_s)


def table_cells(rows: Sequence[GroupSummary]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the header and the rows of a table for people. What is the same in all rows is left out."""
    axes = [name for name in (rows[0].cell.varied if rows else ()) if len({written(row.cell.varied[name]) for row in rows}) > 1]
    header = (*axes, "group", "runs", "final group regret", "95 % CI", "2.5 %", "97.5 %", "CPU time", "engine")
    body = []
    for row in rows:
        low, high = row.band
        asked = row.cell.settings.runs
        body.append(
            (
                *(brief(written(row.cell.varied[name]), _LONGEST) for name in axes),
                brief(row.label, _LONGEST),
                f"{row.runs:,}" if row.runs == asked else f"{row.runs:,} of {asked:,}",
                number(float(row.mean[-1])),
                "–" if row.runs == 1 else f"± {number(row.half_width, 3)}",
                number(low),
                number(high),
                duration(row.cpu_s),
                row.mode,
            )
        )
    return header, body


def plain_table(rows: Sequence[GroupSummary]) -> str:
    """Return the table as plain text."""
    header, body = table_cells(rows)
    widths = [max(map(len, column)) for column in zip(header, *body, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (header, *body))
    return "\n".join(lines)


def check_table_path(path: Path) -> Path:
    """Refuse a table's file name before the work that would fill it."""
    if path.suffix not in {".csv", ".parquet"}:
        raise SpecError(f"table is {str(path)!r}; a file name that ends in .csv or .parquet is accepted")
    if path.suffix == ".parquet":
        require("pyarrow", "a .parquet file")
    return path


def save_table(rows: Sequence[GroupSummary], path: Path) -> None:
    """Write the table into a file, in the format that its name says."""
    check_table_path(path)
    table = [row.as_dict() for row in rows]
    with atomic_file(path) as file:
        if path.suffix == ".parquet":
            require("pyarrow.parquet", "a .parquet file").write_table(require("pyarrow", "it").Table.from_pylist(table), file)
            return
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.DictWriter(text, list(table[0]) if table else ["group"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
        text.detach()
