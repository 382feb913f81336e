"""Repeated folds in arrays: cases that are predicted once per repeat are not independent.

Arrays made of the frame of `cross_val_frame` have its columns `row` and `repeat` as dimensions, as
coordinates or as variables of their Dataset.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.rows.repeats import ENOUGH, REPEAT, ROW, TRUE, warn_of_repeats

if TYPE_CHECKING:
    from pandas_ordinal.dataarrays.query import ArrayQuery


def folds_among(
    holders: Sequence[xr.Dataset | xr.DataArray], dims: Sequence[Hashable]
) -> dict[str, xr.DataArray]:
    """Return the row and the repeat of the cases; nothing if one of them is missing."""
    folds: dict[str, xr.DataArray] = {}
    for holder in holders:
        variables = holder.variables if isinstance(holder, xr.Dataset) else holder.coords
        folds |= {name: holder[name] for name in (ROW, REPEAT) if name in variables}
    are_folds = len(folds) == 2 and all(
        one.dtype.kind in "iuf" and one.ndim == 1 and one.dims[0] in dims for one in folds.values()
    )
    return folds if are_folds else {}


def warn_of_repeated_cases(arrays: ArrayQuery, instead_of: str | None) -> None:
    """Warn if intervals would count repeats of a case as independent cases.

    The cases are complete: those without scores or probabilities have no true class.
    """
    if arrays.folds:
        warn_of_repeats(_cases(arrays), instead_of)


def _cases(arrays: ArrayQuery) -> pd.DataFrame:
    """Return the folds, the true class and the group of the first cases, of those that count."""
    true, row = arrays.codes["true"], arrays.folds[ROW]
    columns = {**arrays.folds, TRUE: true}
    columns |= {f"key {name}": key.codes for name, key in arrays.by.items()}
    for dim in set(true.dims).difference(arrays.dims):
        columns[f"key {dim!r}"] = xr.DataArray(np.arange(true.sizes[dim]), dims=[dim])
    counts = [codes >= 0 for codes in arrays.codes.values()]
    counts += [key.codes >= 0 for key in arrays.by.values()]
    counts += [*arrays.masks, *([] if arrays.weight is None else [arrays.weight > 0])]
    first = {row.dims[0]: np.flatnonzero(row.to_numpy() < ENOUGH)}
    sizes = true.isel(first).sizes

    def of_cases(array: xr.DataArray) -> Array:
        """Return a value for each case; of several, such as those of models, the largest."""
        near = array.isel(first, missing_dims="ignore").reset_coords(drop=True)
        near = near.max([dim for dim in near.dims if dim not in sizes])
        near = near.expand_dims({dim: n for dim, n in sizes.items() if dim not in near.dims})
        return near.transpose(*sizes).to_numpy().ravel()

    cases = pd.DataFrame({name: of_cases(array) for name, array in columns.items()})
    return cases[np.logical_and.reduce(list(map(of_cases, counts)))]
