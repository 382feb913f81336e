"""How labels of arrays are read: Categoricals of frames, wrong names, case by case."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from labelled import LEVELS, arrays

from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError

LEVEL = pd.CategoricalDtype(LEVELS, ordered=True)
FRAME = pd.DataFrame(
    {
        "y": pd.Categorical(["low", "low", "high", "high"], dtype=LEVEL),
        "yhat": pd.Categorical(["low", "high", "high", "low"], dtype=LEVEL),
        "text": ["low", "high", "high", "low"],
        "gap": pd.Categorical(["low", None, "high", "low"], dtype=LEVEL),
        "unordered": pd.Categorical(["low", "high", "high", "low"]),
        "w": [1.0, 2.0, 0.5, 3.0],
    }
)
DATASET = FRAME.to_xarray()


# ordered Categoricals


@pytest.mark.parametrize("pred", ["yhat", "text"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_ordered_categoricals_of_a_frame_tell_their_order(pred: str, weight: str | None) -> None:
    expected = FRAME.ordinal.confusion("y", pred, sample_weight=weight)
    found = DATASET.ordinal.confusion("y", pred, sample_weight=weight)
    xr.testing.assert_identical(found, expected)
    assert float(DATASET["y"].ordinal.mae(DATASET[pred])) == FRAME.ordinal.mae("y", pred)
    report = DATASET.ordinal.report("y", pred, sample_weight=weight, metrics=["mae", "oci"])
    rows = FRAME.ordinal.report("y", pred, sample_weight=weight, metrics=["mae", "oci"])
    assert {name: float(value) for name, value in report.items()} == pytest.approx(rows.to_dict())


@pytest.mark.parametrize(("true", "pred"), [("y", "code"), ("code", "y")])
def test_codes_beside_ordered_categoricals(true: str, pred: str) -> None:
    codes = DATASET.assign(code=("index", FRAME["yhat"].cat.codes.to_numpy()))
    assert float(codes.ordinal.mae(true, pred)) == FRAME.ordinal.mae("y", "yhat")


def test_categoricals_pass_the_gate() -> None:
    with pytest.raises(MissingValueError, match="'gap' holds 1 missing"):
        DATASET.ordinal.mae("y", "gap")
    assert float(DATASET.ordinal.report("y", "gap", dropna=True, metrics=["mae"])["n"]) == 3
    with pytest.raises(ClassOrderError, match="'unordered'.*declares no order"):
        DATASET.ordinal.mae("unordered", "unordered")
    assert float(DATASET.ordinal.mae("y", "unordered")) == FRAME.ordinal.mae("y", "unordered")
    with pytest.raises(ClassOrderError, match="high < mid < low"):
        DATASET.ordinal.mae("y", "yhat", classes=LEVELS[::-1])
    with pytest.raises(UnknownClassError, match="'top'"):
        FRAME.assign(text="top").to_xarray().ordinal.mae("y", "text")
    with pytest.raises(ClassOrderError, match="'text' holds .* labels, which have no order"):
        DATASET.ordinal.mae("text", "text")
    ignored = DATASET.ordinal.confusion("y", "yhat", ignore="mid")
    assert ignored.indexes["true"].tolist() == ["low", "high"]


def test_integers_too_far_apart_for_classes_take_no_memory() -> None:
    far = xr.DataArray([-(2**62), 3, 2**62], dims="i", name="y")
    with pytest.raises(
        ClassOrderError, match=f"from {-(2**62)} to {2**62}, too many or too large"
    ):
        far.ordinal.mae(far, dim="i")


# wrong names


def test_a_dimension_that_is_not_there_is_suggested() -> None:
    true, pred, _ = arrays()
    ds = xr.Dataset({"y": true, "p": pred})
    for call in (
        lambda dim: true.ordinal.mae(pred, dim=dim),
        lambda dim: true.ordinal.report(pred, dim=[dim]),
        lambda dim: ds.ordinal.mae("y", "p", dim=["fold", dim]),
        lambda dim: true.ordinal.vus(pred, dim=dim),
    ):
        with pytest.raises(ValueError, match="no dimension 'csae'.*did you mean 'case'"):
            call("csae")


def test_several_variables_are_refused_with_a_way_to_score_them() -> None:
    true, pred, weight = arrays()
    one, other = (pred.isel(model=k, drop=True) for k in range(2))
    ds = xr.Dataset({"y": true, "a": one, "b": other, "w": weight})
    given: dict[str, Any] = {"classes": LEVELS}
    for call in (ds.ordinal.mae, ds.ordinal.report, ds.ordinal.confusion):
        with pytest.raises(
            TypeError, match=r"pred= takes the name of one.*to_dataarray\('model'\)"
        ):
            call("y", ["a", "b"], **given)
    with pytest.raises(TypeError, match="pred= takes the name of one variable, not a"):
        ds.ordinal.mae("y", pd.Index(["a"]), **given)
    with pytest.raises(
        TypeError, match=r"not a DataArray: add the array to the Dataset with ds\.assign\(pred="
    ):
        ds.ordinal.mae("y", true, **given)
    together = ds.assign(pred=ds[["a", "b"]].to_dataarray("model"))
    npt.assert_array_equal(together.ordinal.mae("y", "pred", **given), true.ordinal.mae(pred))
    with pytest.raises(TypeError, match=r"not a list: combine several with xr\.concat"):
        true.ordinal.mae([pred, pred])
    with pytest.raises(KeyError, match="no variable 'A'; did you mean 'a'"):
        ds.ordinal.mae("y", "A", **given)


# case by case


@pytest.mark.parametrize("chunks", [None, {"case": 3, "fold": 2}])
def test_no_dimension_scores_case_by_case(chunks: Any) -> None:
    true, pred, _ = arrays(chunks)
    rng = np.random.default_rng(0)
    values = rng.dirichlet([1, 1, 1], (5, 7))
    coords = {"fold": true["fold"], "case": true["case"], "c": LEVELS}
    proba = xr.DataArray(values, coords, ("fold", "case", "c"))
    if chunks:
        proba = proba.chunk(chunks)
    given: dict[str, Any] = {"classes": LEVELS, "dim": []}
    rps = true.ordinal.rps(proba, **given)
    assert rps.sizes == true.sizes
    brier = true.ordinal.brier(proba, **given).compute()
    labels = true.values
    for i in range(5):
        for j in range(7):
            at_most = [float(labels[i, j] <= k) for k in range(3)]
            cumulated = np.cumsum(values[i, j])
            one = sum((cumulated[k] - at_most[k]) ** 2 for k in range(2))
            assert float(rps.compute()[i, j]) == pytest.approx(one)
            hit = [float(labels[i, j] == k) for k in range(3)]
            one = sum((values[i, j, k] - hit[k]) ** 2 for k in range(3))
            assert float(brier[i, j]) == pytest.approx(one)
    whole = true.ordinal.rps(proba, classes=LEVELS)
    assert float(rps.mean()) == pytest.approx(float(whole))
    error = true.ordinal.mae(pred, **given)
    npt.assert_array_equal(error, abs(true - pred).transpose(*error.dims))


# reports of two arrays


@pytest.mark.parametrize("chunks", [None, {"case": 3}])
def test_reports_of_arrays_are_those_of_a_dataset(chunks: Any) -> None:
    true, pred, weight = arrays(chunks)
    ds = xr.Dataset({"y": true, "p": pred, "w": weight})
    for dim in ("case", None):
        given: dict[str, Any] = {"dim": dim, "classes": LEVELS, "metrics": ["mae", "kappa"]}
        found = true.ordinal.report(pred, sample_weight=weight, **given)
        expected = ds.ordinal.report("y", "p", sample_weight="w", **given)
        xr.testing.assert_identical(found, expected)
    scored = true.ordinal.report(score=pred.astype(float), dim="case", classes=LEVELS)
    assert list(scored.data_vars) == ["n", "vus", "u_pairs"]
