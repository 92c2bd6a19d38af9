"""Groups that pass messages play what agents play who really pass letters, hop by hop (tests/couriers.py)."""

import math
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quack
from couriers import (
    Alone,
    RobustUCB,
    World,
    best_leaders,
    close_ones,
    everybody_duels,
    everybody_learns,
    leaders_learn,
    news_travels,
)
from quack import SpecError
from quack.tape import policy_generator
from witness import connected_graphs

BERNOULLI = quack.Bernoulli([0.4, 0.6, 0.5])
HEAVY = quack.Stable([0.5, 0.0, 1.0], alpha=1.7)
STABLE = quack.Stable([0.5, 0.0], alpha=1.9)
ROBUST = quack.TruncatedMeanUCB(epsilon=0.5, moment=3.0, radius=0.2)  # that of couriers.RobustUCB
FEW = settings(max_examples=25)


@st.composite
def worlds(draw, environment=BERNOULLI, most_agents=7):
    graph = draw(connected_graphs(most_agents)).to_networkx()
    return World(graph, environment, draw(st.integers(1, 25)), draw(st.integers(0, 2**64 - 1)))


def short(value):
    return str(value)[:30] if hasattr(value, "place") else type(value).__name__


def counted(played, n_actions):
    """Plays of each action up to each round."""
    return np.array([[(row == a).sum() for a in range(n_actions)] for row in played]).cumsum(axis=0)


def plays(group, world, engine="interpreted"):
    how = {"checkpoints": world.horizon, "engine": engine, "progress": False, "workers": 1}
    return quack.compare({"it": group}, world.environment, world.graph, world.horizon, 1, world.seed, **how)["it"].plays[0]


def same(group, world, played):
    expected = counted(played, world.n_actions)
    assert plays(group, world).tolist() == expected.tolist()


@FEW
@given(worlds(), st.integers(0, 4), st.sampled_from([quack.UCB(sigma=0.5), quack.ThompsonSampling(), quack.KLUCB()]))
def test_mp_ucb_with_letters(world, gamma, policy):
    heard = close_ones(world.graph, gamma)
    rng = policy_generator(world.seed, 0)
    same(quack.MPUCB(policy, gamma), world, everybody_learns(world, gamma, lambda: Alone(policy, world, heard), rng))


@FEW
@given(worlds(HEAVY), st.integers(0, 4))
def test_mp_ucb_with_letters_and_the_formula_of_robust_ucb(world, gamma):
    same(quack.MPUCB(ROBUST, gamma), world, everybody_learns(world, gamma, lambda: RobustUCB(world)))


@FEW
@given(worlds(HEAVY), st.integers(0, 4), st.sampled_from(["degree", "distance"]), st.sampled_from(["uniform", "policy"]))
def test_cmp_ucb_with_letters_and_the_formula_of_robust_ucb(world, gamma, follow, before):
    played = leaders_learn(world, gamma, lambda: RobustUCB(world), follow=follow, before=before)
    same(quack.CMPUCB(ROBUST, gamma, follow=follow, before=before), world, played)


@FEW
@given(worlds(), st.integers(0, 4), st.sampled_from(["degree", "distance"]), st.sampled_from(["uniform", "policy"]))
def test_cmp_ucb_of_any_policy_with_letters(world, gamma, follow, before):
    policy = quack.UCB1()  # of its own clock, and without a horizon
    played = leaders_learn(world, gamma, lambda: Alone(policy, world, 1), follow=follow, before=before)
    same(quack.CMPUCB(policy, gamma, follow=follow, before=before), world, played)


@FEW
@given(worlds(quack.Duelling("cyclic"), most_agents=6), st.integers(0, 4), st.booleans())
def test_mp_rucb_with_letters(world, gamma, unordered):
    world = world._replace(environment=quack.Duelling("cyclic", unordered=unordered))
    same(quack.MPRUCB(0.6, gamma, unordered), world, everybody_duels(world, gamma, quack.RUCB(0.6, unordered)))


