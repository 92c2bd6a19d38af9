"""Preferential attachment with whole arrays: the inside of `barabasi_albert`."""

import numpy as np

from quack.kernels import Integers

__all__ = ["attach"]

_FIRST_BATCH = 64


def attach(m: int, k: int, rng: np.random.Generator) -> Integers:
    """Return the targets of the agents k+1 … m-1, k different ones each, one agent after the other.

    All ends of edges stand in one array, in the order of arrival: an agent's k targets, then k times the agent itself.
    A uniformly random earlier place of that array is an agent drawn in proportion to its degree (Batagelj and Brandes,
    2005). So a batch of agents can draw places before anybody's targets are known; a place that is itself a target of
    the same batch is followed to where that one points, and so on, by pointer jumping.

    The batch is final up to the first agent that has drawn a target twice. That agent draws its double targets again,
    and the draws of the agents after it are thrown away: they are independent of everything kept, so the law is that
    of drawing one by one.
    """
    ends = np.empty(2 * k * (m - k), dtype=np.int64)
    ends[:k] = 0
    ends[k : 2 * k] = np.arange(1, k + 1)
    agent, batch = k + 1, _FIRST_BATCH
    while agent < m:
        batch = min(batch, m - agent)
        targets = _draw(ends, agent, batch, k, rng)
        ordered = np.sort(targets, axis=1)
        doubles = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
        kept = int(doubles[0]) + 1 if len(doubles) else batch
        block = ends[2 * k * (agent - k) :][: 2 * k * kept].reshape(kept, 2 * k)
        block[:, :k] = targets[:kept]
        block[:, k:] = np.arange(agent, agent + kept)[:, None]
        if len(doubles):
            _redraw(block[-1, :k], ends[: 2 * k * (agent + kept - 1 - k)], rng)
        agent += kept
        # Twice what was kept: little is drawn in vain where doubles are frequent, among the first agents.
        batch = max(2 * kept, _FIRST_BATCH)
    return ends.reshape(m - k, 2 * k)[1:, :k].ravel()


def _draw(ends: Integers, agent: int, batch: int, k: int, rng: np.random.Generator) -> Integers:
    """Return the targets of a batch of agents, drawn from everything before each of them; doubles included."""
    known = 2 * k * (agent - k)
    sizes = known + 2 * k * np.arange(batch)
    places = rng.integers(np.repeat(sizes, k))
    inside = places >= known
    targets = ends[np.where(inside, 0, places)]
    row, column = np.divmod(places - known, 2 * k)
    targets = np.where(inside, agent + row, targets)
    # What is still unknown points to an earlier draw of the batch, everything else to itself.
    pointer = np.where(inside & (column < k), row * k + column, np.arange(batch * k))
    while True:
        further = pointer[pointer]
        if np.array_equal(further, pointer):
            return targets[pointer].reshape(batch, k)
        pointer = further


def _redraw(targets: Integers, earlier: Integers, rng: np.random.Generator) -> None:
    """Draw again, in place, every target that stands before in the same row."""
    for i in range(len(targets)):
        while targets[i] in targets[:i]:
            targets[i] = earlier[rng.integers(len(earlier))]
