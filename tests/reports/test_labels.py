"""Labels of the user's own: results keep the metrics behind them, and say what is missing."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.reports.columns import as_table

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 4, 80)
FRAME = pd.DataFrame(
    {"y": Y, "yhat": np.clip(Y + RNG.integers(-2, 3, 80), 0, 3), "m": list("abcde") * 16}
)
OPTIONS: dict[str, Any] = {"by": "m", "classes": range(4)}


def hits(counts: np.ndarray) -> np.ndarray:
    """A function of the user's: rows on the diagonal."""
    return np.trace(counts, axis1=-2, axis2=-1)


LINEAR = functools.partial(po.metrics.kappa, weights="linear")
NAMED: dict[str, Any] = {"my mae": "mae", "linear": LINEAR, "accuracy": po.metrics.accuracy}
WITH_OWN: dict[str, Any] = NAMED | {"own": hits}
KEPT = '{"my mae": "mae", "linear": "kappa"}'


def plain(report: pd.DataFrame) -> pd.DataFrame:
    """The same table under the names of the metrics."""
    table = report.rename(columns=lambda name: name.replace("my mae", "mae"))
    table = table.rename(columns=lambda name: name.replace("linear", "kappa"))
    table.attrs = {}
    return table


def undominated(values: pd.DataFrame, signs: list[int]) -> list[Any]:
    """Rows that no other is at least as good as everywhere and better somewhere, in a loop."""
    rows = (values * signs).to_numpy().tolist()
    return [
        label
        for label, row in zip(values.index, rows, strict=True)
        if not any(
            all(x >= y for x, y in zip(other, row, strict=True)) and other != row for other in rows
        )
    ]


@pytest.mark.parametrize("extra", [{}, {"ci": 0.9}, {"se": True}], ids=str)
def test_a_report_knows_its_labels(extra: dict[str, Any]) -> None:
    report = FRAME.ordinal.report("y", "yhat", metrics=NAMED, **OPTIONS, **extra)
    assert report.attrs["metrics_by_label"] == KEPT
    due = undominated(report[list(NAMED)], [-1, 1, 1])
    assert po.pareto(report).index.tolist() == po.pareto(plain(report)).index.tolist() == due
    assert 0 < len(due) < 5
    correlated = po.metric_correlation(report)
    assert correlated.columns.tolist() == list(NAMED)
    np.testing.assert_array_equal(correlated, po.metric_correlation(plain(report)))
    np.testing.assert_allclose(correlated, report[list(NAMED)].corr("kendall"))
    shown = po.style(report).to_string()
    assert "my mae ↓" in shown and "linear ↑" in shown


def test_all_surfaces_keep_labels() -> None:
    asked: dict[str, Any] = {"metrics": NAMED, "classes": range(4)}
    text = FRAME.astype({"y": str, "yhat": str})
    parts = po.ordinal(dd.from_pandas(text, npartitions=2))
    arrays = FRAME[["y", "yhat"]].to_xarray()
    key = xr.DataArray(FRAME["m"].to_numpy(object), dims="index", name="m")
    cube = FRAME.ordinal.confusion("y", "yhat", **OPTIONS)
    for report in (
        FRAME.groupby("m").ordinal.report("y", "yhat", **asked),
        FRAME.ordinal.report("y", "yhat", **asked),
        FRAME["y"].ordinal.report(FRAME["yhat"], **asked),
        parts.report("y", "yhat", by="m", metrics=NAMED, classes=list("0123")).compute(),
        arrays.ordinal.report("y", "yhat", by=key, **asked),
        cube.ordinal.report(metrics=NAMED),
        cube.ordinal.report(metrics=NAMED, ci=0.9),
    ):
        assert as_table(report).attrs["metrics_by_label"] == KEPT
        assert "my mae ↓" in po.style(report).to_string()


def test_labels_beside_a_dimension_of_several_levels() -> None:
    cube = FRAME.ordinal.confusion("y", "yhat", **OPTIONS)
    stacked = cube.expand_dims(fold=[0]).stack(run=["fold", "m"])
    report = stacked.ordinal.report(metrics=WITH_OWN)  # without a warning
    named = {"my mae": "mae", "linear": "kappa", "own": ""}
    assert {name: report[name].attrs["metric"] for name in named} == named
    assert "metric" not in report["accuracy"].attrs and report.indexes["run"].nlevels == 2


