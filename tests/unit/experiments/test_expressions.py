"""Expressions construct what is named, and do nothing else."""

import sys
import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.errors import SpecError
from quack.experiments.expressions import evaluate, names, signature


def test_an_expression_is_python():
    assert evaluate("QuACK(UCB(sigma=0.5), leader=3)", "group") == quack.QuACK(quack.UCB(sigma=0.5), leader=3)
    assert evaluate("  quack.Pooled(quack.UCB1()) ", "group") == quack.Pooled(quack.UCB1())
    np.testing.assert_array_equal(evaluate("Bernoulli([0.5] + [0.45] * 9)", "environment").means, [0.5] + [0.45] * 9)


NUMBERS = st.integers(-20, 20) | st.floats(0, 100, allow_nan=False)


@given(
    st.recursive(
        NUMBERS.map(str), lambda part: st.tuples(part, st.sampled_from("+-*"), part).map("({0[0]} {0[1]} {0[2]})".format)
    )
)
def test_arithmetic_is_pythons(text):
    assert evaluate(text, "it") == eval(text)


@given(st.lists(NUMBERS | st.booleans() | st.none() | st.text()) | st.tuples(NUMBERS, st.lists(NUMBERS)))
def test_a_value_means_itself(value):
    assert evaluate(repr(value), "it") == value


@given(st.text(alphabet="()[]{}.,*+-/=:'\"_abUCB 019\n\\", max_size=60) | st.text(max_size=60))
def test_any_text_is_a_value_or_a_sentence(text):
    said = "it "
    try:
        evaluate(text, "it")
    except SpecError as error:
        said = str(error)
    assert said.startswith("it ")


def test_everything_that_is_offered_can_be_named():
    for offered in names().values():
        for name, value in offered.items():
            assert evaluate(name, "it") is value
            assert signature(value).startswith("(")


@pytest.fixture
def module(monkeypatch):
    """Let `own` be a module of a user's."""

    class Record(quack.UCB):
        pass

    class Plain:
        def select(self):
            return 0

        def update(self, action, reward):
            pass

    made = types.ModuleType("own")
    made.Record, made.Plain, made.policy = Record, Plain, quack.UCB(sigma=3.0)
    made.calls = []
    made.function = lambda *given: made.calls.append(given)
    made.system = print
    monkeypatch.setitem(sys.modules, "own", made)
    return made


def test_a_users_own_things_can_be_named_and_policies_made(module):
    assert evaluate("own.Record(sigma=2)", "it") == module.Record(sigma=2)
    assert evaluate("QuACK(own.policy)", "it") == quack.QuACK(module.policy)
    assert evaluate("from_object(own.Plain)", "it").factory is module.Plain


REFUSED = {
    "__import__('os').system('true')": "is not a name",
    "os.system('true')": "os.system is in Python's own library",
    "subprocess.Popen(['true'])": "subprocess.Popen is in Python's own library",
    "from_object(os.system)": "is in Python's own library",
    "own.function(1)": "own.function is no policy, environment or group, and nothing else is made here",
    "own.system('true')": "nothing else is made here",
    "own.Plain()": "from_object(own.Plain) makes a policy of it",
    "own.__dict__": "is private",
    "own._hidden()": "is private",
    "own.__class__.__base__()": "is private",
    "UCB().init(2, 10)": "is not a name",
    "UCB.__new__(UCB)": "is private",
    "numpy.load('it')": "numpy.load is no policy",
    "(1).__class__": "is not a name",
    "[].append(1)": "is not a name",
    "(lambda: 1)()": "is not a name",
    "lambda: 1": "is not accepted",
    "[x for x in [1]]": "is not accepted",
    "f'{1}'": "is not accepted",
    "b'1'": "is not accepted",
    "1j": "is not accepted",
    "...": "is not accepted",
    "[1][0]": "is not accepted",
    "1 if 1 else 2": "is not accepted",
    "1 < 2": "is not accepted",
    "{1: 2}": "is not accepted",
    "(x := 1)": "is not accepted",
    "await_": "there is no await_.",
    "UCB(**own.calls)": "** is not accepted",
    "UCB(*[1])": "is not accepted",
    "QuACK(*own.calls)": "is not accepted",
    "x = 1": "is not an expression",
    "": "is not an expression",
    "1 +": "is not an expression",
    "a\0b": "is not an expression",
    "9 ** 9 ** 9": "is too large",
    "1000000 ** 100": "is too large",
    "(10 ** 60) ** 60": "is too large",
    "[0] * 10 ** 7": "too long",
    "10 ** 7 * [0]": "too long",
    "[0] * 999999 + [0] * 999999": "too long",
    "[[0] * 1000] * 1000": "lists of lists",
    "'a' * 1000000": "only numbers and lists",
    "UCB * 3": "only numbers and lists",
    "[1] * 1.5": "a list can be added to a list and multiplied by a whole number, nothing else",
    "[1] - [1]": "nothing else",
    "1 / 0": "ZeroDivisionError",
    "10.0 ** 64 ** 5": "is too large",
    "-[1]": "TypeError",
    "(" * 5000 + ")" * 5000: "is not an expression",
    "-" * 50_000 + "1": "is nested too deeply",
    "1 + " * 24_000 + "1": "is nested too deeply",
    "a" + ".b" * 20_000: "is nested too deeply",
    "1" * 200_000: "has 200,000 characters; at most 100,000 are accepted",
    "1" * 5000: "is not an expression",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:30])
def test_what_is_not_construction_is_refused(text, module):
    with pytest.raises(SpecError) as refusal:
        evaluate(text, "it")
    assert REFUSED[text] in str(refusal.value)
    assert len(str(refusal.value)) < 1000
    assert module.calls == []


def test_a_wrong_call_says_which_is_right():
    with pytest.raises(
        SpecError, match=r"Gaussian: got an unexpected keyword argument 'sigm'; Gaussian\(means, sigma=1.0\) is acc"
    ):
        evaluate("Gaussian([1], sigm=1)", "environment")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("import no_such_library", "there is no module 'no_such_library'"),
        ("x = (", "the module broken_of_a_user cannot be imported: SyntaxError"),
        ("1 / 0", "cannot be imported: ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
    ],
)
def test_a_module_that_cannot_be_imported(source, sentence, tmp_path, monkeypatch):
    (tmp_path / "broken_of_a_user.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SpecError) as refusal:
        evaluate("broken_of_a_user.Policy()", "it")
    assert sentence in str(refusal.value)


def test_a_constructor_that_raises(module):
    def construct(*_given, **_named):
        raise KeyError("x")

    module.Record.__new__ = construct
    with pytest.raises(SpecError, match="it 'own.Record\\(\\)': KeyError: 'x'"):
        evaluate("own.Record()", "it")
