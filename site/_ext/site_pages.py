"""What the site adds to docs/: pages of the API, contents, links, and values of examples."""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import os
import re
from pathlib import Path
from typing import Any

from api_list import pages
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

import pandas_ordinal as po

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "examples/papers"
NOTEBOOKS = sorted(set(PAPERS.glob("*.py")) - {PAPERS / "classifiers.py"})
# Pages whose list of links is the order of the site
LISTS = {
    "index": ["api/index"],
    "guide": [],
    "more": ["api/changelog", "api/contributing", "api/benchmarks/results"],
    "papers": [f"api/papers/{path.stem}" for path in NOTEBOOKS],
}
FROM_ROOT = ["CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/RESULTS.md"]
LISTED = re.compile(r"^- .*?\]\((?P<page>[\w/-]+)\.md\)", re.MULTILINE)
DOI = re.compile(r"doi:(10\.[^\s,;]*[^\s,;.)])")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect what follows to Sphinx."""
    app.connect("config-inited", lambda app, config: write_pages(Path(app.srcdir)))
    app.connect("source-read", complete)
    app.connect("autodoc-process-docstring", show_value, priority=400)  # numpydoc's is 500
    app.add_post_transform(Links)
    app.add_post_transform(Breaks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(docs: Path) -> None:
    """Write the pages of the API and those of the root, where their text has changed."""
    texts = {docs / "api" / path: text for path, text in pages().items()}
    for path in FROM_ROOT:
        page = docs / "api" / path.lower()
        included = os.path.relpath(ROOT / path, page.parent)
        texts[page] = f"```{{include}} {included}\n:relative-images:\n```\n"
    for path in PAPERS.glob("*.py"):
        texts[docs / "api/papers" / path.name] = path.read_text("utf-8")
    for path, text in texts.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    for stale in {*docs.glob("api/**/*.*")} - texts.keys():
        stale.unlink()


def complete(app: Sphinx, docname: str, source: list[str]) -> None:
    """Add contents to the pages that list others, and links that only the site has."""
    if docname in LISTS:
        first, *others = re.split(r"^## ", source[0], flags=re.MULTILINE)
        contents = _contents("", [*_listed(first), *LISTS[docname]])
        for part in others:
            contents += _contents(part.partition("\n")[0], _listed(part))
        source[0] += contents
    for path in FROM_ROOT:
        source[0] = source[0].replace(f"](../{path})", f"](/api/{path.lower()})")
    source[0] = source[0].replace("](../examples/papers/", "](/api/papers/")
    source[0] = source[0].replace("\n\n```\n", "\n```\n")  # which doctest needs


def _listed(text: str) -> list[str]:
    """Return the pages that a list names."""
    return [match["page"] for match in LISTED.finditer(text)]


def _contents(caption: str, entries: list[str]) -> str:
    """Return a hidden table of contents."""
    options = f":hidden:\n:caption: {caption}" if caption else ":hidden:"
    lines = "\n".join(entries)
    return f"\n```{{toctree}}\n{options}\n\n{lines}\n```\n" if entries else ""


def show_value(
    app: Sphinx, what: str, name: str, documented: Any, options: Any, lines: list[str]
) -> None:
    """Show the value of an example that ends in an expression without one."""
    examples = doctest.DocTestParser().get_examples("\n".join(lines))
    if not examples or examples[-1].want or not _is_expression(examples[-1].source):
        return
    last, shown, names = examples[-1], io.StringIO(), {}
    for example in examples:
        with contextlib.redirect_stdout(shown if example is last else io.StringIO()):
            try:
                exec(compile(example.source, name, "single"), names)
            except ValueError as error:  # what Dask has no method for, it says
                print(f"Traceback (most recent call last):\n    ...\nValueError: {error}")
    after = last.lineno + last.source.count("\n")
    indent = " " * last.indent
    lines[after:after] = [indent + line for line in shown.getvalue().splitlines() if line]


def _is_expression(source: str) -> bool:
    return isinstance(ast.parse(source).body[-1], ast.Expr)


class Links(SphinxPostTransform):
    """Link the names of metrics to their pages, and DOIs to the papers."""

    default_priority = 5  # before the links are resolved

    def run(self, **kwargs: Any) -> None:
        """Replace literals and texts."""
        for literal in list(self.document.findall(nodes.literal)):
            name = literal.astext()
            page = f"api/metrics/{name}"
            if name in po.metrics.registry and not _is_linked(literal) and page != self._page:
                uri = self.app.builder.get_relative_uri(self._page, page)
                link = nodes.reference("", "", refuri=uri, internal=True)
                literal.replace_self(link)
                link += literal
        for text in list(self.document.findall(nodes.Text)):
            if DOI.search(text) and not _is_linked(text):
                text.parent.replace(text, list(_with_links(text)))

    @property
    def _page(self) -> str:
        return self.env.docname


class Breaks(SphinxPostTransform):
    """Let the names in titles break between their parts, on a narrow screen."""

    default_priority = 900  # the titles are complete
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        """Replace texts."""
        titles = self.document.findall(nodes.title)
        for text in [text for title in titles for text in title.findall(nodes.Text)]:
            first, *others = re.split(r"(?<=\w[._])(?=\w)|(?=GroupBy)", text)
            broken: list[nodes.Node] = [nodes.Text(first)]
            for part in others:
                broken += [nodes.raw("", "<wbr>", format="html"), nodes.Text(part)]
            text.parent.replace(text, broken)


def _is_linked(node: nodes.Node) -> bool:
    """Return whether a node is in a link, a title or code."""
    kinds = (nodes.reference, nodes.title, nodes.literal, nodes.literal_block, nodes.raw)
    parent = node.parent
    while parent is not None:
        if isinstance(parent, kinds) or type(parent).__name__ == "pending_xref":
            return True
        parent = parent.parent
    return False


def _with_links(text: nodes.Text) -> list[nodes.Node]:
    """Return a text with each DOI as a link."""
    parts: list[nodes.Node] = []
    for n, part in enumerate(DOI.split(text)):
        if n % 2:
            parts.append(nodes.reference("", f"doi:{part}", refuri=f"https://doi.org/{part}"))
        elif part:
            parts.append(nodes.Text(part))
    return parts
