"""From a text to an experiment, and from results to figures."""
