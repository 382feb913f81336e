"""The papers redone: each item of docs/papers.md has its section; what is equal is asserted."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PAPERS = ROOT / "examples/papers"
PAGE = (ROOT / "docs/papers.md").read_text("utf-8")
NOTEBOOKS = sorted({path.stem for path in PAPERS.glob("*.py")} - {"classifiers"})
LINE = re.compile(
    r"^\| (?P<item>.+) \| (?P<state>.+) \| \[(?P<title>.+)\]"
    r"\(\.\./examples/papers/(?P<notebook>\w+)\.py#(?P<anchor>\S+)\) \|$",
    re.MULTILINE,
)
STATES = {"equal", "alike", "wrong in the paper", "not redone"}
SHOWS = {"display", "print"}


class Item(NamedTuple):
    """A line of a table: what is redone, how it came out, and where."""

    item: str
    state: str
    title: str
    notebook: str
    anchor: str


ITEMS = [Item(**match.groupdict()) for match in LINE.finditer(PAGE)]


def anchor_of(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def sections(notebook: str) -> dict[str, str]:
    """Return the code of each section of a notebook by its heading."""
    source = (PAPERS / f"{notebook}.py").read_text("utf-8")
    found = {}
    for part in re.split(r"^# (?=## )", source, flags=re.MULTILINE)[1:]:
        heading, _, rest = part.partition("\n")
        found[heading.removeprefix("## ")] = rest
    return found


SECTIONS = {notebook: sections(notebook) for notebook in NOTEBOOKS}


def calls_and_assertions(code: str) -> tuple[set[str], int]:
    """Return the functions that a section calls, and how many of its assertions can fail."""
    nodes = list(ast.walk(ast.parse(code)))
    called = {node.func.id for node in nodes if _is_call_of_a_name(node)}
    asserted = [node.test for node in nodes if isinstance(node, ast.Assert)]
    return called, sum(not isinstance(test, ast.Constant) for test in asserted)


def _is_call_of_a_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def test_the_page_lists_the_items() -> None:
    lines = [line for line in PAGE.splitlines() if "examples/papers/" in line and line[0] == "|"]
    assert len(ITEMS) == len(lines) > 50
    assert {item.state for item in ITEMS} == STATES
    assert {item.notebook for item in ITEMS} == set(NOTEBOOKS)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.notebook}: {item.item}")
def test_an_item_has_a_section_that_checks_or_shows_it(item: Item) -> None:
    assert item.title in SECTIONS[item.notebook]
    assert anchor_of(item.title) == item.anchor
    code = SECTIONS[item.notebook][item.title]
    called, n_assertions = calls_and_assertions(code)
    if item.state in ("equal", "wrong in the paper"):
        assert n_assertions > 0
    elif item.state == "alike":
        assert called & SHOWS
    else:
        assert re.search(r"\bcannot\b|\bdoes not redo\b|\bnothing to redo\b", code)


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_section_is_listed(notebook: str) -> None:
    listed = {item.title for item in ITEMS if item.notebook == notebook}
    assert listed == SECTIONS[notebook].keys()


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_notebook_runs(notebook: str) -> None:
    """With the extra `papers`, as `make papers` runs it; without, where it needs no more."""
    for package in ("IPython", "pymoo", "skordinal", "statsmodels"):
        if re.search(
            rf"^(?:from|import) {package}\b", (PAPERS / f"{notebook}.py").read_text(), re.M
        ):
            pytest.importorskip(package)
    done = subprocess.run(
        [sys.executable, "-W", "error", PAPERS / f"{notebook}.py"],
        env=os.environ | {"MPLBACKEND": "agg", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
