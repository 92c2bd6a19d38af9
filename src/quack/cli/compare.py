"""quack compare: play groups on networks, show a table, draw a figure."""

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import Any, Literal, cast

from quack.cli.screen import show_comparison
from quack.comparison import compare
from quack.errors import Interrupted, SpecError
from quack.experiments.figures import check_figure_path, regret_panels, save_figure
from quack.experiments.spec import Experiment
from quack.networks import read
from quack.simulation.result import Comparison

__all__ = ["add"]

_EPILOG = """\
examples:
  quack compare
      the paper's bandit on a grid of 16 agents, four groups
  quack compare --network grid:14x14 --horizon 10000 --runs 100 --figure regret.svg --save regret.npz
      the same on 196 agents, with a figure and the data
  quack compare --group "mine=QuACK(mymodule.MyPolicy(c=2))" --group "QuACK(UCB(sigma=0.5))"
      your own policy, from mymodule.py in this folder, beside UCB
  quack compare study.toml --runs 1000
      an experiment from a file, with more runs

the file holds the same names: network (one or a list), environment, horizon, runs, seed, engine, and a table [groups]:
  network = ["cycle:196", "star:196"]
  environment = "Bernoulli([0.5] + [0.45] * 9)"
  [groups]
  "QuACK-UCB" = "QuACK(UCB(sigma=0.5))"

`quack list` shows what can be named. Ctrl-C ends at once and keeps the runs that are finished.
"""


def add(verbs: Any) -> None:
    """Add the verb."""
    defaults = Experiment()
    parser = verbs.add_parser(
        "compare",
        help="play groups on networks; show a table, draw a figure",
        description="Play groups of agents in the same worlds and compare their group regret.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", type=Path, help="an experiment (TOML); flags override it")
    parser.add_argument(
        "-n", "--network", action="append", metavar="NAME|FILE", help=f"a network; may be repeated (default: {defaults.network[0]})"
    )
    parser.add_argument("-e", "--environment", metavar="EXPRESSION", help=f"what actions pay (default: {defaults.environment})")
    parser.add_argument(
        "-g",
        "--group",
        action="append",
        metavar="[LABEL=]EXPRESSION",
        help="a group; may be repeated (default: QuACK with UCB and with Thompson sampling, no cooperation, pooled)",
    )
    parser.add_argument("--horizon", type=int, metavar="ROUNDS", help=f"number of rounds (default: {defaults.horizon})")
    parser.add_argument("--runs", type=int, metavar="N", help=f"number of repetitions (default: {defaults.runs})")
    parser.add_argument("--seed", type=int, help=f"same seed, same result, to the last bit (default: {defaults.seed})")
    parser.add_argument("--engine", choices=("auto", "compiled", "interpreted"), help="default: auto")
    parser.add_argument("--workers", type=int, metavar="N", help="number of threads (default: one per processor)")
    parser.add_argument("--save", type=Path, metavar="FILE.npz", help="write the results; with several networks one file each")
    parser.add_argument(
        "--figure", action="append", type=Path, default=[], metavar="FILE", help="draw the curves (.svg, .png or .pdf); may be repeated"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.set_defaults(verb=_compare)


def _compare(options: argparse.Namespace) -> int:
    experiment = Experiment.from_toml(options.file) if options.file else Experiment()
    experiment = experiment.updated(_overrides(options), "the command line")
    figures = [check_figure_path(path) for path in options.figure]
    _check_folders([*figures, *([options.save] if options.save else [])])
    environment, groups = experiment.make_environment(), experiment.make_groups()
    networks = [read(name) for name in experiment.network]
    done: list[Comparison] = []
    interrupted = False
    for network in networks:
        try:
            done.append(
                compare(
                    groups,
                    environment,
                    network,
                    experiment.horizon,
                    experiment.runs,
                    experiment.seed,
                    engine=cast("Literal['auto', 'compiled', 'interpreted']", experiment.engine),
                    workers=options.workers,
                    progress=not options.quiet,
                )
            )
        except Interrupted as interruption:
            interrupted = True
            if isinstance(interruption.partial, Comparison):
                done.append(interruption.partial)
            break
        show_comparison(done[-1])
    if interrupted:
        _tell_interrupted(done)
    _write(done, options.save, figures, len(networks))
    return 130 if interrupted else 0


def _overrides(options: argparse.Namespace) -> dict[str, Any]:
    known = {field.name for field in dataclasses.fields(Experiment)}
    given = {key: value for key, value in vars(options).items() if key in known and value is not None}
    if options.group:
        given["groups"] = dict(_labelled(text) for text in options.group)
        if len(given["groups"]) < len(options.group):
            raise SpecError("two groups have the same label; give each its own as LABEL=EXPRESSION")
    return given


def _labelled(text: str) -> tuple[str, str]:
    """Split LABEL=EXPRESSION; an = behind the first bracket belongs to the expression."""
    label, equals, expression = text.partition("=")
    if equals and "(" not in label:
        return label.strip(), expression
    return text, text


def _check_folders(paths: list[Path]) -> None:
    for path in paths:
        if not path.parent.is_dir():
            raise SpecError(f"cannot write {path}: there is no folder {path.parent}")


def _tell_interrupted(done: list[Comparison]) -> None:
    finished = sum(len(group.runs) for comparison in done for group in comparison.values())
    print(f"quack: interrupted; {finished} finished runs are kept", file=sys.stderr)
    if done and not done[-1].complete:
        show_comparison(done[-1])


def _write(done: list[Comparison], save: Path | None, figures: list[Path], asked: int) -> None:
    if not done:
        return
    if save is not None:
        for comparison in done:
            name = comparison.settings.network.replace(":", "-").replace("/", "-")
            path = save if asked == 1 else save.with_stem(f"{save.stem}-{name}")
            comparison.save(path)
            print(f"saved {path}", file=sys.stderr)
    if figures:
        figure = regret_panels(done)
        for path in figures:
            save_figure(figure, path)
            print(f"saved {path}", file=sys.stderr)
