"""The tables of metrics in the README and the docs are those of the registry."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pandas as pd
import pytest

import pandas_ordinal as po

ROOT = Path(__file__).parents[1]
TABLES = {path: (ROOT / path).read_text("utf-8") for path in ("README.md", "docs/metrics.md")}
DEFAULT = "accuracy accuracy_within mae amae mmae kappa kendall_tau r_int oci stc"
SHOWN = {"README.md": DEFAULT.split(), "docs/metrics.md": list(po.metrics.registry)}
ARROWS = {True: "↑", False: "↓", None: ""}


@pytest.mark.parametrize(
    ("path", "name"), [(path, name) for path in SHOWN for name in SHOWN[path]]
)
def test_the_table_has_the_metric_as_its_docstring_has_it(path: str, name: str) -> None:
    metric = po.metrics.registry[name]
    title = inspect.cleandoc(metric.kernel.__doc__ or "").splitlines()[0].rstrip(".")
    rows = [row for row in TABLES[path].splitlines() if row.startswith(f"| `{name}`")]
    assert len(rows) == 1
    assert rows[0].startswith(f"| `{name}` | {title} |")
    assert rows[0].endswith(f"| {ARROWS[metric.greater_is_better]} |")


@pytest.mark.parametrize("path", TABLES)
def test_the_table_has_nothing_else(path: str) -> None:
    rows = [row for row in TABLES[path].splitlines() if row.startswith("| `")]
    assert len(rows) == len(SHOWN[path])


def test_the_readme_shows_the_ten_of_a_report() -> None:
    df = pd.DataFrame({"y": [0, 1, 2], "yhat": [0, 2, 2]})
    assert df.ordinal.report("y", "yhat").index.tolist() == ["n", *SHOWN["README.md"]]


PAGE = (ROOT / "docs/which-measure.md").read_text("utf-8")


def test_the_page_of_measures_has_the_ten_of_a_report_in_order() -> None:
    lines = PAGE.partition("## The ten of a report")[2].splitlines()
    named = [line.split("`")[1] for line in lines if line.startswith("- `")]
    assert named == DEFAULT.split()


def test_the_page_of_measures_names_what_there_is() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 10
    methods = {"accuracy_curve", "agreement", "class_report", "cut_report", "dominance"}
    for row in rows:
        _, question, measures, blind, _ = row.split("|")
        assert question.strip().endswith("?") and blind.strip().endswith(".")
        named = measures.split("`")[1::2]
        assert named and set(named) <= {*po.metrics.registry, *methods}


def pages(path: str) -> list[str]:
    """The items of lists that begin with links to pages, without folders and line breaks."""
    text = (ROOT / path).read_text("utf-8").replace("](docs/", "](")
    return [" ".join(item.split()) for item in re.findall(r"^- \[(?:.|\n(?=  ))*", text, re.M)]


def test_the_readme_lists_the_pages_in_the_order_of_the_site() -> None:
    start, guide, gallery, more = pages("docs/index.md")
    in_order = [start, *pages("docs/guide.md"), gallery, *pages("docs/more.md")]
    assert pages("README.md")[-len(in_order) :] == in_order
    listed = {re.findall(r"\]\(([\w/-]+\.md)\)", item)[0] for item in [*in_order, guide, more]}
    docs = ROOT / "docs"
    written = [*docs.glob("*.md"), *docs.glob("notebooks/*.md")]
    assert listed == {path.relative_to(docs).as_posix() for path in written} - {"index.md"}
