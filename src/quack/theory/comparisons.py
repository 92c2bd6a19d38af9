"""Which bound is smaller on a network: the comparisons of the paper's Appendix C, worked out instead of assumed."""

import math
from typing import NamedTuple

from quack.errors import SpecError
from quack.networks import Network, distances, leader
from quack.networks.graphs import whole_number
from quack.theory.symbols import check_horizon, gossip_constant, mixing_eigenvalue

__all__ = ["Claim", "additive_terms", "regular_graph", "smaller_leading_term", "star"]


class Claim(NamedTuple):
    """An inequality, and whether it holds here: left < right, or ≤ where the statement says so."""

    statement: str
    left: float
    right: float
    holds: bool


def additive_terms(network: Network, epsilon: float = 1 / 22) -> Claim:
    """Compare what the network costs QuACK with UCB and DDUCB, in ΣΔ: 3 + 3 Σd < C_G + m + 4.

    Examples
    --------
    >>> from quack.networks import cycle
    >>> additive_terms(cycle(16))
    Claim(statement='3 + 3Σd < C_G + m + 4', left=195, right=2036, holds=True)
    """
    left = 3 + 3 * _median_total(network)
    right = gossip_constant(network, epsilon) + network.n_agents + 4
    return Claim("3 + 3Σd < C_G + m + 4", left, right, left < right)


def regular_graph(network: Network, epsilon: float = 1 / 22) -> Claim:
    """Compare the same on a network in which everybody has as many neighbours, with DDUCB's constant divided.

    ::

        3 + 3 Σ_w d_vw < C_G / √(2 log(1/λ)) + m + 4,    λ the second largest absolute eigenvalue of P = (I + M)/(1 + δ)

    Notes
    -----
    It is made of D ≤ ⌈log(m − 1)/log(1/λ)⌉ (Chung 1989) and of log(2m/ε) > log(m − 1), which the paper prints the other way
    round.

    Deviation: it is worked out, not assumed, because on a complete network λ = 0 and the left side is 3m.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Appendix C.
    F. R. K. Chung (1989). "Diameters and eigenvalues." Journal of the AMS 2.

    Examples
    --------
    >>> from quack.networks import complete, cycle
    >>> regular_graph(cycle(16)).holds, regular_graph(complete(16)).holds
    (True, False)
    """
    if int(network.degrees.min()) != int(network.degrees.max()):
        raise SpecError(
            f"in {network.name} agents have from {network.degrees.min()} to {network.degrees.max()} neighbours; a network in "
            "which all have as many is accepted"
        )
    left = 3 + 3 * _median_total(network)
    eigenvalue = mixing_eigenvalue(network)
    constant = gossip_constant(network, epsilon)
    divided = constant / math.sqrt(2.0 * math.log(1.0 / eigenvalue)) if eigenvalue > 0.0 else 0.0
    right = divided + network.n_agents + 4
    return Claim("3 + 3Σd < C_G/√(2 log(1/λ)) + m + 4", left, right, left < right)


def star(n_agents: int, epsilon: float = 1 / 22, *, as_printed: bool = False) -> Claim:
    """Compare the same on a star: 3m < C_G + m + 4, where λ = (m − 1)/m.

    `as_printed` gives the left side of the paper, m + 2.

    Notes
    -----
    Deviation: QuACK's side is 3 + 3(m − 1) = 3m, because the factor 3 of Theorem 1 is missing in print.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Appendix C.

    Examples
    --------
    >>> star(16), star(16, as_printed=True).left
    (Claim(statement='3m < C_G + m + 4', left=48, right=1844, holds=True), 18)
    """
    from quack.networks import star as star_network

    m = whole_number("n_agents", n_agents, 2)
    right = gossip_constant(star_network(m), epsilon) + m + 4
    left = m + 2 if as_printed else 3 * m
    return Claim(f"{'m + 2' if as_printed else '3m'} < C_G + m + 4", left, right, left < right)


def smaller_leading_term(n_agents: int, horizon: int, parts: int) -> Claim:
    """Say whether QuACK's leading term, log(mn), is at most that of a rival that learns in several parts, parts · log(n).

    ::

        n^(parts − 1) ≥ m        (shown as (parts − 1) log n ≥ log m, from right to left)

    Parameters
    ----------
    n_agents, horizon
        m and n.
    parts
        α(G_γ) of CMP-UCB, χ(G_γ) of MP-RUCB.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Appendix C.

    Examples
    --------
    >>> smaller_leading_term(16, 5000, parts=1).holds, smaller_leading_term(16, 5000, parts=2).holds
    (False, True)
    """
    m, n, parts = whole_number("n_agents", n_agents, 1), check_horizon(horizon), whole_number("parts", parts, 1)
    left, right = math.log(m), (parts - 1) * math.log(n)
    return Claim(f"log m ≤ ({parts} − 1) log n", left, right, n ** (parts - 1) >= m)


def _median_total(network: Network) -> int:
    """Return Σ_w d_vw of the best leader."""
    return int(distances(network, leader(network, "median")).sum())
