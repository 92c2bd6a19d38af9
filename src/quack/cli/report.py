"""The verb `quack report`: results as one page."""

import argparse
from pathlib import Path
from typing import Any

from quack.cli.screen import remark
from quack.errors import SpecError

__all__ = ["add"]

_EPILOG = """\
examples:
  quack compare --network cycle:16 --network star:16 --save small.npz
  quack report small-cycle-16.npz small-star-16.npz
      writes report.html: curves, tables, differences in pairs with confidence intervals, distributions, settings
  quack report results/ --out grid.html --title "Grids of all sizes" --log
      of a folder, every result in it

The page is one file. It loads nothing, runs no script, and follows the reader's choice of light or dark.
"""


def add(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "report",
        help="write results as one page: figures, tables, differences in pairs, settings",
        description="Write saved results as one HTML page that opens without a network.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    option = parser.add_argument
    option("results", nargs="+", type=Path, metavar="RESULT", help="a file of `quack compare --save`, or a folder of such files")
    option(
        "--out", type=Path, default=Path("report.html"), metavar="FILE.html", help="where the page goes (default: report.html)"
    )
    option("--title", help="the headline (default: the networks)")
    option("--log", action="store_true", help="draw regret on logarithmic axes")
    parser.set_defaults(verb=_report)


def _report(options: argparse.Namespace) -> int:
    from quack.experiments.report import read_results, report
    from quack.store import atomic_file, check_writable

    if options.out.suffix.lower() not in {".html", ".htm"}:
        raise SpecError(f"--out is {str(options.out)!r}; a file name that ends in .html is accepted")
    check_writable(options.out)
    page = report(read_results(options.results), title=options.title, log=options.log)
    with atomic_file(options.out) as file:
        file.write(page.encode())
    remark(f"saved {options.out}")
    return 0
