"""Standard errors and intervals of the agreement of raters: the jackknife over items.

Items, or clusters of items, are drawn at random; raters are fixed.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.inference.influence import Bounds
from pandas_ordinal.inference.scale import Interval, hull, quantile, to_interval
from pandas_ordinal.metrics.rating_table import RatingTable, sums_between
from pandas_ordinal.ratings.left_out import Leaving


def intervals_of(
    found: Leaving, estimates: Mapping[str, Floats], limits: Mapping[str, Bounds], level: float
) -> dict[str, Interval]:
    """Return an interval of each coefficient, around its estimates, for each group.

    Each unit and a pseudo-item are left out of all. The interval is the smallest that holds the
    one around the value with the pseudo-item, the one around the estimate and the estimate, all
    by Student's t and on the scale of the limits.
    """
    table = found.table
    units = np.diff(table.group_starts).astype(float)
    n_paired, survives_loss = _occurrence(table)
    occurs = found.totals.sums.shares > 0
    t = quantile(n_paired - 1, level)
    smoothed = found.with_pseudo_item()
    values, left = smoothed.values(), smoothed.without_each(estimates)
    intervals = {}
    for name, estimate in estimates.items():
        own = _deviations(left[name], table, units)
        means = sums_between(left[name], table.group_starts) / units
        # of the pseudo-item, without which the value is the estimate
        shift = estimate - means
        squares = own + shift**2 * units / (units + 1)
        ses = np.sqrt([own * units / (units - 1), squares * units / (units + 1)])
        ends = to_interval(np.stack([estimate, values[name]]), ses, t, limits[name])
        plain, with_item = (Interval(*parts) for parts in zip(*ends, ses, strict=True))
        intervals[name] = hull(
            plain, with_item, estimate, limits[name],
            survives_loss=survives_loss,
            several_classes=occurs.sum(axis=1) >= 2,
            undefined=n_paired < 2,
        )  # fmt: skip
    return intervals


def _deviations(left: Floats, table: RatingTable, units: Floats) -> Floats:
    """Return the sum, over the units of each group, of squared deviations from their mean."""
    means = sums_between(left, table.group_starts) / units
    sums: Floats = sums_between((left - means[table.group]) ** 2, table.group_starts)
    return sums


def _occurrence(table: RatingTable) -> tuple[Floats, Floats]:
    """Return the number of units of each group that have an item with two ratings.

    Also return whether each class that occurs in a group does so in two units or more.
    """
    paired, several = np.zeros(table.n_units), np.zeros((table.n_groups, table.n_classes))
    for units, items in table.blocks():
        counts = table.counts(items)
        starts = table.unit_starts[units.start : units.stop + 1] - items.start
        paired[units] = sums_between((counts.sum(axis=1) >= 2) * 1.0, starts) > 0
        groups, starts_of_groups = table.groups_within(units)
        several[groups] += sums_between((sums_between(counts, starts) > 0) * 1.0, starts_of_groups)
    return sums_between(paired, table.group_starts), (several != 1).all(axis=1)
