"""Appendix A: what agents that know only their neighbours find out, and what it costs them."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.appendix.bellman_ford import Adoption, BellmanFord
from quack.appendix.best_leader import best_leader, best_leader_as_printed
from quack.appendix.distance_vectors import DistanceVectors
from quack.appendix.election import Candidate, Election
from quack.appendix.link_state import LinkState, link_state_after_a_loss
from quack.appendix.rounds import run
from quack.appendix.ways import WAYS
from witness import connected_graphs


def searched(network, source, rounds):
    """Let the agents run Bellman-Ford for so many rounds, and then adopt."""

    def life(place):
        search = BellmanFord(place, source)
        yield search, rounds
        adoption = Adoption(place, search.parent)
        yield adoption, 1
        return search.distance, search.parent, adoption.children

    return run(network, life).results


@given(connected_graphs(), st.data())
def test_a_distance_is_final_after_exactly_as_many_iterations(network, data):
    """ "Computing … the shortest path tree … using approximately m iterations": d_vw is right after d_vw of them, not before."""
    source = data.draw(st.integers(0, network.n_agents - 1))
    hops = nx.single_source_shortest_path_length(network.to_networkx(), source)
    for rounds in range(network.n_agents):
        for agent, (distance, _, _) in enumerate(searched(network, source, rounds)):
            assert distance == (hops[agent] if hops[agent] <= rounds else network.n_agents)


@given(connected_graphs(), st.data())
def test_everybody_knows_its_parent_and_its_children(network, data):
    """ "After Algorithm DBF terminates, each agent will know their children and parent on the shortest path tree"."""
    m = network.n_agents
    source = data.draw(st.integers(0, m - 1))
    known = searched(network, source, m - 1)
    assert sum(len(children) for _, _, children in known) == m - 1
    for agent, (distance, parent, children) in enumerate(known):
        assert all(known[child][1] == agent for child in children)
        if agent == source:
            assert (distance, parent) == (0, None)
        else:
            nearer = [z for z in network.neighbours_of(agent).tolist() if known[z][0] == distance - 1]
            assert parent == min(nearer)  # one hop closer, therefore no way up comes back
    tree = quack.networks.shortest_path_tree(network, source)
    assert [children for _, _, children in known] == list(tree.children())


def elected(network, values, rule=Election):
    """Hold an election of m rounds."""

    def life(place):
        election = rule(place, values[place.agent])
        yield election, place.n_agents
        return election

    return run(network, life).results


@given(connected_graphs(), st.data())
def test_exactly_one_leader_is_elected_the_lowest_of_the_smallest(network, data):
    """ "Algorithm LE will always terminate with exactly one leader", and with the right one, whom everybody knows."""
    m = network.n_agents
    values = data.draw(st.lists(st.integers(0, 3), min_size=m, max_size=m))
    elections = elected(network, values)
    right = values.index(min(values))
    assert [agent for agent, election in enumerate(elections) if election.elected] == [right]
    assert {election.best for election in elections} == {Candidate(values[right], right)}


class PrintedElection(Election):
    """Erratum E2, LE word for word: f_w and f_v are the values that the agents "set arbitrarily" in the beginning."""

    def __init__(self, place, value):
        super().__init__(place, value)
        self.place = place
        self.value = value

    def start(self):
        return dict.fromkeys(self._neighbours, Candidate(self.value, self.place.agent))

    def step(self, inbox):
        before = self.best
        smallest = min(inbox.values(), default=self._itself)
        if smallest.value < self.value:  # "IF ∃ w ∈ N_v such that f_w < f_v: S_v = (w, f_w)"
            self.best = smallest
        elif smallest.value == self.value:  # "ELSIF f_w = f_v: S_v = (min{w, v}, f_v)"
            self.best = Candidate(self.value, min(smallest.agent, self.place.agent))
        return self.start() if self.best != before else None


def leaders(network, values, rule):
    return [agent for agent, election in enumerate(elected(network, values, rule)) if election.elected]


def test_the_printed_rule_elects_two():
    """Erratum E2: a small value travels a single hop, so that whoever is the smallest among its neighbours is unbeaten."""
    path = quack.networks.path(4)
    assert leaders(path, [1, 5, 5, 2], PrintedElection) == [0, 3]
    assert leaders(path, [1, 5, 5, 2], Election) == [0]


def sums(network):
    return [quack.networks.total_distance(network, v) for v in range(network.n_agents)]


@pytest.mark.parametrize("name", ["cycle:16", "grid:4x4", "grid:8x8", "star:16", "complete:8"])
def test_where_the_printed_rule_is_right(name):
    """On the paper's own graphs nobody would notice."""
    network = quack.networks.read(name)
    assert leaders(network, sums(network), PrintedElection) == [quack.networks.median(network)]


