"""How a formula of scores becomes a kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, Unpack, cast

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Stack
from pandas_ordinal.metrics.metric import Facts, Values, refuse_estimator, register_kernel
from pandas_ordinal.metrics.ranked_rows import Ranked, as_scores, ranked_blocks
from pandas_ordinal.metrics.segments import (
    SAMPLE_WEIGHT,
    TRUE,
    Segments,
    flat,
    refuse_other_rows,
    with_leading,
)

P = ParamSpec("P")

SCORE = TRUE.replace(name="score")
N_CLASSES = TRUE.replace(name="n_classes", annotation="int")


class ScoreKernel(Protocol[P]):
    """A kernel of true classes and scores."""

    def __call__(  # noqa: D102
        self,
        true: npt.ArrayLike,
        score: npt.ArrayLike,
        n_classes: int,
        sample_weight: npt.ArrayLike | None = None,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Values: ...


def score_metric(
    *,
    n_blocks: int = 1,
    **facts: Unpack[Facts],
) -> Callable[[Callable[Concatenate[Ranked, P], Stack]], ScoreKernel[P]]:
    """Turn a formula into a kernel and register it.

    The formula gets the ranked rows of some segments, ``n_blocks`` blocks of rows at once, and
    returns ``(segments, *output)``. The kernel takes care of validation, floating-point warnings
    and segments without rows, which score NaN.
    """
    output = facts.get("output", ())

    def decorate(formula: Callable[Concatenate[Ranked, P], Stack]) -> ScoreKernel[P]:
        def by_segment(segments: Segments, score: Array, **options: Any) -> Stack:
            return scored(formula, segments, [score], len(output), options, n_blocks)

        def kernel(
            true: npt.ArrayLike,
            score: npt.ArrayLike,
            n_classes: int,
            sample_weight: npt.ArrayLike | None = None,
            **options: Any,
        ) -> Values:
            refuse_estimator(formula.__name__, true)
            segments, (column,), leading = rows_of(true, n_classes, sample_weight, score=score)
            return with_leading(leading, by_segment(segments, column, **options))

        arrays = [TRUE, SCORE, N_CLASSES, SAMPLE_WEIGHT]
        register_kernel(formula, kernel, arrays, needs="scores", by_segment=by_segment, **facts)
        return cast("ScoreKernel[P]", kernel)

    return decorate


def rows_of(
    true: npt.ArrayLike,
    n_classes: int,
    sample_weight: npt.ArrayLike | None,
    **scores: npt.ArrayLike,
) -> tuple[Segments, list[Array], tuple[int, ...]]:
    """Turn arrays ``(..., n)`` into rows, their scores and the leading shape."""
    refuse_other_rows(true=true, **scores, sample_weight=sample_weight)
    columns = [as_scores(name, values) for name, values in scores.items()]
    return flat(true, n_classes, sample_weight, *columns)


def scored(
    formula: Callable[..., Stack],
    segments: Segments,
    scores: Sequence[Array],
    n_axes: int,
    options: Mapping[str, Any],
    n_blocks: int = 1,
) -> Stack:
    """Apply a formula to the rows ranked by each score; segments without rows score NaN."""
    results = np.full((segments.n_segments, *[segments.n_classes] * n_axes), np.nan)
    counted, columns = segments.counted(*scores)
    with np.errstate(all="ignore"):
        for numbers, _, ranked in ranked_blocks(counted, *columns, n_blocks=n_blocks):
            results[numbers] = formula(*ranked, **options)
    return results
