"""Robust UCB with the median of means."""

import math
from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, Integers, any_argmax, argmax, kernel
from quack.policies.base import check_sizes, positive
from quack.policies.heavy_tails import History, add_exactly, check_exponent, new_history

__all__ = ["MedianOfMeansState", "MedianOfMeansUCB"]

_STRIDES = (57, 23, 10, 4, 1)  # of Shell's sort (M. Ciura 2001)


class MedianOfMeansState(NamedTuple):
    """What the median of means remembers."""

    plays: Integers  # N_a
    total: Floats  # sum of the rewards of a …
    correction: Floats  # … and what rounding took from it
    sums: History  # the sum of the first 1, 2, … rewards of each action
    blocks: Integers  # K of the median of a; 0: there is none yet
    length: Integers  # B
    median: Floats  # μ̂_a
    width: Floats  # r (12 v)^(1/p) (16 / N_a)^(ε/p), +inf before the second play
    optimism: Floats  # U_a
    rounds: Integers  # one number: s, the rounds played
    most_blocks: Integers  # one number: ⌊1 + 8 L⌋
    means: Floats  # room for the means of the blocks
    spread: float  # r (12 v)^(1/p) 16^(ε/p)
    horizon: int


class MedianOfMeansUCB(NamedTuple):
    """Play the action with the largest optimistic median of means: an outlier spoils one block only.

    ::

        K = ⌊min(1 + 8 L, N_a / 2)⌋,  B = ⌊N_a / K⌋,  μ̂_a = median of the means of the first K blocks of B rewards
        U_a = μ̂_a + r (12 v)^(1/p) (16 (L + 1/8) / N_a)^(ε/p),    U_a = +∞ while N_a < 2,    play argmax_a U_a

    L = 2 log t for the round t on the policy's own clock, p = 1 + ε, N_a the number of rewards of a. The median of an even
    number of means is the average of the two in the middle.

    Parameters
    ----------
    epsilon : float, default 0.85
        ε in (0, 1]: rewards have moments of order 1 + ε. The default fits the paper's experiment, α-stable rewards with α = 1.9.
    moment : float, default 5.27
        v ≥ E|X − μ|^(1+ε), centred, for every action, > 0: what ``environment.centred_moment(1 + epsilon)`` of `Stable`,
        `Pareto` and `StudentT` returns. The default is that of the paper's experiment.
    radius : float, default 1.0
        r > 0. The constants of the theory explore far more than experiments need.
    random_ties : bool, default False
        Whether equal estimates are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee, r = 1: regret after H rounds ≤ Σ_a [2^(p/ε) · 32 (12v/Δ_a)^(1/ε) log(e^(1/16) H) + 5 Δ_a].

    Sums of the first 1, 2, … rewards give the mean of any block by one subtraction. A median is worked out anew only when its
    blocks change, once in about K plays. All sums are kept: 8 bytes for each round of the horizon; more rewards are refused.

    Deviation: the guarantee carries a factor 2^(p/ε) that the printed theorem lacks, because that is what its proof gives: an
    action is played until twice its radius falls below Δ_a.

    References
    ----------
    S. Bubeck, N. Cesa-Bianchi, G. Lugosi (2013). "Bandits with heavy tail." IEEE Transactions on Information Theory 59(11),
    Lemma 2 and Theorem 2.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.MedianOfMeansUCB(radius=0.1), n_actions=1, horizon=10)
    >>> for reward in (1.0, 3.0, 4.0, 6.0, -999.0, 1.0):    # blocks (1, 3), (4, 6), (−999, 1)
    ...     bandit.update(bandit.select(), reward)
    >>> bandit.state.median.tolist()
    [2.0]
    """

    epsilon: float = 0.85
    moment: float = 5.27
    radius: float = 1.0
    random_ties: bool = False

    @property
    def needs_moment(self) -> float:
        """Rewards must have moments of order p = 1 + ε."""
        return 1.0 + self.epsilon

    def init(self, n_actions: int, horizon: int) -> MedianOfMeansState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        check_exponent("MedianOfMeansUCB", self.epsilon)
        positive("MedianOfMeansUCB", "moment", self.moment)
        positive("MedianOfMeansUCB", "radius", self.radius)
        most_blocks = min(int(1.0 + 16.0 * math.log(horizon + 1.0)), max(horizon // 2, 1))
        return MedianOfMeansState(
            plays=np.zeros(n_actions, np.int64),
            total=np.zeros(n_actions),
            correction=np.zeros(n_actions),
            sums=new_history(n_actions, horizon),
            blocks=np.zeros(n_actions, np.int64),
            length=np.zeros(n_actions, np.int64),
            median=np.zeros(n_actions),
            width=np.full(n_actions, np.inf),
            optimism=np.full(n_actions, np.inf),
            rounds=np.zeros(1, np.int64),
            most_blocks=np.ones(1, np.int64),
            means=np.zeros(most_blocks),
            spread=self.radius * (12.0 * self.moment * 16.0**self.epsilon) ** (1.0 / (1.0 + self.epsilon)),
            horizon=horizon,
        )

    def select(self, state: MedianOfMeansState, rng: np.random.Generator) -> int:
        """Return the action with the largest optimistic estimate; one that was played less than twice comes first."""
        return any_argmax(state.optimism, rng) if self.random_ties else argmax(state.optimism)

    def update(self, state: MedianOfMeansState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Keep the sum, and refresh the medians whose blocks have changed."""
        rounds = int(state.rounds[0]) + 1
        if rounds > state.horizon:
            raise SpecError("MedianOfMeansUCB was given more rewards than the horizon that it was made for")
        level = 2.0 * math.log(rounds + 1.0)
        exponent = self.epsilon / (1.0 + self.epsilon)
        plays = int(state.plays[action]) + 1
        state.rounds[0] = rounds
        state.plays[action] = plays
        state.total[action], state.correction[action] = add_exactly(state.total[action], state.correction[action], reward)
        state.sums.write(action, plays - 1, state.total[action] + state.correction[action])
        if plays > 1:
            state.width[action] = state.spread * plays**-exponent
        most_blocks = int(1.0 + 8.0 * level)
        more_for_all = most_blocks != state.most_blocks[0]
        state.most_blocks[0] = most_blocks
        growth = (level + 0.125) ** exponent
        for each in range(len(state.plays)):
            blocks = min(most_blocks, int(state.plays[each]) // 2)
            if blocks > 0 and (more_for_all or each == action):
                length = int(state.plays[each]) // blocks
                if blocks != state.blocks[each] or length != state.length[each]:
                    state.blocks[each] = blocks
                    state.length[each] = length
                    state.median[each] = median_of_means(state.sums, each, blocks, length, state.means)
            state.optimism[each] = state.median[each] + state.width[each] * growth


@kernel
def median_of_means(sums: History, action: int, blocks: int, length: int, means: Floats) -> float:
    """Return the median of the means of an action's first blocks; `means` is room for them."""
    before = 0.0
    for block in range(blocks):
        after = sums.pool[sums.where(action, (block + 1) * length - 1)]
        means[block] = (after - before) / length
        before = after
    sort(means, blocks)
    return (means[(blocks - 1) // 2] + means[blocks // 2]) / 2.0  # type: ignore[no-any-return]


@kernel
def sort(values: Floats, size: int) -> None:
    """Sort the first values in place (Shell 1959)."""
    for stride in _STRIDES:
        for i in range(stride, size):
            value = values[i]
            place = i
            while place >= stride and values[place - stride] > value:
                values[place] = values[place - stride]
                place -= stride
            values[place] = value
