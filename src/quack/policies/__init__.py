"""Single-agent bandit algorithms, one a file."""

from quack.policies.base import Bandit, Policy, from_object
from quack.policies.gaussian_thompson import GaussianThompsonSampling
from quack.policies.thompson import ThompsonSampling
from quack.policies.ucb import UCB
from quack.policies.ucb1 import UCB1
from quack.policies.uniform import Uniform

__all__ = [
    "UCB",
    "UCB1",
    "Bandit",
    "GaussianThompsonSampling",
    "Policy",
    "ThompsonSampling",
    "Uniform",
    "from_object",
]
