"""What holds for all tests, docstrings, the README and the docs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

import pytest

collect_ignore = ["docs/api"]  # what the site is built from


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run composed examples, whose values the site shows, and the docstrings do not."""
    for item in items:
        examples = getattr(getattr(item, "dtest", None), "examples", [])
        if examples and item.path.parent.name == "accessors" and not examples[-1].want:
            last = examples[-1]
            if isinstance(ast.parse(last.source).body[-1], ast.Expr):
                last.source = f"value = {last.source}"


@pytest.fixture(autouse=True)
def _closed_pictures() -> Iterator[None]:
    """Close the pictures of a test: matplotlib warns of more than twenty."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
