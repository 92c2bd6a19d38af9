"""Heavy-tailed rewards: their laws, and their moments by table, closed form and numerical integration."""

import math
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

import quack
from quack.environments import moments
from quack.tape import ACTION, Cell, open_tape

N = 10_000
# Dvoretzky, Kiefer and Wolfowitz with Massart's constant: P(sup |F_n − F| > w) ≤ 2 exp(−2 n w²), here 1e-9.
WIDTH = math.sqrt(math.log(2e9) / (2 * N))
# Hoeffding for a mean of n numbers in [−1, 1].
COSINE_WIDTH = math.sqrt(2 * math.log(2e9) / N)


def rewards(environment, n=N):
    tape = open_tape(5, 0)
    return np.array([environment.reward(0, Cell(tape, ACTION, 0, j)) for j in range(n)])


def farthest(sample, law, points):
    return np.abs((sample[:, None] <= points).mean(axis=0) - law.cdf(points)).max()


@pytest.mark.parametrize(("alpha", "scale"), [(1.9, 1.0), (1.2, 0.5), (1.01, 1.0), (2.0, 3.0)])
def test_stable_rewards_have_their_characteristic_function(alpha, scale):
    """E exp(it(X − μ)) = exp(−|ct|^α), real; thresholds by Hoeffding."""
    sample = (rewards(quack.Stable([0.7], alpha, scale)) - 0.7) / scale
    for t in (0.2, 0.5, 1.0, 2.0, 5.0):
        assert abs(np.cos(t * sample).mean() - math.exp(-(t**alpha))) <= COSINE_WIDTH
        assert abs(np.sin(t * sample).mean()) <= COSINE_WIDTH


