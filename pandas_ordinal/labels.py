"""Arrays of labels: from DataArrays of true and predicted labels to a cube."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.bins import BinsLike, with_bins
from pandas_ordinal.classes import ClassesLike, cast, declared, refuse_missing, shared
from pandas_ordinal.counts import Factor, count
from pandas_ordinal.cube import CLASS_DIMS, class_coords, refuse_same_names
from pandas_ordinal.errors import ClassOrderError, UnknownClassError
from pandas_ordinal.metrics.segments import refuse_weights

Array = npt.NDArray[Any]
ROWS_A_BLOCK = 2**20


def count_labels(
    true: xr.DataArray,
    pred: xr.DataArray,
    dim: Hashable | list[Any] | None,
    sample_weight: xr.DataArray | None,
    classes: ClassesLike | None,
    bins: BinsLike | None,
    dropna: bool,
) -> xr.DataArray:
    """Count labels over some dimensions; chunked arrays are counted when the cube is computed."""
    labels = {"true": true, "pred": pred}
    dims = checked_dims(labels, dim, sample_weight)
    dtype = classes_of(labels, classes)
    codes = [encoded(array, name, dtype, dropna) for name, array in labels.items()]
    n_classes = len(dtype.categories)
    weighed_by = "" if sample_weight is None else repr(sample_weight.name or "sample_weight")
    arrays = [*codes, sample_weight] if sample_weight is not None else codes
    arrays = [in_one_chunk(array, dims) for array in arrays]
    cube: xr.DataArray = xr.apply_ufunc(
        _count,
        *arrays,
        kwargs={"n_dims": len(dims), "n_classes": n_classes, "weighed_by": weighed_by},
        input_core_dims=[dims] * len(arrays),
        output_core_dims=[CLASS_DIMS],
        join="exact",
        dask="parallelized",
        dask_gufunc_kwargs={"output_sizes": dict.fromkeys(CLASS_DIMS, n_classes)},
        output_dtypes=[np.int64 if sample_weight is None else np.float64],
        keep_attrs=False,
    )
    return cube.assign_coords(class_coords(with_bins(dtype, bins))).rename("count")


def checked_dims(
    labels: Mapping[str, xr.DataArray], dim: Any, sample_weight: xr.DataArray | None
) -> list[Hashable]:
    """Return the dimensions to count over, if all arrays have them and agree on them."""
    named = dict(labels)
    if sample_weight is not None:
        named["sample_weight"] = sample_weight
    refuse_other_types(named)
    dims = _dims(labels["true"], dim)
    _refuse_other_coordinates(named, dims)
    return dims


def refuse_other_types(arrays: Mapping[str, Any]) -> None:
    """Raise unless all are DataArrays."""
    for name, array in arrays.items():
        if not isinstance(array, xr.DataArray):
            raise TypeError(f"{name} must be a DataArray, not a {type(array).__name__}")


def encoded(
    array: xr.DataArray, name: str, classes: pd.CategoricalDtype, dropna: bool
) -> xr.DataArray:
    """Turn an array of labels into codes, of a chunked one when it is computed."""
    codes: xr.DataArray = xr.apply_ufunc(
        _encode,
        array,
        kwargs={"name": str(array.name or name), "classes": classes, "dropna": dropna},
        dask="parallelized",
        output_dtypes=[np.int32],
    )
    return codes


def _dims(true: xr.DataArray, dim: Any) -> list[Hashable]:
    """Return the dimensions to count over, in the ways that xarray lets one name them."""
    if dim is None or dim is ...:
        return list(true.dims)
    dims: list[Hashable] = [dim]
    if isinstance(dim, list) or (isinstance(dim, tuple) and dim not in true.dims):
        dims = list(dim)
    if not dims or len(set(dims)) < len(dims):
        raise ValueError(f"dim={dim!r} must name one or more different dimensions")
    return dims


def in_one_chunk(array: xr.DataArray, dims: Sequence[Hashable]) -> xr.DataArray:
    """Bring the dimensions to count over into one chunk; Dask cannot do so with an empty array."""
    if array.chunks is None:
        return array
    return array.chunk(dict.fromkeys(dims, -1)) if array.size else array.compute()


def _refuse_other_coordinates(arrays: dict[str, xr.DataArray], dims: Sequence[Hashable]) -> None:
    """Raise unless the arrays have the dimensions to count over, and agree on what they share."""
    true = arrays["true"]
    kept = {d: None for array in arrays.values() for d in array.dims if d not in dims}
    refuse_same_names([*kept, *dims, *CLASS_DIMS])
    for name, array in arrays.items():
        missing = [d for d in dims if d not in array.dims]
        if missing:
            raise ValueError(
                f"{name} has no dimension {missing[0]!r} to count over, only {array.dims}: name "
                f"others with dim=, or give {name}.broadcast_like(true)"
            )
        for d in array.dims:
            both = d in true.indexes and d in array.indexes
            if d in true.dims and (
                true.sizes[d] != array.sizes[d]
                or (both and not true.indexes[d].equals(array.indexes[d]))
            ):
                raise ValueError(
                    f"the coordinates of {name} along {d!r} are not those of the true labels: "
                    f"cases are never aligned silently; give {name}.reindex_like(true), or drop "
                    f"the coordinate with {name}.drop_vars({d!r}) if the order is the same"
                )
    if "sample_weight" in arrays:
        others = [array.dims for name, array in arrays.items() if name != "sample_weight"]
        extra = set(arrays["sample_weight"].dims).difference(*others)
        if extra:
            names = sorted(map(str, extra))
            raise ValueError(
                f"sample_weight has dimensions that no label has, {names}: select or sum over them"
            )


def classes_of(
    arrays: Mapping[str, xr.DataArray], classes: ClassesLike | None
) -> pd.CategoricalDtype:
    """Return the classes that are given, or those that the labels declare."""
    if classes is not None:
        return declared(classes)
    if any(array.chunks is not None for array in arrays.values()):
        raise ClassOrderError(
            "chunked labels do not tell their classes without being computed: give classes=[...]"
        )
    labels = [
        (str(array.name or name), pd.Series(array.values.ravel()))
        for name, array in arrays.items()
    ]
    for name, values in labels:
        if values.dtype.kind not in "biuf":
            raise ClassOrderError(
                f"{name!r} holds {values.dtype} labels, which have no order: give classes=[...], "
                "lowest first"
            )
        if values.dtype.kind in "if" and (values == -1).any():
            raise ClassOrderError(
                f"{name!r} holds -1, which may be a missing code or a class: give classes=[...]"
            )
    return shared(labels)


def _encode(values: Array, *, name: str, classes: pd.CategoricalDtype, dropna: bool) -> Array:
    """Turn an array of labels, or of codes, into codes."""
    labels = pd.Series(values.ravel())
    numbers = labels.dtype.kind in "iuf"
    if numbers and not pd.api.types.is_numeric_dtype(classes.categories.dtype):
        codes = _positions(labels, name, classes)
    else:
        codes = cast(name, labels, classes)
    if not dropna:
        refuse_missing(name, int(np.count_nonzero(codes < 0)))
    return codes.astype(np.int32).reshape(values.shape)


def _positions(labels: pd.Series[Any], name: str, classes: pd.CategoricalDtype) -> Array:
    """Read numbers as positions in classes that are no numbers; -1 and NaN are missing."""
    if labels.dtype.kind == "f" and isinstance(classes.categories, pd.IntervalIndex):
        raise UnknownClassError(
            f"{name!r} holds {labels.dtype}, but numbers are not binned silently: cut them, as "
            "with pd.Series(...).ordinal.cut([...]), and give the integer codes, -1 for missing"
        )
    floats = labels.to_numpy(dtype=float)
    codes = np.where(np.isnan(floats), -1, floats)
    n_classes = len(classes.categories)
    wrong = (codes != np.floor(codes)) | (codes < -1) | (codes >= n_classes)
    if wrong.any():
        raise UnknownClassError(
            f"{name!r} holds {codes[wrong][0]:g}, which is no code of the {n_classes} classes "
            f"{list(classes.categories)}: codes are 0 to {n_classes - 1}, or -1 for missing"
        )
    return codes.astype(np.int32)


def _count(
    true: Array,
    pred: Array,
    weights: Array | None = None,
    *,
    n_dims: int,
    n_classes: int,
    weighed_by: str,
) -> Array:
    """Count codes over the last dimensions, ``(..., *dims) -> (..., K, K)``, block by block."""
    arrays = [true, pred]
    if weights is not None:
        arrays.append(refuse_weights(weights, weighed_by))
    shape = (1, *np.broadcast_shapes(*(array.shape for array in arrays)))
    leading, cases = shape[: len(shape) - n_dims], shape[len(shape) - n_dims :]
    n_cases, n_tables = int(np.prod(cases)), int(np.prod(leading))
    views = [np.broadcast_to(array, shape) for array in arrays]
    tables = np.zeros((n_tables, n_classes, n_classes), int if weights is None else float)
    size = max(1, ROWS_A_BLOCK // max(n_cases, 1))
    for start in range(0, n_tables, size):
        stop = min(start + size, n_tables)
        block = np.unravel_index(np.arange(start, stop), leading)
        labels = [view[block].ravel() for view in views]
        groups = Factor(np.repeat(np.arange(stop - start), n_cases), stop - start)
        counts = count([groups], labels[0], labels[1], n_classes, *labels[2:])
        tables[start:stop] = counts.block(0, stop - start)[:, 1:, 1:]
    return tables.reshape(*leading[1:], n_classes, n_classes)
