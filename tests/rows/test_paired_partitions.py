"""Models in Dask frames are compared as in pandas, from one pass over the partitions."""

from __future__ import annotations

import pickle
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from counted_models import MODELS, predicted
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.strategies import QUICK
from parted import assert_same, cut, parted

import pandas_ordinal as po

METRICS = ["accuracy", "mae", "amae", "mmae", "kappa", "oci", "bias"]
KINDS: list[dict[str, Any]] = [
    {},
    {"by": "g"},
    {"by": ["g", "site"], "reference": "c"},
    {"cluster": "site"},
    {"by": "g", "cluster": "site", "adjust": "max-t"},
    {"by": "site", "cluster": "site"},
    {"method": "permutation", "n_permutations": 20, "seed": 3},
    {"cluster": "g", "margin": {"mae": 0.1}},
    {"sample_weight": "w", "by": "g"},
    {"sample_weight": "w", "cluster": "site"},
    {"sample_weight": "some"},
]


def lazy(df: pd.DataFrame, ends: list[int]) -> Any:
    return po.ordinal(parted(cut(df, ends)))


def check(df: pd.DataFrame, ends: list[int], **asked: Any) -> None:
    expected = df.ordinal.compare("y", MODELS, **asked)
    found = lazy(df, ends).compare("y", MODELS, **asked)
    assert_same(found, expected, rtol=1e-9, atol=1e-12)
    (computed,) = dask.compute(found)
    assert computed.attrs == expected.attrs
    pd.testing.assert_series_equal(found.dtypes, computed.dtypes)


@settings(QUICK, max_examples=5)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(1, 50),
    n_classes=st.integers(1, 4),
    asked=st.sampled_from(KINDS),
    missing=st.booleans(),
    ignore=st.sampled_from([None, 0]),
)
def test_any_partitions_say_what_pandas_says(
    seed: int, n_rows: int, n_classes: int, asked: dict[str, Any], missing: bool, ignore: Any
) -> None:
    df = predicted(seed, n_rows, n_classes, missing)
    rng = np.random.default_rng(seed)
    df["w"], df["some"] = rng.integers(0, 4, n_rows) / 4, rng.random(n_rows) < 0.9
    classes = [one for one in range(n_classes) if one != ignore]
    labels = df[["y", *MODELS]]
    if not classes or not (labels.isin(classes).all(axis=1) & df["some"]).any():
        return
    ends = rng.integers(0, n_rows + 1, 4).tolist()
    check(df, ends, metrics=METRICS, classes=classes, dropna=missing, ignore=ignore, **asked)


@pytest.mark.parametrize("asked", KINDS, ids=str)
def test_partitions_say_what_pandas_says(asked: dict[str, Any]) -> None:
    df = predicted(1, 40, 3)
    rng = np.random.default_rng(1)
    df["w"], df["some"] = rng.integers(0, 4, 40) / 4, rng.random(40) < 0.9
    check(df, [25, 10, 10], metrics=METRICS, classes=range(3), **asked)


def test_models_of_many_classes_and_many_models() -> None:
    rng = np.random.default_rng(2)
    names = [f"m{number}" for number in range(11)]
    df = pd.DataFrame({"y": rng.integers(0, 30, 80)})
    for name in names:
        df[name] = np.where(rng.random(80) < 0.5, df["y"], rng.integers(0, 30, 80))
    asked: dict[str, Any] = {"metrics": ["mae"], "classes": range(30)}
    found = lazy(df, [20, 50]).compare("y", names, **asked)
    assert_same(found, df.ordinal.compare("y", names, **asked), rtol=1e-9)
    more = df.assign(n1=df["m1"], n2=df["m2"])
    with pytest.raises(ValueError, match="13 models have too many combinations"):
        lazy(more, [20]).compare("y", [*names, "n1", "n2"], **asked).compute()


def test_groups_are_among_the_combinations_that_are_counted() -> None:
    rows = np.arange(80)
    names = [f"m{number}" for number in range(11)]
    df = pd.DataFrame({"y": rows % 30, "g": rows % 40, **dict.fromkeys(names, rows % 30)})
    found = lazy(df, [20, 50]).compare("y", names, metrics=["mae"], classes=range(30), by="g")
    with pytest.raises(ValueError, match="11 models have too many combinations"):
        found.compute()  # 31 ** 12 cells are fewer than 2 ** 63, but not 20 times as many


