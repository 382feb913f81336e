"""Which metrics a report shows."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from pandas_ordinal.metrics.kernel import registry

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
    "stc",
]


def chosen(metrics: MetricsLike | None) -> dict[str, Scorer]:
    """Return the functions of counts that a report calls, by the names of its columns."""
    if isinstance(metrics, Mapping):
        _refuse_labels(list(metrics))
        return {label: _one_number(label, scorer) for label, scorer in metrics.items()}
    if metrics is None:
        metrics = DEFAULT
    elif isinstance(metrics, str):
        if metrics != "all":
            raise ValueError(f'metrics={metrics!r} must be a list of names, a dict, or "all"')
        metrics = [m.name for m in registry.values() if not m.output and not m.required]
    if not isinstance(metrics, Iterable) or not all(isinstance(name, str) for name in metrics):
        raise ValueError(
            f"metrics={metrics!r} must be a list of names, a dict of functions by the names of "
            'their columns, or "all"'
        )
    names = list(metrics)
    _refuse_labels(names)
    return {name: _scorer(name) for name in names}


def _scorer(name: str) -> Scorer:
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
    return metric.kernel


def _one_number(label: str, scorer: Scorer) -> Scorer:
    """Check that a scorer gives one number for each matrix, and keep it from changing them."""
    if not callable(scorer):
        raise ValueError(
            f"metrics[{label!r}] is no function of counts (..., K, K): give a kernel, as "
            "po.metrics.oci or functools.partial(po.metrics.kappa, weights='linear')"
        )

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


def _refuse_labels(labels: Sequence[str]) -> None:
    if "n" in labels or len(set(labels)) < len(labels):
        raise ValueError(f"metrics={list(labels)} must be different names, none of them 'n'")
