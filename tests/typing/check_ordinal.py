"""What type checkers see of `po.ordinal(...)`; read by mypy and pyright, never run."""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from functools import partial
from typing import Any, TypeAlias, assert_type

import dask.dataframe as dd
import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr
from matplotlib.axes import Axes
from pandas.io.formats.style import Styler

import pandas_ordinal as po
from pandas_ordinal.accessors.array import ArrayOrdinal
from pandas_ordinal.accessors.dask_frame import DaskOrdinal
from pandas_ordinal.accessors.dataset import DatasetOrdinal
from pandas_ordinal.accessors.frame import FrameOrdinal
from pandas_ordinal.accessors.groupby import GroupByOrdinal
from pandas_ordinal.accessors.series import SeriesOrdinal
from pandas_ordinal.accessors.tree import TreeOrdinal
from pandas_ordinal.classes.arrow import ArrowTable

Values: TypeAlias = np.float64 | npt.NDArray[np.float64]


def entry(df: pd.DataFrame, series: pd.Series[Any], cube: xr.DataArray, ds: xr.Dataset) -> None:
    assert_type(po.ordinal(df), FrameOrdinal)
    assert_type(po.ordinal(series), SeriesOrdinal)
    assert_type(po.ordinal(df["y"]), SeriesOrdinal)
    assert_type(po.ordinal(df.groupby("g")), GroupByOrdinal)
    assert_type(po.ordinal(df.groupby(["g", "h"])), GroupByOrdinal)
    assert_type(po.ordinal(cube), ArrayOrdinal)
    assert_type(po.ordinal(ds), DatasetOrdinal)
    assert_type(po.ordinal(xr.DataTree()), TreeOrdinal)


def dask(ddf: dd.DataFrame) -> None:
    o = po.ordinal(ddf)
    assert_type(o, DaskOrdinal)
    assert_type(o.compare("y", ["a", "b"], by="g", sample_weight="w"), dd.DataFrame)
    assert_type(o.score_bounds("y", "score", edges=[0.5], by="g"), dd.DataFrame)
    assert_type(o.confusion("y", "yhat", by="g", groups={"g": ["a", "b"]}), xr.DataArray)
    o.mae("y", ["a", "b"], by="g").compute()
    o.kappa("y", "yhat", weights="linear", groups={"g": [1, 2]})


