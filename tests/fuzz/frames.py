"""Random cases: a frame of odd columns, and a query about it.

Columns are known by their positions, so that the literal answers need no names.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

MISSING = [None, float("nan"), pd.NA, pd.NaT]
JUNK = [-1, float("inf"), 99, 0.25, "unknown", "1", True]
IGNORED = [True, False, 0, 1, 1.0, -1, 255, "unknown", "1"]
NAMES: list[Hashable] = [
    "y", "yhat", "score", "n", "true", "pred", "ordinal", "count", "name", "group", "model",
    "index", "level_0", "0", 0, 1, 2, 3, 4, 5, 6, -1, 1.5, ("a", "b"), ("a", 1), (1, 2), "a", "",
]  # fmt: skip
ARROW = {"int": pa.int64(), "float": pa.float64(), "text": pa.string(), "bool": pa.bool_()}
HELD_AS: dict[str, list[Any]] = {
    "int": ["int64", "int8", "uint8", "Int64", "UInt8", "float64", "Float64", "object"],
    "float": ["float64", "float32", "Float64", "object"],
    "text": [None, "object", "string"],
    "bool": ["bool", "boolean", "object"],
    "interval": [None, "object"],
    "date": [None, "object"],
    "other": ["object"],
}
LABELS: dict[str, Sequence[Any]] = {
    "text": ["low", "mid", "high", "Zed", "a b", "", "10", "9"],
    "float": [-1.5, 0.5, 0.75, 1.5, 2.5, 8.0],
    "bool": [False, True],
    "interval": pd.IntervalIndex.from_breaks([-2.0, 0, 0.5, 1, 7, np.inf], closed="left").tolist(),
    "date": pd.date_range("2024-02-27", periods=5).tolist(),
    "other": [("a", 1), "a", 2.5, ("a", 2), 7],
}


@dataclass(frozen=True)
class Key:
    """A column or an index level that rows are grouped by."""

    position: int
    is_level: bool
    name: Hashable


@dataclass(frozen=True)
class Case:
    """A frame and a query about it; numbers are positions of columns.

    Attributes
    ----------
    seed, number : int
        The arguments of `make_case` that make it.
    preds, scores : list of int
        One column per model.
    proba : dict
        The column of each class.
    wide : bool
        Whether a list of models is given, even of one.
    grouped : DataFrameGroupBy or None
        The groupby to call instead of the frame.
    sort, keep_missing : bool
        Its options.
    ignored : list
        Labels to exclude, which need not occur.
    tight : bool
        Whether to count as if the frame were large.
    """

    seed: int
    number: int
    frame: pd.DataFrame
    true: int
    preds: list[int]
    scores: list[int]
    proba: dict[Any, int]
    wide: bool
    weight: int | None
    keys: list[Key]
    grouped: Any
    sort: bool
    keep_missing: bool
    classes: list[Any] | None
    bins: Any
    dropna: bool
    ignored: list[Any]
    tight: bool

    def name(self, position: int) -> Any:
        return list(self.frame.columns)[position]


def make_case(seed: int, number: int) -> Case:
    """Make the case with this number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _case(random.Random(f"{seed}/{number}"), seed, number)


def often(rng: random.Random, share: float) -> bool:
    return rng.random() < share


