"""Flatten arrays to a table of cases, to compare models and to see that cases are repeated."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.counting.arrays import (
    Array,
    Codes,
    Floats,
    Probabilities,
    refuse_weights,
    tolerance,
)
from pandas_ordinal.counting.counts import Factor
from pandas_ordinal.dataarrays.keys import keys_of
from pandas_ordinal.dataarrays.query import ArrayQuery
from pandas_ordinal.dataarrays.tiles import CLASS_DIM, numbers_of
from pandas_ordinal.errors import brief
from pandas_ordinal.groups import ALL_ROWS, Groups
from pandas_ordinal.metrics.proba_kernel import BY_ROW
from pandas_ordinal.rows.gather import counted_by, refuse_wrong
from pandas_ordinal.rows.reference import Options
from pandas_ordinal.rows.repeats import ENOUGH, ROW, TRUE, warn_of_repeats
from pandas_ordinal.rows.sample import Inputs, LabelColumn, Sample

Arrays = Mapping[str, xr.DataArray]
Sizes = Mapping[Hashable, int]


def sample_of_arrays(arrays: ArrayQuery, model: Hashable, cluster: xr.DataArray | None) -> Sample:
    """Return one row per case, with the predictions, scores or probabilities of each model."""
    true, inputs = arrays.codes["true"], arrays.inputs
    predicted = {
        **{name: array for name, array in arrays.codes.items() if name != "true"},
        **inputs,
    }
    models = _models(true, predicted, model)
    weights = {} if arrays.weight is None else {"sample_weight": arrays.weight}
    sizes = _sizes(true, predicted | weights, arrays.dims, model)
    extra = {f"by={name!r}": key.codes for name, key in arrays.by.items()}
    extra |= {f"mask {n}": mask for n, mask in enumerate(arrays.masks)}
    if cluster is not None:
        (key,) = keys_of([cluster], list(sizes), arrays.dropna, "cluster").values()
        extra["cluster"] = key.codes
    folds = {} if cluster is not None else {name: f"of folds: {name}" for name in arrays.folds}
    extra |= {of_folds: arrays.folds[name] for name, of_folds in folds.items()}
    arrays_by_name = {"true": true, **predicted, **weights, **extra}
    flat = {name: _flat(array, sizes, model) for name, array in _loaded(arrays_by_name).items()}
    groups = None
    if len(sizes) > len(arrays.dims) or arrays.by:
        groups = _groups(arrays, flat, sizes, arrays_by_name)
        flat = {name: array[..., groups.keep] for name, array in flat.items()}
    codes = flat["true"].astype(np.intp)
    if cluster is not None:
        codes = np.where(flat["cluster"] < 0, -1, codes)
    left_out = np.zeros((len(models), len(codes)), bool)
    for n in range(len(arrays.masks)):
        left_out |= ~flat[f"mask {n}"]
    labels = LabelColumn(true.name, codes)
    preds = [LabelColumn(predicted["pred"].name, array) for array in flat.get("pred", [])]
    model_inputs = {
        name: [_inputs(array.name, part, arrays.atol) for part in flat[name]]
        for name, array in inputs.items()
    }
    counted = counted_by(
        labels, preds, model_inputs, [None, *left_out], len(models), arrays.dropna
    )
    if "proba" in model_inputs:
        refuse_wrong(counted, model_inputs["proba"], pd.RangeIndex(len(codes)))
    return Sample(
        classes=arrays.classes,
        true=labels,
        counted=counted,
        preds=preds,
        inputs=model_inputs,
        weights=_weights(flat, weights),
        in_fractions=arrays.in_fractions,
        groups=groups,
        models=models,
        dropna=True,  # missing labels have been refused above
        clusters=flat.get("cluster"),
        folds=pd.DataFrame({name: flat[column] for name, column in folds.items()})
        if folds
        else None,
        read=partial(_read, arrays, partial(_flat, sizes=sizes, model=model), groups),
    )


def _read(
    arrays: ArrayQuery,
    flat: Callable[[xr.DataArray], Array],
    groups: Groups | None,
    options: Options,
    codes: Codes,
) -> Options:
    """Read the reference of a metric; raise for wrong probabilities in cases with a code."""
    reference, read = arrays.reference(dict(options))
    if reference is None:
        return read
    columns = flat(reference)[..., groups.keep if groups else ALL_ROWS]
    within = tolerance(len(columns), columns.dtype, atol=arrays.atol)
    proba = Probabilities(list(columns), within, "atol")
    proba.refuse_wrong(codes)
    return {**options, BY_ROW: proba}


def _weights(flat: Mapping[str, Array], weights: Arrays) -> Floats | None:
    """Return the weight of each case; raise if some are not weights."""
    for option, array in weights.items():
        return refuse_weights(flat[option], repr(array.name))
    return None


def _models(true: xr.DataArray, predicted: Arrays, model: Hashable) -> pd.Index[Any]:
    """Return the labels along the dimension of the models."""
    for option, array in predicted.items():
        if model not in array.dims or model in true.dims:
            raise ValueError(
                f"model={brief(model)} must be a dimension that the true labels lack and {option} "
                f"has: true has {true.dims}, {option} {array.dims}"
            )
    first = next(iter(predicted.values()))
    return pd.Index(first.get_index(model).to_numpy(), name=model, tupleize_cols=False)


def _sizes(
    true: xr.DataArray, predicted: Arrays, dims: Sequence[Hashable], model: Hashable
) -> dict[Hashable, int]:
    """Return the sizes of the dimensions of the cases; those that are kept come first."""
    sizes = {d: n for array in (true, *predicted.values()) for d, n in array.sizes.items()}
    kept = [d for d in sizes if d not in (*dims, model, CLASS_DIM)]
    return {d: sizes[d] for d in (*kept, *dims)}


def _loaded(arrays: Arrays) -> dict[str, xr.DataArray]:
    """Compute chunked arrays in one pass; raise if coordinates differ."""
    xr.align(*arrays.values(), join="exact", copy=False)
    names = {name: f"pandas_ordinal_{n}" for n, name in enumerate(arrays)}
    alone = {names[name]: array.reset_coords(drop=True) for name, array in arrays.items()}
    loaded = xr.Dataset(alone).compute()
    return {name: loaded[variable] for name, variable in names.items()}


def _flat(array: xr.DataArray, sizes: Sizes, model: Hashable) -> Array:
    """Return values ``(n_models, n_classes, n_cases)``, without the axes that an array lacks."""
    before = [d for d in (model, CLASS_DIM) if d in array.dims]
    whole = array.expand_dims({d: n for d, n in sizes.items() if d not in array.dims})
    shape = [*(array.sizes[d] for d in before), math.prod(sizes.values())]
    return whole.transpose(*before, *sizes).values.reshape(shape)


def _groups(
    arrays: ArrayQuery, flat: Mapping[str, Array], sizes: Sizes, arrays_by_name: Arrays
) -> Groups:
    """Return the groups of the cases: by position along the kept dimensions, and by key."""
    kept = [d for d in sizes if d not in arrays.dims]
    factors, levels = [], []
    positions = np.unravel_index(np.arange(math.prod(sizes.values())), list(sizes.values()))
    for d, position in zip(kept, positions, strict=False):
        source = next(array for array in arrays_by_name.values() if d in array.dims)
        factors.append(Factor(position, sizes[d]))
        levels.append(pd.Index(source.get_index(d).to_numpy(), name=d))
    keep = np.ones(math.prod(sizes.values()), bool)
    for name, key in arrays.by.items():
        codes = flat[f"by={name!r}"]
        factors.append(Factor(codes, len(key.labels)))
        levels.append(key.labels.rename(name))
        keep &= codes >= 0
    if keep.all():
        return Groups(factors, levels, ALL_ROWS)
    return Groups([Factor(f.codes[keep], f.size) for f in factors], levels, keep)


def _inputs(name: Hashable, values: Array, atol: float | None) -> Inputs:
    """Return scores ``(n_cases,)`` or probabilities ``(n_classes, n_cases)`` of a model."""
    numbers = numbers_of(str(name), values)
    if values.ndim == 1:
        return Inputs([name], numbers)
    within = tolerance(len(values), values.dtype, atol=atol)
    return Inputs([name] * len(values), Probabilities(list(numbers), within, "atol"))


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
