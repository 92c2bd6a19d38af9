"""KL-UCB: the UCB policy that knows how Bernoulli means are told apart."""

import math
from typing import Any, NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, kernel, replaces
from quack.policies.base import check_sizes
from quack.policies.leaps import leap_length

__all__ = ["KLUCB", "KLUCBState"]


class KLUCBState(NamedTuple):
    """What KL-UCB remembers."""

    plays: Floats  # N_a
    total: Floats  # sum of the rewards of a
    rounds: Floats  # one number: t, the round that comes next
    iterated: bool  # whether the exploration is log t + c log log t
    c: float


_NO_MEAN = 1e-300  # below it a mean counts as 0: its divisions would overflow
_STEPS = 50  # a bound that is never reached; 4 steps are usual
_MARGIN = 1e-9  # relative error that is granted to a divergence, and …
_CLEAR = 1e-9  # what is surely more than all roundings: of an upper mean, and relatively of a divergence
_SMALL = 1e-3
_LAST_DIGITS = 4e-16  # … the error that is granted to an upper mean, so that equal actions are never told apart


@kernel
def exploration(t: float, iterated: bool, c: float) -> float:
    """Return the divergence that t rounds allow to a single play."""
    log_t = math.log(t)
    if iterated:
        return max(0.0, log_t + c * math.log(log_t)) if log_t > 0.0 else 0.0
    return math.log(1.0 + t * log_t * log_t)


@kernel
def divergence(mean: float, excess: float) -> float:
    """Return kl(p, p + x) of Bernoulli distributions, p < 1 and 0 ≤ x; +∞ from p + x = 1 on. Accurate for small x."""
    ratio = excess / (1.0 - mean)
    if ratio >= 1.0:
        return math.inf
    if mean < _NO_MEAN:
        return -math.log1p(-excess)
    return -mean * math.log1p(excess / mean) - (1.0 - mean) * math.log1p(-ratio)


@kernel
def upper_mean(mean: float, allowed: float) -> float:
    """Return the largest q ≤ 1 with kl(p, q) ≤ d.

    Newton's method on x = q − p from above: the divergence is convex in x, so every step comes closer and none passes the root.
    It starts at the smaller of two upper bounds, x ≤ √(d/2) (Pinsker) and the x that −p log q ≥ 0 leaves room for.
    """
    if mean >= 1.0:
        return 1.0
    if mean < _NO_MEAN:
        return -math.expm1(-allowed)
    room = 1.0 - mean
    excess = min(math.sqrt(allowed / 2.0), -room * math.expm1((mean * math.log(mean) - allowed) / room))
    if excess >= room:
        return 1.0
    for _ in range(_STEPS):
        surplus = divergence(mean, excess) - allowed
        step = surplus * (mean + excess) * (room - excess) / excess if surplus > 0.0 else 0.0
        excess -= step
        if step <= _LAST_DIGITS * (mean + excess):
            break
    return min(mean + excess, 1.0)


@kernel
def cannot_reach(mean: float, allowed: float, target: float) -> bool:
    """Whether the upper mean clearly stays below a target: one divergence tells, where the upper mean itself takes several."""
    if target > 1.0:
        return True
    excess = target - mean - _LAST_DIGITS
    return excess > 0.0 and divergence(mean, excess) > allowed * (1.0 + _MARGIN)


@kernel
def lower_mean(target: float, allowed: float) -> float:
    """Return a p < q with kl(p, q) clearly below d, not far above the smallest; or q, which always serves.

    Newton's method on p from below, where the divergence is too large: it is convex and falls, so no step passes the root. It
    starts at the larger of two lower bounds, q − √(d/2) (Pinsker) and a small share of q.
    """
    mean = max(target - math.sqrt(allowed / 2.0), target * _SMALL)
    for _ in range(_STEPS):
        found = divergence(mean, target - mean)
        if found <= allowed * (1.0 - _CLEAR):
            return mean
        slope = math.log(mean * (1.0 - target) / (target * (1.0 - mean)))
        if not slope < 0.0:
            break
        mean -= (found - allowed * (1.0 - 2.0 * _CLEAR)) / slope
    return target


