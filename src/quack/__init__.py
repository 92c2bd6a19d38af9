"""Cooperative multi-armed bandits: bring any single-agent bandit algorithm, get a network of agents that learn together.

    >>> import quack
    >>> result = quack.compare(
    ...     {"QuACK-UCB": quack.QuACK(quack.UCB(sigma=0.5))},
    ...     environment=quack.Bernoulli([0.5, 0.4]), network="grid:4x4", horizon=100, runs=10, seed=0, progress=False,
    ... )
    >>> result["QuACK-UCB"].regret.shape
    (10, 100)

Names are loaded when they are first used, so that importing the package takes no time. Policies, environments and networks need
NumPy only, `compare` and whatever simulates needs the laboratory (`pip install 'quack-bandits[lab]'`).
"""

import importlib
from typing import TYPE_CHECKING, Any

from quack.version import __version__

if TYPE_CHECKING:
    from quack import adapters, networks, theory
    from quack.comparison import compare
    from quack.conformance import check_environment, check_group, check_policy
    from quack.environments import (
        Bernoulli,
        BetaRewards,
        Duelling,
        Empirical,
        Environment,
        Gaussian,
        MixedRewards,
        Pareto,
        PrivateBernoulli,
        PrivateLaplace,
        Stable,
        StudentT,
        UniformRewards,
    )
    from quack.errors import (
        Interrupted,
        LocalProtocolError,
        MissingExtra,
        ProtocolError,
        QuackError,
        QuackWarning,
        RemoteProtocolError,
        SpecError,
        StoreError,
    )
    from quack.experiments.merging import merge_studies
    from quack.experiments.runner import run_study
    from quack.experiments.spec import Experiment
    from quack.experiments.study import Study, load_study
    from quack.groups import (
        CMPUCB,
        DDUCB,
        DPE2,
        MPRUCB,
        MPUCB,
        CoopUCB,
        CoopUCB2,
        DecTS,
        FollowYourLeader,
        GaussianDecTS,
        Group,
        Independent,
        Pooled,
        QuACK,
    )
    from quack.kernels import kernel
    from quack.policies import (
        CCB,
        KLUCB,
        MOSS,
        PHE,
        RUCB,
        UCB,
        UCB1,
        AsymptoticUCB,
        Bandit,
        BernoulliLDPUCB,
        Borda,
        CatoniUCB,
        EpsilonGreedy,
        ExploreThenCommit,
        GaussianThompsonSampling,
        Giro,
        LaplaceLDPUCB,
        MaillardSampling,
        MedianOfMeansUCB,
        Policy,
        ThompsonSampling,
        TruncatedMeanUCB,
        Uniform,
        from_object,
    )
    from quack.simulation.progress import Progress
    from quack.simulation.result import Comparison, GroupResult, load

__all__ = [
    "CCB",
    "CMPUCB",
    "DDUCB",
    "DPE2",
    "KLUCB",
    "MOSS",
    "MPRUCB",
    "MPUCB",
    "PHE",
    "RUCB",
    "UCB",
    "UCB1",
    "AsymptoticUCB",
    "Bandit",
    "Bernoulli",
    "BernoulliLDPUCB",
    "BetaRewards",
    "Borda",
    "CatoniUCB",
    "Comparison",
    "CoopUCB",
    "CoopUCB2",
    "DecTS",
    "Duelling",
    "Empirical",
    "Environment",
    "EpsilonGreedy",
    "Experiment",
    "ExploreThenCommit",
    "FollowYourLeader",
    "Gaussian",
    "GaussianDecTS",
    "GaussianThompsonSampling",
    "Giro",
    "Group",
    "GroupResult",
    "Independent",
    "Interrupted",
    "LaplaceLDPUCB",
    "LocalProtocolError",
    "MaillardSampling",
    "MedianOfMeansUCB",
    "MissingExtra",
    "MixedRewards",
    "Pareto",
    "Policy",
    "Pooled",
    "PrivateBernoulli",
    "PrivateLaplace",
    "Progress",
    "ProtocolError",
    "QuACK",
    "QuackError",
    "QuackWarning",
    "RemoteProtocolError",
    "SpecError",
    "Stable",
    "StoreError",
    "StudentT",
    "Study",
    "ThompsonSampling",
    "TruncatedMeanUCB",
    "Uniform",
    "UniformRewards",
    "__version__",
    "adapters",
    "check_environment",
    "check_group",
    "check_policy",
    "compare",
    "from_object",
    "kernel",
    "load",
    "load_study",
    "merge_studies",
    "networks",
    "run_study",
    "theory",
]

