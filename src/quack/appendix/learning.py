"""QuACK played by programs of single agents that pass messages, in the two ways of section 3.1."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from quack.appendix.bellman_ford import Adoption, BellmanFord
from quack.appendix.flooding import Flooding
from quack.appendix.players import Leading, Player, Senses
from quack.appendix.programs import Life, Place
from quack.appendix.rounds import Traffic, run, untold
from quack.appendix.tree_messages import TreeMessages
from quack.environments.base import Environment, limits_of, pay
from quack.errors import SpecError, nearest
from quack.kernels import Floats, Integers
from quack.networks import Network
from quack.networks import leader as leader_of
from quack.networks.graphs import whole_number
from quack.policies.base import Policy, require_record
from quack.tape import AGENT, WARM_UP, Cell, integer, open_tape, policy_generator

__all__ = ["MESSAGES", "Game", "Played", "open_game", "play"]


class Game(NamedTuple):
    """What is played. Whoever plays it again sees the same."""

    leader: int
    policy: Policy
    n_actions: int
    horizon: int
    seed: int  # of the policy's own randomness
    run: int
    senses: Callable[[int], Senses]  # of an agent


class Played(NamedTuple):
    """What happened."""

    actions: Integers  # (rounds, agents): what everybody played
    arrived: tuple[Floats, ...]  # the rewards of each action in the order in which they reached the leader's queue
    preparation: Traffic  # before the first round: what agents must know of the network
    traffic: Traffic  # n − 1 rounds of messages; what is said after the last round changes nothing
    steady: Traffic  # the last of them


def open_game(
    network: Network,
    policy: Policy,
    environment: Environment,
    horizon: int,
    *,
    seed: int = 0,
    run: int = 0,
    leader: Any = "median",
) -> Game:
    """Return a game on the tape of a run. What an agent sees in a round is the reward that lies there for it.

    Parameters
    ----------
    network
        Who talks to whom.
    policy
        What the leader plays for all.
    environment
        What actions pay.
    horizon
        The number of rounds, ≥ 1.
    seed, run
        The tape, as in `compare`.
    leader
        The agent that leads: a number, a label or "median".
    """
    require_record(policy)
    horizon = whole_number("horizon", horizon, 1)
    n_actions = len(environment.gaps)
    tape, limits = open_tape(seed, run), limits_of(environment)

    def senses(agent: int) -> Senses:
        def guess(t: int) -> int:
            return integer(Cell(tape, WARM_UP, agent, t), n_actions)

        def reward(action: int, t: int) -> float:
            return pay(environment, limits, action, Cell(tape, AGENT, agent, t))

        return Senses(guess, reward)

    return Game(leader_of(network, leader), policy, n_actions, horizon, seed, run, senses)


def play(network: Network, game: Game, messages: str = "tree", tell: Callable[[int], object] = untold) -> Played:
    """Let the agents of a network play QuACK, and count what they say.

    Parameters
    ----------
    network
        Who talks to whom.
    game
        What they play.
    messages
        "tree": along the shortest-path tree, which they find first. "flooding": everybody passes on what is news. "flooding as
        printed": everybody passes on what it has heard in the last m rounds.
    tell
        Called after each round of messages, those of the preparation included, with their number so far.

    Examples
    --------
    >>> import quack
    >>> from quack.networks import path
    >>> network = path(4)
    >>> game = open_game(network, quack.Uniform(), quack.Bernoulli([0.9, 0.1, 0.5]), horizon=6, leader=0)
    >>> played = play(network, game)
    >>> played.actions                                      # an order moves on by an agent a round
    array([[2, 0, 2, 1],
           [2, 2, 1, 2],
           [0, 2, 2, 2],
           [0, 0, 2, 2],
           [0, 0, 0, 2],
           [1, 0, 0, 0]])
    >>> played.traffic
    Traffic(rounds=5, messages=30, n_bytes=264, largest=28)
    """
    if messages not in MESSAGES:
        raise SpecError(
            f"there are no messages {messages!r}; {', '.join(map(repr, MESSAGES))} are accepted.{nearest(messages, MESSAGES)}"
        )

    def life(place: Place) -> Life[Player]:
        leading = None
        if place.agent == game.leader:
            rng = policy_generator(game.seed, game.run)
            leading = Leading(game.policy, game.n_actions, place.n_agents * game.horizon, rng)
        player = Player(game.senses(place.agent), leading)
        yield from MESSAGES[messages](place, player, game)
        return player

    outcome = run(network, life, tell=tell)
    (leading,) = (player.leading for player in outcome.results if player.leading is not None)
    preparation = Traffic()
    for phase in outcome.phases[:-1]:
        preparation = preparation.then(phase.traffic)
    return Played(
        np.array([player.actions for player in outcome.results]).T,
        tuple(np.array(rewards) for rewards in leading.queues.arrived),
        preparation,
        outcome.phases[-1].traffic,
        outcome.phases[-1].last,
    )


def _by_tree(place: Place, player: Player, game: Game) -> Life[None]:
    search = BellmanFord(place, game.leader)
    yield search, place.n_agents - 1
    adoption = Adoption(place, search.parent)
    yield adoption, 1
    yield TreeMessages(player, search, adoption, game.n_actions), game.horizon - 1


def _by_flooding(place: Place, player: Player, game: Game) -> Life[None]:
    yield Flooding(place, player, game.leader), game.horizon - 1


def _by_flooding_as_printed(place: Place, player: Player, game: Game) -> Life[None]:
    yield Flooding(place, player, game.leader, repeats=place.n_agents), game.horizon - 1


MESSAGES: dict[str, Callable[[Place, Player, Game], Life[None]]] = {
    "tree": _by_tree,
    "flooding": _by_flooding,
    "flooding as printed": _by_flooding_as_printed,
}
