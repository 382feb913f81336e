"""Which metrics a report shows."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from pandas_ordinal.bins import edges_of
from pandas_ordinal.classes import align
from pandas_ordinal.metrics.kernel import Metric, registry

Scorer: TypeAlias = Callable[[npt.NDArray[np.float64]], Any]
MetricsLike: TypeAlias = Sequence[str] | Mapping[str, Scorer] | Literal["all"]

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


def chosen(
    metrics: MetricsLike | None, classes: pd.CategoricalDtype, labels: pd.CategoricalDtype
) -> dict[str, Scorer]:
    """Return the functions of counts that a report calls, by the names of its columns.

    The labels are the classes as they were before `bins` gave them edges.
    """
    if isinstance(metrics, Mapping):
        _refuse_labels(list(metrics))
        return {label: _one_number(label, metrics[label], classes, labels) for label in metrics}
    determined = _determine_lengths(classes)
    if metrics is None:
        metrics = [*DEFAULT, "interval_stc" if determined else "stc"]
    elif isinstance(metrics, str):
        if metrics != "all":
            raise ValueError(f'metrics={metrics!r} must be a list of names, a dict, or "all"')
        needs = ("counts", "edges") if determined else ("counts",)
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
    return {name: as_scorer(metric, {}, classes, labels) for name, metric in named.items()}


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
    if metric.output:
        raise ValueError(
            f"{name} gives a number for each class, a report shows one for each group: call "
            f".ordinal.{name}(...) itself, or .ordinal.confusion(...) for the matrices"
        )
    if metric.required:
        option = metric.required[0]
        raise ValueError(
            f"{name} needs {option}=: give metrics={{{name!r}: "
            f"functools.partial(po.metrics.{name}, {option}=...)}}"
        )
    return metric


def _one_number(
    label: str, scorer: Scorer, classes: pd.CategoricalDtype, labels: pd.CategoricalDtype
) -> Scorer:
    """Check that a scorer gives one number for each matrix, and keep it from changing them."""
    if not callable(scorer):
        raise ValueError(
            f"metrics[{label!r}] is no function of counts (..., K, K): give a kernel, as "
            "po.metrics.oci or functools.partial(po.metrics.kappa, weights='linear')"
        )
    scorer = _for_classes(scorer, classes, labels)

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


def _for_classes(
    scorer: Scorer, classes: pd.CategoricalDtype, labels: pd.CategoricalDtype
) -> Scorer:
    """Fit a kernel, or a partial of one, to the classes, as if it were called on a surface."""
    kernel: Callable[..., Any] = scorer
    options: dict[str, Any] = {}
    if isinstance(scorer, functools.partial) and not scorer.args:
        kernel, options = scorer.func, scorer.keywords
    metric = next((metric for metric in registry.values() if metric.kernel is kernel), None)
    return scorer if metric is None else as_scorer(metric, options, classes, labels)


def _refuse_labels(labels: Sequence[str]) -> None:
    if "n" in labels or len(set(labels)) < len(labels):
        raise ValueError(f"metrics={list(labels)} must be different names, none of them 'n'")
