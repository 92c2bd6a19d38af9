"""What is proven of one agent that plays alone: S_π(H), the regret of each policy that has a theorem with all its constants."""

import functools
import math
from typing import Any

from quack.environments import Duelling, PrivateBernoulli, PrivateLaplace
from quack.environments.base import Environment
from quack.errors import SpecError
from quack.policies import (
    MOSS,
    RUCB,
    UCB,
    UCB1,
    BernoulliLDPUCB,
    CatoniUCB,
    LaplaceLDPUCB,
    MedianOfMeansUCB,
    TruncatedMeanUCB,
    Uniform,
)
from quack.policies.pairs import arms
from quack.theory.bound import Guarantee
from quack.theory.symbols import moment, positive_gaps, subgaussian

__all__ = ["guarantee", "robust", "ucb"]

_ROUNDING = 1e-9  # relative: a moment that the user typed in with a few digits is meant to be that moment


@functools.singledispatch
def guarantee(policy: Any, environment: Environment, plays: int) -> Guarantee:  # noqa: ARG001 (the protocol's)
    """Return what is proven of the policy alone after so many plays in the environment, or say why nothing is.

    ``guarantee.register`` adds the theorem of a policy of your own.

    Parameters
    ----------
    policy
        Any policy.
    environment
        What the actions pay. It must be what the theorem asks for: subgaussian for UCB, private for the private policies.
    plays
        H, the horizon that the policy is told: m·n inside QuACK.

    Raises
    ------
    SpecError
        If no theorem with all its constants is known, or its conditions are not met; the sentence says which.

    Examples
    --------
    >>> import quack
    >>> alone = guarantee(quack.UCB(sigma=0.5), quack.Bernoulli([0.9, 0.4]), 1000)
    >>> round(alone.leading, 3), alone.constant, alone.reference
    (55.262, 1.5, 'Lattimore and Szepesvári (2020), Theorem 7.1')
    """
    raise SpecError(f"no theorem with all its constants is known here for {policy!r}")


@guarantee.register
def _(policy: UCB, environment: Environment, plays: int) -> Guarantee:
    _require("sigma", policy, subgaussian(environment), "the rewards are {}-subgaussian")
    return ucb(environment, plays, policy.sigma, policy.delta)


def ucb(environment: Environment, plays: int, sigma: float, delta: float | None = None) -> Guarantee:
    """Return Σ_a 8 σ² log(1/δ)/Δ_a + (1 + H²δ + Hδ) Σ_a Δ_a; for δ = 1/H² that is Σ_a 16 σ² log(H)/Δ_a + 3 Σ_a Δ_a."""
    gaps = positive_gaps(environment)
    log = 2.0 * math.log(plays) if delta is None else math.log(1.0 / delta)
    times = 3.0 if delta is None else 1.0 + float(plays) ** 2 * delta + plays * delta
    leading = 8.0 * sigma**2 * log * float((1.0 / gaps).sum())
    return Guarantee(leading, times * float(gaps.sum()), anytime=False, reference="Lattimore and Szepesvári (2020), Theorem 7.1")


@guarantee.register
def _(policy: UCB1, environment: Environment, plays: int) -> Guarantee:
    """Σ_a 8 log(H)/Δ_a + (1 + π²/3) Σ_a Δ_a."""
    _require_unit(policy, environment)
    gaps = positive_gaps(environment)
    leading = 8.0 * math.log(plays) * float((1.0 / gaps).sum())
    constant = (1.0 + math.pi**2 / 3.0) * float(gaps.sum())
    return Guarantee(leading, constant, anytime=True, reference="Auer, Cesa-Bianchi, Fischer (2002), Theorem 1")


@guarantee.register
def _(policy: MOSS, environment: Environment, plays: int) -> Guarantee:
    """39 σ √(kH) + Σ_a Δ_a."""
    _require("sigma", policy, subgaussian(environment), "the rewards are {}-subgaussian")
    if policy.anytime:
        raise SpecError(f"no theorem is known for the constant of {policy!r}; MOSS with the horizon has one")
    leading = 39.0 * policy.sigma * math.sqrt(len(environment.gaps) * plays)
    constant = float(positive_gaps(environment).sum())
    return Guarantee(leading, constant, anytime=False, reference="Lattimore and Szepesvári (2020), Theorem 9.1")


