"""Folds summed up: mean, standard deviation and pooled value."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pandas_ordinal.rows import summaries

RNG = np.random.default_rng(4)
N = 240
FRAME = pd.DataFrame(
    {
        "model": np.repeat(["x", "w"], N // 2),
        "repeat": np.tile([0, 1], N // 2),
        "fold": RNG.integers(0, 5, N),
        "y": RNG.integers(0, 3, N),
    }
)
FRAME["yhat"] = (FRAME.y + RNG.integers(0, 2, N)).clip(0, 2)
FRAME["score"] = FRAME.y + RNG.normal(size=N)
NAMES = ["mae", "kappa", "stc"]


@pytest.mark.parametrize("over", ["fold", ["repeat", "fold"]])
def test_mean_std_and_pooled_are_those_of_reports(over: str | list[str]) -> None:
    found = FRAME.ordinal.summary("y", "yhat", by="model", over=over, metrics=NAMES)
    assert found.index.names == ["model", "metric"]
    assert found.columns.tolist() == ["mean", "std", "n_folds", "pooled"]
    for (model, metric), row in found.iterrows():
        rows = FRAME[FRAME.model == model]
        folds = [
            fold.ordinal.report("y", "yhat", metrics=NAMES, classes=range(3))[metric]
            for _, fold in rows.groupby(over)
        ]
        pooled = rows.ordinal.report("y", "yhat", metrics=NAMES)[metric]
        expected = [np.nanmean(folds), np.nanstd(folds, ddof=1), np.isfinite(folds).sum(), pooled]
        np.testing.assert_allclose(row.astype(float), expected, rtol=1e-12)


def test_an_undefined_fold_is_left_out() -> None:
    frame = pd.DataFrame({"fold": [1, 1, 2, 2, 3, 3], "y": [0, 1, 0, 0, 1, 0]})
    frame["yhat"] = [0, 1, 0, 0, 1, 1]
    found = frame.ordinal.summary("y", "yhat", over="fold", metrics=["kappa", "mae"])
    assert found.n_folds.tolist() == [2, 3]
    assert found.loc["kappa", "mean"] == pytest.approx(0.5)
    assert found.loc["mae", "mean"] == pytest.approx(0.5 / 3)


def test_pooled_is_not_the_mean_of_folds() -> None:
    frame = pd.DataFrame({"fold": [1, 1, 1, 1, 2], "y": [0, 1, 0, 1, 0], "yhat": [0, 1, 0, 1, 1]})
    row = frame.ordinal.summary("y", "yhat", over="fold", metrics=["mae"]).loc["mae"]
    assert (row["pooled"], row["mean"]) == (pytest.approx(0.2), pytest.approx(0.5))


def test_wide_frames_and_scores() -> None:
    wide = FRAME.assign(other=FRAME.y)
    found = wide.ordinal.summary("y", ["yhat", "other"], by="repeat", over="fold", metrics=NAMES)
    assert found.index.names == ["repeat", "model", "metric"]
    alone = FRAME.ordinal.summary("y", "yhat", by="repeat", over="fold", metrics=NAMES)
    pd.testing.assert_frame_equal(found.xs("yhat", level="model"), alone)
    both = FRAME.ordinal.summary("y", "yhat", score="score", over="fold", metrics=["mae", "vus"])
    assert both.index.tolist() == ["mae", "vus"]
    vus = FRAME.ordinal.vus("y", "score", by="fold")
    assert both.loc["vus", "mean"] == pytest.approx(vus.mean())


def test_bad_input_is_refused() -> None:
    with pytest.raises(KeyError, match="did you mean 'fold'"):
        FRAME.ordinal.summary("y", "yhat", over="folds")
    with pytest.raises(ValueError, match="over="):
        FRAME.ordinal.summary("y", "yhat", over=[])
    with pytest.raises(ValueError, match="different columns"):
        FRAME.ordinal.summary("y", "yhat", by="fold", over="fold")
    named = FRAME.rename(columns={"model": "metric"})
    with pytest.raises(ValueError, match="'metric', as summary"):
        named.ordinal.summary("y", "yhat", by="metric", over="fold")


def test_rows_in_no_fold_are_in_no_number() -> None:
    df = pd.DataFrame({"y": [0, 1, 1, 0], "yhat": [0, 1, 0, 0], "fold": [1, None, 2, 2]})
    found = df.ordinal.summary("y", "yhat", over="fold", metrics=["mae"], dropna=True)
    assert found.loc["mae", ["mean", "pooled"]].tolist() == [0.25, 1 / 3]


@pytest.mark.parametrize(("n_classes", "most"), [(2, 2000), (3, 60)])
@pytest.mark.parametrize("more", [-1, 0, 1, 500])
def test_a_picture_has_so_many_scores_at_most(n_classes: int, most: int, more: int) -> None:
    """The first and the last one are among them, and the others are evenly spread."""
    n = most + more
    score = np.arange(n) * 2.0
    rows = summaries.ScoresOfGroup(np.arange(n) % n_classes, score, None)
    grid = summaries._grid(rows, n_classes)
    kept = np.unique(grid)
    assert kept[0] == -np.inf and (kept[1], kept[-1]) == (0, score[-1])
    assert len(kept) == 1 + min(n, most) and set(kept[1:]) <= set(score)
    assert np.diff(kept[1:]).max() <= 2 * (n // most + 1)
    if n_classes == 3:
        assert (grid[:, 0] <= grid[:, 1]).all()
        assert len(grid) == len(kept) * (len(kept) + 1) / 2
