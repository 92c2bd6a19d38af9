"""Grids: what varies from cell to cell, and the texts in which it stands as {name}."""

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from quack.errors import SpecError, nearest

__all__ = ["cell_name", "check_grid", "check_names", "fill", "products", "written"]

_HOLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_MOST_CELLS = 100_000


def written(value: Any) -> str:
    """Write a value as it stands in an expression.

    Examples
    --------
    >>> written("UCB()"), written(0.5), written([0.5, 0.25])
    ('UCB()', '0.5', '[0.5, 0.25]')
    """
    return value if isinstance(value, str) else repr(value)


def fill(text: str, values: Mapping[str, Any]) -> str:
    """Put values in the place of their names.

    Examples
    --------
    >>> fill("UCB(sigma={sigma})", {"sigma": 0.5})
    'UCB(sigma=0.5)'
    """
    return _HOLE.sub(lambda hole: written(values[hole[1]]) if hole[1] in values else hole[0], text)


def cell_name(values: Mapping[str, Any]) -> str:
    """Name a cell after what it has of its own.

    Examples
    --------
    >>> cell_name({"network": "grid:4x4", "sigma": 0.5})
    'network=grid:4x4, sigma=0.5'
    """
    return ", ".join(f"{name}={written(value)}" for name, value in values.items())


def check_grid(grid: Any, source: str) -> dict[str, tuple[Any, ...]]:
    """Return the values of each name; a single value is a list of one."""
    if not isinstance(grid, Mapping):
        raise SpecError(f"{source}: grid is {grid!r}; a table from names to lists of values is accepted")
    checked = {}
    for name, given in grid.items():
        values = tuple(given) if isinstance(given, list | tuple) else (given,)
        if not name.isidentifier():
            raise SpecError(f"{source}: the grid has {name!r}; a name of letters, digits and _ is accepted")
        if not values or not all(map(_is_value, values)):
            raise SpecError(f"{source}: grid.{name} is {given!r}; a list of numbers, texts or lists of numbers is accepted")
        texts = [written(value) for value in values]
        if twice := [text for text in texts if texts.count(text) > 1]:
            raise SpecError(f"{source}: grid.{name} has {twice[0]} twice; each value once is accepted")
        checked[name] = values
    return checked


def check_names(texts: Mapping[str, str], own: Iterable[str], keys: Iterable[str]) -> None:
    """Refuse a {name} that has no values, and a name of the grid that stands nowhere.

    Parameters
    ----------
    texts
        All texts by what they are, to begin the sentence of an error.
    own
        The names of the grid that are no keys.
    keys
        The keys that a grid may vary.
    """
    own = list(own)
    standing = {}
    for what, text in texts.items():
        for name in _HOLE.findall(text):
            standing[name] = what
            if name not in own:
                raise SpecError(
                    f"{what} has {{{name}}}, for which the grid has no values.{nearest(name, own)} See quack run --help"
                )
    for name in own:
        if name not in standing:
            hint = nearest(name, [*keys, *standing])
            raise SpecError(
                f"grid.{name} is no key and stands as {{{name}}} in no text.{hint} Keys are {', '.join(sorted(keys))}"
            )


def products(axes: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Iterate over all combinations, the last name fastest."""
    size = math.prod(map(len, axes.values()))
    if size > _MOST_CELLS:
        raise SpecError(f"the grid has {size:,} cells; at most {_MOST_CELLS:,} are accepted")
    return (dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values()))


def _is_value(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return len(value) > 0 and all(isinstance(item, int | float) and not isinstance(item, bool) for item in value)
    return isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))