class KLUCB(NamedTuple):
    """Play every action once, then the one with the largest mean that its rewards do not rule out.

    ::

        U_a = max{q ∈ [μ̂_a, 1] : N_a kl(μ̂_a, q) ≤ log f(t)},    f(t) = 1 + t log² t,    play argmax_a U_a
        kl(p, q) = p log(p/q) + (1 − p) log((1 − p)/(1 − q))

    t is the round that is decided, on the policy's own clock: one more than the number of plays so far. N_a is the number of
    plays of a, μ̂_a the mean of its rewards; U_a = +∞ while N_a = 0. For rewards in [0, 1]. It needs no horizon.

    For Gaussian rewards of standard deviation σ the divergence is (q − p)²/(2σ²) and U_a is μ̂_a + σ √(2 log f(t)/N_a): that is
    `AsymptoticUCB(sigma)`.

    Parameters
    ----------
    c : float, optional
        If given, ≥ 0, the exploration is log t + c log log t in place of log f(t): 3 in theory, 0 in practice.
    random_ties : bool, default False
        Whether equal estimates are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee, with f: regret after H rounds ≤ Σ_a inf_{ε₁+ε₂<Δ_a} Δ_a (log f(H)/kl(μ_a + ε₁, μ_⋆ − ε₂) + 1/(2ε₁²) + 2/ε₂²);
    divided by log H it tends to at most Σ_a Δ_a/kl(μ_a, μ_⋆), which no policy can beat on Bernoulli rewards.

    Deviation: an exploration log t + c log log t that is negative, as at t = 2 for c > 1.89, counts as 0.

    References
    ----------
    T. Lattimore, C. Szepesvári (2020). "Bandit Algorithms", Algorithm 8 and Theorem 10.6.
    A. Garivier, O. Cappé (2011). "The KL-UCB algorithm for bounded stochastic bandits and beyond." COLT, Algorithm 1 (with c).

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.KLUCB(), n_actions=3, horizon=100)
    >>> chosen = []
    >>> for _ in range(7):
    ...     chosen.append(bandit.select())
    ...     bandit.update(chosen[-1], 1.0 if chosen[-1] == 2 else 0.0)
    >>> chosen
    [0, 1, 2, 2, 2, 2, 2]
    """

    c: float | None = None
    random_ties: bool = False

    @property
    def rewards_within(self) -> tuple[float, float]:
        """Rewards must lie between 0 and 1."""
        return 0.0, 1.0

    def init(self, n_actions: int, horizon: int) -> KLUCBState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        c = 0.0 if self.c is None else float(self.c)
        if not (math.isfinite(c) and c >= 0):
            raise SpecError(f"KLUCB: c is {self.c}; None or a finite number, at least 0, is accepted")
        return KLUCBState(np.zeros(n_actions), np.zeros(n_actions), np.ones(1), self.c is not None, c)

    def select(self, state: KLUCBState, rng: np.random.Generator) -> int:
        """Return the action with the largest optimistic estimate; one that was never played comes first."""
        best = 0
        largest = -1.0
        ties = 1.0
        level = exploration(state.rounds[0], state.iterated, state.c)
        for action in range(len(state.plays)):
            optimism = math.inf
            plays = state.plays[action]
            if plays > 0.0:
                mean = state.total[action] / plays
                if cannot_reach(mean, level / plays, largest):
                    continue
                optimism = upper_mean(mean, level / plays)
            if optimism > largest:
                best = action
                largest = optimism
                ties = 1.0
            elif self.random_ties and optimism == largest:
                ties += 1.0
                if replaces(ties, rng):
                    best = action
        return best

    def update(self, state: KLUCBState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count the play."""
        state.plays[action] += 1.0
        state.total[action] += reward
        state.rounds[0] += 1.0

    def advance(self, state: KLUCBState, action: int, rewards: Any, most: int, rng: np.random.Generator) -> tuple[int, int]:
        """Learn by leaps: N kl(S/N, R) is convex in (N, S), so where it is small enough at both ends, it is between."""
        learnt = 0
        while learnt < most - 1 and state.plays[action] > 0.0 and not self.random_ties:
            plays, total = state.plays[action], state.total[action]
            leap = leap_length(plays, most - 1 - learnt)
            rival = self.best_rival(state, action, state.rounds[0] + leap) + _CLEAR
            if not rival < 1.0 - _CLEAR:
                break
            line, rise = -1.0, 0.0
            if rival > 0.0:
                level = exploration(state.rounds[0], state.iterated, state.c)
                start = lower_mean(rival, level / plays) * plays
                end = lower_mean(rival, level / (plays + leap)) * (plays + leap)
                line, rise = start + 2.0**-16 + 2.0**-48 * (plays + leap), (end - start) / leap
            leapt, total = rewards.take_above(action, total, line, rise, leap)
            state.plays[action] += leapt
            state.total[action] = total
            state.rounds[0] += leapt
            learnt += leapt
            if leapt < leap:
                break
        self.update(state, action, rewards.next(action), rng)
        return learnt + 1, self.select(state, rng)

    def best_rival(self, state: KLUCBState, action: int, rounds: float) -> float:
        """Return the largest estimate among the other actions at a time; −1 if there are none."""
        largest = -1.0
        level = exploration(rounds, state.iterated, state.c)
        for other in range(len(state.plays)):
            plays = state.plays[other]
            if other == action:
                continue
            if plays == 0.0:
                return math.inf
            mean = state.total[other] / plays
            if not cannot_reach(mean, level / plays, largest):
                largest = max(largest, upper_mean(mean, level / plays))
        return largest
