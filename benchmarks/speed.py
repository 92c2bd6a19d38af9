"""How fast, and against what: C that does nothing else, plain objects, loops written out by hand, larger and larger networks.

    python -m benchmarks.speed [--yardstick FOLDER]

The yardstick is a folder with a module `yardstick.py` whose ``quack_ucb_ns(..., variant=LIMIT)`` times a C program that does the
same work. Without it those columns are left out. The figures are stored, and their section of
`docs/performance.md` is written from them.
"""

import argparse
import contextlib
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

import quack
from benchmarks.quack_ucb import BANDIT, PlainUCB, c_program
from benchmarks.setting import RESULTS, least, store
from quack.policies.base import check_sizes
from quack.simulation import engine

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
HEADING = "## QuACK"
NETWORKS = {"grid": "grid:14x14", "cycle": "cycle:196", "star": "star:196"}
STARTS = {
    "`import numpy`": "import_numpy_s",
    "`import quack`": "import_quack_s",
    "`import numba`": "import_numba_s",
    "`import quack`, and a policy, an environment and a network": "use_quack_s",
    "`import numba`, and one call that was compiled before": "cached_s",
    "`quack compare` on three agents, compiled before": "compare_s",
}
CACHED = """import numba
@numba.njit(cache=True)
def total(numbers):
    return numbers.sum()
total(__import__("numpy").ones(3))
"""
GROWING = {"grid": "grid:{0}x{0}", "star": "star:{1}"}


LEAPING = {
    "UCB1()": quack.UCB1(),
    "AsymptoticUCB(0.5)": quack.AsymptoticUCB(0.5),
    "BernoulliLDPUCB()": quack.BernoulliLDPUCB(),
    "KLUCB()": quack.KLUCB(),
    "MOSS(0.5)": quack.MOSS(0.5),
    "MOSS(0.5, anytime=True)": quack.MOSS(0.5, anytime=True),
}


class StepByStep(NamedTuple):
    """A policy without its leaps: what a record of one's own costs."""

    policy: Any

    def init(self, n_actions: int, horizon: int) -> Any:
        """Return the policy's state."""
        return self.policy.init(n_actions, horizon)

    def select(self, state: Any, rng: np.random.Generator) -> int:
        """Choose as it does."""
        return self.policy.select(state, rng)

    def update(self, state: Any, action: int, reward: float, rng: np.random.Generator) -> None:
        """Learn as it does."""
        self.policy.update(state, action, reward, rng)


class Posteriors(NamedTuple):
    """Successes and failures."""

    alpha: np.ndarray
    beta: np.ndarray


