"""Gossip: averaging over a network by talking to neighbours only.

One step replaces what each agent holds by a weighted mean of what it and its neighbours hold, x ← P x. The matrix P is symmetric
and doubly stochastic, and P_vw = 0 unless v and w are neighbours or the same. Then the mean over the network never changes, and
everybody approaches it as fast as λ^t falls, where λ is the largest absolute eigenvalue of P but the first, which is 1.
"""

import math
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np
import numpy.typing as npt

from quack.errors import SpecError, nearest
from quack.extras import require
from quack.kernels import Floats, Integers, disjoint, kernel
from quack.networks.graphs import Network
from quack.networks.spectrum import extremes, inverse_diagonal

__all__ = [
    "Gossip",
    "GossipKind",
    "averaging_matrix",
    "centrality",
    "chebyshev",
    "check_mixing",
    "check_weights",
    "gossip_matrix",
    "mix",
    "mixing_polynomial",
    "second_eigenvalue",
    "steps_to_mix",
    "whole",
]

GossipKind = Literal["paper", "metropolis", "max-degree", "best-constant", "as-published"]


class Gossip(NamedTuple):
    """A gossip matrix P in the rows of a network."""

    own: Floats  # P_vv
    weights: Floats  # P_vw in the order of `neighbours`
    offsets: Integers  # the neighbours of v are neighbours[offsets[v]:offsets[v + 1]]
    neighbours: npt.NDArray[np.int32]

    def to_scipy(self) -> Any:
        """Return P as a `scipy.sparse.csr_array`."""
        sparse = require("scipy.sparse", "gossip")
        m = len(self.own)
        apart = sparse.csr_array((self.weights, self.neighbours, self.offsets), shape=(m, m))
        return sparse.csr_array(apart + sparse.diags_array(self.own))


def gossip_matrix(network: Network, kind: GossipKind = "paper") -> Gossip:
    """Return a gossip matrix of a network.

    ::

        paper           P = I − (D − M) / (1 + d_max)
        metropolis      P_vw = 1 / (1 + max(d_v, d_w))
        max-degree      P = I − (D − M) / d_max
        best-constant   P = I − 2 (D − M) / (ℓ₂ + ℓ_m)

    and P_vv is what is missing to 1. M is the adjacency matrix, D the diagonal matrix of the degrees d_v, d_max the largest; ℓ₂
    and ℓ_m are the least positive and the largest eigenvalue of the Laplacian D − M.

    Parameters
    ----------
    network
        Any network.
    kind
        Which matrix. "as-published" is the matrix of the public code of DDUCB and Dec-TS, which on graphs whose degrees differ is
        I − D⁻¹ (D − M) D⁻¹ / (1 + d_max): a square root of the wrong sign. It is symmetric, but its rows do not sum to 1.

    References
    ----------
    B. Howson, S. Filippi, C. Pike-Burke (2025). "QuACK", Appendix D (the first matrix).
    L. Xiao, S. Boyd (2004). "Fast linear iterations for distributed averaging." Systems & Control Letters 53 (the others).

    Examples
    --------
    >>> from quack.networks import star
    >>> gossip_matrix(star(3)).to_scipy().toarray().round(3)
    array([[0.333, 0.333, 0.333],
           [0.333, 0.667, 0.   ],
           [0.333, 0.   , 0.667]])
    """
    if kind not in get_args(GossipKind):
        raise SpecError(f"there is no gossip matrix {kind!r}.{nearest(str(kind), get_args(GossipKind))}")
    degrees = network.degrees.astype(np.float64)
    owners = np.repeat(np.arange(network.n_agents), network.degrees)
    here, there = degrees[owners], degrees[network.neighbours]
    most = max(float(degrees.max()), 1.0)
    own: npt.NDArray[np.floating[Any]] | None = None
    if kind == "metropolis":
        weights = 1.0 / (1.0 + np.maximum(here, there))
    elif kind == "as-published" and network.n_agents > 1 and degrees.min() < most:
        weights = 1.0 / ((1.0 + most) * here * there)
        own = 1.0 - 1.0 / ((1.0 + most) * degrees)
    else:
        weights = np.full(len(owners), _constant(network, kind, most))
    if own is None:
        own = 1.0 - np.bincount(owners, weights, minlength=network.n_agents)
    return Gossip(np.asarray(own, np.float64), weights, network.offsets, network.neighbours)


def _constant(network: Network, kind: GossipKind, most: float) -> float:
    """Return the one weight of all edges."""
    if kind == "max-degree" and network.n_agents > 1:
        return 1.0 / most
    if kind == "best-constant" and network.n_agents > 1:
        # The eigenvalues of the Laplacian are those of P = I − (D − M)/(1 + d_max), counted from the other end.
        _, second, last = extremes(gossip_matrix(network).to_scipy())
        return 2.0 / ((1.0 + most) * ((1.0 - second) + (1.0 - last)))
    return 1.0 / (1.0 + most)


