"""Which metrics a report shows."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.accessors.base import FOUND
from pandas_ordinal.bins import edges_of
from pandas_ordinal.classes import align
from pandas_ordinal.metrics.metric import Metric, Needs, registry

Scorer: TypeAlias = Callable[[npt.NDArray[np.float64]], Any]
MetricsLike: TypeAlias = Sequence[str] | Mapping[str, Callable[..., Any]] | Literal["all"]

DEFAULT = [
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
SAID = {
    "scores": "score=, the column of scores",
    "probabilities": "proba=, the columns of class probabilities",
}
DEFAULT_OF = {"scores": ["vus", "u_pairs"], "probabilities": ["rps", "log_loss", "brier"]}


@dataclass(frozen=True)
class OfCases:
    """A metric of scores or probabilities in a report.

    Attributes
    ----------
    metric : Metric
        The metric.
    options : mapping
        Its options.
    """

    metric: Metric
    options: Mapping[str, Any]


def chosen(
    metrics: MetricsLike | None,
    classes: pd.CategoricalDtype,
    labels: pd.CategoricalDtype,
    given: Collection[Needs] = (),
) -> dict[str, Scorer | OfCases]:
    """Return what a report calls, by the names of its columns.

    The labels are the classes as they were before `bins` gave them edges. Metrics that need more
    than counts are for what is given.
    """
    if isinstance(metrics, Mapping):
        _refuse_labels(list(metrics))
        return {
            label: _one_number(label, metrics[label], classes, labels, given) for label in metrics
        }
    determined = _determine_lengths(classes)
    if metrics is None:
        metrics = [*DEFAULT, "interval_stc" if determined else "stc"]
        metrics += [name for needs in given for name in DEFAULT_OF[needs]]
    elif isinstance(metrics, str):
        if metrics != "all":
            raise ValueError(f'metrics={metrics!r} must be a list of names, a dict, or "all"')
        needs = ("counts", *["edges"] * determined, *given)
        metrics = [
            m.name
            for m in registry.values()
            if m.needs in needs and not m.output and not m.required
        ]
    if not isinstance(metrics, Iterable) or not all(isinstance(name, str) for name in metrics):
        raise ValueError(
            f"metrics={metrics!r} must be a list of names, a dict of functions by the names of "
            'their columns, or "all"'
        )
    names = list(metrics)
    _refuse_labels(names)
    named = {name: _reported(name) for name in names}
    for name, metric in named.items():
        if metric.needs == "edges" and isinstance(classes.categories, pd.IntervalIndex):
            if not determined:
                raise ValueError(
                    f"{name} needs the lengths of the first and the last bin, which are open: "
                    f"give metrics={{{name!r}: functools.partial(po.metrics.{name}, "
                    "unbounded=(first, last))}"
                )
    return {name: _scorer(metric, {}, classes, labels, given) for name, metric in named.items()}


def _scorer(
    metric: Metric,
    options: Mapping[str, Any],
    classes: pd.CategoricalDtype,
    labels: pd.CategoricalDtype,
    given: Collection[Needs],
) -> Scorer | OfCases:
    """Return how to score by a metric, if there is what it needs."""
    if metric.needs in ("counts", "edges"):
        return as_scorer(metric, options, classes, labels)
    if metric.needs not in given:
        raise ValueError(
            f"{metric.name} is a metric of {metric.needs}, not of counts: a report of labels "
            f"shows it with {SAID[metric.needs]}"
        )
    wrong = options.keys() - (inspect.signature(metric.kernel).parameters.keys() - FOUND)
    if wrong:
        raise ValueError(
            f"{metric.name} takes no option {sorted(wrong)[0]}= in a report, which finds the rows "
            "and weights itself"
        )
    if "other" in metric.required:
        raise ValueError(f"{metric.name} compares two scores: call .ordinal.{metric.name}(...)")
    return OfCases(metric, options)


def as_scorer(
    metric: Metric,
    options: Mapping[str, Any],
    classes: pd.CategoricalDtype,
    labels: pd.CategoricalDtype,
) -> Scorer:
    """Return the function of counts that a metric is for these options and classes."""
    bound = {name: align(name, value, classes, labels) for name, value in options.items()}
    if metric.needs == "edges" and "edges" not in bound:
        bound["edges"] = edges_of(classes.categories)
    return functools.partial(metric.kernel, **bound)


def _determine_lengths(classes: pd.CategoricalDtype) -> bool:
    """Tell whether classes are bins that are open at one end at most."""
    bins = classes.categories
    if not isinstance(bins, pd.IntervalIndex):
        return False
    return not (bins.left[0] == -np.inf and bins.right[-1] == np.inf)


def _reported(name: str) -> Metric:
    """Return a metric of that name, if it gives a report one number a group."""
    if name not in registry:
        close = difflib.get_close_matches(str(name).lower(), registry, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(registry)}"
        raise ValueError(f"there is no metric {name!r}; {hint}")
    metric = registry[name]
    _refuse_by_class(metric)
    if metric.required and metric.needs not in SAID:
        option = metric.required[0]
        raise ValueError(
            f"{name} needs {option}=: give metrics={{{name!r}: "
            f"functools.partial(po.metrics.{name}, {option}=...)}}"
        )
    return metric


def _one_number(
    label: str,
    scorer: Callable[..., Any],
    classes: pd.CategoricalDtype,
    labels: pd.CategoricalDtype,
    given: Collection[Needs],
) -> Scorer | OfCases:
    """Check that a scorer gives one number for each matrix, and keep it from changing them."""
    if not callable(scorer):
        raise ValueError(
            f"metrics[{label!r}] is no function of counts (..., K, K): give a kernel, as "
            "po.metrics.oci or functools.partial(po.metrics.kappa, weights='linear')"
        )
    metric, options = _known(scorer)
    if metric is not None:
        fitted = _scorer(metric, options, classes, labels, given)
        if isinstance(fitted, OfCases):
            _refuse_by_class(metric)
            return fitted
        scorer = fitted

    def score(counts: npt.NDArray[np.float64]) -> Any:
        counts = counts.view()
        counts.flags.writeable = False
        values = np.asarray(scorer(counts))
        if values.shape != counts.shape[:-2]:
            raise ValueError(
                f"metrics[{label!r}] gives shape {values.shape} for counts of shape "
                f"{counts.shape}, but a report shows one number for each matrix, shape "
                f"{counts.shape[:-2]}: use .ordinal.confusion(...) for results by class"
            )
        return values

    return score


def _known(scorer: Callable[..., Any]) -> tuple[Metric | None, dict[str, Any]]:
    """Return the metric whose kernel, or a partial of it, this is, and its options."""
    kernel: Callable[..., Any] = scorer
    options: dict[str, Any] = {}
    if isinstance(scorer, functools.partial) and not scorer.args:
        kernel, options = scorer.func, scorer.keywords
    return next((m for m in registry.values() if m.kernel is kernel), None), options


def _refuse_by_class(metric: Metric) -> None:
    if metric.output:
        matrices = "" if metric.needs in SAID else ", or .ordinal.confusion(...) for the matrices"
        raise ValueError(
            f"{metric.name} gives a number for each class, a report shows one for each group: "
            f"call .ordinal.{metric.name}(...) itself{matrices}"
        )


def _refuse_labels(labels: Sequence[str]) -> None:
    if "n" in labels or len(set(labels)) < len(labels):
        raise ValueError(f"metrics={list(labels)} must be different names, none of them 'n'")
