"""Robust UCB with the truncated mean: for rewards without a variance."""

import math
from typing import NamedTuple

import numpy as np

from quack.kernels import Floats, Integers, any_argmax, argmax, kernel
from quack.policies.base import check_sizes, positive
from quack.policies.heavy_tails import add_exactly, check_exponent

__all__ = ["Leaving", "TruncatedMeanState", "TruncatedMeanUCB"]


class Leaving(NamedTuple):
    """The rewards that are in a mean now and will leave it before the horizon: a binary heap, the first to leave on top."""

    exit_level: Floats  # ℓ; that of a place is at most those of the two places below it, 2i + 1 and 2i + 2
    reward: Floats
    action: Integers
    size: Integers  # how many places are in use


class TruncatedMeanState(NamedTuple):
    """What the truncated mean remembers. Rewards that stay to the end are only in the sums."""

    plays: Floats  # N_a
    total: Floats  # sum of the rewards of a that are kept …
    correction: Floats  # … and what rounding took from it
    mean: Floats  # μ̂_a
    width: Floats  # 4 r u^(1/p) N_a^(−ε/p), +inf before the first play
    optimism: Floats  # U_a
    rounds: Floats  # one number: s, the rounds played
    leaving: Leaving
    spread: float  # 4 r u^(1/p)
    horizon: int
    last_level: float  # L after the horizon: a reward with a larger exit level never leaves


