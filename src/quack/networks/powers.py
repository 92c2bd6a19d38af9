"""Who hears whom within γ hops: the balls that messages of a limited life reach, and the powers of a network."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from quack.extras import require
from quack.kernels import Integers
from quack.networks.graphs import Network, refuse_huge, whole_number

__all__ = ["Balls", "balls", "power", "powers"]


class Balls(NamedTuple):
    """The ball of radius γ around each agent, itself included."""

    offsets: Integers  # the ball of v is agents[offsets[v]:offsets[v + 1]]
    agents: Integers  # nearest first, of equally near ones the lowest number first
    hops: Integers  # how far away each of them is


def balls(network: Network, gamma: int) -> Balls:
    """Return who is within γ hops of each agent, and how far: whom its messages reach, and with which delay.

    Examples
    --------
    >>> from quack.networks import path
    >>> around = balls(path(4), 2)
    >>> around.agents[:around.offsets[1]], around.hops[:around.offsets[1]]
    (array([0, 1, 2]), array([0, 1, 2]))
    """
    gamma = whole_number("gamma", gamma, 0)
    sparse = require("scipy.sparse", "the power of a network")
    edges = network.to_scipy()
    m = network.n_agents
    # Neighbours of what is i hops away are i − 1, i or i + 1 hops away: a layer needs the two before it, not the whole ball.
    before, layer = sparse.csr_array((m, m)), sparse.eye_array(m, format="csr")
    owners, agents, hops = [np.arange(m)], [np.arange(m)], [np.zeros(m, np.int64)]
    total = 0
    for hop in range(1, gamma + 1):
        reached = layer @ edges
        reached.data[:] = 1.0
        reached = reached - reached.multiply(layer) - reached.multiply(before)
        reached.eliminate_zeros()
        if reached.nnz == 0:
            break
        total += reached.nnz
        refuse_huge(f"the power {gamma} of {network.name}", total)
        before, layer = layer, reached
        pairs = reached.tocoo()
        owners.append(pairs.row)
        agents.append(pairs.col)
        hops.append(np.full(reached.nnz, hop))
    owner, agent, hop_of = (np.concatenate(parts).astype(np.int64) for parts in (owners, agents, hops))
    order = np.lexsort((agent, hop_of, owner))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=m))))
    return Balls(offsets, agent[order], hop_of[order])


def power(network: Network, gamma: int) -> Network:
    """Return the γ-th power G_γ: agents are neighbours in it if they are at most γ hops apart.

    G_1 is the network, and from the diameter on G_γ is complete. G_0 has no edges: it is no network for `quack.compare`, but
    what the functions of this module take.

    Examples
    --------
    >>> from quack.networks import cycle
    >>> power(cycle(6), 2).neighbours_of(0)
    array([1, 2, 4, 5], dtype=int32)
    """
    return _joined(network, balls(network, gamma), gamma)


def powers(network: Network) -> Iterator[tuple[int, Network]]:
    """Yield each γ from 0 to the diameter with the γ-th power, see `power`."""
    everybody = balls(network, network.n_agents)
    for gamma in range(int(everybody.hops.max()) + 1):
        yield gamma, _joined(network, everybody, gamma)


def _joined(network: Network, around: Balls, gamma: int) -> Network:
    """Return the network of those who are at most γ hops apart."""
    owners = np.repeat(np.arange(network.n_agents), np.diff(around.offsets))
    others = (around.hops > 0) & (around.hops <= gamma)
    first, second = owners[others], around.agents[others]
    order = np.lexsort((second, first))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(first, minlength=network.n_agents))))
    return Network(offsets, second[order].astype(np.int32), f"{network.name}^{gamma}", network.labels, network.notes)
