"""Merging orders of classes, where they leave no doubt."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

import pandas as pd

from pandas_ordinal.classes import label_key, same_classes
from pandas_ordinal.errors import ClassOrderError, UnknownClassError
from pandas_ordinal.intervals import near_but_not_equal, refuse_bad_bins


def merge_orders(
    orders: Sequence[pd.CategoricalDtype], declared: pd.CategoricalDtype | None = None
) -> pd.CategoricalDtype:
    """Return the one order of all classes that agrees with each of the orders.

    ``a < b < c`` and ``b < c < d`` give ``a < b < c < d``. Bins are put in order by their edges.
    Classes declared beside them have to be all.

    Raises
    ------
    ClassOrderError
        If the orders contradict each other, or more than one order agrees with them.
    UnknownClassError
        If a class is none of those declared.
    """
    if declared is not None:
        known = {label_key(label) for label in declared.categories}
        for label in (label for order in orders for label in order.categories):
            if label_key(label) not in known:
                raise UnknownClassError(
                    f"{label!r} is none of classes={list(declared.categories)!r}: give all of them"
                )
        orders = [*orders, declared]
    first = orders[0]
    if all(same_classes(order, first) for order in orders):
        return first
    bins = [o.categories for o in orders if isinstance(o.categories, pd.IntervalIndex)]
    if len(bins) == len(orders):
        try:
            return pd.CategoricalDtype(_merged_bins(bins), ordered=True)
        except ClassOrderError as error:
            raise ClassOrderError(f"{error}; to be merged were {_show(orders)}") from error
    if bins:
        raise ClassOrderError(f"bins and other labels have no common order: {_show(orders)}")
    labels = {label_key(label): label for order in orders for label in order.categories}
    sorter: TopologicalSorter[Any] = TopologicalSorter()
    for order in orders:
        keys = [label_key(label) for label in order.categories]
        for lower, higher in pairwise(keys):
            sorter.add(higher, lower)
        sorter.add(keys[0])
    try:
        sorter.prepare()
    except CycleError as error:
        raise ClassOrderError(
            f"the classes have contradicting orders: {_show(orders)}; declare the same order "
            "everywhere"
        ) from error
    chain = []
    while sorter.is_active():
        lowest, *others = sorter.get_ready()
        if others:
            raise ClassOrderError(
                f"which of {labels[lowest]!r} and {labels[others[0]]!r} is lower is in none of "
                f"the orders {_show(orders)}: give all of them, lowest first: "
                "classes=[...]"
            )
        chain.append(labels[lowest])
        sorter.done(lowest)
    return pd.CategoricalDtype(pd.Index(chain, tupleize_cols=False), ordered=True)


def _merged_bins(sets: Sequence[pd.IntervalIndex[Any]]) -> pd.IntervalIndex[Any]:
    """Return all bins in the order of their edges, if they fit together."""
    first = sets[0]
    for bins in sets:
        if bins.closed != first.closed:
            raise ClassOrderError(
                f"bins closed {first.closed} and bins closed {bins.closed} do not fit together: "
                "cut all from their numbers with the same edges"
            )
        for one, other in near_but_not_equal(bins, first):
            raise ClassOrderError(
                f"bins have an edge at {one} and at {other}: cut all from their numbers with the "
                "same edges, as with df[...].ordinal.cut([...])"
            )
    merged = sorted({bin_ for bins in sets for bin_ in bins})
    index = pd.IntervalIndex(merged)
    refuse_bad_bins(index, "the union of the bins")
    return index


def _show(orders: Sequence[pd.CategoricalDtype]) -> str:
    """Write out the different orders."""
    labels = {label_key(label) for order in orders for label in order.categories}
    write = str if len({str(label) for _, label in labels}) == len(labels) else repr
    texts = [" < ".join(map(write, order.categories)) for order in orders]
    return " and ".join(dict.fromkeys(texts))
