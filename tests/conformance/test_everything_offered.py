"""Whatever the package offers keeps its promises; it is found, not listed."""

import inspect

import pytest

import quack
from quack.experiments.expressions import names

OFFERED = names()
GAUSSIAN = quack.Gaussian([0.5, 0.1, 0.7], sigma=0.5)


ARGUMENTS = {"Borda": [quack.UCB(sigma=0.5)]}  # of those that are made of another policy


def policies():
    return [policy(*ARGUMENTS.get(name, [])) for name, policy in OFFERED["policy"].items() if name != "from_object"]


def test_something_is_offered():
    assert {"UCB", "UCB1", "ThompsonSampling", "GaussianThompsonSampling", "Uniform"} <= set(OFFERED["policy"])
    assert {"Bernoulli", "Gaussian"} <= set(OFFERED["environment"])
    assert {"QuACK", "Independent", "Pooled"} <= set(OFFERED["group"])


@pytest.mark.parametrize("policy", policies(), ids=repr)
def test_policy(policy):
    quack.check_policy(policy)


@pytest.mark.parametrize(
    "environment", [quack.Bernoulli([0.0, 0.45, 1.0]), GAUSSIAN, quack.Gaussian([0.2, 0.3], sigma=0.0)], ids=repr
)
def test_environment(environment):
    quack.check_environment(environment)


def groups():
    """Every group; those that are made of a policy with one that draws no random numbers and with one that does."""
    made_of = {False: [[quack.UCB(sigma=0.5)], [quack.ThompsonSampling()]], True: [[quack.RUCB()], [quack.RUCB(unordered=True)]]}
    offered = []
    for group in OFFERED["group"].values():
        parameters = inspect.signature(group).parameters
        duels = "policy" in parameters and getattr(parameters["policy"].default, "duels", False)
        offered += [group(*arguments) for arguments in (made_of[duels] if "policy" in parameters else [[]])]
    return offered


@pytest.mark.parametrize("group", groups(), ids=repr)
def test_group(group):
    quack.check_group(group)


class Greedy:
    def __init__(self, n_actions, horizon, rng):
        self.total = [0.0] * n_actions

    def select(self):
        return self.total.index(max(self.total))

    def update(self, action, reward):
        self.total[action] += reward - 0.5


def test_objects_conform_too():
    passed = quack.check_policy(quack.from_object(Greedy))
    assert not any("compiled" in promise for promise in passed)
    quack.check_group(quack.QuACK(quack.from_object(Greedy)))
