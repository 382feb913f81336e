"""Counts of pandas rows, and how their scores become floats, Series, DataFrames and cubes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.accessors.cases import Cases
from pandas_ordinal.accessors.chosen import MetricsLike, OfCases, Scorer, as_scorer, chosen
from pandas_ordinal.accessors.results import as_series, keys_of, over_keys, spread
from pandas_ordinal.bins import BinsLike, with_bins
from pandas_ordinal.classes import Codes, refuse_missing
from pandas_ordinal.counts import Counts, Weights, count
from pandas_ordinal.cube import build, product, refuse_size
from pandas_ordinal.groups import ALL_ROWS, Groups
from pandas_ordinal.metrics.kernel import batch_first, batch_last, block_size
from pandas_ordinal.metrics.metric import Metric, Needs

Array = npt.NDArray[Any]
Labels: TypeAlias = tuple[Hashable, Codes]


@dataclass(frozen=True)
class Tally:
    """Confusion counts by group and prediction column.

    Attributes
    ----------
    classes : CategoricalDtype
        The classes.
    labels : CategoricalDtype
        What they are called in the columns: the classes, unless `bins` gave them edges.
    rows : sequence of Counts
        How many rows there are, for each prediction column.
    weights : sequence of Counts
        What they weigh; `rows` itself if they are not weighted.
    groups : Groups or None
        The groups; None if all rows are one.
    models : Index or None
        The prediction columns; None if there is a single one.
    cases : mapping
        The same rows with the scores, or the probabilities, of the same models.
    """

    classes: pd.CategoricalDtype
    labels: pd.CategoricalDtype
    rows: Sequence[Counts]
    weights: Sequence[Counts]
    groups: Groups | None
    models: pd.Index[Any] | None
    cases: Mapping[Needs, Cases] = field(default_factory=dict)

    def score(self, metric: Metric, options: Mapping[str, Any]) -> float | pd.Series[float]:
        """Score by one metric."""
        scorers = {"": as_scorer(metric, options, self.classes, self.labels)}
        axes, n_rows, scores = self._evaluate(scorers)
        return as_series(axes, n_rows, scores[""], metric, self.classes)

    def report(self, metrics: MetricsLike | None) -> pd.Series[float] | pd.DataFrame:
        """Score by several metrics, the number of rows first."""
        wanted = chosen(metrics, self.classes, self.labels, self.cases)
        scorers = {name: s for name, s in wanted.items() if not isinstance(s, OfCases)}
        axes, n_rows, scores = self._evaluate(scorers)
        scores |= {name: self._of_cases(s) for name, s in wanted.items() if isinstance(s, OfCases)}
        columns = {"n": n_rows.ravel()} | {name: scores[name].ravel() for name in wanted}
        if not axes:
            return pd.Series({name: float(values.item()) for name, values in columns.items()})
        return pd.DataFrame(columns, product(axes))

    def cube(self) -> xr.DataArray:
        """Return the counts as a cube, dense over the keys that occur."""
        refuse_size(len(self.rows) * len(self.classes.categories) ** 2)
        numbers, stacks, n_cells = [], [], 0
        for found, _, tables in self._blocks():
            numbers.append(found)
            stacks.append(np.stack(tables, axis=1))
            n_cells += stacks[-1].size
            refuse_size(n_cells)
        keys, places = keys_of(self.groups, np.concatenate(numbers))
        joined = np.concatenate(stacks)
        if keys is not None:
            joined = spread(joined, places, len(keys), 0)
        return build(joined, keys, self.models, self.classes)

    def _evaluate(
        self, scorers: Mapping[str, Scorer]
    ) -> tuple[list[pd.Index[Any]], Array, dict[str, Array]]:
        """Score block by block, so that memory follows the block and not the number of groups.

        Returns the keys of the groups and the prediction columns, as far as there are any, and
        over both the number of rows and the scores.
        """
        numbers, sizes = [], []
        scores: dict[str, list[Array]] = {name: [] for name in scorers}
        for found, rows, stacks in self._blocks():
            numbers.append(found)
            sizes.append(np.stack([tables.sum(axis=(1, 2)) for tables in rows], axis=1))
            batches = [batch_first(batch_last(tables)) for tables in stacks]
            for name, scorer in scorers.items():
                values = [np.asarray(scorer(tables)) for tables in batches]
                scores[name].append(np.stack(values, axis=1))
        joined = {name: np.concatenate(parts) for name, parts in scores.items()}
        return over_keys(
            self.groups, self.models, np.concatenate(numbers), np.concatenate(sizes), joined
        )

    def _of_cases(self, scorer: OfCases) -> Array:
        """Score the cases, over the same keys and models."""
        _, _, values = self.cases[scorer.metric.needs].evaluate(scorer.metric, scorer.options)
        return values

    def _blocks(self) -> Iterator[tuple[npt.NDArray[np.intp], list[Array], list[Array]]]:
        """Yield the groups that hold rows: their numbers, and K x K tables a prediction column."""
        n_groups = self.rows[0].n_groups
        size = max(1, block_size(self.rows[0].n_classes + 1) // len(self.rows))
        for start in range(0, max(n_groups, 1), size):
            stop = min(start + size, n_groups)
            rows = [counts.block(start, stop) for counts in self.rows]
            weights = rows
            if self.weights is not self.rows:
                weights = [counts.block(start, stop) for counts in self.weights]
            holds = rows[0].any(axis=(1, 2)) if self.groups else np.ones(1, bool)
            yield (
                start + np.flatnonzero(holds),
                [tables[holds, 1:, 1:] for tables in rows],
                [tables[holds, 1:, 1:] for tables in weights],
            )


def tally(
    true: Labels,
    preds: Sequence[Labels],
    labels: pd.CategoricalDtype,
    *,
    bins: BinsLike | None,
    dropna: bool,
    weights: Weights | None = None,
    groups: Groups | None = None,
    models: pd.Index[Any] | None = None,
    cases: Mapping[Needs, Cases] | None = None,
) -> Tally:
    """Count rows, and their weights, by group, and refuse missing labels unless they may be."""
    keep = groups.keep if groups else ALL_ROWS
    factors = groups.factors if groups else ()

    def counted(by_weight: Weights | None) -> list[Counts]:
        n_classes = len(labels.categories)
        return [
            count(factors, true[1][keep], codes[keep], n_classes, by_weight) for _, codes in preds
        ]

    rows = counted(None)
    if not dropna:
        for (name, _), counts in zip(preds, rows, strict=True):
            without_true, without_pred = counts.missing()
            refuse_missing(true[0], without_true)
            refuse_missing(name, without_pred)
    weighted = rows if weights is None else counted(weights[keep])
    return Tally(with_bins(labels, bins), labels, rows, weighted, groups, models, cases or {})
