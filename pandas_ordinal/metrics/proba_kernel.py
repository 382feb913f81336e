"""How a formula of class probabilities becomes a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, Unpack, cast

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import (
    Array,
    Positions,
    Probabilities,
    Stack,
    blocks,
    tolerance,
)
from pandas_ordinal.errors import refuse_wrong_values, signature_of
from pandas_ordinal.metrics.metric import (
    Facts,
    Means,
    OfRow,
    RowTerms,
    Values,
    refuse_estimator,
    register_kernel,
)
from pandas_ordinal.metrics.segments import (
    SAMPLE_WEIGHT,
    TRUE,
    Segments,
    as_array,
    flatten_to_segments,
    refuse_other_rows,
    with_leading,
)
from pandas_ordinal.metrics.stack import reals

_P = ParamSpec("_P")

PROBA = TRUE.replace(name="proba")
BY_ROW = "reference"  # the option that may have probabilities for each row
HALF_TOLERANCE = 1e-12


class RowMeans(NamedTuple):
    """The means of `of_row` over each segment, of probabilities that an option has."""

    means: Stack


class ProbabilityKernel(Protocol[_P]):
    """A kernel of true classes and class probabilities."""

    def __call__(  # noqa: D102
        self,
        true: npt.ArrayLike,
        proba: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Values: ...


def probability_metric(
    of_row: OfRow | None = None,
    *,
    fair_row: OfRow | None = None,
    **facts: Unpack[Facts],
) -> Callable[[Callable[Concatenate[Stack, int, _P], Stack]], ProbabilityKernel[_P]]:
    """Turn a formula into a kernel and register it.

    `of_row` gets the probabilities ``(n, K)`` and the true classes of the rows that count, and
    returns m numbers per row, ``(m, n)``. The formula gets their means over the rows of each
    segment, ``(m, n_segments)``, and K. So rows can be scored part by part, adding up the sums.
    For terms of a row that depend on other rows, `row_terms` takes the place of `of_row`.

    `fair_row` is `of_row` for the numbers of members of an ensemble in each class.
    """

    def decorate(
        formula: Callable[Concatenate[Stack, int, _P], Stack],
    ) -> ProbabilityKernel[_P]:
        parameters = signature_of(formula).parameters

        def computed_by(errors: OfRow | None) -> dict[str, Any]:
            """Return what is known of a metric by the function of its rows."""
            if errors is None or of_row is None:
                row_terms = facts.get("row_terms")
                assert row_terms is not None
                return {"by_segment": _by_terms(row_terms, formula)}
            by_segment, means = _by_means(errors, of_row, formula)
            return {"by_segment": by_segment, "means": means}

        own: dict[str, Any] = {**facts, **computed_by(of_row)}
        by_segment = own["by_segment"]

        def kernel(
            true: npt.ArrayLike,
            proba: npt.ArrayLike,
            sample_weight: npt.ArrayLike | None = None,
            **options: Any,
        ) -> Values:
            refuse_estimator(formula.__name__, true)
            refuse_wrong_values(parameters, options)
            segments, flattened, leading = flat_probabilities(true, proba, sample_weight)
            options = with_reference_by_row(options, true, proba, sample_weight)
            return with_leading(leading, by_segment(segments, flattened, **options))

        register_kernel(
            formula,
            kernel,
            [TRUE, PROBA, SAMPLE_WEIGHT],
            n_inputs=2,
            needs="probabilities",
            guesses=_uniform,
            of_members=None if fair_row is None else computed_by(fair_row),
            **own,
        )
        return cast("ProbabilityKernel[_P]", kernel)

    return decorate


def _uniform(n_classes: int) -> tuple[Array, Array]:
    """Return the uniform forecast, with each true class."""
    return np.arange(n_classes), np.full((n_classes, n_classes), 1 / n_classes)


def _by_terms(row_terms: RowTerms, formula: Callable[..., Stack]) -> Callable[..., Stack]:
    """Return a function that scores segments by terms of rows, which depend on other rows."""

    def by_segment(segments: Segments, proba: Array | Probabilities, **options: Any) -> Stack:
        with np.errstate(all="ignore"):
            means = _means(_as_terms, segments, row_terms(segments, proba, **options))
            return formula(means, segments.n_classes, **options)

    return by_segment


def _by_means(
    of_row: OfRow, of_reference: OfRow, formula: Callable[..., Stack]
) -> tuple[Callable[..., Stack], Means]:
    """Return a function that scores segments by means of `of_row`, and one of such means."""

    def by_segment(segments: Segments, proba: Array | Probabilities, **options: Any) -> Stack:
        with np.errstate(all="ignore"):
            means = _means(of_row, segments, proba)
            if isinstance(options.get(BY_ROW), Probabilities):
                options[BY_ROW] = RowMeans(_means(of_reference, segments, options[BY_ROW]))
            return of_means(means, segments.n_classes, **options)

    def of_means(means: Stack, n_classes: int, **options: Any) -> Stack:
        with np.errstate(all="ignore"):
            return formula(means, n_classes, **options)

    return by_segment, Means(of_row, of_means)


def _means(
    of_row: Callable[[Stack, Array], Stack], segments: Segments, proba: Array | Probabilities
) -> Stack:
    """Average `of_row` over each segment; rows of weight 0 add nothing, even if theirs is inf."""
    n_segments, sums, weights = segments.n_segments, np.zeros((1, 1)), np.zeros(1)
    for rows in blocks(len(segments.codes), at_least=n_segments):
        codes, there = segments.codes[rows], rows
        if codes.min(initial=0) < 0:
            there = rows.start + np.flatnonzero(codes >= 0)
            codes = segments.codes[there]
        segment = segments.segment[there]
        weight = None if segments.weights is None else segments.weights[there]
        of_rows = of_row(proba[there], codes)
        if weight is not None:
            of_rows = np.where(weight > 0, of_rows * weight, 0)
        sums = sums + [np.bincount(segment, values, n_segments) for values in of_rows]
        weights = weights + np.bincount(segment, weight, n_segments)
    return sums / weights


def _as_terms(terms: Stack, true: Array) -> Stack:
    """Return the terms of rows as `of_row` does."""
    return terms[None]


def flat_probabilities(
    true: npt.ArrayLike, proba: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[Segments, Probabilities, tuple[int, ...]]:
    """Turn true classes and probabilities ``(..., n, K)`` into rows, as `flat` does scores."""
    array = as_probabilities(proba)
    refuse_other_rows(true=true, proba=proba, sample_weight=sample_weight)
    if array.ndim == 1 and array.shape == np.shape(true):
        array = _of_two_classes(true, array)
    columns = list(np.moveaxis(array, -1, 0))
    segments, columns, leading = flatten_to_segments(
        true, array.shape[-1], sample_weight, *columns
    )
    checked = Probabilities(columns, tolerance(len(columns), array.dtype))
    checked.refuse_wrong(segments.codes)
    return segments, checked, leading


def _ndim(values: Any) -> int:
    """Return the number of dimensions of an array or of lists."""
    if isinstance(values, (list, tuple)):
        return 1 + max(map(_ndim, values), default=0)
    return getattr(values, "ndim", 0)


def with_reference_by_row(
    options: dict[str, Any],
    true: npt.ArrayLike,
    proba: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
) -> dict[str, Any]:
    """Read the probabilities of a reference that differ between rows, if there are some."""
    if _ndim(options.get(BY_ROW)) < 2:
        return options
    array, shape = reals(BY_ROW, options[BY_ROW]), np.shape(proba)
    if array.shape not in (shape, shape[-2:]):
        raise ValueError(
            f"{BY_ROW}= has shape {array.shape}, but the probabilities have shape {shape}: give "
            "one probability per class, or for each row one per class"
        )
    try:
        read = flat_probabilities(true, np.broadcast_to(array, shape), sample_weight)[1]
    except ValueError as error:
        raise ValueError(f"{BY_ROW}=: {error}") from error
    return {**options, BY_ROW: read}


def _of_two_classes(true: npt.ArrayLike, higher: Array) -> Array:
    """Return the probabilities ``(n, 2)`` of two classes, given those of the higher one."""
    labels = as_array("true", true)
    if labels.dtype.kind in "biuf" and labels.max(initial=0) > 1:  # others are refused later
        raise ValueError(
            f"proba has shape {higher.shape}, the probability of the higher of two classes, but "
            f"true classes hold {labels.max()}: give all columns, an array (..., n, K)"
        )
    return np.stack([1 - higher, higher], axis=-1)


def as_probabilities(proba: npt.ArrayLike) -> Array:
    """Return probabilities as an array of numbers; raise for anything else."""
    array = as_array("proba", proba)
    if array.dtype.kind not in "biuf" or not array.ndim or not array.shape[-1]:
        raise ValueError(
            f"proba must be an array (..., K) of numbers, one column per class, not "
            f"{array.dtype} of shape {array.shape}"
        )
    return array


def probabilities(proba: Array, sums_within: float, option: str = "") -> Stack:
    """Return rows ``(n, K)``, clipped to 0 and 1; raise unless they all hold probabilities."""
    checked = Probabilities(list(proba.T), sums_within, option)
    checked.refuse_wrong(np.zeros(len(proba), np.int8))
    return checked[:]


def middle_of(proba: Array) -> np.intp | Positions:
    """Return the lowest class of each row whose cumulative probability is at least a half."""
    half = proba.sum(axis=-1, keepdims=True) / 2 - HALF_TOLERANCE
    codes: np.intp | Positions = np.argmax(np.cumsum(proba, axis=-1) >= half, axis=-1)
    return codes
