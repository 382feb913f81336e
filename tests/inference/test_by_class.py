"""Tables by class and by cut against literal loops over the rows, and against other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.testing as npt
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles import by_class
from oracles.by_class import OF_CLASSES, OF_CUTS, Row
from oracles.strategies import QUICK
from scipy.stats import rankdata
from sklearn.metrics import classification_report
from statsmodels.stats.proportion import proportion_confint

import pandas_ordinal as po
from pandas_ordinal.inference.by_class import columns_of_table, drawn_tables
from pandas_ordinal.reports.by_class import class_report

DESIGNS: dict[str, dict[str, Any]] = {
    "rows": {},
    "weights": {"sample_weight": "w"},
    "clusters": {"cluster": "patient"},
    "weighted clusters": {"sample_weight": "w", "cluster": "patient"},
}


def frame_of(seed: int, n: int, n_classes: int) -> pd.DataFrame:
    """Rows of clusters of unequal sizes, whose classes are unequally frequent."""
    rng = np.random.default_rng(seed)
    patient = np.sort(rng.integers(0, 1 + n // 3, n))
    y = np.minimum(rng.geometric(0.5, n) - 1, n_classes - 1)
    step = rng.integers(-1, 2, n) * (rng.random(n) < 0.6)
    yhat = np.clip(y + step + rng.integers(-2, 3) * (rng.random(n) < 0.1), 0, n_classes - 1)
    score = yhat + rng.integers(0, 3, n) / 2
    weight = rng.lognormal(size=n).round(3)
    return pd.DataFrame({"y": y, "yhat": yhat, "score": score, "patient": patient, "w": weight})


def rows_of(frame: pd.DataFrame, design: str) -> list[Row]:
    weights = frame["w"] if "weight" in design else [1.0] * len(frame)
    return list(map(Row, frame["y"], frame["yhat"], weights, frame["patient"]))


@QUICK
@given(
    seed=st.integers(0, 2**16),
    n=st.integers(1, 40),
    n_classes=st.integers(2, 5),
    design=st.sampled_from([*DESIGNS]),
    name=st.sampled_from(["class_report", "cut_report"]),
    level=st.sampled_from([0.5, 0.95]),
)
@example(1, 40, 3, "rows", "class_report", 0.95)
@example(2, 40, 3, "weights", "class_report", 0.95)
@example(3, 40, 3, "clusters", "class_report", 0.95)
@example(4, 40, 3, "weighted clusters", "class_report", 0.95)
@example(5, 40, 3, "weights", "cut_report", 0.95)
@example(6, 40, 3, "clusters", "cut_report", 0.95)
def test_every_column_equals_loops_over_the_rows(
    seed: int, n: int, n_classes: int, design: str, name: str, level: float
) -> None:
    frame = frame_of(seed, n, n_classes)
    found = getattr(frame.ordinal, name)(
        "y", "yhat", classes=range(n_classes), ci=level, **DESIGNS[design]
    )
    rows = rows_of(frame, design)
    at_cuts = name == "cut_report"
    assert found.index.tolist() == list(range(n_classes - at_cuts))
    for k in range(n_classes - at_cuts):
        if at_cuts:
            assert found.loc[k, "n"] == n
            assert found.loc[k, "n_above"] == sum(row.true > k for row in rows)
            assert found.loc[k, "predicted_above"] == sum(row.pred > k for row in rows)
        else:
            assert found.loc[k, "n"] == sum(row.true == k for row in rows)
            assert found.loc[k, "predicted"] == sum(row.pred == k for row in rows)
        if "clusters" in design:
            those = {row.cluster for row in rows if at_cuts or row.true == k}
            assert found.loc[k, "n_clusters"] == len(those)
        for column, quantity in (OF_CUTS if at_cuts else OF_CLASSES).items():
            value = by_class.value_of(rows, quantity, k)
            npt.assert_allclose(found.loc[k, column], value, rtol=1e-12, err_msg=column)
            due = by_class.interval(
                rows, quantity, k, 2 if at_cuts else n_classes, level,
                design.removeprefix("weighted "),
            )  # fmt: skip
            bounds = found.loc[k, [f"{column}_low", f"{column}_high"]]
            npt.assert_allclose(bounds, due, rtol=1e-7, atol=1e-12, err_msg=column)


def test_shares_are_those_of_scikit_learn() -> None:
    frame = frame_of(3, 300, 4)
    found = frame.ordinal.class_report("y", "yhat")
    theirs = classification_report(frame["y"], frame["yhat"], output_dict=True)
    for k in range(4):
        npt.assert_allclose(found.loc[k, "recall"], theirs[str(k)]["recall"])
        npt.assert_allclose(found.loc[k, "precision"], theirs[str(k)]["precision"])
        assert found.loc[k, "n"] == theirs[str(k)]["support"]


def test_intervals_of_shares_are_those_of_statsmodels() -> None:
    frame = frame_of(4, 300, 4)
    found = frame.ordinal.class_report("y", "yhat", ci=0.9)
    for column, total in {"recall": "n", "precision": "predicted", "off_by_one": "n"}.items():
        due = proportion_confint(
            (found[column] * found[total]).round(), found[total], alpha=0.1, method="beta"
        )
        npt.assert_allclose(found[f"{column}_low"], due[0], rtol=1e-9)
        npt.assert_allclose(found[f"{column}_high"], due[1], rtol=1e-9)


@pytest.mark.parametrize("cluster", [None, "patient"])
def test_the_area_at_a_cut_is_that_of_two_classes(cluster: str | None) -> None:
    frame = frame_of(5, 120, 4)
    found = frame.ordinal.cut_report("y", "yhat", score="score", ci=0.95, cluster=cluster)
    for k in range(3):
        above = (frame["y"] > k).to_numpy()
        ranks = rankdata(frame["score"])[above].sum()
        n = above.sum()
        area = (ranks - n * (n + 1) / 2) / (n * (len(frame) - n))
        npt.assert_allclose(found.loc[k, "auc"], area)
        of_two = frame.assign(y=above.astype(int)).ordinal.report(
            "y", score="score", metrics=["vus"], ci=0.95, cluster=cluster
        )
        npt.assert_allclose(
            found.loc[k, ["auc", "auc_low", "auc_high"]],
            of_two[["vus", "vus_low", "vus_high"]].astype(float),
        )


def test_a_class_without_rows_has_no_values() -> None:
    frame = pd.DataFrame({"y": [0, 0, 2, 2], "yhat": [0, 0, 2, 2]})
    found = frame.ordinal.class_report("y", "yhat", classes=range(4), ci=0.95)
    for k in (1, 3):
        absent = found.loc[k]
        assert absent["n"] == 0 == absent["predicted"]
        assert absent.filter(regex="recall|precision|mae|off_by_one").isna().all()
        assert absent["specificity"] == 1 == absent["npv"]
    cuts = frame.ordinal.cut_report("y", "yhat", classes=range(4), ci=0.95)
    assert cuts.loc[2, ["sensitivity", "ppv"]].isna().all() and cuts.loc[2, "n_above"] == 0
    nothing = frame[:0].ordinal.class_report("y", "yhat", classes=range(4), ci=0.95)
    assert (nothing[["n", "predicted"]] == 0).all(axis=None)
    assert nothing.drop(columns=["n", "predicted"]).isna().all(axis=None)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_single_class_has_no_other_rows_and_no_cuts(design: str) -> None:
    frame = frame_of(8, 9, 1)
    found = frame.ordinal.class_report("y", "yhat", ci=0.95, **DESIGNS[design])
    assert found[
        ["n", "recall", "precision", "mae", "mae_low", "mae_high"]
    ].to_numpy().tolist() == [[9, 1, 1, 0, 0, 0]]
    assert found.filter(regex="specificity|npv").isna().all(axis=None)
    assert len(frame.ordinal.cut_report("y", "yhat", ci=0.95, **DESIGNS[design])) == 0


def test_a_single_row_or_cluster() -> None:
    one = pd.DataFrame({"y": [1], "yhat": [2], "patient": [7]})
    found = one.ordinal.class_report("y", "yhat", classes=range(5), ci=0.95).loc[1]
    assert found[["mae_low", "mae_high"]].tolist() == [0, 3]
    npt.assert_allclose(found[["recall_low", "recall_high"]].tolist(), [0, 0.975])
    given = {"classes": range(5), "ci": 0.95, "cluster": "patient"}
    found = one.ordinal.class_report("y", "yhat", **given)
    assert found.filter(regex="_low|_high").isna().all(axis=None)


def test_clusters_of_one_row_are_close_to_independent_rows() -> None:
    frame = frame_of(6, 2000, 4).assign(patient=range(2000))
    independent = frame.ordinal.class_report("y", "yhat", ci=0.95)
    clustered = frame.ordinal.class_report("y", "yhat", ci=0.95, cluster="patient")
    npt.assert_allclose(clustered[independent.columns], independent, atol=0.012)


def test_equal_weights_of_any_size_change_nothing() -> None:
    frame = frame_of(7, 60, 3)
    due = frame.assign(w=1.0).ordinal.class_report("y", "yhat", ci=0.95, sample_weight="w")
    for size in (1e-200, 1e-3, 1e200):
        for name, expected in {
            "class_report": due,
            "cut_report": frame.assign(w=1.0).ordinal.cut_report(
                "y", "yhat", ci=0.95, sample_weight="w"
            ),
        }.items():
            found = getattr(frame.assign(w=size).ordinal, name)(
                "y", "yhat", ci=0.95, sample_weight="w"
            )
            npt.assert_allclose(found, expected, rtol=1e-9)


def test_rare_classes_next_to_heavy_ones_are_not_rounded_away() -> None:
    counts = np.array([[1e17, 0, 0], [0, 1, 2], [0, 0, 4]])
    assert po.metrics.class_specificity(counts)[0] == 1
    assert po.metrics.class_npv(counts).tolist() == [1, 1, 1]
    counts[0, 2] = 1
    npt.assert_allclose(po.metrics.class_npv(counts)[0], 7 / 8)


@pytest.mark.slow
@pytest.mark.parametrize("n_clusters", [3, 5, 10, 30])
def test_intervals_of_a_rare_class_in_few_clusters_contain_the_truth(n_clusters: int) -> None:
    rng, n_samples, share = np.random.default_rng(0), 2000, np.array([0.8, 0.15, 0.05])
    clusters = np.zeros((n_samples, n_clusters, 3, 3))
    sizes = rng.geometric(0.25, clusters.shape[:2])
    right = rng.dirichlet(share * (1 / 0.3 - 1), clusters.shape[:2])  # alike within a cluster
    clusters[:, :, 0] = rng.multinomial(sizes, right)
    clusters[:, 0, 1] = [0, 300, 0]
    table = np.arange(n_samples).repeat(n_clusters)
    counts = clusters.sum(axis=1)
    drawn = drawn_tables(counts, counts, clusters=(clusters.reshape(-1, 3, 3), table))
    found = columns_of_table(drawn, class_report(ci=0.95, cluster="patient"))
    due = {"recall": share[0], "off_by_one": share[1], "mae": share @ [0, 1, 2]}
    for name, truth in due.items():
        low, high = found[f"{name}_low"][:, 0], found[f"{name}_high"][:, 0]
        assert 0.92 <= np.mean((low <= truth) & (truth <= high)) <= 1
