"""Differences of models by metrics of scores or of probabilities, on the same rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pandas_ordinal.arrays import Array, Positions
from pandas_ordinal.inference.noise import noise_of
from pandas_ordinal.inference.pairs import Differences, Paired
from pandas_ordinal.inference.row_influence import Added, added_by_rows
from pandas_ordinal.inference.rows import Design, limits_of_rows
from pandas_ordinal.metrics.metric import Resolved
from pandas_ordinal.metrics.segments import Segments
from pandas_ordinal.scale import Scale


def differences_of_rows(
    one: Resolved,
    scale: Scale,
    rows: Paired,
    columns: Sequence[Array],
    first: Positions,
    second: Positions,
) -> Differences:
    """Return values and standard errors of differences, from a column of each model."""
    metric, options = one.metric, scale.aligned(one.options)
    assert metric.by_segment is not None
    segments = Segments(rows.true, rows.n_classes, rows.group, rows.n_groups, None)
    values = [metric.by_segment(segments, column, **options) for column in columns]
    design = Design(segments, rows.cluster, by_class=False)
    by_score = metric.score_influence is not None
    with np.errstate(all="ignore"):
        added = [added_by_rows(metric, options, segments, column, True) for column in columns]
        variances = [
            design.variance(_subtracted(added[a], added[b]), within=by_score)
            for a, b in zip(first, second, strict=True)
        ]
        se = np.sqrt(np.stack(variances, axis=1))
        found = np.stack(values, axis=1)
        noise = noise_of(found, limits_of_rows(metric, options, rows.n_classes))
        return Differences(found, noise, se, design.freedom())


def _subtracted(one: Added, other: Added) -> Added:
    """Subtract what rows add; models score the pseudo-row independently, given its class."""
    both = np.divide(
        one.sums * other.sums, one.mass, out=np.zeros_like(one.sums), where=one.mass > 0
    )
    return Added(
        values=one.values - other.values,
        rows=one.rows - other.rows,
        mass=one.mass,
        sums=one.sums - other.sums,
        squares=one.squares + other.squares - 2 * both,
    )
