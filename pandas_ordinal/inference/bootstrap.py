"""Intervals from tables that are drawn at random, for those whom a reviewer asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

import numpy as np

from pandas_ordinal.arrays import Array, Floats
from pandas_ordinal.inference.interval import Measure
from pandas_ordinal.inference.noise import on_limits

Item = TypeVar("Item")


class Drawn(NamedTuple):
    """Percentiles and standard deviation of a metric of drawn tables; how many have a value."""

    low: Floats
    high: Floats
    se: Floats
    n_valid: Floats


def bootstrap(
    measures: Mapping[str, Measure],
    counts: Array,
    level: float,
    *,
    by_class: bool,
    n_boot: int,
    seed: int,
    progress: bool,
) -> dict[str, Drawn]:
    """Draw as many rows as each table ``(batch, K, K)`` has from it, and score what was drawn.

    What is drawn depends on the seed and on the table alone, not on other tables.
    """
    found = {name: np.full((4, len(counts)), np.nan) for name in measures}
    tables: Iterable[Array] = counts
    if progress:
        tables = shown(counts, "table")
    tail = (1 - level) / 2
    for place, table in enumerate(tables):
        drawn = _draw(table, n_boot, seed, by_class)
        for name, one in measures.items():
            values = np.asarray(one.value(drawn), float)
            values = values[np.isfinite(values)]
            found[name][3, place] = len(values)
            if one.of_a_model and len(values) > 1 and table.sum() > 1:
                ends = np.quantile(values, [tail, 1 - tail])
                found[name][:2, place] = on_limits(ends, one.bounds(table[None]))
                found[name][2, place] = values.std(ddof=1)
    return {name: Drawn(*one) for name, one in found.items()}


def shown(items: Iterable[Item], unit: str, total: int | None = None) -> Iterable[Item]:
    """Show how many of some items have been seen; the total of an iterator is to be given."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped]
    except ImportError:
        raise ImportError('tqdm is missing: pip install "pandas_ordinal[progress]"') from None
    bar: Iterable[Item] = tqdm(items, unit=unit, total=total)
    return bar


def _draw(table: Array, n_boot: int, seed: int, by_class: bool) -> Floats:
    rng = np.random.default_rng([seed, *table.astype(np.int64).ravel().tolist()])
    n_classes = len(table)
    strata = table if by_class else table.reshape(1, -1)
    sizes = strata.sum(axis=1)
    drawn = np.zeros((n_boot, *strata.shape))
    for stratum, size in enumerate(sizes):
        if size:
            drawn[:, stratum] = rng.multinomial(size, strata[stratum] / size, n_boot)
    return drawn.reshape(n_boot, n_classes, n_classes)
