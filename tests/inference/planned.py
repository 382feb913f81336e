"""How often samples of as many rows as planned find a difference: ``python .../planned.py``.

Run it in the root folder, with ``PYTHONPATH=tests``. All rows are the population here: samples are
drawn from them with replacement, and the difference that a test should find is that of all rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm

import pandas_ordinal as po

METRICS = ["mae", "oci", "kappa"]
PARTIES = [
    "Strong Democrat", "Weak Democrat", "Independent-Democrat", "Independent-Independent",
    "Independent-Republican", "Weak Republican", "Strong Republican",
]  # fmt: skip
N_VOTERS = [150, 400, 944]
MOST_NEEDED = 2500
MODELS = ["boosting", "forest", "frank-hall", "logistic", "rounded-regression"]


class Population(NamedTuple):
    """What models predict for voters, each of whom has as many rows, next to one another."""

    rows: pd.DataFrame
    n_repeats: int = 1

    def compared(self, models: list[str], **options: Any) -> pd.DataFrame:
        """Compare all pairs; voters are clusters if they have several rows each."""
        cluster = "voter" if self.n_repeats > 1 else None
        asked: dict[str, Any] = {"metrics": METRICS, "cluster": cluster, **options}
        return self.rows.ordinal.compare("y", models, **asked)

    def samples(self, n_voters: int, n_times: int) -> Population:
        """Draw voters with replacement, many times."""
        rng = np.random.default_rng([9, n_voters])
        drawn = rng.integers(0, len(self.rows) // self.n_repeats, n_times * n_voters)
        places = (drawn[:, None] * self.n_repeats + np.arange(self.n_repeats)).ravel()
        number = np.arange(len(drawn)).repeat(self.n_repeats)
        rows = self.rows.take(places).assign(voter=number, time=number // n_voters)
        return self._replace(rows=rows)


def anes96(n_repeats: int = 1) -> Population:
    """What five models predict for 944 voters, out of fold, in one or several repeats."""
    rows = pd.read_csv("examples/data/anes96_predictions.csv").query("repeat <= @n_repeats")
    wide = rows.pivot(index=["row", "repeat", "y"], columns="model", values="yhat")
    labels = wide.reset_index("y").astype(pd.CategoricalDtype(PARTIES, ordered=True))
    voter = np.arange(len(labels)) // n_repeats
    return Population(labels.reset_index(drop=True).assign(voter=voter), n_repeats)


def expected(found: pd.DataFrame, n_voters: int) -> pd.Series:
    """The power of a test on that many voters, from the differences of all of them."""
    n = found["n_clusters" if "n_clusters" in found else "n"]
    size = found["difference"].abs() / found["se"] * np.sqrt(n_voters / n)
    return pd.Series(norm.cdf(size - norm.ppf(0.975)), found.index)


def seen(population: Population, models: list[str], n_voters: int, n_times: int) -> pd.Series:
    """The share of the samples of that many voters in which a test at .05 finds a difference."""
    found = population.samples(n_voters, n_times).compared(models, by="time")
    is_found = found["p_value"] <= 0.05
    return is_found.groupby(level=["metric", "a", "b"], sort=False).mean()


def table_of(population: Population, n_times: int) -> pd.DataFrame:
    """Expected and seen power by number of voters, for all metrics and pairs."""
    found = population.compared(MODELS)
    columns = {
        (n, name): values
        for n in N_VOTERS
        for name, values in {
            "expected": expected(found, n),
            "seen": seen(population, MODELS, n, n_times),
        }.items()
    }
    return pd.DataFrame(columns)


def as_planned(
    population: Population, n_times: int, most: int = MOST_NEEDED
) -> Iterator[tuple[Any, int, float]]:
    """The power that is seen on as many voters as a power of .8 needs, for each pair."""
    needed = po.rows_needed(population.compared(MODELS))
    for pair, n_voters in needed[needed <= most].astype(int).items():
        metric, *models = pair  # type: ignore[misc]
        of_pair = seen(population, models, n_voters, n_times)
        yield pair, n_voters, float(of_pair[metric].iloc[0])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=4000)
    times = parser.parse_args().times
    for repeats, n_times in ((1, times), (3, times // 4)):
        table = table_of(anes96(repeats), n_times)
        print(f"repeats: {repeats}", table.to_string(float_format="{:.3f}".format), sep="\n")
        gap = (table.xs("seen", axis=1, level=1) - table.xs("expected", axis=1, level=1)).abs()
        print("largest gap:", gap.max().round(3).to_dict())
        for of_pair in as_planned(anes96(repeats), n_times):
            print(*of_pair)