@pytest.mark.parametrize("seed", [0, 1])
def test_mp_rucb_with_letters_until_arms_are_out(seed):
    world = World(nx.convert_node_labels_to_integers(nx.grid_2d_graph(2, 3)), quack.Duelling("cyclic"), 250, seed)
    same(quack.MPRUCB(0.51, 2), world, everybody_duels(world, 2, quack.RUCB(0.51)))


class Duellist:
    """The leader of FYL: its own duels, and who has beaten whom, counted anew each time."""

    def __init__(self, world, leader, policy):
        self.world, self.leader, self.policy = world, leader, policy
        self.rng = policy_generator(world.seed, 0)
        self.state = policy.init(world.n_actions, world.horizon)
        self.wins = np.zeros((4, 4))
        self.candidate = 0

    def __call__(self, t):
        action = self.policy.select(self.state, self.rng)
        reward = self.world.reward(self.leader, action, t)
        self.policy.update(self.state, action, reward, self.rng)
        i, j = divmod(action, 4)
        self.wins[(i, j) if reward == 1 else (j, i)] += i != j
        beaten = (self.wins > self.wins.T).sum(axis=1)
        if beaten.max() > beaten[self.candidate]:
            self.candidate = int(beaten.argmax())
        return action, self.candidate


@FEW
@given(worlds(quack.Duelling("cyclic")), st.sampled_from([quack.RUCB(), quack.CCB()]))
def test_follow_your_leader_with_news(world, policy):
    leader = quack.networks.median(quack.networks.read(world.graph))
    played = news_travels(world, leader, Duellist(world, leader, policy), lambda arm: 5 * arm)
    same(quack.FollowYourLeader(policy), world, played)


class Explorer:
    """The leader of DPE2; upper means by bisection."""

    def __init__(self, world, leader):
        self.world, self.leader = world, leader
        self.rewards = [[] for _ in range(world.n_actions)]
        self.best, self.block = 0, list(range(world.n_actions))

    def __call__(self, t):
        action = self.block.pop(0)
        self.rewards[action].append(self.world.reward(self.leader, action, t))
        if not self.block:
            means = [sum(rewards) / len(rewards) for rewards in self.rewards]
            self.best = means.index(max(means))
            upper = [self.upper(mean, len(rewards), t + 1) for mean, rewards in zip(means, self.rewards, strict=True)]
            maybe = [a for a in range(len(means)) if upper[a] > max(means)]
            self.block = [self.best, *sorted(maybe, key=lambda a: (-upper[a], a))]
        return action, self.best

    @staticmethod
    def upper(mean, plays, t):
        budget = (math.log(t) + 4 * math.log(math.log(t))) / plays

        def divergence(q):
            terms = [p * math.log(p / r) for p, r in ((mean, q), (1 - mean, 1 - q)) if p > 0]
            return sum(terms)

        if budget <= 0 or mean == 1:
            return mean
        low, high = mean, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if middle < 1 and divergence(middle) <= budget else (low, middle)
        return low


@FEW
@given(worlds())
def test_dpe2_with_news(world):
    world = world._replace(horizon=4 * world.horizon)
    leader = quack.networks.median(quack.networks.read(world.graph))
    played = news_travels(world, leader, Explorer(world, leader), lambda action: action)
    same(quack.DPE2(), world, played)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_dpe2_with_news_until_it_explores_rarely(seed):
    world = World(nx.path_graph(2), quack.Bernoulli([0.5, 0.6, 0.65, 0.3, 0.7]), 2500, seed)
    same(quack.DPE2(), world, news_travels(world, 0, Explorer(world, 0), lambda action: action))


DEEP = quack.networks.read(nx.path_graph(9))


