"""Duels: matrices, winners, what a duel costs."""

import math
import pickle

import numpy as np
import pytest

import quack
from quack.environments.duelling import Duelling, borda_scores, condorcet_winner, copeland_scores
from quack.environments.preferences import MATRICES
from quack.policies.pairs import arms, number_of_arms, pair_number
from quack.tape import AGENT, Cell, open_tape

# Three arms: 0 beats 1 with 0.6 and 2 with 0.9; 1 beats 2 with 0.7.
SMALL = [[0.5, 0.6, 0.9], [0.4, 0.5, 0.7], [0.1, 0.3, 0.5]]


@pytest.mark.parametrize("name", MATRICES)
def test_named_matrices_are_preferences(name):
    matrix = MATRICES[name]
    assert np.allclose(matrix + matrix.T, 1)
    assert (np.diag(matrix) == 0.5).all()
    Duelling(name)


def test_named_matrices_have_the_winners_of_their_papers():
    assert condorcet_winner(MATRICES["arithmetic"]) == 0
    assert MATRICES["arithmetic"][0, 7] == pytest.approx(0.85)
    assert condorcet_winner(MATRICES["cyclic"]) == 0
    cyclic = MATRICES["cyclic"]
    assert (cyclic[1, 2], cyclic[2, 3], cyclic[3, 1]) == (0.9, 0.9, 0.9)
    assert condorcet_winner(MATRICES["arxiv"]) == 0
    assert MATRICES["arxiv"][3, 5] == 0.50
    assert condorcet_winner(MATRICES["mslr"]) == 0
    assert condorcet_winner(MATRICES["mslr-no-condorcet"]) is None
    hard = MATRICES["hard-condorcet"]
    assert condorcet_winner(hard) == 9
    assert all(hard[i, j] == pytest.approx(0.5 + j / 20 + 1e-11, abs=1e-15) for i in range(10) for j in range(i))


def test_scores_by_hand():
    matrix = np.array(SMALL)
    assert copeland_scores(matrix).tolist() == [1.0, 0.5, 0.0]
    assert borda_scores(matrix) == pytest.approx([0.75, 0.55, 0.2])


@pytest.mark.parametrize(
    ("regret", "cost_01", "cost_12", "cost_22"),
    [
        ("average", 0.05, 0.25, 0.4),  # Δ = 0, 0.1, 0.4
        ("weak", 0.0, 0.1, 0.4),
        ("strong", 0.1, 0.4, 0.4),
        ("copeland", 0.25, 0.75, 1.0),
        ("borda", 0.1, 0.375, 0.55),
    ],
)
def test_what_a_duel_costs_by_hand(regret, cost_01, cost_12, cost_22):
    gaps = Duelling(SMALL, regret).gaps.reshape(3, 3)
    assert gaps[0, 0] == 0
    assert (gaps == gaps.T).all()
    assert (gaps[0, 1], gaps[1, 2], gaps[2, 2]) == pytest.approx((cost_01, cost_12, cost_22))


