"""The optional parts of the package, and the sentence that is said when one is missing."""

import importlib
from types import ModuleType

from quack.errors import MissingExtra

__all__ = ["require"]

_EXTRA_OF = {
    "matplotlib": "lab",
    "networkit": "lab",
    "networkx": "lab",
    "numba": "lab",
    "pandas": "lab",
    "platformdirs": "lab",
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
