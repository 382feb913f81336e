"""Reports as tables: arrows, the best in bold, significant digits only."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_ordinal as po

FRAME = pd.DataFrame(
    {
        "y": [0, 1, 2, 2] * 25,
        "a": [0, 1, 2, 1] * 25,
        "b": [0, 1, 1, 0] * 25,
        "c": [0, 1, 2, 1] * 25,
    }
)
MODELS = ["a", "b", "c"]
METRICS = ["mae", "kappa", "bias"]


def shown(styler: Any) -> pd.DataFrame:
    """The text of a table as HTML, with stars around bold cells."""
    page = styler.to_html()
    bold = " ".join(re.findall(r"([^}]*)\{\s*font-weight: bold", page))
    cells = re.findall(r'<td id="(\S+)_row(\d+)_col(\d+)" [^>]*>([^<]*)</td>', page)
    table = pd.DataFrame(
        "", styler.index, re.findall(r'class="col_heading[^>]*>([^<]*)</th>', page)
    )
    for table_id, row, col, text in cells:
        is_bold = f"#{table_id}_row{row}_col{col}" in re.findall(r"#\w+", bold)
        table.iloc[int(row), int(col)] = f"*{text}*" if is_bold else text
    return table


def test_arrows_bold_and_digits() -> None:
    table = shown(po.style(FRAME.ordinal.report("y", MODELS, metrics=METRICS)))
    assert table.columns.tolist() == ["n", "mae ↓", "kappa ↑", "bias"]
    assert table["n"].tolist() == ["100"] * 3
    assert table["mae ↓"].tolist() == ["*0.25*", "0.75", "*0.25*"]
    assert table["kappa ↑"].str.startswith("*").tolist() == [True, False, True]
    assert not table["bias"].str.contains("*", regex=False).any()  # neither end is better


def test_ties_by_interval() -> None:
    report = pd.DataFrame(
        {
            "n": 100,
            "mae": [0.50, 0.52, 0.60, 0.55],
            "mae_low": [0.45, 0.49, 0.55, np.nan],
            "mae_high": [0.55, 0.57, 0.65, np.nan],
        },
        index=list("wxyz"),
    )
    table = shown(po.style(report))
    cells = ["*0.50 [0.45, 0.55]*", "*0.52 [0.49, 0.57]*", "0.60 [0.55, 0.65]", "0.55"]
    assert table["mae ↓"].tolist() == cells
    assert table.columns.tolist() == ["n", "mae ↓"]
    undefined = shown(po.style(report.assign(mae=np.nan)))
    assert undefined["mae ↓"].tolist() == [""] * 4


@pytest.mark.parametrize("end", ["low", "high"])
def test_one_end_of_an_interval_stays_a_column(end: str) -> None:
    report = pd.DataFrame({"n": 100, "mae": [0.5, 0.6], f"mae_{end}": [0.45, 0.55]})
    table = shown(po.style(report))
    assert table.columns.tolist() == ["n", "mae ↓", f"mae {end}"]
    assert table["mae ↓"].tolist() == ["*0.50*", "0.60"]


def test_ties_by_digits() -> None:
    report = pd.DataFrame({"n": 100, "kappa": [0.801, 0.799, 0.75, np.nan]})
    assert shown(po.style(report))["kappa ↑"].tolist() == ["*0.80*", "*0.80*", "0.75", ""]
    alone = shown(po.style(report.iloc[:1]))
    assert alone["kappa ↑"].tolist() == ["0.80"]  # nothing to be better than
    undefined = shown(po.style(report.assign(kappa=np.nan)))
    assert undefined["kappa ↑"].tolist() == [""] * 4


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"mae": 0.123456}, "0.123"),
        ({"n": 8, "mae": 0.123456}, "0.1"),
        ({"n": 100, "mae": 0.123456}, "0.12"),
        ({"n": 2500, "mae": 0.123456}, "0.12"),
        ({"n": 2501, "mae": 0.123456}, "0.123"),
        ({"n": 8, "mae": 0.123456, "mae_se": 0.0003}, "0.1235"),
        ({"n": 8, "mae": 0.123456, "mae_low": 0.0, "mae_high": 0.3}, "0.12 [0.00, 0.30]"),
        ({"n": 8, "mae": 0.123456, "mae_low": 0.0, "mae_high": 0.3999}, "0.12 [0.00, 0.40]"),
        ({"n": 8, "mae": 0.123456, "mae_low": 0.0, "mae_high": 0.44}, "0.1 [0.0, 0.4]"),
        ({"n": 8, "mae": 123.456, "mae_se": 4.0}, "123"),
        ({"n": 8, "mae": 0.1, "mae_se": 1e-12}, "0.100000"),
        ({"n": 8, "mae": 0.0, "mae_se": 0.0}, "0.000"),
        ({"n": 0, "mae": np.nan}, ""),
    ],
)
def test_digits_end_where_noise_begins(columns: dict[str, float], text: str) -> None:
    table = shown(po.style(pd.DataFrame(columns, index=["a"])))
    assert table["mae ↓"].tolist() == [text]
    if "mae_se" in columns:
        digits = len(text.partition(".")[2])
        assert table["mae se"].tolist() == [f"{columns['mae_se']:.{digits}f}"]


def test_errors_of_zero_or_none_do_not_set_the_digits() -> None:
    report = pd.DataFrame({"n": 9, "mae": 0.25, "mae_se": [0, 0, 0, 0.3, np.nan, np.inf]})
    assert shown(po.style(report))["mae ↓"].iloc[0] == "*0.2*"


def test_quotes_in_a_caption_are_as_they_are() -> None:
    name = 'the "best" model\'s patient'
    clusters = FRAME.assign(**{name: np.arange(100) % 7})
    report = clusters.ordinal.report("y", "a", metrics=["mae"], ci=0.9, cluster=name)
    styler = po.style(report)
    assert f"Clusters: {name} (7)." in styler.caption
    assert f"Clusters: {name} (7)." in styler.to_latex()
    assert "<" not in po.style(report.rename(None)).caption


@pytest.mark.parametrize("dtype", ["object", "Float64", "float64[pyarrow]"])
def test_numbers_of_other_types(dtype: Any) -> None:
    rows = pd.DataFrame({"m": list("ab") * 9, "y": [0, 1, 2] * 6, "p": [0, 1, 1, 2, 2, 2] * 3})
    report = rows.ordinal.report("y", "p", by="m", ci=0.9, metrics=["mae"])
    report.loc["b", ["mae_low", "mae_high"]] = np.nan
    pd.testing.assert_frame_equal(shown(po.style(report.astype(dtype))), shown(po.style(report)))


def test_other_reports() -> None:
    one = FRAME.ordinal.report("y", "a", metrics=["mae"])
    assert shown(po.style(one)).iloc[0].tolist() == ["100", "0.25"]
    cube = FRAME.ordinal.confusion("y", MODELS)
    table = shown(po.style(cube.ordinal.report(metrics=["mae"])))
    assert table["mae ↓"].tolist() == ["*0.25*", "0.75", "*0.25*"]
    pooled = cube.sum("model").ordinal.report(metrics=["mae"])
    assert shown(po.style(pooled))["mae ↓"].tolist() == ["0.42"]
    selected = cube.isel(model=0).ordinal.report(metrics=["mae"])
    assert shown(po.style(selected)).columns.tolist() == ["n", "mae ↓"]
    with_errors = pd.DataFrame({"own": [0.123456], "own_se": [0.03]})
    assert shown(po.style(with_errors)).iloc[0].tolist() == ["0.12", "0.03"]
    boot = FRAME.ordinal.report(
        "y", MODELS, metrics=["mae"], ci=0.9, method="bootstrap", n_boot=20
    )
    assert shown(po.style(boot))["mae n valid"].tolist() == ["20"] * 3
    keyed = FRAME.assign(g=[1, 2] * 50).groupby("g", as_index=False)
    assert shown(po.style(keyed.ordinal.report("y", "a", metrics=["mae"])))["g"].tolist() == [
        "1",
        "2",
    ]


def test_labels_of_ones_own() -> None:
    report = FRAME.ordinal.report("y", MODELS, metrics={"MER": "error_rate", "own": quarter})
    assert shown(po.style(report)).columns.tolist() == ["n", "MER ↓", "own"]
    report.attrs = {}
    assert shown(po.style(report)).columns.tolist() == ["n", "MER", "own"]
    table = shown(po.style(report, metrics={"MER": "error_rate"}))
    assert table["MER ↓"].tolist() == ["*0.25*", "0.50", "*0.25*"]
    assert table["own"].tolist() == ["0.250", "0.250", "0.250"]
    with pytest.raises(ValueError, match="'MRE'"):
        po.style(report, metrics={"MRE": "error_rate"})


def quarter(counts: np.ndarray) -> np.ndarray:
    return 0.25 * np.ones(counts.shape[:-2])


def test_for_a_paper_and_a_page() -> None:
    report = FRAME.ordinal.report("y", MODELS, metrics=["mae", "kendall_tau"], ci=0.95)
    latex = po.style(report).to_latex()
    assert r"\bfseries 0.25 [0.18, 0.35]" in latex
    assert r" & n & n classes & mae $\downarrow$ & kendall tau $\uparrow$ \\" in latex
    assert "_" not in latex
    assert "mae ↓" in po.style(report).to_html()


def test_labels_are_escaped() -> None:
    frame = FRAME.rename(columns={"a": "a_1", "b": "b&c"}).assign(g_h=["5%", "<10"] * 50)
    measures = {"M&R_#": "error_rate", "accuracy_within": "accuracy_within"}
    report = frame.ordinal.report("y", ["a_1", "b&c"], by="g_h", metrics=measures)
    keyed = report.reset_index()
    for table in (report, keyed):
        latex = po.style(table, escape="latex").to_latex()
        assert r"accuracy within $\uparrow$" in latex
        for label in (r"a\_1", r"b\&c", r"5\%", r"M\&R \#"):
            assert label in latex
        assert not re.search(r"(?<!\\)[_%#]|(?<![\\ ])&", latex)
        page = po.style(table, escape="html").to_html()
        for label in ("b&amp;c", "&lt;10", "M&amp;R #"):
            assert label in page
    assert r"\textbackslash{}\{\textasciicircum{}" in (
        po.style(report.rename(index={"a_1": "\\{^"}), escape="latex").to_latex()
    )
    with pytest.raises(ValueError, match='must be "latex", "html" or None'):
        po.style(report, escape="tex")  # type: ignore[arg-type]


def test_what_is_no_report() -> None:
    report = FRAME.ordinal.report("y", MODELS, metrics=["mae"])
    with pytest.raises(ValueError, match="two rows of the report are called 'a'"):
        po.style(report.rename({"b": "a"}))
    with pytest.raises(ValueError, match="two columns of the report are called 'n'"):
        po.style(pd.concat([report, report], axis=1))
    for unstacked in (report.unstack(), report.rename_axis(columns="metric").unstack()):
        with pytest.raises(ValueError, match=r"'model'\].*not unstacked"):
            po.style(unstacked)
    with pytest.raises(TypeError, match="not a DataArray"):
        po.style(FRAME.ordinal.confusion("y", "a"))  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=r"^this is not a report: none of its columns \['y', 'a', 'b'"
    ):
        po.style(FRAME)


def test_without_jinja(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("pandas.io.formats.style")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"pandas_ordinal\[plot\]"):
        po.style(FRAME.ordinal.report("y", MODELS, metrics=["mae"]))


COMPARED = pd.DataFrame(
    {
        "value_a": [0.42, 0.68], "value_b": [0.32, 0.75], "difference": [0.1, -0.07],
        "se": [0.04, 0.004], "low": [0.02, np.nan], "high": [0.18, np.nan],
        "p_value": [0.0004, 0.0537], "p_adjusted": [0.0008, np.nan], "better": ["b_1", "neither"],
        "n": 200, "share_a": 1.0, "share_b": 1.0,
    },
    pd.MultiIndex.from_tuples(
        [("mae", "a", "b_1"), ("own_score", "a", "b_1")], names=["metric", "a", "b"]
    ),
)  # fmt: skip


def test_a_comparison_has_digits_for_each_metric() -> None:
    table = shown(po.style(COMPARED))
    assert table.columns.tolist() == [
        "value a", "value b", "difference", "p value", "p adjusted", "better", "n",
    ]  # fmt: skip
    assert table.iloc[0].tolist() == [
        "0.42", "*0.32*", "0.10 [0.02, 0.18]", "4e-04", "8e-04", "b_1", "200",
    ]  # fmt: skip
    assert table.iloc[1].tolist() == ["0.680", "0.750", "-0.070", "0.054", "", "neither", "200"]
    page = po.style(COMPARED).to_html()
    assert ">mae ↓<" in page
    assert ">own score<" in page
    latex = po.style(COMPARED, escape="latex").to_latex()
    assert r"mae $\downarrow$ & a & b\_1 & 0.42 & \bfseries 0.32" in latex
    assert r"4e-04 & 8e-04 & b\_1 & 200" in latex


def test_a_model_called_neither_is_not_the_better_one_of_a_draw() -> None:
    draw = COMPARED.rename(index={"b_1": "neither"}).assign(better="neither")
    values = shown(po.style(draw))[["value a", "value b"]].to_numpy().ravel().tolist()
    assert values == ["0.42", "0.32", "0.680", "0.750"]


def test_what_compare_returns_is_styled() -> None:
    frame = pd.DataFrame({"y": [0, 1, 2, 2] * 9, "a": [0, 1, 2, 1] * 9, "b": [0, 1, 1, 0] * 9})
    compared = frame.assign(g=[0, 1] * 18).ordinal.compare(
        "y", ["a", "b"], by="g", metrics=["mae", "kappa"]
    )
    pairs = [po.style(compared.xs("mae", level="metric", drop_level=False)), po.style(compared)]
    assert [len(shown(each)) for each in pairs] == [2, 4]
    table = shown(po.style(compared))
    assert table["better"].tolist() == compared["better"].tolist()
    assert table["value a"].str.startswith("*").tolist() == (compared["better"] == "a").tolist()


def test_lost_columns_are_named() -> None:
    lost = r"no column 'se', 'low'.*give what \.ordinal\.compare\(\.\.\.\) returned, with all"
    with pytest.raises(ValueError, match=lost):
        po.style(COMPARED.drop(columns=["se", "low"]))
    with pytest.raises(ValueError, match=r"no column 'better'"):
        po.style(COMPARED.drop(columns="better"))
    means = pd.DataFrame({"mean": [0.5], "n_folds": 3}, pd.Index(["mae"], name="metric"))
    with pytest.raises(ValueError, match=r"no column 'std': .*summary"):
        po.style(means)


def test_what_is_equivalent_or_not_inferior_is_styled() -> None:
    frame = pd.DataFrame({"y": [0, 1, 2, 2] * 9, "a": [0, 1, 2, 1] * 9, "b": [0, 1, 1, 0] * 9})
    asked: dict[str, Any] = {"metrics": ["mae", "bias"], "margin": 0.2}
    found = frame.ordinal.compare("y", ["a", "b"], **asked)
    table = shown(po.style(found))
    assert table["p equivalent"].tolist() == [f"{p:.3f}" for p in found["p_equivalent"]]
    found = frame.ordinal.compare("y", ["a", "b"], alternative="non-inferior", **asked)
    table = shown(po.style(found))
    assert table["non inferior"].tolist() == ["yes", ""] and "better" not in table
    assert table["difference"].tolist()[0].startswith("-0.50 [-")


def test_a_summary_has_the_best_mean_of_each_metric_in_bold() -> None:
    frame = FRAME.assign(fold=np.arange(100) % 5)
    table = shown(po.style(frame.ordinal.summary("y", ["a", "b"], over="fold", metrics=METRICS)))
    assert table.columns.tolist() == ["mean", "std", "n folds", "pooled"]
    best = table["mean"].str.startswith("*").to_numpy().reshape(2, len(METRICS))
    assert best.tolist() == [[True, True, False], [False, False, False]]
    assert table["n folds"].tolist() == ["5"] * 6
    alone = shown(po.style(frame.ordinal.summary("y", "a", over="fold", metrics=METRICS)))
    assert not alone["mean"].str.startswith("*").any()  # nothing to be better than


def test_a_mean_of_one_fold_or_of_none_has_the_digits_of_the_others() -> None:
    summary = pd.DataFrame(
        {"mean": [0.5, 0.25, np.nan], "std": [0.02, np.nan, np.nan], "n_folds": [4, 1, 0]},
        pd.MultiIndex.from_product([["mae"], list("abc")], names=["metric", "model"]),
    )
    table = shown(po.style(summary.assign(pooled=0.5)))
    assert table["mean"].tolist() == ["0.50", "*0.25*", ""]
    assert table["n folds"].tolist() == ["4", "1", "0"]


@pytest.mark.parametrize("dtype", ["object", "Float64"])
def test_numbers_of_comparisons_and_summaries_of_other_types(dtype: str) -> None:
    summary = pd.DataFrame(
        {"mean": [0.5, 0.25, np.nan], "std": [0.02, np.nan, np.nan]},
        pd.MultiIndex.from_product([["mae"], list("abc")], names=["metric", "model"]),
    )
    table = shown(po.style(summary.assign(n_folds=[4, 1, 0]).astype(dtype)))
    assert table["mean"].tolist() == ["0.50", "*0.25*", ""]  # 0.02 / √4 has two digits
    assert table["std"].tolist() == ["0.02", "", ""]
    assert table["n folds"].tolist() == ["4", "1", "0"]
    numbers = COMPARED.columns.drop("better")
    compared = COMPARED.assign(se=[0.04, np.nan]).astype(dict.fromkeys(numbers, dtype))
    table = shown(po.style(compared))
    assert table["difference"].tolist() == ["0.10 [0.02, 0.18]", "-0.070"]
    assert table["p adjusted"].tolist() == ["8e-04", ""]
    assert table["n"].tolist() == ["200", "200"]


def test_latex_is_written_to_files(tmp_path: Path) -> None:
    styled = po.style(COMPARED, escape="latex")
    styled.to_latex(tmp_path / "table.tex")
    assert (tmp_path / "table.tex").read_text() == styled.to_latex()
    styled.to_latex(tmp_path / "wide.tex", encoding="utf-16")
    assert (tmp_path / "wide.tex").read_text("utf-16") == styled.to_latex()
    buffer = io.StringIO()
    styled.to_latex(buffer)
    assert buffer.getvalue() == styled.to_latex()
    assert r"\toprule" not in styled.to_latex(hrules=False)


def test_cells_do_not_wrap() -> None:
    report = FRAME.ordinal.report("y", MODELS, metrics=["mae"], ci=0.95)
    for table in (report, COMPARED):
        assert "white-space: nowrap" in po.style(table).to_html()


def test_the_row_of_a_series_has_no_name() -> None:
    page = po.style(FRAME.ordinal.report("y", "a", metrics=["mae"]))
    assert "row_heading" not in page.to_html()
    table = po.style(FRAME.ordinal.report("y", MODELS, metrics=["mae"]))
    assert table.to_html().count("row_heading level0") == len(MODELS)


def test_in_tables_by_class_models_are_compared_within_each_class() -> None:
    frame = FRAME.assign(c=FRAME["y"])
    table = frame.ordinal.class_report("y", ["c", "b"])
    html = po.style(table).to_html()
    for header in ("recall ↑", "precision ↑", "npv ↑", "mae ↓", "off by one"):
        assert f">{header}<" in html
    styler = po.style(table)
    styler._compute()
    bold = {place for place, css in styler.ctx.items() if ("font-weight", "bold") in css}
    perfect = {(row, table.columns.get_loc("recall")) for row in range(3)}
    assert perfect <= bold
    alone = po.style(frame.ordinal.class_report("y", "b", ci=0.95))
    alone._compute()
    assert not any(("font-weight", "bold") in css for css in alone.ctx.values())


def test_intervals_of_tables_by_cut_share_a_cell() -> None:
    cuts = FRAME.ordinal.cut_report("y", "a", score="b", ci=0.95)
    shown = po.style(cuts).to_string(delimiter="  ")
    assert "sensitivity ↑" in shown and "auc ↑" in shown and "predicted above" in shown
    low, high = cuts.loc[0, ["ppv_low", "ppv_high"]]
    assert f"[{low:.2f}, {high:.2f}]" in shown


def test_a_key_called_class_does_not_make_a_table_by_class() -> None:
    frame = FRAME.assign(**{"class": np.repeat(["u", "v"], [2, len(FRAME) - 2])})
    table = frame.ordinal.report("y", "a", by="class", metrics=["mae"])
    styler = po.style(table)
    styler._compute()
    bold = {row for (row, _), css in styler.ctx.items() if ("font-weight", "bold") in css}
    assert bold == {int(table["mae"].argmin())}


def test_values_at_the_end_of_an_interval_are_as_good() -> None:
    report = pd.DataFrame(
        {
            "n": 100,
            "mae": [0.50, 0.55, 0.45, 0.40],
            "mae_low": [0.42, 0.40, 0.30, 0.38],
            "mae_high": [0.61, 0.63, 0.40, 0.42],
        },
        index=list("wxyz"),
    )
    best = shown(po.style(report))["mae ↓"].str.startswith("*")
    assert best.tolist() == [False, True, True, True]  # 0.40 is in [0.40, 0.63] and [0.30, 0.40]


def test_p_values_have_an_exponent_below_a_thousandth() -> None:
    for p, text in ((0.001, "0.001"), (0.000999, "1e-03"), (0.0499, "0.050"), (1.0, "1.000")):
        assert shown(po.style(COMPARED.assign(p_value=p)))["p value"].tolist() == [text] * 2


def test_latex_has_rules_and_compiles_without_options() -> None:
    page = po.style(COMPARED, escape="latex").to_latex()
    assert page.count(r"\toprule") == page.count(r"\midrule") == page.count(r"\bottomrule") == 1
    assert r"\bfseries" in page and "font-weight" not in page
    assert "font-weight" in po.style(COMPARED, escape="latex").to_latex(convert_css=False)
