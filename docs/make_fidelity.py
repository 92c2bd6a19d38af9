"""Write docs/fidelity.md: every `Deviation:` line of the package, in one page. Run it as `python docs/make_fidelity.py`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "fidelity.md"


def deviations(source: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each deviation that a module's docstrings state."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.Module):
            for paragraph in (ast.get_docstring(node) or "").split("\n\n"):
                text = " ".join(paragraph.split())
                for found in re.findall(r"(?:^|(?<=\s))Deviation: (.*?)(?=\sDeviation: |$)", text):
                    yield getattr(node, "name", source.stem), found


def page() -> str:
    """Return the page."""
    lines = [
        "# Fidelity",
        "",
        "Where an algorithm differs from its source, or a source left something open, its docstring says so and why. This page",
        "collects these lines; `python docs/make_fidelity.py` writes it.",
        "",
        "| where | deviation |",
        "| --- | --- |",
    ]
    for source in sorted((ROOT / "src" / "quack").rglob("*.py")):
        lines += [f"| `{name}` | {text} |" for name, text in deviations(source)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
