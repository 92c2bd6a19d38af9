"""Local differential privacy: the odds of every report, computed from the mechanisms themselves."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import quack
from quack.environments import private
from quack.environments.base import BitReader, RewardReader, read_by_action
from quack.tape import ACTION, Cell, open_tape

N = 10_000
WIDTH = math.sqrt(math.log(2e9) / (2 * N))  # Hoeffding for a share, and Dvoretzky–Kiefer–Wolfowitz, at 1e-9
COIN = quack.Bernoulli([0.9, 0.6])
TAPE = open_tape(3, 0)


def cell(position, action=0):
    return Cell(TAPE, ACTION, action, position)


def point(x):
    """An environment that always pays x."""
    return quack.UniformRewards([x], [x])


@given(st.floats(0.01, 30))
def test_the_odds_of_a_bit_are_e_to_the_epsilon_exactly_between_the_extreme_rewards(epsilon):
    chance = quack.PrivateBernoulli(COIN, epsilon).chance
    assert chance(1.0) / chance(0.0) == pytest.approx(math.exp(epsilon), rel=1e-12)
    assert (1 - chance(0.0)) / (1 - chance(1.0)) == pytest.approx(math.exp(epsilon), rel=1e-2 if epsilon > 25 else 1e-4)


@given(st.floats(0.01, 5), st.floats(0, 1), st.floats(0, 1))
def test_the_odds_of_a_bit_are_never_larger(epsilon, x, y):
    chance = quack.PrivateBernoulli(COIN, epsilon).chance
    for ratio in (chance(x) / chance(y), (1 - chance(x)) / (1 - chance(y))):
        assert math.exp(-epsilon) * (1 - 1e-12) <= ratio <= math.exp(epsilon) * (1 + 1e-12)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 1000.0])
def test_the_chance_of_a_bit_is_the_formula(epsilon):
    chance = quack.PrivateBernoulli(COIN, epsilon).chance
    for x in (0.0, 0.3, 1.0):
        expected = (x * math.exp(epsilon) + 1 - x) / (math.exp(epsilon) + 1) if epsilon < 700 else x
        assert chance(x) == pytest.approx(expected, rel=1e-14, abs=1e-300)


@pytest.mark.parametrize(
    "inner",
    [COIN, quack.BetaRewards([4.0], [1.0]), quack.MixedRewards([("two-point", 0.4, 1.0)])],
    ids=lambda inner: type(inner).__name__,
)
def test_bits_have_the_mean_that_the_formula_gives(inner):
    """E Y = (1 + μ(e^ε − 1))/(e^ε + 1), however they are read; threshold: Hoeffding."""
    environment = quack.PrivateBernoulli(inner, 1.0)
    expected = (1 + inner.means[0] * (math.e - 1)) / (math.e + 1)
    bits = [environment.reward(0, cell(j)) for j in range(N)]
    assert set(bits) <= {0.0, 1.0}
    assert abs(np.mean(bits) - expected) <= WIDTH
    reader = read_by_action(environment, TAPE)
    assert abs(np.mean([reader.next(0) for _ in range(N)]) - expected) <= WIDTH


def test_the_coin_does_not_depend_on_the_reward_but_through_its_chance():
    """Among rewards 1 the share of reports 1 is e^ε/(e^ε + 1), among rewards 0 it is 1/(e^ε + 1); threshold: Hoeffding."""
    inner = quack.Bernoulli([0.5])
    environment = quack.PrivateBernoulli(inner, 1.0)
    seen = np.array([inner.reward(0, cell(j)) for j in range(N)])
    told = np.array([environment.reward(0, cell(j)) for j in range(N)])
    for x in (0.0, 1.0):
        among = told[seen == x]
        assert abs(among.mean() - environment.chance(x)) <= math.sqrt(math.log(2e9) / (2 * len(among)))


def test_bits_of_a_binary_environment_are_read_as_words_and_others_are_not():
    binary, other = quack.PrivateBernoulli(COIN, 2.0), quack.PrivateBernoulli(quack.MixedRewards(), 2.0)
    assert isinstance(read_by_action(binary, TAPE), BitReader)
    assert isinstance(read_by_action(other, TAPE), RewardReader)
    assert binary.success(1) == binary.chance(0.6)
    assert not hasattr(other, "success")
    assert isinstance(binary, quack.PrivateBernoulli)


def inverse_density(monkeypatch, environment, u, v):
    """Return the report that two uniform numbers make, and how fast it moves with the first: 1 / (2 · its density)."""

    def report(u):
        monkeypatch.setattr(private, "uniforms", lambda *_: (u, v))
        return environment.reward(0, cell(0))

    step = 1e-6 * (1 - u)
    return report(u), abs(report(u + step) - report(u - step)) / (2 * step)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_the_odds_of_a_noisy_report_are_e_to_the_epsilon_outside_the_unit_interval(monkeypatch, epsilon):
    """The mechanism turns (u, sign) into a report; its density there is 1/(2 |dy/du|). Both rewards can tell the same y."""
    zero, one = (quack.PrivateLaplace(point(x), epsilon) for x in (0.0, 1.0))
    for u in (0.1, 0.5, 0.99):
        below, slope_zero = inverse_density(monkeypatch, zero, u, 0.9)  # y < 0
        same, slope_one = inverse_density(monkeypatch, one, 1 - (1 - u) * math.exp(-epsilon), 0.9)
        assert same == pytest.approx(below, abs=1e-12)
        assert slope_one / slope_zero == pytest.approx(math.exp(epsilon), rel=1e-6)
        above, slope_one = inverse_density(monkeypatch, one, u, 0.1)  # y > 1
        same, slope_zero = inverse_density(monkeypatch, zero, 1 - (1 - u) * math.exp(-epsilon), 0.1)
        assert same == pytest.approx(above, abs=1e-12)
        assert slope_zero / slope_one == pytest.approx(math.exp(epsilon), rel=1e-6)


@given(st.floats(0.1, 5), st.floats(0.001, 0.999))
def test_the_odds_of_a_noisy_report_are_smaller_within(epsilon, y):
    """From 0 one reaches y with u = 1 − exp(−εy), from 1 with u = 1 − exp(−ε(1 − y)); densities are (ε/2)(1 − u)."""
    ratio = math.exp(-epsilon * y) / math.exp(-epsilon * (1 - y))
    assert math.exp(-epsilon) <= ratio <= math.exp(epsilon)
    with pytest.MonkeyPatch.context() as patch:
        for x, u, v in ((0.0, -math.expm1(-epsilon * y), 0.1), (1.0, -math.expm1(-epsilon * (1 - y)), 0.9)):
            patch.setattr(private, "uniforms", lambda *_, u=u, v=v: (u, v))
            assert quack.PrivateLaplace(point(x), epsilon).reward(0, cell(0)) == pytest.approx(y, abs=1e-9)


def test_noise_is_laplace_distributed_and_keeps_the_reward():
    """Scale 1/ε, hence variance 2/ε²; threshold: Dvoretzky–Kiefer–Wolfowitz."""
    noise = np.array([quack.PrivateLaplace(point(0.25), 0.5).reward(0, cell(j)) for j in range(N)]) - 0.25
    points = np.linspace(-15, 15, 101)
    assert np.abs((noise[:, None] <= points).mean(axis=0) - stats.laplace(scale=2).cdf(points)).max() <= WIDTH


def test_noise_does_not_depend_on_the_reward():
    """Among rewards 0 and among rewards 1 the noise is positive half of the time; threshold: Hoeffding."""
    inner = quack.Bernoulli([0.5])
    environment = quack.PrivateLaplace(inner, 1.0)
    seen = np.array([inner.reward(0, cell(j)) for j in range(N)])
    noise = np.array([environment.reward(0, cell(j)) for j in range(N)]) - seen
    for x in (0.0, 1.0):
        among = noise[seen == x]
        assert abs((among > 0).mean() - 0.5) <= math.sqrt(math.log(2e9) / (2 * len(among)))


@pytest.mark.parametrize("kind", [quack.PrivateBernoulli, quack.PrivateLaplace])
def test_gaps_are_the_true_ones(kind):
    environment = kind(COIN, 1.0)
    assert environment.gaps.tolist() == COIN.gaps.tolist()
    assert environment.reward_range == ((0, 1) if kind is quack.PrivateBernoulli else (-math.inf, math.inf))
    assert getattr(environment, "distorts", False) == (kind is quack.PrivateBernoulli)
    assert not environment.duels
    assert not environment.unordered


def test_private_duels_are_duels():
    environment = quack.PrivateBernoulli(quack.Duelling("cyclic", unordered=True), 1.0)
    assert environment.duels
    assert environment.unordered


ENVIRONMENTS = [
    quack.PrivateBernoulli(COIN, 1.0),
    quack.PrivateBernoulli(quack.UniformRewards([0.0, 0.5], [1.0, 1.0]), 1.0),
    quack.PrivateLaplace(quack.Empirical([[0.0, 1.0], [0.25]]), 0.5),
]


@pytest.mark.parametrize("environment", ENVIRONMENTS, ids=repr)
def test_conformance_pickle_and_repr(environment):
    quack.check_environment(environment)
    copy = pickle.loads(pickle.dumps(environment))
    assert type(copy) is type(environment)
    assert repr(copy) == repr(environment) == repr(eval(repr(environment), vars(quack)))


@pytest.mark.parametrize("kind", [quack.PrivateBernoulli, quack.PrivateLaplace])
@pytest.mark.parametrize(
    ("inner", "epsilon", "sentence"),
    [
        (COIN, 0.0, "epsilon is 0.0; a positive finite number"),
        (COIN, math.inf, "epsilon is inf"),
        (quack.Gaussian([0.5]), 1.0, "pays from -inf to inf; rewards from 0 to 1"),
        (quack.UniformRewards([0.0], [1.5]), 1.0, "pays from 0 to 1.5"),
        (quack.PrivateBernoulli(COIN, 1.0), 1.0, "are private already"),
        (quack.Bernoulli, 1.0, "is no environment"),
        (0.5, 1.0, "0.5 is no environment"),
    ],
)
def test_what_cannot_be_made_private(kind, inner, epsilon, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        kind(inner, epsilon)
