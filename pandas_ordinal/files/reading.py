"""What reading files of every kind shares: the marker of our files, and errors."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from pandas_ordinal.errors import ClassOrderError, UnreadableFileError, brief

FilePath: TypeAlias = "str | os.PathLike[str]"
Json: TypeAlias = dict[str, Any]

KEY = "pandas_ordinal"  # of the marker in a file, and of the labels in a coordinate
REPORT = "pandas_ordinal_report"
STORED_KINDS = "biuf"  # the kinds of NumPy's dtypes that the file of a cube has


def changed_since_saved(
    path: FilePath, remains: str, fault: str = "bits of it have flipped"
) -> UnreadableFileError:
    """Return the error for a file that is no longer what was saved.

    Parameters
    ----------
    path : str or path
        The file.
    remains : str
        The line that reads it unchecked.
    fault : str
        What is wrong with it, unless another tool has changed it.
    """
    return UnreadableFileError(
        f"{os.fspath(path)!r} is not what pandas_ordinal saved: {fault}, or another tool has "
        f"changed it. Save it once more. To read what is left, unchecked: {remains}"
    )


def local_path(path: FilePath) -> str:
    """Return the place of a file in a form that no library reads as an address or a pattern."""
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise TypeError(
            f"path={brief(path)} must be text or a pathlib.Path, such as os.fsdecode(path)"
        )
    if not text:
        raise ValueError("the path '' is empty: give the name of a file")
    return os.path.realpath(text)


def is_address(path: FilePath) -> bool:
    """Whether a path looks like an address, such as that of a bucket."""
    return "://" in os.fspath(path)


def address_hint(path: FilePath) -> str:
    """Return a remark on a missing path that looks like an address, for an error."""
    return "; a path names a file on this machine, not an address" * is_address(path)


def refuse_special(path: str) -> None:
    """Raise if a path is not that of a regular file, without opening it."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise UnreadableFileError(
            f"{path!r} is a device, a pipe, a socket or a folder: give the name of a file"
        )


@contextmanager
def errors_become(error: Exception) -> Iterator[None]:
    """Raise `error` for whatever goes wrong with untrusted bytes."""
    try:
        yield
    except (ClassOrderError, UnreadableFileError, PermissionError):
        raise
    except Exception as cause:
        if cause is error:
            raise
        raise error from cause


def read_marker(text: Any, version: int, unknown: Exception) -> Json:
    """Return what pandas_ordinal wrote into a file about its layout.

    Parameters
    ----------
    text : object
        The marker as it is in the file, or None.
    version : int
        The format that is read.
    unknown : Exception
        What to raise if there is no marker of this format.
    """
    with errors_become(unknown):
        marker: Json = json.loads(text)
        stored = int(marker["format"])
    if stored > version:
        raise ValueError(
            f"a newer version of pandas_ordinal wrote format {stored}; this one reads {version}: "
            "upgrade pandas_ordinal"
        )
    if stored < version:
        raise unknown
    return marker
