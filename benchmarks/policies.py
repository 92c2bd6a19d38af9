"""What a round of each policy costs: choose, read a reward, learn. Ten actions, side by side with other libraries.

python -m benchmarks.policies        stores the figures, writes them into docs/performance.md and prints that
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

import quack
from benchmarks.setting import RESULTS, least, store
from quack.experiments.expressions import names

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
BANDIT = quack.Bernoulli([0.5] + [0.45] * 9)
DUELS = quack.Duelling("arxiv")
ARGUMENTS: dict[str, list[Any]] = {"Borda": [quack.UCB(sigma=0.5)]}
SKIPPED = {"from_object"}


class PlainUCB:
    """UCB as a plain Python loop."""

    def __init__(self, n_actions: int, horizon: int, rng: np.random.Generator) -> None:  # noqa: ARG002 (the factory's signature)
        self.plays = [0] * n_actions
        self.total = [0.0] * n_actions
        self.width = 0.5 * math.log(horizon**2)

    def select(self) -> int:
        """Return the action with the largest optimistic estimate."""
        optimism = [t / p + math.sqrt(self.width / p) if p else math.inf for t, p in zip(self.total, self.plays, strict=True)]
        return optimism.index(max(optimism))

    def update(self, action: int, reward: float) -> None:
        """Count."""
        self.plays[action] += 1
        self.total[action] += reward


def guests() -> dict[str, tuple[Any, int]]:
    """Return the policies of other libraries with the number of rounds to time them on."""
    import river.bandit
    import river.proba
    from mabwiser.mab import LearningPolicy

    return {
        "plain Python loop, UCB": (quack.from_object(PlainUCB), 20_000),
        "River, UCB": (quack.adapters.river(river.bandit.UCB(delta=1.0)), 5_000),
        "River, Thompson sampling": (quack.adapters.river(river.bandit.ThompsonSampling(river.proba.Beta())), 5_000),
        "MABWiser, UCB1": (quack.adapters.mabwiser(LearningPolicy.UCB1()), 500),
        "MABWiser, Thompson sampling": (quack.adapters.mabwiser(LearningPolicy.ThompsonSampling()), 500),
    }


def round_ns(policy: Any, rounds: int) -> float:
    """Return the processor time of a round of one agent."""
    bandit = DUELS if getattr(policy, "duels", False) else BANDIT

    def measure() -> float:
        group = quack.Pooled(policy)
        return quack.compare({"it": group}, bandit, "path:1", rounds, 1, 0, workers=1, progress=False)["it"].ns_per_agent_round

    measure()  # compile
    return least(measure, 3)


def main() -> None:
    """Measure, store, write and print the page."""
    figures = {}
    for name, policy in names()["policy"].items():
        if name not in SKIPPED:
            figures[name] = round_ns(policy(*ARGUMENTS.get(name, [])), 100_000)
    for name, (policy, rounds) in guests().items():
        figures[name] = round_ns(policy, rounds)
    store("policies", figures)
    write_page()
    print(PAGE.read_text(encoding="utf-8"))


def write_page() -> None:
    """Write the page from what was stored last, by this benchmark and by that of the truncated mean."""
    policies, truncated = (json.loads((RESULTS / f"{name}.json").read_text()) for name in ("policies", "truncated_mean"))
    where, figures = policies["machine"], policies["figures"]
    unit = figures["UCB"]
    rounds = [f"| {name} | {value:,.0f} | {value / unit:,.1f} |" for name, value in figures.items()]
    ratio = truncated["figures"].pop("largest_over_least")
    rewards = [
        f"| {int(count):,} | {row['update_ns']:.0f} | {row['formula_ns']:,.0f} | {row['most_in_heap']} |"
        for count, row in truncated["figures"].items()
    ]
    page = PAGE.read_text(encoding="utf-8")
    behind = page.find("\n## ", page.find("## The truncated mean") + 1)
    others = page[behind:] if behind >= 0 else ""  # sections of other benchmarks
    PAGE.write_text(
        f"""# What a round costs

Processor time of a round of one agent alone with ten actions (duels: six arms, 36 pairs): choose an action, read its reward off
the tape, learn. Inside QuACK many rewards wait at a time, and several policies cost far less: see the section on QuACK.
Written by `python -m benchmarks.policies` on
{where["processor"]}, Python {where["python"]}, numba {where["numba"]}; trust the
ratios. The last rows, a plain loop and other libraries, are Python objects, adapted by `quack.from_object` and `quack.adapters`.
CatoniUCB sums over all rewards, here up to 100,000, in each round: there is no exact way around it.

{chr(10).join(["| policy | ns a round | times UCB |", "| --- | ---: | ---: |", *rounds])}

## The truncated mean

What a reward costs `TruncatedMeanUCB`, draws taken off, after so many of them; beside it the formula with NumPy, worked out anew
for one round. Taken by `python -m benchmarks.truncated_mean`; the largest cost is {ratio:.2f} times the least; the goal is at
most 1.5.

{chr(10).join(["| rewards | ns an update | ns by the formula | most in the heap |", "| ---: | ---: | ---: | ---: |", *rewards])}
"""
        + others,
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
