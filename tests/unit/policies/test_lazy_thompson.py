"""Thompson sampling that hardly ever draws has the law of the one that always does."""

import itertools
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from scipy import integrate, stats

import quack
from quack.policies.base import check_sizes
from quack.policies.tails import height, log_ratio, slope, tail_mass
from quack.policies.thompson import draw_all, draw_beyond, draw_border, measure
from single_agent import UNLIKELY

POSTERIORS = [  # (α, β) of each action
    [(60, 40), (45, 55), (40, 60)],
    [(600, 400), (50, 50), (30, 3), (1, 60)],
    [(50_500, 49_500), (450, 550), (460, 540)],
    [(500_000, 500_000), (48_000, 52_000), (30.5, 69.5)],
    [(10, 1), (4, 6)],
    [(1, 30), (1, 5), (2, 9)],
    [(2000, 1), (30, 6)],
    [(6, 6), (6, 6), (5, 7), (1, 1)],
    [(3, 2)],
]


def probabilities(posterior):
    """P(θ_a is the largest) = ∫ f_a Π_{b≠a} F_b, by quadrature."""
    laws = [stats.beta(a, b) for a, b in posterior]

    def best(action):
        law = laws[action]
        others = [other for i, other in enumerate(laws) if i != action]
        points = [law.ppf(q) for q in (1e-15, 1e-6, 0.01, 0.3, 0.7, 0.99, 1 - 1e-6, 1 - 1e-14)]
        points += [x for other in others for x in other.ppf([1e-6, 0.01, 0.5, 0.99, 1 - 1e-6])]
        points = np.unique(np.clip(points, *law.support()))

        def integrand(x):
            return law.pdf(x) * np.prod([other.cdf(x) for other in others], axis=0)

        return sum(integrate.quad(integrand, low, high)[0] for low, high in itertools.pairwise(points))

    result = np.array([best(action) for action in range(len(posterior))])
    assert abs(result.sum() - 1) < 1e-7
    return result / result.sum()


def state_of(posterior):
    """Return the state after so many successes and failures, and its border."""
    state = quack.ThompsonSampling().init(len(posterior), 1000)
    for action, (alpha, beta) in enumerate(posterior):
        state.alpha[action], state.beta[action] = alpha, beta
    draw_border(state)
    return state


def assert_law(choices, expected):
    """Each action is chosen as often as it should: exact binomial tests at 1e-9."""
    for action, probability in enumerate(expected):
        count = int((choices == action).sum())
        if probability == 0.0:
            assert count == 0
        else:
            assert stats.binomtest(count, len(choices), min(probability, 1.0)).pvalue > UNLIKELY, (action, count, expected)


@pytest.mark.parametrize("posterior", POSTERIORS, ids=repr)
def test_a_choice_has_the_probability_that_its_action_is_best(posterior):
    state, rng = state_of(posterior), np.random.default_rng(1)
    policy = quack.ThompsonSampling()
    assert_law(np.array([policy.select(state, rng) for _ in range(30_000)]), probabilities(posterior))


@pytest.mark.parametrize("shift", [-1.0, -0.3, 0.0, 0.3, 1.0])
@pytest.mark.parametrize("posterior", POSTERIORS[:5], ids=repr)
def test_beyond_any_border_the_law_is_right(posterior, shift):
    """Given that something was proposed, whatever the border: the rest of the probability is where it should be."""
    state, rng = state_of(posterior), np.random.default_rng(2)
    favourite = int(state.favourite[0])
    alpha, beta = state.alpha[favourite], state.beta[favourite]
    state.border[0] += shift * 0.5 * (alpha / (alpha + beta) - state.border[0])
    for action in range(len(posterior)):
        measure(state, action)
    quiet = state.quiet[0]
    expected = probabilities(posterior)
    expected[favourite] -= quiet
    draw = draw_beyond if quiet > 0.0 else draw_all  # some borders are of no use
    choices = np.array([draw(state, rng) for _ in range(20_000)])
    assert_law(choices, np.maximum(expected, 0.0) / (1.0 - quiet))


