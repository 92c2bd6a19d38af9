"""What an agent is told when it is made: what is to be learnt, and the numbers of the protocol. All times are in ticks."""

import math
from typing import Any, NamedTuple, Self

from quack.errors import SpecError
from quack.policies.base import check_sizes, require_record

__all__ = ["NEVER", "Settings", "Task"]

NEVER = 2**48
"""A number of ticks that does not come."""


class Task(NamedTuple):
    """What the network learns. It must be the same everywhere.

    Parameters
    ----------
    policy : Policy
        What the leader runs.
    n_actions : int
        Actions are 0 … n_actions − 1.
    horizon : int
        How many rewards the policy is told that it will see.
    seed, run : int
        The policy's own randomness, and the actions before the first order. Every leader begins with the same generator: then
        what a policy does is a function of the log.
    low, high : float
        Rewards lie between them.
    """

    policy: Any
    n_actions: int
    horizon: int
    seed: int = 0
    run: int = 0
    low: float = -math.inf
    high: float = math.inf

    def checked(self) -> Self:
        """Return the task; refuse an impossible one."""
        require_record(self.policy)
        check_sizes(self.n_actions, self.horizon)
        self.policy.init(self.n_actions, self.horizon)
        if not self.low <= self.high:
            raise SpecError(f"rewards are said to lie from {self.low} to {self.high}; a lower number first is accepted")
        return self


class Settings(NamedTuple):
    """The numbers of the protocol.

    Parameters
    ----------
    standbys : int, default 0
        R: how many others keep a copy of the leader's log. What R + 1 disks hold, R lost disks do not lose.
    window : int or None, default None
        Ticks between a choice and the release of its reward, reported or default. None: rewards are taken as they come, which is
        right only if how fast a reward comes does not depend on its value, and all rewards come.
    default : float, default 0
        The reward of a choice that nobody reported within the window.
    batch : int, default 64
        Most rewards under way from a custodian, or in a message.
    patience : int, default 6
        Ticks without progress after which what is under way is sent again.
    rise : int, default 3
        Hellos in a row until a link counts; more after it has flapped.
    dead : int, default 10
        Ticks without a hello until a link counts no more.
    settle : int, default 6
        Ticks without news of the network until somebody claims the lead.
    move : int, default 40
        Ticks without news until a leader that is not the median gives up.
    refresh : int, default 200
        Ticks after which a node announces anew what has not changed: it mends maps that are wrong without anybody's knowing.
    hysteresis : float, default 0.1
        It does if the median's sum of distances, times 1 + hysteresis, is still smaller.
    drain : int, default 20
        Most ticks that a new leader waits for what others hold, before it feeds its policy. 0: not at all.
    capacity : int, default 1,000,000
        Most rewards of its own that a node keeps in custody, and most open tickets.
    log_capacity : int, default 10,000,000
        Most rewards in a leader's log.
    most_agents : int, default 65,536
        Most nodes in a map.
    most_gaps : int, default 1,000
        Without a window: most unreported runs of choices that are remembered; beyond, the oldest cannot be reported any more.
    eager : bool, default False
        Send rewards as they come, not at the next tick.
    decide_when_asked : bool, default False
        The leader decides when it is asked for an action, not at ticks: the rounds of the paper.

    Examples
    --------
    >>> Settings(standbys=1, window=30).checked().dead
    10
    """

    standbys: int = 0
    window: int | None = None
    default: float = 0.0
    batch: int = 64
    patience: int = 6
    rise: int = 3
    dead: int = 10
    settle: int = 6
    move: int = 40
    refresh: int = 200
    hysteresis: float = 0.1
    drain: int = 20
    capacity: int = 1_000_000
    log_capacity: int = 10_000_000
    most_agents: int = 65_536
    most_gaps: int = 1_000
    eager: bool = False
    decide_when_asked: bool = False

    @classmethod
    def rounds(cls, n_agents: int) -> Self:
        """Return the settings under which agents in lockstep, without faults, play the paper's protocol."""
        return cls(
            batch=NEVER,
            patience=NEVER,
            rise=1,
            dead=NEVER,
            settle=n_agents + 2,
            move=NEVER,
            refresh=NEVER,
            drain=0,
            eager=True,
            decide_when_asked=True,
        )

    def checked(self) -> Self:
        """Return the settings; refuse impossible ones."""
        ones = ("batch", "patience", "rise", "dead", "refresh", "capacity", "log_capacity", "most_agents", "most_gaps")
        whole = {**dict.fromkeys(ones, 1), "standbys": 0, "settle": 0, "move": 0, "drain": 0}
        for name, low in whole.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= NEVER:
                raise SpecError(f"{name} is {value!r}; a whole number from {low} on is accepted")
        if self.window is not None and (type(self.window) is not int or not 0 <= self.window <= NEVER):
            raise SpecError(f"window is {self.window!r}; None or a whole number of ticks is accepted")
        for name in ("default", "hysteresis"):
            if not math.isfinite(getattr(self, name)):
                raise SpecError(f"{name} is {getattr(self, name)!r}; a finite number is accepted")
        if self.hysteresis < 0:
            raise SpecError(f"hysteresis is {self.hysteresis}; a number from 0 on is accepted")
        return self
