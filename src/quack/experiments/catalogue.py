"""The figures that `quack figure` draws: what is played in each, written as in Python, and how it is shown.

What the paper leaves open is a `Choices`: horizon, σ, the moment u and its order ε, the seed. Everything else stands here.
"""

import math
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from quack.errors import SpecError, nearest
from quack.networks import leader, read, total_distance

__all__ = ["CATALOGUE", "Choices", "Entry", "Kind", "Study", "entry_called"]

Kind = Literal["curves", "against", "ranking", "bounds", "queues"]

_PAPER = "Bernoulli([0.5] + [0.45] * 9)"
_STABLE = "Stable([0.7] + [0.4] * 4, alpha=1.9)"
_PRIVATE = "Bernoulli([0.9] + [0.8] * 5 + [0.7] * 5 + [0.6] * 5 + [0.5] * 4)"
_SIDES = (4, 6, 8, 10, 12, 14)


class Choices(NamedTuple):
    """What the paper does not say, and how much is played.

    Attributes
    ----------
    horizon, runs, seed
        As in `quack.compare`. The paper has 100 runs and does not say the horizon.
    sigma
        σ of UCB, coop-UCB and DDUCB. Rewards in [0, 1] are ½-subgaussian.
    moment, epsilon
        u and ε of the truncated mean: E|X|^(1+ε) ≤ u. The defaults hold with equality for the paper's α-stable rewards.
    radius
        What the width of the truncated mean's interval is multiplied by; the theory has 1, with which every algorithm explores
        almost uniformly at any horizon that can be played.
    """

    horizon: int
    runs: int
    seed: int = 0
    sigma: float = 0.5
    moment: float = 5.67
    epsilon: float = 0.85
    radius: float = 0.25


class Study(NamedTuple):
    """Groups on one network: a panel of a figure, or one point of the lines in it."""

    panel: str
    network: str
    environment: str
    groups: Mapping[str, str]
    at: float = math.nan  # the place on the horizontal axis, where that is not the round


class Entry(NamedTuple):
    """A figure.

    Attributes
    ----------
    name
        What it is called on the command line.
    source
        Which figure of the paper it is; empty if the paper has none.
    shows
        What it shows, for the list and the caption.
    kind
        "curves": regret over rounds; "against": final regret over something else; "ranking": final regret, a row for each group;
        "bounds": the same beside what is proven; "queues": the longest queue over rounds.
    studies
        What is played, given the choices.
    horizon, runs
        By default.
    quick
        Horizon and runs with ``--quick``.
    against
        What the horizontal axis counts, of kind "against".
    log
        Which axes are logarithmic: "", "x", "y", "xy".
    """

    name: str
    source: str
    shows: str
    kind: Kind
    studies: Callable[[Choices], list[Study]]
    horizon: int = 10_000
    runs: int = 100
    quick: tuple[int, int] = (2_000, 10)
    against: str = ""
    log: str = ""


def _sizes(family: str) -> list[tuple[int, str]]:
    return [(side * side, f"grid:{side}x{side}" if family == "grid" else f"{family}:{side * side}") for side in _SIDES]


def _rivals(choices: Choices) -> dict[str, str]:
    """Return the five algorithms of the paper's main experiment."""
    sigma = f"sigma={choices.sigma:g}"
    return {
        "QuACK-UCB": f"QuACK(UCB({sigma}))",
        "coop-UCB": f"CoopUCB(gamma=1.01, {sigma})",
        "DDUCB": f"DDUCB(eta=2.0, epsilon=1/22, {sigma})",
        "QuACK-TS": "QuACK(ThompsonSampling())",
        "Dec-TS": "DecTS()",
    }


def _main(choices: Choices) -> list[Study]:
    networks = ("cycle:196", "grid:14x14", "star:196")
    return [Study(network, network, _PAPER, _rivals(choices)) for network in networks]


def _panels(family: str) -> Callable[[Choices], list[Study]]:
    def studies(choices: Choices) -> list[Study]:
        return [Study(network, network, _PAPER, _rivals(choices)) for _, network in _sizes(family)]

    return studies


def _scaling(choices: Choices) -> list[Study]:
    return [
        Study(family, network, _PAPER, _rivals(choices), at=m)
        for family in ("cycle", "grid", "star")
        for m, network in _sizes(family)
    ]


