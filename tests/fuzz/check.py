"""Call the package on random cases, and compare its results with the literal answers."""

from __future__ import annotations

import math
import random
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import xarray as xr

import pandas_ordinal as po
from fuzz import arrays, comparisons, intervals, literal, misuse, partitions, saved
from fuzz.answers import Refused, Wrong, plain, refuse_other, refuse_other_cube, result_of
from fuzz.frames import Case, make_case
from pandas_ordinal import ClassOrderError, UndefinedMetricWarning

SURFACES: dict[str, tuple[Callable[[random.Random], None], float]] = {
    "arrays": (arrays.check, 0.4),
    "intervals": (intervals.check, 0.3),
    "comparisons": (comparisons.check, 0.3),
    "partitions": (partitions.check, 0.15),
    "sums": (saved.check_parts, 0.1),
    "files": (saved.check_files, 0.06),
    "misuse": (misuse.check, 1),
}
"""Surfaces with rows of their own, and the share of the cases that try each: files are slow."""


@dataclass
class Figures:
    """The results of a run.

    Attributes
    ----------
    refusals : Counter
        The number of errors that were due, by kind.
    faults : list of str
        Wrong results, each with the case that shows it.
    """

    cases: int = 0
    calls: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        self.cases += other.cases
        self.calls += other.calls
        self.refusals += other.refusals
        self.faults += other.faults


def run(seed: int, numbers: Sequence[int]) -> Figures:
    """Check the cases with these numbers."""
    figures = Figures()
    for number in numbers:
        check(make_case(seed, number), figures)
    return figures


def check(case: Case, figures: Figures) -> None:
    """Check all results of a case."""
    figures.cases += 1
    before = _state(case.frame)
    rng = random.Random(case.number)
    with _limits(case.tight):
        for name, call in _calls(case, rng):
            _try(case, name, call, figures)
        for name, (of_own_rows, share) in SURFACES.items():
            own = random.Random(f"{case.seed}/{case.number}/{name}")
            if own.random() < share:
                _try(case, name, partial(of_own_rows, own), figures)
    if _state(case.frame) != before:
        figures.faults.append(f"make_case({case.seed}, {case.number}): the frame was changed")


def _try(case: Case, name: str, call: Callable[[], None], figures: Figures) -> None:
    figures.calls += 1
    try:
        call()
    except Refused as refused:
        figures.refusals[str(refused)] += 1
    except Exception as error:
        figures.faults.append(_fault(case, name, error))


def _calls(case: Case, rng: random.Random) -> Iterator[tuple[str, Callable[[], None]]]:
    name = rng.choice([*literal.METRICS])
    yield name, lambda: metric(case, name)
    of_rows = rng.choice([*literal.OF_ROWS])
    yield of_rows, lambda: metric_of_rows(case, of_rows)
    yield "report", lambda: report(case, rng)
    yield "cube", lambda: cube(case, rng)
    if not case.keys and not case.wide and case.frame.columns.is_unique:
        yield "series", lambda: series(case, name)
    if rng.random() < 0.15:
        yield "parts", lambda: parts(case, rng)


def _state(frame: pd.DataFrame) -> list[Any]:
    """Return everything in a frame."""
    columns = [frame.iloc[:, position] for position in range(frame.shape[1])]
    held: list[Any] = [list(map(plain, column.tolist())) for column in columns]
    held += [getattr(column.dtype, "categories", column.dtype) for column in columns]
    held += [frame.columns, frame.index, frame.columns.names, frame.index.names]
    return [list(map(plain, item)) if isinstance(item, pd.Index) else item for item in held]


