"""`atol=` lets probabilities through whose sums differ from 1 by rounding, as they are."""

from __future__ import annotations

from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po

LEVELS = ["low", "mid", "high"]
TRUE = [0, 1, 2, 0]
PROBA = np.array([[0.333] * 3, [0.5, 0.25, 0.25], [0.2, 0.3, 0.501], [0.1, 0.2, 0.7]])
FRAME = pd.DataFrame(PROBA, columns=LEVELS).assign(
    y=pd.Categorical.from_codes(TRUE, LEVELS, ordered=True), g=list("aabb")
)
DATASET = xr.Dataset(
    {"y": ("case", TRUE), "p": (("case", "class"), PROBA)},
    {"class": LEVELS, "g": ("case", list("aabb"))},
)


def ranked_errors() -> list[float]:
    """The score of each row, literally from its numbers as they are given."""
    return [
        sum((sum(row[: k + 1]) - (y <= k)) ** 2 for k in range(2))
        for y, row in zip(TRUE, PROBA.tolist(), strict=True)
    ]


RPS = float(np.mean(ranked_errors()))
OF_ARRAYS: dict[str, Any] = {"classes": LEVELS, "atol": 0.002}
SURFACES = {
    "frame": lambda: FRAME.ordinal.rps("y", LEVELS, atol=0.002),
    "series": lambda: FRAME["y"].ordinal.rps(FRAME[LEVELS], atol=0.002),
    "dask frame": lambda: po.ordinal(dd.from_pandas(FRAME, npartitions=2)).rps(
        "y", LEVELS, atol=0.002
    ),
    "array": lambda: DATASET["y"].ordinal.rps(DATASET["p"], **OF_ARRAYS),
    "dataset": lambda: DATASET.ordinal.rps("y", "p", **OF_ARRAYS),
    "dask dataset": lambda: DATASET.chunk(case=3).ordinal.rps("y", "p", **OF_ARRAYS),
    "report": lambda: FRAME.ordinal.report("y", proba=LEVELS, metrics=["rps"], atol=0.002)["rps"],
    "report with intervals": lambda: FRAME.ordinal.report(
        "y", proba=LEVELS, metrics=["rps"], ci=0.9, atol=0.002
    )["rps"],
    "report of a Series": lambda: FRAME["y"].ordinal.report(
        proba=FRAME[LEVELS], metrics=["rps"], atol=0.002
    )["rps"],
    "report of a Dataset": lambda: DATASET.ordinal.report(
        "y", proba="p", metrics=["rps"], **OF_ARRAYS
    )["rps"],
    "intervals of a Dataset": lambda: DATASET.ordinal.report(
        "y", proba="p", metrics=["rps"], ci=0.9, **OF_ARRAYS
    )["rps"],
    "report of a Dask frame": lambda: po.ordinal(dd.from_pandas(FRAME, npartitions=2)).report(
        "y", proba=LEVELS, metrics=["rps"], atol=0.002
    )["rps"],
    "compare": lambda: FRAME.ordinal.compare(
        "y", proba={"a": LEVELS, "b": dict(zip(LEVELS, LEVELS, strict=True))}, metrics=["rps"],
        atol=0.002,
    )["value_a"].iloc[0],
    "compare of a Dataset": lambda: DATASET.assign(q=DATASET["p"]).ordinal.compare(
        "y", proba=["p", "q"], metrics=["rps"], **OF_ARRAYS
    )["value_a"].iloc[0],
    "calibration": lambda: FRAME.ordinal.calibration("y", LEVELS, atol=0.002)["rps"],
}  # fmt: skip


@pytest.mark.parametrize("name", SURFACES)
def test_rows_are_scored_as_they_are(name: str) -> None:
    found = SURFACES[name]()
    assert float(found.compute() if hasattr(found, "compute") else found) == pytest.approx(RPS)


def test_groups() -> None:
    due = [np.mean(ranked_errors()[:2]), np.mean(ranked_errors()[2:])]
    for found in (
        FRAME.groupby("g").ordinal.rps("y", LEVELS, atol=0.002),
        FRAME.ordinal.rps("y", LEVELS, by="g", atol=0.002),
        FRAME.groupby("g").ordinal.report("y", proba=LEVELS, metrics=["rps"], atol=0.002)["rps"],
        DATASET.ordinal.rps("y", "p", by="g", **OF_ARRAYS),
    ):
        np.testing.assert_allclose(found, due)


def test_the_parts_of_a_score_and_a_reference_of_rows() -> None:
    parts = ["rps", "rps_mcb", "rps_dsc", "rps_unc"]
    found = DATASET.ordinal.report("y", proba="p", metrics=parts, **OF_ARRAYS)
    total = found["rps_mcb"] - found["rps_dsc"] + found["rps_unc"]
    np.testing.assert_allclose(total, found["rps"])
    for skill in (
        FRAME.ordinal.rps_skill("y", LEVELS, reference=FRAME[LEVELS], atol=0.002),
        DATASET.ordinal.rps_skill("y", "p", reference=DATASET["p"], **OF_ARRAYS),
    ):
        assert float(skill) == pytest.approx(0)


