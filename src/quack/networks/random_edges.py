"""Random sets of edges: pairs of different agents, none of them twice, whether they connect all agents or not."""

import math

import numpy as np
import numpy.typing as npt

from quack.kernels import Integers
from quack.networks.graphs import distinct

__all__ = ["Pairs", "bernoulli_pairs", "keys_of", "pairs_of", "regular_pairs", "rewired_ring"]

_ROUNDS = 100
"""Times that rewired edges may choose new ends again before the draw is thrown away."""

_LONGEST_SKIP = 2**20
"""Bound on the table of a geometric law."""

Pairs = tuple[Integers, Integers]


def keys_of(first: Integers, second: Integers) -> Integers:
    """Return the number of each pair of different agents: its place in (0, 1), (0, 2), (1, 2), (0, 3) and so on."""
    high = np.maximum(first, second)
    keys: Integers = high * (high - 1) // 2 + np.minimum(first, second)
    return keys


def pairs_of(keys: Integers) -> Pairs:
    """Return the pairs of agents of these numbers: the inverse of `keys_of`."""
    high = ((1 + np.sqrt(1 + 8 * keys.astype(np.float64))) / 2).astype(np.int64)
    # The root of a number above 2**53 is rounded, so its whole part may be one off.
    high -= high * (high - 1) // 2 > keys
    high += high * (high + 1) // 2 <= keys
    return keys - high * (high - 1) // 2, high


def bernoulli_pairs(m: int, p: float, rng: np.random.Generator) -> Pairs:
    """Return each pair with probability p, by skipping a geometric number of absent ones.

    The geometric law is read from a table of (1-p)^j, which comes out the same everywhere, unlike a logarithm. It ends
    at some length: a skip of that length lands on no edge and goes on from there, for the law has no memory.
    """
    n_pairs = m * (m - 1) // 2
    length = min(math.ceil(3 / p), _LONGEST_SKIP)
    minus_survival = -np.cumprod(np.full(length, 1 - p))
    batch = 64 + int(1.1 * n_pairs * max(p, 1 / length))
    found: list[Integers] = []
    last = -1
    while last < n_pairs - 1:
        skips = np.searchsorted(minus_survival, -rng.random(batch))
        places = last + np.cumsum(np.minimum(skips + 1, length))
        found.append(places[(skips < length) & (places < n_pairs)])
        last = int(places[-1])
    return pairs_of(np.concatenate(found)) if found else pairs_of(np.empty(0, dtype=np.int64))


def rewired_ring(m: int, degree: int, rewiring: float, rng: np.random.Generator) -> Pairs | None:
    """Return a ring in which some edges have one new end, or None if no free ends were found for them."""
    near = np.tile(np.arange(m), degree // 2)
    far = (near + np.repeat(np.arange(1, degree // 2 + 1), m)) % m
    moved = rng.random(len(near)) < rewiring
    taken = keys_of(near[~moved], far[~moved])
    loose = near[moved]
    for _ in range(_ROUNDS):
        if not len(loose):
            return pairs_of(taken)
        ends = rng.integers(m, size=len(loose))
        good = _fresh(loose, ends, taken)
        taken = np.concatenate((taken, keys_of(loose[good], ends[good])))
        loose = loose[~good]
    return None


def regular_pairs(m: int, degree: int, rng: np.random.Generator) -> Pairs | None:
    """Return edges of which every agent has so many, by joining loose ends at random, or None if some are left."""
    taken = np.empty(0, dtype=np.int64)
    loose = np.repeat(np.arange(m), degree)
    while len(loose):
        shuffled = loose[np.argsort(rng.random(len(loose)), kind="stable")]
        first, second = shuffled.reshape(2, -1)
        good = _fresh(first, second, taken)
        taken = np.concatenate((taken, keys_of(first[good], second[good])))
        loose = np.concatenate((first[~good], second[~good]))
        if not good.any() and not _fresh(*_all_pairs(loose), taken).any():
            return None  # whoever has a loose end is joined to all others that have
    return pairs_of(taken)


def _all_pairs(agents: Integers) -> Pairs:
    different = distinct(agents)
    low, high = np.triu_indices(len(different), 1)
    return different[low], different[high]


def _fresh(first: Integers, second: Integers, taken: Integers) -> npt.NDArray[np.bool_]:
    """Say which pairs are edges that may be added: no loop, not taken, not given before in the same arrays."""
    keys = keys_of(first, second)
    fresh = np.zeros(len(keys), dtype=np.bool_)
    fresh[np.unique(keys, return_index=True)[1]] = True
    fresh &= first != second
    if len(taken):
        ascending = np.sort(taken)
        place = np.searchsorted(ascending, keys)
        fresh &= ascending[np.minimum(place, len(taken) - 1)] != keys
    return fresh
