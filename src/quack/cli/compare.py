"""The verb `quack compare`: play groups on networks, show a table, draw a figure."""

import argparse
import dataclasses
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from quack.cli.arguments import one_of, whole_number
from quack.cli.screen import remark, show_comparison
from quack.errors import Interrupted, QuackWarning, SpecError
from quack.experiments.spec import Experiment, split_label
from quack.extras import require

if TYPE_CHECKING:
    from quack.comparison import Plan
    from quack.simulation.admission import Engine
    from quack.simulation.drawing import Reference
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

the file holds the same names: network (one or a list), environment, horizon, runs, seed, engine, and a table [groups];
checkpoints, too, the number of rounds to write down or a list of them; a file with a [grid] is for `quack run`:
  network = ["cycle:196", "star:196"]
  environment = "Bernoulli([0.5] + [0.45] * 9)"
  [groups]
  "QuACK-UCB" = "QuACK(UCB(sigma=0.5))"

`quack list` shows what can be named. Ctrl-C ends at once; the runs that are finished are shown, saved and drawn.
"""


def add(verbs: Any) -> None:
    """Add the verb."""
    default = Experiment()
    engines = ("auto", "compiled", "interpreted")
    parser = verbs.add_parser(
        "compare",
        help="play groups on networks; show a table, draw a figure",
        description="Play groups of agents in the same worlds and compare their group regret.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    option = parser.add_argument
    option("file", nargs="?", type=Path, help="an experiment (TOML); options override it")
    option("-n", "--network", action="append", metavar="NAME|FILE", help=f"may be repeated (default: {default.network[0]})")
    option("-e", "--environment", metavar="EXPRESSION", help=f"what actions pay (default: {default.environment})")
    option(
        "-g",
        "--group",
        action="append",
        metavar="[LABEL=]EXPRESSION",
        help="may be repeated (default: QuACK with UCB and with Thompson sampling, no cooperation, pooled)",
    )
    option("--horizon", type=whole_number, metavar="ROUNDS", help=f"number of rounds (default: {default.horizon})")
    option("--runs", type=whole_number, metavar="N", help=f"number of repetitions (default: {default.runs})")
    option("--seed", type=whole_number, metavar="N", help=f"same seed, same result, to the last bit (default: {default.seed})")
    option("--engine", type=one_of(*engines), metavar="ENGINE", help=f"{', '.join(engines)} (default: {default.engine})")
    option("--workers", type=whole_number, metavar="N", help="number of threads (default: one per processor)")
    option("--save", type=Path, metavar="FILE.npz", help="write the results; with several networks a file for each")
    option("--figure", action="append", type=Path, default=[], metavar="FILE", help="draw an .svg, .png or .pdf; may be repeated")
    option("--bounds", action="store_true", help="draw what is proven of each group beside its curve (best with --log)")
    option("--log", action="store_true", help="draw regret on a logarithmic axis")
    option("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(verb=_compare)


def _compare(options: argparse.Namespace) -> int:
    require("numba", "quack compare")
    from quack.simulation.admission import check_workers

    experiment = Experiment.from_toml(options.file) if options.file else Experiment()
    experiment = experiment.updated(_overrides(options), "the command line")
    workers = check_workers(options.workers, None)
    _check_files(options)
    plans = _plans(experiment)
    targets = _targets(options.save, [plan.settings.network for plan in plans])
    done: list[Comparison] = []
    interrupted = False
    for plan, target in zip(plans, targets, strict=True):
        try:
            comparison: Any = plan.play(workers=workers, progress=not options.quiet)
        except Interrupted as interruption:
            interrupted = True
            comparison = interruption.partial
            remark(_interrupted(comparison, plan))
        if comparison is not None:
            done.append(comparison)
            show_comparison(comparison)
            if target is not None:
                comparison.save(target)
                remark(f"saved {target}")
        if interrupted:
            break
    bounds = _bounds(experiment, done) if options.bounds else ()
    _draw(done, options.figure, options.log, bounds)
    return 130 if interrupted else 0


def _overrides(options: argparse.Namespace) -> dict[str, Any]:
    """Return what the command line says about the experiment."""
    known = {field.name for field in dataclasses.fields(Experiment)}
    given = {key: value for key, value in vars(options).items() if key in known and value is not None}
    if options.group:
        pairs = [split_label(text) for text in options.group]
        given["groups"] = dict(pairs)
        labels = [label for label, _ in pairs]
        if twice := [label for label in given["groups"] if labels.count(label) > 1]:
            raise SpecError(f"two groups are called {twice[0]!r}; each needs a label of its own, as in LABEL=EXPRESSION")
    return given


def _check_files(options: argparse.Namespace) -> None:
    """Refuse files that cannot be written before the work that would fill them."""
    from quack.experiments.figures import check_figure_path
    from quack.store import check_writable

    if options.save is not None:
        if options.save.suffix != ".npz":
            raise SpecError(f"--save is {str(options.save)!r}; a file name that ends in .npz is accepted")
        check_writable(options.save)
    if options.figure:
        require("matplotlib", "a figure")
    for given, name in ((options.log, "--log"), (options.bounds, "--bounds")):
        if given and not options.figure:
            raise SpecError(f"{name} is for a figure, and none is asked for; --figure FILE asks for one")
    for path in options.figure:
        check_writable(check_figure_path(path))


def _plans(experiment: Experiment) -> "list[Plan]":
    """Check everything on every network before the first is played."""
    from quack.comparison import prepare

    if experiment.grid:
        raise SpecError(
            f"the file has a grid of {', '.join(experiment.grid)}; `quack run FILE` plays it, `quack compare` one setting"
        )
    experiment.cells()  # refuses {names} that nothing stands for
    environment, groups = experiment.make_environment(), experiment.make_groups()
    numbers = experiment.horizon, experiment.runs, experiment.seed
    how: Any = {"engine": cast("Engine", experiment.engine), "checkpoints": experiment.checkpoints}
    return [prepare(groups, environment, network, *numbers, **how) for network in experiment.network]


def _targets(save: Path | None, networks: Sequence[str]) -> list[Path | None]:
    """Return where each network's results go."""
    if save is None or len(networks) == 1:
        return [save] * len(networks)
    names = [f"{save.stem}-{network}".replace(":", "-").replace("/", "-") for network in networks]
    if twice := [network for network, name in zip(networks, names, strict=True) if names.count(name) > 1]:
        raise SpecError(f"two networks are called {twice[0]!r}: their results would go to one file")
    return [save.with_stem(name) for name in names]


