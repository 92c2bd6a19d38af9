"""Single-agent bandit algorithms, one a file."""

from quack.policies.asymptotic_ucb import AsymptoticUCB
from quack.policies.bandit import Bandit
from quack.policies.base import Policy, from_object
from quack.policies.bernoulli_ldp_ucb import BernoulliLDPUCB
from quack.policies.borda import Borda
from quack.policies.catoni import CatoniUCB
from quack.policies.ccb import CCB
from quack.policies.epsilon_greedy import EpsilonGreedy
from quack.policies.explore_then_commit import ExploreThenCommit
from quack.policies.gaussian_thompson import GaussianThompsonSampling
from quack.policies.giro import Giro
from quack.policies.kl_ucb import KLUCB
from quack.policies.laplace_ldp_ucb import LaplaceLDPUCB
from quack.policies.maillard import MaillardSampling
from quack.policies.median_of_means import MedianOfMeansUCB
from quack.policies.moss import MOSS
from quack.policies.phe import PHE
from quack.policies.rucb import RUCB
from quack.policies.thompson import ThompsonSampling
from quack.policies.truncated_mean import TruncatedMeanUCB
from quack.policies.ucb import UCB
from quack.policies.ucb1 import UCB1
from quack.policies.uniform import Uniform

__all__ = [
    "CCB",
    "KLUCB",
    "MOSS",
    "PHE",
    "RUCB",
    "UCB",
    "UCB1",
    "AsymptoticUCB",
    "Bandit",
    "BernoulliLDPUCB",
    "Borda",
    "CatoniUCB",
    "EpsilonGreedy",
    "ExploreThenCommit",
    "GaussianThompsonSampling",
    "Giro",
    "LaplaceLDPUCB",
    "MaillardSampling",
    "MedianOfMeansUCB",
    "Policy",
    "ThompsonSampling",
    "TruncatedMeanUCB",
    "Uniform",
    "from_object",
]
