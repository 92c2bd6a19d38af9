"""What follows from a map, against networkx."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from quack.agent.messages import Announcement
from quack.agent.topology import Map, adjacency, distances, leader, median, next_hop


@st.composite
def maps(draw):
    """Announcements of up to eight nodes: some are missing, some links have one end only."""
    nodes = draw(st.integers(1, 8))
    return {
        node: Announcement(
            node,
            draw(st.integers(1, 3)),
            draw(st.integers(1, 3)),
            tuple(sorted(draw(st.sets(st.integers(0, nodes - 1))) - {node})),
            draw(st.integers(0, 2)),
            draw(st.booleans()),
        )
        for node in draw(st.sets(st.integers(0, nodes - 1), min_size=1))
    }


def graph_of(announced):
    graph = nx.Graph()
    graph.add_nodes_from(announced)
    graph.add_edges_from((a, b) for a in announced for b in announced[a].links if b in announced and a in announced[b].links)
    return graph


@given(maps())
def test_distances_and_ways(announced):
    graph = graph_of(announced)
    neighbours = adjacency(announced)
    assert {node: set(near) for node, near in neighbours.items()} == {node: set(graph[node]) for node in graph}
    for root in graph:
        expected = nx.single_source_shortest_path_length(graph, root)
        hops = distances(neighbours, root)
        assert hops == dict(expected)
        assert list(hops.values()) == sorted(hops.values()), "nearest first"
        for node in graph:
            nearer = [near for near in graph[node] if expected.get(near, 99) == expected.get(node, 0) - 1]
            assert next_hop(neighbours, hops, node) == min(nearer, default=None)


@given(maps())
def test_leader_and_median(announced):
    graph = graph_of(announced)
    neighbours = adjacency(announced)
    for root in graph:
        component = nx.node_connected_component(graph, root)
        reachable = distances(neighbours, root)
        claims = [(announced[v].term, v, announced[v].boot) for v in component if announced[v].term > 0]
        assert leader(announced, reachable) == (max(claims) if claims else None)
        sums = [(sum(nx.single_source_shortest_path_length(graph, v).values()), v) for v in component if announced[v].able]
        assert median(announced, neighbours, reachable) == (min(sums) if sums else None)


@given(maps(), maps())
def test_a_map_forgets_what_no_longer_follows(first, second):
    """Asked in between or not, a map says the same of the same announcements."""
    asked, fresh = Map(0, 100), Map(0, 100)
    for announcement in [*first.values(), *second.values()]:
        asked.put(announcement)
        _ = asked.leader(), asked.median(), asked.fingerprint(), asked.distances(0)
    for announcement in {**first, **second}.values():
        fresh.put(announcement)
    assert asked.leader() == fresh.leader()
    assert asked.median() == fresh.median()
    assert asked.fingerprint() == fresh.fingerprint()
    assert asked.known() == fresh.known()


def test_the_fingerprint_sees_a_number_a_boot_and_nothing_unreachable():
    def fingerprint(*announcements):
        one = Map(0, 100)
        for announcement in announcements:
            one.put(announcement)
        return one.fingerprint()

    here, there = Announcement(0, 1, 1, (1,), 0, True), Announcement(1, 1, 1, (0,), 0, True)
    assert fingerprint(here, there) != fingerprint(here, there._replace(number=2))
    assert fingerprint(here, there) != fingerprint(here, there._replace(boot=2))
    assert fingerprint(here, there) == fingerprint(here, there, Announcement(5, 1, 1, (0,), 0, True))


def test_a_map_is_bounded():
    small = Map(0, 3)
    small.put(Announcement(0, 1, 1, (1,), 0, True))
    small.put(Announcement(1, 1, 1, (0,), 0, True))
    for node in range(2, 50):
        small.put(Announcement(node, 1, 1, (), 0, True))
        assert len(small.announced) <= 3
        assert {0, 1} <= set(small.announced), "who is reachable stays"