@pytest.mark.parametrize(("atol", "enough"), [(None, "0.002"), (0.0005, "0.002")])
def test_the_error_has_a_value_that_is_enough(atol: Any, enough: str) -> None:
    with pytest.raises(ValueError, match=rf"3 rows lack .*give atol={enough}, or divide each row"):
        FRAME.iloc[[0, 2, 2, 1]].ordinal.rps("y", LEVELS, atol=atol)
    with pytest.raises(ValueError, match=r"1 row lacks .*: these look like percentages"):
        FRAME.assign(**{n: FRAME[n] * 100 for n in LEVELS})[3:].ordinal.rps("y", LEVELS)
    with pytest.raises(ValueError, match=r"sums to 0.999;.* if that is meant, set negative"):
        po.metrics.rps(TRUE, PROBA)  # which has no such option


def test_the_row_furthest_from_one_decides_what_is_enough() -> None:
    rounded = FRAME.assign(low=[0.3336, 0.4986, 0.2, 0.1], mid=[0.333, 0.25, 0.3, 0.2])
    with pytest.raises(ValueError, match=r"3 rows lack .*give atol=0\.002, or"):  # 0.9986
        rounded.ordinal.rps("y", LEVELS)


@pytest.mark.parametrize("wrong", [-1, 1, np.nan, "0.002", True])
def test_what_is_no_tolerance(wrong: Any) -> None:
    for surface in (FRAME.ordinal, DATASET.ordinal):
        columns = ("y", "p") if hasattr(surface, "to_zarr") else ("y", LEVELS)
        with pytest.raises(ValueError, match=r"^atol=.* must be a number from 0 to 1, such as"):
            surface.rps(*columns, atol=wrong, classes=LEVELS)


def test_no_tolerance_and_one_that_is_met_exactly() -> None:
    whole = pd.DataFrame({"y": FRAME["y"], "low": 0.5, "mid": 0.25, "high": 0.25})
    for none in (0, 0.0, np.int64(0), np.float32(0)):
        found = whole.ordinal.rps("y", LEVELS, atol=none)
        assert found == whole.ordinal.rps("y", LEVELS)
    eps = 2.0**-52  # a sum of three may be rounded by as many of these
    met = whole.assign(low=0.25, mid=1 + 3 * eps, high=0.0)
    assert met.ordinal.rps("y", LEVELS, atol=0.25) > 0
    with pytest.raises(ValueError, match="4 rows lack valid probabilities"):
        met.assign(mid=1 + 4 * eps).ordinal.rps("y", LEVELS, atol=0.25)


def test_rounding_below_zero_is_read_as_zero() -> None:
    found = po.metrics.rps([1, 1], [[-1e-6, 0.5, 0.5 + 1e-6], [0, 0.5, 0.5]])
    assert found == pytest.approx(0.25)
    with pytest.raises(ValueError, match="1 row lacks valid probabilities"):
        po.metrics.rps([1, 1], [[-1.1e-6, 0.5, 0.5 + 1.1e-6], [0, 0.5, 0.5]])


def test_probabilities_above_one_are_read_as_one() -> None:
    ds = xr.Dataset({"y": ("i", LEVELS[:2]), "p": (("i", "c"), [[1.04, 0, 0], [0, 1, 0]])})
    ds = ds.assign_coords(c=LEVELS)
    df = pd.DataFrame(ds["p"].values, columns=LEVELS).assign(y=LEVELS[:2])
    for surface, columns in ((ds.ordinal, "p"), (ds.chunk().ordinal, "p"), (df.ordinal, LEVELS)):
        for metric in ("rps", "brier"):
            found = getattr(surface, metric)("y", columns, classes=LEVELS, atol=0.05)
            assert float(found) == 0


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ([0, 0.5, 0.501], "give atol=0.002"),
        ([-1e-6, 0.5, 0.501], "give atol=0.001"),  # as good as 0
        ([-2e-6, 0.5, 0.501], "if that is meant"),
        ([0.2, 0.3, 0.45001], "give atol=0.05"),
        ([0.2, 0.3, 0.4499], "if that is meant"),
    ],
)
def test_rows_that_may_be_rounded(row: list[float], told: str) -> None:
    with pytest.raises(ValueError, match=f"1 row lacks valid probabilities: .*: .*{told}"):
        FRAME.iloc[[1]].assign(**dict(zip(LEVELS, row, strict=True))).ordinal.rps("y", LEVELS)


MUCH = 100 * 1e-6  # what is no rounding any more
CAUSES: dict[str, list[list[float]]] = {
    "leave out rows with NaN or infinity": [[np.nan, 0.5, 0.5], [np.inf, -np.inf, 0]],
    "look like percentages": [[0, 50, 50], [0, 99, 0], [0, 0.5, 100.5]],
    "look like counts": [[0, 1, 2], [0, 0, 2], [0, 0, 98], [50, 50, 2]],
    "look like logits": [
        [0, 0.5, 98], [0, 0.5, 101], [-1, 1, 2], [-1, 50.5, 50.5], [0, 1.5, 1],
        [-2 * MUCH, 0.5, 0.5], [1 + 2 * MUCH, 0, 0], [1 + 1.005 * MUCH, 0, 0],
    ],
    "if that is meant": [
        [0, 1, 1], [0, 0.5, 0.4], [-MUCH, 0.5, 0.5], [1 + MUCH, 0, 0], [0.99995, 0.5, 0],
    ],
}  # fmt: skip


@pytest.mark.parametrize("told", CAUSES)
def test_likely_causes(told: str) -> None:
    for row in CAUSES[told]:
        with pytest.raises(ValueError, match=f"1 row lacks .*{told}"):
            po.metrics.rps([1, 1], [[0, 0.5, 0.5], row])
