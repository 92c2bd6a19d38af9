"""Section 3.1 and Appendix A of the paper, executable: programs of single agents that know only their neighbours.

A program reads an inbox and writes an outbox; it knows its own name, those of its neighbours, and how many agents there are.
`rounds.run` lets all agents of a network live round by round, carries their messages, and counts them. `ways.search` lets them
find their leader in every way, `learning.play` lets them play QuACK.

>>> from quack import networks
>>> from quack.appendix.bellman_ford import BellmanFord
>>> from quack.appendix.rounds import run
>>> def distance_from_agent_2(place):                       # an agent's life: its programs, and for how many rounds each runs
...     search = BellmanFord(place, source=2)
...     yield search, place.n_agents - 1
...     return search.distance
>>> outcome = run(networks.path(5), distance_from_agent_2)
>>> outcome.results
(2, 1, 0, 1, 2)
>>> outcome.traffic().messages                              # four rounds, both ways over four links
32
"""
