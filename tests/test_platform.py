"""Silent losses of class order in pandas, xarray and scikit-learn: none of them goes unseen."""

from __future__ import annotations

from pathlib import Path

import brute
import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
import xarray as xr
from labelled import LEVELS, ordered, predictions

import pandas_ordinal as po
from pandas_ordinal import ClassOrderError, UnknownClassError


def test_concat_of_other_categories_gives_text() -> None:
    first = predictions(ordered(["low", "high"]), ordered(["low", "high"]))
    second = predictions(*[ordered(["low", "high"], ["low", "high"])] * 2)
    both = pd.concat([first, second])
    assert not isinstance(both["y"].dtype, pd.CategoricalDtype)
    with pytest.raises(ClassOrderError, match="'y'.*order"):
        both.ordinal.mae("y", "yhat")
    assert both.ordinal.mae("y", "yhat", classes=LEVELS) == 0
    melted = first.assign(other=second["y"]).melt(id_vars="y", value_vars=["yhat", "other"])
    assert melted.ordinal.mae("y", "value") == 0  # plain labels beside the ordered truth


def test_concat_of_integer_categories_gives_integers() -> None:
    parts = [predictions(*[ordered([3, 1], order)] * 2) for order in ([3, 2, 1], [3, 1])]
    both = pd.concat(parts)
    assert both["y"].dtype == np.int64
    assert both["y"].ordinal.classes.tolist() == [1, 2, 3]


def test_concat_of_quantile_bins_gives_plain_intervals() -> None:
    values = pd.Series(np.arange(20.0))
    bins = pd.concat([pd.qcut(values, 4), pd.qcut(values + 5, 4)])
    assert isinstance(bins.dtype, pd.IntervalDtype)
    with pytest.raises(ClassOrderError, match="'y'"):
        predictions(bins, bins).ordinal.mae("y", "yhat")


def test_crosstab_drops_classes() -> None:
    df = predictions(ordered(["low", "high"]), ordered(["low", "low"]))
    assert pd.crosstab(df["y"], df["yhat"]).shape == (2, 1)
    cube = df.ordinal.confusion("y", "yhat")
    npt.assert_array_equal(cube, pd.crosstab(df["y"], df["yhat"], dropna=False))
    by_cell = df.groupby(["y", "yhat"], observed=True).ordinal.confusion("y", "yhat")
    assert by_cell.shape == (2, 1, 3, 3)


def test_a_cast_makes_unknown_labels_missing() -> None:
    labels = pd.Series(["LOW", "low"], name="y")
    with pytest.raises(UnknownClassError, match="'LOW'"):
        labels.ordinal.as_ordered(LEVELS)
    with pytest.raises(UnknownClassError, match="'LOW'"):
        predictions(labels, labels).ordinal.mae("y", "yhat", classes=LEVELS, dropna=True)


def test_to_xarray_drops_unused_categories() -> None:
    df = predictions(ordered(["low", "high", "high"]), ordered(["low", "low", "high"]))
    counts = df.rename(columns={"y": "true", "yhat": "pred"})
    lost = counts.groupby(["true", "pred"], observed=True).size().to_xarray().fillna(0)
    assert lost.sizes["true"] == 2
    cube = df.ordinal.confusion("y", "yhat")
    assert cube.sizes["true"] == 3
    xr.testing.assert_equal(po.add(cube, lost), 2 * cube)
    recall = df.ordinal.class_recall("y", "yhat")
    assert recall.index.tolist() == LEVELS
    assert recall.to_xarray().indexes["class"].tolist() == LEVELS


SELECTIONS = {
    "inner join": lambda c: c + c.isel(true=[0, 2]),
    "reindex": lambda c: c.reindex(true=LEVELS[::-1], fill_value=0),
    "pad": lambda c: c.pad(pred=(1, 0), constant_values=0),
    "to_dict": lambda c: xr.DataArray.from_dict(c.to_dict()),
    "concat": lambda c: xr.concat([c.isel(true=i) for i in (2, 0, 1)], "true"),
}


