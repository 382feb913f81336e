"""Rows without scores or without probabilities, in reports that also have metrics of labels.

A row counts if it lacks only those inputs that no row of its group has. All metrics of a report
then count the same rows, except metrics of such inputs, which are undefined. Partitions count rows
that lack different inputs separately, since only all of them show which inputs occur.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.classes.columns import Mask
from pandas_ordinal.counting.arrays import Floats, Positions, Probabilities
from pandas_ordinal.metrics.ascents import Ties
from pandas_ordinal.rows.part_tables import CELL, MODEL, ROWS
from pandas_ordinal.rows.sample import Sample
from pandas_ordinal.rows.sums import Rankings

Patterns: TypeAlias = npt.NDArray[np.int64]
"""Numbers whose bit i is set where the i-th input of a sample is missing."""

PatternRankings: TypeAlias = Sequence[Mapping[int, Mapping[Ties, Mapping[str, Floats]]]]
"""The values of metrics of scores of each model, by pattern; otherwise as in `Rankings`."""


class Settled(NamedTuple):
    """Counts of models, and the patterns that count in each group, ``(groups, models)``."""

    table: pd.DataFrame
    patterns: Patterns


def n_patterns_of(rows: Sample) -> int:
    """Return how many patterns of lacking inputs a sample may have."""
    return 2 ** len(rows.inputs) if rows.dropna and len(rows.given) > 1 else 1


def count_what_occurs(rows: Sample) -> Sample:
    """Return the rows of a report, in which groups may lack scores or probabilities."""
    n_patterns = n_patterns_of(rows)
    if n_patterns == 1:
        return rows
    segment, numbers = rows.segments()
    counted, lacking = list(rows.counted), []
    for model, codes in enumerate(counted):
        labelled = _labelled(rows, model)
        complete = [
            np.bincount(segment[which], minlength=len(numbers)) > 0
            for which in (labelled, codes >= 0)
        ]
        if (complete[0] & ~complete[1]).any():
            lacking.append(_lacking(rows, model))
            pattern = _pattern(lacking[-1])
            occurring = np.zeros((len(numbers), n_patterns), bool)
            occurring[segment[labelled], pattern[labelled]] = True
            counts = pattern == _that_counts(occurring, bool(rows.preds))[segment]
            counted[model] = np.where(labelled & counts, rows.true.codes, -1)
        else:
            lacking.append([])
    return _with_lacking(replace(rows, counted=counted), lacking)


def by_pattern(rows: Sample) -> Iterator[tuple[int, Sample]]:
    """Yield each pattern of lacking inputs with the sample of its rows, complete rows first."""
    n_patterns, models = n_patterns_of(rows), range(len(rows.counted))
    if n_patterns == 1:
        yield 0, rows
        return
    lacking = [_lacking(rows, model) for model in models]
    patterns = [np.where(_labelled(rows, model), _pattern(lacking[model]), -1) for model in models]
    for one in range(n_patterns):
        counted = [np.where(pattern == one, rows.true.codes, -1) for pattern in patterns]
        yield one, _with_lacking(replace(rows, counted=counted), lacking)


def ranked_patterns(rows: Sample) -> range:
    """Return the patterns whose rows have scores, which are the first input."""
    return range(0, n_patterns_of(rows), 2)


def settle_patterns(table: pd.DataFrame, segment: Positions, empty: Sample) -> Settled:
    """Return the counts of all models, given those of each pattern of each model.

    `segment` has the position of the group of each row of the table. Rows that do not count go to
    the cells of a missing true class.
    """
    n_patterns, n_models = n_patterns_of(empty), len(empty.counted)
    n_groups = int(segment.max(initial=-1)) + 1
    if n_patterns == 1:
        return Settled(table, np.zeros((n_groups, n_models), np.int64))
    model, pattern = np.divmod(table[MODEL].to_numpy(np.int64), n_patterns)
    cell, n_slots = table[CELL].to_numpy(), empty.n_classes + 1
    labelled = cell >= n_slots  # a row without a predicted class has no true one there
    occurring = np.zeros((n_groups, n_models, n_patterns), bool)
    occurring[segment[labelled], model[labelled], pattern[labelled]] = True
    of_groups = _that_counts(occurring, bool(empty.preds))
    counts = labelled & (pattern == of_groups[segment, model])
    table = table.assign(**{MODEL: model, CELL: np.where(counts, cell, cell % n_slots)})
    columns: list[Any] = list(table.columns)
    for terms in columns[columns.index(ROWS) + 1 :]:
        if isinstance(terms, tuple):
            table[terms] = table[terms].where(counts, 0.0)
    return Settled(table, of_groups)


def settle_rankings(rankings: PatternRankings, of_groups: Patterns) -> Rankings:
    """Return the values of all models, each group's from the pattern that counts in it."""
    return [
        _settled(of_patterns, of_groups[:, place]) for place, of_patterns in enumerate(rankings)
    ]


