"""What a result says about itself: plain attributes, and the caption that they make.

Pandas and xarray drop attributes in many operations, so whoever reads one also takes it as an
argument, and raises without it.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd
import xarray as xr

from pandas_ordinal.errors import brief
from pandas_ordinal.metrics.metric import Metric, Resolved, direction_of, registry
from pandas_ordinal.query import (
    Calibration,
    Comparison,
    IntervalMethod,
    Reliability,
    TestMethod,
    Uncertainty,
)
from pandas_ordinal.reports.metrics import MetricLike, resolve_labelled, without_direction

Fact: TypeAlias = str | int | float

KNOWN_METHODS = {*get_args(IntervalMethod), *get_args(TestMethod)}
ASIDE = {"se", "progress", "ranges"}
BY_LABEL = {"margin", "stratum_shares"}
LABELS = "metrics_by_label"  # an attribute of tables
METRIC = "metric"  # an attribute of variables, which a concatenation of Datasets keeps for each
OF_DRAWS = {"n_boot", "n_permutations", "seed"}
ADJUSTED = {"holm": "Holm's method", "max-t": "the distribution of the largest |t|"}
SAME_WITHIN = 1e-12
SIDES = {
    "two-sided": "two-sided",
    "better": "one-sided, for a model that is better",
    "non-inferior": "one-sided, for a model that is not inferior",
}
STRATA = {"true": "the size of each true class", "pred": "the size of each predicted class"}


def facts_of(
    options: Uncertainty | Comparison, **numbers: npt.ArrayLike | None
) -> dict[Hashable | None, Fact]:
    """Return the options of a result, and the numbers that are the same in all its rows.

    The values are text and plain numbers, which files and comparisons of attributes can take.
    """
    given = {field.name: getattr(options, field.name) for field in fields(options)}
    if given["method"] == "influence":
        given = {name: value for name, value in given.items() if name not in OF_DRAWS}
    facts: dict[Hashable | None, Fact] = {
        name: _by_label(value) if name in BY_LABEL else _plain(value)
        for name, value in given.items()
        if name not in ASIDE and value is not None
    }
    if given["method"] == "permutation":
        numbers["df"] = None
    for name, value in numbers.items():
        if value is not None and (one := _only(np.asarray(value, float))) is not None:
            facts[name] = one
    return facts


def facts_of_draws(options: Calibration | Reliability) -> dict[Hashable | None, Fact]:
    """Return the options of a table of calibration, or of a reliability curve."""
    given = {field.name: getattr(options, field.name) for field in fields(options)}
    return {
        name: _plain(value)
        for name, value in given.items()
        if name not in {"progress", "thresholds"} and value is not None
    }


def of_clusters(n_clusters: npt.ArrayLike | None) -> dict[str, npt.ArrayLike | None]:
    """Return what numbers of clusters say about a report: themselves, and degrees of freedom."""
    if n_clusters is None:
        return {}
    return {"n_clusters": n_clusters, "df": np.asarray(n_clusters) - 1}


def labels_of_own(requested: Mapping[str, Resolved]) -> dict[Hashable | None, Fact]:
    """Return the attribute of a table whose labels are not the names of its metrics."""
    return _as_attribute(_own_labels(requested))


def with_metrics(report: xr.Dataset, requested: Mapping[str, Resolved]) -> xr.Dataset:
    """Name the metric of each variable that is not called after it.

    Functions of the user's have an empty name.
    """
    named = report.copy()
    for label, name in _own_labels(requested).items():
        named[label].attrs[METRIC] = name or ""
    return named


def facts_of_dataset(report: xr.Dataset) -> dict[Hashable | None, Fact]:
    """Return the attributes that the same report has as a table."""
    own = {
        str(label): str(variable.attrs[METRIC]) or None
        for label, variable in report.data_vars.items()
        if METRIC in variable.attrs
    }
    return {**report.attrs, **_as_attribute(own)}


def _own_labels(requested: Mapping[str, Resolved]) -> dict[str, str | None]:
    """Return the names of metrics by labels of the user's; functions of theirs have none."""
    names = {label: _registered(resolved.metric) for label, resolved in requested.items()}
    return {label: name for label, name in names.items() if label != name}


def _as_attribute(own: Mapping[str, str | None]) -> dict[Hashable | None, Fact]:
    """Return labels and the names of their metrics as text, which files can take."""
    return {LABELS: json.dumps(own)} if own else {}


def metrics_behind(
    attrs: Mapping[Any, Any], given: Mapping[str, MetricLike] | None
) -> dict[str, Metric]:
    """Return the metrics behind labels: those that are given, else those of the attributes."""
    kept = _kept_labels(attrs.get(LABELS, "{}"))
    behind = {label: _known(label, name or "") for label, name in kept.items()}
    own = {label: resolve_labelled(label, which).metric for label, which in (given or {}).items()}
    return behind | own


