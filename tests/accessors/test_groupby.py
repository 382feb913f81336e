"""`df.groupby(...).ordinal`: the groups, the order and the missing keys of the groupby."""

from __future__ import annotations

from typing import Any

import brute
import numpy as np
import pandas as pd
import pytest
from labelled import N_ROWS, assert_size_index, unkeyed

from pandas_ordinal import MissingValueError


def grouped(name: str, df: pd.DataFrame) -> Any:
    groupers: dict[str, Any] = {
        "column": lambda: df.groupby("a"),
        "columns": lambda: df.groupby(["a", "b"]),
        "level name": lambda: df.groupby(level="i"),
        "level number": lambda: df.groupby(level=1),
        "levels": lambda: df.groupby(level=["j", "i"]),
        "level by name": lambda: df.groupby("i"),
        "level and column": lambda: df.groupby(["i", "a"]),
        "function": lambda: df.droplevel("j").groupby(lambda i: i % 2),
        "functions": lambda: df.droplevel("j").groupby([lambda i: i % 2, "a"]),
        "mapping": lambda: df.droplevel("j").groupby({0: "x", 1: "x", 2: "y"}, dropna=False),
        "Series": lambda: df.groupby(df["a"].str.upper()),
        "array": lambda: df.groupby(np.arange(len(df)) % 3),
        "Grouper": lambda: df.groupby([pd.Grouper(key="a"), pd.Grouper(level="i")]),
        "months": lambda: df.groupby(pd.Grouper(key="day", freq="MS")),
        "sort=False": lambda: df.groupby("a", sort=False),
        "sort=False, two": lambda: df.groupby(["b", "a"], sort=False),
        "sort=False, categories": lambda: df.groupby("c", sort=False, observed=True),
        "as_index=False": lambda: df.groupby("a", as_index=False),
        "group_keys=False": lambda: df.groupby("a", group_keys=False),
        "selection": lambda: df.groupby("a")[["y", "yhat"]],
        "observed=False": lambda: df.groupby("c", observed=False),
        "observed=False, two": lambda: df.groupby(["c", "a"], observed=False),
        "observed=False, sort=False": lambda: df.groupby(["a", "c"], observed=False, sort=False),
    }
    return groupers[name]()


GROUPED = """column, columns, level name, level number, levels, level by name, level and column
function, functions, mapping, Series, array, Grouper, months, sort=False, as_index=False
group_keys=False, selection, observed=False""".replace("\n", ", ").split(", ")
GROUPED += ["sort=False, two", "sort=False, categories", "observed=False, two"]
GROUPED += ["observed=False, sort=False"]


def keyed(n_rows: int = N_ROWS) -> pd.DataFrame:
    rng = np.random.default_rng(8)
    index = pd.MultiIndex.from_arrays(
        [rng.integers(0, 4, n_rows), rng.choice(["p", "q"], n_rows)], names=["i", "j"]
    )
    used = rng.choice(["z", "m", "a"], n_rows)
    return (
        unkeyed(n_rows)
        .set_axis(index)
        .assign(
            a=rng.choice(["v", "u", "w"], n_rows),
            b=rng.integers(0, 3, n_rows),
            c=pd.Categorical(used, categories=["z", "never", "m", "a", "nowhere"]),
            day=pd.Timestamp("2026-01-15")
            + pd.to_timedelta(rng.choice([0, 90], n_rows), unit="D"),
        )
    )


def scored(grouper: Any) -> pd.Series:
    """The metric over the groups; `as_index=False` has the key in a column."""
    scores = grouper.ordinal.mae("y", "yhat")
    return scores if grouper.as_index else scores.set_index("a")["mae"]


def reported(grouper: Any) -> pd.DataFrame:
    report = grouper.ordinal.report("y", "yhat", metrics=["mae"])
    return report if grouper.as_index else report.set_index("a")


def spelled(label: Any) -> list[str]:
    return [str(part) for part in (label if isinstance(label, tuple) else (label,))]


@pytest.mark.parametrize("name", GROUPED)
def test_groupby(name: str) -> None:
    grouper = grouped(name, keyed())
    scores = scored(grouper)
    groups = [rows for _, rows in grouper if len(rows)]
    expected = [
        (rows["y"].cat.codes - rows["yhat"].cat.codes.astype(int)).abs().mean() for rows in groups
    ]
    np.testing.assert_allclose(scores, expected, rtol=1e-12)
    labels = [label for label, rows in grouper if len(rows)]
    assert [spelled(label) for label in scores.index] == [spelled(label) for label in labels]
    report = reported(grouper)
    assert report["n"].tolist() == list(map(len, groups))
    pd.testing.assert_series_equal(report["mae"], scores)


@pytest.mark.parametrize("name", [name for name in GROUPED if name != "as_index=False"])
def test_groupby_has_the_index_of_size(name: str) -> None:
    frame = keyed()
    if name == "observed=False, sort=False":  # whose order is another one in pandas 2
        sizes = frame.groupby(["a", "c"], observed=True, sort=False).size()
    else:
        sizes = grouped(name, frame).size()
    found = grouped(name, keyed()).ordinal.mae("y", "yhat")
    assert_size_index(found.index, sizes[sizes > 0])


