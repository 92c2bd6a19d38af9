"""Whole-network algorithms, one a file."""

from quack.groups.base import Group
from quack.groups.cmp_ucb import CMPUCB
from quack.groups.coop_ucb import CoopUCB
from quack.groups.coop_ucb2 import CoopUCB2
from quack.groups.dducb import DDUCB
from quack.groups.dec_ts import DecTS, GaussianDecTS
from quack.groups.dpe2 import DPE2
from quack.groups.follow_your_leader import FollowYourLeader
from quack.groups.independent import Independent
from quack.groups.mp_rucb import MPRUCB
from quack.groups.mp_ucb import MPUCB
from quack.groups.pooled import Pooled
from quack.groups.quack import QuACK

__all__ = [
    "CMPUCB",
    "DDUCB",
    "DPE2",
    "MPRUCB",
    "MPUCB",
    "CoopUCB",
    "CoopUCB2",
    "DecTS",
    "FollowYourLeader",
    "GaussianDecTS",
    "Group",
    "Independent",
    "Pooled",
    "QuACK",
]
