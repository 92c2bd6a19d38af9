"""Reading the command line: what is wrong with it is said in one sentence, as everywhere."""

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from quack.errors import SpecError, nearest

__all__ = ["Parser", "number", "one_of", "parse", "whole_number"]


class Parser(argparse.ArgumentParser):
    """A parser that leaves it to its caller to say what is wrong. Options are written out: abbreviations may change meaning."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print below its usage."""
        raise SpecError(f"{message} (see {self.prog} --help)")


def parse(parser: Parser, verbs: Any, arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options; refuse an unknown verb or option with the nearest that is known."""
    known: dict[str, Parser] = verbs.choices
    if arguments and not arguments[0].startswith("-") and arguments[0] not in known:
        raise SpecError(f"there is no verb {arguments[0]!r}.{nearest(arguments[0], known)} Known are {', '.join(known)}")
    options, rest = parser.parse_known_args(arguments)
    if rest:
        verb = known[arguments[0]]
        offered = sorted(set(re.findall(r"--[a-z-]+", verb.format_help())))
        unknown = rest[0].partition("=")[0]
        kind = "option" if unknown.startswith("-") else "further argument"
        hint = nearest(unknown, offered)
        raise SpecError(f"{verb.prog} takes no {kind} {unknown!r}.{hint} Its options are {', '.join(offered)}")
    return options


def whole_number(text: str) -> int:
    """Read an option that is a whole number; which ones are possible is checked where it is used."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; a whole number is") from None


def number(text: str) -> float:
    """Read an option that is a number; which ones are possible is checked where it is used."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; a number is") from None


def one_of(*accepted: str) -> Callable[[str], str]:
    """Return a reader of an option that is one of several words."""

    def read(text: str) -> str:
        if text in accepted:
            return text
        hint = nearest(text, accepted)
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; {', '.join(accepted)} are{'.' if hint else ''}{hint}")

    return read
