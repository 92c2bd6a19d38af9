"""Rewards resampled from a log."""

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from quack.errors import SpecError, nearest
from quack.kernels import Floats, Integers
from quack.tape import Cell, uniform

__all__ = ["Empirical"]

_SHOWN = 20  # rewards in a repr
_DIGITS = 18  # of an action's number


class _Fields(NamedTuple):
    values: Floats  # all rewards, action after action
    first: Integers  # values[first[a]:first[a + 1]] are those of action a
    means: Floats  # μ_a, the mean of the action's log


class Empirical(_Fields):
    r"""Action a pays one of the rewards that were logged for it, all equally likely, with replacement.

    So its mean is the mean of its log, exactly.

    Parameters
    ----------
    rewards
        For each action a sequence of finite numbers, as many as there are, at least one.

    Examples
    --------
    >>> import quack
    >>> environment = quack.Empirical([[0.0, 1.0, 1.0, 1.0], [0.5]])
    >>> environment.gaps
    array([0.  , 0.25])

    A table with a column for the action (0, 1, …) and one for the reward:

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "clicks.csv"
    ...     _ = file.write_text("banner,clicked\n0,1\n1,0\n0,0\n")
    ...     quack.Empirical.from_csv(file, action="banner", reward="clicked")
    Empirical([[1.0, 0.0], [0.0]])
    """

    __slots__ = ()

    def __new__(cls, rewards: Sequence[Sequence[float] | Floats]) -> Self:
        """Check the rewards."""
        logs = [_check_log(action, log) for action, log in enumerate(_iterable(rewards))]
        if not logs:
            raise SpecError("Empirical: rewards are empty; a sequence of rewards for each action is accepted")
        values = np.concatenate(logs)
        first = np.cumsum([0, *map(len, logs)], dtype=np.int64)
        means = np.array([math.fsum(log) / len(log) for log in logs])
        for array in (values, first, means):
            array.setflags(write=False)
        return super().__new__(cls, values, first, means)

    @classmethod
    def from_csv(cls, path: str | Path, action: str = "action", reward: str = "reward") -> Self:
        """Read a table of logged rewards.

        Parameters
        ----------
        path
            A text with commas, its first line the names of the columns.
        action
            The column of actions: whole numbers, 0 … n_actions − 1, each at least once.
        reward
            The column of rewards: finite numbers.
        """
        logs: dict[int, list[float]] = {}
        for number, value in _rows(Path(path), action, reward):
            logs.setdefault(number, []).append(value)
        if not logs:
            raise SpecError(f"{str(path)!r} has no rewards: under its first line at least one is needed")
        missing = next((number for number in range(len(logs)) if number not in logs), None)
        if missing is not None:
            raise SpecError(
                f"{str(path)!r} has no reward of action {missing}, but one of action {max(logs)}; actions count from 0"
            )
        return cls([logs[number] for number in range(len(logs))])

    def __getnewargs__(self) -> Any:
        return (self.rewards,)

    def __repr__(self) -> str:
        if len(self.values) <= _SHOWN:
            return f"Empirical({[log.tolist() for log in self.rewards]})"
        return f"<Empirical: {len(self.first) - 1:,} actions, {len(self.values):,} rewards>"

    @property
    def rewards(self) -> list[Floats]:
        """The logged rewards of each action."""
        return np.split(self.values, self.first[1:-1])

    @property
    def gaps(self) -> Floats:
        """Δ_a = max μ − μ_a."""
        gaps: Floats = self.means.max() - self.means
        return gaps

    @property
    def reward_range(self) -> tuple[float, float]:
        """From the lowest logged reward to the highest."""
        return float(self.values.min()), float(self.values.max())

    def reward(self, action: int, cell: Cell) -> float:
        """Return the logged reward at which the cell's uniform number points."""
        first = int(self.first[action])
        return self.values[first + int(uniform(cell) * (int(self.first[action + 1]) - first))]  # type: ignore[no-any-return]


def _iterable(rewards: Any) -> Iterable[Any]:
    if isinstance(rewards, str) or not isinstance(rewards, Iterable):
        raise SpecError(f"Empirical: rewards are {rewards!r}; a sequence of rewards for each action is accepted")
    return rewards


def _check_log(action: int, log: Any) -> Floats:
    """Return the rewards of an action as an array."""
    try:
        array = np.array(log, dtype=np.float64)
    except (TypeError, ValueError):
        raise SpecError(f"Empirical: rewards[{action}] is {log!r}; a sequence of numbers is accepted") from None
    if array.ndim != 1 or array.size == 0:
        raise SpecError(f"Empirical: rewards[{action}] has shape {array.shape}; a sequence of at least one number is accepted")
    unfit = np.flatnonzero(~np.isfinite(array))
    if unfit.size:
        raise SpecError(f"Empirical: rewards[{action}][{unfit[0]}] is {array[unfit[0]]}; finite numbers are accepted")
    return array


def _rows(path: Path, action: str, reward: str) -> Iterator[tuple[int, float]]:
    """Iterate over the actions and rewards of a table."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            columns = reader.fieldnames or []
            for name in (action, reward):
                if name not in columns:
                    has = ", ".join(columns) or "none"
                    raise SpecError(f"{str(path)!r} has no column {name!r}; its columns are: {has}.{nearest(name, columns)}")
            for row in reader:
                where = f"{str(path)!r}, line {reader.line_num}"
                yield _action(where, action, row[action]), _reward(where, reward, row[reward])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SpecError(f"{str(path)!r} cannot be read as a table: {error}") from error


def _action(where: str, column: str, cell: str | None) -> int:
    text = (cell or "").strip()
    if not (text.isascii() and text.isdecimal() and len(text) < _DIGITS):
        raise SpecError(f"{where}: {column} is {text!r}; a whole number, from 0, is accepted")
    return int(text)


def _reward(where: str, column: str, cell: str | None) -> float:
    text = (cell or "").strip()
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise SpecError(f"{where}: {column} is {text!r}; a finite number is accepted")
    return value
