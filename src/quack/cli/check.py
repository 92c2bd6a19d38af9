"""The verb `quack check`: does your own policy, environment or group keep its promises?"""  # noqa: D400 (a question)

import argparse
from typing import Any

from quack.cli.screen import say
from quack.errors import SpecError
from quack.extras import require

__all__ = ["add"]

_EPILOG = """\
examples:
  quack check mymodule:MyPolicy          the class MyPolicy in mymodule.py, made with its defaults
  quack check "mymodule:MyPolicy(c=2)"
  quack check "UCB(sigma=0.5)"

The exit status is 0 if every promise is kept, 1 if one is broken, and 2 if there is nothing to check.
"""
_METHODS = "a policy has init, select and update; an environment gaps, reward_range and reward; a group place, init and run"


def add(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "check",
        help="check that a policy, an environment or a group keeps its promises",
        description="Check a policy, an environment or a group, and list every promise that it keeps or breaks.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("subject", metavar="MODULE:NAME", help="a class, or an expression that makes one")
    parser.set_defaults(verb=_check)


def _check(options: argparse.Namespace) -> int:
    require("numba", "quack check")
    from quack.conformance import ConformanceError, check_environment, check_group, check_policy

    subject = _subject(options.subject)
    check: Any
    if all(hasattr(subject, name) for name in ("place", "init", "run")):
        check = check_group
    elif all(hasattr(subject, name) for name in ("gaps", "reward_range", "reward")):
        check = check_environment
    elif all(hasattr(subject, name) for name in ("init", "select", "update")):
        check = check_policy
        _refuse_parameters(subject)
    else:
        raise SpecError(f"{options.subject!r} is {subject!r}, which cannot be checked: {_METHODS}")
    try:
        passed = check(subject)
    except ConformanceError as failure:
        say(str(failure))
        return 1
    say("\n".join([*(f"ok  {promise}" for promise in passed), f"{subject!r} passes {len(passed)} checks"]))
    return 0


def _refuse_parameters(policy: Any) -> None:
    """Let a policy say what is wrong with its parameters: that is the caller's mistake, not a broken promise."""
    try:
        policy.init(3 if getattr(policy, "unordered", False) else 4, 10)  # the duels of two arms, if it plays duels
    except SpecError:
        raise
    except Exception:  # noqa: BLE001, S110 (the checks meet it again, and say so)
        pass


def _subject(text: str) -> Any:
    """Make what is to be checked: of a class, an instance with its defaults."""
    from quack.experiments.expressions import evaluate

    module, colon, rest = text.partition(":")
    dotted = f"{module}.{rest}" if colon and "(" not in module else text
    subject = evaluate(dotted, "subject")
    return evaluate(f"{dotted}()", "subject") if isinstance(subject, type) else subject
