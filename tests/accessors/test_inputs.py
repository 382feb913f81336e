"""What goes in next to a truth: arrays, dicts of models, and one column of two classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import brute
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import UnknownClassError

FRAME = brute.scored(90)
CLASSES = FRAME["y"].cat.categories.tolist()
TRUE = FRAME["y"].cat.codes.to_numpy()
MODELS = {"Forest": "yhat", "Support vectors": "other"}
MIRRORED = dict(zip(CLASSES, CLASSES[::-1], strict=True))  # another forecast
FORECASTS = {"Support vectors": MIRRORED, "Forest": CLASSES[::-1]}


def mae(name: str, rows: Any = slice(None)) -> float:
    return float(np.abs(TRUE - FRAME[name].cat.codes.to_numpy())[rows].mean())


def rps(names: list[str], rows: Any = slice(None)) -> float:
    below = FRAME[names].to_numpy().cumsum(axis=1)[:, :-1]
    happened = TRUE[:, None] <= np.arange(len(CLASSES) - 1)
    return float(((below - happened) ** 2).sum(axis=1)[rows].mean())


def vus_of_pairs(name: str) -> float:
    """The U statistic over all pairs of rows of different classes."""
    score = FRAME[name].to_numpy()
    pairs = TRUE[:, None] < TRUE
    right = np.sign(score - score[:, None]) / 2 + 0.5
    return float(right[pairs].mean())


# arrays next to a Series

KINDS: dict[str, Callable[[pd.Series[Any]], Any]] = {
    "series": lambda column: column,
    "array of pandas": lambda column: column.array,
    "array": lambda column: column.to_numpy(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_next_to_a_series(kind: str) -> None:
    make, y = KINDS[kind], FRAME["y"].set_axis(range(5, 95))
    columns = {name: make(column.set_axis(y.index)) for name, column in FRAME.items()}
    weights = FRAME["w"].to_numpy()
    errors = np.abs(TRUE - FRAME["yhat"].cat.codes.to_numpy())
    found = y.ordinal.mae(columns["yhat"], sample_weight=columns["w"])
    assert found == pytest.approx(np.average(errors, weights=weights), rel=1e-12)
    assert y.ordinal.mae(columns["yhat"]) == pytest.approx(mae("yhat"), rel=1e-12)
    assert y.ordinal.confusion(columns["yhat"]).sum() == 90
    selected = make(FRAME["w"].set_axis(y.index) > 1)
    assert y.ordinal.mae(columns["yhat"], sample_weight=selected) == pytest.approx(
        mae("yhat", weights > 1), rel=1e-12
    )
    report = y.ordinal.report(
        columns["yhat"],
        score=columns["score"],
        metrics=["mae", "vus"],
        sample_weight=selected,
    )
    assert report["n"] == (weights > 1).sum()
    ties = y.ordinal.u_pairs(columns["score"])
    assert ties == pytest.approx(vus_of_pairs("score"), rel=1e-12)
    compared = y.ordinal.compare({"a": columns["yhat"], "b": columns["other"]}, metrics=["mae"])
    assert compared["value_a"].iloc[0] == pytest.approx(mae("yhat"), rel=1e-12)
    assert compared["value_b"].iloc[0] == pytest.approx(mae("other"), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_as_clusters(kind: str) -> None:
    patients = pd.Series(np.repeat(np.arange(30), 3))
    found = FRAME["y"].ordinal.report(
        FRAME["yhat"], metrics=["mae"], se=True, cluster=KINDS[kind](patients)
    )
    # the sandwich of sums over patients, 30 / 29 of their squares
    errors = np.abs(TRUE - FRAME["yhat"].cat.codes.to_numpy())
    sums = (errors - errors.mean()).reshape(30, 3).sum(axis=1)
    assert found["mae_se"] == pytest.approx(np.sqrt(30 / 29 * (sums**2).sum()) / 90, rel=0.05)
    missing = KINDS[kind](patients.astype(float).where(patients > 0))
    with pytest.raises(po.MissingValueError, match="is missing in 3 rows"):
        FRAME["y"].ordinal.report(FRAME["yhat"], se=True, cluster=missing)


@pytest.mark.parametrize("option", ["pred", "score", "sample_weight", "cluster", "proba"])
def test_arrays_of_another_length(option: str) -> None:
    y, given = FRAME["y"], {"pred": FRAME["yhat"], option: np.zeros(89)}
    if option == "cluster":
        given["se"] = True
    with pytest.raises(ValueError, match=f"^{option} is an array of length 89, .*are 90 true cl"):
        y.ordinal.report(**given)
    given[option] = np.zeros((90, 2, 2))
    with pytest.raises((ValueError, TypeError), match=rf"^{option}"):
        y.ordinal.report(**given)


def test_missing_values_of_arrays() -> None:
    y = pd.Series([0, 1, 2])
    assert y.ordinal.mae(np.array([0, np.nan, 1]), dropna=True) == 0.5
    with pytest.raises(po.MissingValueError, match="^pred holds 1 missing value"):
        y.ordinal.mae(np.array([0, np.nan, 1]))
    assert y.ordinal.mae(np.ma.masked_equal([0, 9, 1], 9), dropna=True) == 0.5


# dicts of models


def in_memory(frame: pd.DataFrame) -> Any:
    return frame.ordinal


def in_parts(frame: pd.DataFrame) -> Any:
    return po.ordinal(dd.from_pandas(frame, npartitions=3))


def computed(result: Any) -> Any:
    return result.compute() if hasattr(result, "compute") else result


@pytest.mark.parametrize("surface", [in_memory, in_parts])
def test_dicts_name_models(surface: Any) -> None:
    o = surface(FRAME)
    found = computed(o.mae("y", MODELS))
    assert found.index.name == "model" and found.index.tolist() == list(MODELS)
    assert found.tolist() == pytest.approx([mae("yhat"), mae("other")], rel=1e-12)
    cube = computed(o.confusion("y", MODELS))
    assert cube.indexes["model"].tolist() == list(MODELS)
    scores = {"Support vectors": "second", "Forest": "score"}
    report = computed(
        o.report("y", MODELS, score=scores, proba=FORECASTS, metrics=["mae", "u_pairs", "rps"])
    )
    assert report.index.tolist() == list(MODELS)
    due = {
        "mae": [mae("yhat"), mae("other")],
        "u_pairs": [vus_of_pairs("score"), vus_of_pairs("second")],
        "rps": [rps(CLASSES), rps(CLASSES[::-1])],
    }
    for name, values in due.items():
        assert report[name].tolist() == pytest.approx(values, rel=1e-12)
    ranked = computed(o.u_pairs("y", scores))
    assert ranked.index.tolist() == list(scores)
    assert ranked.tolist() == pytest.approx(due["u_pairs"][::-1], rel=1e-12)
    assert computed(o.rps("y", FORECASTS)).to_dict() == pytest.approx(
        {"Support vectors": rps(CLASSES[::-1]), "Forest": rps(CLASSES)}, rel=1e-12
    )
    by_group = computed(o.mae("y", MODELS, by="g"))
    assert by_group["b", "Support vectors"] == pytest.approx(
        mae("other", (FRAME["g"] == "b").to_numpy()), rel=1e-12
    )


def test_dicts_of_models_in_other_methods() -> None:
    grouped = FRAME.groupby("g").ordinal
    for found, due in (
        (grouped.mae("y", MODELS), grouped.mae("y", ["yhat", "other"])),
        (grouped.report("y", MODELS), grouped.report("y", ["yhat", "other"])),
        (grouped.class_mae("y", MODELS), grouped.class_mae("y", ["yhat", "other"])),
    ):
        assert found.index.get_level_values("model").unique().tolist() == list(MODELS)
        np.testing.assert_array_equal(found.to_numpy(), due.to_numpy())
    o = FRAME.ordinal
    summary = o.summary("y", MODELS, over="fold", metrics=["mae"])
    assert summary["pooled"].tolist() == pytest.approx([mae("yhat"), mae("other")], rel=1e-12)
    assert o.accuracy_curve("y", MODELS).index.tolist() == list(MODELS)
    names = {column: name for name, column in MODELS.items()}
    due = o.dominance("y", list(MODELS.values())).undominated
    assert list(o.dominance("y", MODELS).undominated) == [names[column] for column in due]
    for compared in (o.compare("y", MODELS, metrics=["mae"]), grouped.compare("y", MODELS)):
        assert compared.index.unique("a").tolist() == ["Forest"]
    (row,) = o.compare("y", proba=FORECASTS, metrics=["rps"], reference="Forest").itertuples()
    assert row.Index == ("rps", "Forest", "Support vectors")
    assert row.value_a == pytest.approx(rps(CLASSES), rel=1e-12)


def test_dicts_of_models_may_share_a_column() -> None:
    assert FRAME.ordinal.mae("y", {"a": "yhat", "b": "yhat"}).tolist() == [mae("yhat")] * 2


def test_the_columns_name_the_dimension_of_a_dict() -> None:
    assert FRAME.rename_axis(columns="method").ordinal.mae("y", MODELS).index.name == "method"


def test_dicts_of_models_on_a_series() -> None:
    y = FRAME["y"]
    preds = {"a": FRAME["yhat"], "b": FRAME["other"].to_numpy()}
    assert y.ordinal.mae(preds).to_dict() == pytest.approx(
        {"a": mae("yhat"), "b": mae("other")}, rel=1e-12
    )
    forecasts = {"b": FRAME[CLASSES[::-1]].to_numpy(), "a": FRAME[CLASSES]}
    report = y.ordinal.report(preds, proba=forecasts, metrics=["mae", "rps"])
    assert report.index.tolist() == ["a", "b"]
    assert report["rps"].tolist() == pytest.approx([rps(CLASSES), rps(CLASSES[::-1])], rel=1e-12)
    assert y.ordinal.confusion(preds).sizes["model"] == 2
    with pytest.raises(TypeError, match=r"^proba\['c9'\] is a Series, .*DataFrame\(\{class: col"):
        y.ordinal.rps({name: FRAME[name] for name in CLASSES})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pred": MODELS, "score": {"Forest": "score", "x": "second"}}, "score= has the models"),
        ({"pred": MODELS, "proba": {"a": CLASSES, "b": CLASSES}}, "proba= has the models"),
        ({"pred": {}}, r"pred=\[\] must name one or more"),
        ({"pred": {"a": ["yhat"]}}, "pred= takes the label of a column, not a list"),
        ({"pred": {"a": "yHat"}}, "no column 'yHat'; did you mean 'yhat'"),
        ({"pred": "yhat", "score": {"a": "score"}}, "score= lists 1 models"),
    ],
)
def test_dicts_that_do_not_fit(given: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        FRAME.ordinal.report("y", **given)


# models without scores or probabilities


@pytest.mark.parametrize("surface", [in_memory, in_parts])
def test_models_without_some_inputs_keep_the_metrics_of_the_others(surface: Any) -> None:
    metrics = ["mae", "rps", "rps_skill", "log_loss", "brier", "vus", "u_pairs"]
    given = {"proba": {"Support vectors": CLASSES}, "score": {"Forest": "score"}}
    report = computed(surface(FRAME).report("y", MODELS, **given, metrics=metrics))
    assert report["n"].tolist() == [90, 90]
    assert report["mae"].tolist() == pytest.approx([mae("yhat"), mae("other")], rel=1e-12)
    assert report.loc["Support vectors", "rps"] == pytest.approx(rps(CLASSES), rel=1e-12)
    assert report.loc["Forest", "u_pairs"] == pytest.approx(vus_of_pairs("score"), rel=1e-12)
    assert report.loc["Forest", ["rps", "rps_skill", "log_loss", "brier"]].isna().all()
    assert report.loc["Support vectors", ["vus", "u_pairs"]].isna().all()
    groups = computed(surface(FRAME).report("y", MODELS, **given, metrics=metrics, by="g"))
    assert groups["n"].unstack().sum().tolist() == [90, 90]
    assert groups["rps"].unstack().isna().all().tolist() == [True, False]


def test_intervals_and_comparisons_of_models_without_some_inputs() -> None:
    given = {"proba": {"Forest": CLASSES}, "metrics": ["mae", "rps"]}
    alone = FRAME.ordinal.report("y", "yhat", proba=CLASSES, metrics=["mae", "rps"], ci=0.9)
    report = FRAME.ordinal.report("y", MODELS, **given, ci=0.9)
    pd.testing.assert_series_equal(report.loc["Forest"], alone, check_names=False)
    assert report.loc["Support vectors", ["rps", "rps_low", "rps_high"]].isna().all()
    with pytest.raises(ValueError, match=r"^proba= has the models \['Forest'\].*of all of them"):
        FRAME.ordinal.compare("y", MODELS, **given)
    summary = FRAME.ordinal.summary("y", MODELS, over="fold", **given)
    assert summary["n_folds"].tolist() == [3, 3, 3, 0]


def test_a_model_whose_probabilities_are_missing_keeps_its_rows() -> None:
    holed = FRAME.assign(**{f"no {name}": np.nan for name in CLASSES})
    forecasts = {"Forest": CLASSES, "Support vectors": {c: f"no {c}" for c in CLASSES}}
    given = {"proba": forecasts, "metrics": ["mae", "rps"], "dropna": True}
    report = holed.ordinal.report("y", MODELS, **given)
    assert report["n"].tolist() == [90, 90]
    assert report["mae"].tolist() == pytest.approx([mae("yhat"), mae("other")], rel=1e-12)
    assert report["rps"].tolist() == pytest.approx([rps(CLASSES), np.nan], nan_ok=True)
    of_series = holed["y"].ordinal.report(
        {"a": holed["yhat"], "b": holed["other"]}, proba={"a": holed[CLASSES]}, metrics=["rps"]
    )
    assert of_series["rps"].tolist() == pytest.approx([rps(CLASSES), np.nan], nan_ok=True)


# one column of two classes: the squared errors of 0 1 1 0 by .2 .9 .6 .4 are .04 .01 .16 .16

TWO = pd.DataFrame({"y": [0, 1, 1, 0], "p": [0.2, 0.9, 0.6, 0.4], 0: [0.8, 0.1, 0.4, 0.6]})
WORDS = TWO.assign(y=pd.Categorical(["no", "yes", "yes", "no"], ["no", "yes"], ordered=True))
ARRAYS = TWO.set_axis(["y", "p", "q"], axis=1).rename_axis("case").to_xarray()
ONE_COLUMN: dict[str, Callable[[], Any]] = {
    "array next to a Series": lambda: TWO["y"].ordinal.rps(TWO["p"].to_numpy()),
    "Series next to a Series": lambda: TWO["y"].ordinal.rps(TWO["p"]),
    "array of pandas": lambda: TWO["y"].ordinal.rps(TWO["p"].astype("Float64").array),
    "frame next to a Series": lambda: TWO["y"].ordinal.rps(TWO[["p"]]),
    "label": lambda: TWO.ordinal.rps("y", "p"),
    "text classes": lambda: WORDS.ordinal.rps("y", "p"),
    "class named by a dict": lambda: WORDS.ordinal.rps("y", {"yes": "p"}),
    "list": lambda: TWO.ordinal.rps("y", ["p"]),
    "report": lambda: TWO.ordinal.report("y", proba="p", metrics=["rps"])["rps"],
    "groups": lambda: TWO.assign(g=1).groupby("g").ordinal.rps("y", "p").item(),
    "models": lambda: TWO.ordinal.rps("y", {"a": ["p"], "b": ["p"]})["b"],
    "partitions": lambda: in_parts(TWO).rps("y", "p", classes=[0, 1]).compute(),
    "DataArray": lambda: ARRAYS["y"].ordinal.rps(ARRAYS["p"]),
    "chunks": lambda: ARRAYS["y"].chunk(2).ordinal.rps(ARRAYS["p"].chunk(2), classes=[0, 1]),
    "Dataset": lambda: ARRAYS.ordinal.rps("y", "p"),
    "kernel": lambda: po.metrics.rps(TWO["y"].to_numpy(), TWO["p"].to_numpy()),
    "both columns": lambda: TWO.ordinal.rps("y", {0: 0, 1: "p"}),
}


@pytest.mark.parametrize("way", ONE_COLUMN)
def test_one_column_of_two_classes(way: str) -> None:
    assert float(ONE_COLUMN[way]()) == pytest.approx(0.0925, rel=1e-12)


def test_one_column_makes_scores_and_classes() -> None:
    o = TWO.ordinal
    assert o.expected_class("p", classes=[0, 1]).tolist() == [0.2, 0.9, 0.6, 0.4]
    assert o.most_likely("p", classes=[0, 1]).tolist() == [0, 1, 1, 0]


def test_a_missing_probability_of_one_column() -> None:
    holed = TWO.assign(p=[0.2, None, 0.6, 0.4])
    with pytest.raises(po.MissingValueError, match="column 'p' holds 1 missing value"):
        holed.ordinal.rps("y", "p")
    assert holed.ordinal.rps("y", "p", dropna=True) == pytest.approx(0.12, rel=1e-12)


THREE = TWO.assign(y=[0, 1, 2, 0])
MANY: dict[str, Callable[[], Any]] = {
    "label": lambda: THREE.ordinal.rps("y", "p"),
    "array": lambda: THREE["y"].ordinal.rps(THREE["p"].to_numpy()),
    "Series": lambda: THREE["y"].ordinal.rps(THREE["p"]),
    "lower class": lambda: TWO.ordinal.rps("y", 0),
    "list of the lower class": lambda: TWO.ordinal.rps("y", [0]),
    "dict of the lower class": lambda: TWO.ordinal.rps("y", {0: 0}),
    "dict of another class": lambda: TWO.ordinal.rps("y", {2: "p"}),
}


@pytest.mark.parametrize("way", MANY)
def test_one_column_of_other_classes(way: str) -> None:
    with pytest.raises(UnknownClassError, match="a column for each class"):
        MANY[way]()


def test_one_array_of_more_classes() -> None:
    truth = xr.DataArray([0, 1, 2, 0], dims="case")
    with pytest.raises(UnknownClassError, match=r"dimensions of proba have the classes \[0, 1, 2"):
        truth.ordinal.rps(ARRAYS["p"])
    with pytest.raises(ValueError, match="true classes hold 2: give all columns"):
        po.metrics.rps([0, 1, 2, 0], TWO["p"].to_numpy())
    # a dimension without labels may have the classes
    table = xr.DataArray(np.full((4, 2), 0.5), dims=["case", "class"])
    with pytest.raises(UnknownClassError, match="0 dimensions of proba have the classes"):
        ARRAYS["y"].ordinal.rps(table)


def test_an_array_of_probabilities_next_to_labels_of_a_frame() -> None:
    with pytest.raises(TypeError, match=r"df\.assign\(p=array\), and give proba='p'"):
        TWO.ordinal.rps("y", TWO["p"].to_numpy())
    labelled = TWO.rename(columns={"p": 1})
    assert labelled.ordinal.rps("y", np.array([0.0, 1.0])) == pytest.approx(0.0925, rel=1e-12)
