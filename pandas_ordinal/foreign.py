"""Objects that other libraries made: what to call them, and what there is to do with them."""

from __future__ import annotations

from typing import Any

# Of libraries, and of single classes, which rule
WAYS = {
    "polars": "make it one of pandas with .to_pandas()",
    "polars LazyFrame": "make it one of pandas with .collect().to_pandas()",
    "pyarrow": "make it one of pandas with .to_pandas(), or with "
    ".to_pandas(types_mapper=pd.ArrowDtype) to keep the types of Arrow",
    "dask": "make it one of pandas with .compute()",
    "dask Series": "make it one of pandas with .compute(), or name columns of its frame, as in "
    'po.ordinal(ddf).oci("y", "yhat")',
    "dask GroupBy": 'name the keys in by=, as in po.ordinal(ddf).oci("y", "yhat", by="model")',
    "pandas SeriesGroupBy": "group the DataFrame and name its columns, as in "
    'df.groupby("model").ordinal.oci("y", "yhat")',
    "xarray DatasetGroupBy": 'name the keys in by=, as in ds.ordinal.oci("y", "yhat", by="model")',
    "xarray DataArrayGroupBy": 'name the keys in by=, as in true.ordinal.oci(pred, by="model")',
}


def named(obj: Any) -> str:
    """Return what to call an object: its class, and its library if that has a way."""
    library, name = type(obj).__module__.partition(".")[0], type(obj).__name__
    return f"{library} {name}" if {library, f"{library} {name}"} & WAYS.keys() else name


def way(obj: Any) -> str:
    """Say what to do with an object of another library; nothing if no way is known."""
    name = named(obj)
    return WAYS.get(name) or WAYS.get(name.partition(" ")[0], "")
