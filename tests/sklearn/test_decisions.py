"""The script behind docs/decisions.md, with its two fastest models."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
RULES = ["thresholds", "without labels"]

pytestmark = pytest.mark.slow


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    pytest.importorskip("statsmodels")
    monkeypatch.syspath_prepend(EXAMPLES)
    module = importlib.import_module("decisions")
    few = {name: module.MODELS[name] for name in ("logistic", "naive Bayes")}
    monkeypatch.setattr(module, "MODELS", few)
    return module


def test_thresholds_are_better_than_the_rules_for_single_rows(script: Any) -> None:
    of_cases = list(script.cases())
    values = script.values_of_rules(of_cases)
    assert values.notna().all(axis=None) and len(values) == 4 * 2 * 6
    wins = script.wins(values)
    assert wins.index.tolist() == script.METRICS
    assert (wins[["most likely", "median", "rounded"]] >= 5).all(axis=None)
    means = values.groupby("metric").mean()
    assert (abs(means["thresholds"] / means["without labels"] - 1) < 0.15).all()
    sets = script.values_of_sets(of_cases)
    coverage = sets["coverage"].unstack("kind")
    assert coverage["sets"].between(0.87, 0.93).all()
    assert coverage["by class"].mean() > 0.9
    assert not coverage["model's own"].between(0.87, 0.93).all()
    least = sets["least_coverage"].groupby("kind").mean()
    assert least["by class"] > 0.7 > least["sets"]


def test_the_labels_of_a_fold_are_not_used_to_predict_it(script: Any) -> None:
    outcome = script.outcomes()["party"]
    rows = script.forecasts(outcome).query("model == 'logistic'")
    first = rows["fold"] == 1
    shuffled = np.random.default_rng(0).permutation(rows.loc[first, "y"])
    other = rows.assign(y=rows["y"].where(~first, pd.Series(shuffled, rows.index[first])))
    assert (other["y"] != rows["y"]).any()
    due, found = (script.decided(one, "kappa") for one in (rows, other))
    pd.testing.assert_frame_equal(found.loc[first, RULES], due.loc[first, RULES])
    assert (found["thresholds"] != due["thresholds"]).any()
    pd.testing.assert_series_equal(found["without labels"], due["without labels"])
