"""The verb `quack list`: what can be named."""

import argparse
import inspect
from typing import Any

from quack.cli.arguments import one_of
from quack.cli.screen import show_table

__all__ = ["add"]

_PLURALS = {"policy": "policies", "environment": "environments", "group": "groups"}
_SHOWN = (*_PLURALS.values(), "networks")
_LONGEST = 80  # characters of a signature: a law for each of twenty actions would push all the rest off the screen


def add(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "list",
        help="show the policies, environments, groups and networks that can be named",
        description="Show what can be named in `quack compare`, with parameters and defaults.",
        epilog="For the whole story of one of them: python -c 'import quack; help(quack.UCB)'",
    )
    parser.add_argument("kind", nargs="?", type=one_of(*_SHOWN), metavar="KIND", help=f"only these: {', '.join(_SHOWN)}")
    parser.set_defaults(verb=_list)


def _list(options: argparse.Namespace) -> int:
    from quack.experiments.expressions import names, signature
    from quack.networks import known_families
    from quack.simulation.table import brief

    for kind, offered in names().items():
        if options.kind in (None, _PLURALS[kind]):
            body = [(brief(f"{name}{signature(value)}", _LONGEST), _summary(value)) for name, value in offered.items()]
            show_table(_PLURALS[kind], ("name", "what it does"), body)
    if options.kind in (None, "networks"):
        body = [(example, _summary(builder)) for builder, example in known_families().values()]
        show_table("networks", ("name", "what it is"), body)
    return 0


def _summary(value: Any) -> str:
    return (inspect.getdoc(value) or "").partition("\n\n")[0].replace("\n", " ")
