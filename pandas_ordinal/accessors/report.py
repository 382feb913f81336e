"""Which metrics a report shows, and how each is called on the classes at hand."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from pandas_ordinal.arrays import Floats
from pandas_ordinal.classes import align
from pandas_ordinal.intervals import edges_of
from pandas_ordinal.metrics.metric import Metric, Needs, Resolved, known, registry, resolve

MetricLike: TypeAlias = str | Callable[..., Any]
MetricsLike: TypeAlias = Sequence[MetricLike] | Mapping[str, MetricLike] | Literal["all"]

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
OF_ROWS: dict[Needs, list[str]] = {
    "scores": ["vus", "u_pairs"],
    "probabilities": ["rps", "log_loss", "brier"],
}
ASKED_BY: dict[Needs, str] = {
    "counts": "pred=, the predicted classes",
    "edges": "pred=, the predicted classes",
    "scores": "score=, the scores",
    "probabilities": "proba=, the probabilities of the classes",
}


@dataclass(frozen=True)
class Scale:
    """The classes of a sample.

    Attributes
    ----------
    classes : CategoricalDtype
        The classes, which may be bins.
    labels : CategoricalDtype
        What they are called in the data: the classes, unless `bins` gave them edges.
    """

    classes: pd.CategoricalDtype
    labels: pd.CategoricalDtype

    def function(self, metric: Metric, options: Mapping[str, Any]) -> Callable[[Floats], Any]:
        """Return the function of counts that a metric is for these options and classes."""
        bound = {
            name: align(name, value, self.classes, self.labels) for name, value in options.items()
        }
        if metric.needs == "edges" and "edges" not in bound:
            bound["edges"] = edges_of(self.classes.categories)
        return functools.partial(metric.kernel, **bound)

    def determines_lengths(self) -> bool:
        """Tell whether the classes are bins that are open at one end at most."""
        bins = self.classes.categories
        if not isinstance(bins, pd.IntervalIndex):
            return False
        return not (bins.left[0] == -np.inf and bins.right[-1] == np.inf)


def chosen(
    metrics: MetricsLike | None, scale: Scale, given: Sequence[Needs]
) -> dict[str, Resolved]:
    """Return what a report calls, by the names of its columns.

    Parameters
    ----------
    metrics : sequence, mapping, "all" or None
        What the report was asked for.
    scale : Scale
        The classes.
    given : sequence of str
        What there is to score: ``"counts"``, ``"scores"`` and ``"probabilities"``.
    """
    if metrics is None:
        metrics = _default(scale, given)
    elif isinstance(metrics, str):
        if metrics != "all":
            raise ValueError(
                f'metrics={metrics!r} must be a list of metrics, a dict, or "all"; one metric '
                f"alone is metrics=[{metrics!r}]"
            )
        metrics = _every(scale, given)
    if isinstance(metrics, Mapping):
        wanted = {label: _resolved(label, which) for label, which in metrics.items()}
        labels = list(wanted)
    else:
        labels, wanted = _listed(metrics)
    if "n" in labels or len(set(labels)) < len(labels):
        raise ValueError(
            f"metrics= gives the columns {labels}, which must have different names, none of them "
            "'n': give a dict, as {'linear': functools.partial(po.metrics.kappa, "
            "weights='linear')}"
        )
    for label, one in wanted.items():
        _refuse_unfit(label, one, scale, given)
    return wanted


def _default(scale: Scale, given: Sequence[Needs]) -> list[str]:
    """Name some metrics that do not repeat one another."""
    names = []
    if "counts" in given:
        names += [*OF_LABELS, "interval_stc" if scale.determines_lengths() else "stc"]
    return names + [name for needs in given for name in OF_ROWS.get(needs, [])]


def _every(scale: Scale, given: Sequence[Needs]) -> list[str]:
    """Name all metrics that need nothing else and give one number."""
    bins = "counts" in given and scale.determines_lengths()
    needs = (*given, *["edges"] * bins)
    return [
        name
        for name, metric in registry.items()
        if metric.needs in needs and not metric.output and not metric.required
    ]


def _listed(metrics: Sequence[MetricLike]) -> tuple[list[str], dict[str, Resolved]]:
    """Resolve a list of metrics; each column has the name of its metric."""
    if not isinstance(metrics, Iterable):
        raise ValueError(f'metrics={metrics!r} must be a list of metrics, a dict, or "all"')
    resolved = [resolve(which) for which in metrics]
    names = [one.metric.name for one in resolved]
    return names, dict(zip(names, resolved, strict=True))


def _resolved(label: str, which: MetricLike) -> Resolved:
    """Resolve a metric of a dict, which may be the user's own function of counts."""
    if isinstance(which, str):
        return resolve(which)
    if not callable(which):
        raise ValueError(
            f"metrics[{label!r}]={which!r} is no metric: give a name, a kernel as po.metrics.oci, "
            "a functools.partial of one, or your own function of counts (..., K, K)"
        )
    return known(which) or Resolved(_own(label, which), {})


def _own(label: str, function: Callable[..., Any]) -> Metric:
    """Make a metric of the user's own function of counts, which must not change them."""

    def kernel(counts: Floats) -> Any:
        counts = counts.view()
        counts.flags.writeable = False
        values = np.asarray(function(counts))
        if values.shape != counts.shape[:-2]:
            raise ValueError(
                f"metrics[{label!r}] gives shape {values.shape} for counts of shape "
                f"{counts.shape}, but a report shows one number for each matrix, shape "
                f"{counts.shape[:-2]}: use .ordinal.confusion(...) for results by class"
            )
        return values

    return Metric(
        name=label,
        kernel=kernel,
        range=(-np.inf, np.inf),
        greater_is_better=None,
        needs="counts",
        reference="",
        options=(),
    )


def _refuse_unfit(label: str, one: Resolved, scale: Scale, given: Sequence[Needs]) -> None:
    """Raise if a report cannot show a metric, or has not got what it needs."""
    metric, options = one
    of_rows = metric.needs in OF_ROWS
    if metric.output:
        matrices = "" if of_rows else ", or .ordinal.confusion(...) for the matrices"
        raise ValueError(
            f"{metric.name} gives a number for each class, a report shows one for each group: "
            f"call .ordinal.{metric.name}(...) itself{matrices}"
        )
    if ("counts" if metric.needs == "edges" else metric.needs) not in given:
        raise ValueError(
            f"{metric.name} is a metric of {metric.needs}: a report shows it with "
            f"{ASKED_BY[metric.needs]}"
        )
    wrong = options.keys() - {option.name for option in metric.options}
    if of_rows and wrong:
        raise ValueError(
            f"{metric.name} takes no option {min(wrong)}= in a report, which finds the rows "
            "and weights itself"
        )
    if "other" in metric.required:
        raise ValueError(f"{metric.name} compares two scores: call .ordinal.{metric.name}(...)")
    needed = [f"{option}=..." for option in metric.required if option not in options]
    why = ""
    if metric.needs == "edges" and _is_open_at_both_ends(scale) and "unbounded" not in options:
        needed.append("unbounded=(first, last)")
        why = ", the lengths of the first and the last bin, which are open"
    if needed:
        raise ValueError(
            f"{metric.name} needs {needed[0].partition('=')[0]}={why}: give metrics={{{label!r}: "
            f"functools.partial(po.metrics.{metric.name}, {needed[0]})}}"
        )


def _is_open_at_both_ends(scale: Scale) -> bool:
    bins = isinstance(scale.classes.categories, pd.IntervalIndex)
    return bins and not scale.determines_lengths()
