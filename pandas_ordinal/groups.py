"""Group keys of a frame: columns or index levels that define which rows are scored together."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.classes.columns import column, refuse_no_label
from pandas_ordinal.classes.gate import native
from pandas_ordinal.counting.arrays import Positions
from pandas_ordinal.counting.counts import SMALL_TABLE, Factor, number_pairs
from pandas_ordinal.errors import MissingValueError, brief, is_iterable

Keep: TypeAlias = "slice | npt.NDArray[np.bool_]"


ALL_ROWS = slice(None)


@dataclass(frozen=True)
class Groups:
    """The groups of the rows of a frame.

    Attributes
    ----------
    factors : sequence of Factor
        The columns that make up the number of a group.
    levels : sequence of Index
        The keys of each of these columns.
    keep : ndarray or slice
        The rows that belong to a group; `factors` has only those.
    """

    factors: Sequence[Factor]
    levels: Sequence[pd.Index]
    keep: Keep

    @property
    def n_groups(self) -> int:
        """How many groups there may be."""
        return math.prod(factor.size for factor in self.factors)

    def numbers(self) -> Positions:
        """Return the number of the group of each row."""
        numbers = np.zeros(len(self.factors[0].codes), np.intp)
        for factor in self.factors:
            numbers *= factor.size
            codes = factor.codes
            # adding uint64 to int64 makes floats; no code reaches 2**63
            numbers += codes.view(np.int64) if codes.dtype == np.uint64 else codes
            numbers -= factor.lowest
        return numbers

    def index(self, numbers: Positions) -> pd.Index:
        """Return the keys of these groups."""
        if len(self.levels) == 1:
            return self.levels[0].take(numbers)
        sizes = [factor.size for factor in self.factors]
        positions = np.unravel_index(numbers, sizes)
        keys = [level.take(codes) for level, codes in zip(self.levels, positions, strict=True)]
        return pd.MultiIndex.from_arrays(keys)


def group(frame: pd.DataFrame, by: Hashable | Sequence[Hashable], *, dropna: bool) -> Groups:
    """Group rows by columns and index levels, keys in sorted order."""
    names = names_of_keys(by)
    for name in names:
        refuse_no_label("by", name, "df.groupby(...).ordinal takes other keys")
    if not names or len(set(names)) < len(names):
        raise ValueError(f"by={brief(by)} must name one or more different columns or index levels")
    values = [_values(frame, name) for name in names]
    factors, levels = zip(*map(_key, names, values), strict=True)
    keep: Keep = ALL_ROWS
    for name, factor in zip(names, factors, strict=True):
        if factor.lowest == 0 and factor.codes.min(initial=0) < 0:
            missing = factor.codes < 0
            if not dropna:
                raise MissingValueError(_missing_key(name, int(missing.sum())))
            keep = ~missing if keep is ALL_ROWS else keep & ~missing
    if np.prod([factor.size for factor in factors], dtype=object) > max(len(frame), SMALL_TABLE):
        return groups_of(frame.groupby(values, observed=True))
    if keep is not ALL_ROWS:
        factors = tuple(Factor(f.codes[keep], f.size, f.lowest) for f in factors)
    return Groups(factors, levels, keep)


def names_of_keys(by: Hashable | Sequence[Hashable]) -> list[Any]:
    """Return the labels of the keys."""
    if isinstance(by, (list, pd.Index, np.ndarray)) and is_iterable(by):
        return list(by)
    return [by]


def groups_of(
    grouper: pd.api.typing.DataFrameGroupBy[Any, Any], selected: Keep = ALL_ROWS
) -> Groups:
    """Return the groups of a pandas GroupBy, with its own keys, order and dropna.

    Regrouping by observed keys makes `ngroup` and the index of `size` agree. For selected rows,
    the groups and their order are those of a GroupBy of these rows.
    """
    regrouped = grouper.obj.groupby(
        grouper.keys, level=grouper.level, observed=True, sort=grouper.sort, dropna=grouper.dropna
    )
    index, codes = regrouped.size().index, regrouped.ngroup().to_numpy()[selected]
    keep = codes >= 0
    if selected is not ALL_ROWS:
        sort: Any = grouper.sort
        codes[keep], occurring = pd.factorize(codes[keep], sort=sort)
        index = index.take(occurring)
    return Groups([Factor(codes[keep].astype(np.intp), len(index))], [index], keep)


def numbers_of_rows(groups: Groups | None, n_rows: int) -> Positions:
    """Return the number of the group of each row, -1 where it has none."""
    if groups is None:
        return np.zeros(n_rows, np.intp)
    numbers = np.full(n_rows, -1)
    numbers[groups.keep] = groups.numbers()
    return numbers


def crossed(outer: Groups, inner: Groups, n_rows: int) -> Groups:
    """Return the combinations of the groups of two groupings that occur in the rows."""
    first, second = (numbers_of_rows(groups, n_rows) for groups in (outer, inner))
    keep = (first >= 0) & (second >= 0)
    first, second = first[keep], second[keep]
    rows, codes = number_pairs(first, second)
    levels = [*levels_of(outer.index(first[rows])), *levels_of(inner.index(second[rows]))]
    names = [level.name for level in levels]
    for name in names:
        if name is not None and names.count(name) > 1:
            raise ValueError(f"{name!r} is a key of the groups already: name other columns")
    return Groups([Factor(codes, len(rows))], [pd.MultiIndex.from_arrays(levels)], keep)


def with_empty_bins(keys: pd.Index[Any]) -> tuple[pd.Index[Any], Positions]:
    """Return the keys, or all bins if they are bins, and the positions of the keys among them.

    Bins are not just values that occur: an empty one keeps its place in the order.
    """
    if not are_bins(keys):
        return keys, np.arange(len(keys))
    n_bins = len(keys.categories)
    missing = [-1] * bool((keys.codes < 0).any())
    dtype = pd.CategoricalDtype(keys.categories, keys.ordered)
    every = pd.Categorical.from_codes([*range(n_bins), *missing], dtype=dtype)
    return pd.CategoricalIndex(every, name=keys.name), keys.codes.astype(np.intp) % (n_bins + 1)


def levels_of(labels: pd.Index[Any]) -> list[pd.Index[Any]]:
    """Return the labels along each level of an index."""
    return [_level(labels, number) for number in range(labels.nlevels)]


def are_bins(keys: pd.Index[Any]) -> TypeGuard[pd.CategoricalIndex[Any]]:
    """Return whether keys are a Categorical of intervals."""
    return isinstance(keys, pd.CategoricalIndex) and isinstance(keys.categories, pd.IntervalIndex)


def _values(frame: pd.DataFrame, name: Hashable) -> pd.Series:
    """Return the key of that name, be it a column or an index level."""
    is_column = name in frame.columns
    is_level = name is not None and name in frame.index.names
    if is_column and is_level:
        raise ValueError(
            f"by={brief(name)} is both a column and an index level: rename one, as with "
            f"df.rename_axis(index={{{name!r}: ...}})"
        )
    if is_level:
        numbers = [n for n, level in enumerate(frame.index.names) if level == name]
        if len(numbers) > 1:
            raise ValueError(
                f"by={brief(name)} names {len(numbers)} index levels: give each a name of its own"
            )
        return native(_level(frame.index, numbers[0]).to_series(index=frame.index))
    return column(frame, name)


def _level(labels: pd.Index[Any], number: int) -> pd.Index[Any]:
    """Return the labels along the level of that number.

    `get_level_values` alone would confuse the number with the name of a level.
    """
    numbered = labels.set_names(list(range(labels.nlevels)))
    return numbered.get_level_values(number).rename(labels.names[number])


def _key(name: Hashable, values: pd.Series[Any]) -> tuple[Factor, pd.Index[Any]]:
    """Return a key column as codes and their levels."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        n_levels = len(values.dtype.categories)
        every = pd.Categorical.from_codes(np.arange(n_levels), dtype=values.dtype)
        return Factor(values.array.codes, n_levels), pd.CategoricalIndex(every, name=name)
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "iu" and len(values):
        lowest, highest = int(values.min()), int(values.max())
        size = highest - lowest + 1
        if size <= max(len(values), SMALL_TABLE) and highest < 2**63:
            every_integer = np.arange(lowest, highest + 1, dtype=values.dtype)
            levels = pd.Index(every_integer, name=name)
            return Factor(values.to_numpy(), size, lowest), levels
    if (
        isinstance(values.dtype, np.dtype)
        and values.dtype.kind == "f"
        and values.dtype.itemsize > 8
    ):
        raise TypeError(
            f"the key {name!r} is {values.dtype}, which pandas cannot look up: convert it with "
            f"df[{name!r}].astype(float)"
        )
    keys: Any
    try:
        codes, keys = values.factorize(sort=True)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise TypeError(
            f"the key {name!r} holds lists, or values without a common order, which cannot be "
            f"keys ({error}): give text, as with df[{name!r}].map(str), or numbers or tuples alone"
        ) from error
    return Factor(codes, len(keys)), keys.rename(name)


def _missing_key(name: Hashable, count: int) -> str:
    return (
        f"the key {name!r} is missing in {count} row{'s' * (count > 1)}: fill it in, or give "
        f"dropna=True, which leaves {'this row' if count == 1 else 'these rows'} out"
    )
