"""The site: a page for each public name, examples that show values, links that lead somewhere."""

from __future__ import annotations

import ast
import doctest
import functools
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

import pandas_ordinal as po
from pandas_ordinal.metrics import registry

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "site/_ext"))
import api_list  # noqa: E402

PROSE = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])


def documented() -> Iterator[tuple[str, Any, str]]:
    """What has a page of its own, but for the metrics, which `test_base` and doctest run."""
    for surface in api_list.SURFACES:
        for name in surface.methods:
            if name not in registry:
                yield f"{surface.folder}.{name}", surface.accessor, name
    for name in [*api_list.FUNCTIONS, *api_list.RESULTS]:
        yield name, po, name
    for module in (po.metrics, po.plot, po.sklearn):
        for name in dir(module):
            if name not in registry and name != "registry":
                yield f"{module.__name__}.{name}", module, name


DOCUMENTED = {title: (owner, name) for title, owner, name in documented()}


@functools.cache
def pages() -> dict[str, str]:
    """Return the text of each page of the API by its path."""
    return api_list.pages()


def test_every_public_name_has_a_page() -> None:
    targets = {t for page in pages().values() for t in re.findall(r"auto\w+:: (\S+)", page)}
    modules = {"metrics", "plot", "sklearn", "__version__"}
    for name in set(dir(po)) - modules:
        assert f"pandas_ordinal.{name}" in targets
    for module in (po.metrics, po.plot, po.sklearn):
        for name in set(dir(module)) - {"registry"}:
            assert f"{module.__name__}.{name}" in targets
    for surface in api_list.SURFACES:
        for name in dir(surface.accessor):
            if not name.startswith("_"):
                assert f"{surface.module}::{surface.name}.ordinal.{name}" in targets


def test_every_page_can_be_reached() -> None:
    """Each is in the contents of another one, under a name that no other has in any case."""
    reached = {"index"}
    for path, text in pages().items():
        contents = text.partition(":hidden:")[2]
        for entry in re.findall(r"^   (?:.* <)?([\w/.]+)>?$", contents, re.MULTILINE):
            assert f"{entry}.rst" in pages(), path
            reached.add(entry)
    assert {path.removesuffix(".rst") for path in pages()} == reached
    assert len({path.casefold() for path in pages()}) == len(pages())


