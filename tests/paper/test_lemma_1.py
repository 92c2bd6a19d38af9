"""Lemma 1: the bandit algorithm operates in a simulated single-player environment."""

import math

import numpy as np
import pytest
from hypothesis import given

import quack
from quack.tape import policy_generator
from witness import OFFERED, POLICIES, RANDOM_GRAPH, observe, situations


@given(situations())
def test_replay_a_fresh_policy_fed_the_consumed_sequence_chooses_the_same_actions(situation):
    """The rewards the leader feeds to the policy have "the same distribution as in the single-player environment"."""
    replay(**situation)


@pytest.mark.parametrize(("policy", "environment"), OFFERED)
def test_replay_with_any_policy_on_a_random_graph(policy, environment):
    network = quack.networks.read(RANDOM_GRAPH)
    assert replay(network, policy, environment, 60) > 12 * 60 / 2


def replay(network, policy, environment, horizon, seed=0, leader="median"):
    """Compare, step by step, and return how many steps there were."""
    testimony = observe(network, policy, environment, horizon, seed=seed, leader=leader)
    state, rng = policy.init(len(environment.gaps), network.n_agents * horizon), policy_generator(seed, 0)
    for action, reward in testimony.diary:
        assert policy.select(state, rng) == action
        policy.update(state, action, reward, rng)
    return len(testimony.diary)


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_consumed_rewards_of_an_action_are_its_tape_in_order(policy):
    """Rewards of an action reach the policy in the order of the tape, whichever agent they come from: none lost, none twice."""
    environment = quack.Bernoulli([0.3, 0.6, 0.5])
    entries = observe("erdos-renyi:12,0.3,seed=2", policy, environment, 60).diary
    alone = observe("path:1", policy, environment, 12 * 60).diary
    for action in range(3):
        in_network = [reward for a, reward in entries if a == action]
        by_itself = [reward for a, reward in alone if a == action]
        common = min(len(in_network), len(by_itself))
        assert common > 0
        assert in_network[:common] == by_itself[:common]


def test_consumed_rewards_have_the_law_of_their_action():
    """Threshold: Hoeffding's inequality at 1e-9 for each action."""
    means = [0.3, 0.6, 0.5]
    diary = [step for run in range(20) for step in observe("star:6", quack.Uniform(), quack.Bernoulli(means), 100, run=run).diary]
    for action, mean in enumerate(means):
        rewards = np.array([reward for a, reward in diary if a == action])
        assert len(rewards) > 2000
        assert abs(rewards.mean() - mean) <= math.sqrt(math.log(2e9) / (2 * len(rewards)))
