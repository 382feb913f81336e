"""What files of every kind share: labels as JSON, a mark, and writing in place of a file."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from glob import escape, glob
from importlib import import_module
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.errors import ClassOrderError

Parts: TypeAlias = dict[str, Any]
FilePath: TypeAlias = "str | os.PathLike[str]"

KEY = "pandas_ordinal"
REPORT = "pandas_ordinal_report"
FORMAT = 1
PART = ".part"  # a folder beside a file that is being written
OLD = ".old"  # in it, the store that is being replaced
DATE = "date"  # a dtype that pandas has not: objects of datetime.date
ARROW_TEXT = "arrow string"  # pandas calls it as it calls its own nullable text


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
        if bare and all(type(label) is date for label in bare):
            parts = {"dtype": DATE, "labels": [label.isoformat() for label in bare]}
    try:
        held = parts if "edges" in parts else json.loads(json.dumps(parts))
        # compared as text: there NaN is itself, and True is not 1
        exact = repr(held) == repr(parts) and str(rebuilt(held).dtype) == str(labels.dtype)
    except (KeyError, NotImplementedError, TypeError, ValueError):
        exact = False
    if not exact:
        raise TypeError(
            f"the labels of {what} ({labels.dtype}) cannot be saved exactly, since they are not "
            f"all text, numbers, booleans, dates, times or periods: {remedy}"
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
            "upgrade pandas_ordinal"
        )
    return marker


@contextmanager
def untrusted(message: str) -> Iterator[None]:
    """Raise an error of ours for any that comes of bytes which nobody has vouched for."""
    try:
        yield
    except (ClassOrderError, PermissionError):
        raise
    except Exception as error:
        raise ClassOrderError(message) from error


@contextmanager
def beside(path: FilePath, replaces: bool = False) -> Iterator[str]:
    """Give a path to write to, and put what is there in place of a file once all is written.

    A folder is replaced only if `replaces` says so. Whatever interrupts this, what was there stays
    or what is new is there; only a process that is killed leaves its folder ``.part``.
    """
    target = os.path.realpath(path)  # a link stays, and points to what is new
    folder, name = os.path.split(target)
    if not os.path.isdir(folder):
        raise FileNotFoundError(
            f"there is no folder {folder!r} to save {name!r} in: os.makedirs({folder!r})"
        )
    if os.path.isdir(target) and not replaces:
        raise IsADirectoryError(f"{target!r} is a folder: give the name of a file in it")
    # not a TemporaryDirectory, which would delete what was moved there when it is interrupted
    part = mkdtemp(prefix=f"{name}.", suffix=PART, dir=folder)
    old = old_of(part)
    installed = False  # then a target that is missing is one that another writer replaces
    try:
        new = os.path.join(part, name)
        yield new
        if replaces:
            _replace_folder(new, target, old)
        else:
            os.replace(new, target)
        installed = True
    finally:
        if not installed and os.path.lexists(old) and not os.path.lexists(target):
            os.rename(old, target)
        # threads of a failed save may still be writing: what failed is the error to show
        rmtree(part, ignore_errors=True)


def _replace_folder(new: str, target: str, old: str) -> None:
    """Move a folder away and another one to its place, again if a second writer was faster."""
    while True:
        if os.path.lexists(old):
            rmtree(old)  # of the other writer, or what that one has replaced
        with suppress(FileNotFoundError):
            os.rename(target, old)
        try:
            os.rename(new, target)
            return
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise


def left_by_a_killed_process(path: FilePath) -> str:
    """Say what is left beside a file that is missing, and what to do with it."""
    folder, name = os.path.split(os.path.realpath(path))
    found = sorted(glob(os.path.join(escape(folder), f"{escape(name)}.*{PART}")))
    for part in found:
        old = old_of(part)
        if os.path.exists(old):
            return (
                f", but a process that was replacing it, and was killed or still runs, has left "
                f"{part!r}: os.rename({old!r}, {os.path.join(folder, name)!r}) brings back what "
                "was there"
            )
    if found:
        return (
            f", but a process that was saving it, and was killed or still runs, has left "
            f"{found[0]!r}: delete it, and save once more"
        )
    return ""


def target_of(part: str) -> str:
    """Return the file that a folder ``.part`` was made for."""
    return part.rsplit(".", 2)[0]


def old_of(part: str) -> str:
    """Return where a folder ``.part`` keeps the store that is being replaced."""
    return os.path.join(part, f"{os.path.basename(target_of(part))}{OLD}")


def needed(module: str, extra: str = "io") -> Any:
    """Import a library that only files need."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f'{module} is missing: pip install "pandas_ordinal[{extra}]"') from error


def _numbers(labels: pd.Index[Any] | Array) -> Array:
    """Return labels as an array, in which times and periods are whole numbers."""
    if isinstance(labels, (pd.DatetimeIndex, pd.TimedeltaIndex, pd.PeriodIndex)):
        return labels.asi8
    array = np.asarray(labels)
    return array.view(np.int64) if array.dtype.kind in "mM" else array


def _index(values: Sequence[Any], name: str) -> Any:
    """Return labels of a dtype from what `_numbers` made of them."""
    if name == DATE:
        return pd.Index(list(map(date.fromisoformat, values)), dtype=object)
    if name == ARROW_TEXT:
        text: Any = pd.ArrowDtype(needed("pyarrow").string())
        return pd.Index(values, dtype=text, tupleize_cols=False)
    dtype: Any = pd.api.types.pandas_dtype(name)
    if isinstance(dtype, pd.PeriodDtype):
        periods: Any = pd.PeriodIndex  # whose stubs lack this
        return periods.from_ordinals(values, freq=dtype.freq)
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        return pd.Index(np.array(values, np.int64).view(dtype))
    if isinstance(dtype, np.dtype) and dtype.kind == "U":
        # "str" of pandas 3 is NumPy's in pandas 2, whose text is of objects
        return pd.Index(values, dtype=object) if name == "str" else np.array(values, dtype)
    return pd.Index(values, dtype=dtype, tupleize_cols=False)


def _name(dtype: Any) -> str:
    """Return the name of a dtype from which pandas makes it again."""
    if isinstance(dtype, pd.StringDtype) and dtype.na_value is pd.NA:
        return f"string[{dtype.storage}]"
    if isinstance(dtype, pd.ArrowDtype) and str(dtype) == "string[pyarrow]":
        return ARROW_TEXT
    return str(dtype)
