"""Read arrays of labels as codes of classes: Categoricals, names and integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import as_bins, with_bins
from pandas_ordinal.classes.columns import (
    are_ignored,
    labels_of,
    mask_ignored,
    mask_of,
    refuse_ignored_classes,
)
from pandas_ordinal.classes.gate import (
    classes_of_columns,
    codes_in_classes,
    declared,
    is_every_integer,
    label_key,
    positions_of,
    readable,
    refuse_missing,
    smallest,
)
from pandas_ordinal.classes.undeclared import LARGEST_RANGE, Column
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.dataarrays.flags import (
    Flags,
    are_numbers,
    code_of,
    decoded,
    fills_of,
    flags_of,
)
from pandas_ordinal.dataarrays.float_codes import (
    FLOATS_PER_TILE,
    code_positions,
    different_floats,
    whole_positions,
)
from pandas_ordinal.dataarrays.tiles import CASES_PER_TILE, CLASS_DIM, tiles
from pandas_ordinal.errors import (
    ClassOrderError,
    MissingValueError,
    UnknownClassError,
    brief,
    show,
    unlike,
)
from pandas_ordinal.query import Query

BY_FLAGS = "flags"


@dataclass(frozen=True)
class LabelReader:
    """How arrays of labels are read.

    Attributes
    ----------
    classes : CategoricalDtype
        The classes.
    ignored : sequence
        Labels to exclude; a mask leaves out the cases that have one.
    flags : Flags or None
        The meanings of integers that are neither classes nor codes of classes.
    dropna : bool
        Whether a label may be missing.
    """

    classes: pd.CategoricalDtype
    ignored: Sequence[Any]
    flags: Flags | None
    dropna: bool

    def coded(self, array: xr.DataArray, name: str, masks: Sequence[xr.DataArray]) -> xr.DataArray:
        """Turn an array of labels into codes; a chunked array stays lazy.

        Labels that masks leave out need not be classes, and are not counted whatever their code.
        """
        arrays = [array]
        if masks and array.size:  # Dask cannot broadcast to no cases
            mask = reduce(and_, masks)
            mask = mask.any([d for d in mask.dims if d not in array.dims])
            # not those of coordinates, which may be chunked otherwise
            chunks = array.variable.chunksizes
            of_array = {d: sizes for d, sizes in chunks.items() if d in mask.dims}
            arrays.append(mask.chunk(of_array) if of_array else mask)
            if mask.chunks is not None and array.chunks is None:  # Dask cannot cut objects
                of_mask = mask.variable.chunksizes
                arrays[0] = array.chunk({d: of_mask.get(d, -1) for d in array.dims})
        if is_categorical(array):
            codes = self._cast(name, categorical_of(array))
            if len(arrays) > 1:
                selected = xr.broadcast(arrays[1], array)[0].transpose(*array.dims).values
                codes = np.where(selected, codes, np.int8(0))
            self._refuse_missing(name, int(np.count_nonzero(codes < 0)), [])
            return array.copy(data=codes).rename(name)
        coded: xr.DataArray = xr.apply_ufunc(
            self._codes,
            *arrays,
            kwargs={
                "name": name,
                "fills": fills_of(array.attrs),
                "flagged": "flag_values" in array.attrs,
            },
            dask="parallelized",
            output_dtypes=[array.dtype if self._is_coded(array) else smallest(self.classes)],
        )
        return coded.rename(name)

    def selected(self, array: xr.DataArray) -> xr.DataArray:
        """Return which labels are not ignored."""
        if is_categorical(array):
            return array.copy(data=~are_ignored(array.values, self.ignored))
        selected: xr.DataArray = xr.apply_ufunc(
            self._selected, array, dask="parallelized", output_dtypes=[bool]
        )
        return selected

    def _selected(self, values: Array) -> Array:
        return ~are_ignored(values, self.ignored)

    def _codes(
        self,
        values: Array,
        mask: Array | None = None,
        *,
        name: str,
        fills: Sequence[float],
        flagged: bool,
    ) -> Array:
        """Turn labels into codes of the smallest type; codes stay as they are."""
        selected = np.broadcast_to(True if mask is None else mask, values.shape)
        if values.size and self._is_coded(values):
            codes = values
            if self.ignored:
                codes = np.where(are_ignored(values, self.ignored), values.dtype.type(0), values)
            lowest = -1 if -1 in fills or not are_numbers(self.classes) else 0
            if codes.min() >= lowest and codes.max() < len(self.classes.categories):
                is_missing = codes < 0 if mask is None else (codes < 0) & selected
                self._refuse_missing(name, int(np.count_nonzero(is_missing)), fills)
                return codes
        codes = np.full(values.shape, -1, smallest(self.classes))
        n_missing = 0
        size = FLOATS_PER_TILE if values.dtype.kind == "f" else CASES_PER_TILE
        for tile in tiles(values.shape, size):
            labels = values[tile] if mask is None else values[tile][selected[tile]]
            tile_codes = self._of_floats(labels, flagged)
            if tile_codes is None:
                tile_codes = self._cast(name, _without(fills, labels.ravel()), flagged)
            n_missing += int(np.count_nonzero(tile_codes < 0))
            if mask is None:
                codes[tile] = tile_codes.reshape(labels.shape)
            else:
                codes[tile][selected[tile]] = tile_codes
        self._refuse_missing(name, n_missing, fills)
        return codes

    def _of_floats(self, values: Array, flagged: bool) -> Array | None:
        """Return codes of floats, -1 where NaN; None if they are others, which are looked up."""
        if values.dtype.kind != "f" or self.flags is not None or not values.size:
            return None
        labels = self.classes.categories
        if are_numbers(self.classes):
            if not is_every_integer(labels):
                return None
            return whole_positions(values, int(labels[0]), int(labels[-1]), allowed=False)
        if isinstance(labels, pd.IntervalIndex) and not flagged:
            return None
        return whole_positions(values, 0, len(labels) - 1, allowed=True)

    def _refuse_missing(self, name: str, count: int, fills: Sequence[float]) -> None:
        if count and fills and not self.dropna:
            raise MissingValueError(
                f"{name!r} holds {count} missing value{'s' * (count > 1)}: its attributes "
                f"_FillValue and missing_value declare {show(fills)} missing. Give dropna=True, "
                f"which leaves them out, or {code_of(name)}.drop_attrs() if that is a class"
            )
        refuse_missing(name, 0 if self.dropna else count)

    def _cast(self, name: str, labels: pd.Series[Any], flagged: bool = False) -> Array:
        """Return the positions of labels among the classes, -1 for one that is missing.

        Floats are codes of bins only if the attributes of their array declare flags.
        """
        labels, _ = mask_ignored(readable(name, labels), self.ignored)
        if labels.dtype.kind not in "iuf" or are_numbers(self.classes):
            return codes_in_classes(name, labels, self.classes)
        numbers = labels.to_numpy(dtype=float, na_value=np.nan)
        if self.flags is not None:
            return self.flags.positions(numbers, name, self.classes)
        are_bins = isinstance(self.classes.categories, pd.IntervalIndex)
        if labels.dtype.kind == "f" and are_bins and not flagged:
            raise UnknownClassError(
                f"{name!r} holds {labels.dtype}, but numbers are not binned silently: bin them, "
                f"with {code_of(name)}.ordinal.cut([...])"
            )
        return code_positions(numbers, name, self.classes)

    def _is_coded(self, array: xr.DataArray | Array) -> bool:
        """Whether the labels are integers that equal the codes of the classes."""
        if array.dtype.kind not in "iu":
            return False
        labels = self.classes.categories
        if not are_numbers(self.classes):
            return self.flags is None
        return labels.dtype.kind in "iu" and np.array_equal(labels, np.arange(len(labels)))


def label_reader(
    labels: Mapping[str, xr.DataArray],
    flags: Flags | None,
    query: Query,
    mask: xr.DataArray | None,
) -> LabelReader:
    """Return a reader for arrays of labels, with their classes and the meanings of integers."""
    ignored = labels_of(query.ignore)
    by_flags = isinstance(query.classes, str) and query.classes == BY_FLAGS
    if flags is not None:
        values, named = flags.values_of(ignored), flags.meanings_of(ignored)
        refuse_ignored_classes(None if by_flags else query.classes, [*ignored, *named])
        flags, ignored = flags.without(values), values
    elif by_flags:
        option, first = next(iter(labels.items()))
        raise ClassOrderError(
            "classes='flags' asks for the attributes flag_values and flag_meanings, but "
            f"{first.name or option!r} has {list(first.attrs) or 'no attributes'}: "
            "give classes=[...], lowest first"
        )
    else:
        refuse_ignored_classes(query.classes, ignored)
    if flags is not None and (by_flags or (query.classes is None and flags.are_classes)):
        classes = flags.classes()
    elif query.classes is not None:
        classes = declared(query.classes)
    else:
        classes = _declared(labels, mask, flags, ignored)
    if flags is not None:
        flags.refuse_plain_numbers(labels)
        flags = flags.named_as(classes)
        flags.refuse_other_classes(classes)
        if query.bins is not None and flags.bins is not None:
            bins = as_bins(query.bins, "bins", flags.bins.closed)
            if len(flags.bins) == len(flags.meanings):
                with_bins(pd.CategoricalDtype(flags.bins, ordered=True), bins)
    elif not are_numbers(classes):
        _refuse_ignored_codes(labels, classes, ignored)
    if flags is not None and flags.are_codes_of(classes):
        flags = None
    return LabelReader(classes, ignored, flags, query.dropna)


def mask_or_weights(array: xr.DataArray) -> xr.DataArray:
    """Return weights; objects that are booleans become a mask."""
    weight = decoded(array)
    if weight.dtype.kind in "iuf" or weight.chunks is not None:
        return weight
    mask = mask_of(weight.name or "sample_weight", pd.Series(weight.values.ravel()))
    return weight if mask is None else weight.copy(data=mask.reshape(weight.shape))


def classes_in(array: xr.DataArray) -> pd.CategoricalDtype | None:
    """Return the classes that the attributes of an array declare in order; None if they do not."""
    try:
        flags = flags_of({"true": array})
    except ValueError:  # a repr shows what can be read
        return None
    return flags.classes() if flags is not None and flags.are_classes else None


def _declared(
    arrays: Mapping[str, xr.DataArray],
    mask: xr.DataArray | None,
    flags: Flags | None,
    ignored: Sequence[Any],
) -> pd.CategoricalDtype:
    """Return the classes that selected labels and flags declare."""
    if any(one.chunks is not None for one in (*arrays.values(), mask) if one is not None):
        by_flags = "" if flags is None else ', or classes="flags" for those of flag_meanings'
        raise ClassOrderError(
            "the classes of chunked labels are known only once they are computed: give "
            f"classes=[...]{by_flags}"
        )
    columns: list[Column] = []
    are_ordered = any(getattr(array.dtype, "ordered", False) for array in arrays.values())
    for option, array in arrays.items():
        name = str(array.name or option)
        if is_categorical(array):
            labels = readable(name, categorical_of(array))
        elif are_ordered:
            continue
        elif array.dtype.kind in "biuf":
            labels = pd.Series(_different(array, mask, ignored))
        else:
            raise ClassOrderError(
                f"{name!r} holds {array.dtype} labels, which have no order: give classes=[...], "
                "lowest first"
            )
        columns.append((name, mask_ignored(labels, ignored)[0]))
    return classes_of_columns(columns if flags is None else [*columns, flags.column()])


def _refuse_ignored_codes(
    labels: Mapping[str, xr.DataArray], classes: pd.CategoricalDtype, ignored: Sequence[Any]
) -> None:
    """Raise if an integer that is ignored is the code of a class."""
    if any(array.dtype.kind in "iuf" for array in labels.values()):
        keys = set(map(label_key, ignored))
        codes = [code for code in range(len(classes.categories)) if label_key(code) in keys]
        if codes:
            raise ClassOrderError(
                f"{show(codes)} is in ignore= and the code of the class "
                f"{classes.categories[codes[0]]!r}: leave it out of one of them"
            )


def _different(array: xr.DataArray, mask: xr.DataArray | None, ignored: Sequence[Any]) -> Array:
    """Return the labels that a mask selects; of integers, each distinct one once."""
    values = decoded(array, ignored).values
    if mask is not None:
        selected = mask.any([d for d in mask.dims if d not in array.dims])
        values = values[xr.broadcast(selected, array)[0].transpose(*array.dims).values]
    if ignored:
        values = values[~are_ignored(values, ignored)]
    if values.dtype.kind == "f" and values.size:
        return different_floats(values)
    if values.dtype.kind not in "iu" or not values.size:
        return values.ravel()
    lowest, highest = values.min(), values.max()
    if int(highest) - int(lowest) >= LARGEST_RANGE:
        return np.array([lowest, highest])
    occurs = np.zeros(int(highest) - int(lowest) + 1, bool)
    for tile in tiles(values.shape):
        occurs[values[tile].astype(np.int64) - lowest.astype(np.int64)] = True
    different: Array = np.flatnonzero(occurs).astype(values.dtype) + lowest
    return different


def _without(fills: Sequence[float], values: Array) -> pd.Series[Any]:
    """Return labels, missing where an integer is a fill value."""
    labels = pd.Series(values)
    is_fill = labels.isin(fills) if fills and values.dtype.kind in "iu" else None
    return labels if is_fill is None or not is_fill.any() else labels.mask(is_fill)


def is_categorical(array: xr.DataArray) -> bool:
    """Whether an array holds a Categorical."""
    dtype: Any = array.dtype
    return isinstance(dtype, pd.CategoricalDtype)


def categorical_of(array: xr.DataArray) -> pd.Series[Any]:
    """Return the Categorical of a one-dimensional array, without its index."""
    series: Any = array.to_pandas()
    return pd.Series(series.array)


def by_class(
    option: str, proba: xr.DataArray, true: xr.DataArray, classes: pd.CategoricalDtype
) -> xr.DataArray:
    """Find the dimension of class probabilities, rename it, and sort it by class."""
    names = set(map(label_key, classes.categories))
    class_dims = [
        d
        for d, labels in proba.indexes.items()
        if d not in true.dims
        and len(labels) == len(names)
        and set(map(label_key, labels)) == names
    ]
    is_one = set(proba.dims) <= set(true.dims) and proba.dtype.kind in "biuf"
    if is_one and len(names) == 2:
        return xr.concat([1 - proba, proba], CLASS_DIM)
    if len(class_dims) != 1:
        own = {d: proba.indexes.get(d) for d in proba.dims if d not in true.dims}
        shown = {d: None if labels is None else labels.tolist() for d, labels in own.items()}
        given = [label for labels in shown.values() for label in labels or []]
        raise UnknownClassError(
            f"{len(class_dims)} dimensions of {option} have the classes "
            f"{show(classes.categories)} as coordinate, but exactly one must. Dimensions that the "
            f"true labels lack: {brief(shown)}{unlike(given, classes.categories)}; give one its "
            f"coordinate with {option}.assign_coords({{dimension: [...]}}), or declare classes "
            "that the truth lacks, classes=[...]; a dimension of members is member_dim="
        )
    order = np.argsort(positions_of(pd.Index(proba.indexes[class_dims[0]]), classes))
    if (np.diff(order) < 0).any():  # sorting copies an array in memory
        proba = proba.isel({class_dims[0]: order})
    return proba.drop_vars(class_dims[0]).rename({class_dims[0]: CLASS_DIM})