def whole(matrix: Floats) -> Gossip:
    """Return any symmetric matrix as one of gossip in which everybody talks to everybody."""
    m = len(matrix)
    neighbours = np.arange(m * m, dtype=np.int32).reshape(m, m) % m
    apart = ~np.eye(m, dtype=np.bool_)
    offsets = np.arange(m + 1, dtype=np.int64) * (m - 1)
    others = neighbours[apart]
    for array in (offsets, others):
        array.setflags(write=False)  # as those of a network: the compiler makes a program of its own for arrays that may change
    return Gossip(np.diag(matrix).copy(), matrix[apart], offsets, others)


def second_eigenvalue(gossip: Gossip, *, absolute: bool = True) -> float:
    """Return λ, the largest absolute eigenvalue of P but the first: the pace at which gossip forgets where a number came from.

    It is 0 for a single agent, and for a network in which all agents meet at once. If not `absolute`, it is the second largest
    eigenvalue, whatever its sign.

    Examples
    --------
    >>> from quack.networks import cycle
    >>> round(second_eigenvalue(gossip_matrix(cycle(16))), 6)         # (1 + 2 cos(2π/16)) / 3
    0.949253
    """
    if len(gossip.own) == 1:
        return 0.0
    _, second, last = extremes(gossip.to_scipy())
    largest = max(abs(second), abs(last)) if absolute else second
    return largest if abs(largest) > 1e-12 else 0.0  # noqa: PLR2004 (what is left of 0 by rounding)


def check_mixing(gossip: Gossip, eigenvalue: float) -> None:
    """Refuse a matrix with which agents never agree."""
    if eigenvalue >= 1.0 - 1e-12:  # rounding
        raise SpecError(
            f"the gossip matrix of these {len(gossip.own)} agents has a second eigenvalue of absolute value {eigenvalue:.6g}, so "
            "they would never agree; the matrix 'paper' mixes on every connected network"
        )


def check_weights(owner: str, gossip: Gossip) -> None:
    """Refuse a matrix with negative entries, for groups whose counts must stay positive in every single step."""
    least = min(float(gossip.own.min()), float(gossip.weights.min(initial=0.0)))
    if least < -1e-12:  # noqa: PLR2004 (rounding)
        raise SpecError(
            f"{owner}: the gossip matrix of these {len(gossip.own)} agents has an entry of {least:.6g}, with which counts may "
            "turn negative; the matrix 'paper' has no negative entries on any network"
        )


def averaging_matrix(owner: str, network: Network, kind: GossipKind) -> Gossip:
    """Return a gossip matrix for groups in which everybody averages once a round.

    Only "max-degree" can fail to mix, on networks of two sides with equal degrees; to know λ of a large network takes long.
    """
    gossip = gossip_matrix(network, kind)
    if kind == "max-degree":
        check_mixing(gossip, second_eigenvalue(gossip))
    check_weights(owner, gossip)
    return gossip


def steps_to_mix(eigenvalue: float, n_agents: int, epsilon: float, *, accelerated: bool) -> int:
    """Return after how many steps everybody knows the mean to ε/m, whatever was held before.

    ::

        accelerated   C = ⌈log(2m/ε) / √(2 log(1/λ))⌉        plain   C = ⌈log(m/ε) / log(1/λ)⌉

    Accelerated steps are those of `chebyshev`, plain ones are x ← P x.

    References
    ----------
    D. Martínez-Rubio, V. Kanade, P. Rebeschini (2019). "Decentralized cooperative stochastic bandits." NeurIPS, Lemma 3.1.

    Examples
    --------
    >>> steps_to_mix(0.949253, 16, 1 / 22, accelerated=True)
    21
    """
    if eigenvalue <= 0.0:
        return 1
    pace = math.log(1.0 / eigenvalue)
    steps = math.log(2 * n_agents / epsilon) / math.sqrt(2 * pace) if accelerated else math.log(n_agents / epsilon) / pace
    return max(1, math.ceil(steps))


def chebyshev(eigenvalue: float, steps: int) -> Floats:
    """Return the two coefficients (a_r, b_r) of each accelerated step y_{r+1} = a_r P y_r − b_r y_{r−1}.

    ::

        w₀ = 1,  w₁ = 1/λ,  w_{r+1} = 2 w_r/λ − w_{r−1};    y₁ = P y₀,    a_r = 2 w_r / (λ w_{r+1}),    b_r = w_{r−1} / w_{r+1}

    After C steps y is T_C(P/λ)/T_C(1/λ) y₀ for the Chebyshev polynomial T_C: no polynomial of this degree that keeps the mean
    shrinks the rest more.
    """
    coefficients = np.zeros((steps, 2))
    coefficients[0] = 1.0, 0.0
    if eigenvalue <= 0.0:  # everybody knows the mean after one plain step, and others change nothing
        coefficients[1:] = 1.0, 0.0
        return coefficients
    ratio = eigenvalue  # w_{r−1} / w_r, which stays finite when w does not
    for r in range(1, steps):
        following = 1.0 / (2.0 / eigenvalue - ratio)
        coefficients[r] = 2.0 * following / eigenvalue, ratio * following
        ratio = following
    return coefficients


