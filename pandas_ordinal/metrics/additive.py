"""Which metrics add up what each row costs: found by trying them on tables.

The sizes of the true classes are given; only predictions vary. Many a metric then is a constant
plus a sum of costs, one for each cell, which may depend on these sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from pandas_ordinal.arrays import Array, Floats
from pandas_ordinal.metrics.metric import Metric

Value: TypeAlias = Callable[[Array], Floats]

TOLERANCE = 1e-9
ROUNDING = 8 * np.finfo(float).eps
TABLES_A_KIND = 16
MOST_PARTS = 100


def costs_of(metric: Metric, options: Mapping[str, Any], sizes: Floats) -> Floats | None:
    """Return costs (K, K) whose sum is least where a metric is best; None if there are none.

    They are costs up to a factor, and up to a constant for each true class.
    """

    def value(tables: Array) -> Floats:
        return np.asarray(metric.kernel(tables, **options))

    def square(tables: Array) -> Floats:
        return value(tables) ** 2

    with np.errstate(all="ignore"):
        costs = _costs(value, sizes)
        if costs is None and metric.bounds(len(sizes))[0] >= 0:
            costs = _costs(square, sizes)  # as for the root of a mean
        if costs is None:
            return None
        return _whole(-costs if metric.greater_is_better else costs)


def _costs(value: Value, sizes: Floats) -> Floats | None:
    """Return what a row in each cell adds to a value, unless more plays a part in it."""
    tables = _tables(sizes)
    values = value(tables)
    # one table first: most metrics that are not sums fail here, before K * K tables are tried
    if not _close(value(tables.mean(axis=0)), values.mean(), values):
        return None
    base, constant = _base(value, sizes)
    moved = np.array([value(_moved(base, true)) for true in range(len(sizes))])
    changes = moved - constant
    noise = ROUNDING * np.maximum(np.abs(moved), abs(constant))
    changes[np.abs(changes) <= noise] = 0
    costs = changes / np.where(sizes > 0, sizes, np.inf)[:, None]
    expected = constant + ((tables - base) * costs).sum(axis=(1, 2))
    return costs if _close(values, expected, moved) else None


def _close(actual: Floats, expected: Floats, scale: Floats) -> bool:
    """Tell whether numbers are equal but for rounding; those that are not finite never are."""
    largest = np.abs(scale).max()
    return bool(largest < np.inf and (np.abs(actual - expected) <= TOLERANCE * largest).all())


def _tables(sizes: Floats) -> Floats:
    """Make tables of these sizes: each class predicted as all classes, as two, and as one."""
    rng, n_classes = np.random.default_rng(0), len(sizes)
    shape = (TABLES_A_KIND, n_classes, n_classes)
    as_all = rng.random(shape)
    as_one, other = np.eye(n_classes)[rng.integers(n_classes, size=(2, *shape[:2]))]
    shares = [as_all / as_all.sum(axis=2, keepdims=True), (as_one + other) / 2, as_one]
    return np.concatenate(shares) * sizes[:, None]


def _base(value: Value, sizes: Floats) -> tuple[Floats, Floats]:
    """Return a table to start from, and its value.

    All rows right, or each class as far off as can be: the one whose value is nearer to 0, so that
    what a small class adds is not lost to rounding.
    """
    position = np.arange(len(sizes))
    farthest = np.where(position < len(sizes) / 2, len(sizes) - 1, 0)
    tables = np.zeros((2, len(sizes), len(sizes)))
    tables[0, position, position] = tables[1, position, farthest] = sizes
    right, wrong = value(tables)
    return (tables[1], wrong) if abs(wrong) < abs(right) else (tables[0], right)


def _moved(base: Floats, true: int) -> Floats:
    """Make tables with all rows of a class in the first column, in the second, and so on."""
    tables = np.repeat(base[None], len(base), axis=0)
    tables[:, true] = base[true].sum() * np.eye(len(base))
    return tables


def _whole(costs: Floats) -> Floats:
    """Return costs that are multiples of one number as integers, whose sums tie exactly."""
    smallest = np.abs(costs[costs != 0]).min(initial=np.inf)
    for parts in range(1, MOST_PARTS + 1):
        multiples = costs / smallest * parts
        whole: Floats = np.rint(multiples)
        if (np.abs(multiples - whole) <= TOLERANCE).all():
            return whole
    return costs
