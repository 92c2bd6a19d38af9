"""The verb `quack bounds`: what is proven of a network's regret."""

import argparse
import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quack.cli.arguments import whole_number
from quack.cli.screen import remark, show_table
from quack.errors import SpecError
from quack.experiments.spec import Experiment, split_label

if TYPE_CHECKING:
    from quack.networks import Network
    from quack.theory import Bound

__all__ = ["add"]

_EPILOG = """\
examples:
  quack bounds
      the paper's bandit on a small grid: QuACK-UCB, DDUCB, together, alone, and what nobody can beat
  quack bounds -n cycle:64 -n my-network.graphml --horizon 100000 --csv bounds.csv
  quack bounds -n grid:8x8 -e "Stable([0.7] + [0.4] * 4, alpha=1.9)" --gamma 6 --gamma 14
      heavy tails: CMP-UCB, whose messages live 6 or 14 hops
  quack bounds -e "Duelling('arithmetic')" --gamma 2
  quack bounds -g "QuACK(UCB1())" -g "mine=QuACK(UCB(sigma=1), leader=3)"
      and what is proven of these groups
  quack bounds study.toml
      for the networks, environment, horizon and groups of an experiment

how to read it:
  bound = leading + additive: the leading term grows with the horizon, the additive one is what the network costs.
  upper   the mean group regret is at most this, all constants included.
  order   the authors dropped constants: compare such a bound with another one of this kind only.
  lower   no algorithm stays below this in the environment that is worst for it.
  Beyond m n Δ_max, what any play costs at most, a bound says nothing: take more rounds.
  Errata of the paper are applied; --as-printed shows its own forms. `quack compare --figure FILE --bounds` draws bounds.
"""
_HEADER = ("algorithm", "bound", "leading", "additive", "kind", "source")
_FAR = 5_000  # agents up to which the diameter is looked for


