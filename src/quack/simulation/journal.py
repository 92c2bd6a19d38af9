"""The journal of a simulated world: one record a line. `docs/journal.md` says what the records are."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, cast

from quack.agent.messages import MESSAGES
from quack.agent.wire import encode
from quack.errors import StoreError
from quack.store import atomic_file

__all__ = ["FORMAT", "Fact", "plain", "read", "write", "written"]

FORMAT = 1

Fact = Mapping[str, Any]
"""A record of a journal."""


def plain(value: Any) -> Any:
    """Return a value as JSON keeps it: tuples as lists.

    Examples
    --------
    >>> plain({"kind": "adopted", "order": ((1, 0, 3), 1, 0)})
    {'kind': 'adopted', 'order': [[1, 0, 3], 1, 0]}
    """
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, tuple | list) else value


def written(thing: Any) -> list[Any]:
    """Return an event or an effect of an agent as a journal keeps it: a list, its name in front.

    Examples
    --------
    >>> from quack.agent import Synced
    >>> written(Synced(3))
    ['Synced', 3]
    """
    fields = (encode(field) if type(field) in MESSAGES else plain(field) for field in thing)
    return [type(thing).__name__, *fields]


def write(records: Iterable[Fact], path: str | Path) -> None:
    """Write a journal, a line of JSON for each record; compressed if the file's name ends in .gz."""
    path = Path(path)
    with atomic_file(path) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
                _write_lines(records, cast("IO[bytes]", packed))
        else:
            _write_lines(records, file)


def read(path: str | Path) -> Iterator[Fact]:
    """Read the records of a journal.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "journal.jsonl.gz"
    >>> write([{"kind": "quiet", "at": 150.0}], file)
    >>> list(read(file))
    [{'kind': 'quiet', 'at': 150.0}]
    """
    path = Path(path)
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(file, 1):
                yield _read_line(line, number, path)
    except (OSError, EOFError) as error:
        raise StoreError(f"cannot read {path}: {error}") from error


def _write_lines(records: Iterable[Fact], file: IO[bytes]) -> None:
    for record in records:
        file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")


def _read_line(line: bytes, number: int, path: Path) -> Fact:
    try:
        record = json.loads(line)
    except ValueError:
        record = None
    if not isinstance(record, dict) or "kind" not in record:
        raise StoreError(f"{path} is not a journal of quack: line {number} is no record with a kind")
    return record