def robust(environment: Environment, plays: int, factor: float, epsilon: float) -> Guarantee:
    """Return Σ_a [factor · Δ_a^(−1/ε) log(H) + 5 Δ_a], the form of all theorems of Bubeck et al."""
    gaps = positive_gaps(environment)
    leading = factor * math.log(plays) * float((gaps ** (-1.0 / epsilon)).sum())
    return Guarantee(leading, 5.0 * float(gaps.sum()), anytime=True, reference="Bubeck, Cesa-Bianchi, Lugosi (2013), Theorem 1")


@guarantee.register
def _(policy: TruncatedMeanUCB, environment: Environment, plays: int) -> Guarantee:
    """Σ_a [2^(p/ε) · 8 (4u/Δ_a)^(1/ε) r^(p/ε) log(H) + 5 Δ_a]."""
    _require_learnable(policy, environment)
    _require("moment", policy, moment(environment, 1.0 + policy.epsilon), "E|X|^(1+ε) is {}")
    return robust(environment, plays, truncated_mean_factor(policy.epsilon, policy.moment) * _radius(policy), policy.epsilon)


def truncated_mean_factor(epsilon: float, u: float, *, caution: bool = True) -> float:
    """Return 8 (4u)^(1/ε), the factor of log(H)/Δ^(1/ε) as it is printed; with caution, times 2^(p/ε), as its proof gives it."""
    caution_factor: float = 2.0 ** ((1.0 + epsilon) / epsilon) if caution else 1.0
    return float(8.0 * (4.0 * u) ** (1.0 / epsilon) * caution_factor)


@guarantee.register
def _(policy: MedianOfMeansUCB, environment: Environment, plays: int) -> Guarantee:
    """Σ_a [2^(p/ε) · 32 (12v/Δ_a)^(1/ε) r^(p/ε) (log(H) + 1/16) + 5 Δ_a]."""
    epsilon = policy.epsilon
    _require_learnable(policy, environment)
    _require("moment", policy, moment(environment, 1.0 + epsilon, centred=True), "E|X − μ|^(1+ε) is {}")
    factor = 2.0 ** ((1.0 + epsilon) / epsilon) * 32.0 * (12.0 * policy.moment) ** (1.0 / epsilon) * _radius(policy)
    alone = robust(environment, plays, factor, epsilon)
    rest = factor / 16.0 * float((positive_gaps(environment) ** (-1.0 / epsilon)).sum())
    return alone._replace(constant=alone.constant + rest)


@guarantee.register
def _(policy: CatoniUCB, environment: Environment, plays: int) -> Guarantee:
    """Σ_a [(32 v r²/Δ_a + 8 Δ_a) log(H) + 5 Δ_a]."""
    _require_learnable(policy, environment)
    _require("moment", policy, moment(environment, 2.0, centred=True), "the variance is {}")
    alone = robust(environment, plays, 32.0 * policy.moment * _radius(policy), 1.0)
    return alone._replace(leading=alone.leading + 8.0 * float(positive_gaps(environment).sum()) * math.log(plays))


@guarantee.register
def _(policy: RUCB, environment: Environment, plays: int) -> Guarantee:
    """Σ_{i<j} Δ_(i,j) (4α log(H)/min(Δ̃_i, Δ̃_j)² + 1) + E[C] Δ_max.

    C is the last round in which an interval fails. By Hoeffding's inequality for all pairs and all numbers of duels up to t,
    P(C > c) ≤ A c^−β with β = 2α − 2 and A = k²/β, so E[C] ≤ ⌈A^(1/β)⌉ β/(β − 1) + 1 for α > 3/2. After C no arm but the winner
    meets itself, and i meets j at most 4α log(t)/min(Δ̃_i, Δ̃_j)² + 1 times (Proposition 2; of the winner's pairs the other arm's Δ̃
    counts).
    """
    duels = _require_winner(policy, environment)
    beta = 2.0 * policy.alpha - 2.0
    if beta <= 1.0:
        raise SpecError(f"no bound on the mean regret of {policy!r} is known here; for alpha above 3/2 there is one")
    k, loss = len(duels.matrix), duels.matrix[duels.winner] - 0.5
    first, second = arms(k, unordered=duels.unordered)
    meet = first < second
    i, j = first[meet], second[meet]
    least = loss[i]
    least[i == duels.winner] = loss[j][i == duels.winner]
    other = j != duels.winner
    least[other] = [min(a, b) for a, b in zip(least[other], loss[j][other], strict=True)]
    cost = duels.gaps[meet]
    last = math.ceil((k * k / beta) ** (1.0 / beta)) * beta / (beta - 1.0) + 1.0
    leading = 4.0 * policy.alpha * math.log(plays) * float((cost / least**2).sum())
    constant = float(cost.sum()) + last * float(duels.gaps.max())
    return Guarantee(leading, constant, anytime=True, reference="from Zoghi et al. (2014), Proposition 2")


