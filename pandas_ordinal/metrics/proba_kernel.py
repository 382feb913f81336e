"""How a formula of class probabilities becomes a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, Unpack, cast

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array, Floats
from pandas_ordinal.metrics.metric import Facts, Means, Values, refuse_estimator, register_kernel
from pandas_ordinal.metrics.segments import (
    SAMPLE_WEIGHT,
    TRUE,
    Segments,
    as_array,
    flat,
    refuse_other_rows,
    with_leading,
)
from pandas_ordinal.metrics.stack import Stack

P = ParamSpec("P")

PROBA = TRUE.replace(name="proba")
SUM_TOLERANCE = 1e-6


class ProbabilityKernel(Protocol[P]):
    """A kernel of true classes and class probabilities."""

    def __call__(  # noqa: D102
        self,
        true: npt.ArrayLike,
        proba: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Values: ...


def probability_metric(
    of_row: Callable[[Stack, Array], Stack],
    **facts: Unpack[Facts],
) -> Callable[[Callable[Concatenate[Stack, int, P], Stack]], ProbabilityKernel[P]]:
    """Make a kernel of a formula and register it.

    `of_row` gets the probabilities ``(n, K)`` and the true classes of the rows that count, and
    returns what each row has, ``(m, n)``. The formula gets the means of that over the rows of each
    segment, ``(m, n_segments)``, and K. So rows can be scored a part at a time, whose sums are
    added.
    """

    def decorate(
        formula: Callable[Concatenate[Stack, int, P], Stack],
    ) -> ProbabilityKernel[P]:
        def by_segment(segments: Segments, proba: Array, **options: Any) -> Stack:
            segments, (proba,) = segments.counted(proba)
            with np.errstate(all="ignore"):
                of_rows = of_row(proba, segments.codes)
                means = np.stack([segments.mean(values) for values in of_rows])
                return of_means(means, segments.n_classes, **options)

        def of_means(means: Stack, n_classes: int, **options: Any) -> Stack:
            with np.errstate(all="ignore"):
                values: Stack = cast("Any", formula)(means, n_classes, **options)
            return values

        def kernel(
            true: npt.ArrayLike,
            proba: npt.ArrayLike,
            sample_weight: npt.ArrayLike | None = None,
            **options: Any,
        ) -> Values:
            refuse_estimator(formula.__name__, true)
            segments, flattened, leading = flat_probabilities(true, proba, sample_weight)
            return with_leading(leading, by_segment(segments, flattened, **options))

        register_kernel(
            formula,
            kernel,
            [TRUE, PROBA, SAMPLE_WEIGHT],
            n_inputs=2,
            needs="probabilities",
            by_segment=by_segment,
            means=Means(of_row, of_means),
            **facts,
        )
        return cast("ProbabilityKernel[P]", kernel)

    return decorate


def flat_probabilities(
    true: npt.ArrayLike, proba: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[Segments, Floats, tuple[int, ...]]:
    """Turn true classes and probabilities ``(..., n, K)`` into rows, as `flat` does scores."""
    array = as_probabilities(proba)
    refuse_other_rows(true=true, proba=proba, sample_weight=sample_weight)
    columns = list(np.moveaxis(array, -1, 0))
    segments, columns, leading = flat(true, array.shape[-1], sample_weight, *columns)
    stacked = np.stack(columns, axis=-1)
    there = np.flatnonzero(segments.codes >= 0)
    stacked = stacked.astype(float)
    stacked[there] = probabilities(stacked[there], tolerance(array.shape[-1], array.dtype), there)
    return segments, stacked, leading


def as_probabilities(proba: npt.ArrayLike) -> Array:
    """Return probabilities as an array of numbers, or say why they are none."""
    array = as_array("proba", proba)
    if array.dtype.kind not in "biuf" or not array.ndim or not array.shape[-1]:
        raise ValueError(
            f"proba must be an array (..., K) of numbers, a column for each class, not "
            f"{array.dtype} of shape {array.shape}"
        )
    return array


def tolerance(n_classes: int, *dtypes: np.dtype[Any]) -> float:
    """Return by how much a sum of probabilities may miss 1, in the precision that they have."""
    precision = max((float(np.finfo(t).eps) for t in dtypes if t.kind == "f"), default=0.0)
    rounding = n_classes * np.finfo(float).eps  # of the sum itself: 1 - 0.999999 exceeds 1e-6
    return max(SUM_TOLERANCE, n_classes * precision) + float(rounding)


def probabilities(proba: Array, sums_within: float, labels: Any = None) -> Stack:
    """Return rows ``(n, K)`` of probabilities, clipped to 0 and 1; labels name the rows.

    Raise unless each row is not negative and sums to one.
    """
    floats = proba.astype(float)
    with np.errstate(invalid="ignore"):
        sums = floats.sum(axis=-1)
    right = (np.abs(sums - 1) <= sums_within) & (floats.min(axis=-1) >= -SUM_TOLERANCE)
    wrong = np.flatnonzero(~right)
    if len(wrong):
        row = int(wrong[0])
        label = row if labels is None else labels[row]
        label = label.item() if isinstance(label, np.generic) else label
        raise ValueError(
            f"the probabilities of {len(wrong)} row{'s' * (len(wrong) > 1)} are none: the first, "
            f"row {label!r}, holds "
            f"{[float(round(p, 6)) for p in floats[row]]}, which sums to {sums[row]:.7g}; they "
            f"are not negative and sum to 1 within {sums_within:.2g}: {_cause(floats[row])}"
        )
    clipped: Stack = np.clip(floats, 0, 1)
    return clipped


def _cause(row: Stack) -> str:
    """Say what numbers that are no probabilities probably are."""
    if not np.isfinite(row).all():
        return "leave out rows with NaN or infinity, or find out where these come from"
    if row.min() >= 0 and np.isclose(row.sum(), 100, rtol=0.01):
        return "these look like percentages: divide them by 100"
    if row.min() >= 0 and row.max() > 1 and (row == np.floor(row)).all():
        return "these look like counts: divide each row by its sum"
    if row.min() < -100 * SUM_TOLERANCE or row.max() > 1 + 100 * SUM_TOLERANCE:
        return "these look like logits: make probabilities of them, as by scipy.special.softmax"
    return "set negative ones to 0 and divide each row by its sum if that is meant"
