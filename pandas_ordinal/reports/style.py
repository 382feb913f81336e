"""Reports as styled tables."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array
from pandas_ordinal.hints import explains_arguments
from pandas_ordinal.metrics.metric import Metric
from pandas_ordinal.query import SIZES
from pandas_ordinal.reports.by_class import classes_of_rows
from pandas_ordinal.reports.columns import (
    SIZES_OF_RATERS,
    MetricColumn,
    MetricsByColumn,
    ReportLike,
    as_table,
    columns_of,
    digits_of,
    refuse_other_labels,
)
from pandas_ordinal.reports.facts import caption_of, metrics_behind
from pandas_ordinal.reports.style_rows import arrow_of, metrics_are_rows, texts_of

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

Escape: TypeAlias = Literal["latex", "html"]

BOLD = {True: "font-weight: bold", False: ""}
WHOLE = {"white-space": "nowrap"}
ARROWS_IN_LATEX = {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
LATEX = str.maketrans(
    {sign: rf"\{sign}" for sign in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)
ESCAPES: dict[Escape | None, Callable[[Any], Any]] = {
    "latex": lambda label: label.translate(LATEX) if isinstance(label, str) else label,
    "html": lambda label: html.escape(label) if isinstance(label, str) else label,
    None: lambda label: label,
}


@explains_arguments
def style(
    report: ReportLike, *, metrics: MetricsByColumn | None = None, escape: Escape | None = None
) -> Styler:
    """Show a report as a table: arrows for directions, the best in bold, significant digits only.

    A value and its interval share a cell. Comparisons and summaries have a row per metric, with
    the digits of that metric; the better model of a pair and the best mean are bold. In tables by
    class, the best of several models or groups is bold for each class.

    Parameters
    ----------
    report : DataFrame, Series or Dataset
        What `report`, `class_report`, `cut_report`, `compare` or `summary` returned.
    metrics : dict from column to metric, optional
        The metrics of columns with labels of your own, as in `pareto`. Default: those that the
        attributes hold. An unknown column has no arrow and nothing in bold.
    escape : {"latex", "html"}, optional
        The format to escape labels for, as in pandas's ``Styler.format``: LaTeX fails on a model
        called a&b, and a web page on a group called <10.

    Returns
    -------
    Styler
        The table, as pandas shows it in a notebook. ``.to_latex()`` writes it for a paper, which
        needs the packages booktabs and, where an index has levels, multirow; ``.to_html()``
        writes it for a web page.

    Raises
    ------
    TypeError, ValueError
        If this is not a report, or two of its rows or columns have the same name.
    ImportError
        If jinja2 is missing.

    Notes
    -----
    The best value is bold, and so are values whose interval contains it; without intervals, those
    that show the same digits. This is a reading aid, not a test: intervals of models on the same
    rows can overlap although the models differ. To test whether two models differ, use `compare`.

    The last digit shown is the first that the standard error affects. The standard error is
    ``<metric>_se``, else a quarter of the interval, else that of a share of one half in n rows.
    All rows of a column have the same number of digits, by the median of their standard errors.

    Headers show underscores as spaces. The caption is that of the attributes of the report:
    level and method of its intervals, clusters, adjustment. Operations that drop attributes drop
    it; ``.set_caption(...)`` replaces it.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": [0, 1, 2, 2] * 25, "a": [0, 1, 2, 1] * 25, "b": [0, 1, 1, 0] * 25})
    >>> report = po.ordinal(df).report("y", ["a", "b"], metrics=["mae", "kendall_tau"], ci=0.95)
    >>> print(po.style(report).hide(names=True).to_string(delimiter="  "), end="")
      n  n classes  mae ↓  kendall tau ↑
    a  100  3  0.25 [0.18, 0.35]  0.80 [0.71, 0.86]
    b  100  3  0.75 [0.59, 0.92]  0.22 [0.02, 0.41]
    """
    table = as_table(report)
    if not table.index.is_unique:
        twice = table.index[table.index.duplicated()][0]
        raise ValueError(f"two rows of the report are called {twice!r}: give each its own name")
    if metrics_are_rows(table):
        return _style_rows(table, metrics, escape)
    columns = columns_of(table, metrics)
    digits = {column.label: _digits(table, column) for column in columns}
    shown = _with_intervals(table, columns, digits)
    shown.index = shown.index.set_names(list(map(ESCAPES[escape], shown.index.names)))
    styler = _styler(shown, caption_of(report.attrs))
    styler.format(_formats(shown, columns, digits), na_rep="", precision=3, escape=escape)
    _label(styler, columns, ESCAPES[escape])
    if isinstance(report, pd.Series):  # a single row, which has no name
        styler.hide(axis="index")
    groups = _compared(table)
    for column in columns:
        if column.greater_is_better is not None and groups:
            is_best = np.zeros(len(table), bool)
            for rows in groups:
                is_best[rows] = _is_best(column.at(rows), digits[column.label])
            bold = np.where(is_best, BOLD[True], BOLD[False])
            styler.apply(lambda _, bold=bold: bold, subset=[column.label])
    return styler.set_properties(subset=None, **WHOLE)


def _compared(table: pd.DataFrame) -> list[Array]:
    """Return the rows among which there is a best one: all, or those of the same class."""
    classes = classes_of_rows(table)
    groups = [np.arange(len(table))]
    if classes is not None:
        groups = [np.flatnonzero(classes == label) for label in classes.unique()]
    return [rows for rows in groups if len(rows) > 1]


def _style_rows(
    table: pd.DataFrame, metrics: MetricsByColumn | None, escape: Escape | None
) -> Styler:
    """Show what `compare` or `summary` returns."""
    refuse_other_labels(metrics, table.index.unique("metric"), "metric")
    escaped, behind = ESCAPES[escape], metrics_behind(table.attrs, metrics)
    cells, is_bold = texts_of(table, behind)
    styler = _styler(cells, caption_of(table.attrs)).format(escape=escape)
    for place, level in enumerate(cells.index.names):
        shown = _metric_label(escaped, behind) if level == "metric" else escaped
        styler.format_index(shown, axis=0, level=place)
    styler.format_index(lambda label: escaped(str(label).replace("_", " ")), axis=1)
    styler.apply(lambda _: is_bold.map(BOLD.__getitem__), axis=None)
    return styler.set_properties(subset=None, **WHOLE)


def _metric_label(
    escaped: Callable[[Any], Any], behind: Mapping[str, Metric]
) -> Callable[[Any], Any]:
    return lambda label: escaped(arrow_of(label, behind))


def _styler(table: pd.DataFrame, caption: str) -> Styler:
    try:
        from pandas.io.formats.style import Styler
    except ImportError as error:
        raise ImportError(
            'jinja2 3.1.6 or newer is missing: pip install "pandas_ordinal[plot]"'
        ) from error

    class ReportStyler(Styler):
        """A styler whose LaTeX compiles without options."""

        def to_latex(self, buf: Any = None, *, encoding: str | None = None, **options: Any) -> Any:
            """Write LaTeX, with the options of pandas."""
            given: dict[str, Any] = {"convert_css": True, "hrules": True}
            if caption and vars(self)["caption"] == shown:  # and not replaced
                given["caption"] = caption.translate(LATEX)
            given |= options
            page = str(super().to_latex(**given))
            for sign, command in ARROWS_IN_LATEX.items():
                page = page.replace(sign, command)
            if buf is None:
                return page
            with (
                nullcontext(buf)
                if hasattr(buf, "write")
                else open(buf, "w", encoding=encoding or "utf-8") as file
            ):
                return file.write(page)

    shown = html.escape(caption, quote=False)
    styler = ReportStyler(table)
    return styler.set_caption(shown) if caption else styler


def _with_intervals(
    table: pd.DataFrame, columns: list[MetricColumn], digits: dict[Any, int]
) -> pd.DataFrame:
    """Return a table with values and intervals in one cell, as text."""
    joined = table.copy()
    for column in columns:
        if column.low is not None and column.high is not None:
            bounds = zip(column.values, column.low, column.high, strict=True)
            joined[column.label] = [_cell(*cell, digits[column.label]) for cell in bounds]
            joined = joined.drop(columns=[f"{column.label}_low", f"{column.label}_high"])
    return joined


def _cell(value: float, low: float, high: float, digits: int) -> str:
    """Return a value with its interval, each as far as it is defined."""
    if np.isnan(value):
        return ""
    shown = f"{value:.{digits}f}"
    return shown if np.isnan(low) else f"{shown} [{low:.{digits}f}, {high:.{digits}f}]"


def _formats(
    shown: pd.DataFrame, columns: list[MetricColumn], digits: dict[Any, int]
) -> dict[Any, Any]:
    """Return the formats of numeric columns."""
    sizes = (*SIZES, *SIZES_OF_RATERS)
    counts = [
        label for label in shown.columns if label in sizes or str(label).endswith("_n_valid")
    ]
    formats = dict.fromkeys(counts, "{:.0f}")
    for column in columns:
        for name in (column.label, f"{column.label}_se"):
            if name in shown.columns and pd.api.types.is_numeric_dtype(shown[name]):
                formats[name] = f"{{:.{digits[column.label]}f}}"
    return formats


def _label(styler: Styler, columns: list[MetricColumn], escape: Callable[[Any], Any]) -> None:
    """Write headers, with arrows, and the labels of the rows."""
    arrows = {column.label: column.arrow for column in columns}

    def header(label: Any) -> str:
        return f"{escape(str(label).replace('_', ' '))}{arrows.get(label, '')}"

    styler.format_index(header, axis=1)
    styler.format_index(escape, axis=0)


def _digits(table: pd.DataFrame, column: MetricColumn) -> int:
    """Return how many digits of a metric are more than noise."""
    if column.se is not None:
        errors = column.se
    elif column.low is not None and column.high is not None:
        errors = (column.high - column.low) / 4
    elif "n" in table.columns:
        errors = 0.5 / np.sqrt(table["n"].to_numpy(dtype=float, na_value=np.nan).clip(1))
    else:
        errors = np.array([0.001])
    return digits_of(errors)


def _is_best(column: MetricColumn, digits: int) -> Array:
    """Return which rows are best, or cannot be distinguished from the best."""
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
