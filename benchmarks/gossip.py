"""Groups that gossip on the grid of 196, through `compare` itself: against C, NumPy and SciPy, on two threads, on a large grid.

    python -m benchmarks.gossip [--yardstick FOLDER]

stores the figures and writes them into docs/performance.md. The yardstick is a folder with a module `yardstick.py` whose
``coop_ucb_ns()`` times a C program of coop-UCB with eight runs side by side. Without it that line is left out.
"""

import argparse
import json
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import quack
from benchmarks.quack_ucb import BANDIT, GRID, c_program
from benchmarks.setting import RESULTS, store
from quack.networks.gossip import gossip_matrix
from quack.sampling import beta_odds_row
from quack.simulation.engine import Runner
from quack.tape import DRAW, open_tape

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
HEADING = "## Gossip"
GAUSSIAN = quack.Gaussian([0.5] + [0.45] * 9, sigma=0.5)
RUNS = 24  # one block
REPEATS = 5
GROUPS: dict[str, tuple[Any, Any]] = {
    "CoopUCB": (quack.CoopUCB(sigma=0.5), BANDIT),
    "CoopUCB2": (quack.CoopUCB2(sigma=0.5), BANDIT),
    "DDUCB": (quack.DDUCB(sigma=0.5), BANDIT),
    "DDUCB, local updates": (quack.DDUCB(sigma=0.5, local_updates=True), BANDIT),
    "DecTS": (quack.DecTS(), BANDIT),
    "GaussianDecTS": (quack.GaussianDecTS(sigma=0.5), GAUSSIAN),
}


def agent_round_ns(group: Any, environment: Any = BANDIT, network: Any = GRID, horizon: int = 300, runs: int = RUNS) -> float:
    """Return the processor time of a play, in ns, as the table of `compare` states it."""
    result = quack.compare({"it": group}, environment, network, horizon, runs, 1, workers=1, progress=False)
    return result["it"].ns_per_agent_round


def batched_ns(horizon: int = 40, runs: int = 100) -> float:
    """Return what coop-UCB costs as a program of NumPy and SciPy that plays 100 runs at once, in ns a play."""
    matrix, rng = gossip_matrix(GRID).to_scipy(), np.random.default_rng(0)
    m, k = GRID.n_agents, len(BANDIT.gaps)
    held = np.ones((m, 2, runs, k))
    held[:, 1] = rng.random((m, runs, k)) < BANDIT.means
    agents, everyone = np.ogrid[:m, :runs]
    start = time.thread_time()
    for t in range(k + 1, k + horizon + 1):
        count, total = held[:, 0], held[:, 1]
        index = total / count + np.sqrt(2 * 1.01 * 0.25 * math.log(t) / m * (count + 23.0)) / count
        actions = index.argmax(axis=2)
        held[agents, 0, everyone, actions] += 1
        held[agents, 1, everyone, actions] += rng.random((m, runs)) < BANDIT.means[actions]
        held = (matrix @ held.reshape(m, -1)).reshape(held.shape)
    return (time.thread_time() - start) / (horizon * m * runs) * 1e9


class Draws(quack.DecTS):
    """What remains of Dec-TS if it only draws, from beliefs that do not change."""

    __slots__ = ()

    def run(self, placement: Any, state: Any, world: Any, rng: Any, record: Any) -> None:  # noqa: ARG002 (a group's)
        """Draw for all rounds."""
        beliefs = state.held.table[0, 0]
        for t in range(1, placement.horizon + 1):
            for agent in range(placement.n_agents):
                for action in range(placement.n_actions):
                    first = agent * placement.n_actions
                    one, two = beliefs[0, action], beliefs[1, action]
                    beta_odds_row(one, two, world.tape, DRAW, first + action, t, state.rooms, state.one, state.other)
            record.close(t, placement.n_agents * world.runs)


def beta_ns(shape: float) -> tuple[float, float]:
    """Return the cost of a Beta draw, ours and that of `numpy.random.Generator.beta` for whole arrays, in ns."""
    from quack.groups.base import open_record, open_world

    horizon = 5
    group = Draws()
    placement = group.place(GRID, 10, horizon)
    world = open_world(BANDIT, open_tape(1, 0), RUNS)
    rng, shapes = np.random.default_rng(0), np.full((10, RUNS), shape)
    runner = Runner(group, placement._replace(prior=(shape, shape)), compiled=True)
    draws, ours, theirs = horizon * GRID.n_agents * 10 * RUNS, math.inf, math.inf
    for _ in range(REPEATS):
        record = open_record(np.array([horizon]), 10, np.zeros(1, np.int64), np.zeros(1, np.int64), RUNS)
        start = time.thread_time()
        runner.play(world, rng, record)
        ours = min(ours, (time.thread_time() - start) / draws * 1e9)
        start = time.thread_time()
        for _ in range(horizon * GRID.n_agents):
            rng.beta(shapes, shapes)
        theirs = min(theirs, (time.thread_time() - start) / draws * 1e9)
    return ours, theirs


