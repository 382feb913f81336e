"""`.ordinal` on a Dataset: its variables are labels, scores and probabilities."""

from __future__ import annotations

from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pytest
import xarray as xr
from labelled import LEVELS, arrays

from pandas_ordinal import MissingValueError

FRAME = brute.frame()
CLASSES = FRAME["y"].cat.categories.tolist()
Y, YHAT, OTHER = (FRAME[name].cat.codes.to_numpy() for name in ("y", "yhat", "other"))


def test_a_dataset_is_its_arrays() -> None:
    true, pred, weight = arrays()
    dataset = xr.Dataset({"y": true, "p": pred, "w": weight})
    for dim in (None, "case", ["fold", "case"]):
        expected = true.ordinal.confusion(pred, dim=dim, classes=LEVELS, sample_weight=weight)
        options: dict[str, Any] = {"dim": dim, "classes": LEVELS, "sample_weight": "w"}
        found = dataset.ordinal.confusion("y", "p", **options)
        xr.testing.assert_identical(found, expected)
        xr.testing.assert_identical(
            dataset.ordinal.mae("y", "p", **options), expected.ordinal.mae()
        )
        report = dataset.ordinal.report("y", "p", metrics=["mae"], **options)
        xr.testing.assert_identical(
            report["mae"].rename(None), expected.ordinal.mae().rename(None)
        )
        rows = true.ordinal.confusion(pred, dim=dim, classes=LEVELS)
        npt.assert_array_equal(report["n"], rows.sum(["true", "pred"]))


def test_unknown_variables() -> None:
    true, pred, _ = arrays()
    dataset = xr.Dataset({"y": true, "p": pred})
    with pytest.raises(KeyError, match="'q'.*'y'"):
        dataset.ordinal.mae("y", "q", classes=LEVELS)
    with pytest.raises(KeyError, match="'w'"):
        dataset.ordinal.mae("y", "p", sample_weight="w", classes=LEVELS)


# reports


def test_the_report_of_a_dataset_counts_cases() -> None:
    dataset = xr.Dataset({"y": ("i", Y), "yhat": ("i", YHAT), "w": ("i", FRAME["w"])})
    for ds in (dataset, dataset.chunk(i=64)):
        report = ds.ordinal.report("y", "yhat", sample_weight="w", classes=CLASSES)
        expected = FRAME.ordinal.report("y", "yhat", sample_weight="w")
        assert list(report) == expected.index.tolist()
        for name, value in expected.items():
            assert float(report[name]) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("weight", [None, "w"])
def test_report_of_a_dataset(cases: xr.Dataset, weight: str | None) -> None:
    given: dict[str, Any] = {"dim": "case", "sample_weight": weight}
    names = ["rps", "mae", "vus"]
    report = cases.ordinal.report(
        "y", "yhat", score="score", proba="proba", metrics=names, **given
    )
    assert list(report.data_vars) == ["n", *names]
    assert report["n"].item() == 40
    for name, second in (("rps", "proba"), ("mae", "yhat"), ("vus", "score")):
        single = getattr(cases.ordinal, name)("y", second, **given)
        xr.testing.assert_allclose(report[name], single)
    every = cases.ordinal.report("y", "yhat", score="score", proba="proba", **given)
    assert {"stc", "vus", "u_pairs", "rps", "log_loss", "brier"} <= set(every.data_vars)


@pytest.mark.parametrize("weight", [None, "w"])
def test_report_of_a_dataset_leaves_the_same_cases_out_of_all(
    cases: xr.Dataset, weight: str | None
) -> None:
    cases["score"][1, 7] = np.nan
    cases["proba"][9, 0] = np.nan
    given: dict[str, Any] = {
        "score": "score", "proba": "proba", "dim": "case", "sample_weight": weight,
        "metrics": ["mae", "vus", "rps"],
    }  # fmt: skip
    with pytest.raises(MissingValueError):
        cases.ordinal.report("y", "yhat", **given)
    report = cases.ordinal.report("y", "yhat", dropna=True, **given)
    assert report["n"].values.tolist() == [39, 38]
    for model, lost in ((0, [9]), (1, [7, 9])):
        alone = cases.isel(model=model).drop_isel(case=lost)
        expected = alone.ordinal.report("y", "yhat", classes=[0, 1, 2], **given)
        xr.testing.assert_allclose(report.isel(model=model), expected)


def test_a_dimension_named_as_a_metric(cases: xr.Dataset) -> None:
    for name in ("vus", "n"):
        with pytest.raises(ValueError, match=f"variable '{name}' with the name of a dimension"):
            cases.rename_dims(model=name).ordinal.report(
                "y", "yhat", score="score", dim="case", metrics=["mae", "vus"]
            )


def test_weights_over_a_dimension_of_the_scores(cases: xr.Dataset) -> None:
    cases["w"] = cases["w"] * xr.DataArray([1, 2], dims="model") ** cases["y"]
    given: dict[str, Any] = {"dim": "case", "sample_weight": "w", "metrics": ["mae", "vus"]}
    report = cases.ordinal.report("y", "yhat", score="score", **given)
    one = cases.isel(model=1).ordinal.report("y", "yhat", score="score", **given)
    xr.testing.assert_allclose(report.isel(model=1), one)


@pytest.mark.parametrize("keep", ["default", True, False])
def test_attributes_of_a_dataset_are_kept_as_by_reductions_of_xarray(keep: Any) -> None:
    dataset = xr.Dataset({"y": ("i", Y), "yhat": ("i", YHAT), "w": ("i", FRAME["w"])})
    dataset.attrs["title"] = "grades"
    dataset["y"].attrs["units"] = "grade"
    with xr.set_options(keep_attrs=keep):
        reduced = dataset.mean()
        for weight in (None, "w"):
            given: dict[str, Any] = {"sample_weight": weight, "classes": CLASSES}
            report = dataset.ordinal.report("y", "yhat", **given)
            assert report.attrs == reduced.attrs
            for found in (*report.values(), dataset.ordinal.mae("y", "yhat", **given)):
                assert found.attrs == {"long_name": found.name, "units": "1"}


def test_names_of_models_may_be_tuples() -> None:
    names = [("m", 1), ("m", 2)]
    dataset = xr.Dataset({"y": ("case", Y), names[0]: ("case", YHAT), names[1]: ("case", OTHER)})
    found = dataset.ordinal.compare("y", names, metrics=["mae", "accuracy"])
    assert found.index.tolist() == [(metric, *names) for metric in ("mae", "accuracy")]
    plain = xr.Dataset({"y": ("case", Y), "a": ("case", YHAT), "b": ("case", OTHER)})
    expected = plain.ordinal.compare("y", ["a", "b"], metrics=["mae", "accuracy"])
    assert found["difference"].tolist() == expected["difference"].tolist()
    assert found["better"].tolist() == [
        {"a": names[0], "b": names[1]}.get(name, name) for name in expected["better"]
    ]
