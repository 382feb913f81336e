"""`class_report` and `cut_report` of each surface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from oracles.strategies import QUICK

import pandas_ordinal as po

NAMES = ["class_report", "cut_report"]
GRADES = pd.CategoricalDtype(["none", "mild", "severe", "fatal"], ordered=True)
FRAME = pd.DataFrame({"y": [0, 1, 2, 2, 3, 0], "yhat": [0, 1, 1, 3, 3, 2], "g": list("aabbab")})
GRADED = FRAME.assign(
    **{name: pd.Categorical.from_codes(FRAME[name], dtype=GRADES) for name in ("y", "yhat")}
)


def frame_of(seed: int, n: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    columns = {name: rng.integers(0, 4, n) for name in ("y", "yhat", "other")}
    return pd.DataFrame(columns).assign(
        score=rng.integers(0, 6, n) / 2,
        second=rng.random(n),
        g=rng.integers(0, 3, n),
        patient=rng.integers(0, 1 + n // 2, n),
        w=rng.integers(0, 4, n) / 2,
    )


def same(found: Any, expected: pd.DataFrame) -> None:
    """Compare, whatever the order of the levels of the index."""
    if isinstance(found, xr.Dataset):
        assert list(found.data_vars) == list(expected.columns)
        found = found.to_dataframe()
        found = found.reorder_levels(expected.index.names) if found.index.nlevels > 1 else found
        found = found.reindex(expected.index)[list(expected.columns)]
    pd.testing.assert_frame_equal(found, expected, check_index_type=False, rtol=1e-9)


def others(frame: pd.DataFrame, name: str, options: dict[str, Any]) -> Iterator[Any]:
    """The same table from each other surface."""
    given = {"classes": range(4), **options}
    arrays = frame.to_xarray().rename(index="case")
    yield getattr(frame.groupby("g").ordinal, name)("y", "yhat", **given)
    yield getattr(arrays.ordinal, name)("y", "yhat", by="g", **given)
    as_arrays = {
        option: arrays[value] if isinstance(value, str) else value
        for option, value in given.items()
    }
    yield getattr(arrays["y"].ordinal, name)(arrays["yhat"], by=arrays["g"], **as_arrays)
    partitions = po.ordinal(dd.from_pandas(frame, npartitions=2))
    if "score" not in options or "ci" not in options:
        lazy = getattr(partitions, name)("y", "yhat", by="g", **given)
        computed = lazy.compute(scheduler="synchronous")
        assert lazy.dtypes.equals(computed.dtypes)
        assert lazy._meta.index.names == computed.index.names
        yield computed
    if not {"sample_weight", "score"} & options.keys():
        keys = ["g", *([options["cluster"]] if "cluster" in options else [])]
        cube = frame.ordinal.confusion("y", "yhat", by=keys, classes=range(4))
        yield getattr(cube.ordinal, name)(**options)
        yield getattr(cube.chunk(g=1).ordinal, name)(**options).compute(scheduler="synchronous")


DESIGNS: list[dict[str, Any]] = [
    {},
    {"ci": 0.9},
    {"ci": 0.95, "cluster": "patient"},
    {"sample_weight": "w"},
    {"ci": 0.95, "sample_weight": "w"},
    {"ci": 0.95, "sample_weight": "w", "cluster": "patient"},
]


@QUICK
@given(
    seed=st.integers(0, 2**16),
    n=st.integers(1, 30),
    name=st.sampled_from(NAMES),
    options=st.sampled_from(DESIGNS),
    with_score=st.booleans(),
)
def test_surfaces_agree(
    seed: int, n: int, name: str, options: dict[str, Any], with_score: bool
) -> None:
    if with_score and name == "cut_report" and not {"sample_weight", "ci"} <= options.keys():
        options = {**options, "score": "score"}
    frame = frame_of(seed, n)
    expected = getattr(frame.ordinal, name)("y", "yhat", by="g", classes=range(4), **options)
    for found in others(frame, name, options):
        same(found, expected)


@pytest.mark.parametrize("options", DESIGNS, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_each_surface_has_the_table_of_rows(name: str, options: dict[str, Any]) -> None:
    frame = frame_of(3, 40)
    if name == "cut_report" and not {"sample_weight", "ci"} <= options.keys():
        options = {**options, "score": "score"}
    expected = getattr(frame.ordinal, name)("y", "yhat", by="g", classes=range(4), **options)
    for found in others(frame, name, options):
        same(found, expected)


@pytest.mark.parametrize("ci", [None, 0.9])
def test_two_classes_have_one_cut(ci: float | None) -> None:
    frame = frame_of(4, 60).assign(y=lambda df: df["y"] // 2, yhat=lambda df: df["yhat"] // 2)
    asked = {"score": "score", "classes": [0, 1], "ci": ci}
    expected = frame.ordinal.cut_report("y", "yhat", by="g", **asked)
    found = frame.to_xarray().ordinal.cut_report("y", "yhat", by="g", **asked)
    same(found, expected)
    for group, rows in frame.groupby("g"):
        above, below = (rows.loc[rows["y"] == k, "score"].to_numpy() for k in (1, 0))
        wins = np.sign(above[:, None] - below) / 2 + 0.5
        assert expected.loc[group, "auc"].item() == pytest.approx(wins.mean())


@pytest.mark.parametrize("name", NAMES)
def test_several_models(name: str) -> None:
    frame = frame_of(0, 40)
    models = {"a": "yhat", "b": "other"}
    table = getattr(frame.ordinal, name)("y", models, by="g", ci=0.95)
    assert table.index.names == ["g", "model", "class"]
    for model, column in models.items():
        one = getattr(frame.ordinal, name)("y", column, by="g", ci=0.95)
        pd.testing.assert_frame_equal(table.xs(model, level="model"), one)
        given = {label: frame[pred] for label, pred in models.items()}
        series = getattr(frame["y"].ordinal, name)(given)
        single = getattr(frame["y"].ordinal, name)(frame[column])
        pd.testing.assert_frame_equal(series.xs(model, level="model"), single)
    cube = frame.ordinal.confusion("y", models, by="g")
    same(getattr(cube.ordinal, name)(ci=0.95), table)


def test_scores_of_several_models() -> None:
    frame = frame_of(1, 50)
    table = frame.ordinal.cut_report("y", ["yhat", "other"], score=["score", "second"], ci=0.95)
    for model, score in {"yhat": "score", "other": "second"}.items():
        one = frame.ordinal.cut_report("y", model, score=score, ci=0.95)
        pd.testing.assert_frame_equal(table.xs(model, level="model"), one)
        areas = frame.ordinal.consecutive_auc("y", score)[:-1]
        assert one["auc"].tolist() == areas.tolist()


def test_rows_are_labelled_by_class_and_cuts_by_the_class_below() -> None:
    classes = GRADED.ordinal.class_report("y", "yhat")
    assert classes.index.tolist() == list(GRADES.categories)
    cuts = GRADED.ordinal.cut_report("y", "yhat")
    assert cuts.index.equals(GRADED["y"].ordinal.as_ordered(GRADES).cat.categories[:-1])
    assert cuts.index.dtype == GRADES == classes.index.dtype
    assert cuts.loc["mild", ["n", "n_above", "predicted_above"]].tolist() == [6, 3, 3]
    best = FRAME.assign(score=FRAME["yhat"]).ordinal.best_thresholds("y", "score", metric="mae")
    assert FRAME.ordinal.cut_report("y", "yhat").index.equals(best.index)


@pytest.mark.parametrize("name", NAMES)
def test_bins_are_classes_too(name: str) -> None:
    edges = [0, 1, 2, 5, np.inf]
    bins = pd.IntervalIndex.from_breaks(edges, closed="left")
    plain = getattr(FRAME.ordinal, name)("y", "yhat", ci=0.95)
    n = len(plain)
    expected = plain.set_axis(
        pd.CategoricalIndex(bins[:n], categories=bins, ordered=True, name="class")
    )
    cube = FRAME.ordinal.confusion("y", "yhat")
    for found in (
        getattr(FRAME.ordinal, name)("y", "yhat", bins=bins, ci=0.95),
        getattr(cube.ordinal, name)(bins=bins, ci=0.95),
    ):
        same(found, expected)


def test_a_groupby_without_keys_in_the_index() -> None:
    grouped = FRAME.groupby("g", as_index=False).ordinal.class_report("y", "yhat")
    assert list(grouped.columns[:4]) == ["g", "class", "n", "predicted"]
    clashing = FRAME.rename(columns={"g": "recall"}).groupby("recall", as_index=False)
    with pytest.raises(ValueError, match="two columns 'recall'"):
        clashing.ordinal.class_report("y", "yhat")


@pytest.mark.parametrize("name", NAMES)
def test_what_counts(name: str) -> None:
    frame = FRAME.assign(yhat=[0.0, np.nan, 1, 3, 3, 9], keep=[True] * 4 + [False] * 2)
    with pytest.raises(po.MissingValueError):
        getattr(frame.ordinal, name)("y", "yhat", ignore=9)
    given = {"classes": range(4), "ci": 0.95}
    found = getattr(frame.ordinal, name)("y", "yhat", ignore=9, dropna=True, **given)
    due = getattr(frame.iloc[[0, 2, 3, 4]].ordinal, name)("y", "yhat", **given)
    pd.testing.assert_frame_equal(found, due)
    found = getattr(FRAME.assign(keep=frame["keep"]).ordinal, name)(
        "y", "yhat", sample_weight="keep", **given
    )
    pd.testing.assert_frame_equal(found, getattr(FRAME[:4].ordinal, name)("y", "yhat", **given))


@pytest.mark.parametrize("missing", ["y", "score"])
def test_areas_of_arrays_without_the_cases_that_are_missing(missing: str) -> None:
    frame = frame_of(3, 60)
    frame[missing] = frame[missing].where(frame.index % 4 > 0)
    asked = {"score": "score", "classes": range(4), "ci": 0.95}
    due = frame.dropna().ordinal.cut_report("y", "yhat", by="g", **asked)
    same(frame.to_xarray().ordinal.cut_report("y", "yhat", by="g", dropna=True, **asked), due)


def test_weights_change_shares_and_no_numbers_of_rows() -> None:
    frame = FRAME.assign(w=[2.0, 1, 0, 3, 1, 1])
    weighted = frame.ordinal.class_report("y", "yhat", sample_weight="w")
    plain = frame.ordinal.class_report("y", "yhat")
    sizes = ["n", "predicted"]
    pd.testing.assert_frame_equal(weighted[sizes], plain[sizes])
    recall = frame.ordinal.class_recall("y", "yhat", sample_weight="w")
    assert weighted["recall"].tolist() == recall.tolist()


def test_attributes_say_what_was_asked() -> None:
    frame = frame_of(2, 30)
    asked = {"ci": 0.9, "cluster": "patient"}
    for name in NAMES:
        assert getattr(frame.ordinal, name)("y", "yhat").attrs == {}
        for obj in (frame, frame.to_xarray()):
            attrs = getattr(obj.ordinal, name)("y", "yhat", **asked).attrs
            assert attrs["ci"] == 0.9 and attrs["cluster"] == "patient"


def test_files_hold_tables_of_cubes(tmp_path: Any) -> None:
    cube = GRADED.ordinal.confusion("y", "yhat", by="g")
    for name in NAMES:
        report = getattr(cube.ordinal, name)(ci=0.95)
        report.ordinal.to_netcdf(tmp_path / f"{name}.nc")
        read = po.open_report(tmp_path / f"{name}.nc")
        xr.testing.assert_identical(read, report)


ERRORS: dict[str, tuple[Any, str]] = {
    "clusters without ci": (
        lambda: FRAME.ordinal.class_report("y", "yhat", cluster="g"),
        r"belongs to intervals: add ci=0\.95$",
    ),
    "level": (lambda: FRAME.ordinal.cut_report("y", "yhat", ci=95), "between 0 and 1"),
    "weighted scores": (
        lambda: FRAME.assign(w=1.5).ordinal.cut_report(
            "y", "yhat", score="y", sample_weight="w", ci=0.95
        ),
        "auc is a metric of scores and has no intervals with sample_weight=",
    ),
    "weights in a cube": (
        lambda: (
            FRAME.assign(w=1.5)
            .ordinal.confusion("y", "yhat", sample_weight="w")
            .ordinal.class_report(ci=0.95)
        ),
        "lacks the number of rows",
    ),
    "intervals of scores in Dask": (
        lambda: po.ordinal(dd.from_pandas(FRAME, npartitions=2)).cut_report(
            "y", "yhat", score="y", classes=range(4), ci=0.95
        ),
        r"compute\(\)\.ordinal\.cut_report\(",
    ),
    "no prediction": (lambda: FRAME.to_xarray()["y"].ordinal.class_report(), "class_report"),
    "a key named class": (
        lambda: FRAME.rename(columns={"g": "class"}).ordinal.class_report("y", "yhat", by="class"),
        "two dimensions 'class'",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(case: str) -> None:
    call, message = ERRORS[case]
    with pytest.raises(ValueError, match=message):
        call()


def test_a_cube_takes_options_only() -> None:
    cube = FRAME.ordinal.confusion("y", "yhat")
    with pytest.raises(TypeError, match="not dropna="):
        cube.ordinal.class_report(dropna=True)
    with pytest.raises(TypeError, match="not score="):
        cube.ordinal.cut_report(score=cube)


def test_options_that_belong_to_other_tables() -> None:
    with pytest.raises(TypeError, match="confidence= is ci= here"):
        FRAME.ordinal.class_report("y", "yhat", confidence=0.9)
    with pytest.raises(TypeError, match=r"class_report\(\.\.\., ci=0\.95\)"):
        FRAME.ordinal.class_recall("y", "yhat", ci=0.9)
    with pytest.raises(TypeError, match=r"cut_report\(\.\.\., ci=0\.95\)"):
        FRAME.ordinal.consecutive_auc("y", "yhat", ci=0.9)


def test_areas_of_arrays_without_intervals() -> None:
    frame = frame_of(3, 40)
    ds = frame.to_xarray()
    found = ds.ordinal.cut_report("y", "yhat", score="score", classes=range(4))
    assert (
        found["auc"].to_numpy().tolist()
        == frame.ordinal.consecutive_auc("y", "score")[:-1].tolist()
    )
    assert "auc_low" not in found
