"""Literal answers: rows are read one by one, by position, and grouped in plain loops.

Nothing here calls the package. Where a call must raise, the answer has the kinds of errors that it
may raise.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd
from oracles import calibration, errors, kappa, probability, ranking

from fuzz.frames import Case, Key
from pandas_ordinal import ClassOrderError, MissingValueError, UnknownClassError

Label = Any
GroupKey = tuple[Any, ...]


class Row(NamedTuple):
    """A row that counts, as positions among the classes; None for what it has not got."""

    true: int
    pred: int | None
    score: float | None
    proba: list[float] | None
    weight: float


@dataclass
class Answer:
    """The correct result for a case.

    Attributes
    ----------
    refused : set of type
        The errors, one of them due; empty if there is a result.
    classes : list
        The classes from lowest to highest.
    groups : list
        The keys of the groups of a table, in order; 1-tuples for a single key.
    levels : list
        The labels along each key of a cube.
    models : list
        The label of each model.
    rows : dict
        The rows of each group and model.
    """

    refused: set[type[Exception]] = field(default_factory=set)
    classes: list[Label] = field(default_factory=list)
    groups: list[GroupKey] = field(default_factory=list)
    levels: list[list[Any]] = field(default_factory=list)
    models: list[Any] = field(default_factory=list)
    rows: dict[tuple[GroupKey, int], list[Row]] = field(default_factory=dict)


def answer(case: Case, requested: Sequence[str]) -> Answer:
    """Return the answer to a case: for predicted classes, scores or probabilities."""
    result = Answer()
    models = range(len(case.preds) if case.wide else 1)
    if list(requested) == ["proba"]:
        models = range(1)
    named = case.scores if list(requested) == ["score"] else case.preds
    result.models = [case.name(named[m]) for m in models]
    true = case.frame.iloc[:, case.true]
    preds = [case.frame.iloc[:, case.preds[m]] for m in models] if "pred" in requested else []
    _refuse_ignored(case, [true, *preds], result)
    result.classes = _classes([true, *preds], case, result)
    _refuse_names(case, requested, len(models), result)
    groups = _groups(case, result)
    weights = _weights(case, result)
    if not result.classes:
        return result
    if "pred" in requested:
        _refuse_bins(case, result)
    codes = _codes(true, case, result.classes)
    for m in models:
        columns: dict[str, list[Any]] = {"true": codes}
        excluded = _are_ignored(true, case)
        if "pred" in requested:
            columns["pred"] = _codes(preds[m], case, result.classes)
            excluded = [*map(max, excluded, _are_ignored(preds[m], case))]
        if "score" in requested:
            columns["score"] = _scores(case.frame.iloc[:, case.scores[m]], result)
        if "proba" in requested:
            columns["proba"] = _probabilities(case, result)
        result.rows |= {(key, m): [] for key in result.groups}
        there = [None if out else key for out, key in zip(excluded, groups, strict=True)]
        _fill(case, m, columns, there, weights, result)
    return result


def _fill(
    case: Case,
    model: int,
    columns: dict[str, list[Any]],
    groups: list[GroupKey | None],
    weights: list[float],
    result: Answer,
) -> None:
    """Put each row in its group, unless something is missing."""
    for row, key in enumerate(groups):
        if key is None:
            continue
        cells = {name: values[row] for name, values in columns.items()}
        if None in cells.values() and not case.dropna:
            result.refused.add(MissingValueError)
        if cells["true"] is None or cells.get("pred", 0) is None:
            continue
        of_row = Row(
            cells["true"],
            cells.get("pred"),
            cells.get("score"),
            cells.get("proba"),
            weights[row],
        )
        result.rows[key, model].append(of_row)
    for key in result.groups:
        rows = _complete(result.rows[key, model], columns)
        result.rows[key, model] = rows
        tables = [row.proba for row in rows if row.proba is not None]
        if any(min(proba) < 0 or abs(sum(proba) - 1) > 1e-6 for proba in tables):
            result.refused.add(ValueError)


def _complete(rows: list[Row], columns: Iterable[str]) -> list[Row]:
    """Return the rows that have a score and probabilities; next to labels, of what any has."""
    options = [option for option in ("score", "proba") if option in columns]
    if "pred" in columns:
        options = [one for one in options if any(getattr(row, one) is not None for row in rows)]
    return [row for row in rows if all(getattr(row, one) is not None for one in options)]


def n(rows: Sequence[Row], n_classes: int) -> int:
    return len(rows)


def confusion(rows: Sequence[Row], n_classes: int) -> list[list[float]]:
    table: list[list[float]] = [[0] * n_classes for _ in range(n_classes)]
    for row in rows:
        assert row.pred is not None
        table[row.true][row.pred] += row.weight
    return table


def accuracy(rows: Sequence[Row], n_classes: int) -> float:
    whole = sum(row.weight for row in rows)
    return sum(row.weight for row in rows if row.true == row.pred) / whole if whole else math.nan


def mae(rows: Sequence[Row], n_classes: int) -> float:
    whole = sum(row.weight for row in rows)
    missed = sum(row.weight * abs(row.true - (row.pred or 0)) for row in rows)
    return missed / whole if whole else math.nan


def quadratic_kappa(rows: Sequence[Row], n_classes: int) -> float:
    # the oracle counts in integers: weights are multiples of a quarter
    quarters: Any = [[int(4 * cell) for cell in line] for line in confusion(rows, n_classes)]
    return kappa.kappa(quarters)


def bias(rows: Sequence[Row], n_classes: int) -> float:
    quarters: Any = [[int(4 * cell) for cell in line] for line in confusion(rows, n_classes)]
    return errors.bias(quarters)


def vus(rows: Sequence[Row], n_classes: int) -> float:
    true, scores = [row.true for row in rows], [row.score for row in rows]
    if None in scores:
        return math.nan
    return float(ranking.vus(true, scores, n_classes, weights=[row.weight for row in rows]))


def rps(rows: Sequence[Row], n_classes: int) -> float:
    true, proba = [row.true for row in rows], [row.proba or [] for row in rows]
    if [] in proba:
        return math.nan
    return probability.rps(true, proba, weights=[row.weight for row in rows])


def part_of(score: str, place: int) -> Callable[[Sequence[Row], int], float]:
    """Return the function of a part of a score: its miscalibration, or its discrimination."""

    def part(rows: Sequence[Row], n_classes: int) -> float:
        true, proba = [row.true for row in rows], [row.proba or [] for row in rows]
        if [] in proba or not rows:
            return math.nan
        return calibration.parts(score, true, proba, [row.weight for row in rows])[place]

    return part


METRICS = {"accuracy": accuracy, "mae": mae, "kappa": quadratic_kappa, "bias": bias}
OF_ROWS = {
    "vus": (vus, "score"),
    "rps": (rps, "proba"),
    "rps_mcb": (part_of("rps", 0), "proba"),
    "rps_dsc": (part_of("rps", 1), "proba"),
    "log_loss_dsc": (part_of("log_loss", 1), "proba"),
}


def is_lost(value: Any) -> bool:
    """Whether a single value is missing."""
    return value is None or value is pd.NA or value is pd.NaT or bool(value != value)


def same(one: Any, other: Any) -> bool:
    """Whether two labels are equal; a boolean is not a number."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def place(label: Label, classes: Sequence[Label]) -> int:
    """Return the position of a label among the classes, -1 if there is none."""
    for position, other in enumerate(classes):
        if same(label, other):
            return position
    return -1


