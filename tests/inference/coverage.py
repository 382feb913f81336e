"""How often intervals hold the truth: ``python tests/inference/coverage.py`` prints the table."""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
import xarray as xr

from pandas_ordinal.metrics.metric import registry

METRICS = ["accuracy", "mae", "amae", "mmae", "kappa", "kendall_tau", "r_int", "oci", "stc"]
METRICS.append("bias")
MODELS = {"nearly perfect": 0.03, "good": 0.3, "chance": None}
LARGE = 10**7


def population(n_classes: int, wrong: float | None) -> np.ndarray:
    """Shares of a model that is wrong that often, near errors more often than far ones."""
    position = np.arange(n_classes)
    sizes = 0.75**position / (0.75**position).sum()
    if wrong is None:
        return np.outer(sizes, sizes)
    near = np.where(position[:, None] == position, 0, 0.4 ** np.abs(position[:, None] - position))
    near = wrong * near / near.sum(1, keepdims=True)
    return sizes[:, None] * (near + (1 - wrong) * np.eye(n_classes))


def coverage(n_classes: int, n_rows: int, wrong: float | None, n_times: int) -> pd.Series:
    """Share of the intervals that hold the value of the population, by metric."""
    shares = population(n_classes, wrong)
    rng = np.random.default_rng([n_classes, n_rows, int(1000 * (wrong or 0))])
    counts = rng.multinomial(n_rows, shares.ravel(), n_times).reshape(-1, n_classes, n_classes)
    classes = pd.CategoricalIndex(range(n_classes), ordered=True)
    cube = xr.DataArray(
        counts, dims=("time", "true", "pred"), coords={"true": classes, "pred": classes}
    )
    report = cube.ordinal.report(metrics=METRICS, ci=0.95)
    found = {}
    for name in METRICS:
        value = registry[name].kernel(np.rint(LARGE * shares).astype(int))
        low, high = report[f"{name}_low"].values, report[f"{name}_high"].values
        defined = ~np.isnan(low)
        found[name] = ((low <= value + 1e-9) & (value - 1e-9 <= high))[defined].mean()
    return pd.Series(found)


def table(
    n_times: int, classes: tuple[int, ...] = (2, 3, 5, 10), rows: tuple[int, ...] = (30, 100, 400)
) -> pd.DataFrame:
    """Coverage by number of classes, number of rows and model."""
    columns = {
        (n_classes, n_rows, model): coverage(n_classes, n_rows, wrong, n_times)
        for n_classes in classes
        for n_rows in rows
        for model, wrong in MODELS.items()
    }
    return pd.DataFrame(columns).T.rename_axis(index=["K", "N", "model"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=2000)
    found = table(parser.parse_args().times)
    mean = found.groupby(level=["K", "N"]).mean()
    print(mean.to_string(float_format="{:.3f}".format))
    low = found.stack()
    print("\nbelow .90:", low[low < 0.90].round(3).to_dict())
