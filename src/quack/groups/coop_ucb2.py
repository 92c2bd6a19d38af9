"""Coop-UCB2: coop-UCB for agents that know nothing of their network."""

from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.groups.base import Record, World
from quack.groups.coop_ucb import CoopPlacement, CoopState, new_state, play
from quack.groups.estimates import above_one, interleaved, side_by_side
from quack.networks import Network
from quack.networks.gossip import GossipKind, averaging_matrix
from quack.policies.base import check_sizes, positive

__all__ = ["CoopUCB2"]

_MOST_ETA = 4.0


class CoopUCB2(NamedTuple):
    """Coop-UCB for agents that know nothing of their network: a bonus that grows slowly takes the place of ε_c.

    ::

        agent v plays   argmax_a  ŝ_a/n̂_a + σ √( 2γ/G · (n̂_a + f(t−1))/(m n̂_a) · log t / n̂_a ),
                        f(t) = √(log t),   G = 1 − η²/16

    with ŝ and n̂ as in `CoopUCB`.

    Parameters
    ----------
    gamma : float, default 1.01
        γ > 1.
    sigma : float, default 1.0
        Subgaussian parameter of the rewards, > 0; ½ is enough for rewards in [0, 1].
    eta : float, default 2.0
        η in (0, 4).
    matrix : {"paper", "metropolis", "max-degree", "best-constant", "as-published"}, default "paper"
        P, see `quack.networks.gossip_matrix`.

    Notes
    -----
    Deviation: the constants are those of public re-implementations, because the paper's own code is not public.

    References
    ----------
    P. Landgren, V. Srivastava, N. E. Leonard (2021). "Distributed cooperative decision making in multi-agent multi-armed
    bandits." Automatica 125.

    Examples
    --------
    >>> import quack
    >>> result = quack.compare(
    ...     {"coop-UCB2": quack.CoopUCB2(sigma=0.5)},
    ...     environment=quack.Bernoulli([0.6, 0.4]), network="cycle:8", horizon=200, runs=4, seed=0, progress=False,
    ... )
    >>> result["coop-UCB2"].plays[:, -1].sum(axis=1)
    array([1600, 1600, 1600, 1600])
    """

    gamma: float = 1.01
    sigma: float = 1.0
    eta: float = 2.0
    matrix: GossipKind = "paper"

    def place(self, network: Network, n_actions: int, horizon: int) -> CoopPlacement:
        """Check the parameters and make the matrix."""
        check_sizes(n_actions, horizon)
        above_one("CoopUCB2", "gamma", self.gamma)
        positive("CoopUCB2", "sigma", self.sigma)
        if not 0.0 < self.eta < _MOST_ETA:
            raise SpecError(f"CoopUCB2: eta is {self.eta}; a number between 0 and 4 is accepted")
        gossip = averaging_matrix("CoopUCB2", network, self.matrix)
        return CoopPlacement(
            gossip, np.zeros(network.n_agents), network.n_agents, n_actions, horizon, False, *interleaved(network)
        )

    def together(self, placement: CoopPlacement) -> int:
        """Return how many runs are played side by side."""
        return side_by_side(placement.n_agents, placement.n_actions, 2)

    def init(self, placement: CoopPlacement, world: World) -> CoopState:
        """Return agents that know nothing."""
        return new_state(placement, world)

    def run(self, placement: CoopPlacement, state: CoopState, world: World, rng: np.random.Generator, record: Record) -> None:  # noqa: ARG002
        """Play all rounds."""
        stretch = 2.0 * self.gamma * self.sigma * self.sigma / (placement.n_agents * (1.0 - self.eta * self.eta / 16.0))
        play(placement, state, world, stretch, 1.0, record)
