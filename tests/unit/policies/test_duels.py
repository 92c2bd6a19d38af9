"""RUCB, CCB and Borda: by hand, against an independent statement, and on the papers' matrices."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quack
from quack.environments.duelling import Duelling
from quack.policies.borda import Borda
from quack.policies.ccb import CCB
from quack.policies.rucb import RUCB

DUELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), max_size=60)


def fed(policy, duels, k=4, seed=0):
    rng = np.random.default_rng(seed)
    state = policy.init(k * k, 1000)
    for i, j, won in duels:
        policy.update(state, i * k + j, float(won), rng)
    return state


def upper_bounds(duels, k, alpha):
    """U_ij as the paper states it, from the list of duels."""
    wins = np.zeros((k, k))
    for i, j, won in duels:
        if i != j:
            wins[(i, j) if won else (j, i)] += 1
    n = wins + wins.T
    width = alpha * math.log(len(duels) + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        upper = np.where(n > 0, wins / n + np.sqrt(width / n), 1.0)
        lower = np.where(n > 0, wins / n - np.sqrt(width / n), 0.0)
    np.fill_diagonal(upper, 0.5)
    np.fill_diagonal(lower, 0.5)
    return upper, lower


@given(DUELS)
def test_rucb_keeps_its_contenders(duels):
    state = fed(RUCB(), duels)
    if duels:
        upper, _ = upper_bounds(duels, 4, 0.51)
        assert state.contender.tolist() == (upper >= 0.5).all(axis=1).astype(int).tolist()
        if state.contender.sum() == 1:
            assert state.hypothesis[0] == state.contender.argmax()
        if state.hypothesis[0] >= 0:
            assert state.contender[state.hypothesis[0]] == 1


@given(DUELS, st.integers(0, 1000))
def test_rucb_chooses_a_contender_and_its_most_dangerous_rival(duels, seed):
    policy = RUCB()
    state = fed(policy, duels)
    upper, _ = upper_bounds(duels, 4, 0.51)
    c, d = divmod(policy.select(state, np.random.default_rng(seed)), 4)
    if state.contender.any():
        assert state.contender[c] == 1
    rivals = [upper[j, c] for j in range(4) if j != c]
    if max(rivals) >= 0.5:
        assert d != c
        assert upper[d, c] == pytest.approx(max(rivals))
    else:
        assert d == c


def test_rucb_by_hand():
    """Arm 0 beat 1, 2, 3 twelve times each: t = 37, width = 0.51 log 37 = 1.8416; U_j0 = √(1.8416/12) = 0.392 < ½ for all j."""
    state = fed(RUCB(), [(0, j, True) for j in (1, 2, 3) for _ in range(12)])
    assert state.contender.tolist() == [1, 0, 0, 0]
    assert state.hypothesis[0] == 0
    assert RUCB().select(state, np.random.default_rng(0)) == 0  # arm 0 against itself


def test_rucb_plays_its_hypothesis_half_the_time():
    """Three contenders, one of them in B: c is that one with probability ½, each other with ¼. Threshold: Hoeffding at 1e-9."""
    policy = RUCB()
    state = fed(policy, [])
    state.hypothesis[0] = 2
    state.contender[3] = 0
    rng, n = np.random.default_rng(3), 20_000
    drawn = np.bincount([policy.challenger(state, rng) for _ in range(n)], minlength=4) / n
    assert np.abs(drawn - [0.25, 0.25, 0.5, 0]).max() <= math.sqrt(math.log(8e9) / (2 * n))


def test_rucb_breaks_ties_at_random_but_not_for_itself():
    policy = RUCB()
    state = fed(policy, [])
    rng = np.random.default_rng(0)
    chosen = {divmod(policy.select(state, rng), 4) for _ in range(2000)}
    assert chosen == {(i, j) for i in range(4) for j in range(4) if i != j}


@given(DUELS)
def test_ccb_keeps_its_scores(duels):
    state = fed(CCB(), duels)
    upper, _ = upper_bounds(duels, 4, 0.51)
    off = ~np.eye(4, dtype=bool)
    if duels:
        assert state.upper.tolist() == ((upper >= 0.5) & off).sum(axis=1).tolist()
    assert state.candidate.any()
    assert 0 <= state.most_losses[0] <= 4


@given(DUELS, st.integers(0, 1000))
def test_ccb_duels_only_where_something_is_open(duels, seed):
    policy = CCB()
    state = fed(policy, duels)
    _, lower = upper_bounds(duels, 4, 0.51)
    c, d = divmod(policy.select(state, np.random.default_rng(seed)), 4)
    assert lower[c, d] <= 0.5 + 1e-12 or lower[d, c] <= 0.5 + 1e-12


# Arm 0 beats 1, 2 and 3 and loses to 4, which loses to the others: nobody beats everybody.
CIRCLE = [
    [0.5, 0.8, 0.8, 0.8, 0.2],
    [0.2, 0.5, 0.8, 0.3, 0.8],
    [0.2, 0.2, 0.5, 0.8, 0.8],
    [0.2, 0.7, 0.2, 0.5, 0.8],
    [0.8, 0.2, 0.2, 0.2, 0.5],
]


@pytest.mark.parametrize("unordered", [False, True])
@pytest.mark.parametrize(
    ("policy", "matrix"), [(RUCB, "cyclic"), (CCB, "cyclic"), (CCB, CIRCLE)], ids=["RUCB", "CCB", "CCB-circle"]
)
def test_regret_stops(policy, matrix, unordered):
    """In the last third of the rounds, the mean regret is below a fifth of what uniform play pays."""
    environment = Duelling(matrix, unordered=unordered)
    horizon = 3000
    result = quack.compare(
        {"it": quack.QuACK(policy(unordered=unordered)), "uniform": quack.QuACK(quack.Uniform())},
        environment,
        "star:6",
        horizon,
        6,
        0,
        checkpoints=[2 * horizon // 3],
        progress=False,
    )
    late = {label: (group.regret[:, -1] - group.regret[:, 0]).mean() for label, group in result.items()}
    assert late["it"] < late["uniform"] / 5


def test_unordered_pairs_halve_the_number_of_queues():
    ordered, unordered = Duelling("arxiv"), Duelling("arxiv", unordered=True)
    assert (len(ordered.gaps), len(unordered.gaps)) == (36, 21)
    # The additive term of Theorem 1 counts every action's gap.
    off = unordered.gaps.sum() - np.diag(ordered.gaps.reshape(6, 6)).sum()
    assert off == pytest.approx((ordered.gaps.sum() - np.diag(ordered.gaps.reshape(6, 6)).sum()) / 2)


def test_borda_draws_every_opponent_alike_and_tells_the_policy():
    """Threshold: Hoeffding at 1e-9."""
    policy = Borda(quack.UCB(sigma=0.5))
    state = policy.init(16, 100)
    for action, reward in ((1, 0.0), (7, 1.0), (9, 0.0), (12, 0.0)):  # arms 0, 1, 2, 3
        policy.update(state, action, reward, np.random.default_rng(0))
    assert state.policy.total.tolist() == [0, 1, 0, 0]
    rng, n = np.random.default_rng(1), 20_000
    duels = np.bincount([policy.select(state, rng) for _ in range(n)], minlength=16).reshape(4, 4) / n
    assert duels[1].sum() == 1
    assert np.abs(duels[1] - [1 / 3, 0, 1 / 3, 1 / 3]).max() <= math.sqrt(math.log(8e9) / (2 * n))


def test_borda_finds_the_borda_winner():
    """The mean Borda gap of a random opponent is paid in every round; the arm that the policy chooses costs little beside it."""
    environment = Duelling("arithmetic", "borda")
    result = quack.compare({"it": quack.QuACK(Borda(quack.UCB(sigma=0.5)))}, environment, "star:6", 3000, 4, 0, progress=False)
    first = result["it"].plays[:, -1].reshape(4, 8, 8).sum(axis=2)
    assert (first.argmax(axis=1) == 0).all()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: RUCB(alpha=0.5).init(4, 10), "alpha is 0.5; a finite number above 1/2"),
        (lambda: CCB(alpha=math.nan).init(4, 10), "alpha is nan"),
        (lambda: RUCB().init(5, 10), "plays duels: its actions are ordered pairs of k arms, k²; 5 is no such number"),
        (lambda: CCB(unordered=True).init(4, 10), "4 is no such number"),
        (lambda: Borda(RUCB()).init(4, 10), "Borda takes a policy that plays arms"),
        (lambda: Borda(quack.UCB).init(4, 10), "UCB is a class, not a policy"),
    ],
)
def test_impossible_parameters(make, sentence):
    with pytest.raises(quack.SpecError, match=sentence):
        make()


@pytest.mark.parametrize("policy", [RUCB(), CCB(), Borda(quack.UCB(sigma=0.5))], ids=repr)
def test_one_arm(policy):
    state, rng = policy.init(1, 5), np.random.default_rng(0)
    for _ in range(5):
        assert policy.select(state, rng) == 0
        policy.update(state, 0, 1.0, rng)


@pytest.mark.parametrize(
    ("policy", "environment"),
    [
        (RUCB(), Duelling("cyclic")),
        (CCB(unordered=True), Duelling("mslr-no-condorcet", unordered=True)),
        (Borda(quack.ThompsonSampling()), Duelling("arxiv")),
    ],
    ids=["RUCB", "CCB", "Borda"],
)
def test_conformance(policy, environment):
    quack.check_policy(policy, environment)


def cooperate(policy, environment):
    return quack.compare({"it": quack.QuACK(policy)}, environment, "path:2", 3, 1, 0, engine="interpreted", progress=False)


def test_duels_and_arms_do_not_mix():
    with pytest.raises(quack.SpecError, match="'it' plays duels, but an action of Bernoulli"):
        cooperate(RUCB(), quack.Bernoulli([0.5] * 4))
    with pytest.raises(quack.SpecError, match="count pairs differently: give both unordered=True"):
        cooperate(RUCB(), Duelling("cyclic", unordered=True))
    assert cooperate(quack.Uniform(), Duelling("cyclic")).complete  # any policy may take each duel as an arm of its own


@pytest.mark.parametrize("private", [False, True])
def test_rucb_is_warned_when_nobody_beats_everybody(private):
    environment = Duelling("mslr-no-condorcet")
    with pytest.warns(quack.QuackWarning, match="needs an arm that beats all others, .* quack.CCB needs none"):
        cooperate(RUCB(), quack.PrivateBernoulli(environment, 1.0) if private else environment)
    assert cooperate(RUCB(), quack.PrivateBernoulli(Duelling("mslr"), 1.0)).complete