def test_stable_rewards_against_scipy():
    sample = rewards(quack.Stable([0.7], 1.5, 2.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SciPy's integrals in the far tails
        assert farthest(sample, stats.levy_stable(1.5, 0, 0.7, 2.0), np.linspace(-12, 12, 25)) <= WIDTH


def test_at_two_stable_rewards_are_normal_with_twice_the_variance():
    sample = rewards(quack.Stable([1.0], 2.0, 3.0))
    assert farthest(sample, stats.norm(1, 3 * math.sqrt(2)), np.linspace(-12, 12, 101)) <= WIDTH


@pytest.mark.parametrize("degrees", [1.5, 3.0, 1e6])
def test_student_rewards_against_scipy(degrees):
    sample = rewards(quack.StudentT([1.0], degrees, 2.0))
    assert farthest(sample, stats.t(degrees, 1.0, 2.0), np.linspace(-30, 30, 201)) <= WIDTH


@pytest.mark.parametrize("shape", [1.1, 3.0])
def test_pareto_rewards_against_scipy(shape):
    environment = quack.Pareto([3.0], shape)
    least = 3.0 * (shape - 1) / shape
    sample = rewards(environment)
    assert environment.least == pytest.approx([least])
    assert sample.min() >= environment.reward_range[0]
    assert farthest(sample, stats.pareto(shape, scale=least), least * np.geomspace(1, 1e4, 201)) <= WIDTH


# Of the α-stable law with α = 1.9, c = 1: the centred moment, and the raw ones at means 0.4, 0.7 and 1. From p = 1.8 on they
# stand on two more integrals: ∫ |x|^p f(x) dx with SciPy's density, and that over t in the variable t^(2−p).
TABLE = {
    1.2: (1.34210, 1.40089, 1.52013, 1.69931),
    1.4: (1.56942, 1.64547, 1.80035, 2.03477),
    1.5: (1.73474, 1.82098, 1.99699, 2.26434),
    1.6: (1.97032, 2.06800, 2.26779, 2.57232),
    1.7: (2.36822, 2.47877, 2.70536, 3.05196),
    1.8: (3.38467, 3.50972, 3.76660, 4.16087),
    1.85: (5.26270, 5.39571, 5.66918, 6.08966),
}


@pytest.mark.parametrize("order", TABLE)
def test_stable_moments_by_table(order):
    centred, *raw = TABLE[order]
    assert quack.Stable([5.0], 1.9).centred_moment(order) == pytest.approx(centred, abs=6e-6)
    assert quack.Stable([0.0], 1.9).moment(order) == pytest.approx(centred, abs=6e-6)
    for mean, moment in zip((0.4, 0.7, 1.0), raw, strict=True):
        assert quack.Stable([0.1, mean], 1.9).moment(order) == pytest.approx(moment, abs=6e-6)
        assert quack.Stable([-mean], 1.9).moment(order) == quack.Stable([mean], 1.9).moment(order)


@pytest.mark.parametrize(
    ("mean", "scale", "alpha", "order"), [(5.0, 2.0, 1.1, 1.05), (0.7, 1.0, 1.9, 0.5), (30.0, 1.0, 1.5, 1.3), (1e-3, 1, 1.9, 1.2)]
)
def test_stable_moments_by_the_integral_on_the_real_axis(mean, scale, alpha, order):
    """E|X|^p − E|X − μ|^p = 2Γ(1+p) sin(πp/2)/π ∫ (1 − cos μt) exp(−(ct)^α) t^(−1−p) dt, with t = e^x."""

    def integrand(x):
        return 2 * math.sin(mean * math.exp(x) / 2) ** 2 * math.exp(-((scale * math.exp(x)) ** alpha) - order * x)

    value, _ = integrate.quad(integrand, -60, math.log(60 / scale), limit=5000)
    environment = quack.Stable([mean], alpha, scale)
    expected = environment.centred_moment(order) + 2 * math.gamma(1 + order) * math.sin(math.pi * order / 2) / math.pi * value
    assert environment.moment(order) == pytest.approx(expected, rel=1e-9)


def test_stable_moments_scale_and_are_normal_at_two():
    assert quack.Stable([0.7], 1.5, 3.0).centred_moment(1.2) == pytest.approx(3**1.2 * quack.Stable([0.0], 1.5).moment(1.2))
    assert quack.Stable([1.3], 2.0, 0.7).moment(2) == pytest.approx(1.3**2 + 2 * 0.49)
    normal, _ = integrate.quad(lambda x: abs(x) ** 1.5 * stats.norm.pdf(x, 1.3, 0.7 * math.sqrt(2)), -20, 20, points=[0])
    assert quack.Stable([1.3], 2.0, 0.7).moment(1.5) == pytest.approx(normal, rel=1e-9)


@pytest.mark.parametrize("ratio", [1e-12, 1e3, 1e9])
def test_moments_far_from_the_origin_and_close_to_it(ratio):
    """As μ/c grows, E|X|^p → μ^p; as it vanishes, E|X|^p → E|X − μ|^p."""
    for environment in (quack.Stable([ratio], 1.9), quack.StudentT([ratio], 2.5)):
        limit = ratio**1.3 if ratio > 1 else environment.centred_moment(1.3)
        assert environment.moment(1.3) == pytest.approx(limit, rel=1e-5)


@pytest.mark.parametrize(
    ("mean", "degrees", "scale", "order"), [(1.0, 1.5, 1.0, 1.2), (10.0, 2.5, 0.5, 2.0), (0.01, 2.5, 3.0, 1.9)]
)
def test_student_moments_by_quadrature(mean, degrees, scale, order):
    law = stats.t(degrees, mean, scale)

    def quadrature(centre):
        def near(x):
            return abs(x - centre) ** order * law.pdf(x)

        def far(y):  # both tails, in log |x|
            return (near(math.exp(y)) + near(-math.exp(y))) * math.exp(y)

        pieces = [integrate.quad(near, *ends) for ends in ((-50, 0), (0, mean), (mean, 50))]
        return sum(value for value, _ in [*pieces, integrate.quad(far, math.log(50), 150)])

    environment = quack.StudentT([0.0, mean], degrees, scale)
    assert environment.moment(order) == pytest.approx(quadrature(0.0), rel=1e-6)
    assert environment.centred_moment(order) == pytest.approx(quadrature(mean), rel=1e-6)


def test_student_moments_of_order_two_are_the_variance():
    environment = quack.StudentT([2.0, -3.0], 5.0, 0.5)
    assert environment.centred_moment(2) == pytest.approx(0.25 * 5 / 3)
    assert environment.moment(2) == pytest.approx(9 + 0.25 * 5 / 3)
    assert quack.StudentT([0.0], 5.0).moment(1.5) == quack.StudentT([0.0], 5.0).centred_moment(1.5)


@pytest.mark.parametrize(("mean", "shape", "order"), [(3.0, 1.5, 1.25), (2.0, 3.0, 2.0), (1.0, 1.1, 1.05), (5.0, 10.0, 1.5)])
def test_pareto_moments_by_quadrature(mean, shape, order):
    environment = quack.Pareto([mean / 2, mean], shape)
    least = mean * (shape - 1) / shape

    def density(y):
        return shape * least**shape * y ** (-shape - 1)

    below, _ = integrate.quad(lambda y: (mean - y) ** order * density(y), least, mean)
    near, _ = integrate.quad(lambda y: (y - mean) ** order * density(y), mean, 2 * mean)
    log_height = math.log(shape) + shape * math.log(least)
    far, _ = integrate.quad(
        lambda x: math.exp(order * math.log1p(-mean * math.exp(-x)) + (order - shape) * x + log_height), math.log(2 * mean), 600
    )
    assert environment.centred_moment(order) == pytest.approx(below + near + far, rel=1e-7)
    assert environment.moment(order) == pytest.approx(shape * least**order / (shape - order))
    assert quack.Pareto([2.0], 3.0).centred_moment(2) == pytest.approx((4 / 3) ** 2 * 3 / (4 * 1))


@given(st.floats(0.05, 5), st.floats(0.05, 5))
def test_the_integral_over_the_half_line(a, b):
    """∫ t^(a−1) / (1 + t)^(a+b) dt is the beta function."""
    value = moments.integral(lambda x: (a - 1) * x - (a + b) * np.logaddexp(0.0, x))
    assert value == pytest.approx(math.gamma(a) * math.gamma(b) / math.gamma(a + b), rel=1e-10)


@pytest.mark.parametrize(
    ("environment", "order", "below"),
    [
        (quack.Stable([0.7], 1.9), 1.9, "1.9"),
        (quack.Stable([0.7], 1.9), 0.0, "1.9"),
        (quack.Stable([0.7], 2.0), 2.5, "2"),
        (quack.Pareto([1.0], 1.5), 1.5, "1.5"),
        (quack.StudentT([0.0], 2.0), 2.0, "2"),
        (quack.StudentT([0.0], 2.0), math.nan, "2"),
    ],
    ids=repr,
)
def test_moments_that_do_not_exist(environment, order, below):
    for moment in (environment.moment, environment.centred_moment):
        with pytest.raises(quack.SpecError, match=f"no moment of order {order}; those of order above 0 and below {below} exist"):
            moment(order)


ENVIRONMENTS = [quack.Stable([0.7, 0.4], 1.9), quack.Pareto([2.0, 3.0], 1.5), quack.StudentT([1.0, 0.0], 2.5, 0.5)]


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=repr)
def test_conformance_pickle_and_repr(environment):
    quack.check_environment(environment)
    assert repr(pickle.loads(pickle.dumps(environment))) == repr(environment) == repr(eval(repr(environment), vars(quack)))
    assert environment.gaps == pytest.approx(environment.means.max() - environment.means)
    assert environment.reward_range[1] == math.inf


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: quack.Stable([0.5], 1.0), "Stable: alpha is 1.0; a number above 1, where the mean exists, and up to 2"),
        (lambda: quack.Stable([0.5], 2.1), "alpha is 2.1"),
        (lambda: quack.Stable([0.5], math.nan), "alpha is nan"),
        (lambda: quack.Stable([0.5], 1.5, 0.0), "Stable: scale is 0.0; a positive"),
        (lambda: quack.Stable([], 1.5), r"means has shape \(0,\)"),
        (lambda: quack.Pareto([1.0], 1.0), "Pareto: shape is 1.0; a finite number above 1"),
        (lambda: quack.Pareto([1.0], math.inf), "shape is inf"),
        (lambda: quack.Pareto([1.0, 0.0], 1.5), r"means\[1\] is 0.0; a positive number"),
        (lambda: quack.StudentT([1.0], 1.0), "StudentT: degrees is 1.0"),
        (lambda: quack.StudentT([1.0], 2.0, -1.0), "StudentT: scale is -1.0"),
    ],
)
def test_impossible_parameters(make, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        make()


@pytest.mark.parametrize(
    ("policy", "environment", "sentence"),
    [
        (
            quack.TruncatedMeanUCB(epsilon=0.9),
            quack.Stable([0.7], 1.9),
            "'it' needs moments of order 1.9; those of Stable.* below",
        ),
        (quack.MedianOfMeansUCB(epsilon=0.95), quack.Pareto([0.7], 1.9), r"order 1.95; those of Pareto.* below order 1.9 only"),
        (quack.CatoniUCB(), quack.StudentT([0.7], 2.0), r"order 2; those of StudentT.* below order 2 only"),
    ],
)
def test_a_policy_that_relies_on_moments_that_do_not_exist_is_refused(policy, environment, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        quack.compare({"it": quack.QuACK(policy)}, environment, "path:2", 5, 1, 0, progress=False)


@pytest.mark.parametrize("environment", [quack.Stable([0.7], 2.0), quack.StudentT([0.7], 2.1), quack.Gaussian([0.7])], ids=repr)
def test_a_policy_that_relies_on_moments_that_exist_is_not(environment):
    it = {"it": quack.QuACK(quack.CatoniUCB())}
    assert quack.compare(it, environment, "path:2", 5, 1, 0, progress=False, engine="interpreted").complete
