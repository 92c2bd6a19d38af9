"""What the figures cost: processor time per agent-round, which `quack figure list` reads.

``python -m benchmarks.figures`` plays every figure with --quick. ``python -m benchmarks.figures FOLDER`` takes the settings from
the captions of figures that were drawn there, and plays nothing that is kept there.
"""

import contextlib
import json
import shlex
import sys
import tempfile
import time
from pathlib import Path

import quack.experiments
from benchmarks.setting import machine
from quack.cli import understand
from quack.cli.figure import choices_of
from quack.experiments.catalogue import CATALOGUE, Choices, Entry
from quack.experiments.durations import agent_rounds
from quack.experiments.gallery import make

FILE = Path(quack.experiments.__path__[0]) / "costs.json"


def settings(entry: Entry, folder: Path) -> Choices:
    """Return with which numbers a figure was drawn in the folder; those of --quick if it was not."""
    caption = folder / f"{entry.name}.txt"
    if not caption.exists():
        return Choices(*entry.quick)
    command = caption.read_text(encoding="utf-8").partition("Made by: ")[2].partition(" (quack")[0]
    return choices_of(entry, understand(shlex.split(command)[1:]))


def main(folder: Path | None = None) -> None:
    """Measure, print and write."""
    costs = {}
    with contextlib.ExitStack() as stack:  # one folder for all: what figures share is played once, and counts for each
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for entry in CATALOGUE:
            choices = settings(entry, place)
            start = time.process_time()
            made = make(entry, choices, place, formats=(), progress=False)
            spent_s = made.cpu_s or time.process_time() - start  # the queues are watched in the interpreter
            costs[entry.name] = float(f"{spent_s / agent_rounds(entry, choices) * 1e9:.3g}")
            print(f"{entry.name:15} {costs[entry.name]:8.1f} ns per agent-round")
    FILE.write_text(json.dumps({"machine": machine(), "ns_per_agent_round": costs}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
