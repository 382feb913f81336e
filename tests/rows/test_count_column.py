"""Tables of counts by true class and several predicted ones are compared like their rows."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from counted_models import MODELS, counted, predicted
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import differences
from oracles.strategies import QUICK

import pandas_ordinal as po
from pandas_ordinal.rows.count_column import as_numbers

METRICS = ["accuracy", "mae", "amae", "mmae", "kappa", "oci", "stc", "kendall_tau", "bias"]
KINDS: list[dict[str, Any]] = [
    {},
    {"by": "g"},
    {"cluster": "site"},
    {"by": "g", "cluster": "site"},
    {"by": ["site", "g"], "reference": "b"},
    {"method": "permutation", "n_permutations": 20},
    {"method": "permutation", "n_permutations": 20, "cluster": "site"},
    {"adjust": "max-t", "cluster": "site"},
    {"alternative": "non-inferior", "margin": 0.05},
]


def keys_of(asked: dict[str, Any]) -> list[str]:
    by = asked.get("by", [])
    keys = by if isinstance(by, list) else [by]
    return [*keys, *([asked["cluster"]] if "cluster" in asked else [])]


@settings(QUICK, max_examples=8)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(1, 60),
    n_classes=st.integers(1, 4),
    asked=st.sampled_from(KINDS),
    missing=st.booleans(),
)
def test_counts_say_what_their_rows_say(
    seed: int, n_rows: int, n_classes: int, asked: dict[str, Any], missing: bool
) -> None:
    df = predicted(seed, n_rows, n_classes, missing)
    asked = {"metrics": METRICS, "classes": range(n_classes), "dropna": missing, **asked}
    if not df.dropna().shape[0]:
        return
    expected = df.ordinal.compare("y", MODELS, **asked)
    table = counted(df, keys_of(asked), seed % 100)
    found = table.ordinal.compare("y", MODELS, count="n", **asked)
    pd.testing.assert_frame_equal(found, expected, rtol=1e-9, atol=1e-12)
    assert found.attrs == expected.attrs


def test_the_standard_error_is_that_of_the_literal_rule() -> None:
    df = predicted(3, 80, 4)
    found = counted(df).ordinal.compare("y", MODELS, count="n", metrics=["mae", "kappa"])
    for (metric, a, b), row in found.iterrows():
        kernel = getattr(po.metrics, metric)
        y, *preds = (df[name].tolist() for name in ("y", a, b))
        limits = (-1, 1) if metric == "kappa" else (0, 3)
        due = differences.difference(
            kernel, y, (preds[0], preds[1]), 4, limits, is_mean=metric == "mae"
        )
        assert row.se == pytest.approx(due.se, rel=1e-9)


def test_groups_of_a_groupby() -> None:
    df = predicted(5, 90, 3)
    table = counted(df, ["g"])
    found = table.groupby("g").ordinal.compare("y", MODELS, count="n", metrics=["mae"])
    expected = df.ordinal.compare("y", MODELS, by="g", metrics=["mae"])
    pd.testing.assert_frame_equal(found, expected, rtol=1e-9)


@pytest.mark.parametrize(
    "count", [lambda n: n.astype(float), lambda n: n.map(Decimal), lambda n: n.astype("Int64")]
)
def test_counts_as_databases_return_them(count: Any) -> None:
    df = predicted(5, 90, 3)
    table = counted(df)
    asked = {"count": "n", "metrics": ["mae", "oci"]}
    found = table.assign(n=count(table["n"])).ordinal.compare("y", MODELS, **asked)
    pd.testing.assert_frame_equal(found, table.ordinal.compare("y", MODELS, **asked))


def test_rows_that_stand_for_none_are_left_out() -> None:
    """Nor do their clusters, groups and missing labels count."""
    table = counted(predicted(5, 90, 3), ["g", "site"])
    nothing = table.iloc[:2].assign(site=99, g="w", n=0, a=None)
    asked: dict[str, Any] = {
        "count": "n", "by": "g", "cluster": "site", "metrics": ["mae"], "classes": range(3)
    }  # fmt: skip
    expected = table.ordinal.compare("y", MODELS, **asked)
    found = pd.concat([table, nothing.astype(table.dtypes)]).ordinal.compare("y", MODELS, **asked)
    pd.testing.assert_frame_equal(found, expected)


def test_a_counter_keyed_by_the_other_models_holds_joint_counts() -> None:
    df = predicted(7, 200, 3).astype(dict.fromkeys(["y", *MODELS], int))
    counters = []
    for rows in np.array_split(np.arange(len(df)), 4):
        counter = po.Counter(classes=range(3), by=["a", "b"])
        counter.update(df.iloc[rows], "y", "c")
        counters.append(counter)
    first, *others = counters
    for other in others:
        first = first.merge(other)
    table = first.cube.to_series().rename("n").reset_index()
    found = table.ordinal.compare("true", {"a": "a", "b": "b", "c": "pred"}, count="n")
    pd.testing.assert_frame_equal(found, df.ordinal.compare("y", MODELS), rtol=1e-9)


@pytest.mark.parametrize(
    ("n", "message"),
    [
        (0.5, "holds fractions, and count= takes numbers of rows"),
        (-1, "negative"),
        (np.nan, "finite"),
        (True, "booleans, which are not counts"),
        (pd.Timestamp("2026-01-01"), "which are not counts"),
        (2.0**53, r"adds up to 2\*\*53 or more"),
    ],
)
def test_what_is_no_number_of_rows_is_refused(n: Any, message: str) -> None:
    table = counted(predicted(5, 20, 3)).assign(n=n)
    with pytest.raises(ValueError, match=message):
        table.ordinal.compare("y", MODELS, count="n")


@pytest.mark.parametrize(
    ("values", "kind", "message"),
    [
        (["2", "3"], pa.string(), r"holds string\[pyarrow\] values, .*: convert it, such as with"),
        ([2, None], pa.int64(), r"hold nan, but .*\.fillna\(0\)"),
    ],
)
def test_what_is_no_number_of_rows_in_arrow_is_refused(
    values: Any, kind: Any, message: str
) -> None:
    n = pd.array(values, pd.ArrowDtype(kind))
    table = pd.DataFrame({"y": [0, 1], "a": [0, 1], "b": [1, 1], "n": n})
    with pytest.raises(ValueError, match=message):
        table.ordinal.compare("y", ["a", "b"], count="n")


def test_single_numbers_that_are_none_of_rows_are_refused() -> None:
    table = counted(predicted(5, 20, 3))
    table["n"] = [0.5] + [2.0] * (len(table) - 1)
    with pytest.raises(ValueError, match="holds fractions"):
        table.ordinal.compare("y", MODELS, count="n")
    sums: list[list[float]] = [[2.0**53], [2**62, 2**62]]  # integers would add up to -(2**63)
    for numbers in sums:
        table["n"] = [*numbers, *[0] * (len(table) - len(numbers))]
        with pytest.raises(ValueError, match=r"adds up to 2\*\*53 or more"):
            table.ordinal.compare("y", MODELS, count="n")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"score": MODELS}, "count= and score= cannot be combined"),
        ({"proba": [MODELS] * 3}, "count= and proba= cannot be combined"),
        ({"model": "g", "id": "site"}, "count= and model= cannot be combined"),
    ],
)
def test_what_belongs_to_single_rows_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        counted(predicted(5, 20, 3), ["g"]).ordinal.compare("y", MODELS, count="n", **asked)


@pytest.mark.parametrize("kind", [Decimal, int])
@pytest.mark.parametrize(("largest", "dtype"), [(2**53, "int64"), (2**53 + 2, "float64")])
def test_counts_that_are_python_objects_are_integers_if_exact(
    kind: type, largest: int, dtype: str
) -> None:
    column = pd.Series([kind(1), kind(largest)], dtype=object)
    assert as_numbers("column 'n'", column).dtype == dtype


@pytest.mark.parametrize(
    ("values", "are_digits"), [(["3", "4"], True), ([2, "3"], True), (["3", "x"], False)]
)
def test_text_is_to_be_converted_if_all_of_it_is_digits(
    values: list[Any], are_digits: bool
) -> None:
    with pytest.raises(ValueError, match=r"column 'n' holds '3', which is not a count") as caught:
        as_numbers("column 'n'", pd.Series(values, dtype=object))
    assert ("convert it, such as with .astype(float)" in str(caught.value)) == are_digits


def test_counts_have_no_weights_beside_them() -> None:
    table = pd.DataFrame({"y": [0, 1], "a": [0, 1], "b": [1, 1], "n": [2, 3], "w": 0.5})
    with pytest.raises(ValueError, match="count= and sample_weight= cannot be combined"):
        table.ordinal.compare("y", ["a", "b"], count="n", sample_weight="w", classes=[0, 1])
