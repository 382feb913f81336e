"""Which of five models grades party identification best? It depends on what "best" means.

Reads the out-of-fold predictions in ``data/anes96_predictions.csv`` (see `make_predictions`):
five models, 3 repeats of 5 folds, seven ordered classes. Run with ``make demo``.
"""

from pathlib import Path
from typing import Any

import pandas as pd
import xarray as xr

import pandas_ordinal as po

DATA = Path(__file__).parent / "data" / "anes96_predictions.csv"
PARTIES = [
    "Strong Democrat",
    "Weak Democrat",
    "Independent-Democrat",
    "Independent-Independent",
    "Independent-Republican",
    "Weak Republican",
    "Strong Republican",
]
SHOWN = "rounded-regression"


def read_predictions() -> pd.DataFrame:
    """Read the predictions and declare the order of the classes, which a CSV cannot hold."""
    predictions = pd.read_csv(DATA)
    for column in ("y", "yhat"):
        predictions[column] = po.ordinal(predictions[column]).as_ordered(PARTIES)
    return predictions


def compare(cube: xr.DataArray) -> pd.DataFrame:
    """Score each model on all folds pooled, and as the mean of its scores per fold."""
    pooled = po.ordinal(cube.sum(["repeat", "fold"])).report()
    by_fold = po.ordinal(cube).report().mean(["repeat", "fold"])
    table = pd.DataFrame(
        {
            (metric, how): report[metric].to_series()
            for metric in map(str, pooled.data_vars)
            if metric != "n"
            for how, report in (("pooled", pooled), ("mean of folds", by_fold))
        }
    ).T
    metrics = table.index.get_level_values(0)
    table["best"] = [rank(metrics[row], table.iloc[row])[0] for row in range(len(table))]
    return table


def rank(metric: str, scores: "pd.Series[Any]") -> list[str]:
    """Order the models from best to worst, in the direction of the metric."""
    greater = po.metrics.registry[metric].greater_is_better
    return list(map(str, scores.sort_values(ascending=not greater).index))


def with_intervals(report: pd.DataFrame) -> pd.DataFrame:
    """Write each metric with its interval, if it has one, as "0.32 [0.27, 0.37]"."""
    metrics = [name for name in map(str, report) if f"{name}_low" in report]
    bounds = {metric: report[[metric, f"{metric}_low", f"{metric}_high"]] for metric in metrics}
    written = {
        metric: [_with_interval(*row) for row in rows.itertuples(index=False)]
        for metric, rows in bounds.items()
    }
    return pd.DataFrame(written, report.index).T


def _with_interval(value: float, low: float, high: float) -> str:
    return f"{value:.2f}" if pd.isna(low) else f"{value:.2f} [{low:.2f}, {high:.2f}]"


def is_named(comparison: pd.DataFrame) -> "pd.Series[bool]":
    """Whether a comparison names the better model of each pair."""
    return comparison["better"].notna() & (comparison["better"] != "neither")


def draw(counts: xr.DataArray) -> str:
    """Write a confusion matrix with the cells of the OCI path in brackets."""
    path = po.ordinal(counts).oci_path().values
    cells = [
        [f"[{n}]" if on_path else f"{n} " for n, on_path in zip(row, marks, strict=True)]
        for row, marks in zip(counts.values, path, strict=True)
    ]
    initials = ["".join(word[0] for word in party.replace("-", " ").split()) for party in PARTIES]
    names = [f"{party} ({short})" for party, short in zip(PARTIES, initials, strict=True)]
    return str(pd.DataFrame(cells, names, [f"{short} " for short in initials]))


def main() -> None:
    """Print the comparison and one confusion matrix."""
    predictions = read_predictions()
    cube = po.ordinal(predictions).confusion("y", "yhat", by=["model", "repeat", "fold"])
    n = int(cube.isel(model=0).sum())
    print(f"{cube.sizes['model']} models, {n} predictions each, in 3 repeats of 5 folds\n")
    table = compare(cube)
    print(table.to_string(float_format="{:.3f}".format))
    report = po.ordinal(predictions).report("y", "yhat", by="model", ci=0.95, cluster="row")
    print(
        "\nPooled, with 95 % intervals; a voter, predicted three times, is one cluster. (mmae, the"
    )
    print("largest of per-class values, has no interval with clusters.)\n")
    print(with_intervals(report).to_string())
    comparison = po.ordinal(predictions).compare(
        "y", "yhat", model="model", id=["row", "repeat"], cluster="row"
    )
    n_significant, n_pairs = is_named(comparison).sum(), len(comparison)
    print(f"\nThe same voters, model against model: {n_significant} of {n_pairs} differences are")
    print("significant (p at most .05, adjusted by Holm's method).\n")
    print(po.describe(comparison))
    print("\nA pooled value and a mean of folds are different: counts add up, scores do not.\n")
    summary = po.ordinal(predictions).summary("y", "yhat", by="model", over=["repeat", "fold"])
    print(po.describe(summary))
    counts = cube.sel(model=SHOWN).sum(["repeat", "fold"])
    print(f"\n{SHOWN}: true classes on the rows, predicted ones on the columns;")
    print(f"OCI {po.ordinal(counts).oci().item():.3f} is scored along the path in brackets\n")
    print(draw(counts))


if __name__ == "__main__":
    main()
