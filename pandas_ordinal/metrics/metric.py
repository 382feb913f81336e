"""What is known of each metric, and which one is meant."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict

import numpy as np
import pandas as pd

from pandas_ordinal.counting.arrays import Array, Floats
from pandas_ordinal.errors import an, show
from pandas_ordinal.hints import meant

Values: TypeAlias = np.float64 | Floats
"""What a kernel returns: a scalar for one matrix, an array over the leading dimensions else."""

Bound: TypeAlias = float | Literal["K-1", "1-K"]
Needs: TypeAlias = Literal["counts", "edges", "scores", "probabilities"]

Limits: TypeAlias = Callable[[Floats, Mapping[str, Any]], tuple[Any, Any]]

ScoreInfluence: TypeAlias = Callable[..., tuple[Floats, Floats]]

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
        "groups",
        "metrics",
    ]
)


class Facts(TypedDict):
    """What each metric states of itself where it is defined, as `Metric` describes it."""

    range: tuple[Bound, Bound]
    greater_is_better: bool | None
    reference: str
    output: NotRequired[tuple[str, ...]]
    example: NotRequired[str]
    limits: NotRequired[Limits]
    of_fractions: NotRequired[Callable[..., Values]]
    extreme_of: NotRequired[tuple[str, Callable[..., Floats]]]
    of_a_model: NotRequired[bool]
    right_within: NotRequired[str]
    score_influence: NotRequired[ScoreInfluence]
    is_row_mean: NotRequired[bool]


class Means(NamedTuple):
    """How rows are scored by means over them, which add up over any parts of the rows.

    What each row has, a function of probabilities ``(n, K)`` and true classes that returns ``(m,
    n)``; and the metric, a function of the means ``(m, batch)`` of that and of K.
    """

    of_row: Callable[[Floats, Array], Floats]
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
        The keyword options of the kernel: what it takes beside its arrays.
    range : tuple
        Lowest and highest value; ``"K-1"`` and ``"1-K"`` depend on the number of classes.
    greater_is_better : bool or None
        The direction; None where neither end is the better one.
    needs : str
        What the kernel is a function of: ``"counts"``, counts and the ``"edges"`` of bins, or true
        classes and ``"scores"`` or ``"probabilities"``.
    reference : str
        The source.
    output : tuple of str
        The class dimensions of a result: ``()``, ``("class",)`` or ``("true", "pred")``.
    dtype : type
        float or bool.
    example : str
        Code of the options without which it cannot be called, for three classes.
    by_segment : callable or None
        What scores segments of rows: a function of `Segments` and of their scores or
        probabilities.
    limits : callable or None
        What the lowest and the highest value are for counts ``(..., K, K)`` and options, where
        `range` cannot say it.
    of_fractions : callable or None
        The kernel that reads fractions of rows, where `kernel` has no value for them.
    extreme_of : tuple or None
        The metric a class whose extreme it is, and `numpy.max` or `numpy.min`.
    of_a_model : bool
        Whether it measures predictions; False where it depends on the truth alone.
    right_within : str or None
        The option that says how many classes off is still right; None where right is the true
        class alone.
    means : Means or None
        How probabilities are scored by means over the rows.
    score_influence : callable or None
        Its value, and what a row of each class at each score adds to it: from the counts of
        classes by score ``(K, segments, values)``, the class sizes ``(K, segments)`` and options.
    is_row_mean : bool
        Whether it is the mean over the rows of what each row scores.
    """

    name: str
    kernel: Callable[..., Values]
    options: tuple[inspect.Parameter, ...]
    range: tuple[Bound, Bound]
    greater_is_better: bool | None
    needs: Needs
    reference: str
    output: tuple[str, ...] = ()
    dtype: type = float
    example: str = ""
    by_segment: Callable[..., Floats] | None = None
    limits: Limits | None = None
    of_fractions: Callable[..., Values] | None = None
    extreme_of: tuple[str, Callable[..., Floats]] | None = None
    of_a_model: bool = True
    right_within: str | None = None
    means: Means | None = None
    score_influence: ScoreInfluence | None = None
    is_row_mean: bool = False

    @functools.cached_property
    def help(self) -> tuple[str, dict[str, str]]:
        """What the docstring of the kernel says, by its sections."""
        return sections_of(self.kernel)

    @property
    def of_rows(self) -> bool:
        """Whether rows are scored, which counts do not hold."""
        return self.needs in ("scores", "probabilities")

    @property
    def has_influence(self) -> bool:
        """Whether there is a rule for what a row adds to it, as for all metrics of counts."""
        return not self.of_rows or self.score_influence is not None or self.is_row_mean

    @property
    def takes(self) -> str:
        """The option of a surface that names what is scored."""
        return {"scores": "score", "probabilities": "proba"}.get(self.needs, "pred")

    @property
    def required(self) -> tuple[str, ...]:
        """The names of the options that have no default."""
        return tuple(option.name for option in self.options if option.default is option.empty)

    @property
    def undefined(self) -> float:
        """The value where there is none."""
        return False if self.dtype is bool else np.nan

    @property
    def written_range(self) -> str:
        """The range as text."""
        return " … ".join(map(_written, self.range))

    def bounds(self, n_classes: int) -> tuple[float, float]:
        """Return the lowest and the highest value for that many classes."""
        symbols: dict[Bound, float] = {"K-1": n_classes - 1.0, "1-K": 1.0 - n_classes}
        low, high = (symbols.get(end, end) for end in self.range)
        return float(low), float(high)


