"""Scores and reports of cubes and of arrays, for the xarray accessors."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import and_, or_
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal import inference
from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.counting.arrays import Array, Positions
from pandas_ordinal.cube.layout import (
    CLASS_DIMS,
    VECTOR_DIM,
    as_integers,
    as_quantity,
    checked_counts,
    checked_cube,
    class_coords,
    refuse_same_names,
    sums_of,
    with_attributes,
)
from pandas_ordinal.dataarrays.query import (
    CLUSTER_DIM,
    ArrayQuery,
    array_query,
    has_values,
)
from pandas_ordinal.dataarrays.sample import warn_of_repeated_cases
from pandas_ordinal.errors import brief, did_you_mean, warn_undefined
from pandas_ordinal.metrics.metric import Metric, Resolved, registry
from pandas_ordinal.metrics.proba_kernel import BY_ROW
from pandas_ordinal.query import ABSENT, Query, Uncertainty
from pandas_ordinal.reports.facts import facts_of, of_clusters, with_metrics
from pandas_ordinal.reports.metrics import (
    Classes,
    MetricsLike,
    classes_of,
    metrics_of_report,
    names_of_columns,
    of_counts_and_rows,
)

PARTS_DIM = "part of a report"


def is_cube(array: xr.DataArray) -> bool:
    """Whether an array has both class axes."""
    return set(CLASS_DIMS) <= set(array.dims)


def core_dims(array: xr.DataArray) -> list[Hashable]:
    """Return the dimensions of the classes, and of the clusters before them, that an array has."""
    return [dim for dim in (CLUSTER_DIM, *CLASS_DIMS) if dim in array.dims]


def with_whole_tables(array: xr.DataArray) -> xr.DataArray:
    """Return an array that is not chunked along the classes and the clusters."""
    return array if array.chunks is None else array.chunk(dict.fromkeys(core_dims(array), -1))


def refuse_class_dim(cube: xr.DataArray) -> None:
    """Raise for a cube that has the name of the dimension of a result per class."""
    names = dict.fromkeys([*cube.dims, *cube.coords])
    refuse_same_names([*(name for name in names if name not in CLASS_DIMS), VECTOR_DIM])


def with_classes(cube: xr.DataArray, bins: BinsLike | None) -> tuple[xr.DataArray, Classes]:
    """Return a checked cube and its classes, as bins if edges are given."""
    cube, labels = checked_cube(cube)
    classes = classes_of(labels, bins)
    return cube if bins is None else cube.assign_coords(class_coords(classes.dtype)), classes


def score_cube(
    cube: xr.DataArray, classes: Classes, metric: Metric, options: Mapping[str, Any]
) -> xr.DataArray:
    """Score a cube; if it is in memory, warn of groups that have rows but no value."""
    (scored,) = score_each(cube, classes, {metric.name: Resolved(metric, dict(options))}).values()
    if cube.chunks is None:
        _warn_of_groups(metric, (cube > 0).any(CLASS_DIMS), scored)
    return as_quantity(scored, metric.name)


def score_each(
    cube: xr.DataArray, classes: Classes, requested: Mapping[str, Resolved]
) -> dict[str, xr.DataArray]:
    """Score a cube by metrics of counts, chunk by chunk if it is chunked."""
    cube = with_whole_tables(cube)
    return {
        name: _score(cube, classes.function(*one), one.metric) for name, one in requested.items()
    }


def _score(cube: xr.DataArray, function: Callable[..., Any], metric: Metric) -> xr.DataArray:
    """Score a cube by the function of a metric."""
    axes = CLASS_DIMS
    if VECTOR_DIM in metric.output:
        refuse_class_dim(cube)
        cube, axes = cube.rename(true=VECTOR_DIM), (VECTOR_DIM, "pred")
    scored: xr.DataArray = xr.apply_ufunc(
        function,
        cube,
        input_core_dims=[axes],
        output_core_dims=[metric.output],
        dask="parallelized",
        output_dtypes=[metric.dtype],
    )
    return with_attributes(scored, [cube])


def clusters_of_cube(cube: xr.DataArray, cluster: Any) -> xr.DataArray:
    """Return a cube whose dimensions of clusters are the single one `CLUSTER_DIM`."""
    dims = cluster if isinstance(cluster, list) else [cluster]
    others = [dim for dim in cube.dims if dim not in CLASS_DIMS]
    for dim in dims:
        if not isinstance(dim, Hashable) or dim not in others:
            raise ValueError(
                f"cluster={brief(cluster)} must name a dimension of the cube, or list several, "
                f"but {brief(dim)} is none of {others}{did_you_mean(dim, others)}: count by it, "
                f"df.ordinal.confusion(..., by=[...]), or give the rows, "
                "df.ordinal.report(..., cluster=...)"
            )
    if not dims or len(set(dims)) < len(dims):
        raise ValueError(f"cluster={brief(cluster)} must name different dimensions of the cube")
    return checked_counts(cube).stack({CLUSTER_DIM: dims}, create_index=False)


def refuse_floats(cube: xr.DataArray) -> None:
    """Raise for a cube that may hold weights: variances need their squares too."""
    if cube.dtype.kind == "f":
        raise ValueError(
            "a cube of floats lacks the number of rows, which ci= and se= need: call "
            "df.ordinal.report(..., sample_weight=...) on the rows, or give a dimension of the "
            f"cube as cluster={as_integers(cube)}"
        )


def with_shares(
    cube: xr.DataArray, classes: Classes, given: Any
) -> tuple[xr.DataArray, dict[str, xr.DataArray]]:
    """Give the predicted classes of a cube these shares; return what variances need besides."""
    shares = inference.strata.shares_of(given, classes)
    if shares is None:
        return cube, {}
    weigh = partial(
        inference.strata.weigh_by_share, shares=shares, labels=classes.dtype.categories.tolist()
    )
    options: dict[str, Any] = {
        "output_core_dims": [CLASS_DIMS], "dask": "parallelized", "output_dtypes": [float],
        "keep_attrs": True,
    }  # fmt: skip
    cube = with_whole_tables(cube)
    weighted = xr.apply_ufunc(weigh, cube, input_core_dims=[CLASS_DIMS], **options)
    norms = xr.apply_ufunc(
        inference.strata.norms_of_cells, cube, weighted, input_core_dims=[CLASS_DIMS] * 2,
        **options,
    )  # fmt: skip
    return weighted, {"norms": norms, "rows": cube}


def uncertainty_of_cube(
    cube: xr.DataArray,
    classes: Classes,
    requested: Mapping[str, Resolved],
    scored: Mapping[str, xr.DataArray],
    uncertainty: Uncertainty,
    units: Mapping[str, xr.DataArray],
) -> dict[str, xr.DataArray]:
    """Return bounds and standard errors of the scores of a cube by their names.

    `units` adds what the cube lacks: the cubes of the clusters, and of weights their norms and
    the numbers of rows, by cell or in all.
    """
    cube = with_whole_tables(cube)
    measures = inference.report.measures_of(requested, classes, uncertainty)
    dims, sizes = ("metric of a report", PARTS_DIM), (len(requested), len(uncertainty.suffixes))
    values = xr.apply_ufunc(
        partial(_uncertainty_of_tables, measures, uncertainty, list(units)),
        cube,
        *(
            scored[name].transpose(*(dim for dim in cube.dims if dim not in CLASS_DIMS))
            for name in requested
        ),
        *map(with_whole_tables, units.values()),
        input_core_dims=[
            CLASS_DIMS,
            *[[]] * len(requested),
            *map(core_dims, units.values()),
        ],
        output_core_dims=[dims],
        dask="parallelized",
        dask_gufunc_kwargs={"output_sizes": dict(zip(dims, sizes, strict=True))},
        output_dtypes=[float],
    )
    return {
        f"{name}_{part}": values[..., place, which]
        for place, name in enumerate(requested)
        for which, part in enumerate(uncertainty.suffixes)
    }


def _uncertainty_of_tables(
    measures: Mapping[str, inference.interval.Measure],
    uncertainty: Uncertainty,
    units: Sequence[str],
    counts: Array,
    *arrays: Array,
) -> Array:
    """Return the bounds and standard errors of tables, ``(..., metrics, parts)``.

    The arrays are the values of each metric, then each of the units.
    """
    leading = counts.shape[:-2]
    estimates, unit_arrays = arrays[: len(measures)], arrays[len(measures) :]
    by_name = {name: one.ravel() for name, one in zip(measures, estimates, strict=True)}
    extra = {
        name: one.reshape(-1, *(one.shape[len(leading) :] or (1, 1)))
        for name, one in zip(units, unit_arrays, strict=True)
    }
    clusters = clusters_of(extra.pop("clusters")) if "clusters" in extra else None
    tables = counts.reshape(-1, *counts.shape[-2:])
    bounds = inference.report.uncertainty_of_counts(
        measures, tables, by_name, uncertainty, clusters=clusters, **extra
    )
    columns = [bounds[name].T for name in measures]
    none = np.empty((len(tables), 0, len(uncertainty.suffixes)))
    stacked = np.stack(columns, axis=1) if columns else none
    return stacked.reshape(*leading, len(measures), len(uncertainty.suffixes))


def clusters_of(tables: Array) -> tuple[Array, Positions]:
    """Return the clusters ``(batch, clusters, K, K)`` that have cases, and their batch."""
    batch, cluster = np.nonzero(tables.any(axis=(-2, -1)))
    return tables[batch, cluster], batch


def score_arrays(query: Query, metric: Metric, options: Mapping[str, Any]) -> xr.DataArray:
    """Score arrays of labels, and warn as for a cube."""
    arrays = array_query(query)
    metric = _fair_form(metric) if arrays.is_fair else metric
    if not metric.of_rows:
        return score_cube(arrays.cube(), arrays.classes, metric, options)
    scored, n_cases = _score_rows(*_with_reference(arrays, Resolved(metric, dict(options))))
    if scored.chunks is None:
        _warn_of_groups(metric, n_cases, scored)
    return as_quantity(scored, metric.name)


def _score_rows(arrays: ArrayQuery, resolved: Resolved) -> tuple[xr.DataArray, xr.DataArray]:
    """Score by a metric of scores or probabilities; also return the number of cases."""
    if BY_ROW not in arrays.inputs:
        return arrays.score(*resolved)
    ranked = registry["rps"]
    errors, n_cases = arrays.score(_fair_form(ranked) if arrays.is_fair else ranked, {})
    expected, _ = arrays.of_reference().score(ranked, {})
    return (1 - errors / expected).where(expected > 0).rename(resolved.metric.name), n_cases


def _fair_form(metric: Metric) -> Metric:
    """Return a metric without what a limited number of members adds, or raise."""
    if metric.fair is None:
        having = [name for name, one in registry.items() if one.fair]
        raise ValueError(
            f"fair=True corrects {' and '.join(having)}, not {metric.name}: leave out fair=, or "
            f"give metrics={having} in a report"
        )
    return metric.fair


def _with_reference(arrays: ArrayQuery, resolved: Resolved) -> tuple[ArrayQuery, Resolved]:
    """Add a reference that has probabilities for each case to the arrays."""
    reference, options = arrays.reference(resolved.options)
    if reference is None:
        return arrays, resolved._replace(options=options)
    sizes = arrays.codes["true"].sizes
    whole = reference.expand_dims({d: sizes[d] for d in arrays.dims if d not in reference.dims})
    both = replace(arrays, inputs={**arrays.inputs, BY_ROW: whole})
    if both.dropna:
        both = both.where(reduce(and_, map(has_values, both.inputs.values())))
    return both, resolved


def report_cube(
    cube: xr.DataArray,
    bins: BinsLike | None,
    metrics: MetricsLike | None,
    uncertainty: Uncertainty,
) -> xr.Dataset:
    """Score a cube by several metrics, the number of rows first."""
    cube, classes = with_classes(cube, bins)
    units = {}
    if uncertainty.cluster is not None:
        units["clusters"] = clusters_of_cube(cube, uncertainty.cluster)
        cube = sums_of(units["clusters"], [CLUSTER_DIM])
    sizes = {"n": sums_of(cube)}
    if uncertainty.is_requested and not units:
        refuse_floats(cube)
    cube, weights = with_shares(cube, classes, uncertainty.stratum_shares)
    requested = metrics_of_report(metrics, classes, ["pred"], bool(weights))
    names = names_of_columns(requested, uncertainty)
    scored = score_each(cube, classes, requested)
    if uncertainty.is_requested:
        units |= weights
        scored |= uncertainty_of_cube(cube, classes, requested, scored, uncertainty, units)
        sizes |= _sizes(cube, units.get("clusters"))
    report = as_report(sizes, {name: scored[name] for name in names}, uncertainty)
    return with_metrics(report, requested)


def _sizes(cube: xr.DataArray, clusters: xr.DataArray | None) -> dict[str, xr.DataArray]:
    """Count the clusters with cases, and the true classes that occur."""
    sizes = {"n_classes": (cube.sum("pred") > 0).sum("true")}
    if clusters is None:
        return sizes
    return {"n_clusters": (clusters > 0).any(CLASS_DIMS).sum(CLUSTER_DIM), **sizes}


def report_arrays(
    query: Query,
    metrics: MetricsLike | None,
    uncertainty: Uncertainty,
    holders: Sequence[xr.Dataset] = (),
) -> xr.Dataset:
    """Score arrays of labels by several metrics, the number of cases first."""
    arrays, of_inputs = complete(array_query(query, uncertainty.cluster, holders))
    in_fractions = arrays.in_fractions or uncertainty.stratum_shares is not None
    requested = metrics_of_report(
        metrics, arrays.classes, arrays.given, in_fractions, uncertainty.is_requested
    )
    names = names_of_columns(requested, uncertainty)
    of_counts, of_rows = of_counts_and_rows(requested)
    if arrays.is_fair:
        of_rows = {
            name: one._replace(metric=_fair_form(one.metric))
            if one.metric.takes == "proba"
            else one
            for name, one in of_rows.items()
        }
    scored: dict[str, xr.DataArray] = {}
    cube = clusters = n = None
    if uncertainty.is_requested:
        inference.report.refuse_without_rule(of_rows, uncertainty, arrays.weight is not None)
        if arrays.weight is not None:
            uncertainty.refuse_weights()
        inference.report.measures_of(of_counts, arrays.classes, uncertainty)
        warn_of_repeated_cases(arrays, uncertainty.without_clusters)
    if query.pred is not ABSENT:
        units = arrays.units() if uncertainty.is_requested else {}
        if arrays.clusters is None:
            cube = arrays.cube()
        else:  # a single pass over the labels counts both
            units["clusters"] = clusters = arrays.clustered_cube()
            cube = clusters.sum(CLUSTER_DIM)
        n = cube.sum(CLASS_DIMS) if arrays.weight is None else None
        cube, weights = with_shares(cube, arrays.classes, uncertainty.stratum_shares)
        scored |= score_each(cube, arrays.classes, of_counts)
        if uncertainty.is_requested:
            units |= weights
            scored |= uncertainty_of_cube(
                cube, arrays.classes, of_counts, scored, uncertainty, units
            )
    for name, one in of_rows.items():
        of_input, resolved = _with_reference(of_inputs[one.metric.takes], one)
        scored[name], _ = _score_rows(of_input, resolved)
        if uncertainty.is_requested:
            scored |= uncertainty_of_scores(of_input, name, resolved, scored[name], uncertainty)
    sizes = {"n": arrays.n_cases() if n is None else n}
    if uncertainty.is_requested:
        if cube is None:
            truth = arrays.of_truth()
            clusters = None if arrays.clusters is None else truth.clustered_cube()
            cube = truth.cube() if clusters is None else clusters.sum(CLUSTER_DIM)
        sizes |= _sizes(cube, clusters)
    report = as_report(sizes, {name: scored[name] for name in names}, uncertainty)
    return with_metrics(report, requested)


def complete(arrays: ArrayQuery) -> tuple[ArrayQuery, dict[str, ArrayQuery]]:
    """Leave incomplete cases out of all results; also return the cases with each input.

    If no case of a group has scores, or none has probabilities, those metrics alone are undefined.
    """
    if not arrays.inputs or not arrays.dropna:
        return arrays, dict.fromkeys(arrays.inputs, arrays)
    there = {name: has_values(array) for name, array in arrays.inputs.items()}
    is_counted = [
        has | ~arrays.of_cases(arrays.where(has).n_cases() > 0) for has in there.values()
    ]
    if "pred" in arrays.codes:
        is_counted.append(arrays.codes["pred"] >= 0)
    else:
        is_counted.append(reduce(or_, there.values()))
    counted = arrays.where(reduce(and_, is_counted))
    return counted, {name: counted.where(has) for name, has in there.items()}


def uncertainty_of_scores(
    arrays: ArrayQuery,
    name: str,
    resolved: Resolved,
    scored: xr.DataArray,
    uncertainty: Uncertainty,
) -> dict[str, xr.DataArray]:
    """Return bounds and standard errors of a metric of scores or probabilities by their names."""
    function = partial(
        inference.report.uncertainty_of_rows,
        resolved,
        classes=arrays.classes,
        uncertainty=uncertainty,
    )
    bounds = arrays.uncertainty(
        resolved.metric, scored, function, PARTS_DIM, len(uncertainty.suffixes)
    )
    return {
        f"{name}_{part}": bounds[..., which] for which, part in enumerate(uncertainty.suffixes)
    }


def as_report(
    sizes: Mapping[str, xr.DataArray],
    scored: Mapping[str, xr.DataArray],
    uncertainty: Uncertainty,
) -> xr.Dataset:
    """Return the numbers of rows, clusters and classes, and the scores, as one Dataset."""
    variables = {**sizes, **scored}
    used = {name for array in variables.values() for name in (*array.dims, *array.coords)}
    for name in variables:
        if name in used:
            raise ValueError(
                f"the report would have a variable {name!r} with the name of a dimension or "
                f"coordinate: rename that, such as with .rename({{{name!r}: ...}})"
            )
    report = xr.Dataset({name: as_quantity(one, name) for name, one in variables.items()})
    if uncertainty.is_requested:
        n_clusters = sizes.get("n_clusters")
        if n_clusters is not None and n_clusters.chunks is not None:
            n_clusters = None
        report.attrs = facts_of(uncertainty, **of_clusters(n_clusters))
    return report


def _warn_of_groups(metric: Metric, n_rows: xr.DataArray, scored: xr.DataArray) -> None:
    undefined = scored.isnull().all(metric.output) & (n_rows > 0)
    if undefined.any():
        stacked = undefined.to_series() if undefined.ndim else pd.Series(dtype=bool)
        warn_undefined(metric.name, [repr(label) for label in stacked.index[stacked]])
