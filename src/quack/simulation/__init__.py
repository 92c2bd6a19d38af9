"""Running groups in worlds: the engine, the unit of work, results."""
