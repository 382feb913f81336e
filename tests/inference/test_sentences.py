"""Comparisons in words: no more than what the column of better models says, and no less."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import pandas_ordinal as po

NAN = float("nan")


def described(found: Any) -> str:
    """The sentences, each on one line."""
    return po.describe(found).replace("\n  ", " ")


def compared(*pairs: tuple[str, str, Any], metric: str = "mae", **attrs: Any) -> pd.DataFrame:
    """A comparison of pairs (a, b, better), where None stands for no p-value."""
    table = pd.DataFrame(list(pairs), columns=["a", "b", "better"])
    table["p_adjusted"] = [
        NAN if pd.isna(better) else 0.5 if better == "neither" else 0.01
        for better in table["better"]
    ]
    table["difference"] = 1.0
    table.attrs = attrs
    table["metric"] = metric
    return table.set_index(["metric", "a", "b"])


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (["ab>a"], "a is better than b"),
        (["ab>b"], "b is better than a"),
        (["ab="], "a and b cannot be told apart"),
        (["ab?"], "a has no p-value against b"),
        (["ab=", "ac=", "bc="], "no two models can be told apart"),
        (["ab?", "ac?", "bc?"], "no two models have a p-value"),
        (["ab>a", "ac>a", "bc>b"], "a is better than b and c; b is better than c"),
        (["ab>a", "ac>a", "bc="], "a is better than b and c; b and c cannot be told apart"),
        (["ab=", "ac>a", "bc>b"], "a and b are better than c; a and b cannot be told apart"),
        (["ab=", "ac>a", "bc="], "a is better than c; b cannot be told apart from a or c"),
        (["ab=", "ac?", "bc?"], "c has no p-value against a or b; a and b cannot be told apart"),
        (
            ["ab>a", "ac=", "ad=", "bc=", "bd=", "cd="],
            "a is better than b; no other two models can be told apart",
        ),
        (
            ["ab=", "ac=", "ad?", "bc=", "bd?", "cd?"],
            "d has no p-value against a, b or c; no other two models can be told apart",
        ),
        # with a reference, nothing is said of the others
        (["ab=", "ac=", "ad="], "a cannot be told apart from b, c or d"),
        (["ab>b", "ac=", "ad="], "b is better than a; a cannot be told apart from c or d"),
        # some pairs only
        (["ab=", "cd="], "a cannot be told apart from b; c cannot be told apart from d"),
    ],
)  # fmt: skip
def test_a_conclusion(pairs: list[str], expected: str) -> None:
    better = {">a": "a", ">b": "b", ">c": "c", "=": "neither", "?": None}
    table = compared(*((one[0], one[1], better[one[2:]]) for one in pairs))
    assert described(table) == f"By mae: {expected}."


def test_long_sentences_break_between_words() -> None:
    models = [f"model-{'x' * n}" for n in (5, 29, 30, 90, 3)]
    pairs = [(model, "the reference", model) for model in models]
    lines = po.describe(pd.concat([compared(*pairs), compared(*pairs, metric="a_b")])).splitlines()
    assert [line[:2] for line in lines] == ["By", *["  "] * (len(lines) - 1)] and len(lines) > 2
    text = " ".join(line.strip() for line in lines)
    assert text == (
        f"By mae and a_b: {', '.join(models[:-1])} and {models[-1]} are better than the reference."
    )
    for line, following in itertools.pairwise(lines):
        word = following.split()[0]
        assert len(line) <= 79 or " " not in line.strip()
        assert len(f"{line} {word}") > 79


def test_labels_are_written_as_they_are() -> None:
    table = compared(("a\tb", "two-way", "a\tb"), metric="my  own")
    assert po.describe(table) == "By my  own: a\tb is better than two-way."


STATEMENT = re.compile(r"^(.+?) (?:is|are) better than (.+)$")


def names(text: str) -> list[str]:
    return re.split(r", | and | or ", text)


def test_random_comparisons_say_who_is_better_and_nothing_else() -> None:
    rng = np.random.default_rng(3)
    models = list("abcdef")
    for _ in range(200):
        chosen = models[: rng.integers(2, 7)]
        table = compared(
            *((a, b, rng.choice([a, b, "neither"])) for a, b in itertools.combinations(chosen, 2))
        )
        text = described(table).removeprefix("By mae: ").removesuffix(".")
        said = {
            (winner, loser)
            for part in text.split("; ")
            if (match := STATEMENT.match(part))
            for winner in names(match[1])
            for loser in names(match[2])
        }
        assert said == {
            (better, ({a, b} - {better}).pop())
            for (_, a, b), better in table["better"].items()
            if better != "neither"
        }
        assert ("told apart" in text) == (table["better"] == "neither").any()


def test_metrics_of_one_conclusion_share_a_line_and_groups_have_their_own() -> None:
    parts = [
        compared(("a", "b", "a"), metric="mae"),
        compared(("a", "b", "neither"), metric="oci"),
        compared(("a", "b", "a"), metric="stc"),
    ]
    table = pd.concat(parts)
    lines = ["by mae and stc: a is better than b.", "by oci: a and b cannot be told apart."]
    assert described(table).splitlines() == [f"B{line[1:]}" for line in lines]
    assert described(table.loc["mae"]) == "By this metric: a is better than b."
    both = pd.concat([table, table], keys=[1, 2], names=["fold"])
    assert described(both).splitlines() == [
        f"In fold {fold}, {line}" for fold in (1, 2) for line in lines
    ]
    of_mae = both.xs("mae", level="metric")
    assert described(of_mae).splitlines() == [
        f"In fold {fold}, by this metric: a is better than b." for fold in (1, 2)
    ]
    nested = pd.concat({"x": both}, names=["region"])
    assert described(nested).startswith("In region x, fold 1, by mae and stc: a is")


FRAME = pd.DataFrame({"y": [0, 1, 2, 2] * 25, "a": [0, 1, 2, 1] * 25, "b": [0, 1, 1, 0] * 25})


def test_metrics_without_a_direction() -> None:
    found = FRAME.ordinal.compare("y", ["a", "b"], metrics=["bias", "max_total_cost"])
    assert described(found).splitlines() == [
        "By bias: a is higher than b; the metric has no direction.",
        "By max_total_cost: a has no p-value against b.",
    ]
    found.attrs = {}
    line = "By bias: no model is better, since the metric has no direction."
    assert described(found).splitlines()[0] == line
    alike = FRAME.ordinal.compare("y", {"a": "a", "c": "a"}, metrics=["bias"])
    assert described(alike) == "By bias: a and c cannot be told apart."


def test_a_stricter_level_says_less() -> None:
    rows = pd.concat([FRAME.iloc[:12], FRAME.assign(b=FRAME["a"]).iloc[:8]])
    found = rows.ordinal.compare("y", ["a", "b"], metrics=["mae", "bias"])
    p = found["p_adjusted"].max()
    for ci, is_real in ((1 - 1.01 * p, True), (1 - 0.99 * p, False)):
        text = described(
            rows.ordinal.compare("y", ["a", "b"], metrics=["mae", "bias"], ci=float(ci))
        )
        assert ("higher" in text and "better" in text) == is_real or not is_real
        assert ("higher" in text) == is_real


def test_equivalence_is_adjusted_for_the_number_of_pairs() -> None:
    pairs = [("a", "b", "neither"), ("a", "c", "a"), ("b", "c", "neither")]
    table = compared(*pairs, ci=0.95, margin=0.1).assign(p_equivalent=[0.01, 0.02, 0.3])
    assert described(table) == (
        "By mae: a is better than c; a is equivalent to b and c within 0.1; b and c cannot be "
        "told apart."
    )
    assert described(table.assign(p_equivalent=0.01)) == (
        "By mae: a is better than c; a, b and c are equivalent to one another within 0.1."
    )
    table["p_equivalent"] = [0.02, 0.04, 0.3]  # times 3, 2, 1
    assert "equivalent" not in described(table)
    table["p_equivalent"] = [0.01, 0.2, NAN]
    assert "a is equivalent to b within 0.1" in described(table)
    assert "equivalent" not in described(table.set_axis(table.index).pipe(without_attrs))
    table.attrs["margin"] = "mae: 0.1, oci: 0.2"
    assert "a is equivalent to b within the margin" in described(table)


def test_a_p_value_at_the_level_is_significant() -> None:
    table = compared(("a", "b", None), metric="bias", ci=0.9)
    equivalent = compared(("a", "b", "neither"), ci=0.9)
    for p, is_real in ((1 - 0.9, True), (0.1 + 1e-9, False)):
        found = described(table.assign(p_adjusted=p))
        assert found.startswith(f"By bias: a {'is higher than b' if is_real else 'and b cannot'}")
        found = described(equivalent.assign(p_equivalent=p))
        assert found.startswith(f"By mae: a {'is equivalent to b' if is_real else 'and b cannot'}")


def without_attrs(table: pd.DataFrame) -> pd.DataFrame:
    bare = table.copy()
    bare.attrs = {}
    return bare


def test_one_sided_comparisons_say_nothing_of_the_other_side() -> None:
    pairs = [("a", "ref", "a"), ("b", "ref", "neither"), ("c", "ref", "neither")]
    expected = "By mae: a is better than ref; b and c are not shown to be better than ref."
    assert described(compared(*pairs, alternative="better")) == expected
    by_bounds = compared(*pairs).assign(low=[-np.inf] * 3, high=[-1.0, 2.0, 3.0])
    assert described(by_bounds) == expected
    without_bounds = compared(*pairs).assign(low=NAN, high=NAN)  # of permutations
    assert described(without_bounds) == expected
    without_bounds.attrs["alternative"] = "two-sided"
    assert "not shown" not in described(without_bounds)
    star = compared(("a", "b", "neither"), ("a", "c", "neither"), alternative="better")
    assert described(star) == "By mae: a is not shown to be better than b or c."
    table = compared(*pairs, alternative="non-inferior", ci=0.95, margin=0.1)
    verdicts = pd.array([True, False, pd.NA], dtype="boolean")
    table = table.drop(columns="better").assign(non_inferior=verdicts)
    assert described(table) == (
        "By mae: a is not inferior to ref; b may be inferior to ref; c has no p-value against ref."
    )
    star = compared(("a", "b", None), ("a", "c", None)).drop(columns="better")
    star = star.assign(non_inferior=pd.array([True, True], dtype="boolean"))
    assert described(star) == "By mae: a is not inferior to b or c."


def test_labels_that_are_not_text() -> None:
    table = FRAME.ordinal.compare("y", {1: "a", 2: "b"}, metrics=["mae"])
    assert described(table) == "By mae: 1 is better than 2."


def test_a_summary_names_the_best_without_a_test() -> None:
    frame = pd.concat([FRAME.assign(fold=1), FRAME[::-1].assign(fold=2, b=FRAME["a"])])
    assert described(frame.ordinal.summary("y", ["a", "b"], over="fold")).endswith(
        "No test is behind these values: compare shows which differences are significant."
    )

    def first(**options: Any) -> str:
        return described(frame.ordinal.summary("y", over="fold", **options)).splitlines()[0]

    both = {"pred": ["a", "b"]}
    best = "a has the best mean over the folds and the best pooled value."
    assert first(**both, metrics=["mae", "kappa"]) == f"By mae and kappa: {best}"
    alike = first(pred={"a": "a", "c": "a"}, metrics=["mae"])
    assert alike == f"By mae: a and c share {best.removeprefix('a has ')}"
    none = "no value is best, since the metric has no known direction."
    assert first(**both, metrics=["bias"]) == f"By bias: {none}"
    one = "a mean of 0.25 over 2 folds, with a standard deviation of 0, and 0.25 pooled."
    assert first(pred="a", metrics=["mae"]) == f"By mae: {one}"
    assert first(pred="a", metrics=["mae", "mse"]) == f"By mae and mse: {one}"


def summary(**rows: tuple[float, float]) -> pd.DataFrame:
    table = pd.DataFrame(list(rows.values()), columns=["mean", "pooled"])
    index = pd.MultiIndex.from_arrays([list(rows), ["mae"] * len(rows)], names=["model", "metric"])
    return table.assign(std=0.1, n_folds=3).set_axis(index)


def test_folds_and_pooled_rows_may_prefer_different_models() -> None:
    text = described(summary(a=(0.1, 0.4), b=(0.2, 0.3), c=(NAN, NAN)))
    expected = "a has the best mean over the folds, but b has the best pooled value"
    assert text.startswith(f"By mae: {expected}.")
    assert described(summary(a=(NAN, NAN), b=(NAN, NAN))).startswith("By mae: no mean value is")
    assert described(summary(a=(NAN, NAN))).startswith("By mae: a has no value in any fold.")


def test_a_summary_may_have_lost_its_standard_deviations() -> None:
    for table in (summary(a=(0.1, 0.4), b=(0.2, 0.3)), summary(a=(0.1, 0.4)).assign(std=NAN)):
        assert described(table.drop(columns="std")) == described(table)


def test_metrics_keep_their_order() -> None:
    parts = [compared(("a", "b", "a"), metric="stc"), compared(("a", "b", "b"), metric="mae")]
    expected = ["By stc: a is better than b.", "By mae: b is better than a."]
    best = " has the best mean over the folds and the best pooled value."
    one, other = summary(a=(0.1, 0.1), b=(0.2, 0.2)), summary(a=(0.1, 0.1), b=(0.2, 0.2))
    both = pd.concat([one.rename({"mae": "oci"}, level="metric"), other * [-1, -1, 1, 1]])
    for kind in ("str", "category"):
        found = pd.concat(parts).reset_index().astype({"metric": kind})
        assert described(found.set_index(["metric", "a", "b"])).splitlines() == expected
        found = both.reset_index().astype({"metric": kind})
        lines = described(found.set_index(["model", "metric"])).splitlines()
        assert lines[:2] == [f"By oci: a{best}", f"By mae: b{best}"]


def test_metrics_that_are_left_out_are_not_described() -> None:
    """Categories stay where no row has them any more."""
    parts = [compared(("a", "b", "a"), metric="stc"), compared(("a", "b", "b"), metric="mae")]
    found = pd.concat(parts).reset_index().astype({"metric": "category"})
    rest = found[found["metric"] == "mae"].set_index(["metric", "a", "b"])
    assert described(rest) == "By mae: b is better than a."
    table = summary(a=(0.1, 0.1)).reset_index().assign(metric="mae")
    table["metric"] = table["metric"].astype(pd.CategoricalDtype(["kappa", "mae"]))
    text = described(table.set_index(["model", "metric"]))
    assert text.splitlines()[0].startswith("By mae: a has a mean of 0.1 over 3 folds")


@pytest.mark.parametrize("kind", ["Float64", object])
def test_numbers_may_be_held_otherwise(kind: Any) -> None:
    """As where a table was written and read."""
    pairs = [("a", "b", "a"), ("a", "c", None), ("b", "c", "neither")]
    tables = [
        (
            compared(*pairs, metric="bias", ci=0.95).assign(better=None),
            ["p_adjusted", "difference"],
        ),
        (summary(a=(0.1, 0.4), b=(NAN, 0.3)), ["mean", "pooled", "std"]),
        (summary(a=(NAN, NAN)), ["mean", "pooled", "std"]),
        (summary(a=(0.5, 0.4)).assign(std=NAN), ["mean", "pooled", "std"]),
    ]
    for table, columns in tables:
        assert described(table.astype(dict.fromkeys(columns, kind))) == described(table)


def test_ranks() -> None:
    table = pd.DataFrame(
        {"svm": [3, 5, 2, 6, 4], "forest": [1, 2, 1, 3, 2], "logit": [9, 8, 7, 9, 8]}
    )
    found = po.friedman(table, greater_is_better=False)
    assert described(found) == (
        "By mean rank: forest is better than logit; svm cannot be told apart from forest or logit."
        "\nFriedman's test: chi-squared 10.00 with 2 degrees of freedom, p = 0.0067."
    )


@pytest.mark.parametrize(
    "other",
    [
        FRAME,
        FRAME.ordinal.report("y", ["a", "b"], ci=0.95),
        FRAME.ordinal.report("y", "a", ci=0.95),
        xr.Dataset(),
        None,
    ],
)
def test_other_results_are_refused(other: Any) -> None:
    with pytest.raises(TypeError, match=r"what \.ordinal\.compare\(\.\.\.\), "):
        described(other)


def test_nothing_to_describe() -> None:
    with pytest.raises(ValueError, match="no rows"):
        described(compared(("a", "b", "a"))[:0])
