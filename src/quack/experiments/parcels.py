"""Finished runs as files: plain .npz, small, and named after what they hold and a digest of it.

``CELL-GROUP-FIRST-LAST-DIGEST.npz``: so a folder's listing says what is finished, and a file that was truncated or damaged is
found out. Plays are kept as the steps between checkpoints, in the smallest integers that hold them.
"""

import hashlib
import io
import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from quack.errors import StoreError
from quack.kernels import Integers
from quack.simulation.chunk import Chunk, Outcome, Signals, perform
from quack.store import atomic_file
from quack.version import __version__

__all__ = ["Parcel", "Place", "is_whole", "list_places", "pack", "perform_packed", "put", "take"]

_NAME = re.compile(r"(\d+)-(\d+)-(\d+)-(\d+)-([0-9a-f]{16})\.npz")


class Parcel(NamedTuple):
    """Finished runs of one group, ready to be written."""

    runs: range
    content: bytes  # empty if there are none
    version: str


class Place(NamedTuple):
    """Where finished runs are."""

    cell: int
    group: int
    runs: range
    path: Path


def perform_packed(identity: str, chunk: Chunk, signals: Signals | None = None) -> Parcel:
    """Play the runs of a chunk, and pack them where they were played: less is sent, and many do it at once."""
    return pack(perform(chunk, signals), identity)


def pack(outcome: Outcome, identity: str) -> Parcel:
    """Pack what came of a chunk."""
    if not len(outcome.runs):
        return Parcel(range(0), b"", __version__)
    runs = range(int(outcome.runs[0]), int(outcome.runs[-1]) + 1)
    steps = np.diff(outcome.plays, axis=1, prepend=0)
    smallest = np.min_scalar_type(int(steps.max())) if steps.min() >= 0 else steps.dtype
    meta = {"study": identity, "label": outcome.label, "runs": [runs.start, runs.stop], "cpu_s": outcome.cpu_s}
    file = io.BytesIO()
    np.savez_compressed(file, meta=np.frombuffer(json.dumps(meta).encode(), np.uint8), steps=steps.astype(smallest))
    return Parcel(runs, file.getvalue(), __version__)


def put(parcel: Parcel, folder: Path, cell: int, group: int) -> Place:
    """Write a parcel; it is on the disk, whole, when this returns."""
    runs = parcel.runs
    path = folder / f"{cell:05d}-{group:03d}-{runs[0]:010d}-{runs[-1]:010d}-{_digest(parcel.content)}.npz"
    with atomic_file(path) as file:
        file.write(parcel.content)
    return Place(cell, group, runs, path)


def take(place: Place, identity: str, label: str) -> Outcome:
    """Read a parcel."""
    content = _read(place.path)
    if not _fits(place.path, content):
        raise StoreError(f"{place.path} is damaged; `quack run` plays its runs again")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        meta = json.loads(arrays["meta"].tobytes())
        steps = arrays["steps"]
    if (meta["study"], meta["label"], range(*meta["runs"])) != (identity, label, place.runs):
        raise StoreError(f"{place.path} is of another study; it belongs in another folder")
    return Outcome(label, np.array(place.runs, np.int64), _summed(steps), meta["cpu_s"])


def is_whole(place: Place) -> bool:
    """Whether a file holds what its name says."""
    return _fits(place.path, _read(place.path))


def list_places(folder: Path) -> list[Place]:
    """List the finished runs that lie in a folder, by cell, group and run."""
    try:
        paths = list(folder.iterdir())
    except OSError as error:
        raise StoreError(f"cannot read {folder}: {error.strerror or error}") from error
    places = []
    for path in paths:
        if match := _NAME.fullmatch(path.name):
            cell, group, first, last = map(int, match.groups()[:4])
            places.append(Place(cell, group, range(first, last + 1), path))
    return sorted(places, key=lambda place: (place.cell, place.group, place.runs.start))


def _summed(steps: Integers) -> Integers:
    summed: Integers = np.cumsum(steps, axis=1, dtype=np.int64)
    return summed


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _fits(path: Path, content: bytes) -> bool:
    return path.stem.endswith(_digest(content))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
