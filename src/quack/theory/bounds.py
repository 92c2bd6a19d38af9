"""Every bound of the paper as a function of a network, an environment and a horizon.

* any rewards: `theorem_1`, with the regret of the policy alone measured or by `guarantee`; `minimax_lower_bound`;
* subgaussian rewards: `quack_ucb`, `dducb` with its `gossip_constant`;
* heavy tails: `quack_truncated_mean`, `cmp_ucb`;
* duels: `quack_rucb`, `mp_rucb`;
* private rewards: `quack_private`;
* any group of this package whose policy has a theorem: `bound_of`.

Errata of the paper are applied; ``as_printed=True`` gives what is printed.

    >>> import quack
    >>> from quack.theory import bounds
    >>> bandit = quack.Bernoulli([0.5] + [0.45] * 9)
    >>> bound = bounds.bound_of(quack.QuACK(quack.UCB(sigma=0.5)), quack.networks.cycle(16), bandit, horizon=5000)
    >>> round(bound.value, 3), bound.reference
    (8216.393, 'Theorem 1; Lattimore and Szepesvári (2020), Theorem 7.1')
"""

import functools
from typing import Any

from quack.environments.base import Environment
from quack.errors import SpecError
from quack.groups import DDUCB, Independent, Pooled, QuACK
from quack.networks import Network
from quack.theory.bound import Bound, Guarantee
from quack.theory.duels import mp_rucb, quack_rucb
from quack.theory.guarantees import guarantee
from quack.theory.heavy_tails import cmp_ucb, quack_truncated_mean
from quack.theory.privacy import quack_private
from quack.theory.subgaussian import dducb, minimax_lower_bound, quack_ucb, theorem_1, trivial
from quack.theory.symbols import check_horizon, gossip_constant, price_of_distance, worst_total_distance

__all__ = [
    "Bound",
    "Guarantee",
    "bound_of",
    "cmp_ucb",
    "dducb",
    "gossip_constant",
    "guarantee",
    "minimax_lower_bound",
    "mp_rucb",
    "price_of_distance",
    "quack_private",
    "quack_rucb",
    "quack_truncated_mean",
    "quack_ucb",
    "theorem_1",
    "worst_total_distance",
]


@functools.singledispatch
def bound_of(group: Any, network: Network, environment: Environment, horizon: int) -> Bound:  # noqa: ARG001 (the protocol's)
    """Return what is proven of the mean group regret of a group, or say why nothing is. All constants are there.

    ``bound_of.register`` adds the theorem of a group of your own.

    Parameters
    ----------
    group
        QuACK, Pooled and Independent with any policy that has a `guarantee`, or DDUCB.
    network, environment, horizon
        As in `quack.compare`.

    Raises
    ------
    SpecError
        If no theorem with all its constants is known, or its conditions are not met.

    Examples
    --------
    >>> import quack
    >>> bandit, network = quack.Bernoulli([0.9, 0.4]), quack.networks.star(16)
    >>> bound = bound_of(quack.QuACK(quack.UCB1()), network, bandit, 1000)
    >>> round(bound.value, 2)
    179.53
    """
    raise SpecError(f"no bound on the group regret with all its constants is known here for {group!r}")


@bound_of.register
def _(group: QuACK, network: Network, environment: Environment, horizon: int) -> Bound:
    alone = guarantee(group.policy, environment, network.n_agents * check_horizon(horizon))
    return theorem_1(network, environment, horizon, alone, group.leader, algorithm=_name("QuACK", group.policy))


@bound_of.register
def _(group: Pooled, network: Network, environment: Environment, horizon: int) -> Bound:
    return _alone(group.policy, network, environment, horizon, network.n_agents, 1)


@bound_of.register
def _(group: Independent, network: Network, environment: Environment, horizon: int) -> Bound:
    return _alone(group.policy, network, environment, horizon, 1, network.n_agents)


@bound_of.register
def _(group: DDUCB, network: Network, environment: Environment, horizon: int) -> Bound:
    if group.local_updates or group.as_published:
        raise SpecError(
            f"the theorem of DDUCB is about its plain form, without local updates and not as published, not {group!r}"
        )
    options = {"eta": group.eta, "epsilon": group.epsilon, "sigma": group.sigma, "matrix": group.matrix}
    return dducb(network, environment, horizon, **options, accelerated=group.accelerated)  # type: ignore[arg-type]


def _alone(policy: Any, network: Network, environment: Environment, horizon: int, faster: int, agents: int) -> Bound:
    """Return the bound on so many agents that play alone, so many times a round."""
    plays = faster * check_horizon(horizon)
    alone = guarantee(policy, environment, plays)
    name = _name("Pooled" if agents == 1 else "Independent", policy)
    clock = float(plays) if alone.anytime else 0.0
    most = trivial(network, environment, horizon)
    return Bound(name, agents * alone.leading, agents * alone.constant, "upper", horizon, clock, most, alone.reference)


def _name(kind: str, policy: Any) -> str:
    return f"{kind}-{type(policy).__name__}"
