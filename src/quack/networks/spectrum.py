"""Eigenvalues and inverses of symmetric matrices with few entries, up to many rows."""

from typing import Any

import numpy as np

from quack.extras import require
from quack.kernels import Floats

__all__ = ["extremes", "inverse_diagonal"]

_DENSE = 1000  # up to so many agents, all eigenvalues cost less than a sparse search for two
_SEARCH = {"ncv": 40, "maxiter": 60, "tol": 1e-9}  # enough where the network mixes fast; λ is exact to the square of `tol`
_BLOCK = 256  # columns of an inverse that are computed at once


def extremes(matrix: Any) -> tuple[float, float, float]:
    """Return the largest, the second largest and the least eigenvalue of a symmetric matrix of at least two rows."""
    if matrix.shape[0] <= _DENSE:
        values = np.linalg.eigvalsh(matrix.toarray())
        return float(values[-1]), float(values[-2]), float(values[0])
    above = _search(matrix, 2)
    return float(max(above)), float(min(above)), float(-_search(-matrix, 1)[0])


def _search(matrix: Any, k: int) -> Floats:
    """Return the k largest eigenvalues of a large sparse symmetric matrix."""
    linalg = require("scipy.sparse.linalg", "the eigenvalues of a gossip matrix")
    start = np.cos(np.arange(matrix.shape[0]))  # any vector will do; a fixed one gives the same bits each time
    values: Floats
    try:
        values = linalg.eigsh(matrix, k, which="LA", v0=start, **_SEARCH, return_eigenvectors=False)
    except linalg.ArpackNoConvergence:
        # Where far agents are many steps away, eigenvalues lie close together. There a sparse factorisation is cheap, and the
        # search goes through the inverse, from just outside the spectrum.
        diagonal = matrix.diagonal()
        border = float((diagonal + abs(matrix).sum(axis=1) - abs(diagonal)).max()) + 1e-9  # Gershgorin's
        values = linalg.eigsh(matrix.tocsc(), k, sigma=border, v0=start, return_eigenvectors=False)
    return values


def inverse_diagonal(matrix: Any) -> tuple[Floats, Floats]:
    """Return the diagonal and the row sums of the inverse of a symmetric matrix."""
    linalg = require("scipy.sparse.linalg", "gossip")
    m = matrix.shape[0]
    factors = linalg.splu(matrix.tocsc())
    diagonal = np.empty(m)
    for first in range(0, m, _BLOCK):
        columns = np.arange(first, min(first + _BLOCK, m))
        unit = np.zeros((m, len(columns)))
        unit[columns, columns - first] = 1.0
        diagonal[columns] = factors.solve(unit)[columns, columns - first]
    return diagonal, factors.solve(np.ones(m))
