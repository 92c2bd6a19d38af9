"""Leaps: what policies share that learn from many rewards at once while their choice provably stays the same.

`docs/leaps.md` explains and proves it. Nobody needs to read this file to understand a policy.
"""

import math
from typing import Any

import numpy as np

from quack.kernels import Floats, kernel

__all__ = ["FARTHEST", "advance_alone", "advance_with_clock", "best_rival", "chord", "has_ties", "leap_length"]

FARTHEST = 2.0**20  # estimates beyond it are not worth a leap


@kernel
def best_rival(optimism: Floats, action: int) -> float:
    """Return the largest estimate among the other actions."""
    best = -1.0  # below every estimate that is worth a leap, and finite if there is no rival
    for other in range(len(optimism)):
        if other != action:
            best = max(best, optimism[other])
    return best


@kernel
def has_ties(optimism: Floats, action: int) -> bool:
    """Whether one of the other actions is equal to the best of those before it: then `any_argmax` draws a random number."""
    best = -math.inf
    ties = False
    for other in range(len(optimism)):
        if other != action:
            ties |= optimism[other] == best
            best = max(best, optimism[other])
    return ties


@kernel
def chord(rival: float, plays: float, ahead: float, bonus: float, bonus_ahead: float, total: float) -> tuple[float, float]:
    """Return the line above which an action's total keeps it ahead of its best rival: its start, and its rise per play.

    `bonus` is N times the width of the confidence interval at N plays, `bonus_ahead` the same after so many more. As a function
    of N it is concave, so its chord lies below it. The last term is more than all roundings together.
    """
    rise = rival - (bonus_ahead - bonus) / ahead
    line = rival * plays - bonus
    scale = abs(total) + bonus_ahead + bonus + (plays + ahead) * abs(rival)
    return line + 2.0**-16 + 2.0**-48 * scale, rise


@kernel
def advance_alone(policy: Any, state: Any, action: int, rewards: Any, most: int, rng: np.random.Generator) -> tuple[int, int]:
    """Advance a policy in which the estimates of the other actions stand still.

    Its state has `optimism`, `plays` and `total`, and it has two methods: ``estimate(state, total, plays)``, and
    ``bonus(state, plays)``, plays times the estimate less the mean, which is concave as far as `most` reaches.
    """
    rival = best_rival(state.optimism, action)
    plays, total = state.plays[action], state.total[action]
    if not rival < FARTHEST or plays == 0.0 or (policy.random_ties and has_ties(state.optimism, action)):
        policy.update(state, action, rewards.next(action), rng)
        return 1, policy.select(state, rng)
    learnt = 0
    optimism = rival
    while learnt < most:
        ahead = min(float(most - learnt), plays)
        line, rise = chord(rival, plays, ahead, policy.bonus(state, plays), policy.bonus(state, plays + ahead), total)
        leapt, total = rewards.take_above(action, total, line, rise, int(ahead))
        if leapt < int(ahead):  # the next one may reach the line
            total += rewards.next(action)
            leapt += 1
        plays += leapt
        learnt += leapt
        optimism = policy.estimate(state, total, plays)
        if not optimism > rival:
            break
    state.plays[action] = plays
    state.total[action] = total
    state.optimism[action] = optimism
    return learnt, action if optimism > rival else policy.select(state, rng)


_SHORT = 16.0  # a leap under a clock is at least so long, …
_SHARE = 0.25  # … or this share of the action's plays: in a longer one the rivals' estimates rise too far


@kernel
def leap_length(plays: float, most: int) -> int:
    """Return how far to leap under a clock."""
    return int(min(float(most), max(_SHORT, plays * _SHARE)))


@kernel
def advance_with_clock(
    policy: Any, state: Any, action: int, rewards: Any, most: int, rng: np.random.Generator
) -> tuple[int, int]:
    """Advance a policy whose estimates all grow with a clock, `rounds`.

    Its state has `plays`, `total` and `rounds`, and the policy has three methods: ``level(state, rounds)``, what of the clock is
    in the estimates, never falling; ``estimate_at(state, total, plays, level)``; and ``bonus_at(state, plays, level)``, plays
    times the estimate less the mean, at a fixed level concave in plays as far as `most` reaches. `update` must work out all
    estimates anew: the last reward is learnt by it.

    Within a leap the rivals have their estimates of its end, the action has its bonus of the beginning.
    """
    learnt = 0
    while learnt < most - 1 and state.plays[action] > 0.0 and not policy.random_ties:
        plays, total = state.plays[action], state.total[action]
        leap = leap_length(plays, most - 1 - learnt)
        rival = -1.0
        level = policy.level(state, state.rounds[0] + leap)
        for other in range(len(state.plays)):
            if other != action:
                if state.plays[other] == 0.0:
                    rival = math.inf
                    break
                rival = max(rival, policy.estimate_at(state, state.total[other], state.plays[other], level))
        if not rival < FARTHEST:
            break
        level = policy.level(state, state.rounds[0])
        bonus, bonus_ahead = policy.bonus_at(state, plays, level), policy.bonus_at(state, plays + leap, level)
        line, rise = chord(rival, plays, float(leap), bonus, bonus_ahead, total)
        leapt, total = rewards.take_above(action, total, line, rise, leap)
        state.plays[action] += leapt
        state.total[action] = total
        state.rounds[0] += leapt
        learnt += leapt
        if leapt < leap:
            break
    policy.update(state, action, rewards.next(action), rng)
    return learnt + 1, policy.select(state, rng)
