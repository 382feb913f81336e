"""What several metrics say of models together: dominance, correlation, disagreements."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.errors import did_you_mean, named, way
from pandas_ordinal.groups import levels_of
from pandas_ordinal.hints import meant
from pandas_ordinal.inference.influence import Range, noise_of
from pandas_ordinal.inference.pairs import refuse_neither
from pandas_ordinal.metrics.metric import Metric, registry, resolve
from pandas_ordinal.query import PARTS

Labelled = Sequence[str] | Mapping[str, str | Callable[..., Any]]


class Dominance(NamedTuple):
    """Which models are indisputably better than which.

    Attributes
    ----------
    better : DataFrame
        Whether the model of the row is better than that of the column.
    undominated : list
        The models that none is better than.
    """

    better: pd.DataFrame
    undominated: list[Any]


def dominance_of(curves: pd.DataFrame) -> Dominance:
    """Compare rows of a table: better are those higher somewhere and lower nowhere."""
    better = dominates(curves.to_numpy(dtype=float), [(0, 1)] * curves.shape[1])
    models = curves.index
    lost = np.asarray(better.any(axis=0)).tolist()
    undominated = [model for model, is_lost in zip(models, lost, strict=True) if not is_lost]
    return Dominance(pd.DataFrame(better, models, models), undominated)


def dominates(values: Floats, limits: Sequence[Range]) -> npt.NDArray[np.bool_]:
    """Tell which rows are at least as high as which everywhere, and higher somewhere.

    What a column holds has limits, by which rounding is told from a difference.
    """
    higher = np.zeros((len(values), len(values)), bool)
    as_high = ~higher
    for column, ends in zip(values.T, limits, strict=True):
        noise = noise_of(column, ends)
        noise = np.maximum(noise[:, None], noise)
        higher |= column[:, None] > column + noise
        as_high &= column[:, None] >= column - noise
    return as_high & higher


def pareto(report: pd.DataFrame, metrics: Labelled | None = None) -> pd.DataFrame:
    """Return the rows of a report that no other row dominates.

    A row dominates another one if it is at least as good by all metrics, and better by one.

    Parameters
    ----------
    report : DataFrame
        A report of several models.
    metrics : list, or dict from column to metric, optional
        The columns that count; a column with a label of one's own needs a dict, which says what
        metric it is. Default: all metrics; `n`, bounds and standard errors are skipped.

    Returns
    -------
    DataFrame
        The undominated rows. A row in which a metric is undefined cannot be compared, and stays.

    Raises
    ------
    ValueError
        If a column is unknown, or a metric has no direction.

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
    lost = np.asarray(dominates(values, limits).any(axis=0))
    return report.iloc[np.flatnonzero(~lost)]


def metric_correlation(
    report: pd.DataFrame,
    metrics: Labelled | None = None,
    *,
    method: Literal["kendall", "spearman", "pearson"] = "kendall",
) -> pd.DataFrame:
    """Correlate metrics over the rows of a report, to see which measure the same.

    Parameters
    ----------
    report : DataFrame
        A report of several models, or of models and folds.
    metrics : list, or dict from column to metric, optional
        The columns that count; as in `pareto`.
    method : {"kendall", "spearman", "pearson"}, default "kendall"
        The coefficient.

    Returns
    -------
    DataFrame
        A row and a column for each metric. Two metrics that agree have a coefficient near -1 if
        high values are good in only one of them. NaN for a metric that is constant, and by
        "pearson" for one with an infinite value; rows in which one of the two is undefined are
        left out.

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
    if method not in ("kendall", "spearman", "pearson"):
        raise ValueError(f'method={method!r} must be "kendall", "spearman" or "pearson"')
    values = report[list(_metrics_of(report, metrics))]
    names = pd.Index(values.columns)
    found = np.full((len(names), len(names)), np.nan)
    for place, other in itertools.product(range(len(names)), repeat=2):
        both = values.iloc[:, [place, other]].dropna().to_numpy(dtype=float)
        if method == "pearson" and not np.isfinite(both).all():
            continue
        if len(both) > 1 and (both != both[0]).any(axis=0).all():
            with np.errstate(over="ignore", invalid="ignore"):
                found[place, other] = pd.Series(both[:, 0]).corr(pd.Series(both[:, 1]), method)
    return pd.DataFrame(found, names, names)


def disagreements(
    comparison: pd.DataFrame, metrics: Mapping[str, str | Callable[..., Any]] | None = None
) -> pd.DataFrame:
    """Return the pairs of models that two metrics order differently.

    Parameters
    ----------
    comparison : DataFrame
        What `compare` returns.
    metrics : dict from label to metric, optional
        What metrics the labels of one's own are. Metrics without direction are left out.

    Returns
    -------
    DataFrame
        A row for each pair of models, ``a`` and ``b``, and of metrics, ``metric_1`` and
        ``metric_2``, that prefer different ones: ``prefers_1`` and ``prefers_2``, and whether the
        differences are significant, ``real_1`` and ``real_2``.

    Raises
    ------
    ValueError
        If a metric is unknown.

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
    known = {label: _known(label, metrics) for label in metric.unique()}
    signs = {n: _sign(n, m) for n, m in known.items() if m.greater_is_better is not None}
    a, b = (comparison[name].to_numpy(dtype=float) for name in ("value_a", "value_b"))
    ends = np.array([known[label].bounds(2) for label in metric]).reshape(-1, 2).T
    noise = np.maximum(noise_of(a, (ends[0], ends[1])), noise_of(b, (ends[0], ends[1])))
    order = (a > b + noise) * 1 - (b > a + noise)
    gain = order * metric.map(lambda label: signs.get(label, 0)).to_numpy(dtype=float)
    prefers = np.where(gain > 0, index.get_level_values("a"), index.get_level_values("b"))
    models = [*index.unique("a"), *index.unique("b")]
    refuse_neither(models)
    real = comparison["better"].isin(models).to_numpy()
    numbers, _ = pd.factorize(keys)
    pairs = [np.flatnonzero(numbers == number) for number in range(numbers.max(initial=-1) + 1)]
    both = [two for rows in pairs for two in itertools.combinations(rows, 2)]
    rows = np.array(both, np.intp).reshape(-1, 2)
    one, other = rows[gain[rows].prod(axis=1) < 0].T
    said = {"prefers": prefers, "real": real}
    columns = {
        f"{name}_{n}": of[rows] for name, of in said.items() for n, rows in ((1, one), (2, other))
    }
    levels = [*levels_of(keys.take(one)), metric.take(one), metric.take(other)]
    labels = pd.MultiIndex.from_arrays(levels, names=[*keys.names, "metric_1", "metric_2"])
    return pd.DataFrame(columns, labels)


