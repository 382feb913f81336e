"""Coefficients without each item, or without each cluster of items, from sums.

A pseudo-item stands beside the items: without it, ratings that agree in full would leave no
uncertainty.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.counting.forks import computed_once
from pandas_ordinal.inference.influence import pseudo_row
from pandas_ordinal.metrics.rating_table import (
    ItemSums,
    RaterShares,
    RatingTable,
    Scale,
    Totals,
    boundaries_of,
    coefficients,
    middles,
    rater_shares,
    row_sums,
    sums_between,
    sums_of_items,
    totals_of,
    weighed,
)

CONGER = "conger_kappa"


@dataclass(frozen=True)
class Leaving:
    """The sums of each group, from which items are left out.

    Attributes
    ----------
    table : RatingTable
        The ratings.
    scale : Scale
        How far apart classes are.
    totals : Totals
        The sums over items.
    raters : RaterShares or None
        The ratings of each rater; None if Conger's kappa is not asked for.
    """

    table: RatingTable
    scale: Scale
    totals: Totals
    raters: RaterShares | None

    def values(self) -> dict[str, Floats]:
        """Return the coefficients of each group."""
        by_chance = np.full(self.table.n_groups, np.nan)
        if self.raters is not None:
            by_chance = self.raters.by_chance(self.scale.disagreement)
        return coefficients(self.totals.complete(self.scale), by_chance, self.scale)

    def with_pseudo_item(self) -> Leaving:
        """Add a pseudo-item to each group, which has as many ratings as others have."""
        sums = self.totals.sums
        n_ratings = (sums.margins.sum(axis=1) / sums.n_paired)[:, None]
        pairs = pseudo_pairs(sums.shares)
        shares, ones = pairs.sum(axis=1), np.ones(len(pairs))
        item = ItemSums(
            n_items=ones,
            n_paired=ones,
            disagreed=(pairs * self.scale.disagreement).sum(axis=(1, 2)),
            shares=shares,
            margins=n_ratings * shares,
            apart=ones,
        )
        return replace(
            self,
            totals=self.totals.with_item(item, n_ratings[:, :, None] * pairs),
            raters=None if self.raters is None else self.raters.with_item(shares),
        )

    def without_each(self, names: Collection[str]) -> dict[str, Floats]:
        """Return the coefficients of a group without each of its units, by unit."""
        found = {name: np.empty(self.table.n_units) for name in names}
        totals = self.totals.complete(self.scale)
        for units, items in self.table.blocks():
            counts = self.table.counts(items)
            unit_starts = self.table.unit_starts[units.start : units.stop + 1] - items.start
            own = sums_of_items(counts, self.scale)
            if not self.table.by_item:
                own = own.over(unit_starts)
            group = self.table.group[units]
            left = totals.at(group).minus(own)
            if self.scale.apart is None:
                left = replace(left, apart=self._apart(left.margins, counts, unit_starts, group))
            by_chance = np.full(len(group), np.nan)
            if self.raters is not None:
                by_chance = self._by_chance(self.raters, units, group)
            with np.errstate(all="ignore"):
                values = coefficients(left, by_chance, self.scale)
            for name in names:
                found[name][units] = values[name]
        return found

    def _apart(
        self, margins: Floats, counts: Floats, unit_starts: Positions, group: Positions
    ) -> Floats:
        """Return how far apart coincidences are at the ordinal level, without each unit.

        Its distances are squared differences of the middles of classes, which depend on what is
        left out. The sum of the coincidences, each times such a square, is a quadratic form.
        """
        middle = middles(margins)
        pairs = self.totals.coincidences
        if len(pairs) == 1:
            products = weighed(middle, pairs[0])
        else:
            products = np.einsum("nk,nkl,nl->n", middle, pairs[group], middle)
        of_item = np.repeat(middle, np.diff(unit_starts), axis=0)
        n = row_sums(counts)
        squares = np.einsum("nk,nk,nk->n", counts, of_item, of_item)
        own = np.einsum("nk,nk->n", counts, of_item) ** 2 - squares
        own = np.where(n >= 2, own / np.where(n >= 2, n - 1, 1), 0)
        if not self.table.by_item:
            own = sums_between(own, unit_starts)
        sums: Floats = np.einsum("nk,nk,nk->n", margins, middle, middle)
        return 2 * (sums - products + own)

    def _by_chance(self, raters: RaterShares, units: slice, group: Positions) -> Floats:
        """Return the disagreement by chance of Conger's kappa, without each unit."""
        found = np.full(len(group), np.nan)
        is_complete = raters.place[group] >= 0
        if not is_complete.any():
            return found
        changes, starts = self._changes(raters, units, raters.place[group])
        place = raters.place[group]
        together = raters.shares.sum(axis=1)[place] + sums_between(changes.shares, starts)
        each = raters.alone(self.scale.disagreement).sum(axis=1)[place]
        each = each + sums_between(changes.alone, starts)
        n_pairs = self.table.n_raters * (self.table.n_raters - 1)
        with np.errstate(all="ignore"):
            by_chance = (weighed(together, self.scale.disagreement) - each) / n_pairs
        found[is_complete] = by_chance[is_complete]
        return found

    def _changes(
        self, raters: RaterShares, units: slice, place: Positions
    ) -> tuple[Changes, Positions]:
        """Return how the shares of raters change without each unit, and where units start."""
        table = self.table
        starts = table.item_starts[table.unit_starts[units.start : units.stop + 1]]
        ratings = slice(int(starts[0]), int(starts[-1]))
        rater, codes, starts = table.raters[ratings], table.codes[ratings], starts - starts[0]
        n_classes, n_raters = table.n_classes, table.n_raters
        if self._by_rating is not None:
            rows = (np.repeat(place, np.diff(starts)) * n_raters + rater) * n_classes + codes
            return self._by_rating.at(rows), starts
        unit = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        pairs, pair = np.unique(unit * n_raters + rater, return_inverse=True)
        cells = np.bincount(pair * n_classes + codes, minlength=len(pairs) * n_classes)
        unit, rater = np.divmod(pairs, n_raters)
        removed = cells.reshape(len(pairs), n_classes)
        changes = changes_of(raters, place[unit], rater, removed, self.scale.disagreement)
        return changes, boundaries_of(np.bincount(unit))

    @computed_once
    def _by_rating(self) -> Changes | None:
        """How the shares of each rater change without a rating in each class.

        None if units have several items, or there are fewer ratings than this has rows.
        """
        table = self.table
        if self.raters is None or not table.by_item:
            return None
        shape = self.raters.counts.shape
        if math.prod(shape) > len(table.codes):
            return None
        place, rater, code = (axis.ravel() for axis in np.indices(shape))
        removed = np.eye(table.n_classes)[code]
        return changes_of(self.raters, place, rater, removed, self.scale.disagreement)


