"""Options with a value for each class or cell: dicts by label, and references of each row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po
from pandas_ordinal import MissingValueError, UnknownClassError

LEVELS = ["low", "mid", "high"]
DTYPE = pd.CategoricalDtype(LEVELS, ordered=True)
DF = pd.DataFrame({"y": list("lmhlm"), "yhat": list("lmmhh")}).replace(
    {"l": "low", "m": "mid", "h": "high"}
)
DF = DF.astype(DTYPE)
CUBE = DF.ordinal.confusion("y", "yhat")
ARRAYS = DF.astype(object).rename_axis("case").to_xarray()
DDF = po.ordinal(dd.from_pandas(DF, npartitions=2))
# low as high and mid as high: 2 + 4; high as mid: 8
COSTS = {
    "high": {"low": 9, "mid": 8, "high": 0},
    "low": {"high": 2, "low": 0, "mid": 1},
    "mid": {"low": 3, "mid": 0, "high": 4},
}

SURFACES: dict[str, Callable[..., Any]] = {
    "frame": lambda name, **o: getattr(DF.ordinal, name)("y", "yhat", **o),
    "groupby": lambda name, **o: getattr(DF.groupby(lambda _: 0).ordinal, name)("y", "yhat", **o),
    "series": lambda name, **o: getattr(DF["y"].ordinal, name)(DF["yhat"], **o),
    "cube": lambda name, **o: getattr(CUBE.ordinal, name)(**o),
    "arrays": lambda name, **o: getattr(ARRAYS["y"].ordinal, name)(
        ARRAYS["yhat"], classes=LEVELS, **o
    ),
    "dataset": lambda name, **o: getattr(ARRAYS.ordinal, name)("y", "yhat", classes=LEVELS, **o),
    "partitions": lambda name, **o: getattr(DDF, name)("y", "yhat", **o).compute(),
    "report": lambda name, **o: DF.ordinal.report(
        "y", "yhat", metrics=[partial(getattr(po.metrics, name), **o)]
    )[name],
    "report of a cube": lambda name, **o: CUBE.ordinal.report(
        metrics=[partial(getattr(po.metrics, name), **o)]
    )[name],
}


@pytest.mark.parametrize("surface", SURFACES)
def test_dicts_by_class(surface: str) -> None:
    call = SURFACES[surface]
    assert np.squeeze(call("expected_cost", costs=COSTS)) == pytest.approx(14 / 5, rel=1e-12)
    sizes = {"high": 3, "mid": 1, "low": 2}
    # (6 - s[r]) / s[c] * |r - c| of high as mid, low as high, mid as high, over 5 rows
    due = (3 / 1 + 4 / 3 * 2 + 5 / 3) / 5
    assert np.squeeze(call("total_cost", class_sizes=sizes)) == pytest.approx(due, rel=1e-12)
    by_values = partial(call, "krippendorff_alpha", level="interval")
    due = po.metrics.krippendorff_alpha(CUBE.to_numpy(), level="interval", values=[1, 2, 9])
    found = by_values(values={"high": 9, "low": 1, "mid": 2})
    assert np.squeeze(found) == pytest.approx(due, rel=1e-12)


def test_dicts_by_classes_that_are_tuples() -> None:
    classes: list[Any] = [("a", 1), "b"]
    labels = pd.Series(classes, dtype=object)
    df = pd.DataFrame({"y": labels[[0, 1, 0]].array, "yhat": labels[[1, 1, 0]].array})
    sizes = {"b": 3, ("a", 1): 1}
    found = df.ordinal.total_cost("y", "yhat", classes=classes, class_sizes=sizes)
    counts = df.ordinal.confusion("y", "yhat", classes=classes).to_numpy()
    assert found == po.metrics.total_cost(counts, class_sizes=[1, 3])
    cells = {("a", "a"): 1, ("a", "b"): 2}
    with pytest.raises(ValueError, match=r"write a matrix as \{true: \{pred: value\}\}"):
        df.ordinal.total_cost("y", "yhat", classes=classes, class_sizes=cells)


def test_weights_and_thresholds_of_dicts() -> None:
    weights = {"low": {"low": 1, "mid": 0.5, "high": 0}, "high": {"high": 1, "mid": 0.5, "low": 0}}
    weights["mid"] = {"low": 0.5, "high": 0.5, "mid": 1}
    assert DF.ordinal.kappa("y", "yhat", weights=weights) == pytest.approx(
        DF.ordinal.kappa("y", "yhat", weights="linear"), rel=1e-12
    )
    df = DF.assign(score=[0.1, 0.4, 0.9, 0.2, 0.6])
    costs = pd.DataFrame(COSTS).T.loc[LEVELS, LEVELS]
    pd.testing.assert_series_equal(
        df.ordinal.best_thresholds("y", "score", costs=COSTS),
        df.ordinal.best_thresholds("y", "score", costs=costs),
    )


def test_dicts_of_bins_match_by_bin_and_by_label() -> None:
    bins = pd.IntervalIndex.from_breaks([0, 1, 2, 9])
    found = DF.ordinal.stc("y", "yhat", bins=bins, class_sizes={"low": 2, "high": 3, "mid": 1})
    by_bin = dict(zip(bins, [2, 1, 3], strict=True))
    assert DF.ordinal.stc("y", "yhat", bins=bins, class_sizes=by_bin) == found


@pytest.mark.parametrize(
    ("option", "given", "message"),
    [
        ("class_sizes", {"low": 1, "mid": 2}, r"labelled \['low', 'mid'\], but the classes are"),
        ("class_sizes", {"low": 1, "mid": 2, "top": 3}, "give one value for each class"),
        ("class_sizes", {}, "give one value for each class"),
        ("costs", {"low": COSTS["low"], "mid": 1}, r"\{true: \{pred: value\}\}"),
        ("costs", {("low", "mid"): 1}, r"dict of \[\('low', 'mid'\)\]: .*\{true: \{pred: value\}"),
        ("costs", {**COSTS, "mid": {"low": 3, "high": 4}}, r"lacks costs\['mid'\]\['mid'\]: add"),
        ("costs", {k: [1, 2, 3] for k in LEVELS}, "must be an array of numbers"),
        ("costs", dict.fromkeys(LEVELS, 1), "3 x 3"),
    ],
    ids=str,
)
def test_dicts_that_do_not_fit(option: str, given: Any, message: str) -> None:
    name = "expected_cost" if option == "costs" else "total_cost"
    for surface in ("frame", "cube", "partitions"):
        with pytest.raises(ValueError, match=message):
            SURFACES[surface](name, **{option: given})


def test_a_kernel_names_what_reads_dicts() -> None:
    with pytest.raises(ValueError, match=r"costs= must be a plain array, not a dict.*\.ordinal"):
        po.metrics.expected_cost(CUBE.to_numpy(), costs=COSTS)


# references: 0.0825 by the forecasts and 17/72 by the even reference, over 4 rows

FORECASTS = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.3, 0.4, 0.3]]
DUE = 0.627142857142857
NAMES = list("abc")
CODES = pd.CategoricalDtype(NAMES, ordered=True)
ROWS = pd.DataFrame(FORECASTS, list("wxyz"), NAMES)
ROWS.insert(0, "o", pd.Series(list("abcb"), ROWS.index, dtype=CODES))
ROWS = ROWS.assign(g=1, **{f"even {name}": 1 / 3 for name in NAMES})
EVEN = pd.DataFrame(1 / 3, ROWS.index, NAMES[::-1])
TRUE = xr.DataArray(list("abcb"), {"case": ROWS.index}, "case")
PROBA = xr.DataArray(FORECASTS, {"case": ROWS.index, "tercile": NAMES}, ("case", "tercile"))
UNIFORM = xr.full_like(PROBA, 1 / 3).isel(tercile=[2, 0, 1])

REFERENCES: dict[str, Any] = {
    "list": [1 / 3] * 3,
    "dict": {"b": 1 / 3, "c": 1 / 3, "a": 1 / 3},
    "series": pd.Series(1 / 3, NAMES[::-1]),
    "array over the class": xr.DataArray([1 / 3] * 3, {"class": NAMES}, "class"),
    "array by row": np.full((4, 3), 1 / 3),
    "table": EVEN,
    "columns": {"c": "even c", "a": "even a", "b": "even b"},
}


def skills(reference: Any) -> dict[str, Callable[[], Any]]:
    """How each surface of rows computes the skill over a reference."""
    skill = partial(po.metrics.rps_skill, reference=reference)
    return {
        "frame": lambda: ROWS.ordinal.rps_skill("o", NAMES, reference=reference),
        "groupby": lambda: ROWS.groupby("g").ordinal.rps_skill("o", NAMES, reference=reference),
        "report": lambda: ROWS.ordinal.report("o", proba=NAMES, metrics=[skill])["rps_skill"],
        "series": lambda: ROWS["o"].ordinal.rps_skill(ROWS[NAMES], reference=reference),
    }


@pytest.mark.parametrize("kind", REFERENCES)
def test_references_of_frames(kind: str) -> None:
    for surface, call in skills(REFERENCES[kind]).items():
        if (surface, kind) != ("series", "columns"):
            assert np.squeeze(call()) == pytest.approx(DUE, rel=1e-12), surface


def test_references_of_a_kernel() -> None:
    true, proba = ROWS["o"].cat.codes.to_numpy(), np.array(FORECASTS)
    for reference in (
        np.full((4, 3), 1 / 3),
        [[1 / 3] * 3] * 4,
        pd.DataFrame(np.full((4, 3), 1 / 3)),
    ):
        assert po.metrics.rps_skill(true, proba, reference=reference) == pytest.approx(DUE)
    two = po.metrics.rps_skill([true, true[::-1]], proba, reference=np.full((4, 3), 1 / 3))
    assert two[0] == pytest.approx(DUE) and two.shape == (2,)
    both = np.stack([proba, proba])
    found = po.metrics.rps_skill(true, both, reference=np.stack([proba, np.full((4, 3), 1 / 3)]))
    assert found.tolist() == pytest.approx([0, DUE], abs=1e-12)


@pytest.mark.parametrize("chunks", [None, 2])
@pytest.mark.parametrize(
    "reference",
    [
        [1 / 3] * 3,
        {"b": 1 / 3, "c": 1 / 3, "a": 1 / 3},
        UNIFORM[0].drop_vars("case"),
        UNIFORM[0].drop_vars("case").rename(tercile="class"),
        UNIFORM,
        UNIFORM.drop_vars("case"),
        UNIFORM.rename(tercile="class"),
    ],
    ids=["list", "dict", "tercile", "class", "by row", "no coordinate", "class by row"],
)
def test_references_of_arrays(reference: Any, chunks: int | None) -> None:
    true, proba = (TRUE, PROBA) if chunks is None else (TRUE.chunk(chunks), PROBA.chunk(chunks))
    skill = partial(po.metrics.rps_skill, reference=reference)
    dataset = xr.Dataset({"o": true, "p": proba})
    options = {"classes": NAMES, "reference": reference}
    for found in (
        true.ordinal.rps_skill(proba, **options),
        dataset.ordinal.rps_skill("o", "p", **options),
        true.ordinal.report(proba=proba, classes=NAMES, metrics=[skill])["rps_skill"],
    ):
        assert found.chunks is None or chunks
        assert float(found) == pytest.approx(DUE, rel=1e-12)
        assert found.attrs == {"long_name": "rps_skill", "units": "1"}


def test_references_of_arrays_may_lack_or_add_a_dimension() -> None:
    years = pd.Index([1, 2], name="year")
    true, proba = xr.concat([TRUE, TRUE], years), xr.concat([PROBA, PROBA], years)
    sources = pd.Index(["own", "even"], name="source")
    of_cases = xr.concat([PROBA, UNIFORM.sel(tercile=NAMES)], sources)
    found = true.ordinal.rps_skill(proba, classes=NAMES, reference=of_cases)
    assert found.sel(source="own").item() == pytest.approx(0, abs=1e-12)
    assert found.sel(source="even").item() == pytest.approx(DUE, rel=1e-12)


@pytest.mark.filterwarnings("ignore:rps_skill is undefined")
def test_a_reference_of_a_single_class_has_no_error_to_improve_on() -> None:
    certain = xr.ones_like(PROBA.isel(tercile=[0]))
    name = certain["tercile"].item()
    true = xr.full_like(TRUE, name)
    assert np.isnan(true.ordinal.rps_skill(certain, classes=[name], reference=certain))


def by_hand(reference: np.ndarray, rows: list[int], weights: Any = None) -> float:
    codes, below = ROWS["o"].cat.codes.to_numpy()[rows], []
    for proba in (np.array(FORECASTS)[rows], reference[rows]):
        errors = proba.cumsum(axis=1)[:, :-1] - (codes[:, None] <= [0, 1])
        below.append(np.average((errors**2).sum(axis=1), weights=weights))
    return float(1 - below[0] / below[1])


OTHER = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.5, 0.5, 0], [0, 0.25, 0.75]])


def test_references_that_differ_between_rows() -> None:
    table = pd.DataFrame(OTHER, ROWS.index, NAMES)
    df = ROWS.assign(g=[1, 2, 1, 2], w=[1.0, 2, 3, 4], there=[True, False, True, True])
    df = df.join(table.add_prefix("other "))
    columns = {name: f"other {name}" for name in NAMES}
    for reference in (table, OTHER, columns):
        skill = partial(df.ordinal.rps_skill, "o", NAMES, reference=reference)
        assert skill() == pytest.approx(by_hand(OTHER, [0, 1, 2, 3]), rel=1e-12)
        assert skill(by="g").tolist() == pytest.approx(
            [by_hand(OTHER, [0, 2]), by_hand(OTHER, [1, 3])], rel=1e-12
        )
        assert skill(sample_weight="w") == pytest.approx(
            by_hand(OTHER, [0, 1, 2, 3], [1, 2, 3, 4]), rel=1e-12
        )
        assert skill(sample_weight="there") == pytest.approx(by_hand(OTHER, [0, 2, 3]), rel=1e-12)
        holed = df.assign(a=df["a"].where(df.index != "y"))
        found = holed.ordinal.rps_skill("o", NAMES, reference=reference, dropna=True)
        assert found == pytest.approx(by_hand(OTHER, [0, 1, 3]), rel=1e-12)
        two = df.ordinal.rps_skill("o", {"own": NAMES, "other": columns}, reference=reference)
        assert two.to_dict() == pytest.approx(
            {"own": by_hand(OTHER, [0, 1, 2, 3]), "other": 0}, abs=1e-12
        )
    assert df["o"].ordinal.rps_skill(
        df[NAMES], reference=table, sample_weight=df["there"]
    ) == pytest.approx(by_hand(OTHER, [0, 2, 3]), rel=1e-12)


def test_columns_of_a_reference_may_be_called_by_text_and_by_numbers() -> None:
    others = pd.DataFrame(OTHER, ROWS.index, [1, 0.5, "top"])
    columns = dict(zip(NAMES, others, strict=True))
    found = ROWS.join(others).ordinal.rps_skill("o", NAMES, reference=columns)
    assert found == pytest.approx(by_hand(OTHER, [0, 1, 2, 3]), rel=1e-12)


def test_missing_references() -> None:
    lacking = UNIFORM.where(UNIFORM["case"] != "w")
    with pytest.raises(MissingValueError, match="'reference' holds 1 missing"):
        TRUE.ordinal.rps_skill(PROBA, classes=NAMES, reference=lacking)
    found = TRUE.ordinal.rps_skill(PROBA, classes=NAMES, reference=lacking, dropna=True)
    assert float(found) == pytest.approx(by_hand(np.full((4, 3), 1 / 3), [1, 2, 3]), rel=1e-12)
    table = EVEN.copy()
    table.loc["w", "b"] = np.nan
    with pytest.raises(ValueError, match="^reference=: 1 row lacks valid probabilities.*row 'w'"):
        ROWS.ordinal.rps_skill("o", NAMES, reference=table)


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (EVEN[::-1], "index of reference is not that of the"),
        (EVEN[:3], "index of reference is not that of the"),
        (EVEN * 2, "^reference=: 4 rows lack valid probabilities: the first, row 'w'"),
        (np.full((3, 3), 1 / 3), r"reference= is an array of shape \(3, 3\)"),
        (EVEN[["a", "b"]], r"reference= has columns for \['a', 'b'\]"),
    ],
    ids=["order", "length", "sums", "shape", "columns"],
)
def test_references_that_do_not_fit(reference: Any, message: str) -> None:
    for call in skills(reference).values():
        with pytest.raises(ValueError, match=message):
            call()


def test_columns_of_references_that_do_not_fit() -> None:
    with pytest.raises(UnknownClassError, match=r"reference= has columns for \['even a'"):
        ROWS.ordinal.rps_skill("o", NAMES, reference=["even a", "even b", "even c"])
    with pytest.raises(KeyError, match="no column 'Even a'; did you mean 'even a'"):
        ROWS.ordinal.rps_skill("o", NAMES, reference={n: f"Even {n}" for n in NAMES})
    other = PROBA.assign_coords(case=list("zyxw"))
    with pytest.raises(ValueError, match="coordinates of reference along 'case'"):
        TRUE.ordinal.rps_skill(PROBA, classes=NAMES, reference=other)
    with pytest.raises(UnknownClassError, match="dimensions of reference have the classes"):
        TRUE.ordinal.rps_skill(PROBA, classes=NAMES, reference=PROBA.drop_vars("tercile"))


def test_references_of_partitions() -> None:
    ddf = po.ordinal(dd.from_pandas(ROWS, npartitions=2))
    found = ddf.rps_skill("o", NAMES, reference={"b": 1 / 3, "c": 1 / 3, "a": 1 / 3})
    assert found.compute() == pytest.approx(DUE, rel=1e-12)
    with pytest.raises(ValueError, match="reference= with probabilities for each row needs the r"):
        ddf.rps_skill("o", NAMES, reference={name: f"even {name}" for name in NAMES})
