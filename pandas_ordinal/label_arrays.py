"""Arrays of labels, scores and class probabilities: counted and scored over their dimensions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import and_
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.array_blocks import CLASS_DIM, Key, Operand, Sums, added_up, tiles
from pandas_ordinal.array_tiles import Cases, numbers_of
from pandas_ordinal.arrays import Array, Codes, Floats
from pandas_ordinal.classes import (
    LARGEST_RANGE,
    ClassesLike,
    cast,
    declared,
    label_key,
    positions_of,
    readable,
    refuse_missing,
    shared,
)
from pandas_ordinal.columns import mask_of
from pandas_ordinal.cube import CLASS_DIMS, class_coords, refuse_same_names
from pandas_ordinal.errors import ClassOrderError, UnknownClassError
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.query import ABSENT, Query
from pandas_ordinal.scale import Scale, scale_of

MEANS_DIM = "pandas_ordinal_mean"


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
        The weight of each case, or a mask of those that count.
    dropna : bool
        Whether cases with something missing are left out.
    by : sequence of Key
        The groups of the cases; each is a dimension of the results.
    """

    scale: Scale
    dims: Sequence[Hashable]
    codes: Mapping[str, xr.DataArray]
    inputs: Mapping[str, Sequence[xr.DataArray]]
    weight: xr.DataArray | None
    dropna: bool
    by: Sequence[Key] = ()

    @property
    def given(self) -> list[str]:
        """What there is to score."""
        return [*(["pred"] if "pred" in self.codes else []), *self.inputs]

    @property
    def selects(self) -> bool:
        """Whether the weights are a mask."""
        return self.weight is not None and self.weight.dtype.kind == "b"

    @property
    def counts_whole_cases(self) -> bool:
        """Whether each case that counts counts as one."""
        return self.weight is None or self.selects

    @property
    def in_fractions(self) -> bool:
        """Whether a case may weigh a fraction of one."""
        return self.weight is not None and self.weight.dtype.kind == "f"

    def cube(self) -> xr.DataArray:
        """Count the labels."""
        n_classes = len(self.scale)
        dtype = np.int64 if self.counts_whole_cases else np.float64
        cells = (n_classes + 1) ** 2 * (2 if self.selects else 1)
        sums = Sums(self._cases().count, (n_classes, n_classes), dtype, cells)
        operands = [Operand(self.codes["true"]), Operand(self.codes["pred"]), *self._weights()]
        cube = added_up(sums, operands, self.dims, self.by, dict.fromkeys(CLASS_DIMS, n_classes))
        return cube.assign_coords(class_coords(self.scale.classes)).rename("count")

    def score(
        self, metric: Metric, options: Mapping[str, Any]
    ) -> tuple[xr.DataArray, xr.DataArray]:
        """Score by a metric of scores or probabilities; return the number of cases as well."""
        scored, n_cases = (self._means if metric.means else self._ranks)(
            metric, self.scale.aligned(options)
        )
        coords = {d: c for d, c in class_coords(self.scale.classes).items() if d in metric.output}
        return scored.assign_coords(coords).rename(metric.name), n_cases

    def n_cases(self) -> xr.DataArray:
        """Count the cases that have all labels; of `complete` arrays, all that is asked for."""
        columns = [*self.codes.values()]
        if self.weight is not None and self.selects:
            columns.append(self.weight)
        sums = Sums(self._cases().count_known, (), np.int64, 1)
        return added_up(sums, [Operand(column) for column in columns], self.dims, self.by, {})

    def complete(self) -> LabelArrays:
        """Leave cases that lack anything out of all results."""
        if not self.inputs or not self.dropna:
            return self
        known = [self.codes["pred"] >= 0] if "pred" in self.codes else []
        inputs = [array for arrays in self.inputs.values() for array in arrays]
        there = reduce(and_, [*known, *map(_has_values, inputs)])
        codes = {**self.codes, "true": self.codes["true"].where(there, -1)}
        return replace(self, codes=codes)

    def _means(
        self, metric: Metric, options: Mapping[str, Any]
    ) -> tuple[xr.DataArray, xr.DataArray]:
        """Score by a metric of probabilities, which is one of means over the cases."""
        (proba,), n_classes = self.inputs["proba"], len(self.scale)
        assert metric.means is not None
        n_means = len(metric.means.of_row(np.ones((0, n_classes)), np.zeros(0, np.intp)))
        sums = Sums(
            partial(self._cases([proba]).add_probabilities, metric), (n_means + 2,), np.float64, 1
        )
        read = Operand(proba, partial(numbers_of, str(proba.name)))
        operands = [Operand(self.codes["true"]), read, *self._weights()]
        summed = added_up(sums, operands, self.dims, self.by, {MEANS_DIM: n_means + 2})
        scored, n_cases = xr.apply_ufunc(
            partial(_of_sums, metric, n_classes, options),
            summed,
            input_core_dims=[[MEANS_DIM]],
            output_core_dims=[(), ()],
            dask="parallelized",
            output_dtypes=[np.float64, np.int64],
            keep_attrs=False,
        )
        return scored, n_cases

    def _ranks(
        self, metric: Metric, options: Mapping[str, Any]
    ) -> tuple[xr.DataArray, xr.DataArray]:
        """Score by a metric of scores, which ranks all cases: chunks along them become one."""
        inputs = self.inputs["score"]
        keys = {key.name: key.labels for key in self.by}
        n_groups = [len(labels) for labels in keys.values()]
        sizes = {d: self.codes["true"].sizes[d] for d in self.dims}
        arrays = [self.codes["true"], *inputs, *(one.array for one in self._weights())]
        arrays += [key.codes for key in self.by]
        scored, n_cases = xr.apply_ufunc(
            partial(self._cases(inputs).rank, metric, options, len(sizes), n_groups),
            *(_in_one_chunk(_broadcast(array, sizes), self.dims) for array in arrays),
            input_core_dims=[self.dims] * len(arrays),
            output_core_dims=[[*keys, *metric.output], [*keys]],
            join="exact",
            dask="parallelized",
            dask_gufunc_kwargs={
                "output_sizes": {
                    **dict.fromkeys(metric.output, len(self.scale)),
                    **dict(zip(keys, n_groups, strict=True)),
                }
            },
            output_dtypes=[np.float64, np.int64],
            keep_attrs=False,
        )
        return scored.assign_coords(keys), n_cases.assign_coords(keys)

    def _weights(self) -> list[Operand]:
        if self.weight is None:
            return []
        return [Operand(self.weight, self._cases().read_weight)]

    def _cases(self, inputs: Sequence[xr.DataArray] = ()) -> Cases:
        return Cases(
            n_classes=len(self.scale),
            inputs=[str(array.name) for array in inputs],
            weight="" if self.weight is None else repr(self.weight.name or "sample_weight"),
            selects=self.selects,
            dropna=self.dropna,
        )


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
    weight = {name: _mask_or_weights(array) for name, array in weight.items()}
    dims = _dims(query.true, query.dim)
    _refuse_other_coordinates(labels | weight, dims)
    classes = _classes_of(labels, query.classes, weight.get("sample_weight"))
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
    _refuse_classes_of(weight, beside.get("proba"), named.get("proba"))
    weighed = weight.get("sample_weight")
    mask = weighed if weighed is not None and weighed.dtype.kind == "b" else None
    return LabelArrays(
        scale=scale_of(classes, query.bins),
        dims=dims,
        codes={
            name: _coded(array, name, classes, mask, query.dropna)
            for name, array in labels.items()
        },
        inputs=inputs,
        weight=weighed,
        dropna=query.dropna,
    )


