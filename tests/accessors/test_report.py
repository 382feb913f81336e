"""Reports: which metrics they show, by which names, and that they are the single calls."""

from __future__ import annotations

import functools
from functools import partial
from typing import Any

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from binned import (
    BOTH,
    CUT,
    EDGES,
    INF,
    NAN,
    NUMBERS_OF_BINS,
    OPEN,
    ROWS,
    SIZES,
    binned,
    bins_of,
    by_definition,
    counts_of,
    edges_of,
    reports,
)
from labelled import COUNTED, DEFAULT, DF, OF_ANY_CLASSES, plain
from oracles import cost, errors, kappa, oci

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError
from pandas_ordinal.metrics import registry

FRAME = brute.scored(300)
GROUPS = sorted(FRAME["g"].unique())
ENDS = [-1, 0, 3, 4, np.inf]
COSTS = [[0, 1, 2, 9], [2, 0, 1, 4], [3, 2, 0, 1], [7, 3, 2, 0]]


def options(name: str) -> dict[str, Any]:
    """What a surface needs besides the labels."""
    bins = {"bins": ENDS} if registry[name].needs == "edges" else {}
    values = {"costs": COSTS, "beta2": 0.02}
    return {option: values[option] for option in registry[name].required} or bins


def kernel(name: str, counts: Any, **chosen: Any) -> Any:
    given = {"edges" if option == "bins" else option: v for option, v in options(name).items()}
    return registry[name].kernel(np.asarray(counts), **given | chosen)


K = 4
Y, YHAT, OTHER = (FRAME[name].cat.codes.to_numpy() for name in ("y", "yhat", "other"))


def table(rows: Any = slice(None), pred: np.ndarray = YHAT, weights: Any = None) -> np.ndarray:
    weights = None if weights is None else weights[rows]
    return brute.counts(Y[rows], pred[rows], K, weights)


BY_GROUP = np.stack([table((FRAME["g"] == g).to_numpy()) for g in GROUPS])
RANKING = ["vus", "u_pairs"]
FORECAST = ["rps", "log_loss", "brier"]
CLASSES = FRAME["y"].cat.categories.tolist()
MIXED = [CLASSES[position] for position in (1, 3, 0, 2)]


def single(df: Any, name: str, pred: str, score: Any, proba: Any, **options: Any) -> Any:
    """One metric, asked by name."""
    beside = {"scores": score, "probabilities": proba}.get(registry[name].needs, pred)
    return getattr(df.ordinal, name)("y", beside, **options)


SCALARS = [name for name in OF_ANY_CLASSES if not registry[name].output]
SCALARS_OF_COUNTS = [name for name in SCALARS if registry[name].needs == "counts"]
REPORTED = [name for name in SCALARS_OF_COUNTS if not registry[name].required]
WHOLE = table()
OF_COUNTS = [m.name for m in registry.values() if m.needs == "counts"]
NINE = DEFAULT[:-1]


# what they show


def test_the_default_report() -> None:
    report = FRAME.ordinal.report("y", "yhat", by="g")
    assert report.columns.tolist() == ["n", *DEFAULT]
    assert report.index.tolist() == GROUPS
    assert report["n"].tolist() == BY_GROUP.sum(axis=(1, 2)).tolist()
    for name in DEFAULT:
        npt.assert_allclose(report[name], kernel(name, BY_GROUP), rtol=1e-12)


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


def test_metrics_by_name_in_their_order() -> None:
    names = ["brier", "mae", "u_ovo", "vus", "rps", "u_cons", "kappa"]
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


def test_all_metrics_of_labels() -> None:
    report = FRAME.ordinal.report("y", "yhat", metrics="all")
    assert report.index.tolist() == ["n", *REPORTED]