class DrawAll(NamedTuple):
    """Thompson sampling that draws a Beta number for each action in each round."""

    def init(self, n_actions: int, horizon: int) -> Posteriors:
        """Return the prior."""
        check_sizes(n_actions, horizon)
        return Posteriors(np.ones(n_actions), np.ones(n_actions))

    def select(self, state: Posteriors, rng: np.random.Generator) -> int:
        """Draw them all."""
        best = 0
        largest = -1.0
        for action in range(len(state.alpha)):
            theta = rng.beta(state.alpha[action], state.beta[action])
            if theta > largest:
                largest = theta
                best = action
        return best

    def update(self, state: Posteriors, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count."""
        state.alpha[action] += reward
        state.beta[action] += 1.0 - reward


class ByHand(NamedTuple):
    """Pooled UCB written out in one loop: the same rewards off the same tape, the same plays, without a policy."""

    pooled: quack.Pooled

    def place(self, network: Any, n_actions: int, horizon: int) -> Any:
        """Count."""
        return self.pooled.place(network, n_actions, horizon)

    def init(self, placement: Any, world: Any) -> Any:
        """Return the state of UCB and a reader."""
        return self.pooled.init(placement, world)

    def run(self, placement: Any, state: Any, world: Any, rng: Any, record: Any) -> None:  # noqa: ARG002
        """Play."""
        ucb, rewards = state.policy, state.rewards
        for t in range(1, placement.horizon + 1):
            for _ in range(placement.n_agents):
                action = 0
                largest = ucb.optimism[0]
                for other in range(1, len(ucb.optimism)):
                    if ucb.optimism[other] > largest:
                        largest = ucb.optimism[other]
                        action = other
                plays = ucb.plays[action] + 1.0
                total = ucb.total[action] + rewards.next(action)
                ucb.plays[action] = plays
                ucb.total[action] = total
                ucb.optimism[action] = total / plays + math.sqrt(ucb.width / plays)
                record.plays[action] += 1
            if record.close(t, placement.n_agents):
                return


@contextlib.contextmanager
def counting_references() -> Iterator[None]:
    """Compile what is compiled meanwhile as the compiler usually does, with the counting that the engine leaves out."""
    compiled, known = engine._compile, dict(engine._programs)  # noqa: SLF001 (nobody else should want this)
    engine._programs.clear()  # noqa: SLF001
    engine._compile = lambda signature, folder, *, counting: compiled(signature, None, counting=True)  # noqa: ARG005, SLF001
    try:
        yield
    finally:
        engine._compile = compiled  # noqa: SLF001
        engine._programs.clear()  # noqa: SLF001
        engine._programs.update(known)  # noqa: SLF001


def counted_ns(group: Any, network: str) -> float:
    """Return the processor time of a play in ns if references are counted."""
    with counting_references():
        return least(lambda: play_ns(group, network, 10_000, 1), 3)


@numba.njit(error_model="numpy")
def by_hand(rounds: int, means: np.ndarray, width: float, seed: int) -> np.ndarray:
    """UCB with its estimates kept, written out in one loop with numba's own random numbers."""
    np.random.seed(seed)  # noqa: NPY002 (the generator that such loops use)
    plays, total, optimism = np.zeros(len(means)), np.zeros(len(means)), np.full(len(means), np.inf)
    for _ in range(rounds):
        action = 0
        for other in range(1, len(means)):
            if optimism[other] > optimism[action]:
                action = other
        plays[action] += 1.0
        total[action] += 1.0 if np.random.random() < means[action] else 0.0  # noqa: NPY002
        optimism[action] = total[action] / plays[action] + math.sqrt(width / plays[action])
    return plays


@numba.njit(error_model="numpy")
def thompson_by_hand(rounds: int, means: np.ndarray, seed: int) -> np.ndarray:
    """Thompson sampling in one loop, with numba's own Beta numbers."""
    np.random.seed(seed)  # noqa: NPY002 (the generator that such loops use)
    alpha, beta = np.ones(len(means)), np.ones(len(means))
    for _ in range(rounds):
        action = 0
        largest = -1.0
        for other in range(len(means)):
            theta = np.random.beta(alpha[other], beta[other])  # noqa: NPY002
            if theta > largest:
                largest = theta
                action = other
        success = 1.0 if np.random.random() < means[action] else 0.0  # noqa: NPY002
        alpha[action] += success
        beta[action] += 1.0 - success
    return alpha + beta


def play_ns(group: Any, network: str, horizon: int, runs: int) -> float:
    """Return the processor time of a play, in ns, through `compare` and on one thread."""
    result = quack.compare({"it": group}, BANDIT, network, horizon, runs, 1, workers=1, progress=False)
    return result["it"].ns_per_agent_round


def loop_ns(function: Any, rounds: int, *arguments: Any) -> float:
    """Return the processor time of a round of a loop written by hand."""
    function(10, *arguments)
    start = time.thread_time()
    function(rounds, *arguments)
    return (time.thread_time() - start) / rounds * 1e9


def beside_c(yardstick: str | None, repeats: int = 8) -> dict[str, Any]:
    """Measure QuACK-UCB on the three networks of the paper, in turns with C."""
    figures: dict[str, Any] = {}
    program = None if yardstick is None else c_program(yardstick)
    for name, network in NETWORKS.items():
        for sigma in (1.0, 0.5):
            group = quack.QuACK(quack.UCB(sigma=sigma))
            play_ns(group, network, 10, 1)
            ours, theirs = [], []
            for _ in range(repeats):
                ours.append(play_ns(group, network, 10_000, 4))
                if program is not None:
                    theirs.append(program.quack_ucb_ns(name, sigma=sigma, variant=program.LIMIT, runs=4, repeats=1)[0])
            row = {"ours_ns": min(ours)}
            if theirs:
                row |= {"c_ns": min(theirs), "ours_over_c": min(ours) / min(theirs)}
            figures[f"{name}, σ = {sigma:g}"] = row
    return figures


def beside_others() -> dict[str, float]:
    """Measure against plain objects and loops written by hand, each in turns."""
    width = 2.0 * math.log((196 * 10_000) ** 2)
    network = NETWORKS["grid"]
    things = {
        "ucb": lambda: play_ns(quack.QuACK(quack.UCB()), network, 10_000, 2),
        "ucb_half": lambda: play_ns(quack.QuACK(quack.UCB(sigma=0.5)), network, 10_000, 2),
        "ucb_object": lambda: play_ns(quack.QuACK(quack.from_object(PlainUCB)), network, 100, 1),
        "ucb_step_by_step": lambda: play_ns(quack.Pooled(StepByStep(quack.UCB())), network, 2_000, 2),
        "ucb_one_loop": lambda: play_ns(ByHand(quack.Pooled(StepByStep(quack.UCB()))), network, 2_000, 2),
        "ucb_by_hand": lambda: loop_ns(by_hand, 400_000, BANDIT.means, width, 1),
        "thompson": lambda: play_ns(quack.QuACK(quack.ThompsonSampling()), network, 10_000, 2),
        "thompson_draws": lambda: play_ns(quack.Pooled(DrawAll()), network, 2_000, 1),
        "thompson_by_hand": lambda: loop_ns(thompson_by_hand, 200_000, BANDIT.means, 1),
    }
    for measure in things.values():
        measure()  # compile
    times: dict[str, list[float]] = {name: [] for name in things}
    for _ in range(4):
        for name, measure in things.items():
            times[name].append(measure())
    figures = {f"{name}_ns": min(values) for name, values in times.items()}
    figures["object_over_ucb"] = figures["ucb_object_ns"] / figures["ucb_ns"]
    figures["object_over_ucb_half"] = figures["ucb_object_ns"] / figures["ucb_half_ns"]
    figures["step_by_step_over_one_loop"] = figures["ucb_step_by_step_ns"] / figures["ucb_one_loop_ns"]
    figures["ucb_counted_ns"] = counted_ns(quack.QuACK(quack.UCB()), network)
    figures["ucb_counted_over_ucb"] = figures["ucb_counted_ns"] / figures["ucb_ns"]
    figures["thompson_draws_over_thompson"] = figures["thompson_draws_ns"] / figures["thompson_ns"]
    figures["thompson_by_hand_over_thompson"] = figures["thompson_by_hand_ns"] / figures["thompson_ns"]
    return figures


def leaping() -> dict[str, dict[str, float]]:
    """Measure policies inside QuACK by leaps and step by step, in turns."""
    figures: dict[str, dict[str, float]] = {}
    for name, policy in LEAPING.items():
        leaps, steps = quack.QuACK(policy), quack.QuACK(StepByStep(policy))
        play_ns(leaps, NETWORKS["grid"], 10, 1)
        play_ns(steps, NETWORKS["grid"], 10, 1)
        times = [(play_ns(leaps, NETWORKS["grid"], 10_000, 1), play_ns(steps, NETWORKS["grid"], 10_000, 1)) for _ in range(3)]
        by_leaps, by_steps = (min(column) for column in zip(*times, strict=True))
        figures[name] = {"leaps_ns": by_leaps, "steps_ns": by_steps, "steps_over_leaps": by_steps / by_leaps}
    return figures


def growing() -> dict[str, dict[str, float]]:
    """Measure one run on larger and larger networks, and on a long cycle."""
    group = quack.QuACK(quack.UCB(sigma=0.5))
    figures: dict[str, dict[str, float]] = {}
    for name, pattern in GROWING.items():
        for side in (10, 100, 1000):
            horizon = max(1_000, 10**8 // side**2) if side < 1000 else 10_000
            start = time.process_time()
            cost = play_ns(group, pattern.format(side, side**2), horizon, 1)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            figures[f"{name} of {side**2:,}, {horizon:,} rounds"] = {
                "ns": cost,
                "run_s": cost * side**2 * horizon / 1e9,
                "with_the_network_s": time.process_time() - start,
                "peak_mib": peak,
            }
    for name in ("star", "cycle"):
        for rounds in (10_000, 100_000):
            figures[f"{name}, {rounds}"] = {"ns": least(lambda: play_ns(group, f"{name}:10000", rounds, 1), 2)}  # noqa: B023
    return figures


def start_up() -> dict[str, float]:
    """Measure the processor time of starting, in s, in processes of their own."""

    def seconds(*command: str, folder: str | None = None) -> float:
        def once() -> float:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *command], check=True, capture_output=True, cwd=folder)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        once()
        return least(once, 4)

    toy = "-m quack compare --network star:3 --horizon 10 --runs 1 --group QuACK(UCB())"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "cached.py").write_text(CACHED, encoding="utf-8")
        figures = {
            "import_numpy_s": seconds("-c", "import numpy"),
            "import_quack_s": seconds("-c", "import quack"),
            "use_quack_s": seconds("-c", "import quack; quack.UCB(), quack.Bernoulli([0.5, 0.4]), quack.networks.grid(3, 3)"),
            "import_numba_s": seconds("-c", "import numba"),
            "cached_s": seconds("-c", "import cached", folder=folder),
            "compare_s": seconds(*toy.split(" ")),
        }
    figures["compare_over_cached"] = figures["compare_s"] / figures["cached_s"]
    return figures


