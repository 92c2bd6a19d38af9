"""The paper's Appendix C for any network: all bounds, all symbols, and which comparison holds."""

from collections.abc import Sequence
from typing import Any

from quack.environments import Duelling, PrivateBernoulli, PrivateLaplace
from quack.environments.base import Environment
from quack.groups import Independent, Pooled, QuACK
from quack.networks import Network, leader, total_distance
from quack.networks.partitions import clique_cover_number, independence_number
from quack.networks.powers import power
from quack.policies import RUCB, UCB
from quack.simulation.table import counted
from quack.theory.bound import Bound
from quack.theory.bounds import bound_of
from quack.theory.comparisons import Claim, additive_terms, regular_graph, smaller_leading_term, star
from quack.theory.duels import mp_rucb, quack_rucb
from quack.theory.heavy_tails import cmp_ucb, quack_truncated_mean
from quack.theory.privacy import quack_private
from quack.theory.subgaussian import dducb, minimax_lower_bound, quack_ucb, trivial
from quack.theory.symbols import diameter, gossip_constant, mixing_eigenvalue, subgaussian, worst_total_distance
from quack.theory.traffic import Traffic, gossip, quack_by_flooding, quack_on_tree, with_life

__all__ = ["appendix_c", "claims", "symbols", "talk"]

_ALPHA = 2.0  # of RUCB: above 3/2 its mean regret is bounded


def appendix_c(
    network: Network, environment: Environment, horizon: int, gammas: Sequence[int] = (), *, as_printed: bool = False
) -> list[Bound]:
    """Return the bounds that speak of this environment, of QuACK first and what nobody can exceed last.

    Parameters
    ----------
    network, environment, horizon
        As in `quack.compare`.
    gammas
        How many hops a message of CMP-UCB and MP-RUCB lives; one bound each.
    as_printed
        Whether to give the forms of the paper where they differ.

    Examples
    --------
    >>> import quack
    >>> for bound in appendix_c(quack.networks.cycle(16), quack.Bernoulli([0.5] + [0.45] * 9), 5000):
    ...     print(bound.algorithm, round(bound.value))
    QuACK-UCB 8216
    DDUCB 17543
    Pooled-UCB 8130
    Independent-UCB 98140
    any algorithm 31
    any play 4000
    """
    most = trivial(network, environment, horizon)
    anything = Bound("any play", most, 0.0, "upper", horizon, 0.0, most, "m n Δ_max")
    return [*_of_environment(network, environment, horizon, gammas, as_printed=as_printed), anything]


def _of_environment(
    network: Network, environment: Environment, horizon: int, gammas: Sequence[int], *, as_printed: bool
) -> list[Bound]:
    """Return the bounds of the section of the appendix that is about such rewards."""
    if isinstance(environment, Duelling):
        duels = quack_rucb(network, environment, horizon, as_printed=as_printed)
        proven = bound_of(QuACK(RUCB(_ALPHA, unordered=environment.unordered)), network, environment, horizon)
        rivals = [mp_rucb(network, environment, horizon, gamma) for gamma in gammas]
        return [proven._replace(algorithm=f"QuACK-RUCB, α = {_ALPHA:g}"), duels, *rivals]
    if isinstance(environment, PrivateBernoulli | PrivateLaplace):
        forms = (True,) if as_printed else (False, True)
        return [quack_private(network, environment, horizon, as_printed=form) for form in forms]
    if hasattr(environment, "moments_below"):
        forms = (True,) if as_printed else (False, True)
        own = [quack_truncated_mean(network, environment, horizon, as_printed=form) for form in forms]
        return [*own, *(cmp_ucb(network, environment, horizon, gamma) for gamma in gammas)]
    policy = UCB(sigma=subgaussian(environment))
    return [
        quack_ucb(network, environment, horizon),
        dducb(network, environment, horizon, as_printed=as_printed),
        bound_of(Pooled(policy), network, environment, horizon),
        bound_of(Independent(policy), network, environment, horizon),
        minimax_lower_bound(network, environment, horizon),
    ]


