"""Agents round by round, without faults: the synchronous network of the paper's Section 3.1, every message one hop a round."""

from collections import Counter
from collections.abc import Callable, Sequence

from quack.agent import Agent, Asked, Received, Rewarded, Settings, Synced, Task, Ticked
from quack.agent.effects import Chose, Effect, Send
from quack.agent.messages import Message, Routed
from quack.errors import SpecError

__all__ = ["Rounds"]

RewardOf = Callable[[int, int, int], float]
"""(agent, round, action) → reward."""


class Rounds:
    """Agents in lockstep. First they find each other and their leader, then they play; the paper's round 1 is the first of play.

    Parameters
    ----------
    neighbours
        The neighbours of each agent.
    task
        What they learn.

    Attributes
    ----------
    election_rounds : int
        How many rounds it took until all agents knew their leader.
    messages : Counter
        How many messages were sent from neighbour to neighbour, by kind.

    Examples
    --------
    >>> import quack
    >>> from quack.agent import Task
    >>> rounds = Rounds([(1,), (0, 2), (1,)], Task(quack.UCB(sigma=0.5), n_actions=2, horizon=300))
    >>> rounds.leader
    1
    >>> [rounds.play(lambda agent, t, action: float(action)) for _ in range(4)]  # from round 2 on, followers follow
    [(1, 0, 1), (0, 1, 0), (1, 1, 1), (1, 1, 1)]
    """

    def __init__(self, neighbours: Sequence[Sequence[int]], task: Task) -> None:
        settings = Settings.rounds(len(neighbours))
        self.agents = [Agent(me, 0, tuple(map(int, near)), task, settings) for me, near in enumerate(neighbours)]
        self.messages: Counter[str] = Counter()
        self.rounds = 0
        self._arriving: list[list[tuple[int, Message]]] = [[] for _ in neighbours]
        self._leaving: list[list[tuple[int, Message]]] = [[] for _ in neighbours]
        self._synced = [0] * len(neighbours)
        self.election_rounds = 0
        self.leader = self._elect()

    def play(self, reward: RewardOf) -> tuple[int, ...]:
        """Play a round; return everybody's action."""
        self.rounds += 1
        self._deliver()
        actions = []
        for agent in self.agents:
            tickets = [effect.ticket for effect in self._step(agent, Asked()) if isinstance(effect, Chose)]
            actions.append(tickets[0].action)
            self._step(agent, Rewarded(tickets[0], float(reward(agent.me, self.rounds, tickets[0].action))))
        return tuple(actions)

    def _elect(self) -> int:
        most = 20 * len(self.agents) + 100
        while True:
            self.election_rounds += 1
            self._deliver()
            for agent in self.agents:
                self._step(agent, Ticked())
            leaders = {agent.state().leader for agent in self.agents}
            if len(leaders) == 1 and None not in leaders:
                return max(leader[1] for leader in leaders if leader is not None)
            if self.election_rounds > most:
                raise SpecError(f"after {most} rounds the agents have no common leader: is the network connected?")

    def _deliver(self) -> None:
        """Hand over what was sent in the last round, to each agent in the order of senders."""
        self._arriving, self._leaving = self._leaving, [[] for _ in self.agents]
        for agent, inbox in zip(self.agents, self._arriving, strict=True):
            for sender, message in inbox:
                self._step(agent, Received(sender, message))

    def _step(self, agent: Agent, event: Ticked | Received | Asked | Rewarded) -> list[Effect]:
        effects = agent.step(event)
        if agent.written > self._synced[agent.me]:  # a perfect disk
            self._synced[agent.me] = agent.written
            effects += agent.step(Synced(agent.written))
        for effect in effects:
            if isinstance(effect, Send):
                message = effect.message
                self.messages[type(message.payload if isinstance(message, Routed) else message).__name__] += 1
                self._leaving[effect.to].append((agent.me, message))
        return effects
