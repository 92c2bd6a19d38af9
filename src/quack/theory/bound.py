"""What a bound says, and how it runs along the rounds."""

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from quack.kernels import Floats

__all__ = ["Bound", "Guarantee", "Kind"]

Kind = Literal["upper", "order", "lower"]


class Guarantee(NamedTuple):
    """What a theorem says of one agent that plays alone: S_π(H) ≤ leading + constant.

    Attributes
    ----------
    leading
        The part that grows with the number of plays H.
    constant
        The part that does not.
    anytime
        Whether `leading` is a multiple of log H, and the policy is not told H: then the theorem holds with log h after h plays.
        Otherwise what holds after H plays is all that is known of fewer.
    reference
        The theorem.
    """

    leading: float
    constant: float
    anytime: bool
    reference: str


class Bound(NamedTuple):
    """A bound on the group regret after the horizon: leading + additive.

    Attributes
    ----------
    algorithm
        Whose regret it bounds.
    leading
        The part that grows with the horizon.
    additive
        The part that does not: what the network costs.
    kind
        "upper": the mean group regret is at most this. "order": its authors dropped constants, so that it can be compared with
        another such bound only. "lower": no algorithm is better than this in the environment that is worst for it.
    horizon
        n, the number of rounds.
    clock
        What the logarithm in `leading` counts after the horizon: m·n plays, or n rounds. 0: `leading` does not follow a clock,
        because the algorithm is told the horizon and behaves according to it from the first round on.
    trivial
        m n Δ_max, which no group can regret more than.
    reference
        Where it is proven.
    """

    algorithm: str
    leading: float
    additive: float
    kind: Kind
    horizon: int
    clock: float
    trivial: float
    reference: str

    @property
    def value(self) -> float:
        """The bound itself."""
        return self.leading + self.additive

    def curve(self, rounds: npt.ArrayLike) -> Floats:
        """Return the bound after each of these rounds, of the same group in the same game of `horizon` rounds.

        ::

            min( leading · log(c t)/log(c n) + additive,  m t Δ_max ),    c n = clock;    leading as it is if clock = 0

        An algorithm that is told the horizon explores for it from the first round on: its logarithm does not start small.

        Examples
        --------
        >>> Bound("it", 20.0, 3.0, "upper", 100, 1000.0, 500.0, "").curve([1, 10, 100]).round(2)
        array([ 5.  , 16.33, 23.  ])
        >>> Bound("it", 20.0, 3.0, "upper", 100, 0.0, 500.0, "").curve([1, 10, 100])
        array([ 5., 23., 23.])
        """
        played: npt.NDArray[np.float64] = np.asarray(rounds, np.float64)
        share: Any = np.ones_like(played)
        if self.clock > 1.0:
            share = np.log(np.maximum(self.clock * played / self.horizon, 1.0)) / np.log(self.clock)
        least: Floats = np.minimum(self.leading * share + self.additive, self.trivial * played / self.horizon)
        return least
