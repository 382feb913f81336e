"""Arrays of labels, scores and probabilities: counted and scored over their dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from labelled import BIG, LEVELS, NO_SCORES, PRED, PROBA, TIED, TRUE, WEIGHT, arrays

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError


def table(true: Any, pred: Any, weights: Any = None) -> np.ndarray:
    weights = None if weights is None else np.ravel(weights)
    return brute.counts(np.ravel(true), np.ravel(pred), 3, weights)


CHUNKS = [None, {"case": 3}, {"fold": 2, "case": 2}, -1]


# dimensions


@pytest.mark.parametrize("chunks", CHUNKS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_one_dimension(chunks: Any, weighted: bool) -> None:
    true, pred, weight = arrays(chunks)
    cube = true.ordinal.confusion(
        pred, dim="case", classes=LEVELS, sample_weight=weight if weighted else None
    )
    assert set(cube.dims) == {"model", "fold", "true", "pred"} and cube.dims[-2:] == (
        "true",
        "pred",
    )
    assert cube.dtype == (float if weighted else int)
    assert cube.name == "count" and (cube.chunks is None) == (chunks is None)
    assert cube.indexes["true"].tolist() == LEVELS and cube.indexes["true"].ordered
    assert cube.indexes["fold"].tolist() == [10, 20, 30, 40, 50]
    cube = cube.compute()
    for m, model in enumerate(["m", "k"]):
        for f, fold in enumerate([10, 20, 30, 40, 50]):
            expected = table(TRUE[f], PRED[m, f], WEIGHT[f] if weighted else None)
            npt.assert_array_equal(cube.sel(model=model, fold=fold), expected)


@pytest.mark.parametrize("chunks", CHUNKS, ids=str)
@pytest.mark.parametrize("dim", [None, ["fold", "case"], ["case", "fold"]], ids=str)
def test_several_dimensions(chunks: Any, dim: Any) -> None:
    true, pred, weight = arrays(chunks)
    cube = true.ordinal.confusion(pred, dim=dim, classes=LEVELS)
    assert cube.dims == ("model", "true", "pred")
    for m in range(2):
        npt.assert_array_equal(cube.isel(model=m), table(TRUE, PRED[m]))
    weighted = true.ordinal.confusion(pred, dim=dim, classes=LEVELS, sample_weight=weight)
    npt.assert_array_equal(weighted.isel(model=1), table(TRUE, PRED[1], WEIGHT))


def test_dimensions_in_any_order() -> None:
    true, pred, _ = arrays()
    expected = true.ordinal.confusion(pred, dim="case", classes=LEVELS)
    for other in (
        pred.transpose("case", "model", "fold"),
        pred.transpose("fold", "case", "model"),
    ):
        found = true.T.ordinal.confusion(other, dim="case", classes=LEVELS)
        xr.testing.assert_identical(found.transpose(*expected.dims), expected)


def test_true_labels_with_dimensions_of_their_own() -> None:
    true, pred, _ = arrays()
    several = xr.concat([true, 2 - true], pd.Index(["r1", "r2"], name="rater"))
    cube = several.ordinal.confusion(pred, dim=["fold", "case"], classes=LEVELS)
    assert set(cube.dims) == {"rater", "model", "true", "pred"}
    npt.assert_array_equal(cube.sel(rater="r2", model="k"), table(2 - TRUE, PRED[1]))


def test_weights_of_fewer_dimensions_are_broadcast() -> None:
    true, pred, weight = arrays()
    of_case = weight.isel(fold=0, drop=True)
    cube = true.ordinal.confusion(pred, dim="case", classes=LEVELS, sample_weight=of_case)
    npt.assert_array_equal(cube.sel(model="k", fold=30), table(TRUE[2], PRED[1, 2], WEIGHT[0]))


def test_prediction_of_one_case_dimension_is_not_broadcast_silently() -> None:
    true, pred, _ = arrays()
    with pytest.raises(ValueError, match="no dimension 'fold'"):
        true.ordinal.confusion(pred.isel(fold=0, drop=True), classes=LEVELS)
    with pytest.raises(ValueError, match="no dimension 'nowhere'"):
        true.ordinal.confusion(pred, dim="nowhere", classes=LEVELS)
    with pytest.raises(ValueError, match="no dimension 'model'"):
        true.ordinal.confusion(pred, dim=["case", "model"], classes=LEVELS)


@pytest.mark.parametrize("dim", [("s", "a"), ["s", "a"], ..., None])
def test_dimensions_are_named_as_in_xarray(dim: Any) -> None:
    labels = xr.DataArray([[0, 1], [2, 2]], dims=("s", "a"))
    assert labels.ordinal.confusion(labels, dim=dim).dims == ("true", "pred")
    with pytest.raises(ValueError, match="dim="):
        labels.ordinal.confusion(labels, dim=["s", "s"])


def test_dimensions_named_as_the_classes() -> None:
    true, pred, _ = arrays()
    with pytest.raises(ValueError, match="'true'"):
        true.ordinal.confusion(pred.rename(model="true"), classes=LEVELS)


# equal coordinates


@pytest.mark.parametrize("name", ["pred", "sample_weight"])
@pytest.mark.parametrize("chunks", [None, {"case": 3}], ids=str)
@pytest.mark.parametrize("dim", ["fold", "case"])
def test_coordinates_that_differ_are_refused(name: str, chunks: Any, dim: str) -> None:
    true, pred, weight = arrays(chunks)
    others = {"pred": pred, "sample_weight": weight}
    for change in (
        lambda a: a.isel({dim: slice(None, None, -1)}),
        lambda a: a.isel({dim: slice(1, None)}),
        lambda a: a.assign_coords({dim: np.arange(a.sizes[dim])}),
        lambda a: a.drop_vars(dim).isel({dim: slice(1, None)}),
    ):
        changed = others | {name: change(others[name])}
        weights = changed["sample_weight"]
        with pytest.raises(ValueError, match=f"'{dim}'"):
            true.ordinal.confusion(
                changed["pred"], dim="case", classes=LEVELS, sample_weight=weights
            )


def test_coordinates_that_only_one_array_has() -> None:
    true, pred, _ = arrays()
    expected = true.ordinal.confusion(pred, dim="case", classes=LEVELS)
    found = true.ordinal.confusion(pred.drop_vars("case"), dim="case", classes=LEVELS)
    npt.assert_array_equal(found, expected)


def test_arrays_are_never_aligned() -> None:
    true = xr.DataArray([0, 1, 2], dims="i", coords={"i": [7, 8, 9]})
    score = true.astype(float)
    assert float(true.ordinal.vus(score)) == 1
    assert float(true.ordinal.vus(score.drop_vars("i"))) == 1
    other = score.assign_coords(i=[8, 9, 10])
    proba = xr.DataArray(np.eye(3), dims=("i", "c"), coords={"c": [0, 1, 2], "i": [9, 8, 7]})
    for call in (
        lambda: true.ordinal.vus(other),
        lambda: true.ordinal.vus(score[::-1]),
        lambda: true.ordinal.vus(score[:2]),
        lambda: true.ordinal.vus(score, sample_weight=other),
        lambda: true.ordinal.rps(proba),
    ):
        with pytest.raises(ValueError, match="'i'.*never aligned"):
            call()
    with pytest.raises(ValueError, match="'i'"):
        true.ordinal.vus(score.rename(i="j"))
    with pytest.raises(ValueError, match="'j'"):
        true.ordinal.vus(score, dim="j")
    for bad in (score.to_numpy(), [0, 1, 2], "score", None):
        with pytest.raises(TypeError, match="score must be a DataArray"):
            true.ordinal.vus(bad)


# labels and codes


def test_integers_without_classes() -> None:
    true = xr.DataArray([2, 4, 4], dims="i")
    cube = true.ordinal.confusion(xr.DataArray([2, 2, 7], dims="i"))
    assert cube.indexes["true"].tolist() == [2, 3, 4, 5, 6, 7]
    assert float(cube.ordinal.mae()) == pytest.approx(5 / 3)


def test_numbers_are_labels_of_numeric_classes() -> None:
    true = xr.DataArray([10, 20, 50], dims="i")
    cube = true.ordinal.confusion(
        true[[0, 2, 2]].drop_vars("i", errors="ignore"), classes=[10, 20, 50]
    )
    assert cube.values.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
    with pytest.raises(UnknownClassError, match="0"):
        xr.DataArray([0, 1], dims="i").ordinal.confusion(true[:2], classes=[10, 20, 50])


@pytest.mark.parametrize("chunks", [None, 2])
@pytest.mark.parametrize("kind", ["U", "O"])
def test_text_labels(chunks: Any, kind: str) -> None:
    true = xr.DataArray(np.array(["low", "high", "mid"], kind), dims="i", name="y")
    pred = xr.DataArray(np.array(["low", "mid", "high"], kind), dims="i", name="p")
    if chunks:
        true, pred = true.chunk(i=chunks), pred.chunk(i=chunks)
    cube = true.ordinal.confusion(pred, classes=LEVELS)
    assert float(cube.ordinal.mae()) == pytest.approx(2 / 3)
    with pytest.raises(UnknownClassError, match="'high'"):
        true.ordinal.confusion(pred, classes=["low", "mid"]).compute()
    with pytest.raises(ClassOrderError):
        true.ordinal.confusion(pred)


def test_codes_of_text_classes() -> None:
    codes = xr.DataArray(np.array([0, 2, 1], "int8"), dims="i")
    cube = codes.ordinal.confusion(codes, classes=LEVELS)
    assert cube.values.tolist() == np.eye(3).tolist()
    assert cube.indexes["true"].tolist() == LEVELS


@pytest.mark.parametrize("bad", [3, -2, 0.5, 100.0, np.inf, -np.inf])
def test_codes_out_of_range(bad: float) -> None:
    true = xr.DataArray([0, 1], dims="i", name="y")
    with pytest.raises(UnknownClassError, match="code"):
        true.ordinal.confusion(xr.DataArray([0, bad], dims="i"), classes=LEVELS)


MISSING = {
    "codes": (np.array([0, -1, 2, -1]), LEVELS),
    "float codes": (np.array([0, np.nan, 2, -1.0]), LEVELS),
    "float labels": (np.array([0, np.nan, 2, np.nan]), [0, 1, 2]),
    "text": (np.array(["low", None, "high", np.nan], object), LEVELS),
    "dates": (
        np.array(["2026-01-01", "NaT", "2026-01-03", "NaT"], "M8[ns]"),
        list(pd.date_range("2026-01-01", periods=3)),
    ),
}


@pytest.mark.parametrize("kind", MISSING)
@pytest.mark.parametrize("chunks", [None, 2])
def test_missing_labels(kind: str, chunks: Any) -> None:
    values, classes = MISSING[kind]
    labels = xr.DataArray(values, dims="i", name="y")
    known = np.where(np.arange(4) % 2, 0, np.arange(4))
    other = xr.DataArray(pd.Index(classes).take(known).to_numpy(), dims="i", name="p")
    if chunks:
        labels, other = labels.chunk(i=chunks), other.chunk(i=chunks)
    for true, pred in ((labels, other), (other, labels)):
        with pytest.raises(MissingValueError, match="'y' holds .* missing value"):
            true.ordinal.confusion(pred, classes=classes).compute()
        cube = true.ordinal.confusion(pred, classes=classes, dropna=True)
        assert cube.values.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]


def test_booleans() -> None:
    true = xr.DataArray([True, True], dims="i")
    cube = true.ordinal.confusion(xr.DataArray([True, False], dims="i"))
    assert cube.values.tolist() == [[0, 0], [1, 1]]


def test_bins_as_classes() -> None:
    bins = pd.CategoricalDtype(pd.IntervalIndex.from_breaks([0, 10, 20]), ordered=True)
    true = xr.DataArray([0, 1, 1], dims="i")
    cube = true.ordinal.confusion(xr.DataArray([0, 0, 1], dims="i"), classes=bins)
    assert cube.values.tolist() == [[1, 0], [1, 1]]
    pd.testing.assert_index_equal(cube.indexes["true"].categories, bins.categories)


def test_coordinates_as_labels() -> None:
    dataset = xr.Dataset({"p": ("i", [0, 1, 1])}, coords={"y": ("i", [0, 1, 0])})
    assert float(dataset.ordinal.mae("y", "p")) == pytest.approx(1 / 3)


def test_a_label_array_with_a_missing_code_or_a_class() -> None:
    labels = xr.DataArray([0, -1, 2], dims="i")
    with pytest.raises(ClassOrderError, match="-1.*classes="):
        labels.ordinal.confusion(labels)
    with pytest.raises(MissingValueError):
        labels.ordinal.confusion(labels, classes=["a", "b", "c"])
    assert labels.ordinal.confusion(labels, classes=[-1, 0, 1, 2]).sum() == 3


def test_unknown_label_of_an_array_of_codes() -> None:
    labels = xr.DataArray([0, 3], dims="i", name="grade")
    with pytest.raises(UnknownClassError, match="'grade' holds 3.*codes are 0 to 1"):
        labels.ordinal.confusion(labels, classes=["a", "b"])


# scores and probabilities


def test_missing_values_in_arrays() -> None:
    names = ["low", "mid", "high"]
    true = xr.DataArray([0, 0, 1, -1, 2, 2], dims="i", name="truth")
    score = xr.DataArray([1, 2, 2, 3, np.nan, 4], dims="i", name="risk")
    with pytest.raises(MissingValueError, match="'truth' holds 1 missing"):
        true.ordinal.vus(score, classes=names)
    with pytest.raises(MissingValueError, match="'risk' holds 1 missing"):
        abs(true).ordinal.vus(score, classes=names)
    with pytest.raises(ClassOrderError, match="-1"):
        true.ordinal.vus(score)
    expected = TIED.iloc[[0, 1, 2, 5]].ordinal.vus("y", "score")
    for t, s in ((true, score), (true.chunk(i=2), score.chunk(i=3))):
        found = t.ordinal.vus(s, classes=names, dropna=True)
        assert float(found) == pytest.approx(expected, rel=1e-12)
        with pytest.raises(MissingValueError):
            t.ordinal.vus(s, classes=names).compute()
    scores = xr.concat([score, score.fillna(3)], "model")
    found = true.ordinal.vus(scores, dim="i", classes=names, dropna=True)
    second = TIED.iloc[[0, 1, 2, 4, 5]].ordinal.vus("y", "score")
    npt.assert_allclose(found, [expected, second], rtol=1e-12)


def test_an_impossible_class_that_occurs_has_an_infinite_loss_and_no_warning() -> None:
    true = xr.DataArray([0, 1, 1], dims="case")
    proba = xr.DataArray([[1, 0], [1, 0], [0.5, 0.5]], dims=["case", "k"], coords={"k": [0, 1]})
    assert true.ordinal.log_loss(proba) == np.inf
    weight = xr.DataArray([1, 0, 2], dims="case")
    weighted = true.ordinal.log_loss(proba, sample_weight=weight)
    assert float(weighted) == pytest.approx(2 / 3 * np.log(2), rel=1e-12)


def test_large_integers_in_an_array_are_not_tied() -> None:
    true = xr.DataArray([0, 0, 1, 1, 2, 2], dims="i")
    score = xr.DataArray(np.array(BIG, np.int64), dims="i")
    assert float(true.ordinal.vus(score, classes=LEVELS, ties="strict")) == 1


@pytest.mark.parametrize("kind", ["text", "objects", "dates", "complex"])
def test_what_is_no_score_in_an_array(kind: str) -> None:
    true = xr.DataArray([0, 0, 1, 1, 2, 2], dims="i")
    array = xr.DataArray(np.asarray(NO_SCORES[kind]), dims="i", name="age")
    with pytest.raises(ClassOrderError, match="'age'"):
        true.ordinal.vus(array, classes=LEVELS)


def test_text_in_arrays() -> None:
    true = xr.DataArray([0, 1], dims="i")
    with pytest.raises(ClassOrderError, match=r"'score' holds <U1, not numbers.*astype\(float\)"):
        true.ordinal.vus(xr.DataArray(["a", "b"], dims="i"))
    with pytest.raises(UnknownClassError, match=r"\{'grade': \['0', '1'\]\}"):
        true.ordinal.rps(
            xr.DataArray([[0.5, 0.5]] * 2, dims=("i", "grade"), coords={"grade": ["0", "1"]})
        )


def test_no_models_at_all() -> None:
    true = xr.DataArray([0, 1], dims="i")
    score = xr.DataArray(np.zeros((0, 2)), dims=("model", "i"))
    assert true.ordinal.vus(score).sizes == {"model": 0}


@pytest.mark.parametrize("dim", ["class", "pred", "true", "label"])
def test_the_dimension_of_the_classes_may_have_any_name(dim: str) -> None:
    true = xr.DataArray([2, 2], dims="i")
    proba = xr.DataArray(PROBA[LEVELS].to_numpy(), dims=("i", dim), coords={dim: LEVELS})
    found = true.ordinal.rps(proba, classes=LEVELS)
    assert found.dims == () and float(found) == pytest.approx(0.635)


def test_the_dimension_of_the_classes_is_found_by_its_labels() -> None:
    true = xr.DataArray([2, 2], dims="i")
    values = PROBA[LEVELS].to_numpy()
    proba = xr.DataArray(values, dims=("i", "c"))
    others = [["low", "mid", "top"], [0, 1, 2], ["low", "mid", "mid"]]
    for bad in (proba, *(proba.assign_coords(c=labels) for labels in others)):
        with pytest.raises(UnknownClassError, match=r"\['low', 'mid', 'high'\]"):
            true.ordinal.rps(bad, classes=LEVELS)
    square = xr.DataArray(np.stack([values] * 3), dims=("m", "i", "c"))
    for dim in ("m", "c"):  # three models and three classes
        with pytest.raises(UnknownClassError, match="2 dimensions"):
            true.ordinal.rps(square.assign_coords(m=LEVELS, c=LEVELS), classes=LEVELS)
        found = true.ordinal.rps(square.assign_coords(m=[0, 1, 2], c=LEVELS), classes=LEVELS)
        assert found.dims == ("m",) and dim
        npt.assert_allclose(found, [0.635] * 3)


# sample_weight


@pytest.mark.parametrize("bad", [-1, np.nan, np.inf])
def test_bad_weights(bad: float) -> None:
    true = xr.DataArray([0, 1], dims="i")
    weights = xr.DataArray([1.0, bad], dims="i")
    with pytest.raises(ValueError, match="sample_weight"):
        true.ordinal.confusion(true, sample_weight=weights)


def test_a_weight_array_is_called_by_its_name() -> None:
    labels = xr.DataArray([0, 1], dims="i")
    weight = xr.DataArray([1.0, -1.0], dims="i", name="ww")
    with pytest.raises(ValueError, match="sample_weight 'ww' holds 1 value"):
        labels.ordinal.confusion(labels, sample_weight=weight)


def test_weights_of_arrays() -> None:
    true = xr.DataArray([2, 2], dims="i")
    proba = xr.DataArray(PROBA[LEVELS].to_numpy(), dims=("i", "c"), coords={"c": LEVELS})
    weights = xr.DataArray([3.0, 1.0], dims="i", name="w")
    found = true.ordinal.rps(proba, classes=LEVELS, sample_weight=weights)
    assert float(found) == pytest.approx((3 * 0.53 + 0.74) / 4, rel=1e-12)


def test_refused_weights_of_arrays_are_named() -> None:
    true = xr.DataArray([0, 1], dims="i")
    weights = xr.DataArray([-3.0, -1.0], dims="i", name="w")
    with pytest.raises(ValueError, match="sample_weight 'w' holds 2 values"):
        true.ordinal.vus(true, sample_weight=weights)
    two = xr.concat([true, 1 - true], pd.Index(["a", "b"], name="model"))
    ds = xr.Dataset({"y": true, "p": two, "w": weights, 0: weights})
    for name in ("w", 0):
        with pytest.raises(ValueError, match=f"sample_weight {name!r} holds 2 values"):
            ds.ordinal.compare("y", "p", model="model", sample_weight=name)


def test_weights_over_the_classes_are_refused_in_our_words() -> None:
    true = xr.DataArray([2, 2], dims="i")
    proba = xr.DataArray(PROBA[LEVELS].to_numpy(), dims=("i", "c"), coords={"c": LEVELS})
    with pytest.raises(ValueError, match="sample_weight has the dimension 'c' of the classes"):
        true.ordinal.rps(proba, classes=LEVELS, sample_weight=proba)


# Dask


def no_compute(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("computed")


def test_chunked_labels_are_not_computed() -> None:
    import dask

    true, pred, weight = arrays({"case": 3, "fold": 2})
    dataset = xr.Dataset({"y": true, "p": pred, "w": weight})
    with dask.config.set(scheduler=no_compute):
        cube = true.ordinal.confusion(pred, dim="case", classes=LEVELS, sample_weight=weight)
        scores = [
            cube.ordinal.mae(),
            cube.ordinal.kappa(),
            cube.ordinal.class_mae(),
            cube.ordinal.oci_path(),
            cube.ordinal.normalize("true"),
            dataset.ordinal.mae("y", "p", classes=LEVELS),
            dataset.ordinal.confusion("y", "p", classes=LEVELS, sample_weight="w"),
        ]
        reports = [
            cube.ordinal.report(),
            dataset.ordinal.report("y", "p", classes=LEVELS, sample_weight="w"),
        ]
        assert all(score.chunks for score in scores)
        assert all(report.chunks for report in reports)
    npt.assert_array_equal(
        scores[0].sel(model="k", fold=20),
        po.metrics.mae(table(TRUE[1], PRED[1, 1], WEIGHT[1])),
    )
    assert reports[1]["n"].compute().values.tolist() == [35, 35]


@pytest.mark.parametrize("coords", [{}, {"t": [5, 6, 7]}])
def test_other_numbers_of_cases_are_named(coords: Any) -> None:
    true = xr.DataArray([0, 1, 2], dims="t", coords=coords)
    message = "pred has 2 cases along 't', the true labels have 3: select the same cases in both"
    with pytest.raises(ValueError, match=message):
        true.ordinal.mae(xr.DataArray([0, 1], dims="t"))


@pytest.mark.parametrize("lazy", ["true", "pred", "both"])
def test_chunked_labels_need_classes(lazy: str) -> None:
    true, pred, _ = arrays()
    true = true.chunk() if lazy != "pred" else true
    pred = pred.chunk() if lazy != "true" else pred
    with pytest.raises(ClassOrderError, match=r"classes=\[...\]"):
        true.ordinal.confusion(pred)
    assert int(true.ordinal.confusion(pred, classes=LEVELS).sum()) == 70


def test_errors_in_chunks_are_raised_when_computed() -> None:
    true = xr.DataArray([0, 1, -1, 2], dims="i", name="y").chunk(i=1)
    cube = true.ordinal.confusion(true, classes=LEVELS)
    with pytest.raises(MissingValueError):
        cube.compute()
    weights = xr.DataArray([1.0, -1.0], dims="i").chunk(i=1)
    weighted = true[:2].ordinal.confusion(true[:2], classes=LEVELS, sample_weight=weights)
    with pytest.raises(ValueError, match="sample_weight"):
        weighted.compute()


def test_chunked_truths_need_their_classes() -> None:
    true, score = xr.DataArray([0, 1, 2], dims="i"), xr.DataArray([0.5, 1, 2], dims="i")
    with pytest.raises(ClassOrderError, match="classes="):
        true.chunk(i=1).ordinal.vus(score)
    found = true.ordinal.vus(score.chunk(i=1))
    assert found.chunks is not None and float(found) == 1


# sizes


@pytest.mark.parametrize("chunked", [False, True])
def test_no_cases(chunked: bool) -> None:
    true = xr.DataArray(np.zeros((2, 0), int), dims=("fold", "case"))
    pred = xr.DataArray(np.zeros((3, 2, 0), int), dims=("model", "fold", "case"))
    if chunked:
        true, pred = true.chunk(), pred.chunk()
    cube = true.ordinal.confusion(pred, dim="case", classes=LEVELS)
    assert sorted(cube.shape) == [2, 3, 3, 3] and int(cube.sum()) == 0
    assert np.isnan(cube.ordinal.mae()).all()


def test_no_tables() -> None:
    true, pred, _ = arrays()
    cube = true.ordinal.confusion(pred[:0], dim="case", classes=LEVELS)
    assert dict(cube.sizes) == {"fold": 5, "model": 0, "true": 3, "pred": 3}
    assert cube.ordinal.mae().size == 0


@pytest.mark.parametrize("chunked", [False, True])
def test_no_rankings(chunked: bool) -> None:
    true = xr.DataArray([[0, 1], [1, 2], [2, 0], [1, 1]], dims=("case", "fold"))
    score = xr.DataArray(np.zeros((4, 0)), dims=("case", "model"))
    if chunked:
        true, score = true.chunk(case=2), score.chunk(case=2)
    found = true.ordinal.vus(score, dim="case", classes=LEVELS)
    assert dict(found.sizes) == {"fold": 2, "model": 0}
    assert found.compute().dtype == float


def test_no_labels_tell_no_classes() -> None:
    empty = xr.DataArray(np.zeros(0, int), dims="i")
    with pytest.raises(ClassOrderError, match="classes="):
        empty.ordinal.confusion(empty)


def test_many_tables_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    from pandas_ordinal.dataarrays import tiles as array_blocks

    true, pred, _ = arrays()
    expected = true.ordinal.confusion(pred, dim="case", classes=LEVELS)
    for rows in (1, 7, 8, 20, 21):
        monkeypatch.setattr(array_blocks, "CASES_PER_TILE", rows)
        found = true.ordinal.confusion(pred, dim="case", classes=LEVELS)
        xr.testing.assert_identical(found, expected)


# wrong objects


def test_only_arrays() -> None:
    true, pred, _ = arrays()
    for other in (PRED, PRED.tolist(), None, "pred"):
        with pytest.raises(TypeError, match="pred must be a DataArray"):
            true.ordinal.confusion(other, classes=LEVELS)
    with pytest.raises(TypeError, match="sample_weight must be a DataArray"):
        true.ordinal.confusion(pred, classes=LEVELS, sample_weight=WEIGHT)


@pytest.mark.parametrize("chunks", [None, 2])
@pytest.mark.parametrize(
    ("labels", "error", "told"),
    [
        ([1, True, 0], ClassOrderError, "mixes booleans with numbers"),
        ([0, 1, True], ClassOrderError, "mixes booleans with numbers"),
        ([False, 1.0, None], ClassOrderError, "mixes booleans with numbers"),
        ([[1], 1, 0], UnknownClassError, r"holds \[1\], a list, which cannot be a label"),
    ],
    ids=str,
)
def test_arrays_of_objects_that_are_no_labels(
    chunks: Any, labels: list[Any], error: type[Exception], told: str
) -> None:
    held = np.empty(3, object)
    held[:] = labels
    odd, plain = xr.DataArray(held, dims="i", name="odd"), xr.DataArray([0, 1, 1], dims="i")
    if chunks:
        odd, plain = odd.chunk(-1), plain.chunk(-1)
    for call in (
        lambda: odd.ordinal.confusion(plain, classes=[0, 1], dropna=True),
        lambda: plain.ordinal.confusion(odd, classes=[0, 1], dropna=True),
        lambda: xr.Dataset({"y": odd, "p": plain}).ordinal.mae(
            "y", "p", classes=[0, 1], dropna=True
        ),
        lambda: odd.ordinal.vus(plain, classes=[0, 1], dropna=True),
    ):
        with pytest.raises(error, match=told):
            call().compute()


@pytest.mark.parametrize("dim", [[["i"]], [{}], {}, [pd.NA]], ids=str)
def test_dimensions_are_labels(dim: Any) -> None:
    labels = xr.DataArray([0, 1], dims="i")
    with pytest.raises(TypeError, match="dim= takes the name of a dimension or a list of names"):
        labels.ordinal.confusion(labels, dim=dim)


def test_weights_are_numbers() -> None:
    labels = xr.DataArray([0, 1], dims="i")
    weight = xr.DataArray(["x", "y"], dims="i", name="w")
    with pytest.raises(ValueError, match="'w' must hold numbers: convert it with .astype"):
        labels.ordinal.mae(labels, sample_weight=weight)


def test_lists_of_models_name_variables() -> None:
    labels = xr.DataArray([0, 1], dims="i")
    ds = xr.Dataset({"y": labels, "a": labels, "b": labels})
    with pytest.raises(TypeError, match=r"pred=\['a', \['b'\]\] must be a list of names"):
        ds.ordinal.compare("y", ["a", ["b"]])


@pytest.mark.parametrize(
    ("true", "pred"),
    [(["a", "b", "b"], [0, 1, 0]), ([0, 1, 1], ["a", "b", "a"]), ([0, 1, 1], [0, 1, 0])],
    ids=str,
)
def test_a_code_of_a_class_is_not_left_out(true: list[Any], pred: list[Any]) -> None:
    one, other = xr.DataArray(true, dims="i"), xr.DataArray(pred, dims="i")
    with pytest.raises(ClassOrderError, match=r"\[0\] is in ignore= and the code of .* 'a'"):
        one.ordinal.confusion(other, classes=["a", "b"], ignore=0)


def test_weighted_cases_without_a_cluster_are_left_out() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.integers(0, 3, (60, 2)), columns=["y", "yhat"])
    frame["w"], frame["patient"] = rng.integers(1, 9, 60) / 4, rng.integers(0, 9, 60) * 1.0
    frame.loc[::7, "patient"] = np.nan
    asked = {"ci": 0.9, "cluster": "patient", "sample_weight": "w", "classes": range(3)}
    expected = frame.ordinal.report("y", "yhat", dropna=True, **asked)
    found = frame.to_xarray().ordinal.report("y", "yhat", dropna=True, **asked)
    known = frame.dropna().ordinal.report("y", "yhat", **asked)
    pd.testing.assert_series_equal(expected, known)
    for name, value in expected.items():
        assert float(found[name]) == pytest.approx(value, nan_ok=True)


def wrong(values: Any, name: str | None, **attrs: Any) -> xr.DataArray:
    array = np.array(values)
    return xr.DataArray(array, dims=("i", "k")[: array.ndim], name=name, attrs=attrs)


ONE, OTHER = (xr.DataArray(one, dims="i") for one in ([0, 1, 1], [0, 1, 0]))
FLAGGED = {"flag_values": [0, 1], "flag_meanings": "1 2"}
NAMED: dict[str, tuple[str, Callable[[str | None], object]]] = {
    "true text": ("true", lambda name: wrong(["a", "b", "a"], name).ordinal.mae(OTHER)),
    "pred text": ("pred", lambda name: ONE.ordinal.mae(wrong(["a", "b", "a"], name))),
    "true code": ("true", lambda name: wrong([0, 9, 1], name).ordinal.mae(OTHER, classes=["a"])),
    "pred code": (
        "pred",
        lambda name: ONE.ordinal.mae(wrong([0, 9, 1], name), classes=["a", "b"]),
    ),
    "weights": (
        "sample_weight",
        lambda name: ONE.ordinal.mae(OTHER, sample_weight=wrong([0, 1, -9], name)),
    ),
    "mask": (
        "sample_weight",
        lambda name: ONE.ordinal.mae(OTHER, sample_weight=wrong([True, None, True], name)),
    ),
    "score": ("score", lambda name: ONE.ordinal.vus(wrong([1, 2, np.nan], name))),
    "probabilities": (
        "proba",
        lambda name: ONE.ordinal.rps(wrong([["a", "b"]] * 3, name).assign_coords(k=[0, 1])),
    ),
    "members": (
        "proba",
        lambda name: ONE.ordinal.rps(wrong([[9, 1]] * 3, name), member_dim="k", classes=[0, 1]),
    ),
    "shares of members": (
        "members",
        lambda name: wrong([[9, 1]], name).ordinal.probabilities("k", classes=[0, 1]),
    ),
    "masks": (
        "true",
        lambda name: wrong([1], name, flag_masks=1, flag_meanings="a").ordinal.mae(ONE),
    ),
    "flags of true": (
        "true",
        lambda name: wrong([0, 1, 1], name, **FLAGGED).ordinal.mae(
            OTHER.assign_attrs(FLAGGED | {"flag_meanings": "2 1"}), classes="flags"
        ),
    ),
    "numbers beside flags": (
        "pred",
        lambda name: ONE.assign_attrs(**FLAGGED, class_order="flag_values").ordinal.mae(
            wrong([0, 1, 1], name)
        ),
    ),
    "no flags": ("true", lambda name: wrong([0, 1, 1], name).ordinal.mae(OTHER, classes="flags")),
    "cluster": (
        "cluster",
        lambda name: ONE.ordinal.report(OTHER, cluster=wrong([[0], [1], [1]], name), ci=0.9),
    ),
}


@pytest.mark.parametrize("kind", NAMED)
def test_errors_name_the_array_or_its_option(kind: str) -> None:
    option, call = NAMED[kind]
    with pytest.raises(ValueError, match=f"^[^;]*{option!r}"):
        call(None)
    with pytest.raises(ValueError, match="^[^;]*'forecast'"):
        call("forecast")


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("in_clusters", [False, True])
def test_weights_of_any_size_have_the_same_intervals(in_clusters: bool, chunked: bool) -> None:
    rng = np.random.default_rng(0)
    true, pred = (xr.DataArray(rng.integers(0, 3, 40), dims="i") for _ in range(2))
    weight = xr.DataArray(rng.random(40), dims="i")
    asked: dict[str, Any] = {"metrics": ["mae"], "ci": 0.9, "se": True, "classes": range(3)}
    if in_clusters:
        asked["cluster"] = xr.DataArray(np.arange(40) // 4, dims="i", name="site")
    columns = {
        "y": true.values,
        "yhat": pred.values,
        "w": weight.values,
        "site": np.arange(40) // 4,
    }
    site = "site" if in_clusters else None
    due = pd.DataFrame(columns).ordinal.report(
        "y", "yhat", sample_weight="w", **asked | {"cluster": site}
    )
    if chunked:
        true, pred, weight = true.chunk(i=15), pred.chunk(i=20), weight.chunk()
    for size in (1e-200, 1, 1e200):
        found = true.ordinal.report(pred, sample_weight=weight * size, **asked)
        for name in ("mae", "mae_low", "mae_high", "mae_se"):
            assert float(found[name]) == pytest.approx(float(due[name]))
    none = true.ordinal.report(pred, sample_weight=weight * 0, **asked)
    assert np.isnan(none["mae"]) and np.isnan(none["mae_low"])