@guarantee.register
def _(policy: BernoulliLDPUCB, environment: Environment, plays: int) -> Guarantee:
    """Σ_a 8 log(H)/(c² Δ_a) + (1 + π²/3) Σ_a Δ_a with c = (e^ε − 1)/(e^ε + 1): UCB1 on bits, whose gaps are c Δ_a."""
    if not isinstance(environment, PrivateBernoulli) or environment.duels:
        raise SpecError(f"the theorem of {policy!r} is about PrivateBernoulli(…), not {environment!r}")
    gaps = positive_gaps(environment)
    leading = 8.0 * math.log(plays) / math.tanh(environment.epsilon / 2.0) ** 2 * float((1.0 / gaps).sum())
    constant = (1.0 + math.pi**2 / 3.0) * float(gaps.sum())
    return Guarantee(leading, constant, anytime=True, reference="Auer, Cesa-Bianchi, Fischer (2002), Theorem 1, on private bits")


@guarantee.register
def _(policy: LaplaceLDPUCB, environment: Environment, plays: int) -> Guarantee:
    """Σ_a 8 (1 + 4/ε)² log(H)/Δ_a + (1 + 2π²/3) Σ_a Δ_a."""
    if not isinstance(environment, PrivateLaplace) or environment.duels:
        raise SpecError(f"the theorem of {policy!r} is about PrivateLaplace(…), not {environment!r}")
    if policy.epsilon > environment.epsilon:
        raise SpecError(
            f"the noise of {environment!r} is larger than {policy!r} thinks; epsilon up to {environment.epsilon} is covered"
        )
    gaps = positive_gaps(environment)
    leading = 8.0 * (1.0 + 4.0 / policy.epsilon) ** 2 * math.log(plays) * float((1.0 / gaps).sum())
    constant = (1.0 + 2.0 * math.pi**2 / 3.0) * float(gaps.sum())
    return Guarantee(leading, constant, anytime=True, reference="Auer, Cesa-Bianchi, Fischer (2002), proof, with Laplace noise")


@guarantee.register
def _(policy: Uniform, environment: Environment, plays: int) -> Guarantee:  # noqa: ARG001 (the law of the rewards does not matter)
    """H times the mean gap, exactly."""
    return Guarantee(plays * float(environment.gaps.mean()), 0.0, anytime=False, reference="exact")


def _require(name: str, policy: Any, least: float, why: str) -> None:
    """Refuse a policy whose parameter is smaller than its theorem needs."""
    given = getattr(policy, name)
    if given < least * (1.0 - _ROUNDING):
        raise SpecError(f"the theorem of {policy!r} needs {name} of at least {least:.6g}, because {why.format(f'{least:.6g}')}")


def _require_learnable(policy: Any, environment: Any) -> None:
    """Refuse rewards whose means do not differ by the gaps."""
    if getattr(environment, "distorts", False):
        raise SpecError(
            f"the rewards of {environment!r} do not differ by the gaps; the theorem of {policy!r} is about such that do"
        )


def _require_unit(policy: Any, environment: Any) -> None:
    """Refuse rewards outside [0, 1]."""
    _require_learnable(policy, environment)
    low, high = environment.reward_range
    if low < 0.0 or high > 1.0:
        raise SpecError(f"the theorem of {policy!r} is about rewards from 0 to 1; {environment!r} pays from {low:g} to {high:g}")


def _require_winner(policy: Any, environment: Any) -> Duelling:
    """Return duels in which one arm beats all others."""
    if not isinstance(environment, Duelling) or environment.winner is None:
        raise SpecError(f"the theorem of {policy!r} is about duels with an arm that beats all others, not {environment!r}")
    return environment


def _radius(policy: Any) -> float:
    """Return r^(p/ε), what a wider confidence interval costs; refuse one that is narrower than the theorem's."""
    if policy.radius < 1.0:
        raise SpecError(f"the theorem of {policy!r} is about radius=1 and above; a smaller one explores less than it needs")
    return float(policy.radius ** ((1.0 + policy.epsilon) / policy.epsilon))
