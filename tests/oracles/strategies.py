"""Small random confusion matrices, and the settings of the property tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays


def examples(number: int, **options: Any) -> settings:
    """Settings of a property: its number of examples, or the share that the profile gives."""
    share = settings().max_examples / 100
    return settings(max_examples=max(3, round(share * number)), deadline=None, **options)


QUICK = examples(30)


def _matrices(n_classes: int) -> st.SearchStrategy[np.ndarray]:
    shape = (n_classes, n_classes)
    dense = arrays(np.int64, shape, elements=st.integers(0, 3), fill=st.nothing())
    sparse = arrays(np.int64, shape, elements=st.integers(0, 5), fill=st.just(0))
    return dense | sparse


def matrices(min_classes: int = 1, max_classes: int = 5) -> st.SearchStrategy[np.ndarray]:
    """K x K matrices of counts; empty rows, empty columns and no rows at all are common."""
    return st.integers(min_classes, max_classes).flatmap(_matrices)
