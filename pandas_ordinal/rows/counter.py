"""`Counter`: counts of rows that arrive in parts, from a stream, from files or many workers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.arrow import frame_of
from pandas_ordinal.classes.gate import ClassesLike, declared, same_classes
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.counting.forks import forkable_lock
from pandas_ordinal.cube.combine import add
from pandas_ordinal.cube.layout import CLASS_DIMS, as_coordinate, build, refuse_same_names
from pandas_ordinal.errors import an, conversion_hint, kind_of
from pandas_ordinal.groups import names_of_keys
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.query import Query
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.sample import Sample
from pandas_ordinal.rows.table import FrameTable

GROUPS = "pandas_ordinal groups"  # one dimension for several keys; a cube has one per key

# One for all counters, held while their sums are read or changed, of which a child of a fork would
# otherwise inherit some that are changed, and others that are not
LOCK = forkable_lock()


class Counter:
    """Count rows that arrive in parts, by group, true and predicted class.

    A counter holds a confusion matrix for each group that has occurred, and no rows. Counters can
    be pickled: workers count, and their counters are merged in any order. Threads can share a
    counter. A copy, as of `copy.copy`, is independent.

    Parameters
    ----------
    classes : sequence
        The classes from lowest to highest. They cannot be read from a single part.
    by : label or list of labels, optional
        The columns or index levels to group by.

    Raises
    ------
    ClassOrderError
        If `classes` declares no order.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> counter = po.Counter(classes=["low", "mid", "high"], by="model")
    >>> for part in (["low", "mid"], ["high", "high"]):
    ...     frame = pd.DataFrame({"model": ["a", "b"], "y": part, "yhat": "mid"})
    ...     counter.update(frame, "y", "yhat")
    >>> counter.cube.ordinal.mae().to_series().to_dict()
    {'a': 1.0, 'b': 0.5}
    """

    @explains_arguments
    def __init__(self, classes: ClassesLike, *, by: Hashable | list[Any] | None = None) -> None:
        self._classes = declared(classes)
        self._by = by if by is None else names_of_keys(by)
        self._counts: xr.DataArray | None = None

    @explains_arguments
    def update(
        self,
        frame: Any,
        true: Hashable,
        pred: Hashable | list[Any],
        *,
        sample_weight: Hashable | None = None,
        dropna: bool = False,
        ignore: Hashable | list[Any] | None = None,
    ) -> None:
        """Add the rows of a frame to this counter; an error leaves it unchanged.

        Parameters
        ----------
        frame : DataFrame, dict of arrays, or table of DuckDB, Polars, Arrow and others
            The rows, with the keys of the groups.
        true : label
            The column that holds the true classes.
        pred : label or list of labels
            The column that holds the predicted classes; a list has one column per model. Give a
            list in all calls or in none. A model that a call leaves out gets no counts from it.
        sample_weight : label, optional
            The column that holds the weight of each row; counts are then floats. A column of
            booleans selects rows.
        dropna : bool, default False
            Drop rows in which a key, a true or a predicted class is missing.
        ignore : label or list of labels, optional
            Labels to exclude: rows with one of them as true or predicted class are dropped.

        Raises
        ------
        UnknownClassError
            If a label is not a class.
        MissingValueError
            If a label or a key is missing.
        ValueError
            If `pred` lists models in some calls and names one column in others.
        """
        query = Query(
            true=true, pred=pred, by=self._by, sample_weight=sample_weight,
            classes=self._classes, dropna=dropna, ignore=ignore,
        )  # fmt: skip
        rows = sample(FrameTable(_as_frame(frame)), query)
        keys, tables = rows.keyed_tables()
        with LOCK:
            if self._counts is None or not _sum_in_place(self._counts, keys, rows.models, tables):
                self._counts = _sum_of(self._counts, _labelled(keys, tables, rows))

    def merge(self, other: Counter) -> Counter:
        """Return a counter of the rows of both; neither of the two changes.

        Parameters
        ----------
        other : Counter
            A counter of the same classes and keys.

        Returns
        -------
        Counter
            ``functools.reduce(po.Counter.merge, counters)`` merges many, in any order.

        Raises
        ------
        ValueError
            If the other one has other classes or keys.

        Examples
        --------
        >>> import pandas as pd
        >>> import pandas_ordinal as po
        >>> monday, friday = (po.Counter(classes=["low", "high"]) for _ in range(2))
        >>> monday.update(pd.DataFrame({"y": ["low"], "yhat": ["low"]}), "y", "yhat")
        >>> friday.update(pd.DataFrame({"y": ["low"], "yhat": ["high"]}), "y", "yhat")
        >>> monday.merge(friday).cube.values.tolist()
        [[1, 1], [0, 0]]
        """
        if not isinstance(other, Counter):
            raise TypeError(
                f"other must be a po.Counter, not {an(type(other).__name__)}: cubes are added by "
                "po.add(counter.cube, cube)"
            )
        if not same_classes(self._classes, other._classes) or self._by != other._by:
            raise ValueError(f"{self!r} and {other!r} differ: give both the same classes and by=")
        merged = Counter(self._classes, by=self._by)
        counts, others = self._copied_counts(), other._copied_counts()
        merged._counts = counts if others is None else _sum_of(counts, others)
        return merged

    @property
    def cube(self) -> xr.DataArray:
        """The counts of all rows so far, as a cube ``(*by, true, pred)``.

        It equals `confusion` of a frame with all these rows, and is dense over the keys that have
        occurred.
        """
        counts = self._copied_counts()
        if counts is None:
            return self._nothing()
        if GROUPS not in counts.dims:
            return counts
        models = [dim for dim in counts.dims if dim not in (GROUPS, *CLASS_DIMS)]
        tables = counts.transpose(GROUPS, *models, *CLASS_DIMS).to_numpy()
        keys = counts.indexes[GROUPS]
        if not models:
            return build(tables[:, None], keys, None, self._classes)
        return build(tables, keys, counts.indexes[models[0]], self._classes)

    def __repr__(self) -> str:
        """Return the classes and the keys."""
        return f"Counter(classes={list(self._classes.categories)}, by={self._by!r})"

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles have: counts of their own."""
        return vars(self) | {"_counts": self._copied_counts()}

    def _copied_counts(self) -> xr.DataArray | None:
        """Return a copy of the counts, which later updates do not change."""
        with LOCK:
            return None if self._counts is None else self._counts.copy()

    def _nothing(self) -> xr.DataArray:
        """Return the cube of no rows."""
        n_classes = len(self._classes.categories)
        keys: pd.Index[Any] | None = None
        if self._by is not None:
            names = self._by
            keys = pd.MultiIndex.from_arrays([[]] * len(names), names=names)
            keys = keys if len(names) > 1 else keys.get_level_values(0)
        shape = int(keys is None), 1, n_classes, n_classes
        return build(np.zeros(shape, np.int64), keys, None, self._classes)


