"""How true classes, probabilities and weights are checked; that every kernel checks them."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from oracles import probability as oracle
from oracles.decisions import OF_ROWS
from scipy import special

from pandas_ordinal import metrics
from pandas_ordinal.counting import arrays

NAN = math.nan
KERNELS = [name for name, m in metrics.registry.items() if m.needs == "probabilities"]
BAD_ROWS: dict[str, Any] = {
    "more than one": [0.5, 0.3, 0.2 + 2e-6],
    "less than one": [0.5, 0.3, 0.2 - 2e-6],
    "percent": [50, 30, 20],
    "nothing": [0, 0, 0],
    "negative": [0.5, 0.6, -0.1],
    "a little too negative": [0.5, 0.5 + 2e-6, -2e-6],
    "NaN": [0.5, NAN, 0.5],
    "infinite": [0.5, math.inf, 0.5],
    "opposite infinities": [math.inf, -math.inf, 1],
    "text": list("abc"),
    "numbers as text": ["0.5", "0.3", "0.2"],
    "complex": [0.5, 0.5j, 0.5],
    "objects": [0.5, None, 0.5],
}


@pytest.mark.parametrize("kind", BAD_ROWS)
@pytest.mark.parametrize("name", ["rps", "most_likely"])
def test_bad_probabilities(name: str, kind: str) -> None:
    """For a kernel made by `probability_metric`, and for one of the functions of rows."""
    kernel = OF_ROWS.get(name) or getattr(metrics, name)
    with pytest.raises(ValueError):
        if name in OF_ROWS:
            kernel(BAD_ROWS[kind])
        else:
            kernel([0], [BAD_ROWS[kind]])
    if kind in ("text", "numbers as text", "objects"):
        return
    stack = np.tile(np.array([0.2, 0.3, 0.5], complex if kind == "complex" else float), (4, 5, 1))
    stack[2, 3] = BAD_ROWS[kind]
    with pytest.raises(ValueError):
        kernel(stack) if name in OF_ROWS else kernel(np.zeros((4, 5), int), stack)


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_checks_its_rows(name: str) -> None:
    """All are made by `probability_metric`, which checks rows before it calls the formula."""
    assert metrics.registry[name].kernel.__code__ is metrics.rps.__code__


@pytest.mark.parametrize("name", OF_ROWS)
def test_every_function_of_rows_checks_them(name: str) -> None:
    for bad, message in (([0.5, 0.6], "sums to 1.1;"), (["a", "b"], "must be an array")):
        with pytest.raises(ValueError, match=message):
            OF_ROWS[name](bad)


@pytest.mark.parametrize("name", OF_ROWS)
def test_every_function_of_rows_takes_a_tolerance(name: str) -> None:
    kernel, thirds = OF_ROWS[name], [0.333] * 3
    for atol in (None, 0, 0.0009):
        with pytest.raises(ValueError, match=r"sums to 0.999;.* give atol=0\.002, or divide"):
            kernel(thirds, atol=atol)
    due = 0.999 if name == "expected_class" else 0 if name == "most_likely" else 1
    for atol in (0.0011, 0.01, np.float32(0.01), 0.999):
        assert kernel(thirds, atol=atol) == pytest.approx(due)
    assert kernel([0.25, 0.5, 0.25], atol=0) == 1
    for wrong in (-1e-9, 1, NAN, "0.002", True, [0.1]):
        with pytest.raises(ValueError, match=r"^atol=.* must be a number from 0 to 1, such as"):
            kernel(thirds, atol=wrong)


@pytest.mark.parametrize("off", [0, 5e-7, -5e-7])
@pytest.mark.parametrize("name", [*KERNELS, *OF_ROWS])
def test_sums_that_are_close_to_one(name: str, off: float) -> None:
    row = [0.6, 0.2, 0.2 + off]
    kernel = OF_ROWS.get(name) or getattr(metrics, name)
    rows = row if name in OF_ROWS else [row, row]
    exactly = np.round(rows, 1)
    value = kernel(rows) if name in OF_ROWS else kernel([1, 0], rows)
    exact = kernel(exactly) if name in OF_ROWS else kernel([1, 0], exactly)
    assert value == pytest.approx(exact, abs=1.1e-6)


def scored(name: str, row: Any) -> Any:
    """Several rows, so that a skill score is defined."""
    kernel = OF_ROWS.get(name) or getattr(metrics, name)
    return kernel(row) if name in OF_ROWS else kernel([0, 1, 1], [row, row, np.roll(row, 1)])


@pytest.mark.parametrize("low", [-1e-6, -9e-7, -1e-9, -5e-324, -0.0])
@pytest.mark.parametrize("name", [*KERNELS, *OF_ROWS])
def test_rounded_below_zero(name: str, low: float) -> None:
    """Values below 0, whose logarithms would be NaN, are clipped."""
    clipped = scored(name, np.array([0.25, 0.75, 0]))
    assert scored(name, np.array([0.25, 0.75, low])) == clipped
    assert not np.isnan(clipped)
    assert not np.isnan(scored(name, np.array([0.25, 0.75 + 1e-6, -1e-6])))


def test_clipping_leaves_the_array_alone() -> None:
    proba = np.array([[0.5, 0.5, -1e-9], [0.2, 0.3, 0.5]])
    before = proba.copy()
    proba.flags.writeable = False
    assert metrics.log_loss([2, 2], proba) == math.inf
    assert metrics.most_likely(proba).tolist() == [0, 2]
    np.testing.assert_array_equal(proba, before)


@pytest.mark.parametrize(
    ("dtype", "n_classes", "within"),
    [
        (np.float64, 3, 1e-6),
        (np.float64, 1000, 1e-6),
        (np.float32, 3, 1e-6),
        (np.float32, 64, 64 * 2.0**-23),
        (np.float16, 4, 4 * 2.0**-10),
        (np.float16, 64, 64 * 2.0**-10),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_sums_of_a_precision(dtype: type, n_classes: int, within: float, sign: int) -> None:
    """A sum may differ from 1 by K times the precision of the numbers, and by at least 1e-6."""
    row = np.zeros(n_classes)
    row[:2] = 0.5, 0.25
    for off, right in ((0.75 * within, True), (1.5 * within, False)):
        row[2] = 0.25 + sign * off
        given = row.astype(dtype)
        assert (abs(given.astype(float).sum() - 1) <= within) == right
        for name in [*KERNELS, *OF_ROWS]:
            if right:
                scored(name, given)
            else:
                with pytest.raises(ValueError, match="sum to 1 within"):
                    scored(name, given)
        # the same numbers in full precision are held to 1e-6
        if right and within > 1e-6:
            with pytest.raises(ValueError, match="sum to 1 within 1e-06"):
                scored("rps", given.astype(float))


@pytest.mark.parametrize("name", KERNELS)
def test_float32_probabilities_are_close_enough(name: str) -> None:
    proba = np.random.default_rng(0).dirichlet(np.ones(7), 500)
    true = np.arange(500) % 7
    kernel = OF_ROWS.get(name) or getattr(metrics, name)
    assert kernel(true, proba.astype(np.float32)) == pytest.approx(kernel(true, proba), rel=1e-5)


@pytest.mark.parametrize("name", KERNELS)
def test_message_names_the_row_and_the_remedy(name: str) -> None:
    proba = [[0.2, 0.8], [0.5, 0.6], [0.4, 0.6], [0.3, 0.3]]
    with pytest.raises(ValueError, match="2 rows.*row 1.*1.1.*divide each row by its sum"):
        getattr(metrics, name)([0, 1, 0, 1], proba)


@pytest.mark.parametrize("name", KERNELS)
def test_message_counts_the_rows_that_do_not_count_too(name: str) -> None:
    proba = [[NAN, NAN], [0.2, 0.8], [5, 5], [0.5, 0.7], [0.4, 0.6]]
    with pytest.raises(ValueError, match="1 row .*row 3, "):
        getattr(metrics, name)([-1, 0, -1, 1, 0], proba)


ROUNDED = [0.5, 0.2, 0.3]
CAUSES = {
    "logits": ([-1.25, 3.5, 0.5], "2.75", "logits: .*softmax"),
    "negative logits": ([-1.0, -2.0, -4.0], "-7", "logits: .*softmax"),
    "logits that sum to 1": ([2.0, -1.5, 0.5], "1", "logits: .*softmax"),
    "percentages": ([20.0, 30.0, 50.0], "100", "percentages: divide them by 100"),
    "percentages that are rounded": (
        [33.3, 33.3, 33.3],
        "99.9",
        "percentages: divide them by 100",
    ),
    "percentages that are differences": ([-10.0, 60.0, 50.0], "100", "logits: .*softmax"),
    "counts": ([1.0, 2.0, 0.0], "3", "counts: divide each row by its sum"),
    "shares that are not all": ([0.5, 0.25, 0.125], "0.875", "divide each row by its sum"),
    "independent shares": ([0.5, 0.75, 0.25], "1.5", "divide each row by its sum"),
    "too far below zero": ([0.5, 0.500002, -2e-6], "1", "set negative ones to 0"),
}


@pytest.mark.parametrize("kind", CAUSES)
@pytest.mark.parametrize("name", [*KERNELS, *OF_ROWS])
def test_message_names_the_numbers_and_the_cause(name: str, kind: str) -> None:
    row, total, cause = CAUSES[kind]
    rows = np.array([ROUNDED, ROUNDED, row, ROUNDED, row])
    kernel = OF_ROWS.get(name) or getattr(metrics, name)
    message = rf"2 rows lack .*row 2, is {re.escape(repr(row))}, which sums to {total}; .*{cause}"
    with pytest.raises(ValueError, match=message):
        kernel(rows) if name in OF_ROWS else kernel([0] * 5, rows)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_rows_that_are_not_finite_are_named(number: float) -> None:
    with pytest.raises(ValueError, match="row 1, .*leave out rows with NaN or infinity"):
        metrics.expected_class(np.array([[0.5, 0.5], [number, 0.5]]))


def test_remedies_that_the_message_names_work() -> None:
    logits = np.array([[-1.25, 3.5, 0.5], [0, 1, 2]])
    percentages = np.array([[20.0, 30.0, 50.0]])
    np.testing.assert_array_equal(metrics.most_likely(special.softmax(logits, axis=-1)), [1, 2])
    assert metrics.expected_class(percentages / 100) == pytest.approx(1.3)


GOOD = {"true": [0, 2, 1], "proba": np.eye(3)}
BAD: dict[str, dict[str, Any]] = {
    "too high a code": {"true": [0, 3, 1]},
    "too low a code": {"true": [0, -2, 1]},
    "float codes": {"true": [0.0, 2, 1]},
    "text codes": {"true": list("acb")},
    "a code": {"true": 0},
    "fewer codes": {"true": [0, 1]},
    "one code": {"true": [0]},
    "fewer rows": {"proba": np.eye(3)[:2]},
    "one row": {"proba": np.eye(3)[:1]},
    "a single row": {"proba": [0.2, 0.3, 0.5]},
    "a number": {"proba": 1.0},
    "no columns": {"proba": np.empty((3, 0))},
    "stacks that do not fit": {"true": [[0, 2, 1]] * 2, "proba": [np.eye(3)] * 4},
    "negative weight": {"sample_weight": [1, -1, 1]},
    "NaN weight": {"sample_weight": [1, NAN, 1]},
    "infinite weight": {"sample_weight": [1, math.inf, 1]},
    "weights as text": {"sample_weight": list("123")},
    "fewer weights": {"sample_weight": [1, 1]},
    "a weight": {"sample_weight": 2},
    "named dimensions": {"proba": xr.DataArray(np.eye(3), dims=("row", "class"))},
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input(kind: str) -> None:
    given = GOOD | BAD[kind]
    arrays = [given.pop(key) for key in ("true", "proba")]
    metrics.rps(*GOOD.values())
    with pytest.raises(ValueError):
        metrics.rps(*arrays, **given)


@pytest.mark.parametrize("name", KERNELS)
def test_options_that_do_not_exist(name: str) -> None:
    for given in (GOOD.values(), ([], np.empty((0, 3)))):
        with pytest.raises(TypeError):
            getattr(metrics, name)(*given, nonsense=1)
        with pytest.raises(TypeError):
            getattr(metrics, name)(*arrays, None, 3)


# rows in blocks


@pytest.mark.parametrize("block", [1, 2, 5, 11, 100])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["rps", "log_loss", "brier", "rps_skill"])
def test_means_over_blocks_of_any_size(
    name: str, weighted: bool, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", block)
    rng = np.random.default_rng(1)
    true = rng.integers(-1, 3, 11)
    true[:2] = -1
    proba = rng.dirichlet(np.ones(3), 11)
    weights = rng.integers(0, 3, 11) if weighted else None
    expected = getattr(oracle, name)(true.tolist(), proba.tolist(), weights=weights)
    assert getattr(metrics, name)(true, proba, weights) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("block", [1, 2, 100])
def test_wrong_rows_of_all_blocks_are_counted(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_BLOCK", block)
    proba = np.tile([0.25, 0.75], (7, 1))
    proba[[1, 3, 6]] = [[1, 1], [0.5, 0.6], [0.7, 0.7]]
    with pytest.raises(
        ValueError, match=r"2 rows lack valid probabilities: the first, row 3, is \[0.5, 0.6"
    ):
        metrics.rps([0, -1, 1, 1, 0, 0, 1], proba)


def test_probabilities_beyond_the_ends_by_rounding_are_clipped() -> None:
    rounded = [[1 + 5e-7, -5e-7]]
    assert metrics.log_loss([0], rounded) == 0
    assert metrics.brier([0], rounded) == 0


def test_one_column_of_two_classes_takes_a_series_and_refuses_text() -> None:
    true, higher = pd.Series([0, 1, 1, 0]), pd.Series([0.2, 0.9, 0.6, 0.4])
    due = (0.2**2 + 0.1**2 + 0.4**2 + 0.4**2) / 4
    assert metrics.rps(true, higher) == pytest.approx(due)
    with pytest.raises((TypeError, ValueError), match="true"):
        metrics.rps(["low", "high"], [0.2, 0.9])
    with pytest.raises(ValueError, match="true classes hold 2: give all columns"):
        metrics.rps(pd.Series([0, 2]), [0.2, 0.9])


def test_two_classes_are_one_dimension_of_probabilities_only() -> None:
    """Of several dimensions the last one has the classes, whatever the shape of the classes."""
    proba = np.array([[0.5, 0.25, 0.25], [0, 0, 1], [0, 1, 0]])
    true = np.array([[0, 2, 1], [1, 2, 1], [2, 2, 0]])
    expected = [metrics.rps(row, proba) for row in true]
    assert metrics.rps(true, proba).tolist() == expected
    with pytest.raises(ValueError, match="do not match"):
        metrics.rps([[0, 1, 1], [1, 0, 1]], [[0.5, 0.25, 0.25], [0, 0, 1]])


def test_two_classes_are_named_where_there_are_more() -> None:
    """Also if only one true class is above both."""
    for true in ([0, 2, 1], [2, 2, 2], [0, 0, 3]):
        with pytest.raises(ValueError, match=f"true classes hold {max(true)}: give all columns"):
            metrics.rps(true, [0.5, 0.25, 0.75])
    assert metrics.rps([0, 1, 1], [0.5, 0.25, 0.75]) == pytest.approx(
        (1 / 4 + 9 / 16 + 1 / 16) / 3
    )


@pytest.mark.parametrize("reference", [[], [0.5], "climate", [[]], [[0.5, 0.5]], [[], [0.5, 0.5]]])
def test_references_that_are_no_probabilities(reference: Any) -> None:
    is_flat = isinstance(reference, str) or np.ndim(reference[0:1]) < 2
    due = r".* must be \"climatology\" or 2 probabilities, one per class" if is_flat else ""
    with pytest.raises(ValueError, match=f"^reference={due}"):
        metrics.rps_skill([0, 1], [[0.5, 0.5], [0, 1]], reference=reference)


def test_a_reference_by_row_is_the_same_in_each_sample() -> None:
    """Of a stack of samples: (n, K) stands for all, (..., n, K) has those of each."""
    rng = np.random.default_rng(0)
    true, proba = rng.integers(0, 3, (4, 2, 5)), rng.dirichlet(np.ones(3), (4, 2, 5))
    for shape in ((5, 3), (4, 2, 5, 3)):
        given = rng.dirichlet(np.ones(3), shape[:-1])
        each = np.broadcast_to(given, proba.shape)
        found = metrics.rps_skill(true, proba, reference=given)
        for place in np.ndindex(4, 2):
            due = 1 - metrics.rps(true[place], proba[place]) / metrics.rps(
                true[place], each[place]
            )
            assert found[place] == pytest.approx(due)
    one = metrics.rps_skill(true[0], proba[0], reference=each[0, 0])
    alone = [metrics.rps_skill(true[0, i], proba[0, i], reference=each[0, 0]) for i in range(2)]
    assert one.tolist() == pytest.approx(alone)


def test_a_half_within_the_tolerance_is_a_half() -> None:
    assert metrics.median_class([0.5 - 1e-12, 0.5 + 1e-12]) == 0
    assert metrics.median_class([0.5 - 2e-12, 0.5 + 2e-12]) == 1
    assert metrics.median_class([[0.2, 0.3, 0.5], [0.2, 0.2, 0.6]]).tolist() == [1, 2]
