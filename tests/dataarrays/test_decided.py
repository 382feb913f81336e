"""Labels, scores and probabilities of arrays become codes of classes, as those of columns do."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError

LEVELS = ["low", "mid", "high"]
TEXT = xr.DataArray(
    np.array([["high", "low"], [None, "mid"]], object), {"i": [10, 20]}, ("i", "j"), "y"
)
LABELS: dict[str, xr.DataArray] = {
    "objects": TEXT,
    "text": xr.DataArray([["high", "low"], ["mid", "mid"]], dims=("i", "j"), name="y"),
    "codes": xr.DataArray([[2, 0], [-1, 1]], dims=("i", "j"), name="y"),
    "floats": xr.DataArray([[2, 0], [np.nan, 1.0]], dims=("i", "j"), name="y"),
    "a Categorical": xr.DataArray(
        pd.Categorical(["high", "low", None, "mid"], LEVELS, ordered=True), dims="i", name="y"
    ),
    "an unordered one": xr.DataArray(
        pd.Categorical(["high", "low", None, "mid"], LEVELS[::-1]), dims="i", name="y"
    ),
    "flags": xr.DataArray(
        np.array([[30, 10], [99, 20]], "int16"),
        dims=("i", "j"),
        name="y",
        attrs={"flag_values": [10, 20, 30], "flag_meanings": "low mid high", "_FillValue": 99},
    ),
}


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("kind", LABELS)
def test_labels_in_order(kind: str, lazy: bool) -> None:
    given = LABELS[kind]
    if lazy and given.ndim == 2:
        given = given.chunk(i=1)
    codes = given.ordinal.as_ordered(LEVELS)
    assert (codes.chunks is None) == (given.chunks is None)
    due = [2, 0, 1 if kind == "text" else -1, 1]
    assert codes.values.ravel().tolist() == due and codes.dtype == np.int8
    assert codes.dims == given.dims and codes.name == "y"
    assert codes.coords.identical(given.coords)
    assert codes.ordinal.classes.tolist() == LEVELS
    assert codes.ordinal.as_ordered(LEVELS).compute().identical(codes.compute())


def test_numbers_in_order() -> None:
    ratings = xr.DataArray([[1.0, 3], [np.nan, 2]], dims=("i", "j"))
    for given in (ratings, ratings.chunk(i=1)):
        assert given.ordinal.as_ordered([1, 2, 3]).values.tolist() == [[0, 2], [-1, 1]]
        assert given.ordinal.as_ordered([3, 2, 1]).values.tolist() == [[2, 0], [-1, 1]]
    zero_based = (ratings - 1).ordinal.as_ordered(range(3))
    assert zero_based.ordinal.classes.tolist() == [0, 1, 2]


@pytest.mark.parametrize("lazy", [False, True])
def test_labels_that_are_not_classes(lazy: bool) -> None:
    given = TEXT.chunk() if lazy else TEXT
    with pytest.raises(UnknownClassError, match="'y' holds .'high'"):
        given.ordinal.as_ordered(LEVELS[:2]).compute()
    with pytest.raises(ClassOrderError, match="declares the classes low < mid < high"):
        LABELS["a Categorical"].ordinal.as_ordered(LEVELS[::-1])


@pytest.mark.parametrize("lazy", [False, True])
def test_scores_are_classified_as_those_of_a_series(lazy: bool) -> None:
    values = np.array([[0.1, 0.5, np.nan], [0.7, np.inf, -np.inf]])
    scores = xr.DataArray(values, {"i": [1, 2]}, ("i", "j"), "score", {"units": "1"})
    series = pd.Series(values.ravel()).ordinal.classify([0.5, 1.0], classes=LEVELS)
    codes = (scores.chunk(j=2) if lazy else scores).ordinal.classify([0.5, 1.0], classes=LEVELS)
    assert (codes.chunks is not None) == lazy
    npt.assert_array_equal(codes.values.ravel(), series.cat.codes)
    assert codes.ordinal.classes.tolist() == LEVELS and "units" not in codes.attrs
    frame = pd.DataFrame({"y": [0, 1, 2] * 4, "score": np.arange(12) % 3 * 0.4})
    best = frame.ordinal.best_thresholds("y", "score", metric="mae")
    found = frame["score"].to_xarray().ordinal.classify(best)
    npt.assert_array_equal(found, frame["score"].ordinal.classify(best).cat.codes)


PROBA = xr.DataArray(
    np.random.default_rng(1).dirichlet([1, 1, 1], (4, 5)),
    {"i": [1, 2, 3, 4], "class": LEVELS, "number": ("class", [0, 1, 2])},
    ("i", "j", "class"),
    "proba",
)
PROBA[0, 0] = [0.4, 0.2, 0.4]
PROBA[0, 1] = [0.5, 0.0, 0.5]
PROBA[1, 1, 2] = np.nan
COSTS = np.array([[0, 1, 4], [2, 0, 1], [9, 3, 0]])
TABLE = pd.DataFrame(COSTS, LEVELS, LEVELS)
RULES: dict[str, Callable[[Any], Any]] = {
    "expected_class": lambda p: p[1] + 2 * p[2],
    "most_likely": lambda p: max(range(3), key=lambda k: (p[k], -k)),
    "median_class": lambda p: next(k for k in range(3) if sum(p[: k + 1]) >= 0.5),
    "least_costly": lambda p: min(range(3), key=lambda c: (p @ COSTS[:, c]).round(12)),
}
GIVEN: dict[str, tuple[Any, ...]] = {"least_costly": (TABLE.iloc[::-1, [1, 2, 0]],)}


@pytest.mark.parametrize("chunks", [None, {"i": 2, "class": 1}])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("rule", RULES)
def test_rules_for_probabilities(rule: str, dtype: str, chunks: Any) -> None:
    given = PROBA.astype(dtype)
    accessor = (given if chunks is None else given.chunk(chunks)).ordinal
    found = getattr(accessor, rule)(*GIVEN.get(rule, ()))
    assert (found.chunks is None) == (chunks is None)
    assert found.dims == ("i", "j") and found.name == rule and [*found.coords] == ["i"]
    missing = np.nan if rule == "expected_class" else -1
    for i, j in np.ndindex(4, 5):
        p = given.values[i, j].astype(float)
        due = missing if np.isnan(p).any() else RULES[rule](p)
        npt.assert_allclose(found[i, j], due, rtol=1e-11)
    if rule != "expected_class":
        assert found.dtype == np.int8 and found.ordinal.classes.tolist() == LEVELS
        true = xr.zeros_like(found).drop_attrs()
        npt.assert_array_equal(
            true.ordinal.confusion(found, dropna=True),
            true.ordinal.confusion(found.drop_attrs(), dropna=True, classes=LEVELS),
        )


def test_the_dimension_of_the_classes() -> None:
    due = PROBA.ordinal.most_likely()
    first = PROBA.transpose("class", "i", "j")
    assert first.ordinal.most_likely().identical(due)
    named = PROBA.drop_vars("number").rename({"class": "grade"})
    assert named.ordinal.most_likely("grade").identical(due)
    assert named.ordinal.median_class(dim="grade").sizes == {"i": 4, "j": 5}
    ordered = pd.CategoricalIndex(LEVELS, LEVELS, ordered=True, name="grade")
    by_order = named.assign_coords(grade=ordered)
    assert by_order.ordinal.most_likely().identical(due)
    for order in itertools.permutations(range(3)):
        shuffled = by_order.isel(grade=[*order])
        assert shuffled.ordinal.most_likely().identical(due)
        assert shuffled.ordinal.expected_class().equals(PROBA.ordinal.expected_class())
    unsorted = named.isel(grade=[2, 0, 1])  # these are in order as they stand
    assert unsorted.ordinal.most_likely("grade").ordinal.classes.tolist() == ["high", "low", "mid"]


def test_bins_as_classes_of_probabilities() -> None:
    bins = pd.IntervalIndex.from_breaks([0, 1, 2, 5])
    given = PROBA.drop_vars(["class", "number"]).assign_coords({"class": bins})
    codes = given.ordinal.median_class()
    npt.assert_array_equal(codes, PROBA.ordinal.median_class())
    assert codes.ordinal.classes.equals(bins)


def test_costs_of_classes_with_labels() -> None:
    due = PROBA.ordinal.least_costly(COSTS)
    assert set(due.values.ravel()) == {-1, 0, 1, 2}
    as_array = xr.DataArray(TABLE, dims=("true", "pred"))
    for costs in (
        TABLE,
        TABLE.iloc[[2, 0, 1]],
        TABLE.T.rename_axis(index="pred", columns="true"),
        as_array,
        as_array.transpose()[::-1],
        TABLE.T.to_dict(),
    ):
        assert PROBA.ordinal.least_costly(costs).identical(due)
        assert PROBA.chunk(i=1).ordinal.least_costly(costs, "class").identical(due)


def test_probabilities_of_few_digits() -> None:
    thirds = xr.DataArray([[0.333] * 3, [0.2, 0.1, 0.701]], {"class": LEVELS}, ("i", "class"))
    for rule in RULES:
        accessor, given = thirds.ordinal, GIVEN.get(rule, ())
        for atol in (None, 0.0005):
            with pytest.raises(ValueError, match=r"give atol=0\.002"):
                getattr(accessor, rule)(*given, atol=atol)
        found = getattr(accessor, rule)(*given, atol=0.002)
        npt.assert_allclose(found, [RULES[rule](row) for row in thirds.values])
        lazy = getattr(thirds.chunk(i=1).ordinal, rule)
        npt.assert_array_equal(lazy(*given, atol=0.002), found)
        with pytest.raises(ValueError, match=r"^atol=True must be a number from 0 to 1"):
            lazy(*given, atol=True)


WRONG: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "no dimension": (
        lambda: PROBA.drop_vars("number").rename({"class": "k"}).ordinal.most_likely(),
        ValueError,
        r"\('i', 'j', 'k'\), and 0 of them",
    ),
    "other dimension": (lambda: PROBA.ordinal.most_likely("clas"), ValueError, "mean 'class'"),
    "array as dimension": (
        lambda: PROBA.ordinal.most_likely(np.zeros((2, 2))),  # type: ignore[arg-type]
        ValueError,
        "no dimension array",
    ),
    "no classes": (
        lambda: PROBA.drop_vars("class").ordinal.expected_class(),
        ClassOrderError,
        "'class' has no coordinate",
    ),
    "a class is missing": (
        lambda: (
            PROBA.drop_vars("number")
            .assign_coords({"class": pd.CategoricalIndex(LEVELS, [*LEVELS, "top"], ordered=True)})
            .ordinal.most_likely()
        ),
        ClassOrderError,
        "needs each of them once",
    ),
    "not probabilities": (lambda: (PROBA * 2).ordinal.median_class(), ValueError, "sums to 2"),
    "shape of lazy costs": (
        lambda: PROBA.chunk().ordinal.least_costly(COSTS[:2]),
        ValueError,
        "costs of shape",
    ),
    "labels of lazy costs": (
        lambda: PROBA.chunk().ordinal.least_costly(TABLE.rename({"low": "lo"})),
        UnknownClassError,
        "costs= is labelled",
    ),
    "not numbers": (
        lambda: PROBA.astype(str).ordinal.median_class(),
        ClassOrderError,
        "not numbers",
    ),
    "a cube": (
        lambda: po.from_counts(np.eye(2, dtype=int), classes=[0, 1]).ordinal.most_likely(),
        ValueError,
        "holds counts: most_likely",
    ),
    "thresholds": (
        lambda: PROBA.ordinal.classify([2, 1], classes=LEVELS),
        ValueError,
        "do not decrease",
    ),
    "classes of thresholds": (
        lambda: PROBA.ordinal.classify([1, 2]),
        ClassOrderError,
        "no classes",
    ),
    "number of thresholds": (
        lambda: PROBA.ordinal.classify([1], classes=LEVELS),
        ValueError,
        "must be 2 numbers",
    ),
    "scores": (
        lambda: TEXT.ordinal.classify([1, 2], classes=LEVELS),
        ClassOrderError,
        "'y' holds object",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_arguments_are_refused(kind: str) -> None:
    call, error, message = WRONG[kind]
    with pytest.raises(error, match=message):
        call()


def test_errors_name_the_array_or_what_it_is() -> None:
    calls: dict[str, Callable[[xr.DataArray], object]] = {
        "proba": lambda text: text.rename(i="class").ordinal.most_likely(),
        "score": lambda text: text.ordinal.classify([1], classes=LEVELS[:2]),
        "labels": lambda text: text.ordinal.as_ordered(LEVELS[:2]),
    }
    for option, call in calls.items():
        for name in (None, "forecast"):
            text = xr.DataArray(["p", "q"], {"i": ["low", "mid"]}, name=name)
            with pytest.raises(ValueError, match=f"{name or option!r} holds"):
                call(text)


def test_a_lazy_result_raises_when_it_is_computed() -> None:
    lazy = po.ordinal((PROBA * 2).chunk(i=1)).most_likely()
    with pytest.raises(ValueError, match="sums to 2"):
        lazy.compute()


# Prediction sets ----------------------------------------------------------------------------


def of_sets() -> tuple[xr.DataArray, pd.Series]:
    proba = np.random.default_rng(0).dirichlet(np.ones(4), (6, 5))
    proba[0, 0, 1] = np.nan
    names = ["dry", "moist", "wet", "flood"]
    index = pd.CategoricalIndex(names, names, ordered=True, name="class")
    coords = {"class": names, "x": range(6)}
    array = xr.DataArray(proba, coords, ("x", "y", "class"), "P", {"units": "1"})
    return array, pd.Series([0.3, 0.2, 0.4, 0.3], index, name="limit")


def test_sets_of_an_array_are_those_of_the_frame() -> None:
    proba, limits = of_sets()
    sets = proba.ordinal.prediction_sets(limits)
    frame = proba.to_series().unstack("class")
    expected = frame.ordinal.prediction_sets(list(limits.index), limits)
    for name in ("low", "high"):
        codes = expected[name].cat.codes.to_numpy().reshape(6, 5)
        assert (sets[name].to_numpy() == codes).all()
        assert sets[name].dtype == np.int8
        assert sets[name].ordinal.classes.tolist() == list(limits.index)
        assert "units" not in sets[name].attrs
    assert sets["low"].to_numpy()[0, 0] == -1
    lazy = proba.chunk({"x": 2, "class": 2}).ordinal.prediction_sets(limits)
    assert lazy.chunks["x"] == (2, 2, 2)
    xr.testing.assert_identical(lazy.compute(), sets)
    by_position = proba.ordinal.prediction_sets(limits.to_numpy(), "class")
    xr.testing.assert_identical(by_position, sets)


def test_sets_follow_the_order_of_the_limits() -> None:
    proba, limits = of_sets()
    expected = proba.ordinal.prediction_sets(limits)
    by_name = proba.sortby("class")
    assert by_name["class"].values.tolist() != list(limits.index)
    xr.testing.assert_identical(by_name.ordinal.prediction_sets(limits), expected)
    with pytest.raises(
        po.ClassOrderError, match=r"the dimension 'class' has .* each of them once"
    ):
        proba.isel({"class": slice(3)}).ordinal.prediction_sets(limits)
    with pytest.raises(ValueError, match=r"must be 4 numbers"):
        proba.ordinal.prediction_sets([0.1, 0.2])
