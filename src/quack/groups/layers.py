"""What agents in layers do, without a look at each layer: what costs O(diameter) a round when written down takes a few steps.

Agents at distance d do in round t what the leader did in round t − d: an order x_t becomes Σ_d h_d x_{t−d}, where h_d agents
stand at distance d. Let Δ take the difference of neighbours: Δh has few terms on a cycle (h = 1, 2, 2, …), Δ²h on a grid
(1, 4, 8, 12, …). The sum is the L-fold running sum of Σ_d (Δᴸh)_d x_{t−d}; of L = 0, 1, 2 the cheapest is taken.
"""

from typing import NamedTuple

import numpy as np

from quack.kernels import Integers, kernel

__all__ = ["Echo", "Sums", "add_echo", "echo", "open_sums"]

_ADDITIONS = 4  # of numbers that stand side by side cost as much as one term


class Echo(NamedTuple):
    """What comes back of a sequence of orders: Σ_d h_d x_{t − d·stride}."""

    sums: int  # L
    stride: int
    delays: Integers  # the terms of Δᴸh: their d · stride, increasing, …
    weights: Integers  # … and their values


class Sums(NamedTuple):
    """The running sums of an echo, for each action. Those of rounds that are `stride` apart belong together."""

    total: Integers  # total[t % stride, a]
    slope: Integers  # slope[t % stride, a], if L = 2


def echo(layers: Integers, stride: int, n_actions: int) -> Echo:
    """Return the cheapest form of an echo."""
    forms = []
    terms = layers
    for sums in range(3):
        delays = np.flatnonzero(terms)
        forms.append((len(delays) + sums * n_actions / _ADDITIONS, Echo(sums, stride, delays * stride, terms[delays])))
        terms = np.diff(terms, prepend=0, append=0)
    return min(forms, key=lambda form: form[0])[1]


def open_sums(form: Echo, n_actions: int) -> Sums:
    """Return the sums before the first round."""
    return Sums(*(np.zeros((form.stride, n_actions), np.int64) for _ in range(2)))


@kernel
def add_echo(form: Echo, sums: Sums, orders: Integers, t: int, counts: Integers) -> None:
    """Add what comes back in round t to the counts of the actions. The length of `orders` is a power of two."""
    phase = t & (form.stride - 1)  # strides are 1 and 2
    around = len(orders) - 1
    for i in range(len(form.delays)):
        past = t - form.delays[i]
        if past < 1:
            break
        action = orders[past & around]
        if form.sums == 0:
            counts[action] += form.weights[i]
        elif form.sums == 1:
            sums.total[phase, action] += form.weights[i]
        else:
            sums.slope[phase, action] += form.weights[i]
    if form.sums > 0:
        for action in range(len(counts)):
            if form.sums > 1:
                sums.total[phase, action] += sums.slope[phase, action]
            counts[action] += sums.total[phase, action]
