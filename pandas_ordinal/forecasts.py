"""Arrays of scores and class probabilities, scored against arrays of true labels."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.classes import ClassesLike, label_key, positions_of, refuse_missing
from pandas_ordinal.cube import CLASS_DIMS, class_coords
from pandas_ordinal.errors import ClassOrderError, UnknownClassError
from pandas_ordinal.labels import (
    checked_dims,
    classes_of,
    encoded,
    in_one_chunk,
    refuse_other_types,
)
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.metrics.segments import refuse_weights
from pandas_ordinal.predictions import scores_of

Array = npt.NDArray[Any]
CLASS_DIM = "pandas_ordinal_class"


def score_labels(
    metric: Metric,
    options: Mapping[str, Any],
    true: xr.DataArray,
    inputs: Mapping[str, xr.DataArray],
    dim: Hashable | list[Any] | None,
    sample_weight: xr.DataArray | None,
    classes: ClassesLike | None,
    dropna: bool,
) -> tuple[xr.DataArray, xr.DataArray]:
    """Score true labels and scores, or class probabilities, over some dimensions.

    Returns the scores and the number of cases that they are of; of chunked arrays both when they
    are computed.
    """
    if set(CLASS_DIMS) <= set(true.dims):
        raise ValueError(
            f"{metric.name} needs {metric.needs}, and a cube holds counts: call it on the true "
            f"labels, true.ordinal.{metric.name}(...)"
        )
    refuse_other_types({"true": true, **inputs})
    dtype = classes_of({"true": true}, classes)
    n_classes = len(dtype.categories)
    names = [str(array.name or name) for name, array in inputs.items()]
    end = [CLASS_DIM] if "proba" in inputs else []
    if end:
        inputs = {"proba": _by_class(inputs["proba"], true, dtype)}
    ranked = {name: array.isel(dict.fromkeys(end, 0)) for name, array in inputs.items()}
    dims = checked_dims({"true": true, **ranked}, dim, sample_weight)
    pairs = [(encoded(true, "true", dtype, dropna), dims)]
    pairs += [(array, [*dims, *end]) for array in inputs.values()]
    if sample_weight is not None:
        pairs.append((sample_weight, dims))
    scored, n_cases = xr.apply_ufunc(
        _score,
        *(in_one_chunk(array, core) for array, core in pairs),
        kwargs={
            "metric": metric,
            "options": options,
            "n_classes": n_classes,
            "names": names,
            "weighed_by": "" if sample_weight is None else repr(sample_weight.name or "weight"),
            "n_dims": len(dims),
            "dropna": dropna,
        },
        input_core_dims=[core for _, core in pairs],
        output_core_dims=[metric.output, ()],
        join="exact",
        dask="parallelized",
        dask_gufunc_kwargs={"output_sizes": dict.fromkeys(metric.output, n_classes)},
        output_dtypes=[np.float64, np.int64],
        keep_attrs=False,
    )
    coords = {d: c for d, c in class_coords(dtype).items() if d in metric.output}
    return scored.assign_coords(coords).rename(metric.name), n_cases


def kept(
    true: xr.DataArray,
    pred: xr.DataArray,
    inputs: Mapping[str, xr.DataArray],
    classes: ClassesLike | None,
) -> xr.DataArray:
    """Tell which cases have labels and all the inputs, as weights 0 and 1."""
    labels = {"true": true, "pred": pred}
    dtype = classes_of(labels, classes)
    codes = [encoded(array, name, dtype, True) for name, array in labels.items()]
    there = (codes[0] >= 0) & (codes[1] >= 0)
    for name, array in inputs.items():
        known = array.notnull()
        if name == "proba":
            known = _by_class(array, true, dtype).notnull().all(CLASS_DIM)
        there = there & known
    return there.astype(float)


def _by_class(
    proba: xr.DataArray, true: xr.DataArray, classes: pd.CategoricalDtype
) -> xr.DataArray:
    """Find the dimension of class probabilities, rename it, and put it in order of the classes."""
    names = set(map(label_key, classes.categories))
    found = [
        d
        for d, labels in proba.indexes.items()
        if d not in true.dims
        and len(labels) == len(names)
        and set(map(label_key, labels)) == names
    ]
    if len(found) != 1:
        own = {d: proba.indexes.get(d) for d in proba.dims if d not in true.dims}
        shown = {d: None if labels is None else labels.tolist() for d, labels in own.items()}
        raise UnknownClassError(
            f"{len(found)} dimensions of proba have the classes {list(classes.categories)} as "
            f"their coordinate, but one has to. Coordinates beside those of the true labels: "
            f"{shown}; give one by proba.assign_coords({{dimension: [...]}})"
        )
    order = np.argsort(positions_of(pd.Index(proba.indexes[found[0]]), classes))
    return proba.isel({found[0]: order}).drop_vars(found[0]).rename({found[0]: CLASS_DIM})


def _score(
    true: Array,
    *arrays: Array,
    metric: Metric,
    options: Mapping[str, Any],
    n_classes: int,
    names: Sequence[str],
    weighed_by: str,
    n_dims: int,
    dropna: bool,
) -> tuple[Array, Array]:
    """Score codes beside inputs over the last dimensions, ``(..., *dims)`` or ``(..., *dims, K)``.

    After the inputs there may be weights.
    """
    codes, *weights = (_flat(array, n_dims) for array in (true, *arrays[len(names) :]))
    inputs = []
    for name, array in zip(names, arrays, strict=False):
        if array.dtype.kind not in "biuf":
            raise ClassOrderError(
                f"{name!r} holds {array.dtype}, no numbers: convert it, as with .astype(float)"
            )
        numbers = scores_of(name, pd.Series(array.ravel())).reshape(array.shape)
        inputs.append(_flat(numbers, n_dims, () if metric.needs == "scores" else (n_classes,)))
        lost = np.isnan(inputs[-1])
        if not dropna:
            refuse_missing(name, int(np.count_nonzero(lost)))
        codes = np.where(lost if metric.needs == "scores" else lost.any(axis=-1), -1, codes)
    weights = [refuse_weights(weight, weighed_by) for weight in weights]
    given = {"sample_weight": weights[0] if weights else None, **options}
    if metric.needs == "probabilities":
        values = metric.kernel(codes, inputs[0], **given)
    else:
        others = dict(zip(["other"], inputs[1:], strict=False))
        values = metric.kernel(codes, inputs[0], n_classes, **given, **others)
    return np.asarray(values), np.asarray((codes >= 0).sum(axis=-1))


def _flat(array: Array, n_dims: int, end: tuple[int, ...] = ()) -> Array:
    """Make one axis of the cases of an array ``(..., *dims, *end)``."""
    first = array.ndim - n_dims - len(end)
    n_cases = math.prod(array.shape[first : first + n_dims])
    return array.reshape(*array.shape[:first], n_cases, *end)
