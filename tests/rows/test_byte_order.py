"""Columns and arrays in the byte order of another processor, as in files of netCDF 3 or FITS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po

RNG = np.random.default_rng(0)
N = 60
NATIVE = pd.DataFrame(
    {
        "y": RNG.integers(0, 3, N),
        "yhat": RNG.integers(0, 3, N),
        "k": RNG.integers(5, 8, N),
        "f": RNG.integers(0, 2, N) / 4,
        "w": RNG.random(N),
        "score": RNG.normal(size=N),
        "selected": RNG.random(N) < 0.7,
    }
)
SWAPPED = NATIVE.assign(
    **{
        name: values.to_numpy().astype(values.to_numpy().dtype.newbyteorder(">"))
        for name, values in NATIVE.items()
    }
)


def array(df: pd.DataFrame, name: str) -> xr.DataArray:
    return xr.DataArray(df[name].to_numpy(), dims="case", name=name)


def of_arrays(df: pd.DataFrame, **options: Any) -> Any:
    return array(df, "y").ordinal.confusion(array(df, "yhat"), dim="case", **options)


def of_parts(df: pd.DataFrame) -> xr.DataArray:
    counter = po.Counter(classes=[0, 1, 2], by=["f", "k"])
    for _ in range(2):
        counter.update(df, "y", "yhat")
    return counter.cube


CALLS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "selected": lambda df: df.ordinal.mae("y", "yhat", by="k", sample_weight="selected"),
    "weighted": lambda df: df.ordinal.confusion("y", "yhat", by="f", sample_weight="w"),
    "keys": lambda df: df.ordinal.confusion("y", "yhat", by=["f", "k"]),
    "level": lambda df: df.set_index("f").ordinal.mae("y", "yhat", by="f"),
    "classes": lambda df: df.ordinal.confusion("y", "yhat", classes=[2, 0, 1]),
    "cluster": lambda df: df.ordinal.report("y", "yhat", metrics=["mae"], ci=0.9, cluster="f"),
    "summary": lambda df: df.ordinal.summary("y", "yhat", over="k", metrics=["mae"]),
    "ranking": lambda df: df.ordinal.vus("y", "score", by="k"),
    "series": lambda df: df["y"].ordinal.confusion(df["yhat"], classes=[2, 0, 1]),
    "as_ordered": lambda df: df["y"].ordinal.as_ordered([2, 0, 1]),
    "cut": lambda df: df["score"].ordinal.cut([-10, 0, 10]),
    "two arrays": lambda df: po.confusion(
        df["y"].to_numpy(), df["yhat"].to_numpy(), classes=[2, 0, 1]
    ),
    "arrays": lambda df: of_arrays(df, classes=[2, 0, 1]),
    "arrays by": lambda df: of_arrays(df, by=array(df, "f")),
    "counter": of_parts,
}


@pytest.mark.parametrize("name", CALLS)
def test_any_byte_order_gives_the_same(name: str) -> None:
    native, swapped = map(CALLS[name], (NATIVE, SWAPPED))
    if isinstance(native, xr.DataArray):
        assert swapped.identical(native)
        assert all(
            index.dtype.isnative for index in swapped.indexes.values() if index.name in "fk"
        )
    elif isinstance(native, pd.DataFrame):
        pd.testing.assert_frame_equal(swapped, native)
    elif isinstance(native, pd.Series):
        pd.testing.assert_series_equal(swapped, native)
    else:
        assert np.array_equal(swapped, native)


def test_counts_of_swapped_columns() -> None:
    table = pd.crosstab(NATIVE["y"], NATIVE["yhat"]).to_numpy()
    assert (SWAPPED.ordinal.confusion("y", "yhat").values == table).all()
    assert (of_arrays(SWAPPED).values == table).all()
    assert (
        po.confusion(SWAPPED["y"], SWAPPED["yhat"], classes=[2, 1, 0]) == table[::-1, ::-1]
    ).all()


@pytest.mark.parametrize("classes", [[0, 7], [0, 1]])
def test_unknown_labels_are_named(classes: list[int]) -> None:
    for count in (
        lambda: SWAPPED.ordinal.mae("y", "yhat", classes=classes),
        lambda: SWAPPED["y"].ordinal.mae(SWAPPED["yhat"], classes=classes),
        lambda: of_arrays(SWAPPED, classes=classes),
    ):
        with pytest.raises(po.UnknownClassError, match=r"'y' holds \[.*2.*\], which"):
            count()


def test_parquet_has_one_byte_order(tmp_path: Any) -> None:
    swapped = pd.DataFrame({"k": SWAPPED["k"]})
    with pytest.raises(TypeError, match="Byte-swapped") as error:
        swapped.ordinal.to_parquet(tmp_path / "frame")
    line = str(error.value)[str(error.value).index("df.assign(") :]
    fixed = eval(line, {"df": swapped})
    fixed.ordinal.to_parquet(tmp_path / "frame")
    pd.testing.assert_frame_equal(po.read_parquet(tmp_path / "frame"), NATIVE[["k"]])
