"""The fingerprint of a record's code: a change anywhere in what it reaches is a change of fingerprint.

The compiler's own disk cache notices only when the file of the compiled function changes, not when a method of a policy or a
function that it calls does. So the engine keeps one cache folder per fingerprint: stale code cannot be found at all.
"""

import dataclasses
import dis
import enum
import functools
import hashlib
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from quack.kernels import is_disjoint, is_kernel

__all__ = ["Reach", "is_record", "is_record_class", "methods", "survey"]

# These libraries are known to the compiler, and their versions are part of every fingerprint.
_KNOWN_LIBRARIES = {"builtins", "math", "numba", "numpy", "typing"}
_NEVER_COMPILED = {"init", "place"}
_PLAIN = (int, float, complex, str, bytes, bool, type(None), np.generic)


@dataclasses.dataclass
class Reach:
    """What a record's code reaches."""

    digest: str = ""
    kernels: set[types.FunctionType] = dataclasses.field(default_factory=set)
    unmarked: set[types.FunctionType] = dataclasses.field(default_factory=set)
    classes: set[type] = dataclasses.field(default_factory=set)


def is_record_class(value: object) -> bool:
    """Whether a value is the class of a record: a NamedTuple."""
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


def is_record(value: object) -> bool:
    """Whether a value is a record."""
    return is_record_class(type(value))


def methods(record_class: type) -> dict[str, types.FunctionType]:
    """Return the methods that compiled code may call: the public functions of a record's class."""
    return {
        name: function
        for base in reversed(record_class.__mro__)
        for name, function in vars(base).items()
        if isinstance(function, types.FunctionType) and not name.startswith("_") and name not in _NEVER_COMPILED
    }


def survey(record_classes: list[type], root: Callable[..., Any], versions: str) -> Reach:
    """Walk through the code of record classes and of the function that runs them."""
    surveyor = _Surveyor()
    surveyor.value(root)
    for record_class in record_classes:
        surveyor.value(record_class)
    surveyor.note("versions", versions)
    surveyor.reach.digest = surveyor.hash.hexdigest()[:24]
    return surveyor.reach


class _Surveyor:
    """Feeds everything that is reached into one hash, each thing once, in an order that is the same in every process."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.reach = Reach()
        self.seen: set[object] = set()

    def note(self, *facts: object) -> None:
        self.hash.update(repr(facts).encode())

    def value(self, value: Any) -> None:
        """Note a value that code refers to, and what it reaches in turn."""
        if isinstance(value, types.FunctionType):
            self._function(value)
        elif isinstance(getattr(value, "py_func", None), types.FunctionType):
            self._function(value.py_func)
        elif is_record_class(value):
            self._record_class(value)
        elif isinstance(value, np.ndarray):
            self.note("array", value.dtype.str, value.shape, value.tobytes())
        elif isinstance(value, enum.EnumMeta):
            members: Mapping[str, enum.Enum] = value.__members__
            self.note("enumeration", value.__qualname__, [(name, repr(member.value)) for name, member in members.items()])
        elif isinstance(value, enum.Enum):
            self.note("member", type(value).__qualname__, value.name, repr(value.value))
        elif isinstance(value, tuple):
            self.note("tuple", len(value))
            for item in value:
                self.value(item)
        elif isinstance(value, _PLAIN):
            self.note(type(value).__name__, value)
        else:
            self.note("other", type(value).__qualname__, getattr(value, "__name__", ""))

    def _record_class(self, record_class: Any) -> None:
        self.note("record", record_class.__module__, record_class.__qualname__, record_class._fields)
        if record_class in self.seen:
            return
        self.seen.add(record_class)
        self.reach.classes.add(record_class)
        for name, function in sorted(methods(record_class).items()):
            self.note("method", name)
            self._function(function, is_method=True)

    def _function(self, function: types.FunctionType, *, is_method: bool = False) -> None:
        self.note("function", function.__module__, function.__qualname__)
        if function in self.seen or function.__module__.partition(".")[0] in _KNOWN_LIBRARIES:
            return
        self.seen.add(function)
        if not is_method:
            (self.reach.kernels if is_kernel(function) else self.reach.unmarked).add(function)
            self.note("disjoint", is_disjoint(function))
        self.note("defaults", function.__defaults__, function.__kwdefaults__)
        for cell in function.__closure__ or ():
            self.value(cell.cell_contents)
        loaded: set[str] = set()
        attributes: set[str] = set()
        for code in _nested(function.__code__):
            constants = [constant for constant in code.co_consts if not isinstance(constant, types.CodeType)]
            self.note("code", code.co_code, constants, code.co_names, code.co_varnames)
            loaded.update(_loaded(code))
            attributes.update(code.co_names)
        for name in sorted(loaded & function.__globals__.keys()):
            self.note("global", name)
            self._global(function.__globals__[name], attributes)

    def _global(self, value: Any, attributes: set[str]) -> None:
        """Note what a global name stands for; of a module, what the code takes from it."""
        if not isinstance(value, types.ModuleType):
            self.value(value)
        elif value.__name__.partition(".")[0] not in _KNOWN_LIBRARIES:
            for name in sorted(attributes & vars(value).keys()):
                self.note("attribute", name)
                self._global(getattr(value, name), attributes - {name})


@functools.lru_cache(maxsize=4096)
def _loaded(code: types.CodeType) -> frozenset[str]:
    """Return the global names that a code object loads. Every chunk of runs asks, and reading bytecode takes long."""
    return frozenset(
        instruction.argval for instruction in dis.get_instructions(code) if instruction.opname in {"LOAD_GLOBAL", "LOAD_NAME"}
    )


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    """Iterate over a code object and those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _nested(constant)
