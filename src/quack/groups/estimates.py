"""What groups that gossip share: the estimates that agents hold, and the choice between actions.

An agent holds two numbers per action, a count and a sum of rewards. After gossip they are means over the network: a count of x
stands for about m·x plays of all agents together. The runs side by side lie in the last dimension, so that one instruction of
the processor works on the same number of many runs.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.groups.base import Record, World, collect, count
from quack.kernels import Floats, Integers, disjoint, kernel
from quack.networks import Network

__all__ = [
    "Choice",
    "Estimates",
    "above_one",
    "begin",
    "choose",
    "close_all",
    "interleaved",
    "learn",
    "new_choice",
    "new_estimates",
    "on_lines",
    "side_by_side",
]

_RUNS = 24  # three vectors of eight, which hide each other's latency; more runs only take more of the cache
_MOST_BYTES = 2**28
_ROUNDS = 12
_LINE_BYTES = 64  # of the processor's cache


class Estimates(NamedTuple):
    """What all agents hold, in so many copies. Both fields are the same memory."""

    rows: Floats  # (copies, agents, 2 · actions · runs): what gossip mixes, a row an agent
    table: Floats  # (copies, agents, 2, actions, runs): of copy c, table[c, v, 0] are agent v's counts, table[c, v, 1] its sums


class Choice(NamedTuple):
    """Room for one agent's choice in all runs."""

    actions: Integers
    rewards: Floats
    best: Floats  # `actions` while they are compared: numbers of one kind are compared and kept in one go
    numerator: Floats  # of the largest index so far
    denominator: Floats


