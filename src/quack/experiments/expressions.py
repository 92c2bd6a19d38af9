"""Groups, policies and environments written as text, exactly as in Python: ``QuACK(UCB(sigma=0.5))``.

Nothing is executed but the construction of what is named: names of this package, policies, environments and groups from modules
that can be imported (``mymodule.MyPolicy()``), numbers, strings, lists, and sums and multiples of them (``[0.5] + [0.45] * 9``).
Naming a module imports it; nothing from Python's own library can be named.
"""

import ast
import importlib
import inspect
import math
import operator
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

from quack.errors import SpecError, nearest
from quack.extras import plugins

__all__ = ["evaluate", "names", "signature"]

_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_NUMBERS = {"nan": math.nan, "inf": math.inf}  # so that what takes a number says which it takes
_UNARY: dict[type[ast.AST], Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}
_MOST_ITEMS = 1_000_000
_MOST_DIGITS = 64  # of an exponent's result, about
_LONGEST = 100_000  # characters of an expression
_SHOWN = 200  # characters of it in a sentence

_KINDS = {"policies": "policy", "environments": "environment", "groups": "group"}
_PROTOCOLS = {"Bandit", "Environment", "Group", "Policy"}
_METHODS = (("init", "select", "update"), ("gaps", "reward"), ("place", "init", "run"))


def names() -> dict[str, dict[str, Any]]:
    """Return what can be named by kind: policy, environment, group; each a mapping from names to classes.

    Ours, and what installed packages add as entry points ``quack.policies``, ``quack.environments``, ``quack.groups``.
    """
    found: dict[str, dict[str, Any]] = {}
    for folder, kind in _KINDS.items():
        module = importlib.import_module(f"quack.{folder}")
        ours = {name: getattr(module, name) for name in module.__all__ if name not in _PROTOCOLS}
        found[kind] = dict(sorted((plugins(folder) | ours).items()))
    return found


def signature(value: Any) -> str:
    """Write the parameters of what can be called as one would: names and defaults.

    Examples
    --------
    >>> import quack
    >>> signature(quack.Gaussian)
    '(means, sigma=1.0)'
    """
    parameters = inspect.signature(value).parameters.values()
    return f"({', '.join(p.name if p.default is p.empty else f'{p.name}={p.default!r}' for p in parameters)})"


def evaluate(text: str, what: str) -> Any:
    """Return the object that an expression describes.

    Parameters
    ----------
    text
        The expression.
    what
        What it is for, to begin the sentence of an error: "group", "environment".

    Examples
    --------
    >>> evaluate("QuACK(Uniform(), leader=3)", "group")
    QuACK(policy=Uniform(), leader=3)
    """
    given = f"{what} {text if len(text) <= _SHOWN else text[:_SHOWN] + '…'!r}"
    if len(text) > _LONGEST:
        raise SpecError(f"{given} has {len(text):,} characters; at most {_LONGEST:,} are accepted")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's advice on style
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise SpecError(f"{given} is not an expression such as QuACK(UCB(sigma=0.5)): {reason}") from None
    except (MemoryError, RecursionError):
        raise SpecError(f"{given} is nested too deeply") from None
    try:
        return _value(tree.body)
    except SpecError as error:
        raise SpecError(f"{given}: {error}") from None
    except RecursionError:
        raise SpecError(f"{given} is nested too deeply") from None
    except Exception as error:
        # A constructor of somebody else's can raise anything.
        raise SpecError(f"{given}: {type(error).__name__}: {error}") from error


def _value(node: ast.expr) -> Any:  # noqa: PLR0911 (one for each form)
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None):
            return node.value
        case ast.List(elts=items):
            return [_value(item) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_value(item) for item in items)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _combine(type(op), _value(left), _value(right))
        case ast.Call(func=function, args=arguments, keywords=keywords):
            return _call(function, arguments, keywords)
        case ast.Name(id=name) if name in _NUMBERS:
            return _NUMBERS[name]
        case ast.Name() | ast.Attribute():
            return _named(_dotted(node))
    raise SpecError(f"{ast.unparse(node)!r} is not accepted; names, calls, numbers, strings and lists are")


