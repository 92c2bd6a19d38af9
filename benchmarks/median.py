"""The exact graph median by several libraries, side by side: python -m benchmarks.median.

Every solver gets its own library's graph, made beforehand; `quack` is the package's own `median` on a network that does
not know its formula, conversion and choice of method included. Times are the best of up to three calls. Libraries that are
not installed are skipped. The table goes to the terminal, everything to benchmarks/results/median.json.
"""

import importlib
import importlib.metadata
import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csgraph

from benchmarks.setting import store
from quack.networks import Network, barabasi_albert, cycle, grid, median, medians, random_geometric, random_regular

ENOUGH_S = 2.0


def scipy_blocks(network: Network) -> Callable[[], int]:
    """Dijkstra's algorithm from every vertex, a block of rows at a time."""
    matrix, m = network.to_scipy(), network.n_agents
    blocks = [np.arange(start, min(start + 256, m)) for start in range(0, m, 256)]

    def solve() -> int:
        sums = [csgraph.dijkstra(matrix, unweighted=True, indices=block).sum(axis=1) for block in blocks]
        return int(np.argmin(np.concatenate(sums)))

    return solve


def igraph_closeness(network: Network) -> Callable[[], int]:
    """Breadth-first search from every vertex, in C."""
    graph = importlib.import_module("igraph").Graph(n=network.n_agents, edges=network.edges().tolist())
    return lambda: int(np.argmax(graph.closeness()))


def rustworkx_closeness(network: Network) -> Callable[[], int]:
    """Breadth-first search from every vertex, in Rust, on all threads."""
    graph = importlib.import_module("rustworkx").PyGraph()
    graph.add_nodes_from(range(network.n_agents))
    graph.add_edges_from_no_data(list(map(tuple, network.edges().tolist())))
    closeness = importlib.import_module("rustworkx").closeness_centrality

    def solve() -> int:
        found = closeness(graph)
        return int(np.argmax([found[agent] for agent in range(network.n_agents)]))

    return solve


def networkit_top_closeness(network: Network) -> Callable[[], int]:
    """The pruned search of Bergamini et al., in C++, on all threads, ties included."""
    networkit = importlib.import_module("networkit")
    first, second = (np.ascontiguousarray(column) for column in network.edges().T)
    graph = networkit.GraphFromCoo((np.ones(len(first)), (first, second)), n=network.n_agents, weighted=False, directed=False)

    def solve() -> int:
        search = networkit.centrality.TopCloseness(graph, k=1, first_heu=True, sec_heu=True)
        search.run()
        return int(min(search.topkNodesList(includeTrail=True)))

    return solve


def growing_balls(network: Network) -> Callable[[], int]:
    """Add up all distances with NumPy, 64 sources to a machine word: the package's way for small networks."""
    return lambda: int(np.argmin(medians.total_distances(network)))


def package(network: Network) -> Callable[[], int]:
    """Let the package choose."""
    return lambda: median(network)


SOLVERS: dict[str, tuple[str | None, Callable[[Network], Callable[[], int]]]] = {
    "scipy": ("scipy", scipy_blocks),
    "igraph": ("igraph", igraph_closeness),
    "rustworkx": ("rustworkx", rustworkx_closeness),
    "networkit": ("networkit", networkit_top_closeness),
    "balls": (None, growing_balls),
    "quack": (None, package),
}
MEAN_DEGREE = 14


def graphs() -> list[tuple[Network, list[str]]]:
    """Return the graphs and the solvers that can finish them in a minute or so."""
    m = 10_000
    small = [
        grid(100, 100),
        random_geometric(m, round(math.sqrt(MEAN_DEGREE / (math.pi * m)), 5)),
        cycle(m),
        barabasi_albert(m, 3),
        random_regular(m, 8),
    ]
    return [(replace(network, known_median=None), list(SOLVERS)) for network in small] + [
        (barabasi_albert(1_000_000, 3), ["networkit", "quack"])
    ]


def best_time(solve: Callable[[], int]) -> tuple[float, int]:
    """Return the shortest time of up to three calls, and the median that was found."""
    times: list[float] = []
    answer = -1
    while len(times) < 3 and sum(times) < ENOUGH_S:
        start = time.perf_counter()
        answer = solve()
        times.append(time.perf_counter() - start)
    return min(times), answer


def installed() -> tuple[dict[str, str], dict[str, float]]:
    """Import the libraries that are there; return their versions and what each import took after the ones before."""
    versions = {name: importlib.metadata.version(name) for name in ("numpy", "scipy")}
    import_s: dict[str, float] = {}
    for library in ("networkit", "igraph", "rustworkx"):
        start = time.perf_counter()
        try:
            importlib.import_module(library)
        except ModuleNotFoundError:
            print(f"{library} is not installed: skipped")
            continue
        import_s[library] = round(time.perf_counter() - start, 3)
        versions[library] = importlib.metadata.version(library)
    return versions, import_s


def main() -> None:
    """Run everything, print the table, store it."""
    versions, import_s = installed()
    print("import:", ", ".join(f"{library} {seconds:.2f} s" for library, seconds in import_s.items()))
    rows: list[dict[str, Any]] = []
    print(f"{'seconds':36s}" + "".join(f"{solver:>11s}" for solver in SOLVERS))
    for network, wanted in graphs():
        found: dict[str, int] = {}
        print(f"{network.name:36s}", end="", flush=True)
        for solver, (library, prepare) in SOLVERS.items():
            if solver not in wanted or (library is not None and library not in versions):
                print(f"{'-':>11s}", end="", flush=True)
                continue
            seconds, found[solver] = best_time(prepare(network))
            print(f"{seconds:11.3f}", end="", flush=True)
            size = {"agents": network.n_agents, "edges": network.n_edges}
            rows.append({"graph": network.name, **size, "solver": solver, "seconds": round(seconds, 4), "median": found[solver]})
        print(f"   median {', '.join(map(str, sorted(set(found.values()))))}")
    store("median", {"versions": versions, "import_s": import_s, "rows": rows})


if __name__ == "__main__":
    main()
