"""Cooperative multi-armed bandits: bring any single-agent bandit algorithm, get a network of agents that learn together.

    >>> import quack
    >>> result = quack.compare(
    ...     {"QuACK-UCB": quack.QuACK(quack.UCB(sigma=0.5))},
    ...     environment=quack.Bernoulli([0.5, 0.4]), network="grid:4x4", horizon=100, runs=10, seed=0, progress=False,
    ... )
    >>> result["QuACK-UCB"].regret.shape
    (10, 100)

Importing this module needs NumPy only; the names that need the laboratory (`pip install 'quack-bandits[lab]'`) are loaded when
they are first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

from quack import adapters, networks
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
from quack.version import __version__

if TYPE_CHECKING:
    from quack import theory
    from quack.comparison import compare
    from quack.conformance import check_environment, check_group, check_policy
    from quack.experiments.merging import merge_studies
    from quack.experiments.runner import run_study
    from quack.experiments.spec import Experiment
    from quack.experiments.study import Study, load_study
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

_LABORATORY = {
    "Comparison": "quack.simulation.result",
    "Experiment": "quack.experiments.spec",
    "GroupResult": "quack.simulation.result",
    "Progress": "quack.simulation.progress",
    "Study": "quack.experiments.study",
    "check_environment": "quack.conformance",
    "check_group": "quack.conformance",
    "check_policy": "quack.conformance",
    "compare": "quack.comparison",
    "load": "quack.simulation.result",
    "load_study": "quack.experiments.study",
    "merge_studies": "quack.experiments.merging",
    "run_study": "quack.experiments.runner",
}


def __getattr__(name: str) -> Any:
    """Load a name of the laboratory when it is first used."""
    if name == "theory":
        return importlib.import_module("quack.theory")
    if name not in _LABORATORY:
        raise AttributeError(f"module 'quack' has no attribute {name!r}")
    try:
        value = getattr(importlib.import_module(_LABORATORY[name]), name)
    except ModuleNotFoundError as error:
        if error.name != "numba":
            raise
        raise MissingExtra(f"quack.{name} needs numba: pip install 'quack-bandits[lab]'") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