def _combine(op: type[ast.AST], left: Any, right: Any) -> Any:
    """Compute with two numbers, or with flat lists, of a size that the text cannot blow up."""
    lists = [side for side in (left, right) if isinstance(side, list | tuple)]
    others = [side for side in (left, right) if not isinstance(side, list | tuple)]
    if any(isinstance(item, list | tuple) for side in lists for item in side):
        raise SpecError("lists of lists cannot be added or multiplied")
    if not all(isinstance(side, int | float) for side in others):
        raise SpecError("only numbers and lists can be added and multiplied")
    if lists:
        sizes = [len(side) for side in lists]
        length = sum(sizes) if len(lists) > 1 else sizes[0] * others[0]
        if length > _MOST_ITEMS:
            raise SpecError(f"a list of {length:,} items is too long; at most {_MOST_ITEMS:,} are accepted")
    elif op is ast.Pow and (abs(right) > _MOST_DIGITS or abs(left) > _MOST_ITEMS):
        raise SpecError(f"{left} ** {right} is too large")
    try:
        return _BINARY[op](left, right)
    except TypeError:
        raise SpecError("a list can be added to a list and multiplied by a whole number, nothing else") from None


def _call(function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> Any:
    name = _dotted(function)
    made = _named(name)
    if not _makes(made):
        plain = isinstance(made, type) and hasattr(made, "select") and hasattr(made, "update")
        hint = f"from_object({name}) makes a policy of it" if plain else "what your module has made itself can be named"
        raise SpecError(f"{name} is no policy, environment or group, and nothing else is made here; {hint}")
    named = {}
    for keyword in keywords:
        if keyword.arg is None:
            raise SpecError("** is not accepted")
        named[keyword.arg] = _value(keyword.value)
    positional = [_value(argument) for argument in arguments]
    try:
        inspect.signature(made).bind(*positional, **named)
    except TypeError as error:
        raise SpecError(f"{name}: {error}; {name}{signature(made)} is accepted") from None
    return made(*positional, **named)


def _makes(value: Any) -> bool:
    """Whether a call of this makes a policy, an environment or a group, and so does nothing else."""
    if any(value is offered for kind in names().values() for offered in kind.values()):
        return True
    return isinstance(value, type) and any(all(hasattr(value, name) for name in protocol) for protocol in _METHODS)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise SpecError(f"{ast.unparse(node)!r} is not a name")


def _named(name: str) -> Any:
    """Find a name of this package, or one in a module that can be imported."""
    offered = {known: value for kind in names().values() for known, value in kind.items()}
    short = name.removeprefix("quack.")
    if short in offered:
        return offered[short]
    module_name, _, attribute = name.rpartition(".")
    if not module_name or module_name == "quack":
        meant = nearest(short, offered) or f" Known are {', '.join(sorted(offered))}; your own as module.Name"
        raise SpecError(f"there is no {name}.{meant}")
    if re.search(r"(^|\.)_", name):
        raise SpecError(f"{name} is private; names that do not begin with _ are accepted")
    if module_name.partition(".")[0] in sys.stdlib_module_names:
        raise SpecError(f"{name} is in Python's own library, where no policy, environment or group is")
    module = _import(module_name)
    if not hasattr(module, attribute):
        raise SpecError(f"the module {module_name} has no {attribute}.{nearest(attribute, vars(module))}")
    return getattr(module, attribute)


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise SpecError(f"there is no module {error.name!r} that Python can import from here") from None
    except (Exception, SystemExit) as error:
        # Importing runs a user's own code, which can raise anything.
        raise SpecError(f"the module {name} cannot be imported: {type(error).__name__}: {error}") from error
