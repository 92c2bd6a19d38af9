"""Preference matrices that the literature uses: P_ij is the probability that arm i beats arm j."""

import numpy as np

from quack.errors import SpecError, nearest
from quack.kernels import Floats

__all__ = ["MATRICES", "named_matrix"]


def _from_upper(k: int, upper: list[float]) -> Floats:
    """Complete a matrix from what stands above its diagonal, row by row."""
    matrix = np.full((k, k), 0.5)
    rows, columns = np.triu_indices(k, 1)
    matrix[rows, columns] = upper
    matrix[columns, rows] = 1 - np.array(upper)
    return matrix


def _arithmetic() -> Floats:
    """Eight arms in a line, 0.05 a step (Komiyama et al. 2015)."""
    places = np.arange(8)
    return np.asarray(0.5 + 0.05 * (places[None, :] - places[:, None]))


def _hard_condorcet() -> Floats:
    """Ten arms of which the last wins, against arm 0 by next to nothing (Urvoy et al. 2013)."""
    k = 10
    beaten = np.arange(k) / (2 * k) + 1e-10 / k  # of arm j, by every later one
    upper = [0.5 - beaten[i] for i in range(k) for _ in range(i + 1, k)]
    return _from_upper(k, upper)


# Sources: the data files of J. Komiyama, J. Honda, H. Kashima, H. Nakagawa (2015), "Regret lower bound and optimal algorithm in
# dueling bandit problem", COLT, for the first three; H. Wu, X. Liu (2016), "Double Thompson sampling for dueling bandits",
# NeurIPS, for the two of the Microsoft learning-to-rank data; T. Urvoy, F. Clérot, R. Féraud, S. Naamane (2013), "Generic
# exploration and k-armed voting bandits", ICML, for "hard-condorcet", without the shuffling of the arms.
MATRICES: dict[str, Floats] = {
    "arithmetic": _arithmetic(),
    "cyclic": _from_upper(4, [0.6, 0.6, 0.6, 0.9, 0.1, 0.9]),
    "arxiv": _from_upper(6, [0.55, 0.55, 0.54, 0.61, 0.61, 0.55, 0.55, 0.58, 0.60, 0.54, 0.51, 0.56, 0.54, 0.50, 0.51]),
    "hard-condorcet": _hard_condorcet(),
    "mslr": _from_upper(
        5,
        [
            *(0.53519466, 0.6125935, 0.75696008, 0.76547422),
            *(0.57985831, 0.72745116, 0.73820053),
            *(0.65895708, 0.66877089),
            0.50999465,
        ],
    ),
    "mslr-no-condorcet": _from_upper(5, [0.484, 0.519, 0.529, 0.518, 0.481, 0.530, 0.539, 0.504, 0.512, 0.503]),
}
"""Every named matrix. In "mslr-no-condorcet" no arm beats all others."""


def named_matrix(name: str) -> Floats:
    """Return a matrix by its name."""
    if name not in MATRICES:
        raise SpecError(f"there is no preference matrix {name!r}.{nearest(name, MATRICES)} Known are {', '.join(MATRICES)}")
    return MATRICES[name]