def main(yardstick: str | None = None) -> None:
    """Measure, store, write the page."""
    sizes = growing()  # first: what is compiled for the others needs more memory than a million agents
    store(
        "speed",
        {
            "beside_c": beside_c(yardstick),
            "beside_others": beside_others(),
            "leaping": leaping(),
            "growing": sizes,
            "start_up": start_up(),
        },
    )
    write_page()
    print(PAGE.read_text(encoding="utf-8"))


def write_page() -> None:
    """Write the page from what was stored last."""
    stored = json.loads((RESULTS / "speed.json").read_text())
    where, figures = stored["machine"], stored["figures"]
    c_rows = [
        f"| {name} | {row['ours_ns']:.2f} | {row.get('c_ns', math.nan):.2f} | {row.get('ours_over_c', math.nan):.2f} |"
        for name, row in figures["beside_c"].items()
    ]
    other, start = figures["beside_others"], figures["start_up"]
    rows = [
        ("`UCB()`", "ucb", ""),
        ("`UCB()`, if references were counted", "ucb_counted", f"{other['ucb_counted_over_ucb']:.1f} times that"),
        ("`UCB(sigma=0.5)`", "ucb_half", ""),
        (
            "UCB as a Python object",
            "ucb_object",
            f"{other['object_over_ucb']:,.0f} and {other['object_over_ucb_half']:,.0f} times",
        ),
        ("UCB as a record without leaps", "ucb_step_by_step", f"{other['step_by_step_over_one_loop']:.2f} times the next"),
        ("the same in one loop by hand, off the same tape", "ucb_one_loop", ""),
        ("one loop by hand with numba's own random numbers", "ucb_by_hand", ""),
        ("`ThompsonSampling()`", "thompson", ""),
        ("a record that draws k Beta numbers", "thompson_draws", f"{other['thompson_draws_over_thompson']:.0f} times that"),
        ("a loop by hand that does, numba", "thompson_by_hand", f"{other['thompson_by_hand_over_thompson']:.0f} times"),
    ]
    ways = [f"| {name} | {other[key + '_ns']:,.2f} | {remark} |" for name, key, remark in rows]
    large = [
        f"| {name} | {row['ns']:.2f} | {row['run_s']:.1f} | {row['peak_mib']:,.0f} |"
        for name, row in figures["growing"].items()
        if "run_s" in row
    ]
    short, long = (figures["growing"][f"cycle, {n}"]["ns"] / figures["growing"][f"star, {n}"]["ns"] for n in (10_000, 100_000))
    leaps = [
        f"| `{name}` | {row['leaps_ns']:.1f} | {row['steps_ns']:.1f} | {row['steps_over_leaps']:.0f} |"
        for name, row in figures["leaping"].items()
    ]
    tables = (
        ["| network | QuACK, ns | C, ns | ratio |", "| --- | ---: | ---: | ---: |", *c_rows],
        ["| ten actions, grid of 196 or alone | ns | |", "| --- | ---: | --- |", *ways],
        ["| policy | by leaps, ns | step by step, ns | ratio |", "| --- | ---: | ---: | ---: |", *leaps],
        ["| network | ns a play | a run, s | MiB |", "| --- | ---: | ---: | ---: |", *large],
        ["| processor time | s |", "| --- | ---: |", *(f"| {name} | {start[key]:.2f} |" for name, key in STARTS.items())],
    )
    beside_c_table, ways_table, leaps_table, large_table, start_table = ("\n".join(lines) for lines in tables)
    section = f"""{HEADING}

Processor time of a play of one agent, through `compare`, on one thread, ten Bernoulli actions (0.5 and nine times 0.45).
Taken by `python -m benchmarks.speed --yardstick FOLDER` on {where["processor"]} with Python {where["python"]} and
numba {where["numba"]}: the least of several measurements taken in turns, on a busy machine; trust the ratios.
How it is done: [`leaps.md`](leaps.md).

### QuACK-UCB beside C

196 agents, 10,000 rounds. The C program does this one thing, with the same shortcuts and a simpler random number generator.

{beside_c_table}

### Beside other ways to write it

{ways_table}

### Policies by leaps

On the grid of 196, the same decisions by leaps and step by step.

{leaps_table}

### Large networks

One run of QuACK-UCB, σ = ½. Memory is the most that the process has held so far, libraries and the network with it.

{large_table}

A play on a cycle of 10,000 costs {long:.1f} times one on a star of 10,000 in 100,000 rounds, {short:.1f} times in 10,000: there a
quarter of all plays belong to the warm-up, before the first order reaches an agent, and are drawn one by one.

### Start

The last row is {start["compare_over_cached"]:.2f} times the one before it.

{start_table}
"""
    text = PAGE.read_text(encoding="utf-8")
    before, found, rest = text.partition(f"\n{HEADING}\n")
    after = f"\n## {rest.partition(chr(10) + '## ')[2]}" if found and "\n## " in rest else ""
    PAGE.write_text(f"{before.rstrip()}\n\n{section}{after}", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yardstick", metavar="FOLDER", help="a C program of the same work to stand beside")
    main(parser.parse_args().yardstick)