def _of_sums(
    metric: Metric, n_classes: int, options: Mapping[str, Any], sums: Floats
) -> tuple[Floats, Array]:
    """Score sums over the rows, of their weights and of the rows themselves, last in each."""
    assert metric.means is not None
    batch = np.moveaxis(sums, -1, 0).reshape(sums.shape[-1], -1)
    with np.errstate(all="ignore"):
        means = batch[:-2] / batch[-2]
    scored = metric.means.of_means(means, n_classes, **options)
    return scored.reshape(sums.shape[:-1]), batch[-1].astype(int).reshape(sums.shape[:-1])


def _broadcast(array: xr.DataArray, sizes: Mapping[Hashable, int]) -> xr.DataArray:
    """Give an array all these dimensions; nothing is copied."""
    return array.expand_dims({d: n for d, n in sizes.items() if d not in array.dims})


def _mask_or_weights(weight: xr.DataArray) -> xr.DataArray:
    """Return weights as they are, and objects that are booleans as such."""
    if weight.dtype.kind in "iuf" or weight.chunks is not None:
        return weight
    mask = mask_of(weight.name or "sample_weight", pd.Series(weight.values.ravel()))
    return weight if mask is None else weight.copy(data=mask.reshape(weight.shape))


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
    arrays: Mapping[str, xr.DataArray],
    classes: ClassesLike | None,
    weight: xr.DataArray | None,
) -> pd.CategoricalDtype:
    """Return the classes that are given, or those that the labels declare, if selected."""
    if classes is not None:
        return declared(classes)
    mask = weight if weight is not None and weight.dtype.kind == "b" else None
    if any(one.chunks is not None for one in (*arrays.values(), mask) if one is not None):
        raise ClassOrderError(
            "chunked labels do not tell their classes without being computed: give classes=[...]"
        )
    for name, array in arrays.items():
        if array.dtype.kind not in "biuf":
            raise ClassOrderError(
                f"{str(array.name or name)!r} holds {array.dtype} labels, which have no order: "
                "give classes=[...], lowest first"
            )
    return shared(
        [(str(a.name or name), pd.Series(_different(a, mask))) for name, a in arrays.items()]
    )


