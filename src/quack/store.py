"""Files that appear whole or not at all, and are what they claim to be."""

import contextlib
import os
import secrets
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
import numpy.typing as npt

from quack.errors import SpecError, StoreError

__all__ = ["atomic_file", "check_writable", "read_arrays", "write_arrays"]

T = TypeVar("T")


def check_writable(path: Path) -> Path:
    """Return the file that a path leads to; refuse one that cannot be written, before the work that would fill it."""
    real = Path(os.path.realpath(path))
    if not real.parent.is_dir():
        raise StoreError(f"cannot write {path}: there is no folder {path.parent}")
    try:
        # A new file takes the place of the old: of a device or a pipe nothing would be left.
        if not stat.S_ISREG(real.stat().st_mode):
            kind = "a folder" if real.is_dir() else "not an ordinary file"
            raise StoreError(f"cannot write {path}: it is {kind}")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error
    try:
        with tempfile.TemporaryFile(dir=real.parent):
            return real
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes its place only when it is complete and on the disk; an older one stays until then."""
    real = check_writable(path)
    temporary = real.with_name(f".quack-{secrets.token_hex(8)}")
    try:
        try:
            with temporary.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(real)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _flush_names(real.parent)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error


def _flush_names(folder: Path) -> None:
    """Let a file keep its new name even if the power fails now; where folders cannot be flushed, that is up to the system."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_arrays(path: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write named arrays."""
    with atomic_file(path) as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def read_arrays(path: Path, what: str, build: Callable[[Mapping[str, Any]], T]) -> T:
    """Read named arrays and make something of them; whatever is wrong with the file becomes one sentence."""
    try:
        with path.open("rb") as file:
            arrays = np.load(file, allow_pickle=False)
            if isinstance(arrays, np.lib.npyio.NpzFile):
                with arrays:
                    return build(arrays)
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
    except Exception as error:
        # A file of somebody else's can make the readers of zip, of arrays and of JSON raise anything.
        reason = error if isinstance(error, SpecError) else "it is truncated or was made by something else"
        raise StoreError(f"{path} is not a {what} of quack: {reason}") from error
    raise StoreError(f"{path} is not a {what} of quack: it is a single array")
