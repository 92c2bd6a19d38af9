"""The engine: one run of a group, interpreted or compiled from the same text. The only module that imports the compiler.

How a record is compiled. Compiled code calls methods on records as written (`policy.select(state, rng)`): the engine teaches
the compiler that a method of a NamedTuple is the function of that name in its class. Every record passes as a *stand-in*, a
NamedTuple of the same fields whose name contains the fingerprint of the code: so classes from scripts and notebooks, which no
other process can import, are found in the disk cache too.

Compiled code is built without reference counting: the arrays belong to the caller for the whole run, and counting costs a factor
of eight in the inner loop. Code that allocates memory cannot be built that way; it is then built with counting, and a warning
says so.
"""

import collections
import contextlib
import functools
import gc
import platform
import threading
import types
import warnings
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
from numba.core import cgutils, config
from numba.core import types as compiler_types
from numba.core.compiler import Compiler
from numba.core.dispatcher import _FunctionCompiler
from numba.core.errors import NumbaError
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import infer_getattr, make_overload_method_template
from numba.extending import intrinsic, overload, register_jitable
from numba.np.arrayobj import make_array, populate_array

from quack.errors import QuackWarning, SpecError
from quack.groups.base import Record, World
from quack.kernels import is_disjoint, member, popcount, restore
from quack.simulation.cache import cache_folder, forget_code, warn_no_cache
from quack.simulation.fingerprint import Reach, is_record, methods, survey

__all__ = ["Runner", "interpreted_only"]

_OPTIONS = {"error_model": "numpy"}
_VERSIONS = f"numba {numba.__version__}, numpy {np.__version__}, python {platform.python_version()}"
_TELLING = ("Untyped", "NameError", "Unknown attribute", "Cannot", "No implementation")  # how the compiler's clear words begin
_lock = threading.RLock()


def play(group: Any, placement: Any, state: Any, world: Any, rng: Any, record: Any) -> None:
    """One run of a group: what is compiled."""
    group.run(placement, state, world, rng, record)


class Runner:
    """Plays runs of one group, which all have the same group, placement and environment."""

    def __init__(self, group: Any, placement: Any, *, compiled: bool) -> None:
        self.group = group
        self.placement = placement
        self.compiled = compiled
        self._constant = (_stand_ins(group), _stand_ins(placement)) if compiled else ()
        self._program: Callable[..., None] | None = None
        self._layout: Any = None

    def prepare(self, world: World, rng: np.random.Generator, record: Record) -> None:
        """Compile, or find what is compiled, without playing. Code that was changed since it was compiled is refused."""
        if self.compiled:
            _refuse_changed((self.group, world))
        self.compile(world, rng, record)

    def compile(self, world: World, rng: np.random.Generator, record: Record) -> None:
        """Compile, or find what is compiled. To look for changes takes longer than many a run: it is done once, not by chunk."""
        if self.compiled:
            self._compiled_for((self.group, self.placement, self.group.init(self.placement, world), world, rng, record))

    def play(self, world: World, rng: np.random.Generator, record: Record) -> None:
        """Play one run and write it into the record."""
        state = self.group.init(self.placement, world)
        if self.compiled:
            program = self._compiled_for((self.group, self.placement, state, world, rng, record))
            program(*self._constant, _stand_ins(state), _stand_ins(world), rng, _stand_ins(record))
        else:
            play(self.group, self.placement, state, world, rng, record)
        if record.fault[0] > 0:
            t, action = (int(number) for number in record.fault)
            raise SpecError(f"{self.group!r} chose action {action} in round {t}; actions are 0 … {len(record.plays) - 1}")
        if world.limits.broken[0] >= 0:
            action, reward = world.limits.broken
            low, high = world.limits.low, world.limits.high
            raise SpecError(
                f"{world.environment!r} paid {reward} for action {action:.0f}, but says that it pays {low:g} to {high:g}"
            )

    def _compiled_for(self, arguments: tuple[Any, ...]) -> Callable[..., None]:
        """Return the program for these arguments. Finding it takes the compiler long, so the types are looked at first."""
        layout = _layout_of(arguments[2])
        if self._program is None or layout != self._layout:
            self._program, self._layout = _program(arguments), layout
        return self._program