def _labels(column: pd.Series[Any]) -> list[Label]:
    return [None if is_lost(value) else value for value in column.tolist()]


def _are_ignored(column: pd.Series[Any], case: Case) -> list[bool]:
    return [place(label, case.ignored) >= 0 for label in _labels(column)]


def _retained(column: pd.Series[Any], case: Case) -> list[Label]:
    """Return the label of each row, None where it is missing or ignored."""
    return [None if place(one, case.ignored) >= 0 else one for one in _labels(column)]


def _refuse_ignored(case: Case, columns: Sequence[pd.Series[Any]], result: Answer) -> None:
    """Refuse to ignore classes that are given, or text where there are numbers."""
    if case.classes is not None and any(place(one, case.classes) >= 0 for one in case.ignored):
        result.refused.add(ClassOrderError)
    has_numbers = any(column.dtype.kind in "iuf" for column in columns)
    if has_numbers and any(isinstance(one, str) for one in case.ignored):
        result.refused.add(ClassOrderError)


def _declared(column: pd.Series[Any]) -> list[Label] | None:
    """Return the classes of an ordered Categorical."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
        return dtype.categories.tolist()
    return None


def _classes(columns: Sequence[pd.Series[Any]], case: Case, result: Answer) -> list[Label]:
    """Return the classes of some columns, by the rules for the order of classes."""
    given = case.classes
    orders = [
        [label for label in order if place(label, case.ignored) < 0]
        for order in map(_declared, columns)
        if order is not None
    ]
    labels = [_retained(column, case) for column in columns]
    if any(map(_mixes_booleans, columns)):
        result.refused.add(ClassOrderError)
    if given is None and not orders:
        return _whole_numbers(columns, labels, result)
    classes = given if given is not None else max(orders, key=len)
    if not classes:
        result.refused.add(ClassOrderError)
    for order in orders:
        places = [place(label, classes) for label in order]
        if -1 in places or places != sorted(places):
            result.refused.add(ClassOrderError)
    for order in orders if given is None else [given]:
        if any(isinstance(label, pd.Interval) for label in order) and not _are_bins(order):
            result.refused.add(ClassOrderError)
    for of_column in labels:
        if any(place(label, classes) < 0 for label in of_column if label is not None):
            result.refused.add(UnknownClassError)
    return list(classes)


def _mixes_booleans(column: pd.Series[Any]) -> bool:
    """Whether a column holds booleans and numbers, which its dtype does not tell apart."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return False
    labels = [label for label in _labels(column) if isinstance(label, (bool, int, float))]
    return len({isinstance(label, bool) for label in labels}) == 2