def _case(rng: random.Random, seed: int, number: int) -> Case:
    n_rows = rng.choice([0, 1, 2, 3, 6, 10, 10, 14, 20])
    kind, labels = _classes(rng)
    n_models = rng.choice([1, 1, 1, 2, 2, 3])
    messy = often(rng, 0.2)
    ignored = _ignored(rng, labels) if often(rng, 0.2) else []
    columns = [_labels(rng, n_rows, kind, labels, messy, ignored) for _ in range(1 + n_models)]
    columns += [_scores(rng, n_rows) for _ in range(n_models)]
    columns += _probabilities(rng, n_rows, len(labels))
    weights = _weights(rng, n_rows)
    columns += [] if weights is None else [weights]
    n_keys = rng.choice([0, 0, 1, 1, 1, 2, 2, 3])
    n_levels = rng.choice([0, 0, 0, 1, min(2, n_keys)]) if n_keys else 0
    of_columns = [_key(rng, n_rows) for _ in range(n_keys - n_levels)]
    columns += of_columns
    places = rng.sample(range(len(columns)), len(columns))
    frame = pd.concat([column.reset_index(drop=True) for column in columns], axis=1)
    frame = frame.iloc[:, np.argsort(places)]
    frame.index, level_names = _index(rng, n_rows, n_levels)
    frame.columns = _names(rng, len(columns), level_names)
    names = list(frame.columns)
    first = len(columns) - len(of_columns)
    keys = [Key(p, False, names[p]) for p in places[first:]]
    keys += [Key(level, True, name) for level, name in enumerate(level_names)]
    rng.shuffle(keys)
    sort, keep_missing = often(rng, 0.6), often(rng, 0.4)
    grouped = None
    if keys and often(rng, 0.4):
        grouped = _grouped(rng, frame, keys, sort, keep_missing)
    given = list(labels) if often(rng, 0.25 if kind in ("int", "bool") else 0.75) else None
    if given and messy and often(rng, 0.1):
        given = given[::-1]
    n_given = len(labels) + (1 if often(rng, 0.1) else 0)
    bins = [2.0**k for k in range(n_given + 1)] if often(rng, 0.1) else None
    return Case(
        seed=seed,
        number=number,
        frame=frame,
        true=places[0],
        preds=places[1 : 1 + n_models],
        scores=places[1 + n_models : 1 + 2 * n_models],
        proba=dict(zip(labels, places[1 + 2 * n_models :], strict=False)),
        wide=n_models > 1 or often(rng, 0.2),
        weight=None if weights is None else places[1 + 2 * n_models + len(labels)],
        keys=keys,
        grouped=grouped,
        sort=sort,
        keep_missing=keep_missing,
        classes=given,
        bins=bins,
        dropna=often(rng, 0.65),
        ignored=ignored,
        tight=often(rng, 0.3),
    )


def _classes(rng: random.Random) -> tuple[str, list[Any]]:
    """Some classes in order, and their kind."""
    kind = rng.choice(["int", "int", "int", *LABELS])
    if kind == "int":
        lowest = rng.choice([0, 0, 0, 1, 1, -1, -3, 7])
        labels = list(range(lowest, lowest + rng.randint(1, 5)))
        if often(rng, 0.2):
            labels = sorted(rng.sample(range(-5, 9), len(labels)))
        return kind, labels
    labels = list(LABELS[kind])
    if kind == "interval":
        start = rng.randrange(len(labels))
        return kind, labels[start : start + rng.randint(1, 4)]
    if kind != "bool":
        labels = rng.sample(labels, rng.randint(1, 5))
    return kind, labels


def _ignored(rng: random.Random, labels: list[Any]) -> list[Any]:
    """One or two labels to exclude: seldom a class, sometimes its equal of another type."""
    chosen = [rng.choice(labels if often(rng, 0.1) else IGNORED) for _ in range(2)]
    return chosen[: rng.randint(1, 2)]


def _labels(
    rng: random.Random,
    n_rows: int,
    kind: str,
    labels: list[Any],
    messy: bool,
    ignored: list[Any],
) -> pd.Series[Any]:
    """Labels of some rows, in one of the many ways to hold them."""
    used = labels if often(rng, 0.7) else rng.sample(labels, rng.randint(1, len(labels)))
    values = [rng.choice(used) for _ in range(n_rows)]
    if ignored and often(rng, 0.6):
        values = [rng.choice(ignored) if often(rng, 0.25) else value for value in values]
    if often(rng, 0.25):
        values = [rng.choice(MISSING) if often(rng, 0.15) else value for value in values]
    form = rng.choice(["ordered", "ordered", "plain", "plain", "plain", "unordered"])
    if form == "plain":
        if messy and values and often(rng, 0.3):
            values[rng.randrange(len(values))] = rng.choice(JUNK)
        return _held(rng, kind, values)
    declared = list(labels)
    if often(rng, 0.3):
        declared = [label for label in labels if label in used or often(rng, 0.5)]
    if messy and often(rng, 0.2):
        rng.shuffle(declared)
    if messy and often(rng, 0.1) and kind in ("int", "text"):
        declared.insert(rng.randint(0, len(declared)), 50 if kind == "int" else "fifty")
    for value in values:
        if not _lost(value) and value not in declared:
            declared.insert(rng.randint(0, len(declared)), value)
    codes = [declared.index(value) if not _lost(value) else -1 for value in values]
    dtype = pd.CategoricalDtype(pd.Index(declared, tupleize_cols=False), form == "ordered")
    return pd.Series(pd.Categorical.from_codes(codes, dtype=dtype))