def _layout_of(value: Any) -> Any:
    """Return what compiled code relies on in a state: types of fields, and of arrays what an element is."""
    if isinstance(value, tuple):
        return type(value), [_layout_of(field) for field in value]
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.c_contiguous, value.flags.writeable
    return type(value)


def interpreted_only(record: object) -> bool:
    """Whether a record contains one that cannot be compiled, such as a plain Python object."""
    if getattr(record, "interpreted_only", False):
        return True
    return isinstance(record, tuple) and any(interpreted_only(field) for field in record)


def _stand_ins(value: Any) -> Any:
    """Return the same values with every record replaced by its stand-in."""
    if is_record(value):
        return _stand_in_class(cast("Hashable", type(value)))(*([_stand_ins(field) for field in value] or [0]))
    if type(value) is tuple:
        return tuple(_stand_ins(item) for item in value)
    return value


@functools.cache
def _stand_in_class(record_class: Any) -> Any:
    """Make the class that stands for a record's class in compiled code, and put it where the cache's unpickler finds it."""
    digest = survey([record_class], play, _VERSIONS).digest
    name = f"{record_class.__name__}_{digest}"
    fields = record_class._fields or ("nothing",)  # the compiler knows no NamedTuple without fields
    stand_in = collections.namedtuple(name, fields, module=__name__)  # type: ignore[misc]  # noqa: PYI024
    stand_in.original = record_class  # type: ignore[attr-defined]
    globals()[name] = stand_in
    return stand_in


def _record_classes(value: Any) -> list[type]:
    """List the classes of all records in a value, in their order."""
    found = [type(value)] if is_record(value) else []
    if isinstance(value, tuple):
        for field in value:
            found.extend(_record_classes(field))
    return found


@functools.cache
def _teach_method(name: str) -> None:
    """Let compiled code call the methods of this name on records.

    This is the compiler's `overload_method` for NamedTuples, except that a record with a *field* of that name keeps its field.
    """

    def method(self: Any, *arguments: Any) -> Callable[..., Any] | None:  # noqa: ARG001 (the compiler asks with their types)
        record_class = getattr(self.instance_class, "original", self.instance_class)
        if name not in methods(record_class):
            return None
        function = _compiled_method(record_class, name)

        def call(self: Any, *arguments: Any) -> Any:
            return function(self, *arguments)

        return call

    template = make_overload_method_template(compiler_types.BaseNamedTuple, name, method, inline="never", jit_options=_OPTIONS)

    class FieldsFirst(template):  # type: ignore[misc, valid-type]
        def _resolve(self, record_type: Any, attribute: str) -> Any:
            return None if attribute in record_type.fields else super()._resolve(record_type, attribute)

    infer_getattr(FieldsFirst)
    overload(method, jit_options=_OPTIONS)(method)


@functools.cache
def _compiled_method(record_class: type, name: str) -> Any:
    # A record passed to a function that is not inlined is taken apart and put together on every call: 15 % of a round of UCB.
    return numba.njit(forceinline=True, **_OPTIONS)(methods(record_class)[name])


@functools.cache
def _teach_kernel(function: types.FunctionType) -> None:
    """Let compiled code call a kernel.

    Inlined, or else a loop that calls one is not done for several numbers at once: the tape costs seven times as much.
    """
    pipeline = {"pipeline_class": _DisjointCompiler} if is_disjoint(function) else {}
    register_jitable(forceinline=True, **pipeline, **_OPTIONS)(function)


class _DisjointCompiler(Compiler):  # type: ignore[misc]
    """The compiler, told that arrays which are passed share no memory. No option of its decorators says so."""

    def __init__(self, *arguments: Any) -> None:
        *others, flags, local_types = arguments
        flags = flags.copy()
        flags.noalias = True
        super().__init__(*others, flags, local_types)


