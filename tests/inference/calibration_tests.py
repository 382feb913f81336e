"""How often tests of calibration reject right forecasts, and find overconfident ones."""

from __future__ import annotations

import argparse
import itertools

import numpy as np
import pandas as pd
from scipy.special import ndtr

import pandas_ordinal as po

DEPENDENCE = 0.4
TESTS = ["p_value", "p_large", "p_score"]


def samples(
    n_rows: int, n_classes: int, n_times: int, power: float, clusters: bool = False
) -> pd.DataFrame:
    """Forecasts by proportional odds, raised to a power; true classes by the odds themselves.

    With clusters of 1 to 19 rows, what decides the true classes has a correlation of .4 within a
    cluster.
    """
    rng = np.random.default_rng([n_rows, n_classes, n_times, round(10 * power)])
    n = n_rows * n_times
    time = np.repeat(np.arange(n_times), n_rows)
    cluster = np.repeat(np.arange(n), rng.integers(1, 20, n))[:n]
    score, share = rng.normal(size=n) * 1.5, DEPENDENCE if clusters else 0
    common = rng.normal(size=n)[cluster]
    chance = ndtr(np.sqrt(share) * common + np.sqrt(1 - share) * rng.normal(size=n))
    cuts = np.linspace(-2, 2, n_classes - 1)
    below = 1 / (1 + np.exp(-(cuts - score[:, None])))
    proba = np.diff(below, axis=1, prepend=0, append=1)
    y = (below < chance[:, None]).sum(axis=1)
    proba **= power
    proba /= proba.sum(axis=1, keepdims=True)
    return pd.DataFrame(proba).assign(y=y, time=time, cluster=cluster)


def rejected(frame: pd.DataFrame, n_classes: int, cluster: str | None = None) -> pd.Series:
    """Share of the samples that each test rejects at .05."""
    classes = list(range(n_classes))
    rows = po.ordinal(frame)
    options = {"by": "time", "classes": classes, "cluster": cluster, "n_draws": 1}
    found = rows.calibration("y", classes, **options)
    at = rows.calibration("y", classes, thresholds=True, **options)
    shares = (found[TESTS].dropna() <= 0.05).mean()
    return pd.concat([shares, pd.Series({"threshold": (at["p_value"].dropna() <= 0.05).mean()})])


def table(
    n_times: int,
    classes: tuple[int, ...] = (3, 5, 7),
    rows: tuple[int, ...] = (100, 400, 1600),
    powers: tuple[float, ...] = (1.0, 1.3),
) -> pd.DataFrame:
    """Shares by number of classes and rows, and by the power of the forecasts."""
    cells = itertools.product(powers, classes, rows)
    found = {(power, k, n): rejected(samples(n, k, n_times, power), k) for power, k, n in cells}
    return pd.DataFrame(found).T.rename_axis(index=["power", "K", "N"])


def by_cluster(
    n_times: int, classes: tuple[int, ...] = (3, 5, 7), rows: tuple[int, ...] = (150, 400, 1600)
) -> pd.DataFrame:
    """Shares in clusters of right forecasts, by cluster and as if rows were independent."""
    found = {}
    for k, n in itertools.product(classes, rows):
        frame = samples(n, k, n_times, 1.0, clusters=True)
        for cluster in ("cluster", None):
            found[k, n, cluster or "independent"] = rejected(frame, k, cluster)
    return pd.DataFrame(found).T.rename_axis(index=["K", "N", "rows"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=1000)
    n_times = parser.parse_args().times
    for shown in (table(n_times), by_cluster(n_times)):
        print(shown.to_string(float_format="{:.3f}".format), end="\n\n")
