"""The truncated mean through `compare` itself: what a reward costs after 10⁴, 10⁵ and 10⁶ of them, draws taken off.

    python -m benchmarks.truncated_mean

Demanded: the largest cost is at most 1.5 times the least. Beside it stand the formula as one would write it with NumPy, anew in
each round, and how many rewards were in the heap at once.
"""

import math
import time
from typing import Any

import numpy as np

import quack
from benchmarks.setting import least, store
from quack.environments.base import read_by_action
from quack.tape import open_tape

BANDIT = quack.Stable([0.7], alpha=1.9)
PLAIN = quack.UCB()  # a policy that costs next to nothing: what the draws cost
POLICY = quack.TruncatedMeanUCB(epsilon=0.85, moment=5.67)
COUNTS = (10_000, 100_000, 1_000_000)
ROUNDS_A_CALL = 1_000_000  # so many rounds are played in one measurement, in as many runs as it takes
HIGHEST_RATIO = 1.5


def per_update(policy: Any, count: int) -> float:
    """Return the processor time of a round of one agent with one action, in ns."""
    runs = ROUNDS_A_CALL // count
    result = quack.compare({"it": quack.Pooled(policy)}, BANDIT, "path:1", count, runs, 1, workers=1, progress=False)
    return result["it"].ns_per_agent_round


def most_in_heap(count: int) -> int:
    """Return how many rewards were in the heap at once."""
    state, rng = POLICY.init(1, count), np.random.default_rng(0)
    reader = read_by_action(BANDIT, open_tape(1, 0))
    most = 0
    for _ in range(count):
        POLICY.update(state, 0, reader.next(0), rng)
        most = max(most, int(state.leaving.size[0]))
    return most


def by_the_formula(count: int) -> float:
    """Return the wall time of one truncated mean of so many rewards with NumPy, in ns."""
    order, rewards = 1 + POLICY.epsilon, np.random.default_rng(0).standard_normal(count)
    places, level = np.arange(1, count + 1), 2 * math.log(count)

    def once() -> float:
        start = time.perf_counter()
        rewards[np.abs(rewards) <= (POLICY.moment * places / level) ** (1 / order)].sum() / count
        return (time.perf_counter() - start) * 1e9

    return least(once)


def main() -> None:
    """Measure, print, store."""
    for policy in (POLICY, PLAIN):
        per_update(policy, COUNTS[0])  # compile
    figures: dict[str, Any] = {}
    print(f"{'rewards':>9s} {'ns an update':>13s} {'with draws':>11s} {'by the formula':>15s} {'most in heap':>13s}")
    for count in COUNTS:
        with_draws = math.inf
        draws = math.inf
        for _ in range(5):  # in turns, so that noise meets both
            with_draws, draws = min(with_draws, per_update(POLICY, count)), min(draws, per_update(PLAIN, count))
        row = {
            "update_ns": with_draws - draws,
            "with_draws_ns": with_draws,
            "formula_ns": by_the_formula(count),
            "most_in_heap": most_in_heap(count),
        }
        figures[str(count)] = row
        print(f"{count:9,d} {row['update_ns']:13.1f} {with_draws:11.1f} {row['formula_ns']:15,.0f} {row['most_in_heap']:13d}")
    costs = [figures[str(count)]["update_ns"] for count in COUNTS]
    figures["largest_over_least"] = max(costs) / min(costs)
    print(f"largest over least: {figures['largest_over_least']:.2f} (goal: at most {HIGHEST_RATIO})")
    store("truncated_mean", figures)


if __name__ == "__main__":
    main()
