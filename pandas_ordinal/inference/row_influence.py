"""What each row adds to a metric of scores or of probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pandas_ordinal.arrays import Array, Floats
from pandas_ordinal.inference.pseudo import conditional
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.metrics.ranked_rows import ranked_blocks
from pandas_ordinal.metrics.segments import Segments


@dataclass(frozen=True)
class Added:
    """What rows and the pseudo-row of each segment add to a metric.

    Attributes
    ----------
    values : ndarray, shape (segments,)
        The metric.
    rows : ndarray, shape (rows,)
        The influence of each row.
    mass, sums, squares : ndarray, shape (K, segments)
        The pseudo-row's mass in each class, and the sums of its influences and of their squares.
    """

    values: Floats
    rows: Floats
    mass: Floats
    sums: Floats
    squares: Floats


def added_by_rows(
    metric: Metric, options: Mapping[str, Any], rows: Segments, column: Array, is_smoothed: bool
) -> Added:
    """Return what each row that counts adds to a metric, with a pseudo-row or without."""
    if metric.score_influence is not None:
        return _by_score(metric, options, rows, column, is_smoothed)
    return _by_mean(metric, options, rows, column, is_smoothed)


def _by_mean(
    metric: Metric, options: Mapping[str, Any], rows: Segments, proba: Array, is_smoothed: bool
) -> Added:
    """Return what each row adds to a mean; the pseudo-row is forecast uniformly."""
    losses = _losses(metric, options, rows.codes, proba)
    n_classes, shape = rows.n_classes, (rows.n_classes, rows.n_segments)
    weights = np.ones(len(losses)) if rows.weights is None else rows.weights
    sums = np.bincount(rows.segment, weights, shape[1])
    present = np.zeros(shape, bool)
    present[rows.codes, rows.segment] = True
    uniform = np.full((n_classes, n_classes), 1 / n_classes)
    guess = _losses(metric, options, np.arange(n_classes), uniform).mean()
    weight = np.bincount(rows.segment, weights**2, shape[1]) / sums if is_smoothed else 0 * sums
    values = (np.bincount(rows.segment, weights * losses, shape[1]) + weight * guess) / (
        sums + weight
    )
    ours = (losses - values[rows.segment]) / (sums + weight)[rows.segment]
    its = weight * (guess - values) / (sums + weight)
    mass = np.where(present, 1 / present.sum(axis=0), 0) * is_smoothed
    return Added(values, ours, mass, mass * its, mass * its**2)


def _losses(metric: Metric, options: Mapping[str, Any], codes: Array, proba: Array) -> Floats:
    """Score each row by itself."""
    assert metric.by_segment is not None
    each = Segments(codes, proba.shape[-1], np.arange(len(codes)), len(codes), None)
    return metric.by_segment(each, proba, **options)


def _by_score(
    metric: Metric, options: Mapping[str, Any], rows: Segments, score: Array, is_smoothed: bool
) -> Added:
    """Return what each row adds by its class and its score."""
    assert metric.score_influence is not None
    values = np.full(rows.n_segments, np.nan)
    added = np.full(len(score), np.nan)
    mass, sums, squares = np.zeros((3, rows.n_classes, rows.n_segments))
    for numbers, place, (ranked,) in ranked_blocks(rows, score):
        table, sizes = ranked.table().astype(float), ranked.sizes
        row = pseudo_row_of_scores(table, sizes) if is_smoothed else np.zeros(table.shape)
        its = row.sum(axis=-1)
        values[numbers], each = metric.score_influence(table + row, sizes + its, **options)
        added[place] = each[ranked.codes, ranked.segment, ranked.values()]
        mass[:, numbers] = its
        sums[:, numbers] = (row * each).sum(axis=-1, where=row > 0)
        squares[:, numbers] = (row * each**2).sum(axis=-1, where=row > 0)
    return Added(values, added, mass, sums, squares)


def pseudo_row_of_scores(table: Floats, sizes: Floats) -> Floats:
    """Spread one row over classes and scores, ``(K, segments, values)``.

    It has a score of a class that occurs, and is of that class or of another one as `conditional`
    says.
    """
    present = sizes.T > 0
    near = conditional(sizes.T[:, :, None] * np.eye(len(sizes)))
    near = near * present[:, :, None] / np.maximum(present.sum(axis=1), 1)[:, None, None]
    shares = np.divide(
        table, sizes[:, :, None], out=np.zeros(table.shape), where=sizes[:, :, None] > 0
    )
    row: Floats = np.einsum("sck,csv->ksv", near, shares)
    return row