def test_what_duels_of_the_papers_matrices_cost_by_hand():
    """Arithmetic: Δ_j = 0.05 j. Cyclic: every loser has Δ = 0.1, beats one of two other losers.

    MSLR without a Condorcet winner: arms 0, 1 and 2 beat three of four others (0 loses to 1, 1 to 2, 2 to 0), arm 3 one, arm 4
    none. arXiv: b_0 = (0.55 + 0.55 + 0.54 + 0.61 + 0.61)/5 = 0.572, b_1 = (0.45 + 0.55 + 0.55 + 0.58 + 0.60)/5 = 0.546.
    """
    line = np.arange(8) * 0.05
    assert Duelling("arithmetic", "average").gaps.reshape(8, 8) == pytest.approx((line[:, None] + line) / 2)
    assert Duelling("arithmetic", "weak").gaps.reshape(8, 8) == pytest.approx(np.minimum(line[:, None], line))
    cyclic = {regret: Duelling("cyclic", regret).gaps.reshape(4, 4) for regret in ("average", "weak", "copeland", "borda")}
    assert [cyclic[regret][0, 1] for regret in cyclic] == pytest.approx([0.05, 0, 1 / 3, (0.6 - (0.4 + 0.9 + 0.1) / 3) / 2])
    assert [cyclic[regret][1, 2] for regret in cyclic] == pytest.approx([0.1, 0.1, 2 / 3, 0.6 - 1.4 / 3])
    copeland = Duelling("mslr-no-condorcet").gaps.reshape(5, 5)
    assert copeland[:3, :3].max() == 0
    assert (copeland[0, 3], copeland[3, 3], copeland[1, 4], copeland[3, 4]) == (0.25, 0.5, 0.375, 0.625)
    borda = Duelling("arxiv", "borda").gaps.reshape(6, 6)
    assert (borda[0, 0], borda[0, 1], borda[1, 1]) == pytest.approx((0, 0.013, 0.026))


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_pairs_have_numbers(k):
    for unordered in (False, True):
        first, second = arms(k, unordered=unordered)
        assert [pair_number(int(i), int(j), k, unordered) for i, j in zip(first, second, strict=True)] == list(range(len(first)))
        assert number_of_arms("it", len(first), unordered=unordered) == k
    assert pair_number(k - 1, 0, k, True) == pair_number(0, k - 1, k, True)


def test_unordered_duels_are_the_same_duels():
    ordered, unordered = Duelling(SMALL), Duelling(SMALL, unordered=True)
    first, second = arms(3, unordered=True)
    for action, (i, j) in enumerate(zip(first, second, strict=True)):
        assert unordered.success(action) == ordered.success(3 * i + j) == SMALL[i][j]
        assert unordered.gaps[action] == ordered.gaps[3 * i + j]


def test_the_regret_when_nobody_beats_everybody():
    assert Duelling("mslr-no-condorcet").regret == "copeland"
    assert Duelling("mslr").regret == "average"
    assert Duelling("mslr-no-condorcet").winner is None
    with pytest.raises(quack.SpecError, match="no arm beats all others.*regret='copeland'"):
        Duelling("mslr-no-condorcet", "average")


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        ([[0.5, 0.6], [0.5, 0.5]], r"P\[0, 1\] \+ P\[1, 0\] = 1.1; it must be 1"),
        ([[0.4, 0.6], [0.4, 0.5]], r"P\[0, 0\] is 0.4; an arm beats itself with probability 0.5"),
        ([[0.5, 1.6], [-0.6, 0.5]], r"P\[0, 1\] is 1.6; a probability"),
        ([[0.5, math.nan], [0.5, 0.5]], r"P\[0, 1\] is nan"),
        ([[0.5, 0.5]], r"shape \(1, 2\)"),
        ([], r"shape \(0,\)"),
        ("arxive", "no preference matrix 'arxive'. Did you mean 'arxiv'"),
        ([["a"]], "a square table of probabilities"),
    ],
)
def test_impossible_matrices(matrix, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        Duelling(matrix)


def test_an_unknown_regret_is_refused():
    with pytest.raises(quack.SpecError, match="regret is 'averge'. Did you mean 'average'"):
        Duelling(SMALL, "averge")


def test_pickle_and_repr():
    environment = Duelling(SMALL, "weak", unordered=True)
    copy = pickle.loads(pickle.dumps(environment))
    assert repr(copy) == repr(environment)
    assert repr(eval(repr(environment), {"Duelling": Duelling})) == repr(environment)


def test_a_duel_is_won_with_its_probability():
    """Threshold: Hoeffding at 1e-9."""
    environment, n = Duelling(SMALL), 20_000
    won = np.mean([environment.reward(2, Cell(open_tape(0, 0), AGENT, 1, t)) for t in range(n)])
    assert abs(won - 0.9) <= math.sqrt(math.log(2e9) / (2 * n))
    quack.check_environment(environment)
