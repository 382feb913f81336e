"""The registry: what is known about each metric, and which one a name or a kernel refers to."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, NotRequired, SupportsIndex, TypeAlias, TypedDict

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array, Floats, Probabilities, Stack
from pandas_ordinal.errors import an, brief, refuse_wrong_values, show, signature_of
from pandas_ordinal.hints import hint_at_name

Values: TypeAlias = np.float64 | Floats
"""What a kernel returns: a scalar for one matrix, else an array over the leading dimensions."""

Bound: TypeAlias = float | Literal["K-1", "1-K", "K"]
Needs: TypeAlias = Literal["counts", "edges", "scores", "probabilities", "sets"]

Limits: TypeAlias = Callable[[Floats, Mapping[str, Any]], tuple[Any, Any]]

ScoreInfluence: TypeAlias = Callable[..., tuple[Floats, Floats]]

RowTerms: TypeAlias = Callable[..., Floats]

Guesses: TypeAlias = Callable[[int], tuple[Array, Array]]

OfRow: TypeAlias = Callable[[Floats, Array], Floats]

Trials: TypeAlias = Callable[[Stack], tuple[Stack, Stack]]

SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
SURFACE_PARAMETERS = frozenset(
    [
        "true",
        "pred",
        "score",
        "proba",
        "by",
        "dim",
        "sample_weight",
        "classes",
        "bins",
        "dropna",
        "ignore",
        "atol",
        "groups",
        "count",
        "metrics",
        "member_dim",
        "fair",
    ]
)


class Facts(TypedDict):
    """What a metric declares where it is defined; `Metric` describes each entry."""

    range: tuple[Bound, Bound]
    greater_is_better: bool | None
    reference: str
    formula: str
    letters: NotRequired[str]
    blind_to: NotRequired[str]
    output: NotRequired[tuple[str, ...]]
    example: NotRequired[str]
    limits: NotRequired[Limits]
    of_fractions: NotRequired[Callable[..., Values]]
    extreme_of: NotRequired[tuple[str, Callable[..., Floats]]]
    mean_of: NotRequired[str]
    of_a_model: NotRequired[bool]
    right_within: NotRequired[str]
    score_influence: NotRequired[ScoreInfluence]
    is_row_mean: NotRequired[bool]
    is_root_of_mean: NotRequired[bool]
    row_terms: NotRequired[RowTerms]
    bounded_with: NotRequired[str]
    skill_of: NotRequired[tuple[str, RowTerms]]
    trials: NotRequired[Trials]
    n_classes: NotRequired[int]


class Means(NamedTuple):
    """How a metric is computed from means over the rows, which can be summed part by part.

    `of_row` maps probabilities ``(n, K)`` and true classes to m numbers per row, ``(m, n)``;
    `of_means` maps the means of these, ``(m, batch)``, and K to the metric.
    """

    of_row: OfRow
    of_means: Callable[..., Floats]


@dataclass(frozen=True)
class Metric:
    """What is known about a metric besides its formula.

    Attributes
    ----------
    name : str
        The name of the kernel, and of the method on every surface.
    kernel : callable
        The function of counts ``(..., K, K)``, or of true classes and scores or probabilities.
    options : tuple of inspect.Parameter
        The keyword options of the kernel, which follow its arrays.
    range : tuple
        Lowest and highest value; ``"K-1"`` and ``"1-K"`` depend on the number of classes.
    greater_is_better : bool or None
        The direction; None where neither end is the better one.
    needs : str
        What the kernel is a function of: ``"counts"``, counts and the ``"edges"`` of bins, or true
        classes and ``"scores"``, ``"probabilities"`` or ``"sets"`` of classes.
    reference : str
        The source.
    formula : str
        The definition in LaTeX, with ``n_{rc}`` for the rows of true class r and predicted class
        c.
    letters : str
        What the formula's own letters stand for, as reStructuredText.
    blind_to : str
        What it does not see; empty for what describes the truth or the rows alone.
    output : tuple of str
        The class dimensions of a result: ``()``, ``("class",)`` or ``("true", "pred")``.
    dtype : type
        float or bool.
    example : str
        Code that sets the required options, for three classes.
    by_segment : callable or None
        The function that scores segments of rows, given `Segments` and their scores or
        probabilities.
    limits : callable or None
        Returns the lowest and the highest value for counts ``(..., K, K)`` and options, where
        they depend on more than `range` can express.
    of_fractions : callable or None
        The kernel for fractions of rows, where `kernel` is undefined for them.
    extreme_of : tuple or None
        The class-wise metric that it is the extreme of, and `numpy.max` or `numpy.min`.
    mean_of : str or None
        The class-wise metric whose values it averages, in a way that rises with each of them.
    of_a_model : bool
        Whether it measures predictions; False where it depends on the truth alone.
    right_within : str or None
        The option that sets how many classes off still counts as right; None where only the true
        class does.
    means : Means or None
        How it is computed from means over the rows, for a metric of probabilities.
    score_influence : callable or None
        Returns the value, and what a row of each class at each score adds to it, given the counts
        of classes by score ``(K, segments, values)``, the class sizes ``(K, segments)`` and the
        options.
    is_row_mean : bool
        Whether it is a mean of the values of single rows. These are 0 and 1 for a metric of counts
        whose range is (0, 1).
    is_root_of_mean : bool
        Whether it is the root of such a mean.
    row_terms : callable or None
        Returns the terms of the rows ``(rows,)`` whose mean over a segment is the metric, given
        `Segments`, probabilities and options; those of a row depend on all rows of its segment.
    bounded_with : str or None
        The option with which a value has an interval, since it corrects what chance adds; "" if
        there is none, and only differences have intervals. None if it has one anyway.
    trials : callable or None
        Returns how many rows succeed and how many there are, ``(K, batch)`` each, for counts
        ``(K, K, batch)``, if it is a share of rows for each class.
    skill_of : tuple or None
        The metric that a skill compares with that of a reference, and a function that returns the
        terms of the rows whose mean is the metric of the reference, to first order.
    fair : Metric or None
        The metric of the numbers of members of an ensemble in each class, in place of
        probabilities, without what their limited number adds.
    n_classes : int or None
        The number of classes that it is defined for; None for any number.
    guesses : callable or None
        Returns the rows whose mean loss is that of the pseudo-row, for a mean over rows, given K:
        their true classes, and their probabilities or sets.

    Examples
    --------
    >>> import pandas_ordinal as po
    >>> oci = po.metrics.registry["oci"]
    >>> oci.needs, oci.range, oci.greater_is_better, oci.reference
    ('counts', (0, 1), False, 'Cardoso & Sousa 2011, doi:10.1142/S0218001411009093')
    """

    name: str
    kernel: Callable[..., Values]
    options: tuple[inspect.Parameter, ...]
    range: tuple[Bound, Bound]
    greater_is_better: bool | None
    needs: Needs
    reference: str
    formula: str = ""
    letters: str = ""
    blind_to: str = ""
    output: tuple[str, ...] = ()
    dtype: type = float
    example: str = ""
    by_segment: Callable[..., Floats] | None = None
    limits: Limits | None = None
    of_fractions: Callable[..., Values] | None = None
    extreme_of: tuple[str, Callable[..., Floats]] | None = None
    mean_of: str | None = None
    of_a_model: bool = True
    right_within: str | None = None
    means: Means | None = None
    score_influence: ScoreInfluence | None = None
    is_row_mean: bool = False
    is_root_of_mean: bool = False
    row_terms: RowTerms | None = None
    bounded_with: str | None = None
    trials: Trials | None = None
    skill_of: tuple[str, RowTerms] | None = None
    fair: Metric | None = None
    n_classes: int | None = None
    guesses: Guesses | None = None

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Pickle a registered metric, or its fair form, by its name."""
        registered = _metrics.get(self.name)
        if registered is self:
            return registry.__getitem__, (self.name,)
        if registered is not None and registered.fair is self:
            return getattr, (registered, "fair")
        return super().__reduce_ex__(protocol)

    @property
    def help(self) -> tuple[str, dict[str, str]]:
        """The docstring of the kernel: its text before the sections, and these by name."""
        return sections_of(self.kernel)

    @property
    def of_rows(self) -> bool:
        """Whether it needs rows with scores, probabilities or sets, which counts do not hold."""
        return self.needs in ("scores", "probabilities", "sets")

    @property
    def has_influence(self) -> bool:
        """Whether the influence of a row on it is known, as for all metrics of counts."""
        if not self.of_rows or self.score_influence is not None:
            return True
        return self.is_row_mean or bool(self.row_terms or self.skill_of)

    def has_interval(self, options: Mapping[str, Any]) -> bool:
        """Whether its values have intervals, given its options."""
        return self.bounded_with is None or bool(options.get(self.bounded_with))

    @property
    def takes(self) -> str:
        """The option of a surface that names what is scored."""
        return {"scores": "score", "probabilities": "proba", "sets": "sets"}.get(
            self.needs, "pred"
        )

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the options that have no default."""
        return tuple(option.name for option in self.options if option.default is option.empty)

    @property
    def undefined(self) -> float:
        """The value where the metric is undefined."""
        return False if self.dtype is bool else np.nan

    @property
    def written_range(self) -> str:
        """The range as text."""
        return " … ".join(map(_written, self.range))

    def bounds(self, n_classes: int) -> tuple[float, float]:
        """Return the lowest and the highest value for that many classes."""
        symbols: dict[Bound, float] = {
            "K": n_classes,
            "K-1": n_classes - 1.0,
            "1-K": 1.0 - n_classes,
        }
        low, high = (symbols.get(end, end) for end in self.range)
        return float(low), float(high)


def _written(end: Bound) -> str:
    """Write an end of a range as formulas do."""
    if isinstance(end, str):
        return end.replace("-", "−")
    return f"{end:g}".replace("inf", "∞").replace("-", "−")


def sections_of(documented: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return the text of a docstring before its sections, and the sections by name."""
    title, *parts = SECTION.split(inspect.cleandoc(documented.__doc__ or ""))
    return title.strip(), dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))


