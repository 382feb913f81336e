"""A group whose rows all have weight 0: its n, no clusters or classes, and otherwise NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from parted import cut, parted

import pandas_ordinal as po

N = 15
RNG = np.random.default_rng(8)
FRAME = pd.DataFrame(
    {
        "g": np.repeat(["weighed", "zero"], N),
        "i": np.tile(np.arange(N), 2),
        "c": np.tile(np.arange(N) % 4, 2),
        "w": np.repeat([2.0, 0.0], N),
    }
)
for column in "yab":
    FRAME[column] = RNG.integers(0, 3, 2 * N)
FRAME.loc[FRAME.c == 3, "w"] = 0
LONG = FRAME.melt(["g", "i", "c", "w", "y"], ["a", "b"], var_name="model", value_name="yhat")
DDF = po.ordinal(parted(cut(FRAME, [4, 20])))
ROWS = FRAME.drop(columns="i").to_xarray()
GRID = FRAME.set_index(["g", "i"]).to_xarray()
OPTIONS: dict[str, Any] = {"metrics": ["mae"], "sample_weight": "w", "cluster": "c"}
CI = {**OPTIONS, "ci": 0.9}
WITHIN = {**CI, "cluster": xr.DataArray(np.arange(N) % 4, dims="i", name="c")}
SIZES = ["n", "n_clusters"]

SURFACES: dict[str, Callable[[], pd.DataFrame]] = {
    "report": lambda: FRAME.ordinal.report("y", "a", by="g", **CI),
    "report, models": lambda: FRAME.ordinal.report("y", ["a", "b"], by="g", **CI).xs("a", level=1),
    "report, groupby": lambda: FRAME.groupby("g").ordinal.report("y", "a", **CI),
    "report, partitions": lambda: DDF.report("y", "a", by="g", classes=range(3), **CI).compute(),
    "report, Dataset": lambda: ROWS.ordinal.report("y", "a", by="g", **CI).to_dataframe(),
    "report, grid": lambda: GRID.ordinal.report("y", "a", dim="i", **WITHIN).to_dataframe(),
    "report, chunks": lambda: (
        GRID.chunk({"i": 4})
        .ordinal.report("y", "a", dim="i", classes=range(3), **WITHIN)
        .to_dataframe()
    ),
    "compare": lambda: FRAME.ordinal.compare("y", ["a", "b"], by="g", **OPTIONS),
    "compare, long": lambda: LONG.ordinal.compare(
        "y", "yhat", model="model", id="i", by="g", **OPTIONS
    ),
    "compare, groupby": lambda: FRAME.groupby("g").ordinal.compare("y", ["a", "b"], **OPTIONS),
    "compare, partitions": lambda: DDF.compare(
        "y", ["a", "b"], by="g", classes=range(3), **OPTIONS
    ).compute(),
    "compare, Dataset": lambda: ROWS.ordinal.compare("y", ["a", "b"], by="g", **OPTIONS),
}


@pytest.mark.parametrize("surface", SURFACES)
def test_sizes_and_values(surface: str) -> None:
    table = SURFACES[surface]()
    weighed, zero = table.xs("weighed").squeeze(), table.xs("zero").squeeze()
    assert weighed[SIZES].tolist() == [N, 3]
    assert zero[SIZES].tolist() == [N, 0]
    assert zero.get("n_classes", 0) == 0
    numbers = zero.drop([*SIZES, "n_classes", "share_a", "share_b"], errors="ignore")
    assert numbers.isna().all()
