"""The heaviest independent set of a power, weighted by degrees: HiGHS as `quack` asks it, and networkx on the complement.

    python -m benchmarks.partitions

One set each, without the search for the first of equal ones. networkx is stopped after some seconds. The table of
docs/decisions/0006-partitions.md comes from here.
"""

import multiprocessing
import time
from typing import Any

import networkx as nx
import numpy as np

from benchmarks.setting import least, store
from quack.networks import Network, partitions, power, read
from quack.networks.bits import edge_cliques, rows_of_bits

CASES = (
    ("cycle:64", 2),
    ("grid:8x8", 2),
    ("grid:8x8", 9),
    ("erdos-renyi:64,0.08,seed=1", 1),
    ("grid:14x14", 1),
    ("grid:14x14", 4),
)
PATIENCE_S = 5.0


def by_integer_programming(network: Network) -> tuple[float, int]:
    """Return the time in ms and the number of agents."""
    size = 0

    def once() -> float:
        nonlocal size
        start = time.perf_counter()
        cliques = edge_cliques(rows_of_bits(network))
        everybody = np.ones(network.n_agents, np.bool_)
        size = int(partitions._heaviest(cliques, network.degrees * 1.0, everybody, network).sum())  # noqa: SLF001 (what is measured)
        return (time.perf_counter() - start) * 1e3

    return least(once, 3), size


def _clique(network: Network, pipe: Any) -> None:
    complement = nx.complement(network.to_networkx())
    nx.set_node_attributes(complement, dict(enumerate(network.degrees.tolist())), "weight")
    start = time.perf_counter()
    nx.max_weight_clique(complement)
    pipe.send((time.perf_counter() - start) * 1e3)


def by_networkx(network: Network) -> float | None:
    """Return the time in ms, or None."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_clique, args=(network, there), daemon=True)
    process.start()
    answer = here.recv() if here.poll(PATIENCE_S) else None
    process.terminate()
    process.join()
    return answer


def main() -> None:
    """Measure, print, store."""
    figures: dict[str, Any] = {}
    print(f"{'network':>28s} {'γ':>3s} {'agents':>7s} {'HiGHS ms':>9s} {'networkx ms':>12s}")
    for name, gamma in CASES:
        network = power(read(name), gamma)
        highs_ms, size = by_integer_programming(network)
        networkx_ms = by_networkx(network)
        shown = "-" if networkx_ms is None else f"{networkx_ms:.0f}"
        print(f"{name:>28s} {gamma:3d} {size:7d} {highs_ms:9.0f} {shown:>12s}")
        figures[network.name] = {"agents": size, "highs_ms": highs_ms, "networkx_ms": networkx_ms}
    store("partitions", figures)


if __name__ == "__main__":
    main()
