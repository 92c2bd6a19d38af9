"""Single-agent bandit algorithms, one a file."""

from quack.policies.base import Bandit, Policy, from_object
from quack.policies.borda import Borda
from quack.policies.ccb import CCB
from quack.policies.gaussian_thompson import GaussianThompsonSampling
from quack.policies.rucb import RUCB
from quack.policies.thompson import ThompsonSampling
from quack.policies.ucb import UCB
from quack.policies.ucb1 import UCB1
from quack.policies.uniform import Uniform

__all__ = [
    "CCB",
    "RUCB",
    "UCB",
    "UCB1",
    "Bandit",
    "Borda",
    "GaussianThompsonSampling",
    "Policy",
    "ThompsonSampling",
    "Uniform",
    "from_object",
]
