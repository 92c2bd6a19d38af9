"""The folder of a study: its manifest, its finished runs, and nobody else at work in it.

::

    manifest.json     the resolved specification
    lock              held while `quack run` is at work
    runs/             finished runs, see `quack.experiments.parcels`

Every file appears whole or not at all. So the folder is a study at any moment, whatever ends the process or the machine.
"""

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from quack.errors import QuackWarning, SpecError, StoreError
from quack.experiments.manifest import Manifest
from quack.experiments.parcels import Place, is_whole, list_places
from quack.simulation.progress import Report, reporting
from quack.simulation.table import counted
from quack.store import atomic_file

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["finished_runs", "is_study", "locked", "open_folder", "read_manifest", "runs_folder", "salvage"]

_MUCH = 2**30  # bytes: checking these takes seconds


def runs_folder(folder: Path) -> Path:
    """Return where the finished runs are."""
    return folder / "runs"


def is_study(folder: Path) -> bool:
    """Whether a path is the folder of a study."""
    return (folder / "manifest.json").is_file()


def read_manifest(folder: Path) -> Manifest:
    """Read what a folder says of itself."""
    path = folder / "manifest.json"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise StoreError(f"{folder} is not a study of quack: there is no {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        return Manifest.from_json(text)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = error if isinstance(error, SpecError) else "it is truncated or was made by something else"
        raise StoreError(f"{path} is not a manifest of quack: {reason}") from error


@contextlib.contextmanager
def open_folder(folder: Path, manifest: Manifest) -> Iterator[None]:
    """Make the folder, or go on with it if it is of the same study, and keep everybody else out meanwhile."""
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{folder} is not a folder; the results of a study go to one")
    if folder.is_dir() and not (folder / "manifest.json").exists() and _strangers(folder):
        raise StoreError(f"{folder} holds {_strangers(folder)[0]!r} and is not a study; an empty or new folder is accepted")
    try:
        runs_folder(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot write {folder}: {error.strerror or error}") from error
    with locked(folder):
        if (folder / "manifest.json").exists():
            difference = read_manifest(folder).difference(manifest)
            if difference is not None:
                raise SpecError(f"{folder} holds another study: {difference}; a new folder is accepted")
        else:
            with atomic_file(folder / "manifest.json") as file:
                file.write(manifest.to_json().encode())
        yield


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep every other process out. The lock is the system's: it goes with the process, however that ends."""
    try:
        file = (folder / "lock").open("a+")
    except OSError as error:
        raise StoreError(f"cannot write {folder}: {error.strerror or error}") from error
    with file:
        try:
            if sys.platform == "win32":
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            file.seek(0)
            raise StoreError(f"{folder} is in use by another process ({file.read().strip() or 'unknown'})") from None
        except OSError as error:
            raise StoreError(f"cannot lock {folder}: {error.strerror or error}") from error
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def salvage(folder: Path, manifest: Manifest, progress: bool | Report) -> list[Place]:
    """Return the finished runs. Files that are damaged, and what a process that was killed left half-written, are removed."""
    for leftover in runs_folder(folder).glob(".quack-*"):
        leftover.unlink(missing_ok=True)
    places = list_places(runs_folder(folder))
    damaged = []
    much = sum(place.path.stat().st_size for place in places) > _MUCH
    with reporting(progress if much else False, 1) as tell:
        for place in places:
            tell(None, f"checking what is finished in {folder}")
            if not is_whole(place):
                damaged.append(place)
    for place in damaged:
        place.path.unlink(missing_ok=True)
    if damaged:
        warnings.warn(
            f"{counted(len(damaged), 'file')} in {runs_folder(folder)} were damaged: "
            f"{counted(sum(len(place.runs) for place in damaged), 'run')} will be played again",
            QuackWarning,
            stacklevel=2,
        )
    kept = [place for place in places if place not in set(damaged)]
    finished_runs(kept, manifest, folder)
    return kept


def finished_runs(places: Sequence[Place], manifest: Manifest, folder: Path) -> dict[tuple[int, int], list[Place]]:
    """Sort finished runs by cell and group; refuse what is there twice, or is none of this study's."""
    found: dict[tuple[int, int], list[Place]] = {}
    for place in places:
        known = place.cell < len(manifest.cells) and place.group < len(manifest.cells[place.cell].groups)
        if not known or place.runs.stop > manifest.cells[place.cell].settings.runs:
            raise StoreError(f"{place.path} is of another study; it belongs in another folder")
        mine = found.setdefault((place.cell, place.group), [])
        if mine and place.runs.start < mine[-1].runs.stop:
            raise StoreError(f"{folder} holds run {place.runs.start} twice: in {mine[-1].path.name} and in {place.path.name}")
        mine.append(place)
    return found


def _strangers(folder: Path) -> list[str]:
    """List what is in a folder that is no part of a study."""
    return sorted(
        path.name for path in folder.iterdir() if path.name not in {"lock", "runs"} and not path.name.startswith(".quack-")
    )