def _kept_labels(text: Any) -> dict[str, str | None]:
    """Return the names of the metrics behind labels, as an attribute has them."""
    try:
        kept = json.loads(text)
    except (TypeError, ValueError):
        kept = None
    if isinstance(kept, dict) and all(isinstance(name, str | None) for name in kept.values()):
        return kept
    raise ValueError(
        f"the attribute {LABELS!r} is {brief(text)}, not the labels that a report wrote: delete "
        f"it with del report.attrs[{LABELS!r}], and name the metrics in metrics="
    )


def direction_behind(label: str, behind: Mapping[str, Metric]) -> bool | None:
    """Return the direction of the metric behind a label, or of the one that it names."""
    return behind[label].greater_is_better if label in behind else direction_of(label)


def _registered(metric: Metric) -> str | None:
    """Return the name of a metric; None for a function of the user's."""
    known = _known(metric.name, metric.name)
    return metric.name if known.kernel is metric.kernel else None


def _known(label: str, name: str) -> Metric:
    """Return the metric of a name, or for a function of the user's what its label tells."""
    if name in registry:
        return registry[name]
    known: Mapping[str, Metric] = import_module("pandas_ordinal.metrics.set_scores").OF_SETS
    return known.get(name, without_direction(label))


def _plain(value: Any) -> Fact:
    """Return an option as text or a number; of a column or an array, its name."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    label = value if pd.api.types.is_hashable(value) else getattr(value, "name", None)
    return "given" if label is None else str(label)


def _by_label(value: Any) -> Fact:
    """Return a number, or the numbers of a dict or Series as text."""
    if not isinstance(value, (Mapping, pd.Series)):
        return _plain(value)
    return ", ".join(f"{label}: {number:g}" for label, number in value.items())


def _only(values: npt.NDArray[np.float64]) -> Fact | None:
    """Return the number that all positive ones equal but for rounding, if there is one."""
    positive = values[(values > 0) & np.isfinite(values)]
    if not positive.size or np.ptp(positive) > SAME_WITHIN * positive.max():
        return None
    number = float(f"{positive[0]:.12g}")
    return int(number) if number.is_integer() else number


def caption_of(facts: Mapping[Any, Any]) -> str:
    """Return the caption of a result with these attributes; empty if there are none."""
    method = facts.get("method")
    if not isinstance(method, str) or method not in KNOWN_METHODS:  # attributes of the data
        return ""
    parts = _of_comparison(facts) if "adjust" in facts else _of_report(facts)
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in [*parts, *_of_rows(facts)])


def _of_report(facts: Mapping[Any, Any]) -> Iterator[str]:
    level = f"{_level(facts)} confidence intervals" if "ci" in facts else "standard errors"
    if facts["method"] == "bootstrap":
        yield f"{level} from {_draws(facts, 'n_boot', 'bootstrap tables')}"
    else:
        sides = ", two-sided" if "ci" in facts else ""
        is_exact = sides and not {"cluster", "stratify"} & set(facts)
        exact = "; exact for shares of rows of equal weight" if is_exact else ""
        yield f"{level} from the influence of each row{sides}{exact}"


def _of_comparison(facts: Mapping[Any, Any]) -> Iterator[str]:
    drawn, bounds = "", ""
    if facts["method"] == "permutation":
        drawn = f" from at most {_draws(facts, 'n_permutations', 'permutations')}"
    else:
        simultaneous = "simultaneous " if facts["adjust"] == "max-t" else ""
        bounds = f", with {simultaneous}{_level(facts)} intervals"
    yield f"differences of a and b{bounds}"
    side = SIDES.get(facts["alternative"], facts["alternative"])
    adjusted = ADJUSTED.get(facts["adjust"], facts["adjust"])
    yield f"p-values{drawn}: {side}, adjusted for the pairs of each metric by {adjusted}"
    if "margin" in facts:
        yield f"margin: {facts['margin']}"


def _of_rows(facts: Mapping[Any, Any]) -> Iterator[str]:
    if "cluster" in facts:
        number = f" ({facts['n_clusters']})" if "n_clusters" in facts else ""
        yield f"clusters: {facts['cluster']}{number}"
    if "stratify" in facts:
        yield f"fixed by design: {STRATA.get(facts['stratify'], facts['stratify'])}"
    if "stratum_shares" in facts:
        yield f"shares of predicted classes: {facts['stratum_shares']}"
    if "df" in facts:
        yield f"degrees of freedom: {facts['df']:g}"


def _level(facts: Mapping[Any, Any]) -> str:
    return f"{100 * facts['ci']:.10g} %"


def _draws(facts: Mapping[Any, Any], number: str, what: str) -> str:
    seed = f" (seed {facts['seed']})" if "seed" in facts else ""
    return f"{facts[number]} {what}{seed}" if number in facts else what
