"""Comparisons and summaries as styled tables: a metric per row, with its own digits."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.query import SIZES
from pandas_ordinal.reports.columns import ARROWS, digits_of
from pandas_ordinal.reports.facts import direction_behind

OF_PAIRS = ("metric", "a", "b")
OF_DIFFERENCES = ("value_a", "value_b", "difference", "se", "low", "high")
LEAST_P = 0.001  # below it, p-values have an exponent


def metrics_are_rows(table: pd.DataFrame) -> bool:
    """Return whether a table is what `compare` or `summary` returns."""
    kinds = ({"value_a", "value_b"}, {"mean", "n_folds"})
    return "metric" in table.index.names and any(kind <= set(table.columns) for kind in kinds)


def texts_of(
    table: pd.DataFrame, behind: Mapping[str, Metric]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the texts of a table with metrics as rows, and which of them are bold."""
    if "value_a" in table.columns:
        conclusion = "non_inferior" if "non_inferior" in table.columns else "better"
        refuse_lost_columns("the report", table, "compare", [*OF_DIFFERENCES, conclusion])
        return _comparison(table)
    refuse_lost_columns("the report", table, "summary", ("mean", "std", "n_folds"))
    return _summary(table, behind)


def refuse_lost_columns(name: str, table: pd.DataFrame, call: str, columns: Sequence[str]) -> None:
    """Raise unless a result has these columns."""
    lost = [column for column in columns if column not in table.columns]
    if lost:
        raise ValueError(
            f"{name} has no column {', '.join(map(repr, lost))}: give what .ordinal.{call}(...) "
            "returned, with all columns"
        )


def differences_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return a comparison as a report of differences: a row per pair, a column per metric."""
    parts = {"difference": "", "low": "_low", "high": "_high"}
    pairs = table.reset_index("metric").index.unique()
    found = {
        f"{metric}{suffix}": some[part].xs(metric, level="metric").reindex(pairs)
        for metric, some in table.groupby(level="metric", sort=False)
        for part, suffix in parts.items()
    }
    report = pd.DataFrame(found, index=pairs)
    report.attrs = table.attrs
    return report


def groups_of_rows(
    found: pd.DataFrame,
) -> Iterator[tuple[list[tuple[Hashable, Any]], pd.DataFrame]]:
    """Yield the names and keys of each group of a comparison, and its rows without these."""
    names = found.index.names
    keys: list[Any] = [n for n, name in enumerate(names) if name not in OF_PAIRS]
    if not keys:
        yield [], found
        return
    level = keys if len(keys) > 1 else keys[0]
    for _, rows in found.groupby(level=level, sort=False, observed=True, dropna=False):
        yield [(names[key], rows.index[0][key]) for key in keys], rows.droplevel(keys)


def arrow_of(label: str, behind: Mapping[str, Metric]) -> str:
    """Return a label with the arrow of the metric behind it, or that it names."""
    return f"{label.replace('_', ' ')}{ARROWS[direction_behind(label, behind)]}"


def _comparison(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    digits = _digits(table, table["se"].to_numpy(dtype=float))
    cells = pd.DataFrame(index=table.index)
    for side in ("value_a", "value_b"):
        cells[side] = _rounded(table[side], digits)
    bounds = zip(
        *(_rounded(table[part], digits) for part in ("difference", "low", "high")), strict=True
    )
    cells["difference"] = [
        f"{difference} [{low}, {high}]" if low else difference for difference, low, high in bounds
    ]
    for p in ("p_value", "p_adjusted", "p_equivalent"):
        if p in table:
            cells[p] = [_p_value(value) for value in table[p].to_numpy(dtype=float)]
    if "non_inferior" in table:
        cells["non_inferior"] = table["non_inferior"].map({True: "yes", False: "no"}).fillna("")
    else:
        cells["better"] = table["better"].astype(object).where(table["better"].notna(), "")
    for size in SIZES:
        if size in table:
            cells[size] = [f"{n:.0f}" for n in table[size]]
    bold = pd.DataFrame(False, cells.index, cells.columns)
    for side in ("a", "b") if "better" in cells else ():
        models = table.index.get_level_values(side)
        bold[f"value_{side}"] = (table["better"].to_numpy() == models) & (models != "neither")
    return cells, bold


def _summary(
    table: pd.DataFrame, behind: Mapping[str, Metric]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    errors: Any = table["std"].astype(float) / np.sqrt(table["n_folds"].astype(float))
    digits = _digits(table, errors.to_numpy())
    cells = pd.DataFrame(index=table.index)
    for column in table.columns:
        cells[column] = _rounded(table[column], 0 * digits if column == "n_folds" else digits)
    bold = pd.DataFrame(False, cells.index, cells.columns)
    bold["mean"] = _is_best(table, behind)
    return cells, bold


def _digits(table: pd.DataFrame, errors: Floats) -> Array:
    """Return the digits of each row: the same for all rows of a metric."""
    by_metric = pd.Series(errors).groupby(table.index.get_level_values("metric"), sort=False)
    return by_metric.transform(lambda some: digits_of(some.to_numpy())).to_numpy(dtype=int)


def _rounded(values: pd.Series[Any], digits: Array) -> list[str]:
    pairs = zip(values.astype(float), digits, strict=True)
    return ["" if np.isnan(value) else f"{value:.{n}f}" for value, n in pairs]


def _p_value(p: float) -> str:
    if np.isnan(p):
        return ""
    return f"{p:.3f}" if p >= LEAST_P else f"{p:.0e}"


def _is_best(table: pd.DataFrame, behind: Mapping[str, Metric]) -> Array:
    """Return which means are the best of their metric."""
    means, metrics = table["mean"].to_numpy(dtype=float), table.index.get_level_values("metric")
    best = np.zeros(len(table), bool)
    for metric in metrics.unique():
        up = direction_behind(metric, behind)
        rows = np.flatnonzero((metrics == metric) & ~np.isnan(means))
        if up is not None and len(rows) > 1:
            signed = means[rows] if up else -means[rows]
            best[rows] = signed == signed.max()
    return best
