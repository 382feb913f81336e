"""What files of every kind share: labels as JSON, a mark, and writing in place of a file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from pandas_ordinal.arrays import Array
from pandas_ordinal.errors import ClassOrderError

Parts: TypeAlias = dict[str, Any]
FilePath: TypeAlias = "str | os.PathLike[str]"

KEY = "pandas_ordinal"
REPORT = "pandas_ordinal_report"
FORMAT = 1
ARROW_TEXT = "arrow string"


def described(labels: pd.Index[Any] | Array, what: str, remedy: str) -> Parts:
    """Return labels as parts that JSON holds exactly, but for the edges of intervals."""
    parts: Parts
    if isinstance(labels, pd.IntervalIndex):
        edges = np.stack([_numbers(labels.left), _numbers(labels.right)], axis=-1)
        parts = {"dtype": str(labels.left.dtype), "closed": labels.closed, "edges": edges}
    else:
        listed = _numbers(labels).ravel().tolist()
        bare = [label.item() if isinstance(label, np.generic) else label for label in listed]
        parts = {"dtype": _name(labels.dtype), "labels": bare}
    try:
        held = parts if "edges" in parts else json.loads(json.dumps(parts))
        # compared as text: there NaN is itself, and True is not 1
        exact = repr(held) == repr(parts) and str(rebuilt(held).dtype) == str(labels.dtype)
    except (KeyError, NotImplementedError, TypeError, ValueError):
        exact = False
    if not exact:
        raise TypeError(
            f"the labels of {what} ({labels.dtype}) cannot be saved exactly, since they are not "
            f"all text, numbers or booleans: {remedy}"
        )
    return parts


def rebuilt(parts: Parts) -> Any:
    """Return the labels that were described."""
    if "edges" not in parts:
        return _index(parts["labels"], parts["dtype"])
    left, right = (_index([edge[k] for edge in parts["edges"]], parts["dtype"]) for k in (0, 1))
    return pd.IntervalIndex.from_arrays(left, right, closed=parts["closed"])


def read_marker(text: Any, lost: str, newest: int = FORMAT) -> Parts:
    """Return what pandas_ordinal wrote into a file about its layout."""
    with untrusted(lost):
        marker: Parts = json.loads(text)
        version = int(marker["format"])
        if version < 1 or (version <= newest and not {"columns", "variable"} & set(marker)):
            raise KeyError
    if version > newest:
        raise ValueError(
            f"a newer version of pandas_ordinal wrote format {version}; this one reads {newest}: "
            "pip install --upgrade pandas_ordinal"
        )
    return marker


@contextmanager
def untrusted(message: str) -> Iterator[None]:
    """Raise an error of ours for any that comes of bytes which nobody has vouched for."""
    try:
        yield
    except ClassOrderError:
        raise
    except Exception as error:
        raise ClassOrderError(message) from error


@contextmanager
def beside(path: FilePath, replaces: bool = False) -> Iterator[str]:
    """Give a path to write to, and put what is there in place of a file once all is written.

    A folder is replaced only if `replaces` says so.
    """
    target = os.path.realpath(path)  # a link stays, and points to what is new
    folder, name = os.path.split(target)
    if not os.path.isdir(folder):
        raise FileNotFoundError(
            f"there is no folder {folder!r} to save {name!r} in: os.makedirs({folder!r})"
        )
    if os.path.isdir(target) and not replaces:
        raise IsADirectoryError(f"{target!r} is a folder: give the name of a file in it")
    # threads of a failed save may still be writing: what failed is the error to show
    options: dict[str, Any] = {"dir": folder, "ignore_cleanup_errors": True}
    with TemporaryDirectory(prefix=f"{name}.", suffix=".part", **options) as part:
        new, old = os.path.join(part, name), os.path.join(part, f"{name}.old")
        yield new
        if not replaces:
            os.replace(new, target)
            return
        os.rename(target, old)
        try:
            os.rename(new, target)
        except OSError:
            os.rename(old, target)
            raise


def needed(module: str, extra: str = "io") -> Any:
    """Import a library that only files need."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f'{module} is missing: pip install "pandas_ordinal[{extra}]"') from error


def _numbers(labels: pd.Index[Any] | Array) -> Array:
    """Return labels as an array, in which times are whole numbers."""
    if isinstance(labels, (pd.DatetimeIndex, pd.TimedeltaIndex)):
        return labels.asi8
    array = np.asarray(labels)
    return array.view(np.int64) if array.dtype.kind in "mM" else array


def _index(values: Sequence[Any], name: str) -> Any:
    """Return labels of a dtype from what `_numbers` made of them."""
    if name == ARROW_TEXT:
        dtype: Any = pd.ArrowDtype(needed("pyarrow").string())
        return pd.Index(values, dtype=dtype, tupleize_cols=False)
    dtype = pd.api.types.pandas_dtype(name)
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        return pd.Index(np.array(values, np.int64).view(dtype))
    if (
        isinstance(dtype, np.dtype) and dtype.kind == "U"
    ):  # "str" of pandas 3 is NumPy's in pandas 2, whose text is of objects
        return pd.Index(values, dtype=object) if name == "str" else np.array(values, dtype)
    return pd.Index(values, dtype=dtype, tupleize_cols=False)


def _name(dtype: Any) -> str:
    """Return the name of a dtype from which pandas makes it again."""
    if isinstance(dtype, pd.StringDtype) and dtype.na_value is pd.NA:
        return f"string[{dtype.storage}]"
    # of Arrow's own, which pandas calls by the name of its nullable text
    return (
        ARROW_TEXT
        if isinstance(dtype, pd.ArrowDtype) and str(dtype) == "string[pyarrow]"
        else str(dtype)
    )