def _refuse_other_than_comparison(comparison: Any, metrics: Any) -> None:
    """Raise unless this is what `compare` returned, with keys of other names than the result."""
    names = comparison.index.names if isinstance(comparison, pd.DataFrame) else []
    if not {"metric", "a", "b"} <= set(names):
        raise ValueError(
            "comparison has no levels 'metric', 'a' and 'b': give what .ordinal.compare returned, "
            "as it is"
        )
    for name in names:
        if name in ("metric_1", "metric_2"):
            raise ValueError(
                f"comparison has a key {name!r}, as disagreements does: rename it, as with "
                f"comparison.rename_axis(index={{{name!r}: ...}})"
            )
    if metrics is not None and not isinstance(metrics, Mapping):
        raise ValueError(f"metrics={metrics!r} must be a dict {{label: metric}}")


def _metrics_of(report: Any, metrics: Labelled | None) -> dict[str, Metric]:
    """Return the metrics in the columns of a report."""
    if not isinstance(report, pd.DataFrame):
        raise TypeError(
            f"report must be a DataFrame of pandas with a row for each model, not a "
            f"{named(report)}: {way(report) or 'call .ordinal.report with by= or several models'}"
        )
    if isinstance(metrics, str) or not isinstance(metrics, (Iterable, NoneType)):
        raise ValueError(
            f"metrics={metrics!r} must be a list of columns, or a dict: for one column give "
            f"metrics=[{metrics!r}]"
        )
    given = metrics if isinstance(metrics, Mapping) else None
    labels = list(report.columns) if metrics is None else list(metrics)
    if metrics is None:
        beside = {f"{label}_{part}" for label in labels for part in PARTS} | {"n"}
        labels = [label for label in labels if label not in beside]
    for label in labels:
        if label not in report.columns:
            raise ValueError(
                f"the report has no column {label!r}{did_you_mean(label, report.columns)}"
            )
        if list(report.columns).count(label) > 1:
            raise ValueError(f"the report has several columns {label!r}: keep one of them")
        if report[label].dtype.kind not in "biuf":
            raise ValueError(
                f"column {label!r} of the report holds {report[label].dtype}, not numbers"
            )
    if not labels:
        raise ValueError("there is no metric to look at: name those that count in metrics=")
    return {label: _known(label, given) for label in labels}


def _known(label: Any, given: Mapping[str, Any] | None) -> Metric:
    """Return the metric that a label names."""
    if given is not None and label in given:
        return resolve(given[label]).metric
    if label in registry:
        return registry[label]
    raise ValueError(
        f"{label!r} is no metric{meant(str(label), registry)}; say which one a label of your "
        f"own is: metrics={{{label!r}: po.metrics.mae, ...}}"
    )


def _sign(label: Any, metric: Metric) -> int:
    """Return 1 if high values are good, -1 if low ones are."""
    if metric.greater_is_better is None:
        raise ValueError(
            f"{label!r} has no direction, in which one value is better than another: leave it out "
            "of metrics="
        )
    return 1 if metric.greater_is_better else -1
