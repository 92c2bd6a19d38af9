"""Regret against the theorem of each policy's own paper; policies whose unit test has such a line are not repeated here."""

import math

import numpy as np
import pytest

import quack
from single_agent import assert_regret, hoeffding

GAP = 0.6
HORIZON = 1000


def test_ucb_is_below_theorem_7_1():
    """Lattimore and Szepesvári: regret ≤ Σ 16 σ² log(n)/Δ + 3 Σ Δ for δ = 1/n²."""
    bound = 16 * 0.25 * math.log(HORIZON) / GAP + 3 * GAP
    assert_regret(quack.UCB(sigma=0.5), [0.2, 0.8], HORIZON, 2000, bound)


def test_ucb1_is_below_theorem_1():
    """Auer, Cesa-Bianchi, Fischer (2002): regret ≤ 8 Σ log(n)/Δ + (1 + π²/3) Σ Δ."""
    bound = 8 * math.log(HORIZON) / GAP + (1 + math.pi**2 / 3) * GAP
    assert_regret(quack.UCB1(), [0.2, 0.8], HORIZON, 2000, bound)


def bayesian_regret(policy, worlds, horizon):
    """Return the regret of the policy in worlds drawn from its prior, one run in each."""
    return np.array(
        [
            quack.compare({"it": quack.Pooled(policy)}, world, "path:1", horizon, 1, seed, checkpoints=1, progress=False)[
                "it"
            ].final[0]
            for seed, world in enumerate(worlds)
        ]
    )


def entropy_of_the_best(means):
    """Return the entropy, in nats, of which action is the best; by symmetry of the prior all are equally likely."""
    return math.log(means.shape[1])


def test_thompson_sampling_is_below_its_information():
    """Russo and Van Roy (2016), Proposition 3: Bayesian regret ≤ √(½ k H(A*) n) for rewards in [0, 1]."""
    means = np.random.default_rng(0).random((300, 5))
    worlds = [quack.Bernoulli(row) for row in means]
    bound = math.sqrt(0.5 * 5 * entropy_of_the_best(means) * HORIZON)
    # Less than the regret of uniform play, (5/6 − 1/2) n, by more than what 300 worlds leave open.
    threshold = bound + hoeffding(300, width=HORIZON)
    assert threshold < (5 / 6 - 1 / 2) * HORIZON
    assert bayesian_regret(quack.ThompsonSampling(), worlds, HORIZON).mean() <= threshold


def test_gaussian_thompson_sampling_is_below_its_information():
    """The same for rewards that are √(σ₀² + σ²)-subgaussian before they are seen: Bayesian regret ≤ √(2 (σ₀² + σ²) k H(A*) n)."""
    means = np.random.default_rng(1).normal(size=(300, 3))
    worlds = [quack.Gaussian(row, sigma=0.5) for row in means]
    bound = math.sqrt(2 * 1.25 * 3 * entropy_of_the_best(means) * HORIZON)
    regret = bayesian_regret(quack.GaussianThompsonSampling(sigma=0.5), worlds, HORIZON)
    # Chebyshev's inequality at 1e-4: a world's regret is at most n (max μ − min μ), whose second moment is below 4.
    threshold = bound + HORIZON * math.sqrt(4 / (300 * 1e-4))
    uniform = np.mean([world.gaps.mean() for world in worlds]) * HORIZON
    assert regret.mean() <= min(threshold, uniform / 3)


@pytest.mark.parametrize(
    ("policy", "plays"),
    [
        # An action is played until twice its radius, 2 (12v)^½ (16 (L + ⅛)/N)^½, falls below Δ.
        (quack.MedianOfMeansUCB(epsilon=1.0, moment=1.0), lambda gap, n: 4 * 12 * 16 * (2 * math.log(n) + 1 / 8) / gap**2),
        # 16 v L / Δ² plays until 2 · 2 √(vL/N) falls below Δ, and not less than the 4 L before there is an estimate.
        (quack.CatoniUCB(moment=1.0), lambda gap, n: max(16 * 2 * math.log(n) / gap**2, 8 * math.log(n) + 1)),
    ],
    ids=["median of means", "Catoni"],
)
def test_robust_ucb_is_below_its_corrected_theorem(policy, plays):
    """Bubeck, Cesa-Bianchi, Lugosi (2013): each other action is played that often, and 5 times more in expectation."""
    gap, runs = 20.0, 200
    environment = quack.StudentT([gap, 0.0], degrees=6.0, scale=math.sqrt(2 / 3))  # variance 1
    assert environment.centred_moment(2.0) == pytest.approx(1.0)
    bound = gap * (plays(gap, HORIZON) + 5)
    final = quack.compare({"it": quack.Pooled(policy)}, environment, "path:1", HORIZON, runs, 0, progress=False)["it"].final
    assert final.mean() <= bound < 0.3 * gap * HORIZON / 2