def test_dpe2_followers_lag_by_their_distance():
    # The leader at the end of a path; what agent d plays in round t is what the leader believed after round t − d, at first 0.
    world = World(DEEP.to_networkx(), quack.Bernoulli([0.0, 0.5, 1.0]), 40, 3)
    leader = Explorer(world, 0)
    believed = {0: 0}
    rows = []
    for t in range(1, 41):
        action, believed[t] = leader(t)
        rows.append([action, *(believed[max(t - d, 0)] for d in range(1, 9))])
    same(quack.DPE2(leader=0), world, np.array(rows))
    assert [row[-1] for row in rows].index(2) - [row[1] for row in rows].index(2) == 7


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_one_leader_hears_everybody_from_the_diameter_on(engine):
    # A single robust-UCB leader in a few lines of its own: delays, no messages.
    world = World(nx.convert_node_labels_to_integers(nx.grid_2d_graph(3, 4)), HEAVY, 60, 11)
    for gamma in (5, 6, 50):  # 5 is the diameter
        (leader,), _, hops = best_leaders(world.graph, gamma)
        policy, actions, rewards = RobustUCB(world), {}, {}
        for t in range(1, 61):
            for w in sorted(world.graph, key=lambda w: (hops[leader][w], w)):
                sent = t - max(hops[leader][w], 1)
                if sent >= 1:
                    policy.learn(actions[sent, w], rewards[sent, w])
            for w in world.graph:
                d = hops[leader][w]
                if d == 0:
                    actions[t, w] = policy.choose(t, None)
                else:
                    actions[t, w] = actions[t - d, leader] if t > d else world.anything(w, t)
            rewards |= {(t, w): world.reward(w, actions[t, w], t) for w in world.graph}
        expected = counted(np.array([[actions[t, w] for w in world.graph] for t in range(1, 61)]), 3)
        assert plays(quack.CMPUCB(ROBUST, gamma), world, engine).tolist() == expected.tolist()
        assert plays(quack.CMPUCB(ROBUST, leaders=1), world, engine).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("group", "floor", "environment"),
    [
        (quack.MPUCB(quack.UCB(sigma=0.5), gamma=0), quack.UCB(sigma=0.5), BERNOULLI),
        (quack.MPUCB(ROBUST, gamma=0), ROBUST, HEAVY),
        (quack.CMPUCB(ROBUST, gamma=0), ROBUST, HEAVY),
        (quack.MPUCB(quack.MedianOfMeansUCB(0.5), gamma=0), quack.MedianOfMeansUCB(0.5), HEAVY),
    ],
    ids=short,
)
def test_whoever_hears_nobody_plays_alone(group, floor, environment):
    how = {"environment": environment, "network": "cycle:6", "horizon": 60, "runs": 2, "seed": 2, "progress": False}
    result = quack.compare({"silent": group, "alone": quack.Independent(floor)}, engine="interpreted", **how)
    assert np.array_equal(result["silent"].plays, result["alone"].plays)


@pytest.mark.parametrize(
    ("group", "policy", "environment"),
    [
        (quack.MPUCB(quack.ThompsonSampling(), gamma=3), quack.ThompsonSampling(), BERNOULLI),
        (quack.MPUCB(ROBUST), ROBUST, HEAVY),
        (quack.CMPUCB(ROBUST), ROBUST, HEAVY),
        (quack.CMPUCB(quack.Giro(), gamma=2, before="policy"), quack.Giro(), BERNOULLI),
        (quack.MPRUCB(gamma=2), quack.RUCB(), quack.Duelling("cyclic")),
        (quack.FollowYourLeader(quack.CCB()), quack.CCB(), quack.Duelling("cyclic")),
    ],
    ids=short,
)
def test_one_agent_is_its_policy(group, policy, environment):
    how = {"environment": environment, "network": "path:1", "horizon": 150, "runs": 2, "seed": 2, "progress": False}
    result = quack.compare({"group": group, "alone": quack.Independent(policy)}, engine="interpreted", **how)
    assert np.array_equal(result["group"].plays, result["alone"].plays)


def test_heavy_tails_conform():
    for group in (quack.MPUCB(ROBUST, gamma=2), quack.CMPUCB(ROBUST, leaders=1), quack.CMPUCB(ROBUST, gamma=1, before="policy")):
        quack.check_group(group, HEAVY)


