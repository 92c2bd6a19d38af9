"""Each policy against numbers worked out by hand or by another formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import quack

RNG = np.random.default_rng(0)
rewards = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def fed(policy, history, n_actions=3, horizon=100):
    state = policy.init(n_actions, horizon)
    for action, reward in history:
        policy.update(state, action, reward, np.random.default_rng(1))
    return state


def test_ucb_by_hand():
    """H = 100, σ = ½: width = 2 · ¼ · log 100² = 4.6052; after rewards (1, 0) and (1): ½ + √(4.6052/2), 1 + √4.6052."""
    state = fed(quack.UCB(sigma=0.5), [(0, 1.0), (0, 0.0), (1, 1.0)])
    assert state.optimism.tolist() == pytest.approx([0.5 + 1.517427, 1 + 2.145966, math.inf], abs=1e-6)
    assert quack.UCB().select(state, RNG) == 2


def test_ucb_plays_every_action_first_in_order_and_ties_go_to_the_lowest():
    bandit = quack.Bandit(quack.UCB(), n_actions=3, horizon=10)
    chosen = []
    for _ in range(4):
        chosen.append(bandit.select())
        bandit.update(chosen[-1], 0.5)
    assert chosen == [0, 1, 2, 0]


@given(rewards, st.floats(0.1, 3), st.floats(1e-6, 1))
def test_ucb_is_its_formula(values, sigma, delta):
    state = fed(quack.UCB(sigma=sigma, delta=delta), [(1, x) for x in values])
    n = len(values)
    assert state.optimism[1] == pytest.approx(np.mean(values) + sigma * math.sqrt(2 * math.log(1 / delta) / n))


def test_ucb_knows_the_horizon_unless_told_otherwise():
    assert quack.UCB().init(2, 50).width == pytest.approx(2 * math.log(50**2))
    assert quack.UCB(delta=0.1).init(2, 50).width == pytest.approx(2 * math.log(10))


def test_ucb1_by_hand():
    """After (0: 1), (1: 0), (2: 1), (2: 1): U_0 = 1 + √(2 log 4) = 2.6651, U_1 = 1.6651, U_2 = 1 + √(log 4) = 2.1774."""
    policy = quack.UCB1()
    state = fed(policy, [(0, 1.0), (1, 0.0), (2, 1.0), (2, 1.0)])
    assert policy.select(state, RNG) == 0
    policy.update(state, 0, 0.0, RNG)  # U_0 = ½ + √(log 5) = 1.7686 < U_2 = 1 + √(log 5) = 2.2686
    assert policy.select(state, RNG) == 2


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1)), min_size=1, max_size=30))
def test_ucb1_is_its_formula(history):
    policy = quack.UCB1()
    state = fed(policy, history)
    by_action = [[x for a, x in history if a == action] for action in range(3)]
    unplayed = [action for action in range(3) if not by_action[action]]
    chosen = policy.select(state, RNG)
    if unplayed:
        assert chosen == unplayed[0]
        return
    index = [np.mean(xs) + math.sqrt(2 * math.log(len(history)) / len(xs)) for xs in by_action]
    assert index[chosen] == pytest.approx(max(index))


def frequencies(policy, state, n=20_000):
    rng = np.random.default_rng(5)
    return np.bincount([policy.select(state, rng) for _ in range(n)], minlength=3) / n


WIDTH = math.sqrt(math.log(6e9) / (2 * 20_000))  # Hoeffding at 1e-9 for each of three frequencies


def test_thompson_chooses_with_the_posterior_probability_of_being_best():
    """Threshold: Hoeffding; the probabilities by quadrature."""
    policy = quack.ThompsonSampling(alpha=1.0, beta=2.0)
    history = [(0, 1.0)] * 3 + [(0, 0.0)] * 2 + [(1, 1.0)] + [(2, 0.0)] * 4
    state = fed(policy, history)
    assert state.alpha.tolist() == [4, 2, 1]
    assert state.beta.tolist() == [4, 2, 6]
    posteriors = [stats.beta(a, b) for a, b in zip(state.alpha, state.beta, strict=True)]
    x = (np.arange(20_000) + 0.5) / 20_000
    best = [np.mean(posteriors[a].pdf(x) * np.prod([posteriors[b].cdf(x) for b in range(3) if b != a], axis=0)) for a in range(3)]
    assert sum(best) == pytest.approx(1, abs=1e-6)
    assert np.abs(frequencies(policy, state) - best).max() <= WIDTH


def test_gaussian_thompson_chooses_with_the_posterior_probability_of_being_best():
    """Posterior of a: precision 1/σ₀² + N/σ², mean (μ₀/σ₀² + S/σ²)/precision. By quadrature; threshold: Hoeffding."""
    policy = quack.GaussianThompsonSampling(sigma=0.5, prior_mean=1.0, prior_sigma=2.0)
    state = fed(policy, [(0, 1.0), (0, 0.5), (1, 0.9), (2, -3.0)])
    precision = [0.25 + 2 * 4, 0.25 + 4, 0.25 + 4]
    mean = [(0.25 + 4 * 1.5) / precision[0], (0.25 + 4 * 0.9) / precision[1], (0.25 - 4 * 3.0) / precision[2]]
    assert (state.weighted / state.precision).tolist() == pytest.approx(mean)
    assert state.precision.tolist() == pytest.approx(precision)
    posteriors = [stats.norm(m, p**-0.5) for m, p in zip(mean, precision, strict=True)]
    x = np.linspace(-6, 6, 40_001)
    step = x[1] - x[0]
    best = [
        step * np.sum(posteriors[a].pdf(x) * np.prod([posteriors[b].cdf(x) for b in range(3) if b != a], axis=0))
        for a in range(3)
    ]
    assert sum(best) == pytest.approx(1, abs=1e-6)
    assert np.abs(frequencies(policy, state) - best).max() <= WIDTH


def test_thompson_tosses_a_coin_for_rewards_between_0_and_1():
    """The counts move by one whole success or failure, with the reward as the probability of success. Threshold: Hoeffding."""
    policy = quack.ThompsonSampling()
    state, rng, n = policy.init(1, 1), np.random.default_rng(2), 20_000
    for _ in range(n):
        policy.update(state, 0, 0.3, rng)
    assert state.alpha[0] + state.beta[0] == n + 2
    assert state.alpha[0] == int(state.alpha[0])
    assert abs((state.alpha[0] - 1) / n - 0.3) <= WIDTH


def test_thompson_draws_no_coin_for_0_and_1():
    policy = quack.ThompsonSampling()
    rng = np.random.default_rng(2)
    before = rng.bit_generator.state
    policy.update(policy.init(1, 1), 0, 1.0, rng)
    assert rng.bit_generator.state == before


def test_uniform_is_uniform():
    policy = quack.Uniform()
    assert np.abs(frequencies(policy, policy.init(3, 10)) - 1 / 3).max() <= WIDTH


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (quack.UCB(sigma=0), "UCB: sigma is 0; a positive finite number"),
        (quack.UCB(sigma=math.nan), "sigma is nan"),
        (quack.UCB(delta=0), r"delta is 0; a number in \(0, 1\]"),
        (quack.UCB(delta=1.5), "delta is 1.5"),
        (quack.ThompsonSampling(alpha=-1), "alpha is -1"),
        (quack.ThompsonSampling(beta=math.inf), "beta is inf"),
        (quack.GaussianThompsonSampling(sigma=0), "sigma is 0"),
        (quack.GaussianThompsonSampling(prior_sigma=-2), "prior_sigma is -2"),
        (quack.GaussianThompsonSampling(prior_mean=math.nan), "prior_mean is nan"),
    ],
)
def test_impossible_parameters_are_refused_before_the_first_round(policy, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        policy.init(3, 10)
    with pytest.raises(quack.SpecError, match=sentence):
        quack.compare({"it": quack.QuACK(policy)}, quack.Bernoulli([0.5]), "path:1", 1, 1, progress=False)


@pytest.mark.parametrize("policy", [quack.UCB(sigma=0.5), quack.UCB1(), quack.ThompsonSampling()], ids=repr)
def test_policies_learn(policy):
    """Regret of one agent over 2000 rounds with a gap of 0.6 is far below that of uniform play, 600, in each of 20 runs."""
    result = quack.compare({"it": quack.Pooled(policy)}, quack.Bernoulli([0.2, 0.8]), "path:1", 2000, 20, 0, progress=False)
    assert result["it"].final.max() < 60
