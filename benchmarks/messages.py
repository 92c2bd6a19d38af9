"""Groups that pass messages: what a run costs beside one without messages, and how long it takes to find leaders.

    python -m benchmarks.messages

64 agents on a grid, 1,000 rounds; each as processor time of a run, and as a multiple of agents that play the same policy alone.
Demanded: CMP-UCB, with however many leaders, well below a second a run.
"""

import math
import time
from typing import Any

import quack
from benchmarks.setting import least, store

GRID = quack.networks.grid(8, 8)
HORIZON, RUNS, REPEATS = 1_000, 10, 3
HEAVY = quack.Stable([0.7] + [0.4] * 4, alpha=1.9)
YES_OR_NO = quack.Bernoulli([0.5] + [0.45] * 9)
DUELS = quack.Duelling("arxiv")
ROBUST = quack.TruncatedMeanUCB(radius=0.1)
MOST_MS = 500.0

CASES: tuple[tuple[Any, dict[str, Any]], ...] = (
    (
        HEAVY,
        {
            "Independent, robust UCB": quack.Independent(ROBUST),
            "QuACK, robust UCB": quack.QuACK(ROBUST),
            "CMPUCB, 1 leader": quack.CMPUCB(ROBUST, leaders=1),
            "CMPUCB, 2 leaders": quack.CMPUCB(ROBUST, leaders=2),
            "CMPUCB, 4 leaders": quack.CMPUCB(ROBUST, leaders=4),
            "CMPUCB, 32 leaders": quack.CMPUCB(ROBUST, leaders=32),
            "MPUCB, γ = 2": quack.MPUCB(ROBUST, gamma=2),
            "MPUCB, γ = 14, the diameter": quack.MPUCB(ROBUST, gamma=14),
        },
    ),
    (
        DUELS,
        {
            "Independent, RUCB": quack.Independent(quack.RUCB()),
            "QuACK, RUCB": quack.QuACK(quack.RUCB()),
            "MPRUCB, γ = 2": quack.MPRUCB(gamma=2),
            "FollowYourLeader": quack.FollowYourLeader(quack.RUCB()),
        },
    ),
    (
        YES_OR_NO,
        {
            "Independent, KL-UCB": quack.Independent(quack.KLUCB()),
            "QuACK, KL-UCB": quack.QuACK(quack.KLUCB()),
            "DPE2": quack.DPE2(),
        },
    ),
)


def run_ms(group: Any, environment: Any, runs: int) -> float:
    """Return the processor time of a run in ms."""
    result = quack.compare({"it": group}, environment, GRID, HORIZON, runs, 1, workers=1, progress=False)
    return result["it"].cpu_s / runs * 1e3


def leaders_ms(n_leaders: int) -> float:
    """Return how long it takes to find γ and so many leaders, in ms."""

    def once() -> float:
        start = time.perf_counter()
        quack.CMPUCB(ROBUST, leaders=n_leaders).place(GRID, 5, HORIZON)
        return (time.perf_counter() - start) * 1e3

    return least(once, REPEATS)


def main() -> None:
    """Measure, print, store."""
    figures: dict[str, Any] = {}
    for environment, groups in CASES:
        cost = dict.fromkeys(groups, math.inf)
        for group in groups.values():
            run_ms(group, environment, 1)  # compile
        for _ in range(REPEATS):  # in turns, so that noise meets all
            for name, group in groups.items():
                cost[name] = min(cost[name], run_ms(group, environment, RUNS))
        alone = next(iter(cost.values()))
        for name, ms in cost.items():
            print(f"{name:>28s} {ms:9.2f} ms a run {ms / alone:7.2f} times alone")
            figures[name] = {"ms_a_run": ms, "times_alone": ms / alone}
    for n_leaders in (1, 2, 4):
        figures[f"finding {n_leaders} leaders"] = {"ms": leaders_ms(n_leaders)}
        print(f"{f'finding {n_leaders} leaders':>28s} {figures[f'finding {n_leaders} leaders']['ms']:9.2f} ms")
    worst = max(figures[name]["ms_a_run"] for name in figures if name.startswith("CMPUCB"))
    print(f"CMP-UCB at most {worst:.1f} ms a run (goal: below {MOST_MS:g})")
    store("messages", figures)


if __name__ == "__main__":
    main()
