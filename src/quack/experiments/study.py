"""What a study found: a folder, read cell by cell."""

import math
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from quack.errors import SpecError, StoreError, nearest
from quack.experiments.folder import finished_runs, read_manifest, runs_folder
from quack.experiments.grid import written
from quack.experiments.manifest import StudyCell
from quack.experiments.parcels import list_places, take
from quack.experiments.spec import Experiment
from quack.experiments.summaries import GroupSummary, plain_table, save_table, summarize, table_cells
from quack.extras import require
from quack.simulation.chunk import Outcome
from quack.simulation.result import Comparison, GroupResult

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Study", "load_study"]


class Study(Mapping[str, Comparison]):
    """The results of an experiment in a folder: a mapping from the names of its cells to comparisons, read when asked for.

    It knows what was finished when it was made. `print` shows a table; that, `summaries` and `to_pandas` read one chunk after the
    other: a run takes 8 bytes of memory, its final regret. Cells are played in turns, perhaps on several machines: a comparison's
    `wall_s` is the processor time of its runs.

    Attributes
    ----------
    folder : pathlib.Path
        Where the results are.
    experiment : Experiment
        The specification, resolved.
    version : str
        The version of quack that played it.
    cells : tuple of StudyCell
        All cells of the grid, with `name`, `varied`, `settings` and `groups`.

    Examples
    --------
    >>> import tempfile, quack
    >>> experiment = quack.Experiment(groups={"it": "QuACK(UCB(sigma={sigma}))"}, horizon=50, runs=4, grid={"sigma": (0.5, 1.0)})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     study = quack.run_study(experiment, folder, progress=False)
    ...     [(cell, comparison["it"].regret.shape) for cell, comparison in study.items()]
    [('network=grid:4x4, sigma=0.5', (4, 50)), ('network=grid:4x4, sigma=1.0', (4, 50))]
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._manifest = read_manifest(self.folder)
        self.experiment: Experiment = self._manifest.experiment
        self.version = self._manifest.version
        self.cells: tuple[StudyCell, ...] = self._manifest.cells
        self._places = finished_runs(list_places(runs_folder(self.folder)), self._manifest, self.folder)
        self._numbers = {cell.name: i for i, cell in enumerate(self.cells)}

    def __iter__(self) -> Iterator[str]:
        begun = {cell for cell, _ in self._places}
        return (name for name, cell in self._numbers.items() if cell in begun)

    def __len__(self) -> int:
        return len({cell for cell, _ in self._places})

    def __getitem__(self, name: str) -> Comparison:
        if name not in self._numbers:
            raise KeyError(f"no cell {name!r}.{nearest(str(name), self._numbers)} Study.cells lists them")
        return self._comparison(self._numbers[name])

    def at(self, **values: Any) -> Comparison:
        """Return the comparison of the one cell that has these values, such as ``at(network="grid:4x4", sigma=0.5)``."""
        axes = sorted({name for cell in self.cells for name in cell.varied})
        for name in values:
            if name not in axes:
                raise SpecError(f"no cell has a {name!r}.{nearest(name, axes)} Cells have {', '.join(axes)}")
        found = [
            i
            for i, cell in enumerate(self.cells)
            if all(written(cell.varied[name]) == written(value) for name, value in values.items())
        ]
        if len(found) != 1:
            text = ", ".join(f"{name}={written(value)}" for name, value in values.items())
            raise SpecError(f"{len(found)} cells have {text or 'any values'}; values of one cell are accepted")
        return self._comparison(found[0])

    @property
    def complete(self) -> bool:
        """Whether every run is finished."""
        return self.finished == self.asked

    @property
    def asked(self) -> int:
        """How many runs there are, of all groups in all cells."""
        return sum(cell.settings.runs * len(cell.groups) for cell in self.cells)

    @property
    def finished(self) -> int:
        """How many of them are finished."""
        return sum(len(place.runs) for places in self._places.values() for place in places)

    def __repr__(self) -> str:
        return f"<Study in {self.folder}, {len(self.cells)} cells, {self.finished:,} of {self.asked:,} runs>"

    def __str__(self) -> str:
        return plain_table(self.summaries())

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the table."""
        from quack.simulation.markup import table_markup

        header, body = table_cells(self.summaries())
        words = [*range(header.index("group") + 1), len(header) - 1]
        return f"<div><p>{escape(repr(self)[1:-1])}</p>{table_markup(header, body, words=words)}</div>"

    def summaries(self) -> list[GroupSummary]:
        """Return what each group did in each cell: one row of the table."""
        return [
            summarize(cell, number, self._manifest.rounds_of(cell), self._outcomes(i, number))
            for i, cell in enumerate(self.cells)
            for number in range(len(cell.groups))
            if (i, number) in self._places
        ]

    def to_pandas(self) -> "pd.DataFrame":
        """Return the table of summaries: one row per cell and group. All runs of a cell are in ``study[name].to_pandas()``."""
        pandas = require("pandas", "to_pandas()")
        table: pd.DataFrame = pandas.DataFrame([row.as_dict() for row in self.summaries()])
        return table

    def save_table(self, path: str | Path) -> None:
        """Write the table of summaries into a file that ends in .csv or .parquet."""
        save_table(self.summaries(), Path(path))

    def _outcomes(self, cell: int, group: int) -> Iterator[Outcome]:
        label = self.cells[cell].groups[group].label
        return (take(place, self._manifest.identity, label) for place in self._places[cell, group])

    def _comparison(self, number: int) -> Comparison:
        cell = self.cells[number]
        groups = {}
        for i, (label, description, mode) in enumerate(cell.groups):
            if (number, i) not in self._places:
                continue
            parts = list(self._outcomes(number, i))
            groups[label] = GroupResult(
                label=label,
                description=description,
                mode=mode,
                rounds=self._manifest.rounds_of(cell),
                runs=np.concatenate([part.runs for part in parts]),
                plays=np.concatenate([part.plays for part in parts]),
                gaps=np.array(cell.settings.gaps),
                n_agents=cell.settings.n_agents,
                cpu_s=math.fsum(part.cpu_s for part in parts),
            )
        if not groups:
            raise StoreError(f"no run of {cell.name} is finished yet; `quack run` plays them")
        return Comparison(cell.settings, groups, math.fsum(group.cpu_s for group in groups.values()))


def load_study(folder: str | Path) -> Study:
    """Open a study that was played by `run_study` or `quack run`, whether it is finished or still under way."""
    return Study(folder)