def test_all_metrics_of_one_number() -> None:
    def reported(needs: list[str]) -> list[str]:
        return [
            m.name
            for m in registry.values()
            if m.needs in needs and not m.output and not m.required and m.n_classes is None
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


def test_the_order_of_names_is_the_order_of_columns() -> None:
    names = ["stc", "mae", "kappa", "accuracy"]
    first = FRAME.ordinal.report("y", "yhat", metrics=names, by="g")
    second = FRAME.ordinal.report("y", "yhat", metrics=names[::-1], by="g")
    assert first.columns.tolist() == ["n", *names]
    assert second.columns.tolist() == ["n", *names[::-1]]
    pd.testing.assert_frame_equal(first[second.columns], second)
    pd.testing.assert_frame_equal(
        FRAME.ordinal.report("y", "yhat", metrics=tuple(names), by="g"), first
    )


def test_names_kernels_and_partials_alike() -> None:
    quarter = partial(po.metrics.oci, beta=0.25)
    cube = FRAME.ordinal.confusion("y", "yhat")
    for call in (partial(FRAME.ordinal.report, "y", "yhat"), cube.ordinal.report):
        listed = call(metrics=["error_rate", po.metrics.mae, quarter])
        assert list(listed if isinstance(listed, xr.Dataset) else listed.index) == [
            "n", "error_rate", "mae", "oci"
        ]  # fmt: skip
        named = call(metrics={"MER": "error_rate", "MAE": po.metrics.mae, "OC25": quarter})
        for one, other in (("error_rate", "MER"), ("mae", "MAE"), ("oci", "OC25")):
            assert float(listed[one]) == float(named[other])
        assert float(named["OC25"]) == pytest.approx(kernel("oci", WHOLE, beta=0.25), rel=1e-12)


def test_callables() -> None:
    def hits(counts: np.ndarray) -> Any:
        return np.trace(counts, axis1=-2, axis2=-1)

    metrics = {
        "linear": partial(po.metrics.kappa, weights="linear"),
        "hits": hits,
        "cost": partial(po.metrics.expected_cost, costs=COSTS),
        "oci": po.metrics.oci,
    }
    expected = {label: scorer(BY_GROUP) for label, scorer in metrics.items()}
    cube = FRAME.ordinal.confusion("y", "yhat", by="g")
    for report in (
        FRAME.ordinal.report("y", "yhat", by="g", metrics=metrics),
        FRAME.groupby("g").ordinal.report("y", "yhat", metrics=metrics),
        cube.ordinal.report(metrics=metrics),
        cube.chunk(g=1).ordinal.report(metrics=metrics),
    ):
        assert list(report) == ["n", *metrics]
        for label, values in expected.items():
            npt.assert_allclose(report[label], values, rtol=1e-12)
    one = FRAME.ordinal.report("y", "yhat", metrics=metrics)
    assert one["hits"] == np.trace(WHOLE)


def test_functions_by_name_of_their_column() -> None:
    def hits(counts: np.ndarray) -> Any:
        return np.trace(counts, axis1=-2, axis2=-1)

    metrics = {
        "strict": partial(po.metrics.vus, ties="strict"),
        "vus": po.metrics.vus,
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


def test_names_of_metrics_may_come_in_an_index() -> None:
    report = DF.ordinal.report("y", "yhat", metrics=pd.Index(["mae"]))  # type: ignore[arg-type]
    assert list(report.index) == ["n", "mae"]


def test_a_users_metric_changes_nothing() -> None:
    def spoil(counts: Any) -> Any:
        counts[..., 0, 0] = 0
        return counts.sum((-1, -2))

    before = COUNTED.copy(deep=True)
    for report in (
        COUNTED.ordinal.report,
        lambda **o: DF.ordinal.report("y", "yhat", by="g", **o),
    ):
        with pytest.raises(ValueError, match="read-only"):
            report(metrics={"spoil": spoil})
    assert COUNTED.identical(before)


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


# what they refuse


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        (["accuracy", "kapa"], "'kapa'.*did you mean 'kappa'"),
        (["kendal_tau"], "did you mean 'kendall_tau'"),
        (["zzzzzz"], "'zzzzzz'.*accuracy"),
        (["mae", "mae"], "different names"),
        ({"n": po.metrics.mae}, "'n'"),
        ("mae", "metrics='mae'"),
        (["class_mae"], r"class_mae.*\.ordinal\.class_mae"),
        (["cost_matrix"], r"cost_matrix.*\.ordinal\.cost_matrix"),
        (["expected_cost"], "expected_cost.*costs="),
        (["oci_general"], "oci_general.*beta2="),
        ([po.metrics.mae, "mae"], "different names"),
        ([partial(po.metrics.oci, beta=0.25), partial(po.metrics.oci, beta=0.75)], "give a dict"),
        (["oci", "n"], "unknown metric 'n'"),
        ([lambda counts: 0], "give a name"),
        ({"x": "maee"}, "did you mean 'mae'"),
        ({"x": 3}, r"metrics\['x'\]=3"),
        ({"recall": po.metrics.class_recall}, r"class_recall.*\.ordinal\.class_recall"),
        ({"path": po.metrics.oci_path}, r"oci_path.*\.ordinal\.oci_path"),
        ({"vus": "vus"}, "score="),
        (["rps"], "proba="),
        ({"constant": lambda counts: 1.0 if counts.ndim > 2 else [1.0]}, "'constant'.*shape"),
    ],
    ids=plain,
)
def test_refused_metrics(metrics: Any, message: str) -> None:
    cube = FRAME.ordinal.confusion("y", "yhat", by="g")
    for call in (
        partial(FRAME.ordinal.report, "y", "yhat", by="g"),
        partial(FRAME.ordinal.report, "y", ["yhat"]),
        partial(FRAME.groupby("g").ordinal.report, "y", "yhat"),
        cube.ordinal.report,
    ):
        with pytest.raises(ValueError, match=message):
            call(metrics=metrics)