def _different(array: xr.DataArray, mask: xr.DataArray | None) -> Array:
    """Return the labels that occur where a mask selects them, integers once each."""
    values = array.values
    if mask is not None:
        selected = mask.any([d for d in mask.dims if d not in array.dims])
        values = values[xr.broadcast(selected, array)[0].transpose(*array.dims).values]
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
        missing = [d for d in dims if d not in array.dims and name != "sample_weight"]
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


def _refuse_classes_of(
    weight: Mapping[str, xr.DataArray], given: xr.DataArray | None, proba: xr.DataArray | None
) -> None:
    """Raise for weights along the dimension of the classes, which no row has."""
    if given is None or proba is None:
        return
    for array in weight.values():
        for d in set(given.dims).difference(proba.dims).intersection(array.dims):
            raise ValueError(
                f"sample_weight has the dimension {d!r} of the classes, but a row has one weight "
                "for all of them: select or sum over it"
            )


def _in_one_chunk(array: xr.DataArray, dims: Sequence[Hashable]) -> xr.DataArray:
    """Bring the dimensions to count over into one chunk; Dask cannot do so with an empty array."""
    if array.chunks is None:
        return array
    return array.chunk(dict.fromkeys(dims, -1)) if array.size else array.compute()


def _coded(
    array: xr.DataArray,
    name: str,
    classes: pd.CategoricalDtype,
    mask: xr.DataArray | None,
    dropna: bool,
) -> xr.DataArray:
    """Turn an array of labels into codes, of a chunked one when it is computed."""
    arrays = [array]
    if mask is not None and array.size:  # Dask broadcasts nothing to no cases
        mask = mask.any([d for d in mask.dims if d not in array.dims])
        of_array = {d: sizes for d, sizes in array.chunksizes.items() if d in mask.dims}
        arrays.append(mask.chunk(of_array) if of_array else mask)
    name = str(array.name or name)
    codes: xr.DataArray = xr.apply_ufunc(
        _codes_of,
        *arrays,
        kwargs={"name": name, "classes": classes, "dropna": dropna},
        dask="parallelized",
        output_dtypes=[array.dtype if _is_coded(array, classes) else _smallest(classes)],
        keep_attrs=False,
    )
    return codes


def _is_coded(array: xr.DataArray | Array, classes: pd.CategoricalDtype) -> bool:
    """Tell whether integers are the codes of the classes, if they are labels at all."""
    if array.dtype.kind not in "iu":
        return False
    labels = classes.categories
    return not pd.api.types.is_numeric_dtype(labels.dtype) or (
        labels.dtype.kind in "iu" and np.array_equal(labels, np.arange(len(labels)))
    )


def _smallest(classes: pd.CategoricalDtype) -> np.dtype[Any]:
    """Return the smallest type that holds all codes, and -1."""
    return np.min_scalar_type(-max(len(classes.categories), 1))


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
    if (np.diff(order) < 0).any():  # which copies an array in memory
        proba = proba.isel({found[0]: order})
    return proba.drop_vars(found[0]).rename({found[0]: CLASS_DIM})


def _codes_of(
    values: Array,
    mask: Array | None = None,
    *,
    name: str,
    classes: pd.CategoricalDtype,
    dropna: bool,
) -> Array:
    """Turn labels into codes: an array of these as it is, others in the smallest type.

    What a mask leaves out need not be a class.
    """
    if values.size and _is_coded(values, classes):
        lowest, highest = values.min(), values.max()
        if lowest >= 0 and highest < len(classes.categories):
            return values
    codes = np.full(values.shape, -1, _smallest(classes))
    selected = np.broadcast_to(True if mask is None else mask, values.shape)
    n_missing = 0
    for tile in tiles(values.shape):
        found = _codes_of_some(name, pd.Series(values[tile][selected[tile]]), classes)
        n_missing += int(np.count_nonzero(found < 0))
        codes[tile][selected[tile]] = found
    if not dropna:
        refuse_missing(name, n_missing)
    return codes


def _codes_of_some(name: str, labels: pd.Series[Any], classes: pd.CategoricalDtype) -> Codes:
    """Turn some labels, or codes of classes that are no numbers, into codes."""
    labels = readable(name, labels)
    numbers = labels.dtype.kind in "iuf"
    if numbers and not pd.api.types.is_numeric_dtype(classes.categories.dtype):
        return _positions(labels, name, classes)
    return cast(name, labels, classes)


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
