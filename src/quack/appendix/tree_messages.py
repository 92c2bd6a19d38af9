"""QuACK along the shortest-path tree: orders go down, sets of rewards go up (section 3.1)."""

from typing import NamedTuple

from quack.appendix.bellman_ford import Adoption, BellmanFord
from quack.appendix.players import Player
from quack.appendix.programs import Inbox, Outbox

__all__ = ["Pair", "TreeMessages"]


class Pair(NamedTuple):
    """A play and what it paid: all that a reward says about itself."""

    action: int
    reward: float


class TreeMessages:
    """What an agent sends to its children and to its parent.

    ::

        round t, to each z ∈ C_w:   A^w_t, if it is an order; else the mark "no order yet"
                 to P_w:            M^w_t = (A^w_t, X^w_t) and M^z_{t−1} of all z ∈ C_w

    So the order of round t is played at distance d in round t + d, and the reward reaches the leader d rounds after it was seen.
    M^w holds one pair from each agent of the subtree of w, once the farthest of them has been heard.

    Parameters
    ----------
    player
        What the agent plays.
    search, adoption
        Its parent and its children.
    n_actions
        How many actions there are. The mark "no order yet" is this number, which is no action.

    Notes
    -----
    Deviation: M^w_t is a list and not a set, because two agents that saw the same reward of the same action would be one element.

    Deviation: while a follower plays at random it sends a mark instead of its action, because its children would take that for an
    order.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", section 3.1.

    Examples
    --------
    >>> from quack.appendix.players import Senses
    >>> from quack.appendix.programs import Place
    >>> place = Place(agent=1, neighbours=(0, 2), n_agents=3)
    >>> search = BellmanFord(place, source=0)
    >>> _ = search.step({0: 0, 2: 3})
    >>> adoption = Adoption(place, search.parent)
    >>> adoption.step({2: 2})
    >>> player = Player(Senses(guess=lambda t: 4, reward=lambda action, t: 0.5))
    >>> program = TreeMessages(player, search, adoption, n_actions=5)
    >>> program.start()                                     # agent 1 has no order and says so to agent 2
    {2: 5, 0: (Pair(action=4, reward=0.5),)}
    >>> program.step({0: 3, 2: (Pair(0, 1.0),)})
    {2: 3, 0: (Pair(action=3, reward=0.5), Pair(action=0, reward=1.0))}
    """

    def __init__(self, player: Player, search: BellmanFord, adoption: Adoption, n_actions: int) -> None:
        self._player = player
        self._parent = search.parent
        self._children = adoption.children
        self._no_order = n_actions
        self._carried: tuple[Pair, ...] = ()

    def start(self) -> Outbox:
        """Play the first round."""
        return self._play()

    def step(self, inbox: Inbox) -> Outbox | None:
        """Take what has come, and play the next round."""
        self._carried = tuple(pair for child in self._children for pair in inbox[child])
        for pair in self._carried:
            self._player.hear(pair.action, pair.reward)
        if self._parent is not None and inbox[self._parent] != self._no_order:
            self._player.order = inbox[self._parent]
        return self._play()

    def _play(self) -> Outbox:
        pair = Pair(*self._player.play())
        outbox: Outbox = dict.fromkeys(self._children, pair.action if self._player.instructed else self._no_order)
        if self._parent is not None:
            outbox[self._parent] = (pair, *self._carried)
        return outbox
