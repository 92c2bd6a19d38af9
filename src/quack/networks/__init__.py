"""Networks of agents: graphs and their builders, reading from anything, distances, trees, medians, gossip."""

from quack.networks.families import complete, cycle, grid, path, star
from quack.networks.gossip import Gossip, gossip_matrix, second_eigenvalue
from quack.networks.graphs import Network
from quack.networks.medians import leader, median
from quack.networks.names import FAMILIES, known_families
from quack.networks.random_graphs import barabasi_albert, erdos_renyi, random_geometric, random_regular, watts_strogatz
from quack.networks.reading import read
from quack.networks.trees import Tree, distances, shortest_path_tree, total_distance

__all__ = [
    "FAMILIES",
    "Gossip",
    "Network",
    "Tree",
    "barabasi_albert",
    "complete",
    "cycle",
    "distances",
    "erdos_renyi",
    "gossip_matrix",
    "grid",
    "known_families",
    "leader",
    "median",
    "path",
    "random_geometric",
    "random_regular",
    "read",
    "second_eigenvalue",
    "shortest_path_tree",
    "star",
    "total_distance",
    "watts_strogatz",
]
