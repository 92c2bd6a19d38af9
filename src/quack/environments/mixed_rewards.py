"""A bandit whose actions pay by different laws."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from quack.environments.base import numbers
from quack.environments.beta_rewards import beta
from quack.environments.uniform_rewards import between
from quack.errors import SpecError, nearest
from quack.kernels import Floats, Integers
from quack.tape import Cell, uniform

__all__ = ["MixedRewards"]

# The laws by their places: a record holds numbers, because compiled code knows no names.
_LAWS = {"bernoulli": 1, "two-point": 2, "uniform": 2, "beta": 2}  # how many parameters each has
_BERNOULLI, _TWO_POINT, _UNIFORM, _BETA = range(4)

_PRIVACY_PAPER = (
    ("bernoulli", 0.9),
    *[("beta", 4.0, 1.0)] * 5,
    *[("two-point", 0.4, 1.0)] * 5,
    *[("bernoulli", 0.6)] * 5,
    *[("uniform", 0.0, 1.0)] * 4,
)


class _Fields(NamedTuple):
    law: Integers  # the place in _LAWS
    first: Floats
    second: Floats  # 0 where the law has one parameter


class MixedRewards(_Fields):
    """Each action pays by a law of its own, all in [0, 1].

    Parameters
    ----------
    laws
        For each action one of ``("bernoulli", p)``, ``("two-point", low, high)`` (either end with probability ½),
        ``("uniform", low, high)`` and ``("beta", a, b)``. By default the instance "Mixed" of the paper on local privacy: 20
        actions with means 0.9, 5 × 0.8, 5 × 0.7, 5 × 0.6 and 4 × 0.5.

    References
    ----------
    W. Ren, X. Zhou, J. Liu, N. B. Shroff (2020). "Multi-armed bandits with local differential privacy." arXiv:2007.03121 (the
    default, as in the authors' program).

    Examples
    --------
    >>> import quack
    >>> environment = quack.MixedRewards([("bernoulli", 0.9), ("beta", 4, 1), ("two-point", 0.5, 1.0)])
    >>> environment.means
    array([0.9 , 0.8 , 0.75])
    """

    __slots__ = ()

    def __new__(cls, laws: Sequence[Sequence[Any]] = _PRIVACY_PAPER) -> Self:
        """Check every law."""
        if isinstance(laws, str) or not isinstance(laws, Sequence) or len(laws) == 0:
            raise SpecError(f'MixedRewards: laws are {laws!r}; a sequence of laws such as ("bernoulli", 0.9) is accepted')
        checked = [_check_law(action, law) for action, law in enumerate(laws)]
        places = np.array([list(_LAWS).index(name) for name, _, _ in checked], np.int64)
        places.setflags(write=False)
        first = numbers("MixedRewards", "laws", [first for _, first, _ in checked])
        second = numbers("MixedRewards", "laws", [second for _, _, second in checked])
        return super().__new__(cls, places, first, second)

    def __getnewargs__(self) -> Any:
        return (self.laws,)

    def __repr__(self) -> str:
        return f"MixedRewards({self.laws})"

    @property
    def laws(self) -> list[tuple[Any, ...]]:
        """The laws as they are written."""
        names = list(_LAWS)
        rows = zip((names[place] for place in self.law), self.first.tolist(), self.second.tolist(), strict=True)
        return [row[: 1 + _LAWS[row[0]]] for row in rows]

    @property
    def means(self) -> Floats:
        """μ_a: p, (low + high) / 2 or a / (a + b)."""
        centre = (self.first + self.second) / 2
        share = self.first / np.where(self.law == _BETA, self.first + self.second, 1.0)
        means: Floats = np.where((self.law == _BERNOULLI) | (self.law == _BETA), share, centre)
        return means

    @property
    def gaps(self) -> Floats:
        """Δ_a = max μ − μ_a."""
        gaps: Floats = self.means.max() - self.means
        return gaps

    @property
    def reward_range(self) -> tuple[float, float]:
        """Rewards lie between 0 and 1."""
        return 0.0, 1.0

    def reward(self, action: int, cell: Cell) -> float:
        """Return the cell's reward by the action's law."""
        law, first, second = self.law[action], self.first[action], self.second[action]
        if law == _BERNOULLI:
            return 1.0 if uniform(cell) < first else 0.0
        if law == _TWO_POINT:
            return first if uniform(cell) < 0.5 else second  # type: ignore[no-any-return]  # noqa: PLR2004 (a fair coin)
        if law == _UNIFORM:
            return between(first, second, cell)
        return beta(first, second, cell)


def _check_law(action: int, law: Any) -> tuple[str, float, float]:
    """Return the law's name and its two parameters."""
    where = f"MixedRewards: laws[{action}] is {law!r}"
    if isinstance(law, str) or not isinstance(law, Sequence) or len(law) == 0 or not isinstance(law[0], str):
        raise SpecError(f'{where}; a law such as ("bernoulli", 0.9) is accepted')
    name = law[0]
    if name not in _LAWS:
        raise SpecError(f"{where}; {', '.join(_LAWS)} are accepted.{nearest(name, _LAWS)}")
    if len(law) != 1 + _LAWS[name]:
        raise SpecError(f"{where}; after {name!r}, {_LAWS[name]} parameter(s) are accepted")
    values = numbers("MixedRewards", f"laws[{action}]", list(law[1:]))
    if name == "beta" and values.min() <= 0:
        raise SpecError(f"{where}; positive parameters are accepted")
    if name != "beta" and not (values.min() >= 0 and values.max() <= 1 and values[0] <= values[-1]):
        raise SpecError(f"{where}; numbers from 0 to 1, the lower first, are accepted")
    return name, float(values[0]), float(values[1]) if len(values) > 1 else 0.0
