"""The functions of the probabilities of a row, with costs for the one that needs some."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pandas_ordinal import metrics


def least_squared_error(proba: Any, **options: Any) -> Any:
    """The least costly class, where an error costs its square."""
    shape = np.shape(proba)
    position = np.arange(shape[-1] if shape else 1)
    return metrics.least_costly(proba, (position[:, None] - position) ** 2, **options)


OF_ROWS: dict[str, Callable[..., Any]] = {
    "expected_class": metrics.expected_class,
    "most_likely": metrics.most_likely,
    "median_class": metrics.median_class,
    "least_costly": least_squared_error,
}