def _heavy(family: str) -> Callable[[Choices], list[Study]]:
    def studies(choices: Choices) -> list[Study]:
        policy = f"TruncatedMeanUCB(epsilon={choices.epsilon:g}, moment={choices.moment:g}, radius={choices.radius:g})"
        groups = {"QuACK": f"QuACK({policy})"}
        for count, label in ((1, "1 leader"), (2, "2 leaders"), (4, "4 leaders")):
            groups[f"CMP-UCB, {label}"] = f"CMPUCB({policy}, leaders={count})"
        return [Study(network, network, _STABLE, groups) for _, network in _sizes(family)[:3]]

    return studies


def _duels(_choices: Choices) -> list[Study]:
    groups = {
        "QuACK-RUCB": "QuACK(RUCB())",
        "QuACK-CCB": "QuACK(CCB())",
        "MP-RUCB": "MPRUCB(gamma=1)",
        "no cooperation": "Independent(RUCB())",
        "pooled": "Pooled(RUCB())",
    }
    matrices = ("arithmetic", "arxiv", "mslr")
    return [Study(f"{matrix}, grid:6x6", "grid:6x6", f"Duelling('{matrix}')", groups) for matrix in matrices]


def _privacy(_choices: Choices) -> list[Study]:
    studies = []
    for family in ("cycle:64", "grid:8x8", "star:64"):
        for epsilon in (0.5, 1.0, 2.0, 4.0, 8.0):
            bits = {"bits (CTB), LDP-UCB-B": "QuACK(BernoulliLDPUCB())"}
            noise = {"Laplace noise, LDP-UCB-L": f"QuACK(LaplaceLDPUCB(epsilon={epsilon:g}))"}
            open_ = {"not private, UCB1": "QuACK(UCB1())"}
            studies += [
                Study(family, family, f"PrivateBernoulli({_PRIVATE}, epsilon={epsilon:g})", bits, epsilon),
                Study(family, family, f"PrivateLaplace({_PRIVATE}, epsilon={epsilon:g})", noise, epsilon),
                Study(family, family, _PRIVATE, open_, epsilon),
            ]
    return studies


def _like_for_like(choices: Choices) -> list[Study]:
    """Give every algorithm the bonus σ√(4 log(mn)/N) of QuACK-UCB at the horizon, and QuACK the bonus of coop-UCB without ε_c."""
    sigma = f"sigma={choices.sigma:g}"
    studies = []
    for network in ("cycle:196", "grid:14x14", "star:196"):
        gamma = 2 * math.log(196 * choices.horizon) / math.log(max(choices.horizon, 2))
        delta = float(max(choices.horizon, 2)) ** -1.01
        groups = {
            "QuACK-UCB": f"QuACK(UCB({sigma}))",
            "coop-UCB, same bonus": f"CoopUCB(gamma={gamma:.6g}, {sigma}, epsilon_c=0)",
            "DDUCB, same bonus": f"DDUCB(eta=2.0, epsilon=1/22, {sigma})",
            "coop-UCB, γ = 1.01, ε_c = 0": f"CoopUCB(gamma=1.01, {sigma}, epsilon_c=0)",
            "QuACK, that bonus": f"QuACK(UCB({sigma}, delta={delta:.6g}))",
        }
        studies.append(Study(network, network, _PAPER, groups))
    return studies


def _policies(choices: Choices) -> list[Study]:
    sigma = f"sigma={choices.sigma:g}"
    policies = (
        *(f"UCB({sigma})", "UCB1()", f"AsymptoticUCB({sigma})", f"MOSS({sigma})", "KLUCB()"),
        *("ThompsonSampling()", f"GaussianThompsonSampling({sigma})", "Giro()", "PHE()", f"MaillardSampling({sigma})"),
        *("EpsilonGreedy()", "ExploreThenCommit()", "Uniform()"),
    )
    groups = {policy: f"QuACK({policy})" for policy in policies}
    return [Study(network, network, _PAPER, groups) for network in ("cycle:64", "grid:8x8", "star:64")]


