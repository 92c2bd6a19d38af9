"""Does a policy, an environment or a group keep its promises? Public: run it on your own before you trust a figure.

Each check is a function whose first docstring line says what must be true.
"""

from quack.conformance.checking import ConformanceError
from quack.conformance.environments import check_environment
from quack.conformance.groups import check_group
from quack.conformance.policies import check_policy

__all__ = ["ConformanceError", "check_environment", "check_group", "check_policy"]