@pytest.mark.parametrize("name", GROUPED)
def test_groupby_makes_the_cube_of_its_groups(name: str) -> None:
    grouper = grouped(name, keyed())
    cube = grouper.ordinal.confusion("y", "yhat")
    scores = scored(grouper)
    stacked = cube.ordinal.mae()
    assert int(cube.sum()) == N_ROWS
    held = cube.sum(["true", "pred"]) > 0
    by_label = {
        str(label): value for label, value in stacked.where(held).to_series().dropna().items()
    }
    expected = {str(label): value for label, value in scores.items()}
    assert by_label == pytest.approx(expected)


@pytest.mark.parametrize("keys", ["a", ["a"], ["b", "a"]], ids=str)
def test_without_an_index_the_keys_are_columns(keys: Any) -> None:
    df = keyed().reset_index(drop=True).assign(score=np.arange(N_ROWS) % 7)
    flat, indexed = df.groupby(keys, as_index=False).ordinal, df.groupby(keys).ordinal
    names = [keys] if isinstance(keys, str) else keys
    for name, columns, added in [
        ("mae", "yhat", ["mae"]),
        ("mae", ["yhat", "other"], ["model", "mae"]),
        ("class_recall", "yhat", ["class", "class_recall"]),
        ("class_recall", ["other", "yhat"], ["model", "class", "class_recall"]),
        ("u_pairs", "score", ["u_pairs"]),
    ]:
        found = getattr(flat, name)("y", columns)
        assert found.columns.tolist() == [*names, *added]
        expected = getattr(indexed, name)("y", columns).reset_index()
        pd.testing.assert_frame_equal(found, expected)
    found = flat.report("y", ["yhat", "other"], metrics=["mae", "oci"])
    assert found.columns.tolist() == [*names, "model", "n", "mae", "oci"]
    due = indexed.report("y", ["yhat", "other"], metrics=["mae", "oci"]).reset_index()
    pd.testing.assert_frame_equal(found, due)
    assert flat.confusion("y", "yhat").identical(indexed.confusion("y", "yhat"))
    assert flat.cost_matrix("y", "yhat").identical(indexed.cost_matrix("y", "yhat"))


def test_without_an_index_probabilities_have_their_keys_in_columns() -> None:
    df = pd.DataFrame({"g": list("aabb"), "y": [0, 1, 0, 1], 0: 0.5, 1: 0.5})
    found = df.groupby("g", as_index=False).ordinal.rps("y", [0, 1])
    pd.testing.assert_frame_equal(found, pd.DataFrame({"g": ["a", "b"], "rps": 0.25}))


def test_without_an_index_two_columns_of_one_name_are_refused() -> None:
    df = keyed().reset_index(drop=True)
    for key, call in (
        ("mae", lambda o: o.mae("y", "yhat")),
        ("class_mae", lambda o: o.class_mae("y", "yhat")),
        ("n", lambda o: o.report("y", "yhat")),
        ("kappa", lambda o: o.report("y", "yhat", metrics=["kappa"])),
        ("class", lambda o: o.class_mae("y", "yhat")),
        ("model", lambda o: o.mae("y", ["yhat", "other"])),
    ):
        grouped = df.rename(columns={"a": key}).groupby(key, as_index=False)
        with pytest.raises(ValueError, match=f"'{key}'.*rename the key"):
            call(grouped.ordinal)


def test_groupby_takes_no_by() -> None:
    with pytest.raises(TypeError, match="by"):
        unkeyed().groupby("w").ordinal.mae("y", "yhat", by="w")


def test_values_outside_the_bins_are_missing_keys() -> None:
    df = unkeyed(4)
    df["age"] = pd.Series([1, 15, 1, 99]).ordinal.cut([0, 10, 20], errors="coerce")
    with pytest.raises(MissingValueError, match="'age' is missing in 1 row"):
        df.ordinal.mae("y", "yhat", by="age")
    assert df.ordinal.report("y", "yhat", by="age", dropna=True)["n"].tolist() == [2, 1]
    grouped = df.groupby("age", observed=True, dropna=False).ordinal.report("y", "yhat")
    assert grouped["n"].tolist() == [2, 1, 1]


def test_groupby_and_by() -> None:
    df = brute.frame()
    by = df.ordinal.report("y", "yhat", by=["g", "fold"])
    pd.testing.assert_frame_equal(df.groupby(["g", "fold"]).ordinal.report("y", "yhat"), by)
    levels = df.set_index(["g", "fold"])
    found = levels.groupby(level=["g", "fold"]).ordinal.report("y", "yhat")
    pd.testing.assert_frame_equal(found, by)
    pd.testing.assert_frame_equal(levels.ordinal.report("y", "yhat", by=["g", "fold"]), by)
    function = df.groupby(lambda i: i % 3).ordinal.report("y", "yhat")
    column = df.assign(k=df.index % 3).ordinal.report("y", "yhat", by="k")
    pd.testing.assert_frame_equal(function, column, check_names=False)


def test_a_missing_time_key_belongs_to_no_group() -> None:
    times = pd.to_datetime(["2024-01-05", "2024-02-05", None])
    df = pd.DataFrame({"t": times, "y": [0, 0, 0], "yhat": [0, 1, 2]})
    groups = df.groupby(pd.Grouper(key="t", freq="MS"), dropna=False)
    report = groups.ordinal.report("y", "yhat", metrics=["mae"])
    assert report["n"].tolist() == [1, 1]
    assert report["mae"].tolist() == [0, 1]