def _held(rng: random.Random, kind: str, values: list[Any]) -> pd.Series[Any]:
    """Put values in a Series of some dtype that holds them."""
    dtypes = [rng.choice(HELD_AS[kind])]
    if kind in ARROW and often(rng, 0.15):
        dtypes = [pd.ArrowDtype(ARROW[kind])]
    if kind == "int":
        dtypes.append("float64")
    for dtype in dtypes:
        try:
            held = pd.Series(values, dtype=dtype)
        except (TypeError, ValueError, OverflowError, pa.ArrowException):
            continue
        if [_lost(value) for value in held.tolist()] == [_lost(value) for value in values]:
            return held
    held = pd.Series([None] * len(values), dtype=object)
    for row, value in enumerate(values):
        held.iat[row] = value
    return held


def _scores(rng: random.Random, n_rows: int) -> pd.Series[Any]:
    levels = [0, 1, 2, 3, -0.5, 1e300, float("inf"), -float("inf")][: rng.choice([2, 4, 5, 8])]
    values: list[Any] = [rng.choice(levels) for _ in range(n_rows)]
    if often(rng, 0.2):
        values = [rng.choice(MISSING[:3]) if often(rng, 0.2) else value for value in values]
    if often(rng, 0.1):
        values = [value if _lost(value) else "xyz"[int(value > 1) :] for value in values]
        declared = pd.CategoricalDtype(["yz", "xyz"], ordered=often(rng, 0.8))
        return pd.Series(values, dtype=declared)
    if often(rng, 0.03):
        return pd.Series(list(map(str, values)), dtype=object)
    return _held(rng, rng.choice(["int", "float", "float"]), values)


def _probabilities(rng: random.Random, n_rows: int, n_classes: int) -> list[pd.Series[Any]]:
    """A column for each class; eighths, so that all sums are exact."""
    table: list[list[Any]] = []
    for _ in range(n_rows):
        parts = [0] * n_classes
        for _ in range(8):
            parts[rng.randrange(n_classes)] += 1
        table.append([part / 8 for part in parts])
    if table and often(rng, 0.15):
        for _ in range(2):
            rng.choice(table)[rng.randrange(n_classes)] = rng.choice([None, float("nan")])
    if table and often(rng, 0.05):
        rng.choice(table)[0] = rng.choice([-0.5, 2.0])
    dtypes = ["float64", "float64", "float32", "Float64"]
    return [
        pd.Series([row[k] for row in table], dtype=rng.choice(dtypes)) for k in range(n_classes)
    ]


def _weights(rng: random.Random, n_rows: int) -> pd.Series[Any] | None:
    if often(rng, 0.6):
        return None
    values: list[Any] = [rng.choice([0, 1, 2, 3, 0.5, 1.25]) for _ in range(n_rows)]
    if often(rng, 0.3):
        values = [int(value) for value in values]
    if often(rng, 0.1):
        values = [0] * n_rows
    if values and often(rng, 0.08):
        values[rng.randrange(n_rows)] = rng.choice([-1, float("inf"), None, "2"])
    return _held(rng, "int" if all(type(v) is int for v in values) else "float", values)