@overload(restore, jit_options=_OPTIONS)  # type: ignore[untyped-decorator]
def _restore(state: Any, fresh: Any) -> Callable[..., None] | None:  # noqa: ARG001 (the compiler asks with their types)
    """Give the compiled form of `restore` for each type of state: arrays entry by entry, records field by field."""
    if isinstance(state, compiler_types.Array):

        def copy_array(state: Any, fresh: Any) -> None:
            for i in range(state.size):
                state.flat[i] = fresh.flat[i]

        return copy_array
    if isinstance(state, compiler_types.BaseTuple) and len(state) > 0:

        def copy_fields(state: Any, fresh: Any) -> None:
            restore(state[0], fresh[0])
            restore(state[1:], fresh[1:])

        return copy_fields

    def keep(state: Any, fresh: Any) -> None:
        """Do nothing: numbers in a state are constants, and the empty tuple ends the recursion."""

    return keep


@intrinsic  # type: ignore[untyped-decorator]
def _count_bits(context: Any, word: Any) -> Any:  # noqa: ARG001 (the compiler's signature)
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return compiler_types.int64(compiler_types.int64), generate


@overload(popcount, jit_options=_OPTIONS, inline="always")  # type: ignore[untyped-decorator]
def _popcount(word: Any) -> Callable[..., int]:  # noqa: ARG001 (the compiler asks with its type)
    def count(word: Any) -> Any:
        return _count_bits(word)

    return count


@overload(member, inline="always", jit_options=_OPTIONS)  # type: ignore[untyped-decorator]
def _member(states: Any, i: Any) -> Callable[..., Any]:  # noqa: ARG001 (the compiler asks with their types)
    """Give the compiled form of `member` for each type of state. Written by hand: compiled functions return no new views."""

    def view(states: Any, i: Any) -> Any:
        return _view(states, i)

    return view


@intrinsic  # type: ignore[untyped-decorator]
def _view(context: Any, states: Any, i: Any) -> tuple[Any, Callable[..., Any]]:  # noqa: ARG001 (what the compiler passes)
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = context.cast(builder, values[1], signature.args[1], compiler_types.intp)
        value = _view_value(context, builder, states, values[0], place)
        return impl_ret_borrowed(context, builder, signature.return_type, value)

    return _view_type(states)(states, i), generate


def _view_type(states: Any) -> Any:
    """Return the type of one of states that are kept in one value."""
    if isinstance(states, compiler_types.Array):
        return states.copy(ndim=states.ndim - 1)
    if isinstance(states, compiler_types.BaseNamedTuple):
        return compiler_types.NamedTuple([_view_type(field) for field in states.types], states.instance_class)
    if isinstance(states, compiler_types.BaseTuple):
        return compiler_types.BaseTuple.from_types([_view_type(field) for field in states.types])
    return states


def _view_value(context: Any, builder: Any, states: Any, value: Any, place: Any) -> Any:
    """Write code for one of states: the same memory, from the place's row on."""
    if isinstance(states, compiler_types.Array):
        whole, part = make_array(states)(context, builder, value), make_array(_view_type(states))(context, builder)
        shape, strides = cgutils.unpack_tuple(builder, whole.shape), cgutils.unpack_tuple(builder, whole.strides)
        row = cgutils.pointer_add(builder, whole.data, builder.mul(place, strides[0]), whole.data.type)
        rest = cgutils.pack_array(builder, shape[1:]), cgutils.pack_array(builder, strides[1:])
        populate_array(part, row, *rest, whole.itemsize, whole.meminfo, whole.parent)
        return part._getvalue()  # noqa: SLF001 (the compiler's own way)
    if isinstance(states, compiler_types.BaseTuple):
        fields = zip(states.types, cgutils.unpack_tuple(builder, value, len(states)), strict=True)
        parts = [_view_value(context, builder, kind, field, place) for kind, field in fields]
        return context.make_tuple(builder, _view_type(states), parts)
    return value


def _program(arguments: tuple[Any, ...]) -> Callable[..., None]:
    """Return the compiled run for records of these types."""
    stand_ins = _stand_ins(arguments)
    signature = tuple(numba.typeof(argument) for argument in stand_ins)
    with _lock:
        known = _programs.get(signature)
        if known is None:
            known = _programs[signature] = _build(arguments, signature)
    return known


