"""What a call asks about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from numbers import Real
from typing import Any, Literal, TypedDict, get_args

import numpy as np

from pandas_ordinal.classes.bins import BinsLike
from pandas_ordinal.classes.gate import ClassesLike


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
    true, pred, score, proba
        The true classes, and what is scored: predicted classes, a score or class probabilities.
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
    levels
        The labels of keys, where they cannot be looked up before the rows are read.
    """

    true: Any = None
    pred: Any = ABSENT
    score: Any = ABSENT
    proba: Any = ABSENT
    by: Any = None
    dim: Any = None
    sample_weight: Any = None
    classes: ClassesLike | None = None
    bins: BinsLike | None = None
    dropna: bool = False
    ignore: Any = None
    levels: Any = None

    def __post_init__(self) -> None:
        """Refuse what pandas, but nothing here, takes for its `dropna`."""
        if not isinstance(self.dropna, (bool, np.bool_)):
            raise TypeError(f"dropna={self.dropna!r} must be True or False")

    @property
    def given(self) -> list[str]:
        """The options that the call gives."""
        absent = (None, ABSENT, False, np.False_)
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


IntervalMethod = Literal["influence", "bootstrap"]


class UncertaintyOptions(TypedDict, total=False):
    """The options of `Uncertainty`, as keyword arguments of a report."""

    ci: float | None
    se: bool
    ranges: Mapping[str, tuple[float, float]] | None
    cluster: Any
    stratify: Literal["true"] | None
    method: IntervalMethod
    n_boot: int
    seed: int
    progress: bool


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """The intervals and standard errors that a report shows.

    Attributes
    ----------
    ci : float or None
        The level of intervals, between 0 and 1; None for none.
    se : bool
        Whether to show standard errors.
    ranges : mapping or None
        The lowest and the highest value of the user's own functions, by name.
    cluster
        The clusters: rows that belong together, such as those of a patient. None if all rows are
        independent.
    stratify : "true" or None
        Whether the sizes of the true classes were fixed when the rows were drawn.
    method : str
        Whether intervals come from the influences of the rows or from tables drawn at random.
    n_boot, seed, progress
        The number of tables, the seed, and whether to show a progress bar.
    """

    ci: float | None = None
    se: bool = False
    ranges: Mapping[str, tuple[float, float]] | None = None
    cluster: Any = None
    stratify: Literal["true"] | None = None
    method: IntervalMethod = "influence"
    n_boot: int = 2000
    seed: int = 0
    progress: bool = False

    def __post_init__(self) -> None:
        """Raise for options that are out of range or cannot be combined."""
        if self.ci is not None:
            refuse_level(self.ci)
        if self.method not in get_args(IntervalMethod):
            raise ValueError(f'method={self.method!r} must be "influence" or "bootstrap"')
        if self.stratify not in (None, "true"):
            raise ValueError(
                f'stratify={self.stratify!r} must be "true", for rows drawn by true class'
            )
        alone = {
            "cluster": self.cluster, "stratify": self.stratify, "ranges": self.ranges,
            "method": None if self.method == "influence" else self.method,
        }  # fmt: skip
        for option, given in alone.items():
            if given is not None and not self.is_requested:
                raise ValueError(
                    f"{option}= belongs to intervals and standard errors: add ci=0.95 or se=True"
                )
        if self.cluster is not None and (self.stratify or self.method == "bootstrap"):
            other = "stratify=" if self.stratify else 'method="bootstrap"'
            raise ValueError(f"there is no rule for cluster= with {other}: give one of them")
        refuse_other_than_integer("n_boot", self.n_boot, 2)
        refuse_other_than_integer("seed", self.seed, 0)
        if self.ranges is not None and not isinstance(self.ranges, Mapping):
            raise ValueError(f"ranges={self.ranges!r} must be a dict {{name: (lowest, highest)}}")
        for name, limits in (self.ranges or {}).items():
            if not _are_limits(limits):
                raise ValueError(f"ranges[{name!r}]={limits!r} must be a pair (lowest, highest)")

    def refuse_weights(self) -> None:
        """Raise for options that cannot be combined with weights."""
        alone = {
            "cluster=": self.cluster is not None,
            "stratify=": self.stratify is not None,
            'method="bootstrap"': self.method == "bootstrap",
        }
        for option, is_given in alone.items():
            if is_given:
                raise ValueError(
                    f"there are no intervals with both sample_weight= and {option}: drop one"
                )

    @property
    def is_requested(self) -> bool:
        """Whether a report shows intervals or standard errors."""
        return self.ci is not None or self.se

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of the columns that a report adds after each metric, in order."""
        bounds = ("low", "high") if self.ci is not None else ()
        valid = ("n_valid",) if self.method == "bootstrap" else ()
        return (*bounds, *(("se",) if self.se else ()), *valid) if self.is_requested else ()


TestMethod = Literal["influence", "permutation"]


class ComparisonOptions(TypedDict, total=False):
    """The options of `Comparison`, as keyword arguments of `compare`."""

    ci: float
    cluster: Any
    reference: Any
    method: TestMethod
    n_permutations: int
    seed: int
    progress: bool


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How models are compared.

    Attributes
    ----------
    ci : float
        The level of intervals. A model is better if the adjusted p-value is at most 1 - ci.
    cluster
        The clusters: rows that belong together, such as those of a patient. None if all rows are
        independent.
    reference
        The model that all others are compared with; None for all pairs.
    method : str
        Whether p-values come from the influences of the rows or from swapping predictions.
    n_permutations, seed, progress
        The number of random swaps, the seed, and whether to show a progress bar.
    """

    ci: float = 0.95
    cluster: Any = None
    reference: Any = None
    method: TestMethod = "influence"
    n_permutations: int = 9999
    seed: int = 0
    progress: bool = False

    def __post_init__(self) -> None:
        """Raise for options that are out of range."""
        refuse_level(self.ci)
        if self.method not in get_args(TestMethod):
            raise ValueError(f'method={self.method!r} must be "influence" or "permutation"')
        refuse_other_than_integer("n_permutations", self.n_permutations, 1)
        refuse_other_than_integer("seed", self.seed, 0)


def refuse_level(ci: Any) -> None:
    """Raise unless this is a level of intervals."""
    number = isinstance(ci, (int, float, np.integer, np.floating)) and not isinstance(ci, bool)
    if not number or not 0 < ci < 1:
        raise ValueError(f"ci={ci!r} must be a level between 0 and 1, such as ci=0.95")


def _are_limits(limits: Any) -> bool:
    """Return whether this is a pair of numbers, the lower one first."""
    is_pair = len(limits) == 2 if isinstance(limits, (tuple, list)) else np.shape(limits) == (2,)
    return is_pair and all(isinstance(one, Real) for one in limits) and limits[0] < limits[1]


def refuse_other_than_integer(option: str, value: Any, least: int) -> None:
    """Raise unless an option is an integer that is large enough."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least:
        raise ValueError(f"{option}={value!r} must be an integer from {least} on")


SUFFIXES = ("low", "high", "se", "n_valid")
