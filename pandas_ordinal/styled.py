"""Reports as tables to be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_ordinal.accessors.base import answered
from pandas_ordinal.arrays import Array
from pandas_ordinal.report_columns import Column, Named, ReportLike, as_table, columns_of

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

MOST_DIGITS = 6


@answered
def style(report: ReportLike, *, metrics: Named | None = None) -> Styler:
    """Show a report as a table: directions as arrows, the best in bold, as many digits as count.

    Parameters
    ----------
    report : DataFrame, Series or Dataset
        What `report` returned.
    metrics : dict from column to metric, optional
        What metrics the labels of one's own are, as in `pareto`. A column that is not known has
        no arrow, and nothing in it is bold.

    Returns
    -------
    Styler
        The table, as pandas shows it in a notebook. ``.to_latex(convert_css=True)`` writes it for
        a paper, ``.to_html()`` for a page.

    Raises
    ------
    TypeError, ValueError
        If this is no report, or two of its rows have one name.
    ImportError
        If jinja2 is missing.

    Notes
    -----
    Bold are the best row and those whose interval holds its value; without intervals, those that
    show the same digits. That is no test: models on the same rows often differ where their
    intervals overlap, which `compare` tells.

    The last digit shown is the first that the standard error touches. It is taken from
    ``<metric>_se``, else as a quarter of the interval, else as that of a share of one half in n
    rows. All rows of a column have the same digits, after the median of their standard errors.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": [0, 1, 2, 2] * 25, "a": [0, 1, 2, 1] * 25, "b": [0, 1, 1, 0] * 25})
    >>> report = po.ordinal(df).report("y", ["a", "b"], metrics=["mae", "kappa"])
    >>> print(po.style(report).hide(names=True).to_string(delimiter="  "), end="")
      n  mae ↓  kappa ↑
    a  100  0.25  0.80
    b  100  0.75  0.17
    """
    table = as_table(report)
    if not table.index.is_unique:
        twice = table.index[table.index.duplicated()][0]
        raise ValueError(f"two rows of the report are called {twice!r}: give each its own name")
    columns = columns_of(table, metrics)
    arrows = {column.label: column.arrow for column in columns}
    styler = _styler(table)
    styler.format_index(lambda label: f"{label}{arrows.get(label, '')}", axis=1)
    styler.format(_formats(table, columns), na_rep="", precision=3)
    for column in columns:
        if column.greater_is_better is not None and len(table) > 1:
            bold = np.where(_is_best(column, _digits(table, column)), "font-weight: bold", "")
            styler.apply(lambda _, bold=bold: bold, subset=[column.label])
    return styler


def _styler(table: pd.DataFrame) -> Styler:
    try:
        from pandas.io.formats.style import Styler
    except ImportError as error:
        raise ImportError(
            'jinja2 3.1.6 or newer is missing: pip install "pandas_ordinal[plot]"'
        ) from error
    return Styler(table)


def _formats(table: pd.DataFrame, columns: list[Column]) -> dict[Any, Any]:
    """Return how each column is written."""
    counts = [label for label in table.columns if label == "n" or str(label).endswith("_n_valid")]
    formats = dict.fromkeys(counts, "{:.0f}")
    for column in columns:
        written = f"{{:.{_digits(table, column)}f}}"
        for name in (column.label, *(f"{column.label}_{part}" for part in ("low", "high", "se"))):
            if name in table.columns:
                formats[name] = written
    return formats


def _digits(table: pd.DataFrame, column: Column) -> int:
    """Return how many digits of a metric are more than noise."""
    if column.se is not None:
        errors = column.se
    elif column.low is not None and column.high is not None:
        errors = (column.high - column.low) / 4
    elif "n" in table.columns:
        errors = 0.5 / np.sqrt(table["n"].to_numpy(dtype=float, na_value=np.nan).clip(1))
    else:
        errors = np.array([0.001])
    known = errors[np.isfinite(errors) & (errors > 0)]
    if not len(known):
        return 3
    return int(np.clip(np.ceil(-np.log10(np.median(known))), 0, MOST_DIGITS))


def _is_best(column: Column, digits: int) -> Array:
    """Tell which rows are best, or cannot be told from the best."""
    values = column.values if column.greater_is_better else -column.values
    if np.isnan(values).all():
        return np.zeros(len(values), bool)
    first = int(np.nanargmax(values))
    best = column.values[first]
    is_best: Array = column.values.round(digits) == best.round(digits)
    if column.low is not None and column.high is not None:
        is_best = (column.low <= best) & (best <= column.high)
    is_best[first] = True
    return is_best
