"""Bounds for duels with a Condorcet winner: Section 4.3 of the paper, and Appendix C."""

import math
from typing import Any

import numpy as np

from quack.environments import Duelling
from quack.errors import SpecError
from quack.kernels import Floats
from quack.networks import Network
from quack.networks.graphs import whole_number
from quack.networks.partitions import clique_cover_number
from quack.networks.powers import power
from quack.theory.bound import Bound
from quack.theory.subgaussian import trivial
from quack.theory.symbols import check_horizon, price_of_distance

__all__ = ["mp_rucb", "quack_rucb"]


def quack_rucb(
    network: Network, environment: Duelling, horizon: int, *, leader: object = "median", as_printed: bool = False
) -> Bound:
    """Return what the paper says of QuACK with RUCB, constants of the leading term dropped.

    ::

        O( Σ_a log(m n)/Δ̃_a ) + 3 Σ_w d_vw Σ_(a,b) Δ_(a,b),    Δ̃_a = P(⋆ beats a) − ½
        printed:   O( Σ_a log(m n)/Δ̃_a + Σ_w d_vw Σ_a Δ̃_a )

    For a bound with all its constants see `guarantee` of ``RUCB(alpha=…)`` with α > 3/2.

    Parameters
    ----------
    network, environment, horizon
        m agents, duels of k arms, n rounds.
    leader
        As in `quack.QuACK`.
    as_printed
        The paper's form with all its constants 1: for comparison with `mp_rucb`, whose constants are dropped too.

    Notes
    -----
    Deviation: the additive term sums the gaps of all pairs, k Σ_a Δ̃_a for the average regret of ordered pairs, because there is a
    queue for each pair, and Theorem 1 charges each queue. As printed a factor k is missing.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Corollary 3.

    Examples
    --------
    >>> import quack
    >>> duels, network = quack.Duelling("arithmetic"), quack.networks.cycle(16)
    >>> bound, printed = quack_rucb(network, duels, 5000), quack_rucb(network, duels, 5000, as_printed=True)
    >>> round(bound.leading, 1), round(bound.additive, 1), round(printed.additive, 1)
    (585.5, 2150.4, 89.6)
    """
    horizon = check_horizon(horizon)
    losses = arm_losses(environment)
    m = network.n_agents
    leading = math.log(m * horizon) * float((1.0 / losses).sum())
    price = price_of_distance(network, environment, leader)
    if as_printed:
        price *= float(losses.sum() / environment.gaps.sum()) / 3.0
    most = trivial(network, environment, horizon)
    return Bound("QuACK-RUCB", leading, price, "order", horizon, float(m * horizon), most, "Howson et al. (2025), Corollary 3")


def mp_rucb(network: Network, environment: Duelling, horizon: int, gamma: int) -> Bound:
    """Return what Raveh, Honda and Sugiyama prove of MP-RUCB, constants dropped.

    ::

        χ(G_γ) Σ_a log(n)/Δ̃_a + m² k² (1 + log(1 + |N_⋆^γ|)) Δ̃_max + (1 + γ) k m Δ̃_max

    χ(G_γ) is the least number of sets of agents, all within γ hops of each other, that make up the network. |N_⋆^γ| is the
    largest number of agents within γ hops of one.

    Parameters
    ----------
    network, environment, horizon
        m agents, duels of k arms, n rounds.
    gamma
        γ, how many hops a message lives, at least 1.

    Notes
    -----
    Deviation: N_⋆^γ is taken for the largest neighbourhood, because the paper that quotes the bound does not say whose it is.

    References
    ----------
    O. Raveh, J. Honda, M. Sugiyama (2024). "Multi-player approaches for dueling bandits." arXiv:2405.16168.
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Appendix C.

    Examples
    --------
    >>> import quack
    >>> bound = mp_rucb(quack.networks.cycle(16), quack.Duelling("arithmetic"), 5000, gamma=8)
    >>> round(bound.leading, 1), round(bound.additive, 1)
    (441.7, 22036.7)
    """
    horizon, gamma = check_horizon(horizon), whole_number("gamma", gamma, 1)
    losses = arm_losses(environment)
    m, k, largest = network.n_agents, len(environment.matrix), float(losses.max(initial=0.0))
    close = power(network, gamma)
    leading = clique_cover_number(close) * math.log(horizon) * float((1.0 / losses).sum())
    near = int(close.degrees.max())
    additive = m**2 * k**2 * (1.0 + math.log(1.0 + near)) * largest + (1 + gamma) * k * m * largest
    most = trivial(network, environment, horizon)
    return Bound(f"MP-RUCB, γ = {gamma}", leading, additive, "order", horizon, float(horizon), most, "Raveh et al. (2024)")


def arm_losses(environment: Any) -> Floats:
    """Return Δ̃_a = P(⋆ beats a) − ½ of the arms but the winner."""
    if not isinstance(environment, Duelling) or environment.winner is None:
        raise SpecError(f"this bound is about duels with an arm that beats all others, not {environment!r}")
    winner: int = environment.winner
    return np.delete(environment.matrix[winner] - 0.5, winner)
