"""Tables of ratings by any number of raters, and the sums over items that coefficients read.

Coefficients are functions of sums over items, so those without an item are the sums minus what the
item adds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Codes, Floats, Positions
from pandas_ordinal.counting.counts import starts_of
from pandas_ordinal.counting.forks import computed_once
from pandas_ordinal.metrics.agreement import Level, WeightsName, agreement_weights, apart_at
from pandas_ordinal.metrics.stack import block_size


@dataclass(frozen=True)
class Scale:
    """How far apart classes are.

    Attributes
    ----------
    disagreement : ndarray, shape (K, K)
        1 minus the weights of pairs of classes, for all coefficients but alpha.
    apart : ndarray, shape (K, K), or None
        How far apart classes are for alpha; None for the ordinal level, which depends on counts.
    """

    disagreement: Floats
    apart: Floats | None

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.disagreement)


def scale_of(n_classes: int, weights: WeightsName | npt.ArrayLike, level: Level) -> Scale:
    """Return how far apart classes are, by weights and by a level of measurement."""
    apart = None if level == "ordinal" else apart_at(level, None, n_classes)
    return Scale(1 - agreement_weights(weights, n_classes), apart)


@dataclass(frozen=True)
class RatingTable:
    """Ratings in the order of their items, and these in the order of groups and of units.

    Attributes
    ----------
    codes, raters : ndarray, shape (ratings,)
        The class and the rater of each rating.
    item_starts : ndarray, shape (items + 1,)
        Where the ratings of each item start; every item has one or more.
    unit_starts : ndarray, shape (units + 1,)
        Where the items of each unit start: a unit is an item, or a cluster of items.
    group_starts : ndarray, shape (groups + 1,)
        Where the units of each group start.
    n_raters, n_classes : int
        The number of raters and of classes.
    """

    codes: Codes
    raters: Codes
    item_starts: Positions
    unit_starts: Positions
    group_starts: Positions
    n_raters: int
    n_classes: int

    @property
    def n_units(self) -> int:
        """The number of units."""
        return len(self.unit_starts) - 1

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return len(self.group_starts) - 1

    @computed_once
    def group(self) -> Positions:
        """The group of each unit."""
        return np.repeat(np.arange(self.n_groups), np.diff(self.group_starts))

    @computed_once
    def rating_starts(self) -> Positions:
        """Where the ratings of each group start."""
        return self.item_starts[self.unit_starts[self.group_starts]]

    @property
    def by_item(self) -> bool:
        """Whether units are items."""
        return self.n_units == len(self.item_starts) - 1

    def blocks(self) -> Iterator[tuple[slice, slice]]:
        """Yield blocks of units, and the items of each."""
        # so few that a table (K, K) for each fits into the cache, and BLAS needs no threads
        size = block_size(self.n_classes)
        starts, start = self.unit_starts, 0
        while start < self.n_units:
            stop = int(np.searchsorted(starts, starts[start] + size, side="right")) - 1
            stop = max(stop, start + 1)
            yield slice(start, stop), slice(int(starts[start]), int(starts[stop]))
            start = stop

    def groups_within(self, units: slice) -> tuple[slice, Positions]:
        """Return the groups of a block of units, and where the units of each start in it."""
        ends = [units.start, units.stop - 1]
        first, last = np.searchsorted(self.group_starts, ends, side="right") - 1
        starts = np.clip(self.group_starts[first : last + 2], units.start, units.stop)
        return slice(first, last + 1), starts - units.start

    def counts(self, items: slice) -> Floats:
        """Count the ratings of items by class: ``(items, K)``."""
        starts = self.item_starts[items.start : items.stop + 1]
        n_items = len(starts) - 1
        cells = np.repeat(np.arange(n_items) * self.n_classes, np.diff(starts))
        cells += self.codes[starts[0] : starts[-1]]
        flat = np.bincount(cells, minlength=n_items * self.n_classes)
        return flat.reshape(n_items, self.n_classes).astype(float)


def boundaries_of(sizes: Array) -> Positions:
    """Return where consecutive parts of these sizes start, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)