def mixing_polynomial(gossip: Gossip, steps: Floats) -> Floats:
    """Return what steps y_{r+1} = a_r P y_r − b_r y_{r−1} make of what is held, as one matrix."""
    matrix = gossip.to_scipy()
    before, now = np.zeros((len(gossip.own), len(gossip.own))), np.eye(len(gossip.own))
    for a, b in steps:
        before, now = now, a * (matrix @ now) - b * before
    return now


def centrality(gossip: Gossip) -> Floats:
    """Return how far each agent's estimate is from the mean's when everybody averages all the time: ε_c of coop-UCB.

    ::

        ε_c^v = m Σ_{p≥2} λ_p² / (1 − λ_p²) (u_p^v)² = m [½ (I − P)⁺ + ½ (I + P)⁻¹ − I]_vv + ¾

    λ_p and u_p are the eigenvalues and orthonormal eigenvectors of P; the second form needs none, and so depends on no choice
    of them. It is 0 for an agent whose neighbours' means are everybody's at once, such as the hub of a star.

    Examples
    --------
    >>> from quack.networks import cycle
    >>> centrality(gossip_matrix(cycle(16))).round(2)[0]
    np.float64(23.55)
    """
    m = len(gossip.own)
    if m == 1:
        return np.zeros(1)
    sparse = require("scipy.sparse", "gossip")
    matrix = gossip.to_scipy().tocsc()
    identity = sparse.eye_array(m, format="csc")
    # (I − P)⁺ from the inverse without the last agent: with G its rows and columns, and a row and column of zeros,
    # (I − P)⁺ = (I − J/m) G (I − J/m) for the matrix J of ones.
    grounded, sums = inverse_diagonal((identity - matrix)[:-1, :-1])
    grounded, sums = np.append(grounded, 0.0), np.append(sums, 0.0)
    laplacian = grounded - 2.0 * sums / m + sums.sum() / m**2
    other, _ = inverse_diagonal(identity + matrix)
    extra = m * (0.5 * laplacian + 0.5 * other - 1.0) + 0.75
    return cast("Floats", np.maximum(extra, 0.0))  # 0 up to rounding


@kernel
def mix(gossip: Gossip, agent: int, held: Floats, out: Floats) -> None:
    """Write what an agent holds after one step: Σ_w P_vw x_w. Row w of `held` is x_w, and `out` is a row of something else.

    Neighbours are taken in two pairs, those that are left over first, with nothing in place of those that are missing: each pass
    over the row costs as much as the memory that it moves.
    """
    e, end = gossip.offsets[agent], gossip.offsets[agent + 1]
    who, weights, mine, own = gossip.neighbours, gossip.weights, held[agent], gossip.own[agent]
    left = (end - e) % 4
    if end == e:
        _add_pair(own, mine, 0.0, mine, 0.0, mine, out)
    elif left == 1:
        _add_pair(own, mine, weights[e], held[who[e]], 0.0, mine, out)
    elif left == 2:  # noqa: PLR2004
        _add_pair(own, mine, weights[e], held[who[e]], weights[e + 1], held[who[e + 1]], out)
    else:
        second = e + 1 - left // 3  # of three, the first comes alone
        b = 0.0 if left == 3 else weights[second]  # noqa: PLR2004
        c, d = weights[second + 1], weights[second + 2]
        _add_pairs(
            own, mine, weights[e], held[who[e]], b, held[who[second]], c, held[who[second + 1]], d, held[who[second + 2]], out
        )
    for f in range(e + left if left else e + 4, end, 4):
        a, b, c, d = weights[f], weights[f + 1], weights[f + 2], weights[f + 3]
        _add_more(a, held[who[f]], b, held[who[f + 1]], c, held[who[f + 2]], d, held[who[f + 3]], out)


@disjoint
def _add_pair(own: float, mine: Floats, a: float, first: Floats, b: float, second: Floats, out: Floats) -> None:
    for i in range(len(out)):
        out[i] = own * mine[i] + (a * first[i] + b * second[i])


@disjoint
def _add_pairs(
    own: float,
    mine: Floats,
    a: float,
    first: Floats,
    b: float,
    second: Floats,
    c: float,
    third: Floats,
    d: float,
    fourth: Floats,
    out: Floats,
) -> None:
    for i in range(len(out)):
        out[i] = own * mine[i] + (a * first[i] + b * second[i]) + (c * third[i] + d * fourth[i])


@disjoint
def _add_more(
    a: float, first: Floats, b: float, second: Floats, c: float, third: Floats, d: float, fourth: Floats, out: Floats
) -> None:
    for i in range(len(out)):
        out[i] = out[i] + (a * first[i] + b * second[i]) + (c * third[i] + d * fourth[i])
