"""What `quack simulate` does with --campaign and --replay, and how it shows progress."""

import argparse
import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quack.cli.screen import remark, say, show_table
from quack.errors import SpecError

if TYPE_CHECKING:
    from quack.simulation.campaign import Outcome

__all__ = ["at_least", "replay_again", "run_campaign", "showing_progress"]

_LINE_EVERY_S = 10.0


def run_campaign(options: argparse.Namespace) -> int:
    """Judge many worlds; return the exit status: 1 if one is wrong, 130 if interrupted."""
    import os

    from quack.simulation.campaign import campaign

    count, first = at_least("campaign", options.campaign, 1), at_least("seed", options.seed, 0)
    workers = at_least("workers", options.workers, 1) if options.workers is not None else len(os.sched_getaffinity(0))
    start = time.perf_counter()
    latest: list[Outcome] = []
    try:
        with showing_progress(count, quiet=options.quiet) as tell:

            def note(outcome: "Outcome") -> None:
                latest[:] = [outcome]
                tell(outcome.seeds)

            campaign(first, count, workers, note)
    except KeyboardInterrupt:
        remark("quack: interrupted; what is finished so far:")
        _show_campaign(latest, first, time.perf_counter() - start)
        return 130
    return _show_campaign(latest, first, time.perf_counter() - start)


def _show_campaign(latest: "list[Outcome]", first: int, wall_s: float) -> int:
    if not latest:
        return 0
    outcome = latest[0]
    counts = outcome.counts
    kinds = ("events", "chosen", "held", "claimed", "crash", "destroyed", "cut", "frozen", "garbage", "joined", "left")
    rows = [("worlds", f"{outcome.seeds:,}, from seed {first}"), ("worlds per second", f"{outcome.seeds / wall_s:.1f}")]
    rows += [(_CALLED.get(kind, kind), f"{counts.get(kind, 0):,}") for kind in kinds]
    rows.append(("violations", f"{len(outcome.violations):,}"))
    show_table("campaign", (), rows)
    return _accuse(outcome.violations)


_CALLED = {
    "chosen": "choices",
    "held": "rewards accepted",
    "claimed": "leaderships",
    "crash": "crashes",
    "destroyed": "disks destroyed",
    "cut": "times that links were cut",
    "frozen": "nodes frozen",
    "garbage": "maps made nonsense",
    "joined": "nodes joined",
    "left": "nodes left",
}


def _accuse(violations: Sequence[tuple[int, str]]) -> int:
    for _, sentence in violations[:5]:
        say(sentence)
    if violations:
        say(f"again: quack simulate --replay {violations[0][0]}")
    return 1 if violations else 0


def replay_again(what: str) -> int:
    """Run the world of a seed, or the agents of a journal, once more."""
    from quack.simulation.campaign import judge

    if what.isascii() and what.isdecimal():
        violations = judge([int(what)]).violations
        say(f"the world of seed {what}: {len(violations) or 'no'} violations")
        return _accuse(violations)
    return _replay_journal(Path(what))


def _replay_journal(path: Path) -> int:
    from quack.experiments.expressions import evaluate
    from quack.simulation.checker import check
    from quack.simulation.journal import read
    from quack.simulation.replay import replay

    records = list(read(path))
    if not records or records[0]["kind"] != "world":
        raise SpecError(f"{path} is no journal of a world: its first record must be of the kind 'world'")
    policy = evaluate(records[0]["policy"], "policy")
    violations = check(records, policy)
    say(f"{path}: {replay(records, policy):,} steps, all the same again; {len(violations) or 'no'} violations")
    for violation in violations[:5]:
        say(str(violation))
    return 1 if violations else 0


def at_least(name: str, value: int, least: int) -> int:
    """Return an option's number; refuse one that is too small."""
    if value < least:
        raise SpecError(f"--{name} is {value}; a whole number from {least} on is accepted")
    return value


@contextlib.contextmanager
def showing_progress(total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Give a function that is told how many worlds are finished: a bar with rate and time left, or a line now and then."""
    import sys

    from quack.extras import require

    start = told = time.perf_counter()
    if quiet or not sys.stderr.isatty():

        def line(done: int) -> None:
            nonlocal told
            now = time.perf_counter()
            if not quiet and now - told >= _LINE_EVERY_S:
                told = now
                rate = done / (now - start)
                remark(f"{done:,} of {total:,} worlds, {rate:.1f} per second, about {(total - done) / rate:,.0f} s left")

        yield line
        return
    bars = require("rich.progress", "the progress bar")
    columns = (
        bars.TextColumn("worlds"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("{task.fields[rate]}", markup=False),
        bars.TimeRemainingColumn(),
    )
    console = require("rich.console", "the progress bar").Console(stderr=True)
    with bars.Progress(*columns, console=console, transient=True) as display:
        task = display.add_task("", total=total, rate="")

        def show(done: int) -> None:
            display.update(task, completed=done, rate=f"{done / (time.perf_counter() - start):.1f}/s")

        yield show
