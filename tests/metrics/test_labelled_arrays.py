"""Arrays with labels or masks, which a kernel would read by position."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from oracles.decisions import OF_ROWS
from oracles.of_matrices import OF_MATRICES, some_edges, some_options

import pandas_ordinal as po
from pandas_ordinal import metrics
from pandas_ordinal.metrics import registry

COUNTS = np.array([[3, 1, 0], [0, 2, 1], [1, 0, 4]])
TRUE = np.array([0, 2, 1, 2])
PROBA = np.array([[0.5, 0.25, 0.25], [0, 0, 1], [0.25, 0.5, 0.25], [1, 0, 0]])
GRADES = ["low", "mid", "top"]
OF_PROBABILITIES = [name for name, m in registry.items() if m.needs == "probabilities"]

Labelled = Callable[[Any], Any]
TABLES: dict[str, Labelled] = {
    "labels on both axes": lambda a: pd.DataFrame(a, range(len(a)), GRADES).set_axis(
        [f"r{i}" for i in range(len(a))]
    ),
    "columns alone": lambda a: pd.DataFrame(a, columns=GRADES),
    "rows alone": lambda a: pd.DataFrame(a).set_axis([f"r{i}" for i in range(len(a))]),
    "integers from 1": lambda a: pd.DataFrame(a, columns=[1, 2, 3]),
    "integers in another order": lambda a: pd.DataFrame(a, columns=[0, 2, 1]),
    "integers as text": lambda a: pd.DataFrame(a, columns=list("012")),
    "a name of the columns": lambda a: pd.DataFrame(a).rename_axis(columns="pred"),
    "a name of the rows": lambda a: pd.DataFrame(a).rename_axis(index="true"),
    "two levels": lambda a: pd.DataFrame(a, columns=pd.MultiIndex.from_product([["a"], GRADES])),
    "categories": lambda a: pd.DataFrame(a, columns=pd.CategoricalIndex(GRADES)),
    "turned round": lambda a: pd.DataFrame(a).iloc[:, ::-1],
    "dimensions": lambda a: xr.DataArray(a),
    "dimensions with names": lambda a: xr.DataArray(a, dims=("true", "pred")),
    "coordinates": lambda a: xr.DataArray(a, {"pred": GRADES}, ("true", "pred")),
    "a mask": lambda a: np.ma.masked_less(a, 1),
    "a mask of nothing": lambda a: np.ma.array(a),
}
VECTORS: dict[str, Labelled] = {
    "labels": lambda a: pd.Series(a, GRADES),
    "integers from 1": lambda a: pd.Series(a, [1, 2, 3]),
    "integers in another order": lambda a: pd.Series(a).sort_values(
        ascending=False, kind="stable"
    ),
    "a name of the rows": lambda a: pd.Series(a).rename_axis("y"),
    "dimensions": lambda a: xr.DataArray(a, dims="y"),
    "a mask": lambda a: np.ma.masked_equal(a, a[0]),
}
PLAIN: list[Labelled] = [
    pd.DataFrame,
    lambda a: pd.DataFrame(a, columns=[0, 1, 2]),
    lambda a: pd.DataFrame(a, columns=[0.0, 1.0, 2.0]),
    lambda a: pd.DataFrame(a).astype(float),
    np.asfortranarray,
    np.ndarray.tolist,
]
AGREEMENT = np.array([[1, 0.5, 0], [0.25, 1, 0.5], [0, 0.25, 1]])
COSTS = np.array([[0, 1, 5], [2, 0, 3], [4, 1, 0]])
OPTIONS: list[tuple[str, str, np.ndarray]] = [
    *[
        (name, "weights", AGREEMENT)
        for name in ("kappa", "scott_pi", "gwet_ac", "brennan_prediger", "krippendorff_alpha")
    ],
    ("expected_cost", "costs", COSTS),
]
SIZES = [name for name, m in registry.items() if "class_sizes" in {o.name for o in m.options}]


def of_counts(name: str, counts: Any, **options: Any) -> Any:
    if registry[name].needs == "edges":
        options["edges"] = some_edges(3)
    return registry[name].kernel(counts, **some_options(name, 3) | options)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("name", OF_MATRICES)
def test_counts_with_labels(name: str, kind: str) -> None:
    """The message names what to call."""
    with pytest.raises(ValueError, match=r"^counts must be a plain array.*po\.from_counts\(table"):
        of_counts(name, TABLES[kind](COUNTS))


def test_tables_of_the_reports() -> None:
    """A crosstab is in the order of the alphabet, and has margins."""
    y = pd.Series(["mild", "none", "severe", "mild"])
    p = pd.Series(["mild", "mild", "severe", "none"])
    square = pd.crosstab(y, p)
    for table in (square, pd.crosstab(y, p, margins=True), pd.crosstab(y, p.rename("p"))):
        with pytest.raises(ValueError, match="a DataFrame with labels of its own"):
            metrics.kappa(table)
    with pytest.raises(ValueError, match="po.from_counts"):
        metrics.kappa(y, p)
    declared = po.from_counts(square, classes=["none", "mild", "severe"])
    assert declared.ordinal.kappa() == metrics.kappa([[0, 1, 0], [1, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("name", [*OF_PROBABILITIES, *OF_ROWS])
def test_probabilities_with_labels(name: str, kind: str) -> None:
    proba = TABLES[kind](PROBA) if kind != "a mask" else np.ma.masked_less(PROBA, 0.25)
    kernel = OF_ROWS.get(name) or getattr(metrics, name)
    with pytest.raises(ValueError, match=r"^proba must be a plain array.*\.ordinal"):
        kernel(proba) if name in OF_ROWS else kernel(TRUE, proba)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize(("name", "option", "matrix"), OPTIONS)
def test_matrices_in_options_with_labels(
    name: str, option: str, matrix: np.ndarray, kind: str
) -> None:
    with pytest.raises(ValueError, match=rf"^{option}= must be a plain array.*order of the class"):
        of_counts(name, COUNTS, **{option: TABLES[kind](matrix)})


@pytest.mark.parametrize("kind", TABLES)
def test_costs_of_thresholds_with_labels(kind: str) -> None:
    true, score = [0, 0, 1, 1, 2, 2], [0.5, 1, 2, 3, 2.5, 4]
    with pytest.raises(ValueError, match="^costs= must be a plain array"):
        metrics.best_thresholds(true, score, 3, costs=TABLES[kind](COSTS))
    with pytest.raises(ValueError, match="^costs= must be a plain array"):
        metrics.least_costly(PROBA, TABLES[kind](COSTS))


@pytest.mark.parametrize("kind", VECTORS)
def test_vectors_in_options_with_labels(kind: str) -> None:
    for name in SIZES:
        with pytest.raises(ValueError, match="^class_sizes= must be a plain array"):
            of_counts(name, COUNTS, class_sizes=VECTORS[kind](np.array([4, 3, 5])))
    for level in ("interval", "ratio"):
        with pytest.raises(ValueError, match="^values= must be a plain array"):
            metrics.krippendorff_alpha(
                COUNTS, level=level, values=VECTORS[kind](np.array([1, 3, 2]))
            )
    with pytest.raises(ValueError, match="^reference= must be a plain array"):
        metrics.rps_skill(TRUE, PROBA, reference=VECTORS[kind](np.array([0.25, 0.5, 0.25])))


@pytest.mark.parametrize("kind", ["dimensions", "a mask"])
def test_rows_with_dimensions_or_masks(kind: str) -> None:
    make = {"dimensions": lambda a: xr.DataArray(a, dims="row"), "a mask": np.ma.array}[kind]
    ones = np.ones(4)
    for given in (
        {"true": make(TRUE)},
        {"sample_weight": make(ones)},
    ):
        with pytest.raises(ValueError, match=f"^{next(iter(given))} must be a plain array"):
            metrics.rps(**{"true": TRUE, "proba": PROBA} | given)
        with pytest.raises(ValueError, match=f"^{next(iter(given))} must be a plain array"):
            metrics.vus(**{"true": TRUE, "score": [1, 2, 3, 4], "n_classes": 3} | given)
    with pytest.raises(ValueError, match="^score must be a plain array"):
        metrics.vus(TRUE, make(ones), 3)


# In lists -----------------------------------------------------------------------------------


@pytest.mark.parametrize("several", [list, tuple])
@pytest.mark.parametrize("kind", TABLES)
def test_lists_of_tables_with_labels(kind: str, several: type) -> None:
    for tables in ([TABLES[kind](COUNTS)] * 2, [COUNTS, TABLES[kind](COUNTS)]):
        with pytest.raises(ValueError, match="^counts must be a plain array"):
            metrics.kappa(several(tables))
    with pytest.raises(ValueError, match="^proba must be a plain array"):
        metrics.rps([TRUE] * 2, several([TABLES[kind](PROBA)] * 2))
    with pytest.raises(ValueError, match="^proba must be a plain array"):
        metrics.most_likely(several([TABLES[kind](PROBA)] * 2))


@pytest.mark.parametrize("several", [list, tuple])
@pytest.mark.parametrize("kind", VECTORS)
def test_lists_of_vectors_with_labels(kind: str, several: type) -> None:
    def rows_of(matrix: np.ndarray) -> Any:
        return several([VECTORS[kind](row) for row in matrix])

    with pytest.raises(ValueError, match="^counts must be a plain array"):
        metrics.mae(rows_of(np.array([[3, 1, 0], [1, 2, 0], [3, 2, 1]])))
    with pytest.raises(ValueError, match="^weights= must be a plain array"):
        metrics.kappa(COUNTS, weights=rows_of(AGREEMENT[:, [1, 0, 2]]))
    with pytest.raises(ValueError, match="^costs= must be a plain array"):
        metrics.expected_cost(COUNTS, costs=rows_of(COSTS[:, ::-1]))
    with pytest.raises(ValueError, match="^proba must be a plain array"):
        metrics.rps([0, 1], rows_of(np.array([[0.5, 0.25, 0.25], [0.25, 0.75, 0]])))


def test_lists_without_labels() -> None:
    assert metrics.mae([pd.DataFrame(COUNTS), COUNTS]).tolist() == [metrics.mae(COUNTS)] * 2
    assert metrics.mae([pd.Series(line) for line in COUNTS]) == metrics.mae(COUNTS)
    rows = [pd.Series(TRUE, [7, 3, 9, 1]), pd.Series(TRUE[::-1], [7, 3, 9, 1])]
    expected = metrics.rps(np.stack(rows), PROBA)
    np.testing.assert_array_equal(metrics.rps(rows, PROBA), expected)


# Without labels -----------------------------------------------------------------------------


@pytest.mark.parametrize("make", PLAIN)
def test_tables_without_labels(make: Labelled) -> None:
    for name in ("mae", "kappa", "krippendorff_alpha", "oci", "gmsec"):
        assert of_counts(name, make(COUNTS)) == of_counts(name, COUNTS)
    for name in OF_PROBABILITIES:
        kernel = getattr(metrics, name)
        assert kernel(TRUE, make(PROBA)) == kernel(TRUE, PROBA)
    for name in OF_ROWS:
        np.testing.assert_array_equal(OF_ROWS[name](make(PROBA)), OF_ROWS[name](PROBA))
    np.testing.assert_array_equal(
        metrics.least_costly(PROBA, make(COSTS)), metrics.least_costly(PROBA, COSTS)
    )
    for name, option, matrix in OPTIONS:
        expected = of_counts(name, COUNTS, **{option: matrix})
        assert of_counts(name, COUNTS, **{option: make(matrix)}) == expected


@pytest.mark.parametrize("make", [pd.Series, list, tuple, lambda a: pd.Series(a, name="n")])
def test_vectors_without_labels(make: Labelled) -> None:
    sizes, shares = np.array([4, 3, 5]), np.array([0.25, 0.5, 0.25])
    for name in SIZES:
        expected = of_counts(name, COUNTS, class_sizes=sizes)
        np.testing.assert_array_equal(of_counts(name, COUNTS, class_sizes=make(sizes)), expected)
    ours = metrics.rps_skill(TRUE, PROBA, reference=make(shares))
    assert ours == metrics.rps_skill(TRUE, PROBA, reference=shares)
    ours = metrics.krippendorff_alpha(COUNTS, level="ratio", values=make(sizes))
    assert ours == metrics.krippendorff_alpha(COUNTS, level="ratio", values=sizes)


def test_the_index_of_rows_does_not_label_classes() -> None:
    """A column of a frame that was filtered has the labels of its rows."""
    index = [7, 3, 9, 1]
    true, score = pd.Series(TRUE, index, name="y"), pd.Series([1.0, 3, 2, 4], index)
    weight = pd.Series([1, 2, 1, 1], index)
    arrays = [series.to_numpy() for series in (true, score, weight)]
    assert metrics.rps(true, PROBA, weight) == metrics.rps(arrays[0], PROBA, arrays[2])
    assert metrics.vus(true, score, 3, weight) == metrics.vus(*arrays[:2], 3, arrays[2])


# Rows with different labels -------------------------------------------------------------------


def test_rows_of_other_labels_are_not_paired_by_position() -> None:
    index = [7, 3, 9, 1]
    true, score = pd.Series(TRUE, index), pd.Series([1.0, 3, 2, 4], index)
    other, ones = score.sort_values(), pd.Series(1.0, index[::-1])
    proba = pd.DataFrame(PROBA)
    for call in (
        lambda: metrics.vus(true, other, 3),
        lambda: metrics.vus(true, score, 3, ones),
        lambda: metrics.vus(TRUE, score, 3, ones),
        lambda: metrics.vus_summary(true, other, 3),
        lambda: metrics.rps(true, PROBA, ones),
        lambda: metrics.rps(true, proba),
        lambda: metrics.rps([true, true.sort_index()], PROBA),
        lambda: metrics.best_thresholds(true, other, 3, metric="mae"),
        lambda: metrics.roc_surface(true, score, 3, sample_weight=ones),
    ):
        with pytest.raises(ValueError, match=r"have different labels.*\.ordinal.*\.to_numpy\(\)"):
            call()
    assert metrics.vus(true, other.to_numpy(), 3) == metrics.vus(TRUE, np.sort(score), 3)


ROWS: dict[str, Any] = {
    "true": TRUE,
    "score": np.array([1.0, 3, 2, 4]),
    "proba": PROBA,
    "low": np.array([0, 1, 0, 2]),
    "high": np.array([1, 2, 0, 2]),
    "sample_weight": np.ones(4),
}
OTHER_ARGUMENTS: dict[str, dict[str, Any]] = {
    "best_thresholds": {"n_classes": 3, "metric": "mae"},
    "roc_surface": {"n_classes": 3},
    "vus_summary": {"n_classes": 3},
    "set_class_coverage": {"n_classes": 3},
    "set_limits": {"coverage": 0.5},
    "set_interval_score": {"coverage": 0.5},
    **{f"set_{name}": {} for name in ("coverage", "distance", "least_coverage", "size")},
    **{name: {} for name, m in registry.items() if m.needs == "probabilities"},
    **{name: {"n_classes": 3} for name, m in registry.items() if m.needs == "scores"},
}


@pytest.mark.parametrize("name", OTHER_ARGUMENTS)
def test_any_two_arrays_of_rows_have_the_same_labels(name: str) -> None:
    kernel = getattr(metrics, name)
    taken = [array for array in ROWS if array in inspect.signature(kernel).parameters]
    assert {"true", "sample_weight"} <= set(taken) and len(taken) >= 3
    for one, other in itertools.combinations(taken, 2):
        given = {array: ROWS[array].tolist() for array in taken} | OTHER_ARGUMENTS[name]
        for array in (one, other):
            given[array] = pd.DataFrame(PROBA) if array == "proba" else pd.Series(ROWS[array])
        kernel(**given)
        turned = {array: given[array] for array in (one, other) if array != "proba"}
        for array, series in turned.items():
            with pytest.raises(ValueError, match=f"the rows of {one} and {other} have different"):
                kernel(**given | {array: series.set_axis([1, 0, 2, 3])})


# Booleans -----------------------------------------------------------------------------------


def test_booleans_are_not_counts() -> None:
    for name in OF_MATRICES:
        with pytest.raises(ValueError, match="counts must be integers or floats, not bool"):
            of_counts(name, COUNTS > 0)


def test_booleans_are_two_classes() -> None:
    binary = np.array([[0.25, 0.75], [0.5, 0.5]])
    assert metrics.rps([True, False], binary) == metrics.rps([1, 0], binary)
    with pytest.raises(ValueError, match="booleans, False and True, but there are 3 classes"):
        metrics.rps([True, False, True, True], PROBA)
