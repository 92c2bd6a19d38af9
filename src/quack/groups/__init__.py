"""Whole-network algorithms, one a file."""

from quack.groups.base import Group
from quack.groups.independent import Independent
from quack.groups.pooled import Pooled
from quack.groups.quack import QuACK

__all__ = ["Group", "Independent", "Pooled", "QuACK"]
