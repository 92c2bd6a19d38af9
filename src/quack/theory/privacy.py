"""Bounds under local differential privacy: Section 4.4 of the paper."""

import math
from typing import Any

from quack.environments import PrivateBernoulli, PrivateLaplace
from quack.errors import SpecError
from quack.networks import Network
from quack.policies import BernoulliLDPUCB, LaplaceLDPUCB
from quack.theory.bound import Bound, Guarantee
from quack.theory.guarantees import guarantee
from quack.theory.subgaussian import theorem_1
from quack.theory.symbols import check_horizon, positive_gaps

__all__ = ["quack_private"]


def quack_private(
    network: Network, environment: Any, horizon: int, *, leader: object = "median", as_printed: bool = False
) -> Bound:
    """Return the bound on QuACK with the private UCB that fits the environment.

    ::

        PrivateLaplace      Σ_a 8 (1 + 4/ε)² log(m n)/Δ_a + (1 + 2π²/3 + 3 Σ_w d_vw) Σ_a Δ_a
        PrivateBernoulli    Σ_a 8 log(m n)/(c² Δ_a) + (1 + π²/3 + 3 Σ_w d_vw) Σ_a Δ_a,    c = (e^ε − 1)/(e^ε + 1)
        printed             O( Σ_a log(m n)/(ε² Δ_a) + Σ_w d_vw Σ_a Δ_a )

    Parameters
    ----------
    network, horizon
        m agents, n rounds.
    environment
        `quack.PrivateLaplace` or `quack.PrivateBernoulli`; Δ_a are the true gaps, ε its privacy.
    leader
        As in `quack.QuACK`.
    as_printed
        The paper's O( ) with all its constants 1.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Corollary 4.
    W. Ren, X. Zhou, J. Liu, N. B. Shroff (2020). "Multi-armed bandits with local differential privacy." arXiv:2007.03121.

    Examples
    --------
    >>> import quack
    >>> private = quack.PrivateLaplace(quack.Bernoulli([0.9, 0.4]), epsilon=2.0)
    >>> round(quack_private(quack.networks.star(16), private, 5000).value, 2)
    1652.02
    """
    if isinstance(environment, PrivateLaplace):
        policy: Any = LaplaceLDPUCB(epsilon=environment.epsilon)
    elif isinstance(environment, PrivateBernoulli):
        policy = BernoulliLDPUCB(epsilon=environment.epsilon)
    else:
        raise SpecError(f"this bound is about PrivateLaplace(…) and PrivateBernoulli(…), not {environment!r}")
    plays = network.n_agents * check_horizon(horizon)
    alone = guarantee(policy, environment, plays)
    name = f"QuACK-{type(policy).__name__}"
    if as_printed:
        leading = math.log(plays) / environment.epsilon**2 * float((1.0 / positive_gaps(environment)).sum())
        alone = Guarantee(leading, 0.0, anytime=True, reference="")
        bound = theorem_1(network, environment, horizon, alone, leader, algorithm=name)
        return bound._replace(additive=bound.additive / 3.0, kind="order", reference="Howson et al. (2025), Corollary 4")
    return theorem_1(network, environment, horizon, alone, leader, algorithm=name)
