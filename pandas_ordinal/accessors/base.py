"""How a kernel becomes a method of every surface: written once, by one line in `Ordinal`."""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    TypeVar,
)

import pandas as pd
import xarray as xr

from pandas_ordinal import metrics
from pandas_ordinal.accessors.lift import (
    lift,
    lift_matrix,
    lift_probabilities,
    lift_scores,
    lift_scores_matrix,
    lift_scores_vector,
    lift_vector,
    with_edges,
)
from pandas_ordinal.cube.layout import CLASS_DIMS
from pandas_ordinal.errors import called, first
from pandas_ordinal.hints import CALLS, METHODS, bound, explains_arguments, meant
from pandas_ordinal.metrics.metric import Metric, registry, sections_of
from pandas_ordinal.query import Comparison, Query, Uncertainty
from pandas_ordinal.rows.gather import sample
from pandas_ordinal.rows.table import Table

ASKED = frozenset(field.name for field in fields(Query))
OF_COUNTS = frozenset({"bins"})  # what rows with scores or probabilities have no use for

# What stands behind the ** of a method
UNPACKED: Mapping[str, type] = {"uncertainty": Uncertainty, "asked": Comparison}

UNCERTAINTY = frozenset(field.name for field in fields(Uncertainty))

ENTRY = re.compile(r"\n(?=\S)")

ORDER = """ClassOrderError
    If the labels declare no order of the classes, or contradicting ones"""
UNKNOWN = """UnknownClassError
    If a label is not a class"""
MISSING = """MissingValueError
    If something asked for is missing, unless dropna=True."""
RAISES = {
    "pred": f"{ORDER}.\n{UNKNOWN}.\n{MISSING}\n",
    "score": f"""{ORDER}, or the scores are not numbers.
{UNKNOWN}.
{MISSING}
ValueError
    If weights are negative or not finite, or an option has an unknown value.""",
    "proba": f"""{ORDER}.
{UNKNOWN}, or a class has no column of probabilities.
{MISSING}
ValueError
    If weights are negative or not finite, or probabilities are negative or do not sum to 1 within
    1e-6.""",
}


class Beside(NamedTuple):
    """A parameter that a surface has beside those of its `confusion`."""

    annotation: str
    text: str


