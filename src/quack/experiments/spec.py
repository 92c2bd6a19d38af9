"""What to compare, as a file or as flags: checked here, once."""

import dataclasses
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from quack.environments.base import Environment
from quack.errors import SpecError, nearest
from quack.experiments.expressions import evaluate
from quack.groups.base import Group

__all__ = ["Experiment", "split_label"]

_PAPER = "Bernoulli([0.5] + [0.45] * 9)"
_GROUPS = {
    "QuACK-UCB": "QuACK(UCB(sigma=0.5))",
    "QuACK-TS": "QuACK(ThompsonSampling())",
    "no cooperation": "Independent(UCB(sigma=0.5))",
    "pooled": "Pooled(UCB(sigma=0.5))",
}


@dataclasses.dataclass(frozen=True)
class Experiment:
    """Groups on one network or several. The defaults are the paper's bandit on a small grid."""

    network: tuple[str, ...] = ("grid:4x4",)
    environment: str = _PAPER
    groups: Mapping[str, str] = dataclasses.field(default_factory=lambda: dict(_GROUPS))
    horizon: int = 1000
    runs: int = 20
    seed: int | None = 0
    engine: str = "auto"

    @classmethod
    def from_toml(cls, path: Path) -> Self:
        """Read a file; a key that is not known is refused with the nearest that is."""
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise SpecError(f"cannot read {path}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SpecError(f"{path} is not a TOML file: {error}") from None
        return cls().updated(values, str(path))

    def updated(self, values: Mapping[str, Any], source: str) -> Self:
        """Return the same experiment with other values."""
        known = {field.name for field in dataclasses.fields(self)}
        for key in values:
            if key not in known:
                raise SpecError(f"{source}: there is no key {key!r}.{nearest(key, known)} Known are {', '.join(sorted(known))}")
        changes = dict(values)
        if isinstance(changes.get("network"), str):
            changes["network"] = (changes["network"],)
        for key, kind, accepted in _ACCEPTED:
            if key in changes and not kind(changes[key]):
                raise SpecError(f"{source}: {key} is {changes[key]!r}; {accepted}")
        if "network" in changes:
            changes["network"] = tuple(changes["network"])
        return dataclasses.replace(self, **changes)

    def make_environment(self) -> Environment:
        """Return the environment."""
        environment: Environment = evaluate(self.environment, "environment")
        return environment

    def make_groups(self) -> dict[str, Group]:
        """Return the groups by their labels."""
        return {label: evaluate(text, "group" if label == text else f"group {label!r},") for label, text in self.groups.items()}


def split_label(text: str) -> tuple[str, str]:
    """Split LABEL=EXPRESSION into its parts; without a label, the expression is its own. An = in brackets is the expression's.

    Examples
    --------
    >>> split_label("mine=QuACK(UCB(sigma=0.5))")
    ('mine', 'QuACK(UCB(sigma=0.5))')
    >>> split_label("QuACK(UCB(sigma=0.5))")
    ('QuACK(UCB(sigma=0.5))', 'QuACK(UCB(sigma=0.5))')
    """
    depth = 0
    for place, character in enumerate(text):
        depth = max(0, depth + (character in "([") - (character in ")]"))
        if character == "=" and depth == 0:
            return text[:place].strip(), text[place + 1 :].strip()
    return text, text


def _is_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) > 0 and all(isinstance(item, str) for item in value)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) and len(value) > 0 and all(isinstance(item, str) for item in value.values())


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_ACCEPTED = (
    ("network", _is_texts, 'a name such as "grid:14x14", or a list of names, is accepted'),
    ("environment", lambda value: isinstance(value, str), f'an expression such as "{_PAPER}" is accepted'),
    ("groups", _is_table, 'a table from labels to expressions such as "QuACK(UCB())" is accepted'),
    ("horizon", _is_count, "a whole number is accepted"),
    ("runs", _is_count, "a whole number is accepted"),
    ("seed", _is_count, "a whole number is accepted"),
    ("engine", lambda value: isinstance(value, str), '"auto", "compiled" and "interpreted" are accepted'),
)
