"""What makes learning wrong in silence, and the rules that prevent it.

All thresholds are Hoeffding's: a sum of n independent numbers in [0, 1] is farther than √(n log(2/δ)/2) from its mean with
probability at most δ. (It holds as well for numbers each of which has its mean given the earlier ones, by Azuma.)
"""

import math
from collections import defaultdict

import pytest

import quack
from quack.agent import Rules, Settings, Task
from quack.simulation.campaign import mixed
from quack.simulation.faults import Faults
from quack.simulation.world import Scenario, World

DELTA = 1e-9
EARLY = 5


def hoeffding(n):
    return math.sqrt(n * math.log(2 / DELTA) / 2)


def consumed(facts):
    """Return the rewards that the last leader's policy read, in order, by action."""
    last = max(tuple(fact["epoch"]) for fact in facts if fact["kind"] == "claimed")
    read = defaultdict(list)
    for fact in facts:
        if fact["kind"] == "consumed" and tuple(fact["epoch"]) == last:
            read[fact["reward"][4]].append(fact["reward"][5])
    return read


def test_the_first_rewards_that_the_policy_reads_are_unbiased_under_every_fault():
    """Lemma 1: the policy cannot tell the queues from a world of its own, whatever was lost, late, doubled, crashed or parted."""
    error, n = 0.0, 0
    for seed in range(1000, 1150):
        facts = World(mixed(seed), seed).run()
        for action, values in consumed(facts).items():
            for value in values[:EARLY]:
                error += value - facts[0]["means"][action]
                n += 1
    assert n > 1500
    assert abs(error) <= hoeffding(n)


def clicks(means, policy, rules, seed, window=20):
    """Return what happens where a click is reported at once, and no click never."""
    scenario = Scenario(
        neighbours=((1,), (0, 2), (1,)),
        environment=quack.Bernoulli(means),
        task=Task(policy, len(means), 10_000, low=0.0, high=1.0),
        settings=Settings(window=window),
        faults=Faults(),
        report=0.5,
        clicks=True,
        arrivals=2.0,
        duration=120.0,
    )
    return World(scenario, seed, rules).run()


class AsTheyCome(Rules):
    """No window: a reward is released when it is reported, and the default when the window closes."""

    def releases(self, reported, now, closes):
        return reported or now >= closes


class NothingIsNothing(Rules):
    """No default: a choice that nobody reported has no reward."""

    def closing_value(self, reported, _default):
        return reported


def early_clicks(rules):
    """Return the first forty rewards that the policy reads in each of some worlds with a click rate of 0.1."""
    return [value for seed in range(8) for value in consumed(clicks([0.1], quack.Uniform(), rules, seed))[0][:40]]


def test_with_the_window_fast_clicks_are_not_read_before_their_time():
    values = early_clicks(Rules())
    assert len(values) == 320
    assert abs(sum(values) - 0.1 * len(values)) <= hoeffding(len(values))


def test_without_it_they_are():
    values = early_clicks(AsTheyCome())
    assert len(values) == 320
    assert sum(values) - 0.1 * len(values) > hoeffding(len(values))


@pytest.mark.parametrize(("rules", "learns"), [(Rules(), True), (NothingIsNothing(), False)], ids=["default", "without"])
def test_an_action_that_never_reports_stops_learning_unless_there_is_a_default(rules, learns):
    """Action 0 never clicks. Without a default the policy waits for its first reward for ever, and everybody plays it."""
    facts = clicks([0.0, 0.9], quack.UCB(sigma=0.5), rules, 0, window=5)
    actions = [fact["ticket"][4] for fact in facts if fact["kind"] == "chosen" and fact["at"] > 60.0]
    assert len(actions) > 200
    assert (sum(actions) > 0.8 * len(actions)) is learns
    assert (sum(actions) == 0) is not learns


class StopAtFirstZero:
    """Play action 0 until it pays 0, then action 1 for ever: what stops an action depends on its rewards."""

    def __init__(self, n_actions, horizon, rng):
        self.action = 0

    def select(self):
        return self.action

    def update(self, action, reward):
        if reward == 0.0:
            self.action = 1


def first_read(order):
    """Return the mean of the first reward of action 0 that a second leader reads, over worlds of fair coins.

    A first leader has stopped the action at its first 0. Its rewards come to the second in the given order.
    """
    policy = quack.from_object(StopAtFirstZero)
    total, worlds = 0.0, 2000
    for world in range(worlds):
        coins = quack.tape.open_tape(7, world)
        state, rewards = policy.init(2, 100), []
        while policy.select(state, None) == 0:
            uniform = quack.tape.uniform(quack.tape.Cell(coins, quack.tape.ACTION, 0, len(rewards)))
            rewards.append(float(uniform < 0.5))
            policy.update(state, 0, rewards[-1], None)
        total += order(rewards)[0]
    return total, worlds


def test_rewards_are_merged_in_their_order_because_who_stopped_looked_at_them():
    total, n = first_read(list)
    assert abs(total - 0.5 * n) <= hoeffding(n)


def test_in_another_order_they_would_be_biased():
    total, n = first_read(lambda rewards: rewards[::-1])
    assert 0.5 * n - total > hoeffding(n)
    assert total == 0.0
