"""How a formula of class probabilities becomes a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, Unpack, cast

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array, Floats
from pandas_ordinal.metrics.metric import Facts, Values, register_kernel
from pandas_ordinal.metrics.segments import (
    SAMPLE_WEIGHT,
    TRUE,
    Segments,
    as_array,
    flat,
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
    **facts: Unpack[Facts],
) -> Callable[[Callable[Concatenate[Stack, Array, P], Stack]], ProbabilityKernel[P]]:
    """Make a kernel of a formula and register it.

    The formula gets probabilities ``(n, K)`` and the codes of the true classes, and returns a
    value a row; the kernel is their mean.
    """

    def decorate(
        formula: Callable[Concatenate[Stack, Array, P], Stack],
    ) -> ProbabilityKernel[P]:
        def by_segment(segments: Segments, proba: Array, **options: Any) -> Stack:
            segments, (proba,) = segments.counted(proba)
            segment, n_segments, weights = segments.segment, segments.n_segments, segments.weights
            with np.errstate(all="ignore"):
                values = cast("Any", formula)(proba, segments.codes, **options)
                if weights is not None:
                    values = np.where(weights > 0, values * weights, 0)
                sums = np.bincount(segment, values, n_segments)
                mean: Stack = sums / np.bincount(segment, weights, n_segments)
            return mean

        def kernel(
            true: npt.ArrayLike,
            proba: npt.ArrayLike,
            sample_weight: npt.ArrayLike | None = None,
            **options: Any,
        ) -> Values:
            segments, flattened, leading = flat_probabilities(true, proba, sample_weight)
            return with_leading(leading, by_segment(segments, flattened, **options))

        register_kernel(
            formula,
            kernel,
            [TRUE, PROBA, SAMPLE_WEIGHT],
            n_inputs=2,
            needs="probabilities",
            by_segment=by_segment,
            **facts,
        )
        return cast("ProbabilityKernel[P]", kernel)

    return decorate


def flat_probabilities(
    true: npt.ArrayLike, proba: npt.ArrayLike, sample_weight: npt.ArrayLike | None
) -> tuple[Segments, Floats, tuple[int, ...]]:
    """Turn true classes and probabilities ``(..., n, K)`` into rows, as `flat` does scores."""
    array = as_probabilities(proba)
    columns = list(np.moveaxis(array, -1, 0))
    segments, columns, leading = flat(true, array.shape[-1], sample_weight, *columns)
    stacked = np.stack(columns, axis=-1)
    there = np.flatnonzero(segments.codes >= 0)
    refuse_other_than_probabilities(stacked[there], there)
    return segments, stacked, leading


def as_probabilities(proba: npt.ArrayLike) -> Stack:
    """Return probabilities as an array of floats, or say why they are none."""
    array = as_array("proba", proba)
    if array.dtype.kind not in "biuf" or not array.ndim or not array.shape[-1]:
        raise ValueError(
            f"proba must be an array (..., K) of numbers, a column for each class, not "
            f"{array.dtype} of shape {array.shape}"
        )
    return array.astype(float, copy=False)


def refuse_other_than_probabilities(proba: Stack, labels: Any = None) -> None:
    """Raise unless each row ``(n, K)`` is not negative and sums to one; labels name the rows."""
    with np.errstate(invalid="ignore"):
        sums = proba.sum(axis=-1)
    wrong = np.flatnonzero(~((np.abs(sums - 1) <= SUM_TOLERANCE) & (proba.min(axis=-1) >= 0)))
    if len(wrong):
        row = int(wrong[0])
        label = row if labels is None else labels[row]
        label = label.item() if isinstance(label, np.generic) else label
        raise ValueError(
            f"the probabilities of {len(wrong)} row{'s' * (len(wrong) > 1)} are none: the first, "
            f"row {label!r}, holds "
            f"{[float(round(p, 6)) for p in proba[row]]}, which sums to {sums[row]:.7g}; they are "
            "not negative and sum to 1 within 1e-6: divide each row by its sum if that is meant"
        )
