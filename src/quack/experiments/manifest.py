"""What a study's folder says of itself: the resolved specification, with the version, the networks and the code it began with."""

import dataclasses
import functools
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from quack.comparison import Plan
from quack.errors import SpecError
from quack.experiments.grid import cell_name
from quack.experiments.spec import Cell, Experiment
from quack.kernels import Integers
from quack.networks import Network
from quack.simulation.fingerprint import is_record, survey
from quack.simulation.result import Settings
from quack.simulation.table import brief
from quack.version import __version__

__all__ = ["GroupEntry", "Manifest", "StudyCell"]

_FORMAT = 1
_LONGEST = 100  # characters of a value in a sentence


class GroupEntry(NamedTuple):
    """A group of a cell."""

    label: str
    description: str
    mode: str


@dataclasses.dataclass(frozen=True)
class StudyCell:
    """One combination of the values that vary, with everything that is needed to play it again.

    Attributes
    ----------
    varied
        What it has of its own: its network, and a value for each name of the grid.
    settings
        As of a comparison.
    groups
        Label, description and mode of each group.
    graph
        A digest of the network's edges.
    """

    varied: Mapping[str, Any]
    settings: Settings
    groups: tuple[GroupEntry, ...]
    graph: str

    @property
    def name(self) -> str:
        """Its values in words, such as "network=grid:4x4, sigma=0.5"."""
        return cell_name(self.varied)


@dataclasses.dataclass(frozen=True)
class Manifest:
    """A study's specification, resolved."""

    experiment: Experiment
    cells: tuple[StudyCell, ...]
    rounds: Mapping[int, tuple[int, ...]]  # the checkpoints, by horizon
    sources: Mapping[str, str]  # digests of the modules that define what is played
    version: str = __version__

    @classmethod
    def of(cls, experiment: Experiment, cells: Sequence[Cell], plans: Sequence[Plan], networks: Mapping[str, Network]) -> Self:
        """Describe what is about to be played."""
        graphs = {name: _digest_of_edges(network) for name, network in networks.items()}
        entries = tuple(
            StudyCell(cell.varied, plan.settings, _entries(plan), graphs[cell.experiment.network[0]])
            for cell, plan in zip(cells, plans, strict=True)
        )
        rounds = {plan.settings.horizon: tuple(plan.work[0].checkpoints.tolist()) for plan in plans}
        played = [(whole.group, whole.environment) for plan in plans for whole in plan.work]
        return cls(experiment, entries, rounds, _sources(played))

    def to_json(self) -> str:
        """Write it."""
        cells = [
            {
                "varied": dict(cell.varied),
                "settings": dataclasses.asdict(cell.settings),
                "groups": [list(group) for group in cell.groups],
                "graph": cell.graph,
            }
            for cell in self.cells
        ]
        content = {
            "format": _FORMAT,
            "version": self.version,
            "experiment": self.experiment.to_dict(),
            "sources": dict(self.sources),
            "rounds": {str(horizon): list(rounds) for horizon, rounds in self.rounds.items()},
            "cells": cells,
        }
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote."""
        content = json.loads(text)
        if content["format"] != _FORMAT:
            raise SpecError(f"its format is {content['format']}; this version reads format {_FORMAT}")
        cells = tuple(
            StudyCell(
                cell["varied"],
                Settings(**cell["settings"] | {"gaps": tuple(cell["settings"]["gaps"])}),
                tuple(GroupEntry(*group) for group in cell["groups"]),
                cell["graph"],
            )
            for cell in content["cells"]
        )
        rounds = {int(horizon): tuple(rounds) for horizon, rounds in content["rounds"].items()}
        experiment = Experiment().updated(content["experiment"], "the manifest")
        return cls(experiment, cells, rounds, content["sources"], content["version"])

    @functools.cached_property
    def identity(self) -> str:
        """A digest of all of it, which every file of results bears."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]

    def rounds_of(self, cell: StudyCell) -> Integers:
        """Return the checkpoints of a cell."""
        return np.array(self.rounds[cell.settings.horizon], np.int64)

    def difference(self, other: "Manifest") -> str | None:
        """Say in words what the other has that this has not; None if they are of the same study."""
        if self.to_json() == other.to_json():
            return None
        ours, theirs = self.experiment.to_dict(), other.experiment.to_dict()
        for key in {**ours, **theirs}:
            there, here = (brief(str(values.get(key, "in the grid")), _LONGEST) for values in (ours, theirs))
            if ours.get(key) != theirs.get(key):
                return f"{key} is {there} there and {here} here"
        if self.version != other.version:
            return f"it is of quack {self.version}, and this is quack {other.version}"
        for module in sorted({*self.sources, *other.sources}):
            if self.sources.get(module) != other.sources.get(module):
                return f"the code of {module} is another"
        for mine, its in zip(self.cells, other.cells, strict=True):
            if mine.graph != its.graph:
                return f"the network {mine.settings.network} has other edges"
        return "what its texts stand for has changed"


def _entries(plan: Plan) -> tuple[GroupEntry, ...]:
    return tuple(
        GroupEntry(whole.label, repr(whole.group), "compiled" if whole.compiled else "interpreted") for whole in plan.work
    )


def _digest_of_edges(network: Network) -> str:
    digest = hashlib.sha256(network.offsets.tobytes())
    digest.update(network.neighbours.tobytes())
    return digest.hexdigest()[:16]


def _sources(played: Sequence[Any]) -> dict[str, str]:
    """Return a digest of the source of each module that defines a part of what is played: a policy, what it calls, a factory."""
    classes: set[type] = set()
    modules: set[str] = set()
    for thing in played:
        for part in _parts(thing):
            if is_record(part):
                classes.add(type(part))
            modules.add(getattr(part if callable(part) else type(part), "__module__", ""))
    reach = survey(sorted(classes, key=lambda found: (found.__module__, found.__qualname__)), _sources, "")
    modules |= {found.__module__ for found in (*reach.classes, *reach.kernels, *reach.unmarked)}
    digests = {}
    for name in sorted(modules - {__name__}):
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None and file.endswith(".py"):
            digests[name] = hashlib.sha256(Path(file).read_bytes().replace(b"\r\n", b"\n")).hexdigest()[:16]
    return digests


def _parts(value: Any) -> Iterator[Any]:
    """Iterate over a record and all that it is made of; of a plain object, over what it holds."""
    yield value
    inside = value if isinstance(value, tuple) else vars(value).values() if _is_plain_object(value) else ()
    for part in inside:
        yield from _parts(part)


def _is_plain_object(value: Any) -> bool:
    return hasattr(value, "__dict__") and not isinstance(value, type) and not hasattr(value, "__code__")