def table_of_matrix(
    codes: Array, sizes: Array, n_classes: int, units: Positions | None = None
) -> RatingTable:
    """Return a table of ratings ``(items, raters)`` in the order of their groups.

    Parameters
    ----------
    codes : ndarray, shape (items, raters)
        The ratings; -1 where there is none.
    sizes : ndarray, shape (groups,)
        The number of items in each group.
    n_classes : int
        The number of classes.
    units : ndarray, shape (items,), optional
        The number of the unit of each item, in ascending order. Default: items are units.
    """
    is_there = codes >= 0
    n_ratings = is_there.sum(axis=1)
    is_rated = n_ratings > 0
    group_starts = boundaries_of(is_rated)[boundaries_of(sizes)]
    item_starts = boundaries_of(n_ratings[is_rated])
    unit_starts = np.arange(len(item_starts))
    if units is not None:
        unit_starts, group_starts = joined(units[is_rated], group_starts)
    raters = np.broadcast_to(np.arange(codes.shape[1], dtype=np.int32), codes.shape)
    return RatingTable(
        codes[is_there], raters[is_there], item_starts, unit_starts, group_starts,
        codes.shape[1], n_classes,
    )  # fmt: skip


def joined(units: Positions, group_starts: Positions) -> tuple[Positions, Positions]:
    """Return where units of several items start, and the units of each group."""
    unit_starts = np.append(starts_of(units), len(units))
    return unit_starts, np.searchsorted(unit_starts, group_starts)


def group_of_matrices(codes: Array, n_classes: int) -> RatingTable:
    """Return a table of ratings ``(groups, items, raters)``."""
    n_groups, n_items, n_raters = codes.shape
    sizes = np.full(n_groups, n_items)
    return table_of_matrix(codes.reshape(n_groups * n_items, n_raters), sizes, n_classes)


def sums_between(values: Array, starts: Positions) -> Array:
    """Sum consecutive values: those from each start to the next."""
    if len(starts) == 2:
        return np.asarray(values.sum(axis=0, keepdims=True))
    sums = np.zeros((len(starts) - 1, *values.shape[1:]), values.dtype)
    there = starts[1:] > starts[:-1]
    if there.any():
        sums[there] = np.add.reduceat(values, starts[:-1][there], axis=0)
    return sums


@dataclass(frozen=True)
class ItemSums:
    """Sums over items, of one or more tables.

    Attributes
    ----------
    n_items, n_paired : ndarray, shape (n,)
        The number of items that have a rating, and of those that have two or more.
    disagreed : ndarray, shape (n,)
        The sum, over the latter, of the mean disagreement of their pairs of ratings.
    shares : ndarray, shape (n, K)
        The sum, over all items, of the share of their ratings in each class.
    margins : ndarray, shape (n, K)
        The number of ratings in each class, of items that have two or more.
    apart : ndarray, shape (n,)
        The sum of the coincidences, each by how far apart its classes are.
    """

    n_items: Floats
    n_paired: Floats
    disagreed: Floats
    shares: Floats
    margins: Floats
    apart: Floats

    def arrays(self) -> dict[str, Floats]:
        """Return the sums by name."""
        return vars(self)

    def at(self, places: Any) -> ItemSums:
        """Return the sums of some tables."""
        return ItemSums(**{name: sums[places] for name, sums in self.arrays().items()})

    def plus(self, other: ItemSums) -> ItemSums:
        """Add other sums."""
        others = other.arrays()
        return ItemSums(**{name: sums + others[name] for name, sums in self.arrays().items()})

    def minus(self, other: ItemSums) -> ItemSums:
        """Subtract other sums."""
        others = other.arrays()
        return ItemSums(**{name: sums - others[name] for name, sums in self.arrays().items()})

    def over(self, starts: Positions) -> ItemSums:
        """Sum consecutive tables."""
        own = self.arrays()
        return ItemSums(**{name: sums_between(sums, starts) for name, sums in own.items()})


