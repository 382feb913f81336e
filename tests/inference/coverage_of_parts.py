"""How often intervals of the parts of the RPS hold the truth, as `coverage.py` does.

Run it with ``PYTHONPATH=tests``.
"""

from __future__ import annotations

import argparse
import itertools
from functools import partial

import numpy as np
import pandas as pd

import pandas_ordinal as po

PARTS = ["rps_mcb", "rps_dsc", "rps_unc"]
CORRECTED = {
    "rps_mcb": partial(po.metrics.rps_mcb, corrected=True),
    "rps_dsc": partial(po.metrics.rps_dsc, corrected=True),
    "rps_unc": "rps_unc",
}
LARGE = 400_000
DEPENDENCE = 0.4
MODELS = ["right", "overconfident", "noisy", "other"]


def forecasts(n_times: int, n_rows: int, n_classes: int, size: int, seed: int) -> pd.DataFrame:
    """Rows of many samples, with the probabilities of several models.

    `right` has those from which the classes are drawn, `overconfident` raises them to the power of
    1.5, `noisy` and `other` err in where a row stands. The rows of a cluster, 1 to `size`, have
    the same probabilities, and their classes depend on one another unless `size` is 1.
    """
    rng = np.random.default_rng([n_rows, n_classes, size, seed])
    n = n_times * n_rows
    cluster = np.repeat(np.arange(n), rng.integers(1, size + 1, n))[:n]
    place = rng.normal(size=n)[cluster]
    probabilities = {
        "right": _probabilities(place, n_classes),
        "overconfident": _probabilities(place, n_classes) ** 1.5,
        "noisy": _probabilities(place + rng.normal(0, 0.7, n)[cluster], n_classes),
        "other": _probabilities(place + rng.normal(0, 0.7, n)[cluster], n_classes),
    }
    right = probabilities["right"]
    together = rng.normal(size=n)[cluster] if size > 1 else np.zeros(n)
    share = DEPENDENCE if size > 1 else 0
    level = _normal(np.sqrt(share) * together + np.sqrt(1 - share) * rng.normal(size=n))
    frame = pd.DataFrame(
        {
            f"{name}{code}": values[:, code] / values.sum(axis=1)
            for name, values in probabilities.items()
            for code in range(n_classes)
        }
    )
    frame["y"] = (level[:, None] > right.cumsum(axis=1)[:, :-1]).sum(axis=1)
    frame["time"] = np.repeat(np.arange(n_times), n_rows)
    frame["cluster"] = cluster
    return frame


def _probabilities(place: np.ndarray, n_classes: int) -> np.ndarray:
    """Return those of a cumulative logit model."""
    cuts = np.linspace(-1.5, 1.5, n_classes - 1)
    below = 1 / (1 + np.exp(1.2 * place[:, None] - cuts))
    ends = np.zeros((len(place), 1))
    return np.diff(np.hstack([ends, below, ends + 1]), axis=1)


def _normal(values: np.ndarray) -> np.ndarray:
    from scipy.special import ndtr

    return np.asarray(ndtr(values))


def columns(n_classes: int) -> dict[str, dict[int, str]]:
    """Name the columns of each model by class."""
    return {name: {k: f"{name}{k}" for k in range(n_classes)} for name in MODELS}


def coverage(
    n_rows: int, n_classes: int, n_times: int, size: int = 1, cluster: str | None = None
) -> pd.Series:
    """Share of the intervals of corrected parts, and of differences of parts, that hold the truth.

    The truth is that of a sample of `LARGE` rows.
    """
    proba, classes = columns(n_classes), range(n_classes)
    large = forecasts(1, LARGE, n_classes, size, 0)
    truth = large.ordinal.report("y", proba=proba, metrics=CORRECTED, classes=classes)
    frame = forecasts(n_times, n_rows, n_classes, size, 1)
    asked = {"proba": proba, "by": "time", "classes": classes, "cluster": cluster, "ci": 0.95}
    found = frame.ordinal.report("y", metrics=CORRECTED, **asked)
    held = {}
    for part, model in itertools.product(PARTS, MODELS):
        if part == "rps_unc" and model != MODELS[0]:  # it is that of all models
            continue
        of_model = found.xs(model, level="model")
        ends = of_model[f"{part}_low"], of_model[f"{part}_high"]
        held[part, model] = _share(*ends, truth.loc[model, part])
    pairs = frame.ordinal.compare("y", metrics=PARTS[:2], **asked)
    for part, (a, b) in itertools.product(PARTS[:2], itertools.combinations(MODELS, 2)):
        if (part, a, b) == (
            "rps_dsc",
            "right",
            "overconfident",
        ):  # no row moves it: both are equal
            continue
        of_pair = pairs.xs((part, a, b), level=("metric", "a", "b"))
        difference = truth.loc[a, part] - truth.loc[b, part]
        held[part, f"{a} - {b}"] = _share(of_pair.low, of_pair.high, difference)
    return pd.Series(held)


def _share(low: pd.Series, high: pd.Series, truth: float) -> float:
    known = low.notna()
    return float(((low <= truth) & (truth <= high))[known].mean())


def table(
    n_times: int,
    classes: tuple[int, ...] = (3, 5, 7),
    rows: tuple[int, ...] = (100, 400, 1600),
) -> pd.DataFrame:
    """Coverage by number of classes and rows."""
    cells = {
        (n_classes, n_rows): coverage(n_rows, n_classes, n_times)
        for n_classes, n_rows in itertools.product(classes, rows)
    }
    return pd.DataFrame(cells).T.rename_axis(index=["K", "rows"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=1000)
    n_times = parser.parse_args().times
    found = table(n_times)
    print("independent rows", found.T.to_string(float_format="{:.3f}".format), sep="\n")
    clusters = {
        (by or "independent", n_rows): coverage(n_rows, 5, n_times, 9, by)
        for by in ("cluster", None)
        for n_rows in (100, 400)
    }
    shown = pd.DataFrame(clusters).to_string(float_format="{:.3f}".format)
    print("\nclusters of 1 to 9 rows", shown, sep="\n")
