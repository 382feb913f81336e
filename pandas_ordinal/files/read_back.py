"""Whether a frame that was read back from a file is the one that was saved.

Arrow has one type a column: of objects it makes the nearest that holds them, such as floats of
large integers beside a missing one, and structs with all keys of all dicts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_ordinal.groups import levels_of


def refuse_lost(saved: pd.DataFrame, found: pd.DataFrame) -> None:
    """Raise if a column or a key would come back as another.

    Parameters
    ----------
    saved : DataFrame
        What is to be saved.
    found : DataFrame
        What is read back.
    """
    for position, name in enumerate(saved.columns):
        _refuse_lost(
            f"the column {name!r}", saved.iloc[:, position], found.iloc[:, position], name
        )
    for one, other in zip(levels_of(saved.index), levels_of(found.index), strict=True):
        _refuse_lost(f"the index level {one.name!r}", one, other)
    _refuse_lost_labels(saved.index, found.index)


def _refuse_lost(what: str, saved: Any, found: Any, name: Any = None) -> None:
    """Raise if values would come back as others, or as objects of other types."""
    remedy = "df.reset_index()" if name is None else f"df.assign(**{{{name!r}: ...}})"
    if str(saved.dtype) != str(found.dtype):
        raise TypeError(
            f"{what} is {saved.dtype}, and would come back as {found.dtype}: save "
            f"{remedy} with values of one type that Parquet has"
        )
    if not np.array_equal(saved.isna(), found.isna()):
        raise TypeError(
            f"{what} holds NaN beside missing values, which would come back as missing: save "
            f"{remedy} with one of both"
        )
    if saved.dtype != object:
        return
    for one, other in zip(saved, found, strict=True):
        if type(one) is not type(other) or repr(one) != repr(other):
            raise TypeError(
                f"{what} holds {one!r}, which would come back as {other!r}: save {remedy} with "
                "values of one type that Parquet has, such as text"
            )


def _refuse_lost_labels(saved: pd.Index[Any], found: pd.Index[Any]) -> None:
    """Raise if the labels of several levels, some of them missing, would come back as others."""
    if not isinstance(saved, pd.MultiIndex) or not isinstance(found, pd.MultiIndex):
        return
    used = (index.remove_unused_levels().levels for index in (saved, found))
    for one, other in zip(*used, strict=True):
        are_integers = one.dtype.kind in "iu"
        if len(one) and (one.dtype != other.dtype or (are_integers and not one.isin(other).all())):
            raise TypeError(
                f"the index level {one.name!r} is {one.dtype} with missing keys, and holds "
                f"{one[0]!r}, which would come back as another: save df.reset_index()"
            )
