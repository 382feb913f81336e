"""The classes of a sample: what they are called, their edges, and metrics on them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.arrays import Floats
from pandas_ordinal.classes import align
from pandas_ordinal.intervals import BinsLike, edges_of, with_bins
from pandas_ordinal.metrics.metric import Metric


@dataclass(frozen=True)
class Scale:
    """The classes of a sample.

    Attributes
    ----------
    classes : CategoricalDtype
        The classes, which may be bins.
    labels : CategoricalDtype
        What they are called in the data: the classes, unless `bins` gave them edges.
    """

    classes: pd.CategoricalDtype
    labels: pd.CategoricalDtype

    def __len__(self) -> int:
        """Return how many classes there are."""
        return len(self.labels.categories)

    def aligned(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Put options that are labelled by class into the order of the classes."""
        return {
            name: align(name, value, self.classes, self.labels) for name, value in options.items()
        }

    def function(self, metric: Metric, options: Mapping[str, Any]) -> Callable[[Floats], Any]:
        """Return the function of counts that a metric is for these options and classes."""
        bound = self.aligned(options)
        if metric.needs == "edges" and "edges" not in bound:
            bound["edges"] = edges_of(self.classes.categories)
        return functools.partial(metric.kernel, **bound)

    @property
    def has_bins(self) -> bool:
        """Whether the classes are bins."""
        return isinstance(self.classes.categories, pd.IntervalIndex)

    @property
    def is_open_at_both_ends(self) -> bool:
        """Whether the classes are bins of which two have no length of their own."""
        bins = self.classes.categories
        if not isinstance(bins, pd.IntervalIndex):
            return False
        return bool(bins.left[0] == -np.inf and bins.right[-1] == np.inf)


def scale_of(labels: pd.CategoricalDtype, bins: BinsLike | None) -> Scale:
    """Return the classes that labels declare, on the edges that bins give them."""
    return Scale(with_bins(labels, bins), labels)
