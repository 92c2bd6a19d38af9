"""Section 3.1: how many messages, and how large. Erratum E7: not the diameter but the subtree."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.appendix.bellman_ford import Adoption, BellmanFord
from quack.appendix.learning import open_game, play
from quack.appendix.players import Leading, Player, Senses
from quack.appendix.rounds import run
from quack.appendix.tree_messages import TreeMessages
from witness import connected_graphs


class Watched:
    """An agent's program, and how many pairs it sends to its parent in each round."""

    def __init__(self, program, parent):
        self.program = program
        self.parent = parent
        self.pairs = []

    def start(self):
        return self.watched(self.program.start())

    def step(self, inbox):
        return self.watched(self.program.step(inbox))

    def watched(self, outbox):
        self.pairs.append(0 if self.parent is None else len(outbox[self.parent]))
        return outbox


def pairs_sent(network, leader, rounds):
    """Let the agents play, and return how many pairs each sends to its parent in each round.

    There is one action, and it always pays the same: as elements of a set, all pairs would be one.
    """

    def life(place):
        search = BellmanFord(place, leader)
        yield search, place.n_agents - 1
        adoption = Adoption(place, search.parent)
        yield adoption, 1
        leading = Leading(quack.UCB(), 1, place.n_agents * rounds, np.random.default_rng(0)) if place.agent == leader else None
        player = Player(Senses(guess=lambda t: 0, reward=lambda action, t: 1.0), leading)
        watched = Watched(TreeMessages(player, search, adoption, 1), search.parent)
        yield watched, rounds - 1
        return watched.pairs

    return np.array(run(network, life).results).T


@pytest.mark.parametrize(
    ("network", "most", "diameter"),
    [("cycle:196", 98, 98), ("grid:4x4", 6, 6), ("grid:8x8", 24, 14), ("grid:14x14", 84, 26), ("star:16", 1, 2)],
)
def test_a_follower_sends_as_many_pairs_as_its_subtree_has_agents(network, most, diameter):
    """ "the communication complexity … for each agent w is upper bounded by the diameter of the graph" fails on grids."""
    graph = quack.networks.read(network)
    leader = quack.networks.median(graph)
    tree = quack.networks.shortest_path_tree(graph, leader)
    sizes = np.delete(tree.subtree_sizes(), leader)
    assert sizes.max() == most
    assert max(quack.networks.distances(graph, v).max() for v in range(graph.n_agents)) == diameter
    sent = pairs_sent(graph, leader, int(tree.distance.max()))
    assert sent.max() == most
    assert (np.delete(sent[-1], leader) == sizes).all()


@given(connected_graphs(), st.data())
def test_a_message_holds_a_pair_from_every_descendant_that_has_been_heard(network, data):
    """ "M_t^w = (A_t^w, X_t^w) ∪ {M_{t−1}^z}_{z ∈ C_w}": in round t from the agents less than t hops below."""
    leader = data.draw(st.integers(0, network.n_agents - 1))
    rounds = data.draw(st.integers(1, 12))
    tree = quack.networks.shortest_path_tree(network, leader)
    graph = nx.DiGraph([(p, w) for w, p in enumerate(tree.parent.tolist()) if w != leader])
    graph.add_nodes_from(range(network.n_agents))
    sent = pairs_sent(network, leader, rounds)
    for w in range(network.n_agents):
        below = nx.single_source_shortest_path_length(graph, w).values()
        for t in range(1, rounds + 1):
            assert sent[t - 1, w] == (0 if w == leader else sum(hops < t for hops in below))


@given(connected_graphs(), st.data())
def test_along_the_tree_every_link_of_it_carries_two_messages(network, data):
    """An order one way, a set of rewards the other; by flooding every link of the network does."""
    leader = data.draw(st.integers(0, network.n_agents - 1))
    game = open_game(network, quack.Uniform(), quack.Bernoulli([0.5, 0.5]), 30, leader=leader)
    tree, flooding = play(network, game), play(network, game, "flooding")
    assert tree.steady.messages == 2 * (network.n_agents - 1)
    assert flooding.steady.messages == 2 * network.n_edges
    assert tree.traffic.messages == 29 * tree.steady.messages
    assert flooding.preparation.messages == 0


@given(connected_graphs(), st.data())
def test_bytes_of_a_round_once_everybody_is_heard(network, data):
    """Two actions: an order takes a byte, a pair nine, the number of pairs one. Along the tree, a pair passes as many links as it
    has hops to go. By flooding, everybody passes everything on, with a byte for the origin and one for the time, and a follower
    hears of everybody to whom there is a way around the leader, where reports end.
    """
    m = network.n_agents
    leader = data.draw(st.integers(0, m - 1))
    distance = quack.networks.distances(network, leader)
    game = open_game(network, quack.Uniform(), quack.Bernoulli([0.5, 0.5]), 30, leader=leader)
    assert play(network, game).steady.n_bytes == (m - 1) * (1 + 1) + 9 * distance.sum()
    degrees = network.degrees
    order, report, counts = 1 + 1, 1 + 1 + 1 + 8, 1 + 1
    around = network.to_networkx()
    around.remove_node(leader)
    heard = np.array([0 if w == leader else len(nx.node_connected_component(around, w)) for w in range(m)])
    assert play(network, game, "flooding").steady.n_bytes == (degrees * (counts + order + report * heard)).sum()