def sums_of_items(counts: Floats, scale: Scale) -> ItemSums:
    """Return what each item adds, given its ratings by class ``(items, K)``."""
    n = row_sums(counts)
    is_paired = n >= 2
    pairs = np.where(is_paired, n * (n - 1), 1)
    apart = np.zeros(len(n))
    if scale.apart is not None:
        apart = weighed(counts, scale.apart) / np.where(is_paired, n - 1, 1)
    return ItemSums(
        n_items=np.ones(len(n)),
        n_paired=is_paired.astype(float),
        disagreed=weighed(counts, scale.disagreement) / pairs,
        shares=counts / n[:, None],
        margins=counts * is_paired[:, None],
        apart=apart,
    )


def row_sums(values: Floats) -> Floats:
    """Sum each row; `sum` takes three times as long for short rows."""
    sums: Floats = np.einsum("nk->n", values)
    return sums


def weighed(vectors: Floats, matrix: Floats) -> Floats:
    """Return ``v' M v`` of each row v."""
    products: Floats = np.einsum("nk,nk->n", vectors @ matrix, vectors)
    return products


def coincidences(counts: Floats, starts: Positions) -> Floats:
    """Sum the coincidences of consecutive items: ``(len(starts) - 1, K, K)``."""
    n = row_sums(counts)
    is_paired = n >= 2
    scaled = counts * (is_paired / np.where(is_paired, n - 1, 1))[:, None]
    n_classes = counts.shape[1]
    found = np.empty((len(starts) - 1, n_classes, n_classes))
    if len(starts) == 2:
        found[0] = scaled.T @ counts
    else:
        for k in range(n_classes):
            found[:, k] = sums_between(scaled[:, k, None] * counts, starts)
    found[:, np.arange(n_classes), np.arange(n_classes)] -= sums_between(scaled, starts)
    return found


def middles(margins: Floats) -> Floats:
    """Return the middle of each class on the scale of ranks, from the middle of all ratings."""
    position = np.arange(margins.shape[1])
    return np.asarray(margins @ (np.sign(position - position[:, None]) / 2))


@dataclass(frozen=True)
class Totals:
    """The sums of each group.

    Attributes
    ----------
    sums : ItemSums
        The sums over items.
    coincidences : ndarray, shape (groups, K, K)
        How often two ratings of an item fall into each pair of classes.
    """

    sums: ItemSums
    coincidences: Floats

    def with_item(self, item: ItemSums, pairs: Floats) -> Totals:
        """Add an item to each group, given its coincidences."""
        return Totals(self.sums.plus(item), self.coincidences + pairs)

    def complete(self, scale: Scale) -> ItemSums:
        """Return the sums, with how far apart coincidences are."""
        apart = scale.apart
        if apart is None:
            middle = middles(self.sums.margins)
            apart = (middle[:, :, None] - middle[:, None, :]) ** 2
        return replace(self.sums, apart=(self.coincidences * apart).sum(axis=(1, 2)))


def totals_of(table: RatingTable, scale: Scale) -> Totals:
    """Sum over the items of each group."""
    n_groups, n_classes = table.n_groups, table.n_classes
    one = {name: np.zeros(n_groups) for name in ("n_items", "n_paired", "disagreed", "apart")}
    many = {name: np.zeros((n_groups, n_classes)) for name in ("shares", "margins")}
    totals = Totals(ItemSums(**one, **many), np.zeros((n_groups, n_classes, n_classes)))
    for units, items in table.blocks():
        counts = table.counts(items)
        groups, starts = table.groups_within(units)
        starts = table.unit_starts[starts + units.start] - items.start
        added = sums_of_items(counts, scale).over(starts).arrays()
        for name, sums in totals.sums.arrays().items():
            sums[groups] += added[name]
        totals.coincidences[groups] += coincidences(counts, starts)
    return totals