class Ordinal(ABC):
    """The metrics, as every `.ordinal` accessor has them.

    A surface says in `_score` how it answers a query. Its methods are made of its own `confusion`:
    they have the same parameters, described by the same words, and the options of the kernel.
    """

    # What a metric returns: one number, one per class, one per pair of classes
    _returns: ClassVar[tuple[str, str, str]]
    # The parameters that `confusion` has not got; `pred` where metrics can do without it
    _beside: ClassVar[Mapping[str, Beside]]
    # Code that makes data and calls a metric of them, by what it takes
    _examples: ClassVar[Mapping[str, str]]

    # What to call first
    _verbs: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        """Make a method of each metric."""
        super().__init_subclass__()
        if "confusion" not in vars(cls):
            return
        parameters = list(inspect.signature(cls.confusion).parameters.values())
        texts = _entries(sections_of(cls.confusion)[1]["Parameters"])
        texts |= {name: beside.text for name, beside in cls._beside.items()}
        for name, written in list(vars(cls).items()):
            if inspect.isfunction(written) and not name.startswith("_"):
                setattr(cls, name, explains_arguments(written, UNPACKED))
        for metric in registry.values():
            signature = inspect.Signature([*_taken(cls, metric, parameters), *metric.options])
            setattr(cls, metric.name, _method(cls, metric, signature, texts))

    @abstractmethod
    def confusion(self, *args: Any, **kwargs: Any) -> xr.DataArray:
        """Count what every metric of predicted classes reads."""

    @abstractmethod
    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> Any:
        """Score what a query asks about by one metric."""

    if not TYPE_CHECKING:  # the checkers know all names, and complain of others

        def __getattr__(self, name: str) -> Any:
            """Raise for a name that there is not, with what is meant by it."""
            hint = "" if name.startswith("_") else self._meant(name)
            message = f"{type(self).__name__!r} object has no attribute {name!r}{hint}"
            raise AttributeError(message, name=name, obj=None)  # or Python suggests a name again

    @abstractmethod
    def _told(self) -> list[str]:
        """Say in lines what there is to score, and its classes; without a look at the rows."""

    def __repr__(self) -> str:
        """Tell the classes, the number of rows and what to call."""
        names = ", ".join(self._verbs)
        called = f"call {names}, or one of {len(registry)} metrics, as oci or mae"
        return "\n".join([*self._told(), called])

    def _meant(self, name: str) -> str:
        """Say which metric or method is meant by a name that there is not, and what has it."""
        if name in METHODS:
            return f"; {name} is a method of cubes: call {METHODS[name]}"
        if name in CALLS:
            return f"; {CALLS[name]}"
        return meant(name, [one for one in dir(self) if not one.startswith("_")])

    def _hint(self, metric: Metric) -> str:
        """Say what to call instead, where a call has the wrong parameters."""
        return ""

    accuracy = lift(metrics.accuracy)
    accuracy_pearson = lift(metrics.accuracy_pearson)
    accuracy_within = lift(metrics.accuracy_within)
    amae = lift(metrics.amae)
    auoc = lift(metrics.auoc)
    balanced_accuracy = lift(metrics.balanced_accuracy)
    bias = lift(metrics.bias)
    brennan_prediger = lift(metrics.brennan_prediger)
    brier = lift_probabilities(metrics.brier)
    cem = lift(metrics.cem)
    class_mae = lift_vector(metrics.class_mae)
    class_recall = lift_vector(metrics.class_recall)
    consecutive_auc = lift_scores_vector(metrics.consecutive_auc)
    cost_matrix = lift_matrix(metrics.cost_matrix)
    error_rate = lift(metrics.error_rate)
    expected_cost = lift(metrics.expected_cost)
    geometric_mean = lift(metrics.geometric_mean)
    gmsec = lift(metrics.gmsec)
    goodman_kruskal_gamma = lift(metrics.goodman_kruskal_gamma)
    gwet_ac = lift(metrics.gwet_ac)
    interval_cost_matrix = lift_matrix(with_edges(metrics.interval_cost_matrix))
    interval_lengths = lift_vector(with_edges(metrics.interval_lengths))
    interval_mae = lift(with_edges(metrics.interval_mae))
    interval_smae = lift(with_edges(metrics.interval_smae))
    interval_stc = lift(with_edges(metrics.interval_stc))
    interval_total_cost = lift(with_edges(metrics.interval_total_cost))
    kappa = lift(metrics.kappa)
    kendall_tau = lift(metrics.kendall_tau)
    krippendorff_alpha = lift(metrics.krippendorff_alpha)
    log_loss = lift_probabilities(metrics.log_loss)
    mae = lift(metrics.mae)
    max_interval_total_cost = lift(with_edges(metrics.max_interval_total_cost))
    max_total_cost = lift(metrics.max_total_cost)
    mean_extreme_sensitivity = lift(metrics.mean_extreme_sensitivity)
    min_mae = lift(metrics.min_mae)
    min_sensitivity = lift(metrics.min_sensitivity)
    mmae = lift(metrics.mmae)
    mse = lift(metrics.mse)
    ndpm = lift(metrics.ndpm)
    oci = lift(metrics.oci)
    oci_general = lift(metrics.oci_general)
    oci_path = lift_matrix(metrics.oci_path)
    pairwise_auc = lift_scores_matrix(metrics.pairwise_auc)
    pearson = lift(metrics.pearson)
    r_int = lift(metrics.r_int)
    rmse = lift(metrics.rmse)
    rps = lift_probabilities(metrics.rps)
    rps_skill = lift_probabilities(metrics.rps_skill)
    scott_pi = lift(metrics.scott_pi)
    somers_d = lift(metrics.somers_d)
    spearman = lift(metrics.spearman)
    stc = lift(metrics.stc)
    total_cost = lift(metrics.total_cost)
    u_cons = lift_scores(metrics.u_cons)
    u_ovo = lift_scores(metrics.u_ovo)
    u_pairs = lift_scores(metrics.u_pairs)
    uoc = lift(metrics.uoc)
    vus = lift_scores(metrics.vus)


def _taken(
    surface: type[Ordinal], metric: Metric, parameters: Sequence[inspect.Parameter]
) -> list[inspect.Parameter]:
    """Return those parameters of `confusion` that a metric has, by what it scores."""
    if metric.takes == "pred":
        optional = surface._beside.get("pred")
        return [
            parameter.replace(default=None, annotation=optional.annotation)
            if optional and parameter.name == "pred"
            else parameter
            for parameter in parameters
        ]
    annotation = surface._beside[metric.takes].annotation
    return [
        parameter.replace(name=metric.takes, annotation=annotation)
        if parameter.name == "pred"
        else parameter
        for parameter in parameters
        if parameter.name not in OF_COUNTS
    ]


def _method(
    surface: type[Ordinal], metric: Metric, signature: inspect.Signature, texts: Mapping[str, str]
) -> Callable[..., Any]:
    """Write the method that scores a surface by a metric."""

    def method(self: Ordinal, *args: Any, **kwargs: Any) -> Any:
        given = bound(method, signature, (self, *args), kwargs, self._hint(metric), UNCERTAINTY)
        del given["self"]
        asked = {name: given.pop(name) for name in ASKED & given.keys()}
        return self._score(metric, given, Query(**asked))

    method.__name__ = metric.name
    method.__qualname__ = f"{surface.__qualname__}.{metric.name}"
    method.__module__ = surface.__module__
    method.__signature__ = signature  # type: ignore[attr-defined]
    method.__doc__ = _docstring(surface, metric, [*signature.parameters][1:], texts)
    return method


