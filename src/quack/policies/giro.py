"""Giro: garbage in, reward out."""

import math
import operator
from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, Integers, binomial, kernel, replaces
from quack.policies.base import check_sizes, positive

__all__ = ["Giro", "GiroState"]


_ROOM = 1_000_000  # so many different rewards would take a choice a tenth of a second


class GiroState(NamedTuple):
    """The history of each action, as counts: of rewards 1 in `ones`, of those strictly between 0 and 1 in one pool for all."""

    plays: Floats  # N_a
    ones: Floats  # how many rewards of a were 1
    value: Floats  # value[i]: a reward strictly between 0 and 1; no action has an equal one twice
    times: Floats  # times[i]: how often it was seen
    following: Integers  # following[i]: the place of the same action's next value, −1 after the last
    first: Integers  # first[a]: the place of a's first value, −1 without any
    used: Integers  # one number: how many places are taken


@kernel
def place_of(state: GiroState, action: int, reward: float) -> int:
    """Return the place of an action's reward in the pool; a new one if it is the first of its value, −1 if there is no room."""
    place = int(state.first[action])
    while place >= 0 and state.value[place] != reward:
        place = int(state.following[place])
    if place < 0 and state.used[0] < len(state.value):
        place = int(state.used[0])
        state.used[0] += 1
        state.value[place] = reward
        state.following[place] = state.first[action]
        state.first[action] = place
    return place


@kernel
def bootstrap_mean(state: GiroState, action: int, pseudo: float, rng: np.random.Generator) -> float:
    """Return the mean of a resample of an action's history with so many pseudo-rewards 0 and as many 1.

    A resample is a multinomial draw, made value by value: how many of the draws that are left fall on this one.
    """
    size = state.plays[action] + 2.0 * pseudo
    weight = state.ones[action] + pseudo
    drawn = binomial(size, weight / size, rng)
    total = drawn
    draws = size - drawn
    left = size - weight
    place = int(state.first[action])
    while place >= 0 and draws > 0.0:
        weight = state.times[place]
        drawn = binomial(draws, weight / left, rng)
        total += drawn * state.value[place]
        draws -= drawn
        left -= weight
        place = int(state.following[place])
    return float(total / size)


class Giro(NamedTuple):
    """Play the action with the largest mean in a resample of its rewards, to which made-up rewards 0 and 1 were added.

    ::

        history of a:    its N_a rewards, r zeros and r ones,    r = a N_a, rounded up with probability a N_a − ⌊a N_a⌋
        U_a = mean of N_a + 2r draws with replacement from it,    U_a = +∞ while N_a = 0,    play argmax_a U_a

    For rewards in [0, 1]. When all are 0 or 1, and S_a of them 1, U_a is Binomial(N_a + 2r, (S_a + r)/(N_a + 2r))/(N_a + 2r), and
    a choice takes a time that does not depend on N_a.

    Parameters
    ----------
    a : float, default 1.0
        Made-up rewards of each kind per reward, > 0; the theorem needs a > 1/√2. The default is the authors'.
    pool : int, optional
        How many different rewards strictly between 0 and 1 are remembered, ≥ 0; by default as many as the horizon has rounds,
        room for all, but a million at most. A choice takes a time proportional to the number of different rewards. A reward that
        finds the pool full counts as one toss of a coin that falls on 1 with the reward as its probability, which leaves the mean
        as it is: with ``pool=0`` that is how all of them are treated, and a choice is fast.
    random_ties : bool, default False
        Whether equal means are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee, for rewards 0 and 1 and a > 1/√2: regret after H rounds = O(Σ_a log(H)/Δ_a).

    Deviation: equal means go to the lowest action unless `random_ties`, as in all our policies, while the authors' code adds a
    tiny random number to each action's mean.

    References
    ----------
    B. Kveton, C. Szepesvári, S. Vaswani, Z. Wen, T. Lattimore, M. Ghavamzadeh (2019). "Garbage in, reward out: bootstrapping
    exploration in multi-armed bandits." ICML, Algorithm 1 and Section 4 (the guarantee).
    S. Agrawal, N. Goyal (2012). "Analysis of Thompson sampling for the multi-armed bandit problem." COLT, Algorithm 2 (the coin).

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.Giro(), n_actions=2, horizon=200, seed=0)
    >>> for _ in range(200):
    ...     action = bandit.select()
    ...     bandit.update(action, float(action == 1))
    >>> bandit.select()
    1
    """

    a: float = 1.0
    pool: int | None = None
    random_ties: bool = False

    @property
    def rewards_within(self) -> tuple[float, float]:
        """Rewards must lie between 0 and 1."""
        return 0.0, 1.0

    def init(self, n_actions: int, horizon: int) -> GiroState:
        """Check the parameters and return empty histories."""
        check_sizes(n_actions, horizon)
        positive("Giro", "a", self.a)
        try:
            room = min(horizon, _ROOM) if self.pool is None else operator.index(self.pool)
        except TypeError:
            room = -1
        if room < 0:
            raise SpecError(f"Giro: pool is {self.pool}; None or a whole number, at least 0, is accepted")
        return GiroState(
            plays=np.zeros(n_actions),
            ones=np.zeros(n_actions),
            value=np.zeros(room),
            times=np.zeros(room),
            following=np.zeros(room, np.int64),
            first=np.full(n_actions, -1, np.int64),
            used=np.zeros(1, np.int64),
        )

    def select(self, state: GiroState, rng: np.random.Generator) -> int:
        """Resample every action's history and return the action with the largest mean; one that was never played comes first."""
        best = 0
        largest = -1.0
        ties = 1.0
        for action in range(len(state.plays)):
            mean = math.inf
            if state.plays[action] > 0.0:
                wanted = self.a * state.plays[action]
                pseudo = float(math.floor(wanted))
                if wanted > pseudo and rng.random() < wanted - pseudo:
                    pseudo += 1.0
                mean = bootstrap_mean(state, action, pseudo, rng)
            if mean > largest:
                best = action
                largest = mean
                ties = 1.0
            elif self.random_ties and mean == largest:
                ties += 1.0
                if replaces(ties, rng):
                    best = action
        return best

    def update(self, state: GiroState, action: int, reward: float, rng: np.random.Generator) -> None:
        """Add the reward to the action's history."""
        state.plays[action] += 1.0
        if 0.0 < reward < 1.0:
            place = place_of(state, action, reward)
            if place >= 0:
                state.times[place] += 1.0
                return
            reward = 1.0 if rng.random() < reward else 0.0
        state.ones[action] += reward
