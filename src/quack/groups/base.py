"""What a group is, and how it writes down what it plays."""

from typing import Any, NamedTuple, Protocol

import numpy as np

from quack.environments.base import Limits, limits_of, pay
from quack.kernels import Floats, Integers, disjoint, kernel
from quack.networks import Network
from quack.tape import AGENT, Cell, ReadCell, Tape, words

__all__ = ["Group", "Record", "World", "collect", "count", "open_record", "open_world", "runs_together"]


class World(NamedTuple):
    """What surrounds a group in one run, or in several side by side: what actions pay, and the luck."""

    environment: Any
    limits: Limits  # of the rewards
    tape: Tape  # of the first of the runs
    runs: int  # how many are side by side: their numbers follow that of the tape
    words: Integers  # (4, runs): room for what the tape says in one place


def open_world(environment: Any, tape: Tape, runs: int = 1) -> World:
    """Return the surroundings of a run, or of several side by side."""
    return World(environment, limits_of(environment), tape, runs, np.zeros((4, runs), np.int64))


@kernel
def collect(world: World, agent: int, t: int, actions: Integers, rewards: Floats) -> None:
    """Write the reward that an agent sees in round t for its action, in each of the runs side by side."""
    tape, read = world.tape, world.words
    legal = True
    _read(tape, agent, t, read[0], read[1], read[2], read[3])
    _rewards(world.environment, tape, agent, t, actions, read[0], read[1], read[2], read[3], rewards)
    for i in range(len(actions)):
        legal &= world.limits.low <= rewards[i] <= world.limits.high
    if not legal:
        for i in range(len(actions)):
            cell = Cell(Tape(tape.key_low, tape.key_high, tape.run + i), AGENT, agent, t)
            rewards[i] = pay(world.environment, world.limits, actions[i], cell)


@disjoint
def _read(tape: Tape, agent: int, t: int, first: Integers, second: Integers, third: Integers, fourth: Integers) -> None:
    """Read an agent's cell in all runs: a loop of its own, which the compiler does for eight runs at once."""
    for i in range(len(first)):
        cell = Cell(Tape(tape.key_low, tape.key_high, tape.run + i), AGENT, agent, t)
        first[i], second[i], third[i], fourth[i] = words(cell, 0)


@disjoint
def _rewards(
    environment: Any,
    tape: Tape,
    agent: int,
    t: int,
    actions: Integers,
    first: Integers,
    second: Integers,
    third: Integers,
    fourth: Integers,
    rewards: Floats,
) -> None:
    """Ask the environment what lies in cells that have been read."""
    for i in range(len(actions)):
        own = first[i], second[i], third[i], fourth[i]
        known = ReadCell(Tape(tape.key_low, tape.key_high, tape.run + i), AGENT, agent, t, own)
        rewards[i] = environment.reward(actions[i], known)


class Record(NamedTuple):
    """What is written down of one run. A group plays in one pass over the rounds, or in several whose plays add up.

    Of runs side by side, the plays of action a in run i stand at a · runs + i.
    """

    checkpoints: Integers  # the rounds after which plays are written down, increasing; the last is the horizon
    plays: Integers  # plays of each action in this pass so far
    written: Integers  # plays of each action at each checkpoint, summed over passes
    row: Integers  # the next checkpoint of this pass
    fault: Integers  # (round, action) of an illegal action; round 0: there was none
    done: Integers  # agent-rounds simulated so far: what a progress bar shows
    stop: Integers  # not 0: somebody wants the run to end at once

    def close(self, t: int, agents: int) -> bool:
        """End round t, in which so many agents played (in all runs). True: leave, the run is wanted no more."""
        if t == self.checkpoints[self.row[0]]:
            for action in range(len(self.plays)):
                self.written[self.row[0], action] += self.plays[action]
            self.row[0] += 1
            if self.row[0] == len(self.checkpoints):
                self.row[0] = 0
                for action in range(len(self.plays)):
                    self.plays[action] = 0
        self.done[0] += agents
        return bool(self.stop[0] != 0)

    def refuse(self, t: int, action: int) -> None:
        """Note that a policy chose what is no action. The engine makes an error of it."""
        self.fault[0] = t
        self.fault[1] = action


@disjoint
def count(actions: Integers, plays: Integers) -> None:
    """Count the actions of one agent in runs side by side."""
    for i in range(len(actions)):
        plays[actions[i] * len(actions) + i] += 1


def open_record(checkpoints: Integers, n_actions: int, done: Integers, stop: Integers, runs: int = 1) -> Record:
    """Return an empty record."""
    return Record(
        checkpoints,
        np.zeros(n_actions * runs, np.int64),
        np.zeros((len(checkpoints), n_actions * runs), np.int64),
        np.zeros(1, np.int64),
        np.zeros(2, np.int64),
        done,
        stop,
    )


class Group(Protocol):
    """A whole-network algorithm: an immutable record of parameters with three methods.

    A group whose rounds are the same arithmetic in every run may play several runs side by side, so that the processor does the
    same thing to many numbers at once. It then has a method ``together(placement)``, which says how many runs it likes best; its
    state holds ``world.runs`` of them, in the last dimension of its arrays. What a run does must not depend on its neighbours.
    All its randomness lies on the tape.
    """

    def place(self, network: Network, n_actions: int, horizon: int) -> Any:
        """Check the parameters and return what is constant in all runs, as a record. Never compiled."""

    def init(self, placement: Any, world: World) -> Any:
        """Return the state before the first round of a run. Never compiled."""

    def run(self, placement: Any, state: Any, world: World, rng: np.random.Generator, record: Record) -> None:
        """Play all rounds: count each agent's action in `record.plays`, and close every round."""


def runs_together(group: Any, placement: Any) -> int:
    """Return how many runs a group likes to play side by side."""
    return int(group.together(placement)) if hasattr(group, "together") else 1