def test_the_printed_rule_fails_on_small_worlds():
    """m = 16, degree 4, rewiring 0.2, f the sum of distances: unbeaten are exactly the local minima, often several."""
    failures = 0
    for seed in range(200):
        network = quack.networks.read(nx.watts_strogatz_graph(16, 4, 0.2, seed=seed))
        f = sums(network)
        unbeaten = leaders(network, f, PrintedElection)
        assert unbeaten == [v for v in range(16) if all((f[v], v) < (f[w], w) for w in network.neighbours_of(v).tolist())]
        failures += len(unbeaten) != 1
        assert leaders(network, f, Election) == [f.index(min(f))]
    assert failures == 102


@given(connected_graphs(), st.sampled_from(list(WAYS)))
def test_every_way_finds_the_median_and_its_tree(network, way):
    """ "Elect the leader with minimal sum of shortest paths": arg min_v Σ_w d_vw, of several the lowest, known to everybody."""
    graph = network.to_networkx()
    totals = [sum(nx.single_source_shortest_path_length(graph, v).values()) for v in range(network.n_agents)]
    right = totals.index(min(totals))
    assert quack.networks.median(network) == right
    tree = quack.networks.shortest_path_tree(network, right)
    for agent, standing in enumerate(run(network, WAYS[way]).results):
        parent = None if agent == right else tree.parent[agent]
        assert standing == (right, totals[agent], tree.distance[agent], parent)


@given(connected_graphs())
def test_rounds_and_messages_of_best_leader(network):
    """m runs of DBF, of m − 1 rounds and one in which children report, and of m rounds up the tree; an election of m rounds."""
    m, links = network.n_agents, 2 * network.n_edges
    printed, shorter = run(network, best_leader_as_printed), run(network, best_leader)
    assert printed.traffic()[:2] == (m * (m - 1 + 1 + m) + m, m * ((m - 1) * links + (m - 1) + m * (m - 1)) + m * links)
    assert shorter.traffic()[:2] == (m * (m - 1) + m, m * (m - 1) * links + m * links)


def test_the_price_on_the_grid_of_the_paper():
    """14 x 14: half of the rounds are the redundant convergecast; link-state flooding takes D = 26."""
    traffic = {way: run(quack.networks.grid(14, 14), life).traffic() for way, life in WAYS.items()}
    rounds_and_messages = {way: tuple(each[:2]) for way, each in traffic.items()}
    assert rounds_and_messages == {
        "Best Leader as printed": (77_028, 35_496_188),
        "without its convergecast": (38_416, 27_966_848),
        "all its searches at once": (53, 32_760),
        "link-state flooding": (26, 12_376),
    }


@given(connected_graphs())
def test_the_quick_ways_end_by_themselves(network):
    """Distance vectors know all after 2D rounds, link-state flooding after D, and every agent knows that it does; one more round
    may pass on what is no news.
    """
    diameter = nx.diameter(network.to_networkx())
    for program, needed in ((DistanceVectors, 2 * diameter), (LinkState, diameter)):

        def life(place, rounds, program=program):
            work = program(place)
            yield work, rounds
            return work.finished

        assert all(run(network, lambda place: life(place, needed)).results)  # noqa: B023 (called at once)
        assert not needed or not all(run(network, lambda place: life(place, needed - 1)).results)  # noqa: B023 (called at once)
        assert needed <= run(network, lambda place: life(place, None)).traffic().rounds <= needed + 1


@given(connected_graphs(), st.data())
def test_an_announcement_passes_every_link_once_or_twice(network, data):
    """From both ends at once, if it reaches them in the same round; else once."""
    speaker = data.draw(st.integers(0, network.n_agents - 1))
    hops = nx.single_source_shortest_path_length(network.to_networkx(), speaker)

    def life(place):
        program = LinkState(place)
        heard = []
        original = program.step

        def step(inbox):
            heard.extend(announcement for message in inbox.values() for announcement in message)
            return original(inbox)

        program.step = step
        yield program, None
        return sum(announcement.agent == speaker for announcement in heard)

    passed = sum(run(network, life).results)
    assert passed == sum(2 if hops[v] == hops[w] else 1 for v, w in network.edges().tolist())


@given(connected_graphs(), st.data())
def test_after_a_link_is_lost_each_part_has_its_median(network, data):
    if network.n_edges == 0:
        return
    lost = tuple(data.draw(st.sampled_from(network.edges().tolist())))
    graph = network.to_networkx()
    graph.remove_edge(*lost)
    totals = {v: sum(nx.single_source_shortest_path_length(graph, v).values()) for v in graph}
    standings = run(network, lambda place: link_state_after_a_loss(place, lost)).results
    for part in nx.connected_components(graph):
        right = min(part, key=lambda v: (totals[v], v))
        for v in part:
            assert standings[v][:3] == (right, totals[v], nx.shortest_path_length(graph, v, right))
