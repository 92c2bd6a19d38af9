"""One node of the real protocol, without input or output: `step(event) → effects`."""

from quack.agent.agent import Agent, State
from quack.agent.events import Asked, Event, Linked, Received, Retiring, Rewarded, Synced, Ticked, Unlinked
from quack.agent.identities import Order, Reward, Ticket
from quack.agent.rules import Rules
from quack.agent.settings import NEVER, Settings, Task

__all__ = [
    "NEVER",
    "Agent",
    "Asked",
    "Event",
    "Linked",
    "Order",
    "Received",
    "Retiring",
    "Reward",
    "Rewarded",
    "Rules",
    "Settings",
    "State",
    "Synced",
    "Task",
    "Ticked",
    "Ticket",
    "Unlinked",
]