def symbols(
    network: Network, gammas: Sequence[int] = (), *, as_printed: bool = False, far: bool = True
) -> list[tuple[str, str, float]]:
    """Return the symbols of the bounds: name, meaning, value.

    Parameters
    ----------
    network, gammas, as_printed
        As in `appendix_c`.
    far
        Whether to look for the diameter, which takes long in a large network.

    Examples
    --------
    >>> from quack.networks import grid
    >>> [(name, value) for name, _, value in symbols(grid(4, 4), [2], as_printed=True)]
    [('m', 16), ('v', 5), ('Σd', 32), ('D', 6), ('m(D−1)', 80), ('λ', 0.882843), ('C_G', 1261), ('α(G_2)', 4), ('χ(G_2)', 4)]
    """
    chosen = leader(network, "median")
    found: list[tuple[str, str, float]] = [
        ("m", "agents", network.n_agents),
        ("v", "leader, the graph median", chosen),
        ("Σd", "sum of the distances from the leader", total_distance(network, chosen)),
    ]
    if far:
        found += [
            ("D", "diameter", diameter(network)),
            (
                "m(D−1)" if as_printed else "D(m−1)",
                "what Σd cannot exceed, whoever leads",
                worst_total_distance(network, as_printed=as_printed),
            ),
        ]
    found += [
        ("λ", "second eigenvalue of the gossip matrix", round(mixing_eigenvalue(network), 6)),
        ("C_G", "DDUCB's constant, ε = 1/22", gossip_constant(network, as_printed=as_printed)),
    ]
    for gamma in gammas:
        close, near = power(network, gamma), f"within {counted(gamma, 'hop')}"
        found += [
            (f"α(G_{gamma})", f"most agents of which no two are {near}", independence_number(close)),
            (f"χ(G_{gamma})", f"fewest groups of agents {near} of each other", clique_cover_number(close)),
        ]
    return found


def claims(
    network: Network, environment: Any, horizon: int, gammas: Sequence[int] = (), *, as_printed: bool = False
) -> list[Claim]:
    """Return the comparisons of Appendix C that speak of this network and environment, and whether each holds.

    Examples
    --------
    >>> import quack
    >>> [claim.holds for claim in claims(quack.networks.cycle(16), quack.Bernoulli([0.5, 0.4]), 5000)]
    [True, True]
    """
    m = network.n_agents
    if isinstance(environment, PrivateBernoulli | PrivateLaplace):
        return []
    if isinstance(environment, Duelling) or hasattr(environment, "moments_below"):
        count = clique_cover_number if isinstance(environment, Duelling) else independence_number
        made = [(gamma, smaller_leading_term(m, horizon, count(power(network, gamma)))) for gamma in gammas]
        rival = "MP-RUCB" if isinstance(environment, Duelling) else "CMP-UCB"
        return [claim._replace(statement=f"leading term of {rival}, γ = {gamma}: {claim.statement}") for gamma, claim in made]
    found = [additive_terms(network)]
    if int(network.degrees.min()) == int(network.degrees.max()):
        found.append(regular_graph(network))
    if m > 2 and sorted(network.degrees.tolist()) == [1] * (m - 1) + [m - 1]:  # noqa: PLR2004 (two agents are a path)
        found.append(star(m, as_printed=as_printed))
    return found


def talk(network: Network, n_actions: int, gammas: Sequence[int] = ()) -> list[tuple[str, Traffic]]:
    """Return what is sent in a round, algorithm by algorithm.

    Examples
    --------
    >>> from quack.networks import grid
    >>> [(name, sent.total) for name, sent in talk(grid(4, 4), 10)]
    [('QuACK on its tree', (30, 79)), ('QuACK by flooding', (48, 3072)), ('coop-UCB, DDUCB, Dec-TS', (48, 960))]
    """
    found = [("QuACK on its tree", quack_on_tree(network)), ("QuACK by flooding", quack_by_flooding(network))]
    rivals = [(f"MP-UCB, CMP-UCB, MP-RUCB, γ = {gamma}", with_life(network, gamma)) for gamma in gammas]
    return [*found, ("coop-UCB, DDUCB, Dec-TS", gossip(network, n_actions)), *rivals]