def test_links_of_pages_lead_to_pages() -> None:
    for path, text in pages().items():
        for target in re.findall(r":doc:`[^`<]*?<?([\w/.]+)>?`", text):
            folder = "" if target.startswith("/") else path.rpartition("/")[0]
            page = "/".join(filter(None, [folder, target.removeprefix("/api/").strip("/")]))
            assert f"{page}.rst" in pages() or target == "/metrics", (path, target)


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.name)
def test_links_of_prose_lead_to_files_and_headings(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        if target.startswith(("http", "mailto")):
            continue
        name, _, heading = target.partition("#")
        file = path.parent / name if name else path
        assert file.exists(), target
        if heading:
            titles = re.findall(r"^#+ (?:#+ )?(.*)$", file.read_text("utf-8"), re.MULTILINE)
            slugs = [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]
            assert heading in slugs, target


@pytest.mark.parametrize("name", registry)
def test_a_metric_has_a_formula_and_what_it_is_blind_to(name: str) -> None:
    metric = registry[name]
    formula = metric.formula
    assert formula and all(
        f"   {part.strip()}\n" in pages()[f"metrics/{name}.rst"]
        for part in formula.split(r"\qquad")
    )
    for opening, closing in ("{}", "()", "[]"):
        bare = formula.replace(rf"\{opening}", "").replace(rf"\{closing}", "")
        assert bare.count(opening) == bare.count(closing)
    assert formula.count(r"\begin{") == formula.count(r"\end{")
    assert len(re.findall(r"\\Bigl|\\bigl", formula)) == len(re.findall(r"\\Bigr|\\bigr", formula))
    commands = re.sub(r"\\(text|mathrm|operatorname\*?)\{[^}]*\}", "", formula)
    commands = re.sub(r"\\(begin|end)\{\w+\}", "", commands)
    commands = re.sub(r"\\[a-zA-Z]+|\\.", " ", commands)
    assert re.findall(r"[a-zA-Z]{3,}", commands) in ([], ["prox"]), "a word that is no command"
    is_measure = metric.greater_is_better is not None or name in ("bias", "class_off_by_one")
    assert bool(metric.blind_to) == is_measure
    assert not metric.blind_to or metric.blind_to.endswith(".")


def symbols(latex: str) -> set[str]:
    """The letters in LaTeX, and the names and marked letters."""
    bare = re.sub(r"\\(operatorname\*?|begin|end)\{[^}]*\}|\\, d(?=\\beta)", "", latex)
    found = re.findall(r"\\(?:hat|bar|mathrm)\{\w+\}|\\[a-zA-Z]+|[a-zA-Z]", bare)
    greek = re.compile(r"\\(beta|gamma|[dD]elta|pi|rho|tau)$")
    return {one for one in found if one[-1] == "}" or len(one) == 1 or greek.match(one)}


@pytest.mark.parametrize("name", registry)
def test_the_letters_of_a_formula_are_explained(name: str) -> None:
    """By the text below it, by a definition, or as what a sum or an extreme goes over."""
    formula = registry[name].formula
    page = pages()[f"metrics/{name}.rst"]
    text = page[page.rindex(".. math::") : page.index(".. list-table::")].partition("\n\n")[2]
    below = text.partition("\n\n")[2]
    known = symbols(" ".join(re.findall(r":math:`([^`]*)`", below)))
    known |= {*re.findall(r"\b[a-zA-Z]\b", re.sub(r":math:`[^`]*`", "", below))} - {"a", "A"}
    for bound in re.findall(r"\\(?:sum|prod|min|max)_\{?(?:y_)?([a-z](?:'?, [a-z])*)", formula):
        known |= symbols(bound)
    for part in formula.split(r"\qquad"):
        left, is_defined, _ = part.partition(" = ")
        if is_defined and not re.search(r"\\(sum|frac|prod)", left):
            known |= symbols(left)
    assert symbols(formula) <= known


def test_the_page_of_measures_says_what_the_registry_does() -> None:
    rows = (ROOT / "docs/which-measure.md").read_text("utf-8").splitlines()
    for row in [row for row in rows if row.startswith("| ") and "`" in row]:
        _, _, measures, blind, _ = row.split("|")
        first = measures.split("`")[1]
        if first in registry:
            assert blind.strip().startswith(registry[first].blind_to), first


@pytest.mark.filterwarnings("ignore:numpy.ndarray size changed")  # old netCDF4
@pytest.mark.parametrize("name", DOCUMENTED)
def test_an_example_runs_and_shows_a_value(name: str) -> None:
    mpl.use("agg")
    (test,) = doctest.DocTestFinder(recurse=False, exclude_empty=False).find(
        getattr(*DOCUMENTED[name]), name, False, globs={}
    ) or [None]
    assert test is not None and test.examples, "no example"
    *_, last = test.examples
    if not last.want:  # the page has it
        assert isinstance(ast.parse(last.source).body[-1], ast.Expr)
        last.source = f"value = {last.source}"
    failures: list[str] = []
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.DocTestRunner(verbose=False, optionflags=flags).run(test, out=failures.append)
    assert not result.failed, failures


def test_pages_of_methods_name_what_they_document() -> None:
    for surface in api_list.SURFACES:
        for name in surface.methods:
            assert inspect.getdoc(getattr(surface.accessor, name)), name
            title = f"{surface.title}.ordinal.{name}\n"
            assert pages()[f"{surface.folder}/{name}.rst"].startswith(
                (title, f":nosearch:\n\n{title}")
            )
