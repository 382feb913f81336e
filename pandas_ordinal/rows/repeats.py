"""Repeated folds: rows that `cross_val_frame` predicts once per repeat are not independent.

Its column `row` is the position of a row, from 0, and `repeat` the number of the repeat.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from pandas_ordinal.errors import RepeatedRowsWarning, warn
from pandas_ordinal.query import Query

ROW, REPEAT, TRUE = "row", "repeat", "true"
CLUSTERED = f'cluster="{ROW}"'
ENOUGH = 1000  # rows that show whether rows are repeated


def repeated_folds(frame: pd.DataFrame) -> pd.DataFrame | None:
    """Return the columns or index levels of repeated folds; None if one of them is missing."""
    columns: dict[str, Any] = {}
    for name in (ROW, REPEAT):
        if name in frame.columns:
            columns[name] = frame[name]
        elif name in frame.index.names:
            columns[name] = frame.index.get_level_values(name)
    are_folds = len(columns) == 2 and all(map(_are_numbers, columns.values()))
    return pd.DataFrame(columns, frame.index) if are_folds else None


def _are_numbers(values: Any) -> bool:
    """Return whether a column holds numbers, which may be categories."""
    if isinstance(values, pd.DataFrame):
        return False
    dtype = values.dtype
    kind = dtype.categories.dtype.kind if isinstance(dtype, pd.CategoricalDtype) else dtype.kind
    return kind in "iuf"


def are_repeated(cases: pd.DataFrame) -> bool:
    """Whether several repeats have the same row of the same group.

    A row has one true class. If it has several, the column `row` means something else.

    Parameters
    ----------
    cases : DataFrame
        The columns of the folds, the true class, and the keys of the groups.
    """
    cases = cases.dropna()
    keys = [name for name in cases.columns if name not in (REPEAT, TRUE)]
    is_repeated = cases.drop_duplicates([*keys, REPEAT]).duplicated(keys).any()
    return bool(is_repeated) and not cases.drop_duplicates([ROW, TRUE]).duplicated(ROW).any()


def _first_cases(part: pd.DataFrame, true: Any, keys: list[Any], weight: Any) -> pd.DataFrame:
    """Return the cases of a partition that are among the first rows, each once."""
    folds = repeated_folds(part)
    assert folds is not None
    folds = folds.astype(float)
    chosen = folds[ROW].to_numpy() < ENOUGH
    if weight is not None:
        chosen = chosen & (part[weight] > 0).to_numpy(dtype=bool, na_value=False)
    part, cases = part[chosen], folds[chosen].reset_index(drop=True)
    missing = [key for key in keys if key not in part.columns]
    by = part.reset_index()[keys] if missing else part[keys]
    cases[TRUE] = part[true].astype(object).to_numpy()
    for place, key in enumerate(keys):
        cases[f"key {place}"] = by[key].astype(object).to_numpy()
    return cases.drop_duplicates()


def cases_in(ddf: Any, query: Query, keys: list[Any]) -> pd.DataFrame:
    """Return the cases of a Dask frame that are among the first rows, from a pass over it."""
    weight = query.sample_weight
    names = dict.fromkeys([ROW, REPEAT, query.true, *keys, *([] if weight is None else [weight])])
    cases: pd.DataFrame = (
        ddf[[name for name in names if name in ddf.columns]]
        .reduction(
            chunk=_first_cases,
            aggregate=pd.DataFrame.drop_duplicates,
            meta=pd.DataFrame(),
            chunk_kwargs={"true": query.true, "keys": keys, "weight": weight},
        )
        .compute()
    )
    return cases


def warn_of_repeats(cases: pd.DataFrame, instead_of: str | None) -> None:
    """Warn if intervals would count repeats of a row as independent rows.

    `instead_of` is an option that excludes clusters.
    """
    if are_repeated(cases):
        other = f" instead of {instead_of}" if instead_of else ""
        warn(
            f"several repeats predict the same rows, as {ROW!r} and {REPEAT!r} show, and "
            "count as independent rows, so intervals are too narrow and p-values too small: "
            f"give {CLUSTERED}{other}",
            RepeatedRowsWarning,
        )
