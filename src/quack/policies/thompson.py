"""Thompson sampling for rewards in [0, 1]: Beta posteriors."""

import math
from typing import NamedTuple

import numpy as np

from quack.kernels import Floats, Integers, kernel
from quack.policies.base import check_sizes, positive
from quack.policies.tails import height, log_ratio, slope, tail_mass

__all__ = ["ThompsonSampling", "ThompsonState"]


class ThompsonState(NamedTuple):
    """The posterior of each action."""

    alpha: Floats  # prior + number of successes
    beta: Floats  # prior + number of failures
    # What follows is there for speed: it says when a draw cannot matter.
    tail: Floats  # bounds the probability that an action's draw lies beyond the border: the favourite's below, others' above
    favourite: Integers
    border: Floats  # c, between the favourite and the others
    quiet: Floats  # the probability that no draw is proposed to lie beyond; 0: draw all
    most_failures: Floats  # up to this β the favourite's bound serves
    look_again: Floats  # updates until favourite and border are chosen anew


class ThompsonSampling(NamedTuple):
    """Play an action with the probability that it is the best, given what was seen.

    ::

        θ_a ~ Beta(α + S_a, β + N_a − S_a),    play argmax_a θ_a

    S_a is the number of successes of a among its N_a plays. A reward x strictly between 0 and 1 counts as one toss of a coin that
    succeeds with probability x, which leaves the mean as it is.

    Parameters
    ----------
    alpha, beta : float, default 1.0
        The prior, > 0; the default is uniform.

    Notes
    -----
    Few draws are made. Between the posterior of a favourite and those of the others lies a border c. If every θ stays on its own
    side, the favourite wins, whatever the numbers are. The probability that one does not is bounded without an integral; with the
    bound's probability a draw beyond the border is proposed, and accepted so that its law is exactly that of θ there (Devroye
    1986, Section VII.2). So a round costs one random number, and k draws of a Beta distribution only where actions are hard to
    tell apart (see `docs/leaps.md`).

    Guarantee, uniform prior: for every ε > 0, regret ≤ (1 + ε) Σ_a Δ_a log(H)/kl(μ_a, μ_⋆) + O(k/ε²).

    References
    ----------
    S. Agrawal, N. Goyal (2012). "Analysis of Thompson sampling for the multi-armed bandit problem." COLT, Algorithm 2 (the coin).
    S. Agrawal, N. Goyal (2013). "Further optimal regret bounds for Thompson sampling." AISTATS, Theorem 1 (the guarantee).
    L. Devroye (1986). "Non-uniform random variate generation." Springer (draws from tails).

    Examples
    --------
    >>> import quack
    >>> bandit = quack.Bandit(quack.ThompsonSampling(), n_actions=2, horizon=200, seed=0)
    >>> for _ in range(200):
    ...     action = bandit.select()
    ...     bandit.update(action, float(action == 1))
    >>> bandit.select()
    1
    """

    alpha: float = 1.0
    beta: float = 1.0

    @property
    def rewards_within(self) -> tuple[float, float]:
        """Rewards must lie between 0 and 1."""
        return 0.0, 1.0

    def init(self, n_actions: int, horizon: int) -> ThompsonState:
        """Check the parameters and return the prior."""
        check_sizes(n_actions, horizon)
        alpha = positive("ThompsonSampling", "alpha", self.alpha)
        beta = positive("ThompsonSampling", "beta", self.beta)
        return ThompsonState(
            alpha=np.full(n_actions, alpha),
            beta=np.full(n_actions, beta),
            tail=np.ones(n_actions),
            favourite=np.zeros(1, np.int64),
            border=np.full(1, 0.5),
            quiet=np.zeros(1),
            most_failures=np.zeros(1),
            look_again=np.zeros(1),
        )

    def select(self, state: ThompsonState, rng: np.random.Generator) -> int:
        """Return the action with the largest of one draw from each posterior, of which few are really drawn."""
        quiet = state.quiet[0]
        if quiet == 0.0:
            return draw_all(state, rng)
        if rng.random() < quiet:
            return int(state.favourite[0])
        return draw_beyond(state, rng)

    def update(self, state: ThompsonState, action: int, reward: float, rng: np.random.Generator) -> None:
        """Count a success or a failure; toss the coin for a reward between 0 and 1."""
        if 0.0 < reward < 1.0:
            reward = 1.0 if rng.random() < reward else 0.0
        state.alpha[action] += reward
        state.beta[action] += 1.0 - reward
        state.look_again[0] -= 1.0
        if state.look_again[0] <= 0.0:
            draw_border(state)
        elif state.quiet[0] > 0.0 and (action != state.favourite[0] or state.beta[action] > state.most_failures[0]):
            measure(state, action)


@kernel
def draw_all(state: ThompsonState, rng: np.random.Generator) -> int:
    """Draw a mean for each action and return the action with the largest: what Thompson sampling is."""
    best = 0
    largest = -1.0
    for action in range(len(state.alpha)):
        theta = rng.beta(state.alpha[action], state.beta[action])
        if theta > largest:
            largest = theta
            best = action
    return best


