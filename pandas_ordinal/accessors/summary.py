"""Metrics over folds: their mean and standard deviation, beside the value of all rows pooled."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.accessors.report import MetricsLike
from pandas_ordinal.accessors.rows import FrameTable, sample
from pandas_ordinal.groups import levels_of
from pandas_ordinal.query import Query, Sureness


def summed_up(
    table: FrameTable, query: Query, over: Hashable | list[Any], metrics: MetricsLike | None
) -> pd.DataFrame:
    """Return mean and standard deviation over folds, and the pooled value, of each metric."""
    by, folds = ([] if one is None else _listed(one) for one in (query.by, over))
    if not folds:
        raise ValueError("over= must name the columns that say which fold a row is in, as 'fold'")
    by_fold = replace(query, by=[*by, *folds])
    groups = table.groups(by_fold)
    if groups is not None and not isinstance(groups.keep, slice):  # rows that are in no fold
        table = FrameTable(table.frame[groups.keep])
    of_folds = sample(table, by_fold).report(metrics, Sureness())
    pooled = sample(table, query).report(metrics, Sureness())
    assert isinstance(of_folds, pd.DataFrame)
    values = of_folds.drop(columns="n")
    keys: list[pd.Index[Any]] = []
    parent = np.zeros(len(values), np.intp)
    if isinstance(pooled, pd.DataFrame):
        keys = levels_of(pooled.index)
        levels = levels_of(values.index)
        kept = [*levels[: len(by)], *levels[len(by) + len(folds) :]]
        own = kept[0] if len(kept) == 1 else pd.MultiIndex.from_arrays(kept)
        parent = pooled.index.get_indexer(own)
        pooled = pooled.drop(columns="n")
    else:
        pooled = pooled.drop("n")
    names = list(values.columns)
    if "metric" in [key.name for key in keys]:
        raise ValueError("by= names a key 'metric', as summary does: rename the column")
    n_rows = pooled.size // len(names)
    grouped = values.groupby(parent)
    parts = {"mean": grouped.mean(), "std": grouped.std(ddof=1), "n_folds": grouped.count()}
    columns = {
        name: part.reindex(range(n_rows)).to_numpy().ravel() for name, part in parts.items()
    }
    columns["n_folds"] = np.nan_to_num(columns["n_folds"]).astype(np.int64)
    columns["pooled"] = pooled.to_numpy(dtype=float).ravel()
    metric = pd.Index(names * n_rows, name="metric")
    if not keys:
        return pd.DataFrame(columns, metric)
    repeated = [key.repeat(len(names)) for key in keys]
    return pd.DataFrame(columns, pd.MultiIndex.from_arrays([*repeated, metric]))


def _listed(names: Any) -> list[Any]:
    return list(names) if isinstance(names, (list, pd.Index, np.ndarray)) else [names]