def frame(df: pd.DataFrame) -> None:
    o = po.ordinal(df)
    assert_type(o.mae("y", "yhat"), float)
    assert_type(o.mae("y", "yhat", by=None), float)
    assert_type(o.mae("y", "yhat", by="g"), "pd.Series[float]")
    assert_type(o.mae("y", "yhat", by=["g", "h"]), "pd.Series[float]")
    assert_type(o.mae("y", ["a", "b"]), "pd.Series[float]")
    assert_type(o.mae("y", ["a", "b"], by="g"), "pd.Series[float]")
    assert_type(o.mae("y", df.columns[1:]), "pd.Series[float]")
    assert_type(o.mae("y", {"A": "a", "B": "b"}), "pd.Series[float]")
    assert_type(o.report("y", {"A": "a", "B": "b"}), pd.DataFrame)
    assert_type(o.mae(("a", "y"), ("a", "yhat")), float)
    assert_type(o.mae(0, 1, sample_weight="w", classes=[0, 1], dropna=True), float)
    assert_type(o.kappa("y", "yhat", weights="linear"), float)
    assert_type(o.kappa("y", "yhat", by="g", weights=np.eye(3)), "pd.Series[float]")
    assert_type(o.oci("y", "yhat", beta=0.25, gamma=2, scaled=False), float)
    assert_type(o.stc("y", "yhat", class_sizes=[1, 2, 3]), float)
    assert_type(o.expected_cost("y", "yhat", costs=[[0, 1], [1, 0]]), float)
    assert_type(o.accuracy_within("y", "yhat", k=2), float)
    assert_type(o.class_mae("y", "yhat"), "pd.Series[float]")
    assert_type(o.class_recall("y", "yhat", by="g"), "pd.Series[float]")
    assert_type(o.cost_matrix("y", "yhat"), xr.DataArray)
    assert_type(o.oci_path("y", ["a", "b"], by="g", beta=0.25), xr.DataArray)
    assert_type(o.class_report("y", "yhat"), pd.DataFrame)
    assert_type(o.class_report("y", ["a", "b"], by="g", ci=0.9, cluster="p"), pd.DataFrame)
    assert_type(o.cut_report("y", "yhat", score="s", ci=0.9), pd.DataFrame)
    o.class_report("y", "yhat", score="s")  # type: ignore[call-overload]
    assert_type(o.compare("y", ["a", "b"], cluster="g", ci=0.9), pd.DataFrame)
    assert_type(o.compare("y", {"svm": "a", "forest": "b"}, count="n"), pd.DataFrame)
    assert_type(o.compare("y", "yhat", model="m", id=["row", "repeat"]), pd.DataFrame)
    assert_type(o.compare("y", ["a", "b"], margin={"mae": 0.1}, adjust="max-t"), pd.DataFrame)
    assert_type(o.compare("y", score=["a", "b"], alternative="better"), pd.DataFrame)
    assert_type(o.compare("y", proba=[{0: "a", 1: "b"}, {0: "c", 1: "d"}]), pd.DataFrame)
    assert_type(o.summary("y", "yhat", by="m", over="fold"), pd.DataFrame)
    assert_type(o.accuracy_curve("y", ["a", "b"]), "pd.Series[float] | pd.DataFrame")
    assert_type(o.dominance("y", ["a", "b"]), po.Dominance)
    assert_type(po.friedman(df, greater_is_better=True), po.Friedman)
    assert_type(
        po.corrected_t_test([0.1, 0.2], test_train_ratio=0.25, rope=0.01), "pd.Series[float]"
    )
    assert_type(po.pareto(df), pd.DataFrame)
    assert_type(po.plot.forest(df), npt.NDArray[np.object_])
    assert_type(po.plot.critical_difference(po.friedman(df, greater_is_better=True)), Axes)
    assert_type(po.style(df, metrics={"MER": "error_rate"}, escape="latex"), Styler)
    cube = o.confusion("y", ["a", "b"])
    drawn = po.ordinal(cube).plot
    assert_type(drawn(), Axes)
    assert_type(drawn(normalize=None, path=True), Axes)
    assert_type(drawn(col="model"), npt.NDArray[np.object_])
    assert_type(drawn(row="fold", col="model", path=True), npt.NDArray[np.object_])
    assert_type(drawn.intervals(bins=[0, 1, 2]), Axes)
    assert_type(drawn.intervals(row="model"), npt.NDArray[np.object_])
    assert_type(drawn.difference("a", "b"), Axes)
    assert_type(drawn.accuracy_within(ci=None), Axes)
    assert_type(drawn.class_mae(), Axes)
    drawn(col="model", ax=drawn())  # type: ignore[call-overload]
    assert_type(o.confusion("y", "yhat"), xr.DataArray)
    assert_type(o.confusion("y", ["a", "b"], by=["g"]), xr.DataArray)
    assert_type(o.report("y", "yhat"), "pd.Series[float]")
    assert_type(o.report("y", "yhat", metrics="all"), "pd.Series[float]")
    assert_type(o.report("y", "yhat", by="g"), pd.DataFrame)
    assert_type(o.report("y", "yhat", by=["g", "h"], metrics=["mae"]), pd.DataFrame)
    assert_type(o.report("y", ["a", "b"]), pd.DataFrame)
    linear = partial(po.metrics.kappa, weights="linear")
    assert_type(o.report("y", "yhat", metrics={"k": linear}), "pd.Series[float]")
    assert_type(o.report("y", "yhat", metrics=["mae", po.metrics.oci, linear]), "pd.Series[float]")
    assert_type(
        o.report("y", "yhat", metrics={"MER": "error_rate", "MAE": po.metrics.mae, "k": linear}),
        "pd.Series[float]",
    )


