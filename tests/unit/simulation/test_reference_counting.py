"""No compiled run counts references: it costs QuACK a factor of seven and more, and nothing else would show it."""

import re
import warnings

import numpy as np
import pytest

import quack
from quack.groups.base import open_record, open_world
from quack.simulation import engine
from quack.tape import open_tape, policy_generator

GROUPS = (
    quack.QuACK(quack.UCB()),
    quack.Pooled(quack.GaussianThompsonSampling()),
    quack.Independent(quack.UCB1()),
    quack.CoopUCB(),
)
LONG = 10_000  # characters; a run is a page of them, an entry point is not


def compiled_code(group, monkeypatch, tmp_path, **options):
    """Compile a run anew and return what the compiler made of it and of everything that it calls, in its intermediate language.

    What takes the arguments over from Python is left out: it counts once a run.
    """
    made = []
    njit = engine.numba.njit

    def noting(*arguments, **given):
        if "_nrt" not in given:
            return njit(*arguments, **given)

        def decorate(function):
            made.append(njit(*arguments, **given | options)(function))
            return made[-1]

        return decorate

    monkeypatch.setattr(engine.numba, "njit", noting)
    monkeypatch.setattr(engine, "_programs", {})
    monkeypatch.setenv("QUACK_CACHE_DIR", str(tmp_path))
    environment = quack.Bernoulli([0.5, 0.4])
    placement = group.place(quack.networks.star(4), 2, 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a group that allocates is compiled with counting, and the engine warns
        engine.Runner(group, placement, compiled=True).compile(
            open_world(environment, open_tape(0, 0)),
            policy_generator(0, 0),
            open_record(np.array([20]), 2, np.zeros(1, np.int64), np.zeros(1, np.int64)),
        )
    (program,) = made
    (module,) = program.inspect_llvm().values()
    functions = re.findall(r"^define [^\n]*?@([^\s(]+)\([^\n]*\{\n(.*?)^\}", module, re.MULTILINE | re.DOTALL)
    return {name: code for name, code in functions if not name.startswith(("_ZN7cpython", "NRT_"))}


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: type(group).__name__)
def test_a_run_counts_no_references(group, monkeypatch, tmp_path):
    functions = compiled_code(group, monkeypatch, tmp_path)
    assert any("play" in name and len(code) > LONG for name, code in functions.items())
    assert not [name for name, code in functions.items() if "NRT_incref" in code or "NRT_decref" in code]


def test_with_counting_the_code_shows_it(monkeypatch, tmp_path):
    """The test above can fail: the same run, built the usual way of the compiler."""
    functions = compiled_code(GROUPS[0], monkeypatch, tmp_path, _nrt=True)
    assert [name for name, code in functions.items() if "NRT_incref" in code and "NRT_decref" in code]
