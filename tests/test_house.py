"""The house: modules of a readable size, folders that import downwards, one place for each name.

A call goes down through the modules and up once: no module calls one that calls it.
"""

from __future__ import annotations

import ast
import io
import os
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import FrameType
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from sklearn.tree import DecisionTreeClassifier

import pandas_ordinal as po

ROOT = Path(po.__file__).parent
PACKAGE = str(ROOT) + os.sep
FILES = sorted(ROOT.rglob("*.py"))
MODULES = [module for module in FILES if module.name != "__init__.py"]
# From the bottom up: a module imports from its own folder and from those before it
FLOORS = [
    {"errors"},
    {"counterparts"},
    {"hints"},
    {"counting"},
    {"classes"},
    {"groups"},
    {"metrics"},
    {"query"},
    {"reports"},
    {"inference"},
    {"cube"},
    {"rows"},
    {"dataarrays"},
    {"files", "plot", "ratings"},
    {"accessors"},
    {"sklearn"},
    {"__init__"},
]
FLOOR = {folder: floor for floor, folders in enumerate(FLOORS) for folder in folders}
LONGEST = 400
SHORTEST = 40
FRAME = pd.DataFrame(
    {
        "model": list("aabbab") * 5,
        "y": [0, 0, 1, 1, 2, 2] * 5,
        "yhat": [0, 1, 1, 2, 2, 2] * 5,
        "score": np.arange(30.0),
        **{f"p{k}": np.full(30, 1 / 3) for k in range(3)},
    }
)
WIDE = FRAME.assign(other=FRAME["y"])
LONG = pd.concat(
    [
        FRAME.assign(model="a", row=range(30)),
        FRAME.assign(model="b", yhat=FRAME["y"], row=range(30)),
    ]
)
PROBA = {0: "p0", 1: "p1", 2: "p2"}
OF_TEXT = {"0": "p0", "1": "p1", "2": "p2"}
DATASET = xr.Dataset({name: ("case", FRAME[name]) for name in ("y", "yhat", "score")})
KEY = xr.DataArray(FRAME["model"].to_numpy(object), dims="case", name="model")
FLAGGED = DATASET["y"].assign_attrs(flag_values=[0, 1, 2], flag_meanings="low mid high")
DASK = dd.from_pandas(FRAME.astype({"y": str, "yhat": str}), npartitions=2)
CUBE = FRAME.ordinal.confusion("y", "yhat", by="model")
TREE = DecisionTreeClassifier().fit([[1]] * 30, FRAME["y"])
CALLS: dict[str, Callable[[], object]] = {
    "frame": lambda: FRAME.ordinal.oci("y", "yhat", by="model"),
    "frame, matrix": lambda: FRAME.ordinal.cost_matrix("y", "yhat", by="model"),
    "frame, scores": lambda: FRAME.ordinal.u_pairs("y", "score", by="model"),
    "frame, probabilities": lambda: FRAME.ordinal.rps("y", PROBA, by="model"),
    "report": lambda: FRAME.ordinal.report(
        "y", "yhat", score="score", proba=PROBA, by="model", bins=[0, 1, 3, 9]
    ),
    "confusion": lambda: FRAME.ordinal.confusion("y", "yhat", by="model"),
    "thresholds": lambda: FRAME.ordinal.best_thresholds("y", "score", metric="mae"),
    "thresholds without labels": lambda: FRAME.ordinal.best_thresholds(proba=PROBA, metric="mae"),
    "decisions": lambda: FRAME.ordinal.least_costly(PROBA, 1 - np.eye(3)),
    "groupby": lambda: FRAME.groupby("model").ordinal.report("y", "yhat", score="score"),
    "series": lambda: FRAME["y"].ordinal.kappa(FRAME["yhat"]),
    "cube": lambda: CUBE.ordinal.report(),
    "arrays": lambda: DATASET["y"].ordinal.vus(DATASET["score"]),
    "pair of arrays": lambda: DATASET["y"].ordinal.mae(DATASET["yhat"], ignore=9),
    "arrays by key": lambda: DATASET.ordinal.report("y", "yhat", by=KEY),
    "arrays with flags": lambda: FLAGGED.ordinal.mae(FLAGGED, classes="flags"),
    "compare": lambda: WIDE.ordinal.compare("y", ["yhat", "other"], cluster="model"),
    "compare, long": lambda: LONG.ordinal.compare(
        "y", "yhat", model="model", id="row", method="permutation", n_permutations=9
    ),
    "compare, series": lambda: WIDE["y"].ordinal.compare(score={"a": WIDE["y"], "b": WIDE["p0"]}),
    "compare, dataset": lambda: DATASET.ordinal.compare(
        "y", ["yhat", "y"], score=["score", "y"], by=KEY, ignore=9
    ),
    "disagreements": lambda: po.disagreements(WIDE.ordinal.compare("y", ["yhat", "other"])),
    "summary": lambda: FRAME.ordinal.summary("y", "yhat", score="score", over="model"),
    "dominance": lambda: WIDE.ordinal.dominance("y", ["yhat", "other"]),
    "table by class": lambda: FRAME.ordinal.class_report("y", "yhat", by="model", ci=0.95),
    "table by cut": lambda: DATASET.ordinal.cut_report("y", "yhat", score="score", ci=0.95),
    "calibration": lambda: FRAME.ordinal.calibration("y", PROBA, by="model", n_draws=2),
    "reliability": lambda: FRAME.ordinal.reliability_curve("y", PROBA, ci=0.9, n_draws=2),
    "plot of reliability": lambda: FRAME.ordinal.plot_reliability("y", PROBA, ci=None),
    "agreement": lambda: WIDE.ordinal.agreement(["y", "yhat", "other"], by="model", ci=0.95),
    "agreement, long": lambda: LONG.ordinal.agreement("yhat", item="row", rater="model"),
    "agreement, dataset": lambda: DATASET.ordinal.agreement(["y", "yhat"], by=KEY, ci=0.95),
    "plot": lambda: CUBE.ordinal.plot(col="model", path=True),
    "plot of curves": lambda: CUBE.ordinal.plot.accuracy_within(ci=None),
    "plot of classes": lambda: CUBE.ordinal.plot.class_mae(ci=None),
    "style": lambda: po.style(FRAME.ordinal.report("y", "yhat", by="model")).to_html(),
    "scorer": lambda: po.sklearn.scorer("oci", classes=range(3))(TREE, [[1]] * 30, FRAME["y"]),
    "estimators": lambda: po.sklearn.cross_val_frame({"tree": TREE}, [[1]] * 30, FRAME["y"]),
    "estimator": lambda: po.sklearn.OrdinalThresholds(TREE).fit([[1]] * 30, FRAME["y"]),
    "dask": lambda: (
        po.ordinal(DASK)
        .report("y", "yhat", by="model", classes=["0", "1", "2"])
        .compute(scheduler="synchronous")
    ),
    "dask, cube": lambda: (
        po.ordinal(DASK)
        .confusion("y", "yhat", by="model", classes=["0", "1", "2"])
        .compute(scheduler="synchronous")
    ),
    "dask, scores": lambda: (
        po.ordinal(DASK)
        .report("y", "yhat", score="score", proba=OF_TEXT, classes=["0", "1", "2"])
        .compute(scheduler="synchronous")
    ),
    "dask, scores by key": lambda: (
        po.ordinal(DASK)
        .pairwise_auc("y", "score", by="model", classes=["0", "1", "2"])
        .compute(scheduler="synchronous")
    ),
    "dask, bounds": lambda: (
        po.ordinal(DASK)
        .score_bounds("y", "score", edges=[9], by="model", classes=["0", "1", "2"])
        .compute(scheduler="synchronous")
    ),
    "counter": lambda: count_parts(),
    "dataset": lambda: DATASET.ordinal.report("y", "yhat", score="score"),
    "intervals of a frame": lambda: FRAME.ordinal.report(
        "y", "yhat", score="score", proba=PROBA, by="model", ci=0.95
    ),
    "intervals of arrays": lambda: DATASET.ordinal.report("y", "yhat", score="score", ci=0.95),
}