def frame_of_scores(df: pd.DataFrame) -> None:
    o, g = po.ordinal(df), po.ordinal(df.groupby("g"))
    assert_type(o.vus("y", "score"), float)
    assert_type(o.vus("y", "score", by=None), float)
    assert_type(o.vus("y", "score", by="g"), "pd.Series[float]")
    assert_type(o.vus("y", "score", by=["g", "h"]), "pd.Series[float]")
    assert_type(o.vus("y", ["a", "b"]), "pd.Series[float]")
    assert_type(o.vus("y", ["a", "b"], by="g", ties="strict"), "pd.Series[float]")
    assert_type(o.vus("y", df.columns[1:]), "pd.Series[float]")
    assert_type(o.vus(("a", "y"), ("a", "score")), float)
    assert_type(o.vus("y", 1, sample_weight="w", classes=[0, 1], dropna=True), float)
    assert_type(o.u_pairs("y", "score", ties="strict"), float)
    assert_type(o.u_ovo("y", "score"), float)
    assert_type(o.u_cons("y", "score", by="g"), "pd.Series[float]")
    assert_type(o.pairwise_auc("y", "score"), xr.DataArray)
    assert_type(o.pairwise_auc("y", ["a", "b"], by="g"), xr.DataArray)
    assert_type(o.consecutive_auc("y", "score"), "pd.Series[float]")
    assert_type(o.consecutive_auc("y", "score", by="g"), "pd.Series[float]")
    assert_type(o.roc_surface("y", "score"), pd.DataFrame)
    assert_type(o.roc_surface("y", "score", thresholds=[[0.5, 1.5]]), pd.DataFrame)
    assert_type(o.best_thresholds("y", "score", metric="mae"), "pd.Series[float]")
    assert_type(o.best_thresholds("y", "score", metric=po.metrics.mae), "pd.Series[float]")
    assert_type(o.best_thresholds("y", "score", costs=np.eye(3)), "pd.Series[float]")
    assert_type(o.best_thresholds("y", "score", metric="mae", by="g"), "pd.Series[float]")
    assert_type(o.roc_surface("y", "score", by=["g", "h"]), pd.DataFrame)
    assert_type(o.plot_roc("y", "score"), Axes)
    assert_type(o.plot_roc("y", "score", by="g"), Any)
    assert_type(o.best_thresholds("y", proba=[0, 1], metric="mae"), "pd.Series[float]")
    assert_type(o.best_thresholds(proba=[0, 1], metric="mae", atol=0.01), "pd.Series[float]")
    assert_type(o.set_limits("y", [0, 1], coverage=0.9), "pd.Series[float]")
    assert_type(g.set_limits("y", [0, 1], coverage=0.9, by_class=True), "pd.Series[float]")
    assert_type(o.prediction_sets([0, 1], [0.1, 0.2], classes=[0, 1]), pd.DataFrame)
    assert_type(g.report_sets("y", low="low", high="high", ci=0.9), pd.DataFrame)
    assert_type(o.compare_sets("y", low=["a", "b"], high=["c", "d"], ci=0.9), pd.DataFrame)
    assert_type(g.best_thresholds("y", "score", metric="mae"), "pd.Series[float]")
    assert_type(g.best_thresholds(score="s", proba=[0, 1], costs=[[0]]), "pd.Series[float]")
    assert_type(g.roc_surface("y", "score"), pd.DataFrame)
    assert_type(g.accuracy_curve("y", "yhat"), pd.DataFrame)
    assert_type(g.summary("y", "yhat", over="fold"), pd.DataFrame)
    assert_type(g.dominance("y", "yhat").better, pd.DataFrame)
    assert_type(o.report("y", "yhat", score="score"), "pd.Series[float]")
    assert_type(o.report("y", "yhat", score="score", by="g"), pd.DataFrame)
    assert_type(o.report("y", ["a", "b"], score=["c", "d"]), pd.DataFrame)
    assert_type(o.report("y", score="score"), "pd.Series[float]")
    assert_type(o.report("y", score="score", by="g"), pd.DataFrame)
    assert_type(o.report("y", score=["a", "b"]), pd.DataFrame)
    assert_type(o.report("y", proba=["low", "high"], metrics=["rps"]), "pd.Series[float]")
    strict = partial(po.metrics.vus, ties="strict")
    assert_type(o.report("y", "yhat", score="s", metrics={"vus": strict}), "pd.Series[float]")


def frame_of_probabilities(df: pd.DataFrame) -> None:
    o = po.ordinal(df)
    assert_type(o.rps("y", ["low", "high"]), float)
    assert_type(o.rps("y", ["low", "high"], normalized=True), float)
    assert_type(o.rps("y", df.columns[1:]), float)
    assert_type(o.rps("y", "p"), float)
    assert_type(o.rps("y", {"low": "p_low", "high": 1}), float)
    assert_type(o.rps("y", ["low", "high"], by="g"), "pd.Series[float]")
    assert_type(o.brier("y", [0, 1], by=["g", "h"], sample_weight="w"), "pd.Series[float]")
    assert_type(o.log_loss("y", [0, 1], classes=[0, 1], dropna=True), float)
    assert_type(o.expected_class(["low", "high"], classes=["low", "high"]), "pd.Series[float]")
    assert_type(o.most_likely([0, 1]), "pd.Series[Any]")
    assert_type(o.median_class({"low": "p_low", "high": "p_high"}), "pd.Series[Any]")
    assert_type(o.least_costly([0, 1], np.eye(2), atol=0.002), "pd.Series[Any]")
    assert_type(o.report("y", "yhat", proba=["low", "high"]), "pd.Series[float]")
    assert_type(o.report("y", "yhat", proba={0: "a", 1: "b"}, by="g"), pd.DataFrame)
    assert_type(o.report("y", ["a"], proba=[{0: "a", 1: "b"}]), pd.DataFrame)


