"""How a kernel becomes a method of every surface: written once, by one line in `Ordinal`."""

from __future__ import annotations

import functools
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

import pandas as pd
import xarray as xr

from pandas_ordinal import metrics
from pandas_ordinal.accessors.calibration import (
    METHODS_OF_FORECASTS,
    OfForecasts,
    calibration,
    plot_reliability,
    reliability_curve,
)
from pandas_ordinal.accessors.composed import (
    explained,
    method_of_forecasts,
    method_of_metric,
    method_of_table,
)
from pandas_ordinal.accessors.lift import (
    Composed,
    lift,
    lift_forecasts,
    lift_matrix,
    lift_probabilities,
    lift_scores,
    lift_scores_matrix,
    lift_scores_vector,
    lift_table,
    lift_vector,
    with_edges,
)
from pandas_ordinal.accessors.sets import limits_by_coverage
from pandas_ordinal.counterparts import CALLS, METHODS, OF_COLUMNS
from pandas_ordinal.cube.layout import CLASS_DIMS
from pandas_ordinal.errors import called, first_labels
from pandas_ordinal.hints import hint_at_name
from pandas_ordinal.metrics.metric import Metric, registry
from pandas_ordinal.query import Query
from pandas_ordinal.reports.by_class import (
    REPORTS_BY_CLASS,
    TableByClass,
    class_report,
    cut_report,
)
from pandas_ordinal.rows.by_class import table_by_class
from pandas_ordinal.rows.gather import sample, sample_of_report
from pandas_ordinal.rows.scored import score_sample
from pandas_ordinal.rows.table import Table


class ExtraParameter(NamedTuple):
    """A parameter that the `confusion` of a surface lacks."""

    annotation: str
    text: str


MEMBERS = {
    "member_dim": ExtraParameter(
        "Hashable | None",
        """member_dim : name, optional
    The dimension of the members of an ensemble, if `proba` has their labels instead: the share of
    members in a class is its probability. A missing member is left out; a case without members is
    missing.""",
    ),
    "fair": ExtraParameter(
        "bool",
        """fair : bool, default False
    Subtract what the limited number of members adds to `rps` and `rps_skill`: at each class,
    ``F * (1 - F) / (m - 1)`` for a cumulative share F of m members (Ferro 2014,
    doi:10.1002/qj.2270). NaN where there is a single member, which `dropna=True` leaves out.""",
    ),
}
OF_MEMBERS = tuple(
    inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default,
        annotation=MEMBERS[name].annotation,
    )
    for name, default in (("member_dim", None), ("fair", False))
)  # fmt: skip


