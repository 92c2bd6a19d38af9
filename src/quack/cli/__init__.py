"""The command line, one verb a file."""

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quack.errors import QuackError, QuackWarning
from quack.version import __version__

__all__ = ["main"]

_FAILED, _INTERRUPTED = 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0 done, 1 a check failed, 2 an error, 130 interrupted."""
    sys.path.insert(0, str(Path.cwd()))  # a user's own module beside the command is found, as with `python -m`
    warnings.showwarning = _show_warning
    try:
        options = _parser().parse_args(arguments)
        status: int = options.verb(options)
    except QuackError as error:
        print(f"quack: error: {error}", file=sys.stderr)
        return _FAILED
    except KeyboardInterrupt:
        print("quack: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:  # the reader of our output has left, as `head` does
        sys.stderr.close()
        return 0
    return status


def _parser() -> argparse.ArgumentParser:
    from quack.cli import check, compare, leader, listing

    parser = argparse.ArgumentParser(
        prog="quack",
        description="Cooperative multi-armed bandits: any single-agent bandit algorithm, played by a network of agents that learn together.",
        epilog="Begin with `quack compare`. Every verb explains itself: quack VERB --help.",
    )
    parser.add_argument("--version", action="version", version=f"quack {__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for verb in (compare, listing, check, leader):
        verb.add(verbs)
    return parser


def _show_warning(message: Warning | str, category: type[Warning], filename: str, lineno: int, *rest: Any) -> None:
    """Say a warning of ours as one line; leave those of others to Python."""
    if issubclass(category, QuackWarning):
        print(f"quack: note: {message}", file=sys.stderr)
    else:
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, rest[1] if len(rest) > 1 else None))