@pytest.mark.parametrize("name", SELECTIONS)
def test_classes_vanish(name: str) -> None:
    df = predictions(ordered(["low", "high", "high"]), ordered(["low", "low", "high"]))
    cube = df.ordinal.confusion("y", "yhat")
    try:
        lost = SELECTIONS[name](cube)
    except (TypeError, ValueError):
        return  # refused by this version of xarray
    for call in (lost.ordinal.mae, lost.ordinal.report):
        with pytest.raises(ClassOrderError):
            call()
    with pytest.raises(ClassOrderError):
        po.add(cube, lost)


def test_position_is_not_code() -> None:
    df = brute.frame()
    cube = df.ordinal.confusion("y", "yhat")
    subset = cube.isel(true=[0, 2])
    assert len(subset.indexes["true"].categories) == 4
    with pytest.raises(ClassOrderError):
        subset.ordinal.mae()
    lexicographic = cube.sortby("true").sortby("pred")
    assert lexicographic.indexes["true"].tolist() == sorted(cube.indexes["true"])
    assert float(lexicographic.ordinal.mae()) == df.ordinal.mae("y", "yhat")
    sizes = lexicographic.sum("pred").rename(true="class")
    assert df.ordinal.stc("y", "yhat", class_sizes=sizes) == pytest.approx(
        df.ordinal.stc("y", "yhat"), rel=1e-12
    )


def test_scikit_learn_orders_by_the_alphabet() -> None:
    from sklearn.metrics import cohen_kappa_score

    df = predictions(
        ordered(["low"] * 3 + ["mid"] * 2 + ["high"] * 3),
        ordered(["low", "low", "mid", "mid", "high", "high", "high", "mid"]),
    )
    theirs = cohen_kappa_score(df["y"].astype(str), df["yhat"].astype(str), weights="quadratic")
    codes = cohen_kappa_score(df["y"].cat.codes, df["yhat"].cat.codes, weights="quadratic")
    assert theirs == pytest.approx(0.181818, abs=1e-6)
    assert df.ordinal.kappa("y", "yhat") == pytest.approx(codes, rel=1e-12)
    assert codes == pytest.approx(0.727273, abs=1e-6)


def test_pandas_loses_classes_in_parquet_and_csv(tmp_path: Path) -> None:
    grades = pd.DataFrame({"y": pd.Categorical([1, 3], [3, 2, 1], ordered=True)})
    grades.to_parquet(tmp_path / "grades.parquet")
    assert pd.read_parquet(tmp_path / "grades.parquet")["y"].dtype == np.int64
    grades.ordinal.to_parquet(tmp_path / "grades.parquet")
    kept = po.read_parquet(tmp_path / "grades.parquet")
    assert kept.ordinal.class_mae("y", "y").index.tolist() == [3, 2, 1]

    ages = pd.DataFrame({"y": pd.Series([5, 150, 15, 50]).ordinal.cut([0, 10, 20, 100, np.inf])})

    def there_and_back() -> None:
        ages.to_parquet(tmp_path / "ages.parquet")
        pd.read_parquet(tmp_path / "ages.parquet")

    with pytest.raises(Exception, match="(?i)cast|interval|dictionary"):
        there_and_back()
    ages.to_csv(tmp_path / "ages.csv", index=False)
    text = pd.read_csv(tmp_path / "ages.csv")
    assert sorted(text["y"])[1:] == ["(10.0, 20.0]", "(100.0, inf]", "(20.0, 100.0]"]
    with pytest.raises(ClassOrderError, match="po.parse_intervals"):
        text.ordinal.mae("y", "y")
    assert po.parse_intervals(text["y"]).tolist() == ages["y"].tolist()
    ages.ordinal.to_parquet(tmp_path / "ages.parquet")
    pd.testing.assert_frame_equal(po.read_parquet(tmp_path / "ages.parquet"), ages)
