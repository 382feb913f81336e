"""What is written for readers: the pages, and the docstrings and other texts of the package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pandas_ordinal as po

PACKAGE = Path(po.__file__).parent
ROOT = PACKAGE.parent


def texts() -> Iterator[tuple[str, str]]:
    """Yield the docs, and the docstrings and other texts of the package, with their places."""
    for page in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]:
        yield page.name, page.read_text()
    for room in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(room.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{room.relative_to(PACKAGE)}:{node.lineno}", node.value


TEXTS = list(texts())