def _written(end: Bound) -> str:
    """Write an end of a range as formulas do."""
    if isinstance(end, str):
        return end.replace("-", "−")
    return f"{end:g}".replace("inf", "∞").replace("-", "−")


def sections_of(documented: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return what a docstring says before its sections, and these by their names."""
    title, *parts = SECTION.split(inspect.cleandoc(documented.__doc__ or ""))
    return title.strip(), dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))


class Resolved(NamedTuple):
    """A metric that was asked for, and the options that were set with it."""

    metric: Metric
    options: dict[str, Any]

    def refuse_missing_options(self) -> None:
        """Raise unless all options are set without which the metric cannot be called."""
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
        The metrics, which are read as they are now.
    """

    def __init__(self, metrics: Mapping[str, Metric]) -> None:
        self._metrics = metrics

    def __getitem__(self, name: str) -> Metric:
        """Return what is known of a metric."""
        return self._metrics[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._metrics)

    def __len__(self) -> int:
        """Return how many metrics there are."""
        return len(self._metrics)

    def to_frame(self) -> pd.DataFrame:
        """Return the table, a row for each metric.

        Returns
        -------
        DataFrame
            By the name of the metric: what it ``needs``, its ``range``, the ``direction``,
            ``"higher"`` or ``"lower"`` where one is better, and its ``reference``.

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
            (one.needs, one.written_range, directions[one.greater_is_better], one.reference)
            for one in self.values()
        ]
        columns = ["needs", "range", "direction", "reference"]
        return pd.DataFrame(rows, pd.Index(self, name="name"), columns)

    def __repr__(self) -> str:
        """Write the table as text."""
        return self.to_frame().to_string(max_colwidth=40)

    def _repr_html_(self) -> str:
        return self.to_frame().to_html()


_metrics: dict[str, Metric] = {}
registry = Registry(_metrics)


def register_kernel(
    formula: Callable[..., Any],
    kernel: Callable[..., Values],
    arrays: Sequence[inspect.Parameter],
    *,
    n_inputs: int = 1,
    **facts: Any,
) -> None:
    """Give a kernel the name, the docstring and the options of its formula, and register it.

    The arrays take the place of the formula's first parameters, its inputs.
    """
    parameters = list(inspect.signature(formula).parameters.values())[n_inputs:]
    clash = SURFACE_PARAMETERS & {parameter.name for parameter in parameters}
    if clash:
        raise TypeError(f"{formula.__name__} has an option named as a surface's own: {clash}")
    functools.update_wrapper(kernel, formula)
    kernel.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*arrays, *parameters], return_annotation="Values"
    )
    options = tuple(p for p in parameters if p.kind is p.KEYWORD_ONLY)
    name = formula.__name__
    _metrics[name] = Metric(name=name, kernel=kernel, options=options, **facts)


def refuse_estimator(name: str, given: Any) -> None:
    """Raise for an estimator, which scikit-learn hands to whatever is its `scoring=`."""
    if hasattr(given, "fit") and hasattr(given, "predict"):
        raise TypeError(
            f"{name} takes no estimator, as {an(type(given).__name__)} is: as scoring= give "
            f'po.sklearn.scorer("{name}", classes=[<lowest>, ..., <highest>])'
        )


def resolve(which: str | Callable[..., Any]) -> Resolved:
    """Find the metric that is meant, and the options that are set with it.

    Parameters
    ----------
    which : str or callable
        The name of a metric, its kernel, or a `functools.partial` of its kernel that sets options
        by keyword.

    Returns
    -------
    Resolved
        The metric, as `registry` holds it, and the options.

    Raises
    ------
    ValueError
        If there is no such metric.

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
    found = known(which)
    if found is None:
        raise ValueError(
            f"{which!r} is not a known metric: give a name such as 'oci', a kernel such as "
            "po.metrics.oci, or a partial of a kernel that sets options by keyword, such as "
            "functools.partial(po.metrics.oci, beta=0.25)"
        )
    return found


def known(which: Callable[..., Any]) -> Resolved | None:
    """Find the metric whose kernel, or a partial of it, a function is; None for any other."""
    kernel, options = which, {}
    if isinstance(which, functools.partial) and not which.args:
        kernel, options = which.func, dict(which.keywords)
    found = next((metric for metric in registry.values() if metric.kernel is kernel), None)
    return None if found is None else Resolved(found, options)


def _named(name: str) -> Metric:
    if name not in registry:
        hint = meant(name, registry) or f"; there are {show(list(registry))}"
        raise ValueError(f"there is no metric {name!r}{hint}")
    return registry[name]
