"""How a formula of scores becomes a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, Unpack, cast

import numpy as np
import numpy.typing as npt

from pandas_ordinal.arrays import Array
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
from pandas_ordinal.metrics.stack import Stack

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
    **facts: Unpack[Facts],
) -> Callable[[Callable[Concatenate[Ranked, P], Stack]], ScoreKernel[P]]:
    """Make a kernel of a formula and register it.

    The formula gets a block of segments and returns ``(segments, *output)``. It need not care
    about which segments these are, validation, floating-point warnings or segments without rows:
    those score NaN. One that compares two scores takes the second as its option `other`, ranked
    as the first.
    """
    output = facts.get("output", ())

    def decorate(formula: Callable[Concatenate[Ranked, P], Stack]) -> ScoreKernel[P]:
        def by_segment(
            segments: Segments, score: Array, other: Array | None = None, **options: Any
        ) -> Stack:
            shape = (segments.n_segments, *[segments.n_classes] * len(output))
            results = np.full(shape, np.nan)
            both = [score] if other is None else [score, other]
            with np.errstate(all="ignore"):
                for numbers, ranked in ranked_blocks(segments, *both):
                    if other is not None:
                        options["other"] = ranked[1]
                    results[numbers] = cast("Any", formula)(ranked[0], **options)
            return results

        def kernel(
            true: npt.ArrayLike,
            score: npt.ArrayLike,
            n_classes: int,
            sample_weight: npt.ArrayLike | None = None,
            **options: Any,
        ) -> Values:
            refuse_estimator(formula.__name__, true)
            scores = {"score": score} | {k: options.pop(k) for k in ("other",) if k in options}
            refuse_other_rows(true=true, **scores, sample_weight=sample_weight)
            columns = [as_scores(name, values) for name, values in scores.items()]
            segments, columns, leading = flat(true, n_classes, sample_weight, *columns)
            return with_leading(leading, by_segment(segments, *columns, **options))

        arrays = [TRUE, SCORE, N_CLASSES, SAMPLE_WEIGHT]
        register_kernel(formula, kernel, arrays, needs="scores", by_segment=by_segment, **facts)
        return cast("ScoreKernel[P]", kernel)

    return decorate
