"""Results say what they are: attributes that survive files, and captions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.query import Comparison, Uncertainty
from pandas_ordinal.reports.facts import caption_of, facts_of

RNG = np.random.default_rng(5)
FRAME = pd.DataFrame(
    {
        "y": RNG.integers(0, 3, 60),
        "a": RNG.integers(0, 3, 60),
        "b": RNG.integers(0, 3, 60),
        "score": RNG.random(60),
        "patient": RNG.integers(0, 9, 60),
        "g": np.repeat(["x", "z"], [40, 20]),
        "w": RNG.integers(0, 2, 60).astype(float),
    }
)
FRAME.loc[FRAME["g"] == "z", ["y", "patient"]] = [1, 8]
FRAME.loc[50:, "patient"] = 0
N = FRAME["patient"].nunique()
MAE: dict[str, Any] = {"metrics": ["mae"], "classes": range(4)}


def test_a_report_says_what_it_is() -> None:
    report = FRAME.ordinal.report("y", "a", ci=0.9, cluster="patient", **MAE)
    assert report.attrs == {
        "ci": 0.9, "cluster": "patient", "method": "influence", "n_clusters": N, "df": N - 1,
    }  # fmt: skip
    drawn = FRAME.ordinal.report("y", "a", ci=0.9, method="bootstrap", n_boot=9, seed=3, **MAE)
    assert drawn.attrs == {"ci": 0.9, "method": "bootstrap", "n_boot": 9, "seed": 3}
    assert FRAME.ordinal.report("y", "a", se=True, **MAE).attrs == {"method": "influence"}
    assert FRAME.ordinal.report("y", "a", **MAE).attrs == {}


def test_a_comparison_says_what_it_is() -> None:
    table = FRAME.ordinal.compare("y", ["a", "b"], cluster="patient", reference="a", **MAE)
    facts = table.attrs
    assert facts.items() >= {
        "ci": 0.95, "cluster": "patient", "method": "influence", "reference": "a",
        "adjust": "holm", "alternative": "two-sided", "n_clusters": N, "df": N - 1,
    }.items()  # fmt: skip
    assert "n_clusters" not in FRAME.ordinal.compare("y", ["a", "b"], **MAE).attrs


def test_numbers_that_differ_between_rows_are_columns_only() -> None:
    table = FRAME.ordinal.report("y", "a", by="g", ci=0.9, cluster="patient", **MAE)
    n_clusters = FRAME.groupby("g")["patient"].nunique()
    assert n_clusters.nunique() == 2
    assert table["n_clusters"].tolist() == n_clusters.tolist()
    assert not {"n_clusters", "df"} & table.attrs.keys()
    compared = FRAME.ordinal.compare("y", ["a", "b"], by="g", cluster="patient", **MAE)
    assert compared["n_clusters"].tolist() == n_clusters.tolist()
    assert not {"n_clusters", "df"} & compared.attrs.keys()


def test_two_clusters_and_groups_without_rows() -> None:
    """There is one degree of freedom; a bin without rows has no clusters, and says nothing."""
    df = FRAME.assign(half=np.arange(60) % 2, key=pd.cut(FRAME.index % 3, [-1, 0, 0.5, 1, 2]))
    whole = df.ordinal.report("y", "a", ci=0.9, cluster="half", **MAE)
    by_key = df.ordinal.report("y", "a", by="key", ci=0.9, cluster="half", **MAE)
    assert by_key["n_clusters"].tolist() == [2, 0, 2, 2]
    df["y"] = df["y"].where(df["g"] == "x")
    lacking = df.ordinal.report("y", "a", by="g", ci=0.9, cluster="half", dropna=True, **MAE)
    assert lacking["n_clusters"].tolist() == [2, 0]
    for report in (whole, by_key, lacking):
        assert (report.attrs["n_clusters"], report.attrs["df"]) == (2, 1)
        assert caption_of(report.attrs).endswith("Clusters: half (2). Degrees of freedom: 1.")


def test_the_order_of_sums_does_not_show() -> None:
    df = np.array([[1.3357911278490722, 1.335791127849073], [np.nan, 0]])
    for numbers in (df, df[:, ::-1]):
        assert facts_of(Comparison(), df=numbers)["df"] == 1.33579112785
    assert "df" not in facts_of(Comparison(), df=df * [1, 1.001])


def test_clusters_and_classes_that_occur_are_counted_on_all_surfaces() -> None:
    n_clusters = FRAME.groupby("g")["patient"].nunique().tolist()
    expected = {"n": [40, 20], "n_clusters": n_clusters, "n_classes": [3, 1]}
    options: dict[str, Any] = {"by": "g", "ci": 0.9, "cluster": "patient"}
    ds = FRAME.rename_axis("case").to_xarray()
    reports = [
        FRAME.ordinal.report("y", "a", **options, **MAE),
        FRAME.ordinal.report("y", score="score", metrics=["vus"], classes=range(4), **options),
        FRAME.groupby("g").ordinal.report("y", "a", ci=0.9, cluster="patient", **MAE),
        *(
            one.ordinal.report("y", **given, classes=range(4), **options)
            for one in (ds, ds.chunk(case=17))
            for given in (
                {"pred": "a", "metrics": ["mae"]},
                {"score": "score", "metrics": ["vus"]},
            )
        ),
    ]
    for report in reports:
        assert list(report)[:3] == list(expected)
        assert {name: report[name].values.tolist() for name in expected} == expected
        assert all(report[name].dtype.kind == "i" for name in expected)
    cube = FRAME.ordinal.confusion("y", "a", by="g", classes=range(4))
    rows = dd.from_pandas(FRAME, npartitions=3)
    without_clusters = [
        cube.ordinal.report(metrics=["mae"], ci=0.9),
        cube.chunk(g=1).ordinal.report(metrics=["mae"], ci=0.9),
        po.ordinal(rows).report("y", "a", by="g", se=True, **MAE).compute(),
    ]
    for report in without_clusters:
        assert list(report)[:2] == ["n", "n_classes"]
        assert report["n_classes"].values.tolist() == [3, 1]


def test_rows_that_a_model_lacks_are_not_counted() -> None:
    frame = FRAME.astype({"a": float})
    frame.loc[frame["patient"] < 4, "a"] = np.nan
    frame.loc[frame["y"] == 0, "b"] = np.nan
    table = frame.ordinal.report("y", ["a", "b"], ci=0.9, cluster="patient", dropna=True, **MAE)
    for model in ("a", "b"):
        rows = frame.dropna(subset=model)
        assert table.loc[model, "n_clusters"] == rows["patient"].nunique()
        assert table.loc[model, "n_classes"] == rows["y"].nunique()


def test_classes_whose_rows_weigh_nothing_do_not_occur() -> None:
    frame = FRAME.assign(w=(FRAME["y"] != 2) * 1.5)
    ds = frame.rename_axis("case").to_xarray()
    for one in (frame, ds):
        report = one.ordinal.report("y", "a", sample_weight="w", ci=0.9, **MAE)
        assert float(report["n_classes"]) == 2
        assert float(report["n"]) == 60


def test_sizes_are_no_metrics() -> None:
    table = FRAME.ordinal.report("y", ["a", "b"], metrics=["mae", "oci"], se=True)
    assert po.metric_correlation(table).columns.tolist() == ["mae", "oci"]
    assert set(po.pareto(table)) == set(table)
    for name in ("n", "n_clusters", "n_classes"):
        with pytest.raises(ValueError, match=f"column '{name}'.* rename it"):
            FRAME.ordinal.report("y", "a", metrics={name: "mae"})


def test_attributes_survive_what_files_and_pandas_do_with_them(tmp_path: Path) -> None:
    ds = FRAME.rename_axis("case").to_xarray()
    report = ds.ordinal.report("y", "a", by="g", ci=0.9, cluster="patient", **MAE)
    report.ordinal.to_netcdf(tmp_path / "report.nc")
    xr.testing.assert_identical(po.open_report(tmp_path / "report.nc"), report)
    report.ordinal.to_zarr(tmp_path / "report.zarr")
    xr.testing.assert_identical(po.open_report(tmp_path / "report.zarr"), report)
    table = FRAME.ordinal.compare("y", ["a", "b"], cluster="patient", **MAE).reset_index()
    assert json.loads(json.dumps(table.attrs)) == table.attrs
    table.astype({"better": str}).ordinal.to_parquet(tmp_path / "table.parquet")
    assert po.read_parquet(tmp_path / "table.parquet").attrs == table.attrs
    assert pd.concat([table, table]).attrs == table.attrs


def test_arrays_and_labels_that_are_not_text_have_names() -> None:
    patients = pd.Series([0, 1], name="patient")
    for cluster, shown in (
        (patients, "patient"),
        (np.array([0, 1]), "given"),
        (("p", 1), "('p', 1)"),
    ):
        assert facts_of(Uncertainty(ci=0.9, cluster=cluster))["cluster"] == shown
    numbers = facts_of(Uncertainty(ci=np.float64(0.9), method="bootstrap", n_boot=np.int64(5)))
    assert [type(one) for one in numbers.values()] == [float, str, int, int]
    assert facts_of(Comparison(reference=2))["reference"] == 2
    assert (
        facts_of(Comparison(margin={"mae": 0.1, "oci": 0.05}))["margin"] == "mae: 0.1, oci: 0.05"
    )
    drawn = facts_of(Comparison(method="permutation"), df=[3.0, 3.0], n_clusters=[4])
    assert "df" not in drawn
    assert drawn["n_clusters"] == 4


def test_calibration_and_its_curves_say_how_they_were_drawn() -> None:
    df = pd.DataFrame({"y": [0, 1, 1, 0], 0: [0.75, 0.5, 0.25, 0.5], 1: [0.25, 0.5, 0.75, 0.5]})
    df["patient"] = [1, 2, 3, 3]
    given: dict[str, Any] = {"n_draws": 3, "seed": 7}
    table = df.ordinal.calibration("y", [0, 1], **given)
    assert table.attrs == given
    in_clusters = df.ordinal.calibration("y", [0, 1], cluster="patient", **given)
    assert in_clusters.attrs == {**given, "cluster": "patient"}
    curve = df.ordinal.reliability_curve("y", [0, 1], ci=0.8, **given)
    assert curve.attrs == {**given, "ci": 0.8}


def test_attributes_of_a_dataset_stay_next_to_those_of_its_report() -> None:
    ds = FRAME.rename_axis("case").to_xarray().assign_attrs(method="a survey", source="a survey")
    with xr.set_options(keep_attrs=True):
        plain = ds.ordinal.report("y", "a", **MAE)
        assert plain.attrs == ds.attrs
        assert vars(po.style(plain))["caption"] is None
        report = ds.ordinal.report("y", "a", ci=0.9, **MAE)
    assert report.attrs == {"source": "a survey", "ci": 0.9, "method": "influence"}


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, ""),
        ({"method": "a survey"}, ""),
        ({"method": 3}, ""),
        ({"method": "influence"}, "Standard errors from the influence of each row."),
        (
            {"method": "influence", "ci": 0.95, "cluster": "patient", "n_clusters": 9, "df": 8},
            "95 % confidence intervals from the influence of each row, two-sided. "
            "Clusters: patient (9). Degrees of freedom: 8.",
        ),
        (
            {"method": "bootstrap", "ci": 0.999, "n_boot": 50, "seed": 1, "stratify": "true"},
            "99.9 % confidence intervals from 50 bootstrap tables (seed 1). "
            "Fixed by design: the size of each true class.",
        ),
        (
            {"method": "influence", "ci": 0.9, "adjust": "holm", "alternative": "two-sided"},
            "Differences of a and b, with 90 % intervals. P-values: two-sided, adjusted for the "
            "pairs of each metric by Holm's method.",
        ),
        (
            {
                "method": "permutation", "ci": 0.9, "n_permutations": 99, "seed": 0,
                "adjust": "holm", "alternative": "better", "cluster": "row",
            },
            "Differences of a and b. P-values from at most 99 permutations (seed 0): one-sided, "
            "for a model that is better, adjusted for the pairs of each metric by Holm's method. "
            "Clusters: row.",
        ),
        (
            {
                "method": "influence", "ci": 0.95, "adjust": "max-t", "margin": 0.02,
                "alternative": "non-inferior",
            },
            "Differences of a and b, with simultaneous 95 % intervals. P-values: one-sided, for a "
            "model that is not inferior, adjusted for the pairs of each metric by the "
            "distribution of the largest |t|. Margin: 0.02.",
        ),
        (
            {
                "method": "influence", "ci": 0.95, "stratify": "pred",
                "stratum_shares": "forest: 0.3, water: 0.7",
            },
            "95 % confidence intervals from the influence of each row, two-sided. Fixed by "
            "design: the size of each predicted class. Shares of predicted classes: forest: 0.3, "
            "water: 0.7.",
        ),
    ],
)  # fmt: skip
def test_captions(facts: dict[str, Any], expected: str) -> None:
    assert caption_of(facts) == expected


def test_a_styled_table_has_the_caption_of_its_report() -> None:
    frame = FRAME.rename(columns={"patient": "a_<b"})
    table = frame.ordinal.report("y", ["a", "b"], ci=0.95, cluster="a_<b", **MAE)
    assert f"Clusters: a_&lt;b ({N})." in po.style(table).to_html()
    assert r"\caption{95 \% confidence" in po.style(table).to_latex()
    assert rf"Clusters: a\_<b ({N})." in po.style(table).to_latex()
    assert r"\caption{Mine}" in po.style(table).set_caption("Mine").to_latex()
    assert r"\caption{Mine}" in po.style(table).to_latex(caption="Mine")
    compared = frame.ordinal.compare("y", ["a", "b"], cluster="a_<b", **MAE)
    page = po.style(compared).to_html()
    assert "Holm's method" in page
    assert ">n clusters<" in page
    assert "caption" not in po.style(frame.ordinal.report("y", ["a", "b"], **MAE)).to_latex()
