"""Sentences of the pages can be read at once: they are short, and the old hard ones are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from written import TEXTS

# Sentences that had to be read twice, by a part of each
OLD = (
    "How is the class served worst?",
    "squared distance is less than with predictions",
    "So is `xr.open_mfdataset`",
    "Two other names are refused",
    "a class that nobody was given",
    "for thresholds, of two and three classes for all",
    "A part that is counted twice counts twice",
    "is opened as by its path",
    "seasons on an axis take a line",
    "codes are numbers to them, and text is none",
    "or a partial of one means",
    "an error tells the one to use",
    "by itself tells the classes",
    "To take 1 to 2 days for 3 to 7",
    "take bins for classes",
    "takes all steps for equally wide",
    "averaging takes each fold for",
    "which takes for the variance",
    "with few rows at chance, a class",
    "for scores that never err",
    "pseudo-row is forecast uniformly",
    "indisputably better than another one",
    "you only have a value a fold",
    "Both tables get a pseudo-row",
    "a sum may miss 1",
    "classes off costs more than next to the truth",
    "tells between which values",
    "Is the difference chance?",
    "a number of folds is stratified",
    "makes a metric ready",
    "Journals that refuse fonts of Type 3",
    "whatever an error costs, if a greater one",
    "pass the same gate as everywhere",
    "at once is refused by its name",
    "those of no row as well",
    "the last ones are of scores",
    "for it forgets 3 and 4",
    "scorers turn errors around",
    "is .857: cut, not rounded",
    "best combines many rows on it with nearness",
    "in which wrongly predicting a rare class is expensive",
    "brings the others closer together",
    "are in no other Python library that we know of",
    "although `mmae` has none with clusters",
    "metric that says which of two models is better",
)
LONGEST, LONGEST_JOINED = 36, 28  # words of a sentence; of one that a colon or semicolon joins
LABEL = re.compile(r"^(?:[-*] |\d+\. )?(?:(?:\[[^]]*\]|code|\*\*[^*]*\*\*)[^.:]{0,30}: )?")
PAGES = {page: text for page, text in TEXTS if page.endswith(".md")}


@pytest.mark.parametrize("old", OLD)
def test_an_old_sentence_is_left_nowhere(old: str) -> None:
    assert [place for place, text in TEXTS if old in " ".join(text.split())] == []


def prose(text: str) -> Iterator[str]:
    """Yield paragraphs and items of lists, without code blocks, tables, headings and pictures."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^ *(?:#|\||!\[|:::).*$", "", text, flags=re.MULTILINE)
    for block in re.split(r"\n\s*\n|\n(?= *(?:[-*]|\d+\.) )", text):
        yield " ".join(block.split())


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a page; code and links count as a word, labels of items are left out.

    A label is what stands before a colon: a link, code or bold words.
    """
    for block in prose(text):
        words = re.sub(r"`+[^`]*`+", "code", re.sub(r"\]\([^)]*\)", "]", block))
        words = re.sub(
            r"^(?:[-*] |\d+\. )?(?:(?:\[[^]]*\]|code|\*\*[^*]*\*\*)[^.:]{0,30}: )?", "", words
        )
        yield from re.split(r"(?<=[.?!])[\"”’)\]]* +", words)


@pytest.mark.parametrize("page", PAGES)
def test_sentences_are_short(page: str) -> None:
    found = []
    for sentence in sentences(PAGES[page]):
        n_words = len(sentence.split())
        n_joints = len(re.findall(r"[;:](?= )", sentence))
        if n_words > LONGEST or n_joints > 1 or (n_joints and n_words > LONGEST_JOINED):
            found.append(sentence)
    assert found == [], "write two sentences"


def test_a_long_sentence_is_seen() -> None:
    assert (
        len([*sentences("One. Two: 1; 2; 3.\n\n```python\n>>> 1\n```\n- `a`: one\n- two\n")]) == 4
    )
