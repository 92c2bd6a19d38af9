"""How to cite: the software and the paper, as CITATION.cff in the repository has them."""

from quack.version import __version__

__all__ = ["BIBTEX"]

BIBTEX = f"""\
@inproceedings{{howson2025quack,
  title     = {{{{QuACK}}: A Multipurpose Queuing Algorithm for Cooperative k-Armed Bandits}},
  author    = {{Howson, Benjamin and Filippi, Sarah and Pike-Burke, Ciara}},
  booktitle = {{Proceedings of the 28th International Conference on Artificial Intelligence and Statistics (AISTATS), PMLR 258}},
  pages     = {{1927--1935}},
  year      = {{2025}}
}}
@software{{quack_bandits,
  title   = {{{{QuACK}}: cooperative multi-armed bandits}},
  author  = {{{{The QuACK developers}}}},
  version = {{{__version__}}}
}}"""