def test_as_many_combinations_as_integers_hold_are_counted() -> None:
    """Of a single class there are 2 ** (models + 1) combinations, missing labels included."""
    names = [f"m{number}" for number in range(62)]
    df = pd.DataFrame({"y": [0] * 3, "g": ["a", "a", "b"], **dict.fromkeys(names, 0)})
    asked: dict[str, Any] = {"metrics": ["accuracy"], "classes": [0], "reference": "m0"}
    found = lazy(df, [1]).compare("y", names[:61], **asked).compute()
    assert len(found) == 60 and (found[["n", "value_a", "value_b"]] == [3, 1, 1]).all(axis=None)
    for models, by in ((names, None), (names[:61], "g")):
        with pytest.raises(ValueError, match=rf"{len(models)} models have too many combinations"):
            lazy(df, [1]).compare("y", models, by=by, **asked).compute()


def test_nothing_is_drawn_before_rows_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    asked: dict[str, Any] = {"method": "permutation", "n_permutations": 9, "progress": True}
    lazy(predicted(4, 60, 3), [10]).compare("y", MODELS, classes=range(3), **asked)
    assert capsys.readouterr() == ("", "")


def test_categories_and_names_of_models() -> None:
    levels = ["lo", "mid", "hi"]
    df = predicted(4, 60, 3).astype(dict.fromkeys(["y", *MODELS], int))
    for name in ["y", *MODELS]:
        df[name] = pd.Categorical.from_codes(df[name], levels, ordered=True)
    named = {"tree": "a", "logit": "b"}
    found = lazy(df, [10, 30]).compare("y", named, metrics=["mae", "stc"])
    assert_same(found, df.ordinal.compare("y", named, metrics=["mae", "stc"]), rtol=1e-9)


def test_wrong_options_raise_before_rows_are_read() -> None:
    ddf = lazy(predicted(4, 60, 3), [10])
    asked: dict[str, Any] = {"classes": range(3)}
    with pytest.raises(ValueError, match="two or more models"):
        ddf.compare("y", ["a"], **asked)
    with pytest.raises(po.errors.UnknownNameError, match="reference='z'"):
        ddf.compare("y", MODELS, reference="z", **asked)
    with pytest.raises(ValueError, match="names no metric"):
        ddf.compare("y", MODELS, metrics=[], **asked)
    with pytest.raises(ValueError, match="by= names a key 'a'"):
        ddf.compare("y", ["b", "c"], by="a", **asked)
    with pytest.raises(po.errors.UnknownNameError, match="'patient'"):
        ddf.compare("y", MODELS, cluster="patient", **asked)
    for option in ("model", "id", "score", "proba", "count"):
        with pytest.raises(TypeError, match=rf"ordinal\.compare\(\.\.\., {option}=\.\.\.\)"):
            ddf.compare("y", MODELS, **asked, **{option: "a"})


def test_wrong_labels_raise_when_they_are_read() -> None:
    asked: dict[str, Any] = {"classes": range(3)}
    lacking = predicted(4, 60, 3, missing=True)
    with pytest.raises(po.MissingValueError):
        lazy(lacking, [10]).compare("y", MODELS, **asked).compute()
    silent = predicted(4, 60, 3).assign(a=pd.array([pd.NA] * 60, dtype="Int64"))
    with pytest.raises(ValueError, match="no predictions of .'a'"):
        lazy(silent, [10]).compare("y", MODELS, dropna=True, **asked).compute()


def test_repeats_of_rows_are_recognized() -> None:
    df = predicted(4, 60, 3).assign(row=np.arange(60) % 20, repeat=np.arange(60) // 20)
    df[["y"]] = np.tile(df[["y"]].iloc[:20], (3, 1))
    with pytest.warns(po.RepeatedRowsWarning, match='cluster="row"'):
        lazy(df, [30]).compare("y", MODELS, classes=range(3))
    check(df, [30], classes=range(3), cluster="row", metrics=["mae"])


def test_results_and_what_counts_partitions_can_be_sent() -> None:
    df = predicted(4, 60, 3)
    ddf = po.ordinal(dd.from_pandas(df, npartitions=3))
    found = ddf.compare("y", MODELS, metrics=["mae"], classes=range(3))
    sent = pickle.loads(pickle.dumps(found)).compute(scheduler="synchronous")
    pd.testing.assert_frame_equal(sent, found.compute())
