"""Ask the package what a case asks, and compare with the literal answer."""

from __future__ import annotations

import math
import os
import random
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import xarray as xr

import pandas_ordinal as po
from fuzz import literal
from fuzz.frames import Case, case
from pandas_ordinal import ClassOrderError, UndefinedMetricWarning

PACKAGE = str(Path(po.__file__).parent) + os.sep
OWN = (ValueError, TypeError, KeyError)


class Wrong(AssertionError):
    """The package said something else than the literal answer."""


class Refused(Exception):
    """The package refused what it has to refuse."""


@dataclass
class Figures:
    """What a run has seen.

    Attributes
    ----------
    refusals : Counter
        The errors that were due, by kind.
    faults : list of str
        What was wrong, with the case that shows it.
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
    """Check the cases of some numbers."""
    figures = Figures()
    for number in numbers:
        check(case(seed, number), figures)
    return figures


def check(one: Case, figures: Figures) -> None:
    """Ask of a case all that there is to ask."""
    figures.cases += 1
    before = _state(one.frame)
    rng = random.Random(one.number)
    with _limits(one.tight):
        for name, call in _calls(one, rng):
            figures.calls += 1
            try:
                call()
            except Refused as refused:
                figures.refusals[str(refused)] += 1
            except Exception as error:
                figures.faults.append(_told(one, name, error))
    if _state(one.frame) != before:
        figures.faults.append(f"case({one.seed}, {one.number}): the frame was changed")


def _calls(one: Case, rng: random.Random) -> Iterator[tuple[str, Callable[[], None]]]:
    name = rng.choice([*literal.METRICS])
    yield name, lambda: metric(one, name)
    of_rows = rng.choice([*literal.OF_ROWS])
    yield of_rows, lambda: metric_of_rows(one, of_rows)
    yield "report", lambda: report(one, rng)
    yield "cube", lambda: cube(one, rng)
    if not one.keys and not one.wide and one.frame.columns.is_unique:
        yield "series", lambda: series(one, name)
    if rng.random() < 0.15:
        yield "parts", lambda: parts(one, rng)


def _state(frame: pd.DataFrame) -> list[Any]:
    """Return all that a frame holds."""
    columns = [frame.iloc[:, position] for position in range(frame.shape[1])]
    held: list[Any] = [list(map(_plain, column.tolist())) for column in columns]
    held += [getattr(column.dtype, "categories", column.dtype) for column in columns]
    held += [frame.columns, frame.index, frame.columns.names, frame.index.names]
    return [list(map(_plain, item)) if isinstance(item, pd.Index) else item for item in held]


def _told(one: Case, name: str, error: Exception) -> str:
    """Say what was wrong, and where."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    line = f"{Path(where.filename).name}:{where.lineno}"
    text = " ".join(str(error).split())[:300]
    return f"case({one.seed}, {one.number}) {name}: {type(error).__name__} at {line}: {text}"


@contextmanager
def _limits(tight: bool) -> Iterator[None]:
    """Make the package take a small frame for a large one."""
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


def metric(one: Case, name: str) -> None:
    """One number for each group and model."""
    expected = literal.answer(one, ["pred"])
    _refuse_same(_axes(one, one.wide), expected)
    method = getattr(_surface(one), name)
    call = _call(one, method, _named(one, one.preds))
    _scored(one, name, expected, literal.METRICS[name], call, one.wide)


def metric_of_rows(one: Case, name: str) -> None:
    """One number for each group, and model if it has scores, of scores or probabilities."""
    formula, kind = literal.OF_ROWS[name]
    expected = literal.answer(one, [kind])
    wide = one.wide and kind == "score"
    _refuse_same(_axes(one, wide), expected)
    columns = _named(one, one.scores) if kind == "score" else _proba(one)
    call = _call(one, getattr(_surface(one), name), columns, bins=False)
    _scored(one, name, expected, formula, call, wide)


