"""Whole-network algorithms, one a file."""

from quack.groups.base import Group
from quack.groups.coop_ucb import CoopUCB, CoopUCB2
from quack.groups.dducb import DDUCB
from quack.groups.independent import Independent
from quack.groups.pooled import Pooled
from quack.groups.quack import QuACK

__all__ = ["DDUCB", "CoopUCB", "CoopUCB2", "Group", "Independent", "Pooled", "QuACK"]
