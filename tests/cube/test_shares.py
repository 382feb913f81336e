"""Shares lack the number of rows: no surface takes them for counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal.metrics.metric import registry

DF = pd.DataFrame({"y": [0, 0, 0, 0, 1, 1, 2], "yhat": [0, 0, 0, 1, 2, 1, 1]})
CUBE = DF.ordinal.confusion("y", "yhat")
BY_MODEL = DF.assign(m=list("aababab")).ordinal.confusion("y", "yhat", by="m")
WITH_EMPTY = DF.ordinal.confusion("y", "yhat", classes=range(4))
REMEDY = r"cube = df\.ordinal\.confusion\(\.\.\.\).*shares = cube\.ordinal\.normalize\("

CALLS: dict[str, Callable[[xr.DataArray], Any]] = {
    "report": lambda c: c.ordinal.report(),
    "ci": lambda c: c.ordinal.report(ci=0.95),
    "se": lambda c: c.ordinal.report(se=True),
    "bootstrap": lambda c: c.ordinal.report(ci=0.95, method="bootstrap"),
    "bins": lambda c: c.ordinal.report(bins=range(c.sizes["true"] + 1)),
    "normalize": lambda c: c.ordinal.normalize("true"),
    "add": lambda c: po.add(c, CUBE),
    "add to counts": lambda c: po.add(CUBE, c),
    "add one": lambda c: po.add(c),
    "concat": lambda c: po.concat([c, c], dim="new"),
    "plot": lambda c: c.ordinal.plot(),
    "plot counts": lambda c: c.ordinal.plot(normalize=None),
    "plot.intervals": lambda c: c.ordinal.plot.intervals(bins=range(c.sizes["true"] + 1)),
    "plot.class_mae": lambda c: c.ordinal.plot.class_mae(),
    "plot.accuracy_within": lambda c: c.ordinal.plot.accuracy_within(ci=None),
    "plot.difference": lambda c: c.ordinal.plot.difference("a", "b"),
}


def test_the_counts_give_what_shares_do_not() -> None:
    report = CUBE.ordinal.report(metrics=["accuracy", "mae", "kappa"])
    assert report.n == 7
    assert report.accuracy == 4 / 7
    assert report.mae == 3 / 7
    by_chance = [(a - b) ** 2 for a in DF.y for b in DF.yhat]
    assert report.kappa == pytest.approx(1 - (3 / 7) / np.mean(by_chance))


@pytest.mark.parametrize("over", ["true", "pred", "all"])
@pytest.mark.parametrize("named", [True, False], ids=["named", "renamed"])
@pytest.mark.parametrize("cube", [CUBE, WITH_EMPTY, BY_MODEL], ids=["full", "empty", "groups"])
@pytest.mark.parametrize("call", CALLS)
def test_shares_are_refused_with_the_line_that_keeps_the_counts(
    call: str, cube: xr.DataArray, named: bool, over: Any
) -> None:
    shares = cube.ordinal.normalize(over)
    with pytest.raises(ValueError, match=REMEDY) as raised:
        CALLS[call](shares if named else shares.rename(None))
    assert "astype" not in str(raised.value) and "fillna" not in str(raised.value)


@pytest.mark.parametrize("name", [n for n, m in registry.items() if not m.of_rows])
def test_no_metric_scores_shares(name: str) -> None:
    shares = CUBE.ordinal.normalize("true")
    options = eval(f"dict({registry[name].example})")
    if registry[name].needs == "edges":
        options["bins"] = range(4)
    with pytest.raises(ValueError, match=REMEDY):
        getattr(shares.ordinal, name)(**options)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s * 100,
        lambda s: s.isel(m=0),
        lambda s: s.mean("m"),
        lambda s: s.fillna(0),
        lambda s: s.fillna(0).astype(int),
        lambda s: s.chunk(),
        lambda s: s.isel(true=[2, 0, 1]),
        lambda s: po.cube_from_dataset(s.ordinal.to_dataset()),
    ],
)
def test_the_mark_stays(change: Callable[[xr.DataArray], xr.DataArray]) -> None:
    with pytest.raises(ValueError, match=REMEDY):
        change(BY_MODEL.ordinal.normalize("true")).ordinal.report()


def test_shares_times_rows_are_counts_again() -> None:
    counts = CUBE.ordinal.normalize("true") * CUBE.sum("pred")
    assert counts.name is None
    assert counts.ordinal.mae() == pytest.approx(3 / 7)


def test_weights_are_not_shares() -> None:
    """Weights that balance the classes, or add up to 1, are those of rows."""
    sizes = DF.y.map(DF.y.value_counts())
    for weight in (1 / sizes, 1 / sizes / 3, pd.Series(1 / 7, DF.index)):
        frame = DF.assign(w=weight)
        cube = frame.ordinal.confusion("y", "yhat", sample_weight="w")
        expected = np.average((DF.y - DF.yhat).abs(), weights=weight)
        assert cube.ordinal.mae() == pytest.approx(expected)
        with pytest.raises(ValueError, match="sample_weight") as raised:
            cube.ordinal.report(ci=0.95)
        assert "astype" not in str(raised.value)


@pytest.mark.parametrize("draw", ["report", "accuracy_within", "class_mae"])
def test_whole_floats_may_be_declared_counts(draw: str) -> None:
    calls: dict[str, Callable[[xr.DataArray], Any]] = {
        "report": lambda c: c.ordinal.report(ci=0.95),
        "accuracy_within": lambda c: c.ordinal.plot.accuracy_within(),
        "class_mae": lambda c: c.ordinal.plot.class_mae(),
    }
    call, perfect = calls[draw], po.from_counts(np.diag([3, 2, 4]), classes=range(3))
    with pytest.raises(ValueError, match=r"cube\.astype\(int\)"):
        call(CUBE.astype(float))
    with pytest.raises(ValueError, match="floats") as raised:  # a perfect model has whole shares
        call(perfect.ordinal.normalize("true").rename("x"))
    assert "astype" not in str(raised.value)


@pytest.mark.parametrize(
    ("cells", "are_counts"),
    [
        ([[1, 0], [0, 1]], False),
        ([[2, 0], [0, 1]], True),
        ([[3, 0], [0, 1]], True),
        ([[2.5, 0], [0, 1]], False),
        ([[2.5, 3.5], [1.5, 0.5]], False),
    ],
)
def test_which_floats_may_be_declared_counts(cells: list[list[float]], are_counts: bool) -> None:
    whole = po.from_counts(np.ones((2, 2), int), classes=[0, 1])
    cube = whole.astype(float).copy(data=np.array(cells, float))
    with pytest.raises(ValueError, match="a cube of floats") as raised:
        cube.ordinal.report(ci=0.95)
    assert ("astype(int)" in str(raised.value)) == are_counts


def test_a_row_of_each_class_is_no_share() -> None:
    cube = po.from_counts(np.eye(3, dtype=int), classes=range(3)).astype(float)
    assert cube.rename(None).ordinal.accuracy() == 1


def test_no_kernel_advises_to_fill_shares() -> None:
    shares = WITH_EMPTY.ordinal.normalize("true")
    perfect = po.from_counts(np.diag([3, 0, 4]), classes=range(3)).ordinal.normalize("true")
    long = shares.to_series().reset_index(name="n")
    calls: list[Callable[[], Any]] = [
        lambda: po.metrics.mae(shares.to_numpy()),
        lambda: po.metrics.mae(perfect.to_numpy()),
        lambda: po.influence(po.metrics.mae, shares.to_numpy()),
        lambda: perfect.rename("x").ordinal.mae(),
        lambda: po.from_counts(shares.to_pandas()),
        lambda: po.from_counts(long, true="true", pred="pred", count="n"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="hold nan.* as in shares.*the counts") as raised:
            call()
        assert "fillna" not in str(raised.value)
    with pytest.raises(ValueError, match=r"\.fillna\(0\)"):
        po.metrics.mae(np.where(np.eye(2), [[3, 1], [1, 2]], np.nan))


PERCENT = {
    "true": [[90.0, 10.0], [50.0, 50.0]],
    "pred": [[90.0, 50.0], [10.0, 50.0]],
    "rounded": [[67.0, 32.0], [50.0, 50.0]],
    "an empty class": [[90.0, 10.0], [0.0, 0.0]],
}


@pytest.mark.parametrize("table", PERCENT.values(), ids=PERCENT)
def test_floats_that_add_up_to_100_warn(table: list[list[float]]) -> None:
    square = pd.DataFrame(table)
    long = square.stack().rename_axis(["y", "yhat"]).reset_index(name="n")
    calls: list[Callable[[], xr.DataArray]] = [
        lambda: po.from_counts(np.array(table), classes=[0, 1]),
        lambda: po.from_counts(square),
        lambda: po.from_counts(long, true="y", pred="yhat", count="n"),
    ]
    for call in calls:
        with pytest.warns(po.PercentagesWarning, match="each .* class add up to 100") as caught:
            cube = call()
        assert [warning.filename for warning in caught] == [__file__]
        assert cube.values.tolist() == table


@pytest.mark.parametrize(
    "table",
    [
        [[90, 10], [50, 50]],
        [[90.0, 10.0], [50.0, 30.0]],
        [[40.0, 10.0], [20.0, 30.0]],
        [[0.0, 0.0], [0.0, 0.0]],
        [[0.0, 1.0], [1.0, 0.0]],
    ],
)
def test_other_tables_do_not_warn(table: list[list[float]]) -> None:
    cube = po.from_counts(np.array(table), classes=[0, 1])
    assert cube.values.tolist() == table
