"""The row that is added to a table, so that one without errors has a width too."""

from __future__ import annotations

import numpy as np

from pandas_ordinal.arrays import Floats
from pandas_ordinal.metrics.stack import distance


def conditional(counts: Floats, right_within: float = 0) -> Floats:
    """Tell what a pseudo-row of each true class is predicted as, ``(..., K, K)``.

    Half right and half wrong, near errors more than far ones, among the classes that occur; among
    all of them if no other one occurs. Wrong is what is more classes off than is still right.
    """
    n_classes = counts.shape[-1]
    occurs = (counts.sum(axis=-1) > 0) | (counts.sum(axis=-2) > 0)
    far = distance(n_classes)
    nearness = np.divide(1, far, out=np.zeros_like(far), where=far > right_within)
    among = nearness * occurs[..., None, :]
    among = np.where(among.any(axis=-1, keepdims=True), among, nearness)
    sums = among.sum(axis=-1, keepdims=True)
    wrong = np.divide(among, sums, out=np.zeros_like(among), where=sums > 0)
    shares: Floats = (np.eye(n_classes) + wrong) / (1 + (sums > 0))
    return shares


def pseudo_row(counts: Floats, right_within: float = 0) -> Floats:
    """Spread one row over the true classes that occur, each as `conditional` says.

    Over those that can be wrong, unless none can: the middle one of three is never two classes
    off.
    """
    present = counts.sum(axis=-1) > 0
    fallible = present & (distance(counts.shape[-1]).max(axis=-1) > right_within)
    chosen = np.where(fallible.any(axis=-1, keepdims=True), fallible, present)
    n_chosen = np.maximum(chosen.sum(axis=-1), 1)[..., None]
    row: Floats = conditional(counts, right_within) * (chosen / n_chosen)[..., None]
    return row
