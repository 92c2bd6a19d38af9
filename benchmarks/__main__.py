"""Run every benchmark: ``python -m benchmarks [--yardstick FOLDER]``."""

import argparse

from benchmarks import agents, chunks, figures, gossip, median, messages, partitions, policies, quack_ucb, speed, truncated_mean

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--yardstick", metavar="FOLDER", help="a C program to stand beside, see benchmarks/quack_ucb.py")
yardstick = parser.parse_args().yardstick
quack_ucb.main(yardstick)
speed.main(yardstick)
truncated_mean.main()
policies.main()
gossip.main(yardstick)
median.main()
chunks.main()
partitions.main()
messages.main()
agents.main()
figures.main()
