"""from_object = record: a plain Python class that does what a policy does plays the same, to the last bit."""

import math

import numpy as np
import pytest

import quack


class PlainUCB:
    def __init__(self, n_actions, horizon, rng):
        self.plays = [0] * n_actions
        self.total = [0.0] * n_actions
        self.width = 2 * 0.5**2 * math.log(1 / horizon**-2.0)

    def optimism(self, action):
        plays = self.plays[action]
        return self.total[action] / plays + math.sqrt(self.width / plays) if plays else math.inf

    def select(self):
        return max(range(len(self.plays)), key=self.optimism)

    def update(self, action, reward):
        self.plays[action] += 1
        self.total[action] += reward


class PlainThompson:
    """Gaussian Thompson sampling: the one for Bernoulli rewards draws in a way of its own."""

    def __init__(self, n_actions, horizon, rng):
        self.rng = rng
        self.precision = [1.0] * n_actions
        self.weighted = [0.0] * n_actions

    def draw(self, action):
        precision = self.precision[action]
        return self.weighted[action] / precision + self.rng.standard_normal() / math.sqrt(precision)

    def select(self):
        return int(np.argmax([self.draw(action) for action in range(len(self.precision))]))

    def update(self, action, reward):
        self.precision[action] += 1.0
        self.weighted[action] += reward


@pytest.mark.parametrize(
    ("plain", "record"),
    [(PlainUCB, quack.UCB(sigma=0.5)), (PlainThompson, quack.GaussianThompsonSampling())],
    ids=["UCB", "Thompson"],
)
@pytest.mark.parametrize("group", [quack.QuACK, quack.Pooled, quack.Independent])
def test_object_equals_record(plain, record, group):
    result = quack.compare(
        {"object": group(quack.from_object(plain)), "record": group(record)},
        quack.Bernoulli([0.5, 0.2, 0.7]),
        "erdos-renyi:9,0.3,seed=1",
        50,
        3,
        seed=8,
        progress=False,
    )
    assert [result[label].mode for label in result] == ["interpreted", "compiled"]
    assert np.array_equal(result["object"].plays, result["record"].plays)


def test_asking_for_compiled_objects_is_an_error():
    with pytest.raises(quack.SpecError, match="cannot be compiled"):
        quack.compare(
            {"mine": quack.QuACK(quack.from_object(PlainUCB))}, quack.Bernoulli([0.5]), "path:2", 3, 1, engine="compiled"
        )