def series(one: Case, name: str) -> None:
    """The surface of two Series."""
    expected = literal.answer(one, ["pred"])
    true, pred = (one.frame.iloc[:, position] for position in (one.true, one.preds[0]))
    given = _options(one)
    if one.weight is not None:
        given["sample_weight"] = one.frame.iloc[:, one.weight]
    _scored(
        one,
        name,
        expected,
        literal.METRICS[name],
        lambda: getattr(true.ordinal, name)(pred, **given),
        wide=False,
    )


def report(one: Case, rng: random.Random) -> None:
    """Several numbers for each group and model, of the same rows."""
    asked = ["pred", *(kind for kind in ("score", "proba") if rng.random() < 0.3)]
    expected = literal.answer(one, asked)
    _refuse_same(_axes(one, one.wide), expected)
    formulas: dict[str, Any] = {"n": literal.n, **literal.METRICS}
    for name, (formula, kind) in literal.OF_ROWS.items():
        if kind in asked:
            formulas[name] = formula
    given: dict[str, Any] = {"metrics": [name for name in formulas if name != "n"]}
    if "score" in asked:
        given["score"] = _named(one, one.scores)
    if "proba" in asked:
        given["proba"] = [_proba(one)] * len(one.preds) if one.wide else _proba(one)
    call = _call(one, _surface(one).report, _named(one, one.preds), **given)
    found = _heard(expected, call)
    if not one.keys and not one.wide:
        found = found.to_frame().T
    elif list(map(_plain, found.index)) != (due := _table(one, expected, one.wide)):
        raise Wrong(f"rows {list(found.index)}, due {due}")
    if list(found.columns) != list(formulas):
        raise Wrong(f"columns {list(found.columns)}, due {list(formulas)}")
    for name, formula in formulas.items():
        _refuse_other(found[name].tolist(), _values(one, expected, formula, one.wide))


def cube(one: Case, rng: random.Random) -> None:
    """The counts, and what is said of a cube that was moved about."""
    expected = literal.answer(one, ["pred"])
    names = [str(key.name if key.name is not None else "group") for key in one.keys]
    names += [str(_model(one))] if one.wide else []
    dims = [*names, "true", "pred"]
    _refuse_same(dims, expected)
    counts = _heard(expected, _call(one, _surface(one).confusion, _named(one, one.preds)))
    due = _cube(one, expected)
    if list(counts.dims) != dims or counts.name != "count":
        raise Wrong(f"dimensions {counts.dims}, due {dims}")
    for dim, labels in zip(names, _levels(one, expected, one.wide), strict=True):
        held = list(map(_plain, counts.indexes[dim]))
        in_order = one.grouped is None or one.sort or len(one.keys) == 1
        if held != labels and (in_order or set(held) != set(labels)):
            raise Wrong(f"along {dim!r} {held}, due {labels}")
    whole = one.weight is None
    if counts.dtype != (np.int64 if whole else np.float64):
        raise Wrong(f"counts are {counts.dtype}")
    _refuse_other_cube(counts, due)
    if one.classes is None and one.bins is None and counts.size:
        _refuse_lost_class(counts)
    _moved(one, counts, due, rng)


def _refuse_lost_class(counts: xr.DataArray) -> None:
    """Raise unless a cube that lacks a class is refused."""
    if counts.sizes["true"] < 2:
        return
    try:
        counts.isel(true=slice(1, None)).ordinal.mae()
    except ClassOrderError:
        return
    raise Wrong("a cube without one of its classes was scored")


def _moved(one: Case, counts: xr.DataArray, due: dict[Any, Any], rng: random.Random) -> None:
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
        found = getattr(moved.ordinal, name)().compute()
    before = [dim for dim in moved.dims if dim in groups]
    if list(found.dims) != before:
        raise Wrong(f"{name} of a cube has the dimensions {found.dims}, due {before}")
    labels = [list(map(_plain, moved.indexes[dim])) for dim in found.dims]
    values = found.to_numpy().ravel().tolist()
    places = [groups.index(dim) for dim in found.dims]
    for key, value in zip(product(*labels), values, strict=True):
        at: list[Any] = [None] * len(key)
        for position, label in zip(places, key, strict=True):
            at[position] = label
        rows = due.get(tuple(at), [])
        _refuse_other([value], [literal.METRICS[name](rows, counts.sizes["true"])])


