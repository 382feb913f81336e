"""How often intervals of the agreement of raters hold the truth, as `coverage.py` does."""

from __future__ import annotations

import argparse
import itertools

import numpy as np
import pandas as pd

import pandas_ordinal  # noqa: F401

METRICS = ["fleiss_kappa", "conger_kappa", "gwet_ac", "brennan_prediger", "krippendorff_alpha"]
LARGE = 400_000


def ratings(
    n_items: int, n_classes: int, n_raters: int, errors: float, gaps: float, seed: list[int]
) -> pd.DataFrame:
    """Ratings of equally large classes, some of which are drawn anew, and some missing."""
    rng = np.random.default_rng(seed)
    shape = (n_items, n_raters)
    truth = rng.integers(0, n_classes, (n_items, 1))
    drawn = rng.integers(0, n_classes, shape)
    rated = np.where(rng.random(shape) < errors, drawn, truth).astype(float)
    rated[rng.random(shape) < gaps] = np.nan
    return pd.DataFrame(rated, columns=[f"r{g}" for g in range(n_raters)])


def coverage(
    n_items: int, n_classes: int, n_raters: int, errors: float, gaps: float, n_times: int
) -> pd.Series:
    """Share of the intervals that hold the value of the population, by coefficient."""
    design = (n_classes, n_raters, errors, gaps)
    seed = [n_items, n_classes, n_raters, round(100 * errors), round(100 * gaps)]
    raters = [f"r{g}" for g in range(n_raters)]
    truth = ratings(LARGE, *design, [0, *seed[1:]]).ordinal.agreement(
        raters, classes=range(n_classes)
    )
    frame = ratings(n_items * n_times, *design, seed)
    frame["time"] = np.repeat(np.arange(n_times), n_items)
    found = frame.ordinal.agreement(raters, by="time", classes=range(n_classes), ci=0.95)
    return pd.Series({name: held(found, name, truth[name]) for name in METRICS})


def held(found: pd.DataFrame, name: str, truth: float) -> float:
    """Share of the intervals of a coefficient that hold the truth."""
    ends = found[[f"{name}_low", f"{name}_high"]].dropna()
    return float(((ends.iloc[:, 0] <= truth) & (truth <= ends.iloc[:, 1])).mean())


def table(
    n_times: int,
    classes: tuple[int, ...] = (3, 5),
    raters: tuple[int, ...] = (3, 5),
    items: tuple[int, ...] = (20, 60, 200),
) -> pd.DataFrame:
    """Coverage by number of raters, classes and items, errors and gaps."""
    cells = itertools.product(raters, classes, items, (0.03, 0.3, 1.0), (0.0, 0.4))
    columns = {
        (n_raters, n_classes, n_items, errors, gaps): coverage(
            n_items, n_classes, n_raters, errors, gaps, n_times
        )
        for n_raters, n_classes, n_items, errors, gaps in cells
    }
    names = ["raters", "K", "items", "errors", "gaps"]
    return pd.DataFrame(columns).T.rename_axis(index=names)


def by_cluster(n_clusters: int, n_times: int, cluster: str | None) -> pd.Series:
    """Coverage where the items of a cluster, 1 to 9, are easy or hard together."""
    raters = ["r0", "r1", "r2"]

    def drawn(n: int, seed: int) -> pd.DataFrame:
        rng = np.random.default_rng([n_clusters, seed])
        place = np.repeat(np.arange(n), rng.integers(1, 10, n))
        noise = rng.choice([0.0, 0.7], n)[place, None]
        truth = rng.integers(0, 4, n)[place, None]
        shape = (len(place), 3)
        rated = np.where(rng.random(shape) < noise, rng.integers(0, 4, shape), truth)
        return pd.DataFrame(rated, columns=raters).assign(cluster=place)

    truth = drawn(LARGE // 10, 0).ordinal.agreement(raters)
    times = [drawn(n_clusters, 1 + n) for n in range(n_times)]
    frame = pd.concat(times, keys=range(n_times), names=["time"]).reset_index("time")
    found = frame.ordinal.agreement(raters, by="time", classes=range(4), ci=0.95, cluster=cluster)
    return pd.Series({name: held(found, name, truth[name]) for name in METRICS})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=4000)
    n_times = parser.parse_args().times
    found = table(n_times)
    for part in ("mean", "min"):
        shown = getattr(found.groupby(level=["raters", "K", "items"]), part)()
        print(part, shown.to_string(float_format="{:.3f}".format), sep="\n")
    low = found.stack()
    print("\nbelow .90:", low[low < 0.90].round(3).to_dict())
    clusters = {
        (cluster or "independent", n): by_cluster(n, n_times // 2, cluster)
        for cluster in ("cluster", None)
        for n in (15, 30, 60)
    }
    print("\nclusters", pd.DataFrame(clusters).T.to_string(float_format="{:.3f}".format), sep="\n")
