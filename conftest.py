"""What holds for all tests, docstrings, the README and the docs."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _closed_pictures() -> Iterator[None]:
    """Close the pictures of a test: matplotlib warns of more than twenty."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