def interleaved(network: Network) -> tuple[int, int]:
    """Return how many rounds to interleave, and how far behind each follows the one before.

    Where the estimates are larger than the processor's cache, every round fetches all of them from memory. Instead agent v plays
    round t + 1 as soon as all its neighbours have played round t, which is when agent v + reach has, if the numbers of neighbours
    differ by at most `reach`: several rounds pass over the memory together. Two copies of the estimates are still enough.
    """
    owners = np.repeat(np.arange(network.n_agents), network.degrees)
    reach = int(np.abs(owners - network.neighbours).max(initial=1))
    return max(1, min(_ROUNDS, network.n_agents // (2 * reach))), reach


def new_estimates(copies: int, n_agents: int, n_actions: int, runs: int) -> Estimates:
    """Return estimates that know of nothing."""
    rows = on_lines(copies, n_agents, 2 * n_actions * runs)
    return Estimates(rows, rows.reshape(copies, n_agents, 2, n_actions, runs))


def new_choice(runs: int) -> Choice:
    """Return room for a choice."""
    return Choice(np.zeros(runs, np.int64), *on_lines(4, runs))


def on_lines(*shape: int) -> Floats:
    """Return an array of zeros that begins where a line of the cache does: eight numbers across two lines cost twice as much."""
    size = math.prod(shape)
    memory = np.zeros(size + _LINE_BYTES // 8)
    first = -memory.ctypes.data % _LINE_BYTES // 8
    return memory[first : first + size].reshape(shape)


def side_by_side(n_agents: int, n_actions: int, copies: int) -> int:
    """Return how many runs to play side by side, of a group that keeps so many copies of the estimates."""
    run_bytes = 16 * n_agents * n_actions * copies
    return max(1, min(_RUNS, _MOST_BYTES // run_bytes))


def above_one(owner: str, name: str, value: float) -> None:
    """Refuse a parameter that must be a finite number above 1."""
    if not (isinstance(value, float | int | np.number) and math.isfinite(value) and value > 1.0):
        raise SpecError(f"{owner}: {name} is {value!r}; a finite number above 1 is accepted")


@kernel
def choose(table: Floats, width: float, extra: float, choice: Choice) -> None:
    """Write the action with the largest optimistic estimate in each run; of equal ones the first.

    ::

        index_a = S_a/N_a + √(width · (N_a + extra)) / N_a = (S_a + √(width · (N_a + extra))) / N_a

    Fractions are compared by cross multiplication: a division takes as long as everything else together.
    """
    counts, sums, k = table[0], table[1], len(table[0])
    best, numerator, denominator = choice.best, choice.numerator, choice.denominator
    _first(counts[0], sums[0], width, extra, best, numerator, denominator)
    for action in range(1, k - 1, 2):
        _better_of_two(
            counts[action], sums[action], counts[action + 1], sums[action + 1], action, width, extra, best, numerator, denominator
        )
    if k % 2 == 0:
        _better(counts[k - 1], sums[k - 1], k - 1, width, extra, best, numerator, denominator)
    for i in range(len(best)):
        choice.actions[i] = int(best[i])


@disjoint
def _first(
    count: Floats, total: Floats, width: float, extra: float, best: Floats, numerator: Floats, denominator: Floats
) -> None:
    """Choose the first action."""
    for i in range(len(best)):
        numerator[i] = total[i] + math.sqrt(width * (count[i] + extra))
        denominator[i] = count[i]
        best[i] = 0.0


@disjoint
def _better(
    count: Floats, total: Floats, action: float, width: float, extra: float, best: Floats, numerator: Floats, denominator: Floats
) -> None:
    """Choose an action where its index is larger."""
    for i in range(len(best)):
        its = total[i] + math.sqrt(width * (count[i] + extra))
        larger = its * denominator[i] > numerator[i] * count[i]
        numerator[i] = its if larger else numerator[i]
        denominator[i] = count[i] if larger else denominator[i]
        best[i] = action if larger else best[i]


@disjoint
def _better_of_two(
    count: Floats,
    total: Floats,
    next_count: Floats,
    next_total: Floats,
    action: float,
    width: float,
    extra: float,
    best: Floats,
    numerator: Floats,
    denominator: Floats,
) -> None:
    """Choose an action where its index is larger, and then the next one likewise: one pass over what is best so far, not two."""
    for i in range(len(best)):
        its = total[i] + math.sqrt(width * (count[i] + extra))
        larger = its * denominator[i] > numerator[i] * count[i]
        largest = its if larger else numerator[i]
        of_it = count[i] if larger else denominator[i]
        so_far = action if larger else best[i]
        its = next_total[i] + math.sqrt(width * (next_count[i] + extra))
        larger = its * of_it > largest * next_count[i]
        numerator[i] = its if larger else largest
        denominator[i] = next_count[i] if larger else of_it
        best[i] = action + 1.0 if larger else so_far


@disjoint
def learn(table: Floats, choice: Choice, share: float) -> None:
    """Add the action that an agent played, and its reward, to what it holds: as so much of one play."""
    for i in range(len(choice.actions)):
        action = choice.actions[i]
        table[0, action, i] += share
        table[1, action, i] += share * choice.rewards[i]


@kernel
def close_all(record: Record, t: int, counted: Integers, rounds: int, agents: int) -> bool:
    """End so many rounds from t on, whose plays were counted each for itself. True: leave, the run is wanted no more."""
    for j in range(rounds):
        for i in range(counted.shape[1]):
            record.plays[i] += counted[j, i]
            counted[j, i] = 0
        if record.close(t + j, agents):
            return True
    return False


@kernel
def begin(placement: Any, table: Floats, choice: Choice, world: World, record: Record, free: bool) -> int:
    """Let every agent play each action once, and return the round that comes next.

    Plays that are free cost no round: they are not counted, and their rewards lie on the tape behind the last round.
    """
    for action in range(placement.n_actions if free else min(placement.n_actions, placement.horizon)):
        t = action + 1
        for i in range(len(choice.actions)):
            choice.actions[i] = action
        for agent in range(placement.n_agents):
            collect(world, agent, placement.horizon + t if free else t, choice.actions, choice.rewards)
            learn(table[agent], choice, 1.0)
            if not free:
                count(choice.actions, record.plays)
        if not free and record.close(t, placement.n_agents * world.runs):
            return int(placement.horizon) + 1
    return 1 if free else int(placement.n_actions) + 1
