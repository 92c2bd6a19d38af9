"""Bounds over regret curves."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from quack.environments.base import Environment
from quack.errors import SpecError
from quack.groups import Group, Pooled, QuACK
from quack.networks import Network, read
from quack.simulation.drawing import Reference, draw_legend, draw_references
from quack.theory.bounds import bound_of
from quack.theory.symbols import price_of_distance

if TYPE_CHECKING:
    import matplotlib.axes

    from quack.simulation.result import Comparison

__all__ = ["bound_curves", "draw_bounds"]


def draw_bounds(
    ax: "matplotlib.axes.Axes",
    comparison: "Comparison",
    groups: Mapping[str, Group],
    environment: Environment,
    network: Any,
) -> dict[str, str]:
    """Draw what is proven of each group beside its curve, dotted, and return for each of the others why nothing is drawn.

    Parameters
    ----------
    ax
        What ``comparison.plot()`` returned. A logarithmic axis, ``plot(log=True)``, shows curves and bounds at once.
    comparison
        What `quack.compare` returned.
    groups, environment, network
        What it was given.

    Notes
    -----
    A group has the bound of `bound_of`. QuACK with a policy of which no theorem is known has that of Theorem 1 if the comparison
    has a `quack.Pooled` of the same policy: its mean regret is S_π(mt), measured.

    Examples
    --------
    >>> import quack
    >>> groups = {"UCB": quack.QuACK(quack.UCB(sigma=0.5)), "Thompson": quack.QuACK(quack.ThompsonSampling())}
    >>> game = {"environment": quack.Bernoulli([0.9, 0.1]), "network": "star:5"}
    >>> result = quack.compare(groups, **game, horizon=200, runs=4, seed=0, progress=False)
    >>> axes = result.plot(log=True)
    >>> missing = quack.theory.draw_bounds(axes, result, groups, **game)
    >>> list(missing), [line.get_label() for line in axes.get_lines()][-1]
    (['Thompson'], 'proven bound (same colour)')
    """
    curves, missing = bound_curves(comparison, groups, environment, read(network))
    draw_references(curves, ax, "proven bound (same colour)")
    if ax.get_legend() is not None:
        draw_legend(ax, ax)
    return missing


def bound_curves(
    comparison: "Comparison", groups: Mapping[str, Group], environment: Environment, network: Network
) -> tuple[list[Reference], dict[str, str]]:
    """Return the bound on each group along its rounds, and for each of the others why there is none."""
    curves: list[Reference] = []
    missing: dict[str, str] = {}
    for label, result in comparison.items():
        group: Any = groups[label]
        try:
            bound = bound_of(group, network, environment, comparison.settings.horizon)
        except SpecError as reason:
            measured = _measured(comparison, groups, group, environment, network)
            if measured is None:
                more = f"; a Pooled({group.policy!r}) beside it would measure Theorem 1" if isinstance(group, QuACK) else ""
                missing[label] = f"{reason}{more}"
            else:
                curves.append(measured._replace(label=label))
        else:
            curves.append(Reference(label, result.rounds, bound.curve(result.rounds), bound.reference))
    return curves, missing


def _measured(
    comparison: "Comparison", groups: Mapping[str, Group], group: Any, environment: Environment, network: Network
) -> Reference | None:
    """Return Theorem 1 with the regret of the policy alone as a group of this comparison has measured it."""
    if not isinstance(group, QuACK):
        return None
    for label, result in comparison.items():
        other = groups[label]
        if isinstance(other, Pooled) and other.policy == group.policy:
            most = network.n_agents * result.rounds * float(environment.gaps.max())
            values = np.minimum(result.mean + price_of_distance(network, environment, group.leader), most)
            return Reference("", result.rounds, values, f"Theorem 1, with S_π(mt) measured by {label}")
    return None
