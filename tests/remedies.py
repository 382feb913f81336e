"""What errors print to be written instead, found in the source, and cases that follow it.

A case provokes an error, takes a line of code out of its message, fills in what the message leaves
open, and runs it.
"""

from __future__ import annotations

import ast
import functools
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from sklearn.preprocessing import LabelEncoder

import pandas_ordinal as po

PACKAGE = Path(po.__file__).parent
GAP = "\0"  # what a message fills in

# A call, or an option with a value
CODE = re.compile(rf"[\w\]{GAP}]\((?!s\))|(?<=\s)[a-z]\w*=[\w\[({{'\"<{GAP}-]")
# Text of other kinds: help, patterns, sources, annotations
OTHER = re.compile(r"\n|\\|doi:|^[\w.\[\], |]*$")

LEVELS = ["low", "mid", "high"]
LEVEL = pd.CategoricalDtype(LEVELS, ordered=True)
Y, YHAT = [0, 1, 2, 2], [0, 2, 2, 1]
MAE = 0.5
PROBA = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.3, 0.4, 0.3]]
# squared differences of the cumulated probabilities
RPS = np.mean([0.16 + 0.01, 0.04 + 0.09, 0.01 + 0.09, 0.09 + 0.49])

PLACES = {"dots": "[...]", "low": "[<lowest>, ..., <highest>]", "any": "..."}


def names() -> dict[str, Any]:
    """What code may use; the same four rows, with an MAE of 0.5, in several forms."""
    text = pd.DataFrame({"y": [LEVELS[i] for i in Y], "yhat": [LEVELS[i] for i in YHAT]})
    df = text.astype(LEVEL).assign(g=list("aabb"), w=1.0, id=range(4))
    df[LEVELS] = PROBA
    return {
        **{"np": np, "os": os, "pd": pd, "po": po, "xr": xr},
        **{"functools": functools, "LabelEncoder": LabelEncoder},
        **{"LEVELS": LEVELS, "LEVEL": LEVEL, "PROBA": np.array(PROBA), "MAE": MAE},
        **{"df": df, "text": text, "numbers": pd.DataFrame({"y": Y, "yhat": YHAT})},
        "cube": df.ordinal.confusion("y", "yhat"),
        "true": xr.DataArray(Y, dims="case", name="y"),
        "pred": xr.DataArray(YHAT, dims="case", name="yhat"),
    }


@dataclass(frozen=True)
class Fix:
    """A line in a message.

    Attributes
    ----------
    printed : str
        The line as the message has it.
    code : str
        The program to run, with `{}` in place of the line. Without it, an option is added to the
        call, and another line is run as it is. If the last statement has no value, the call is
        made once more.
    fill : dict
        What to write in place of the placeholders of the line.
    """

    printed: str
    code: str
    fill: dict[str, str]


@dataclass(frozen=True)
class Case:
    """A call that raises, and the lines in its message that make it return `due`."""

    setup: str
    call: str
    due: Any
    fixes: tuple[Fix, ...]


def fix(printed: str, code: str = "", **fill: str) -> Fix:
    """A line in a message, and what replaces its placeholders, by a name in PLACES or as it is."""
    return Fix(printed, code, {PLACES.get(name, name): value for name, value in fill.items()})


def case(call: str, due: Any, *fixes: Fix | str, setup: str = "") -> Case:
    """A call that raises; a line without placeholders is text. Nothing is due if it is None."""
    lines = tuple(fix(one) if isinstance(one, str) else one for one in fixes)
    return Case(setup, call, due, lines)


def message_of(one: Case) -> str:
    """The message of the error that a case provokes."""
    return _message(one.setup, one.call)


@functools.cache
def _message(setup: str, call: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        scope = {**names(), "folder": os.path.realpath(folder)}
        exec(setup, scope)
        try:
            exec(call, scope)
        except Exception as error:
            return str(error)
    raise AssertionError(f"{call} raises nothing")


def followed(one: Case, given: Fix) -> Any:
    """The result of a call that is changed as a line of its error says."""
    line = given.printed
    for place, value in given.fill.items():
        assert place in line
        line = line.replace(place, value)
    code = given.code.replace("{}", line) if given.code else line
    if re.match(r"\w+=\S", code):
        code = f"{one.call[:-1]}, {code})"
    *before, last = ast.parse(code).body
    if not isinstance(last, ast.Expr):
        before, last = [*before, last], ast.parse(one.call).body[0]  # type: ignore[assignment]
    assert isinstance(last, ast.Expr)
    with tempfile.TemporaryDirectory() as folder:
        scope = {**names(), "folder": os.path.realpath(folder)}
        exec(one.setup, scope)
        exec(compile(ast.Module(before, []), "remedy", "exec"), scope)
        return eval(compile(ast.Expression(last.value), "remedy", "eval"), scope)


def templates() -> Iterator[tuple[str, str]]:
    """The place and the text of each string of the package that prints a line of code."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node, text in _texts(ast.parse(path.read_text(encoding="utf-8"))):
            if CODE.search(text) and not OTHER.search(text):
                yield f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno}", text


def _texts(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """The strings of a module, but for those that do nothing, such as docstrings."""
    unused = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        for part in ast.iter_child_nodes(node):
            if isinstance(node, ast.JoinedStr) and isinstance(part, ast.Constant):
                continue
            if isinstance(part, ast.JoinedStr):
                pieces = [getattr(piece, "value", "") for piece in part.values]
                yield part, "".join(p if isinstance(p, str) else GAP for p in pieces)
            elif isinstance(getattr(part, "value", None), str) and id(part) not in unused:
                assert isinstance(part, ast.Constant)
                yield part, str(part.value)


def pattern(text: str) -> re.Pattern[str]:
    """What a message has that is made of a text."""
    parts = re.sub(r"\{\w+\}", GAP, text).split(GAP)
    return re.compile(".*".join(map(re.escape, parts)), re.DOTALL)