class Ordinal(ABC):
    """The metrics, as every `.ordinal` accessor has them.

    The metrics of a surface have the parameters of its `confusion`, with the same descriptions,
    and the options of the kernel. Each calls `_score`.
    """

    # What a metric returns: one number, one per class, one per pair of classes
    _returns: ClassVar[tuple[str, str, str]]
    # What a table by class is
    _tables: ClassVar[str]
    # The parameters that `confusion` lacks; `pred` where it is optional for metrics
    _extra: ClassVar[Mapping[str, ExtraParameter]]
    # The parameters of metrics of probabilities alone
    _of_proba: ClassVar[tuple[inspect.Parameter, ...]] = ()
    # Code that makes data and calls a metric, by what the metric takes
    _examples: ClassVar[Mapping[str, str]]

    # The functions that read the options of methods of forecasts, by their names
    _requests: ClassVar[Mapping[str, Callable[..., OfForecasts[Any, Any]]]] = {}

    # What to do instead of calling a method of columns
    _of_columns: ClassVar[Mapping[str, str]] = OF_COLUMNS

    # The methods that the repr names
    _verbs: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        """Make a method of each metric, and compose the help of the others."""
        super().__init_subclass__()
        if "confusion" not in vars(cls):
            return
        # parts of a surface in modules of their own are composed with it
        for part in reversed(cls.__mro__[: cls.__mro__.index(Ordinal)]):
            for name, method in list(vars(part).items()):
                if inspect.isfunction(method) and not name.startswith("_"):
                    compose = functools.partial(explained, cls, method)
                    setattr(cls, name, Composed(cls, name, compose))
        for name, metric in registry.items():
            setattr(
                cls, name, Composed(cls, name, functools.partial(method_of_metric, cls, metric))
            )
        for name, table in REPORTS_BY_CLASS.items():
            setattr(cls, name, Composed(cls, name, functools.partial(method_of_table, cls, table)))
        for name, asked in cls._requests.items():
            compose = functools.partial(method_of_forecasts, cls, name, asked)
            setattr(cls, name, Composed(cls, name, compose))

    @abstractmethod
    def confusion(self, *args: Any, **kwargs: Any) -> xr.DataArray:
        """Count what every metric of predicted classes reads."""

    @abstractmethod
    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> Any:
        """Compute a metric for a query."""

    @abstractmethod
    def _table_by_class(self, table: TableByClass, query: Query) -> Any:
        """Return a table by class for a query."""

    if not TYPE_CHECKING:  # the checkers know all names, and complain of others

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            """Raise: the accessor is not a function."""
            raise TypeError(
                f"{type(self).__name__!r} object is not callable: call one of its methods, "
                f"such as .ordinal.mae(...) or .ordinal.report(...)"
            )

        def __getattr__(self, name: str) -> Any:
            """Raise for an unknown name, with a hint at the right one."""
            hint = "" if name.startswith("_") else self._hint_at(name)
            message = f"{type(self).__name__!r} object has no attribute {name!r}{hint}"
            raise AttributeError(message, name=name, obj=None)  # or Python suggests a name again

    @abstractmethod
    def _repr_lines(self) -> list[str]:
        """Describe the object and its classes, without reading rows."""

    def __repr__(self) -> str:
        """Describe the object and its classes, and name the methods to call."""
        methods = ", ".join(self._verbs)
        to_call = f"call {methods}, or one of {len(registry)} metrics, such as oci or mae"
        return "\n".join([*self._repr_lines(), to_call])

    def _hint_at(self, name: str) -> str:
        """Return the metric or method that an unknown name stands for, and where it is."""
        if name in METHODS:
            return f"; {name} is a method of cubes: call {METHODS[name]}"
        if name in CALLS:
            return f"; {CALLS[name]}"
        if name in self._of_columns:
            return f"; {name} is for a column: {self._of_columns[name]}"
        return hint_at_name(name, [known for known in dir(self) if not known.startswith("_")])

    def _hint(self, metric: Metric) -> str:
        """Return what to call instead, if a call has the wrong parameters."""
        return ""

    class_report = lift_table(class_report)
    cut_report = lift_table(cut_report)

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
    class_npv = lift_vector(metrics.class_npv)
    class_off_by_one = lift_vector(metrics.class_off_by_one)
    class_precision = lift_vector(metrics.class_precision)
    class_recall = lift_vector(metrics.class_recall)
    class_specificity = lift_vector(metrics.class_specificity)
    consecutive_auc = lift_scores_vector(metrics.consecutive_auc)
    cost_matrix = lift_matrix(metrics.cost_matrix)
    error_rate = lift(metrics.error_rate)
    expected_cost = lift(metrics.expected_cost)
    geometric_mean = lift(metrics.geometric_mean)
    gerrity = lift(metrics.gerrity)
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
    log_loss_dsc = lift_probabilities(metrics.log_loss_dsc)
    log_loss_mcb = lift_probabilities(metrics.log_loss_mcb)
    log_loss_unc = lift_probabilities(metrics.log_loss_unc)
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
    peirce = lift(metrics.peirce)
    r_int = lift(metrics.r_int)
    rmse = lift(metrics.rmse)
    rps = lift_probabilities(metrics.rps)
    rps_dsc = lift_probabilities(metrics.rps_dsc)
    rps_mcb = lift_probabilities(metrics.rps_mcb)
    rps_skill = lift_probabilities(metrics.rps_skill)
    rps_unc = lift_probabilities(metrics.rps_unc)
    scott_pi = lift(metrics.scott_pi)
    seeps = lift(metrics.seeps)
    somers_d = lift(metrics.somers_d)
    spearman = lift(metrics.spearman)
    stc = lift(metrics.stc)
    total_cost = lift(metrics.total_cost)
    u_cons = lift_scores(metrics.u_cons)
    u_ovo = lift_scores(metrics.u_ovo)
    u_pairs = lift_scores(metrics.u_pairs)
    uoc = lift(metrics.uoc)
    vus = lift_scores(metrics.vus)


