"""What an algorithm says in a round: messages and numbers that each agent sends.

A message goes over one edge in one direction. A number is an action, a reward, a name, a time or an entry of a vector. All counts
are those of a round late enough that everything that is under way has been sent; in the first rounds there is less.
"""

from typing import Any, NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.groups import (
    CMPUCB,
    DDUCB,
    DPE2,
    MPRUCB,
    MPUCB,
    CoopUCB,
    CoopUCB2,
    DecTS,
    FollowYourLeader,
    GaussianDecTS,
    Independent,
    Pooled,
    QuACK,
)
from quack.groups.cmp_ucb import life_of
from quack.kernels import Integers
from quack.networks import Network, leader, shortest_path_tree
from quack.networks.graphs import whole_number
from quack.networks.powers import power

__all__ = [
    "Traffic",
    "announcements",
    "broadcasts",
    "gossip",
    "none",
    "quack_by_flooding",
    "quack_on_tree",
    "traffic_of",
    "with_life",
]


class Traffic(NamedTuple):
    """What each agent sends.

    Attributes
    ----------
    messages
        Messages per agent.
    numbers
        Numbers in all of them, per agent.
    per
        "round", or "change" if something is sent only when somebody changed his mind.
    """

    messages: Integers
    numbers: Integers
    per: str = "round"

    @property
    def total(self) -> tuple[int, int]:
        """Messages and numbers of the whole network."""
        return int(self.messages.sum()), int(self.numbers.sum())


def none(network: Network) -> Traffic:
    """Return the traffic of agents that never speak."""
    silence = np.zeros(network.n_agents, np.int64)
    return Traffic(silence, silence)


def quack_on_tree(network: Network, chosen: object = "median") -> Traffic:
    """Return the traffic of QuACK on its shortest-path tree.

    ::

        up      1 message: a pair (action, reward) of every agent of the own subtree        down    to each child 1 action

    Together Σ_w d_vw pairs and m − 1 orders: each pair is sent once for every hop of its way.

    Notes
    -----
    Deviation: the pairs of an agent are as many as its subtree has agents, up to m − 1, because each of them sends one in every
    round; the paper says at most the diameter.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Section 3.1.

    Examples
    --------
    >>> from quack.networks import path
    >>> quack_on_tree(path(4), 0)
    Traffic(messages=array([1, 2, 2, 1]), numbers=array([1, 7, 5, 2]), per='round')
    """
    tree = shortest_path_tree(network, leader(network, chosen))
    follower = np.ones(network.n_agents, np.int64)
    follower[tree.root] = 0
    children = np.bincount(tree.parent, follower, minlength=network.n_agents).astype(np.int64)
    return Traffic(children + follower, children + 2 * follower * tree.subtree_sizes())


def quack_by_flooding(network: Network) -> Traffic:
    """Return the traffic of QuACK without a tree: whoever hears something new tells it to all neighbours once.

    What each agent played and saw must then carry its name and the time, so an item has four numbers; the leader's is the order.
    In every round m new items are on their way, and every agent passes each of them on to each neighbour.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Section 3.1, "any other message-passing protocol".

    Examples
    --------
    >>> from quack.networks import path
    >>> quack_by_flooding(path(4)).numbers
    array([16, 32, 32, 16])
    """
    return Traffic(network.degrees.copy(), 4 * network.n_agents * network.degrees)


def gossip(network: Network, n_actions: int) -> Traffic:
    """Return the traffic of coop-UCB, coop-UCB2, DDUCB and Dec-TS: two numbers per action to each neighbour.

    Examples
    --------
    >>> from quack.networks import path
    >>> gossip(path(4), 10).numbers
    array([20, 40, 40, 20])
    """
    k = whole_number("n_actions", n_actions, 1)
    return Traffic(network.degrees.copy(), 2 * k * network.degrees)


def with_life(network: Network, gamma: int, item: int = 5) -> Traffic:
    """Return the traffic of MP-UCB, CMP-UCB and MP-RUCB: what one plays and sees reaches everybody within γ hops.

    An item is (origin, time, life, action, reward), and in MP-RUCB a recommended arm more: 6 numbers. In every round an agent
    tells each neighbour its own item and those from up to γ − 1 hops away, the first time that it hears them.

    References
    ----------
    A. Dubey, A. Pentland (2020). "Cooperative multi-agent bandits with heavy tails." ICML.

    Examples
    --------
    >>> from quack.networks import path
    >>> with_life(path(4), 1).numbers, with_life(path(4), 2).numbers
    (array([ 5, 10, 10,  5]), array([10, 30, 30, 10]))
    """
    gamma = whole_number("gamma", gamma, 1)
    heard = 1 + (power(network, gamma - 1).degrees if gamma > 1 else np.zeros(network.n_agents, np.int64))
    return Traffic(network.degrees.copy(), item * heard * network.degrees)


def broadcasts(network: Network) -> Traffic:
    """Return the traffic of DPE2 when its leader changes its mind: everybody tells all neighbours once, (counter, action).

    In all other rounds nothing is sent.

    References
    ----------
    P.-A. Wang, A. Proutiere, K. Ariu, Y. Jedra, A. Russo (2020). "Optimal algorithms for multiplayer multi-armed bandits."
    AISTATS.

    Examples
    --------
    >>> from quack.networks import path
    >>> broadcasts(path(4))
    Traffic(messages=array([1, 2, 2, 1]), numbers=array([2, 4, 4, 2]), per='change')
    """
    return Traffic(network.degrees.copy(), 2 * network.degrees, "change")


def announcements(network: Network, chosen: object = "median") -> Traffic:
    """Return the traffic of Follow Your Leader when its leader has another candidate: down the tree, one arm to each child.

    In all other rounds nothing is sent.

    References
    ----------
    O. Raveh, J. Honda, M. Sugiyama (2024). "Multi-player approaches for dueling bandits." arXiv:2405.16168.

    Examples
    --------
    >>> from quack.networks import path
    >>> announcements(path(4), 0)
    Traffic(messages=array([1, 1, 1, 0]), numbers=array([1, 1, 1, 0]), per='change')
    """
    tree = shortest_path_tree(network, leader(network, chosen))
    follower = np.ones(network.n_agents)
    follower[tree.root] = 0
    children = np.bincount(tree.parent, follower, minlength=network.n_agents).astype(np.int64)
    return Traffic(children, children.copy(), "change")


def traffic_of(group: Any, network: Network, n_actions: int) -> Traffic:
    """Return the traffic of a group of this package: QuACK on its tree.

    Examples
    --------
    >>> import quack
    >>> traffic_of(quack.DDUCB(), quack.networks.star(5), n_actions=10).total
    (8, 160)
    """
    if isinstance(group, QuACK):
        return quack_on_tree(network, group.leader)
    if getattr(group, "as_published", False):
        raise SpecError(f"what {group!r} sends in a round no network could carry: published code gossips many steps at once")
    if isinstance(group, CoopUCB | CoopUCB2 | DDUCB | DecTS | GaussianDecTS):
        return gossip(network, n_actions)
    if isinstance(group, Independent | Pooled):
        return none(network)
    if isinstance(group, MPUCB | MPRUCB | CMPUCB):
        gamma = life_of(group, network) if isinstance(group, CMPUCB) else group.gamma
        return with_life(network, gamma, 6 if isinstance(group, MPRUCB) else 5) if gamma > 0 else none(network)
    if isinstance(group, FollowYourLeader):
        return announcements(network, group.leader)
    if isinstance(group, DPE2):
        return broadcasts(network)
    raise SpecError(f"it is not known here what {group!r} sends")