def test_datasets_that_are_put_together_keep_the_labels_of_both() -> None:
    cube = FRAME.ordinal.confusion("y", "yhat", **OPTIONS)
    one = cube.isel(m=[0, 1]).ordinal.report(metrics={"off": "mae", "own": hits})
    other = cube.isel(m=[2]).ordinal.report(metrics={"hits": "accuracy", "oci": hits})
    for both in (
        xr.concat([one, other], "m", join="outer"),
        xr.merge([one.isel(m=[0], drop=True), other.drop_vars(["m", "n"]).isel(m=0)]),
    ):
        first, *_ = po.style(both).to_string().splitlines()
        assert "off ↓" in first and "hits ↑" in first
        assert "↓" not in first.replace("off ↓", "") and "↑" not in first.replace("hits ↑", "")
    contrary = cube.isel(m=[2]).ordinal.report(metrics={"off": "accuracy", "own": hits})
    both = xr.concat([one, contrary], "m", combine_attrs="drop_conflicts")
    assert "off own\n" in po.style(both).to_string()
    renamed = po.style(one.rename(off="far", own="mae")).to_string()
    assert "far ↓" in renamed and "mae\n" in renamed


@pytest.mark.parametrize(
    "kept", ['{"my mae": ', "[1]", '{"my mae": 3}', '{"my mae": ["mae"]}', "null", "", 3, None]
)
def test_an_attribute_that_was_changed(kept: Any) -> None:
    report = FRAME.ordinal.report("y", "yhat", metrics=NAMED, **OPTIONS)
    report.attrs["metrics_by_label"] = kept
    for call in (po.style, po.pareto, po.metric_correlation, po.plot.forest):
        with pytest.raises(ValueError, match="not the labels that a report wrote: delete it with"):
            call(report)
        with pytest.raises(ValueError, match="not the labels that a report wrote: delete it with"):
            call(report, metrics=NAMED)


def test_names_of_metrics_are_no_labels() -> None:
    for metrics in (["mae", po.metrics.oci], {"mae": "mae"}, None):
        assert FRAME.ordinal.report("y", "yhat", metrics=metrics, **OPTIONS).attrs == {}


def test_a_function_of_ones_own_has_no_direction() -> None:
    report = FRAME.ordinal.report("y", "yhat", metrics=WITH_OWN, **OPTIONS)
    correlated = po.metric_correlation(report)
    np.testing.assert_allclose(correlated, report[list(WITH_OWN)].corr("kendall"))
    for given in (None, WITH_OWN, ["my mae", "own"]):
        with pytest.raises(ValueError, match=r"'own' is a function of your own.*po\.metrics\.acc"):
            po.pareto(report, given)
    kept = po.pareto(report, ["my mae", "linear"])
    assert kept.index.tolist() == undominated(report[["my mae", "linear"]], [-1, 1])
    told = po.pareto(report, {"my mae": "mae", "own": po.metrics.accuracy})
    assert told.index.tolist() == undominated(report[["my mae", "own"]], [-1, 1])
    assert "own\n" in po.style(report, metrics=WITH_OWN).to_string().splitlines()[0] + "\n"


def test_a_label_may_be_the_name_of_another_metric() -> None:
    report = FRAME.ordinal.report("y", "yhat", metrics={"mae": "accuracy", "oci": hits}, **OPTIONS)
    assert report.attrs["metrics_by_label"] == '{"mae": "accuracy", "oci": null}'
    best = report.index[report["mae"] == report["mae"].max()]
    assert po.pareto(report, ["mae"]).index.tolist() == best.tolist()
    with pytest.raises(ValueError, match="'oci' has no direction|'oci' is a function"):
        po.pareto(report)


def test_what_is_given_comes_first() -> None:
    report = FRAME.ordinal.report("y", "yhat", metrics={"x": "mae"}, **OPTIONS)
    least, most = (
        report.index[report["x"] == end] for end in (report["x"].min(), report["x"].max())
    )
    assert po.pareto(report).index.tolist() == least.tolist()
    assert po.pareto(report, {"x": "accuracy"}).index.tolist() == most.tolist()


def test_files_that_keep_attributes_keep_labels(tmp_path: Path) -> None:
    report = FRAME.ordinal.report("y", "yhat", metrics=NAMED, **OPTIONS)
    report.to_parquet(tmp_path / "report.parquet")
    report.to_csv(tmp_path / "report.csv")
    loaded = pd.read_parquet(tmp_path / "report.parquet")
    pd.testing.assert_frame_equal(po.pareto(loaded), po.pareto(report))
    bare = pd.read_csv(tmp_path / "report.csv", index_col="m")
    for call in (po.pareto, po.metric_correlation):
        with pytest.raises(ValueError, match=r"metrics=\{'my mae': po\.metrics\.mae, \.\.\.\}"):
            call(bare)
        pd.testing.assert_frame_equal(call(bare, NAMED), call(report))
    of_cube = FRAME.ordinal.confusion("y", "yhat", **OPTIONS).ordinal.report(metrics=NAMED)
    of_cube.to_netcdf(tmp_path / "report.nc")
    with xr.open_dataset(tmp_path / "report.nc") as read:
        assert as_table(read).attrs["metrics_by_label"] == KEPT


