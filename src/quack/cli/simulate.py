"""The verb `quack simulate`: agents under faults, their regret, messages and recoveries; and campaigns of many worlds."""

import argparse
import math
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quack.cli.arguments import whole_number
from quack.cli.campaigns import at_least, replay_again, run_campaign, showing_progress
from quack.cli.screen import remark, say, show_table
from quack.errors import SpecError

if TYPE_CHECKING:
    from quack.simulation.scenario import Scenario

__all__ = ["add"]

_EPILOG = """\
examples:
  quack simulate --loss 0.2 --crash 60
      nine agents on a grid; a fifth of all messages is lost, and every minute or so a node crashes
  quack simulate -n cycle:12 -p "ThompsonSampling()" --partition 120 --standbys 1 --seeds 20
      the links are cut every two minutes; each leader keeps a copy of its log at another node
  quack simulate --crash 30 --destroyed 0.5 --journal world.jsonl.gz
      disks are destroyed; the journal of the first world is written, complete enough to run its agents again
  quack simulate --campaign 100000
      as many small worlds in which everything goes wrong, judged by a checker that shares no code with the agents;
      all processors, until one is wrong or Ctrl-C
  quack simulate --replay 4711
      the world of that seed of the campaign again, and what is wrong with it; --replay FILE runs a journal's agents again

Times are in seconds of the simulated world; a node is asked for an action about once a second. Regret is that of all choices,
and compared with that of the same seeds without faults. A world recovers when everybody follows the leader in reach.
"""

_RATES = {
    "crash": "a node crashes, and restarts",
    "partition": "links are cut",
    "one-way": "links are cut in one direction",
    "freeze": "a node stands still",
    "garbage": "what a node knows of the network becomes nonsense",
    "join": "a node joins",
    "leave": "a node hands over and leaves",
}
_CHANCES = {
    "loss": "a message is lost",
    "duplication": "a message arrives twice",
    "stuck": "a copy of a message is stuck for 5 to 90 seconds",
    "slow-sync": "what is written becomes durable only later",
    "torn": "a crash leaves a part of a write",
    "destroyed": "a crash destroys the disk",
    "forgotten": "a reward is never reported",
}