def add(verbs: Any) -> None:
    """Add the verb."""
    default = Experiment()
    parser = verbs.add_parser(
        "bounds",
        help="print what is proven of the regret on a network, algorithm by algorithm",
        description="Print every bound on the group regret that speaks of a network and an environment, and compare them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    option = parser.add_argument
    option("file", nargs="?", type=Path, help="an experiment (TOML), as for `quack compare`; options override it")
    option("-n", "--network", action="append", metavar="NAME|FILE", help=f"may be repeated (default: {default.network[0]})")
    option("-e", "--environment", metavar="EXPRESSION", help=f"what actions pay (default: {default.environment})")
    option("-g", "--group", action="append", metavar="[LABEL=]EXPRESSION", help="a group to bound too; may be repeated")
    option("--horizon", type=whole_number, metavar="ROUNDS", help=f"number of rounds (default: {default.horizon})")
    option(
        "--gamma",
        action="append",
        type=whole_number,
        metavar="HOPS",
        help="how many hops messages of CMP-UCB and MP-RUCB live; may be repeated (default: the diameter)",
    )
    option("--as-printed", action="store_true", help="the forms that the paper prints, errors included")
    option("--csv", type=Path, metavar="FILE", help="write all bounds, with all digits")
    parser.set_defaults(verb=_bounds)


def _bounds(options: argparse.Namespace) -> int:
    from quack.networks import read
    from quack.store import check_writable

    experiment = _experiment(options)
    if options.csv is not None:
        check_writable(options.csv)
    environment = experiment.make_environment()
    groups = experiment.make_groups() if options.group or options.file else {}
    networks = [read(name) for name in experiment.network]
    rows: list[tuple[str, str, Bound]] = []
    for network in networks:
        gammas = _gammas(options.gamma, network, environment)
        found = _found(network, environment, experiment.horizon, gammas, groups, as_printed=options.as_printed)
        rows += [(network.name, label, bound) for label, bound in found]
        _show(network, environment, experiment, gammas, found, as_printed=options.as_printed)
    if options.csv is not None:
        _write(options.csv, rows)
    return 0


def _experiment(options: argparse.Namespace) -> Experiment:
    """Return the experiment of the file and the flags; one network, environment and horizon at a time."""
    experiment = Experiment.from_toml(options.file) if options.file else Experiment()
    given = {key: getattr(options, key) for key in ("network", "environment", "horizon") if getattr(options, key) is not None}
    if options.group:
        given["groups"] = dict(split_label(text) for text in options.group)
    experiment = experiment.updated(given, "the command line")
    if experiment.grid:
        raise SpecError(f"the file has a grid of {', '.join(experiment.grid)}; `quack bounds` takes one setting")
    return experiment


def _gammas(asked: list[int] | None, network: "Network", environment: Any) -> list[int]:
    """Return how many hops messages live: by default, where a bound speaks of it and it is known at once, through the network."""
    from quack.networks.graphs import whole_number as checked
    from quack.theory.symbols import diameter

    if asked is not None:
        return [checked("gamma", gamma, 1) for gamma in asked]
    wanted = hasattr(environment, "moments_below") or hasattr(environment, "matrix")
    return [max(1, diameter(network))] if wanted and network.n_agents <= _FAR else []


def _found(
    network: "Network", environment: Any, horizon: int, gammas: list[int], groups: dict[str, Any], *, as_printed: bool
) -> "list[tuple[str, Bound]]":
    """Return the bounds with their names; say of which group nothing is proven."""
    from quack.theory import bound_of
    from quack.theory.overview import appendix_c

    found = [(bound.algorithm, bound) for bound in appendix_c(network, environment, horizon, gammas, as_printed=as_printed)]
    for label, group in groups.items():
        try:
            found.append((label, bound_of(group, network, environment, horizon)))
        except SpecError as reason:
            remark(f"no bound on {label!r}: {reason}")
    return found


def _show(
    network: "Network",
    environment: Any,
    experiment: Experiment,
    gammas: list[int],
    found: "list[tuple[str, Bound]]",
    *,
    as_printed: bool,
) -> None:
    """Print the bounds, the symbols, the comparisons and the traffic of a network."""
    from quack.simulation.table import brief, counted, number
    from quack.theory.overview import claims, symbols, talk

    agents = f"{network.name}: {counted(network.n_agents, 'agent')}, {counted(network.n_edges, 'edge')}"
    title = f"{agents}; {brief(repr(environment), 100)}; horizon {experiment.horizon:,}"
    body = [
        (brief(label, 48), number(bound.value), number(bound.leading), number(bound.additive), bound.kind, bound.reference)
        for label, bound in found
    ]
    show_table(title, _HEADER, body)
    symbol_rows = symbols(network, gammas, as_printed=as_printed, far=network.n_agents <= _FAR)
    show_table(
        "symbols",
        ("symbol", "value", "meaning"),
        [(name, f"{value:,}" if isinstance(value, int) else number(value, 6), meaning) for name, meaning, value in symbol_rows],
    )
    made = claims(network, environment, experiment.horizon, gammas, as_printed=as_printed)
    if made:
        compared = [(claim.statement, number(claim.left), number(claim.right), "yes" if claim.holds else "no") for claim in made]
        show_table("comparisons", ("claim", "left", "right", "holds"), compared)
    sent = [
        (name, *(f"{total:,}" for total in said.total), f"{int(said.numbers.max()):,}")
        for name, said in talk(network, len(environment.gaps), gammas)
    ]
    show_table("sent in a round", ("algorithm", "messages", "numbers", "most numbers of an agent"), sent)


def _write(path: Path, rows: "list[tuple[str, str, Bound]]") -> None:
    from quack.store import atomic_file

    with atomic_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        table = csv.writer(text, lineterminator="\n")
        table.writerow(("network", *_HEADER))
        for network, label, bound in rows:
            table.writerow((network, label, bound.value, bound.leading, bound.additive, bound.kind, bound.reference))
        text.detach()
    remark(f"saved {path}")
