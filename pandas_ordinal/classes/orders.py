"""Several orders of classes merged into the one that agrees with all."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

import pandas as pd

from pandas_ordinal.classes.bins import near_but_not_equal, refuse_bad_bins
from pandas_ordinal.classes.gate import label_key, positions_of, same_classes
from pandas_ordinal.errors import ClassOrderError, UnknownClassError, brief


def merge_orders(
    orders: Sequence[pd.CategoricalDtype], given: pd.CategoricalDtype | None = None
) -> pd.CategoricalDtype:
    """Return the one order of all classes that agrees with each of the orders.

    ``a < b < c`` and ``b < c < d`` give ``a < b < c < d``. Bins are put in order by their edges.
    Classes that are given in addition must be complete.

    Raises
    ------
    ClassOrderError
        If the orders contradict each other, or more than one order agrees with them.
    UnknownClassError
        If a class is not among those given.
    """
    if given is not None:
        _refuse_others(orders, given)
        orders = [*orders, given]
    first = orders[0]
    if all(same_classes(order, first) for order in orders):
        return first
    bins = [o.categories for o in orders if isinstance(o.categories, pd.IntervalIndex)]
    if len(bins) == len(orders):
        try:
            return pd.CategoricalDtype(_merged_bins(bins), ordered=True)
        except ClassOrderError as error:
            raise ClassOrderError(f"{error}; the orders to merge are {_listed(orders)}") from error
    if bins:
        raise ClassOrderError(f"bins and other labels have no common order: {_listed(orders)}")
    return pd.CategoricalDtype(pd.Index(_chain(orders), tupleize_cols=False), ordered=True)


def _refuse_others(orders: Sequence[pd.CategoricalDtype], given: pd.CategoricalDtype) -> None:
    """Raise if a class is not among those given."""
    known = set(map(label_key, given.categories))
    for label in (label for order in orders for label in order.categories):
        if label_key(label) not in known:
            raise UnknownClassError(
                f"{label!r} is not among classes={brief(list(given.categories))}: give all of them"
            )


def _chain(orders: Sequence[pd.CategoricalDtype]) -> list[Any]:
    """Return all labels in the one order that agrees with each of the orders."""
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
            f"the classes have contradicting orders: {_listed(orders)}; declare the same order "
            "everywhere"
        ) from error
    chain = []
    while sorter.is_active():
        lowest, *others = sorter.get_ready()
        if others:
            raise ClassOrderError(
                f"the orders {_listed(orders)} leave open which of {labels[lowest]!r} and "
                f"{labels[others[0]]!r} is lower: give all classes, lowest first, "
                "as classes=[...]"
            )
        chain.append(labels[lowest])
        sorter.done(lowest)
    return chain


def share_classes(orders: Sequence[pd.CategoricalDtype], classes: pd.CategoricalDtype) -> bool:
    """Return whether any label of these orders is one of the classes."""
    return any((positions_of(order.categories, classes) >= 0).any() for order in orders)


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


def _listed(orders: Sequence[pd.CategoricalDtype]) -> str:
    """Write out the different orders."""
    labels = {label_key(label) for order in orders for label in order.categories}
    write = str if len({str(label) for _, label in labels}) == len(labels) else repr
    texts = [" < ".join(map(write, order.categories)) for order in orders]
    return " and ".join(dict.fromkeys(texts))
