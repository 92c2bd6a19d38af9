"""What the actions pay, one environment a file."""

from quack.environments.base import Environment
from quack.environments.bernoulli import Bernoulli
from quack.environments.beta_rewards import BetaRewards
from quack.environments.duelling import Duelling
from quack.environments.empirical import Empirical
from quack.environments.gaussian import Gaussian
from quack.environments.mixed_rewards import MixedRewards
from quack.environments.pareto import Pareto
from quack.environments.private import PrivateBernoulli, PrivateLaplace
from quack.environments.stable import Stable
from quack.environments.student_t import StudentT
from quack.environments.uniform_rewards import UniformRewards

__all__ = [
    "Bernoulli",
    "BetaRewards",
    "Duelling",
    "Empirical",
    "Environment",
    "Gaussian",
    "MixedRewards",
    "Pareto",
    "PrivateBernoulli",
    "PrivateLaplace",
    "Stable",
    "StudentT",
    "UniformRewards",
]
