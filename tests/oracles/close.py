"""Comparisons of numbers: how close counts as equal."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest


def assert_same(actual: Any, expected: Any, tolerance: float = 1e-12, of: str = "") -> None:
    """Equal to the tolerance, with NaN in exactly the same places; `of` is what is compared."""
    expected = np.array(expected, dtype=float)
    np.testing.assert_allclose(
        actual, expected, rtol=1e-12, atol=tolerance, equal_nan=True, err_msg=of
    )


def approx(value: Any, tolerance: float = 1e-12) -> Any:
    return pytest.approx(value, rel=0, abs=tolerance, nan_ok=True)


def printed(value: str) -> Any:
    """What a printed number stands for: half a unit of its last digit around it."""
    half_unit = 0.5 * 10.0 ** int(Decimal(value).as_tuple().exponent)
    return pytest.approx(float(value), rel=0, abs=max(half_unit * 1.000001, 1e-12))