class Greedy:
    """A plain Python object: its states are kept apart too."""

    def __init__(self, n_actions, horizon, rng):
        self.total = [0.0] * n_actions
        self.plays = [0] * n_actions

    def select(self):
        means = [total / plays if plays else math.inf for total, plays in zip(self.total, self.plays, strict=True)]
        return means.index(max(means))

    def update(self, action, reward):
        self.total[action] += reward
        self.plays[action] += 1


def test_objects_pass_messages_too():
    world = World(nx.cycle_graph(6), BERNOULLI, 30, 5)
    policy = quack.from_object(Greedy)
    played = everybody_learns(world, 2, lambda: Alone(policy, world, 5), policy_generator(5, 0))
    same(quack.MPUCB(policy, 2), world, played)


@pytest.mark.parametrize("group", [quack.MPUCB, quack.CMPUCB])
def test_parameters_of_robust_ucb_make_it(group):
    assert group(gamma=2, epsilon=0.5, moment=3.0, radius=0.2) == group(ROBUST, gamma=2)
    assert group().policy == quack.TruncatedMeanUCB()
    assert pickle.loads(pickle.dumps(group(ROBUST, 2))) == group(ROBUST, 2) == eval(repr(group(ROBUST, 2)), vars(quack))
    with pytest.raises(SpecError, match="moment and radius are given beside a policy"):
        group(ROBUST, moment=1.0, radius=1.0)


class Numbered(quack.UCB):
    """A policy whose state has an array without dimensions."""

    __slots__ = ()

    def init(self, n_actions, horizon):
        return (np.zeros(()),)


@pytest.mark.parametrize(
    ("group", "environment", "sentence"),
    [
        (quack.MPUCB(gamma=-1), STABLE, "MPUCB: gamma must be at least 0, not -1"),
        (quack.MPUCB(gamma=1.5), STABLE, "MPUCB: gamma must be a whole number"),
        (quack.CMPUCB(gamma=-1), STABLE, "CMPUCB: gamma must be at least 0, not -1"),
        (quack.CMPUCB(gamma=2, leaders=2), STABLE, "gamma is 2 and leaders is 2; one of the two is accepted"),
        (quack.CMPUCB(leaders=6), STABLE, "on cycle:8 there can be 1, 2, 4, 8"),
        (quack.CMPUCB(leaders=0), STABLE, "leaders must be at least 1, not 0"),
        (quack.CMPUCB(follow="degre"), STABLE, "Did you mean 'degree'"),
        (quack.CMPUCB(before="nothing"), STABLE, "'uniform' and 'policy' are accepted"),
        (quack.CMPUCB(quack.TruncatedMeanUCB(epsilon=0.95)), STABLE, "needs moments of order 1.95"),
        (quack.CMPUCB(quack.UCB), STABLE, "give an instance"),
        (quack.MPUCB(Numbered()), STABLE, "an array without dimensions"),
        (quack.MPUCB(ROBUST._replace(radius=-1.0)), STABLE, "radius is -1.0"),
        (quack.MPRUCB(), BERNOULLI, "plays duels, but an action"),
        (quack.MPRUCB(alpha=0.1), quack.Duelling("cyclic"), "alpha is 0.1"),
        (quack.MPRUCB(gamma=-2), quack.Duelling("cyclic"), "MPRUCB: gamma must be at least 0"),
        (quack.MPRUCB(unordered=True), quack.Duelling("cyclic"), "count pairs differently"),
        (quack.FollowYourLeader(), BERNOULLI, "plays duels, but an action"),
        (quack.FollowYourLeader(quack.UCB()), quack.Duelling("cyclic"), "takes a policy that plays duels"),
        (quack.FollowYourLeader(leader=99), quack.Duelling("cyclic"), "leader must be 'median' or an agent 0 … 7"),
        (quack.DPE2(), STABLE, "takes rewards from 0 to 1"),
        (quack.DPE2(leader="hub"), BERNOULLI, "leader must be 'median'"),
    ],
    ids=short,
)
def test_the_impossible_is_refused(group, environment, sentence):
    with pytest.raises(SpecError, match=sentence):
        quack.compare({"it": group}, environment, "cycle:8", 20, 1, 0, progress=False)