def _sum_of(sums: xr.DataArray | None, counts: xr.DataArray) -> xr.DataArray:
    """Return the sum of the counts so far and these counts."""
    if sums is None:
        return add(counts).copy()
    if set(counts.dims) != set(sums.dims):
        raise ValueError(
            "pred= lists models in some calls, and names one column in others: give a list, "
            "pred=['yhat'], in all"
        )
    return add(sums, counts)


def _sum_in_place(
    counts: xr.DataArray,
    keys: pd.Index[Any] | None,
    models: pd.Index[Any] | None,
    tables: Array,
) -> bool:
    """Add tables in place if all their groups and models are known; return whether they are.

    `add` gives the same sums, but aligns all groups: slower than counting a small part.
    """
    sums = counts.to_numpy()
    n_groups = 0 if keys is None else 1
    if models is None:
        tables = tables[:, 0]
    elif counts.ndim != n_groups + 3 or not models.equals(counts.indexes[counts.dims[n_groups]]):
        return False
    if sums.shape[n_groups:] != tables.shape[1:] or sums.dtype != tables.dtype:
        return False
    if keys is None:
        sums += tables[0]
        return True
    known, keys = counts.indexes[counts.dims[0]], as_coordinate(keys)
    alike = all(map(_of_one_kind, _levels(known), _levels(keys)))
    if not alike or not known.is_unique:  # such as 1 and True, which a lookup confuses
        return False
    positions = known.get_indexer(keys)
    if (positions < 0).any():
        return False
    sums[positions] += tables
    return True


def _levels(keys: pd.Index[Any]) -> list[pd.Index[Any]]:
    return list(keys.levels) if isinstance(keys, pd.MultiIndex) else [keys]


def _of_one_kind(known: pd.Index[Any], keys: pd.Index[Any]) -> bool:
    """Whether labels that compare equal are the same label, unlike 1, True and 1.0."""
    if isinstance(keys.dtype, pd.IntervalDtype):  # overlapping intervals cannot be looked up
        return False
    if pd.api.types.infer_dtype(keys) == "string":
        return known.dtype == object or isinstance(known.dtype, pd.StringDtype)
    return known.dtype == keys.dtype != object


def _labelled(keys: pd.Index[Any] | None, tables: Array, rows: Sample) -> xr.DataArray:
    """Label tables; the groups of several keys are one dimension, not one per key."""
    if not isinstance(keys, pd.MultiIndex):
        return build(tables, keys, rows.models, rows.classes.dtype)
    names = [str(name) for name in keys.names]
    models = [] if rows.models is None else [str(rows.models.name)]
    refuse_same_names([*names, *models, *CLASS_DIMS])
    numbers = pd.RangeIndex(len(keys), name=GROUPS)
    counts = build(tables, numbers, rows.models, rows.classes.dtype).drop_vars(GROUPS)
    labels = xr.Coordinates.from_pandas_multiindex(keys.set_names(names), GROUPS)
    return counts.assign_coords(labels)


def _as_frame(rows: Any) -> pd.DataFrame:
    """Return rows as a frame."""
    if isinstance(rows, Mapping):
        series = [name for name, values in rows.items() if isinstance(values, pd.Series)]
        if series:
            raise TypeError(
                f"frame[{series[0]!r}] is a Series, which a dict would align by its index: give "
                "pd.DataFrame(...), or arrays"
            )
        try:
            return pd.DataFrame(dict(rows))
        except (TypeError, ValueError) as error:
            raise ValueError(f"frame= is a dict, but not of arrays: {error}") from error
    rows = frame_of(rows)
    if not isinstance(rows, pd.DataFrame) and hasattr(rows, "to_pandas"):
        rows = rows.to_pandas()
    if not isinstance(rows, pd.DataFrame):
        hint = conversion_hint(rows)
        raise TypeError(
            f"frame must be a DataFrame or a dict of arrays, not {an(kind_of(rows))}"
            f"{f': {hint}, part by part' if hint else ''}"
        )
    return rows
