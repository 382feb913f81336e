"""Several metrics of the same models: dominance, correlation, disagreements."""

from __future__ import annotations

import html
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.errors import brief, conversion_hint, did_you_mean, is_iterable, kind_of
from pandas_ordinal.groups import levels_of
from pandas_ordinal.hints import explains_arguments, hint_at_name
from pandas_ordinal.inference.influence import Bounds, tolerance_of
from pandas_ordinal.inference.pairs import is_decided, refuse_neither
from pandas_ordinal.metrics.metric import Metric, registry
from pandas_ordinal.query import SIZES, SUFFIXES
from pandas_ordinal.reports.facts import metrics_behind

PAIRS_PER_BLOCK = 2**18  # of rows of a report, whatever their number

Labelled = Sequence[str] | Mapping[str, str | Callable[..., Any]]


class Dominance(NamedTuple):
    """Which models dominate which.

    Attributes
    ----------
    better : DataFrame
        Whether the model of the row dominates that of the column.
    undominated : list
        The models that no other model dominates.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({"y": [0, 1, 2, 2], "a": [0, 1, 2, 1], "b": [0, 2, 1, 0]})
    >>> dominance = df.ordinal.dominance("y", ["a", "b"])
    >>> dominance.undominated
    ['a']
    """

    better: pd.DataFrame
    undominated: list[Any]

    def __repr__(self) -> str:
        """Return a line of text."""
        names = ", ".join(map(str, self.undominated))
        return f"Dominance: {len(self.undominated)} of {len(self.better)} undominated: {names}"

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        return f"<p>{html.escape(repr(self))}</p>{self.better.to_html(notebook=True)}"


def dominance_of(curves: pd.DataFrame) -> Dominance:
    """Compare the rows of a table: one dominates another if nowhere lower and somewhere higher."""
    values = curves.to_numpy(dtype=float)
    better = dominates(values, values, [(0, 1)] * curves.shape[1])
    models = curves.index
    is_dominated = np.asarray(better.any(axis=0)).tolist()
    undominated = [m for m, dominated in zip(models, is_dominated, strict=True) if not dominated]
    return Dominance(pd.DataFrame(better, models, models), undominated)


def dominates(values: Floats, others: Floats, limits: Sequence[Bounds]) -> npt.NDArray[np.bool_]:
    """Return which rows are at least as high as which others everywhere, and higher somewhere.

    The limits of each column determine its rounding tolerance.
    """
    higher = np.zeros((len(values), len(others)), bool)
    as_high = ~higher
    for column, other, ends in zip(values.T, others.T, limits, strict=True):
        tolerance = np.maximum(tolerance_of(column, ends)[:, None], tolerance_of(other, ends))
        higher |= column[:, None] > other + tolerance
        as_high &= column[:, None] >= other - tolerance
    return as_high & higher


