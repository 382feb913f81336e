"""Docs, docstrings and errors use the words that readers expect: none of the old turns is left."""

from __future__ import annotations

import re

import pytest
from written import TEXTS

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
    "because": r",\s+for (?:it|they|he|she|we|you|there)\b",
    "raises an error": r"\brefused by (?:its|their) names?\b",
    "flips the sign": r"\bturns? \w+ around\b",
    "wraps": r"\bmakes? (?:\w+ ){1,2}ready\b",
    "by a wide margin": r"\b(?:first|last|best|worst) by far\b",
    "tolerates": r"\bforgiv(?:e|es|en|ing)\b",
    "is defined for": r"\btakes? [\w ]+ that (?:makes?|made) a difference\b",
    "is absent": r"\bmay be lacking\b|\bis lacking\b",
    "the two differ": r"\b[Tt]hey are two numbers\b",
    "truncated": r"\bcut, not rounded\b",
    "worst-served": r"\bserved worst\b",
    "returns bounds": r"\bbetween which values\b",
    "suggests": r"\bspeaks? of the opposite\b",
}


@pytest.mark.parametrize("better", TURNS)
def test_an_old_turn_is_left_nowhere(better: str) -> None:
    turn = re.compile(TURNS[better])
    found = [
        f"{place}: ...{text[max(0, match.start() - 30) : match.end() + 20]!r}"
        for place, text in TEXTS
        for match in turn.finditer(text)
    ]
    assert found == [], f"write {better!r} instead"


def test_a_heading_of_a_docstring_has_a_line_of_its_own() -> None:
    run_in = re.compile(r"^ *[A-Z][\w ]* -{4,} \S", re.M)
    assert run_in.search("Notes ----- The class of the set")
    assert [place for place, text in TEXTS if ".py:" in place and run_in.search(text)] == []


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
    "because": "kappa is .75, for it forgets 3 and 4",
    "raises an error": "what needs all rows is refused by its name",
    "flips the sign": "scorers turn errors around",
    "wraps": "makes a metric ready for a search",
    "by a wide margin": "ranks it last by far",
    "tolerates": "rounding is forgiven",
    "is defined for": "takes all that make a difference",
    "is absent": "a class may be lacking",
    "the two differ": "They are two numbers.",
    "truncated": ".857: cut, not rounded",
    "worst-served": "the class served worst",
    "returns bounds": "shows between which values they lie",
    "suggests": "one that speaks of the opposite",
}
