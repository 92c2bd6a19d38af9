"""Rewards reported under local differential privacy: nobody but the agent that observes a reward ever sees it."""

import math
from typing import Any, NamedTuple, Self

from quack.environments.base import Environment
from quack.errors import SpecError
from quack.kernels import Floats
from quack.policies.base import positive
from quack.tape import Cell, uniform, uniforms

__all__ = ["PrivateBernoulli", "PrivateLaplace"]

_LANE = 4095  # the last lane of a cell: the noise is independent of the reward, which is made from the first ones


class _Fields(NamedTuple):
    environment: Any
    epsilon: float

    @property
    def gaps(self) -> Floats:
        """The true gaps, those of the environment within."""
        gaps: Floats = self.environment.gaps
        return gaps

    @property
    def duels(self) -> bool:
        """Whether actions are pairs of arms: a report on a duel is one on its flipped outcome, flipped."""
        return bool(getattr(self.environment, "duels", False))

    @property
    def unordered(self) -> bool:
        """Whether the pairs are unordered."""
        return bool(getattr(self.environment, "unordered", False))

    @property
    def winner(self) -> int | None:
        """Of duels, the Condorcet winner, or None: noise does not change who wins more often."""
        winner: int | None = getattr(self.environment, "winner", None)
        return winner


class PrivateBernoulli(_Fields):
    """Report a coin instead of the reward: 1 or 0, each little more likely for one reward than for another (CTB).

    ::

        Y ~ Bernoulli((x e^ε + 1 − x) / (e^ε + 1)),    E Y = (1 + μ (e^ε − 1)) / (e^ε + 1)

    x is the reward of the environment within, in [0, 1]. The report is ε-locally differentially private: whatever two rewards are
    compared, the probabilities of each report differ by a factor of e^ε at most, and by exactly that between rewards 0 and 1.

    Parameters
    ----------
    environment
        Any environment whose rewards lie in [0, 1].
    epsilon
        The privacy budget ε > 0; the smaller, the more private.

    Notes
    -----
    Gaps are the true ones: regret counts what was really earned. The means of the reports lie closer together, by the factor
    (e^ε − 1)/(e^ε + 1).

    References
    ----------
    W. Ren, X. Zhou, J. Liu, N. B. Shroff (2020). "Multi-armed bandits with local differential privacy." arXiv:2007.03121 (CTB,
    "convert to Bernoulli").

    Examples
    --------
    >>> import quack
    >>> environment = quack.PrivateBernoulli(quack.Bernoulli([0.9, 0.6]), epsilon=1.0)
    >>> environment.gaps
    array([0. , 0.3])
    >>> round(environment.chance(1.0) / environment.chance(0.0), 6)     # e^ε
    2.718282
    """

    __slots__ = ()

    def __new__(cls, environment: Environment, epsilon: float) -> Self:
        """Check the parameters."""
        checked = positive("PrivateBernoulli", "epsilon", epsilon)
        require_unit("PrivateBernoulli", environment)
        made: Self = super().__new__(_kind(cls, environment), environment, checked)
        return made

    def __repr__(self) -> str:
        return f"PrivateBernoulli({self.environment!r}, epsilon={self.epsilon})"

    @property
    def reward_range(self) -> tuple[float, float]:
        """Reports are 0 or 1."""
        return 0.0, 1.0

    @property
    def distorts(self) -> bool:
        """The means of the reports do not differ by the gaps."""
        return True

    def chance(self, reward: float) -> float:
        """Return the probability of the report 1: (x e^ε + 1 − x) / (e^ε + 1)."""
        other = math.exp(-self.epsilon)  # both sides are divided by e^ε, which may overflow
        return (reward + (1.0 - reward) * other) / (1.0 + other)

    def reward(self, action: int, cell: Cell) -> float:
        """Return the report of the reward in the cell."""
        observed = self.environment.reward(action, cell)
        return 1.0 if uniform(cell, _LANE) < self.chance(observed) else 0.0


class _PrivateBits(PrivateBernoulli):
    """The same for an environment whose rewards are 0 and 1: its reports, too, are read 32 to a word."""

    __slots__ = ()

    def success(self, action: int) -> float:
        """Return the probability of the report 1."""
        return self.chance(self.environment.success(action))


def _kind(asked: Any, environment: Environment) -> Any:
    """Return the class for an environment within."""
    return _PrivateBits if hasattr(environment, "success") else asked


class PrivateLaplace(_Fields):
    """Report the reward plus noise from Laplace's distribution.

    ::

        Y = x + Z,    Z with density (ε/2) exp(−ε|z|),    E Y = μ,    Var Z = 2/ε²

    x is the reward of the environment within, in [0, 1]. The report is ε-locally differentially private: whatever two rewards are
    compared, the densities of each report differ by a factor of e^ε at most.

    Parameters
    ----------
    environment
        Any environment whose rewards lie in [0, 1].
    epsilon
        The privacy budget ε > 0; the smaller, the more private.

    Notes
    -----
    This is a simulation of the mechanism, no shield for real secrets: the last digits of floating-point noise are known to give
    rewards away (I. Mironov 2012, "On significance of the least significant bits for differential privacy").

    References
    ----------
    W. Ren, X. Zhou, J. Liu, N. B. Shroff (2020). "Multi-armed bandits with local differential privacy." arXiv:2007.03121.

    Examples
    --------
    >>> import quack
    >>> environment = quack.PrivateLaplace(quack.Bernoulli([0.9, 0.6]), epsilon=1.0)
    >>> environment.gaps
    array([0. , 0.3])
    >>> environment.reward_range
    (-inf, inf)
    """

    __slots__ = ()

    def __new__(cls, environment: Environment, epsilon: float) -> Self:
        """Check the parameters."""
        checked = positive("PrivateLaplace", "epsilon", epsilon)
        require_unit("PrivateLaplace", environment)
        return super().__new__(cls, environment, checked)

    def __repr__(self) -> str:
        return f"PrivateLaplace({self.environment!r}, epsilon={self.epsilon})"

    @property
    def reward_range(self) -> tuple[float, float]:
        """Reports are unbounded."""
        return -math.inf, math.inf

    def reward(self, action: int, cell: Cell) -> float:
        """Return the report of the reward in the cell."""
        u, v = uniforms(cell, _LANE)
        noise = -math.log(1.0 - u) / self.epsilon
        observed = self.environment.reward(action, cell)
        return observed + noise if v < 0.5 else observed - noise  # type: ignore[no-any-return]  # noqa: PLR2004 (a fair coin)


def require_unit(owner: str, environment: Any) -> None:
    """Refuse an environment whose rewards may lie outside [0, 1], or are private already."""
    if isinstance(environment, type) or not all(hasattr(environment, name) for name in ("gaps", "reward", "reward_range")):
        raise SpecError(f"{owner}: {environment!r} is no environment; one such as Bernoulli([0.5, 0.4]) is accepted")
    if isinstance(environment, PrivateBernoulli | PrivateLaplace):
        raise SpecError(f"{owner}: the reports of {environment!r} are private already; an environment that is not is accepted")
    low, high = environment.reward_range
    if not 0 <= low <= high <= 1:
        raise SpecError(f"{owner}: {environment!r} pays from {low:g} to {high:g}; rewards from 0 to 1 are accepted")