def add(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "simulate",
        help="agents of the real protocol under faults: regret, messages, recoveries; campaigns",
        description="Run agents of the real protocol in worlds where things go wrong. One seed is one world.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    option = parser.add_argument
    option("-n", "--network", default="grid:3x3", metavar="NAME|FILE", help="(default: grid:3x3)")
    option("-e", "--environment", default="Bernoulli([0.5] + [0.45] * 9)", metavar="EXPRESSION", help="what actions pay")
    option("-p", "--policy", default="UCB(sigma=0.5)", metavar="EXPRESSION", help="(default: UCB(sigma=0.5))")
    option("--seeds", type=whole_number, default=5, metavar="N", help="number of worlds (default: 5)")
    option("--seed", type=whole_number, default=0, metavar="N", help="the first of them (default: 0)")
    option("--duration", type=_seconds, default=600.0, metavar="S", help="seconds of each world (default: 600)")
    option("--arrivals", type=_seconds, default=1.0, metavar="R", help="choices per second and node (default: 1)")
    option("--standbys", type=whole_number, default=0, metavar="R", help="copies of the leader's log (default: 0)")
    option("--window", type=whole_number, metavar="TICKS", help="when a reward is released after its choice (default: at once)")
    option("--report", type=_seconds, default=0.0, metavar="S", help="rewards are reported up to so late (default: at once)")
    option("--delay", type=_seconds, default=0.2, metavar="S", help="a message takes up to so long (default: 0.2)")
    option("--drift", type=_seconds, default=0.0, metavar="X", help="clocks run up to 1 + X faster or slower (default: 0)")
    option("--down", type=_seconds, default=30.0, metavar="S", help="the longest time of an incident (default: 30)")
    option("--disks", type=whole_number, default=1, metavar="N", help="most disks destroyed in a world (default: 1)")
    for name, what in _CHANCES.items():
        option(f"--{name}", type=_seconds, default=0.0, metavar="P", help=f"probability that {what} (default: 0)")
    for name, what in _RATES.items():
        option(
            f"--{name}", type=_seconds, default=math.inf, metavar="S", help=f"{what} every S seconds on average (default: never)"
        )
    option("--journal", type=Path, metavar="FILE", help="write the full journal of the first world (.jsonl or .jsonl.gz)")
    option("--campaign", type=whole_number, metavar="N", help="judge N small worlds with everything that can go wrong")
    option("--replay", metavar="SEED|FILE", help="a world of the campaign again, or the agents of a journal")
    option("--workers", type=whole_number, metavar="N", help="number of processes of a campaign (default: one per processor)")
    option("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(verb=_simulate)


def _seconds(text: str) -> float:
    """Read a number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not accepted; a number from 0 on is")
    return value


def _simulate(options: argparse.Namespace) -> int:
    if options.replay is not None:
        return replay_again(options.replay)
    if options.campaign is not None:
        return run_campaign(options)
    return _observe(options)


def _observe(options: argparse.Namespace) -> int:
    from quack.simulation.checker import check
    from quack.simulation.faults import Faults
    from quack.simulation.journal import write
    from quack.simulation.world import World
    from quack.store import check_writable

    seeds = range(at_least("seed", options.seed, 0), options.seed + at_least("seeds", options.seeds, 1))
    scenario = _scenario(options)
    if options.journal is not None:
        check_writable(options.journal)
    calm = scenario._replace(faults=Faults())
    faulty: list[_Seen] = []
    fault_free: list[_Seen] = []
    violations: list[tuple[int, str]] = []
    with showing_progress(2 * len(seeds), quiet=options.quiet) as tell:
        for number, seed in enumerate(seeds):
            for place, (these, worlds) in enumerate(((calm, fault_free), (scenario, faulty))):
                wanted = options.journal is not None and number == 0 and place == 1
                world = World(these, seed, full=wanted, watch=True)
                facts = world.run()
                violations += [(seed, str(violation)) for violation in check(facts, these.task.policy)]
                worlds.append(_Seen(world, facts))
                if wanted:
                    write(facts, options.journal)
                    remark(f"saved {options.journal}")
                tell(2 * number + place + 1)
    columns = ("", "fault-free", "under faults")
    title = f"{options.network}, {scenario.task.policy!r}, {len(seeds)} worlds of {options.duration:g} s"
    show_table(title, columns, _rows(fault_free, faulty))
    for seed, sentence in violations[:5]:
        say(f"seed {seed}: {sentence}")
    return 1 if violations else 0


class _Seen:
    """What is told of a world."""

    def __init__(self, world: Any, facts: Sequence[Any]) -> None:
        gaps = [float(gap) for gap in world.scenario.environment.gaps]
        actions = [fact["ticket"][4] for fact in facts if fact["kind"] == "chosen"]
        self.choices = len(actions)
        self.regret = sum(gaps[action] for action in actions)
        self.messages = sum(facts[-1]["messages"].values())
        self.leaderships = sum(fact["kind"] == "claimed" for fact in facts)
        self.crashes = sum(fact["kind"] == "crash" for fact in facts)
        self.destroyed = sum(fact["kind"] == "destroyed" for fact in facts)
        self.consumed = max((state["log"] for state in facts if state["kind"] == "state"), default=0)
        self.recoveries: list[float] = world.recoveries
        self.settled = bool(facts[-1]["settled"])


def _rows(fault_free: Sequence[_Seen], faulty: Sequence[_Seen]) -> list[tuple[str, str, str]]:
    def row(name: str, tell: Callable[[Sequence[_Seen]], str]) -> tuple[str, str, str]:
        return name, tell(fault_free), tell(faulty)

    def mean(value: Callable[[_Seen], float], digits: int = 1) -> Callable[[Sequence[_Seen]], str]:
        def told(worlds: Sequence[_Seen]) -> str:
            values = [value(world) for world in worlds]
            error = f" ± {1.96 * statistics.stdev(values) / math.sqrt(len(values)):,.{digits}f}" if len(values) > 1 else ""
            return f"{statistics.fmean(values):,.{digits}f}{error}"

        return told

    def recoveries(worlds: Sequence[_Seen]) -> str:
        times = sorted(time_s for world in worlds for time_s in world.recoveries)
        if not times:
            return "-"
        return f"median {statistics.median(times):.1f} s, longest {times[-1]:.1f} s, of {len(times)}"

    return [
        row("regret", mean(lambda world: world.regret)),
        row("regret per choice", mean(lambda world: world.regret / max(1, world.choices), 4)),
        row("choices", mean(lambda world: world.choices, 0)),
        row("rewards in the last log", mean(lambda world: world.consumed, 0)),
        row("messages", mean(lambda world: world.messages, 0)),
        row("messages per choice", mean(lambda world: world.messages / max(1, world.choices))),
        row("leaderships", mean(lambda world: world.leaderships)),
        row("crashes, of these with the disk", _pair),
        row("recoveries", recoveries),
        row("worlds that came to rest", lambda worlds: f"{sum(world.settled for world in worlds)} of {len(worlds)}"),
    ]


def _pair(worlds: Sequence[_Seen]) -> str:
    return f"{sum(world.crashes for world in worlds)}, {sum(world.destroyed for world in worlds)}"


def _scenario(options: argparse.Namespace) -> "Scenario":
    """Read the options; refuse what is impossible before any work starts."""
    from quack.agent import Settings, Task
    from quack.experiments.expressions import evaluate
    from quack.networks import read
    from quack.simulation.faults import Faults
    from quack.simulation.scenario import Scenario

    network = read(options.network)
    environment: Any = evaluate(options.environment, "environment")
    policy: Any = evaluate(options.policy, "policy")
    if not 0 < options.duration <= _LONGEST_S or not 0 < options.arrivals <= _LONGEST_S:
        raise SpecError(f"duration is {options.duration:g} and arrivals are {options.arrivals:g}; positive numbers are accepted")
    low, high = environment.reward_range
    least, most = getattr(policy, "rewards_within", (-math.inf, math.inf))
    if low < least or high > most:
        raise SpecError(
            f"{policy!r} takes rewards from {least:g} to {most:g}; those of {environment!r} lie from {low:g} to {high:g}"
        )
    horizon = max(1, math.ceil(network.n_agents * options.arrivals * options.duration))
    task = Task(policy, len(environment.gaps), horizon, options.seed, 0, float(low), float(high)).checked()
    given = {name.replace("-", "_"): getattr(options, name.replace("-", "_")) for name in (*_RATES, *_CHANCES)}
    forgotten = given.pop("forgotten")
    faults = Faults(delay=options.delay, drift=options.drift, down=options.down, disks=options.disks, **given).checked()
    return Scenario(
        neighbours=tuple(tuple(network.neighbours_of(agent).tolist()) for agent in range(network.n_agents)),
        environment=environment,
        task=task,
        settings=Settings(standbys=options.standbys, window=options.window).checked(),
        faults=faults,
        duration=options.duration,
        arrivals=options.arrivals,
        report=options.report,
        forgotten=forgotten,
    )


_LONGEST_S = 1e7
