"""Whatever the package offers keeps its promises; it is found, not listed."""

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


@pytest.mark.parametrize("group", OFFERED["group"].values(), ids=list(OFFERED["group"]))
@pytest.mark.parametrize("policy", [quack.UCB(sigma=0.5), quack.ThompsonSampling()], ids=repr)
def test_group(group, policy):
    quack.check_group(group(policy))


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
