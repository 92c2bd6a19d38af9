"""ε-greedy: explore at random, now and then or ever less often."""

from typing import NamedTuple

import numpy as np

from quack.errors import SpecError
from quack.kernels import Floats, any_argmax, argmax
from quack.policies.base import check_sizes, positive

__all__ = ["EpsilonGreedy", "EpsilonGreedyState"]


class EpsilonGreedyState(NamedTuple):
    """What ε-greedy remembers."""

    plays: Floats  # N_a
    total: Floats  # sum of the rewards of a
    mean: Floats  # μ̂_a, +inf before the first play
    rounds: Floats  # one number: t, the round that comes next
    epsilon: float
    fading: float  # k·c/d²; 0 if ε is constant


class EpsilonGreedy(NamedTuple):
    """Explore at random with probability ε, otherwise play the action with the largest mean.

    ::

        with probability ε_t: any action, each with probability 1/k;    else argmax_a μ̂_a
        ε_t = ε,    or with decay:  ε_t = min(1, (c/d²) k/t)

    μ̂_a is the mean of the rewards of a, +∞ before the first play. t is the round that is decided, on the policy's own clock.

    Parameters
    ----------
    epsilon : float, default 0.1
        Probability of exploring, in [0, 1], if it does not decay.
    decay : float, optional
        c/d² of the decaying form, > 0, which takes the place of `epsilon`: d in (0, 1] at most the smallest gap, and c large. Too
        small, and the policy stops exploring before it knows; too large, and it explores all the time.
    random_ties : bool, default False
        Whether equal means are resolved at random; by default the lowest action wins.

    Notes
    -----
    Guarantee: constant ε costs at least ε H times the mean gap. With decay, for rewards in [0, 1] and c > 5, an action that is
    not the best is played in round t > kc/d with probability at most c/(d²t) + o(1/t): regret = O(c k log(H)/d²).

    References
    ----------
    P. Auer, N. Cesa-Bianchi, P. Fischer (2002). "Finite-time analysis of the multiarmed bandit problem." Machine Learning 47,
    Figure 3 (ε_n-greedy) and Theorem 3.
    R. S. Sutton, A. G. Barto (2018). "Reinforcement Learning", Section 2.2 (constant ε).

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.EpsilonGreedy(decay=5 / 0.5**2), n_actions=2, horizon=1000, seed=0)
    >>> chosen = []
    >>> for _ in range(1000):
    ...     chosen.append(bandit.select())
    ...     bandit.update(chosen[-1], [0.2, 0.8][chosen[-1]])
    >>> chosen[:40].count(0), chosen[-40:].count(0)      # ε_t is 1 up to t = 40, and 0.04 at the end
    (21, 2)
    """

    epsilon: float = 0.1
    decay: float | None = None
    random_ties: bool = False

    def init(self, n_actions: int, horizon: int) -> EpsilonGreedyState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        if not 0 <= self.epsilon <= 1:
            raise SpecError(f"EpsilonGreedy: epsilon is {self.epsilon}; a number in [0, 1] is accepted")
        fading = 0.0 if self.decay is None else n_actions * positive("EpsilonGreedy", "decay", self.decay)
        return EpsilonGreedyState(
            plays=np.zeros(n_actions),
            total=np.zeros(n_actions),
            mean=np.full(n_actions, np.inf),
            rounds=np.ones(1),
            epsilon=float(self.epsilon),
            fading=fading,
        )

    def select(self, state: EpsilonGreedyState, rng: np.random.Generator) -> int:
        """Return any action or the one with the largest mean; when not exploring, one that was never played comes first."""
        epsilon = state.fading / state.rounds[0] if state.fading > 0.0 else state.epsilon
        if rng.random() < epsilon:
            return int(rng.random() * len(state.mean))
        return any_argmax(state.mean, rng) if self.random_ties else argmax(state.mean)

    def update(self, state: EpsilonGreedyState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count the play and move the mean."""
        state.plays[action] += 1.0
        state.total[action] += reward
        state.mean[action] = state.total[action] / state.plays[action]
        state.rounds[0] += 1.0
