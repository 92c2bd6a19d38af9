"""Policies of other libraries, really run inside QuACK."""

import copy
import pickle

import numpy as np
import pytest
from mabwiser import mab
from river import bandit, proba

import quack
from quack import adapters

BANDIT = quack.Bernoulli([0.2, 0.9, 0.3])


def cooperate(policy, horizon=60, runs=2, **how):
    return quack.compare({"it": quack.QuACK(policy)}, BANDIT, "star:5", horizon, runs, 0, progress=False, **how)["it"]


def learns(policy):
    """Regret is well below that of uniform play, 0.433 a play."""
    result = cooperate(policy)
    assert result.mode == "interpreted"
    assert result.final.max() < 0.6 * 5 * 60 * 0.433
    again = cooperate(policy)
    assert np.array_equal(result.plays, again.plays)
    assert not np.array_equal(result.plays[0], result.plays[1])


def test_river():
    learns(adapters.river(bandit.UCB(delta=1.0, seed=1)))
    learns(adapters.river(bandit.EpsilonGreedy(epsilon=0.1, burn_in=2)))
    learns(adapters.river(bandit.ThompsonSampling(proba.Beta())))


def test_mabwiser():
    learns(adapters.mabwiser(mab.LearningPolicy.UCB1(alpha=0.5)))
    learns(adapters.mabwiser(mab.LearningPolicy.EpsilonGreedy(epsilon=0.1)))
    learns(adapters.mabwiser(mab.LearningPolicy.ThompsonSampling()))


class FollowTheMean:
    """A policy in the style of SMPyBandits."""

    def __init__(self, nbArms, optimism=0.0):  # noqa: N803 (that library's name)
        self.nbArms, self.optimism = nbArms, optimism

    def startGame(self):  # noqa: N802 (that library's name)
        self.pulls, self.rewards = np.zeros(self.nbArms), np.zeros(self.nbArms)

    def choice(self):
        with np.errstate(divide="ignore", invalid="ignore"):
            index = self.rewards / self.pulls + self.optimism / np.sqrt(self.pulls)
        return np.where(self.pulls > 0, index, np.inf).argmax()

    def getReward(self, arm, reward):  # noqa: N802 (that library's name)
        self.pulls[arm] += 1
        self.rewards[arm] += reward


def test_smpybandits():
    learns(adapters.smpybandits(FollowTheMean, optimism=1.0))


class Table:
    """A model in the style of scikit-learn."""

    def __init__(self, seed=0):
        self.seen = {}

    def predict(self, contexts):
        if len(self.seen) < 3:
            raise RuntimeError("not fitted")
        best = max(self.seen, key=lambda action: np.mean(self.seen[action]) + 1 / np.sqrt(len(self.seen[action])))
        return np.full(len(contexts), best)

    def partial_fit(self, contexts, actions, rewards):
        for action, reward in zip(actions, rewards, strict=True):
            self.seen.setdefault(int(action), []).append(reward)


def test_scikit():
    learns(adapters.scikit(Table))
    learns(adapters.scikit(lambda n_actions, horizon, rng: Table(int(rng.integers(9)))))


def test_the_table_says_interpreted():
    result = quack.compare(
        {"guest": quack.QuACK(adapters.scikit(Table)), "ours": quack.QuACK(quack.UCB())},
        BANDIT,
        "path:2",
        5,
        1,
        0,
        progress=False,
    )
    text = str(result)
    assert "interpreted" in text
    assert "compiled" in text


def test_guests_travel_to_other_processes():
    for policy in (adapters.scikit(Table), adapters.smpybandits(FollowTheMean, optimism=2.0)):
        assert repr(pickle.loads(pickle.dumps(policy))) == repr(policy)
    assert repr(adapters.smpybandits(FollowTheMean)) == "from_object(smpybandits FollowTheMean)"


class Uncloneable:
    def pull(self, arms):
        return arms[0]

    def update(self, arm, reward):
        pass


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: adapters.river(Uncloneable()), "no policy of River"),
        (lambda: adapters.river(Uncloneable), "no policy of River"),
        (lambda: adapters.mabwiser(Table), "Table is a class, not a learning policy of MABWiser"),
        (lambda: adapters.smpybandits(FollowTheMean(3)), "is no class"),
        (lambda: adapters.scikit(copy.copy(3)), "is a model, not a way to make one"),
    ],
)
def test_what_is_no_guest(make, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        make()
