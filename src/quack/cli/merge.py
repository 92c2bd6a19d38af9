"""The verb `quack merge`: put the parts of a study together."""

import argparse
from pathlib import Path
from typing import Any

from quack.cli.run import show_study
from quack.extras import require

__all__ = ["add"]

_EPILOG = """\
examples:
  quack run study.toml --shard 1/2 --out part-1        on one machine
  quack run study.toml --shard 2/2 --out part-2        on another
  quack merge part-1 part-2 --out study.results        when both folders are here

Runs that are there twice or not at all, and folders of different studies, are refused before anything is written.
"""


def add(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "merge",
        help="put together the parts of a study that were played with --shard",
        description="Put the finished runs of several folders into a new one, and show the table.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="what `quack run --shard` made")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="the new folder")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(verb=_merge)


def _merge(options: argparse.Namespace) -> int:
    require("numba", "quack merge")
    from quack.experiments.merging import merge_studies

    show_study(merge_studies(options.folders, options.out, progress=not options.quiet))
    return 0