def _key(rng: random.Random, n_rows: int) -> pd.Series[Any]:
    """A key of few values, so that groups hold several rows."""
    kind = rng.choice(["category", "bins", "bins", "int", "int", "float", "text", "date", "bool"])
    n_levels = rng.randint(1, 4)
    lost = 0.1 if often(rng, 0.2) and kind != "bool" else 0.0  # pandas sorts those first
    if kind in ("category", "bins"):
        levels: Any = ["b", "a", "d", "c", "unused"]
        if kind == "bins":
            levels = pd.IntervalIndex.from_breaks(range(n_levels + rng.randint(1, 2)))
        elif often(rng, 0.3):
            levels = [3, 1, 2, 10]
        codes = [-1 if often(rng, lost) else rng.randrange(len(levels)) for _ in range(n_rows)]
        dtype = pd.CategoricalDtype(levels, ordered=often(rng, 0.7))
        return pd.Series(pd.Categorical.from_codes(codes, dtype=dtype))
    choices: dict[str, list[Any]] = {
        "int": [2, -1, 10, rng.choice([0, 3, 1000, 2**62])],
        "float": [0.5, -2.0, 1e9, 3.0],
        "text": ["b", "a", "B", "10"],
        "date": pd.date_range("2024-01-30", periods=4).tolist(),
        "bool": [True, False],
    }
    values = [rng.choice(choices[kind][:n_levels]) for _ in range(n_rows)]
    values = [rng.choice(MISSING[:2]) if often(rng, lost) else value for value in values]
    if lost and kind in ("int", "float"):  # as objects, pandas would sort missing ones anywhere
        return pd.Series(values, dtype=rng.choice(["float64", "Float64"]))
    if kind == "int" and often(rng, 0.5):
        return _held(rng, "other", values).infer_objects()
    return _held(rng, kind, values)


def _index(rng: random.Random, n_rows: int, n_levels: int) -> tuple[pd.Index[Any], list[Hashable]]:
    """An index of keys, or one that does not matter."""
    if not n_levels:
        index = pd.RangeIndex(n_rows) if often(rng, 0.6) else pd.Index([7] * n_rows)
        return index, []
    names = rng.sample([*NAMES[:2], "fold", "site", 0, 1, 2, "a"], n_levels)
    levels = [pd.Index(_key(rng, n_rows), name=name) for name in names]
    return (levels[0] if n_levels == 1 else pd.MultiIndex.from_arrays(levels)), names


def _names(rng: random.Random, n_columns: int, taken: list[Hashable]) -> pd.Index[Any]:
    """Labels of columns; now and then two are the same, or one is that of an index level."""
    free = [name for name in NAMES if name not in taken or often(rng, 0.02)]
    free += [f"c{position}" for position in range(n_columns)]
    style = rng.random()
    if style < 0.3:
        free = [f"c{position}" for position in range(n_columns)]
    elif style < 0.55:
        free = [number for number in range(n_columns + len(taken)) if number not in taken]
    elif style < 0.6:
        pairs = [("a" if position % 2 else "b", f"c{position}") for position in range(n_columns)]
        return pd.MultiIndex.from_tuples(rng.sample(pairs, n_columns))
    names = rng.sample(free, n_columns)
    if often(rng, 0.03):
        names[0] = names[-1]
    return pd.Index(names, name=rng.choice([None] * 4 + ["net", 0, 3]), tupleize_cols=False)


def _grouped(
    rng: random.Random, frame: pd.DataFrame, keys: list[Key], sort: bool, keep_missing: bool
) -> Any:
    """The groupby of these keys, if pandas makes one."""
    options: Any = {"sort": sort, "dropna": not keep_missing, "observed": often(rng, 0.6)}
    if any(key.is_level and isinstance(key.name, int) for key in keys):
        return None  # pandas takes the name of such a level for its place
    if all(key.is_level for key in keys):
        options["level"] = [key.name for key in keys]
    elif often(rng, 0.2):
        options["by"] = [_values(frame, key) for key in keys]
    else:
        options["by"] = [key.name for key in keys]
    try:
        return frame.groupby(**options)
    except (ValueError, KeyError, TypeError):
        return None


def _values(frame: pd.DataFrame, key: Key) -> Any:
    """A key as what groupby takes in place of a name."""
    if not key.is_level:
        return frame.iloc[:, key.position].rename(key.name)
    values = frame.index
    if isinstance(values, pd.MultiIndex):
        values = values.set_names(list(range(values.nlevels))).get_level_values(key.position)
    return values.rename(key.name)


def _lost(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or value != value