def _fault(case: Case, name: str, error: Exception) -> str:
    """Describe a wrong result, and where it arose."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    line = f"{Path(where.filename).name}:{where.lineno}"
    text = " ".join(str(error).split())[:300]
    return (
        f"make_case({case.seed}, {case.number}) {name}: {type(error).__name__} at {line}: {text}"
    )


@contextmanager
def _limits(tight: bool) -> Iterator[None]:
    """Make the package treat a small frame as a large case."""
    if not tight:
        yield
        return
    with (
        mock.patch("pandas_ordinal.groups.SMALL_TABLE", 0),
        mock.patch("pandas_ordinal.counting.counts.SMALL_TABLE", 0),
        mock.patch("pandas_ordinal.counting.counts.CHUNK_BYTES", 16),
        mock.patch("pandas_ordinal.counting.counts.MANY_ROWS", 1),
        mock.patch("pandas_ordinal.rows.sample.block_size", return_value=2),
    ):
        yield


def metric(case: Case, name: str) -> None:
    """One number for each group and model."""
    expected = literal.answer(case, ["pred"])
    _refuse_same(_axes(case, case.wide), expected)
    method = getattr(_surface(case), name)
    call = _call(case, method, _named(case, case.preds))
    _scored(case, name, expected, literal.METRICS[name], call, case.wide)


def metric_of_rows(case: Case, name: str) -> None:
    """One number for each group, and each model with scores, from scores or probabilities."""
    formula, kind = literal.OF_ROWS[name]
    expected = literal.answer(case, [kind])
    wide = case.wide and kind == "score"
    _refuse_same(_axes(case, wide), expected)
    columns = _named(case, case.scores) if kind == "score" else _proba(case)
    call = _call(case, getattr(_surface(case), name), columns, bins=False)
    _scored(case, name, expected, formula, call, wide)


def series(case: Case, name: str) -> None:
    """The surface of two Series."""
    expected = literal.answer(case, ["pred"])
    true, pred = (case.frame.iloc[:, position] for position in (case.true, case.preds[0]))
    given = _options(case)
    if case.weight is not None:
        given["sample_weight"] = case.frame.iloc[:, case.weight]
    _scored(
        case,
        name,
        expected,
        literal.METRICS[name],
        lambda: getattr(true.ordinal, name)(pred, **given),
        wide=False,
    )


def report(case: Case, rng: random.Random) -> None:
    """Several numbers for each group and model, of the same rows."""
    requested = ["pred", *(kind for kind in ("score", "proba") if rng.random() < 0.3)]
    expected = literal.answer(case, requested)
    _refuse_same(_axes(case, case.wide), expected)
    formulas: dict[str, Any] = {"n": literal.n, **literal.METRICS}
    for name, (formula, kind) in literal.OF_ROWS.items():
        if kind in requested:
            formulas[name] = formula
    given: dict[str, Any] = {"metrics": [name for name in formulas if name != "n"]}
    if "score" in requested:
        given["score"] = _named(case, case.scores)
    if "proba" in requested:
        given["proba"] = [_proba(case)] * len(case.preds) if case.wide else _proba(case)
    call = _call(case, _surface(case).report, _named(case, case.preds), **given)
    actual = result_of(expected.refused, call)
    if not case.keys and not case.wide:
        actual = actual.to_frame().T
    elif list(map(plain, actual.index)) != (due := _table(case, expected, case.wide)):
        raise Wrong(f"rows {list(actual.index)}, due {due}")
    if list(actual.columns) != list(formulas):
        raise Wrong(f"columns {list(actual.columns)}, due {list(formulas)}")
    for name, formula in formulas.items():
        refuse_other(actual[name].tolist(), _values(case, expected, formula, case.wide))


def cube(case: Case, rng: random.Random) -> None:
    """The counts, and metrics of the cube after its axes were moved."""
    expected = literal.answer(case, ["pred"])
    names = [str(key.name if key.name is not None else "group") for key in case.keys]
    names += [str(_model(case))] if case.wide else []
    dims = [*names, "true", "pred"]
    _refuse_same(dims, expected)
    counts = result_of(
        expected.refused, _call(case, _surface(case).confusion, _named(case, case.preds))
    )
    due = _cube(case, expected)
    if list(counts.dims) != dims or counts.name != "count":
        raise Wrong(f"dimensions {counts.dims}, due {dims}")
    for dim, labels in zip(names, _levels(case, expected, case.wide), strict=True):
        held = list(map(plain, counts.indexes[dim]))
        in_order = case.grouped is None or case.sort or len(case.keys) == 1
        if held != labels and (in_order or set(held) != set(labels)):
            raise Wrong(f"along {dim!r} {held}, due {labels}")
    whole = case.weight is None
    if counts.dtype != (np.int64 if whole else np.float64):
        raise Wrong(f"counts are {counts.dtype}")
    refuse_other_cube(counts, due)
    if case.classes is None and case.bins is None and counts.size:
        _refuse_lost_class(counts)
    _moved(case, counts, due, rng)


def _refuse_lost_class(counts: xr.DataArray) -> None:
    """Raise unless a cube that lacks a class is refused."""
    if counts.sizes["true"] < 2:
        return
    try:
        counts.isel(true=slice(1, None)).ordinal.mae()
    except ClassOrderError:
        return
    raise Wrong("a cube without one of its classes was scored")


def _moved(case: Case, counts: xr.DataArray, due: dict[Any, Any], rng: random.Random) -> None:
    """Select, permute, transpose and chunk a cube, and score it."""
    groups = [dim for dim in counts.dims if dim not in ("true", "pred")]
    picked = {}
    for dim in counts.dims:
        size = counts.sizes[dim]
        keep = size if dim in ("true", "pred") else rng.randint(min(size, 1), size)
        picked[dim] = rng.sample(range(size), keep) if rng.random() < 0.5 else slice(None)
    moved = counts.isel(picked).transpose(*rng.sample(counts.dims, counts.ndim))
    chunked = rng.random() < 0.1
    if chunked:
        moved = moved.chunk({dim: rng.randint(1, 3) for dim in moved.dims})
    name = rng.choice([*literal.METRICS])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        actual = getattr(moved.ordinal, name)().compute()
    before = [dim for dim in moved.dims if dim in groups]
    if list(actual.dims) != before:
        raise Wrong(f"{name} of a cube has the dimensions {actual.dims}, due {before}")
    labels = [list(map(plain, moved.indexes[dim])) for dim in actual.dims]
    values = actual.to_numpy().ravel().tolist()
    places = [groups.index(dim) for dim in actual.dims]
    for key, value in zip(product(*labels), values, strict=True):
        at: list[Any] = [None] * len(key)
        for position, label in zip(places, key, strict=True):
            at[position] = label
        rows = due.get(tuple(at), [])
        refuse_other([value], [literal.METRICS[name](rows, counts.sizes["true"])])


def parts(case: Case, rng: random.Random) -> None:
    """Two halves of a frame, counted and combined."""
    expected = literal.answer(case, ["pred"])
    columns = [key.position for key in case.keys if not key.is_level]
    plain = case.grouped is None and not expected.refused
    plain &= all(literal.place(label, expected.classes) < 0 for label in case.ignored)
    if not plain or case.bins is not None or not case.frame.columns.is_unique:
        return
    names = [*map(str, [*(key.name for key in case.keys), *([_model(case)] if case.wide else [])])]
    if len({*names, "true", "pred", "part"}) < len(names) + 3 or len(columns) < len(case.keys):
        return
    chosen = [rng.random() < 0.5 for _ in range(len(case.frame))]
    halves = [case.frame[np.array(side, bool)] for side in (chosen, [not c for c in chosen])]
    given = _options(case) | {"classes": expected.classes}
    requested = case.name(case.true), _named(case, case.preds)
    counted = [half.ordinal.confusion(*requested, **given) for half in halves]
    due = _cube(case, expected)
    if all(0 not in part.shape for part in counted):
        refuse_other_cube(po.add(*counted), due)
        stacked = po.concat({"first": counted[0], "second": counted[1]}, "part")
        refuse_other_cube(stacked.sum("part"), due)
        if rng.random() < 0.2:
            refuse_other_cube(po.add(*(part.chunk(1) for part in counted)).compute(), due)
    of_tuples = any(isinstance(label, tuple) for label in expected.classes)
    if case.classes is None and not of_tuples:  # whose dtypes pandas cannot hash
        joined = po.concat(halves)
        again = joined.ordinal.confusion(*requested, **given)
        refuse_other_cube(again, due)


def _surface(case: Case) -> Any:
    return case.frame.ordinal if case.grouped is None else case.grouped.ordinal


def _options(case: Case) -> dict[str, Any]:
    """Return the options of a case as keywords."""
    given: dict[str, Any] = {"dropna": case.dropna}
    if case.keys and case.grouped is None:
        names = [key.name for key in case.keys]
        given["by"] = names[0] if len(names) == 1 and case.number % 2 else names
    if case.weight is not None:
        given["sample_weight"] = case.name(case.weight)
    if case.classes is not None:
        given["classes"] = case.classes
    if case.bins is not None:
        given["bins"] = case.bins
    if case.ignored:
        alone = len(case.ignored) == 1 and not isinstance(case.ignored[0], tuple)
        given["ignore"] = case.ignored[0] if alone else case.ignored
    return given


def _call(
    case: Case, method: Callable[..., Any], what: Any, *, bins: bool = True, **more: Any
) -> Callable[[], Any]:
    given = {**_options(case), **more}
    if not bins:
        given.pop("bins", None)
    return lambda: method(case.name(case.true), what, **given)


def _named(case: Case, positions: Sequence[int]) -> Any:
    """Return the labels of columns of models."""
    names = [case.name(position) for position in positions]
    return names if case.wide else names[0]


def _proba(case: Case) -> dict[Any, Hashable]:
    return {label: case.name(position) for label, position in case.proba.items()}


def _model(case: Case) -> Hashable:
    name = case.frame.columns.name
    return "model" if name is None else name


def _axes(case: Case, wide: bool) -> list[Any]:
    """Return the names of the axes of a table; a single one may have any name."""
    if not wide:
        return []
    return [*(key.name for key in case.keys), _model(case)]


def _refuse_same(names: Sequence[Any], expected: literal.Answer) -> None:
    """Expect an error if two axes have the same name."""
    there = [name for name in names if name is not None]
    if len(set(there)) < len(there):
        expected.refused.add(ValueError)


def _scored(
    case: Case, name: str, expected: literal.Answer, formula: Any, call: Any, wide: bool
) -> None:
    """Compare one number for each group and model."""
    due, undefined = [], False
    if not expected.refused:
        due = _values(case, expected, formula, wide)
        rows = _values(case, expected, literal.n, wide)
        undefined = any(math.isnan(value) and n for value, n in zip(due, rows, strict=True))
    actual = result_of(expected.refused, call, undefined)
    if not case.keys and not wide:
        refuse_other([actual], due)
        return
    keys = _table(case, expected, wide)
    if list(map(plain, actual.index)) != keys or actual.name != name:
        raise Wrong(f"{actual.name} over {list(actual.index)}, due {keys}")
    names = [*(key.name for key in case.keys), *([_model(case)] if wide else [])]
    if list(actual.index.names) != names:
        raise Wrong(f"levels {list(actual.index.names)}, due {names}")
    refuse_other(actual.tolist(), due)


def _table(case: Case, expected: literal.Answer, wide: bool) -> list[Any]:
    """Return the labels of a table: groups, and within each the models."""
    ends = [(model,) for model in expected.models] if wide else [()]
    keys = [(*group, *end) for group in expected.groups for end in ends]
    return [key[0] if len(key) == 1 else key for key in keys]


def _levels(case: Case, expected: literal.Answer, wide: bool) -> list[list[Any]]:
    """Return the labels along each dimension of a cube."""
    levels = [[key for (key,) in expected.groups]] if len(case.keys) == 1 else [*expected.levels]
    return [*levels, [*expected.models]] if wide else levels


def _values(case: Case, expected: literal.Answer, formula: Any, wide: bool) -> list[float]:
    n_classes = len(expected.classes)
    models = range(len(expected.models) if wide else 1)
    return [
        formula(expected.rows[group, model], n_classes)
        for group in expected.groups
        for model in models
    ]


def _cube(case: Case, expected: literal.Answer) -> dict[Any, Any]:
    """Return the rows of each cell of a cube's group dimensions."""
    return {
        (*group, *([expected.models[model]] if case.wide else [])): rows
        for (group, model), rows in expected.rows.items()
    }