@dataclass(frozen=True)
class RaterShares:
    """The ratings of each rater in groups that all raters have rated in.

    Attributes
    ----------
    place : ndarray, shape (groups,)
        The place of each group among these, -1 for others.
    counts : ndarray, shape (places, raters, K)
        The ratings of each rater by class.
    """

    place: Positions
    counts: Floats

    def with_item(self, shares: Floats) -> RaterShares:
        """Add an item that all raters rate, given its shares ``(groups, K)``."""
        return replace(self, counts=self.counts + shares[self.place >= 0][:, None])

    @computed_once
    def shares(self) -> Floats:
        """The share of each class for each rater."""
        found: Floats = self.counts / self.counts.sum(axis=2, keepdims=True)
        return found

    def by_chance(self, disagreement: Floats) -> Floats:
        """Return the disagreement by chance of each group, NaN for others."""
        n_groups, n_raters = len(self.place), self.counts.shape[1]
        by_chance = np.full(n_groups, np.nan)
        together = weighed(self.shares.sum(axis=1), disagreement)
        alone = self.alone(disagreement).sum(axis=1)
        by_chance[self.place >= 0] = (together - alone) / np.float64(n_raters * (n_raters - 1))
        return by_chance

    def alone(self, disagreement: Floats) -> Floats:
        """Return the disagreement by chance of each rater with himself, ``(places, raters)``."""
        flat = self.shares.reshape(-1, self.shares.shape[-1])
        return weighed(flat, disagreement).reshape(self.shares.shape[:-1])


def rater_shares(table: RatingTable) -> RaterShares:
    """Count the ratings of each rater in groups that all raters have rated in."""
    n_raters, n_classes = table.n_raters, table.n_classes
    n_ratings = np.diff(table.rating_starts)
    place = np.full(table.n_groups, -1)
    enough = np.flatnonzero(n_ratings >= max(n_raters, 2))
    place[enough] = np.arange(len(enough))
    shape = (len(enough), n_raters, n_classes)
    cells = (table.raters + np.repeat(place, n_ratings) * n_raters) * n_classes + table.codes
    counts = np.bincount(cells[cells >= 0], minlength=int(np.prod(shape)))[: np.prod(shape)]
    counts = counts.reshape(shape).astype(float)
    is_complete = (counts.sum(axis=2) > 0).all(axis=1)
    place[enough] = np.where(is_complete, np.cumsum(is_complete) - 1, -1)
    return RaterShares(place, counts[is_complete])


def coefficients(sums: ItemSums, by_chance: Floats, scale: Scale) -> dict[str, Floats]:
    """Return all coefficients, given also the disagreement by chance of Conger's kappa."""
    n_classes, disagreement = scale.n_classes, scale.disagreement
    shares = sums.shares / sums.n_items[:, None]
    observed = sums.disagreed / sums.n_paired
    spread = (1 - disagreement).sum() / np.float64(n_classes * (n_classes - 1))
    n = row_sums(sums.margins)
    if scale.apart is None:
        # the sum, over all pairs of ratings, of the squared differences of the middles
        margins, middle = sums.margins, middles(sums.margins)
        squares = np.einsum("nk,nk,nk->n", margins, middle, middle)
        expected = 2 * (n * squares - np.einsum("nk,nk->n", margins, middle) ** 2)
    else:
        expected = weighed(sums.margins, scale.apart)
    return {
        "fleiss_kappa": 1 - observed / weighed(shares, disagreement),
        "conger_kappa": 1 - observed / by_chance,
        "gwet_ac": 1 - observed / (1 - spread * np.einsum("nk,nk->n", shares, 1 - shares)),
        "brennan_prediger": 1 - observed / disagreement.mean(),
        "krippendorff_alpha": 1 - (n - 1) * sums.apart / expected,
    }