def parts(one: Case, rng: random.Random) -> None:
    """Two halves of a frame, counted and put together again."""
    expected = literal.answer(one, ["pred"])
    columns = [key.position for key in one.keys if not key.is_level]
    plain = one.grouped is None and not expected.refused
    if not plain or one.bins is not None or not one.frame.columns.is_unique:
        return
    names = [*map(str, [*(key.name for key in one.keys), *([_model(one)] if one.wide else [])])]
    if len({*names, "true", "pred", "part"}) < len(names) + 3 or len(columns) < len(one.keys):
        return
    chosen = [rng.random() < 0.5 for _ in range(len(one.frame))]
    halves = [one.frame[np.array(side, bool)] for side in (chosen, [not c for c in chosen])]
    given = _options(one) | {"classes": expected.classes}
    asked = one.name(one.true), _named(one, one.preds)
    counted = [half.ordinal.confusion(*asked, **given) for half in halves]
    due = _cube(one, expected)
    if all(0 not in part.shape for part in counted):
        _refuse_other_cube(po.add(*counted), due)
        stacked = po.concat({"one": counted[0], "other": counted[1]}, "part")
        _refuse_other_cube(stacked.sum("part"), due)
        if rng.random() < 0.2:
            _refuse_other_cube(po.add(*(part.chunk(1) for part in counted)).compute(), due)
    of_tuples = any(isinstance(label, tuple) for label in expected.classes)
    if one.classes is None and not of_tuples:  # whose dtypes pandas cannot hash
        joined = po.concat(halves)
        again = joined.ordinal.confusion(*asked, **given)
        _refuse_other_cube(again, due)


def _surface(one: Case) -> Any:
    return one.frame.ordinal if one.grouped is None else one.grouped.ordinal


def _options(one: Case) -> dict[str, Any]:
    """Write what a case asks as keywords."""
    given: dict[str, Any] = {"dropna": one.dropna}
    if one.keys and one.grouped is None:
        names = [key.name for key in one.keys]
        given["by"] = names[0] if len(names) == 1 and one.number % 2 else names
    if one.weight is not None:
        given["sample_weight"] = one.name(one.weight)
    if one.classes is not None:
        given["classes"] = one.classes
    if one.bins is not None:
        given["bins"] = one.bins
    return given


def _call(
    one: Case, method: Callable[..., Any], what: Any, *, bins: bool = True, **more: Any
) -> Callable[[], Any]:
    given = {**_options(one), **more}
    if not bins:
        given.pop("bins", None)
    return lambda: method(one.name(one.true), what, **given)


def _named(one: Case, positions: Sequence[int]) -> Any:
    """Write columns of models by their labels."""
    names = [one.name(position) for position in positions]
    return names if one.wide else names[0]


def _proba(one: Case) -> dict[Any, Hashable]:
    return {label: one.name(position) for label, position in one.proba.items()}


def _model(one: Case) -> Hashable:
    name = one.frame.columns.name
    return "model" if name is None else name


def _axes(one: Case, wide: bool) -> list[Any]:
    """Name the axes of a table; a lone one may be called anything."""
    if not wide:
        return []
    return [*(key.name for key in one.keys), _model(one)]


def _refuse_same(names: Sequence[Any], expected: literal.Answer) -> None:
    """Expect that two axes of one name are refused."""
    there = [name for name in names if name is not None]
    if len(set(there)) < len(there):
        expected.refused.add(ValueError)


