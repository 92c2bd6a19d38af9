"""The mutable face, and plain objects as policies."""

import pickle

import numpy as np
import pytest

import quack


class Plain:
    def __init__(self, n_actions, horizon, rng):
        self.answer = 0

    def select(self):
        return self.answer

    def update(self, action, reward):
        self.answer = action


def test_a_bandit_is_its_policy():
    bandit = quack.Bandit(quack.ThompsonSampling(), 3, 50, seed=4)
    policy, rng = quack.ThompsonSampling(), np.random.default_rng(4)
    state = policy.init(3, 50)
    for _ in range(50):
        action = bandit.select()
        assert action == policy.select(state, rng)
        assert isinstance(action, int)
        bandit.update(action, float(action == 2))
        policy.update(state, action, float(action == 2), rng)


@pytest.mark.parametrize("action", [-1, 3])
def test_an_unknown_action_is_refused(action):
    with pytest.raises(quack.SpecError, match=f"action is {action}; actions are 0 … 2"):
        quack.Bandit(quack.UCB(), 3, 10).update(action, 0.5)


@pytest.mark.parametrize("reward", [1.5, -0.1, float("nan"), float("inf")])
def test_a_reward_that_the_policy_cannot_use_is_refused_and_changes_nothing(reward):
    bandit = quack.Bandit(quack.ThompsonSampling(), 3, 10)
    with pytest.raises(quack.SpecError, match=f"the reward of action 1 is {reward}; .* takes a reward from 0 to 1"):
        bandit.update(1, reward)
    assert bandit.state.alpha.tolist() == [1, 1, 1]
    with pytest.raises(quack.SpecError, match="that is finite"):
        quack.Bandit(quack.UCB(), 3, 10).update(0, float("nan"))


def test_impossible_bandits():
    with pytest.raises(quack.SpecError, match="n_actions is 0; at least 1"):
        quack.Bandit(quack.UCB(), 0, 10)
    with pytest.raises(quack.SpecError, match="horizon is 0; at least 1"):
        quack.Bandit(quack.UCB(), 2, 0)
    with pytest.raises(quack.SpecError, match="UCB is a class, not a policy: give an instance"):
        quack.Bandit(quack.UCB, 2, 10)
    with pytest.raises(quack.SpecError, match=r"from_object\(factory\)"):
        quack.Bandit(Plain(2, 10, None), 2, 10)


def test_objects_get_sizes_and_generator():
    seen = []
    quack.Bandit(quack.from_object(lambda *given: seen.append(given) or Plain(*given)), 4, 30, seed=1).select()
    n_actions, horizon, rng = seen[0]
    assert (n_actions, horizon) == (4, 30)
    assert isinstance(rng, np.random.Generator)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [("1", "select\\(\\) returned '1'"), (None, "returned None"), (1.0, "returned 1.0"), (9, "chose action 9")],
)
def test_an_objects_answer_must_be_an_action(answer, sentence):
    class Wrong(Plain):
        def select(self):
            return answer

    with pytest.raises(quack.SpecError, match=sentence):
        quack.Bandit(quack.from_object(Wrong), 3, 10).select()


def test_numpy_integers_are_integers():
    class Right(Plain):
        def select(self):
            return np.int32(2)

    assert quack.Bandit(quack.from_object(Right), 3, 10).select() == 2


def test_an_object_shared_between_runs_is_found_out():
    shared = Plain(3, 10, None)
    policy = quack.from_object(lambda *_: shared)
    with pytest.raises(quack.SpecError, match="same object twice: runs and agents would share what they learn"):
        quack.compare({"it": quack.QuACK(policy)}, quack.Bernoulli([0.5] * 3), "path:2", 5, 2, 0, progress=False)


def test_an_object_instead_of_a_factory_is_refused():
    with pytest.raises(quack.SpecError, match="takes a factory that makes a new object for each run, not an object"):
        quack.from_object(Plain(3, 10, None))
    with pytest.raises(quack.SpecError, match="has no update"):
        quack.Bandit(quack.from_object(lambda *_: type("Half", (), {"select": lambda self: 0})()), 3, 10).select()


def test_a_wrapped_class_pickles():
    policy = quack.from_object(dict)
    assert repr(pickle.loads(pickle.dumps(policy))) == "from_object(dict)"
