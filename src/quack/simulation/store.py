"""Files that appear whole or not at all, and are what they claim to be."""

import contextlib
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
import numpy.typing as npt

from quack.errors import SpecError, StoreError

__all__ = ["atomic_file", "read_arrays", "write_arrays"]

T = TypeVar("T")


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes its place only when it is complete and on the disk; an older one stays until then."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error


def _umask() -> int:
    """Return the process's file mode mask; reading it means setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_arrays(path: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write named arrays."""
    with atomic_file(path) as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def read_arrays(path: Path, build: Callable[[Mapping[str, Any]], T]) -> T:
    """Read named arrays and make something of them; whatever is wrong with the file becomes one sentence."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            if not isinstance(arrays, np.lib.npyio.NpzFile):
                raise SpecError("it is a single array")
            return build(arrays)
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
    except (EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        reason = error if isinstance(error, SpecError) else "it is truncated or was made by something else"
        raise StoreError(f"{path} is not a result of quack: {reason}") from error