def direction_of(name: str) -> bool | None:
    """Return whether high values of a metric are good; None if it has no known direction."""
    return registry[name].greater_is_better if name in registry else None


class Resolved(NamedTuple):
    """A requested metric, and the options that were set with it.

    Examples
    --------
    >>> from functools import partial
    >>> import pandas_ordinal as po
    >>> metric, options = po.metrics.resolve(partial(po.metrics.oci, beta=0.25))
    >>> metric.name, options
    ('oci', {'beta': 0.25})
    """

    metric: Metric
    options: dict[str, Any]

    def of_rows(self, rows: Array) -> Resolved:
        """Return the metric for some rows, if an option has a value for each."""
        options = {
            name: value.of(rows) if isinstance(value, Probabilities) else value
            for name, value in self.options.items()
        }
        return self._replace(options=options)

    def refuse_wrong_options(self) -> None:
        """Raise if an option without a default is not set, or one is of the wrong type."""
        refuse_wrong_values({option.name: option for option in self.metric.options}, self.options)
        for option in self.metric.required:
            if option not in self.options:
                raise ValueError(
                    f"{self.metric.name} needs {option}=: give it as functools.partial(po.metrics."
                    f"{self.metric.name}, {option}=...)"
                )


class Registry(Mapping[str, Metric]):
    """All metrics by their names, shown as a table.

    Parameters
    ----------
    metrics : mapping
        The metrics by name; those that are added later appear too.
    """

    def __init__(self, metrics: Mapping[str, Metric]) -> None:
        self._metrics = metrics

    def __getitem__(self, name: str) -> Metric:
        """Return what is known about a metric."""
        return self._metrics[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._metrics)

    def __len__(self) -> int:
        """Return the number of metrics."""
        return len(self._metrics)

    def to_frame(self) -> pd.DataFrame:
        """Return a table with one row per metric.

        Returns
        -------
        DataFrame
            Indexed by the name of the metric: what it ``needs``, its ``range``, its
            ``direction`` (``"higher"`` or ``"lower"`` where that is better) and its
            ``reference``.

        Examples
        --------
        >>> import pandas_ordinal as po
        >>> table = po.metrics.registry.to_frame()
        >>> table.loc[["mae", "bias", "u_pairs"], ["needs", "range", "direction"]]
                  needs      range direction
        name
        mae      counts    0 … K−1     lower
        bias     counts  1−K … K−1
        u_pairs  scores      0 … 1    higher
        """
        directions = {True: "higher", False: "lower", None: ""}
        rows = [
            (each.needs, each.written_range, directions[each.greater_is_better], each.reference)
            for each in self.values()
        ]
        columns = ["needs", "range", "direction", "reference"]
        return pd.DataFrame(rows, pd.Index(self, name="name"), columns)

    def __reduce__(self) -> str:
        """Pickle the registry by its name: it is the same in all processes."""
        return "registry"

    def __repr__(self) -> str:
        """Write the table as text."""
        return self.to_frame().to_string(max_colwidth=40)

    def _repr_html_(self) -> str:
        return self.to_frame().to_html()


