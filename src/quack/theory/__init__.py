"""What is proven: bounds on the group regret, and what algorithms say to each other.

* `bounds`: every bound of the paper as a function; `bound_of` for a group as `quack.compare` plays it;
* `comparisons`: which bound is smaller on a network;
* `traffic`: messages and numbers sent per round and agent;
* `draw_bounds`: bounds over regret curves.
"""

from quack.theory import bounds, comparisons, traffic
from quack.theory.bound import Bound, Guarantee
from quack.theory.bounds import bound_of, guarantee
from quack.theory.drawing import draw_bounds

__all__ = ["Bound", "Guarantee", "bound_of", "bounds", "comparisons", "draw_bounds", "guarantee", "traffic"]