_HOME = {
    "AsymptoticUCB": "quack.policies",
    "Bandit": "quack.policies",
    "Bernoulli": "quack.environments",
    "BernoulliLDPUCB": "quack.policies",
    "BetaRewards": "quack.environments",
    "Borda": "quack.policies",
    "CCB": "quack.policies",
    "CMPUCB": "quack.groups",
    "CatoniUCB": "quack.policies",
    "Comparison": "quack.simulation.result",
    "CoopUCB": "quack.groups",
    "CoopUCB2": "quack.groups",
    "DDUCB": "quack.groups",
    "DPE2": "quack.groups",
    "DecTS": "quack.groups",
    "Duelling": "quack.environments",
    "Empirical": "quack.environments",
    "Environment": "quack.environments",
    "EpsilonGreedy": "quack.policies",
    "Experiment": "quack.experiments.spec",
    "ExploreThenCommit": "quack.policies",
    "FollowYourLeader": "quack.groups",
    "Gaussian": "quack.environments",
    "GaussianDecTS": "quack.groups",
    "GaussianThompsonSampling": "quack.policies",
    "Giro": "quack.policies",
    "Group": "quack.groups",
    "GroupResult": "quack.simulation.result",
    "Independent": "quack.groups",
    "Interrupted": "quack.errors",
    "KLUCB": "quack.policies",
    "LaplaceLDPUCB": "quack.policies",
    "LocalProtocolError": "quack.errors",
    "MOSS": "quack.policies",
    "MPRUCB": "quack.groups",
    "MPUCB": "quack.groups",
    "MaillardSampling": "quack.policies",
    "MedianOfMeansUCB": "quack.policies",
    "MissingExtra": "quack.errors",
    "MixedRewards": "quack.environments",
    "PHE": "quack.policies",
    "Pareto": "quack.environments",
    "Policy": "quack.policies",
    "Pooled": "quack.groups",
    "PrivateBernoulli": "quack.environments",
    "PrivateLaplace": "quack.environments",
    "Progress": "quack.simulation.progress",
    "ProtocolError": "quack.errors",
    "QuACK": "quack.groups",
    "QuackError": "quack.errors",
    "QuackWarning": "quack.errors",
    "RUCB": "quack.policies",
    "RemoteProtocolError": "quack.errors",
    "SpecError": "quack.errors",
    "Stable": "quack.environments",
    "StoreError": "quack.errors",
    "StudentT": "quack.environments",
    "Study": "quack.experiments.study",
    "ThompsonSampling": "quack.policies",
    "TruncatedMeanUCB": "quack.policies",
    "UCB": "quack.policies",
    "UCB1": "quack.policies",
    "Uniform": "quack.policies",
    "UniformRewards": "quack.environments",
    "check_environment": "quack.conformance",
    "check_group": "quack.conformance",
    "check_policy": "quack.conformance",
    "compare": "quack.comparison",
    "from_object": "quack.policies",
    "kernel": "quack.kernels",
    "load": "quack.simulation.result",
    "load_study": "quack.experiments.study",
    "merge_studies": "quack.experiments.merging",
    "run_study": "quack.experiments.runner",
}
_PARTS = ("adapters", "networks", "theory")


def __getattr__(name: str) -> Any:
    """Load a name when it is first used."""
    if name in _PARTS:
        return importlib.import_module(f"quack.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'quack' has no attribute {name!r}")
    try:
        value = getattr(importlib.import_module(_HOME[name]), name)
    except ModuleNotFoundError as error:
        if error.name != "numba":
            raise
        from quack.errors import MissingExtra

        raise MissingExtra(f"quack.{name} needs numba: pip install 'quack-bandits[lab]'") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
