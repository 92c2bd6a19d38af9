"""How much better one group is than another, run by run: in the same run all groups meet the same luck."""

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from quack.extras import require

if TYPE_CHECKING:
    from quack.simulation.result import GroupResult

__all__ = ["Difference", "difference"]


class Difference(NamedTuple):
    """The final group regret of one group less that of another.

    Attributes
    ----------
    mean
        Of the runs that both have finished.
    half_width
        Half the width of the confidence interval of the mean; NaN from fewer than two runs.
    runs
        How many runs both have finished.
    """

    mean: float
    half_width: float
    runs: int

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return abs(self.mean) > self.half_width


def difference(one: "GroupResult", other: "GroupResult", *, level: float = 0.95) -> Difference:
    """Compare two groups in the runs that both have finished.

    ::

        D_r = R_one,r − R_other,r      mean D̄ ± t_{n−1, (1+level)/2} · s_D / √n

    The interval is Student's for paired samples: noise that both groups share falls out of it.

    Parameters
    ----------
    one, other
        Groups of one comparison, or of two with the same seed.
    level
        Of the confidence interval, in (0, 1).
    """
    _, mine, yours = np.intersect1d(one.runs, other.runs, assume_unique=True, return_indices=True)
    apart = one.final[mine] - other.final[yours]
    n = len(apart)
    if n < 2:  # noqa: PLR2004 (a spread needs two)
        return Difference(float(apart.mean()) if n else math.nan, math.nan, n)
    quantile = require("scipy.special", "a confidence interval").stdtrit(n - 1, (1 + level) / 2)
    return Difference(float(apart.mean()), float(quantile * apart.std(ddof=1) / np.sqrt(n)), n)