_programs: dict[tuple[Any, ...], Callable[..., None]] = {}


def _build(arguments: tuple[Any, ...], signature: tuple[Any, ...]) -> Callable[..., None]:
    reach = survey(_record_classes(arguments), play, _VERSIONS)
    for record_class in reach.classes:
        for name in methods(record_class):
            _teach_method(name)
    for function in reach.kernels:
        _teach_kernel(function)
    folder = cache_folder(reach.digest)
    allocates = folder is not None and (folder / "allocates").exists()
    if not allocates:
        # What fails here may only need counting: the second attempt tells, and its error is the one that counts.
        with contextlib.suppress(NumbaError):
            return _compile(signature, folder, counting=False)
        _forget_failures()
    try:
        program = _compile(signature, folder, counting=True)
    except NumbaError as error:
        raise SpecError(_why_not(arguments[0], reach, error)) from error
    if folder is not None:
        (folder / "allocates").touch()
    warnings.warn(
        f"{arguments[0]!r} allocates memory in every round, which makes it several times slower: "
        "let its methods write into arrays of the state instead of making new ones",
        QuackWarning,
        stacklevel=2,
    )
    return program


_fingerprints: dict[type | types.FunctionType, str] = {}  # of classes and kernels, when this process first compiled them


def _refuse_changed(records: Any) -> None:
    """Refuse code that was changed after this process compiled it, as happens in a notebook: the compiler would not notice."""
    reach = survey(_record_classes(records), play, _VERSIONS)
    digests: dict[type | types.FunctionType, str] = {thing: survey([thing], play, _VERSIONS).digest for thing in reach.classes}
    digests |= {function: survey([], function, _VERSIONS).digest for function in reach.kernels}
    for thing, digest in digests.items():
        if _fingerprints.setdefault(thing, digest) != digest:
            raise SpecError(
                f"{thing.__name__}, or something that it calls, was changed after it was compiled: "
                f"define {thing.__name__} and what uses it anew, or restart Python"
            )


def _compile(signature: tuple[Any, ...], folder: Path | None, *, counting: bool) -> Callable[..., None]:
    """Compile, or read from the disk cache. A disk that cannot keep the result costs a warning, not the result.

    Neither does a file that was damaged, by a disk that was full or a machine that lost its power: it is made anew.
    """
    dispatcher = numba.njit(nogil=True, _nrt=counting, **_OPTIONS)(play)
    if folder is not None:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            dispatcher.enable_caching()
        finally:
            config.CACHE_DIR = before
    try:
        dispatcher.compile(signature)
        # The entry point of the one signature: the dispatcher would look up the types of all arguments on every call.
        program: Callable[..., None] = dispatcher.overloads[signature].entry_point
    except NumbaError:
        raise
    except Exception as error:
        if folder is None:
            raise
        if isinstance(error, OSError):
            warn_no_cache(error)
        else:  # what was read is no code, or that of another signature, and can make the unpickler raise anything
            forget_code(folder)
        return _compile(signature, None, counting=counting)
    return program


def _forget_failures() -> None:
    """Let the compiler try again what failed without reference counting: it remembers failures, but not under which options."""
    for thing in gc.get_objects():
        if issubclass(type(thing), _FunctionCompiler):
            thing._failed_cache.clear()  # noqa: SLF001 (there is no public way)


def _why_not(group: Any, reach: Reach, error: NumbaError) -> str:
    """Say in a sentence or two why a group does not compile."""
    own = sorted(f.__qualname__ for f in reach.unmarked if f not in (play, member, popcount, restore))
    hint = f" Functions that it may call and that are not marked @quack.kernel: {', '.join(own)}." if own else ""
    reasons = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in reasons if line.startswith(_TELLING)]
    return (
        f"{group!r} does not compile ({(telling or reasons)[-1]}).{hint} "
        "It runs with engine='interpreted'; the compiler's own words are in the cause of this error"
    )