class TruncatedMeanUCB(NamedTuple):
    """Play the action with the largest optimistic truncated mean: outliers are left out, ever fewer as rewards come in.

    ::

        μ̂_a = 1/N_a Σ_j X_j 1{|X_j| ≤ (u j / L)^(1/p)},    L = 2 log t,    p = 1 + ε
        U_a = μ̂_a + r · 4 u^(1/p) (L / N_a)^(ε/p),    U_a = +∞ while N_a = 0,    play argmax_a U_a

    X_j is the j-th reward of a, N_a their number, t the round, on the policy's own clock.

    Parameters
    ----------
    epsilon : float, default 0.85
        ε in (0, 1]: rewards have moments of order 1 + ε. The default fits the paper's experiment, α-stable rewards with α = 1.9.
    moment : float, default 5.67
        u ≥ E|X|^(1+ε), not centred, for every action, > 0: what ``environment.moment(1 + epsilon)`` of `Stable`, `Pareto` and
        `StudentT` returns. The default is that of the paper's experiment (means up to 0.7).
    radius : float, default 1.0
        r > 0. The constant 4 of the theory explores almost uniformly for the first hundred thousand rounds; experiments take
        less.
    random_ties : bool, default False
        Whether equal estimates are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee, r = 1: regret after H rounds ≤ Σ_a [2^(p/ε) · 8 (4u/Δ_a)^(1/ε) log H + 5 Δ_a].

    The mean is exact at the cost of a running one. As j is fixed and L grows, X_j is kept up to its exit level ℓ_j = u j /
    |X_j|^p and never after: it leaves at most once. A heap holds those that leave before the horizon, a few dozen, and each
    round takes out what leaves. (The heap has room for every reward; memory that is never written is never given by the
    operating system.)

    After the horizon that `init` was told, L grows no more.

    Deviation: the guarantee carries a factor 2^(p/ε) that the printed theorem lacks, because that is what its proof gives: an
    action is played until twice its radius falls below Δ_a.

    References
    ----------
    S. Bubeck, N. Cesa-Bianchi, G. Lugosi (2013). "Bandits with heavy tail." IEEE Transactions on Information Theory 59(11),
    Lemma 1 and Theorem 1.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.TruncatedMeanUCB(epsilon=1.0, moment=4.0, radius=0.1), n_actions=2, horizon=100)
    >>> for reward in (1.0, 0.0, 50.0):
    ...     bandit.update(bandit.select(), reward)
    >>> bandit.state.mean.tolist()          # 50 is left out: 50² > u j / L = 8 / (2 log 4)
    [0.5, 0.0]
    """

    epsilon: float = 0.85
    moment: float = 5.67
    radius: float = 1.0
    random_ties: bool = False

    @property
    def needs_moment(self) -> float:
        """Rewards must have moments of order p = 1 + ε."""
        return 1.0 + self.epsilon

    def init(self, n_actions: int, horizon: int) -> TruncatedMeanState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        check_exponent("TruncatedMeanUCB", self.epsilon)
        positive("TruncatedMeanUCB", "moment", self.moment)
        positive("TruncatedMeanUCB", "radius", self.radius)
        return TruncatedMeanState(
            plays=np.zeros(n_actions),
            total=np.zeros(n_actions),
            correction=np.zeros(n_actions),
            mean=np.zeros(n_actions),
            width=np.full(n_actions, np.inf),
            optimism=np.full(n_actions, np.inf),
            rounds=np.zeros(1),
            leaving=Leaving(np.zeros(horizon), np.zeros(horizon), np.zeros(horizon, np.int64), np.zeros(1, np.int64)),
            spread=4.0 * self.radius * self.moment ** (1.0 / (1.0 + self.epsilon)),
            horizon=horizon,
            last_level=2.0 * math.log(horizon + 1.0),
        )

    def select(self, state: TruncatedMeanState, rng: np.random.Generator) -> int:
        """Return the action with the largest optimistic estimate; one that was never played comes first."""
        return any_argmax(state.optimism, rng) if self.random_ties else argmax(state.optimism)

    def update(self, state: TruncatedMeanState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Take the reward in, unless it is an outlier, and out of the means what has become one."""
        rounds = min(state.rounds[0] + 1.0, float(state.horizon))
        level = 2.0 * math.log(rounds + 1.0)
        state.rounds[0] = rounds
        self.take_in(state, action, reward, level)
        self.estimate(state, level)

    def observe(self, state: TruncatedMeanState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Take in a reward of whomever; the round stays."""
        self.take_in(state, action, reward, 2.0 * math.log(min(state.rounds[0] + 1.0, float(state.horizon)) + 1.0))

    def tick(self, state: TruncatedMeanState, t: int) -> None:
        """Begin round t: L = 2 log t."""
        state.rounds[0] = min(t - 1.0, float(state.horizon))
        if t > 1:  # in the first round L = 0, nothing was played, and U = +∞ as it stands
            self.estimate(state, 2.0 * math.log(state.rounds[0] + 1.0))

    def take_in(self, state: TruncatedMeanState, action: int, reward: float, level: float) -> None:
        """Count a play, and add its reward to what is kept, unless it is out already at the level L."""
        order = 1.0 + self.epsilon
        plays = float(state.plays[action]) + 1.0
        state.plays[action] = plays
        state.width[action] = state.spread * plays ** -(self.epsilon / order)
        leaves = exit_level(self.moment, order, plays, reward)
        if leaves >= level:
            state.total[action], state.correction[action] = add_exactly(state.total[action], state.correction[action], reward)
            if leaves < state.last_level:
                push(state.leaving, leaves, action, reward)
        state.mean[action] = (state.total[action] + state.correction[action]) / plays

    def estimate(self, state: TruncatedMeanState, level: float) -> None:
        """Take out what leaves at the level L, and work out U."""
        while state.leaving.size[0] > 0 and state.leaving.exit_level[0] < level:
            left = int(state.leaving.action[0])
            gone = state.leaving.reward[0]
            state.total[left], state.correction[left] = add_exactly(state.total[left], state.correction[left], -gone)
            state.mean[left] = (state.total[left] + state.correction[left]) / state.plays[left]
            pop(state.leaving)
        growth = level ** (self.epsilon / (1.0 + self.epsilon))
        for each in range(len(state.plays)):
            state.optimism[each] = state.mean[each] + state.width[each] * growth


@kernel
def exit_level(moment: float, order: float, j: float, reward: float) -> float:
    """Return ℓ_j = u j / |X_j|^p: the reward is kept while L ≤ ℓ_j."""
    power = min(abs(float(reward)), 1e150) ** order  # beyond, the power overflows, and the reward is out anyway
    return moment * j / power if power > 0.0 else math.inf


@kernel
def push(heap: Leaving, level: float, action: int, reward: float) -> None:
    """Put a reward into the heap: places on the way up move down until one fits."""
    place = int(heap.size[0])
    heap.size[0] = place + 1
    while place > 0 and heap.exit_level[(place - 1) >> 1] > level:
        move(heap, (place - 1) >> 1, place)
        place = (place - 1) >> 1
    heap.exit_level[place] = level
    heap.action[place] = action
    heap.reward[place] = reward


@kernel
def pop(heap: Leaving) -> None:
    """Take the top off the heap: smaller children move up until the last place fits."""
    last = int(heap.size[0]) - 1
    heap.size[0] = last
    place = 0
    while 2 * place + 1 < last:
        child = 2 * place + 1
        if child + 1 < last and heap.exit_level[child + 1] < heap.exit_level[child]:
            child += 1
        if heap.exit_level[child] >= heap.exit_level[last]:
            break
        move(heap, child, place)
        place = child
    move(heap, last, place)


@kernel
def move(heap: Leaving, source: int, place: int) -> None:
    """Copy a place of the heap over another."""
    heap.exit_level[place] = heap.exit_level[source]
    heap.action[place] = heap.action[source]
    heap.reward[place] = heap.reward[source]
