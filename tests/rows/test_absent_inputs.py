"""Reports of models some of which have no scores, or no probabilities."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from parted import assert_same, cut, parted

import pandas_ordinal as po

K, N = 3, 40
MODELS = ["both", "score only", "proba only", "neither", "apart"]
PROBA = ["p0", "p1", "p2"]
RNG = np.random.default_rng(39)


def rows_of_models() -> pd.DataFrame:
    n = N * len(MODELS)
    df = pd.DataFrame({"model": np.repeat(MODELS, N), "row": np.tile(np.arange(N), len(MODELS))})
    df["y"] = np.tile(RNG.integers(0, K, N), len(MODELS))
    df["yhat"] = (df.y + (RNG.random(n) < 0.4)).clip(0, K - 1).astype(float)
    df["score"] = (df.y + RNG.normal(0, 1, n)).round(1)
    df[PROBA] = RNG.dirichlet(np.ones(K), n)
    df["w"] = RNG.integers(1, 4, n)
    df.loc[df.model.isin(["score only", "neither"]), PROBA] = np.nan
    df.loc[df.model.isin(["proba only", "neither"]), "score"] = np.nan
    apart = df.model == "apart"  # each row has one of the two
    df.loc[apart & (df.row % 2 == 0), "score"] = np.nan
    df.loc[apart & (df.row % 2 == 1), "p1"] = np.nan
    for column, row in (("yhat", 3), ("score", 5), ("p0", 7)):
        df.loc[df.row == row, column] = np.nan
    return df


FRAME = rows_of_models()
BY_CLASS = dict(enumerate(PROBA))
METRICS = ["mae", "accuracy", "rps", "u_pairs"]


def literally(df: pd.DataFrame, options: list[str], with_pred: bool = True) -> dict[str, float]:
    """Return n and the metrics of one model, row by row."""
    rows = [
        {
            "y": row.y, "yhat": row.yhat, "score": row.score,
            "proba": [getattr(row, name) for name in PROBA],
        }
        for row in df.itertuples()
        if not (with_pred and np.isnan(row.yhat))
    ]  # fmt: skip
    there = {
        "score": lambda row: not np.isnan(row["score"]),
        "proba": lambda row: not any(map(np.isnan, row["proba"])),
    }
    needed = [option for option in options if any(there[option](row) for row in rows)]
    rows = [row for row in rows if all(there[option](row) for option in needed)]
    if not with_pred and not needed:
        rows = []
    values = {"n": len(rows)} | dict.fromkeys(METRICS, np.nan)
    if rows and with_pred:
        values["mae"] = sum(abs(row["y"] - row["yhat"]) for row in rows) / len(rows)
        values["accuracy"] = sum(row["y"] == row["yhat"] for row in rows) / len(rows)
    if rows and "proba" in needed:
        total = 0.0
        for row in rows:
            total += sum((sum(row["proba"][: k + 1]) - (row["y"] <= k)) ** 2 for k in range(K - 1))
        values["rps"] = total / len(rows)
    if rows and "score" in needed:
        signs = [
            (np.sign(a["score"] - b["score"]) + 1) / 2
            for a, b in itertools.product(rows, rows)
            if a["y"] > b["y"]
        ]
        values["u_pairs"] = sum(signs) / len(signs)
    return values


@pytest.mark.parametrize("options", [["proba"], ["score"], ["score", "proba"]], ids=str)
@pytest.mark.parametrize("with_pred", [True, False])
def test_only_metrics_without_their_inputs_are_nan(options: list[str], with_pred: bool) -> None:
    names = [*(["mae", "accuracy"] if with_pred else [])]
    names += [name for name, of in (("rps", "proba"), ("u_pairs", "score")) if of in options]
    given = {"score": "score", "proba": BY_CLASS}
    o: dict[str, Any] = {option: given[option] for option in options}
    o |= {"metrics": names, "dropna": True, "classes": range(K)}
    pred = "yhat" if with_pred else None
    expected = {
        model: literally(FRAME[FRAME.model == model], options, with_pred) for model in MODELS
    }
    shuffled = FRAME.sample(frac=1, random_state=1)
    for report in (
        FRAME.ordinal.report("y", pred, by="model", **o),
        shuffled.ordinal.report("y", pred, by="model", **o),
        FRAME.groupby("model").ordinal.report("y", pred, **o),
        pd.DataFrame(
            {model: FRAME[FRAME.model == model].ordinal.report("y", pred, **o) for model in MODELS}
        ).T,
    ):
        for model in MODELS:
            for name in ("n", *names):
                message = f"{model}, {name}"
                npt.assert_allclose(
                    report.loc[model, name], expected[model][name], err_msg=message
                )
    assert expected["neither"]["n"] == (N - 1 if with_pred else 0)


def test_columns_of_models_and_summaries() -> None:
    parts = [
        FRAME[FRAME.model == model].set_index("row")[["yhat", *PROBA]].add_prefix(f"{model} ")
        for model in ("both", "neither")
    ]
    wide = pd.concat([FRAME[FRAME.model == "both"].set_index("row")[["y"]], *parts], axis=1)
    wide["fold"] = np.arange(N) % 2
    models = ["both yhat", "neither yhat"]
    proba = [[f"{model} {name}" for name in PROBA] for model in ("both", "neither")]
    proba = [dict(zip(range(K), columns, strict=True)) for columns in proba]
    o: dict[str, Any] = {"proba": proba, "dropna": True, "metrics": ["mae", "rps"]}
    report = wide.ordinal.report("y", models, **o)
    summary = wide.ordinal.summary("y", models, over="fold", **o)
    for model, name in zip(models, ("both", "neither"), strict=True):
        expected = literally(FRAME[FRAME.model == name], ["proba"])
        for metric in ("n", "mae", "rps"):
            npt.assert_allclose(report.loc[model, metric], expected[metric])
        npt.assert_allclose(summary.loc[(model, "mae"), "pooled"], expected["mae"])
    assert summary.loc[("neither yhat", "rps"), "n_folds"] == 0
    assert summary.loc[("neither yhat", "mae"), "n_folds"] == 2


def test_no_predictions_and_a_column_labelled_none() -> None:
    df = pd.DataFrame({"y": [0, 1, 1], None: [0, 1, 0], "p": [1, 1, 0], "s": [0.1, 0.3, 0.2]})
    for table in (df, df.assign(g=1).groupby("g")):
        with pytest.raises(ValueError, match=r"pred=None may .* give pred=\[None\], or rename"):
            table.ordinal.report("y", None, score="s")
    assert df.ordinal.report("y", [None], metrics=["mae"])["mae"].tolist() == [1 / 3]
    assert df.ordinal.report("y", "p", metrics=["mae"])["mae"] == 2 / 3


def test_series_without_any_probabilities() -> None:
    own = FRAME[FRAME.model == "neither"]
    proba = own[PROBA].set_axis(range(K), axis=1)
    o: dict[str, Any] = {"dropna": True, "classes": range(K), "metrics": ["mae", "rps"]}
    report = own.y.ordinal.report(own.yhat, proba=proba, **o)
    npt.assert_allclose(report["mae"], literally(own, ["proba"])["mae"])
    assert report["n"] == N - 1 and np.isnan(report["rps"])


@pytest.mark.parametrize("asked", [{}, {"cluster": "row"}, {"sample_weight": "w"}], ids=str)
def test_weights_and_intervals_are_those_of_the_labels(asked: dict[str, Any]) -> None:
    o: dict[str, Any] = {"dropna": True, "classes": range(K), "ci": 0.9, **asked}
    report = FRAME.ordinal.report(
        "y", "yhat", proba=BY_CLASS, by="model", metrics=["mae", "rps"], **o
    )
    of_labels = FRAME.ordinal.report("y", "yhat", by="model", metrics=["mae"], **o)
    columns = ["n", "mae", "mae_low", "mae_high"]
    lacking = ["score only", "neither"]
    pd.testing.assert_frame_equal(report.loc[lacking, columns], of_labels.loc[lacking, columns])
    assert report.loc[lacking, ["rps", "rps_low", "rps_high"]].isna().all(axis=None)
    complete = FRAME.dropna(subset=PROBA)
    alone = complete.ordinal.report(
        "y", "yhat", proba=BY_CLASS, by="model", metrics=["mae", "rps"], **o
    )
    pd.testing.assert_frame_equal(report.loc[["both", "apart"]], alone.loc[["both", "apart"]])


def test_ignored_labels_and_wrong_probabilities() -> None:
    o: dict[str, Any] = {
        "score": "score", "proba": BY_CLASS, "by": "model", "dropna": True, "classes": range(K),
        "metrics": METRICS,
    }  # fmt: skip
    ignored = FRAME.assign(yhat=FRAME.yhat.where(FRAME.row != 9, 9))
    report = ignored.ordinal.report("y", "yhat", ignore=9, **o)
    for model in MODELS:
        own = FRAME[(FRAME.model == model) & (FRAME.row != 9)]
        expected = literally(own, ["score", "proba"])
        npt.assert_allclose(report.loc[model, ["n", *METRICS]], list(expected.values()))
    wrong = FRAME.copy()
    wrong.loc[(wrong.model == "proba only") & (wrong.row == 11), PROBA] = 0.9
    with pytest.raises(ValueError, match=r"2\.7"):
        wrong.ordinal.report("y", "yhat", **o)
    with pytest.raises(po.MissingValueError):
        FRAME.ordinal.report("y", "yhat", **{**o, "dropna": False})


@pytest.mark.parametrize("chunks", [None, {"case": 70}, {"row": 20}, {"model": 1}], ids=str)
def test_arrays_say_the_same(chunks: dict[str, int] | None) -> None:
    ds = FRAME[["y", "yhat", "score", "model", "row"]].rename_axis("case").to_xarray()
    proba = FRAME[PROBA].to_numpy()
    ds["proba"] = xr.DataArray(proba, {"class": range(K)}, ("case", "class"))
    o: dict[str, Any] = {"by": "model"}
    if chunks is not None and "case" not in chunks:
        ds, o = ds.set_index(case=["model", "row"]).unstack(), {"dim": "row"}
    given = ds if chunks is None else ds.chunk(chunks)
    o |= {"dropna": True, "classes": range(K), "score": "score", "proba": "proba", "ci": 0.9}
    report = given.ordinal.report("y", "yhat", metrics=METRICS, **o).compute()
    for model in MODELS:
        expected = literally(FRAME[FRAME.model == model], ["score", "proba"])
        for name, value in expected.items():
            found = report[name].sel(model=model)
            npt.assert_allclose(found, value, err_msg=f"{model}, {name}")
            if name != "n":
                assert np.isnan(report[f"{name}_low"].sel(model=model)) == np.isnan(value)
    without = given.ordinal.report("y", metrics=["rps", "u_pairs"], **{**o, "ci": None}).compute()
    for model in MODELS:
        expected = literally(FRAME[FRAME.model == model], ["score", "proba"], with_pred=False)
        for name in ("n", "rps", "u_pairs"):
            npt.assert_allclose(without[name].sel(model=model), expected[name])


@pytest.mark.parametrize("options", [["proba"], ["score"], ["score", "proba"]], ids=str)
@pytest.mark.parametrize("with_pred", [True, False])
def test_partitions_say_the_same(options: list[str], with_pred: bool) -> None:
    names = [*(["mae", "accuracy"] if with_pred else [])]
    names += [name for name, of in (("rps", "proba"), ("u_pairs", "score")) if of in options]
    given = {"score": "score", "proba": BY_CLASS}
    o: dict[str, Any] = {option: given[option] for option in options}
    o |= {"metrics": names, "dropna": True, "classes": range(K), "by": "model"}
    pred = "yhat" if with_pred else None
    shuffled = FRAME.sample(frac=1, random_state=2)
    for df in (FRAME, shuffled):
        report = po.ordinal(parted(cut(df, [0, 30, 110]))).report("y", pred, **o).compute()
        for model in MODELS:
            expected = literally(FRAME[FRAME.model == model], options, with_pred)
            for name in ("n", *names):
                message = f"{model}, {name}"
                npt.assert_allclose(
                    report.loc[model, name], expected[name], err_msg=message, rtol=1e-12
                )


@pytest.mark.parametrize(
    "asked",
    [
        {"metrics": METRICS, "sample_weight": "w"},
        {"metrics": ["mae"], "ci": 0.9},
        {"metrics": ["mae"], "ci": 0.9, "cluster": "row", "sample_weight": "w"},
        {"metrics": ["mae", "u_ovo"], "ignore": 9},
    ],
    ids=str,
)
def test_partitions_with_weights_and_intervals(asked: dict[str, Any]) -> None:
    o: dict[str, Any] = {"score": "score", "proba": BY_CLASS, "dropna": True, "classes": range(K)}
    df = FRAME.assign(yhat=FRAME.yhat.where(FRAME.row != 12, 9)) if "ignore" in asked else FRAME
    ddf = po.ordinal(parted(cut(df, [3, 60, 61])))
    by: dict[str, Any]
    for by in ({"by": "model"}, {}):
        found = df.ordinal.report("y", "yhat", **o, **asked, **by)
        assert_same(ddf.report("y", "yhat", **o, **asked, **by), found, rtol=1e-10, atol=1e-13)


def test_partitions_of_models_in_columns() -> None:
    wide = FRAME[FRAME.model == "both"].assign(z=FRAME.yhat.iloc[::-1].to_numpy()[:N])
    wide = wide.assign(none=np.nan, p=np.where(wide.row % 3 == 0, np.nan, 0.25), q=0.75)
    proba = [BY_CLASS, {0: "none", 1: "p", 2: "q"}]
    ddf = po.ordinal(parted(cut(wide, [10, 11, 30])))
    o: dict[str, Any] = {"dropna": True, "classes": range(K), "metrics": METRICS}
    models: dict[str, Any]
    for models in (
        {"score": ["score", "none"], "proba": proba},
        {"score": {"yhat": "score"}, "proba": {"z": proba[1]}},
    ):
        found = wide.ordinal.report("y", ["yhat", "z"], **models, **o)
        assert found["mae"].notna().all()
        assert_same(ddf.report("y", ["yhat", "z"], **models, **o), found, rtol=1e-10, atol=1e-13)
    table = wide.assign(yhat=wide.z).ordinal.cut_report("y", "z", score="none", dropna=True)
    of_parts = ddf.cut_report("y", "z", score="none", dropna=True, classes=range(K))
    assert_same(of_parts, table, rtol=1e-10, atol=1e-13)


def test_probabilities_of_rows_without_scores_are_checked() -> None:
    wrong = FRAME.copy()
    wrong.loc[(wrong.model == "proba only") & (wrong.row == 11), PROBA] = 0.9
    ddf = po.ordinal(parted(cut(wrong, [50])))
    o: dict[str, Any] = {"score": "score", "proba": BY_CLASS, "dropna": True, "classes": range(K)}
    with pytest.raises(ValueError, match=r"2\.7"):
        ddf.report("y", "yhat", by="model", **o).compute()