def _bounds(choices: Choices) -> list[Study]:
    sigma = f"sigma={choices.sigma:g}"
    truncated = f"TruncatedMeanUCB(epsilon={choices.epsilon:g}, moment={choices.moment:g}, radius=1)"
    subgaussian = {
        "QuACK-UCB": f"QuACK(UCB({sigma}))",
        "DDUCB": f"DDUCB(eta=2.0, epsilon=1/22, {sigma})",
    }
    more = {"QuACK-UCB1": "QuACK(UCB1())", "QuACK-MOSS": f"QuACK(MOSS({sigma}))", "pooled UCB": f"Pooled(UCB({sigma}))"}
    private = f"PrivateBernoulli({_PRIVATE}, epsilon=2)"
    noisy = f"PrivateLaplace({_PRIVATE}, epsilon=2)"
    return [
        Study("cycle:64", "cycle:64", _PAPER, subgaussian),
        Study("grid:8x8", "grid:8x8", _PAPER, subgaussian | more),
        Study("star:64", "star:64", _PAPER, subgaussian),
        Study("duels, grid:8x8", "grid:8x8", "Duelling('arithmetic')", {"QuACK-RUCB": "QuACK(RUCB(alpha=2))"}),
        Study("private, grid:8x8", "grid:8x8", private, {"QuACK-LDP-UCB-B, ε = 2": "QuACK(BernoulliLDPUCB())"}),
        Study("private, grid:8x8", "grid:8x8", noisy, {"QuACK-LDP-UCB-L, ε = 2": "QuACK(LaplaceLDPUCB(epsilon=2))"}),
        Study("heavy tails, grid:8x8", "grid:8x8", _STABLE, {"QuACK-truncated mean": f"QuACK({truncated})"}),
    ]


def _queues(choices: Choices) -> list[Study]:
    groups = {"QuACK-UCB": f"QuACK(UCB(sigma={choices.sigma:g}))", "QuACK-TS": "QuACK(ThompsonSampling())"}
    return [Study(network, network, _PAPER, groups) for network in ("cycle:36", "grid:6x6", "star:36")]


def _delay(choices: Choices) -> list[Study]:
    """Move the leader from the median to the rim."""
    places = {"path:101": (50, 40, 30, 20, 10, 0), "grid:11x11": (60, 48, 36, 24, 12, 0), "star:101": (0, 1)}
    studies = []
    for network, leaders in places.items():
        graph = read(network)
        for agent in leaders:
            groups = {
                "QuACK-UCB": f"QuACK(UCB(sigma={choices.sigma:g}), leader={agent})",
                "QuACK-TS": f"QuACK(ThompsonSampling(), leader={agent})",
            }
            studies.append(Study(network, network, _PAPER, groups, total_distance(graph, leader(graph, agent))))
    return studies


CATALOGUE: tuple[Entry, ...] = (
    Entry("main", "Figure 1", "Group regret of 196 agents on a cycle, a grid and a star", "curves", _main, log="y"),
    Entry("cycle", "App. D, cycles", "Group regret on cycles of 16 to 196 agents", "curves", _panels("cycle"), log="y"),
    Entry("grid", "App. D, grids", "Group regret on grids of 16 to 196 agents", "curves", _panels("grid"), log="y"),
    Entry("star", "App. D, stars", "Group regret on stars of 16 to 196 agents", "curves", _panels("star"), log="y"),
    Entry(
        "scaling",
        "App. D, scaling",
        "Final group regret over the number of agents",
        "against",
        _scaling,
        against="number of agents",
        log="y",
    ),
    Entry("heavy-cycle", "App. D, heavy tails", "α-stable rewards on cycles", "curves", _heavy("cycle"), 2_000, quick=(500, 10)),
    Entry("heavy-grid", "App. D, heavy tails", "α-stable rewards on grids", "curves", _heavy("grid"), 2_000, quick=(500, 10)),
    Entry("duels", "", "Duels: any policy for duels becomes cooperative", "curves", _duels, log="y"),
    Entry(
        "privacy", "", "Local privacy: final group regret over ε", "against", _privacy, against="privacy parameter ε", log="xy"
    ),
    Entry("like-for-like", "", "The same bonus in every algorithm, 196 agents", "curves", _like_for_like, log="y"),
    Entry("policies", "", "Every policy for rewards in [0, 1] inside QuACK, 64 agents", "ranking", _policies, log="x"),
    Entry("bounds", "", "Measured regret beside what is proven", "bounds", _bounds, log="x"),
    Entry("queues", "", "The longest reward queue, and Lemma 2", "queues", _queues, 500, 10, (200, 4)),
    Entry(
        "delay",
        "",
        "The leader from the median to the rim: final group regret over the sum of distances",
        "against",
        _delay,
        against="sum of distances from the leader",
    ),
)
"""Every figure, in the order of the list."""


def entry_called(name: str) -> Entry:
    """Return a figure by its name."""
    by_name = {entry.name: entry for entry in CATALOGUE}
    if name not in by_name:
        raise SpecError(f"there is no figure {name!r}.{nearest(name, by_name)} Known are {', '.join(by_name)}")
    return by_name[name]