@kernel
def draw_border(state: ThompsonState) -> None:
    """Choose the favourite, and a border c that its draw will hardly fall below and the others' hardly exceed.

    Any choice is right; this one makes draws rare. It is looked at again when the numbers have grown by a thirtieth.
    """
    favourite = 0
    largest = -1.0
    lowest = math.inf
    rounds = 0.0
    for action in range(len(state.alpha)):
        alpha, beta = state.alpha[action], state.beta[action]
        lowest = min(lowest, alpha, beta)
        rounds += alpha + beta
        if alpha > largest * (alpha + beta):
            largest = alpha / (alpha + beta)
            favourite = action
    spread = _spread(largest, state.alpha[favourite] + state.beta[favourite])
    border = 0.0
    for action in range(len(state.alpha)):
        if action != favourite:
            n = state.alpha[action] + state.beta[action]
            mean = state.alpha[action] / n
            deviation = _spread(mean, n)
            border = max(border, (largest * deviation + mean * spread) / (deviation + spread))
    state.favourite[0] = favourite
    state.border[0] = max(border, 0.5 * largest) if len(state.alpha) == 1 else border
    state.look_again[0] = max(_PATIENCE, math.floor(rounds / 30.0))
    state.quiet[0] = 0.0
    if lowest >= 1.0:  # log-concave
        for action in range(len(state.alpha)):
            if action != favourite:
                state.tail[action] = tail_mass(state.border[0], state.alpha[action], state.beta[action], 1.0)
        measure(state, favourite)


@kernel
def measure(state: ThompsonState, action: int) -> None:
    """Bound anew how likely an action's draw is to lie beyond the border, and how likely it is that none does.

    The favourite's bound serves until it has had some more failures: failures raise its lower tail, successes lower it, as long
    as the border is below its mean.
    """
    favourite = int(state.favourite[0])
    border = state.border[0]
    alpha, beta = state.alpha[action], state.beta[action]
    if action == favourite:
        beta += math.floor(_RESERVE * math.sqrt(alpha + beta))
        state.most_failures[0] = beta
        state.tail[action] = tail_mass(border, alpha, beta, -1.0) if border * (alpha + beta) < alpha else 1.0
    else:
        state.tail[action] = tail_mass(border, alpha, beta, 1.0)
    quiet = 1.0
    for other in range(len(state.tail)):
        quiet *= 1.0 - state.tail[other]
    if quiet < _LEAST:
        quiet = 0.0
        state.look_again[0] = min(state.look_again[0], _PATIENCE)
    state.quiet[0] = quiet


@kernel
def _spread(mean: float, n: float) -> float:
    """Return the standard deviation of a Beta distribution, or nearly."""
    return math.sqrt(mean * (1.0 - mean) / n)


@kernel
def draw_beyond(state: ThompsonState, rng: np.random.Generator) -> int:
    """Return the choice, given that at least one draw is proposed to lie beyond the border (the favourite's below, others above).

    Proposals are independent, action by action, with the probabilities `tail`. One is drawn from the tangent exponential and
    accepted with the ratio of the density to it: then it is a draw from the posterior's own tail, of the posterior's own mass.
    Only where that may matter is a draw from the other side of the border needed.
    """
    favourite = int(state.favourite[0])
    none = state.quiet[0]  # the probability that no action from here on is proposed; while none was
    proposed = False
    fallen = 2.0  # the favourite's draw, if it lies below the border
    best = -1
    largest = -1.0
    for action in range(len(state.tail)):
        chance = state.tail[action]
        happens = rng.random() * (1.0 if proposed else 1.0 - none) < chance
        if not proposed:
            none = none / (1.0 - chance)
        if not happens:
            continue
        proposed = True
        side = -1.0 if action == favourite else 1.0
        theta = draw_tail(state, action, side, rng)
        if action == favourite:
            fallen = theta
        elif theta <= 1.0 and theta > largest:
            largest = theta
            best = action
    if best >= 0:
        return best if fallen <= 1.0 or largest > draw_within(state, favourite, 1.0, rng) else favourite
    if fallen > 1.0:
        return favourite
    best = favourite
    largest = fallen
    for action in range(len(state.tail)):
        if action != favourite:
            theta = draw_within(state, action, -1.0, rng)
            if theta > largest:
                largest = theta
                best = action
    return best


@kernel
def draw_tail(state: ThompsonState, action: int, side: float, rng: np.random.Generator) -> float:
    """Return a draw beyond the border, to which a proposal leads with the right probability; 2 if it does not."""
    border = state.border[0]
    alpha, beta = state.alpha[action], state.beta[action]
    fall = -side * slope(border, alpha, beta)
    if fall <= 0.0:  # no tail: the bound was 1, and so is the proposal
        return _NONE
    mass = height(border, alpha, beta) / fall
    if rng.random() * state.tail[action] >= mass:
        return _NONE
    theta = border - side * math.log(1.0 - rng.random()) / fall
    if not 0.0 < theta < 1.0:
        return _NONE
    excess = log_ratio(theta, border, alpha, beta) + fall * abs(theta - border)
    return theta if math.log(1.0 - rng.random()) < excess else _NONE


@kernel
def draw_within(state: ThompsonState, action: int, side: float, rng: np.random.Generator) -> float:
    """Return a draw on the usual side of the border: above it (side 1) or below."""
    while True:
        theta: float = rng.beta(state.alpha[action], state.beta[action])
        if side * (theta - state.border[0]) >= 0.0:
            return theta


_NONE = 2.0
_PATIENCE = 16.0  # updates until a border is looked for again
_RESERVE = 0.25  # of a standard deviation: what failures may take from the favourite until its bound is made anew
_LEAST = 0.2  # with less hope of drawing nothing, all are drawn
