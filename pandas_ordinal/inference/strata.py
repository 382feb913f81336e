"""Rows that were drawn class by class: what varies within classes, and weights by their shares."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.errors import brief
from pandas_ordinal.inference.influence import ROUNDING_ERROR, ratio
from pandas_ordinal.metrics.stack import reals
from pandas_ordinal.reports.metrics import Classes

AXES: Mapping[str, int] = {"true": 2, "pred": 1}


@dataclass(frozen=True)
class Strata:
    """Classes whose numbers of rows the design fixed.

    Attributes
    ----------
    axis : int
        The axis of tables ``(batch, K, K)`` to sum over: 2 for true classes, 1 for predicted ones.
    sizes : ndarray, shape (batch, K)
        The number of rows in each stratum.
    """

    axis: int
    sizes: Floats

    def with_row(self, row: Floats) -> Strata:
        """Add a pseudo-row."""
        return Strata(self.axis, self.sizes + row.sum(axis=self.axis))

    def variances(self, counts: Floats, squares: Floats, influence: Floats) -> Floats:
        """Return what each stratum adds to the variance: how much rows vary around its mean.

        Takes the sums of the weights and of their squares, and the influence of each cell.
        """
        sizes, sums = self.sizes, (counts * influence).sum(axis=self.axis)
        products = (squares * influence**2).sum(axis=self.axis)
        within = products - ratio(sums**2, sizes)
        within = np.where(within <= ROUNDING_ERROR * products, 0, within)
        variances: Floats = sizes / np.maximum(sizes - 1, 0.5) * within
        return variances


def strata_of(rows: Floats, strata: str) -> Strata:
    """Return the strata of tables of rows, which are "true" or "pred" classes."""
    return Strata(AXES[strata], rows.sum(axis=AXES[strata]))


def shares_of(given: Any, classes: Classes) -> Floats | None:
    """Return the shares of the predicted classes in their order, which add up to 1."""
    if given is None:
        return None
    shares = reals("stratum_shares", classes.aligned({"stratum_shares": given})["stratum_shares"])
    if shares.shape != (len(classes),) or shares.min() < 0 or not shares.sum() > 0:
        raise ValueError(
            f"stratum_shares={brief(given)} must have a share for each of the {len(classes)} "
            "classes, not negative, such as its area on a map"
        )
    return np.asarray(shares / shares.sum())


def weigh_by_share(rows: Array, shares: Floats, labels: list[Any]) -> Floats:
    """Weigh tables of rows ``(..., K, K)``, so that predicted classes have these shares.

    The weights have a mean of 1.
    """
    sizes = rows.sum(axis=-2, keepdims=True)
    n = sizes.sum(axis=-1, keepdims=True)
    for place, share in enumerate(shares):
        has_rows = sizes[..., 0, place][n[..., 0, 0] > 0] > 0
        _refuse_unlike(labels[place], float(share), has_rows)
    weighted: Floats = rows * ratio(shares * n, sizes)
    return weighted


def norms_of_cells(rows: Array, counts: Floats) -> Floats:
    """Return the norms of weights that are the same in each cell."""
    return ratio(counts, np.sqrt(rows))


def _refuse_unlike(label: Hashable, share: float, has_rows: Array) -> None:
    """Raise for a stratum with a share and no rows in some table, or with rows and no share."""
    if share > 0 and not has_rows.all():
        raise ValueError(
            f"stratum_shares= gives {label!r} a share of {share:.3g}, but no row is predicted as "
            f"{label!r}{' in some group' if has_rows.any() else ''}: draw rows of it, or give it "
            "the share 0, which leaves it out of the target"
        )
    if not share and has_rows.any():
        raise ValueError(
            f"stratum_shares= gives {label!r} no share, but rows are predicted as {label!r}: give "
            "its share"
        )