def _interrupted(partial: "Comparison | None", plan: "Plan") -> str:
    finished = sum(len(group.runs) for group in partial.values()) if partial is not None else 0
    return f"quack: interrupted; of {len(plan.work) * plan.settings.runs:,} runs {finished:,} are finished"


def _bounds(experiment: Experiment, done: "Sequence[Comparison]") -> "list[list[Reference]]":
    """Return what is proven of the groups, network by network; say of which nothing is."""
    from quack.networks import read
    from quack.theory.drawing import bound_curves

    environment, groups = experiment.make_environment(), experiment.make_groups()
    curves, missing = [], {}
    for name, comparison in zip(experiment.network, done, strict=False):  # after Ctrl-C, some networks were not played
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", QuackWarning)  # said when it was read first
            network = read(name)
        found, without = bound_curves(comparison, groups, environment, network)
        curves.append(found)
        missing.update(without)
    for label, reason in missing.items():
        remark(f"no bound on {label!r}: {reason}")
    return curves


def _draw(done: "Sequence[Comparison]", paths: Sequence[Path], log: bool, bounds: "Sequence[Sequence[Reference]]") -> None:
    from quack.experiments.figures import regret_panels, save_figure

    if not done:
        return
    for path in paths:
        save_figure(regret_panels(done, log=log, bounds=bounds), path)
        remark(f"saved {path}")
