"""Comparisons of models on the rows that all of them predict, wide, long and in Datasets."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import xarray as xr
from oracles import differences

from fuzz.answers import Wrong, plain, refuse_other, result_of
from fuzz.frames import often
from fuzz.intervals import FUNCTIONS, tolerance_of
from fuzz.literal import METRICS, Row
from fuzz.tables import Table, frame_of, held, make_table

HIGHER = {"accuracy": True, "mae": False, "kappa": True, "bias": None}
LIMITS = {
    "accuracy": lambda k: (0, 1),
    "mae": lambda k: (0, k - 1),
    "kappa": lambda k: (-1, 1),
    "bias": lambda k: (1 - k, k - 1),
}
SMALLEST = 5e-324


class Group(NamedTuple):
    """The rows of a group: true classes, predicted ones by model, -1 if none; and clusters."""

    true: list[int]
    preds: dict[str, list[int]]
    clusters: list[int]

    def share(self, model: str) -> float:
        """Return the share of the rows with any prediction that a model predicts."""
        known = [place for place, true in enumerate(self.true) if true >= 0]
        of_any = [at for at in known if any(pred[at] >= 0 for pred in self.preds.values())]
        own = [at for at in known if self.preds[model][at] >= 0]
        return len(own) / len(of_any) if of_any else math.nan

    def common(self) -> Group:
        """Return the rows that all models predict."""
        rows = [
            place
            for place, true in enumerate(self.true)
            if true >= 0 and all(pred[place] >= 0 for pred in self.preds.values())
        ]
        preds = {model: [pred[at] for at in rows] for model, pred in self.preds.items()}
        return Group([self.true[at] for at in rows], preds, [self.clusters[at] for at in rows])


def check(rng: random.Random) -> None:
    """Compare models in wide or long format, or as variables of a Dataset."""
    table = make_table(rng, n_models=rng.choice([2, 2, 3]))
    form, level = rng.choice(["wide", "long", "dataset"]), rng.choice([0.9, 0.95])
    names, clustered = rng.sample([*METRICS], 2), often(rng, 0.3)
    given: dict[str, Any] = dict(table.options, metrics=names, ci=level)
    given |= {"cluster": "cluster"} if clustered else {}
    given |= {"by": list(table.keys)} if table.keys else {}
    models = list(table.preds)
    frame = frame_of(table)
    refused, left_out = set(table.refused), set()
    if form == "wide":
        call = lambda: frame.ordinal.compare("y", models, **given)  # noqa: E731
    elif form == "long":
        cells = [(model, row) for model in models for row in range(len(frame))]
        left_out = {cell for cell in cells if often(rng, 0.05)}
        kept = [cell for cell in cells if cell not in left_out]
        long = _long(table, frame, rng.sample(kept, len(kept)))
        refused = _refused(table, kept)
        models = [model for model in models if any(cell[0] == model for cell in kept)]
        table = replace(table, preds={model: table.preds[model] for model in models})
        call = lambda: long.ordinal.compare(  # noqa: E731
            "y", "yhat", model="model", id="row", **given
        )
    else:
        ds = xr.Dataset({name: ("case", _values(frame[name])) for name in frame})
        call = lambda: ds.ordinal.compare("y", models, **given)  # noqa: E731
    groups = _groups(table, left_out)
    silent = not all(_has_rows(model, groups) for model in models)  # models are named then
    silent |= not any(group.common().true for group in groups.values())
    may = {ValueError} if silent or len(models) < 2 else set()
    compared = result_of(refused | may, call, undefined=None, may=not refused)
    due = [
        (*key, name, *pair)
        for key in sorted(groups)
        for name in names
        for pair in combinations(models, 2)
    ]
    if list(map(plain, compared.index)) != due:
        raise Wrong(f"{form}: rows {list(compared.index)}, due {due}")
    for key, group in groups.items():
        for name in names:
            part = [row for label, row in compared.iterrows() if label[:-2] == (*key, name)]
            try:
                _refuse_other(part, name, group, models, len(table.classes), level, clustered)
            except Wrong as wrong:
                raise Wrong(f"{form}, {name} of {key}, {given}: {wrong}") from None


def _has_rows(model: str, groups: dict[Any, Group]) -> bool:
    return any(group.share(model) > 0 for group in groups.values())


def _long(table: Table, frame: pd.DataFrame, cells: Sequence[tuple[str, int]]) -> pd.DataFrame:
    """Return a frame with a row for each of these models and rows."""
    rows = [row for _, row in cells]
    long = frame.iloc[rows].drop(columns=list(table.preds)).reset_index(drop=True)
    pred = held([table.preds[model][row] for model, row in cells])
    return long.assign(model=held([model for model, _ in cells]), row=rows, yhat=pred)


def _refused(table: Table, cells: Sequence[tuple[str, int]]) -> set[type[Exception]]:
    """Return the error that is due for missing labels in these cells."""
    rows = [row for _, row in cells]
    pred = [table.preds[model][row] for model, row in cells]
    keys = {name: [key[row] for row in rows] for name, key in table.keys.items()}
    true = [table.true[row] for row in rows]
    return replace(table, true=true, preds={"": pred}, keys=keys).refused


def _values(column: pd.Series[Any]) -> Any:
    """Return a column as an array: floats for nullable integers, objects for booleans."""
    if column.dtype == "Int64":
        return column.to_numpy(float, na_value=np.nan)
    return column.to_numpy(object if column.dtype == "boolean" else None)


def _groups(table: Table, left_out: set[tuple[str, int]]) -> dict[tuple[Any, ...], Group]:
    """Return the groups that occur, with the cells that the models have not got as -1."""
    groups: dict[tuple[Any, ...], Group] = {} if table.keys else {(): _no_rows(table)}
    true = table.codes(table.true)
    preds = {model: table.codes(pred) for model, pred in table.preds.items()}
    for row, key in enumerate(table.groups()):
        there = {model: -1 if (model, row) in left_out else preds[model][row] for model in preds}
        if key is None or all((model, row) in left_out for model in preds):
            continue
        group = groups.setdefault(key, _no_rows(table))
        group.true.append(true[row])
        group.clusters.append(table.clusters[row])
        for model, code in there.items():
            group.preds[model].append(code)
    return groups


def _no_rows(table: Table) -> Group:
    return Group([], {model: [] for model in table.preds}, [])


def _refuse_other(
    part: Sequence[Any],
    name: str,
    group: Group,
    models: Sequence[str],
    n_classes: int,
    level: float,
    clustered: bool,
) -> None:
    """Raise unless the rows of a metric in a group have the values that are due."""
    rows, tolerance = group.common(), tolerance_of(name, n_classes)
    tests = [
        _tested(name, rows, pair, n_classes, level, clustered) for pair in combinations(models, 2)
    ]
    adjusted = _holm([test[-1] for test in tests])
    for (a, b), test, p, row in zip(combinations(models, 2), tests, adjusted, part, strict=True):
        columns = ["value_a", "value_b", "difference", "se", "low", "high", "p_value"]
        refuse_other([row[column] for column in columns], test, rel_tol=1e-6)
        refuse_other([row["n"], row["p_adjusted"]], [len(rows.true), p], rel_tol=1e-6)
        if not math.isnan(group.share(a)):
            refuse_other([row["share_a"], row["share_b"]], [group.share(a), group.share(b)])
        better: Any = a if (test[2] > 0) == HIGHER[name] else b
        if abs(p - (1 - level)) < 1e-9:
            continue
        if p > 1 - level or abs(test[2]) <= tolerance:
            better = "neither"
        better = None if math.isnan(p) or HIGHER[name] is None else better
        if plain(row["better"]) != better:
            raise Wrong(f"better is {row['better']}, due {better}")


def _tested(
    name: str,
    rows: Group,
    pair: tuple[str, str],
    n_classes: int,
    level: float,
    clustered: bool,
) -> list[float]:
    """Return both values, their difference, its standard error and interval, and the p-value."""
    f, tolerance = FUNCTIONS[name], tolerance_of(name, n_classes)
    codes = [rows.preds[model] for model in pair]
    values = [
        METRICS[name](
            [Row(y, p, None, None, 1) for y, p in zip(rows.true, pred, strict=True)], n_classes
        )
        for pred in codes
    ]
    difference, units = values[0] - values[1], len(rows.true)
    if clustered:
        units = len(set(rows.clusters))
    if units < 2 or math.isnan(difference):
        return [*values, difference, *[math.nan] * 4]
    limits = LIMITS[name](n_classes)
    with np.errstate(all="ignore"):
        due = differences.difference(
            f, rows.true, (codes[0], codes[1]), n_classes, limits, is_mean=name != "kappa",
            clusters=rows.clusters if clustered else None,
        )  # fmt: skip
    are_equal = abs(difference) <= 2 * tolerance
    if math.isnan(due.se) or (due.se <= tolerance and not are_equal):
        return [*values, difference, *[math.nan] * 4]
    p = 1.0 if are_equal else max(due.p, SMALLEST)
    return [*values, difference, due.se, *due.interval(level, limits), p]


def _holm(p: Sequence[float]) -> list[float]:
    """Adjust p-values: the smallest counts for all, the next for one less, and so on."""
    adjusted, largest = [math.nan] * len(p), 0.0
    there = sorted((value, at) for at, value in enumerate(p) if not math.isnan(value))
    for step, (value, at) in enumerate(there):
        largest = max(largest, min(1, value * (len(there) - step)))
        adjusted[at] = largest
    return adjusted