def table_of_another_library(table: ArrowTable) -> None:
    assert_type(po.ordinal(table), FrameOrdinal)


def series(true: pd.Series[Any], pred: pd.Series[Any], weight: pd.Series[float]) -> None:
    o = po.ordinal(true)
    assert_type(o.mae(pred), float)
    assert_type(o.kappa(pred, sample_weight=weight, weights="linear"), float)
    assert_type(o.class_mae(pred), "pd.Series[float]")
    assert_type(o.class_report({"a": pred}, ci=0.9), pd.DataFrame)
    assert_type(o.cost_matrix(pred), xr.DataArray)
    assert_type(o.report(pred), "pd.Series[float]")
    assert_type(o.mae(np.arange(3), sample_weight=np.ones(3)), float)
    assert_type(o.mae({"a": pred, "b": pred.to_numpy()}), "pd.Series[float]")
    assert_type(o.report({"a": pred, "b": pred}), pd.DataFrame)
    assert_type(o.confusion(pred), xr.DataArray)
    assert_type(o.classes, "pd.Index[Any]")
    assert_type(o.as_ordered(["low", "high"]), "pd.Series[Any]")


def series_of_scores(
    true: pd.Series[Any], score: pd.Series[float], proba: pd.DataFrame, weight: pd.Series[float]
) -> None:
    o = po.ordinal(true)
    assert_type(o.vus(score), float)
    assert_type(o.vus(score, sample_weight=weight, ties="strict"), float)
    assert_type(o.pairwise_auc(score), xr.DataArray)
    assert_type(o.consecutive_auc(score), "pd.Series[float]")
    assert_type(o.rps(proba), float)
    assert_type(o.rps(proba.to_numpy()), float)
    assert_type(o.rps(score), float)
    assert_type(o.rps({"a": proba, "b": proba.to_numpy()}), "pd.Series[float]")
    assert_type(o.report(score={"a": score, "b": score}), pd.DataFrame)
    assert_type(o.report(proba={"a": proba, "b": proba}), pd.DataFrame)
    assert_type(o.rps(proba, classes=["low", "high"], normalized=True), float)
    assert_type(o.brier(proba, sample_weight=weight), float)
    assert_type(o.report(true, score=score, proba=proba), "pd.Series[float]")
    assert_type(o.compare({"a": true, "b": true}, score={"a": score, "b": score}), pd.DataFrame)
    assert_type(o.compare(proba={"a": proba, "b": proba}, reference="a"), pd.DataFrame)
    assert_type(po.ordinal(score).classify([0.5], classes=[0, 1]), "pd.Series[Any]")
    assert_type(po.ordinal(score).classify(score), "pd.Series[Any]")


def groupby(df: pd.DataFrame) -> None:
    o = po.ordinal(df.groupby("g"))
    assert_type(o.mae("y", "yhat"), "pd.Series[float]")
    assert_type(o.mae("y", ["a", "b"]), "pd.Series[float]")
    assert_type(o.kappa("y", "yhat", sample_weight="w", weights="linear"), "pd.Series[float]")
    assert_type(o.class_mae("y", "yhat"), "pd.Series[float]")
    assert_type(o.class_report("y", "yhat", ci=0.9), pd.DataFrame)
    assert_type(o.oci_path("y", "yhat"), xr.DataArray)
    assert_type(o.report("y", "yhat"), pd.DataFrame)
    assert_type(o.confusion("y", "yhat"), xr.DataArray)
    assert_type(o.vus("y", "score"), "pd.Series[float]")
    assert_type(o.vus("y", ["a", "b"], ties="strict"), "pd.Series[float]")
    assert_type(o.pairwise_auc("y", "score"), xr.DataArray)
    assert_type(o.consecutive_auc("y", "score"), "pd.Series[float]")
    assert_type(o.rps("y", ["low", "high"], normalized=True), "pd.Series[float]")
    assert_type(o.report("y", "yhat", score="score", proba=["low", "high"]), pd.DataFrame)


