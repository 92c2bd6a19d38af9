"""What is sent, against programs that send it message by message."""

import collections

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quack
from quack.theory import traffic
from witness import connected_graphs


def play_on_the_tree(network, leader, rounds):
    """Return what each agent sends in the last round of Section 3.1: M_w = own pair and what came from below; one order each."""
    tree = quack.networks.shortest_path_tree(network, leader)
    children = tree.children()
    held = [[] for _ in range(network.n_agents)]  # pairs that came from the children at the end of the last round
    for t in range(rounds):
        sent, arriving = collections.Counter(), [[] for _ in range(network.n_agents)]
        numbers = collections.Counter()
        for w in range(network.n_agents):
            for _ in children[w]:
                sent[w] += 1
                numbers[w] += 1
            if w != leader:
                message = [(w, t), *held[w]]
                arriving[tree.parent[w]] += message
                sent[w] += 1
                numbers[w] += 2 * len(message)
        held = arriving
    return sent, numbers, len(held[leader])


@given(connected_graphs(), st.data())
@settings(max_examples=40)
def test_quack_on_the_tree(network, data):
    m = network.n_agents
    leader = data.draw(st.integers(0, m - 1))
    sent, numbers, arrived = play_on_the_tree(network, leader, m + 1)
    said = traffic.quack_on_tree(network, leader)
    assert said.messages.tolist() == [sent[w] for w in range(m)]
    assert said.numbers.tolist() == [numbers[w] for w in range(m)]
    assert arrived == m - 1
    total = quack.networks.total_distance(network, leader)
    assert said.total == (2 * (m - 1), 2 * total + m - 1)


def flood(network, life, rounds):
    """Return how many items each agent tells each neighbour in the last round; an item lives so many hops."""
    m = network.n_agents
    known = [set() for _ in range(m)]
    fresh = [[] for _ in range(m)]
    for t in range(rounds):
        for w in range(m):
            fresh[w].append((w, t, life))
            known[w].add((w, t))
        told = [[item for item in fresh[w] if item[2] > 0] for w in range(m)]
        fresh = [[] for _ in range(m)]
        for w in range(m):
            for z in network.neighbours_of(w).tolist():
                for origin, time, left in told[w]:
                    if (origin, time) not in known[z]:
                        known[z].add((origin, time))
                        fresh[z].append((origin, time, left - 1))
    return [len(items) for items in told]


@given(connected_graphs(7), st.integers(1, 8))
@settings(max_examples=30)
def test_messages_with_a_life(network, gamma):
    items = flood(network, gamma, network.n_agents + 2)
    said = traffic.with_life(network, gamma)
    assert said.numbers.tolist() == [5 * count * degree for count, degree in zip(items, network.degrees.tolist(), strict=True)]
    assert said.messages.tolist() == network.degrees.tolist()


@given(connected_graphs(7))
@settings(max_examples=30)
def test_flooding(network):
    items = flood(network, network.n_agents, network.n_agents + 2)
    assert set(items) == {network.n_agents}
    assert traffic.quack_by_flooding(network).numbers.tolist() == (4 * network.n_agents * network.degrees).tolist()


@pytest.mark.parametrize(
    ("name", "most", "diameter"),
    [("cycle:196", 98, 98), ("grid:4x4", 6, 6), ("grid:8x8", 24, 14), ("grid:14x14", 84, 26), ("star:16", 1, 2)],
)
def test_a_message_holds_as_many_pairs_as_the_subtree_has_agents(name, most, diameter):
    """Measured with lowest parents and the median as leader: on grids more than the diameter that the paper names."""
    network = quack.networks.read(name)
    said = traffic.quack_on_tree(network)
    leader = quack.networks.median(network)
    orders = np.bincount(quack.networks.shortest_path_tree(network, leader).parent, minlength=network.n_agents)
    pairs = np.delete((said.numbers - orders) // 2, leader)
    assert pairs.max() == most
    assert quack.theory.symbols.diameter(network) == diameter


@pytest.mark.parametrize(
    "group",
    [quack.CoopUCB(), quack.CoopUCB2(), quack.DDUCB(), quack.DecTS(), quack.GaussianDecTS()],
    ids=lambda group: type(group).__name__,
)
def test_gossip_sends_two_vectors_to_each_neighbour(group):
    network = quack.networks.grid(3, 3)
    said = traffic.traffic_of(group, network, 10)
    assert said.messages.tolist() == network.degrees.tolist()
    assert said.numbers.tolist() == (20 * network.degrees).tolist()


def test_what_is_sent_only_when_a_leader_changes_its_mind():
    network = quack.networks.path(5)
    assert traffic.broadcasts(network).per == traffic.announcements(network).per == "change"
    assert traffic.broadcasts(network).total == (8, 16)
    assert traffic.announcements(network).total == (4, 4)
    assert traffic.announcements(network).messages.tolist() == [0, 1, 2, 1, 0]


def test_groups_that_pass_messages():
    network = quack.networks.grid(3, 3)  # degrees 2, 3, 4: 24 in all
    said = {
        quack.MPUCB(gamma=1): (24, 24 * 5),
        quack.MPUCB(gamma=3): traffic.with_life(network, 3).total,
        quack.MPRUCB(gamma=1): (24, 24 * 6),
        quack.CMPUCB(gamma=1): (24, 24 * 5),
        quack.CMPUCB(leaders=1): traffic.with_life(network, quack.networks.gamma_for_leaders(network, 1)).total,
        quack.FollowYourLeader(): (8, 8),  # down a tree of nine agents
        quack.DPE2(): (24, 48),
    }
    assert {group: traffic.traffic_of(group, network, 4).total for group in said} == said


def test_who_sends_nothing():
    for group in (quack.Independent(quack.UCB()), quack.Pooled(quack.UCB()), quack.MPUCB(gamma=0), quack.CMPUCB(gamma=0)):
        assert traffic.traffic_of(group, quack.networks.path(5), 3).total == (0, 0)
    assert traffic.quack_on_tree(quack.networks.path(1)).total == (0, 0)


def test_an_unknown_group_is_refused():
    with pytest.raises(quack.SpecError, match="it is not known here what 3 sends"):
        traffic.traffic_of(3, quack.networks.path(5), 3)


def test_published_code_gossips_more_than_a_round_allows():
    with pytest.raises(quack.SpecError, match="published code gossips many steps at once"):
        traffic.traffic_of(quack.DDUCB(as_published=True), quack.networks.path(5), 3)
