"""What several metrics say of models together."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest
from measured import peak
from scipy import stats

import pandas_ordinal as po
from pandas_ordinal.metrics import registry

RNG = np.random.default_rng(9)
K, N = 5, 60
FRAME = pd.DataFrame({"y": RNG.integers(0, K, N), "g": RNG.integers(0, 2, N)})
MODELS = [f"m{n}" for n in range(7)]
for place, name in enumerate(MODELS):
    FRAME[name] = (FRAME.y + RNG.integers(-1, 1 + place % 4, N)).clip(0, K - 1)
FRAME["m6"] = FRAME.m1
REPORT = FRAME.ordinal.report("y", MODELS, ci=0.9, se=True)


def within(model: str, k: int, rows: pd.DataFrame = FRAME) -> float:
    return sum(abs(int(t) - int(p)) <= k for t, p in zip(rows.y, rows[model], strict=True)) / len(
        rows
    )


def test_accuracy_curves_count_rows_within_each_distance() -> None:
    curves = FRAME.ordinal.accuracy_curve("y", MODELS)
    assert curves.columns.name == "k" and curves.columns.tolist() == list(range(K))
    for model in MODELS:
        expected = [within(model, k) for k in range(K)]
        np.testing.assert_allclose(curves.loc[model], expected)
        alone = FRAME.ordinal.accuracy_curve("y", model)
        np.testing.assert_allclose(alone, expected)
    by = FRAME.ordinal.accuracy_curve("y", MODELS, by="g")
    assert by.loc[(1, "m2"), 1] == within("m2", 1, FRAME[FRAME.g == 1])


def test_dominance_is_higher_somewhere_and_lower_nowhere() -> None:
    found = FRAME.ordinal.dominance("y", MODELS)
    assert found.better.any(axis=None)
    for a in MODELS:
        for b in MODELS:
            differences = [within(a, k) - within(b, k) for k in range(K)]
            expected = max(differences) > 0 and min(differences) >= 0
            assert found.better.loc[a, b] == expected, (a, b)
    lost = [b for b in MODELS if found.better[b].any()]
    assert found.undominated == [m for m in MODELS if m not in lost]
    with pytest.raises(ValueError, match="two models"):
        FRAME.ordinal.dominance("y", "m0")


def test_pareto_keeps_rows_that_none_dominates() -> None:
    names = ["accuracy", "mae", "stc", "kappa"]
    kept = po.pareto(REPORT, names)
    signs = {name: 1 if registry[name].greater_is_better else -1 for name in names}
    for model, row in REPORT.iterrows():
        dominated = any(
            all(signs[n] * (other[n] - row[n]) >= 0 for n in names)
            and any(other[n] != row[n] for n in names)
            for _, other in REPORT.iterrows()
        )
        assert (model in kept.index) != dominated
    assert 0 < len(kept) < len(REPORT)
    pd.testing.assert_frame_equal(kept, REPORT.loc[kept.index])


def test_memory_of_pareto_follows_the_rows() -> None:
    rising = np.linspace(0, 1, 4000)
    report = pd.DataFrame({"accuracy": rising, "mae": rising})
    half, whole = (peak(lambda n=n: po.pareto(report[:n])) for n in (2000, 4000))
    assert whole < 3 * half
    assert po.pareto(report).equals(report)
    worse = pd.concat([report, report.assign(mae=rising + 0.5)], ignore_index=True)
    assert po.pareto(worse).equals(report)


def test_bounds_and_n_do_not_count_and_labels_of_ones_own_need_a_metric() -> None:
    plain = FRAME.ordinal.report("y", MODELS)
    assert po.pareto(REPORT).index.equals(po.pareto(plain).index)
    named = REPORT[["accuracy", "mae"]].rename(columns={"mae": "error"})
    with pytest.raises(ValueError, match=r"'error' is not a metric.*metrics=\{'error'"):
        po.pareto(named)
    found = po.pareto(named, {"accuracy": "accuracy", "error": po.metrics.mae})
    assert found.index.equals(po.pareto(REPORT, ["accuracy", "mae"]).index)
    with pytest.raises(ValueError, match="'bias' has no direction"):
        po.pareto(REPORT.assign(bias=0.0), ["bias"])
    with pytest.raises(ValueError, match="no column 'maee'; did you mean 'mae'"):
        po.pareto(REPORT, ["maee"])
    with pytest.raises(TypeError, match=r"not a .*: call \.ordinal\.report with by="):
        po.pareto(REPORT.loc["m0"])


@pytest.mark.parametrize("method", ["kendall", "spearman", "pearson"])
def test_metrics_correlate_over_the_rows(method: Any) -> None:
    report = REPORT[["n", "accuracy", "mae", "stc"]].assign(kappa=1.0)
    report.loc["m3", "stc"] = np.nan
    found = po.metric_correlation(report, method=method)
    assert found.index.tolist() == ["accuracy", "mae", "stc", "kappa"]
    peer = {"kendall": stats.kendalltau, "spearman": stats.spearmanr, "pearson": stats.pearsonr}
    there = report.dropna()
    expected = peer[method](there.accuracy, there.stc).statistic
    assert found.loc["accuracy", "stc"] == pytest.approx(expected)
    assert found.loc["stc", "accuracy"] == pytest.approx(expected)
    assert found.loc["mae", "mae"] == pytest.approx(1)
    assert found["kappa"].isna().all()
    with pytest.raises(ValueError, match="method="):
        po.metric_correlation(report, method="cosine")  # type: ignore[arg-type]


def test_infinite_values_correlate_by_their_ranks_alone() -> None:
    report = pd.DataFrame({"log_loss": [np.inf, 0.3, 0.2, 0.1], "mae": [0.9, 0.7, 0.8, 0.5]})
    assert po.metric_correlation(report, method="kendall").loc["log_loss", "mae"] == pytest.approx(
        4 / 6
    )
    ranks = po.metric_correlation(report, method="spearman").loc["log_loss", "mae"]
    assert ranks == pytest.approx(0.8)
    found = po.metric_correlation(report, method="pearson")
    assert np.isnan(found["log_loss"]).all() and found.loc["mae", "mae"] == pytest.approx(1)
    report["log_loss"] = np.inf
    for method in ("kendall", "spearman", "pearson"):
        assert np.isnan(po.metric_correlation(report, method=method).loc["log_loss", "mae"])


def test_two_rows_correlate_and_a_single_one_does_not() -> None:
    report = pd.DataFrame({"accuracy": [0.5, 0.4, 0.1], "mae": [0.8, 0.9, np.nan], "mse": np.nan})
    both = po.metric_correlation(report)
    assert both.loc["accuracy", "mae"] == -1 == both.loc["mae", "accuracy"]
    assert both["mse"].isna().all()
    assert po.metric_correlation(report[1:])["mae"].isna().all()
    assert po.metric_correlation(report[:0]).isna().all(axis=None)


@pytest.mark.parametrize("kind", ["float64", "Float64"])
def test_missing_values_of_either_kind_are_left_out(kind: Any) -> None:
    values = {"accuracy": [0.5, 0.4, None, 0.4], "mae": [0.9, 0.8, 1.0, 0.9]}
    report = pd.DataFrame(values, list("abcd")).astype(kind)
    assert po.pareto(report).index.tolist() == ["a", "b", "c"]
    for method in ("kendall", "pearson"):
        found = po.metric_correlation(report, method=method)  # of 0.5, 0.4, 0.4 and 0.9, 0.8, 0.9
        assert found.loc["accuracy", "mae"] == pytest.approx(0.5)


def test_numbers_of_a_comparison_may_be_held_otherwise() -> None:
    comparison = FRAME.ordinal.compare("y", MODELS, metrics=["accuracy", "mae", "stc"])
    due = po.disagreements(comparison)
    assert len(due)
    for kind in ("Float64", object):
        held = comparison.astype({"value_a": kind, "value_b": kind})
        pd.testing.assert_frame_equal(po.disagreements(held), due)


@pytest.mark.parametrize("by", [None, "g"])
def test_disagreements_are_pairs_that_metrics_order_differently(by: str | None) -> None:
    names = ["accuracy", "mae", "stc", "bias"]
    comparison = FRAME.ordinal.compare("y", MODELS, metrics=names, by=by)
    found = po.disagreements(comparison)
    expected = []
    groups = [()] if by is None else [(0,), (1,)]
    for group in groups:
        for a, b in [(a, b) for i, a in enumerate(MODELS) for b in MODELS[i + 1 :]]:
            for one, other in [("accuracy", "mae"), ("accuracy", "stc"), ("mae", "stc")]:
                rows = [comparison.loc[(*group, m, a, b)] for m in (one, other)]
                up = [registry[m].greater_is_better for m in (one, other)]
                gains = [
                    r.difference if u else -r.difference for r, u in zip(rows, up, strict=True)
                ]
                if gains[0] * gains[1] < 0:
                    prefers = [a if gain > 0 else b for gain in gains]
                    real = [row.better in (a, b) for row in rows]
                    expected.append((*group, a, b, one, other, *prefers, *real))
    assert expected
    assert list(found.reset_index().itertuples(index=False, name=None)) == expected


def test_disagreements_read_what_compare_returned() -> None:
    comparison = FRAME.ordinal.compare("y", MODELS, metrics={"error": "mae", "acc": "accuracy"})
    kept = po.disagreements(comparison)
    comparison.attrs = {}
    with pytest.raises(ValueError, match="'error' is not a metric"):
        po.disagreements(comparison)
    found = po.disagreements(comparison, {"error": "mae", "acc": "accuracy"})
    pd.testing.assert_frame_equal(kept, found)
    plain = po.disagreements(FRAME.ordinal.compare("y", MODELS, metrics=["mae", "accuracy"]))
    assert found.prefers_1.tolist() == plain.prefers_1.tolist()
    same = FRAME.ordinal.compare("y", ["m1", "m6"])
    assert po.disagreements(same).empty
    with pytest.raises(ValueError, match="no levels"):
        po.disagreements(REPORT)


def test_disagreements_of_a_comparison_that_was_written_and_read() -> None:
    """A column of numbers and "neither" is one of text then."""
    frame = pd.DataFrame({"y": [0, 1, 2] * 20, 1: [0, 1, 0] * 20, 2: [1, 2, 1] * 20})
    for rows, real in ((frame, [True]), (frame[:3], [False])):
        comparison = rows.ordinal.compare("y", [1, 2], metrics=["accuracy", "mmae"])
        text = comparison.to_csv()
        again = pd.read_csv(io.StringIO(text)).set_index(["metric", "a", "b"])
        for given in (comparison, again):
            found = po.disagreements(given)
            assert found.real_1.tolist() == found.real_2.tolist() == real
            assert (found.prefers_1.tolist(), found.prefers_2.tolist()) == ([1], [2])


@pytest.mark.parametrize("key", ["n", "better", "prefers_1", "real_2", "value_a", 0, ("x", "y")])
def test_disagreements_have_keys_of_any_name(key: Any) -> None:
    names = ["accuracy", "mae", "stc"]
    plain = po.disagreements(FRAME.ordinal.compare("y", MODELS, metrics=names, by="g"))
    odd = FRAME.assign(**{"other": 0}).rename(columns={"g": key})
    comparison = odd.ordinal.compare("y", MODELS, metrics=names, by=[key])
    found = po.disagreements(comparison)
    assert len(plain) and found.index.names == [key, *plain.index.names[1:]]
    pd.testing.assert_frame_equal(found.rename_axis(plain.index.names), plain)


def test_disagreements_refuse_what_they_cannot_name() -> None:
    frame = FRAME.rename(columns={"g": "metric_1"})
    comparison = frame.ordinal.compare("y", MODELS, metrics=["mae", "stc"], by="metric_1")
    with pytest.raises(ValueError, match="a key 'metric_1', which disagreements adds too: rename"):
        po.disagreements(comparison)
    with pytest.raises(ValueError, match="metrics='mae' must be a dict"):
        po.disagreements(comparison.droplevel("metric_1")[:9], "mae")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="give the unchanged result"):
        po.disagreements(comparison["better"])  # type: ignore[arg-type]


@pytest.mark.parametrize("of", [po.pareto, po.metric_correlation])
def test_metrics_come_in_a_list(of: Any) -> None:
    with pytest.raises(ValueError, match=r"metrics='mae' must be a list.*metrics=\['mae'\]"):
        of(REPORT, "mae")
    with pytest.raises(ValueError, match="metrics=3 must be a list"):
        of(REPORT, 3)
    with pytest.raises(ValueError, match="several columns 'mae'"):
        of(REPORT[["mae", "oci", "mae"]])
    with pytest.raises(ValueError, match="'mae' of the report holds .*not numbers"):
        of(REPORT[["mae"]].astype(str))
    for nothing in ([], {}):
        with pytest.raises(ValueError, match="no metric"):
            of(REPORT, nothing)
    with pytest.raises(ValueError, match="no metric"):
        of(REPORT[["n"]])


def test_infinite_losses_are_worse_than_finite_ones_and_equal_to_each_other() -> None:
    report = pd.DataFrame({"log_loss": [np.inf, 0.3], "accuracy": [0.9, 0.8]}, ["a", "b"])
    assert po.pareto(report).index.tolist() == ["a", "b"]
    assert po.pareto(report, ["log_loss"]).index.tolist() == ["b"]
    report["log_loss"] = np.inf
    assert po.pareto(report).index.tolist() == ["a"]
    assert po.pareto(report, ["log_loss"]).index.tolist() == ["a", "b"]


@pytest.mark.parametrize(("loss_of_b", "n"), [(0.3, 1), (np.inf, 0), (np.nan, 0)])
def test_infinite_losses_disagree_with_other_metrics(loss_of_b: float, n: int) -> None:
    index = pd.MultiIndex.from_product(
        [["log_loss", "accuracy"], ["a"], ["b"]], names=["metric", "a", "b"]
    )
    values = {"value_a": [np.inf, 0.9], "value_b": [loss_of_b, 0.8], "better": [None, None]}
    found = po.disagreements(pd.DataFrame(values, index))
    assert len(found) == n
    assert found.prefers_1.tolist() == ["b"] * n and found.prefers_2.tolist() == ["a"] * n


@pytest.mark.parametrize("loss", [0.0, np.inf])
@pytest.mark.parametrize("accuracy", [(0.9, 0.8), (0.8, 0.9)])
def test_equal_losses_prefer_no_model(loss: float, accuracy: tuple[float, float]) -> None:
    index = pd.MultiIndex.from_product(
        [["log_loss", "accuracy"], ["a"], ["b"]], names=["metric", "a", "b"]
    )
    values = {"value_a": [loss, accuracy[0]], "value_b": [loss, accuracy[1]]}
    assert po.disagreements(pd.DataFrame({**values, "better": [None, None]}, index)).empty


def test_rounding_is_no_difference() -> None:
    report = pd.DataFrame({"accuracy": [0.5, 0.5], "mae": [0.3, 0.1 + 0.2]}, ["a", "b"])
    assert po.pareto(report).index.tolist() == ["a", "b"]
    index = pd.MultiIndex.from_product([["mae", "oci"], ["a"], ["b"]], names=["metric", "a", "b"])
    comparison = pd.DataFrame(
        {
            "value_a": [0.5, 0.4], "value_b": [0.3, 0.4], "difference": [0.2, -1.1e-16],
            "better": [None, None],
        },
        index,
    )  # fmt: skip
    assert po.disagreements(comparison).empty
    comparison["value_b"] = [0.3, 0.5]
    assert len(po.disagreements(comparison)) == 1


def test_a_difference_is_rounding_up_to_a_trillionth_of_the_range_for_two_classes() -> None:
    """A report does not tell how many classes there were."""
    index = pd.MultiIndex.from_product([["mae", "oci"], ["a"], ["b"]], names=["metric", "a", "b"])
    for apart, matters in ((0.75e-12, False), (1.5e-12, True)):
        values = [0.5, 0.5 + apart]
        assert po.pareto(pd.DataFrame({"mae": values})).index.tolist() == [0, 1][: 2 - matters]
        assert po.pareto(pd.DataFrame({"accuracy": values})).index.tolist() == [0, 1][matters:]
        rows = {"value_a": [0.5, 0.2], "value_b": [0.5 + apart, 0.1], "better": [None, None]}
        assert len(po.disagreements(pd.DataFrame(rows, index))) == matters


def test_a_metric_without_an_upper_limit_may_have_any_unit() -> None:
    tiny = pd.DataFrame({"log_loss": [2e-200, 1e-200]})
    assert po.pareto(tiny).index.tolist() == [1]
    index = pd.MultiIndex.from_product(
        [["log_loss", "accuracy"], ["a"], ["b"]], names=["metric", "a", "b"]
    )
    values = {"value_a": [2e-200, 0.9], "value_b": [1e-200, 0.8], "better": [None, None]}
    assert po.disagreements(pd.DataFrame(values, index)).prefers_1.tolist() == ["b"]


def test_dominance_is_shown_in_a_line_and_as_a_table() -> None:
    frame = pd.DataFrame({"y": [0, 1, 2], "right": [0, 1, 2], "a<b": [0, 1, 0]})
    found = frame.ordinal.dominance("y", ["right", "a<b"])
    assert repr(found) == "Dominance: 1 of 2 undominated: right"
    page = found._repr_html_()
    assert page.startswith("<p>Dominance: 1 of 2 undominated: right</p>")
    assert "a&lt;b" in page and "a<b" not in page and page.count("<th>") >= 4
    both = pd.DataFrame({"y": [0], "<i>": [0], "b": [0]}).ordinal.dominance("y", ["<i>", "b"])
    assert both._repr_html_().startswith("<p>Dominance: 2 of 2 undominated: &lt;i&gt;, b</p>")


@pytest.mark.parametrize("key", ["metric_1", "metric_2"])
def test_disagreements_name_keys_that_they_would_repeat(key: str) -> None:
    comparison = FRAME.ordinal.compare("y", MODELS[:2], by="g", metrics=["mae"])
    with pytest.raises(ValueError, match=f"has a key '{key}', which disagreements adds too"):
        po.disagreements(comparison.rename_axis(index={"g": key}))
