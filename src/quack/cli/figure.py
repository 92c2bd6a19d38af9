"""The verb `quack figure`: the paper's figures, and more of that kind."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quack.cli.arguments import number, one_of, whole_number
from quack.cli.screen import remark, say, show_table
from quack.errors import SpecError
from quack.extras import require

if TYPE_CHECKING:
    from quack.experiments.catalogue import Choices, Entry
    from quack.experiments.series import Played

__all__ = ["add", "choices_of"]

_FORMATS = ("svg", "pdf", "png")
_FIELDS = {"horizon": "horizon", "runs": "runs", "seed": "seed", "sigma": "sigma", "u": "moment", "epsilon": "epsilon"}
_EPILOG = """\
examples:
  quack figure list
      every figure: what it shows, how much it plays, about how long that takes here
  quack figure main --quick
      the paper's main figure from few runs: figures/main.svg, .pdf and .png, its data and its caption
  quack figure all --runs 100 --workers 16
      everything as in the paper; Ctrl-C at any time: what is played is kept, and the same command goes on
  quack figure scaling --dark --width one --format png
      the same results drawn for a dark slide, a column wide

What the paper leaves open is an option: --horizon, --sigma, --u, --epsilon, --radius. Every picture says in its caption what was
chosen. Results lie in DIR/data and are not played again; --fresh does.
"""


def add(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "figure",
        help="draw the paper's figures, and more of that kind",
        description="Play what a figure shows and draw it; its data and its caption lie beside it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    option = parser.add_argument
    option("names", nargs="+", metavar="NAME|all|list", help="which figures; `list` says what there is")
    option("--out", type=Path, default=Path("figures"), metavar="DIR", help="where everything goes (default: figures)")
    option(
        "--horizon", type=whole_number, metavar="ROUNDS", help="number of rounds; the paper does not say (default: in the list)"
    )
    option("--runs", type=whole_number, metavar="N", help="number of repetitions; the paper has 100 (default: in the list)")
    option("--quick", action="store_true", help="fewer rounds and runs, to see what comes")
    option("--seed", type=whole_number, metavar="N", help="same seed, same figure (default: 0)")
    option(
        "--sigma", type=number, metavar="X", help="σ of UCB, coop-UCB, DDUCB (default: 0.5; rewards in [0, 1] are ½-subgaussian)"
    )
    option("--u", type=number, metavar="X", help="bound on the moment E|X|^(1+ε) of heavy tails (default: 5.67)")
    option("--epsilon", type=number, metavar="X", help="its order less 1, in (0, 1] (default: 0.85)")
    option("--radius", type=number, metavar="X", help="multiplier of the truncated mean's interval (default: 0.25; theory has 1)")
    option("--dark", action="store_true", help="draw for a dark ground, as NAME-dark")
    option("--width", type=one_of("one", "two"), default="two", metavar="one|two", help="columns of a paper (default: two)")
    option("--format", type=_formats, default=_FORMATS, metavar="LIST", help="some of svg,pdf,png (default: all)")
    option("--no-caption", action="store_true", help="leave the caption out of the picture; beside it, it always is")
    option("--data", type=one_of("csv", "parquet"), default="csv", metavar="csv|parquet", help="the data's format (default: csv)")
    option("--fresh", action="store_true", help="play again what is kept in DIR/data")
    option("--workers", type=whole_number, metavar="N", help="number of threads (default: one per processor)")
    option("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(verb=_figure)


def _formats(text: str) -> tuple[str, ...]:
    """Read a list of formats."""
    asked = tuple(part.strip().lower() for part in text.split(","))
    for part in asked:
        if part not in _FORMATS:
            raise argparse.ArgumentTypeError(f"{part!r} is not accepted; some of {','.join(_FORMATS)} are")
    return asked


def _figure(options: argparse.Namespace) -> int:
    from quack.experiments.catalogue import CATALOGUE, entry_called

    if "list" in options.names:
        if len(options.names) > 1:
            raise SpecError("`quack figure list` lists every figure; it takes no other names")
        _list(options)
        return 0
    names = [entry.name for entry in CATALOGUE] if "all" in options.names else dict.fromkeys(options.names)
    entries = [entry_called(name) for name in names]
    chosen = [choices_of(entry, options) for entry in entries]
    for module in ("numba", "matplotlib", *(("pyarrow",) if options.data == "parquet" else ())):
        require(module, "quack figure")
    _check(options)
    for entry, choices in zip(entries, chosen, strict=True):
        _make(entry, choices, options)
    return 0


def choices_of(entry: "Entry", options: argparse.Namespace) -> "Choices":
    """Return with which numbers a figure is to be made."""
    from quack.experiments.catalogue import Choices

    horizon, runs = entry.quick if options.quick else (entry.horizon, entry.runs)
    given = {field: getattr(options, key) for key, field in (_FIELDS | {"radius": "radius"}).items()}
    return Choices(**{"horizon": horizon, "runs": runs} | {key: value for key, value in given.items() if value is not None})


def _check(options: argparse.Namespace) -> None:
    """Refuse what cannot be, before the work that would be lost."""
    from quack.simulation.admission import check_workers
    from quack.store import check_writable

    check_workers(options.workers, None)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpecError(
            f"--out is {str(options.out)!r}, which cannot be a folder: {error.strerror}; a folder's name is"
        ) from None
    check_writable(options.out / "any")


def _make(entry: "Entry", choices: "Choices", options: argparse.Namespace) -> None:
    from quack.experiments.durations import expected
    from quack.experiments.gallery import make
    from quack.experiments.plates import Look

    def announce() -> None:
        if not options.quiet:
            time = expected(entry, choices, options.workers)
            remark(f"{entry.name}: about {time} here, less what is kept, and what compiling takes the first time")

    made = make(
        entry,
        choices,
        options.out,
        looks=[Look(options.dark, options.width, not options.no_caption)],
        formats=options.format,
        table=options.data,
        fresh=options.fresh,
        announce=announce,
        workers=options.workers,
        progress=not options.quiet,
    )
    if entry.kind in ("curves", "ranking"):
        show_table(f"{entry.name}: final group regret, mean and 95 % confidence interval", *_finals(made.found))
    kept = f", {made.kept} kept from before" if made.kept else ""
    say(f"{entry.name}: {made.played} played{kept}; {entry.shows}")
    remark("\n".join(f"saved {path}" for path in made.files))


def _finals(found: "Played") -> tuple[list[str], list[list[str]]]:
    """Return a table: a row for each group, a column for each panel."""
    from quack.simulation.table import number

    labels = dict.fromkeys(label for _, comparison in found for label in comparison)
    body = [
        [label, *(f"{number(one[label].mean[-1])} ± {number(one[label].half_width, 3)}" for _, one in found)] for label in labels
    ]
    return ["group", *(study.panel for study, _ in found)], body


def _list(options: argparse.Namespace) -> None:
    from quack.experiments.catalogue import CATALOGUE
    from quack.experiments.durations import expected

    rows = []
    for entry in CATALOGUE:
        choices = choices_of(entry, options)
        size = f"{len(entry.studies(choices))} × {choices.runs:,} runs × {choices.horizon:,} rounds"
        rows.append((entry.name, entry.source or "beyond it", entry.shows, size, expected(entry, choices, options.workers)))
    show_table(
        "Draw one with `quack figure NAME`. What is played is kept: figures that share it are quicker.",
        ("name", "paper", "shows", "plays", "about, here"),
        rows,
    )
