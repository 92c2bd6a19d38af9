"""What a comparison found: plays at checkpoints, and all that is derived from them."""

import dataclasses
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from quack.errors import SpecError, StoreError, nearest
from quack.extras import require
from quack.kernels import Floats, Integers
from quack.store import read_arrays, write_arrays
from quack.version import __version__

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas as pd
    import xarray as xr

    from quack.simulation.pairing import Difference

__all__ = ["Comparison", "GroupResult", "Settings", "load"]

_FORMAT = 1
_IN_META = ("label", "description", "mode", "cpu_s")  # of a group; its arrays stand beside


@dataclasses.dataclass(frozen=True)
class Settings:
    """Everything that is needed to make the same result again."""

    network: str
    n_agents: int
    n_edges: int
    environment: str
    gaps: tuple[float, ...]
    horizon: int
    runs: int
    seed: int
    version: str = __version__


@dataclasses.dataclass(frozen=True, eq=False)
class GroupResult:
    """What one group did in all its runs. Two are equal if everything in them is, the times too.

    Attributes
    ----------
    label
        The name that the comparison gave it.
    description
        The group with its parameters, as an expression.
    mode
        "compiled" or "interpreted".
    rounds
        The checkpoints: after these rounds plays were counted.
    runs
        The numbers of the runs, (runs,). Run r met the same luck in every group.
    plays
        Plays of each action by all agents together up to each checkpoint, (runs, checkpoints, actions).
    cpu_s
        Processor time of all runs together.
    """

    label: str
    description: str
    mode: str
    rounds: Integers
    runs: Integers
    plays: Integers
    gaps: Floats
    n_agents: int
    cpu_s: float

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GroupResult):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in dataclasses.fields(self))

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    @property
    def regret(self) -> Floats:
        """Group regret Σ_a Δ_a · plays of a, (runs, checkpoints): the pseudo-regret of the paper, free of reward noise."""
        regret: Floats = self.plays @ self.gaps
        return regret

    @property
    def final(self) -> Floats:
        """Group regret after the last round, (runs,)."""
        return self.regret[:, -1]

    @property
    def mean(self) -> Floats:
        """Mean group regret over runs, (checkpoints,)."""
        mean: Floats = self.regret.mean(axis=0)
        return mean

    def band(self, low: float = 2.5, high: float = 97.5) -> tuple[Floats, Floats]:
        """Return two percentiles of the runs' group regret at each checkpoint; the paper shows 2.5 and 97.5."""
        lower, upper = np.percentile(self.regret, (low, high), axis=0)
        return lower, upper

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % confidence interval of the mean final regret (Student's t); NaN from a single run."""
        n = len(self.final)
        if n < 2:  # noqa: PLR2004 (a spread needs two)
            return float("nan")
        quantile = require("scipy.special", "a confidence interval").stdtrit(n - 1, 0.975)
        return float(quantile * self.final.std(ddof=1) / np.sqrt(n))

    @property
    def ns_per_agent_round(self) -> float:
        """Processor time per play of an agent, in nanoseconds."""
        plays = len(self.runs) * self.n_agents * int(self.rounds[-1])
        return self.cpu_s / plays * 1e9 if plays else float("nan")

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from quack.simulation.markup import group_markup

        return group_markup(self)


class Comparison(Mapping[str, GroupResult]):
    """Groups that met the same worlds: a mapping from their labels to what they did.

    `print` shows a table. `plot` draws the curves. `save` and `quack.load` keep it in a file with everything needed to redo it.
    Two comparisons are equal if everything in them is, the times too.
    """

    def __init__(self, settings: Settings, groups: Mapping[str, GroupResult], wall_s: float) -> None:
        self.settings = settings
        self.wall_s = wall_s
        self._groups = dict(groups)

    def __getitem__(self, label: str) -> GroupResult:
        if label not in self._groups:
            raise KeyError(
                f"no group {label!r}; there are {', '.join(map(repr, self._groups))}.{nearest(str(label), self._groups)}"
            )
        return self._groups[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Comparison):
            return NotImplemented
        return (self.settings, self.wall_s, self._groups) == (other.settings, other.wall_s, other._groups)

    __hash__ = None  # type: ignore[assignment]  # as of every mapping

    @property
    def complete(self) -> bool:
        """Whether every run of every group was finished."""
        return all(len(group.runs) == self.settings.runs for group in self.values())

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self)} on {self.settings.network}, {self.settings.runs} runs>"

    def __str__(self) -> str:
        from quack.simulation.table import plain_table

        return plain_table(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the table and the curves."""
        from quack.simulation.markup import comparison_markup

        return comparison_markup(self)

    def difference(self, one: str, other: str, *, level: float = 0.95) -> "Difference":
        """Return how much more one group regrets than another at the end, run by run: mean and confidence interval.

        Examples
        --------
        >>> import quack
        >>> groups = {"together": quack.QuACK(quack.UCB(sigma=0.5)), "alone": quack.Independent(quack.UCB(sigma=0.5))}
        >>> found = quack.compare(groups, quack.Bernoulli([0.9, 0.1]), "star:10", horizon=100, runs=20, seed=0, progress=False)
        >>> found.difference("together", "alone").clear
        True
        """
        from quack.simulation.pairing import difference

        return difference(self[one], self[other], level=level)

    def plot(self, ax: "matplotlib.axes.Axes | None" = None, *, log: bool = False) -> "matplotlib.axes.Axes":
        """Draw the mean group regret of each group and the band between the 2.5 and 97.5 percentiles of its runs."""
        from quack.simulation.drawing import draw_regret

        return draw_regret(self, ax, log=log)

    def save(self, path: str | Path) -> None:
        """Write everything into a file, in NumPy's .npz format. The file appears whole or not at all."""
        meta = {
            "format": _FORMAT,
            "settings": dataclasses.asdict(self.settings),
            "wall_s": self.wall_s,
            "groups": [{key: getattr(group, key) for key in _IN_META} for group in self.values()],
        }
        arrays: dict[str, npt.NDArray[Any]] = {"meta": np.frombuffer(json.dumps(meta).encode(), np.uint8)}
        for i, group in enumerate(self.values()):
            arrays |= {f"rounds_{i}": group.rounds, f"runs_{i}": group.runs, f"plays_{i}": group.plays}
        write_arrays(Path(path), arrays)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote."""
        return read_arrays(Path(path), "result", cls._from_arrays)

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, Any]) -> Self:
        meta = json.loads(arrays["meta"].tobytes())
        if meta["format"] != _FORMAT:
            raise SpecError(f"its format is {meta['format']}; this version reads format {_FORMAT}")
        settings = Settings(**meta["settings"] | {"gaps": tuple(meta["settings"]["gaps"])})
        groups = {}
        for i, group in enumerate(meta["groups"]):
            rounds, runs, plays = (arrays[f"{name}_{i}"] for name in ("rounds", "runs", "plays"))
            if plays.shape != (len(runs), len(rounds), len(settings.gaps)):
                raise SpecError(f"the plays of {group['label']!r} have the shape {plays.shape}")
            groups[group["label"]] = GroupResult(
                **group, rounds=rounds, runs=runs, plays=plays, gaps=np.array(settings.gaps), n_agents=settings.n_agents
            )
        return cls(settings, groups, meta["wall_s"])

    def to_pandas(self) -> "pd.DataFrame":
        """Return a tidy table: one row per group, run and checkpoint, with the regret and the plays of each action."""
        pandas = require("pandas", "to_pandas()")
        frames = []
        for group in self.values():
            n_runs, n_rounds, n_actions = group.plays.shape
            columns: dict[str, Any] = {
                "group": [group.label] * (n_runs * n_rounds),
                "run": np.repeat(group.runs, n_rounds),
                "round": np.tile(group.rounds, n_runs),
                "regret": group.regret.ravel(),
            }
            columns |= {f"plays_{action}": group.plays[:, :, action].ravel() for action in range(n_actions)}
            frames.append(pandas.DataFrame(columns))
        table: pd.DataFrame = pandas.concat(frames, ignore_index=True)
        return table

    def to_xarray(self) -> "xr.Dataset":
        """Return a dataset with the dimensions group, run, round and action. Runs that were not finished are NaN."""
        xarray = require("xarray", "to_xarray()")
        parts = []
        for group in self.values():
            dims = ("run", "round", "action")
            coordinates = {"run": group.runs, "round": group.rounds, "action": np.arange(len(group.gaps))}
            parts.append(xarray.Dataset({"plays": (dims, group.plays), "regret": (dims[:2], group.regret)}, coords=coordinates))
        labels = xarray.IndexVariable("group", list(self))
        dataset: xr.Dataset = xarray.concat(parts, dim=labels, join="outer")
        return dataset.assign_coords(gap=("action", np.array(self.settings.gaps))).assign_attrs(dataclasses.asdict(self.settings))


def load(path: str | Path) -> Comparison:
    """Read a comparison that was saved with `Comparison.save`."""
    if Path(path).is_dir():
        raise StoreError(f"{path} is a folder, not a file of results; quack.load_study reads the folder of a study")
    return Comparison.load(path)
