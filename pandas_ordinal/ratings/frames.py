"""Ratings in frames: a column for each rater, or a row for each rating."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_ordinal.classes.columns import labels_of, refuse_ignored_classes
from pandas_ordinal.classes.gate import codes_of, refuse_missing, smallest
from pandas_ordinal.classes.undeclared import Column
from pandas_ordinal.counting.arrays import Array, Codes, Positions
from pandas_ordinal.counting.counts import number_pairs
from pandas_ordinal.errors import brief
from pandas_ordinal.groups import (
    ALL_ROWS,
    Groups,
    group,
    names_of_keys,
    numbers_of_rows,
    with_empty_bins,
)
from pandas_ordinal.metrics.rating_table import RatingTable, boundaries_of, joined, table_of_matrix
from pandas_ordinal.query import Agreement, Query
from pandas_ordinal.ratings.request import agreement_columns, facts_about, refuse_one_rater
from pandas_ordinal.reports.metrics import Classes, classes_of
from pandas_ordinal.rows.gather import without_ignored
from pandas_ordinal.rows.results import laid_out_over, table_of
from pandas_ordinal.rows.table import FrameTable


class Rows(NamedTuple):
    """The rows of a frame in groups that occur.

    Attributes
    ----------
    groups : Groups or None
        The groups; None if all rows are one.
    occurring : ndarray
        The numbers of the groups that have rows.
    keep : slice or ndarray of bool
        The rows that are in a group.
    segment : ndarray
        The place of the group of each of these rows among those that occur.
    """

    groups: Groups | None
    occurring: Positions
    keep: Any
    segment: Positions


def agreement_of_frame(
    table: FrameTable, query: Query, item: Any, rater: Any, asked: Agreement
) -> pd.Series[float] | pd.DataFrame:
    """Return the agreement in each group of a frame, whose ratings are the `pred` of a query."""
    labels, names = table.models("ratings", query.pred)
    if names is not None and (item is not None or rater is not None):
        raise ValueError(
            "item= and rater= belong to a single column with all ratings, but ratings= is a list, "
            "a column for each rater: give one or the other"
        )
    if names is None and (item is None or rater is None):
        raise ValueError(
            f"ratings={brief(query.pred)} is one column: with a row for each rating, give "
            'item="..." and rater="..." too; with a column for each rater, list the columns'
        )
    if names is not None:
        if not pd.Index(labels, tupleize_cols=False).is_unique:
            raise ValueError(f"ratings={brief(labels)} must name different columns, one a rater")
        refuse_one_rater(labels)
    codes, classes = _codes([table.column("ratings", label) for label in labels], query)
    rows = _rows(table, query)
    clusters = None
    if asked.cluster is not None:
        clusters = _clusters(*table.column("cluster", asked.cluster))[rows.keep]
    if names is None:
        ratings = _long(table, rows, codes[0], item, rater, clusters, len(classes))
    else:
        ratings = _wide(rows, codes, clusters, len(classes))
    columns = agreement_columns(asked, ratings, classes)
    keys, places = None, rows.occurring
    if rows.groups is not None:
        keys, places = with_empty_bins(rows.groups.index(rows.occurring))
    shown = {
        name: laid_out_over(values, places, keys, 0 if values.dtype.kind == "i" else np.nan)
        for name, values in columns.items()
    }
    return table_of(shown, [] if keys is None else [keys], facts_about(asked))


def _codes(columns: list[Column], query: Query) -> tuple[list[Codes], Classes]:
    """Read columns of ratings as codes of their classes, -1 where one is missing or ignored."""
    ignored = labels_of(query.ignore)
    refuse_ignored_classes(query.classes, ignored)
    codes, dtype = codes_of(without_ignored(columns, ignored)[0], query.classes)
    small = [one.astype(smallest(dtype), copy=False) for one in codes]
    return small, classes_of(dtype, query.bins)


def _rows(table: FrameTable, query: Query) -> Rows:
    """Return the rows in groups that occur."""
    groups = table.groups(query) if query.by is None else complete_keys(table.frame, query.by)
    if groups is None:
        segment = np.zeros(len(table.frame), np.intp)
        return Rows(None, np.zeros(1, np.intp), ALL_ROWS, segment)
    occurring, segment = np.unique(groups.numbers(), return_inverse=True)
    return Rows(groups, occurring, groups.keep, segment)


def complete_keys(frame: pd.DataFrame, given: Hashable | list[Any]) -> Groups:
    """Return the keys of the rows; raise if one is missing."""
    groups = group(frame, given, dropna=True)
    if groups.keep is not ALL_ROWS:
        for name in names_of_keys(given):
            numbers = numbers_of_rows(group(frame, name, dropna=True), len(frame))
            refuse_missing(name, int((numbers < 0).sum()), f"df.dropna(subset=[{name!r}])")
    return groups


def _clusters(name: Hashable, values: pd.Series[Any]) -> Codes:
    """Return the number of the cluster of each row."""
    codes, _ = pd.factorize(values)
    refuse_missing(name, int((codes < 0).sum()), f"df.dropna(subset=[{name!r}])")
    return codes


def _wide(rows: Rows, codes: list[Codes], clusters: Codes | None, n_classes: int) -> RatingTable:
    """Return the ratings of a frame with a column for each rater."""
    matrix = np.stack(codes, axis=1)[rows.keep]
    sizes = np.bincount(rows.segment, minlength=len(rows.occurring))
    return table_of_rows(matrix, rows.segment, sizes, clusters, n_classes)


def table_of_rows(
    matrix: Array, segment: Positions, sizes: Array, clusters: Codes | None, n_classes: int
) -> RatingTable:
    """Return a table of ratings ``(items, raters)`` in any order of their groups and clusters."""
    units = None
    if clusters is not None:
        _, units = number_pairs(segment, clusters)
        order = np.argsort(units, kind="stable")
        matrix, units = matrix[order], units[order]
    elif len(sizes) > 1:
        matrix = matrix[np.argsort(segment, kind="stable")]
    return table_of_matrix(matrix, sizes, n_classes, units)


def _long(
    table: FrameTable, rows: Rows, codes: Codes, item: Any, rater: Any,
    clusters: Codes | None, n_classes: int,
) -> RatingTable:  # fmt: skip
    """Return the ratings of a frame with a row for each rating."""
    items, raters = complete_keys(table.frame, item), complete_keys(table.frame, rater)
    occurring, of_rater = np.unique(raters.numbers()[rows.keep], return_inverse=True)
    if len(occurring) == 1:
        refuse_one_rater(raters.index(occurring))
    is_there = codes[rows.keep] >= 0
    segment, of_rater = rows.segment[is_there], of_rater[is_there]
    of_item = items.numbers()[rows.keep][is_there]
    unit = segment if clusters is None else number_pairs(segment, clusters[is_there])[1]
    _, nested = number_pairs(unit, of_item)
    if clusters is not None:
        _, within_groups = number_pairs(segment, of_item)
        _refuse_two_clusters(within_groups, nested, of_item, items, item)
    each = nested * len(occurring) + of_rater
    order = np.argsort(each, kind="stable")
    twice = np.flatnonzero(np.diff(each[order]) == 0)
    if len(twice):
        place = order[twice[:1]]
        _refuse_twice(items.index(of_item[place]), raters.index(occurring[of_rater[place]]), item)
    item_starts = boundaries_of(np.bincount(nested))
    firsts = order[item_starts[:-1]]
    sizes = np.bincount(segment[firsts], minlength=len(rows.occurring))
    unit_starts, group_starts = np.arange(len(item_starts)), boundaries_of(sizes)
    if clusters is not None:
        unit_starts, group_starts = joined(unit[firsts], group_starts)
    return RatingTable(
        codes[rows.keep][is_there][order], of_rater[order].astype(np.int32), item_starts,
        unit_starts, group_starts, len(occurring), n_classes,
    )  # fmt: skip


def _refuse_twice(items: pd.Index[Any], raters: pd.Index[Any], item: Any) -> None:
    """Raise for a rater with two ratings of an item."""
    occasion = [*names_of_keys(item), "occasion"]
    (rater,), (label,) = raters.tolist(), items.tolist()
    raise ValueError(
        f"rater {brief(rater)} rated item {brief(label)} twice: choose one of the ratings, or "
        f"make the occasion a part of the item, as with item={occasion}"
    )


def _refuse_two_clusters(
    within_groups: Positions, within_clusters: Positions, of_item: Positions, items: Groups,
    item: Any,
) -> None:  # fmt: skip
    """Raise if ratings of an item are in different clusters."""
    if within_groups.max(initial=0) == within_clusters.max(initial=0):
        return
    pairs = np.unique(np.stack([within_groups, within_clusters], axis=1), axis=0)
    several = pairs[1:][np.diff(pairs[:, 0]) == 0][0, 0]
    (label,) = items.index(of_item[within_groups == several][:1]).tolist()
    raise ValueError(
        f"cluster= differs among the ratings of {brief(item)} {brief(label)}: an item belongs to "
        "one cluster"
    )
