"""Agents that play: what they do with what they hear."""

import numpy as np
import pytest

import quack
from quack.appendix.flooding import Flooding, Letter, Order, Report
from quack.appendix.learning import MESSAGES, open_game, play
from quack.appendix.players import FirstInFirstOut, Leading, Player, Senses
from quack.appendix.programs import Place
from quack.tape import policy_generator

PLACE = Place(agent=1, neighbours=(0, 2), n_agents=3)
SENSES = Senses(guess=lambda t: 4, reward=lambda action, t: 0.5)


def follower(repeats=1):
    player = Player(SENSES)
    program = Flooding(PLACE, player, leader=0, repeats=repeats)
    program.start()
    return player, program


def leader():
    player = Player(SENSES, Leading(quack.UCB(), 5, 100, np.random.default_rng(0)))
    program = Flooding(Place(agent=0, neighbours=(1, 2), n_agents=3), player, leader=0)
    program.start()
    return player, program


def test_the_newest_order_wins():
    player, program = follower()
    program.step({0: Letter((Order(1, 3),), ()), 2: Letter((Order(2, 1),), ())})
    assert player.order == 1
    program.step({2: Letter((Order(0, 2),), ())})
    assert player.order == 1
    assert player.actions == [4, 1, 1]


def test_what_was_heard_before_is_not_passed_on():
    _, program = follower()
    news = Letter((Order(1, 3),), (Report(2, 1, 0, 1.0),))
    first = program.step({2: news})[0]
    second = program.step({2: news})[0]
    assert first == Letter((Order(1, 3),), (Report(2, 1, 0, 1.0), Report(1, 2, 3, 0.5)))
    assert second == Letter((), (Report(1, 3, 3, 0.5),))


def test_news_is_repeated_as_often_as_asked():
    _, program = follower(repeats=3)
    letters = [program.step({0: Letter((Order(1, 3),), ())} if t == 0 else {})[2] for t in range(4)]
    assert [letter.orders for letter in letters] == [(Order(1, 3),)] * 3 + [()]
    assert [len(letter.reports) for letter in letters] == [2, 3, 3, 3]  # its own of the last three rounds


def test_the_leader_queues_a_report_once():
    player, program = leader()
    copy = Report(2, 1, 3, 0.25)
    program.step({1: Letter((), (copy,)), 2: Letter((), (copy,))})
    program.step({2: Letter((), (copy, Report(2, 2, 3, 0.75)))})
    assert player.leading.queues.arrived[3] == [0.25, 0.75]


def test_reports_of_a_round_are_queued_by_origin_whoever_brings_them():
    player, program = leader()
    program.step({2: Letter((), (Report(2, 1, 3, 0.25),)), 1: Letter((), (Report(1, 1, 3, 0.75),))})
    assert player.leading.queues.arrived[3] == [0.75, 0.25]


def test_the_memory_of_a_flood_does_not_grow():
    program = follower(repeats=2)[1]
    sizes = []
    for t in range(1, 60):
        program.step({0: Letter((Order(t, 0),), ()), 2: Letter((), (Report(2, t, 0, 0.5),))})
        sizes.append(sum(map(len, program._heard.values())))
    assert max(sizes) <= 3 * (3 + 2 + 1)
    assert sizes[-1] == sizes[20]


def test_queues_are_first_in_first_out():
    queues = FirstInFirstOut(2)
    for reward in (0.5, 0.25):
        queues.append(1, reward)
    assert [queues.holds(action) for action in (-1, 0, 1, 2)] == [False, False, True, False]
    assert (queues.pop(1), queues.pop(1), queues.holds(1)) == (0.5, 0.25, False)
    assert queues.arrived == ([], [0.5, 0.25])


@pytest.mark.parametrize("messages", MESSAGES)
def test_one_agent_is_the_policy_alone(messages):
    network, bandit = quack.networks.path(1), quack.Bernoulli([0.2, 0.7, 0.5])
    played = play(network, open_game(network, quack.ThompsonSampling(), bandit, 50, seed=3), messages)
    policy = quack.Bandit(quack.ThompsonSampling(), n_actions=3, horizon=50, seed=policy_generator(3, 0))
    rewards = [iter(those) for those in played.arrived]
    for action in played.actions[:, 0]:
        assert policy.select() == action
        policy.update(int(action), next(rewards[action]))
    assert played.traffic.messages == 0


def test_rewards_are_those_of_the_environment():
    network = quack.networks.star(4)
    game = open_game(network, quack.Uniform(), quack.UniformRewards([1.5, 4.5], [2.5, 5.5]), 40)
    low, high = (np.array(rewards) for rewards in play(network, game).arrived)
    assert ((low >= 1.5) & (low <= 2.5)).all()
    assert ((high >= 4.5) & (high <= 5.5)).all()
    assert len(low) + len(high) == 40 + 3 * 39


class Stubborn:
    def __init__(self, n_actions, horizon, rng):
        pass

    def select(self):
        return 7

    def update(self, action, reward):
        pass


def test_what_cannot_be_played_is_refused():
    network, bandit = quack.networks.cycle(4), quack.Bernoulli([0.5, 0.4])
    game = open_game(network, quack.from_object(Stubborn), bandit, 5)
    with pytest.raises(quack.SpecError, match=r"chose action 7; actions are 0 … 1"):
        play(network, game)
    with pytest.raises(quack.SpecError, match=r"there are no messages 'floding'.*Did you mean 'flooding'\?"):
        play(network, game, "floding")
    with pytest.raises(quack.SpecError, match="horizon must be at least 1, not 0"):
        open_game(network, quack.UCB(), bandit, 0)
    with pytest.raises(quack.SpecError, match="leader must be"):
        open_game(network, quack.UCB(), bandit, 5, leader=9)
    with pytest.raises(quack.SpecError, match="UCB is a class"):
        open_game(network, quack.UCB, bandit, 5)
