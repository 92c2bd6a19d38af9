"""Bounds for subgaussian rewards, and those that hold for any: Sections 2 to 4.1 of the paper, and Appendix C."""

import math
from typing import Any

from quack.environments.base import Environment
from quack.errors import SpecError
from quack.networks import Network
from quack.networks.gossip import GossipKind
from quack.theory.bound import Bound, Guarantee
from quack.theory.guarantees import ucb
from quack.theory.symbols import check_horizon, gossip_constant, positive_gaps, price_of_distance, subgaussian

__all__ = ["dducb", "minimax_lower_bound", "quack_ucb", "theorem_1"]


def trivial(network: Network, environment: Environment, horizon: int) -> float:
    """Return m n Δ_max."""
    return float(network.n_agents * horizon * environment.gaps.max())


def minimax_lower_bound(network: Network, environment: Environment, horizon: int) -> Bound:
    """Return what no algorithm stays below in every environment, even if all agents know everything at once.

    ::

        max over environments of R_G(n) ≥ √(m n (k − 1)) / 27

    Parameters
    ----------
    network
        Any network; only its m agents count.
    environment
        Only its k actions count: the bound is attained in an environment of normal rewards of variance 1 which is the worst
        for the algorithm. In this one the regret may well be lower.
    horizon
        n, with m n ≥ k − 1.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Section 2.
    T. Lattimore, C. Szepesvári (2020). "Bandit Algorithms", Theorem 15.2.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bernoulli([0.5] + [0.45] * 9)
    >>> round(minimax_lower_bound(quack.networks.cycle(16), bandit, 5000).value, 3)
    31.427
    """
    plays, k = network.n_agents * check_horizon(horizon), len(environment.gaps)
    if plays < k - 1:
        raise SpecError(
            f"the lower bound needs as many plays as there are actions but one; of {k} actions, {plays} plays are too few"
        )
    leading = math.sqrt(plays * (k - 1)) / 27.0
    most = trivial(network, environment, horizon)
    return Bound("any algorithm", leading, 0.0, "lower", horizon, 0.0, most, "Lattimore and Szepesvári (2020), Theorem 15.2")


def theorem_1(
    network: Network,
    environment: Environment,
    horizon: int,
    alone: float | Guarantee,
    leader: object = "median",
    *,
    algorithm: str = "QuACK",
) -> Bound:
    """Return the bound on the group regret of QuACK with any policy.

    ::

        R_G(n) ≤ S_π(m n) + 3 Σ_w d_vw Σ_a Δ_a

    Parameters
    ----------
    network, environment, horizon
        m agents at distances d_vw from the leader v, actions with gaps Δ_a, n rounds.
    alone
        S_π(m n): the regret of the policy alone over m·n plays, which it is told as horizon. A number, as `quack.Pooled` measures
        it (``result["pooled"].mean[-1]``, up to the error of a mean), or what `guarantee` says of it.
    leader
        As in `quack.QuACK`.
    algorithm
        What the bound is called.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Theorem 1.

    Examples
    --------
    >>> import quack
    >>> theorem_1(quack.networks.star(16), quack.Bernoulli([0.5, 0.25]), horizon=1000, alone=40.0).value
    51.25
    """
    horizon = check_horizon(horizon)
    if not isinstance(alone, Guarantee):
        if not (math.isfinite(alone) and alone >= 0):
            raise SpecError(f"alone is {alone}; the regret of the policy alone, a finite number of at least 0, is accepted")
        alone = Guarantee(float(alone), 0.0, anytime=False, reference="Theorem 1, with S_π(mn) as it was given")
    price = price_of_distance(network, environment, leader)
    clock = float(network.n_agents * horizon) if alone.anytime else 0.0
    most = trivial(network, environment, horizon)
    return Bound(algorithm, alone.leading, alone.constant + price, "upper", horizon, clock, most, f"Theorem 1; {alone.reference}")


def quack_ucb(
    network: Network, environment: Environment, horizon: int, *, sigma: float | None = None, leader: object = "median"
) -> Bound:
    """Return the bound on QuACK with UCB, δ = 1/(mn)².

    ::

        R_G(n) ≤ Σ_a 16 σ² log(m n)/Δ_a + (3 + 3 Σ_w d_vw) Σ_a Δ_a

    UCB is told the horizon m·n, so the bound is the same for all rounds up to n: the logarithm does not start small.

    Parameters
    ----------
    network, environment, horizon
        m agents, actions with gaps Δ_a, n rounds.
    sigma
        σ of the policy. By default the least that the rewards allow, ½ for rewards in [0, 1].
    leader
        As in `quack.QuACK`.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Corollary 1. (The theorem that its proof quotes, 7.1 of Lattimore and
    Szepesvári, is printed there for σ = 1.)

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bernoulli([0.5] + [0.45] * 9)
    >>> round(quack_ucb(quack.networks.cycle(16), bandit, 5000).value, 3)
    8216.393
    """
    sigma = least_sigma(environment, sigma)
    alone = ucb(environment, network.n_agents * check_horizon(horizon), sigma)
    bound = theorem_1(network, environment, horizon, alone, leader, algorithm="QuACK-UCB")
    return bound._replace(reference="Howson et al. (2025), Corollary 1")


def dducb(
    network: Network,
    environment: Environment,
    horizon: int,
    *,
    eta: float = 2.0,
    epsilon: float = 1 / 22,
    sigma: float | None = None,
    accelerated: bool = True,
    matrix: GossipKind = "paper",
    as_printed: bool = False,
) -> Bound:
    """Return the bound on DDUCB.

    ::

        R_G(n) ≤ Σ_a 16 η (1 + ε/2) σ² log(m n)/Δ_a + (C_G + m + 4) Σ_a Δ_a

    DDUCB is not told the horizon: after t rounds the logarithm is log(m t).

    Parameters
    ----------
    network, environment, horizon
        m agents, actions with gaps Δ_a, n rounds.
    eta, epsilon, accelerated, matrix
        As in `quack.DDUCB`; for C_G see `gossip_constant`.
    sigma
        As in `quack_ucb`.
    as_printed
        C_G with the ceiling around the product, as the paper prints it.

    References
    ----------
    D. Martínez-Rubio, V. Kanade, P. Rebeschini (2019). "Decentralized cooperative stochastic bandits." NeurIPS, Theorem 3.2.
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Section 4.1 and Appendix C.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bernoulli([0.5] + [0.45] * 9)
    >>> round(dducb(quack.networks.cycle(16), bandit, 5000, as_printed=True).value, 3)
    17513.72
    """
    m, horizon = network.n_agents, check_horizon(horizon)
    sigma = least_sigma(environment, sigma)
    gaps = positive_gaps(environment)
    leading = 16.0 * eta * (1.0 + epsilon / 2.0) * sigma**2 * math.log(m * horizon) * float((1.0 / gaps).sum())
    price = gossip_constant(network, epsilon, accelerated=accelerated, matrix=matrix, as_printed=as_printed) + m + 4
    most = trivial(network, environment, horizon)
    reference = "Martínez-Rubio et al. (2019), Theorem 3.2"
    return Bound("DDUCB", leading, price * float(gaps.sum()), "upper", horizon, float(m * horizon), most, reference)


def least_sigma(environment: Any, sigma: float | None) -> float:
    """Return σ as it was given or, by default, the least that the rewards allow; refuse less."""
    least = subgaussian(environment)
    if sigma is None:
        return least
    if not (math.isfinite(sigma) and sigma >= least):
        raise SpecError(
            f"sigma is {sigma}; the rewards of {environment!r} are {least:g}-subgaussian, so {least:g} or more is accepted"
        )
    return sigma
