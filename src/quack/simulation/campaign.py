"""Many worlds, each from its seed, with everything that can go wrong: where the rules of the protocol are put to the proof."""

import gc
import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from quack.agent import Settings, Task
from quack.environments import Bernoulli
from quack.policies import UCB, EpsilonGreedy, ThompsonSampling
from quack.simulation.checker import check
from quack.simulation.faults import INCIDENTS, Faults
from quack.simulation.scenario import Scenario
from quack.simulation.world import World

__all__ = ["Outcome", "campaign", "judge", "mixed"]

_POLICIES = (UCB(sigma=0.5), UCB(sigma=0.5), UCB(sigma=0.2), ThompsonSampling(), EpsilonGreedy(0.2))
_MEANS = {"crash": 16, "partition": 20, "one_way": 40, "freeze": 30, "garbage": 60, "join": 80, "leave": 80}


def mixed(seed: int) -> Scenario:
    """Return the scenario of a seed in the mixed campaign: small networks, many faults, all settings.

    Examples
    --------
    >>> mixed(1).faults == mixed(1).faults
    True
    """
    rng = random.Random(f"{seed} scenario")  # noqa: S311 (no secret)
    standbys = rng.choice((0, 0, 1, 1, 2))
    nodes = rng.randint(2 + standbys, 6)
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


class Outcome(NamedTuple):
    """What became of some worlds."""

    seeds: int = 0
    counts: Mapping[str, int] = MappingProxyType({})  # of everything that happened, by kind
    violations: tuple[tuple[int, str], ...] = ()  # of the first bad seed: the seed, and what is wrong

    def joined(self, other: "Outcome") -> "Outcome":
        """Return both together."""
        counts = Counter(self.counts) + Counter(other.counts)
        return Outcome(self.seeds + other.seeds, counts, self.violations or other.violations)


def judge(seeds: Sequence[int]) -> Outcome:
    """Run the worlds of some seeds, one after the other, until one breaks an invariant.

    Examples
    --------
    >>> judge(range(3)).violations
    ()
    """
    gc.set_threshold(200_000, 50, 50)  # a world makes many small things and no cycles
    counts: Counter[str] = Counter()
    for number, seed in enumerate(seeds, 1):
        scenario = mixed(seed)
        try:
            facts = World(scenario, seed).run()
            violations = check(facts, scenario.task.policy)
        except Exception as error:
            error.add_note(f"in the world of seed {seed}; quack simulate --replay {seed} shows it again")
            raise
        counts.update(fact["kind"] for fact in facts)
        counts["events"] += sum(facts[-1]["events"].values())
        if violations:
            return Outcome(number, counts, tuple((seed, str(violation)) for violation in violations))
    return Outcome(len(seeds), counts)


def campaign(first: int, count: int, workers: int, tell: Callable[[Outcome], object]) -> Outcome:
    """Run so many worlds on several processes; stop at the first that breaks an invariant.

    Parameters
    ----------
    first, count
        The seeds: first, first + 1, …
    workers
        The number of processes.
    tell
        Called with what is known so far, whenever some worlds are finished.
    """
    total = Outcome()
    pieces = (range(seed, min(seed + _PIECE, first + count)) for seed in range(first, first + count, _PIECE))
    if workers == 1:
        for piece in pieces:
            total = total.joined(judge(piece))
            tell(total)
            if total.violations:
                break
        return total
    with ProcessPoolExecutor(workers) as pool:
        flying = {pool.submit(judge, piece) for piece in islice(pieces, 2 * workers)}
        try:
            while flying:
                done, flying = wait(flying, return_when=FIRST_COMPLETED)
                for future in done:
                    total = total.joined(future.result())
                    if not total.violations:
                        flying |= {pool.submit(judge, piece) for piece in islice(pieces, 1)}
                tell(total)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return total


_PIECE = 20  # worlds at a time: about a second
