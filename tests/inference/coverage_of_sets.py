"""How often intervals of prediction sets hold the truth, as `coverage_of_rows.py` does."""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd
from inference.coverage_of_rows import LARGE, MODELS, rows_of

METRICS = ["coverage", "size", "least_coverage", "distance", "interval_score"]
COVERAGE = 0.9


def sets_of(
    n_rows: int, n_classes: int, model: str, by_class: bool, rng: np.random.Generator
) -> pd.DataFrame:
    """Rows with sets by limits from 500 other rows."""
    known, proba = rows_of(500, n_classes, model, np.random.default_rng(1))
    asked = {"classes": range(n_classes), "coverage": COVERAGE, "by_class": by_class}
    limits = known.ordinal.set_limits("y", proba, **asked)
    rows, _ = rows_of(n_rows, n_classes, model, rng)
    ends = rows.ordinal.prediction_sets(proba, limits).astype(int)
    return rows[["y"]].assign(low=ends["low"], high=ends["high"])


def coverage(n_classes: int, n_rows: int, model: str, by_class: bool, n_times: int) -> pd.Series:
    """Share of the intervals that hold the value of the population, by column."""
    rng = np.random.default_rng([n_classes, n_rows, list(MODELS).index(model), by_class])
    asked = {"low": "low", "high": "high", "coverage": COVERAGE, "classes": range(n_classes)}
    large = sets_of(LARGE, n_classes, model, by_class, np.random.default_rng(0))
    truth = large.ordinal.report_sets("y", **asked)
    frame = sets_of(n_rows * n_times, n_classes, model, by_class, rng)
    frame["time"] = np.repeat(np.arange(n_times), n_rows)
    report = frame.ordinal.report_sets("y", by="time", ci=0.95, **asked)
    found = {}
    for name in METRICS:
        low, high = report[f"{name}_low"].dropna(), report[f"{name}_high"].dropna()
        found[name] = ((low <= truth[name] + 1e-9) & (truth[name] <= high + 1e-9)).mean()
    return pd.Series(found)


def table(
    n_times: int,
    classes: tuple[int, ...] = (3, 5, 10),
    rows: tuple[int, ...] = (30, 100, 400),
) -> pd.DataFrame:
    """Coverage by number of classes and of rows, model, and kind of limits."""
    columns = {
        (n_classes, n_rows, model, "by class" if by_class else "all rows"): coverage(
            n_classes, n_rows, model, by_class, n_times
        )
        for n_classes in classes
        for n_rows in rows
        for model in MODELS
        for by_class in (False, True)
    }
    return pd.DataFrame(columns).T.rename_axis(index=["K", "N", "model", "limits"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=500)
    found = table(parser.parse_args().times)
    print(found.groupby(level=["K", "N"]).mean().to_string(float_format="{:.3f}".format))
    print("\nleast:", found.min().round(3).to_dict())
    low = found.stack()
    print("\nbelow .90:", low[low < 0.90].round(3).to_dict())
