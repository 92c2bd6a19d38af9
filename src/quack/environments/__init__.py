"""What the actions pay, one environment a file."""

from quack.environments.base import Environment
from quack.environments.bernoulli import Bernoulli
from quack.environments.duelling import Duelling
from quack.environments.gaussian import Gaussian

__all__ = ["Bernoulli", "Duelling", "Environment", "Gaussian"]