def _settled(
    of_patterns: Mapping[int, Mapping[Ties, Mapping[str, Floats]]], of_groups: Patterns
) -> dict[Ties, dict[str, Floats]]:
    complete, *others = of_patterns.items()
    settled: dict[Ties, dict[str, Floats]] = {}
    for ties, values in complete[1].items():
        settled[ties] = dict(values)
    for pattern, by_ties in others:
        there = of_groups == pattern
        for ties, values in by_ties.items():
            for name, of_pattern in values.items():
                settled[ties][name] = settled[ties][name].copy()
                settled[ties][name][there] = of_pattern[there]
    return settled


def _labelled(rows: Sample, model: int) -> Mask:
    """Return which rows have all labels of a model."""
    labelled: Mask = rows.true.codes >= 0
    return labelled & (rows.preds[model].codes >= 0) if rows.preds else labelled


def _lacking(rows: Sample, model: int) -> list[Mask]:
    """Return which rows lack each input of a model."""
    inputs = [of_models[model] for of_models in rows.inputs.values()]
    return [
        np.logical_or.reduce(one.missing(slice(None))) if one.lacking is None else one.lacking
        for one in inputs
    ]


def _pattern(lacking: Sequence[Mask]) -> Patterns:
    bits = [mask.astype(np.int64) << place for place, mask in enumerate(lacking)]
    pattern: Patterns = np.bitwise_or.reduce(bits)
    return pattern


def _that_counts(occurring: Mask, has_pred: bool) -> Patterns:
    """Return the pattern that counts in each group: the inputs that occur nowhere in it.

    Given which patterns occur, along the last axis. -1 if nothing remains to be scored.
    """
    n_patterns = occurring.shape[-1]
    bits = 1 << np.arange(n_patterns.bit_length() - 1)
    has = np.arange(n_patterns)[:, None] & bits == 0
    lacking = ~(occurring[..., None] & has).any(axis=-2)
    pattern: Patterns = lacking @ bits
    return pattern if has_pred else np.where(pattern == n_patterns - 1, -1, pattern)


def _with_lacking(rows: Sample, lacking: Sequence[Sequence[Mask]]) -> Sample:
    """Return a sample that knows which of its rows lack an input; check probabilities of others.

    The masks of each model, none if its rows that count have all inputs.
    """
    inputs = {
        option: [
            one._replace(lacking=masks[place]) if masks else one
            for one, masks in zip(of_models, lacking, strict=True)
        ]
        for place, (option, of_models) in enumerate(rows.inputs.items())
    }
    for codes, one, masks in zip(rows.counted, inputs.get("proba", []), lacking, strict=False):
        if masks and isinstance(one.array, Probabilities):
            one.array.refuse_wrong(np.where(masks[-1], -1, codes))  # the last input
    return replace(rows, inputs=inputs)