def test_posteriors_that_are_told_apart_are_hardly_ever_drawn():
    assert state_of(POSTERIORS[2]).quiet[0] > 0.5
    assert state_of([(50_500, 49_500), (45, 155)]).quiet[0] > 1 - 1e-9


def test_bounds_hold_until_they_are_measured_again():
    """Every state that a border serves has tails below the bounds, also those of later plays of the favourite."""
    policy, rng = quack.ThompsonSampling(), np.random.default_rng(4)
    state = policy.init(3, 1000)
    seen = 0
    for _ in range(4000):
        action = policy.select(state, rng)
        policy.update(state, action, float(rng.random() < (0.6, 0.5, 0.3)[action]), rng)
        if state.quiet[0] > 0.0:
            seen += 1
            for other in range(3):
                side = -1.0 if other == state.favourite[0] else 1.0
                mass = tail_mass(state.border[0], state.alpha[other], state.beta[other], side)
                law = stats.beta(state.alpha[other], state.beta[other])
                true = law.cdf(state.border[0]) if side < 0 else law.sf(state.border[0])
                assert true <= mass * (1 + 1e-9)
                assert mass <= state.tail[other] * (1 + 1e-12)
    assert seen > 2000


@pytest.mark.parametrize(("alpha", "beta"), [(1, 7), (9, 1), (1, 1), (2, 3), (17, 300), (900, 40), (5000, 9000)])
@pytest.mark.parametrize("x", [0.3, 0.36, 0.5, 0.95])
def test_a_density_has_all_its_digits(alpha, beta, x):
    """Against exact fractions: (n + 1) C(n, α − 1) x^(α−1) (1 − x)^(β−1)."""
    n, place = alpha + beta - 2, Fraction(x)
    exact = (n + 1) * math.comb(n, alpha - 1) * place ** (alpha - 1) * (1 - place) ** (beta - 1)
    if exact > Fraction(1, 10**290):
        assert abs(Fraction(height(x, alpha, beta)) / exact - 1) < 1e-12
    assert slope(x, alpha, beta) == pytest.approx((alpha - 1) / x - (beta - 1) / (1 - x))


@pytest.mark.parametrize(("alpha", "beta"), [(2.5, 3.5), (1e6, 2e6), (1e8 + 0.5, 1e8)])
def test_a_density_is_scipys(alpha, beta):
    law = stats.beta(alpha, beta)
    for x in law.ppf([1e-6, 0.2, 0.5, 0.999]):
        assert height(x, alpha, beta) == pytest.approx(law.pdf(x), rel=1e-6)
        assert log_ratio(x, law.median(), alpha, beta) == pytest.approx(law.logpdf(x) - law.logpdf(law.median()), abs=1e-6)


class Drawing(NamedTuple):
    """Thompson sampling that draws k times a round."""

    policy: quack.ThompsonSampling = quack.ThompsonSampling()

    def init(self, n_actions, horizon):
        check_sizes(n_actions, horizon)
        return self.policy.init(n_actions, horizon)

    def select(self, state, rng):
        return draw_all(state, rng)

    def update(self, state, action, reward, rng):
        self.policy.update(state, action, reward, rng)


def test_whole_runs_have_the_same_distribution():
    """Plays of each action after 60 rounds of 16 agents: Kolmogorov and Smirnov's distance below Massart's bound at 1e-9."""
    runs = 3000
    bound = 2 * np.sqrt(np.log(2 * 4 / UNLIKELY) / (2 * runs))
    lazy, drawing = (
        quack.compare(
            {"it": quack.QuACK(policy)},
            quack.Bernoulli([0.6, 0.5, 0.45]),
            "grid:4x4",
            60,
            runs,
            seed,
            progress=False,
            checkpoints=2,
        )["it"].plays
        for policy, seed in ((quack.ThompsonSampling(), 1), (Drawing(), 2))
    )
    for action in range(3):
        assert stats.ks_2samp(lazy[:, -1, action], drawing[:, -1, action]).statistic <= bound
    assert (
        abs(lazy[:, -1, 0].mean() - drawing[:, -1, 0].mean())
        <= 5 * np.hypot(*(x[:, -1, 0].std() for x in (lazy, drawing))) / runs**0.5
    )
