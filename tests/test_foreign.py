"""Errors name objects of other libraries, and how to convert them."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.errors import an

LEVEL = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
DF = pd.DataFrame(
    {"y": ["low", "high"], "yhat": ["mid", "high"], "n": [2, 3], "g": ["a", "b"]}
).astype({"y": LEVEL, "yhat": LEVEL})
EXPECTED = DF.ordinal.mae("y", "yhat")


def of_polars() -> Any:
    import polars

    return polars.from_pandas(DF)


def of_arrow() -> Any:
    import pyarrow

    return pyarrow.Table.from_pandas(DF)


def of_dataset() -> Any:
    from pyarrow import dataset

    return dataset.dataset(of_arrow())


def of_dask() -> Any:
    with warnings.catch_warnings():  # of the lowest dask, that it has no query planner
        warnings.simplefilter("ignore")
        import dask.dataframe

        return dask.dataframe.from_pandas(DF, npartitions=1)


DAYS = xr.Dataset({"y": ("time", [0, 1])}, {"time": pd.date_range("2020", periods=2)})
FRAMES = {
    "polars DataFrame": (of_polars, r"\.to_pandas\(\)"),
    "polars LazyFrame": (lambda: of_polars().lazy(), r"\.collect\(\)\.to_pandas\(\)"),
    "pyarrow Table": (of_arrow, r"\.to_pandas\(types_mapper=pd\.ArrowDtype\)"),
    "pyarrow InMemoryDataset": (of_dataset, r"\.to_table\(\)\.to_pandas\(\)"),
    "pyarrow Scanner": (lambda: of_dataset().scanner(), r"\.to_table\(\)\.to_pandas\(\)"),
    "dask DataFrame": (of_dask, r"\.compute\(\)"),
    "pandas SeriesGroupBy": (lambda: DF.groupby("g")["y"], r'df\.groupby\("model"\)\.ordinal'),
    "xarray DatasetGroupBy": (lambda: DF.to_xarray().groupby("g"), "by="),
    "xarray DataArrayGroupBy": (lambda: DF.to_xarray()["y"].groupby("index"), "by="),
    **{
        f"xarray {type(obj).__name__}{kind}": (partial(getattr(obj, method), *args, **given), way)
        for obj in (DAYS, DAYS["y"])
        for kind, method, args, given, way in [
            ("Resample", "resample", (), {"time": "1D"}, "by="),
            ("Coarsen", "coarsen", (), {"time": 2}, r"ds\.coarsen\(time=12\)\.construct"),
            ("Rolling", "rolling", (), {"time": 2}, r"ds\.rolling\(time=12\)\.construct"),
            ("Weighted", "weighted", (DAYS["y"],), {}, "sample_weight="),
        ]
    },
}


TAKEN = {"polars DataFrame", "pyarrow Table", "dask DataFrame"}


@pytest.mark.parametrize("name", sorted(FRAMES.keys() - TAKEN))
def test_po_ordinal_names_what_it_does_not_take(name: str) -> None:
    make, way = FRAMES[name]
    with pytest.raises(TypeError, match=f"accessor for {an(name)}: .*{way}.*po.from_counts"):
        po.ordinal(make())


@pytest.mark.parametrize(
    "name", sorted(n for n in FRAMES if "GroupBy" in n and n.startswith("xarray"))
)
def test_groups_of_xarray_name_the_call(name: str) -> None:
    make, way = FRAMES[name]
    kind = name.split()[1]
    with pytest.raises(
        AttributeError, match=f"{kind}' object has no attribute 'ordinal': .*{way}"
    ):
        _ = make().ordinal
    assert not hasattr(make(), "ordinal")
    assert "Raise for an object" in (type(make()).ordinal.__get__.__doc__ or "")


@pytest.mark.parametrize(
    "name",
    [
        "polars",
        "pyarrow",
        "pyarrow, types_mapper",
        "pyarrow Dataset",
        "pyarrow Scanner",
        "pyarrow RecordBatchReader",
        "dask",
    ],
)
def test_the_way_leads_there(name: str) -> None:
    ways: dict[str, Callable[[], pd.DataFrame]] = {
        "polars": lambda: of_polars().to_pandas(),
        "pyarrow": lambda: of_arrow().to_pandas(),
        "pyarrow, types_mapper": lambda: of_arrow().to_pandas(types_mapper=pd.ArrowDtype),
        "pyarrow Dataset": lambda: of_dataset().to_table().to_pandas(),
        "pyarrow Scanner": lambda: of_dataset().scanner().to_table().to_pandas(),
        "pyarrow RecordBatchReader": lambda: of_arrow().to_reader().read_pandas(),
        "dask": lambda: of_dask().compute(),
    }
    df = ways[name]()
    classes = None if name != "polars" else LEVEL.categories
    assert po.ordinal(df).mae("y", "yhat", classes=classes) == EXPECTED


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("polars Series", lambda: of_polars()["yhat"]),
        ("pyarrow ChunkedArray", lambda: of_arrow()["yhat"]),
        ("dask Series", lambda: of_dask()["yhat"]),
    ],
)
def test_columns(name: str, make: Callable[[], Any]) -> None:
    column = make()
    with pytest.raises(
        TypeError, match=f"^pred must be a Series of pandas.*, not a {name}: convert"
    ):
        DF["y"].ordinal.mae(column)
    with pytest.raises(TypeError, match=f"pred= takes the label of a column, not a {name}"):
        DF.ordinal.mae("y", column)
    with pytest.raises(TypeError, match=f"true= takes the label of a column, not a {name}"):
        DF.ordinal.mae(column, "yhat")


@pytest.mark.parametrize(
    "name", ["polars LazyFrame", "pyarrow InMemoryDataset", "pyarrow Scanner", "dask DataFrame"]
)
@pytest.mark.parametrize("named", [{}, {"true": "y", "pred": "yhat", "count": "n"}])
def test_counts_that_are_not_there_yet(name: str, named: dict[str, str]) -> None:
    make, way = FRAMES[name]
    with pytest.raises(TypeError, match=f"from_counts does not take an? {name}: .*{way}"):
        po.from_counts(make(), **named)


@pytest.mark.parametrize("name", ["pyarrow InMemoryDataset", "pyarrow Scanner"])
def test_rows_that_are_not_there_yet(name: str) -> None:
    make, way = FRAMES[name]
    with pytest.raises(TypeError, match=f"not an? {name}: .*{way}, part by part"):
        po.Counter(classes=LEVEL).update(make(), "y", "yhat")


def test_a_frame_of_spark_is_not_just_a_dataframe() -> None:
    spark = type("DataFrame", (), {"__module__": "pyspark.sql.classic.dataframe"})()
    calls: list[Callable[[], object]] = [
        lambda: po.ordinal(spark),
        lambda: po.from_counts(spark, true="y", pred="yhat", count="n"),
        lambda: po.Counter(classes=LEVEL).update(spark, "y", "yhat"),
        lambda: po.style(spark),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r" a pyspark DataFrame: .*\.toPandas\(\)"):
            call()


def of(report: pd.DataFrame, library: str) -> Any:
    if library == "polars":
        import polars

        return polars.from_pandas(report)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import dask.dataframe

        return dask.dataframe.from_pandas(report, npartitions=1)


@pytest.mark.parametrize("name", ["polars DataFrame", "dask DataFrame"])
@pytest.mark.parametrize("look", [po.style, po.plot.forest, po.pareto, po.metric_correlation])
def test_finished_reports(name: str, look: Callable[[Any], Any]) -> None:
    report = of(pd.DataFrame({"n": [2, 2], "mae": [0.5, 0.4]}), name.partition(" ")[0])
    way = FRAMES[name][1]
    with pytest.raises(TypeError, match=f"^report must be .*, not a {name}: convert it .*{way}"):
        look(report)


IN_A_WORKER = """
import sys
import pandas as pd
from joblib import Parallel, delayed
import pandas_ordinal as po

def by_attribute(df):
    return df.ordinal.mae("y", "yhat")

def by_function(df):
    return po.ordinal(df).mae("y", "yhat")

if __name__ == "__main__":
    df = pd.DataFrame({"y": [0, 1, 2], "yhat": [0, 2, 2]})
    parallel = Parallel(n_jobs=2, backend="loky", pre_dispatch=1)
    try:
        parallel([delayed(by_attribute)(df)])
    except AttributeError as error:
        print(error)
    print(parallel([delayed(by_function)(df)]) == [df.ordinal.mae("y", "yhat")])
"""


@pytest.mark.slow
def test_in_a_worker_of_joblib_po_ordinal_brings_the_import(tmp_path: Any) -> None:
    script = tmp_path / "script.py"
    script.write_text(IN_A_WORKER)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    error, works = done.stdout.splitlines()
    assert "'DataFrame' object has no attribute 'ordinal'" in error
    assert works == "True"
