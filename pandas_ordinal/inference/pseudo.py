"""The row that is added to a table, so that one without errors has a width too."""

from __future__ import annotations

import numpy as np

from pandas_ordinal.arrays import Floats
from pandas_ordinal.metrics.stack import distance


def conditional(counts: Floats) -> Floats:
    """Tell what a pseudo-row of each true class is predicted as, ``(..., K, K)``.

    Half right and half wrong, near errors more than far ones, among the classes that occur; among
    all of them if only one does.
    """
    n_classes = counts.shape[-1]
    occurs = (counts.sum(axis=-1) > 0) | (counts.sum(axis=-2) > 0)
    occurs |= occurs.sum(axis=-1, keepdims=True) == 1
    far = distance(n_classes)
    nearness = np.divide(1, far, out=np.zeros_like(far), where=far > 0) * occurs[..., None, :]
    sums = nearness.sum(axis=-1, keepdims=True)
    wrong = np.divide(nearness, sums, out=np.zeros_like(nearness), where=sums > 0)
    shares: Floats = (np.eye(n_classes) + wrong) / (1 + (sums > 0))
    return shares


def pseudo_row(counts: Floats) -> Floats:
    """Spread one row over the true classes that occur, each as `conditional` says."""
    present = counts.sum(axis=-1) > 0
    n_present = np.maximum(present.sum(axis=-1), 1)[..., None]
    row: Floats = conditional(counts) * (present / n_present)[..., None]
    return row
