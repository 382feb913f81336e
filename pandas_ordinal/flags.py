"""What CF attributes say that the integers of an array mean: `flag_values`, `flag_meanings`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.arrays import Array
from pandas_ordinal.classes import positions_of
from pandas_ordinal.errors import ClassOrderError, UnknownClassError
from pandas_ordinal.messages import show


@dataclass(frozen=True)
class Flags:
    """What integers mean.

    Attributes
    ----------
    source : str
        The array that says so.
    meanings : mapping
        The name of each integer, lowest first.
    """

    source: str
    meanings: Mapping[int, str]

    def beside(self, other: Flags) -> Flags:
        """Put the flags of two arrays together, or refuse them."""
        both = {**self.meanings, **other.meanings}
        agree = all(other.meanings[value] == self.meanings[value] for value in self._shared(other))
        if not agree or len(set(both.values())) < len(both):
            raise ClassOrderError(
                f"the flags of {self.source!r}, {dict(self.meanings)}, contradict those of "
                f"{other.source!r}, {dict(other.meanings)}: recode one of the arrays, and its "
                "attributes flag_values and flag_meanings with it"
            )
        return Flags(self.source, dict(sorted(both.items())))

    def _shared(self, other: Flags) -> set[int]:
        return self.meanings.keys() & other.meanings.keys()

    def without(self, ignored: Sequence[Any]) -> Flags:
        """Leave out flags that are ignored, by value or by meaning."""
        left = {v: m for v, m in self.meanings.items() if v not in ignored and m not in ignored}
        return Flags(self.source, left)

    def values_of(self, labels: Iterable[Any]) -> list[Any]:
        """Return labels, integers in the place of their meanings."""
        values = {meaning: value for value, meaning in self.meanings.items()}
        return [values.get(label, label) for label in labels]

    def names_of(self, labels: Iterable[Any]) -> list[str]:
        """Return the meanings of labels that are integers."""
        return [self.meanings[label] for label in labels if label in self.meanings]

    def are_codes_of(self, classes: pd.CategoricalDtype) -> bool:
        """Tell whether the integers are the positions of what they mean among the classes."""
        return dict(enumerate(classes.categories)) == self.meanings

    def classes(self) -> pd.CategoricalDtype:
        """Return the meanings as classes, in the order of their integers."""
        return pd.CategoricalDtype(pd.Index(list(self.meanings.values())), ordered=True)

    def attrs(self) -> dict[str, Any]:
        """Return the attributes that say so."""
        return {"flag_values": [*self.meanings], "flag_meanings": [*self.meanings.values()]}

    def column(self) -> tuple[str, pd.Series[Any]]:
        """Return the integers as a column of labels."""
        return f"flag_values of {self.source}", pd.Series(list(self.meanings))

    def positions(self, numbers: Array, name: str, classes: pd.CategoricalDtype) -> Array:
        """Return the positions of integers among the classes, matched by what they mean.

        A missing one becomes -1.
        """
        values = np.array(list(self.meanings))
        places = positions_of(pd.Index(list(self.meanings.values())), classes)
        there = numbers == numbers
        found = np.minimum(np.searchsorted(values, numbers), len(values) - 1)
        other = numbers[there & (values[found] != numbers)]
        if len(other):
            raise UnknownClassError(
                f"{name!r} holds {other[0]:g}, which is none of the flag_values {values.tolist()} "
                f"of {self.source!r}: leave it out with ignore={other[0]:g}, or correct the "
                "attributes"
            )
        return np.where(there, places[found], -1)

    def refuse_other_classes(self, classes: pd.CategoricalDtype) -> None:
        """Raise unless all that integers mean, or the integers, are classes."""
        numbers = pd.api.types.is_numeric_dtype(classes.categories.dtype)
        declared = pd.Index(list(self.meanings if numbers else self.meanings.values()))
        other = declared[positions_of(declared, classes) < 0]
        if len(other):
            raise UnknownClassError(
                f"the flags of {self.source!r} declare {show(other)}, which "
                f"{'is no class' if len(other) == 1 else 'are no classes'} of "
                f"{show(classes.categories)}: add to classes=[...], or leave out with "
                f"ignore={other.tolist()}"
            )


def flags_of(arrays: Mapping[str, xr.DataArray]) -> Flags | None:
    """Return what the arrays say that their integers mean; None if none of them says so."""
    found = [
        _read(str(array.name or name), array)
        for name, array in arrays.items()
        if array.dtype.kind in "iuf" and {"flag_values", "flag_meanings"} <= array.attrs.keys()
    ]
    return reduce(Flags.beside, found) if found else None


def _read(name: str, array: xr.DataArray) -> Flags:
    values, named = array.attrs["flag_values"], array.attrs["flag_meanings"]
    numbers = np.atleast_1d(np.asarray(values))
    meanings = named.split() if isinstance(named, str) else list(np.atleast_1d(named))
    if numbers.dtype.kind not in "iu" or len({*numbers.tolist()}) < len(numbers):
        raise ClassOrderError(
            f"{name!r} has the attribute flag_values={values!r}, which has to be different "
            "integers"
        )
    if len(meanings) != len(numbers) or len(set(meanings)) < len(meanings):
        raise ClassOrderError(
            f"{name!r} has {len(numbers)} flag_values and the flag_meanings {meanings}: there has "
            "to be a different name, without spaces, for each"
        )
    return Flags(name, dict(sorted(zip(numbers.tolist(), map(str, meanings), strict=True))))
