"""Arrays of labels, scores and class probabilities: counted and scored over their dimensions."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import and_
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.arrays import Array
from pandas_ordinal.classes import (
    ClassesLike,
    cast,
    declared,
    label_key,
    positions_of,
    readable,
    refuse_missing,
    shared,
)
from pandas_ordinal.columns import scores_of
from pandas_ordinal.counts import Factor, count
from pandas_ordinal.cube import CLASS_DIMS, class_coords, refuse_same_names
from pandas_ordinal.errors import ClassOrderError, UnknownClassError
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.metrics.proba_kernel import flat_probabilities
from pandas_ordinal.metrics.segments import flat, refuse_weights, with_leading
from pandas_ordinal.query import ABSENT, Query
from pandas_ordinal.scale import Scale, scale_of

CASES_A_BLOCK = 2**20
CLASS_DIM = "pandas_ordinal_class"


@dataclass(frozen=True)
class LabelArrays:
    """The arrays that a query asks about; what is chunked is read when a result is computed.

    Attributes
    ----------
    scale : Scale
        The classes.
    dims : sequence
        The dimensions to count over.
    codes : mapping
        The ``"true"`` classes, and the ``"pred"`` ones if they are asked for, as codes.
    inputs : mapping
        The ``"score"``, or the ``"proba"`` along `CLASS_DIM`, as their kernels read them.
    weight : DataArray or None
        The weight of each case.
    dropna : bool
        Whether cases with something missing are left out.
    """

    scale: Scale
    dims: Sequence[Hashable]
    codes: Mapping[str, xr.DataArray]
    inputs: Mapping[str, Sequence[xr.DataArray]]
    weight: xr.DataArray | None
    dropna: bool

    @property
    def given(self) -> list[str]:
        """What there is to score."""
        return [*(["pred"] if "pred" in self.codes else []), *self.inputs]

    def cube(self) -> xr.DataArray:
        """Count the labels."""
        arrays = [*self.codes.values(), *self._weights()]
        n_classes = len(self.scale)
        cube: xr.DataArray = xr.apply_ufunc(
            self._block().count,
            *(_in_one_chunk(array, self.dims) for array in arrays),
            input_core_dims=[self.dims] * len(arrays),
            output_core_dims=[CLASS_DIMS],
            join="exact",
            dask="parallelized",
            dask_gufunc_kwargs={"output_sizes": dict.fromkeys(CLASS_DIMS, n_classes)},
            output_dtypes=[np.int64 if self.weight is None else np.float64],
            keep_attrs=False,
        )
        return cube.assign_coords(class_coords(self.scale.classes)).rename("count")

    def score(
        self, metric: Metric, options: Mapping[str, Any]
    ) -> tuple[xr.DataArray, xr.DataArray]:
        """Score by a metric of scores or probabilities; return the number of cases as well."""
        inputs = self.inputs[metric.takes]
        end = [CLASS_DIM] if metric.takes == "proba" else []
        pairs = [(self.codes["true"], self.dims)]
        pairs += [(array, [*self.dims, *end]) for array in inputs]
        pairs += [(array, self.dims) for array in self._weights()]
        n_classes = len(self.scale)
        scored, n_cases = xr.apply_ufunc(
            partial(self._block(inputs).score, metric, self.scale.aligned(options)),
            *(_in_one_chunk(array, core) for array, core in pairs),
            input_core_dims=[core for _, core in pairs],
            output_core_dims=[metric.output, ()],
            join="exact",
            dask="parallelized",
            dask_gufunc_kwargs={"output_sizes": dict.fromkeys(metric.output, n_classes)},
            output_dtypes=[np.float64, np.int64],
            keep_attrs=False,
        )
        coords = {d: c for d, c in class_coords(self.scale.classes).items() if d in metric.output}
        return scored.assign_coords(coords).rename(metric.name), n_cases

    def n_cases(self) -> xr.DataArray:
        """Count the cases that have all labels; of `complete` arrays, all that is asked for."""
        return reduce(and_, [codes >= 0 for codes in self.codes.values()]).sum(self.dims)

    def complete(self) -> LabelArrays:
        """Leave cases that lack anything out of all results."""
        if not self.inputs or not self.dropna:
            return self
        known = [self.codes["pred"] >= 0] if "pred" in self.codes else []
        there = reduce(and_, [*known, *map(_has_values, self._inputs())])
        codes = {**self.codes, "true": self.codes["true"].where(there, -1)}
        return replace(self, codes=codes)

    def _inputs(self) -> list[xr.DataArray]:
        return [array for arrays in self.inputs.values() for array in arrays]

    def _weights(self) -> list[xr.DataArray]:
        return [] if self.weight is None else [self.weight]

    def _block(self, inputs: Sequence[xr.DataArray] = ()) -> Block:
        return Block(
            n_classes=len(self.scale),
            n_dims=len(self.dims),
            inputs=[str(array.name) for array in inputs],
            weight="" if self.weight is None else repr(self.weight.name or "sample_weight"),
            dropna=self.dropna,
        )


@dataclass(frozen=True)
class Block:
    """How to read blocks of arrays, whose last dimensions are those to count over.

    Attributes
    ----------
    n_classes, n_dims : int
        How many classes there are, and how many dimensions to count over.
    inputs : sequence of str
        What messages call the scores or probabilities.
    weight : str
        What messages call the weights.
    dropna : bool
        Whether cases with something missing are left out.
    """

    n_classes: int
    n_dims: int
    inputs: Sequence[str]
    weight: str
    dropna: bool

    def count(self, true: Array, pred: Array, weights: Array | None = None) -> Array:
        """Count codes, ``(..., *dims) -> (..., K, K)``, some tables at a time."""
        arrays = [true, pred]
        if weights is not None:
            arrays.append(refuse_weights(weights, self.weight))
        shape = (1, *np.broadcast_shapes(*(array.shape for array in arrays)))
        leading, cases = shape[: len(shape) - self.n_dims], shape[len(shape) - self.n_dims :]
        n_cases, n_tables = math.prod(cases), math.prod(leading)
        views = [np.broadcast_to(array, shape) for array in arrays]
        slots = (self.n_classes, self.n_classes)
        tables = np.zeros((n_tables, *slots), int if weights is None else float)
        size = max(1, CASES_A_BLOCK // max(n_cases, 1))
        for start in range(0, n_tables, size):
            stop = min(start + size, n_tables)
            block = np.unravel_index(np.arange(start, stop), leading)
            labels = [view[block].ravel() for view in views]
            groups = Factor(np.repeat(np.arange(stop - start), n_cases), stop - start)
            counts = count([groups], labels[0], labels[1], self.n_classes, *labels[2:])
            tables[start:stop] = counts.block(0, stop - start)[:, 1:, 1:]
        return tables.reshape(*leading[1:], *slots)

    def score(
        self, metric: Metric, options: Mapping[str, Any], true: Array, *arrays: Array
    ) -> tuple[Array, Array]:
        """Score codes beside inputs ``(..., *dims)`` or ``(..., *dims, K)``, and count the cases.

        After the inputs there may be weights. Each leading position is a segment.
        """
        by_class = metric.takes == "proba"
        rest = arrays[len(self.inputs) :]
        codes, *weights = (_flat(array, self.n_dims) for array in (true, *rest))
        inputs = []
        for name, array in zip(self.inputs, arrays, strict=False):
            numbers = _flat(_numbers(name, array), self.n_dims, (self.n_classes,) * by_class)
            lost = np.isnan(numbers)
            if not self.dropna:
                refuse_missing(name, int(np.count_nonzero(lost)))
            codes = np.where(lost.any(axis=-1) if by_class else lost, -1, codes)
            inputs.append(numbers)
        weight = refuse_weights(weights[0], self.weight) if weights else None
        if by_class:
            segments, *inputs, leading = flat_probabilities(codes, inputs[0], weight)
        else:
            segments, inputs, leading = flat(codes, self.n_classes, weight, *inputs)
        assert metric.by_segment is not None
        scores = with_leading(leading, metric.by_segment(segments, *inputs, **options))
        return np.asarray(scores), np.broadcast_to((codes >= 0).sum(axis=-1), leading)


def label_arrays(query: Query) -> LabelArrays:
    """Read the arrays that a query asks about, and refuse those that do not fit together."""
    beside = query.scored
    labels = {"true": query.true}
    if "pred" in beside:
        labels["pred"] = beside.pop("pred")
    if query.other is not ABSENT:
        beside["other"] = query.other
    weight = {} if query.sample_weight is None else {"sample_weight": query.sample_weight}
    _refuse_other_types(labels | beside | weight)
    classes = _classes_of(labels, query.classes)
    dims = _dims(query.true, query.dim)
    # the name of an array, or else of the option, is what messages call it
    named = {name: array.rename(str(array.name or name)) for name, array in beside.items()}
    inputs: dict[str, list[xr.DataArray]] = {}
    if "score" in named:
        inputs["score"] = [named[name] for name in ("score", "other") if name in named]
    if "proba" in named:
        named["proba"] = _by_class(named["proba"], query.true, classes)
        inputs["proba"] = [named["proba"]]
    ranked = {
        name: array.isel({CLASS_DIM: 0}, missing_dims="ignore") for name, array in named.items()
    }
    _refuse_other_coordinates(labels | ranked | weight, dims)
    return LabelArrays(
        scale=scale_of(classes, query.bins),
        dims=dims,
        codes={name: _coded(array, name, classes, query.dropna) for name, array in labels.items()},
        inputs=inputs,
        weight=query.sample_weight,
        dropna=query.dropna,
    )


def _has_values(array: xr.DataArray) -> xr.DataArray:
    """Tell which cases have a score, or all probabilities."""
    known: xr.DataArray = array.notnull()
    return known.all(CLASS_DIM) if CLASS_DIM in known.dims else known


def _refuse_other_types(arrays: Mapping[str, Any]) -> None:
    """Raise unless all are DataArrays."""
    for name, array in arrays.items():
        if not isinstance(array, xr.DataArray):
            raise TypeError(f"{name} must be a DataArray, not a {type(array).__name__}")


def _classes_of(
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
    return shared(labels)


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


def _in_one_chunk(array: xr.DataArray, dims: Sequence[Hashable]) -> xr.DataArray:
    """Bring the dimensions to count over into one chunk; Dask cannot do so with an empty array."""
    if array.chunks is None:
        return array
    return array.chunk(dict.fromkeys(dims, -1)) if array.size else array.compute()


def _coded(
    array: xr.DataArray, name: str, classes: pd.CategoricalDtype, dropna: bool
) -> xr.DataArray:
    """Turn an array of labels into codes, of a chunked one when it is computed."""
    codes: xr.DataArray = xr.apply_ufunc(
        _codes_of,
        array,
        kwargs={"name": str(array.name or name), "classes": classes, "dropna": dropna},
        dask="parallelized",
        output_dtypes=[np.int32],
        keep_attrs=False,
    )
    return codes


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
            f"{shown}; give one by proba.assign_coords({{dimension: [...]}}), or declare classes "
            "that the truth lacks, classes=[...]"
        )
    order = np.argsort(positions_of(pd.Index(proba.indexes[found[0]]), classes))
    return proba.isel({found[0]: order}).drop_vars(found[0]).rename({found[0]: CLASS_DIM})


def _codes_of(values: Array, *, name: str, classes: pd.CategoricalDtype, dropna: bool) -> Array:
    """Turn an array of labels, or of codes, into codes."""
    labels = readable(name, pd.Series(values.ravel()))
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


def _numbers(name: str, array: Array) -> Array:
    """Return scores or probabilities as numbers, or say why they are none."""
    if array.dtype.kind not in "biuf":
        raise ClassOrderError(
            f"{name!r} holds {array.dtype}, no numbers: convert it, as with .astype(float)"
        )
    return scores_of(name, pd.Series(array.ravel())).reshape(array.shape)


def _flat(array: Array, n_dims: int, end: tuple[int, ...] = ()) -> Array:
    """Make one axis of the cases of an array ``(..., *dims, *end)``."""
    first = array.ndim - n_dims - len(end)
    n_cases = math.prod(array.shape[first : first + n_dims])
    return array.reshape(*array.shape[:first], n_cases, *end)