def _heard(expected: literal.Answer, call: Callable[[], Any], undefined: bool = False) -> Any:
    """Return what a call gives; warnings and errors have to be those that are due."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call()
        except Exception as error:
            raised = type(error)
            own = traceback.extract_tb(error.__traceback__)[-1].filename.startswith(PACKAGE)
            if own and isinstance(error, OWN) and raised in expected.refused:
                raise Refused(raised.__name__) from error
            raise
    for warning in caught:
        if warning.category is not UndefinedMetricWarning or warning.filename != __file__:
            raise Wrong(f"{warning.category.__name__} from {warning.filename}: {warning.message}")
    if expected.refused:
        kinds = ", ".join(sorted(kind.__name__ for kind in expected.refused))
        raise Wrong(f"due was {kinds}, got {result!r}")
    if bool(caught) != undefined:
        raise Wrong(f"a warning of undefined values was {'' if undefined else 'not '}due")
    return result


def _scored(
    one: Case, name: str, expected: literal.Answer, formula: Any, call: Any, wide: bool
) -> None:
    """Compare one number for each group and model."""
    due, undefined = [], False
    if not expected.refused:
        due = _values(one, expected, formula, wide)
        rows = _values(one, expected, literal.n, wide)
        undefined = any(math.isnan(value) and n for value, n in zip(due, rows, strict=True))
    found = _heard(expected, call, undefined)
    if not one.keys and not wide:
        _refuse_other([found], due)
        return
    keys = _table(one, expected, wide)
    if list(map(_plain, found.index)) != keys or found.name != name:
        raise Wrong(f"{found.name} over {list(found.index)}, due {keys}")
    names = [*(key.name for key in one.keys), *([_model(one)] if wide else [])]
    if list(found.index.names) != names:
        raise Wrong(f"levels {list(found.index.names)}, due {names}")
    _refuse_other(found.tolist(), due)


def _plain(label: Any) -> Any:
    """Return a label with None for what is missing; that of one key as itself."""
    if isinstance(label, tuple):
        return tuple(map(_plain, label))
    return None if literal.is_lost(label) else label


def _table(one: Case, expected: literal.Answer, wide: bool) -> list[Any]:
    """Return the labels of a table: groups, and within each the models."""
    ends = [(model,) for model in expected.models] if wide else [()]
    keys = [(*group, *end) for group in expected.groups for end in ends]
    return [key[0] if len(key) == 1 else key for key in keys]


def _levels(one: Case, expected: literal.Answer, wide: bool) -> list[list[Any]]:
    """Return the labels along each dimension of a cube."""
    levels = [[key for (key,) in expected.groups]] if len(one.keys) == 1 else [*expected.levels]
    return [*levels, [*expected.models]] if wide else levels


def _values(one: Case, expected: literal.Answer, formula: Any, wide: bool) -> list[float]:
    n_classes = len(expected.classes)
    models = range(len(expected.models) if wide else 1)
    return [
        formula(expected.rows[group, model], n_classes)
        for group in expected.groups
        for model in models
    ]


def _cube(one: Case, expected: literal.Answer) -> dict[Any, Any]:
    """Return the rows of each cell of a cube's group dimensions."""
    return {
        (*group, *([expected.models[model]] if one.wide else [])): rows
        for (group, model), rows in expected.rows.items()
    }


def _refuse_other_cube(counts: xr.DataArray, due: dict[Any, Any]) -> None:
    """Raise unless each matrix has the counts of its rows."""
    n_classes = counts.sizes["true"]
    labels = [list(map(_plain, counts.indexes[dim])) for dim in counts.dims[:-2]]
    tables = counts.to_numpy().reshape(-1, n_classes, n_classes)
    for key, table in zip(product(*labels), tables, strict=True):
        rows = due.get(key, [])
        if table.tolist() != literal.confusion(rows, n_classes):
            raise Wrong(f"counts of {key}: {table.tolist()}")
    lost = [key for key, rows in due.items() if rows and key not in set(product(*labels))]
    if lost:
        raise Wrong(f"no counts of {lost}")


def _refuse_other(found: Sequence[float], due: Sequence[float]) -> None:
    """Raise unless numbers are those that are due."""
    if len(found) != len(due):
        raise Wrong(f"{len(found)} numbers, due {len(due)}")
    for one, other in zip(found, due, strict=True):
        both_undefined = math.isnan(one) and math.isnan(other)
        if not both_undefined and not math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12):
            raise Wrong(f"got {list(found)}, due {list(due)}")