@explains_arguments
def pareto(report: pd.DataFrame, metrics: Labelled | None = None) -> pd.DataFrame:
    """Return the rows of a report that no other row dominates.

    A row dominates another if it is at least as good by every metric, and better by at least one.

    Parameters
    ----------
    report : DataFrame
        A report of several models.
    metrics : list, or dict from column to metric, optional
        The columns to compare. Default: all metrics; `n`, bounds and standard errors are skipped.
        The attributes of a report hold the metrics behind labels of your own. If they are lost, as
        in a CSV file, give a dict with the metric of each column. For a function of your own, give
        a metric with the same direction.

    Returns
    -------
    DataFrame
        The undominated rows. A row in which a metric is undefined cannot be compared, so it stays.

    Raises
    ------
    ValueError
        If a column is unknown, or a metric has no known direction.

    References
    ----------
    W. Waegeman, B. De Baets and L. Boullart, ROC analysis in ordinal regression learning, Pattern
    Recognition Letters 29 (2008) 1-9, doi:10.1016/j.patrec.2007.07.019.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> report = pd.DataFrame(
    ...     {"accuracy": [0.5, 0.4, 0.4], "mae": [0.9, 0.8, 1.0]}, index=["a", "b", "c"]
    ... )
    >>> po.pareto(report).index.tolist()
    ['a', 'b']
    """
    columns = _metrics_of(report, metrics)
    signs = np.array([_sign(label, metric) for label, metric in columns.items()])
    values = report[list(columns)].to_numpy(dtype=float) * signs
    limits = [metric.bounds(2) for metric in columns.values()]
    is_dominated = np.empty(len(values), bool)
    step = max(1, PAIRS_PER_BLOCK // max(1, len(values)))
    for start in range(0, len(values), step):
        block = slice(start, start + step)
        is_dominated[block] = dominates(values, values[block], limits).any(axis=0)
    return report.iloc[np.flatnonzero(~is_dominated)]


@explains_arguments
def metric_correlation(
    report: pd.DataFrame,
    metrics: Labelled | None = None,
    *,
    method: Literal["kendall", "spearman", "pearson"] = "kendall",
) -> pd.DataFrame:
    """Correlate metrics over the rows of a report, to see which of them agree.

    Parameters
    ----------
    report : DataFrame
        A report of several models, or of models and folds.
    metrics : list, or dict from column to metric, optional
        The columns to correlate, as in `pareto`. A direction is not needed.
    method : {"kendall", "spearman", "pearson"}, default "kendall"
        The coefficient.

    Returns
    -------
    DataFrame
        A row and a column for each metric. If high values are good in only one of two metrics,
        agreement means a coefficient near -1. Rows in which one of the two is undefined are left
        out. NaN for a constant metric, and with "pearson" for one with an infinite value.

    References
    ----------
    L. Gaudette and N. Japkowicz, Evaluation methods for ordinal classification, Canadian AI 2009,
    doi:10.1007/978-3-642-01818-3_25.

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> report = pd.DataFrame({"accuracy": [0.5, 0.4, 0.3], "mae": [0.8, 0.9, 1.0]})
    >>> po.metric_correlation(report)
              accuracy  mae
    accuracy       1.0 -1.0
    mae           -1.0  1.0
    """
    values = report[list(_metrics_of(report, metrics))]
    names = pd.Index(values.columns)
    result = np.full((len(names), len(names)), np.nan)
    for place, other in itertools.product(range(len(names)), repeat=2):
        both = values.iloc[:, [place, other]].dropna().to_numpy(dtype=float)
        if method == "pearson" and not np.isfinite(both).all():
            continue
        if (both != both[:1]).any(axis=0).all():
            with np.errstate(over="ignore", invalid="ignore"):
                result[place, other] = pd.Series(both[:, 0]).corr(pd.Series(both[:, 1]), method)
    return pd.DataFrame(result, names, names)


@explains_arguments
def disagreements(
    comparison: pd.DataFrame, metrics: Mapping[str, str | Callable[..., Any]] | None = None
) -> pd.DataFrame:
    """Return the pairs of models that two metrics rank in opposite order.

    Parameters
    ----------
    comparison : DataFrame
        The result of `compare`.
    metrics : dict from label to metric, optional
        The metrics behind labels of your own. Default: those that the attributes hold. Metrics
        without a known direction are left out.

    Returns
    -------
    DataFrame
        A row for each pair of models, ``a`` and ``b``, and each pair of metrics, ``metric_1`` and
        ``metric_2``, that prefer different models: ``prefers_1`` and ``prefers_2``. ``real_1`` and
        ``real_2`` are True if the difference is significant.

    Raises
    ------
    ValueError
        If a metric is unknown, or a model is called "neither".

    Examples
    --------
    >>> import pandas as pd
    >>> import pandas_ordinal as po
    >>> df = pd.DataFrame({
    ...     "y": [0, 1, 2] * 20, "a": [0, 1, 0] * 20, "b": [1, 2, 1] * 20
    ... })
    >>> found = po.ordinal(df).compare("y", ["a", "b"], metrics=["accuracy", "mmae"])
    >>> po.disagreements(found)
                          prefers_1 prefers_2  real_1  real_2
    a b metric_1 metric_2
    a b accuracy mmae             a         b    True    True
    """
    _refuse_other_than_comparison(comparison, metrics)
    index = cast("pd.MultiIndex", comparison.index)
    metric, keys = index.get_level_values("metric"), index.droplevel("metric")
    behind = metrics_behind(comparison.attrs, metrics)
    known = {label: _known(label, behind) for label in metric.unique()}
    signs = {
        label: _sign(label, known[label])
        for label in known
        if known[label].greater_is_better is not None
    }
    a, b = (comparison[name].to_numpy(dtype=float) for name in ("value_a", "value_b"))
    ends = np.array([known[label].bounds(2) for label in metric]).reshape(-1, 2).T
    limits = ends[0], ends[1]
    tolerance = np.maximum(tolerance_of(a, limits), tolerance_of(b, limits))
    order = (a > b + tolerance) * 1 - (b > a + tolerance)
    gain = order * metric.map(lambda label: signs.get(label, 0)).to_numpy(dtype=float)
    prefers = np.where(gain > 0, index.get_level_values("a"), index.get_level_values("b"))
    refuse_neither([*index.unique("a"), *index.unique("b")])
    real = is_decided(comparison["better"])
    numbers, _ = pd.factorize(keys)
    pairs = [np.flatnonzero(numbers == number) for number in range(numbers.max(initial=-1) + 1)]
    both = [two for rows in pairs for two in itertools.combinations(rows, 2)]
    rows = np.array(both, np.intp).reshape(-1, 2)
    one, other = rows[gain[rows].prod(axis=1) < 0].T
    columns = {
        f"{name}_{n}": values[rows]
        for name, values in {"prefers": prefers, "real": real}.items()
        for n, rows in ((1, one), (2, other))
    }
    levels = [*levels_of(keys.take(one)), metric.take(one), metric.take(other)]
    labels = pd.MultiIndex.from_arrays(levels, names=[*keys.names, "metric_1", "metric_2"])
    return pd.DataFrame(columns, labels)


def _refuse_other_than_comparison(comparison: Any, metrics: Any) -> None:
    """Raise unless this is a result of `compare` whose keys do not clash with new columns."""
    names = comparison.index.names if isinstance(comparison, pd.DataFrame) else []
    if not {"metric", "a", "b"} <= set(names):
        raise ValueError(
            "comparison has no levels 'metric', 'a' and 'b': give the unchanged result of "
            ".ordinal.compare"
        )
    if "better" not in comparison:
        raise ValueError(
            "comparison has no column 'better': give the unchanged result of .ordinal.compare, "
            "which has one unless it tests non-inferiority"
        )
    for name in names:
        if name in ("metric_1", "metric_2"):
            raise ValueError(
                f"comparison has a key {name!r}, which disagreements adds too: rename it, as "
                f"with comparison.rename_axis(index={{{name!r}: ...}})"
            )
    if metrics is not None and not isinstance(metrics, Mapping):
        raise ValueError(f"metrics={brief(metrics)} must be a dict {{label: metric}}")


def _metrics_of(report: Any, metrics: Labelled | None) -> dict[str, Metric]:
    """Return the metrics in the columns of a report."""
    if not isinstance(report, pd.DataFrame):
        instead = conversion_hint(report) or "call .ordinal.report with by= or several models"
        raise TypeError(
            f"report must be a pandas DataFrame with a row for each model, not a "
            f"{kind_of(report)}: {instead}"
        )
    if isinstance(metrics, str) or not (metrics is None or is_iterable(metrics)):
        raise ValueError(
            f"metrics={brief(metrics)} must be a list of columns, or a dict: for one column give "
            f"metrics=[{brief(metrics)}]"
        )
    given = metrics if isinstance(metrics, Mapping) else None
    behind = metrics_behind(report.attrs, given)
    labels = list(report.columns) if metrics is None else list(metrics)
    if metrics is None:
        skipped = {f"{label}_{suffix}" for label in labels for suffix in SUFFIXES} | {*SIZES}
        labels = [label for label in labels if label not in skipped]
    for label in labels:
        if not pd.api.types.is_hashable(label) or label not in report.columns:
            raise ValueError(
                f"the report has no column {brief(label)}{did_you_mean(label, report.columns)}"
            )
        if sum(one == label for one in report.columns) > 1:
            raise ValueError(f"the report has several columns {label!r}: keep one of them")
        if report[label].dtype.kind not in "biuf":
            raise ValueError(
                f"column {label!r} of the report holds {report[label].dtype}, not numbers"
            )
    if not labels:
        raise ValueError("the report has no metric: name the columns to use in metrics=")
    return {label: _known(label, behind) for label in labels}


def _known(label: Any, behind: Mapping[str, Metric]) -> Metric:
    """Return the metric that a label names."""
    if label in behind:
        return behind[label]
    if label in registry:
        return registry[label]
    raise ValueError(
        f"{label!r} is not a metric{hint_at_name(str(label), registry)}; for a label of your "
        "own, give "
        f"its metric: metrics={{{label!r}: po.metrics.mae, ...}}"
    )


def _sign(label: Any, metric: Metric) -> int:
    """Return 1 if high values are good, -1 if low ones are."""
    if metric.name not in registry and metric.greater_is_better is None:
        raise ValueError(
            f"{label!r} is a function of your own, whose direction is not known: leave it out of "
            "metrics=, or give a metric with the same direction, such as "
            f"metrics={{{label!r}: po.metrics.accuracy, ...}} if high values are better"
        )
    if metric.greater_is_better is None:
        raise ValueError(
            f"{label!r} has no direction: neither high nor low values are better. Leave it out of "
            "metrics="
        )
    return 1 if metric.greater_is_better else -1
