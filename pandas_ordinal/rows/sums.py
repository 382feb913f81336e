"""Sums over rows: what metrics of rows and intervals need besides the tables of the groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats, Positions
from pandas_ordinal.counting.counts import Counts
from pandas_ordinal.metrics.ascents import Ties
from pandas_ordinal.metrics.metric import Metric


class Norms(NamedTuple):
    """The roots of sums of squares, which are counted as parts of a unit that keeps them small."""

    squares: Counts
    unit: float

    def of(self, groups: Positions) -> Floats:
        """Return the tables of ascending groups."""
        norms: Floats = np.sqrt(self.squares.of(groups)) * self.unit
        return norms

    def at(self, cells: Positions) -> Floats:
        """Return the norms of cells that contain rows."""
        norms: Floats = np.sqrt(self.squares.at(cells)) * self.unit
        return norms


def norms_of(each: Floats, add: Callable[[Floats], Counts]) -> Norms:
    """Return the norms of numbers whose squares might exceed the range of floats."""
    largest = float(each.max(initial=0)) or 1.0
    with np.errstate(under="ignore"):  # some are next to nothing
        return Norms(add((each / largest) ** 2), largest)


class Units(NamedTuple):
    """What intervals need besides the tables of the groups.

    For weighted rows, the number of those whose weight is positive, and the norms of the weights.
    The counts of each cluster in each group, in ascending order of the group numbers.
    """

    rows: Counts | None = None
    norms: Norms | None = None
    clusters: Counts | None = None
    groups: Positions | None = None

    def among(self, groups: Positions) -> dict[str, Any]:
        """Return the tables of ascending groups; clusters with the position of their group."""
        found: dict[str, Any] = {}
        if self.rows is not None and self.norms is not None:
            found |= {"rows": self.rows.of(groups), "norms": self.norms.of(groups)}
        if self.clusters is not None and self.groups is not None:
            ends = [groups[0], groups[-1] + 1] if len(groups) else [0, 0]
            first, last = np.searchsorted(self.groups, ends)
            tables = self.clusters.of(np.arange(first, last))
            found["clusters"] = tables, np.searchsorted(groups, self.groups[first:last])
        return found


Rankings: TypeAlias = Sequence[Mapping[Ties, Mapping[str, Floats]]]
"""The values of metrics of scores ``(groups, ...)``: for each model, by ties and metric name."""


class Tables(NamedTuple):
    """Sums over all parts of the rows, for each model.

    The counts of rows and of weights; for the groups that have rows, the means that metrics of
    probabilities need, by metric name, and the values of metrics of scores; and what intervals
    need.
    """

    rows: list[Counts]
    counts: list[Counts]
    means: list[dict[str, Floats]]
    rankings: Rankings
    units: list[Units]

    def values(self, model: int, metric: Metric, options: Mapping[str, Any], n: int) -> Array:
        """Return the values of a metric of rows for a model, one per group."""
        if metric.means is None:
            return self.rankings[model][options.get("ties", "half")][metric.name]
        return metric.means.of_means(self.means[model][metric.name], n, **options)
