"""How a formula of scores becomes a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, Unpack, cast

import numpy as np
import numpy.typing as npt

from pandas_ordinal.counting.arrays import Array, Stack
from pandas_ordinal.errors import refuse_wrong_values, signature_of
from pandas_ordinal.metrics.metric import Facts, Values, refuse_estimator, register_kernel
from pandas_ordinal.metrics.ranked_rows import Ranked, as_scores, ranked_blocks
from pandas_ordinal.metrics.segments import (
    SAMPLE_WEIGHT,
    TRUE,
    Segments,
    flatten_to_segments,
    refuse_other_rows,
    with_leading,
)

_P = ParamSpec("_P")

SCORE = TRUE.replace(name="score")
N_CLASSES = TRUE.replace(name="n_classes", annotation="int")


class ScoreKernel(Protocol[_P]):
    """A kernel of true classes and scores."""

    def __call__(  # noqa: D102
        self,
        true: npt.ArrayLike,
        score: npt.ArrayLike,
        n_classes: int,
        sample_weight: npt.ArrayLike | None = None,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> Values: ...


def score_metric(
    *,
    n_blocks: int = 1,
    **facts: Unpack[Facts],
) -> Callable[[Callable[Concatenate[Ranked, _P], Stack]], ScoreKernel[_P]]:
    """Turn a formula into a kernel and register it.

    The formula gets the ranked rows of some segments, ``n_blocks`` blocks of rows at once, and
    returns ``(segments, *output)``. The kernel takes care of validation, floating-point warnings
    and segments without rows, which score NaN.
    """
    output = facts.get("output", ())

    def decorate(formula: Callable[Concatenate[Ranked, _P], Stack]) -> ScoreKernel[_P]:
        parameters = signature_of(formula).parameters

        def by_segment(segments: Segments, score: Array, **options: Any) -> Stack:
            shape = segments.n_segments, *[segments.n_classes] * len(output)
            results = np.full(shape, np.nan)
            counted, (column,) = segments.counted(score)
            with np.errstate(all="ignore"):
                for numbers, _, ranked in ranked_blocks(counted, column, n_blocks=n_blocks):
                    results[numbers] = cast("Any", formula)(ranked, **options)
            return results

        def kernel(
            true: npt.ArrayLike,
            score: npt.ArrayLike,
            n_classes: int,
            sample_weight: npt.ArrayLike | None = None,
            **options: Any,
        ) -> Values:
            refuse_estimator(formula.__name__, true)
            refuse_wrong_values(parameters, options)
            refuse_other_rows(true=true, score=score, sample_weight=sample_weight)
            column = as_scores("score", score)
            segments, (column,), leading = flatten_to_segments(
                true, n_classes, sample_weight, column
            )
            return with_leading(leading, by_segment(segments, column, **options))

        arrays = [TRUE, SCORE, N_CLASSES, SAMPLE_WEIGHT]
        register_kernel(formula, kernel, arrays, needs="scores", by_segment=by_segment, **facts)
        return cast("ScoreKernel[_P]", kernel)

    return decorate
