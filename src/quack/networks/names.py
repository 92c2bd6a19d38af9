"""Networks by name: "grid:14x14", "erdos-renyi:100,0.1,seed=3"."""

import inspect
import math
from collections.abc import Callable

from quack.errors import SpecError, nearest
from quack.extras import plugins
from quack.networks.families import complete, cycle, grid, path, star
from quack.networks.graphs import Network
from quack.networks.random_graphs import barabasi_albert, erdos_renyi, random_geometric, random_regular, watts_strogatz

__all__ = ["FAMILIES", "known_families"]

FAMILIES: dict[str, tuple[Callable[..., Network], str]] = {
    "cycle": (cycle, "cycle:196"),
    "path": (path, "path:10"),
    "grid": (grid, "grid:14x14"),
    "star": (star, "star:196"),
    "complete": (complete, "complete:16"),
    "erdos-renyi": (erdos_renyi, "erdos-renyi:100,0.1,seed=3"),
    "watts-strogatz": (watts_strogatz, "watts-strogatz:100,4,0.2,seed=3"),
    "random-regular": (random_regular, "random-regular:100,4,seed=3"),
    "barabasi-albert": (barabasi_albert, "barabasi-albert:100,3,seed=3"),
    "random-geometric": (random_geometric, "random-geometric:100,0.2,seed=3"),
}
"""Every name with its builder and an example."""


def known_families() -> dict[str, tuple[Callable[..., Network], str]]:
    """Return every name with its builder and an example: ours, and those of installed plug-ins.

    A plug-in is an entry point of the group ``quack.networks``: a function of annotated numbers that returns a `Network`.
    """
    added = {name.casefold().replace("_", "-"): (builder, f"{name}:…") for name, builder in plugins("networks").items()}
    return added | FAMILIES


def is_name(text: str) -> bool:
    """Whether the text begins with the name of a family."""
    return _folded(text) in FAMILIES or _folded(text) in known_families()


def from_name(text: str) -> Network:
    """Build the network of a name: the family, a colon, the builder's arguments separated by commas."""
    builder, example = known_families()[_folded(text)]
    arguments = text.partition(":")[2]
    if builder is grid:
        arguments = _sides(text, arguments)
    parameters = inspect.signature(builder).parameters
    positional: list[float] = []
    named: dict[str, float] = {}
    for place, argument in enumerate(arguments.split(",")):
        key, equals, value = (part.strip() for part in argument.rpartition("="))
        if (equals and key not in parameters) or (not equals and place >= len(parameters)):
            raise SpecError(f"{text!r} is not understood at {argument!r}; an example is {example!r}")
        parameter = parameters[key] if equals else list(parameters.values())[place]
        try:
            number = parameter.annotation(value)
        except ValueError:
            kind = "a whole number" if parameter.annotation is int else "a number"
            raise SpecError(f"{text!r}: {parameter.name} must be {kind}, not {value!r}, as in {example!r}") from None
        if equals:
            named[key] = number
        else:
            positional.append(number)
    try:
        inspect.signature(builder).bind(*positional, **named)
    except TypeError as error:
        raise SpecError(f"{text!r} does not say everything ({error}); an example is {example!r}") from None
    return builder(*positional, **named)


def refuse_name(text: str) -> SpecError:
    """Return the error for a text that is neither a network's name nor a file."""
    known = known_families()
    hint = nearest(_folded(text), known)
    return SpecError(
        f"{text!r} is neither an existing file nor the name of a network, such as 'grid:14x14'; "
        f"the names are {', '.join(known)}.{hint}"
    )


def _folded(text: str) -> str:
    return text.partition(":")[0].strip().casefold().replace("_", "-")


def _sides(text: str, arguments: str) -> str:
    """Return "rows,columns" for "14x14", and for "196" if that is a square."""
    arguments = arguments.casefold().replace("x", ",")
    if not arguments.strip().isdecimal():
        return arguments
    m = int(arguments)
    side = math.isqrt(m)
    if side * side != m:
        raise SpecError(f"{text!r}: {m} is not a square number; say rows and columns, as in 'grid:14x14'")
    return f"{side},{side}"
