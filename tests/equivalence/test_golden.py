"""Golden numbers: a seed of an unchanged specification gives the same result in the next version.

Each line is the plays of every action after the last round, run 0 and run 1. Whoever changes one changes published results: the
changelog must say so.
"""

import pytest

import quack

BERNOULLI = quack.Bernoulli([0.5, 0.45, 0.4])
GAUSSIAN = quack.Gaussian([0.5, 0.0, 0.25], sigma=0.5)
STABLE = quack.Stable([0.5, 0.0, 0.25], alpha=1.9)
ER = "erdos-renyi:10,0.3,seed=1"

GOLDEN = [
    (quack.QuACK(quack.UCB(sigma=0.5)), BERNOULLI, "grid:4x4"),
    (quack.QuACK(quack.UCB(sigma=0.5), leader=0), BERNOULLI, "path:7"),
    (quack.QuACK(quack.UCB1()), BERNOULLI, ER),
    (quack.QuACK(quack.ThompsonSampling()), BERNOULLI, "star:8"),
    (quack.QuACK(quack.GaussianThompsonSampling(sigma=0.5)), GAUSSIAN, "cycle:9"),
    (quack.QuACK(quack.Uniform()), GAUSSIAN, "watts-strogatz:12,4,0.3,seed=2"),
    (quack.Independent(quack.ThompsonSampling()), BERNOULLI, "barabasi-albert:9,2,seed=5"),
    (quack.Independent(quack.UCB(sigma=0.5)), GAUSSIAN, "complete:5"),
    (quack.Pooled(quack.UCB1()), BERNOULLI, "random-regular:8,3,seed=7"),
    (quack.QuACK(quack.AsymptoticUCB(sigma=0.5)), GAUSSIAN, "grid:3x3"),
    (quack.QuACK(quack.MOSS(sigma=0.5)), BERNOULLI, "grid:3x3"),
    (quack.QuACK(quack.KLUCB()), BERNOULLI, "grid:3x3"),
    (quack.QuACK(quack.Giro()), BERNOULLI, "grid:3x3"),
    (quack.QuACK(quack.PHE()), BERNOULLI, "grid:3x3"),
    (quack.QuACK(quack.MaillardSampling()), BERNOULLI, "grid:3x3"),
    (quack.QuACK(quack.RUCB()), quack.Duelling("cyclic"), "grid:3x3"),
    (quack.QuACK(quack.CCB()), quack.Duelling("cyclic"), "grid:3x3"),
    (quack.MPUCB(quack.UCB(sigma=0.5), gamma=2), BERNOULLI, "grid:3x3"),
    (quack.MPUCB(quack.ThompsonSampling(), gamma=1), BERNOULLI, "cycle:9"),
    (quack.CMPUCB(radius=0.1, leaders=2), STABLE, "grid:3x3"),
    (quack.CMPUCB(radius=0.1, gamma=1, follow="distance", before="policy"), STABLE, "path:9"),
    (quack.MPRUCB(gamma=2), quack.Duelling("cyclic"), "grid:3x3"),
    (quack.FollowYourLeader(quack.RUCB()), quack.Duelling("cyclic"), "grid:3x3"),
    (quack.DPE2(), BERNOULLI, "grid:3x3"),
]
PLAYS = [
    [[377, 269, 154], [247, 408, 145]],
    [[166, 65, 119], [113, 161, 76]],
    [[216, 156, 128], [124, 273, 103]],
    [[251, 66, 83], [75, 249, 76]],
    [[419, 8, 23], [429, 7, 14]],
    [[194, 212, 194], [193, 219, 188]],
    [[160, 166, 124], [147, 142, 161]],
    [[151, 24, 75], [146, 31, 73]],
    [[170, 128, 102], [87, 232, 81]],
    [[397, 14, 39], [389, 21, 40]],
    [[199, 149, 102], [95, 279, 76]],
    [[220, 128, 102], [95, 279, 76]],
    [[189, 149, 112], [104, 261, 85]],
    [[230, 100, 120], [86, 279, 85]],
    [[202, 137, 111], [104, 261, 85]],
    [[0, 1, 126, 221, 46, 2, 1, 2, 0, 20, 1, 10, 0, 0, 19, 1], [0, 134, 38, 136, 36, 1, 0, 18, 2, 27, 0, 2, 18, 1, 37, 0]],
    [[0, 25, 117, 189, 28, 2, 1, 19, 9, 20, 1, 1, 9, 9, 19, 1], [0, 117, 38, 144, 27, 1, 0, 18, 11, 27, 0, 2, 18, 1, 46, 0]],
    [[119, 201, 130], [205, 151, 94]],
    [[252, 141, 57], [186, 146, 118]],
    [[372, 60, 18], [337, 31, 82]],
    [[293, 100, 57], [83, 78, 289]],
    [[0, 141, 156, 59, 1, 0, 1, 31, 6, 19, 0, 3, 12, 0, 21, 0], [0, 188, 19, 151, 1, 0, 0, 28, 14, 23, 0, 0, 0, 0, 26, 0]],
    [[12, 7, 10, 5, 4, 92, 0, 8, 0, 8, 296, 1, 0, 0, 7, 0], [400, 15, 3, 1, 1, 0, 0, 12, 2, 8, 0, 0, 8, 0, 0, 0]],
    [[379, 61, 10], [40, 219, 191]],
]


@pytest.mark.parametrize(("case", "plays"), list(zip(GOLDEN, PLAYS, strict=True)), ids=lambda value: repr(value)[:60])
def test_plays(case, plays):
    group, environment, network = case
    result = quack.compare({"it": group}, environment, network, 50, 2, 2024, engine="interpreted", progress=False)
    assert result["it"].plays[:, -1].tolist() == plays
