"""Attributes of labels in files: the meanings of integers, unsigned bytes, and fill values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import itemgetter, or_
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.classes.bins import refuse_bad_bins
from pandas_ordinal.classes.columns import labels_of
from pandas_ordinal.classes.gate import label_key, positions_of, refuse_other_bins
from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.dataarrays.class_codes import (
    flag_name,
    holds_classes,
    labels_of_names,
    order_of,
)
from pandas_ordinal.errors import (
    ClassOrderError,
    Named,
    UnknownClassError,
    brief,
    exactly,
    first_labels,
    show,
)

FILLS = ("_FillValue", "missing_value")
PACKED = ("scale_factor", "add_offset")
UNSIGNED = {"true": "u", "false": "i"}


@dataclass(frozen=True)
class Flags:
    """The meanings of integers, from CF attributes or an enumeration of netCDF.

    Attributes
    ----------
    source : str
        The name of the array with the attributes.
    meanings : mapping
        The meaning of each integer, lowest first: a name, or a bin or number that is its class.
    are_classes : bool
        Whether the meanings are classes in this order.
    bins : IntervalIndex or None
        The bins that the integers stand for, whatever their names.
    """

    source: str
    meanings: Mapping[int, Any]
    are_classes: bool = False
    bins: pd.IntervalIndex[Any] | None = None

    def with_those_of(self, other: Flags) -> Flags:
        """Combine the flags of two arrays, or raise if they contradict each other."""
        if self.bins is not None and other.bins is not None and not self.bins.equals(other.bins):
            refuse_other_bins(array_named(other.source), other.bins, repr(self.source), self.bins)
        both = {**self.meanings, **other.meanings}
        agree = all(other.meanings[value] == self.meanings[value] for value in self._shared(other))
        if not agree or len(set(both.values())) < len(both):
            raise ClassOrderError(
                f"the flags of {self.source!r}, {dict(self.meanings)}, contradict those of "
                f"{other.source!r}, {dict(other.meanings)}: recode one of the arrays, and its "
                "attributes flag_values and flag_meanings with it"
            )
        are_classes = any(
            one.are_classes and len(one.meanings) == len(both) for one in (self, other)
        )
        bins = self.bins if self.bins is not None else other.bins
        return Flags(self.source, dict(sorted(both.items())), are_classes, bins)

    def _shared(self, other: Flags) -> set[int]:
        return self.meanings.keys() & other.meanings.keys()

    def without(self, ignored: Sequence[Any]) -> Flags:
        """Leave out flags that are ignored, by value or by meaning."""
        keys = set(map(label_key, ignored))
        meanings = {
            v: m for v, m in self.meanings.items() if keys.isdisjoint({label_key(v), label_key(m)})
        }
        return replace(self, meanings=meanings)

    def values_of(self, labels: Iterable[Any]) -> list[Any]:
        """Return labels, with meanings replaced by their integers."""
        values = {meaning: value for value, meaning in self.meanings.items()}
        return [values.get(label, label) for label in labels]

    def meanings_of(self, labels: Iterable[Any]) -> list[Any]:
        """Return the meanings of labels that are integers."""
        keys = set(map(label_key, labels))
        return [meaning for value, meaning in self.meanings.items() if label_key(value) in keys]

    def are_codes_of(self, classes: pd.CategoricalDtype) -> bool:
        """Whether each integer is the code of the class that it means."""
        return dict(enumerate(classes.categories)) == self.meanings

    def classes(self) -> pd.CategoricalDtype:
        """Return the meanings as classes, in the order of their integers."""
        labels = pd.Index(list(self.meanings.values()))
        refuse_bad_bins(labels, repr(self.source))
        return pd.CategoricalDtype(labels, ordered=True)

    def named_as(self, classes: pd.CategoricalDtype) -> Flags:
        """Return flags whose names without spaces, or numbers, are replaced by the classes given.

        Flags that only have numbers as names leave open how the classes are called.
        """
        if are_numbers(classes):
            return self
        if [*self.meanings] == [*self.meanings.values()]:
            if len(self.meanings) != len(classes.categories):
                return self
            return replace(
                self, meanings=dict(zip(self.meanings, classes.categories, strict=True))
            )
        labels = {flag_name(label): label for label in classes.categories}
        meanings = {value: labels.get(name, name) for value, name in self.meanings.items()}
        return replace(self, meanings=meanings)

    def on(self, array: xr.DataArray) -> xr.DataArray:
        """Return an array with the attributes of these flags."""
        array = array.assign_attrs(flag_values=[*self.meanings])
        if self.are_classes:
            array.encoding["dtype"] = np.dtype(np.int64)
            missing = {} if -1 in self.meanings else {"_FillValue": -1}
            return array.assign_attrs(missing | order_of(self.classes().categories, self.bins))
        return array.assign_attrs(flag_meanings=[*self.meanings.values()])

    def refuse_plain_numbers(self, arrays: Mapping[str, xr.DataArray]) -> None:
        """Raise for numbers without flags beside classes that are named by other numbers."""
        of_numbers = [_is_another_number(value, name) for value, name in self.meanings.items()]
        if not self.are_classes or not all(of_numbers):
            return
        names = show([*self.meanings.values()])
        for option, array in arrays.items():
            if array.dtype.kind in "iuf" and "flag_values" not in array.attrs:
                name = str(array.name or option)
                raise ClassOrderError(
                    f"{name!r} holds numbers, but the classes {names} of {self.source!r} "
                    f"have the codes {show([*self.meanings])}: make both codes of "
                    f"classes, with {code_of(name)}.ordinal.as_ordered([...])"
                )

    def column(self) -> tuple[str, pd.Series[Any]]:
        """Return the integers as a column of labels."""
        return f"flag_values of {self.source}", pd.Series(list(self.meanings))

    def positions(self, numbers: Array, name: str, classes: pd.CategoricalDtype) -> Array:
        """Return the codes of integers, matched to classes by meaning; -1 if missing."""
        values = np.array(list(self.meanings))
        codes = positions_of(pd.Index(list(self.meanings.values())), classes)
        is_present = numbers == numbers
        indexes = np.minimum(np.searchsorted(values, numbers), len(values) - 1)
        other = numbers[is_present & (values[indexes] != numbers)]
        if len(other):
            raise UnknownClassError(
                f"{name!r} holds {exactly(other[0])}, which is not in flag_values "
                f"{values.tolist()} of {self.source!r}: {self._remedy(name, other[0])}"
            )
        return np.where(is_present, codes[indexes], -1)

    def _remedy(self, name: str, other: float) -> str:
        """Return what to do about a number that is not among the integers."""
        for bits in (8, 16, 32):
            if other < 0 and other % 2**bits in self.meanings:
                return f"make it unsigned, with {code_of(name)}.astype('uint{bits}')"
            if other - 2**bits in self.meanings:
                unsigned = [value % 2**bits for value in self.meanings]
                return f"if these are unsigned, give {_with_values(self.source, unsigned)}"
        return (
            f"leave it out with ignore={exactly(other)}, correct the attributes, or if {name!r} "
            f"was computed from flags, drop them with {code_of(name)}.drop_attrs()"
        )

    def refuse_other_classes(self, classes: pd.CategoricalDtype) -> None:
        """Raise unless all meanings, or all integers, are classes."""
        declared = pd.Index(
            list(self.meanings if are_numbers(classes) else self.meanings.values())
        )
        positions = positions_of(declared, classes)
        other = declared[positions < 0]
        if len(other):
            refuse_other_bins(array_named(self.source), declared, "classes=", classes.categories)
            raise UnknownClassError(
                f"the flags of {self.source!r} declare {show(other)}, which "
                f"{'is not a class' if len(other) == 1 else 'are not classes'} of "
                f"{show(classes.categories)}: add to classes=[...], or leave out with "
                f"ignore={other.tolist()}"
            )
        if self.are_classes and (np.diff(positions) < 0).any():
            raise ClassOrderError(
                f"the attributes of {self.source!r} declare the classes "
                f"{' < '.join(first_labels(declared))}, but classes= has the order "
                f"{' < '.join(first_labels(classes.categories))}: leave out classes="
            )


def decoded(array: xr.DataArray, ignored: Sequence[Any] = ()) -> xr.DataArray:
    """Return numbers as `xr.open_dataset` does by default, if it was told not to.

    Bytes of the attribute `_Unsigned` become unsigned, and fill values missing, unless they are
    ignored.
    """
    if array.dtype.kind not in "iuf":
        return array
    keys = set(map(label_key, ignored))
    declared = [*fills_of(array.attrs), *_left_by_xarray(array.encoding)]
    fills = [fill for fill in declared if label_key(fill) not in keys]
    dtype = _dtype(array.dtype, array.attrs)
    numbers = array if dtype == array.dtype else array.astype(dtype)
    is_fill = reduce(or_, [numbers.variable == fill for fill in fills], xr.Variable((), False))
    if fills and (array.chunks is not None or is_fill.any()):
        numbers = numbers.where(~is_fill)
    numbers.encoding = array.encoding
    return numbers


def described(
    arrays: Mapping[str, xr.DataArray], ignore: Any
) -> tuple[dict[str, xr.DataArray], Flags | None]:
    """Return labels as their attributes describe them, and their flags.

    Labels to exclude remain, even if they are fill values.
    """
    flags, ignored = flags_of(arrays), labels_of(ignore)
    if flags is not None:
        ignored = flags.values_of(ignored)
        fills = [fill for array in arrays.values() for fill in fills_of(_declared_by(array))]
        keys = set(map(label_key, ignored))
        flags = flags.without([fill for fill in fills if label_key(fill) not in keys])
    read = {
        name: array if _marks_missing(array) else decoded(array, ignored)
        for name, array in arrays.items()
    }
    return read, flags


def _marks_missing(array: xr.DataArray) -> bool:
    """Whether an array holds codes of classes, -1 where one is missing, as they are read."""
    if array.dtype.kind != "i" or not holds_classes(array):
        return False
    return fills_of(array.attrs) == [-1] and -1 not in np.atleast_1d(array.attrs["flag_values"])


def fills_of(attrs: Mapping[Hashable, Any]) -> list[Any]:
    """Return the numbers that attributes declare missing."""
    fills: list[Any] = []
    for given in (np.atleast_1d(attrs[key]) for key in FILLS if key in attrs):
        if given.dtype.kind in "iuf":
            fills += given.astype(_dtype(given.dtype, attrs)).tolist()
    return [fill for fill in dict.fromkeys(fills) if fill == fill]


def code_of(name: str) -> str:
    """Return how code refers to an array."""
    return name if name.isidentifier() else "array"


def refuse_packed(source: str, array: xr.DataArray) -> None:
    """Raise for integers that stand for other numbers, as files hold them."""
    packed = [name for name in PACKED if name in array.attrs]
    if packed and array.dtype.kind in "iu":
        raise ValueError(
            f"{source} holds {array.dtype} packed by the attribute {packed[0]}, not the numbers: "
            "open the file without the option mask_and_scale, or decode it with xr.decode_cf"
        )


def array_named(name: Hashable) -> Named:
    """Return how errors refer to an array, which may have no name."""
    code = code_of(str(name)) if name is not None else "array"
    return Named("the array" if name is None else brief(name), code, code)


def flags_of(arrays: Mapping[str, xr.DataArray]) -> Flags | None:
    """Return the meanings of integers, from attributes of arrays; None if none has them."""
    flags = []
    for option, array in arrays.items():
        name = str(array.name or option)
        if array.dtype.kind in "iuf" and "flag_meanings" in array.attrs:
            _refuse_masks(name, array)
            if "flag_values" in array.attrs:
                flags.append(_read(name, array))
        elif array.dtype.kind in "iuf" and _enumerated(array):
            flags.append(Flags(name, _enumerated(array)))
    return reduce(Flags.with_those_of, flags) if flags else None


def are_numbers(classes: pd.CategoricalDtype) -> bool:
    """Whether classes are numbers."""
    return pd.api.types.is_numeric_dtype(classes.categories.dtype)


def _enumerated(array: xr.DataArray) -> dict[int, str]:
    """Return the meanings of an enumeration of netCDF, which xarray keeps in the encoding."""
    metadata = getattr(array.encoding.get("dtype"), "metadata", None) or {}
    meanings = {int(value): str(meaning) for meaning, value in metadata.get("enum", {}).items()}
    return dict(sorted(meanings.items()))


def _is_another_number(value: int, meaning: Any) -> bool:
    return isinstance(meaning, str) and meaning != str(value) and meaning.lstrip("-").isdecimal()


def _with_values(name: str, values: Sequence[int]) -> str:
    return f"{code_of(name)}.assign_attrs(flag_values={list(values)})"


def _left_by_xarray(encoding: Mapping[Hashable, Any]) -> list[Any]:
    """Return fill values that xarray decodes as numbers: `missing_value` of unsigned bytes."""
    fills = fills_of(encoding) if "_Unsigned" in encoding else []
    packed = {key: encoding[key] for key in PACKED if key in encoding}
    if fills and packed:
        stored = np.array(fills, _dtype(np.dtype(encoding["dtype"]), encoding))
        file = xr.Dataset({"fills": ("fill", stored, packed)})
        fills = xr.decode_cf(file)["fills"].values.tolist()
    return fills


def _declared_by(array: xr.DataArray) -> dict[Hashable, Any]:
    """Return the attributes of an array in its file; xarray makes some of them encoding."""
    return {**array.encoding, **array.attrs}


def _dtype(dtype: np.dtype[Any], attrs: Mapping[Hashable, Any]) -> np.dtype[Any]:
    """Return a type of integers as signed or unsigned as the attribute `_Unsigned` declares."""
    kind = UNSIGNED.get(str(attrs.get("_Unsigned")).lower(), dtype.kind)
    is_as_it_is = dtype.kind not in "iu" or dtype.kind == kind
    return dtype if is_as_it_is else np.dtype(f"{kind}{dtype.itemsize}")


def _refuse_masks(name: str, array: xr.DataArray) -> None:
    """Raise if the bits of integers have meanings."""
    if "flag_masks" in array.attrs:
        mask = np.atleast_1d(array.attrs["flag_masks"])[0]
        raise ClassOrderError(
            f"{name!r} has the attribute flag_masks: its integers combine flags in their bits, "
            f"and are not classes. Select the bits of one, ({code_of(name)} & {mask}).drop_attrs()"
            ", and declare its values, classes=[...]"
        )


def _read(name: str, array: xr.DataArray) -> Flags:
    """Read flags from attributes, or raise if they do not describe this array."""
    given, named = array.attrs["flag_values"], array.attrs["flag_meanings"]
    numbers = np.atleast_1d(np.asarray(given))
    meanings = named.split() if isinstance(named, str) else list(np.atleast_1d(named))
    if numbers.dtype.kind not in "iu" or len({*numbers.tolist()}) < len(numbers):
        raise ClassOrderError(
            f"{name!r} has the attribute flag_values={brief(given)}, which must be different "
            "integers"
        )
    if len(meanings) != len(numbers) or len(set(meanings)) < len(meanings):
        raise ClassOrderError(
            f"{name!r} has {len(numbers)} flag_values and the flag_meanings {meanings}: give each "
            "value a different name, without spaces"
        )
    if isinstance(given, (np.ndarray, np.generic)):  # a list has no type
        _refuse_computed(name, array, numbers)
    values, names = _as_in(array, numbers).tolist(), list(map(str, meanings))
    labels, bins = labels_of_names(name, array.attrs, values, names)
    by_value = dict(sorted(zip(values, labels, strict=True), key=itemgetter(0)))
    return Flags(name, by_value, holds_classes(array), bins)


def _as_in(array: xr.DataArray, numbers: Array) -> Array:
    """Return flags as unsigned as the array is, which xarray does not change with it."""
    stored, declares = array.dtype, _declared_by(array)
    if stored.kind == "f":
        stored = np.dtype(array.encoding.get("dtype", numbers.dtype))
    stored = _dtype(stored, declares)
    if stored.kind == "u" and numbers.min(initial=0) < 0:
        return numbers.astype(stored)
    if stored.kind == "i" and "_Unsigned" in declares:
        return numbers.astype(stored)
    return numbers


def _refuse_computed(name: str, array: xr.DataArray, numbers: Array) -> None:
    """Raise if an array is not of the type of its flags, as xarray keeps them in arithmetic."""
    values = numbers.tolist()
    if array.dtype.kind in "iu" and array.dtype.itemsize > numbers.dtype.itemsize:
        raise ClassOrderError(
            f"{name!r} holds {array.dtype}, but its flag_values are {numbers.dtype}: if it was "
            f"computed from flags, drop them with {code_of(name)}.drop_attrs() and give "
            f"classes=[...]; if it still holds these flags, give {_with_values(name, values)}"
        )
    if array.dtype.kind == "f" and numbers.dtype.kind == "i" and not array.encoding:
        unsigned = numbers.view(f"u{numbers.dtype.itemsize}").tolist()
        if values != sorted(values) and unsigned == sorted(unsigned):
            raise ClassOrderError(
                f"{name!r} has flag_values={values}, which may be unsigned, {unsigned}: give "
                f"{_with_values(name, unsigned)} or {_with_values(name, values)}"
            )
