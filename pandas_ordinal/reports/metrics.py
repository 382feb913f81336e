"""Which metrics a report shows."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from pandas_ordinal.classes.bins import BinsLike, edges_of, with_bins
from pandas_ordinal.classes.labelled import align
from pandas_ordinal.counting.arrays import Floats
from pandas_ordinal.errors import brief, is_iterable, show
from pandas_ordinal.hints import hint_at_name
from pandas_ordinal.metrics.metric import Metric, Resolved, metric_of_kernel, registry, resolve
from pandas_ordinal.query import SIZES, Uncertainty

MetricLike: TypeAlias = str | Callable[..., Any]
MetricsLike: TypeAlias = Sequence[MetricLike] | Mapping[str, MetricLike] | Literal["all"]
Requested: TypeAlias = MetricsLike | Mapping[str, Resolved] | None

OF_LABELS = [
    "accuracy",
    "accuracy_within",
    "mae",
    "amae",
    "mmae",
    "kappa",
    "kendall_tau",
    "r_int",
    "oci",
]
OF_ROWS = {"score": ["vus", "u_pairs"], "proba": ["rps", "log_loss", "brier"]}
INPUTS = {
    "pred": "predicted classes",
    "score": "scores",
    "proba": "probabilities",
    "sets": "prediction sets",
}


def metrics_of_report(
    metrics: Requested,
    classes: Classes,
    given: Sequence[str],
    in_fractions: bool = False,
    with_uncertainty: bool = False,
    in_parts: bool = False,
) -> dict[str, Resolved]:
    """Return the metrics of a report, by the names of its columns.

    Parameters
    ----------
    metrics : sequence, mapping, "all" or None
        The metrics that are requested, by name, as kernels or resolved.
    classes : Classes
        The classes.
    given : sequence of str
        What can be scored: ``"pred"``, ``"score"`` and ``"proba"``.
    in_fractions : bool
        Whether weights may be fractions.
    with_uncertainty : bool
        Whether intervals or standard errors are requested; "all" then excludes metrics without.
    in_parts : bool
        Whether rows are read part by part; "all" then excludes metrics that need them together.
    """
    if metrics is None:
        metrics = _default(classes, given)
        if in_fractions:
            metrics = [name for name in metrics if registry[name].of_fractions is None]
    elif isinstance(metrics, str):
        if metrics != "all":
            as_list = f"for one metric give metrics=[{metrics!r}]"
            if metrics not in registry:
                as_list = f"such as metrics=['mae', 'oci']{hint_at_name(metrics, registry)}"
            raise ValueError(
                f'metrics={brief(metrics)} must be a list of metrics, a dict, or "all": {as_list}'
            )
        metrics = _every(classes, given, with_uncertainty, in_parts)
    if isinstance(metrics, Mapping):
        for label in metrics:
            if not isinstance(label, str):
                raise ValueError(
                    f"metrics= names a column {brief(label)}, but names are text: give "
                    f"{str(label)!r}"
                )
        requested = {label: resolve_labelled(label, which) for label, which in metrics.items()}
    else:
        requested = _listed(metrics)
    for taken in SIZES:
        if taken in requested:
            raise ValueError(
                f"metrics= names a column {taken!r}, which is the number of "
                f"{SIZES[taken]}: rename it"
            )
    for resolved in requested.values():
        _refuse_unfit(resolved, classes, given)
    return requested


def of_counts_and_rows(
    requested: Mapping[str, Resolved],
) -> tuple[dict[str, Resolved], dict[str, Resolved]]:
    """Separate metrics of counts from those of rows."""
    of_rows = {name: resolved for name, resolved in requested.items() if resolved.metric.of_rows}
    of_counts = {name: requested[name] for name in requested if name not in of_rows}
    return of_counts, of_rows


def names_of_columns(requested: Mapping[str, Resolved], uncertainty: Uncertainty) -> list[str]:
    """Return the names of a report's columns after `n`, bounds after their metric."""
    names = uncertainty.columns_of(requested)
    for name in requested:
        if names.count(name) > 1:
            raise ValueError(
                f"metrics= names a column {name!r}, which ci= or se= adds too: rename it"
            )
    return names


def _default(classes: Classes, given: Sequence[str]) -> list[str]:
    """Return the names of the default metrics, which do not repeat one another."""
    names = [name for option in given for name in OF_ROWS.get(option, [])]
    if "pred" not in given:
        return names
    with_lengths = classes.has_bins and not classes.is_open_at_both_ends
    return [*OF_LABELS, "interval_stc" if with_lengths else "stc", *names]


def _every(
    classes: Classes, given: Sequence[str], with_uncertainty: bool, in_parts: bool
) -> list[str]:
    """Return the names of all metrics that need no other argument and give one number."""
    with_lengths = classes.has_bins and not classes.is_open_at_both_ends
    return [
        name
        for name, metric in registry.items()
        if metric.takes in given and (metric.needs != "edges" or with_lengths)
        if not metric.output and not metric.required
        if metric.has_interval({}) or not with_uncertainty
        if metric.row_terms is None or not in_parts
        if metric.n_classes in (None, len(classes))
    ]


def _listed(metrics: Sequence[MetricLike]) -> dict[str, Resolved]:
    """Resolve a list of metrics; each column has the name of its metric."""
    if not is_iterable(metrics):
        raise ValueError(f'metrics={brief(metrics)} must be a list of metrics, a dict, or "all"')
    requested: dict[str, Resolved] = {}
    for resolved in map(resolve, metrics):
        name = resolved.metric.name
        if name in requested:
            raise ValueError(
                f"metrics= lists {name} twice, but columns have different names: give a dict, "
                f"such as {{'first': functools.partial(po.metrics.{name}, ...), ...}}"
            )
        requested[name] = resolved
    return requested