def test_a_metric_that_needs_an_option_says_a_line_that_works() -> None:
    with pytest.raises(ValueError, match="give it as ") as caught:
        FRAME.ordinal.report("y", "yhat", metrics=["expected_cost"])
    line = str(caught.value).split("give it as ")[1].replace("costs=...", "costs=COSTS")
    metric = eval(line, {"functools": functools, "po": po, "COSTS": COSTS})
    report = FRAME.ordinal.report("y", "yhat", metrics=[metric])
    assert report["expected_cost"] == pytest.approx((WHOLE * COSTS).sum() / WHOLE.sum())


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
        (["pairwise_auc"], {"score": "score"}, r"pairwise_auc.*\.ordinal\.pairwise_auc"),
        (["consecutive_auc"], {"score": "score"}, r"\.ordinal\.consecutive_auc"),
        ({"x": po.metrics.consecutive_auc}, {"score": "score"}, "consecutive_auc"),
        ({"x": partial(po.metrics.vus, ties="none")}, {"score": "score"}, "ties='none'"),
        (["vos"], {"score": "score"}, "'vos'"),
        (["u_pair"], {"score": "score"}, "did you mean 'u_pairs'"),
        (["vus", "vus"], {"score": "score"}, "different names"),
    ],
    ids=plain,
)
def test_refused_metrics_of_scores_and_probabilities(
    metrics: Any, given: dict[str, Any], message: str
) -> None:
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
        *REPORTED,
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


@pytest.mark.parametrize("option", ["n_classes", "sample_weight", "tie"])
def test_options_that_a_report_has_no_place_for(option: str) -> None:
    scorer = partial(po.metrics.vus, **{option: 1})
    with pytest.raises(ValueError, match=f"vus takes no option {option}="):
        FRAME.ordinal.report("y", "yhat", score="score", metrics={"v": scorer})


@pytest.mark.parametrize("metrics", [po.metrics.oci, [["mae"]], b"mae", 3, [len], {"x": 1}])
def test_metrics_are_names_or_functions(metrics: Any) -> None:
    with pytest.raises(ValueError, match="metrics.*=|give a name"):
        DF.ordinal.report("y", "yhat", metrics=metrics)


# bins