def arrays(cube: xr.DataArray, ds: xr.Dataset) -> None:
    o = po.ordinal(cube)
    assert_type(o.compare("model", cluster=["repeat", "fold"], adjust="max-t"), pd.DataFrame)
    assert_type(o.mae(), xr.DataArray)
    assert_type(o.kappa(weights="linear"), xr.DataArray)
    assert_type(o.class_mae(), xr.DataArray)
    assert_type(o.class_report(), xr.Dataset)
    assert_type(o.cut_report(cube, dim="case", by="region", score=cube, ci=0.9), xr.Dataset)
    assert_type(o.cost_matrix(class_sizes=[1, 2]), xr.DataArray)
    assert_type(o.report(), xr.Dataset)
    assert_type(o.normalize("true"), xr.DataArray)
    assert_type(o.confusion(cube, dim="case", classes=["a", "b"]), xr.DataArray)
    assert_type(o.mae(cube, dim="case", by=["time.season", cube]), xr.DataArray)
    assert_type(o.kappa(cube, ignore=[255, -1], classes="flags", weights="linear"), xr.DataArray)
    assert_type(o.report(cube, by="region", ignore=255), xr.Dataset)
    d = po.ordinal(ds)
    assert_type(d.mae("y", "yhat"), xr.DataArray)
    assert_type(d.kappa("y", "yhat", dim="case", weights="linear"), xr.DataArray)
    assert_type(d.class_mae("y", "yhat", dim=["case"]), xr.DataArray)
    assert_type(d.mae("y", "yhat", by=["region", "time.season"], ignore=-1), xr.DataArray)
    assert_type(d.report("y", "yhat", dim="case"), xr.Dataset)
    assert_type(d.cut_report("y", "yhat", score="s", cluster="p", ci=0.9), xr.Dataset)
    assert_type(d.confusion("y", "yhat", sample_weight="w"), xr.DataArray)
    assert_type(po.add(cube, cube), xr.DataArray)
    assert_type(o.cut([0, 1, 2], classes=["low", "high"]), xr.DataArray)
    assert_type(o.cut(cube, by=["time.month", cube], errors="coerce"), xr.DataArray)
    assert_type(o.as_ordered(["low", "high"]), xr.DataArray)
    assert_type(po.climatology_edges(cube, [0.5], by="time.month", dim=["time"]), xr.DataArray)


def arrays_of_scores(true: xr.DataArray, score: xr.DataArray, ds: xr.Dataset) -> None:
    o = po.ordinal(true)
    assert_type(o.vus(score), xr.DataArray)
    assert_type(o.vus(score, dim="case", classes=["a", "b"], ties="strict"), xr.DataArray)
    assert_type(o.classify([0.5], classes=["a", "b"]), xr.DataArray)
    assert_type(o.expected_class(), xr.DataArray)
    assert_type(o.most_likely("grade"), xr.DataArray)
    assert_type(o.median_class(dim="grade"), xr.DataArray)
    assert_type(o.least_costly(true, "grade", atol=0.002), xr.DataArray)
    assert_type(o.pairwise_auc(score), xr.DataArray)
    assert_type(o.consecutive_auc(score), xr.DataArray)
    assert_type(o.rps(score, normalized=True, sample_weight=true), xr.DataArray)
    d = po.ordinal(ds)
    assert_type(d.vus("y", "score", dim="case"), xr.DataArray)
    assert_type(d.pairwise_auc("y", "score", sample_weight="w"), xr.DataArray)
    assert_type(d.brier("y", "proba", classes=["a", "b"], dropna=True), xr.DataArray)


def estimators() -> None:
    by_mae = po.sklearn.scorer("mae", classes=["low", "high"])
    assert_type(by_mae, po.sklearn.OrdinalScorer)
    assert_type(by_mae(None, [[1]], ["low"]), float)
    assert_type(po.sklearn.cross_val_frame({}, [[1]], ["low"], 2), pd.DataFrame)
    assert_type(po.sklearn.OrdinalThresholds(None).fit([[1]], [0]), po.sklearn.OrdinalThresholds)
    po.scikit("mae")  # type: ignore[attr-defined]
    po.sklearn.make_scorer("mae")  # type: ignore[attr-defined]
    po.sklearn.scorer("mae", classes=range(3), response_method="proba")  # type: ignore[arg-type]


