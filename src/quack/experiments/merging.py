"""Parts of a study that were played on different machines, put together."""

import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from quack.errors import SpecError, StoreError
from quack.experiments.folder import open_folder, read_manifest, runs_folder
from quack.experiments.manifest import Manifest
from quack.experiments.parcels import Place, is_whole, list_places
from quack.experiments.study import Study
from quack.simulation.admission import check_progress
from quack.simulation.progress import Report, reporting
from quack.store import atomic_file

__all__ = ["merge_studies"]


def merge_studies(folders: Sequence[str | Path], into: str | Path, *, progress: bool | Report = True) -> Study:
    """Put the finished runs of several folders into a new one.

    Parameters
    ----------
    folders
        Studies of the same experiment, played with `shard`.
    into
        A new folder, or one in which this merge was begun. The other folders stay as they are.
    progress
        As in `run_study`.

    Raises
    ------
    SpecError
        If the folders are of different studies, hold a run twice, or lack one; before anything is written.
    StoreError
        If a file is damaged, or cannot be written.
    """
    sources, target = [Path(folder) for folder in folders], Path(into)
    if not sources:
        raise SpecError("there are no folders to merge; at least one is accepted")
    report = check_progress(progress)
    manifests = [read_manifest(folder) for folder in sources]
    for folder, other in zip(sources[1:], manifests[1:], strict=True):
        difference = manifests[0].difference(other)
        if difference is not None:
            raise SpecError(f"{sources[0]} and {folder} are of different studies: {difference}; `there` is {sources[0]}")
    if any(folder.resolve() == target.resolve() for folder in sources):
        raise SpecError(f"{target} is one of the folders to merge; a new folder is accepted")
    manifest = manifests[0]
    places = sorted(itertools.chain(*(list_places(runs_folder(folder)) for folder in sources)), key=_order)
    _check(places, manifest)
    with open_folder(target, manifest), reporting(report, sum(_agent_rounds(place, manifest) for place in places)) as tell:
        done = 0
        for place in places:
            _copy(place, runs_folder(target))
            done += _agent_rounds(place, manifest)
            tell(done, "merging")
    return Study(target)


def _order(place: Place) -> tuple[int, int, int]:
    return place.cell, place.group, place.runs.start


def _check(places: Sequence[Place], manifest: Manifest) -> None:
    """Refuse runs that are there twice, and runs that are missing."""
    found = {key: list(mine) for key, mine in itertools.groupby(places, lambda place: (place.cell, place.group))}
    gaps = []
    for number, cell in enumerate(manifest.cells):
        for group, entry in enumerate(cell.groups):
            mine = found.pop((number, group), [])
            for earlier, later in itertools.pairwise(mine):
                if later.runs.start < earlier.runs.stop:
                    raise SpecError(
                        f"run {later.runs.start} of {entry.label!r} at {cell.name} is in {earlier.path.parent.parent} "
                        f"and in {later.path.parent.parent}; each run once is accepted"
                    )
            gaps += [f"{missing} of {entry.label!r} at {cell.name}" for missing in _gaps(mine, cell.settings.runs)]
    if found:
        raise StoreError(f"{next(iter(found.values()))[0].path} is of another study; it belongs in another folder")
    if gaps:
        more = f", and {len(gaps) - 1:,} more" if len(gaps) > 1 else ""
        raise SpecError(
            f"{gaps[0]} {'is' if gaps[0].startswith('run ') else 'are'} in none of the folders{more}; all runs are needed"
        )


def _gaps(places: Sequence[Place], runs: int) -> Iterator[str]:
    """Iterate over the runs that are in no place."""
    ends = [0, *(place.runs.stop for place in places)]
    starts = [*(place.runs.start for place in places), runs]
    for first, after in zip(ends, starts, strict=True):
        if first < after:
            yield f"run {first}" if after == first + 1 else f"runs {first} … {after - 1}"


def _agent_rounds(place: Place, manifest: Manifest) -> int:
    settings = manifest.cells[place.cell].settings
    return len(place.runs) * settings.n_agents * settings.horizon


def _copy(place: Place, folder: Path) -> None:
    """Let a file appear in another folder: as a second name where the disk can do that, for files never change."""
    if not is_whole(place):
        raise StoreError(f"{place.path} is damaged; `quack run` plays its runs again")
    target = folder / place.path.name
    if target.exists():
        return
    try:
        os.link(place.path, target)
    except OSError:
        with atomic_file(target) as file:
            file.write(place.path.read_bytes())