MOST_ORDERS = 3
UNDECLARED = (
    "no ordered Categorical: integers are classes by themselves, other labels need classes=[...]"
)


def rows(of: str, n_rows: int) -> str:
    """Return the kind of an object, and its number of rows."""
    return f".ordinal of a {of} with {n_rows} row{'s' * (n_rows != 1)}"


def sized(sizes: Mapping[Any, int]) -> str:
    """Return dimensions and their sizes as text."""
    return (
        ", ".join(first_labels([f"{dim}: {size}" for dim, size in sizes.items()]))
        or "no dimension"
    )


def orders(dtypes: Iterable[tuple[Hashable, Any]], undeclared: str = UNDECLARED) -> list[str]:
    """Return a line for each order of classes that the dtypes of columns declare."""
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
    """Return lines about the dimensions of a cube and its classes, which selections may reduce."""
    others = {dim: size for dim, size in cube.sizes.items() if dim not in CLASS_DIMS}
    of = f"cube of confusion matrices over {sized(others)}" if others else "confusion matrix"
    labels = cube.indexes.get("true")
    classes = "its axes declare no classes: po.from_counts makes a cube of counts"
    if isinstance(labels, pd.CategoricalIndex):
        classes = f"classes: {_order(labels.categories)}"
    return [f".ordinal of a {of}", classes]


def _order(classes: pd.Index[Any]) -> str:
    """Return classes from lowest to highest as text."""
    return " < ".join(first_labels(classes))


def _listed(names: list[Hashable]) -> str:
    return called(None) if names == [None] else ", ".join(first_labels(names, repr))


COLUMN_PARAMETERS = {
    "score": ExtraParameter(
        "Hashable | ColumnsLike",
        """score : label, list of labels or dict
    The column that holds the scores, higher for higher classes; a list, or a dict {name: column},
    has one column per model.""",
    ),
    "proba": ExtraParameter(
        "ProbaLike",
        """proba : list of labels, dict or label
    The columns that hold the probabilities of the classes: named as the classes, in any order, or
    a dict {class: column}. For two classes, also the column of the higher one. A list or a dict
    {name: ...} of these is for several models.""",
    ),
    "cluster": ExtraParameter(
        "Hashable | None",
        """cluster : label, optional
    The column that identifies clusters of rows, such as patients. Default: rows are
    independent.""",
    ),
}


SomeTable = TypeVar("SomeTable", bound=Table)


class RowsOrdinal(Ordinal, Generic[SomeTable]):
    """The accessor of rows in a table."""

    _table: SomeTable
    _requests: ClassVar = {**METHODS_OF_FORECASTS, "set_limits": limits_by_coverage}

    calibration = lift_forecasts(calibration)
    set_limits = lift_forecasts(limits_by_coverage)
    plot_reliability = lift_forecasts(plot_reliability)
    reliability_curve = lift_forecasts(reliability_curve)

    def _score(self, metric: Metric, options: dict[str, Any], query: Query) -> Any:
        return score_sample(sample(self._table, query), metric, options)

    def _table_by_class(self, table: TableByClass, query: Query) -> Any:
        cluster = table.uncertainty.cluster
        return table_by_class(sample_of_report(self._table, query, cluster), table)

    def _of_forecasts(self, asked: OfForecasts[Any, Any], query: Query) -> Any:
        return asked.show(sample(self._table, query, asked.cluster))
