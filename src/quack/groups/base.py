"""What a group is, and how it writes down what it plays."""

from typing import Any, NamedTuple, Protocol

import numpy as np

from quack.kernels import Integers
from quack.networks import Network
from quack.tape import Tape

__all__ = ["Group", "Record", "World", "open_record"]


class World(NamedTuple):
    """What surrounds a group in one run: what actions pay, and the luck."""

    environment: Any
    tape: Tape


class Record(NamedTuple):
    """What is written down of one run. A group plays in one pass over the rounds, or in several whose plays add up."""

    checkpoints: Integers  # the rounds after which plays are written down, increasing; the last is the horizon
    plays: Integers  # plays of each action in this pass so far
    written: Integers  # plays of each action at each checkpoint, summed over passes
    row: Integers  # the next checkpoint of this pass
    fault: Integers  # (round, action) of an illegal action; round 0: there was none
    done: Integers  # agent-rounds simulated so far: what a progress bar shows
    stop: Integers  # not 0: somebody wants the run to end at once

    def close(self, t: int, agents: int) -> bool:
        """End round t, in which so many agents played. True: leave, the run is wanted no more."""
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


def open_record(checkpoints: Integers, n_actions: int, done: Integers, stop: Integers) -> Record:
    """Return an empty record."""
    return Record(
        checkpoints,
        np.zeros(n_actions, np.int64),
        np.zeros((len(checkpoints), n_actions), np.int64),
        np.zeros(1, np.int64),
        np.zeros(2, np.int64),
        done,
        stop,
    )


class Group(Protocol):
    """A whole-network algorithm: an immutable record of parameters with three methods."""

    def place(self, network: Network, n_actions: int, horizon: int) -> Any:
        """Check the parameters and return what is constant in all runs, as a record. Never compiled."""

    def init(self, placement: Any, world: World) -> Any:
        """Return the state before the first round of a run. Never compiled."""

    def run(self, placement: Any, state: Any, world: World, rng: np.random.Generator, record: Record) -> None:
        """Play all rounds: count each agent's action in `record.plays`, and close every round."""
