"""RUCB, CCB and Borda: traces worked out by hand, and how often the theorems let a pair duel."""

import math

import numpy as np
import pytest

import quack
from single_agent import UNLIKELY, hoeffding, trace

HORIZON = 1_000_000
# Arm 0 beats 1, 2 and 3 and loses to 4, which loses to the others: nobody beats everybody, and 0 and 1 beat three others.
CIRCLE = [
    [0.5, 0.8, 0.8, 0.8, 0.2],
    [0.2, 0.5, 0.8, 0.3, 0.8],
    [0.2, 0.2, 0.5, 0.8, 0.8],
    [0.2, 0.7, 0.2, 0.5, 0.8],
    [0.8, 0.2, 0.2, 0.2, 0.5],
]


@pytest.mark.parametrize("policy", [quack.RUCB(unordered=True), quack.CCB(unordered=True)], ids=repr)
def test_trace_by_hand(policy):
    """Two arms, of which 0 always wins. While U_10 = √(0.51 log t / W) ≥ ½, they duel (action 1); else 0 duels itself (action 0).

    t = 2, W = 1: 0.595;   3, 2: 0.529;   4, 3: 0.486;   5, 3: 0.523;   6, 4: 0.478;   7, 4: 0.498;   8, 4: 0.515;
    t = 9, W = 5: 0.473;   10, 5: 0.485
    """
    assert trace(policy, [[0.0] * 9, [1.0] * 9, []], 10) == [1, 1, 1, 0, 1, 0, 0, 1, 0, 0]


def test_trace_of_borda_by_hand():
    """Two arms: the opponent is the other one. Actions 1 and 2 are duels of arm 0 and of arm 1; √(2.3026/N) is UCB's width.

    t = 3: 1 + 1.5174, 0 + 1.5174 → 0 loses;   4: ½ + 1.0730, 1.5174 → 0 loses;   5: ⅓ + 0.8761, 1.5174 → 1 wins
    t = 6: 1.2094, ½ + 1.0730 → 1 wins;   7: ⅔ + 0.8761 → 1 loses;   8: ½ + 0.7587 → 1 loses;   9: 1.2094, ⅖ + 0.6786 → 0
    """
    pays = [[], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0, 0.0], []]
    assert trace(quack.Borda(quack.UCB(sigma=0.5)), pays, 9) == [1, 2, 1, 1, 2, 2, 2, 2, 1]


def duels_of(policy, environment, k, runs=1):
    """Return how often each ordered pair of arms has met, run by run."""
    result = quack.compare({"it": quack.Pooled(policy)}, environment, "path:1", HORIZON, runs, 0, checkpoints=1, progress=False)
    return result["it"].plays[:, -1].reshape(runs, k, k)


def beginning(k, alpha):
    """The round after which all intervals hold, but for a probability of UNLIKELY.

    Hoeffding for both sides, all pairs, and all numbers of duels up to t: Σ_{t > C} k²/2 · t · 2 t^(−2α) ≤ k² C^(2−2α)/(2α − 2).
    """
    return (k * k / ((2 * alpha - 2) * UNLIKELY)) ** (1 / (2 * alpha - 2))


def test_rucb_is_below_proposition_2():
    """Zoghi et al. (2014): after that round, i and j meet only while there were 4α log(t)/min(Δ_i, Δ_j)² duels of theirs at most.

    (Of the winner's pairs the other arm's Δ counts.) An arm that is not the winner no longer meets itself.
    """
    alpha, environment = 3.0, quack.Duelling("cyclic")
    start = beginning(4, alpha)
    met = duels_of(quack.RUCB(alpha=alpha), environment, 4)[0]
    allowed = 4 * alpha * math.log(HORIZON) / 0.1**2 + start + 1  # every arm but the winner has Δ = 0.1
    together = met + met.T
    assert together[np.triu_indices(4, 1)].max() <= allowed < HORIZON / 30
    assert np.diag(met)[1:].max() <= start
    regret = (met * environment.gaps.reshape(4, 4)).sum()
    assert regret <= allowed * (3 * 0.05 + 3 * 0.1) + start * 3 * 0.1 < 0.2 * HORIZON * environment.gaps.mean()


def test_ccb_duels_only_while_it_is_open_who_wins():
    """Zoghi et al. (2015): after that round, i and j meet only while ½ is in their interval: 4α log(t)/(P_ij − ½)² duels at most.

    An arm that is no Copeland winner no longer meets itself.
    """
    alpha, environment = 3.0, quack.Duelling(CIRCLE)
    start = beginning(5, alpha)
    met = duels_of(quack.CCB(alpha=alpha), environment, 5)[0]
    rows, columns = np.triu_indices(5, 1)
    allowed = 4 * alpha * math.log(HORIZON) / (np.array(CIRCLE)[rows, columns] - 0.5) ** 2 + start + 1
    assert ((met + met.T)[rows, columns] <= allowed).all()
    cost = environment.gaps.reshape(5, 5)
    assert np.diag(met)[np.diag(cost) > 0].max() <= start
    bound = (allowed * cost[rows, columns]).sum() + start * np.diag(cost).sum()
    assert (met * cost).sum() <= bound < 0.2 * HORIZON * cost.mean()


def test_borda_chooses_as_its_policy_does():
    """UCB's Theorem 7.1 on the Borda scores: Σ 16 σ² log(n)/Δ + 3 Σ Δ for the arms that it chooses. Threshold: Hoeffding."""
    environment, runs, horizon = quack.Duelling("arithmetic", "borda"), 200, 100_000
    result = quack.compare(
        {"it": quack.Pooled(quack.Borda(quack.UCB(sigma=0.5)))},
        environment,
        "path:1",
        horizon,
        runs,
        0,
        checkpoints=1,
        progress=False,
    )
    gaps = np.diag(environment.gaps.reshape(8, 8))
    regret = result["it"].plays[:, -1].reshape(runs, 8, 8).sum(axis=2) @ gaps
    threshold = (4 * math.log(horizon) / gaps[1:] + 3 * gaps[1:]).sum() + hoeffding(runs, width=horizon * gaps.max())
    assert regret.mean() <= threshold < 0.6 * horizon * gaps.mean()
