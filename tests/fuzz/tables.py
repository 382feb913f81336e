"""Random labels of several models in plain lists: simple enough for arrays, Dask and files.

Surfaces put them into their own objects; the rows that count are found here, one by one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from fuzz.frames import often
from fuzz.literal import Row, is_lost, place
from pandas_ordinal import MissingValueError

CLASSES: list[list[Any]] = [
    [0, 1, 2], [1, 2, 3, 4], [-2, -1, 0, 1], [0, 1], [False, True], ["low", "mid", "high"],
    ["b", "a"], [0.5, 1.5, 2.5],
]  # fmt: skip
IGNORED: dict[type, list[Any]] = {
    int: [255, 99, -9, True, "?"],
    float: [-1.0, 9.5],
    str: ["?", ""],
    bool: [0, 1],
}
KEYS: list[list[Any]] = [
    [2, 0, 1], [10, -3, 2**40], [0.5, -1.0], ["b", "a", "B"], [True, False],
    list(pd.date_range("2024-02-28", periods=3)),
]  # fmt: skip


@dataclass(frozen=True)
class Table:
    """Labels in plain lists, and a query about them.

    Attributes
    ----------
    true : list
        The true label of each row, None for a missing one.
    preds : dict
        The predicted labels of each model.
    keys : dict
        The keys of the groups, by name.
    weights : list or None
        The weight of each row.
    clusters : list
        The cluster of each row.
    ignored : list
        Labels to exclude.
    dropna : bool
        Whether rows with missing values are dropped.
    """

    classes: list[Any]
    true: list[Any]
    preds: dict[str, list[Any]]
    keys: dict[str, list[Any]]
    weights: list[float] | None
    clusters: list[int]
    ignored: list[Any]
    dropna: bool

    @property
    def options(self) -> dict[str, Any]:
        """The options that every surface has."""
        ignored = {"ignore": self.ignored} if self.ignored else {}
        return {"classes": self.classes, "dropna": self.dropna, **ignored}

    @property
    def refused(self) -> set[type[Exception]]:
        """The error that is due: for missing labels and keys in rows that are not ignored."""
        if self.dropna:
            return set()
        lost = any(None in key for key in self.keys.values())
        for pred in self.preds.values():
            for true, label in zip(self.true, pred, strict=True):
                if not self.is_ignored(true) and not self.is_ignored(label):
                    lost |= true is None or label is None
        return {MissingValueError} if lost else set()

    def is_ignored(self, label: Any) -> bool:
        return place(label, self.ignored) >= 0

    def codes(self, labels: Sequence[Any]) -> list[int]:
        """Return the position of each label among the classes, -1 if it does not count."""
        return [-1 if one is None else place(one, self.classes) for one in labels]

    def groups(self) -> list[Any]:
        """Return the keys of each row, None if one is missing."""
        rows = [()] * len(self.true) if not self.keys else zip(*self.keys.values(), strict=True)
        return [None if None in key else key for key in rows]

    def rows(self, model: str) -> dict[tuple[Any, ...], list[Row]]:
        """Return the rows of each group that count."""
        groups: dict[tuple[Any, ...], list[Row]] = {}
        weights = self.weights or [1] * len(self.true)
        true, pred = self.codes(self.true), self.codes(self.preds[model])
        for key, y, p, w in zip(self.groups(), true, pred, weights, strict=True):
            if key is not None:
                groups.setdefault(key, [])
                if y >= 0 and p >= 0:
                    groups[key].append(Row(y, p, None, None, w))
        return groups


def make_table(rng: random.Random, n_rows: int | None = None, n_models: int = 2) -> Table:
    """Make some rows, seldom with missing, sometimes with ignored labels."""
    n = rng.choice([0, 1, 2, 3, 5, 8, 12, 18, 30]) if n_rows is None else n_rows
    classes = rng.choice(CLASSES)
    lost = 0.1 if often(rng, 0.3) else 0.0
    excluded = IGNORED[type(classes[0])] if often(rng, 0.3) else []
    ignored = rng.sample(excluded, rng.randint(1, 2)) if excluded else []
    if type(classes[0]) is int:  # text where there are numbers is refused
        ignored = [one for one in ignored if not isinstance(one, str)]
    planted = [one for one in ignored if type(one) is type(classes[0])]
    skill = rng.random()

    def labels(like: Sequence[Any]) -> list[Any]:
        drawn = [one if often(rng, skill) else rng.choice(classes) for one in like]
        drawn = [rng.choice(planted) if planted and often(rng, 0.15) else one for one in drawn]
        return [None if often(rng, lost) else one for one in drawn]

    truth = [rng.choice(classes) for _ in range(n)]
    preds = {model: labels(truth) for model in "abc"[:n_models]}
    drawn = {f"key{number}": rng.choice(KEYS) for number in range(rng.choice([0, 1, 1, 2]))}
    keys = {name: [rng.choice(key) for _ in range(n)] for name, key in drawn.items()}
    weights = [rng.choice([0, 0.5, 1, 2, 3.25]) for _ in range(n)]
    return Table(
        classes=classes,
        true=[true if not often(rng, 0.3) else labels([true])[0] for true in truth],
        preds=preds,
        keys=keys,
        weights=weights if often(rng, 0.3) else None,
        clusters=[rng.randrange(rng.choice([2, 4, 9])) for _ in range(n)],
        ignored=ignored,
        dropna=often(rng, 0.8),
    )


def held(values: Sequence[Any], dtype: Any = None) -> pd.Series[Any]:
    """Return a column: integers, floats, booleans, text, or objects for what is mixed."""
    if dtype is None and any(map(is_lost, values)):
        kinds = {type(value) for value in values if not is_lost(value)}
        dtype = {frozenset({int}): "Int64", frozenset({bool}): "boolean"}.get(frozenset(kinds))
        dtype = "float64" if kinds == {float} else dtype
    if dtype is None and isinstance(next(iter(values), None), (int, float)):
        return pd.Series(np.array(values))
    return pd.Series(values, dtype=dtype or (None if values else object))


def frame_of(table: Table, rows: Iterable[int] | None = None) -> pd.DataFrame:
    """Return a frame of these rows; all rows by default."""
    positions = list(range(len(table.true)) if rows is None else rows)
    columns = {"y": table.true, **table.preds, **table.keys, "cluster": table.clusters}
    frame = {name: held([values[at] for at in positions]) for name, values in columns.items()}
    if table.weights is not None:
        frame["w"] = pd.Series([table.weights[at] for at in positions], dtype=float)
    return pd.DataFrame(frame)
