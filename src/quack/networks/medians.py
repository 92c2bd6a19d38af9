"""The graph median: the agent whose distances to all others have the smallest sum. It makes the best leader."""

import threading
from collections.abc import Callable

import numpy as np

from quack.errors import SpecError, nearest
from quack.extras import require
from quack.kernels import Integers
from quack.networks.graphs import Network
from quack.networks.trees import distances, shortest_path_tree

__all__ = ["attentively", "leader", "median"]

_MOST_WORK = 2**29
"""Machine words, read in about a second, up to which all distances are summed (docs/decisions/0003-graph-median.md)."""

_BLOCK_BYTES = 2**22
"""What one block of sources reads per step: it should stay in the cache."""

_POLL_S = 0.1


def median(network: Network) -> int:
    """Return the graph median, arg min_v Σ_w d_vw, exactly; among equals the lowest number.

    A formula where the network has one; the centroid of a tree; all distances where these are a second's work; for
    anything larger the pruned search of Bergamini et al., which is fast unless all agents are nearly equally central.

    References
    ----------
    Bergamini, Borassi, Crescenzi, Marino and Meyerhenke (2019), "Computing top-k closeness centrality faster in
    unweighted graphs", ACM Transactions on Knowledge Discovery from Data 13(5).

    Examples
    --------
    >>> from quack.networks import median, read
    >>> median(read([(0, 1), (1, 2), (2, 3), (1, 4)]))
    1
    """
    if network.known_median is not None:
        return network.known_median
    if network.n_edges == network.n_agents - 1:
        return _centroid(network)
    if (network.degrees == 2).all():  # noqa: PLR2004 (a cycle: everybody is a median)
        return 0
    steps = int(distances(network, 0).max())
    work = steps * len(network.neighbours) * network.n_agents / 64
    return int(np.argmin(total_distances(network))) if work <= _MOST_WORK else _pruned_search(network)


def leader(network: Network, choice: object) -> int:
    """Return the number of the agent that a user calls the leader.

    Parameters
    ----------
    network
        The network.
    choice
        ``"median"`` (always the graph median), one of the network's labels, or a number 0 … m-1, also as text, unless
        the labels are numbers themselves.

    Examples
    --------
    >>> from quack.networks import leader, read
    >>> network = read([("ann", "bob"), ("bob", "eve")])
    >>> leader(network, "eve"), leader(network, "median"), leader(network, 0)
    (2, 1, 0)
    """
    if isinstance(choice, str) and choice == "median":
        return median(network)
    number = _number(choice)
    if network.labels is not None:
        candidates = [choice] if number is None else [choice, number]
        for candidate in candidates:
            if candidate in network.labels:
                return network.labels.index(candidate)
    numbered = network.labels is None or not any(isinstance(label, int) for label in network.labels)
    if numbered and number is not None and 0 <= number < network.n_agents:
        return number
    known = f"an agent 0 … {network.n_agents - 1}" if numbered else "an agent's label"
    if network.labels is not None:
        known += f" (the first labels are {', '.join(map(repr, network.labels[:3]))})"
    hint = nearest(choice, ["median", *map(str, network.labels or ())]) if isinstance(choice, str) else ""
    raise SpecError(f"leader must be 'median' or {known}, not {choice!r}.{hint}")


def total_distances(network: Network) -> Integers:
    """Return Σ_w d_vw of every agent v, by growing the balls around all agents at once, 64 to a machine word.

    A sum of distances is a count of misses: Σ_w d_vw = Σ_t (agents farther than t hops from v). Distances are
    symmetric, so the bits that count for v may stand for sources as well as for targets, and a block of sources adds
    its share to every v.
    """
    m = network.n_agents
    totals = np.zeros(m, dtype=np.int64)
    if m == 1:
        return totals
    words = max(1, _BLOCK_BYTES // (8 * len(network.neighbours)))
    for start in range(0, m, 64 * words):
        sources = np.arange(start, min(start + 64 * words, m))
        ball = np.zeros((m, -(-len(sources) // 64)), dtype=np.uint64)
        place = sources - start
        ball[sources, place // 64] = np.uint64(1) << (place % 64).astype(np.uint64)
        while (missing := len(sources) - np.bitwise_count(ball).sum(axis=1, dtype=np.int64)).any():
            totals += missing
            ball |= np.bitwise_or.reduceat(ball[network.neighbours], network.offsets[:-1], axis=0)
    return totals


def _centroid(network: Network) -> int:
    """Return the median of a tree: the vertex without a branch of more than half of the agents (Jordan, 1869)."""
    size = shortest_path_tree(network, 0).subtree_sizes()
    # Vertices with more than half of the agents below form a path from the root; its end is a centroid, and a child
    # with exactly half below is the only possible other one.
    heavy = np.flatnonzero(2 * size > network.n_agents)
    end = int(heavy[np.argmin(size[heavy])])
    return min([end, *np.flatnonzero(2 * size == network.n_agents).tolist()])


def _pruned_search(network: Network) -> int:
    networkit = require("networkit", "the exact median of a large network")
    first, second = (np.ascontiguousarray(column) for column in network.edges().T)
    graph = networkit.GraphFromCoo((np.ones(len(first)), (first, second)), n=network.n_agents, weighted=False, directed=False)
    search = networkit.centrality.TopCloseness(graph, k=1, first_heu=True, sec_heu=True)
    attentively(search.run)
    # The trail: everybody who is as central as the first.
    return int(min(search.topkNodesList(includeTrail=True)))


def attentively(work: Callable[[], object]) -> None:
    """Do work that Python cannot interrupt, in a thread that ends with the process: so Ctrl-C is heard meanwhile."""
    failures: list[BaseException] = []

    def perform() -> None:
        try:
            work()
        except BaseException as failure:  # noqa: BLE001 (raised again by who waits)
            failures.append(failure)

    thread = threading.Thread(target=perform, name="quack network", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_POLL_S)
    if failures:
        raise failures[0]


def _number(choice: object) -> int | None:
    if isinstance(choice, str):
        return int(choice) if choice.isdecimal() else None
    return int(choice) if isinstance(choice, (int, np.integer)) and not isinstance(choice, bool) else None
