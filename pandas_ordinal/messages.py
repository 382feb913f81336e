"""How messages write columns and labels."""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

SHOWN = 8
ALIKE = 0.75  # less would take any name of three letters for any other

Labels = Sequence[Any] | pd.Index


@dataclass(frozen=True, repr=False)
class Given:
    """The name of labels that are no column of a frame.

    Attributes
    ----------
    said : str
        What errors call them.
    variable : str
        What holds them in code.
    code : str
        What makes a Series of them in code.
    """

    said: str
    variable: str
    code: str

    def __repr__(self) -> str:
        """Return what errors call the labels."""
        return self.said


def called(name: Hashable) -> str:
    """Return what to call a column, which may be a Series without a name."""
    if isinstance(name, Given):
        return name.said
    return "the Series" if name is None else f"column {name!r}"


def in_code(name: Hashable) -> str:
    """Write a column as code."""
    if isinstance(name, Given):
        return name.code
    return "series" if name is None else f"df[{name!r}]"


def assigned(name: Hashable) -> str:
    """Write where code puts a column."""
    return name.variable if isinstance(name, Given) else in_code(name)


def an(name: str) -> str:
    """Put the article before the name of a kind of object."""
    vowel = name[0] in "AEIOaeio" or name.startswith(("ndarray", "xarray"))
    return f"{'an' if vowel else 'a'} {name}"


def show(labels: Labels) -> str:
    """Write the first labels as a list of Python objects."""
    return f"[{', '.join(first(labels, repr))}]"


def closest(name: Hashable, names: Iterable[Hashable]) -> Hashable:
    """Return the name of the same letters, or that is most alike; None if none is close."""
    known = {str(one).lower(): one for one in names}
    written = str(name).lower()
    swapped = [one for one in known if sorted(one) == sorted(written)]
    close = difflib.get_close_matches(written, known, cutoff=ALIKE)
    return next((known[one] for one in swapped + close), None)


def did_you_mean(name: Hashable, names: Iterable[Hashable]) -> str:
    """Suggest the name that is meant, if one is close."""
    close = closest(name, names)
    return "" if close is None else f"; did you mean {close!r}?"


def first(labels: Labels, write: Any = str) -> list[str]:
    """Write the first labels, and an ellipsis if there are more."""
    shown = labels[:SHOWN]
    listed = shown.tolist() if isinstance(shown, pd.Index) else list(shown)
    return [*map(write, listed), *["..."] * (len(labels) > SHOWN)]
