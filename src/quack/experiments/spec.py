"""What to compare, as a file or as flags: checked here, once."""

import dataclasses
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from quack.environments.base import Environment
from quack.errors import SpecError, nearest
from quack.experiments.expressions import evaluate
from quack.experiments.grid import cell_name, check_grid, check_names, fill, products
from quack.groups.base import Group

__all__ = ["Cell", "Experiment", "split_label"]

_PAPER = "Bernoulli([0.5] + [0.45] * 9)"
_GROUPS = {
    "QuACK-UCB": "QuACK(UCB(sigma=0.5))",
    "QuACK-TS": "QuACK(ThompsonSampling())",
    "no cooperation": "Independent(UCB(sigma=0.5))",
    "pooled": "Pooled(UCB(sigma=0.5))",
}


@dataclasses.dataclass(frozen=True)
class Experiment:
    """Groups on one network or several, or on a whole grid of settings: what a TOML file says.

    The defaults are the paper's bandit on a small grid.

    Parameters
    ----------
    network
        Names of networks, or files.
    environment
        An expression such as ``"Bernoulli([0.5, 0.4])"``.
    groups
        Expressions such as ``"QuACK(UCB())"`` by their labels.
    horizon, runs, seed, engine, checkpoints
        As in `quack.compare`.
    grid
        Values that vary: of a key (network, environment, horizon, runs, seed, engine), or of a name of your own, which stands as
        {name} in the texts above. All combinations are cells.

    Examples
    --------
    >>> experiment = Experiment(network=("cycle:{m}",), groups={"it": "QuACK(UCB(sigma={sigma}))"},
    ...                         grid={"m": (4, 8), "sigma": (0.5, 1.0)})
    >>> [cell.name for cell in experiment.cells()][:2]
    ['network=cycle:4, m=4, sigma=0.5', 'network=cycle:4, m=4, sigma=1.0']
    >>> experiment.cells()[1].experiment.groups
    {'it': 'QuACK(UCB(sigma=1.0))'}
    """

    network: tuple[str, ...] = ("grid:4x4",)
    environment: str = _PAPER
    groups: Mapping[str, str] = dataclasses.field(default_factory=lambda: dict(_GROUPS))
    horizon: int = 1000
    runs: int = 20
    seed: int = 0
    engine: str = "auto"
    checkpoints: int | tuple[int, ...] = 200
    grid: Mapping[str, tuple[Any, ...]] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        checked = _checked({field.name: getattr(self, field.name) for field in dataclasses.fields(self)}, "the experiment")
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_toml(cls, path: str | Path) -> Self:
        """Read a file; a key that is not known is refused with the nearest that is."""
        try:
            values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
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
        changes = _checked(values, source)
        for key in changes:
            if key in changes.get("grid", self.grid):
                raise SpecError(f"{source}: {key} stands in the grid too; {key} or grid.{key} is accepted")
        return dataclasses.replace(self, **changes)

    def with_settings(self, settings: Sequence[str], source: str = "--set") -> Self:
        """Return the same experiment with values written as KEY=VALUE, where KEY may be that of a table: grid.sigma=[0.5, 1].

        Examples
        --------
        >>> Experiment().with_settings(["horizon=50", "network=star:5", "groups.it=QuACK(UCB())"]).horizon
        50
        """
        changes: dict[str, Any] = {}
        seen = set()
        for text in settings:
            key, equals, value = text.partition("=")
            table, dot, name = (part.strip().strip("\"'") for part in key.partition("."))
            if not equals or not table or (dot and not name):
                raise SpecError(f"{source} is {text!r}; KEY=VALUE is accepted, such as horizon=2000 or grid.sigma=[0.5, 1]")
            if dot and table not in _TABLES:
                raise SpecError(
                    f"{source}: there is no table {table!r}.{nearest(table, _TABLES)} Tables are {', '.join(_TABLES)}"
                )
            if (table, name) in seen:
                raise SpecError(f"{source} sets {key.strip()} twice; once is accepted")
            seen.add((table, name))
            if dot:
                changes.setdefault(table, dict(getattr(self, table)))[name] = _value(value.strip())
            else:
                changes[table] = _value(value.strip())
        return self.updated(changes, source)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as numbers, texts, lists and tables, as it would stand in a file."""
        plain: dict[str, Any] = dataclasses.asdict(self)
        grid = {name: list(values) for name, values in self.grid.items()}
        checkpoints = list(self.checkpoints) if isinstance(self.checkpoints, tuple) else self.checkpoints
        plain |= {"network": list(self.network), "checkpoints": checkpoints, "groups": dict(self.groups), "grid": grid}
        return {key: value for key, value in plain.items() if key not in grid}

    def cells(self) -> "list[Cell]":
        """Return one experiment for each combination of the values that vary: one network each, and no grid."""
        texts = {f"network {name!r}": name for name in self.grid.get("network", self.network)}
        texts |= {f"environment {text!r}": text for text in self.grid.get("environment", (self.environment,))}
        texts |= {f"group {label!r}": text for label, text in self.groups.items()}
        own = [name for name in self.grid if name not in _AXES]
        check_names(texts, own, _AXES)
        axes = self.grid if "network" in self.grid else {"network": self.network, **self.grid}
        return [self._cell(values) for values in products(axes)]

    def _cell(self, values: dict[str, Any]) -> "Cell":
        own = {name: value for name, value in values.items() if name not in _AXES}
        values = {name: fill(value, own) if name in _TEXTS else value for name, value in values.items()}
        changes = {name: value for name, value in values.items() if name in _AXES}
        changes |= {"network": (values["network"],), "environment": fill(changes.get("environment", self.environment), own)}
        groups = {label: fill(text, own) for label, text in self.groups.items()}
        return Cell(values, dataclasses.replace(self, **changes, groups=groups, grid={}))

    def make_environment(self) -> Environment:
        """Return the environment."""
        environment: Environment = evaluate(self.environment, "environment")
        return environment

    def make_groups(self) -> dict[str, Group]:
        """Return the groups by their labels."""
        return {label: evaluate(text, "group" if label == text else f"group {label!r},") for label, text in self.groups.items()}


class Cell(NamedTuple):
    """One combination of the values that vary."""

    varied: Mapping[str, Any]
    experiment: Experiment

    @property
    def name(self) -> str:
        """Its values in words."""
        return cell_name(self.varied)


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


def _is_rounds(value: Any) -> bool:
    return _is_count(value) or (isinstance(value, list | tuple) and len(value) > 0 and all(map(_is_count, value)))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_ACCEPTED = (
    ("network", _is_texts, 'a name such as "grid:14x14", or a list of names, is accepted'),
    ("environment", _is_text, f'an expression such as "{_PAPER}" is accepted'),
    ("groups", _is_table, 'a table from labels to expressions such as "QuACK(UCB())" is accepted'),
    ("horizon", _is_count, "a whole number is accepted"),
    ("runs", _is_count, "a whole number is accepted"),
    ("seed", _is_count, "a whole number is accepted"),
    ("engine", _is_text, '"auto", "compiled" and "interpreted" are accepted'),
    ("checkpoints", _is_rounds, "a whole number, or a list of rounds, is accepted"),
)
_TABLES = ("groups", "grid")
_TEXTS = ("network", "environment")
_AXES = ("network", "environment", "horizon", "runs", "seed", "engine")


def _checked(values: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return values of the types that an experiment has."""
    changes = dict(values)
    if isinstance(changes.get("network"), str):
        changes["network"] = (changes["network"],)
    for key, kind, accepted in _ACCEPTED:
        if key in changes and not kind(changes[key]):
            raise SpecError(f"{source}: {key} is {changes[key]!r}; {accepted}")
    for key in ("network", "checkpoints"):
        if isinstance(changes.get(key), list):
            changes[key] = tuple(changes[key])
    if "grid" in changes:
        changes["grid"] = check_grid(changes["grid"], source)
        for key, kind, accepted in _ACCEPTED:
            for value in changes["grid"].get(key, ()):
                if key not in _AXES:
                    raise SpecError(f"{source}: {key} cannot vary in a grid; {', '.join(_AXES)} and names of your own can")
                if not kind([value] if key == "network" else value):
                    raise SpecError(
                        f"{source}: grid.{key} has {value!r}; a list is accepted, for each value of which holds: {accepted}"
                    )
    return changes


def _value(text: str) -> Any:
    """Read a value as TOML, or as a text if it is none: quotes are a nuisance in a shell."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
