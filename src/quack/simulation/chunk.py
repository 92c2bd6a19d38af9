"""The unit of work: some runs of one group. A chunk can be pickled, and any executor can perform it."""

import time
from typing import Any, NamedTuple

import numpy as np

from quack.groups.base import Group, Record, World, open_record, open_world, runs_together
from quack.kernels import Integers
from quack.simulation.engine import Runner
from quack.tape import open_tape, policy_generator

__all__ = ["Chunk", "Outcome", "Signals", "compile_chunk", "new_signals", "perform"]


class Signals(NamedTuple):
    """Two numbers that a performer in the same process shares with whoever waits for it."""

    done: Integers  # agent-rounds simulated so far in this chunk
    stop: Integers  # not 0: leave at once


class Chunk(NamedTuple):
    """Some runs of one group."""

    label: str
    group: Group
    placement: Any
    environment: Any
    seed: int
    runs: range
    checkpoints: Integers
    compiled: bool
    agent_rounds: int = 1  # of one run
    expected_s: float = 0.0  # how long an agent-round takes, if somebody has looked


class Outcome(NamedTuple):
    """What came of a chunk. A run that was stopped half-way is not in it."""

    label: str
    runs: Integers  # the runs that were finished
    plays: Integers  # (runs, checkpoints, actions)
    cpu_s: float


def new_signals() -> Signals:
    """Return signals that nobody has given yet."""
    return Signals(np.zeros(1, np.int64), np.zeros(1, np.int64))


def _open(chunk: Chunk, runs: range, signals: Signals) -> tuple[World, np.random.Generator, Record]:
    """Return the surroundings of runs side by side. The generator is that of the first: a group that plays several needs none."""
    world = open_world(chunk.environment, open_tape(chunk.seed, runs[0]), len(runs))
    record = open_record(chunk.checkpoints, len(chunk.environment.gaps), signals.done, signals.stop, len(runs))
    return world, policy_generator(chunk.seed, runs[0]), record


def compile_chunk(chunk: Chunk) -> None:
    """Compile what a chunk needs, so that compilation errors come before any work and its time counts as nobody's."""
    runner = Runner(chunk.group, chunk.placement, compiled=chunk.compiled)
    runner.prepare(*_open(chunk, chunk.runs[:1], new_signals()))


def perform(chunk: Chunk, signals: Signals | None = None) -> Outcome:
    """Play the runs of a chunk."""
    signals = signals or new_signals()
    runner = Runner(chunk.group, chunk.placement, compiled=chunk.compiled)
    runner.compile(*_open(chunk, chunk.runs[:1], new_signals()))
    start = time.thread_time()
    finished: list[int] = []
    plays: list[Integers] = []
    together = runs_together(chunk.group, chunk.placement)
    for first in range(0, len(chunk.runs), together):
        runs = chunk.runs[first : first + together]
        world, rng, record = _open(chunk, runs, signals)
        runner.play(world, rng, record)
        if signals.stop[0]:
            break
        finished.extend(runs)
        plays.extend(np.moveaxis(record.written.reshape(len(chunk.checkpoints), -1, len(runs)), 2, 0))
    shape = (len(finished), len(chunk.checkpoints), len(chunk.environment.gaps))
    return Outcome(
        chunk.label, np.array(finished, np.int64), np.array(plays, np.int64).reshape(shape), time.thread_time() - start
    )
