"""Rows of three grades whose alphabetical order is not their order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

GRADES = ["low", "medium", "high"]


class Rows(NamedTuple):
    """Features, the positions of the grades, and the grades as text."""

    X: np.ndarray
    codes: np.ndarray
    y: np.ndarray


@pytest.fixture
def rows() -> Rows:
    rng = np.random.default_rng(16)
    X = rng.normal(size=(90, 3))
    codes = np.digitize(X[:, 0] + rng.normal(0, 0.8, 90), [-0.6, 0.6])
    return Rows(X, codes, np.array(GRADES)[codes])
