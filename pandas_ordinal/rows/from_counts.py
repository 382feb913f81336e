"""Cubes from tables counted elsewhere."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.arrow import frame_of, is_dictionary
from pandas_ordinal.classes.bins import BinsLike, as_bins, with_bins
from pandas_ordinal.classes.columns import column, refuse_no_label
from pandas_ordinal.classes.gate import (
    ClassesLike,
    codes_of,
    declared,
    refuse_missing,
)
from pandas_ordinal.classes.labelled import is_transposed, predictions_are_first
from pandas_ordinal.counting.arrays import LARGEST_EXACT, Array
from pandas_ordinal.cube.layout import build
from pandas_ordinal.errors import (
    ClassOrderError,
    Named,
    PercentagesWarning,
    an,
    brief,
    called,
    conversion_hint,
    kind_of,
    show,
    warn,
)
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.stack import plain_array, refuse_other_than_counts
from pandas_ordinal.query import Query
from pandas_ordinal.rows.count_column import as_numbers, counts_in
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.table import FrameTable

MARGIN = "All"

TRUE_AXIS = Named("the axis of true in the table", "table.index", "pd.Series(table.index)")
PRED_AXIS = Named("the axis of pred in the table", "table.columns", "pd.Series(table.columns)")

Shares: TypeAlias = Mapping[str, tuple[int, ...]]
"""The sums that are 1 if counts were normalized, and the axes that they run over."""

SHARES: Shares = {
    "all cells": (-2, -1),
    "the cells of each true class": (-1,),
    "the cells of each predicted class": (-2,),
}
OF_CLASSES = [cells for cells, axes in SHARES.items() if len(axes) == 1]
SUMS_WITHIN = 0.02  # shares may be rounded


@explains_arguments
def from_counts(
    table: Any,
    classes: ClassesLike | None = None,
    *,
    true: Hashable | None = None,
    pred: Hashable | None = None,
    count: Hashable | None = None,
    by: Hashable | list[Any] | None = None,
    bins: BinsLike | None = None,
    dropna: bool = False,
) -> xr.DataArray:
    """Make a cube from counts made elsewhere.

    Parameters
    ----------
    table : DataFrame, array_like, or table of DuckDB, Polars, Arrow and others
        One of three kinds:

        - a square table such as that of ``pd.crosstab``, read by its labels. Axes named true and
          pred can be in either order; without names, rows are the true classes.
        - an array, with the true classes on its rows, in the order of `classes`.
        - a long table of one row per group, true and predicted class, as SQL and
          ``groupby(...).size()`` return it, with `true`, `pred` and `count`.
    classes : sequence, optional
        The classes from lowest to highest. Default: those that the labels declare. Rows and
        columns that the table lacks are classes without counts.
    true, pred, count : label, optional
        The columns of a long table that hold the true and the predicted class, and their counts.
    by : label or list of labels, optional
        The columns of a long table to group by.
    bins : sequence, optional
        The edges of the classes, one more than there are classes, or an IntervalIndex: each class
        becomes the bin at its position. An array needs no `classes` then. Not needed if the
        classes are bins.
    dropna : bool, default False
        Drop counts whose key, true or predicted class is missing.

    Returns
    -------
    DataArray
        Dimensions ``(*by, true, pred)``; int64, or float64 where counts are floats. Whole floats
        of a long table are integers, such as sums in SQL.

    Raises
    ------
    ClassOrderError
        If neither the labels nor `classes` declare an order.
    UnknownClassError
        If a label is not a class.
    ValueError
        If counts are negative or not finite, are shares, labels occur twice, or the table has
        margins.

    Warns
    -----
    PercentagesWarning
        If counts are floats without fractions, and each true or each predicted class adds up to
        100.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> y, yhat = pd.Series(["low", "high"], name="y"), pd.Series(["mid", "high"], name="yhat")
    >>> cube = po.from_counts(pd.crosstab(y, yhat), classes=["low", "mid", "high"])
    >>> cube.values.tolist()
    [[0, 1, 0], [0, 0, 0], [0, 0, 1]]
    >>> long = pd.DataFrame({"y": [0, 1], "yhat": [1, 1], "n": [3, 5]})
    >>> po.from_counts(long, true="y", pred="yhat", count="n").values.tolist()
    [[0, 3], [0, 5]]
    """
    if isinstance(table, (xr.DataArray, xr.Dataset)):
        raise TypeError(
            f"po.from_counts takes a table, not {an(type(table).__name__)}: use a cube as it is"
        )
    if isinstance(table, np.ma.MaskedArray):
        raise TypeError("po.from_counts does not read masked counts: give table.filled(0)")
    in_pandas = _in_pandas(table)
    table = frame_of(table)
    if not isinstance(table, pd.DataFrame) and hasattr(table, "to_pandas"):
        table = table.to_pandas()
    if conversion_hint(table):
        raise TypeError(
            f"po.from_counts does not take {an(kind_of(table))}: {conversion_hint(table)}"
        )
    query = Query(by=by, classes=classes, bins=bins, dropna=dropna)
    columns = {"true": true, "pred": pred, "count": count}
    if any(name is not None for name in columns.values()) or by is not None:
        missing = [option for option, name in columns.items() if name is None]
        if missing:
            raise TypeError(f"a long table needs {missing[0]}=, the label of a column")
        return _whole(_refuse_shares(_of_long(_as_frame(table), columns, query)))
    if isinstance(table, pd.DataFrame):
        return _refuse_shares(_of_square(table, query, in_pandas))
    if isinstance(table, pd.Series):
        raise TypeError(
            "a Series of counts is a long table: give po.from_counts(counts.reset_index(name="
            "'n'), true=..., pred=..., count='n')"
        )
    dtype = _classes_of_array(query)
    counts = plain_array("table", table)
    n_classes = len(dtype.categories)
    if counts.shape != (n_classes, n_classes):
        raise ValueError(
            f"counts of shape {counts.shape} must be {n_classes} x {n_classes}, one row and one "
            "column per class"
        )
    cube = build(_checked(counts)[None, None], None, None, dtype)
    return _refuse_shares(cube)


def _classes_of_array(query: Query) -> pd.CategoricalDtype:
    """Return the classes of an array of counts, which are the bins if only these are given."""
    if query.classes is None and query.bins is not None:
        return pd.CategoricalDtype(as_bins(query.bins, "bins"), ordered=True)
    if query.classes is None:
        raise ClassOrderError("an array of counts has no labels: give classes=[...], lowest first")
    return with_bins(declared(query.classes), query.bins)


def _as_frame(table: Any) -> pd.DataFrame:
    if not isinstance(table, pd.DataFrame):
        raise TypeError(
            f"a long table of counts is a DataFrame, or a table of DuckDB, Polars or Arrow, not "
            f"{an(kind_of(table))}: make it a DataFrame"
        )
    return table


def _of_long(frame: pd.DataFrame, columns: dict[str, Any], query: Query) -> xr.DataArray:
    """Sum the counts of a long table by group, true and predicted class."""
    for option, name in columns.items():
        refuse_no_label(option, name, "its values are looked up in the table")
    counts = column(frame, columns["count"])
    numbers = counts_in(columns["count"], counts)
    if numbers is not counts:
        counts, frame = numbers, frame.copy(deep=False)
        frame[columns["count"]] = counts
    labels = [columns["true"], columns["pred"]]
    if query.classes is None:
        for name in labels:
            _refuse_dictionary(name, column(frame, name).dtype)
    named = replace(query, true=labels[0], pred=labels[1], sample_weight=columns["count"])
    cube = sample(FrameTable(frame), named).cube()
    if counts.dtype.kind not in "iu":
        return cube
    if cube.max() >= LARGEST_EXACT:  # a sum of floats may have been rounded to it
        raise ValueError(
            f"column {columns['count']!r} adds up to 2**53 or more in a cell, which is not exact"
        )
    return cube.astype(np.int64)


def _whole(cube: xr.DataArray) -> xr.DataArray:
    """Return floats without fractions as integers, as which DuckDB's ``.df()`` gives its sums.

    Ones and zeros may be shares: of a model without errors.
    """
    counts = cube.to_numpy()
    whole = (counts == np.floor(counts)).all() and 1 < counts.max(initial=0) < LARGEST_EXACT
    return cube.astype(np.int64) if whole else cube


def _refuse_dictionary(name: Hashable, dtype: Any) -> None:
    """Raise if labels of a counted table are an Arrow dictionary.

    It is marked as ordered, but pandas changes the order of its labels when it counts.
    """
    if is_dictionary(dtype):
        raise ClassOrderError(
            f"the labels of {name!r} are an Arrow dictionary, whose order pandas may have changed "
            "when it counted: give classes=[...], lowest first"
        )


def _of_square(table: pd.DataFrame, query: Query, in_pandas: str) -> xr.DataArray:
    """Lay out a square table by its labels; the code that makes it a DataFrame is for errors."""
    classes = query.classes
    _refuse_groups(table)
    _refuse_rows_without_labels(table, classes, in_pandas)
    if is_transposed("the table", table):
        table = table.T
    axes = [(TRUE_AXIS, table.index), (PRED_AXIS, table.columns)]
    dtype = None if classes is None else declared(classes)
    for name, labels in axes:
        if dtype is None:
            _refuse_dictionary(name, labels.dtype)
        if not labels.is_unique:
            raise ValueError(f"{called(name)} holds a label twice: sum its counts first")
        margin = _margin(table, labels)
        if margin is not None and (dtype is None or margin not in dtype.categories):
            raise ValueError(
                f"{called(name)} holds the margin {margin!r}: leave margins=True out, or drop it "
                f"with table.drop(index={brief(margin)}, columns={brief(margin)}, errors='ignore')"
            )
    (rows, columns), dtype = codes_of(
        [(name, pd.Series(labels)) for name, labels in axes], classes
    )
    for (name, _), codes in zip(axes, (rows, columns), strict=True):
        refuse_missing(name, 0 if query.dropna else int((codes < 0).sum()))
    counts = _checked(table.to_numpy())
    n_classes = len(dtype.categories)
    square = np.zeros((n_classes, n_classes), counts.dtype)
    square[np.ix_(rows[rows >= 0], columns[columns >= 0])] = counts[rows >= 0][:, columns >= 0]
    return build(square[None, None], None, None, with_bins(dtype, query.bins))


def _margin(table: pd.DataFrame, labels: pd.Index[Any]) -> Hashable | None:
    """Return the label of the margins of a table, which pandas puts last; None without margins."""
    if MARGIN in labels:
        return MARGIN
    last = table.index[-1] if len(table) else None
    if not len(table) or last != table.columns[-1] or not isinstance(last, str):
        return None
    counts = table.to_numpy()
    sums = counts[:-1].sum(axis=0), counts[:, :-1].sum(axis=1)
    is_sum = np.array_equal(sums[0], counts[-1]) and np.array_equal(sums[1], counts[:, -1])
    return last if is_sum and counts[-1, -1] else None


def _in_pandas(table: Any) -> str:
    """Return the code that makes a DataFrame of a table."""
    if isinstance(table, pd.DataFrame):
        return "table"
    return "table.to_pandas()" if hasattr(table, "to_pandas") else "pa.table(table).to_pandas()"


def _refuse_rows_without_labels(
    table: pd.DataFrame, classes: ClassesLike | None, in_pandas: str
) -> None:
    """Raise for a table whose rows are just numbered, although its columns have names."""
    if not isinstance(table.index, pd.RangeIndex) or table.index.name is not None:
        return
    if _has_labels_first(table, classes):
        first = table.columns[0]
        raise ValueError(
            f"the rows of the table are numbered, and its column {first!r} has their labels: give "
            f"po.from_counts({in_pandas}.set_index({first!r}), ...)"
        )
    if pd.api.types.infer_dtype(table.columns) == "string":
        raise ValueError(
            "the rows of the table are numbered, not labelled by classes: for a long table, name "
            f"three of its columns {show(table.columns)} as true=, pred= and count=; a square "
            "table has the true classes as its index"
        )


def _has_labels_first(table: pd.DataFrame, classes: ClassesLike | None) -> bool:
    """Whether the first column of a table has the labels of its rows, as after reset_index."""
    if table.empty or pd.api.types.infer_dtype(table.columns) == "integer":
        return False
    first, *others = map(str, table.columns)  # a file may have numbers as text
    labels = list(map(str, table.iloc[:, 0]))
    known = set(others if classes is None else map(str, declared(classes).categories))
    if first in known or len(set(labels)) < len(labels):
        return False
    return not (known.isdisjoint(labels) or known.isdisjoint(others))


def _refuse_groups(table: pd.DataFrame) -> None:
    """Raise for a table with groups on its axes; the error shows how to give it in long format."""
    levels = table.index.nlevels, table.columns.nlevels
    if levels == (1, 1):
        return
    stacked = "table.stack()" if levels[1] == 1 else "table.T.stack()"
    turned = table if levels[1] == 1 else table.T
    if min(levels) > 1:
        turned, stacked = table, f"table.stack({list(range(levels[1]))}, future_stack=True)"
    names = [*turned.index.names, *turned.columns.names]
    names = [f"level_{place}" if name is None else name for place, name in enumerate(names)]
    own, other = names[turned.index.nlevels - 1], names[-1]
    by = [name for name in names if name not in (own, other)]
    is_turned = turned is not table
    true, pred = (other, own) if is_turned else (own, other)
    if predictions_are_first(true, pred):
        true, pred = pred, true
    count = next(name for name in ("n", "count", "n_rows") if name not in names)
    axis = "rows" if levels[0] > 1 else "columns"
    raise ValueError(
        f"the {axis} of the table have {max(levels)} levels: give a long table, "
        f"po.from_counts({stacked}.reset_index(name={brief(count)}), true={brief(true)}, "
        f"pred={brief(pred)}, count={brief(count)}, by={brief(by[0] if len(by) == 1 else by)})"
    )


def _refuse_shares(cube: xr.DataArray) -> xr.DataArray:
    """Return a cube, or raise if it holds shares, which lack the number of rows.

    Weights may be fractions, but hardly ever add up to 1 or 100. Floats without fractions may be
    rounded percentages, or counts.
    """
    counts = cube.to_numpy()
    if counts.dtype.kind != "f" or not counts.any():
        return cube
    found = [
        (cells, whole)
        for cells, axis in (*SHARES.items(), ("all groups", None))
        for whole in (1, 100)
        if np.allclose((sums := counts.sum(axis))[sums > 0], whole, rtol=SUMS_WITHIN)
    ]
    if found and (counts != np.floor(counts)).any():
        cells, whole = found[0]
        raise ValueError(
            f"counts are fractions, and {cells} add up to {whole}: count without "
            "normalize=, and multiply weights that are shares by the number of rows"
        )
    of_classes = [cells for cells, whole in found if whole == 100 and cells in OF_CLASSES]
    if of_classes:
        warn(
            f"counts are floats, and {of_classes[0]} add up to 100, as percentages do, which lack "
            "the number of rows: count without normalize=; give counts as integers",
            PercentagesWarning,
        )
    return cube


def _checked(counts: Array) -> Array:
    """Return counts as int64 or float64, if they are counts."""
    if counts.dtype.kind == "O":
        counts = pd.DataFrame(np.where(pd.isna(counts), np.nan, counts)).infer_objects().to_numpy()
    if counts.dtype.kind == "O":
        numbers = as_numbers("the table", pd.Series(counts.ravel()))
        counts = numbers.to_numpy().reshape(counts.shape)
    if counts.dtype.kind not in "iuf":
        raise ValueError(f"counts must be integers or floats, not {counts.dtype}")
    refuse_other_than_counts(counts)
    if counts.dtype.kind in "iu" and counts.max(initial=0) > LARGEST_EXACT:
        raise ValueError("counts hold more than 2**53 in a cell, which is not exact")
    return counts.astype(np.float64 if counts.dtype.kind == "f" else np.int64)