def bold(table: pd.DataFrame, **options: Any) -> list[bool]:
    """Which values of the first column are bold."""
    page = po.style(table, **options).to_html(bold_headers=False)
    rules = page[: page.index("</style>")].split("}")
    of_bold = " ".join(rule for rule in rules if "bold" in rule)
    return [f"row{row}_col0" in of_bold for row in range(len(table))]


def test_summaries_know_their_labels() -> None:
    df = FRAME.assign(b=np.clip(Y + 1, 0, 3), fold=np.arange(80) % 4)
    asked: dict[str, Any] = {"metrics": {"mae": "accuracy", "off": "mae"}, "classes": range(4)}
    found = df.ordinal.summary("y", ["yhat", "b"], over="fold", **asked)
    alone = df.ordinal.summary("y", "yhat", over="fold", **asked)
    kept = '{"mae": "accuracy", "off": "mae"}'
    assert found.attrs["metrics_by_label"] == alone.attrs["metrics_by_label"] == kept
    hits, misses = (found["mean"].xs(label, level="metric") for label in ("mae", "off"))
    due = [hits["yhat"] > hits["b"], misses["yhat"] < misses["b"]]
    due += [not one for one in due]
    assert bold(found) == due
    shown = po.style(found).to_string()
    assert "mae ↑" in shown and "off ↓" in shown
    best = hits.idxmax(), misses.idxmin()
    described = po.describe(found).splitlines()
    assert described[0].startswith(f"By mae{' and off' * (best[0] == best[1])}: {best[0]} has")
    found.attrs = {}
    assert bold(found, metrics=asked["metrics"]) == due
    with pytest.raises(ValueError, match="names 'other', but the report has no such metric"):
        po.style(found, metrics={"other": "mae"})


def test_reports_of_sets_have_directions() -> None:
    low, high = {"a": "yhat", "b": "low"}, {"a": "high", "b": "high"}
    df = FRAME.assign(high=3, low=np.maximum(FRAME["yhat"] - 1, 0))
    report = df.ordinal.report_sets("y", low=low, high=high, coverage=0.9)
    assert "size ↓" in (shown := po.style(report).to_string()) and "interval score ↓" in shown
    signs = [1, -1, 1, -1, -1]
    assert po.pareto(report).index.tolist() == undominated(report.drop(columns="n"), signs)


def test_a_comparison_by_a_function_of_ones_own_shows_no_better_model() -> None:
    df = FRAME.assign(b=np.clip(Y + 1, 0, 3))
    for metrics in ({"own": hits}, WITH_OWN):
        found = df.ordinal.compare("y", ["yhat", "b"], metrics=metrics, classes=range(4))
        assert found["better"].isna().sum() == 1
        assert "nan" not in po.style(found).to_string()


def test_labels_are_text() -> None:
    ordinal = FRAME.assign(b=Y).ordinal
    for label in (1, None, ("a", "b")):
        for call in (ordinal.report, ordinal.compare):
            with pytest.raises(ValueError, match=r"but names are text: give ['\"]"):
                call("y", ["yhat", "b"], metrics={label: "mae"})


def test_comparisons_know_their_labels() -> None:
    df = FRAME.assign(b=np.clip(Y + 1, 0, 3), c=RNG.permutation(Y))
    models = ["yhat", "b", "c"]
    found = df.ordinal.compare("y", models, metrics=WITH_OWN | {"worst": "mmae"}, classes=range(4))
    names = {"my mae": "mae", "linear": "kappa", "worst": "mmae"}
    plain = found.rename(index=names, level="metric").drop("own", level="metric")
    plain.attrs = {}
    due = po.disagreements(plain)
    for given in (None, WITH_OWN | {"worst": "mmae"}):
        told = po.disagreements(found, given)
        for level in ("metric_1", "metric_2"):
            told = told.rename(index=names, level=level)
        pd.testing.assert_frame_equal(told, due)
    assert "my mae ↓" in po.style(found).to_string()
    found.attrs = {}
    with pytest.raises(ValueError, match="'my mae' is not a metric"):
        po.disagreements(found)