def test_bins_beside_scores() -> None:
    edges = [0, 1, 3, 4, 9]
    report = FRAME.ordinal.report("y", "yhat", score="score", proba=MIXED, bins=edges)
    names = [*DEFAULT[:-1], "interval_stc", *RANKING, *FORECAST]
    assert report.index.tolist() == ["n", *names]
    assert report["rps"] == FRAME.ordinal.rps("y", MIXED)
    assert report["vus"] == FRAME.ordinal.vus("y", "score")
    expected = FRAME.ordinal.interval_stc("y", "yhat", bins=edges)
    assert report["interval_stc"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", CUT)
def test_reports_on_columns_of_pandas_cut(kind: str) -> None:
    df = CUT[kind]
    counts, edges = counts_of(df), edges_of(df["y"])
    last = "stc" if kind == "cut, open" else "interval_stc"
    expected = {
        "n": len(df),
        "mae": errors.mae(counts),
        "kappa": kappa.kappa(counts),
        "oci": oci.oci(counts),
        "stc": cost.stc(counts.tolist()),
        "interval_stc": NAN if last == "stc" else by_definition("interval_stc", counts, edges),
    }
    for report in reports(df).values():
        assert list(report) == ["n", *NINE, last]
        for name in expected.keys() & set(report):
            assert report[name] == pytest.approx(expected[name], rel=1e-12)


NUMBERS_OF_COUNTS = [
    name
    for name, metric in registry.items()
    if metric.needs == "counts" and not metric.output and not metric.required
]


@pytest.mark.slow
@pytest.mark.parametrize("edges", [EDGES, OPEN, [-INF, 10, 20, 50]], ids=str)
def test_reports_have_the_interval_cost_where_the_lengths_are_known(edges: list[float]) -> None:
    expected = by_definition("interval_stc", counts_of(ROWS), edges)
    for report in (*reports(binned(edges)).values(), *reports(ROWS, bins=edges).values()):
        assert list(report) == ["n", *NINE, "interval_stc"]
        assert report["interval_stc"] == pytest.approx(expected, rel=1e-12)
    for report in reports(binned(edges), "all").values():
        assert sorted(report) == sorted(["n", *NUMBERS_OF_COUNTS, *NUMBERS_OF_BINS])
        for name in NUMBERS_OF_BINS:
            expected = by_definition(name, counts_of(ROWS), edges)
            assert report[name] == pytest.approx(expected, rel=1e-12)


def test_reports_have_the_plain_cost_where_both_ends_are_open() -> None:
    expected = cost.stc(counts_of(ROWS).tolist())
    for report in (*reports(binned(BOTH)).values(), *reports(ROWS, bins=BOTH).values()):
        assert list(report) == ["n", *NINE, "stc"]
        assert report["stc"] == pytest.approx(expected, rel=1e-12)
    for report in reports(binned(BOTH), "all").values():
        assert sorted(report) == sorted(["n", *NUMBERS_OF_COUNTS])


def test_an_interval_metric_of_bins_that_are_open_on_both_ends_needs_a_pair() -> None:
    df = binned(BOTH)
    for name in NUMBERS_OF_BINS:
        for metrics in ([name], {"x": getattr(po.metrics, name)}):
            for call in (
                partial(df.ordinal.report, "y", "yhat"),
                partial(df.groupby("g").ordinal.report, "y", "yhat"),
                df.ordinal.confusion("y", "yhat").ordinal.report,
            ):
                with pytest.raises(ValueError, match=r"unbounded=\(first, last\)"):
                    call(metrics=metrics)
        kernel = getattr(po.metrics, name)
        expected = by_definition(name, counts_of(ROWS), BOTH, unbounded=(4, 30))
        metrics = {"x": partial(kernel, unbounded=(4, 30))}
        for report in reports(df, metrics).values():
            assert report["x"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("unbounded", ["raise", "optimal", 5])
def test_the_way_out_for_two_open_ends_is_a_pair(unbounded: Any) -> None:
    with pytest.raises(ValueError, match="pair|first, last"):
        binned(BOTH).ordinal.interval_stc("y", "yhat", unbounded=unbounded)


@pytest.mark.parametrize("edges", [EDGES, OPEN], ids=str)
def test_kernels_in_a_report_get_the_edges_of_the_classes(edges: list[float]) -> None:
    twice = partial(partial(po.metrics.interval_mae, distance="midpoint"), unbounded=3)
    metrics = {
        "plain": po.metrics.interval_stc,
        "five": functools.partial(po.metrics.interval_stc, unbounded=5),
        "twice": twice,
        "own": partial(po.metrics.interval_mae, edges=[0, 1, 2, 3]),
        "mine": lambda counts: np.trace(counts, axis1=-2, axis2=-1),
        "mae": po.metrics.mae,
    }
    counts = counts_of(ROWS)
    expected = {
        "n": len(ROWS),
        "plain": by_definition("interval_stc", counts, edges),
        "five": by_definition("interval_stc", counts, edges, unbounded=5),
        "twice": by_definition("interval_mae", counts, edges, distance="midpoint", unbounded=3),
        "own": errors.mae(counts),  # bins of length 1
        "mine": np.trace(counts),
        "mae": errors.mae(counts),
    }
    for report in (
        *reports(binned(edges), metrics).values(),
        *reports(ROWS, metrics, bins=edges).values(),
    ):
        assert report == pytest.approx(expected, rel=1e-12)


def test_labelled_sizes_of_a_kernel_in_a_report_are_not_taken_by_position() -> None:
    df = binned(EDGES)
    sizes = pd.Series(SIZES, index=bins_of(EDGES)).iloc[[2, 0, 1]]
    metrics = {"x": partial(po.metrics.interval_stc, class_sizes=sizes)}
    expected = by_definition("interval_stc", counts_of(df), EDGES, class_sizes=tuple(SIZES))
    try:
        found = df.ordinal.report("y", "yhat", metrics=metrics)["x"]
    except (TypeError, ValueError):
        return
    assert found == pytest.approx(expected, rel=1e-12)


def test_reports_on_classes_without_edges_say_how_to_give_them() -> None:
    cube = ROWS.ordinal.confusion("y", "yhat")
    for metrics in (["mae", "interval_stc"], {"x": po.metrics.interval_stc}):
        for call in (
            partial(ROWS.ordinal.report, "y", "yhat"),
            partial(ROWS.groupby("g").ordinal.report, "y", "yhat"),
            partial(ROWS["y"].ordinal.report, ROWS["yhat"]),
            cube.ordinal.report,
        ):
            with pytest.raises(ClassOrderError, match=r"ordinal\.cut\(.*bins=\["):
                call(metrics=metrics)


# without predicted classes


def test_a_report_of_scores_or_probabilities_alone(cases: xr.Dataset) -> None:
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
    report = cases.ordinal.report("y", score="score", proba="proba", dim="case")
    assert list(report) == ["n", *names] and int(report["n"]) == 40
    xr.testing.assert_allclose(report["vus"], cases.ordinal.vus("y", "score", dim="case"))


def test_a_report_without_predicted_classes_has_none_of_their_metrics() -> None:
    for metrics in (["mae"], {"MAE": po.metrics.mae}, ["vus", "interval_mae"]):
        for report in (FRAME.ordinal.report, FRAME.groupby("g").ordinal.report):
            with pytest.raises(ValueError, match="needs predicted classes: give pred="):
                report("y", score="score", metrics=metrics)
    every = FRAME.ordinal.report("y", score="score", metrics="all")
    assert "mae" not in every and {"vus", "u_cons"} <= set(every.index)
    for nothing in (lambda: FRAME.ordinal.report("y"), FRAME["y"].ordinal.report):
        with pytest.raises(ValueError, match="give pred=, score= or proba="):
            nothing()


# nothing changed, nothing that matters but the rows


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


@pytest.mark.parametrize("n_groups", [1, 2, 3, 4])
def test_a_function_that_reduces_the_wrong_axes_is_refused(n_groups: int) -> None:
    rows = 12 * n_groups
    df = pd.DataFrame(
        {"g": np.arange(rows) % n_groups, "y": np.arange(rows) % 3, "p": np.arange(rows) // 2 % 3}
    )

    def right(counts: np.ndarray) -> np.ndarray:
        return np.trace(counts, axis1=-2, axis2=-1) / counts.sum(axis=(-2, -1))

    def wrong(counts: np.ndarray) -> np.ndarray:
        return np.trace(counts) / counts.sum()

    for by in ("g", None):
        found = df.ordinal.report("y", "p", by=by, metrics={"a": right, "b": "accuracy"})
        np.testing.assert_array_equal(found["a"], found["b"])
        with pytest.raises(ValueError, match="reduce the last two axes"):
            df.ordinal.report("y", "p", by=by, metrics={"a": wrong})
    cube = df.ordinal.confusion("y", "p", by="g")
    with pytest.raises(ValueError, match="reduce the last two axes"):
        cube.ordinal.report(metrics={"a": wrong})
