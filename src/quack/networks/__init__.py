"""Networks of agents: graphs and their builders, reading from anything, distances, trees, medians, gossip, powers, partitions."""

from quack.networks.families import complete, cycle, grid, path, star
from quack.networks.gossip import Gossip, gossip_matrix, second_eigenvalue
from quack.networks.graphs import Network
from quack.networks.medians import leader, median
from quack.networks.names import FAMILIES, known_families
from quack.networks.partitions import (
    clique_cover_number,
    gamma_for_leaders,
    independence_number,
    leader_counts,
    maximum_independent_set,
)
from quack.networks.powers import power
from quack.networks.random_graphs import barabasi_albert, erdos_renyi, random_geometric, random_regular, watts_strogatz
from quack.networks.reading import read
from quack.networks.trees import Tree, distances, shortest_path_tree, total_distance

__all__ = [
    "FAMILIES",
    "Gossip",
    "Network",
    "Tree",
    "barabasi_albert",
    "clique_cover_number",
    "complete",
    "cycle",
    "distances",
    "erdos_renyi",
    "gamma_for_leaders",
    "gossip_matrix",
    "grid",
    "independence_number",
    "known_families",
    "leader",
    "leader_counts",
    "maximum_independent_set",
    "median",
    "path",
    "power",
    "random_geometric",
    "random_regular",
    "read",
    "second_eigenvalue",
    "shortest_path_tree",
    "star",
    "total_distance",
    "watts_strogatz",
]
