"""Groups, policies and environments written as text, exactly as in Python: ``QuACK(UCB(sigma=0.5))``.

Nothing is executed but the construction of what is named: names of this package, names from importable modules
(``mymodule.MyPolicy()``), numbers, strings, lists, and sums and multiples of them (``[0.5] + [0.45] * 9``).
"""

import ast
import importlib
import operator
from collections.abc import Callable
from typing import Any

import quack
from quack.errors import SpecError, nearest

__all__ = ["evaluate", "names"]

_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_MOST_ITEMS = 1_000_000
_KINDS = {"policies": "policy", "environments": "environment", "groups": "group"}
_PROTOCOLS = {"Bandit", "Environment", "Group", "Policy"}


def names() -> dict[str, dict[str, Any]]:
    """Return what this package offers by kind: policy, environment, group; each a mapping from names to classes."""
    found: dict[str, dict[str, Any]] = {kind: {} for kind in _KINDS.values()}
    for folder, kind in _KINDS.items():
        module = importlib.import_module(f"quack.{folder}")
        found[kind] = {name: getattr(module, name) for name in sorted(module.__all__) if name not in _PROTOCOLS}
    return found


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
    >>> evaluate("QuACK(UCB(sigma=0.5), leader=3)", "group")
    QuACK(policy=UCB(sigma=0.5, delta=None), leader=3)
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        raise SpecError(f"{what} {text!r} is not an expression such as QuACK(UCB(sigma=0.5)): {error.msg}") from None
    try:
        return _value(tree.body)
    except SpecError as error:
        raise SpecError(f"{what} {text!r}: {error}") from None
    except (TypeError, ZeroDivisionError, OverflowError) as error:
        raise SpecError(f"{what} {text!r}: {str(error).replace('__new__() ', '')}") from None


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None):
            return node.value
        case ast.List(elts=items):
            return [_value(item) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_value(item) for item in items)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _combine(type(op), _value(left), _value(right))
        case ast.Call(func=function, args=arguments, keywords=keywords):
            return _call(function, arguments, keywords)
        case ast.Name() | ast.Attribute():
            return _named(_dotted(node))
    raise SpecError(f"{ast.unparse(node)!r} is not accepted; names, calls, numbers, strings and lists are")


def _combine(op: type[ast.AST], left: Any, right: Any) -> Any:
    if op is ast.Pow and max(abs(left), abs(right)) > _MOST_ITEMS:
        raise SpecError(f"{left} ** {right} is too large")
    if op is ast.Mult:
        for items, times in ((left, right), (right, left)):
            if isinstance(items, list | tuple | str) and isinstance(times, int) and len(items) * times > _MOST_ITEMS:
                raise SpecError(f"a list of {len(items) * times:,} items is too long; at most {_MOST_ITEMS:,} are accepted")
    return _OPERATORS[op](left, right)


def _call(function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]) -> Any:
    made = _value(function)
    if not callable(made):
        raise SpecError(f"{ast.unparse(function)} cannot be called")
    named = {}
    for keyword in keywords:
        if keyword.arg is None:
            raise SpecError("** is not accepted")
        named[keyword.arg] = _value(keyword.value)
    return made(*(_value(argument) for argument in arguments), **named)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise SpecError(f"{ast.unparse(node)!r} is not a name")


def _named(name: str) -> Any:
    """Find a name of this package, or one in a module that can be imported."""
    offered = {known: value for kind in names().values() for known, value in kind.items()}
    if name in offered:
        return offered[name]
    module_name, _, attribute = name.rpartition(".")
    if not module_name:
        raise SpecError(f"there is no {name}.{nearest(name, offered)} Known are {', '.join(sorted(offered))}; your own as module.Name")
    if module_name == quack.__name__ and attribute in offered:
        return offered[attribute]
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise SpecError(f"there is no module {error.name!r} that Python can import from here") from None
    if not hasattr(module, attribute):
        raise SpecError(f"the module {module_name} has no {attribute}.{nearest(attribute, vars(module))}")
    return getattr(module, attribute)