def kernels() -> None:
    assert_type(po.metrics.mae([[1, 0], [0, 1]]), Values)
    assert_type(po.metrics.kappa(np.eye(3), weights="linear"), Values)
    assert_type(po.metrics.vus([0, 1], [0.5, 1], 2, ties="strict"), Values)
    assert_type(po.metrics.rps([0, 1], np.eye(2), normalized=True), Values)
    assert_type(po.metrics.registry["mae"].greater_is_better, "bool | None")
    assert_type(po.metrics.resolve("mae"), po.metrics.Resolved)
    assert_type(po.metrics.resolve(po.metrics.mae).metric, po.metrics.Metric)
    assert_type(po.metrics.vus([0, 1], [0.5, 1], 2, [1, 1]), Values)
    assert_type(po.metrics.rps([0, 1], np.eye(2), [1, 1]), Values)


def refused(df: pd.DataFrame, cube: xr.DataArray) -> None:
    po.ordinal([[1, 0], [0, 1]])  # type: ignore[call-overload]
    po.ordinal(df).nothing("y", "yhat")  # type: ignore[attr-defined]
    po.ordinal(df).mae("y")  # type: ignore[call-overload]
    po.ordinal(df).mae("y", "yhat", colour="red")  # type: ignore[call-overload]
    po.ordinal(df).expected_cost("y", "yhat")  # type: ignore[call-overload]
    po.ordinal(df.groupby("g")).mae("y", "yhat", by="g")  # type: ignore[call-arg]
    po.ordinal(df).report("y", "yhat", "g")  # type: ignore[call-overload]
    po.ordinal(df).report("y", "yhat", n_boots=9)  # type: ignore[call-overload]
    po.ordinal(df).compare("y", ["a", "b"], ref="a")  # type: ignore[call-arg]
    po.ordinal(df).compare("y", ["a", "b"], alternative="less")  # type: ignore[arg-type]
    po.ordinal(df).oci("y", "yhat", "model")  # type: ignore[call-overload]
    po.ordinal(df).oci("y", "yhat", None)  # type: ignore[call-overload]
    po.ordinal(df).confusion("y", "yhat", "model")  # type: ignore[call-arg]
    po.ordinal(df["y"]).mae(df["yhat"], df["w"])  # type: ignore[call-overload]
    po.ordinal(df.groupby("g")).mae("y", "yhat", "w")  # type: ignore[arg-type]
    po.ordinal(cube).mae(cube, "case")  # type: ignore[arg-type]
    po.ordinal(cube.to_dataset(name="y")).mae("y", "yhat", "case")  # type: ignore[arg-type]
    po.ordinal(cube).mae("y")  # type: ignore[arg-type]
    po.ordinal(cube).normalize("rows")  # type: ignore[arg-type]
    po.metrics.oci(np.eye(3), beta="low")  # type: ignore[arg-type]
    po.metrics.qwk(np.eye(3))  # type: ignore[attr-defined]
    po.plot.heatmap(cube)  # type: ignore[attr-defined]


def refused_of_scores(df: pd.DataFrame, true: xr.DataArray) -> None:
    o, g, s = po.ordinal(df), po.ordinal(df.groupby("g")), po.ordinal(df["y"])
    o.vus("y")  # type: ignore[call-overload]
    o.vus("y", "score", "g")  # type: ignore[call-overload]
    g.rps("y", ["low", "high"], "w")  # type: ignore[arg-type]
    o.vus("y", "score", bins=[0, 1, 2])  # type: ignore[call-overload]
    o.vus("y", "score", ties="none")  # type: ignore[call-overload]
    o.rps("y", ["low", "high"], ties="half")  # type: ignore[call-overload]
    o.report("y", "yhat", scores="score")  # type: ignore[call-overload]
    g.vus("y", "score", by="g")  # type: ignore[call-arg]
    s.vus("score")  # type: ignore[call-overload]
    s.vus("y", "score")  # type: ignore[call-overload]
    s.rps(["low", "high"])  # type: ignore[call-overload]
    s.classify()  # type: ignore[call-arg]
    po.ordinal(true).vus("score")  # type: ignore[arg-type]
    po.ordinal(true).rps(true, colour="red")  # type: ignore[call-arg]
    po.metrics.vus([0, 1], [0.5, 1])  # type: ignore[call-arg]
    po.metrics.vus([0, 1], [0.5, 1], 2, ties="none")  # type: ignore[arg-type]
