"""How results are compared with those that are due, on every surface."""

from __future__ import annotations

import math
import os
import traceback
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import xarray as xr

import pandas_ordinal as po
from fuzz import literal
from pandas_ordinal import UndefinedMetricWarning

PACKAGE = str(Path(po.__file__).parent) + os.sep
HERE = Path(__file__).parent
OWN = (ValueError, TypeError, KeyError)


class Wrong(AssertionError):
    """The package gave another result than the literal answer."""


class Refused(Exception):
    """The package raised an error that was due."""


def result_of(
    refused: Collection[type[Exception]],
    call: Callable[[], Any],
    undefined: bool | None = False,
    may: bool = False,
) -> Any:
    """Return the result of a call; its warnings and errors must be those that are due.

    Parameters
    ----------
    refused
        The errors, one of them due; empty if there must be a result.
    call
        What to call.
    undefined
        Whether a warning of undefined values is due; None for either.
    may
        Whether there may also be a result instead of an error.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call()
        except Exception as error:
            raised = type(error)
            own = traceback.extract_tb(error.__traceback__)[-1].filename.startswith(PACKAGE)
            if own and isinstance(error, OWN) and raised in refused:
                raise Refused(raised.__name__) from error
            raise
    for warning in caught:
        if "dask" in Path(warning.filename).parts:
            continue  # its own, or ours while it computes
        here = Path(warning.filename).parent == HERE
        if warning.category is not UndefinedMetricWarning or not here:
            raise Wrong(f"{warning.category.__name__} from {warning.filename}: {warning.message}")
    if refused and not may:
        kinds = ", ".join(sorted(kind.__name__ for kind in refused))
        raise Wrong(f"due was {kinds}, got {result!r}")
    if undefined is not None and bool(caught) != undefined:
        raise Wrong(f"a warning of undefined values was {'' if undefined else 'not '}due")
    return result


def plain(label: Any) -> Any:
    """Return a label, or a tuple of labels, with None for missing values."""
    if isinstance(label, tuple):
        return tuple(map(plain, label))
    return None if literal.is_lost(label) else label


def refuse_other_cube(counts: xr.DataArray, due: Mapping[Any, Sequence[literal.Row]]) -> None:
    """Raise unless each matrix has the counts of its rows."""
    n_classes = counts.sizes["true"]
    labels = [list(map(plain, counts.indexes[dim])) for dim in counts.dims[:-2]]
    tables = counts.to_numpy().reshape(-1, n_classes, n_classes)
    for key, table in zip(product(*labels), tables, strict=True):
        rows = due.get(key, [])
        if table.tolist() != literal.confusion(rows, n_classes):
            raise Wrong(f"counts of {key}: {table.tolist()}")
    lost = [key for key, rows in due.items() if rows and key not in set(product(*labels))]
    if lost:
        raise Wrong(f"no counts of {lost}")


def refuse_other(actual: Sequence[float], due: Sequence[float], rel_tol: float = 1e-9) -> None:
    """Raise unless numbers are those that are due."""
    if len(actual) != len(due):
        raise Wrong(f"{len(actual)} numbers, due {len(due)}")
    for value, other in zip(actual, due, strict=True):
        both_undefined = math.isnan(value) and math.isnan(other)
        if not both_undefined and not math.isclose(value, other, rel_tol=rel_tol, abs_tol=1e-12):
            raise Wrong(f"got {list(actual)}, due {list(due)}")
