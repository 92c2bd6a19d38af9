"""What every benchmark needs: the clock, the machine, the file of results."""

import importlib.metadata
import json
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
LIBRARIES = ("quack-bandits", "numpy", "numba", "scipy", "networkx", "networkit")


def machine() -> dict[str, str]:
    """Describe the machine and the versions."""
    processor = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        names = [line.partition(":")[2].strip() for line in information.read_text().splitlines() if line.startswith("model name")]
        processor = names[0] if names else processor
    versions = {library: importlib.metadata.version(library) for library in LIBRARIES}
    return {"processor": processor, "cores": str(os.cpu_count()), "python": platform.python_version(), **versions}


def store(name: str, figures: dict[str, Any]) -> None:
    """Write figures with the machine and the day they were taken on."""
    RESULTS.mkdir(exist_ok=True)
    content = {"machine": machine(), "taken": time.strftime("%Y-%m-%d"), "figures": figures}
    (RESULTS / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n")


def least(measure: Callable[[], float], repeats: int = 5) -> float:
    """Return the least of several measurements: what noise cannot make smaller."""
    return min(measure() for _ in range(repeats))
