"""The path of a matrix, and differences of two."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.testing as npt
import pytest
from matplotlib.colors import to_rgb
from pictured import LETTERS, colour_bars, cube, models, shares, texts

FULL = np.arange(16).reshape(4, 4)
NO_D = np.pad(FULL[:3, :3], (0, 1))


def outline(path: Any) -> Counter[Any]:
    """The sides of the path's cells that no two of them share."""
    sides: Counter[Any] = Counter()
    for true, pred in np.argwhere(path):
        top, left = true - 0.5, pred - 0.5
        sides[(left, top), (left + 1, top)] += 1
        sides[(left, top + 1), (left + 1, top + 1)] += 1
        sides[(left, top), (left, top + 1)] += 1
        sides[(left + 1, top), (left + 1, top + 1)] += 1
    return Counter({side: 1 for side, n in sides.items() if n == 1})


def test_the_path_is_outlined() -> None:
    counted = cube(FULL, LETTERS)
    ax = counted.ordinal.plot(path=True)
    line = ax.collections[1]
    drawn = Counter(tuple(map(tuple, side.tolist())) for side in line.get_segments())
    assert drawn == outline(counted.ordinal.oci_path().to_numpy())
    assert line.get_zorder() > ax.collections[0].get_zorder()
    assert len(counted.ordinal.plot().collections) == 1


@pytest.mark.slow
def test_each_panel_has_its_path() -> None:
    counted = models(x=FULL, y=FULL[:, ::-1], z=0 * FULL)
    panels = counted.ordinal.plot(col="model", path=True)
    for ax, path in zip(panels, counted.ordinal.oci_path().to_numpy(), strict=True):
        assert len(ax.collections[1].get_segments()) == sum(outline(path).values())


def test_a_difference() -> None:
    counted = models(svm=FULL, logit=NO_D)
    ax = counted.ordinal.plot.difference("svm", "logit")
    assert ax.get_title() == "svm − logit"
    drawn = shares(ax)
    for true in range(3):
        for pred in range(4):
            expected = FULL[true, pred] / FULL[true].sum() - NO_D[true, pred] / NO_D[true].sum()
            assert drawn[true, pred] == pytest.approx(expected)
    assert drawn.mask[3].all()  # one of the two has no rows
    low, high = ax.collections[0].get_clim()
    assert low == -high == -np.abs(drawn).max()
    assert colour_bars(ax)[0].get_ylabel() == "difference of the\nshare of each\ntrue class"
    written = texts(ax)
    assert written[3] == [""] * 4
    for cell, value in zip(np.ravel(written[:3]), drawn[:3].ravel(), strict=True):
        sign = {1: "+", -1: "−"}[int(np.sign(value))] if abs(value) >= 0.005 else "0"
        assert cell.startswith(sign)


@pytest.mark.slow
def test_other_differences() -> None:
    counted = models(a=FULL, b=FULL + 1)
    one, other = (counted.ordinal.plot.difference(*pair) for pair in ("ab", "ba"))
    npt.assert_allclose(shares(one), -shares(other))
    assert np.all(shares(counted.ordinal.plot.difference("b", "a", normalize=None)) == 1)
    ax = counted.ordinal.plot.difference("b", "a", normalize=None)
    assert texts(ax)[0] == ["+1"] * 4
    assert colour_bars(ax)[0].get_ylabel() == "difference of the\nrows"
    same = counted.ordinal.plot.difference("a", "a")
    assert same.collections[0].get_clim() == (-1, 1)
    assert texts(same)[1] == ["0"] * 4
    pooled = counted.ordinal.plot.difference("a", "b", normalize="all")
    assert shares(pooled).sum() == pytest.approx(0)
    folds = counted.rename(model="fold").assign_coords(fold=[1, 2])
    assert folds.ordinal.plot.difference(2, 1).get_title() == "2 − 1"


def test_differences_of_unknown_models() -> None:
    counted = models(svm=FULL, logit=NO_D)
    with pytest.raises(ValueError, match="'model' has no 'lgit'.*did you mean 'logit'"):
        counted.ordinal.plot.difference("svm", "lgit")
    with pytest.raises(ValueError, match="more than one 'svm'"):
        counted.assign_coords(model=["svm", "svm"]).ordinal.plot.difference("svm", "logit")
    with pytest.raises(ValueError, match="one matrix"):
        counted.isel(model=0).ordinal.plot.difference("svm", "logit")
    with pytest.raises(ValueError, match=r"no place for the dimensions \['fold'\].*'model'"):
        counted.expand_dims(fold=2, axis=1).ordinal.plot.difference("svm", "logit")


@pytest.mark.parametrize(
    "kind",
    ["uint16", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("int8", "uint64"))],
)
def test_counts_without_a_sign_are_subtracted(kind: str) -> None:
    counted = models(["x", "y"], a=[[1, 0], [0, 1]], b=[[3, 0], [0, 3]]).astype(kind)
    ax = counted.ordinal.plot.difference("a", "b", normalize=None)
    assert texts(ax) == [["−2", "0"], ["0", "−2"]]
    assert shares(ax).tolist() == [[-2, 0], [0, -2]]
    assert ax.collections[0].get_clim() == (-2, 2)


def test_differences_of_counts_are_written_out() -> None:
    counted = models(["x", "y"], a=np.eye(2, dtype=int), b=np.eye(2, dtype=int))
    many = counted * np.array([6000019, 1])[:, None, None]
    for kind, n in (("int64", "6000018"), ("float64", "6000018")):
        ax = many.astype(kind).ordinal.plot.difference("a", "b", normalize=None)
        assert texts(ax) == [[f"+{n}", "0"], ["0", f"+{n}"]]
    halves = (many * 0.5).ordinal.plot.difference("b", "a", normalize=None)
    assert texts(halves)[0] == ["−3000009", "0"]
    too_many = counted.astype("uint64") * np.uint64(2**63)
    with pytest.raises(ValueError, match=r"astype\(float\)"):
        too_many.ordinal.plot.difference("a", "b", normalize=None)


@pytest.mark.slow
def test_differences_of_missing_labels_and_of_levels() -> None:
    counted = models(svm=FULL, logit=NO_D)
    missing = counted.assign_coords(model=[1.0, np.nan])
    assert missing.ordinal.plot.difference(1.0, np.nan).get_title() == "1.0 − nan"
    with pytest.raises(ValueError, match="more than one nan"):
        missing.assign_coords(model=[np.nan, np.nan]).ordinal.plot.difference(np.nan, 1.0)
    with pytest.raises(ValueError, match=r"no nan among \['svm', 'logit'\]$"):
        counted.ordinal.plot.difference("svm", np.nan)
    stacked = counted.expand_dims(fold=[1]).stack(run=["fold", "model"])
    ax = stacked.ordinal.plot.difference((1, "svm"), (1, "logit"))
    assert ax.get_title() == "1, svm − 1, logit"


def test_text_is_light_on_dark_cells_and_dark_on_light_ones() -> None:
    ax = cube([[9, 1], [0, 10]], ["a", "b"]).ordinal.plot()
    colours = {text.get_text(): sum(to_rgb(text.get_color())) for text in ax.texts}
    assert colours["1.00\n(10)"] > 2.5  # on the darkest colour of the map
    assert colours["0.10\n(1)"] < 0.5
