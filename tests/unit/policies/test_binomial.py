"""The binomial numbers that the randomised policies draw."""

import math

import numpy as np
import pytest
from scipy import stats

from quack.kernels import _stirling_error, binomial
from single_agent import UNLIKELY


@pytest.mark.parametrize(
    ("trials", "chance"),
    [(1, 0.5), (7, 0.2), (19, 0.5), (20, 0.5), (21, 0.5), (30, 0.6), (100, 0.95), (500, 0.03), (10**5, 0.5), (10**9, 0.7)],
)
def test_draws_have_the_binomial_law(trials, chance):
    """Threshold: the Dvoretzky-Kiefer-Wolfowitz inequality for the distribution function."""
    rng, n = np.random.default_rng(4), 10_000
    drawn = np.array([binomial(float(trials), chance, rng) for _ in range(n)])
    assert (drawn == drawn.round()).all()
    values, counts = np.unique(drawn, return_counts=True)
    assert 0 <= values[0] <= values[-1] <= trials
    law = stats.binom(trials, chance)
    seen = np.cumsum(counts) / n
    distance = max(np.abs(seen - law.cdf(values)).max(), np.abs(seen - counts / n - law.cdf(values - 1)).max())
    assert distance <= math.sqrt(math.log(2 / UNLIKELY) / (2 * n))


def test_nothing_and_everything_need_no_draw():
    assert binomial(0.0, 0.5, None) == 0
    assert binomial(5.0, 0.0, None) == 0
    assert binomial(5.0, 1.0, None) == 5


class Given:
    """A generator that gives what it is told."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


def test_by_hand():
    """Four fair trials: 1/16, 5/16, 11/16, 15/16, 1 is the distribution function. Of likely successes, the failures are drawn."""
    assert [binomial(4.0, 0.5, Given(u)) for u in (0.06, 0.07, 0.32, 0.69, 0.94)] == [0, 1, 2, 3, 4]
    assert binomial(4.0, 0.9, Given(0.0)) == 4
    assert binomial(4.0, 0.1, Given(1 - 2**-53)) == 4


def test_rejection_refuses_what_lies_outside():
    """u = −½ has no image, and images outside 0 … n are none: the third pair is taken, in the middle."""
    assert binomial(40.0, 0.5, Given(0.0, 0.5, 1 - 2**-53, 0.5, 0.5, 0.9)) == 20


def test_stirling_errors():
    for k in (*range(13), 100, 10_000):
        stirling = 0.5 * math.log(2 * math.pi) + (k + 0.5) * math.log(k + 1) - (k + 1)
        assert _stirling_error(float(k)) == pytest.approx(math.lgamma(k + 1) - stirling, abs=1e-14 * (1 + stirling), rel=1e-8)