def every_run_is_below(policy, environment, horizon, bound, runs=2):
    """Far below its bound in expectation, the regret is below it in every run; and uniform play pays more than twice that."""
    result = quack.compare({"it": quack.Pooled(policy)}, environment, "path:1", horizon, runs, 0, checkpoints=1, progress=False)
    assert result["it"].final.max() <= bound < 0.5 * horizon * environment.gaps.mean()


def harmonic(environment):
    """Return Σ 1/Δ over the actions that are not the best."""
    return (1 / environment.gaps[environment.gaps > 0]).sum()


@pytest.mark.parametrize("means", [[0.9, 0.6], [0.9] + [0.6] * 9, [0.9, 0.8, 0.8, 0.8, 0.7, 0.7, 0.7, 0.6, 0.6, 0.6]], ids=str)
def test_ucb1_on_the_distributions_of_its_paper(means):
    """Auer, Cesa-Bianchi, Fischer (2002), Figure 5, distributions 1, 11 and 12; ten times their 10⁵ plays."""
    environment = quack.Bernoulli(means)
    n = 1_000_000
    bound = 8 * math.log(n) * harmonic(environment) + (1 + math.pi**2 / 3) * environment.gaps.sum()
    every_run_is_below(quack.UCB1(), environment, n, bound)


TWENTY = [0.9] + [0.8] * 5 + [0.7] * 5 + [0.6] * 5 + [0.5] * 4


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_private_bits_in_the_setting_of_their_paper(epsilon):
    """Ren et al. (2020): twenty actions; 8 log(n)/(c²Δ) with c = (e^ε − 1)/(e^ε + 1), in rounds enough to mean something."""
    environment, n = quack.PrivateBernoulli(quack.Bernoulli(TWENTY), epsilon), 2_000_000
    bound = 8 * math.log(n) * harmonic(environment) / math.tanh(epsilon / 2) ** 2 + 5 * environment.gaps.sum()
    every_run_is_below(quack.BernoulliLDPUCB(epsilon=epsilon), environment, n, bound)


def test_laplace_noise_in_the_setting_of_its_paper():
    environment, n = quack.PrivateLaplace(quack.Bernoulli(TWENTY), 2.0), 2_000_000
    bound = 8 * (1 + 4 / 2.0) ** 2 * math.log(n) * harmonic(environment) + (1 + 2 * math.pi**2 / 3) * environment.gaps.sum()
    every_run_is_below(quack.LaplaceLDPUCB(epsilon=2.0), environment, n, bound, runs=1)


def test_the_truncated_mean_in_the_setting_of_the_cooperative_paper():
    """Appendix D: five actions, α = 1.9, means 0.7 and 0.4; ε = 0.85 and the least u. As many rounds as the constants need."""
    environment, n, epsilon = quack.Stable([0.7] + [0.4] * 4, alpha=1.9), 8_000_000, 0.85
    moment = environment.moment(1 + epsilon)
    plays_cost = 2 ** ((1 + epsilon) / epsilon) * 8 * (4 * moment / 0.3) ** (1 / epsilon) * math.log(n) + 5 * 0.3
    every_run_is_below(quack.TruncatedMeanUCB(epsilon, moment), environment, n, 4 * plays_cost, runs=1)


def kveton_bound(pulls, constant, gap, n):
    """The form of both theorems of Kveton et al.: Δ (16 p c/Δ² log n + 2 + 8 p/Δ² log n + 3), p times as many pseudo-rewards."""
    return 16 * pulls * constant / gap * math.log(n) + 8 * pulls / gap * math.log(n) + 5 * gap


def test_phe_is_below_theorem_1():
    """Kveton et al. (IJCAI 2019): c = 2e²√a/√(2π) · e^(16/(a − 2)) (1 + √(πa/(8(a − 2)))). It tells for large a only."""
    a, n = 10.0, 5_000_000
    constant = (
        2 * math.e**2 * math.sqrt(a / (2 * math.pi)) * math.exp(16 / (a - 2)) * (1 + math.sqrt(math.pi * a / (8 * (a - 2))))
    )
    every_run_is_below(quack.PHE(a=a), quack.Bernoulli([0.1, 0.9]), n, kveton_bound(a, constant, 0.8, n), runs=1)


def test_giro_is_below_theorem_1():
    """Kveton et al. (ICML 2019): b = (2a + 1)/(a(a + 1)), c = 2e²√(2a + 1)/√(2π) · e^(8b/(2 − b)) (1 + √(2π/(4 − 2b)))."""
    a, n = 10.0, 5_000_000
    b = (2 * a + 1) / (a * (a + 1))
    constant = 2 * math.e**2 * math.sqrt((2 * a + 1) / (2 * math.pi)) * math.exp(8 * b / (2 - b))
    constant *= 1 + math.sqrt(2 * math.pi / (4 - 2 * b))
    every_run_is_below(quack.Giro(a=a, pool=0), quack.Bernoulli([0.1, 0.9]), n, kveton_bound(2 * a + 1, constant, 0.8, n), runs=1)
