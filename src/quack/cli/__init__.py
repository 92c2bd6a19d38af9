"""The command line, one verb a file."""

import argparse
import contextlib
import io
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from typing import TextIO

from quack.cli.arguments import Parser, parse
from quack.cli.screen import discard_output, remark
from quack.errors import QuackError, QuackWarning
from quack.version import __version__

__all__ = ["main", "understand"]

_FAILED, _INTERRUPTED = 2, 130
_LONGEST = 2000  # characters of a sentence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0 done, 1 a check failed, 2 an error, 130 interrupted."""
    try:
        with _surroundings():
            options = understand(sys.argv[1:] if arguments is None else arguments)
            status: int = options.verb(options)
            return status
    except QuackError as error:
        sentence = str(error)
        remark(f"quack: error: {sentence if len(sentence) <= _LONGEST else sentence[:_LONGEST] + ' …'}")
    except KeyboardInterrupt:
        remark("quack: interrupted")
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001 (a mistake in the user's own module, or one of ours: whoever made it needs the traceback)
        remark(traceback.format_exc().rstrip())
        remark(f"quack: error: {type(error).__name__}: {error}")
    return _FAILED


def understand(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what a command line asks for, its verb included; refuse one that is not understood."""
    from quack.cli import bounds, check, compare, figure, leader, listing, merge, report, run, simulate

    parser = Parser(
        prog="quack",
        description="Cooperative multi-armed bandits: any single-agent algorithm, played by a network that learns together.",
        epilog="Begin with `quack compare`. Every verb explains itself: quack VERB --help.",
    )
    parser.add_argument("--version", action="version", version=f"quack {__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for verb in (compare, run, figure, merge, report, listing, check, leader, bounds, simulate):
        verb.add(verbs)
    return parse(parser, verbs, arguments)


@contextlib.contextmanager
def _surroundings() -> Iterator[None]:
    """Make of the process a command, and restore it: whoever calls `main` from Python keeps his own settings."""
    path, show = sys.path.copy(), warnings.showwarning
    sys.path.append("")  # a user's own module in this folder is found, and does not hide a library of the same name
    warnings.showwarning = _show_warning
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that has no Σ shows a question mark
    try:
        yield
    finally:
        sys.path[:] = path
        warnings.showwarning = show
        try:
            sys.stdout.flush()
        except OSError:
            discard_output()


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001 (Python's signature)
    line: str | None = None,
) -> None:
    """Say a warning of ours as one line; leave those of others to Python."""
    if issubclass(category, QuackWarning):
        remark(f"quack: note: {message}")
    else:
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))