def _docstring(
    surface: type[Ordinal], metric: Metric, parameters: Sequence[str], texts: Mapping[str, str]
) -> str:
    """Describe a method in the words of the kernel, of `confusion`, and of the surface."""
    title, sections = metric.help
    described = {**_entries(sections["Parameters"]), **texts}
    _, _, value = sections["Returns"].partition("\n")
    composed = {
        **sections,
        "Parameters": "\n".join(described[name] for name in parameters),
        "Returns": f"{surface._returns[len(metric.output)]}\n{value}",
        "Raises": _raises(surface, metric),
        "Examples": _example(surface, metric),
    }
    written = [f"{name}\n{'-' * len(name)}\n{text}" for name, text in composed.items()]
    return "\n\n".join([title, *written])


def _raises(surface: type[Ordinal], metric: Metric) -> str:
    """Describe what a surface refuses, and what the kernel does of its options."""
    raised = metric.help[1]["Raises"]
    if metric.takes != "pred":
        return RAISES[metric.takes]
    counts, weights = "counts are negative, not finite or not square", "weights are negative or"
    beside = f"{counts}, {weights}" if "pred" in surface._beside else weights
    return RAISES["pred"] + raised.replace(counts, f"{beside} not finite")


def _example(surface: type[Ordinal], metric: Metric) -> str:
    """Write a call of a metric on a surface."""
    options = [metric.example]
    if metric.needs == "edges":
        options.append("bins=[0, 10, 20, 40]")
    given = ", ".join(filter(None, options))
    code = surface._examples.get(metric.name, surface._examples[metric.takes])
    return code.format(metric=metric.name, options=given).replace("(, ", "(").replace(", )", ")")


def _entries(section: str) -> dict[str, str]:
    """Return the entries of a section of parameters by their names."""
    return {entry.partition(" :")[0]: entry for entry in ENTRY.split(section)}


MOST_ORDERS = 3
UNDECLARED = (
    "no ordered Categorical: integers are classes by themselves, others need classes=[...]"
)


def rows(of: str, n_rows: int) -> str:
    """Write what holds the rows, and how many."""
    return f".ordinal of a {of} with {n_rows} row{'s' * (n_rows != 1)}"


def sized(sizes: Mapping[Any, int]) -> str:
    """Write dimensions and their sizes."""
    return ", ".join(first([f"{dim}: {size}" for dim, size in sizes.items()])) or "no dimension"


def orders(dtypes: Iterable[tuple[Hashable, Any]], undeclared: str = UNDECLARED) -> list[str]:
    """Write a line for each order of classes that the dtypes of columns declare, or for none."""
    columns: dict[pd.CategoricalDtype, list[Hashable]] = {}
    for name, dtype in dtypes:
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
            columns.setdefault(dtype, []).append(name)
    if not columns:
        return [undeclared]
    lines = [
        f"classes of {_listed(names)}: {_order(dtype.categories)}"
        for dtype, names in columns.items()
    ]
    return [*lines[:MOST_ORDERS], *["..."] * (len(lines) > MOST_ORDERS)]


def matrices(cube: xr.DataArray) -> list[str]:
    """Write what a cube lies over, and its classes, of which its axes may have lost some."""
    others = {dim: size for dim, size in cube.sizes.items() if dim not in CLASS_DIMS}
    of = f"cube of confusion matrices over {sized(others)}" if others else "confusion matrix"
    labels = cube.indexes.get("true")
    classes = "its axes declare no classes: po.from_counts makes a cube of counts"
    if isinstance(labels, pd.CategoricalIndex):
        classes = f"classes: {_order(labels.categories)}"
    return [f".ordinal of a {of}", classes]


def _order(classes: pd.Index[Any]) -> str:
    """Write classes from lowest to highest."""
    return " < ".join(first(classes))


def _listed(names: list[Hashable]) -> str:
    return called(None) if names == [None] else ", ".join(first(names, repr))


OF_COLUMNS = {
    "score": Beside(
        "Hashable | list[Any]",
        """score : label or list of labels
    The column that holds the scores, higher for higher classes; a list has one column per
    model.""",
    ),
    "proba": Beside(
        "ProbaLike",
        """proba : list of labels or dict
    The columns that hold the probabilities of the classes: named as the classes, in any order, or
    a dict {class: column}.""",
    ),
}


SomeTable = TypeVar("SomeTable", bound=Table)


class RowsOrdinal(Ordinal, Generic[SomeTable]):
    """A surface whose rows a table holds."""

    _table: SomeTable

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> Any:
        return sample(self._table, query).score(metric, options)
