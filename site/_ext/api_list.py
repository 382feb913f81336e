"""The pages of the API as text: one for each public name, from the registry and the accessors."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from invariances import OF_COUNTS, OF_ROWS

import pandas_ordinal as po
from pandas_ordinal import accessors
from pandas_ordinal.accessors.dask_frame import DaskOrdinal
from pandas_ordinal.accessors.plots import CubePlot
from pandas_ordinal.metrics.metric import Metric, registry, sections_of


class Surface(NamedTuple):
    """What has `.ordinal`: its place for autodoc, and its accessor."""

    module: str
    name: str
    accessor: type
    methods_of: str

    @property
    def title(self) -> str:
        """The name that headings and menus show."""
        return "Dask DataFrame" if self.module.startswith("dask") else self.name

    @property
    def folder(self) -> str:
        """The folder of its pages."""
        return self.title.replace(" ", "")

    @property
    def methods(self) -> list[str]:
        """The public names of the accessor."""
        return [name for name in dir(self.accessor) if not name.startswith("_")]


class Group(NamedTuple):
    """Public names of a module that are listed together."""

    folder: str
    title: str
    module: Any
    names: list[str]

    @property
    def documented(self) -> dict[str, Any]:
        """What has these names."""
        return {name: getattr(self.module, name) for name in self.names}


SURFACES = [
    Surface(
        "pandas", "DataFrame", accessors.FrameOrdinal, "columns of true and predicted classes"
    ),
    Surface("pandas", "Series", accessors.SeriesOrdinal, "a Series of true classes"),
    Surface("pandas.api.typing", "DataFrameGroupBy", accessors.GroupByOrdinal, "groups of rows"),
    Surface("xarray", "DataArray", accessors.ArrayOrdinal, "an array of labels, and a cube"),
    Surface("xarray", "Dataset", accessors.DatasetOrdinal, "variables of labels"),
    Surface("dask.dataframe", "DataFrame", DaskOrdinal, "partitions that are counted lazily"),
]
FUNCTIONS = [n for n in dir(po) if inspect.isfunction(getattr(po, n)) and n != "__version__"]
CLASSES = [n for n in dir(po) if inspect.isclass(getattr(po, n))]
ERRORS = [n for n in CLASSES if issubclass(getattr(po, n), (Exception, Warning))]
RESULTS = [n for n in CLASSES if n not in ERRORS]
ARRAYS = [n for n in dir(po.metrics) if n not in registry and n != "registry"]
MATRICES = [n for n in vars(CubePlot) if not n.startswith("_")]
GROUPS = [
    Group("functions", "Functions: po", po, FUNCTIONS),
    Group("classes", "Classes: po", po, RESULTS),
    Group("errors", "Errors and warnings: po", po, ERRORS),
    Group("arrays", "Functions of arrays: po.metrics", po.metrics, ARRAYS),
    Group("plot", "Pictures: po.plot", po.plot, dir(po.plot)),
    Group("sklearn", "scikit-learn: po.sklearn", po.sklearn, dir(po.sklearn)),
]
SYMBOLS = {
    "counts": r":math:`n_{rc}` rows of true class r were predicted as class c, of N rows in K "
    r"declared classes, 0 to K − 1. A dot stands for a sum: :math:`n_{r\cdot} = \sum_c n_{rc}`; "
    r":math:`p_{rc} = n_{rc} / N`.",
    "edges": r":math:`n_{rc}` rows of true class r were predicted as class c, of N rows in K "
    r"declared classes, 0 to K − 1. Bin r goes from :math:`a_r` to :math:`b_r`; "
    r":math:`s_r = n_{r\cdot}` of its rows are true, :math:`S = \sum_r s_r`.",
    "scores": r"Row i has the true class :math:`y_i` and the score :math:`f_i`; class k of K, 0 "
    r"to K − 1, has :math:`n_k` rows. Brackets are 1 where they hold, else 0.",
    "probabilities": r"Row i of N has the true class :math:`y_i` and the probabilities "
    r":math:`p_{ik}` of the classes k, 0 to K − 1, whose sums up to class k are :math:`F_{ik}`. "
    r"Brackets are 1 where they hold, else 0.",
}
DIRECTIONS = {True: "higher is better", False: "lower is better", None: "neither end is better"}
# What a metric is asked to withstand, by the entries of the tables of the tests
CHANGES = {
    "reversal": "the order of the classes is reversed",
    "one_reversal": "the order of the predicted classes alone is reversed",
    "transposition": "truth and prediction change places",
    "permutation": "the classes and their columns are put in another order",
    "scale": "all weights are multiplied by one number",
    "unused_end": "a class without rows is declared at an end",
    "unused_middle": "a class without rows is declared between two others",
}
EFFECTS = {
    "same": "It stays the same if",
    "negated": "It changes its sign if",
    "complement": "It becomes 1 minus itself if",
    "undefined": "It is undefined if",
}


def pages() -> dict[str, str]:
    """Return the text of each page by its path in docs/api/."""
    found = {"index.rst": _index()}
    for surface in SURFACES:
        found[f"{surface.folder}.rst"] = _of_surface(surface)
        for name in surface.methods:
            found[f"{surface.folder}/{name}.rst"] = _of_method(surface, name)
    for name in MATRICES:
        found[f"DataArray/plot.{name}.rst"] = _page(
            f"DataArray.ordinal.plot.{name}",
            _auto("method", f"pandas_ordinal.accessors.plots::CubePlot.{name}"),
        )
    found["DataTree.rst"] = _page(
        "DataTree.ordinal", _auto("class", "pandas_ordinal.accessors.tree.TreeOrdinal")
    )
    for name, metric in registry.items():
        found[f"metrics/{name}.rst"] = _of_metric(metric)
    for group in GROUPS:
        found |= _of_group(group)
    return found


def summary(documented: Any) -> str:
    """Return the first line of a docstring."""
    return sections_of(documented)[0].partition("\n\n")[0].replace("\n", " ")


def _page(title: str, *parts: str, head: str = "") -> str:
    """Return a page of a title and parts."""
    return "\n\n".join(filter(None, [head, _heading(title, "="), *parts])) + "\n"


def _heading(title: str, line: str) -> str:
    """Return a heading."""
    return f"{title}\n{line * len(title)}"


def _auto(kind: str, name: str, *options: str) -> str:
    """Return a directive of autodoc."""
    return "\n".join([f".. auto{kind}:: {name}", *(f"   {option}" for option in options)])


def _table(rows: Iterable[tuple[str, str]]) -> str:
    """Return a table of two columns without a header."""
    lines = [f"   * - {first}\n     - {second}" for first, second in rows]
    return "\n".join([".. list-table::", "   :widths: 30 70", "", *lines])


def _links(folder: str, documented: Mapping[str, Any]) -> str:
    """Return a table of pages, with what each is about."""
    return _table((f":doc:`{n} <{folder}/{n}>`", summary(d)) for n, d in documented.items())


def _toctree(caption: str, entries: Iterable[str]) -> str:
    """Return a hidden table of contents."""
    head = [".. toctree::", "   :hidden:", *([f"   :caption: {caption}"] if caption else [])]
    return "\n".join([*head, "", *(f"   {entry}" for entry in entries)])


def _index() -> str:
    """Return the page that leads to all others."""
    surfaces = _table(
        (f":doc:`{s.title}.ordinal <{s.folder}>`", f"Methods of {s.methods_of}.") for s in SURFACES
    )
    parts = []
    for group in GROUPS:
        parts += [_heading(group.title, "-"), _links(group.folder, group.documented)]
    contents = [
        _toctree("Methods", [*(s.folder for s in SURFACES), "DataTree"]),
        *(_toctree(g.title, [f"{g.folder}/{name}" for name in g.names]) for g in GROUPS),
        _toctree("Metrics", [f"metrics/{name}" for name in registry]),
    ]
    return _page(
        "API",
        "``import pandas_ordinal as po`` puts ``.ordinal`` on the classes below; "
        "``po.ordinal(x)`` is the same. :doc:`/metrics` has a page for each metric.",
        _heading("Methods", "-"),
        surfaces,
        ":doc:`DataTree.ordinal <DataTree>` has the methods of a Dataset, for each node.",
        *parts,
        *contents,
    )


def _of_surface(surface: Surface) -> str:
    """Return the page of the methods of a surface."""
    documented = {name: getattr(surface.accessor, name) for name in surface.methods}
    own = {name: method for name, method in documented.items() if name not in registry}
    measures = {name: method for name, method in documented.items() if name in registry}
    plot = [f"plot.{name}" for name in MATRICES if "plot" in own]
    return _page(
        f"{surface.title}.ordinal",
        f"Methods of {surface.methods_of}.",
        _links(surface.folder, own),
        _heading("Metrics", "-"),
        _links(surface.folder, measures),
        _toctree("", [f"{name} <{surface.folder}/{name}>" for name in [*own, *plot, *measures]]),
    )


def _of_method(surface: Surface, name: str) -> str:
    """Return the page of a method or a property."""
    documented = getattr(surface.accessor, name)
    kind = "attribute" if isinstance(documented, property) else "method"
    parts = [_auto(kind, f"{surface.module}::{surface.name}.ordinal.{name}")]
    if name in registry:
        parts.insert(0, f"Formula and properties: :doc:`/api/metrics/{name}`.")
    if kind == "attribute" and name == "plot":
        parts.append(_auto("method", "pandas_ordinal.accessors.plots::CubePlot.__call__"))
        parts.append(_table((f":doc:`plot.{n}`", summary(getattr(CubePlot, n))) for n in MATRICES))
    # the search finds the page of a metric, and not those of its methods
    head = ":nosearch:" if name in registry else ""
    return _page(f"{surface.title}.ordinal.{name}", *parts, head=head)


def _of_metric(metric: Metric) -> str:
    """Return the page of a metric."""
    facts = {
        "Range": f"{metric.written_range}, {DIRECTIONS[metric.greater_is_better]}",
        "Undefined": " ".join(_undefined(metric)),
        "Blind to": metric.blind_to,
        "Invariances": " ".join(_invariances(metric)),
        "Reference": metric.reference,
        "Methods": " · ".join(
            f":doc:`{s.title} </api/{s.folder}/{metric.name}>`" for s in SURFACES
        ),
    }
    return _page(
        metric.name,
        ".. currentmodule:: pandas_ordinal.metrics",
        summary(metric.kernel),
        _formula(metric.formula),
        f"{SYMBOLS[metric.needs]} {metric.letters}".strip(),
        _table((name, text) for name, text in facts.items() if text),
        _auto("function", f"pandas_ordinal.metrics.{metric.name}"),
    )


def _formula(formula: str) -> str:
    """Return the parts of a formula, which wrap on a narrow screen."""
    parts = [part.strip() for part in formula.split(r"\qquad")]
    blocks = "\n\n".join(f"   .. math::\n\n      {part}" for part in parts)
    return f".. container:: formula\n\n{blocks}"


def _undefined(metric: Metric) -> Iterator[str]:
    """Return what the docstring says of NaN."""
    text = " ".join(metric.help[1]["Returns"].split())
    for sentence in re.split(r"(?<=[.;]) ", text):
        if "NaN" in sentence or "All False" in sentence:
            yield f"{sentence.rstrip('.;')}."


def _invariances(metric: Metric) -> Iterator[str]:
    """Return a sentence for each effect that changes of the rows have."""
    states = (OF_ROWS if metric.of_rows else OF_COUNTS)[metric.name]
    for effect, opening in EFFECTS.items():
        changes = [text for kind, text in CHANGES.items() if getattr(states, kind, None) == effect]
        if changes:
            yield f"{opening} {', or '.join(changes)}."


def _of_group(group: Group) -> dict[str, str]:
    """Return the pages of the names of a module."""
    found = {}
    for name, documented in group.documented.items():
        module = group.module.__name__
        if group.names is ERRORS:
            part = _auto("exception", f"{module}.{name}", ":show-inheritance:")
        elif inspect.isclass(documented):
            # those are scikit-learn's, with links into its own pages
            foreign = ":exclude-members: set_fit_request, set_score_request"
            part = _auto("class", f"{module}.{name}", ":members:", foreign)
        else:
            part = _auto("function", f"{module}.{name}")
        title = f"{module.replace('pandas_ordinal', 'po')}.{name}"
        found[f"{group.folder}/{name}.rst"] = _page(title, part)
    return found
