"""Counts that something else has made, and two arrays of labels."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from oracles.strategies import QUICK

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError

LEVELS = ["none", "mild", "moderate", "severe"]  # not alphabetical
LEVEL = pd.CategoricalDtype(LEVELS, ordered=True)
ROWS = pd.DataFrame(
    {
        "model": ["a", "a", "a", "b", "b", "a"],
        "y": ["none", "mild", "severe", "none", "severe", "mild"],
        "yhat": ["mild", "mild", "severe", "none", "mild", "none"],
    }
)
CUBE = ROWS.ordinal.confusion("y", "yhat", classes=LEVELS)
BY_MODEL = ROWS.ordinal.confusion("y", "yhat", by="model", classes=LEVELS)
LONG = ROWS.groupby(["model", "y", "yhat"]).size().reset_index(name="n")


def crosstab(**options: Any) -> pd.DataFrame:
    return pd.crosstab(ROWS["y"], ROWS["yhat"], **options)


@pytest.mark.parametrize(
    "table",
    [
        crosstab(),
        crosstab().iloc[::-1, [2, 0, 1]],
        crosstab(rownames=["true"], colnames=["pred"]),
        crosstab(rownames=["true"], colnames=["pred"]).T,
        crosstab(colnames=["pred"]),
        crosstab(colnames=["pred"]).T,
        crosstab(rownames=["True"], colnames=["Pred"]).T,
        crosstab(colnames=["PRED"]).T,
        crosstab(rownames=["True"], colnames=["model"]).T,
        crosstab(rownames=["Actual"], colnames=["Pred"]).T,
        crosstab(rownames=["true"]).T,
        pd.DataFrame(CUBE.to_numpy(), LEVELS, LEVELS),
        CUBE.to_pandas(),
        CUBE.to_pandas().T,
        crosstab(rownames=["actual"], colnames=["predicted"]),
        crosstab(rownames=["rater"], colnames=["other rater"]),
    ],
    ids=lambda table: f"{table.index.name}-{table.columns.name}-{table.shape}",
)
def test_a_square_table_is_read_by_its_labels(table: pd.DataFrame) -> None:
    before = table.copy()
    xr.testing.assert_identical(po.from_counts(table, classes=LEVELS), CUBE)
    pd.testing.assert_frame_equal(table, before)


def test_classes_that_the_labels_declare() -> None:
    typed = ROWS.astype({"y": LEVEL, "yhat": LEVEL})
    table = pd.crosstab(typed["y"], typed["yhat"])  # drops the class that no row has
    assert "moderate" not in table.index
    xr.testing.assert_identical(po.from_counts(table), CUBE)
    numbers = pd.DataFrame([[3, 1], [0, 2]], [0, 2], [0, 1])
    assert po.from_counts(numbers).values.tolist() == [[3, 1, 0], [0, 0, 0], [0, 2, 0]]


def test_an_array_needs_classes() -> None:
    xr.testing.assert_identical(po.from_counts(CUBE.to_numpy(), LEVELS), CUBE)
    assert po.from_counts([[1.0, 0.5], [0, 2]], ["lo", "hi"]).dtype == float
    with pytest.raises(ClassOrderError, match="classes="):
        po.from_counts(CUBE.to_numpy())
    with pytest.raises(ValueError, match=r"\(4, 4\) must be 2 x 2"):
        po.from_counts(CUBE.to_numpy(), ["lo", "hi"])


def test_a_table_of_statsmodels() -> None:
    pred_table = np.array([[5.0, 1, 0], [2, 4, 1], [0, 0, 3]])  # true classes on the rows
    cube = po.from_counts(pred_table, classes=["low", "mid", "high"])
    assert float(cube.ordinal.accuracy()) == 12 / 16


def test_a_long_table() -> None:
    named: dict[str, Any] = {"true": "y", "pred": "yhat", "count": "n", "classes": LEVELS}
    xr.testing.assert_identical(po.from_counts(LONG, by="model", **named), BY_MODEL)
    xr.testing.assert_identical(po.from_counts(LONG, **named), CUBE)
    twice = pd.concat([LONG, LONG])
    xr.testing.assert_identical(po.from_counts(twice, **named), 2 * CUBE)
    floats = po.from_counts(LONG.assign(n=LONG["n"] * 0.75), **named)
    assert floats.dtype == float and (floats == CUBE * 0.75).all()


def test_a_table_of_duckdb(tmp_path: Path) -> None:
    import duckdb

    for part, rows in enumerate((ROWS[:3], ROWS[3:])):
        rows.to_parquet(tmp_path / f"{part}.parquet")
    counted = duckdb.sql(
        f"select model, y, yhat, count(*) as n from '{tmp_path}/*.parquet' group by all"
    )
    named: dict[str, Any] = {"true": "y", "pred": "yhat", "count": "n", "classes": LEVELS}
    xr.testing.assert_identical(po.from_counts(counted.df(), by="model", **named), BY_MODEL)
    arrow = counted.to_arrow_table()
    xr.testing.assert_identical(po.from_counts(arrow, by="model", **named), BY_MODEL)


def test_a_table_of_polars() -> None:
    import polars

    counted = polars.from_pandas(ROWS).group_by("model", "y", "yhat").len()
    cube = po.from_counts(counted, true="y", pred="yhat", count="len", by="model", classes=LEVELS)
    xr.testing.assert_identical(cube, BY_MODEL)


@pytest.mark.parametrize(
    ("table", "given", "error", "message"),
    [
        (crosstab(), {}, ClassOrderError, "declares no order"),
        (crosstab(), {"classes": LEVELS[:2]}, UnknownClassError, "severe"),
        (crosstab(margins=True), {"classes": LEVELS}, ValueError, "margin 'All'"),
        (crosstab(margins=True), {}, ValueError, "margin 'All'"),
        (crosstab() - 1, {"classes": LEVELS}, ValueError, "counts hold -1"),
        (crosstab(normalize=True) * np.nan, {"classes": LEVELS}, ValueError, "counts hold nan"),
        (pd.concat([crosstab()] * 2), {"classes": LEVELS}, ValueError, "a label twice"),
        (crosstab().rename_axis(index="true", columns="true"), {"classes": LEVELS}, ValueError,
         "both axes of the table are named 'true'"),
        (crosstab().rename(index={"none": np.nan}), {"classes": LEVELS}, MissingValueError,
         "true"),
        (pd.crosstab([ROWS["model"], ROWS["y"]], ROWS["yhat"]), {"classes": LEVELS}, ValueError,
         "2 levels"),
        (crosstab().T, {"classes": LEVELS}, ValueError, "predictions were on the rows"),
        (crosstab(rownames=["Prediction"], colnames=["Reference"]), {"classes": LEVELS},
         ValueError, "'Prediction' and its columns 'Reference'"),
        (crosstab(rownames=["model_b"], colnames=["Actual grade"]), {"classes": LEVELS},
         ValueError, "rename_axis"),
        (crosstab() > 0, {"classes": LEVELS}, ValueError, "not bool"),
        (CUBE.to_numpy() > 0, {"classes": LEVELS}, ValueError, "not bool"),
        (np.array([[2**63 + 5, 0], [0, 1]], np.uint64), {"classes": ["a", "b"]}, ValueError,
         r"2\*\*53"),
        (LONG.assign(n="3"), {"true": "y", "pred": "yhat", "count": "n", "classes": LEVELS},
         ValueError, "column 'n' holds"),
        (LONG, {"true": "y", "pred": "yhat", "count": LONG["n"]}, TypeError, "count= takes"),
        (LONG.assign(n=True), {"true": "y", "pred": "yhat", "count": "n", "classes": LEVELS},
         ValueError, "booleans, which are not counts"),
        (LONG.set_index(["model", "y", "yhat"])["n"], {}, TypeError, "reset_index"),
        (CUBE, {}, TypeError, "use a cube as it is"),
        (np.ma.masked_equal(CUBE.to_numpy(), 0), {"classes": LEVELS}, TypeError,
         r"does not read masked counts: give table\.filled\(0\)"),
        (LONG, {"true": "y"}, TypeError, "pred="),
        (LONG, {"true": "y", "pred": "yhat", "count": "m"}, KeyError, "no column 'm'"),
        (CUBE.to_numpy(), {"true": "y", "pred": "yhat", "count": "n"}, TypeError, "DataFrame"),
        (LONG.assign(n=-1), {"true": "y", "pred": "yhat", "count": "n", "classes": LEVELS},
         ValueError, "not negative"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else None,
)  # fmt: skip
def test_tables_that_are_refused(
    table: Any, given: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        po.from_counts(table, **given)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("keys", [["model"], ["model", "half"]])
def test_a_table_by_groups_is_written_as_a_long_one(keys: list[str], transposed: bool) -> None:
    rows = ROWS.assign(half=np.arange(len(ROWS)) % 2)
    by = [rows[key] for key in keys]
    table = pd.crosstab([*by, rows["y"]], rows["yhat"])
    if transposed:
        table = pd.crosstab(rows["y"], [*by, rows["yhat"]])
    with pytest.raises(ValueError, match="2 levels|3 levels") as caught:
        po.from_counts(table, classes=LEVELS)
    line = re.search(r"po\.from_counts\(.*\)$", str(caught.value))
    assert line
    names = {"po": po, "table": table, "LEVELS": LEVELS}
    found = eval(f"{line[0][:-1]}, classes=LEVELS)", names)
    expected = rows.ordinal.confusion("y", "yhat", by=keys, classes=LEVELS)
    assert found.dims == expected.dims
    xr.testing.assert_equal(found, expected)


def test_a_table_with_keys_on_both_axes_is_written_as_a_long_one() -> None:
    rows = ROWS.assign(n=np.arange(len(ROWS)) % 2)
    table = pd.crosstab([rows["model"], rows["y"]], [rows["n"], rows["yhat"]])
    with pytest.raises(ValueError, match="2 levels") as caught:
        po.from_counts(table, classes=LEVELS)
    line = re.search(r"po\.from_counts\(.*\)$", str(caught.value))
    assert line
    found = eval(f"{line[0][:-1]}, classes=LEVELS)", {"po": po, "table": table, "LEVELS": LEVELS})
    expected = rows.ordinal.confusion("y", "yhat", by=["model", "n"], classes=LEVELS)
    xr.testing.assert_equal(found, expected)


@pytest.mark.parametrize("grouped", ["rows", "columns"])
def test_predictions_beside_the_keys_are_no_truth(grouped: str) -> None:
    first, second = ([ROWS["model"], ROWS["yhat"]], ROWS["y"])
    table = pd.crosstab(first, second) if grouped == "rows" else pd.crosstab(second, first)
    with pytest.raises(ValueError, match="true='y', pred='yhat', count='n', by='model'"):
        po.from_counts(table, classes=LEVELS)


def test_margins_of_any_name() -> None:
    table = crosstab(margins=True, margins_name="Total")
    with pytest.raises(ValueError, match=r"margin 'Total'.*index='Total', columns='Total'"):
        po.from_counts(table)
    assert po.from_counts(crosstab(), classes=LEVELS).sum() == len(ROWS)
    labels = ["a", "b", "Total"]
    last = pd.DataFrame([[1, 0, 1], [0, 0, 0], [1, 0, 1]], labels, labels)
    with pytest.raises(ValueError, match="margin 'Total'"):
        po.from_counts(last)
    assert po.from_counts(last * 0, classes=labels).sum() == 0


def test_series_that_dask_holds_are_computed_first() -> None:
    labels = dd.from_pandas(ROWS["y"], npartitions=1)
    with pytest.raises(TypeError, match=r"pred is a dask Series: .*\.compute\(\)"):
        po.confusion(ROWS["y"], labels, classes=LEVELS)


def test_a_long_table_needs_the_names_of_its_columns() -> None:
    long = pd.DataFrame({"y": [0, 1, 2, 2], "yhat": [1, 1, 2, 0], "n": [3, 5, 2, 1]})
    for table in (long, long.head(3)):
        for classes in (None, [0, 1, 2]):
            with pytest.raises(
                ValueError, match=r"\['y', 'yhat', 'n'\] as true=, pred= and count="
            ):
                po.from_counts(table, classes)


def test_levels_without_names() -> None:
    table = pd.crosstab([ROWS["model"], ROWS["y"]], ROWS["yhat"])
    with pytest.raises(
        ValueError, match="true='level_1', pred='level_2', count='n', by='level_0'"
    ):
        po.from_counts(table.rename_axis(index=[None, None], columns=None), classes=LEVELS)


@pytest.mark.parametrize(
    ("table", "cells"),
    [
        (crosstab(normalize=True), "all cells"),
        (crosstab(normalize="index"), "the cells of each true class"),
        (crosstab(normalize="columns"), "the cells of each predicted class"),
        (np.full((4, 4), 1 / 16), "all cells"),
        ([[0.5, 0.5, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0.25, 0.75]], "each true class"),
    ],
)
def test_shares_are_no_counts(table: Any, cells: str) -> None:
    with pytest.raises(ValueError, match=f"fractions, and .*{cells} add up to 1.*normalize="):
        po.from_counts(table, classes=LEVELS)


def test_shares_in_a_long_table() -> None:
    named: dict[str, Any] = {"true": "y", "pred": "yhat", "count": "n", "classes": LEVELS}
    shares = ROWS[["y", "yhat"]].value_counts(normalize=True).reset_index(name="n")
    with pytest.raises(ValueError, match="all cells add up to 1"):
        po.from_counts(shares, **named)
    grouped = ROWS.groupby("model")[["y", "yhat"]].value_counts(normalize=True)
    with pytest.raises(ValueError, match="all cells add up to 1"):
        po.from_counts(grouped.reset_index(name="n"), by="model", **named)


@pytest.mark.parametrize("scale", [1, 100])
@pytest.mark.parametrize("digits", [16, 3])
@pytest.mark.parametrize(
    ("by", "own", "cells"),
    [
        ([], ["y"], "each true class"),
        ([], ["yhat"], "each predicted class"),
        (["model"], ["model", "y"], "each true class"),
        (["model"], ["model", "yhat"], "each predicted class"),
        (["model"], [], ""),
    ],
    ids=str,
)
def test_shares_of_parts_of_a_long_table(
    by: list[str], own: list[str], cells: str, digits: int, scale: int
) -> None:
    rows = pd.concat([ROWS, ROWS.assign(yhat="mild"), ROWS.assign(yhat="severe")])
    counts = rows.groupby([*by, "y", "yhat"]).size()
    whole = counts.groupby(own).transform("sum") if own else counts.sum()
    shares = (scale * counts / whole).round(digits).astype("float32").reset_index(name="n")
    shares = shares.assign(n=shares["n"].astype(float))
    with pytest.raises(ValueError, match=f"fractions, and .*{cells} add up to {scale}:"):
        po.from_counts(shares, true="y", pred="yhat", count="n", by=by or None, classes=LEVELS)


@pytest.mark.parametrize(
    "table", [np.eye(4), np.eye(4) / 3, np.diag([1.0, 0, 0, 0]), np.zeros((4, 4))]
)
def test_weights_and_single_rows_are_counts(table: Any) -> None:
    assert po.from_counts(table, classes=LEVELS).dtype == float


@pytest.mark.parametrize(
    ("largest", "kind"), [(1, float), (2, int), (2**53 - 1, int), (2**53, float)]
)
def test_whole_floats_of_a_long_table(largest: int, kind: type) -> None:
    """Ones may be shares, and floats from 2**53 on may have been rounded."""
    long = pd.DataFrame({"y": ["a", "b"], "yhat": ["b", "b"], "n": [float(largest), 1.0]})
    cube = po.from_counts(long, true="y", pred="yhat", count="n", classes=["a", "b"])
    assert cube.dtype == kind and cube.values.tolist() == [[0, largest], [0, 1]]


def test_integers_are_exact_up_to_2_to_the_53() -> None:
    for kind in (np.int64, np.uint64):
        table = np.array([[2**53, 0], [1, 2]], kind)
        assert po.from_counts(table, classes=["a", "b"]).values.tolist() == [[2**53, 0], [1, 2]]
        with pytest.raises(ValueError, match=r"more than 2\*\*53 in a cell"):
            po.from_counts(table + kind(1), classes=["a", "b"])


def test_errors_name_what_there_is() -> None:
    calls: dict[str, Any] = {
        "the axis of true in the table": lambda: po.from_counts(crosstab()),
        "true": lambda: po.confusion(["a", "b"], ["b", "a"]),
        "pred": lambda: po.confusion([0, 1], [0.5, 1]),
        "sample_weight": lambda: po.confusion([0, 1], [0, 1], sample_weight=[1, -1]),
    }
    for said, call in calls.items():
        with pytest.raises(ValueError, match=said) as caught:
            call()
        assert "column" not in str(caught.value) and "df[" not in str(caught.value)


def test_the_line_that_puts_a_table_in_order() -> None:
    table = crosstab()
    with pytest.raises(ClassOrderError) as caught:
        po.from_counts(table)
    assert "table.index = pd.Series(table.index).ordinal.as_ordered([" in str(caught.value)
    table.index = pd.Series(table.index).ordinal.as_ordered(LEVELS)
    xr.testing.assert_equal(po.from_counts(table), po.from_counts(crosstab(), classes=LEVELS))


def test_all_may_be_a_class() -> None:
    table = pd.DataFrame([[1, 2], [3, 4]], ["None", "All"], ["None", "All"])
    assert po.from_counts(table, classes=["None", "All"]).values.tolist() == [[1, 2], [3, 4]]


MIXED = pd.DataFrame(  # y and p of the classes low, mid, high
    {"y": ["high", "low", "mid", "high", "low"], "p": ["high", "mid", "mid", "low", "low"]}
)
MIXED_LEVELS = ["low", "mid", "high"]
MIXED_COUNTS = [[1, 1, 0], [0, 1, 0], [1, 0, 1]]


def polars_pivot() -> Any:
    pl = pytest.importorskip("polars")
    return pl.from_pandas(pd.crosstab(MIXED["y"], MIXED["p"]).reset_index())


def duckdb_pivot() -> Any:
    duckdb = pytest.importorskip("duckdb")
    return duckdb.sql("pivot MIXED on p using count(*) group by y")


WITH_LABELS: dict[str, Callable[[], Any]] = {
    "crosstab": lambda: pd.crosstab(MIXED["y"], MIXED["p"]).reset_index(),
    "CSV": lambda: pd.read_csv(io.StringIO(pd.crosstab(MIXED["y"], MIXED["p"]).to_csv())),
    "no name": lambda: pd.crosstab(MIXED["y"].to_numpy(), MIXED["p"]).reset_index(),
    "Polars": polars_pivot,
    "DuckDB": duckdb_pivot,
}


@pytest.mark.parametrize("kind", WITH_LABELS)
@pytest.mark.parametrize("classes", [MIXED_LEVELS, None])
def test_a_column_with_the_labels_of_the_rows(kind: str, classes: list[str] | None) -> None:
    table = WITH_LABELS[kind]()
    with pytest.raises(ValueError, match="the rows of the table are numbered") as caught:
        po.from_counts(table, classes=classes)
    line = re.search(r"po\.from_counts\(.*\)$", str(caught.value))
    assert line and ".set_index(" in line[0]
    table = WITH_LABELS[kind]()  # a relation of old versions of DuckDB is read once
    call = line[0].replace("...", "classes=MIXED_LEVELS")
    cube = eval(call, {"po": po, "pa": pa, "table": table, "MIXED_LEVELS": MIXED_LEVELS})
    assert cube.to_numpy().tolist() == MIXED_COUNTS


def test_integers_that_label_the_rows_in_a_column() -> None:
    codes = MIXED.apply(lambda column: column.map(MIXED_LEVELS.index))
    table = pd.crosstab(codes["y"], codes["p"]).reset_index()
    with pytest.raises(ValueError, match=r"give po\.from_counts\(table\.set_index\('y'\), \.\.\."):
        po.from_counts(table)
    cube = po.from_counts(table.set_index("y"), classes=range(3))
    assert cube.to_numpy().tolist() == MIXED_COUNTS
    file = pd.read_csv(io.StringIO(pd.crosstab(codes["y"], codes["p"]).to_csv()))  # '0', '1', '2'
    with pytest.raises(ValueError, match=r"give po\.from_counts\(table\.set_index\('y'\), \.\.\."):
        po.from_counts(file, classes=range(3))
    counts = pd.DataFrame([[1, 2, 0], [2, 1, 0], [0, 0, 3]])  # its first column is not labels
    assert po.from_counts(counts).to_numpy().tolist() == counts.to_numpy().tolist()


# two arrays


@QUICK
@given(st.lists(st.tuples(st.sampled_from(LEVELS), st.sampled_from(LEVELS)), min_size=1))
def test_two_arrays_are_counted(pairs: list[tuple[str, str]]) -> None:
    true, pred = map(list, zip(*pairs, strict=True))
    counted = Counter(pairs)
    expected = [[counted[one, other] for other in LEVELS] for one in LEVELS]
    assert po.confusion(true, pred, classes=LEVELS).tolist() == expected
    for kind in (np.array, pd.Series, pd.Categorical):
        assert po.confusion(kind(true), kind(pred), classes=LEVELS).tolist() == expected
    doubled = po.confusion(true, pred, classes=LEVELS, sample_weight=[2] * len(true))
    assert doubled.dtype == float and doubled.tolist() == (2 * np.array(expected)).tolist()


def test_two_series_have_one_index() -> None:
    with pytest.raises(ValueError, match="index of pred"):
        po.confusion(ROWS["y"], ROWS["yhat"][::-1], classes=LEVELS)
    kernels = po.confusion(ROWS["y"], ROWS["yhat"], classes=LEVELS)
    assert float(po.metrics.kappa(kernels)) == ROWS.ordinal.kappa("y", "yhat", classes=LEVELS)


@pytest.mark.parametrize(
    ("true", "pred", "message"),
    [
        (["a"], ["a", "b"], "equally long"),
        (["a", "b"], ["a", "b"], "declares no order"),
        ([0, None], [0, 1], "missing"),
        ([-1, 0], [0, 1], "-1"),
    ],
)
def test_arrays_that_are_refused(true: Any, pred: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        po.confusion(true, pred)


MISSING: list[tuple[Any, dict[str, Any], str, list[list[int]]]] = [
    (
        pd.DataFrame({"y": [0, None, 1, 1], "p": [0, 1, None, 0], "n": [1, 2, 3, 4]}),
        {"true": "y", "pred": "p", "count": "n"},
        "column 'y' holds 1 missing value: fill it in, or give dropna=True, which leaves this row "
        "out",
        [[1, 0], [4, 0]],
    ),
    (
        pd.DataFrame([[1, 2, 4], [8, 16, 32]], [0, np.nan], [0, 1, np.nan]),
        {},
        "the axis of true in the table holds 1 missing value: fill it in, or give dropna=True, "
        "which leaves this row out",
        [[1, 2], [0, 0]],
    ),
]


@pytest.mark.parametrize(("table", "columns", "said", "right"), MISSING, ids=["long", "square"])
def test_missing_labels_of_counts(
    table: pd.DataFrame, columns: dict[str, Any], said: str, right: list[list[int]]
) -> None:
    with pytest.raises(MissingValueError) as caught:
        po.from_counts(table, classes=[0, 1], **columns)
    assert str(caught.value) == said
    cube = po.from_counts(table, classes=[0, 1], dropna=True, **columns)
    assert cube.dtype == np.int64 and cube.to_numpy().tolist() == right
    for counts in (table, [[1, 2], [3, 4]]):
        with pytest.raises(TypeError, match="dropna='no' must be True or False"):
            po.from_counts(counts, [0, 1], dropna="no")  # type: ignore[arg-type]


def test_missing_keys_of_counts() -> None:
    long = pd.DataFrame({"g": ["a", None, "a"], "y": [0, 0, 1], "p": [0, 1, 1], "n": [1, 2, 3]})
    columns: dict[str, Any] = {"true": "y", "pred": "p", "count": "n", "by": "g"}
    with pytest.raises(MissingValueError, match="'g' .* dropna=True"):
        po.from_counts(long, **columns)
    cube = po.from_counts(long, dropna=True, **columns)
    assert cube["g"].to_numpy().tolist() == ["a"]
    assert cube.to_numpy().tolist() == [[[1, 0], [0, 3]]]
    with pytest.raises(ValueError, match="counts hold nan"):  # a count is not a label
        po.from_counts(long.assign(n=[1, None, 3]), dropna=True, **columns)


def test_missing_labels_of_arrays() -> None:
    with pytest.raises(MissingValueError) as caught:
        po.confusion([0, None, None, 1], [0, 1, 0, 0])
    assert str(caught.value) == (
        "true holds 2 missing values: fill them in, or give dropna=True, which leaves these rows "
        "out"
    )
    counted = po.confusion([0, None, None, 1], [0, 1, 0, 0], dropna=True)
    assert counted.tolist() == [[1, 0], [1, 0]]


def test_masked_rows_may_lack_labels() -> None:
    counted = po.confusion([0, None, 1], [0, 1, 1], sample_weight=[True, False, True])
    assert counted.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("labels", [["a", "b"], [0, 1, 1], np.array([0, 1])])
def test_kernels_say_what_counts_labels(labels: Any) -> None:
    with pytest.raises(ValueError, match=r"Expected confusion matrices.*po\.confusion"):
        po.metrics.kappa(labels)


@pytest.mark.parametrize("index", [[0, 1, 2], list("xyz")])
def test_kernels_say_what_scores_columns(index: list[Any]) -> None:
    labels = pd.Series([0, 1, 1], index, name="y")
    with pytest.raises(ValueError, match="takes counts") as caught:
        po.metrics.mae(labels, labels)
    assert str(caught.value) == (
        "po.metrics.mae takes counts. For two columns of labels call "
        "df['y'].ordinal.mae(df['yhat']); for a table of counts, "
        "po.from_counts(table).ordinal.mae()"
    )


def test_an_enum_of_polars_through_arrow() -> None:
    import polars

    enum = polars.Enum(LEVELS)
    rows = polars.from_pandas(ROWS).with_columns(polars.col("y", "yhat").cast(enum))
    counted = rows.group_by("model", "y", "yhat").len()
    columns: dict[str, Any] = {"true": "y", "pred": "yhat", "count": "len", "by": "model"}
    for arrow in (False, True):
        frame = counted.to_pandas(use_pyarrow_extension_array=arrow)
        found = po.from_counts(frame, classes=LEVELS, **columns)
        assert found.identical(BY_MODEL.astype(found.dtype))


def test_arrow_dictionaries_that_pandas_has_counted_are_refused() -> None:
    """Their order is not the one that the columns had, though they say that they are ordered."""
    labels = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2, 2], pa.int8()), pa.array(["low", "mid", "high"]), ordered=True
    )
    levels = pd.Series(pd.array(labels, dtype=pd.ArrowDtype(labels.type)))
    frame = pd.DataFrame({"y": levels, "p": levels})
    square = pd.crosstab(frame["y"], frame["p"])
    long = frame.groupby(["y", "p"]).size().rename("n").reset_index()
    right = [[1, 0, 0], [0, 1, 0], [0, 0, 2]]
    for table, columns in ((square, {}), (long, {"true": "y", "pred": "p", "count": "n"})):
        with pytest.raises(ClassOrderError, match="Arrow dictionary"):
            po.from_counts(table, **columns)
        try:
            found = po.from_counts(table, classes=["low", "mid", "high"], **columns)
        except ClassOrderError:  # pandas 3 has put them in another order, which is said
            continue
        assert found.to_numpy().tolist() == right
    text = long.astype({"y": str, "p": str})
    found = po.from_counts(text, true="y", pred="p", count="n", classes=["low", "mid", "high"])
    assert found.to_numpy().tolist() == right
    assert found.identical(frame.ordinal.confusion("y", "p").astype(found.dtype))


def test_nullable_counts() -> None:
    table = pd.DataFrame([[2, 0], [1, 3]], [0, 1], [0, 1], dtype="Int64")
    found = po.from_counts(table, classes=[0, 1])
    assert found.dtype == np.int64
    assert found.to_numpy().tolist() == [[2, 0], [1, 3]]
    with pytest.raises(ValueError, match="counts hold nan"):
        po.from_counts(table.mask(table == 0), classes=[0, 1])
    with pytest.raises(ValueError, match="the table holds 'two', which is not a count"):
        po.from_counts(table.astype(object).replace(2, "two"), classes=[0, 1])
    with pytest.raises(ValueError, match="the table holds True, which is not a count"):
        po.from_counts(table.astype(object).replace(2, True), classes=[0, 1])


def test_sums_of_sql_in_decimals_are_counts() -> None:
    long = LONG.assign(n=[Decimal(int(n)) for n in LONG["n"]])
    before = long.copy()
    cube = po.from_counts(long, true="y", pred="yhat", count="n", by="model", classes=LEVELS)
    xr.testing.assert_identical(cube, BY_MODEL)
    pd.testing.assert_frame_equal(long, before)


SUMS: dict[str, Callable[[pd.Series[Any]], Any]] = {
    "floats": lambda n: n.astype(float),
    "nullable floats": lambda n: n.astype("Float64"),
    "decimals": lambda n: pd.Series([Decimal(int(one)) for one in n]),
    "decimals of Arrow": lambda n: pd.array(
        [Decimal(int(one)) for one in n], pd.ArrowDtype(pa.decimal128(38, 0))
    ),
}


@pytest.mark.parametrize("kind", SUMS)
def test_sums_without_fractions_are_counts(kind: str) -> None:
    named: dict[str, Any] = {"true": "y", "pred": "yhat", "count": "n", "classes": LEVELS}
    long = LONG.assign(n=2 * LONG["n"])
    cube = po.from_counts(long.assign(n=SUMS[kind](long["n"])), by="model", **named)
    xr.testing.assert_identical(cube, 2 * BY_MODEL)
    assert cube.dtype == np.int64
    twice = pd.concat([ROWS, ROWS])
    report = twice.ordinal.report("y", "yhat", by="model", classes=LEVELS, ci=0.9)
    pd.testing.assert_frame_equal(cube.ordinal.report(ci=0.9).to_dataframe(), report)


def test_sums_that_may_be_weights_or_shares_are_floats() -> None:
    named: dict[str, Any] = {"true": "y", "pred": "p", "count": "n"}
    long = pd.DataFrame({"y": [0, 1, 1], "p": [0, 1, 0], "n": [2.0, 3.0, 0.5]})
    assert po.from_counts(long, **named).to_numpy().tolist() == [[2, 0], [0.5, 3]]
    perfect = pd.DataFrame({"y": [0, 1], "p": [0, 1], "n": [1.0, 1.0]})
    assert po.from_counts(perfect, **named).dtype == float


def test_sums_of_duckdb_are_counts() -> None:
    duckdb = pytest.importorskip("duckdb")
    named: dict[str, Any] = {"true": "y", "pred": "yhat", "count": "n", "by": "model"}
    con = duckdb.connect()
    con.register("counted", LONG)
    query = "select model, y, yhat, sum(2 * n) as n from counted group by all"
    for table in (con.sql(query), con.sql(query).df(), con.sql(query).to_arrow_table()):
        cube = po.from_counts(table, classes=LEVELS, **named)
        xr.testing.assert_identical(cube, 2 * BY_MODEL)
        assert float(cube.ordinal.report(ci=0.9, metrics=["accuracy"])["n"].sum()) == 12
    pivoted = con.sql("pivot counted on yhat using sum(n) group by y").to_arrow_table()
    square = pivoted.to_pandas().set_index("y").fillna(0)
    xr.testing.assert_identical(po.from_counts(square, classes=LEVELS), CUBE)


def test_objects_that_are_fractions_are_not_rounded() -> None:
    named = {"true": "y", "pred": "yhat", "count": "n"}
    long = pd.DataFrame({"y": [0, 1], "yhat": [0, 1], "n": [Decimal("1.5"), Decimal(2)]})
    assert po.from_counts(long, **named).values.tolist() == [[1.5, 0], [0, 2]]


def test_objects_that_are_no_counts_are_named() -> None:
    long = LONG.assign(n=pd.Series([Decimal(1), *["2"] * (len(LONG) - 1)], dtype=object))
    with pytest.raises(ValueError, match="column 'n' holds '2', which is not a count"):
        po.from_counts(long, true="y", pred="yhat", count="n", by="model", classes=LEVELS)


def test_large_counts_are_exact_or_refused() -> None:
    long = pd.DataFrame({"y": [0, 0, 1], "yhat": [0, 0, 1], "n": [2**52, 2**52 - 1, 1]})
    named = {"true": "y", "pred": "yhat", "count": "n"}
    assert po.from_counts(long, **named).values.tolist() == [[2**53 - 1, 0], [0, 1]]
    for more in (1, 2, 3):  # the first sum that is not exact has been rounded to 2**53
        larger = long.assign(n=long["n"] + [0, more, 0])
        with pytest.raises(ValueError, match=r"'n' adds up to 2\*\*53 or more in a cell"):
            po.from_counts(larger, **named)


def test_arrays_with_coordinates_are_not_paired_by_position() -> None:
    one = xr.DataArray([0, 1], {"i": [0, 1]}, ["i"])
    for pair in ((one, one[::-1]), (one, [0, 1]), ([0, 1], one)):
        with pytest.raises(TypeError, match=r"DataArray.*true\.ordinal\.confusion"):
            po.confusion(*pair)
    with pytest.raises(ValueError, match="true must be one label per row"):
        po.confusion(None, [0])  # type: ignore[arg-type]


def test_an_order_that_polars_declares() -> None:
    import polars

    grade = polars.Enum(["low", "mid", "high"])
    true, pred = (
        polars.Series(labels, dtype=grade) for labels in (["low", "high"], ["mid", "high"])
    )
    if not true.to_pandas().cat.ordered:
        pytest.skip("this version of Polars gives pandas an Enum without its order")
    assert po.confusion(true, pred).tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize("true", [[(0, 1), None], [(0, 1), (1, 1)], [(0, 1), (1,)], [[0, 1], [2]]])
def test_labels_that_are_tuples_need_a_series(true: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"true must be one label per row.*pd.Series\(true\)"):
        po.confusion(true, true, classes=[(0, 1), (1, 1)])


def test_tuples_in_a_series_are_labels() -> None:
    true, pred = pd.Series([(0, 1), (1, 1), (0, 1)]), pd.Series([(0, 1), (0, 1), (1, 1)])
    classes = [(0, 1), (1, 1)]
    assert po.confusion(true, pred, classes=classes).tolist() == [[1, 1], [1, 0]]
    with pytest.raises(po.MissingValueError, match="true holds 1 missing value"):
        po.confusion(pd.Series([(0, 1), None, (1, 1)]), pred, classes=classes)


@pytest.mark.parametrize(("rows", "columns"), [("prediction", "x"), ("x", "truth")])
def test_one_name_of_an_axis_shows_which_way_round_a_table_is(rows: str, columns: str) -> None:
    table = pd.DataFrame([[3, 1], [0, 4]]).rename_axis(index=rows, columns=columns)
    with pytest.raises(ValueError, match="as if predictions were on the rows"):
        po.from_counts(table)
    turned = po.from_counts(table.rename_axis(index=columns, columns=rows))
    assert turned.values.tolist() == table.values.tolist()


def test_labels_that_repeat_are_those_of_a_long_table() -> None:
    long = pd.DataFrame({"x": ["lo", "lo", "hi", "hi"], "lo": [1, 2, 3, 4], "hi": [1, 2, 3, 4]})
    with pytest.raises(ValueError, match="for a long table, name three of its columns"):
        po.from_counts(long, classes=["lo", "hi"])
    square = long.iloc[1:3]
    with pytest.raises(ValueError, match=r"has their labels: give .*set_index\('x'\)"):
        po.from_counts(square.reset_index(drop=True), classes=["lo", "hi"])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("y", r"not an array of 0 dimensions: give the column, such as df\['y'\]$"),
        (5, "not an array of 0 dimensions$"),
        ([[0], [1, 2]], r"not an array of 2 dimensions; labels that are tuples need a Series"),
        ({1: 2}, "not an array of 0 dimensions$"),
    ],
)
def test_labels_are_one_per_row(labels: Any, message: str) -> None:
    for arrays in ((labels, [0, 1]), ([0, 1], labels)):
        with pytest.raises(ValueError, match=message):
            po.confusion(*arrays)


# edges of the classes

EDGES = [0, 10, 20, 50, np.inf]
BINNED = ROWS.ordinal.confusion("y", "yhat", classes=LEVELS, bins=EDGES)
BINNED_BY_MODEL = ROWS.ordinal.confusion("y", "yhat", by="model", classes=LEVELS, bins=EDGES)


@pytest.mark.parametrize(
    "bins", [EDGES, pd.IntervalIndex.from_breaks(EDGES)], ids=["edges", "bins"]
)
def test_edges_make_bins_of_the_classes_of_all_kinds_of_tables(bins: Any) -> None:
    asked: dict[str, Any] = {"classes": LEVELS, "bins": bins}
    named: dict[str, Any] = {"true": "y", "pred": "yhat", "count": "n", "by": "model"}
    xr.testing.assert_identical(po.from_counts(crosstab(), **asked), BINNED)
    xr.testing.assert_identical(po.from_counts(CUBE.to_numpy(), **asked), BINNED)
    xr.testing.assert_identical(po.from_counts(LONG, **asked, **named), BINNED_BY_MODEL)
    in_arrow = pa.Table.from_pandas(LONG)
    xr.testing.assert_identical(po.from_counts(in_arrow, **asked, **named), BINNED_BY_MODEL)
    declared = pd.DataFrame(CUBE.to_numpy(), *[pd.CategoricalIndex(LEVELS, dtype=LEVEL)] * 2)
    xr.testing.assert_identical(po.from_counts(declared, bins=bins), BINNED)


def test_interval_metrics_know_the_edges() -> None:
    cube = po.from_counts([[3, 1], [2, 4]], bins=[0, 10, 40])
    # three of ten rows are in the other bin, whose end is 30 away
    assert float(cube.ordinal.interval_mae()) == pytest.approx(0.3 * 30)
    assert cube.indexes["true"].equals(pd.IntervalIndex.from_breaks([0, 10, 40], name="true"))
    plain = po.from_counts([[3, 1], [2, 4]], classes=["low", "high"])
    assert float(cube.ordinal.interval_mae()) == float(
        plain.ordinal.interval_mae(bins=[0, 10, 40])
    )


def test_an_array_needs_no_classes_beside_bins() -> None:
    counts = CUBE.to_numpy()
    xr.testing.assert_identical(po.from_counts(counts, bins=EDGES), BINNED)
    with pytest.raises(ValueError, match=r"\(4, 4\) must be 2 x 2"):
        po.from_counts(counts, bins=[0, 1, 2])
    with pytest.raises(ClassOrderError, match=r"give classes=\[...\]"):
        po.from_counts(counts)


@pytest.mark.parametrize("bins", [EDGES[:-1], [*EDGES[:-1], 20], ["a"] * 5, 4, {0, 1}])
def test_edges_are_refused_as_for_rows(bins: Any) -> None:
    messages = set()
    for call in (
        lambda: ROWS.ordinal.confusion("y", "yhat", classes=LEVELS, bins=bins),
        lambda: po.from_counts(crosstab(), classes=LEVELS, bins=bins),
        lambda: po.from_counts(CUBE.to_numpy(), classes=LEVELS, bins=bins),
        lambda: po.from_counts(LONG, LEVELS, true="y", pred="yhat", count="n", bins=bins),
    ):
        with pytest.raises((TypeError, ValueError), match="bins") as caught:
            call()
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_labels_that_are_bins_already_keep_their_edges() -> None:
    numbers = pd.DataFrame({"y": [1, 11, 30, 60], "yhat": [5, 30, 30, 12]})
    cut = numbers.apply(lambda column: column.ordinal.cut(EDGES))
    table = pd.crosstab(cut["y"], cut["yhat"])
    due = cut.ordinal.confusion("y", "yhat")
    xr.testing.assert_identical(po.from_counts(table, bins=EDGES), due)
    with pytest.raises(ClassOrderError, match="leave out bins="):
        po.from_counts(table, bins=[0, 10, 20, 50, 60])
