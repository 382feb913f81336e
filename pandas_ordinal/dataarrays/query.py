"""`ArrayQuery`: the arrays of a query, counted and scored over their dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.cube.layout import (
    CLASS_DIMS,
    COUNT,
    VECTOR_DIM,
    class_coords,
    refuse_same_names,
    refuse_size,
    with_attributes,
)
from pandas_ordinal.dataarrays.coordinates import folds_among, refuse_other_coordinates
from pandas_ordinal.dataarrays.flags import decoded, described
from pandas_ordinal.dataarrays.keys import array_among, dims_of, keys_among, keys_of
from pandas_ordinal.dataarrays.labels import by_class, label_reader, mask_or_weights
from pandas_ordinal.dataarrays.members import with_members
from pandas_ordinal.dataarrays.tiles import (
    CLASS_DIM,
    Key,
    Operand,
    Sums,
    TileReader,
    numbers_of,
    sum_arrays,
    text_for,
)
from pandas_ordinal.errors import an
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.metrics.proba_kernel import BY_ROW
from pandas_ordinal.query import Query
from pandas_ordinal.reports.metrics import Classes, classes_of

MEANS_DIM = "pandas_ordinal_mean"
CLUSTER_DIM = "pandas_ordinal_cluster"


@dataclass(frozen=True)
class ArrayQuery:
    """The arrays of a query. Chunked ones are read when a result is computed.

    Attributes
    ----------
    classes : Classes
        The classes.
    dims : sequence
        The dimensions to count over.
    codes : mapping
        The ``"true"`` classes, and the ``"pred"`` ones if they are given, as codes.
    inputs : mapping
        The ``"score"``, or the ``"proba"`` along `CLASS_DIM`, as their kernels read them.
    masks : sequence
        Arrays of booleans: a case counts if all of them select it.
    weight : DataArray or None
        The weight of each case.
    dropna : bool
        Whether cases with a missing value are left out.
    by : mapping
        The groups of the cases, by their names in results.
    sources : sequence
        The arrays whose attributes results keep.
    clusters : Key or None
        The clusters of cases; None if all cases are independent.
    atol : float or None
        By how much the probabilities of a case may differ from a sum of 1.
    is_fair : bool
        Whether the ``"proba"`` holds the numbers of members of an ensemble in each class.
    folds : mapping
        The row and the repeat of the cases; empty if there are no folds, or if there are clusters.
    """

    classes: Classes
    dims: Sequence[Hashable]
    codes: Mapping[str, xr.DataArray]
    inputs: Mapping[str, xr.DataArray]
    masks: Sequence[xr.DataArray]
    weight: xr.DataArray | None
    dropna: bool
    by: Mapping[str, Key]
    sources: Sequence[xr.DataArray]
    clusters: Key | None = None
    atol: float | None = None
    is_fair: bool = False
    folds: Mapping[str, xr.DataArray] = field(default_factory=dict)

    @property
    def given(self) -> list[str]:
        """The options that are scored: pred, score or proba."""
        return [*(["pred"] if "pred" in self.codes else []), *self.inputs]

    @property
    def in_fractions(self) -> bool:
        """Whether weights may be fractions."""
        return self.weight is not None and self.weight.dtype.kind == "f"

    def cube(self) -> xr.DataArray:
        """Count the labels."""
        n_classes = len(self.classes)
        dtype = np.int64 if self.weight is None else np.float64
        cells = (n_classes + 1) ** 2 * (2 if self.masks else 1)
        sums = Sums(self._reader().count, (n_classes, n_classes), dtype, cells)
        operands = [Operand(self.codes["true"]), Operand(self.codes["pred"]), *self._weights()]
        cube = sum_arrays(
            sums, operands, self.dims, self._keys, dict.fromkeys(CLASS_DIMS, n_classes)
        )
        cube = cube.assign_coords(class_coords(self.classes.dtype)).rename(COUNT)
        return self._shown(cube)

    def clustered_cube(self) -> xr.DataArray:
        """Count the labels in each cluster, along `CLUSTER_DIM`."""
        assert self.clusters is not None
        keys = [*self.by.values(), self.clusters]
        refuse_size(math.prod(len(key.labels) for key in keys) * len(self.classes) ** 2)
        return replace(self, by={**self.by, CLUSTER_DIM: self.clusters}).cube()

    def units(self) -> dict[str, xr.DataArray]:
        """Count what variances need of weighted cases: their norms, and how many there are.

        By cell; with clusters, only in all.
        """
        if self.weight is None:
            return {}
        weight = self.weight.astype(float)
        largest = weight.max() if weight.size else xr.DataArray(1.0)
        largest = largest.where(largest > 0, 1.0)
        both = (weight / largest) ** 2, (weight > 0) * 1.0
        if self.clusters is None:
            squares, rows = (replace(self, weight=one).cube() for one in both)
        else:
            squares, rows = self._totals(both)
        return {"norms": squares**0.5 * largest, "rows": rows}

    def _totals(self, weights: Sequence[xr.DataArray]) -> list[xr.DataArray]:
        """Sum each of some weights over the cases that have all labels, in one pass."""
        columns = [*self.codes.values(), *self.masks]
        n = len(weights)
        sums = Sums(partial(self._reader().sum_known, n), (n,), np.float64, 1)
        operands = [*map(Operand, columns), *map(Operand, weights)]
        totals = sum_arrays(sums, operands, self.dims, self._keys, {MEANS_DIM: n})
        return [self._shown(totals.isel({MEANS_DIM: place})) for place in range(n)]

    def score(
        self, metric: Metric, options: Mapping[str, Any]
    ) -> tuple[xr.DataArray, xr.DataArray]:
        """Score by a metric of scores or probabilities; return the number of cases as well."""
        if metric.output:
            refuse_same_names([*self._names_left(), *metric.output])
        scored, n_cases = (self._means if metric.means else self._ranks)(
            metric, self.classes.aligned(options)
        )
        coords = class_coords(self.classes.dtype, metric.output)
        scored = scored.assign_coords(coords).rename(metric.name)
        return self._shown(scored), self._shown(n_cases)

    def n_cases(self) -> xr.DataArray:
        """Count the cases that have all labels."""
        columns = [*self.codes.values(), *self.masks]
        sums = Sums(self._reader().count_known, (), np.int64, 1)
        n = sum_arrays(sums, [Operand(column) for column in columns], self.dims, self._keys, {})
        return self._shown(n)

    def reference(self, options: dict[str, Any]) -> tuple[xr.DataArray | None, dict[str, Any]]:
        """Read the reference of a metric: return its probabilities if they differ between cases.

        Those that do not remain among the options, in the order of the classes.
        """
        given, true = options.get(BY_ROW), self.codes["true"]
        if not isinstance(given, xr.DataArray) or given.dims == (VECTOR_DIM,):
            return None, options
        reference = by_class(BY_ROW, given.rename(BY_ROW), true, self.classes.labels)
        if reference.ndim == 1:
            return None, {**options, BY_ROW: reference.to_numpy()}
        refuse_other_coordinates({"true": true, BY_ROW: reference.isel({CLASS_DIM: 0})}, [])
        return reference, options

    def of_reference(self) -> ArrayQuery:
        """Return a query of the reference forecast."""
        return replace(self, inputs={"proba": self.inputs[BY_ROW]}, is_fair=False)

    def of_truth(self) -> ArrayQuery:
        """Return a query in which the true class is predicted for each case."""
        return replace(self, codes={"true": self.codes["true"], "pred": self.codes["true"]})

    def where(self, is_counted: xr.DataArray) -> ArrayQuery:
        """Return a query of some of the cases."""
        codes = {**self.codes, "true": self.codes["true"].where(is_counted, -1)}
        return replace(self, codes=codes)

    def of_cases(self, groups: xr.DataArray) -> xr.DataArray:
        """Return the value of the group of each case."""
        positions = {
            name: key.codes.clip(0).reset_coords(drop=True) for name, key in self.by.items()
        }
        return groups.drop_vars([*self.by]).isel(positions)

    def _means(
        self, metric: Metric, options: Mapping[str, Any]
    ) -> tuple[xr.DataArray, xr.DataArray]:
        """Score by a metric of probabilities, which is a function of means over the cases."""
        proba, n_classes = self.inputs["proba"], len(self.classes)
        assert metric.means is not None
        n_means = len(metric.means.of_row(np.ones((0, n_classes)), np.zeros(0, np.intp)))
        sums = Sums(
            partial(self._reader([proba]).add_probabilities, metric), (n_means + 2,), np.float64, 1
        )
        read = Operand(proba, partial(numbers_of, str(proba.name)))
        operands = [Operand(self.codes["true"]), read, *self._weights()]
        summed = sum_arrays(sums, operands, self.dims, self._keys, {MEANS_DIM: n_means + 2})
        scored, n_cases = xr.apply_ufunc(
            partial(_of_sums, metric, n_classes, options),
            summed,
            input_core_dims=[[MEANS_DIM]],
            output_core_dims=[(), ()],
            dask="parallelized",
            output_dtypes=[np.float64, np.int64],
        )
        return scored, n_cases

    def _ranks(
        self, metric: Metric, options: Mapping[str, Any]
    ) -> tuple[xr.DataArray, xr.DataArray]:
        """Score by a metric that ranks all cases: chunks along them become one."""
        inputs = self._columns(metric)
        keys = {key.name: key.labels for key in self._keys}
        n_groups = [len(labels) for labels in keys.values()]
        arrays = self._rows(inputs)
        scored, n_cases = xr.apply_ufunc(
            partial(self._reader(inputs).rank, metric, options, len(self.dims), n_groups),
            *arrays,
            input_core_dims=[self._case_dims] * len(arrays),
            output_core_dims=[[*keys, *metric.output], [*keys]],
            dask="parallelized",
            dask_gufunc_kwargs={
                "output_sizes": {
                    **dict.fromkeys(metric.output, len(self.classes)),
                    **dict(zip(keys, n_groups, strict=True)),
                }
            },
            output_dtypes=[np.float64, np.int64],
        )
        return scored.assign_coords(keys), n_cases.assign_coords(keys)

    def uncertainty(
        self,
        metric: Metric,
        scored: xr.DataArray,
        function: Callable[..., Array],
        parts: Hashable,
        n_parts: int,
    ) -> xr.DataArray:
        """Return the uncertainty of scores, along a dimension of `n_parts` bounds and errors.

        The function takes rows, their column, the scores of their segments, the cluster of each
        row or None, and columns of the reference. Chunks along the rows become one.
        """
        inputs = self._columns(metric)
        clusters = [] if self.clusters is None else [self.clusters.codes]
        extra = clusters + (self._by_class(self.inputs[BY_ROW]) if BY_ROW in self.inputs else [])
        keys = [key.name for key in self._keys]
        n_groups = [len(key.labels) for key in self._keys]
        arrays = self._rows(inputs, extra)
        bounds: xr.DataArray = xr.apply_ufunc(
            partial(
                self._reader(inputs).uncertainty, metric, function, len(self.dims), n_groups,
                len(extra), bool(clusters),
            ),
            scored.rename({name: key.name for name, key in self.by.items()}),
            *arrays,
            input_core_dims=[keys, *[self._case_dims] * len(arrays)],
            output_core_dims=[[*keys, parts]],
            dask="parallelized",
            dask_gufunc_kwargs={"output_sizes": {parts: n_parts}},
            output_dtypes=[np.float64],
        )  # fmt: skip
        return self._shown(bounds)

    def _columns(self, metric: Metric) -> list[xr.DataArray]:
        """Return the scores, or the probabilities of each class."""
        given = self.inputs[metric.takes]
        if metric.takes == "score":
            return [given]
        return self._by_class(given)

    def _by_class(self, proba: xr.DataArray) -> list[xr.DataArray]:
        return [proba.isel({CLASS_DIM: k}) for k in range(len(self.classes))]

    def _rows(
        self, inputs: Sequence[xr.DataArray], extra: Sequence[xr.DataArray] = ()
    ) -> list[xr.DataArray]:
        """Return the arrays for `TileReader`, each in one chunk along the rows."""
        sizes = {d: self.codes["true"].sizes[d] for d in self.dims}
        arrays = [self.codes["true"], *inputs, *extra]
        arrays += [*(one.array for one in self._weights()), *(key.codes for key in self._keys)]
        rows = [_broadcast(array, sizes) for array in arrays]
        if not all(array.size for array in rows):
            rows = list(xr.broadcast(*rows))  # Dask cannot do so without cases
        names = text_for(self.dims)
        return [_in_one_chunk(array, self.dims).rename(names) for array in rows]

    @property
    def _case_dims(self) -> list[Hashable]:
        """The dimensions of the arrays of `_rows` that are those of the cases."""
        names = text_for(self.dims)
        return [names.get(d, d) for d in self.dims]

    def _shown(self, result: xr.DataArray) -> xr.DataArray:
        """Return a result with the names of its keys, and the attributes that it keeps."""
        names = {key.name: name for name, key in self.by.items()}
        shown = with_attributes(result.rename(names), self.sources)
        for name in self.by.keys() & shown.coords.keys():
            shown.coords[name].attrs = dict(self.by[str(name)].codes.attrs)
        return shown

    def _names_left(self) -> list[Any]:
        """Return the dimensions and coordinates that results have."""
        names: dict[Any, None] = dict.fromkeys(self.by)
        for array in (*self.codes.values(), *self.inputs.values()):
            names |= {name: None for name in array.dims if name not in self.dims}
            for name, labels in array.coords.items():
                if not set(labels.dims) & set(self.dims):
                    names[name] = None
        return list(names)

    @property
    def _keys(self) -> list[Key]:
        return list(self.by.values())

    def _weights(self) -> list[Operand]:
        weights = [] if self.weight is None else [self.weight]
        return [
            *map(Operand, self.masks),
            *(Operand(weight, self._reader().read_weight) for weight in weights),
        ]

    def _reader(self, inputs: Sequence[xr.DataArray] = ()) -> TileReader:
        return TileReader(
            n_classes=len(self.classes),
            inputs=[str(array.name) for array in inputs],
            weight="" if self.weight is None else repr(self.weight.name or "sample_weight"),
            n_masks=len(self.masks),
            dropna=self.dropna,
            atol=self.atol,
            is_fair=self.is_fair,
        )


def array_query(
    query: Query, cluster: Any = None, holders: Sequence[xr.Dataset] = ()
) -> ArrayQuery:
    """Read the arrays of a query; raise if they do not match.

    `holders` have the variables that show repeats, besides the coordinates of the arrays.
    """
    weight = {} if query.sample_weight is None else {"sample_weight": query.sample_weight}
    _refuse_other_types({"true": query.true, **query.scored, **weight})
    query = with_members(query)
    inputs = query.scored
    labels = {"true": query.true}
    if "pred" in inputs:
        labels["pred"] = inputs.pop("pred")
    sources = [
        array.drop_vars(CLASS_DIM, errors="ignore")
        for array in (*labels.values(), *inputs.values())
    ]
    # copies: some versions of xarray drop attributes of the coordinates of the original arrays
    labels, inputs, weight = (
        {name: array.copy(deep=False) for name, array in arrays.items()}
        for arrays in (labels, inputs, weight)
    )
    labels, flags = described(labels, query.ignore)
    inputs = {name: decoded(array) for name, array in inputs.items()}
    weight = {name: mask_or_weights(array) for name, array in weight.items()}
    dims = dims_of(query.true, query.dim)
    refuse_other_coordinates(labels | weight, dims)
    weights = weight.get("sample_weight")
    mask = weights if weights is not None and weights.dtype.kind == "b" else None
    reader = label_reader(labels, flags, query, mask)
    classes = reader.classes
    # messages use the name of the array, or else of the option
    named = {name: array.rename(str(array.name or name)) for name, array in inputs.items()}
    if "proba" in named:
        named["proba"] = by_class("proba", named["proba"], query.true, classes)
    ranked = {
        name: array.isel({CLASS_DIM: 0}, missing_dims="ignore") for name, array in named.items()
    }
    refuse_other_coordinates(labels | ranked | weight, dims)
    _refuse_classes_of(weight, inputs.get("proba"), named.get("proba"))
    masks = [] if mask is None else [mask]
    if reader.ignored:
        masks += map(reader.selected, labels.values())
    keys = [] if query.by is None else keys_among(query.by, sources)
    by = keys_of(keys, dims, query.dropna)
    _refuse_other_keys(by, labels | weight | ranked, dims)
    clusters = None if cluster is None else _clusters(cluster, sources, dims, query.dropna)
    if clusters is not None:
        refuse_other_coordinates({"true": labels["true"], "cluster": clusters.codes}, [])
    in_a_cluster = [] if clusters is None else [clusters.codes >= 0]
    return ArrayQuery(
        classes=classes_of(classes, query.bins),
        dims=dims,
        codes={
            name: reader.coded(array, str(array.name or name), masks)
            for name, array in labels.items()
        },
        inputs=named,
        masks=[*masks, *(mask for mask in in_a_cluster if not mask.all())],
        weight=weights if mask is None else None,
        dropna=query.dropna,
        by=by,
        sources=sources,
        clusters=clusters,
        atol=query.atol,
        is_fair=query.fair,
        folds=folds_among([*sources, *holders], dims) if cluster is None else {},
    )


def _clusters(
    cluster: Any, sources: Sequence[xr.DataArray], dims: Sequence[Hashable], dropna: bool
) -> Key:
    """Read the clusters of the cases."""
    array = array_among(cluster, sources, "cluster")
    array = array.rename("cluster" if array.name is None else str(array.name))
    (key,) = keys_of([array], dims, dropna, "cluster").values()
    return Key(CLUSTER_DIM, key.labels.rename(CLUSTER_DIM), key.codes)


def _of_sums(
    metric: Metric, n_classes: int, options: Mapping[str, Any], sums: Floats
) -> tuple[Floats, Array]:
    """Score sums over the rows; the last two are those of the weights and of the rows."""
    assert metric.means is not None
    batch = np.moveaxis(sums, -1, 0).reshape(sums.shape[-1], -1)
    with np.errstate(all="ignore"):
        means = batch[:-2] / batch[-2]
    scored = metric.means.of_means(means, n_classes, **options)
    return scored.reshape(sums.shape[:-1]), batch[-1].astype(int).reshape(sums.shape[:-1])


def _broadcast(array: xr.DataArray, sizes: Mapping[Hashable, int]) -> xr.DataArray:
    """Return an array with all these dimensions, as a view."""
    return array.expand_dims({d: n for d, n in sizes.items() if d not in array.dims})


def has_values(array: xr.DataArray) -> xr.DataArray:
    """Return which cases have a score, or all probabilities."""
    known: xr.DataArray = array.notnull()
    return known.all(CLASS_DIM) if CLASS_DIM in known.dims else known


def _refuse_other_types(arrays: Mapping[str, Any]) -> None:
    """Raise unless all are DataArrays."""
    for name, array in arrays.items():
        if not isinstance(array, xr.DataArray):
            several = ": combine several with xr.concat(..., dim='model')"
            raise TypeError(
                f"{name} must be a DataArray, not {an(type(array).__name__)}"
                f"{several if isinstance(array, (list, tuple, xr.Dataset)) else ''}"
            )


def _refuse_other_keys(
    by: Mapping[str, Key], arrays: Mapping[str, xr.DataArray], dims: Sequence[Hashable]
) -> None:
    """Raise unless keys have the coordinates of the true labels and unused names."""
    codes = {f"by={name!r}": key.codes for name, key in by.items()}
    refuse_other_coordinates({"true": arrays["true"]} | codes, [])
    kept = {d: None for array in arrays.values() for d in array.dims if d not in dims}
    refuse_same_names([*kept, *by, *CLASS_DIMS])


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
    """Return an array in one chunk along these dimensions; Dask cannot rechunk an empty one."""
    if array.chunks is None:
        return array
    return array.chunk(dict.fromkeys(dims, -1)) if array.size else array.compute()
