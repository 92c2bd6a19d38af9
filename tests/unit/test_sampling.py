"""Normal, gamma and Beta numbers on the tape: their laws, and that a row is its numbers."""

import math

import numba
import numpy as np
import pytest
from scipy import stats

from quack import sampling
from quack.kernels import Floats
from quack.sampling import beta_odds, beta_odds_row, new_rooms, standard_normal, standard_normal_row
from quack.simulation import engine
from quack.tape import DRAW, Cell, Tape, open_tape

TAPE = open_tape(2024, 0)
MANY = 400_000
SHAPES = [
    (1.0, 1.0),
    (1.0, 30.0),
    (0.8, 2.5),
    (0.5001, 0.6),
    (3.0, 2.0),
    (250.5, 40.25),
    (1e6, 2e6),
    (0.5, 1.0),
    (0.3, 0.2),
]
UNLIKELY = 1e-9


def dvoretzky(n):
    """How far an empirical distribution function may lie from the true one (Dvoretzky, Kiefer, Wolfowitz; Massart)."""
    return math.sqrt(math.log(2 / UNLIKELY) / (2 * n))


@pytest.fixture(scope="module")
def many():
    """Compiled functions that draw many numbers."""
    reach = engine.survey([], beta_odds_row, "")
    also = engine.survey([], standard_normal_row, "")
    for function in (reach.unmarked | reach.kernels | also.unmarked | also.kernels) - {engine.play}:
        engine._teach_kernel(function)

    @numba.njit(error_model="numpy")
    def beta(alpha: Floats, beta: Floats, rooms, ones: Floats, others: Floats, position: int):
        beta_odds_row(alpha, beta, Tape(1, 2, 0), DRAW, 3, position, rooms, ones, others)

    @numba.njit(error_model="numpy")
    def normal(rooms, out: Floats):
        standard_normal_row(Tape(1, 2, 0), DRAW, 3, 0, rooms, out)

    return beta, normal


def cells(n, position=0):
    return [Cell(Tape(1, 2, i), DRAW, 3, position) for i in range(n)]


def test_layers_have_equal_areas_and_close():
    widths, heights = sampling._WIDTHS, sampling._HEIGHTS
    area = stats.norm.sf(widths[1]) * math.sqrt(2 * math.pi) + widths[1] * math.exp(-(widths[1] ** 2) / 2)
    assert np.allclose(widths[1:256] * (heights[2:257] - heights[1:256]), area, rtol=1e-9)
    assert widths[0] * heights[1] == pytest.approx(area, rel=1e-12)
    assert widths[256] == 0.0
    assert (np.diff(widths) < 0).all()


@pytest.mark.parametrize(("alpha", "beta"), SHAPES)
def test_a_row_is_its_numbers_to_the_last_bit_interpreted_and_compiled(alpha, beta, many):
    n = 60
    alphas, betas = np.full(n, alpha), np.full(n, beta)
    ones, others, rooms = np.zeros(n), np.zeros(n), new_rooms(n)
    compiled = np.zeros((2, n))
    beta_odds_row(alphas, betas, Tape(1, 2, 0), DRAW, 3, 0, rooms, ones, others)
    many[0](alphas, betas, rooms, compiled[0], compiled[1], 0)
    alone = np.array([beta_odds(alpha, beta, cell) for cell in cells(n)]).T
    assert np.array_equal(alone, [ones, others])
    assert np.array_equal(alone, compiled)


def test_a_row_of_normal_numbers_is_its_numbers(many):
    n = 500  # about one in eighty is not settled at the first attempt
    out, compiled, rooms = np.zeros(n), np.zeros(n), new_rooms(n)
    standard_normal_row(Tape(1, 2, 0), DRAW, 3, 0, rooms, out)
    many[1](rooms, compiled)
    assert np.array_equal(out, [standard_normal(cell) for cell in cells(n)])
    assert np.array_equal(out, compiled)


def test_a_number_does_not_depend_on_its_neighbours():
    n, first = 9, 4
    ones, others = np.zeros((2, n)), np.zeros((2, n))
    shapes = np.linspace(0.4, 20, n)
    beta_odds_row(shapes, shapes[::-1], Tape(1, 2, 0), DRAW, 3, 7, new_rooms(n), ones[0], others[0])
    part = n - first
    beta_odds_row(
        shapes[first:], shapes[::-1][first:], Tape(1, 2, first), DRAW, 3, 7, new_rooms(part), ones[1, first:], others[1, first:]
    )
    assert np.array_equal(ones[0, first:], ones[1, first:])
    assert np.array_equal(others[0, first:], others[1, first:])


@pytest.mark.parametrize(("alpha", "beta"), SHAPES)
def test_law_of_beta(alpha, beta, many):
    one, other = draw(many, alpha, beta)
    assert stats.kstest(one / (one + other), stats.beta(alpha, beta).cdf).statistic <= dvoretzky(MANY)


def draw(many, alpha, beta):
    ones, others = np.zeros(MANY), np.zeros(MANY)
    many[0](np.full(MANY, alpha), np.full(MANY, beta), new_rooms(MANY), ones, others, 1)
    return ones, others


@pytest.mark.parametrize(("alpha", "beta"), [(0.7, 5.0), (3.0, 40.0)])
def test_numerator_and_rest_are_independent_gamma_numbers(alpha, beta, many):
    one, other = draw(many, alpha, beta)
    u, v = stats.gamma(alpha).cdf(one), stats.gamma(beta).cdf(other)
    assert stats.kstest(u, "uniform").statistic <= dvoretzky(MANY)
    assert stats.kstest(v, "uniform").statistic <= dvoretzky(MANY)
    # Hoeffding's inequality for a mean of numbers in [−¼, ¼] that is 0 for independent ones.
    assert abs(((u - 0.5) * (v - 0.5)).mean()) <= 0.5 * math.sqrt(math.log(2 / UNLIKELY) / (2 * MANY))


def test_law_of_normal_numbers_and_of_their_tails(many):
    out = np.zeros(4 * MANY)
    many[1](new_rooms(len(out)), out)
    assert stats.kstest(out, "norm").statistic <= dvoretzky(len(out))
    tail = abs(out[abs(out) > sampling._EDGE])
    chance = 2 * stats.norm.sf(sampling._EDGE)
    # Bernstein's inequality for the number of those in the tails, then their law.
    log_term = math.log(2 / UNLIKELY)
    margin = math.sqrt(2 * len(out) * chance * log_term) + log_term / 3
    assert abs(len(tail) - len(out) * chance) <= margin
    conditional = 1 - stats.norm.sf(tail) / stats.norm.sf(sampling._EDGE)
    assert stats.kstest(conditional, "uniform").statistic <= dvoretzky(len(tail))
    positive = (out > 0).mean()
    assert abs(positive - 0.5) <= math.sqrt(math.log(2 / UNLIKELY) / (2 * len(out)))


def test_draws_of_different_places_differ():
    values = {standard_normal(Cell(TAPE, DRAW, stream, position)) for stream in range(8) for position in range(8)}
    assert len(values) == 64
