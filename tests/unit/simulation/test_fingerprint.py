"""The fingerprint changes with whatever compiled code depends on, and with nothing else."""

import types
from typing import NamedTuple

import numpy as np

import quack
from quack.simulation.fingerprint import is_record, methods, survey


def module(source):
    """Make a module from source, with a kernel mark at hand."""
    made = types.ModuleType("made")
    made.kernel, made.NamedTuple, made.np = quack.kernel, NamedTuple, np
    exec(source, made.__dict__)
    return made


def digest(source, versions="1"):
    return survey([module(source).Mine], lambda: None, versions).digest


BASE = """
TABLE = np.array([1.0, 2.0])
LIMIT = 3
class Inner(NamedTuple):
    x: float
@kernel
def deep(x):
    return x + LIMIT
@kernel
def shallow(x, y=1):
    return deep(x) * TABLE[0] + Inner(x).x
class Mine(NamedTuple):
    c: float = 1.0
    def init(self, n_actions, horizon):
        return 0
    def select(self, state, rng):
        return int(shallow(self.c))
"""


def test_same_source_same_fingerprint():
    assert digest(BASE) == digest(BASE)


def test_every_dependency_counts():
    changes = [
        ("LIMIT = 3", "LIMIT = 4"),
        ("2.0]", "2.5]"),
        ("return x + LIMIT", "return x - LIMIT"),
        ("y=1", "y=2"),
        ("x: float", "x: float; z: float = 0.0"),
        ("return int(shallow(self.c))", "return int(shallow(self.c)) + 1"),
        ("c: float = 1.0", "c: float = 1.0\n    d: float = 2.0"),
        ("deep(x) *", "deep(x) /"),
    ]
    digests = {digest(BASE.replace(old, new)) for old, new in changes}
    assert len(digests | {digest(BASE)}) == len(changes) + 1


def test_versions_count():
    assert digest(BASE, "1") != digest(BASE, "2")


def test_what_is_never_compiled_does_not_count():
    assert digest(BASE.replace("return 0", "return 1")) == digest(BASE)


def test_closures_count():
    def make(constant):
        def select(self, state, rng):
            return constant

        return type("Mine", (NamedTuple("Fields", [("c", float)]),), {"select": select})

    one, two = (survey([make(constant)], lambda: None, "") for constant in (1, 2))
    assert one.digest != two.digest


def test_enumerations_count():
    source = "import enum\nclass Mode(enum.IntEnum):\n    FIRST = 0\n" + BASE.replace("LIMIT = 3", "LIMIT = Mode.FIRST")
    uses_class = source.replace("x + LIMIT", "x + Mode.FIRST.value")
    for text in (source, uses_class):
        assert digest(text) == digest(text) != digest(text.replace("FIRST = 0", "FIRST = 1"))


def test_a_constant_of_a_module_in_a_module_counts():
    outer, inner = types.ModuleType("outer"), types.ModuleType("outer.inner")
    outer.inner, inner.outer = inner, outer

    def digest_with(constant):
        inner.LIMIT = constant
        made = module(BASE.replace("x + LIMIT", "x + outer.inner.LIMIT"))
        made.outer = outer
        return survey([made.Mine], lambda: None, "").digest

    assert digest_with(1) == digest_with(1) != digest_with(2)


def test_a_field_with_the_name_of_a_function_is_no_dependency():
    source = BASE.replace("c: float = 1.0", "deep: float = 1.0").replace("self.c", "self.deep")
    changed = source.replace("@kernel\ndef deep(x):", "def other(x): return x\n@kernel\ndef deep(x):")
    assert digest(source) == digest(changed)


def test_kernels_and_what_is_not_marked_are_told_apart():
    made = module(BASE.replace("@kernel\ndef deep", "def deep"))
    reach = survey([made.Mine], lambda: None, "")
    assert made.shallow in reach.kernels
    assert made.deep in reach.unmarked
    assert {made.Mine, made.Inner} <= reach.classes


def test_records_and_methods():
    assert is_record(quack.UCB())
    assert not is_record((1, 2))
    assert set(methods(quack.Uniform)) == {"select", "update"}