@dataclass(frozen=True)
class Changes:
    """How the shares of a rater change without some of his ratings.

    Attributes
    ----------
    shares : ndarray, shape (n, K)
        The change of his shares.
    alone : ndarray, shape (n,)
        The change of his disagreement by chance with himself.
    """

    shares: Floats
    alone: Floats

    def at(self, rows: Positions) -> Changes:
        """Return some of the changes."""
        return Changes(self.shares[rows], self.alone[rows])


def changes_of(
    raters: RaterShares, place: Positions, rater: Codes, removed: Array, disagreement: Floats
) -> Changes:
    """Return how shares change without some ratings ``(n, K)`` of raters."""
    after = raters.counts[place, rater] - removed
    with np.errstate(all="ignore"):  # of a rater without other ratings
        after /= row_sums(after)[:, None]
        alone = weighed(after, disagreement) - raters.alone(disagreement)[place, rater]
    return Changes(after - raters.shares[place, rater], alone)


def leaving(table: RatingTable, scale: Scale, names: Collection[str]) -> Leaving:
    """Return the sums of a table that these coefficients need."""
    raters = rater_shares(table) if CONGER in names else None
    return Leaving(table, scale, totals_of(table, scale), raters)


def pseudo_pairs(shares: Floats) -> Floats:
    """Return how a pair of raters rates a pseudo-item, as shares ``(groups, K, K)``.

    It is the pseudo-row of a table in which all ratings agree, with the raters in both orders:
    half of it agrees, and half does not.
    """
    rows = pseudo_row(shares[:, :, None] * np.eye(shares.shape[1]))
    pairs: Floats = (rows + rows.swapaxes(1, 2)) / 2
    return pairs
