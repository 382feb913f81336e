"""The columns of a finished report: metrics, their directions and intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.errors import an, brief, conversion_hint, kind_of, show
from pandas_ordinal.metrics.metric import Metric, registry
from pandas_ordinal.query import SUFFIXES
from pandas_ordinal.reports.by_class import SHOWN_BY_CLASS, classes_of_rows
from pandas_ordinal.reports.facts import facts_of_dataset, metrics_behind

ReportLike: TypeAlias = "pd.DataFrame | pd.Series[Any] | xr.Dataset"
MetricsByColumn: TypeAlias = Mapping[str, str | Callable[..., Any]]

ARROWS: Mapping[bool | None, str] = {True: " ↑", False: " ↓", None: ""}
MOST_DIGITS = 6
SIZES_OF_RATERS = ("n_items", "n_paired", "n_raters", "n_ratings")
OF_RATERS = ("fleiss_kappa", "conger_kappa")  # which `agreement` shows, with others of counts


@dataclass(frozen=True)
class MetricColumn:
    """A metric in a report.

    Attributes
    ----------
    label : str
        The name of its column.
    greater_is_better : bool or None
        Its direction; None if it has none, or the metric is unknown.
    values : ndarray
        A value for each row.
    low, high, se : ndarray or None
        Its interval and its standard error, if the report has them.
    """

    label: Any
    greater_is_better: bool | None
    values: Floats
    low: Floats | None
    high: Floats | None
    se: Floats | None

    def at(self, rows: Array) -> MetricColumn:
        """Return the column in some of the rows."""
        parts = {name: getattr(self, name) for name in ("values", "low", "high", "se")}
        selected = {name: part[rows] for name, part in parts.items() if part is not None}
        return replace(self, **selected)

    @property
    def arrow(self) -> str:
        """The direction as a sign."""
        return ARROWS[self.greater_is_better]


def as_table(report: ReportLike) -> pd.DataFrame:
    """Return a report as a table with a row for each model or group."""
    if isinstance(report, pd.DataFrame):
        return report
    if isinstance(report, pd.Series):
        row = pd.DataFrame([report.to_numpy()], columns=report.index)
        row.attrs = report.attrs
        return row
    if isinstance(report, xr.Dataset):
        bare = report.reset_coords(drop=True)
        table = (bare if bare.dims else bare.expand_dims(report=1)).to_dataframe()
        table.attrs = facts_of_dataset(report)
        return table
    raise TypeError(
        "report must be what .ordinal.report(...) returns, a DataFrame or Series of pandas or a "
        f"Dataset, not {an(kind_of(report))}"
        f"{': ' * bool(conversion_hint(report))}{conversion_hint(report)}"
    )


def digits_of(errors: Floats) -> int:
    """Return how many digits are more than noise, by the median of standard errors."""
    known = errors[np.isfinite(errors) & (errors > 0)]
    if not len(known):
        return 3
    return int(np.clip(np.ceil(-np.log10(np.median(known))), 0, MOST_DIGITS))


def columns_of(table: pd.DataFrame, metrics: MetricsByColumn | None) -> list[MetricColumn]:
    """Return the metrics of a table.

    These are the columns that are named after a metric, whose metric is given or among the
    attributes, or that have an interval or a standard error.
    """
    if table.columns.nlevels > 1:
        raise ValueError(
            f"the columns of the report have levels, {list(table.columns.names)}: give it as "
            ".ordinal.report(...) returns it, a row for each model or group and a column for each "
            "metric, and not unstacked"
        )
    if not table.columns.is_unique:
        twice = table.columns[table.columns.duplicated()][0]
        raise ValueError(f"two columns of the report are called {twice!r}: give each its own name")
    refuse_other_labels(metrics, table.columns, "column")
    known: Mapping[str, Metric] = {**registry, **dict.fromkeys(OF_RATERS, registry["kappa"])}
    if classes_of_rows(table) is not None:
        known = {**known, **SHOWN_BY_CLASS}
    known = {**known, **metrics_behind(table.attrs, metrics)}
    parts = {f"{label}_{part}" for label in table.columns for part in SUFFIXES}
    columns = [
        MetricColumn(
            label,
            known[label].greater_is_better if label in known else None,
            table[label].to_numpy(dtype=float),
            *(_part(table, label, part) for part in ("low", "high", "se")),
        )
        for label in table.columns
        if label not in parts and (label in known or _has_uncertainty(table, label))
    ]
    if not columns and "n" not in table.columns:
        raise ValueError(
            f"this is not a report: none of its columns {show(table.columns)} is a metric or n, "
            "the number of rows; give what .ordinal.report(...) returned"
        )
    return columns


def refuse_other_labels(metrics: Any, labels: pd.Index[Any], kind: str) -> None:
    """Raise unless metrics are given for labels of a table."""
    if not isinstance(metrics, Mapping | None):
        raise ValueError(f"metrics={brief(metrics)} must be a dict {{{kind}: metric}}")
    for label in metrics or {}:
        if label not in labels:
            raise ValueError(f"metrics= names {label!r}, but the report has no such {kind}")


def _has_uncertainty(table: pd.DataFrame, label: Any) -> bool:
    return f"{label}_low" in table.columns or f"{label}_se" in table.columns


def _part(table: pd.DataFrame, label: Any, part: str) -> Floats | None:
    name = f"{label}_{part}"
    return table[name].to_numpy(dtype=float) if name in table.columns else None