def _are_bins(labels: Sequence[Label]) -> bool:
    """Whether labels are bins in order, each beginning where the one before ends."""
    return all(isinstance(label, pd.Interval) for label in labels) and all(
        lower.right == upper.left for lower, upper in itertools.pairwise(labels)
    )


def _whole_numbers(
    columns: Sequence[pd.Series[Any]], labels: Sequence[Sequence[Label]], result: Answer
) -> list[Label]:
    """Return every integer from the smallest to the largest."""
    kinds = {column.dtype.kind for column in columns}
    present = [label for of_column in labels for label in of_column if label is not None]
    if not kinds <= set("biuf") or any(column.dtype == object for column in columns):
        result.refused.add(ClassOrderError)
    elif kinds == {"b"}:
        return [False, True]
    elif (
        "b" in kinds
        or not present
        or any(label != label // 1 for label in present)
        or max(present) == math.inf
        or max(present) - min(present) > 900
    ):
        result.refused.add(ClassOrderError)
    if result.refused:
        return []
    classes = list(range(int(min(present)), int(max(present)) + 1))
    if classes[0] == -1 or _is_full_of_gaps(classes, present):
        result.refused.add(ClassOrderError)
        return []
    return classes


def _is_full_of_gaps(classes: Sequence[Label], present: Sequence[Label]) -> bool:
    """Whether most integers are empty, or three in a row."""
    empty = [not any(label == other for other in present) for label in classes]
    return sum(empty) > len(classes) - sum(empty) or any(
        all(empty[first : first + 3]) for first in range(len(classes) - 2)
    )


def _codes(column: pd.Series[Any], case: Case, classes: Sequence[Label]) -> list[int | None]:
    return [None if one is None else place(one, classes) for one in _retained(column, case)]


def _scores(column: pd.Series[Any], result: Answer) -> list[float | None]:
    order = _declared(column)
    if order is not None:
        return [None if label is None else place(label, order) for label in _labels(column)]
    if column.dtype.kind not in "biuf":
        result.refused.add(ClassOrderError)
    return _labels(column)


def _probabilities(case: Case, result: Answer) -> list[list[float] | None]:
    """Return the probabilities of each row in the order of the classes."""
    given = list(case.proba)
    if len(result.classes) == 2 and len(given) == 1 and place(result.classes[1], given) == 0:
        higher = _labels(case.frame.iloc[:, case.proba[given[0]]])
        return [None if p is None else [1 - p, p] for p in higher]
    places = [place(label, given) for label in result.classes]
    if min(places) < 0 or len(given) != len(places):
        result.refused.add(UnknownClassError)
        return [None] * len(case.frame)
    columns = [_labels(case.frame.iloc[:, case.proba[given[position]]]) for position in places]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return [None if None in row else row for row in rows]


def _weights(case: Case, result: Answer) -> list[float]:
    if case.weight is None:
        return [1] * len(case.frame)
    column = case.frame.iloc[:, case.weight]
    values = _labels(column)
    if column.dtype.kind not in "biuf" or any(
        value is None or not 0 <= value < math.inf for value in values
    ):
        result.refused.add(ValueError)
    return values


def _refuse_bins(case: Case, result: Answer) -> None:
    if case.bins is None:
        return
    if len(case.bins) != len(result.classes) + 1:
        result.refused.add(ClassOrderError)
    if any(isinstance(label, pd.Interval) for label in result.classes):
        result.refused.add(ClassOrderError)


def _refuse_names(case: Case, requested: Sequence[str], n_models: int, result: Answer) -> None:
    """Refuse labels that two columns share, or a column and an index level."""
    names = list(case.frame.columns)
    used = [case.true]
    used += case.preds[:n_models] if "pred" in requested else []
    used += case.scores[:n_models] if "score" in requested else []
    used += case.proba.values() if "proba" in requested else []
    used += [] if case.weight is None else [case.weight]
    by = [key for key in case.keys if case.grouped is None]
    used += [key.position for key in by if not key.is_level]
    if any(names.count(names[position]) > 1 for position in used):
        result.refused |= {ValueError}
    levels = list(case.frame.index.names)
    for key in by:
        if key.name in case.frame.columns and key.name in levels:
            result.refused.add(ValueError)


def key_values(case: Case, key: Key) -> list[Any]:
    """Return the key of each row."""
    if not key.is_level:
        return _labels(case.frame.iloc[:, key.position])
    labels = list(case.frame.index)
    if isinstance(case.frame.index, pd.MultiIndex):
        labels = [label[key.position] for label in labels]
    return [None if is_lost(label) else label for label in labels]


def _categories(case: Case, key: Key) -> list[Any] | None:
    """Return the categories of a key that is a Categorical."""
    if not key.is_level:
        dtype = case.frame.iloc[:, key.position].dtype
    elif isinstance(case.frame.index, pd.MultiIndex):
        dtype = case.frame.index.levels[key.position].dtype
    else:
        dtype = case.frame.index.dtype
    return dtype.categories.tolist() if isinstance(dtype, pd.CategoricalDtype) else None


def _in_order(keys: Iterable[Any], categories: list[Any] | None) -> list[Any]:
    """Sort keys, a missing one last."""
    different = list(dict.fromkeys(keys))
    there = [key for key in different if key is not None]
    by = categories.index if categories is not None else None
    return [*sorted(there, key=by), *[None] * (None in different)]


def _groups(case: Case, result: Answer) -> list[GroupKey | None]:
    """Return the group of each row, None for no group, and list the groups in the answer."""
    if not case.keys:
        result.groups = [()]
        return [()] * len(case.frame)
    columns = [key_values(case, key) for key in case.keys]
    groups: list[GroupKey | None] = list(zip(*columns, strict=True))
    for row, key in enumerate(groups):
        if key is not None and None in key:
            if case.grouped is None and not case.dropna:
                result.refused.add(MissingValueError)
            if case.grouped is None or not case.keep_missing:
                groups[row] = None
    shown = list(dict.fromkeys(key for key in groups if key is not None))
    for position, key in enumerate(case.keys):
        categories = _categories(case, key)
        occurring = _in_order((group[position] for group in shown), categories)
        if categories is not None and isinstance(categories[0], pd.Interval):
            occurring = [*categories, *[None] * (None in occurring)]
        result.levels.append(occurring)
    if len(case.keys) == 1 and any(isinstance(label, pd.Interval) for label in result.levels[0]):
        shown = [(label,) for label in result.levels[0]]
    elif case.grouped is None or case.sort:
        places = [order.index for order in result.levels]
        shown.sort(key=lambda group: [at(k) for at, k in zip(places, group, strict=True)])
    result.groups = shown
    return groups
