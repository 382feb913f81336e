"""What an accessor says of itself."""

from __future__ import annotations

from typing import Any

import dask.array
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po

LEVEL = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
DF = pd.DataFrame({"g": list("aab"), "y": ["low", "mid", "mid"], "yhat": ["low", "high", "mid"]})
ORDERED = DF.astype({"y": LEVEL, "yhat": LEVEL})
CUBE = ORDERED.ordinal.confusion("y", "yhat", by="g")
UNDECLARED = (
    "no ordered Categorical: integers are classes by themselves, other labels need classes=[...]"
)
BOTH = "classes of 'y', 'yhat': low < mid < high"
LABELS = xr.DataArray([[0, 1]], dims=("model", "case"))
BINS = pd.DataFrame({"y": pd.cut(pd.Series([1, 5]), [0, 2, 8])})
MANY = pd.DataFrame({"y": pd.Categorical([3], range(20), ordered=True)})
SHOWN: dict[str, tuple[Any, list[str]]] = {
    "frame": (ORDERED, [".ordinal of a DataFrame with 3 rows", BOTH]),
    "groupby": (ORDERED.groupby("g"), [".ordinal of a DataFrameGroupBy with 3 rows", BOTH]),
    "no order": (DF, [".ordinal of a DataFrame with 3 rows", UNDECLARED]),
    "no columns": (DF[[]], [".ordinal of a DataFrame with 3 rows", UNDECLARED]),
    "bins": (BINS, [".ordinal of a DataFrame with 2 rows", "classes of 'y': (0, 2] < (2, 8]"]),
    "many classes": (
        MANY,
        [
            ".ordinal of a DataFrame with 1 row",
            "classes of 'y': 0 < 1 < 2 < 3 < 4 < 5 < 6 < 7 < ...",
        ],
    ),
    "columns of one name": (
        pd.concat([ORDERED[["y"]], ORDERED[["y"]]], axis=1),
        [".ordinal of a DataFrame with 3 rows", "classes of 'y', 'y': low < mid < high"],
    ),
    "series": (
        ORDERED["y"],
        [".ordinal of a Series with 3 rows", "classes of 'y': low < mid < high"],
    ),
    "series without a name": (
        ORDERED["y"].rename(None),
        [".ordinal of a Series with 3 rows", "classes of the Series: low < mid < high"],
    ),
    "cube": (
        CUBE,
        [".ordinal of a cube of confusion matrices over g: 2", "classes: low < mid < high"],
    ),
    "matrix": (CUBE.sum("g"), [".ordinal of a confusion matrix", "classes: low < mid < high"]),
    "no labels": (
        xr.DataArray(np.eye(2), dims=("true", "pred")),
        [
            ".ordinal of a confusion matrix",
            "its axes declare no classes: po.from_counts makes a cube of counts",
        ],
    ),
    "array": (LABELS, [".ordinal of an array of labels over model: 1, case: 2", UNDECLARED]),
    "dataset": (
        ORDERED.to_xarray(),
        [".ordinal of a Dataset of index: 3", BOTH],
    ),
}


@pytest.mark.parametrize("kind", SHOWN)
def test_an_accessor_tells_rows_classes_and_methods(kind: str) -> None:
    obj, said = SHOWN[kind]
    *lines, called = repr(obj.ordinal).splitlines()
    assert lines == said
    verbs = called.removeprefix("call ").partition(", or one of ")[0].split(", ")
    assert len(set(verbs)) == 5
    assert all(callable(getattr(obj.ordinal, verb)) for verb in verbs)


def test_a_dask_frame_tells_what_is_known_without_a_computation() -> None:
    ddf = dd.from_pandas(ORDERED, npartitions=2)
    told = repr(po.ordinal(ddf.assign(y=ddf["y"].cat.as_unknown()))).splitlines()
    assert told[:2] == [
        ".ordinal of a Dask DataFrame in 2 partitions",
        "classes of 'yhat': low < mid < high",
    ]
    assert "report, confusion" in told[2]


def test_a_dask_frame_without_order_asks_for_classes() -> None:
    integers = dd.from_pandas(pd.DataFrame({"y": [0, 1], "yhat": [1, 1]}), npartitions=1)
    undeclared = "no ordered Categorical whose classes are known: give classes=[...]"
    assert repr(po.ordinal(integers)).splitlines()[1] == undeclared
    with pytest.raises(po.ClassOrderError, match="classes of .* are not known.*classes="):
        po.ordinal(integers).mae("y", "yhat")
    assert po.ordinal(integers).mae("y", "yhat", classes=[0, 1]).compute() == 0.5


def test_three_orders_are_shown() -> None:
    orders = [pd.CategoricalDtype(["low", f"high {n}"], ordered=True) for n in range(3)]
    df = pd.DataFrame({f"c{n}": pd.Series(["low"], dtype=one) for n, one in enumerate(orders)})
    lines = repr(df.ordinal).splitlines()
    assert lines[1:4] == [f"classes of 'c{n}': low < high {n}" for n in range(3)]
    assert "..." not in lines


def test_many_orders_are_abbreviated() -> None:
    df = pd.DataFrame({f"c{n}": pd.Categorical([0], range(n + 1), ordered=True) for n in range(5)})
    lines = repr(df.ordinal).splitlines()[1:-1]
    assert lines[0] == "classes of 'c0': 0"
    assert lines[3:] == ["..."]
    same = pd.DataFrame({f"c{n}": pd.Categorical([0], [0, 1], ordered=True) for n in range(50)})
    assert len(repr(same.ordinal)) < 300


def test_no_row_is_looked_at() -> None:
    def fails(*_: Any) -> Any:
        raise AssertionError("computed")

    lazy = dask.array.map_blocks(fails, chunks=((3,), (3,)), dtype=int, meta=np.empty((0, 0), int))
    for dims in (("true", "pred"), ("model", "case")):
        array = xr.DataArray(lazy, dims=dims)
        assert repr(array.ordinal)
        assert repr(array.to_dataset(name="y").ordinal)
