"""Accuracy within each distance, one row a group and model."""

from __future__ import annotations

import functools

import pandas as pd

from pandas_ordinal import metrics
from pandas_ordinal.accessors.sample import Sample
from pandas_ordinal.query import Sureness


def accuracy_curves(sample: Sample) -> pd.Series[float] | pd.DataFrame:
    """Return the accuracy within 0 ... K - 1 classes."""
    within = {
        str(k): functools.partial(metrics.accuracy_within, k=k) for k in range(sample.n_classes)
    }
    curves = sample.report(within, Sureness())
    distances = pd.RangeIndex(sample.n_classes, name="k")
    if isinstance(curves, pd.Series):
        return curves.drop("n").set_axis(distances).rename("accuracy_within")
    return curves.drop(columns="n").set_axis(distances, axis=1)