def wall(workers: int) -> float:
    """Return the wall time of 96 runs on some threads, long enough that it is theirs."""
    start = time.perf_counter()
    quack.compare({"it": quack.CoopUCB(sigma=0.5)}, BANDIT, GRID, 8000, 96, 1, workers=workers, progress=False)
    return time.perf_counter() - start


def in_turns(measures: dict[str, Callable[[], float]]) -> dict[str, float]:
    """Return the least of several measurements of each, taken in turns, so that noise meets all."""
    for measure in measures.values():
        measure()  # compile
    best = dict.fromkeys(measures, math.inf)
    for _ in range(REPEATS):
        for name, measure in measures.items():
            best[name] = min(best[name], measure())
    return best


def main(yardstick: str | None = None) -> None:
    """Measure, print, store, write the page."""
    waiting = os.getloadavg()[0]
    measures: dict[str, Callable[[], float]] = {name: lambda it=it: agent_round_ns(*it) for name, it in GROUPS.items()}
    measures["NumPy and SciPy, 100 runs at once"] = batched_ns
    if yardstick is not None:
        program = c_program(yardstick)
        measures["C, eight runs side by side"] = lambda: program.coop_ucb_ns("grid", horizon=300, repeats=1)
    large = quack.networks.grid(100, 100)
    measures["CoopUCB, grid of 10,000"] = lambda: agent_round_ns(quack.CoopUCB(sigma=0.5, epsilon_c=0), BANDIT, large, 100)
    costs = in_turns(measures)
    threads = in_turns({str(workers): lambda workers=workers: wall(workers) for workers in (1, 2)})
    coop = costs["CoopUCB"]
    figures: dict[str, Any] = {
        "ns": costs,
        "numpy_over_coop": costs["NumPy and SciPy, 100 runs at once"] / coop,
        "large_over_small": costs["CoopUCB, grid of 10,000"] / coop,
        "two_threads_speedup": threads["1"] / threads["2"],
        "waiting": waiting,
        "beta": {f"{shape:g}": beta_ns(shape) for shape in (1.0, 10.0, 1000.0)},
    }
    if yardstick is not None:
        figures["coop_over_c"] = coop / costs["C, eight runs side by side"]
    store("gossip", figures)
    write_section()
    print(section())


def section() -> str:
    """Return the section of the page, from what was stored last."""
    stored = json.loads((RESULTS / "gossip.json").read_text())
    where, figures = stored["machine"], stored["figures"]
    unit = figures["ns"]["CoopUCB"]
    rows = [f"| {name} | {value:.1f} | {value / unit:.2f} |" for name, value in figures["ns"].items()]
    beta = [f"| {shape} | {ours:.1f} | {numpy:.1f} | {numpy / ours:.1f} |" for shape, (ours, numpy) in figures["beta"].items()]
    ratio = figures.get("coop_over_c")
    busy = f"; {figures['waiting']:.0f} threads wanted its processors then" if figures.get("waiting", 0) >= 1 else ""
    against_c = f"{ratio:.2f} times as much as the C program (the goal is at most 2.5), " if ratio else ""
    numpy_ratio, size_ratio, speedup = figures["numpy_over_coop"], figures["large_over_small"], figures["two_threads_speedup"]
    return f"""{HEADING}

Processor time of a play (one agent, one round: a step of gossip, the choice among ten actions, the reward), grid of 196 unless
the row says otherwise. Taken by `python -m benchmarks.gossip --yardstick FOLDER` on
{where["processor"]}; trust the ratios.

{chr(10).join(["| | ns a play | times CoopUCB |", "| --- | ---: | ---: |", *rows])}

CoopUCB costs {against_c}and NumPy and SciPy {numpy_ratio:.1f} times CoopUCB
(the goal is at least 8). On the grid of 10,000 a play costs {size_ratio:.2f} times as much as on the grid of 196 (at most 1.3).
Two threads are {speedup:.2f} times as fast as one (at least 1.8, of a machine that does nothing else{busy}).

Dec-TS draws a Beta number per action and play. A draw with both parameters equal to:

{chr(10).join(["| α = β | ns a draw | `Generator.beta` | ratio |", "| ---: | ---: | ---: | ---: |", *beta])}
"""


def write_section() -> None:
    """Replace the section of docs/performance.md, or append it."""
    page = PAGE.read_text(encoding="utf-8")
    start = page.find(HEADING)
    if start < 0:
        start, rest = len(page), ""
        page += "\n"
        start = len(page)
    else:
        following = page.find("\n## ", start + 1)
        rest = page[following:] if following >= 0 else ""
    PAGE.write_text(page[:start] + section() + rest, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", metavar="FOLDER", help="a C program of the same work to stand beside")
    main(parser.parse_args().yardstick)
