"""Predictions and scores for the benchmark, in no particular order."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

Codes = npt.NDArray[np.integer[Any]]

N_CLASSES = 5
SHARES = [0.40, 0.25, 0.18, 0.12, 0.05]
ERRORS = {-2: 0.03, -1: 0.14, 0: 0.66, 1: 0.13, 2: 0.04}
CLASSES = pd.CategoricalDtype(["none", "mild", "moderate", "severe", "extreme"], ordered=True)
MILLION = 1_000_000
SAMPLE = 100_000
BY = ["model", "fold"]


@functools.cache
def predictions(n_rows: int) -> pd.DataFrame:
    """Make rows with uneven classes and predictions mostly near the truth."""
    rng = np.random.default_rng(0)
    true = rng.choice(N_CLASSES, n_rows, p=SHARES)
    errors = rng.choice(list(ERRORS), n_rows, p=list(ERRORS.values()))
    pred = np.clip(true + errors, 0, N_CLASSES - 1)
    columns = {"y": true, "yhat": pred}
    return pd.DataFrame(
        {name: pd.Categorical.from_codes(c, dtype=CLASSES) for name, c in columns.items()}
    )


@functools.cache
def experiment(n_models: int, n_folds: int, n_rows: int) -> pd.DataFrame:
    """Make predictions of each model in each fold, in no particular order."""
    n_groups = n_models * n_folds
    rng = np.random.default_rng(1)
    groups = rng.permutation(np.repeat(np.arange(n_groups), n_rows))
    models = pd.Index([f"model {number}" for number in range(n_models)])
    model = pd.Categorical.from_codes(groups // n_folds, models)
    return predictions(n_groups * n_rows).assign(model=model, fold=groups % n_folds)


@functools.cache
def matrices() -> npt.NDArray[np.int64]:
    """Make 100,000 confusion matrices of 200 rows each."""
    joint = pd.crosstab(*labels(predictions(SAMPLE)), normalize=True).to_numpy()
    rng = np.random.default_rng(2)
    return rng.multinomial(200, joint.ravel(), 100_000).reshape(-1, N_CLASSES, N_CLASSES)


def labels(frame: pd.DataFrame) -> tuple[pd.Series[Any], pd.Series[Any]]:
    """Return the true and the predicted labels."""
    return frame["y"], frame["yhat"]


def codes(frame: pd.DataFrame, dtype: type = np.int64) -> tuple[Codes, Codes]:
    """Return the labels as integers, as the peers want them."""
    true, pred = labels(frame)
    return true.cat.codes.to_numpy(dtype), pred.cat.codes.to_numpy(dtype)


def ranked(n_models: int, n_folds: int, n_rows: int) -> pd.DataFrame:
    """Return predictions of some models in some folds, with a score that has no ties."""
    frame = experiment(n_models, n_folds, n_rows)
    noise = np.random.default_rng(1).normal(size=len(frame))
    return frame.assign(score=frame["y"].cat.codes.to_numpy() + noise)
