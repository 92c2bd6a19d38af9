"""quack list: what can be named."""

import argparse
import inspect
from typing import Any

from quack.cli.screen import show_table
from quack.experiments.expressions import names
from quack.networks import FAMILIES

__all__ = ["add"]


def add(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "list",
        help="show the policies, environments, groups and networks that can be named",
        description="Show what can be named in `quack compare`, with parameters and defaults.",
        epilog="For the whole story of one of them: python -c 'import quack; help(quack.UCB)'",
    )
    parser.add_argument("kind", nargs="?", choices=("policies", "environments", "groups", "networks"), help="only these")
    parser.set_defaults(verb=_list)


def _list(options: argparse.Namespace) -> int:
    plural = {"policy": "policies", "environment": "environments", "group": "groups"}
    for kind, offered in names().items():
        if options.kind in (None, plural[kind]):
            body = [(f"{name}{_parameters(value)}", _summary(value)) for name, value in offered.items()]
            show_table(plural[kind], ("name", "what it does"), body)
    if options.kind in (None, "networks"):
        body = [(example, _summary(builder)) for builder, example in FAMILIES.values()]
        show_table("networks", ("name", "what it is"), body)
    return 0


def _parameters(value: Any) -> str:
    """Write the parameters as one would: names and defaults."""
    parameters = inspect.signature(value).parameters.values()
    parts = [p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in parameters]
    return f"({', '.join(parts)})"


def _summary(value: Any) -> str:
    return (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")
