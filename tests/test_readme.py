"""The README's table of metrics is that of the registry."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import pandas_ordinal as po

README = Path(__file__).parents[1] / "README.md"
ARROWS = {True: "↑", False: "↓", None: ""}


@pytest.mark.parametrize("name", po.metrics.registry)
def test_the_table_has_the_metric_as_its_docstring_has_it(name: str) -> None:
    metric = po.metrics.registry[name]
    title = inspect.cleandoc(metric.kernel.__doc__ or "").splitlines()[0].rstrip(".")
    rows = [row for row in README.read_text("utf-8").splitlines() if row.startswith(f"| `{name}`")]
    assert len(rows) == 1
    assert rows[0].startswith(f"| `{name}` | {title} |")
    assert rows[0].endswith(f"| {ARROWS[metric.greater_is_better]} |")


def test_the_table_has_nothing_else() -> None:
    rows = [row for row in README.read_text("utf-8").splitlines() if row.startswith("| `")]
    assert len(rows) == len(po.metrics.registry)