def resolve_labelled(label: str, which: MetricLike | Resolved) -> Resolved:
    """Resolve a metric of a dict, which may be the user's own function of counts."""
    if isinstance(which, Resolved):
        return which
    if isinstance(which, str):
        return resolve(which)
    if not callable(which):
        raise ValueError(
            f"metrics[{label!r}]={brief(which)} is not a metric: give a name, a kernel such as "
            "po.metrics.oci, a partial of a kernel, or your own function of counts (..., K, K)"
        )
    return metric_of_kernel(which) or Resolved(_own(label, which), {})


def _own(label: str, function: Callable[..., Any]) -> Metric:
    """Make a metric of the user's own function of counts, which must not change them."""

    def kernel(counts: Floats) -> Any:
        *leading, n_classes, _ = counts.shape
        n_tables = math.prod(leading)
        tables = counts.reshape(n_tables, n_classes, n_classes)
        if n_tables == n_classes:  # where a sum over the wrong axes would have the right shape
            tables = np.concatenate([tables, tables[-1:]])
        tables = tables.view()
        tables.flags.writeable = False
        values = np.asarray(function(tables))
        if values.shape != tables.shape[:1]:
            raise ValueError(
                f"metrics[{label!r}] gives shape {values.shape} for counts of shape "
                f"{tables.shape}, but a report shows one number for each matrix, shape "
                f"{tables.shape[:1]}: reduce the last two axes, as with "
                "counts.sum(axis=(-2, -1)) or np.trace(counts, axis1=-2, axis2=-1); use "
                ".ordinal.confusion(...) for results by class"
            )
        return values[:n_tables].reshape(leading)

    return replace(without_direction(label), kernel=kernel)


def without_direction(label: str) -> Metric:
    """Return what is known about a function of the user's: only its label."""
    return Metric(
        name=label,
        kernel=_unknown,
        range=(-np.inf, np.inf),
        greater_is_better=None,
        needs="counts",
        reference="",
        options=(),
    )


def _unknown(*_: Any) -> Floats:
    raise NotImplementedError("a report keeps the label of a function, and not the function")


def _refuse_unfit(resolved: Resolved, classes: Classes, given: Sequence[str]) -> None:
    """Raise if a report cannot show a metric, or lacks what it needs."""
    metric, options = resolved
    if metric.output:
        matrices = "" if metric.of_rows else ", or .ordinal.confusion(...) for the matrices"
        raise ValueError(
            f"{metric.name} gives a number for each class, but a report shows one for each group: "
            f"call .ordinal.{metric.name}(...) itself{matrices}"
        )
    if metric.takes not in given:
        raise ValueError(f"{metric.name} needs {INPUTS[metric.takes]}: give {metric.takes}=")
    wrong = options.keys() - {option.name for option in metric.options}
    if metric.of_rows and wrong:
        raise ValueError(
            f"{metric.name} takes no option {min(wrong)}= in a report, which finds the rows "
            "and weights itself"
        )
    resolved.refuse_wrong_options()
    has_lengths = metric.needs != "edges" or {"unbounded", "edges"} & options.keys()
    if classes.is_open_at_both_ends and not has_lengths:
        raise ValueError(
            f"{metric.name} needs the lengths of the first and the last bin, which are open: give "
            f"it as functools.partial(po.metrics.{metric.name}, unbounded=(first, last))"
        )


@dataclass(frozen=True)
class Classes:
    """The classes of a sample.

    Attributes
    ----------
    dtype : CategoricalDtype
        The classes, which may be bins.
    labels : CategoricalDtype
        Their labels in the data: the classes themselves, unless `bins` gave them edges.
    """

    dtype: pd.CategoricalDtype
    labels: pd.CategoricalDtype

    def __len__(self) -> int:
        """Return how many classes there are."""
        return len(self.labels.categories)

    def aligned(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Put options that are labelled by class into the order of the classes."""
        return {
            name: align(name, value, self.dtype, self.labels) for name, value in options.items()
        }

    def function(self, metric: Metric, options: Mapping[str, Any]) -> Callable[[Floats], Any]:
        """Return a metric as a function of counts, with these options and classes."""
        if metric.n_classes not in (None, len(self)):
            raise ValueError(
                f"{metric.name} is defined for {metric.n_classes} classes, but there are "
                f"{len(self)}: {show(self.dtype.categories)}; merge classes, or choose another "
                "metric"
            )
        bound = self.aligned(options)
        if metric.needs == "edges" and "edges" not in bound:
            bound["edges"] = edges_of(self.dtype.categories)
        return functools.partial(metric.kernel, **bound)

    @property
    def has_bins(self) -> bool:
        """Whether the classes are bins."""
        return isinstance(self.dtype.categories, pd.IntervalIndex)

    @property
    def is_open_at_both_ends(self) -> bool:
        """Whether the classes are bins, and the first and the last are open."""
        bins = self.dtype.categories
        if not isinstance(bins, pd.IntervalIndex):
            return False
        return bool(bins.left[0] == -np.inf and bins.right[-1] == np.inf)


def classes_of(labels: pd.CategoricalDtype, bins: BinsLike | None) -> Classes:
    """Return the classes that labels declare, with the edges that bins give them."""
    return Classes(with_bins(labels, bins), labels)
