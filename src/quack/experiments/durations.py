"""How long a figure takes, about: processor time per agent-round as `python -m benchmarks.figures` has measured it."""

import functools
import importlib.resources
import json

from quack.experiments.catalogue import Choices, Entry
from quack.networks import read
from quack.simulation.admission import check_workers
from quack.simulation.table import duration

__all__ = ["agent_rounds", "expected", "expected_s"]


@functools.cache
def _costs() -> dict[str, float]:
    """Return nanoseconds per agent-round by figure."""
    text = importlib.resources.files("quack.experiments").joinpath("costs.json").read_text(encoding="utf-8")
    costs: dict[str, float] = json.loads(text)["ns_per_agent_round"]
    return costs


def agent_rounds(entry: Entry, choices: Choices) -> int:
    """Return how many plays of agents a figure shows."""
    plays = sum(read(study.network).n_agents * len(study.groups) for study in entry.studies(choices))
    return plays * choices.horizon * choices.runs


def expected_s(entry: Entry, choices: Choices, workers: int | None = None) -> float:
    """Return about how many seconds a figure takes on so many processors, by default those of this machine, once compiled."""
    processors = 1 if entry.kind == "queues" else check_workers(workers, None)
    return agent_rounds(entry, choices) * _costs()[entry.name] / 1e9 / processors


def expected(entry: Entry, choices: Choices, workers: int | None = None) -> str:
    """Return the same in words."""
    return duration(expected_s(entry, choices, workers))