_metrics: dict[str, Metric] = {}
registry = Registry(_metrics)


def register_kernel(
    function: Callable[..., Any],
    kernel: Callable[..., Values],
    arrays: Sequence[inspect.Parameter],
    *,
    n_inputs: int = 1,
    of_members: Mapping[str, Any] | None = None,
    **facts: Any,
) -> None:
    """Give a kernel the name, the docstring and the options of its function, and register it.

    In its signature the arrays replace the first parameters of the function, its inputs.
    `of_members` has the facts that differ for the fair form of a metric.
    """
    parameters = list(signature_of(function).parameters.values())[n_inputs:]
    clash = SURFACE_PARAMETERS & {parameter.name for parameter in parameters}
    if clash:
        raise TypeError(f"{function.__name__} has options named like surface parameters: {clash}")
    functools.update_wrapper(kernel, function)
    kernel.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*arrays, *parameters], return_annotation="Values"
    )
    options = tuple(p for p in parameters if p.kind is p.KEYWORD_ONLY)
    name = function.__name__
    metric = Metric(name=name, kernel=kernel, options=options, **facts)
    fair = None if of_members is None else replace(metric, **of_members)
    _metrics[name] = replace(metric, fair=fair)


def refuse_estimator(name: str, given: Any) -> None:
    """Raise for an estimator, which scikit-learn passes to whatever is given as `scoring=`."""
    if hasattr(given, "fit") and hasattr(given, "predict"):
        raise TypeError(
            f"{name} does not take an estimator such as {an(type(given).__name__)}: as scoring= "
            f'give po.sklearn.scorer("{name}", classes=[<lowest>, ..., <highest>])'
        )


