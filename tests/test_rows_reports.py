"""Reports that show metrics of scores and of probabilities beside those of labels."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import MissingValueError, UnknownClassError
from pandas_ordinal.metrics import registry

DEFAULT = "accuracy accuracy_within mae amae mmae kappa kendall_tau r_int oci stc".split()
RANKING = ["vus", "u_pairs"]
FORECAST = ["rps", "log_loss", "brier"]
OF_COUNTS = [m.name for m in registry.values() if m.needs == "counts"]

FRAME = brute.scored(300)
CLASSES = FRAME["y"].cat.categories.tolist()
MIXED = [CLASSES[position] for position in (1, 3, 0, 2)]
WIDE = FRAME.join(
    FRAME[CLASSES[::-1]].set_axis([f"other {c}" for c in CLASSES], axis=1)  # another forecast
)
SECOND = {c: f"other {c}" for c in CLASSES}


def single(df: Any, name: str, pred: str, score: Any, proba: Any, **options: Any) -> Any:
    """One metric, asked by name."""
    beside = {"scores": score, "probabilities": proba}.get(registry[name].needs, pred)
    return getattr(df.ordinal, name)("y", beside, **options)


# what it shows


def test_scores_and_probabilities_add_their_metrics() -> None:
    report = FRAME.ordinal.report
    assert report("y", "yhat").index.tolist() == ["n", *DEFAULT]
    ranked = report("y", "yhat", score="score")
    assert ranked.index.tolist() == ["n", *DEFAULT, *RANKING]
    forecast = report("y", "yhat", proba=MIXED)
    assert forecast.index.tolist() == ["n", *DEFAULT, *FORECAST]
    for both in (
        report("y", "yhat", score="score", proba=MIXED),
        report("y", "yhat", proba=MIXED, score="score"),
    ):
        assert both.index.tolist() == ["n", *DEFAULT, *RANKING, *FORECAST]
        assert both.dtype == float
        for name in DEFAULT + RANKING + FORECAST:
            assert both[name] == single(FRAME, name, "yhat", "score", MIXED), name
        pd.testing.assert_series_equal(both[ranked.index], ranked)
        pd.testing.assert_series_equal(both[forecast.index], forecast)


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("by", [None, "g", ["g", "fold"]], ids=str)
def test_a_report_is_its_single_calls(by: Any, weight: str | None) -> None:
    o: dict[str, Any] = {"by": by, "sample_weight": weight}
    report = FRAME.ordinal.report("y", "yhat", score="score", proba=MIXED, **o)
    n = FRAME.assign(n=1).groupby(by)["n"].sum() if by else len(FRAME)
    npt.assert_array_equal(report["n"], n)
    for name in DEFAULT + RANKING + FORECAST:
        found = single(FRAME, name, "yhat", "score", MIXED, **o)
        npt.assert_allclose(report[name], found, rtol=1e-12, err_msg=name)
        if by:
            assert report.index.equals(found.index)
    if by:
        grouped = FRAME.groupby(by).ordinal.report(
            "y", "yhat", score="score", proba=MIXED, sample_weight=weight
        )
        pd.testing.assert_frame_equal(grouped, report)


@pytest.mark.parametrize("weight", [None, "w"])
def test_series(weight: str | None) -> None:
    weights = None if weight is None else FRAME[weight]
    report = FRAME["y"].ordinal.report(
        FRAME["yhat"], score=FRAME["score"], proba=FRAME[MIXED], sample_weight=weights
    )
    expected = FRAME.ordinal.report("y", "yhat", score="score", proba=MIXED, sample_weight=weight)
    pd.testing.assert_series_equal(report, expected)


def test_metrics_by_name_in_their_order() -> None:
    names = ["brier", "mae", "vus_se", "vus", "rps", "u_cons", "kappa"]
    for order in (names, names[::-1]):
        report = FRAME.ordinal.report(
            "y", "yhat", metrics=order, score="score", proba=MIXED, by="g"
        )
        assert report.columns.tolist() == ["n", *order]
        for name in order:
            found = single(FRAME, name, "yhat", "score", MIXED, by="g")
            npt.assert_array_equal(report[name], found)
    only = FRAME.ordinal.report("y", "yhat", metrics=["vus"], score="score")
    assert only.index.tolist() == ["n", "vus"] and only["n"] == len(FRAME)
    none = FRAME.ordinal.report("y", "yhat", metrics=[], score="score", proba=MIXED)
    assert none.index.tolist() == ["n"]


def test_all_metrics_of_one_number() -> None:
    def reported(needs: list[str]) -> list[str]:
        return [
            m.name
            for m in registry.values()
            if m.needs in needs and not m.output and not m.required
        ]

    options: list[tuple[dict[str, Any], list[str]]] = [
        ({}, ["counts"]),
        ({"score": "score"}, ["counts", "scores"]),
        ({"proba": MIXED}, ["counts", "probabilities"]),
        ({"score": "score", "proba": MIXED}, ["counts", "scores", "probabilities"]),
    ]
    for given, needs in options:
        report = FRAME.ordinal.report("y", "yhat", metrics="all", **given)
        assert sorted(report.index) == sorted(["n", *reported(needs)])
        for name in reported(needs):
            assert report[name] == single(FRAME, name, "yhat", "score", MIXED), name
    assert "vus_cov" not in report.index


def test_functions_by_name_of_their_column() -> None:
    def hits(counts: np.ndarray) -> Any:
        return np.trace(counts, axis1=-2, axis2=-1)

    metrics = {
        "strict": partial(po.metrics.vus, ties="strict"),
        "vus": po.metrics.vus,
        "whole": partial(po.metrics.vus_se, method="u_statistic"),
        "hits": hits,
        "normalized": partial(po.metrics.rps, normalized=True),
        "linear": partial(po.metrics.kappa, weights="linear"),
        "loss": po.metrics.log_loss,
    }
    given: dict[str, Any] = {"metrics": metrics, "score": "score", "proba": MIXED}
    o: dict[str, Any] = {"by": "g"}
    expected = {
        "strict": FRAME.ordinal.vus("y", "score", ties="strict", **o),
        "vus": FRAME.ordinal.vus("y", "score", **o),
        "whole": FRAME.ordinal.vus_se("y", "score", method="u_statistic", **o),
        "hits": (FRAME["y"] == FRAME["yhat"]).groupby(FRAME["g"]).sum(),
        "normalized": FRAME.ordinal.rps("y", MIXED, normalized=True, **o),
        "linear": FRAME.ordinal.kappa("y", "yhat", weights="linear", **o),
        "loss": FRAME.ordinal.log_loss("y", MIXED, **o),
    }
    for report in (
        FRAME.ordinal.report("y", "yhat", **given, **o),
        FRAME.groupby("g").ordinal.report("y", "yhat", **given),
    ):
        assert report.columns.tolist() == ["n", *metrics]
        for label, values in expected.items():
            npt.assert_allclose(report[label], values, rtol=1e-12, err_msg=label)


def test_bins_beside_scores() -> None:
    edges = [0, 1, 3, 4, 9]
    report = FRAME.ordinal.report("y", "yhat", score="score", proba=MIXED, bins=edges)
    names = [*DEFAULT[:-1], "interval_stc", *RANKING, *FORECAST]
    assert report.index.tolist() == ["n", *names]
    assert report["rps"] == FRAME.ordinal.rps("y", MIXED)
    assert report["vus"] == FRAME.ordinal.vus("y", "score")
    expected = FRAME.ordinal.interval_stc("y", "yhat", bins=edges)
    assert report["interval_stc"] == pytest.approx(expected, rel=1e-12)


def test_classes_given_by_hand() -> None:
    text = FRAME.astype({"y": object, "yhat": object})
    report = text.ordinal.report("y", "yhat", score="score", proba=MIXED, classes=CLASSES)
    expected = FRAME.ordinal.report("y", "yhat", score="score", proba=MIXED)
    pd.testing.assert_series_equal(report, expected)


def test_classes_of_truth_and_prediction_together() -> None:
    df = pd.DataFrame({"y": [0, 1, 1], "yhat": [0, 2, 1], "score": [1, 2, 3]})
    df[[0, 1, 2]] = [[0.5, 0.5, 0], [0.25, 0.5, 0.25], [0, 0, 1]]
    report = df.ordinal.report(
        "y", "yhat", score="score", proba=[2, 1, 0], metrics=["mae", "vus", "rps", "u_pairs"]
    )
    assert np.isnan(report["vus"]) and report["u_pairs"] == 1  # nothing is truly of class 2
    expected = np.mean([0.5**2, 0.25**2 + 0.25**2, 1])
    assert report["rps"] == pytest.approx(expected, rel=1e-12)


# several models


def test_a_list_of_predictions_with_lists_beside_it() -> None:
    for by in (None, "g", ["g", "fold"]):
        report = WIDE.ordinal.report(
            "y", ["yhat", "other"], score=["score", "second"], proba=[MIXED, SECOND], by=by
        )
        names = ["n", *DEFAULT, *RANKING, *FORECAST]
        assert report.columns.tolist() == names
        assert report.index.names == [*([by] if isinstance(by, str) else by or []), "model"]
        for pred, score, proba in (("yhat", "score", MIXED), ("other", "second", SECOND)):
            one = WIDE.ordinal.report("y", pred, score=score, proba=proba, by=by)
            found = report.loc[pred] if by is None else report.xs(pred, level="model")
            npt.assert_allclose(found, one, rtol=1e-12)
        if by is not None:
            grouped = WIDE.groupby(by).ordinal.report(
                "y", ["yhat", "other"], score=["score", "second"], proba=[MIXED, SECOND]
            )
            pd.testing.assert_frame_equal(grouped, report)


def test_models_may_share_a_score() -> None:
    report = FRAME.ordinal.report("y", ["yhat", "other"], score=["score", "score"])
    assert report["vus"].tolist() == [FRAME.ordinal.vus("y", "score")] * 2
    one = FRAME.ordinal.report("y", ["yhat"], score=["score"], proba=[MIXED])
    assert one.index.tolist() == ["yhat"] and one.index.name == "model"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"score": "score"}, "score='score'.*2 prediction columns.*'yhat', 'other'"),
        ({"score": ["score"]}, "score=.*2 prediction columns"),
        ({"score": ["score", "second", "score"]}, "score=.*2 prediction columns"),
        ({"proba": SECOND}, "proba=.*2 prediction columns"),
        ({"proba": [MIXED]}, "proba=.*2 prediction columns"),
        ({"proba": [MIXED, SECOND, MIXED]}, "proba=.*2 prediction columns"),
        ({"proba": MIXED}, "proba=.*2 prediction columns"),
    ],
    ids=str,
)
def test_lists_of_another_length(given: dict[str, Any], message: str) -> None:
    for surface in (WIDE, WIDE.groupby("g")):
        with pytest.raises(ValueError, match=message):
            surface.ordinal.report("y", ["yhat", "other"], **given)


def test_lists_beside_a_single_prediction() -> None:
    for surface in (WIDE, WIDE.groupby("g")):
        with pytest.raises(TypeError, match="score="):
            surface.ordinal.report("y", "yhat", score=["score"])
        with pytest.raises((TypeError, ValueError), match="proba="):
            surface.ordinal.report("y", "yhat", proba=[MIXED])
        with pytest.raises(TypeError, match="proba="):
            surface.ordinal.report("y", "yhat", proba="score")


# what it lacks


@pytest.mark.parametrize(
    ("metrics", "given", "message"),
    [
        (["vus"], {}, "vus.*score="),
        (["mae", "u_pairs"], {}, "u_pairs.*score="),
        (["rps"], {}, "rps.*proba="),
        (["rps"], {"score": "score"}, "rps.*proba="),
        (["vus"], {"proba": MIXED}, "vus.*score="),
        ({"x": po.metrics.vus}, {}, "vus.*score="),
        ({"x": partial(po.metrics.rps, normalized=True)}, {}, "rps.*proba="),
        (["vus_cov"], {"score": "score"}, r"vus_cov.*\.ordinal\.vus_cov"),
        (["vus_cov"], {}, "vus_cov"),
        ({"x": partial(po.metrics.vus_cov, other=[1])}, {"score": "score"}, "vus_cov"),
        (["pairwise_auc"], {"score": "score"}, r"pairwise_auc.*\.ordinal\.pairwise_auc"),
        (["consecutive_auc"], {"score": "score"}, r"\.ordinal\.consecutive_auc"),
        ({"x": po.metrics.consecutive_auc}, {"score": "score"}, "consecutive_auc"),
        ({"x": partial(po.metrics.vus, ties="none")}, {"score": "score"}, "ties='none'"),
        (["vos"], {"score": "score"}, "'vos'"),
        (["u_pair"], {"score": "score"}, "did you mean 'u_pairs'"),
        (["vus", "vus"], {"score": "score"}, "different names"),
    ],
    ids=str,
)
def test_refused_metrics(metrics: Any, given: dict[str, Any], message: str) -> None:
    for surface in (FRAME, FRAME.groupby("g")):
        with pytest.raises(ValueError, match=message):
            surface.ordinal.report("y", "yhat", metrics=metrics, **given)


def test_a_cube_has_no_scores() -> None:
    cube = FRAME.ordinal.confusion("y", "yhat", by="g")
    for metrics in (["vus"], ["mae", "rps"], {"x": po.metrics.brier}):
        with pytest.raises(ValueError, match="vus|rps|brier"):
            cube.ordinal.report(metrics=metrics)
    assert list(cube.ordinal.report(metrics="all")) == [
        "n",
        *(name for name in OF_COUNTS if not registry[name].output and not registry[name].required),
    ]


def test_columns_that_are_none() -> None:
    for surface in (FRAME, FRAME.groupby("g")):
        with pytest.raises(KeyError, match="did you mean 'score'"):
            surface.ordinal.report("y", "yhat", score="scores")
        with pytest.raises(UnknownClassError, match="classes are"):
            surface.ordinal.report("y", "yhat", proba=MIXED[:2])
    with pytest.raises(ValueError, match="index of score"):
        FRAME["y"].ordinal.report(FRAME["yhat"], score=FRAME["score"][::-1])
    with pytest.raises(ValueError, match="index of proba"):
        FRAME["y"].ordinal.report(FRAME["yhat"], proba=FRAME[MIXED][::-1])
    with pytest.raises(TypeError, match="score must be a Series"):
        FRAME["y"].ordinal.report(FRAME["yhat"], score="score")
    with pytest.raises(TypeError, match="proba must be a DataFrame"):
        FRAME["y"].ordinal.report(FRAME["yhat"], proba=MIXED)


# one set of rows


def test_a_row_without_one_input_is_left_out_of_all_metrics() -> None:
    df = FRAME.copy()
    df.loc[0:4, "score"] = np.nan
    df.loc[3:9, MIXED[0]] = np.nan
    df.loc[8:20, "yhat"] = np.nan
    df.loc[[20, 30], "y"] = np.nan
    df.loc[[0, 40], "g"] = None
    kept = df.dropna(subset=["y", "yhat", "score", *MIXED])
    given: dict[str, Any] = {"score": "score", "proba": MIXED}
    report = df.ordinal.report("y", "yhat", dropna=True, **given)
    assert report["n"] == len(kept) == 300 - 22
    npt.assert_allclose(report, kept.ordinal.report("y", "yhat", **given), rtol=1e-12)
    of_series = df["y"].ordinal.report(df["yhat"], score=df["score"], proba=df[MIXED], dropna=True)
    pd.testing.assert_series_equal(of_series, report)
    by = df.ordinal.report("y", "yhat", by="g", dropna=True, sample_weight="w", **given)
    expected = kept.dropna(subset="g").ordinal.report(
        "y", "yhat", by="g", sample_weight="w", **given
    )
    pd.testing.assert_frame_equal(by, expected)
    grouped = df.groupby("g").ordinal.report("y", "yhat", dropna=True, sample_weight="w", **given)
    pd.testing.assert_frame_equal(grouped, expected)
    without = df.ordinal.report("y", "yhat", dropna=True)
    assert without["n"] == len(df.dropna(subset=["y", "yhat"]))
    unshown = df.ordinal.report("y", "yhat", dropna=True, metrics=["mae"], **given)
    assert unshown["n"] == len(kept) and unshown["mae"] == report["mae"]


@pytest.mark.parametrize(
    ("column", "shown"), [("score", "score"), ("yhat", "yhat"), ("y", "y"), (MIXED[1], MIXED[1])]
)
def test_missing_values_are_refused(column: str, shown: str) -> None:
    df = FRAME.copy()
    df.loc[[7, 9], column] = np.nan
    given: dict[str, Any] = {"score": "score", "proba": MIXED}
    for call in (
        lambda: df.ordinal.report("y", "yhat", **given),
        lambda: df.ordinal.report("y", "yhat", by="g", metrics=["mae"], **given),
        lambda: df.groupby("g").ordinal.report("y", "yhat", **given),
        lambda: df["y"].ordinal.report(df["yhat"], score=df["score"], proba=df[MIXED]),
    ):
        with pytest.raises(MissingValueError, match=f"'{shown}' holds 2 missing values"):
            call()


def test_rows_are_left_out_model_by_model() -> None:
    df = WIDE.copy()
    df.loc[:9, "score"] = np.nan
    df.loc[5:30, "other"] = np.nan
    df.loc[[50, 60], SECOND[CLASSES[0]]] = np.nan
    df.loc[70, "y"] = np.nan
    report = df.ordinal.report(
        "y", ["yhat", "other"], score=["score", "second"], proba=[MIXED, SECOND], dropna=True
    )
    for pred, score, proba in (("yhat", "score", MIXED), ("other", "second", SECOND)):
        columns = proba if isinstance(proba, list) else list(proba.values())
        kept = df.dropna(subset=["y", pred, score, *columns])
        assert report.loc[pred, "n"] == len(kept)
        expected = kept.ordinal.report("y", pred, score=score, proba=proba)
        npt.assert_allclose(report.loc[pred], expected, rtol=1e-12)


def test_a_group_whose_rows_are_all_left_out() -> None:
    df = FRAME.copy()
    df.loc[df["g"] == "b", "score"] = np.nan
    report = df.ordinal.report("y", "yhat", score="score", by="g", dropna=True)
    assert report.index.tolist() == ["a", "b", "c"]
    assert report.loc["b", "n"] == 0 and report.loc["b"].drop("n").isna().all()
    kept = df[df["g"] != "b"].ordinal.report("y", "yhat", score="score", by="g")
    pd.testing.assert_frame_equal(report.loc[["a", "c"]], kept)


# quiet, and nothing changed


def test_reports_are_silent() -> None:
    df = FRAME[FRAME["y"] != CLASSES[1]].copy()
    df.loc[df["g"] == "b", "y"] = CLASSES[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for metrics in (None, "all", ["vus", "rps"], {"x": po.metrics.vus}):
            given: dict[str, Any] = {"score": "score", "proba": MIXED, "metrics": metrics}
            report = df.ordinal.report("y", "yhat", by="g", **given)
            assert report.isna().any(axis=None)
            df.groupby("g").ordinal.report("y", "yhat", **given)
            df.ordinal.report("y", "yhat", **given)
            empty = df[:0].ordinal.report("y", "yhat", **given)
            assert empty["n"] == 0 and empty.drop("n").isna().all()
            assert len(df[:0].ordinal.report("y", "yhat", by="g", **given)) == 0
            df["y"].ordinal.report(df["yhat"], score=df["score"], proba=df[MIXED], metrics=metrics)


def test_nothing_is_changed() -> None:
    df = FRAME.copy()
    df.loc[:3, ["y", "yhat", "score", *MIXED]] = np.nan
    before = df.copy()
    given: dict[str, Any] = {"score": "score", "proba": MIXED, "dropna": True}
    df.ordinal.report("y", "yhat", by="g", sample_weight="w", **given)
    df.groupby("g").ordinal.report("y", "yhat", **given)
    pd.testing.assert_frame_equal(df, before)


def test_the_order_of_rows_does_not_matter() -> None:
    given: dict[str, Any] = {"score": "score", "proba": MIXED, "by": "g", "metrics": "all"}
    expected = FRAME.ordinal.report("y", "yhat", **given)
    for seed in range(3):
        shuffled = FRAME.sample(frac=1, random_state=seed)
        found = shuffled.ordinal.report("y", "yhat", **given)
        pd.testing.assert_frame_equal(found, expected, rtol=1e-13)
    zeros = FRAME.set_axis(np.zeros(len(FRAME)))
    pd.testing.assert_frame_equal(zeros.ordinal.report("y", "yhat", **given), expected)


@pytest.fixture
def arrays() -> xr.Dataset:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, 40)
    proba = rng.dirichlet([1, 1, 1], 40)
    return xr.Dataset(
        {
            "y": ("case", true),
            "yhat": ("case", rng.integers(0, 3, 40)),
            "score": (("model", "case"), true + rng.normal(size=(2, 40))),
            "proba": (("case", "grade"), proba[:, ::-1]),
            "w": ("case", rng.random(40)),
        },
        {"grade": [2, 1, 0]},
    )


@pytest.mark.parametrize("weight", [None, "w"])
def test_report_of_a_dataset(arrays: xr.Dataset, weight: str | None) -> None:
    given: dict[str, Any] = {"dim": "case", "sample_weight": weight}
    names = ["rps", "mae", "vus"]
    report = arrays.ordinal.report(
        "y", "yhat", score="score", proba="proba", metrics=names, **given
    )
    assert list(report.data_vars) == ["n", *names]
    assert report["n"].item() == 40
    for name, second in (("rps", "proba"), ("mae", "yhat"), ("vus", "score")):
        single = getattr(arrays.ordinal, name)("y", second, **given)
        xr.testing.assert_allclose(report[name], single)
    every = arrays.ordinal.report("y", "yhat", score="score", proba="proba", **given)
    assert {"stc", "vus", "u_pairs", "rps", "log_loss", "brier"} <= set(every.data_vars)


@pytest.mark.parametrize("weight", [None, "w"])
def test_report_of_a_dataset_leaves_the_same_cases_out_of_all(
    arrays: xr.Dataset, weight: str | None
) -> None:
    arrays["score"][1, 7] = np.nan
    arrays["proba"][9, 0] = np.nan
    given: dict[str, Any] = {
        "score": "score", "proba": "proba", "dim": "case", "sample_weight": weight,
        "metrics": ["mae", "vus", "rps"],
    }  # fmt: skip
    with pytest.raises(MissingValueError):
        arrays.ordinal.report("y", "yhat", **given)
    report = arrays.ordinal.report("y", "yhat", dropna=True, **given)
    assert report["n"].values.tolist() == [39, 38]
    for model, lost in ((0, [9]), (1, [7, 9])):
        alone = arrays.isel(model=model).drop_isel(case=lost)
        expected = alone.ordinal.report("y", "yhat", classes=[0, 1, 2], **given)
        xr.testing.assert_allclose(report.isel(model=model), expected)


def test_a_dimension_named_as_a_metric(arrays: xr.Dataset) -> None:
    for name in ("vus", "n"):
        with pytest.raises(ValueError, match=f"variable '{name}' beside the dimension"):
            arrays.rename_dims(model=name).ordinal.report(
                "y", "yhat", score="score", dim="case", metrics=["mae", "vus"]
            )


def test_weights_over_a_dimension_of_the_scores(arrays: xr.Dataset) -> None:
    arrays["w"] = arrays["w"] * xr.DataArray([1, 2], dims="model") ** arrays["y"]
    given: dict[str, Any] = {"dim": "case", "sample_weight": "w", "metrics": ["mae", "vus"]}
    report = arrays.ordinal.report("y", "yhat", score="score", **given)
    one = arrays.isel(model=1).ordinal.report("y", "yhat", score="score", **given)
    xr.testing.assert_allclose(report.isel(model=1), one)


@pytest.mark.parametrize("option", ["n_classes", "sample_weight", "tie"])
def test_options_that_a_report_has_no_place_for(option: str) -> None:
    scorer = partial(po.metrics.vus, **{option: 1})
    with pytest.raises(ValueError, match=f"vus takes no option {option}="):
        FRAME.ordinal.report("y", "yhat", score="score", metrics={"v": scorer})


# without predicted classes


def test_a_report_of_scores_or_probabilities_alone(arrays: xr.Dataset) -> None:
    given: dict[str, Any] = {"score": "score", "proba": MIXED}
    names = ["vus", "u_pairs", "rps", "log_loss", "brier"]
    whole = FRAME.ordinal.report("y", "yhat", by="g", sample_weight="w", **given)
    alone = FRAME.ordinal.report("y", by="g", sample_weight="w", **given)
    assert list(alone) == ["n", *names]
    pd.testing.assert_frame_equal(alone, whole[["n", *names]])
    grouped = FRAME.groupby("g").ordinal.report("y", sample_weight="w", **given)
    pd.testing.assert_frame_equal(grouped, alone)
    one = FRAME["y"].ordinal.report(score=FRAME["score"], proba=FRAME[MIXED])
    assert one.index.tolist() == ["n", *names]
    pd.testing.assert_series_equal(one, FRAME.ordinal.report("y", **given))
    only = FRAME.ordinal.report("y", proba=MIXED, metrics=["rps", "brier"])
    assert only.index.tolist() == ["n", "rps", "brier"]
    both = FRAME.assign(second=-FRAME["score"]).ordinal.report("y", score=["score", "second"])
    assert both.index.tolist() == ["score", "second"] and both.index.name == "model"
    pairs = FRAME.ordinal.u_pairs("y", "score")
    np.testing.assert_allclose(both["u_pairs"], [pairs, 1 - pairs], rtol=1e-12)
    report = arrays.ordinal.report("y", score="score", proba="proba", dim="case")
    assert list(report) == ["n", *names] and int(report["n"]) == 40
    xr.testing.assert_allclose(report["vus"], arrays.ordinal.vus("y", "score", dim="case"))


def test_a_report_without_predicted_classes_has_none_of_their_metrics() -> None:
    for metrics in (["mae"], {"MAE": po.metrics.mae}, ["vus", "interval_mae"]):
        for report in (FRAME.ordinal.report, FRAME.groupby("g").ordinal.report):
            with pytest.raises(ValueError, match="pred=, the predicted classes"):
                report("y", score="score", metrics=metrics)
    every = FRAME.ordinal.report("y", score="score", metrics="all")
    assert "mae" not in every and {"vus", "u_cons"} <= set(every.index)
    for nothing in (lambda: FRAME.ordinal.report("y"), FRAME["y"].ordinal.report):
        with pytest.raises(ValueError, match="give pred=, score= or proba="):
            nothing()


def test_missing_values_without_predicted_classes(arrays: xr.Dataset) -> None:
    df = FRAME.copy()
    df.loc[df.index[:4], "score"] = np.nan
    with pytest.raises(MissingValueError):
        df.ordinal.report("y", score="score")
    report = df.ordinal.report("y", score="score", proba=MIXED, dropna=True)
    expected = df[4:].ordinal.report("y", score="score", proba=MIXED)
    pd.testing.assert_series_equal(report, expected)
    arrays["score"][1, 7] = np.nan
    report = arrays.ordinal.report("y", score="score", proba="proba", dim="case", dropna=True)
    assert report["n"].values.tolist() == [40, 39]
