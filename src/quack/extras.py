"""The optional parts of the package, the sentence that is said when one is missing, and what other packages add to it."""

import functools
import importlib
import warnings
from types import ModuleType
from typing import Any

from quack.errors import MissingExtra, QuackWarning

__all__ = ["plugins", "require"]

_EXTRA_OF = {
    "distributed": "cluster",
    "matplotlib": "lab",
    "networkit": "lab",
    "networkx": "lab",
    "numba": "lab",
    "pandas": "lab",
    "platformdirs": "lab",
    "pyarrow": "parquet",
    "rich": "lab",
    "scipy": "lab",
    "xarray": "lab",
}


def require(module: str, purpose: str) -> ModuleType:
    """Import a library of an optional extra.

    Parameters
    ----------
    module
        Its dotted name, for example ``"scipy.sparse"``.
    purpose
        What it is needed for, as the subject of a sentence: ``"drawing a figure"``.

    Raises
    ------
    MissingExtra
        If it is not installed; the sentence names the command that installs it.
    """
    library = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        extra = _EXTRA_OF[library]
        raise MissingExtra(f"{purpose} needs {library}: pip install 'quack-bandits[{extra}]'") from None


@functools.cache
def plugins(kind: str) -> dict[str, Any]:
    """Return what installed packages add under an entry point such as ``quack.policies``, by name.

    One that cannot be loaded is left out, with a warning that says why.

    Parameters
    ----------
    kind
        "policies", "environments", "groups" or "networks".
    """
    import importlib.metadata  # it takes a quarter as long to import as NumPy, and few need it

    found = {}
    for entry in importlib.metadata.entry_points(group=f"quack.{kind}"):
        try:
            found[entry.name] = entry.load()
        except Exception as error:  # noqa: BLE001 (whatever another package's import raises must not break this one)
            reason = f"{type(error).__name__}: {error}"
            warnings.warn(f"the plug-in {entry.name!r} ({entry.value}) cannot be loaded: {reason}", QuackWarning, stacklevel=2)
    return found
