"""Prediction sets of frames: limits, sets, their report, comparison and picture."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles import sets as oracle

import pandas_ordinal as po
from pandas_ordinal import metrics
from pandas_ordinal.plot import canvas

GRADES = ["low", "mid", "high", "top"]
COLUMNS = ["score", "coverage", "size"]


def frame(n_rows: int = 200, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    true = rng.choice(4, n_rows, p=[0.4, 0.3, 0.2, 0.1])
    seen = true + rng.normal(size=n_rows)
    proba = np.exp(-((seen[:, None] - np.arange(4)) ** 2))
    proba /= proba.sum(axis=1, keepdims=True)
    low = np.maximum(np.rint(seen).astype(int) - rng.integers(0, 2, n_rows), 0).clip(0, 3)
    high = (low + rng.integers(0, 3, n_rows)).clip(0, 3)
    table = pd.DataFrame(proba, columns=GRADES, index=np.arange(n_rows) + 100)
    return table.assign(
        y=pd.Categorical.from_codes(true, GRADES, ordered=True),
        low_a=pd.Categorical.from_codes(low, GRADES, ordered=True),
        high_a=pd.Categorical.from_codes(high, GRADES, ordered=True),
        low_b=pd.Categorical.from_codes(np.minimum(low, true), GRADES, ordered=True),
        high_b=pd.Categorical.from_codes(np.maximum(high, true - 1), GRADES, ordered=True),
        g=rng.choice(["x", "z"], n_rows),
        w=rng.random(n_rows),
        patient=np.arange(n_rows) // 4,
    )


DF = frame()
SETS = {"low": "low_a", "high": "high_a"}
MODELS = {"low": {"a": "low_a", "b": "low_b"}, "high": {"a": "high_a", "b": "high_b"}}


def codes(df: pd.DataFrame, *names: str) -> list[np.ndarray]:
    return [df[name].cat.codes.to_numpy() for name in names]


@pytest.mark.parametrize("by_class", [False, True])
def test_limits_and_sets_are_those_of_the_kernels(by_class: bool) -> None:
    known, new = DF[:120], DF[120:]
    limits = known.ordinal.set_limits("y", GRADES[::-1], coverage=0.8, by_class=by_class)
    proba = known[GRADES].to_numpy()
    expected = metrics.set_limits(known["y"].cat.codes, proba, coverage=0.8, by_class=by_class)
    assert limits.tolist() == pytest.approx(expected.tolist(), abs=1e-15)
    assert limits.index.equals(pd.CategoricalIndex(GRADES, GRADES, ordered=True, name="class"))
    assert limits.name == "limit"
    sets = new.ordinal.prediction_sets(GRADES, limits)
    low, high = metrics.prediction_sets(new[GRADES].to_numpy(), expected)
    assert [c.tolist() for c in codes(sets, "low", "high")] == [low.tolist(), high.tolist()]
    assert sets.index.equals(new.index)
    assert all(dtype == new["y"].dtype for dtype in sets.dtypes)
    for given in (limits.to_numpy(), limits.tolist()):
        again = new.ordinal.prediction_sets(GRADES, given, classes=new["y"].dtype)
        pd.testing.assert_frame_equal(again, sets)
    pd.testing.assert_frame_equal(
        new.ordinal.prediction_sets({k: k for k in GRADES}, limits, classes=GRADES), sets
    )


def test_limits_by_group_and_model() -> None:
    shifted = DF.assign(**{f"q{k}": DF[GRADES[::-1][k]] for k in range(4)})
    models = {"own": GRADES, "turned": {k: f"q{i}" for i, k in enumerate(GRADES)}}
    limits = shifted.ordinal.set_limits("y", models, by="g", coverage=0.7)
    assert list(limits.index.names) == ["g", "model", "class"]
    for key, group in shifted.groupby("g"):
        own = group.ordinal.set_limits("y", GRADES, coverage=0.7)
        assert limits.loc[(key, "own")].tolist() == own.tolist()
        sets = group.ordinal.prediction_sets(GRADES, limits.loc[(key, "own")])
        pd.testing.assert_frame_equal(sets, group.ordinal.prediction_sets(GRADES, own))
    grouped = DF.groupby("g").ordinal.set_limits("y", GRADES, coverage=0.7)
    pd.testing.assert_series_equal(
        grouped, DF.ordinal.set_limits("y", GRADES, by="g", coverage=0.7)
    )
    flat = DF.groupby("g", as_index=False).ordinal.set_limits("y", GRADES, coverage=0.7)
    assert list(flat.columns) == ["g", "class", "limit"]
    with pytest.raises(ValueError, match=r"several groups or models: .* limits\.loc\['x'\]"):
        DF.ordinal.prediction_sets(GRADES, grouped)
    with pytest.raises(ValueError, match=r"several groups or models: .*\.loc\[\('x', 'own'\)\]"):
        DF.ordinal.prediction_sets(GRADES, limits)


def test_limits_of_a_series() -> None:
    limits = DF["y"].ordinal.set_limits(DF[GRADES], coverage=0.8)
    pd.testing.assert_series_equal(limits, DF.ordinal.set_limits("y", GRADES, coverage=0.8))


def test_missing_values() -> None:
    lost = DF.copy()
    lost.loc[101, "mid"] = np.nan
    lost.loc[102, "y"] = np.nan
    with pytest.raises(po.MissingValueError, match=r"'y' holds 1 missing"):
        lost.drop(101).ordinal.set_limits("y", GRADES, coverage=0.8)
    with pytest.raises(po.MissingValueError, match=r"'mid' holds 1 missing"):
        lost.drop(102).ordinal.set_limits("y", GRADES, coverage=0.8)
    limits = lost.ordinal.set_limits("y", GRADES, coverage=0.8, dropna=True)
    pd.testing.assert_series_equal(
        limits, DF.drop([101, 102]).ordinal.set_limits("y", GRADES, coverage=0.8)
    )
    sets = lost.ordinal.prediction_sets(GRADES, limits)
    assert sets.isna().any(axis=1).tolist() == (lost.index == 101).tolist()
    both = lost.assign(low=sets["low"], high=sets["high"])
    for name, rest in (("'y'", both.drop(101)), ("'low'", both.drop(102))):
        with pytest.raises(po.MissingValueError, match=rf"{name} holds 1 missing"):
            rest.ordinal.report_sets("y", low="low", high="high")
    dropped = both.ordinal.report_sets("y", low="low", high="high", dropna=True)
    kept = both.drop([101, 102]).ordinal.report_sets("y", low="low", high="high")
    pd.testing.assert_series_equal(dropped, kept)
    turned = both.copy()
    turned.loc[102, ["low", "high"]] = "high", "low"
    turned.loc[102, "y"] = np.nan  # a row that is left out may have a wrong set
    pd.testing.assert_series_equal(
        turned.ordinal.report_sets("y", low="low", high="high", dropna=True), kept
    )
    labelled = both.assign(y=both["y"].astype(object).fillna("?"))
    found = labelled.ordinal.report_sets(
        "y", low="low", high="high", ignore="?", classes=GRADES, dropna=True
    )
    pd.testing.assert_series_equal(found, kept)


@pytest.mark.parametrize("weight", [None, "w"])
def test_a_report_is_loops_over_rows(weight: str | None) -> None:
    asked: dict[str, Any] = {"coverage": 0.9, "sample_weight": weight}
    found = DF.ordinal.report_sets("y", by="g", **MODELS, **asked)
    assert list(found.columns) == [
        "n",
        "coverage",
        "size",
        "least_coverage",
        "distance",
        "interval_score",
    ]
    for (key, model), row in found.iterrows():
        part = DF[DF["g"] == key]
        true, low, high = codes(part, "y", f"low_{model}", f"high_{model}")
        weights = None if weight is None else part["w"].tolist()
        expected = oracle.report(true.tolist(), low.tolist(), high.tolist(), 0.9, weights)
        assert row["n"] == len(part)
        assert row[list(expected)].to_dict() == pytest.approx(expected, rel=1e-9)
    without = DF.ordinal.report_sets("y", **SETS)
    assert list(without.index) == ["n", "coverage", "size", "least_coverage", "distance"]


def test_by_the_truth_it_is_the_coverage_of_each_class() -> None:
    found = DF.ordinal.report_sets("y", by="y", **SETS)["coverage"]
    of_class = metrics.set_class_coverage(*codes(DF, "y", "low_a", "high_a"), 4)
    assert found.tolist() == pytest.approx(of_class.tolist())


def test_lists_and_dicts_and_other_orders_of_models() -> None:
    lists = DF.ordinal.report_sets("y", low=["low_a", "low_b"], high=["high_a", "high_b"])
    dicts = DF.ordinal.report_sets("y", **MODELS)
    assert lists.index.tolist() == ["low_a", "low_b"]
    assert (lists.to_numpy() == dicts.to_numpy()).all()
    turned = {"low": MODELS["low"], "high": dict(reversed(MODELS["high"].items()))}
    pd.testing.assert_frame_equal(DF.ordinal.report_sets("y", **turned), dicts)
    one = DF.ordinal.report_sets("y", **SETS)
    assert one.tolist() == dicts.loc["a"].tolist()
    points = DF.ordinal.report_sets("y", low="low_a", high="low_a")
    assert points["coverage"] == DF.ordinal.accuracy("y", "low_a")
    assert points["distance"] == DF.ordinal.mae("y", "low_a")
    assert points["size"] == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"low": "low_a", "high": ["high_a", "high_b"]},
        {"low": ["low_a"], "high": ["high_a", "high_b"]},
        {"low": {"a": "low_a"}, "high": {"b": "high_a"}},
        {"low": MODELS["low"], "high": "high_a"},
    ],
)
def test_both_ends_are_of_the_same_models(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"two columns, or those of the same models: give dicts"):
        DF.ordinal.report_sets("y", **wrong)


@pytest.mark.parametrize("names", [[], ["low", "low"]])
def test_models_are_one_or_more_different_columns(names: list[str]) -> None:
    df = pd.DataFrame({"y": [0, 1], "low": [0, 0], "high": [1, 1]})
    with pytest.raises(ValueError, match=r"low=.* must name one or more different columns"):
        df.ordinal.report_sets("y", low=names, high=["high", "high"][: len(names)])


def test_low_above_high_names_the_row() -> None:
    rows = DF.index[[3, 7]]
    wrong = DF.copy()
    wrong.loc[rows, "low_a"], wrong.loc[rows, "high_a"] = "high", "low"
    with pytest.raises(ValueError, match=r"low is above high in 2 rows, first in row 103: "):
        wrong.ordinal.report_sets("y", **SETS)
    chosen = wrong.assign(chosen=wrong.index > 103)
    with pytest.raises(ValueError, match=r"in 1 row, first in row 107: "):
        chosen.ordinal.report_sets("y", sample_weight="chosen", **SETS)
    rest = chosen.assign(chosen=~chosen.index.isin(rows))
    found = rest.ordinal.report_sets("y", sample_weight="chosen", **SETS)
    pd.testing.assert_series_equal(found, DF.drop(rows).ordinal.report_sets("y", **SETS))
    with pytest.raises(po.UnknownNameError, match=r"'lwo_a'.*low_a"):
        DF.ordinal.report_sets("y", low="lwo_a", high="high_a")


def test_text_needs_an_order() -> None:
    text = DF.astype(dict.fromkeys(("y", "low_a", "high_a"), str))
    with pytest.raises(po.ClassOrderError, match=r"classes=\["):
        text.ordinal.report_sets("y", **SETS)
    found = text.ordinal.report_sets("y", classes=GRADES, **SETS)
    pd.testing.assert_series_equal(found, DF.ordinal.report_sets("y", **SETS))


# Intervals ----------------------------------------------------------------------------------


def nearest(df: pd.DataFrame) -> pd.DataFrame:
    true, low, high = codes(df, "y", "low_a", "high_a")
    near = np.clip(true, low, high)
    return df.assign(near=pd.Categorical.from_codes(near, GRADES, ordered=True))


@pytest.mark.parametrize("options", [{}, {"cluster": "patient"}, {"sample_weight": "w"}])
def test_counted_columns_have_the_intervals_of_the_nearest_class(options: Any) -> None:
    found = DF.ordinal.report_sets("y", ci=0.9, se=True, **SETS, **options)
    named = {"coverage": "accuracy", "least_coverage": "min_sensitivity", "distance": "mae"}
    expected = nearest(DF).ordinal.report("y", "near", metrics=named, ci=0.9, se=True, **options)
    for name in named:
        for part in ("", "_low", "_high", "_se"):
            assert found[name + part] == pytest.approx(expected[name + part], nan_ok=True)
    assert found["n_classes"] == 4
    assert found["size_low"] < found["size"] < found["size_high"]


def test_the_standard_error_of_means_is_that_of_a_mean() -> None:
    large = frame(4000, seed=1)
    true, low, high = codes(large, "y", "low_a", "high_a")
    found = large.ordinal.report_sets("y", ci=0.95, se=True, coverage=0.9, **SETS)
    sizes = high - low + 1
    scores = high - low + 20 * np.abs(true - np.clip(true, low, high))
    for name, values in {"size": sizes, "interval_score": scores}.items():
        assert found[f"{name}_se"] == pytest.approx(values.std(ddof=1) / np.sqrt(4000), rel=0.02)
        middle = (found[f"{name}_low"] + found[f"{name}_high"]) / 2
        assert middle == pytest.approx(values.mean(), rel=0.01)


def test_intervals_of_clusters_leave_out_each() -> None:
    by_patient = DF.groupby("patient")
    values = by_patient.apply(lambda d: oracle.report(
        *(c.tolist() for c in codes(d, "y", "low_a", "high_a")), 0.9
    )["interval_score"], include_groups=False)  # fmt: skip
    n = len(values)  # of the same size
    jackknife = np.sqrt(
        (n - 1) / n * ((values.mean() - (values.sum() - values) / (n - 1)) ** 2).sum()
    )
    found = DF.ordinal.report_sets("y", cluster="patient", ci=0.95, se=True, coverage=0.9, **SETS)
    assert found["n_clusters"] == n
    assert found["interval_score_se"] == pytest.approx(jackknife, rel=0.15)


def test_sets_without_a_miss_have_an_interval() -> None:
    full = DF.assign(low="low", high="top")
    found = full.ordinal.report_sets("y", low="low", high="high", ci=0.95, coverage=0.9)
    assert found["coverage"] == found["coverage_high"] == 1
    assert found["coverage_low"] == pytest.approx(0.025 ** (1 / 200))
    assert found["size"] == found["size_high"] == 4
    assert found["size_low"] < 4
    assert found["interval_score_high"] > found["interval_score"] == 3


@pytest.mark.parametrize("n_rows", [0, 1, 2])
def test_few_rows(n_rows: int) -> None:
    found = DF[:n_rows].ordinal.report_sets("y", ci=0.95, coverage=0.9, **SETS)
    assert found["n"] == n_rows
    assert found.drop(["n", "n_classes"]).isna().all() == (n_rows == 0)
    assert np.isnan(found["size_low"]) == (n_rows < 2)


# Comparison ---------------------------------------------------------------------------------


def test_a_comparison_has_the_values_of_the_report() -> None:
    found = DF.ordinal.compare_sets("y", coverage=0.9, **MODELS)
    report = DF.ordinal.report_sets("y", coverage=0.9, **MODELS)
    for name in ("coverage", "size", "least_coverage", "distance", "interval_score"):
        row = found.loc[(name, "a", "b")]
        assert row["value_a"] == pytest.approx(report.loc["a", name])
        assert row["value_b"] == pytest.approx(report.loc["b", name])
        assert row["difference"] == pytest.approx(row["value_a"] - row["value_b"])
    true, *ends = codes(DF, "y", "low_a", "high_a", "low_b", "high_b")
    sizes = (ends[1] - ends[0]) - (ends[3] - ends[2])
    assert found.loc[("size", "a", "b"), "se"] == pytest.approx(
        sizes.std(ddof=1) / np.sqrt(len(true)), rel=0.05
    )
    assert found.loc[("coverage", "a", "b"), "better"] == "b"
    assert found.loc[("size", "a", "b"), "better"] == "a"


def test_comparisons_by_group_cluster_and_weight() -> None:
    found = DF.ordinal.compare_sets("y", by="g", cluster="patient", sample_weight="w", **MODELS)
    report = DF.ordinal.report_sets("y", by="g", sample_weight="w", **MODELS)
    for key in ("x", "z"):
        row = found.loc[(key, "size", "a", "b")]
        assert row["value_a"] == pytest.approx(report.loc[(key, "a"), "size"])
    with pytest.raises(ValueError, match=r"leave method= out"):
        DF.ordinal.compare_sets("y", method="permutation", **MODELS)
    with pytest.raises(ValueError, match=r"two or more models"):
        DF.ordinal.compare_sets("y", **SETS)


def test_groups_take_all_options() -> None:
    options: dict[str, Any] = {"cluster": "patient", "sample_weight": "w", "ci": 0.9, "se": True}
    found = DF.groupby("g").ordinal.report_sets("y", coverage=0.8, **SETS, **options)
    by_key = DF.ordinal.report_sets("y", by="g", coverage=0.8, **SETS, **options)
    pd.testing.assert_frame_equal(found, by_key)


# Picture ------------------------------------------------------------------------------------


def test_a_picture_shows_how_often_each_class_is_in_a_set() -> None:
    from pandas_ordinal.query import Query
    from pandas_ordinal.rows.sets import SetColumns, shares_in_sets
    from pandas_ordinal.rows.table import FrameTable

    for weight in (None, "w"):
        query = Query(true="y", by="g", sample_weight=weight)
        shares = shares_in_sets(FrameTable(DF), query, SetColumns(**MODELS))
        assert shares.dims == ("g", "model", "true", "pred")
        for key, group in DF.groupby("g"):
            true, low, high = codes(group, "y", "low_b", "high_b")
            w = np.ones(len(group)) if weight is None else group["w"].to_numpy()
            for y in range(4):
                for k in range(4):
                    inside = (low <= k) & (k <= high)
                    expected = w[(true == y) & inside].sum() / w[true == y].sum()
                    found = shares.sel(g=key, model="b").to_numpy()[y, k]
                    assert found == pytest.approx(expected)


def test_shares_of_weights_are_not_negative() -> None:
    rng = np.random.default_rng(24)
    true, low = rng.integers(0, 5, 30), rng.integers(0, 4, 30)
    high = np.minimum(low + rng.integers(0, 2, 30), 3)
    df = pd.DataFrame({"y": true, "low": low, "high": high, "w": rng.random(30)})
    axes = df.ordinal.plot_sets("y", low="low", high="high", sample_weight="w", classes=range(5))
    cells = np.reshape(axes.collections[0].get_array(), (5, 5))
    held = np.zeros((5, 5), bool)
    for y, first, last in zip(true, low, high, strict=True):
        held[y, first : last + 1] = True
    assert ((cells > 0) == held).all() and ((cells >= 0) & (cells <= 1)).all()
    assert not any("-" in text.get_text() for text in axes.texts)


def test_the_picture_is_drawn() -> None:
    axes = DF.ordinal.plot_sets("y", **SETS)
    assert axes.get_xlabel() == "class in the set"
    assert axes.collections[0].get_clim() == (0, 1)
    mesh = axes.collections[0].get_array()
    of_class = metrics.set_class_coverage(*codes(DF, "y", "low_a", "high_a"), 4)
    assert np.reshape(mesh, (4, 4)).diagonal().tolist() == pytest.approx(of_class.tolist())
    panels = DF.ordinal.plot_sets("y", by="g", **MODELS)
    assert np.shape(panels) == (2, 2)
    single = DF.ordinal.plot_sets("y", by="g", **SETS)
    assert [panel.get_title() for panel in single] == ["g = x", "g = z"]
    with pytest.raises(ValueError, match=r"panels for two of by= and the models"):
        DF.assign(h=1).ordinal.plot_sets("y", by=["g", "h"], **MODELS)
    with pytest.raises(ValueError, match=r"ax= has room for one panel, not for \['g'\]"):
        DF.ordinal.plot_sets("y", by="g", ax=axes, **SETS)
    for rows, by in ((DF[:0], "g"), (DF.assign(h=range(200)), "h")):
        with pytest.raises(
            ValueError, match=r"there would be (0|200) panels.*rows of some groups"
        ):
            rows.ordinal.plot_sets("y", by=by, **SETS)


def test_a_picture_has_at_most_so_many_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "MOST_PANELS", 2)
    assert len(DF.ordinal.plot_sets("y", by="g", **SETS)) == 2
    with pytest.raises(ValueError, match="there would be 4 panels"):
        DF.ordinal.plot_sets("y", by="g", **MODELS)


def test_a_picture_of_one_group_or_one_class() -> None:
    (panel,) = DF[DF["g"] == "x"].ordinal.plot_sets("y", by="g", **SETS)
    assert panel.get_title() == "g = x"
    one = pd.DataFrame({"g": ["x"] * 3, "y": 0, "low": 0, "high": 0})
    (panel,) = one.ordinal.plot_sets("y", by="g", low="low", high="high", classes=[0])
    assert np.ravel(panel.collections[0].get_array()).tolist() == [1]


# Limits of others ---------------------------------------------------------------------------


def test_limits_of_other_classes_are_refused() -> None:
    limits = DF.ordinal.set_limits("y", GRADES, coverage=0.8)
    with pytest.raises(po.ClassOrderError, match=r"leave classes= out"):
        DF.ordinal.prediction_sets(GRADES, limits, classes=GRADES[::-1])
    with pytest.raises(po.UnknownClassError, match=r"give one value for each class"):
        DF.ordinal.prediction_sets(GRADES, limits[:2])
    with pytest.raises(po.ClassOrderError, match=r"limits have no classes"):
        DF.ordinal.prediction_sets(GRADES, limits.to_numpy())
    with pytest.raises(ValueError, match=r"must be 4 numbers"):
        DF.ordinal.prediction_sets(GRADES, [0.1] * 3, classes=GRADES)
    fewer = DF[DF["y"] != "top"].assign(y=lambda d: d["y"].cat.remove_categories("top"))
    fewer[GRADES[:3]] = fewer[GRADES[:3]].div(fewer[GRADES[:3]].sum(axis=1), axis=0)
    other = fewer.ordinal.set_limits("y", GRADES[:3], coverage=0.8)
    with pytest.raises((po.UnknownClassError, ValueError), match="top"):
        DF.ordinal.prediction_sets(GRADES, other)


def test_limits_match_the_classes_by_their_labels() -> None:
    limits = DF.ordinal.set_limits("y", GRADES, coverage=0.8, by_class=True)
    assert limits.is_unique
    sets = DF.ordinal.prediction_sets(GRADES, limits)
    pd.testing.assert_frame_equal(DF.ordinal.prediction_sets(GRADES, limits[::-1]), sets)
    plain = pd.Series(limits.tolist(), GRADES)
    for given in (plain, plain.sort_values(), plain[::-1].to_dict(), limits.to_xarray()[::-1]):
        again = DF.ordinal.prediction_sets(GRADES, given, classes=GRADES)
        pd.testing.assert_frame_equal(again, sets)
    with pytest.raises(po.UnknownClassError, match=r"limits= is labelled \['a', 'b', 'c', 'd'\]"):
        DF.ordinal.prediction_sets(GRADES, plain.set_axis(list("abcd")), classes=GRADES)


def test_probabilities_of_three_decimals() -> None:
    rough = DF.assign(**DF[GRADES].round(2))
    limits = rough.ordinal.set_limits("y", GRADES, coverage=0.8, atol=0.03)
    with pytest.raises(ValueError, match=r"give atol="):
        rough.ordinal.prediction_sets(GRADES, limits)
    sets = rough.ordinal.prediction_sets(GRADES, limits, atol=0.03)
    assert sets.notna().all().all()


def test_two_classes_by_one_column() -> None:
    rng = np.random.default_rng(0)
    rain = pd.DataFrame({"y": rng.integers(0, 2, 50)}).assign(p=lambda d: 0.3 + 0.4 * d["y"])
    limits = rain.ordinal.set_limits("y", "p", coverage=0.8)
    sets = rain.ordinal.prediction_sets("p", limits)
    assert (sets["low"].astype(int) == rain["y"]).all()
    assert limits.tolist() == pytest.approx([0.09, 0.09])


def test_the_frame_is_not_changed_and_nothing_warns() -> None:
    before = DF.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        limits = DF.ordinal.set_limits("y", GRADES, coverage=0.9)
        DF.ordinal.prediction_sets(GRADES, limits)
        DF.ordinal.report_sets("y", ci=0.95, **SETS)
    pd.testing.assert_frame_equal(DF, before)