def count_parts() -> xr.DataArray:
    counter = po.Counter(classes=[0, 1, 2], by=["model", "y"])
    for part in (FRAME[:9], FRAME[9:]):
        counter.update(part, "y", "yhat")
    return counter.merge(counter).cube


def folder_of(module: Path) -> str:
    """The folder on the top level that a module is in, or the module itself."""
    return module.relative_to(ROOT).parts[0].removesuffix(".py")


def n_code_lines(module: Path) -> int:
    """How many lines hold code: no docstrings, comments and blank lines."""
    source = module.read_text()
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {
        line
        for token in tokens
        if token.type not in skipped and token.type != tokenize.ENDMARKER
        for line in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                lines -= set(range(node.lineno, (node.end_lineno or 0) + 1))
    return len(lines)


def folders_imported(module: Path) -> Iterator[str]:
    """The folders and modules of the top level that a module imports from."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pandas_ordinal"):
            _, *below = str(node.module).split(".")
            yield from below[:1] or [
                name.name if name.name in FLOOR else "__init__" for name in node.names
            ]
        elif isinstance(node, ast.Import):
            for name in node.names:
                package, *below = name.name.split(".")
                if package == "pandas_ordinal":
                    yield from below[:1] or ["__init__"]


def public_names(module: Path) -> Iterator[str]:
    """The functions, classes and constants that a module defines for others."""
    for node in ast.parse(module.read_text()).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names = [name]
            case ast.Assign(targets=targets):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case _:
                names = []
        yield from (name for name in dict.fromkeys(names) if not name.startswith("_"))


def test_the_top_level_has_few_modules() -> None:
    assert len(list(ROOT.glob("*.py"))) <= 6
    assert {folder_of(module) for module in FILES} == FLOOR.keys()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.relative_to(ROOT).as_posix())
def test_a_module_has_a_readable_size(module: Path) -> None:
    assert SHORTEST <= n_code_lines(module) <= LONGEST


@pytest.mark.parametrize("module", FILES, ids=lambda module: module.relative_to(ROOT).as_posix())
def test_imports_go_downwards(module: Path) -> None:
    folder = folder_of(module)
    above = {
        other
        for other in folders_imported(module)
        if other != folder and FLOOR[other] >= FLOOR[folder]
    }
    assert above == set()


@pytest.mark.parametrize("module", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_property_holds_a_lock(module: Path) -> None:
    """That of functools does on Python 3.11, and a forked process would wait for it."""
    names = {
        node.id for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.Name)
    }
    assert "cached_property" not in names


def test_a_name_stands_in_one_module() -> None:
    modules: dict[str, list[str]] = {}
    for module in MODULES:
        for name in public_names(module):
            modules.setdefault(name, []).append(module.relative_to(ROOT).as_posix())
    assert {name: where for name, where in modules.items() if len(set(where)) > 1} == {}


WHERE = {  # what a newcomer looks for: the folder, the module, and a name that it defines
    "formula of STC": ("metrics", "cost", "stc"),
    "refusal of text without order": ("classes", "undeclared", "whole_numbers"),
    "counting loop": ("counting", "counts", "count"),
    "addition of cubes": ("cube", "combine", "add"),
    "How a DataArray is read": ("dataarrays", "labels", "label_reader"),
    "What an interval is made of": ("inference", "interval", "intervals"),
    "What a report shows": ("reports", "metrics", "metrics_of_report"),
    "Where a new option goes": ("accessors", "../query", "Query"),
}


@pytest.mark.parametrize("topic", WHERE)
def test_a_folder_names_what_a_newcomer_looks_for(topic: str) -> None:
    folder, module, name = WHERE[topic]
    text = ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text())) or ""
    assert topic in text.replace("\n", " ") and f"{Path(module).stem}" in text
    assert name in public_names(ROOT / folder / f"{module}.py")
    others = [folder for folder in ROOT.iterdir() if (folder / "__init__.py").exists()]
    assert sum(topic.lower() in (f / "__init__.py").read_text().lower() for f in others) == 1


FOLDERS = [path.parent for path in FILES if path.name == "__init__.py" and path.parent != ROOT]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_folder_names_each_of_its_modules(folder: Path) -> None:
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
    modules = [path.stem for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert [module for module in modules if f"`{module}`" not in text] == []


def module_of(frame: FrameType | None) -> str | None:
    """The file of the package that a frame runs in, or that which called it.

    Wrappers of `explains_arguments` and `computed_once` stand between a function and its caller.
    """
    while frame:
        path = frame.f_code.co_filename
        if path.startswith(PACKAGE) and frame.f_code.co_name not in ("explained", "__get__"):
            return path.removeprefix(PACKAGE)
        frame = frame.f_back
    return None


def modules_called(call: Callable[[], object]) -> dict[str, set[str]]:
    """Which modules each module calls."""
    called: dict[str, set[str]] = {}

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            module, caller = module_of(frame), module_of(frame.f_back)
            if module and caller and module != caller:
                called.setdefault(caller, set()).add(module)

    call()  # which loads the modules that it needs
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.parametrize("name", CALLS)
def test_a_call_goes_down_through_the_modules(name: str) -> None:
    called = modules_called(CALLS[name])
    assert len(called) > 3
    assert list(TopologicalSorter(called).static_order())  # or a CycleError names the circle


def test_a_circle_of_modules_is_seen() -> None:
    def own(counts: np.ndarray) -> np.ndarray:
        FRAME.ordinal.mae("y", "yhat")  # back to the top, in the middle of a report
        return counts.sum((-1, -2))

    called = modules_called(lambda: CUBE.ordinal.report(metrics={"own": own}))
    with pytest.raises(CycleError):
        list(TopologicalSorter(called).static_order())


@pytest.mark.parametrize("module", FILES, ids=lambda module: module.relative_to(ROOT).as_posix())
def test_a_constant_is_assigned_once(module: Path) -> None:
    assigned = Counter(
        name.id
        for statement in ast.parse(module.read_text()).body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    )
    assert not [name for name, n in assigned.items() if n > 1]
