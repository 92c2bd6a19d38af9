"""What the engine promises to those who bring their own records."""

from typing import NamedTuple

import numpy as np
import pytest

import quack
from quack.simulation.engine import interpreted_only

BANDIT = quack.Bernoulli([0.5, 0.4, 0.3])


def play(policy, **how):
    return quack.compare({"it": quack.QuACK(policy)}, BANDIT, "path:3", 20, 1, 0, progress=False, **how)["it"]


class State(NamedTuple):
    select: np.ndarray  # a field with the name of a method


class FieldNamedLikeAMethod(NamedTuple):
    run: int = 2

    def init(self, n_actions, horizon):
        return State(np.zeros(n_actions))

    def select(self, state, rng):
        return self.run if state.select[self.run] < 5 else 0

    def update(self, state, action, reward, rng):
        state.select[action] += 1


def test_a_field_may_have_the_name_of_any_method():
    assert np.array_equal(play(FieldNamedLikeAMethod()).plays, play(FieldNamedLikeAMethod(), engine="interpreted").plays)


class Nested(NamedTuple):
    """A policy made of another, with a method of its own and a two-dimensional table."""

    inner: quack.UCB = quack.UCB(sigma=0.5)

    def init(self, n_actions, horizon):
        return (self.inner.init(n_actions, horizon), np.zeros((n_actions, 2)))

    def select(self, state, rng):
        return self.liked(state, self.inner.select(state[0], rng))

    def liked(self, state, action):
        return int(np.argmax(state[1][:, 0])) if state[1][action, 0] > 1e9 else action

    def update(self, state, action, reward, rng):
        self.inner.update(state[0], action, reward, rng)
        state[1][action, 1] += 1


@pytest.mark.parametrize("group", [quack.QuACK, quack.Independent])
def test_records_nest(group):
    results = [
        quack.compare({"it": group(policy)}, BANDIT, "path:3", 30, 2, 0, progress=False)["it"].plays
        for policy in (Nested(), quack.UCB(sigma=0.5))
    ]
    assert np.array_equal(*results)


def unmarked(x):
    return x + 1


class CallsUnmarked(NamedTuple):
    def init(self, n_actions, horizon):
        return State(np.zeros(n_actions))

    def select(self, state, rng):
        return unmarked(0)

    def update(self, state, action, reward, rng):
        pass


def test_what_does_not_compile_is_said_in_a_sentence_and_never_interpreted_silently():
    with pytest.raises(quack.SpecError, match=r"does not compile .*not marked @quack.kernel: unmarked\..*engine='interpreted'"):
        play(CallsUnmarked())
    assert play(CallsUnmarked(), engine="interpreted").mode == "interpreted"


class OutOfRange(NamedTuple):
    wrong: int
    after: int = 4

    def init(self, n_actions, horizon):
        return State(np.zeros(1))

    def select(self, state, rng):
        return self.wrong if state.select[0] >= self.after else 0

    def update(self, state, action, reward, rng):
        state.select[0] += 1


@pytest.mark.parametrize("engine", ["compiled", "interpreted"])
@pytest.mark.parametrize("group", [quack.QuACK, quack.Pooled, quack.Independent])
@pytest.mark.parametrize("wrong", [3, -1, 10**12])
def test_an_action_out_of_range_is_an_error_that_names_it(engine, group, wrong):
    with pytest.raises(quack.SpecError, match=rf"chose action {wrong} in round \d+; actions are 0 … 2"):
        quack.compare({"it": group(OutOfRange(wrong))}, BANDIT, "path:3", 20, 1, 0, progress=False, engine=engine)


def test_a_wrong_first_choice_is_refused_before_any_work():
    with pytest.raises(
        quack.SpecError, match=r"select\(\) of OutOfRange\(wrong=7, after=0\) returned 7; an integer action from 0 to 2"
    ):
        play(OutOfRange(7, after=0))


def test_interpreted_only_looks_inside():
    assert interpreted_only(quack.QuACK(quack.from_object(object)))
    assert not interpreted_only(quack.QuACK(quack.UCB()))
