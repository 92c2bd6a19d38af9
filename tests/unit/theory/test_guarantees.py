"""The theorems of policies that play alone: their conditions, and figures worked out by hand."""

import math

import pytest

import quack
from quack.theory import guarantee

OPEN = quack.Bernoulli([0.9, 0.4])
LOG = math.log(1000)
HEAVY = quack.StudentT([0.5, 0.0], degrees=4.0)  # variance 2, E X² up to 2.25
DUELS = quack.Duelling([[0.5, 0.8, 0.7], [0.2, 0.5, 0.9], [0.3, 0.1, 0.5]])


@pytest.mark.parametrize(
    ("policy", "environment", "leading", "constant"),
    [
        (quack.UCB(sigma=0.5), OPEN, 4 * LOG / 0.5, 1.5),
        (quack.UCB(sigma=0.5, delta=1e-6), OPEN, 4 * LOG / 0.5, (1 + 1 + 1e-3) * 0.5),
        (quack.UCB(sigma=0.5, delta=1e-3), OPEN, 2 * LOG / 0.5, (1 + 1000 + 1) * 0.5),
        (quack.UCB(sigma=2.0), quack.Gaussian([1.0, 0.0], sigma=2.0), 64 * LOG, 3.0),
        (quack.UCB1(), OPEN, 16 * LOG, (1 + math.pi**2 / 3) * 0.5),
        (quack.MOSS(sigma=0.5), OPEN, 39 * 0.5 * math.sqrt(2000), 0.5),
        (quack.TruncatedMeanUCB(1.0, 2.25), HEAVY, 4 * 8 * 4 * 2.25 / 0.5 * LOG, 2.5),
        (quack.TruncatedMeanUCB(1.0, 2.25, radius=2.0), HEAVY, 4 * 4 * 8 * 4 * 2.25 / 0.5 * LOG, 2.5),
        (quack.MedianOfMeansUCB(1.0, 2.0), HEAVY, 4 * 32 * 24 / 0.5 * LOG, 4 * 32 * 24 / 0.5 / 16 + 2.5),
        (quack.CatoniUCB(moment=2.0), HEAVY, (64 / 0.5 + 4) * LOG, 2.5),
        (quack.Uniform(), OPEN, 250.0, 0.0),
        # Pairs (0, 1), (0, 2), (1, 2) cost 0.15, 0.1, 0.25 and are told apart by 0.3, 0.2, 0.2. β = 4, A = 9/4: ⌈1.22⌉ · 4/3 + 1.
        (
            quack.RUCB(alpha=3.0),
            DUELS,
            12 * LOG * (0.15 / 0.09 + 0.1 / 0.04 + 0.25 / 0.04),
            0.15 + 0.1 + 0.25 + (2 * 4 / 3 + 1) * 0.3,
        ),
    ],
    ids=lambda value: repr(value)[:40] if isinstance(value, tuple) else "",
)
def test_by_hand(policy, environment, leading, constant):
    alone = guarantee(policy, environment, 1000)
    assert (alone.leading, alone.constant) == pytest.approx((leading, constant))


def test_the_winner_may_stand_in_any_row():
    """The same duels with the arms in another order have the same guarantee; unordered pairs too."""
    order = [2, 0, 1]
    moved = [[DUELS.matrix[i][j] for j in order] for i in order]
    policy = quack.RUCB(alpha=2.0)
    for environment in (quack.Duelling(moved), quack.Duelling(DUELS.matrix, unordered=True)):
        assert guarantee(policy, environment, 1000)[:2] == pytest.approx(guarantee(policy, DUELS, 1000)[:2])


@pytest.mark.parametrize(
    ("policy", "environment", "sentence"),
    [
        (quack.ThompsonSampling(), OPEN, "no theorem with all its constants is known here for ThompsonSampling"),
        (quack.UCB(sigma=0.2), OPEN, "needs sigma of at least 0.5, because the rewards are 0.5-subgaussian"),
        (quack.UCB(), HEAVY, "is not known to be subgaussian"),
        (quack.UCB(sigma=0.5), quack.PrivateBernoulli(OPEN, 1.0), "do not differ by the gaps"),
        (quack.UCB1(), quack.Gaussian([1.0, 0.0]), "is about rewards from 0 to 1"),
        (quack.MOSS(sigma=0.5, anytime=True), OPEN, "MOSS with the horizon has one"),
        (quack.TruncatedMeanUCB(1.0, 2.0), HEAVY, r"needs moment of at least 2.25, because E\|X\|\^\(1\+ε\) is 2.25"),
        (quack.TruncatedMeanUCB(1.0, 2.25, radius=0.1), HEAVY, "is about radius=1 and above"),
        (quack.TruncatedMeanUCB(1.0, 2.25), DUELS, "do not differ by the gaps"),
        (quack.CatoniUCB(moment=1.0), HEAVY, "because the variance is 2"),
        (quack.RUCB(), DUELS, "for alpha above 3/2 there is one"),
        (quack.RUCB(alpha=3.0), quack.Duelling("mslr-no-condorcet"), "an arm that beats all others"),
        (quack.BernoulliLDPUCB(), OPEN, "is about PrivateBernoulli"),
        (quack.LaplaceLDPUCB(), OPEN, "is about PrivateLaplace"),
        (quack.LaplaceLDPUCB(epsilon=2.0), quack.PrivateLaplace(OPEN, 1.0), "epsilon up to 1.0 is covered"),
    ],
)
def test_conditions(policy, environment, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        guarantee(policy, environment, 1000)
