"""Probabilities in the rows that count, and a reference forecast for each row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import pandas as pd

from pandas_ordinal.classes.columns import probabilities_of
from pandas_ordinal.classes.labelled import is_by_row
from pandas_ordinal.classes.undeclared import Column
from pandas_ordinal.counting.arrays import Codes, Probabilities
from pandas_ordinal.groups import Keep
from pandas_ordinal.metrics.proba_kernel import BY_ROW
from pandas_ordinal.rows.table import Table

Options: TypeAlias = Mapping[str, Any]


def as_given(options: Options, codes: Codes) -> Options:
    """Return options without reading any."""
    return options


def retained(
    columns: Sequence[Column], keep: Keep, atol: float | None = None, option: str = ""
) -> Probabilities:
    """Return columns of probabilities in the rows of the groups."""
    return probabilities_of(columns, atol, option).of(keep)


def read_reference(
    table: Table,
    classes: pd.CategoricalDtype,
    keep: Keep,
    atol: float | None,
    options: Options,
    codes: Codes,
) -> Options:
    """Read a reference for each row; raise for wrong probabilities in rows with a code."""
    if not is_by_row(options.get(BY_ROW)):
        return options
    try:
        proba = retained(table.reference(options[BY_ROW], classes), keep, atol, "atol")
        proba.refuse_wrong(codes, table.index[keep])
    except (TypeError, ValueError) as error:
        message = re.sub(r"\bproba\b", BY_ROW, str(error))  # which tables call the option
        raise type(error)(message if BY_ROW in message else f"{BY_ROW}=: {message}") from error
    return {**options, BY_ROW: proba}


def refuse_reference_of_rows(options: Options, codes: Codes) -> Options:
    """Raise for a reference for each row, where the rows are not in memory."""
    if is_by_row(options.get(BY_ROW)):
        raise ValueError(
            f"{BY_ROW}= with probabilities for each row needs the rows in memory: read the "
            "columns with ddf[[...]].compute(), or give one probability per class"
        )
    return options
