"""Many worlds, each from its seed, with everything that can go wrong: where the rules of the protocol are put to the proof."""

import math
import random

from quack.agent import Settings, Task
from quack.environments import Bernoulli
from quack.policies import UCB, EpsilonGreedy, ThompsonSampling
from quack.simulation.faults import INCIDENTS, Faults
from quack.simulation.world import Scenario

__all__ = ["mixed"]

_POLICIES = (UCB(sigma=0.5), UCB(sigma=0.5), UCB(sigma=0.2), ThompsonSampling(), EpsilonGreedy(0.2))
_MEANS = {"crash": 20, "partition": 25, "one_way": 50, "freeze": 40, "garbage": 80, "join": 100, "leave": 100}


def mixed(seed: int) -> Scenario:
    """Return the scenario of a seed in the mixed campaign: small networks, many faults, all settings.

    Examples
    --------
    >>> mixed(1).faults == mixed(1).faults
    True
    """
    rng = random.Random(f"{seed} scenario")  # noqa: S311 (no secret)
    standbys = rng.choice((0, 0, 1, 1, 2))
    nodes = rng.randint(2 + standbys, 7)
    n_actions = rng.randint(2, 4)
    windowed = rng.random() < 0.4  # noqa: PLR2004 (often, not always)
    window = rng.randint(3, 20) if windowed else None
    faults = Faults(
        loss=rng.choice((0.0, 0.05, 0.3)),
        duplication=rng.choice((0.0, 0.1)),
        delay=rng.choice((0.2, 1.0, 3.0)),
        stuck=rng.choice((0.0, 0.02)),
        slow_sync=rng.choice((0.0, 0.3)),
        torn=rng.choice((0.0, 0.5)),
        drift=rng.choice((0.0, 0.2, 0.4)),
        destroyed=rng.choice((0.0, 0.3)),
        disks=1 if standbys else 3,
        **{kind: _MEANS[kind] * rng.choice((0.5, 1.0, 2.0)) if rng.random() < _OFTEN else math.inf for kind in INCIDENTS},
    )
    task = Task(rng.choice(_POLICIES), n_actions, 2000, seed=seed, low=0.0, high=1.0)
    settings = Settings(
        standbys=standbys,
        window=window,
        batch=rng.choice((16, 64)),
        capacity=rng.choice((30, 1_000_000)),
        drain=rng.choice((5, 20)),
        eager=rng.random() < 0.3,  # noqa: PLR2004 (sometimes)
    )
    return Scenario(
        neighbours=_random_network(rng, nodes),
        environment=Bernoulli([rng.random() for _ in range(n_actions)]),
        task=task,
        settings=settings,
        faults=faults,
        arrivals=0.7,
        report=0.6 * window if window is not None else rng.choice((0.0, 5.0)),
        forgotten=0.0 if windowed else rng.choice((0.0, 0.2)),
        twice=rng.choice((0.0, 0.3)),
        elsewhere=0.0 if windowed else rng.choice((0.0, 0.2)),
        clicks=windowed,
    )


_OFTEN = 0.8


def _random_network(rng: random.Random, nodes: int) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours in a random tree with some more edges."""
    edges = {(rng.randrange(node), node) for node in range(1, nodes)}
    for _ in range(rng.randrange(nodes)):
        a, b = sorted(rng.sample(range(nodes), 2))
        edges.add((a, b))
    return tuple(tuple(sorted({a + b - node for a, b in edges if node in (a, b)})) for node in range(nodes))
