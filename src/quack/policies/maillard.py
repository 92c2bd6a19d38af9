"""Maillard sampling: a soft-max with the right temperature."""

import math
from typing import NamedTuple

import numpy as np

from quack.kernels import Floats
from quack.policies.base import check_sizes, positive

__all__ = ["MaillardSampling", "MaillardState"]


class MaillardState(NamedTuple):
    """What Maillard sampling remembers."""

    plays: Floats  # N_a
    total: Floats  # sum of the rewards of a
    weight: Floats  # w_a, +inf before the first play
    precision: float  # 1/(2σ²)


class MaillardSampling(NamedTuple):
    """Play every action once, then each with a probability that falls with the evidence against its being the best.

    ::

        w_a = exp(−N_a (max_b μ̂_b − μ̂_a)²/(2σ²)),    play a with probability w_a / Σ_b w_b

    N_a is the number of plays of a, μ̂_a the mean of its rewards. The action with the largest mean weighs 1, so the weights are
    exponentials of logarithms that are never positive: none overflows, and their sum is at least 1.

    Parameters
    ----------
    sigma : float, default 0.5
        Subgaussian parameter of the rewards, > 0; the default serves all rewards in [0, 1].

    Notes
    -----
    Guarantee: regret after H rounds, divided by log H, tends to at most Σ_a 2σ²/Δ_a, which no policy can beat on Gaussian
    rewards; and regret = O(σ √(kH log H)) whatever the gaps.

    The probabilities are known exactly, `state.weight` divided by its sum: logged plays serve to evaluate other policies.

    References
    ----------
    O.-A. Maillard (2013). "Apprentissage séquentiel: bandits, statistique et renforcement." Thesis, Université de Lille 1.
    J. Bian, K.-S. Jun (2022). "Maillard sampling: Boltzmann exploration done optimally." AISTATS, Algorithm 1 and Theorem 1.

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.MaillardSampling(), n_actions=2, horizon=100, seed=0)
    >>> for reward in (1.0, 0.0):
    ...     bandit.update(bandit.select(), reward)
    >>> bandit.state.weight.round(4).tolist()      # exp(−1²/(2 · ¼))
    [1.0, 0.1353]
    """

    sigma: float = 0.5

    def init(self, n_actions: int, horizon: int) -> MaillardState:
        """Check the parameters and return the state before the first round."""
        check_sizes(n_actions, horizon)
        sigma = positive("MaillardSampling", "sigma", self.sigma)
        return MaillardState(np.zeros(n_actions), np.zeros(n_actions), np.full(n_actions, np.inf), 0.5 / (sigma * sigma))

    def select(self, state: MaillardState, rng: np.random.Generator) -> int:
        """Draw an action with the probabilities of the weights; one that was never played comes first."""
        mass = 0.0
        for action in range(len(state.weight)):
            if state.weight[action] == math.inf:
                return action
            mass += state.weight[action]
        rest = rng.random() * mass
        chosen = 0
        for action in range(len(state.weight)):
            if state.weight[action] > 0.0:
                chosen = action
            rest -= state.weight[action]
            if rest < 0.0:
                break
        return chosen

    def update(self, state: MaillardState, action: int, reward: float, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Count the play and weigh all actions anew."""
        state.plays[action] += 1.0
        state.total[action] += reward
        largest = -math.inf
        for other in range(len(state.plays)):
            if state.plays[other] > 0.0:
                largest = max(largest, state.total[other] / state.plays[other])
        for other in range(len(state.plays)):
            plays = state.plays[other]
            if plays > 0.0:
                gap = largest - state.total[other] / plays
                state.weight[other] = math.exp(-plays * gap * gap * state.precision)
