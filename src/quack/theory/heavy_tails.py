"""Bounds for rewards without a variance: Section 4.2 of the paper, and Appendix C."""

import math
from typing import Any

from quack.environments.base import Environment
from quack.errors import SpecError
from quack.networks import Network
from quack.networks.graphs import whole_number
from quack.networks.partitions import independence_number
from quack.networks.powers import power
from quack.policies.heavy_tails import check_exponent
from quack.theory.bound import Bound
from quack.theory.guarantees import robust, truncated_mean_factor
from quack.theory.subgaussian import theorem_1, trivial
from quack.theory.symbols import check_horizon, heavy_tail, moment, positive_gaps

__all__ = ["cmp_ucb", "quack_truncated_mean"]


def quack_truncated_mean(
    network: Network,
    environment: Environment,
    horizon: int,
    *,
    epsilon: float | None = None,
    u: float | None = None,
    leader: object = "median",
    caution: bool = True,
    as_printed: bool = False,
) -> Bound:
    """Return the bound on QuACK with robust UCB and the truncated mean.

    ::

        R_G(n) ≤ Σ_a [2^(p/ε) · 8 (4u/Δ_a)^(1/ε) log(m n) + 5 Δ_a] + 3 Σ_w d_vw Σ_a Δ_a,    p = 1 + ε
        printed:   O( Σ_a (u/Δ_a)^(1/ε) log(m n) + Σ_w d_vw Σ_a Δ_a )

    Parameters
    ----------
    network, environment, horizon
        m agents, actions with gaps Δ_a, n rounds.
    epsilon
        ε in (0, 1]: rewards have moments of order 1 + ε. By default 1, or a little less than what exists.
    u
        u ≥ E|X|^(1+ε) for every action; by default what the environment says.
    leader
        As in `quack.QuACK`.
    caution
        The factor 2^(p/ε). Without it, it is Theorem 1 of Bubeck et al. as printed.
    as_printed
        The paper's O( ) with all its constants 1: for comparison with `cmp_ucb`, whose constants are dropped too.

    Notes
    -----
    Deviation: the factor 2^(p/ε) is there by default, because the proof plays an action until twice its radius falls below Δ_a.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Corollary 2.
    S. Bubeck, N. Cesa-Bianchi, G. Lugosi (2013). "Bandits with heavy tail." IEEE Transactions on Information Theory 59(11).

    Examples
    --------
    >>> import quack
    >>> bandit, network = quack.Stable([0.7] + [0.4] * 4, alpha=1.9), quack.networks.cycle(16)
    >>> round(quack_truncated_mean(network, bandit, 5000).value)
    265068
    >>> round(quack_truncated_mean(network, bandit, 5000, as_printed=True).value)
    1510
    """
    horizon = check_horizon(horizon)
    epsilon, u = tail(environment, epsilon, u)
    plays = network.n_agents * horizon
    if as_printed:
        alone = robust(environment, plays, u ** (1.0 / epsilon), epsilon)._replace(constant=0.0)
        bound = theorem_1(network, environment, horizon, alone, leader)
        return bound._replace(
            algorithm="QuACK-TruncatedMeanUCB",
            additive=bound.additive / 3.0,
            kind="order",
            reference="Howson et al. (2025), Corollary 2",
        )
    alone = robust(environment, plays, truncated_mean_factor(epsilon, u, caution=caution), epsilon)
    return theorem_1(network, environment, horizon, alone, leader, algorithm="QuACK-TruncatedMeanUCB")


def cmp_ucb(
    network: Network,
    environment: Environment,
    horizon: int,
    gamma: int,
    *,
    epsilon: float | None = None,
    u: float | None = None,
) -> Bound:
    """Return what Dubey and Pentland prove of CMP-UCB, constants dropped.

    ::

        α(G_γ) Σ_a (u/Δ_a)^(1/ε) log n + (m γ α(G_γ) + α(G_γ) + m) Σ_a Δ_a

    α(G_γ) is the most agents of which no two are within γ hops: the number of leaders.

    Parameters
    ----------
    network, environment, horizon
        m agents, actions with gaps Δ_a, n rounds.
    gamma
        γ, how many hops a message lives, at least 1.
    epsilon, u
        As in `quack_truncated_mean`.

    References
    ----------
    A. Dubey, A. Pentland (2020). "Cooperative multi-agent bandits with heavy tails." ICML.
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Appendix C.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Stable([0.7, 0.4], alpha=1.9)
    >>> [round(cmp_ucb(quack.networks.cycle(16), bandit, 5000, gamma).additive, 1) for gamma in (3, 8)]
    [63.6, 43.5]
    """
    horizon, gamma = check_horizon(horizon), whole_number("gamma", gamma, 1)
    epsilon, u = tail(environment, epsilon, u)
    m, leaders = network.n_agents, independence_number(power(network, gamma))
    alone = robust(environment, horizon, u ** (1.0 / epsilon), epsilon)
    additive = (m * gamma * leaders + leaders + m) * float(positive_gaps(environment).sum())
    most = trivial(network, environment, horizon)
    reference = "Dubey and Pentland (2020)"
    return Bound(f"CMP-UCB, γ = {gamma}", leaders * alone.leading, additive, "order", horizon, float(horizon), most, reference)


def tail(environment: Any, epsilon: float | None, u: float | None) -> tuple[float, float]:
    """Return ε and u as they were given or as the environment has them; refuse what is too little for it."""
    epsilon = heavy_tail(environment) if epsilon is None else check_exponent("the bound", epsilon)
    least = moment(environment, 1.0 + epsilon)
    if u is None:
        return epsilon, least
    if not (math.isfinite(u) and u >= least * (1.0 - 1e-9)):
        raise SpecError(
            f"u is {u}; E|X|^{1 + epsilon:g} of {environment!r} is {least:.6g}, so a number of at least that is accepted"
        )
    return epsilon, float(u)
