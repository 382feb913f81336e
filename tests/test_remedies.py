"""The lines that errors print run, and give the right values."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot
from remedies import Case, followed, message_of, pattern, templates
from remedy_cases import CASES

A_REPR = "a repr, of which this names an argument"
GIVEN = "names an argument as it was given, not a line to write"

# What is not in all environments, by the word in a setup that needs it
NEEDED = {
    "polars": ("polars", None),
    "duckdb": ("duckdb", None),
    "M8[s]": ("xarray", "2025.1.1"),
}

# Texts that are not run, and why
NOT_RUN = {
    "no ordered Categorical: integers are classes": "a repr",
    "no ordered Categorical whose classes are known": "a repr",
    "Counter(classes=": A_REPR,
    "Partitions(": A_REPR,
    "\0(classes=\0)": A_REPR,
    "is not among classes=\0: give all of them": GIVEN,
    "no ordered column has one of classes=": GIVEN,
    "has the attribute flag_values=": GIVEN,
    "has the attributes bin_edges=": GIVEN,
    "groups= names \0, which is not in by=": GIVEN,
    "was fitted to \0, which classes=": GIVEN,
    ".toPandas()": "Spark is not installed",
    "if you trust \0, read it with": "a file of a billion values",
    "the data has changed": "data that differ between two passes",
}


with warnings.catch_warnings():  # built for another NumPy, in the lowest versions
    warnings.simplefilter("ignore")
    pytest.importorskip("netCDF4")


@pytest.fixture(autouse=True)
def _pictures() -> Iterator[None]:
    with mpl.rc_context({"backend": "agg"}):
        yield
    pyplot.close("all")


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.call)
def test_lines_run(one: Case) -> None:
    for word, (library, version) in NEEDED.items():
        if word in one.setup:
            pytest.importorskip(library, version)
    message = message_of(one)
    assert one.fixes
    for given in one.fixes:
        assert given.printed in message
        result = followed(one, given)
        if one.due is not None:
            np.testing.assert_allclose(np.asarray(result, dtype=float), one.due, rtol=1e-12)


def test_each_line_has_a_case() -> None:
    for library, version in NEEDED.values():
        pytest.importorskip(library, version)
    messages = [message_of(one) for one in CASES]
    missing = [
        f"{place} {text!r}"
        for place, text in templates()
        if not any(excepted in text for excepted in NOT_RUN)
        if not any(pattern(text).search(message) for message in messages)
    ]
    assert not missing, "\n".join(missing)


def test_each_exception_is_there() -> None:
    texts = [text for _, text in templates()]
    assert [one for one in NOT_RUN if not any(one in text for text in texts)] == []
