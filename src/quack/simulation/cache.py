"""Where compiled code is kept on the disk: one folder per fingerprint."""

import contextlib
import os
import shutil
import tempfile
import warnings
from pathlib import Path

from quack.errors import QuackWarning
from quack.extras import require

__all__ = ["cache_directory", "cache_folder", "forget_code", "warn_no_cache"]

_KEPT_FOLDERS = 200  # about half a megabyte each


def cache_directory() -> Path:
    """Return where compiled code is kept: $QUACK_CACHE_DIR, or the user's cache folder."""
    named = os.environ.get("QUACK_CACHE_DIR")
    if named:
        return Path(named)
    return Path(require("platformdirs", "the cache of compiled code").user_cache_path("quack-bandits"))


def cache_folder(digest: str) -> Path | None:
    """Return the folder of a fingerprint, or None (and a warning) if nothing can be written there."""
    folder = cache_directory() / digest
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _forget_oldest(folder.parent)
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        warn_no_cache(error)
        return None


def _forget_oldest(root: Path) -> None:
    """Keep the folders used last; code that changes often leaves many behind."""
    folders = sorted((entry for entry in root.iterdir() if entry.is_dir()), key=lambda entry: entry.stat().st_mtime)
    for folder in folders[:-_KEPT_FOLDERS]:
        shutil.rmtree(folder, ignore_errors=True)


def forget_code(folder: Path) -> None:
    """Remove what the compiler keeps in a folder, so that the next process does not read it."""
    for file in folder.rglob("*.nb[ci]"):
        with contextlib.suppress(OSError):
            file.unlink()


def warn_no_cache(error: OSError) -> None:
    """Say that compiled code is lost with the process, and what helps."""
    warnings.warn(
        f"compiled code cannot be kept in {cache_directory()} ({error.strerror or error}): every process compiles anew. "
        "Set QUACK_CACHE_DIR to a folder that can be written",
        QuackWarning,
        stacklevel=2,
    )
