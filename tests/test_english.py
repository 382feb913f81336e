"""Docs, docstrings and errors use the words that readers expect: none of the old turns is left."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pandas_ordinal as po

PACKAGE = Path(po.__file__).parent
ROOT = PACKAGE.parent
UNIT = (
    "case|cell|class|cluster|fold|group|label|matrix|metric|model|pair|row|score|table|threshold"
)
COUNTED = (
    "bytes?|codes?|columns?|counts?|numbers?|one|panels?|rows?|scores?|times?|values?|weights?"
)
TURNS = {
    "whether": r"\b[Tt]ells?(?: \w+)? (?:which|whether|if)\b",
    "describe, explain, name": r"\A[\s\"]*Says?\b|\bSay (?:which|whether|what|where|how|so|it)\b",
    "rephrase": r"\bof which\b",
    "that does not exist": r"\bthat there (?:is|are) not\b",
    "long format": r"\bone below the other\b",
    "labels to exclude": r"\b(?:that )?means? nothing\b",
    "is not a": r"(?<!there )\b(?:is|are|be) no (?:\w+ )?(?:arrays?|bins?|class(?:es)?|cubes?"
    r"|columns?|counts?|dataset|dimensions?|file|frames?|index|integers?|labels?|metrics?|models?|names?|numbers?"
    r"|parquet|probabilit(?:y|ies)|reports?|scores?|store|strings?|tables?|weights?)\b",
    "treat as": r"\b(?:take|takes|taken|took) (?:\w+ ){1,4}for (?:\w+ )?(?:equal|known|as|a|an|one"
    r"|another|classes|labels|numbers|granted)\b",
    "per": rf"\b(?:{COUNTED}) an? (?:{UNIT})\b(?! of| that| which)"
    r"|\b(?:column|row|value|line) each\b",
    "raises": r"\b(?:is|are) an error\b",
    "such as": r"(?<!such) as (?:oci or mae|those of one patient|with `)",
    "uncertainty": r"\b[Hh]ow sure\b",
    "results": r"\bwhat \w+ says? of\b",
}


def texts() -> Iterator[tuple[str, str]]:
    """Yield the docs, and the docstrings and other texts of the package, with their places."""
    for page in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]:
        yield page.name, page.read_text()
    for room in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(room.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{room.relative_to(PACKAGE)}:{node.lineno}", node.value


TEXTS = list(texts())


@pytest.mark.parametrize("better", TURNS)
def test_an_old_turn_is_left_nowhere(better: str) -> None:
    turn = re.compile(TURNS[better])
    found = [
        f"{place}: ...{text[max(0, match.start() - 30) : match.end() + 20]!r}"
        for place, text in TEXTS
        for match in turn.finditer(text)
    ]
    assert found == [], f"write {better!r} instead"


@pytest.mark.parametrize("better", TURNS)
def test_an_old_turn_is_seen(better: str) -> None:
    assert re.search(TURNS[better], SEEN[better])


SEEN = {
    "whether": "Tell whether a label is missing.",
    "describe, explain, name": "Say which class is missing.",
    "rephrase": "the rows, of which some are missing",
    "that does not exist": "a name that there is not",
    "long format": "models one below the other",
    "labels to exclude": "labels that mean nothing here",
    "is not a": "this is no report",
    "treat as": "takes all steps for equally wide, or bins for classes, takes bins for classes",
    "per": "one number a matrix",
    "raises": "an unknown label is an error",
    "such as": "one of 58 metrics, as oci or mae",
    "uncertainty": "how sure the numbers are",
    "results": "what each says of it",
}
