"""quack check: does your own policy, environment or group keep its promises?"""

import argparse
from typing import Any

from quack.conformance import ConformanceError, check_environment, check_group, check_policy
from quack.errors import SpecError
from quack.experiments.expressions import evaluate

__all__ = ["add"]

_EPILOG = """\
examples:
  quack check mymodule:MyPolicy          the class MyPolicy in mymodule.py, made with its defaults
  quack check "mymodule:MyPolicy(c=2)"
  quack check "UCB(sigma=0.5)"

The exit status is 0 if every promise is kept and 1 otherwise.
"""


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
    module, colon, rest = options.subject.partition(":")
    text = f"{module}.{rest}" if colon and "(" not in module else options.subject
    subject = evaluate(text, "subject")
    if isinstance(subject, type):
        subject = evaluate(f"{text}()", "subject")
    check: Any
    if all(hasattr(subject, name) for name in ("place", "run")):
        check = check_group
    elif all(hasattr(subject, name) for name in ("gaps", "reward")):
        check = check_environment
    elif hasattr(subject, "select"):
        check = check_policy
    else:
        raise SpecError(f"{subject!r} is no policy (init, select, update), no environment (gaps, reward) and no group (place, init, run)")
    try:
        passed = check(subject)
    except ConformanceError as failure:
        print(failure)
        return 1
    for promise in passed:
        print(f"ok  {promise}")
    print(f"{subject!r} passes {len(passed)} checks")
    return 0
