"""Appendix A and section 3.1 as programs of agents: what they send, and what it takes to run them: python -m benchmarks.agents.

Seconds are processor time of the thread. Every way is also run with every step of every agent executed, and must send the
same. The table goes to the terminal, everything to benchmarks/results/agents.json.
"""

import time
from typing import Any

from benchmarks.setting import store
from quack.appendix.learning import open_game, play
from quack.appendix.rounds import Outcome, run
from quack.appendix.ways import WAYS
from quack.environments import Bernoulli
from quack.networks import Network, distances, median, read
from quack.policies import Uniform

NETWORKS = ("grid:14x14", "cycle:196", "star:196")


def timed(network: Network, way: str, *, every_step: bool) -> tuple[float, Outcome[Any]]:
    """Run one way."""
    start = time.thread_time()
    outcome = run(network, WAYS[way], every_step=every_step)
    return time.thread_time() - start, outcome


def finding(network: Network) -> dict[str, Any]:
    """Let the agents find their leader in every way."""
    figures = {}
    for way in WAYS:
        seconds, outcome = timed(network, way, every_step=False)
        every_step_s, same = timed(network, way, every_step=True)
        if same != outcome:
            raise RuntimeError(f"{network.name}, {way}: another outcome if every step is executed")
        figures[way] = {**outcome.traffic()._asdict(), "seconds": seconds, "every_step_s": every_step_s}
    return figures


def learning(network: Network) -> dict[str, Any]:
    """Let them play until orders and rewards flow everywhere, and return what the last round sends."""
    horizon = 2 * int(distances(network, median(network)).max()) + 2
    game = open_game(network, Uniform(), Bernoulli([0.5] * 10), horizon)
    return {messages: play(network, game, messages).steady._asdict() for messages in ("tree", "flooding")}


def main() -> None:
    """Measure, print, store."""
    figures: dict[str, Any] = {}
    print(f"{'network':>12s} {'':28s} {'rounds':>7s} {'messages':>11s} {'bytes':>12s} {'s':>6s} {'every step, s':>14s}")
    for name in NETWORKS:
        network = read(name)
        found, round_of_learning = finding(network), learning(network)
        for way, each in found.items():
            sent = f"{each['rounds']:7,} {each['messages']:11,} {each['n_bytes']:12,}"
            print(f"{name:>12s} {way:28s} {sent} {each['seconds']:6.2f} {each['every_step_s']:14.2f}")
        for messages, each in round_of_learning.items():
            print(f"{name:>12s} {'a round by ' + messages:28s} {each['rounds']:7,} {each['messages']:11,} {each['n_bytes']:12,}")
        figures[name] = {"finding": found, "learning": round_of_learning}
    store("agents", figures)


if __name__ == "__main__":
    main()
