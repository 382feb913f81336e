"""P-values of swapped predictions of few rows, counted by hand or in a loop over all swaps."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from oracles import uncertainty

import pandas_ordinal as po

ASKED: dict[str, Any] = {"metrics": ["mae"], "method": "permutation", "classes": range(3)}


def p_of(frame: pd.DataFrame, **asked: Any) -> float:
    return float(frame.ordinal.compare("y", ["a", "b"], **{**ASKED, **asked})["p_value"].item())


def test_all_ways_are_counted_if_there_are_no_more_than_may_be_drawn() -> None:
    """In four rows alike, a is better: 0 to 4 of them may be swapped."""
    frame = pd.DataFrame({"y": [0] * 5, "a": [0] * 5, "b": [1] * 4 + [0]})
    assert p_of(frame, n_permutations=5) == 2 / 16
    assert p_of(frame, n_permutations=4) in [0.2, 0.4, 0.6, 0.8, 1]  # of 1 more than were drawn


def test_rows_of_several_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    y, a, b = [0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 0, 2, 2, 1], [1, 2, 1, 1, 1, 1, 2]
    frame = pd.DataFrame({"y": y, "a": a, "b": b})
    for name in ("mae", "kappa", "oci", "mse", "scott_pi", "krippendorff_alpha", "total_cost"):
        kernel = getattr(po.metrics, name)
        due = uncertainty.permutation_p(kernel, y, a, b, 3)
        assert p_of(frame, metrics=[name]) == pytest.approx(due, rel=1e-12)
        assert p_of(frame.rename(columns={"a": "b", "b": "a"}), metrics=[name]) == due
        with monkeypatch.context() as patch:
            patch.setattr("pandas_ordinal.inference.permutation.block_size", lambda k: 5)
            assert p_of(frame, metrics=[name]) == pytest.approx(due, rel=1e-12)


def test_clusters_are_swapped_as_a_whole() -> None:
    """Four clusters, of which one says nothing; all of the others favour a, two by as much."""
    frame = pd.DataFrame({"y": [0] * 8, "a": [0] * 8, "b": [1, 0, 1, 0, 2, 2, 0, 0]})
    frame["cluster"] = [1, 1, 2, 2, 3, 3, 4, 4]
    assert p_of(frame, cluster="cluster") == 2 / 8
    turned = frame.assign(b=[1, 0, 0, 0, 2, 2, 0, 0], a=[0, 0, 1, 0, 0, 0, 0, 0])
    assert p_of(turned, cluster="cluster") == 6 / 8  # all but 4 - 1 - 1 and its mirror image


def test_models_that_predict_alike_have_one_way() -> None:
    frame = pd.DataFrame({"y": [0, 1, 2], "a": [0, 1, 1], "b": [0, 1, 1], "cluster": [1, 2, 2]})
    for cluster in (None, "cluster"):
        for n_permutations in (1, 9):
            asked = {"metrics": ["accuracy", "mae"], "n_permutations": n_permutations}
            found = frame.ordinal.compare("y", ["a", "b"], cluster=cluster, **{**ASKED, **asked})
            assert found["p_value"].tolist() == [1, 1]


def test_a_difference_that_no_draw_reaches() -> None:
    frame = pd.DataFrame({"y": [0, 2] * 20, "a": [0, 2] * 20, "b": [1, 0] * 20})
    assert p_of(frame, n_permutations=9) == 1 / 10
    assert p_of(frame, n_permutations=1) == 1 / 2
