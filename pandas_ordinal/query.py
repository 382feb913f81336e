"""What a call asks about."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from pandas_ordinal.classes import ClassesLike
from pandas_ordinal.intervals import BinsLike


class Absent(Enum):
    """Marks what the call did not give; None cannot, since a column may be labelled None."""

    ABSENT = 0


ABSENT = Absent.ABSENT


@dataclass(frozen=True, kw_only=True)
class Query:
    """What a call asks about, as it was given.

    For a frame these are column labels; for a Series or an array, other Series or arrays.

    A new option of the surfaces is a field here; a parameter of each `confusion`, whose
    description all metrics show, and of each `report`; a parameter of the types in
    `accessors/methods.py`, which a test compares; and the place that uses it.

    Attributes
    ----------
    true, pred, score, other, proba
        The true classes, and what is scored: predicted classes, a score, the score that it is
        compared with, or class probabilities.
    by, dim
        What is scored together: keys, and the dimensions of an array that are counted over.
    sample_weight
        The weight of each row.
    classes, bins
        The classes from lowest to highest, and their edges.
    dropna : bool
        Whether rows with something missing are left out.
    ignore
        Labels that mean nothing here: rows that have one are left out.
    """

    true: Any = None
    pred: Any = ABSENT
    score: Any = ABSENT
    other: Any = ABSENT
    proba: Any = ABSENT
    by: Any = None
    dim: Any = None
    sample_weight: Any = None
    classes: ClassesLike | None = None
    bins: BinsLike | None = None
    dropna: bool = False
    ignore: Any = None

    @property
    def given(self) -> list[str]:
        """The options that the call gives."""
        absent = (None, ABSENT, False)
        options = [field.name for field in fields(self)]
        return [o for o in options if not any(getattr(self, o) is one for one in absent)]

    @property
    def scored(self) -> dict[str, Any]:
        """What the call scores: pred, score and proba, where given."""
        given = {"pred": self.pred, "score": self.score, "proba": self.proba}
        scored = {option: one for option, one in given.items() if one is not ABSENT}
        if not scored:
            raise ValueError("there is nothing to score: give pred=, score= or proba=")
        return scored


def if_given(one: Any) -> Any:
    """Return what an optional parameter gives, where None stands for nothing."""
    return ABSENT if one is None else one
