"""What a simulated world begins with."""

from typing import NamedTuple

from quack.agent import Settings, Task
from quack.environments.base import Environment
from quack.simulation.faults import Faults

__all__ = ["Scenario"]


class Scenario(NamedTuple):
    """What a world begins with.

    Parameters
    ----------
    neighbours
        The neighbours of each agent.
    environment : Environment
        What actions pay.
    task, settings
        What the agents learn, and the numbers of the protocol.
    faults
        What goes wrong.
    duration : float
        Seconds of the phase of faults.
    patience : float
        Seconds that the quiet phase may take.
    arrivals : float
        Choices per second at each node.
    report : float
        Seconds until a reward is reported, at most.
    forgotten, twice, elsewhere : float
        The probability that a reward is never reported, reported twice, reported to another node.
    clicks : bool
        Only rewards above 0 are reported: no report means 0. Needs a window.
    """

    neighbours: tuple[tuple[int, ...], ...]
    environment: Environment
    task: Task
    settings: Settings
    faults: Faults
    duration: float = 80.0
    patience: float = 700.0
    arrivals: float = 1.0
    report: float = 0.0
    forgotten: float = 0.0
    twice: float = 0.0
    elsewhere: float = 0.0
    clicks: bool = False