def resolve(which: str | Callable[..., Any]) -> Resolved:
    """Return the metric that a name, a kernel or a partial of a kernel refers to.

    Parameters
    ----------
    which : str or callable
        The name of a metric, its kernel, or a `functools.partial` of its kernel that sets options
        by keyword.

    Returns
    -------
    Resolved
        The metric, an entry of `registry`, and the options that are set with it.

    Raises
    ------
    ValueError
        If no metric has this name.

    Examples
    --------
    >>> import functools
    >>> import pandas_ordinal as po
    >>> metric, options = po.metrics.resolve(functools.partial(po.metrics.oci, beta=0.25))
    >>> metric.name, metric.greater_is_better, options
    ('oci', False, {'beta': 0.25})
    """
    if isinstance(which, str):
        return Resolved(_named(which), {})
    resolved = metric_of_kernel(which)
    if resolved is None:
        raise ValueError(
            f"{brief(which)} is not a known metric: give a name such as 'oci', a kernel such as "
            "po.metrics.oci, or a partial of a kernel that sets options by keyword, such as "
            "functools.partial(po.metrics.oci, beta=0.25)"
        )
    return resolved


def metric_of_kernel(which: Callable[..., Any]) -> Resolved | None:
    """Return the metric of a kernel, or of a partial of one; None for any other function."""
    kernel, options = which, {}
    if isinstance(which, functools.partial) and not which.args:
        kernel, options = which.func, dict(which.keywords)
    metric = next((metric for metric in registry.values() if metric.kernel is kernel), None)
    return None if metric is None else Resolved(metric, options)


def _named(name: str) -> Metric:
    if name not in registry:
        hint = hint_at_name(name, registry) or f"; the metrics are {show(list(registry))}"
        raise ValueError(f"unknown metric {brief(name)}{hint}")
    return registry[name]
