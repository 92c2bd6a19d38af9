"""Robust UCB with Catoni's M-estimator."""

import math
from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, Integers, any_argmax, argmax, kernel
from quack.policies.base import check_sizes, positive
from quack.policies.heavy_tails import History, new_history

__all__ = ["CatoniState", "CatoniUCB"]

_CLOSE = 1e-7  # a Newton step as small as this, in units of 1/β, leaves an error of its square

_SMALL, _LARGE = 1e-100, 1e100


class CatoniState(NamedTuple):
    """What Catoni's estimator remembers: every reward."""

    plays: Integers  # N_a
    rewards: History
    lowest: Floats  # the least reward of a
    highest: Floats  # the largest
    estimate: Floats  # μ̂_a: where the next search for it begins
    optimism: Floats  # U_a
    rounds: Integers  # one number: s, the rounds played
    horizon: int


class CatoniUCB(NamedTuple):
    """Play the action with the largest optimistic estimate by Catoni: a mean on which an outlier pulls like its logarithm.

    ::

        Σ_j ψ(β (X_j − μ̂_a)) = 0,    ψ(y) = sign(y) log(1 + |y| + y²/2),    β² = 2 L / (N_a (v + 2 v L / (N_a − 2 L)))
        U_a = μ̂_a + r · 2 √(v L / N_a),    U_a = +∞ while N_a < 4 L,    play argmax_a U_a

    X_j is the j-th of the N_a rewards of a, L = 2 log t for the round t on the policy's own clock.

    Parameters
    ----------
    epsilon : float, default 1.0
        ε of the moments of order 1 + ε: this estimator needs a variance, so only 1 is accepted. (The parameter is here because
        the three policies for heavy tails have the same ones.)
    moment : float, default 1.0
        v ≥ the variance of the rewards of every action, > 0.
    radius : float, default 1.0
        r > 0.
    random_ties : bool, default False
        Whether equal estimates are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee, r = 1: regret after H rounds ≤ Σ_a [(32 v/Δ_a + 8 Δ_a) log H + 5 Δ_a].

    The root is found by Newton's method, kept between bounds, from the last root on. There is no exact way around the sum over
    all rewards of all actions in every round: cost grows with the square of the horizon. All rewards are kept: 8 bytes for each
    round of the horizon; more are refused.

    Deviation: the guarantee carries a factor 4 that the printed theorem lacks, because that is what its proof gives: an action
    is played until twice its radius falls below Δ_a. Its 8 Δ_a log H are the plays before N_a = 4 L.

    References
    ----------
    O. Catoni (2012). "Challenging the empirical mean and empirical variance: a deviation study." Annales de l'IHP 48(4).
    S. Bubeck, N. Cesa-Bianchi, G. Lugosi (2013). "Bandits with heavy tail." IEEE Transactions on Information Theory 59(11),
    Lemma 3 and Theorem 3.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.CatoniUCB(), n_actions=1, horizon=100)
    >>> for t in range(100):
    ...     bandit.update(bandit.select(), 1000.0 if t == 50 else float(t % 2))
    >>> round(float(bandit.state.estimate[0]), 2)           # the mean is 10.5
    0.8
    """

    epsilon: float = 1.0
    moment: float = 1.0
    radius: float = 1.0
    random_ties: bool = False

    @property
    def needs_moment(self) -> float:
        """Rewards must have moments of order p = 1 + ε."""
        return 1.0 + self.epsilon

    def init(self, n_actions: int, horizon: int) -> CatoniState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        if self.epsilon != 1:
            raise SpecError(
                f"CatoniUCB: epsilon is {self.epsilon}; only 1 is accepted, because the estimator needs a variance. "
                "TruncatedMeanUCB and MedianOfMeansUCB take any epsilon in (0, 1]"
            )
        positive("CatoniUCB", "moment", self.moment)
        positive("CatoniUCB", "radius", self.radius)
        return CatoniState(
            plays=np.zeros(n_actions, np.int64),
            rewards=new_history(n_actions, horizon),
            lowest=np.full(n_actions, np.inf),
            highest=np.full(n_actions, -np.inf),
            estimate=np.zeros(n_actions),
            optimism=np.full(n_actions, np.inf),
            rounds=np.zeros(1, np.int64),
            horizon=horizon,
        )

    def select(self, state: CatoniState, rng: np.random.Generator) -> int:
        """Return the action with the largest optimistic estimate; one that was played too rarely comes first."""
        return any_argmax(state.optimism, rng) if self.random_ties else argmax(state.optimism)

    def update(self, state: CatoniState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Keep the reward, and estimate every action anew: L has grown for all."""
        if state.rounds[0] == state.horizon:
            raise SpecError("CatoniUCB was given more rewards than the horizon that it was made for")
        state.rewards.write(action, int(state.plays[action]), reward)
        state.plays[action] += 1
        state.rounds[0] += 1
        state.lowest[action] = min(state.lowest[action], reward)
        state.highest[action] = max(state.highest[action], reward)
        level = 2.0 * math.log(state.rounds[0] + 1.0)
        for each in range(len(state.plays)):
            plays = float(state.plays[each])
            if plays < 4.0 * level:
                state.optimism[each] = math.inf
            else:
                spread = plays * (self.moment + 2.0 * self.moment * level / (plays - 2.0 * level))
                state.estimate[each] = catoni_root(state, each, math.sqrt(2.0 * level / spread))
                state.optimism[each] = state.estimate[each] + 2.0 * self.radius * math.sqrt(self.moment * level / plays)


@kernel
def catoni_root(state: CatoniState, action: int, beta: float) -> float:
    """Return the μ̂ at which the pulls Σψ(β(X_j − μ̂)) of an action's rewards cancel."""
    low = state.lowest[action]
    high = state.highest[action]
    root = min(max(state.estimate[action], low), high)
    for _ in range(200):
        pull, stiffness = pulls(state, action, beta, root)
        if pull > 0.0:
            low = root
        else:
            high = root
        newton = root + pull / (beta * stiffness)
        if low <= newton <= high:
            close = beta * abs(newton - root) <= _CLOSE
            root = newton
        else:
            root = (low + high) / 2.0
            close = root == low or root == high  # noqa: PLR1714 (compiled, a tuple would cost)
        if close:
            break
    return root  # type: ignore[no-any-return]


@kernel
def pulls(state: CatoniState, action: int, beta: float, centre: float) -> tuple[float, float]:
    """Return Σψ(y_j) and Σψ'(y_j) at y_j = β(X_j − centre), with ψ'(y) = (1 + |y|)/(1 + |y| + y²/2).

    A sum of logarithms is the logarithm of a product, which is taken whenever the product grows large or small.
    """
    pull = 0.0
    stiffness = 0.0
    product = 1.0
    for i in range(state.plays[action]):
        y = beta * (state.rewards.pool[state.rewards.where(action, i)] - centre)
        size = min(abs(y), 1e60)
        factor = 1.0 + size + 0.5 * size * size
        stiffness += (1.0 + size) / factor
        product = product * factor if y > 0.0 else product / factor
        if not _SMALL < product < _LARGE:
            pull += math.log(product)
            product = 1.0
    return pull + math.log(product), stiffness
