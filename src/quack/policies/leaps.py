"""Leaps: what policies share that learn from many rewards at once while their choice provably stays the same.

`docs/leaps.md` explains and proves it. Nobody needs to read this file to understand a policy.
"""

import math

from quack.kernels import Floats, kernel

__all__ = ["FARTHEST", "best_rival", "chord", "has_ties"]

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
