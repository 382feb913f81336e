"""What holds for every metric: results, inputs, ranges, signatures and docstrings."""

from __future__ import annotations

import inspect
import itertools
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from oracles.cases import CASES, ELSEWHERE
from oracles.of_matrices import (
    METRICS,
    OF_MATRICES,
    assert_same,
    call,
    examples,
    some_edges,
)
from oracles.strategies import QUICK, matrices

import pandas_ordinal as po
from pandas_ordinal.metrics import registry

INPUTS = {
    "counts": ["counts"],
    "edges": ["counts", "edges"],
    "scores": ["true", "score", "n_classes", "sample_weight"],
    "probabilities": ["true", "proba", "sample_weight"],
}


@pytest.mark.parametrize("name", METRICS)
def test_class_dimensions(name: str) -> None:
    assert registry[name].output in [(), ("class",), ("true", "pred")]


@pytest.mark.parametrize("name", METRICS)
def test_needs(name: str) -> None:
    """Kernels of rows score segments; those of matrices do not."""
    metric = registry[name]
    assert metric.needs in INPUTS
    assert (metric.by_segment is None) == (name in OF_MATRICES)


# Shapes of results of matrices --------------------------------------------------------------


@pytest.mark.parametrize("name", OF_MATRICES)
def test_leading_dimensions(name: str) -> None:
    metric = registry[name]
    shapes = [(), (4,), (3, 2), (0,), (2, 0), (1, 1, 1)]
    for k, leading in itertools.product((1, 2, 5), shapes):
        counts = examples(k, *leading)
        actual = call(name, counts)
        assert np.shape(actual) == leading + (k,) * len(metric.output)
        for position in np.ndindex(leading):
            assert_same(actual[position], call(name, counts[position]))


@pytest.mark.parametrize("name", OF_MATRICES)
def test_type_of_result(name: str) -> None:
    scalar = bool if name == "oci_path" else np.float64
    one, many = call(name, examples(3)), call(name, examples(3, 2))
    if registry[name].output:
        assert isinstance(one, np.ndarray)
        assert one.dtype == scalar
    else:
        assert type(one) is scalar
    assert isinstance(many, np.ndarray)
    assert many.dtype == scalar


# Matrices -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OF_MATRICES)
def test_kind_of_input_does_not_matter(name: str) -> None:
    counts = examples(4)
    expected = call(name, counts)
    for dtype in (float, np.float32, np.uint8, np.int8, np.uint64, np.int32):
        assert_same(call(name, counts.astype(dtype)), expected)
    for other in (
        counts.tolist(),
        tuple(map(tuple, counts.tolist())),
        pd.DataFrame(counts),
        np.asfortranarray(counts),
        np.repeat(np.repeat(counts, 2, 0), 2, 1)[::2, ::2],
    ):
        assert_same(call(name, other), expected)


@pytest.mark.parametrize("name", OF_MATRICES)
def test_small_integers_do_not_overflow(name: str) -> None:
    counts = np.full((3, 3), 200, np.uint8)
    assert_same(call(name, counts), call(name, counts.astype(float)))


@pytest.mark.parametrize("name", OF_MATRICES)
@pytest.mark.parametrize("dtype", [float, int])
def test_input_stays_as_it_was(name: str, dtype: type) -> None:
    counts = examples(4, 3).astype(dtype)
    before = counts.copy()
    counts.flags.writeable = False
    result = call(name, counts)
    assert np.array_equal(counts, before)
    assert not np.shares_memory(result, counts)


@pytest.mark.parametrize("name", OF_MATRICES)
def test_silence(name: str) -> None:
    """Undefined is NaN without a warning, even where NumPy would warn."""
    single = np.zeros((4, 3, 3))
    single[1, 0, 0] = 1
    single[2, 0, 2] = 1
    single[3] = [[1e15, 0, 0], [0, 0, 1], [0, 0, 0]]
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        values = np.asarray(call(name, single), float)
    assert not np.isinf(values).any()


@pytest.mark.parametrize("name", OF_MATRICES)
def test_no_rows(name: str) -> None:
    for k in (1, 2, 5):
        value = call(name, np.zeros((k, k), int))
        assert not value.any() if name == "oci_path" else np.isnan(value).all()


# Range and direction ------------------------------------------------------------------------


@QUICK
@given(counts=matrices())
def test_values_stay_within_bounds(counts: np.ndarray) -> None:
    for name in OF_MATRICES:
        low, high = registry[name].bounds(len(counts))
        values = np.asarray(call(name, counts), float)
        values = values[~np.isnan(values)]
        assert (values >= low - 1e-12).all(), name
        assert (values <= high + 1e-12).all(), name


@pytest.mark.parametrize("name", OF_MATRICES)
def test_perfect_prediction_is_the_best(name: str) -> None:
    metric = registry[name]
    for k in (2, 3, 6):
        perfect = call(name, np.diag(np.arange(1, k + 1)))
        low, high = metric.bounds(k)
        if name == "expected_cost":  # as good as its costs
            assert perfect == 0
        elif name == "seeps" and k != 3:
            assert np.isnan(perfect)
        elif metric.greater_is_better is True:
            np.testing.assert_allclose(perfect, high, rtol=0, atol=1e-12)
        elif metric.greater_is_better is False:
            np.testing.assert_allclose(perfect, low, rtol=0, atol=1e-12)


# Names and signatures -----------------------------------------------------------------------


@pytest.mark.parametrize("name", METRICS)
def test_registry_holds_the_public_function(name: str) -> None:
    metric = registry[name]
    assert metric.name == name
    assert metric.kernel is getattr(po.metrics, name)
    assert metric.kernel.__name__ == name
    assert metric.reference


ARRAYS: dict[str, Any] = {
    "counts": examples(3),
    "edges": some_edges(3),
    "true": [0, 1, 2],
    "score": [1, 2, 3],
    "n_classes": 3,
    "proba": np.eye(3),
    "sample_weight": [1, 1, 1],
}


@pytest.mark.parametrize("name", METRICS)
def test_options_are_keyword_only(name: str) -> None:
    """Only the arrays of a metric can be given by position."""
    metric = registry[name]
    inputs = INPUTS[metric.needs]
    parameters = list(inspect.signature(metric.kernel).parameters.values())
    assert [parameter.name for parameter in parameters[: len(inputs)]] == inputs
    types = {"n_classes": "int", "sample_weight": "ArrayLike | None", "edges": "npt.ArrayLike"}
    for parameter in parameters[: len(inputs)]:
        assert parameter.annotation == types.get(parameter.name, "ArrayLike")
    options = parameters[len(inputs) :]
    assert metric.options == tuple(options)
    assert all(option.kind is option.KEYWORD_ONLY for option in options)
    assert inspect.signature(metric.kernel).return_annotation == "Values"
    assert metric.required == tuple(o.name for o in options if o.default is o.empty)
    if options:
        needed = {"costs": np.eye(3), "beta2": 0.5}
        with pytest.raises(TypeError):
            metric.kernel(
                *(ARRAYS[key] for key in inputs), 1, **{o: needed[o] for o in metric.required}
            )


@pytest.mark.parametrize("name", METRICS)
def test_weights_of_rows_may_be_given_by_position(name: str) -> None:
    metric = registry[name]
    *inputs, last = INPUTS[metric.needs]
    if last == "sample_weight":
        arrays = [ARRAYS[key] for key in inputs]
        weight = np.array([1, 2, 3])
        by_position = metric.kernel(*arrays, weight)
        assert_same(by_position, metric.kernel(*arrays, sample_weight=weight))


@pytest.mark.parametrize("name", METRICS)
def test_example_of_options(name: str) -> None:
    """It sets what has no default."""
    metric = registry[name]
    options = eval(f"dict({metric.example})")
    assert options.keys() == set(metric.required)
    if options:
        assert np.isfinite(metric.kernel(ARRAYS["counts"], **options))


@pytest.mark.parametrize("name", OF_MATRICES)
def test_unknown_option(name: str) -> None:
    with pytest.raises(TypeError):
        call(name, examples(3), nonsense=1)


# Docstrings ---------------------------------------------------------------------------------


def sections(kernel: Callable[..., Any]) -> dict[str, str]:
    """The sections of a NumPy-style docstring."""
    parts = re.split(r"^(\w+)\n-{3,}\n", inspect.cleandoc(kernel.__doc__ or ""), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", METRICS)
def test_docstring(name: str) -> None:
    metric = registry[name]
    texts = sections(metric.kernel)
    assert {"Parameters", "Returns", "Notes", "References", "Examples"} <= texts.keys()
    for parameter in inspect.signature(metric.kernel).parameters:
        assert re.search(rf"^{parameter}(,| :)", texts["Parameters"], re.M)
    assert texts["Notes"].strip()
    assert ">>>" in texts["Examples"]
    for doi in re.findall(r"doi:\s*(10\.\d+/[^\s;]+)", metric.reference):
        assert doi.rstrip(".,") in texts["References"]


# Real differences: the parameter, and the metrics in which its meaning is not the usual one.
DIFFERENT: dict[str, list[set[str]]] = {
    "beta": [{"uoc"}],  # a share, not a weight
    "scaled": [{"oci_general"}],  # of its beta1
    "weights": [{"krippendorff_alpha"}],  # next to a level, and none by default
    "normalized": [{"rps_mcb", "rps_dsc", "rps_unc"}],  # which the worst value says little of
    "reference": [{"rps_skill"}],  # of forecasts of probabilities
    "ties": [{"vus"}],  # of sequences, not of pairs
    "class_sizes": [
        {"stc"},
        {"interval_stc", "interval_smae"},
        {"interval_mae"},
        {
            "interval_total_cost",
            "max_interval_total_cost",
            "interval_cost_matrix",
            "interval_lengths",
        },
    ],
}


def parameters(name: str) -> dict[str, str]:
    """The text on each parameter in a docstring, with its type."""
    text = sections(registry[name].kernel)["Parameters"].strip()
    return {
        described.split(" :")[0]: " ".join(described.split())
        for described in re.split(r"\n(?=\S)", text)
    }


def test_the_same_parameter_has_the_same_text() -> None:
    texts_of: dict[tuple[str, int], set[str]] = {}
    for name in METRICS:
        for parameter, text in parameters(name).items():
            groups = DIFFERENT.get(parameter, [])
            group = next((i for i, members in enumerate(groups) if name in members), -1)
            texts_of.setdefault((parameter, group), set()).add(text)
    assert {key: texts for key, texts in texts_of.items() if len(texts) > 1} == {}
    for parameter, groups in DIFFERENT.items():
        texts = [texts_of[parameter, group] for group in range(-1, len(groups))]
        assert len(set.union(*texts)) == len(texts), f"{parameter} has the same text everywhere"


@pytest.mark.parametrize("name", METRICS)
def test_parameters_stand_in_the_order_of_the_signature(name: str) -> None:
    assert list(parameters(name)) == list(inspect.signature(registry[name].kernel).parameters)


COMMON_ERRORS = {
    "counts": "If counts are negative, not finite or not square",
    "edges": "If counts are negative, not finite or not square, if edges do not increase or are",
    "scores": "If a class is outside -1 to K - 1, a score is NaN",
    "probabilities": "If a class is outside -1 to K - 1, probabilities are negative or NaN",
}


def test_errors_of_the_same_arrays_and_options_have_the_same_text() -> None:
    texts_of: dict[tuple[str, frozenset[str]], set[str]] = {}
    for name in METRICS:
        metric = registry[name]
        text = " ".join(sections(metric.kernel)["Raises"].split())
        assert text.startswith(f"ValueError {COMMON_ERRORS[metric.needs]}")
        key = metric.needs, frozenset(option.name for option in metric.options)
        texts_of.setdefault(key, set()).add(text)
    assert {key: texts for key, texts in texts_of.items() if len(texts) > 1} == {}


@pytest.mark.parametrize("name", METRICS)
def test_nothing_is_described_by_reference(name: str) -> None:
    assert not re.search(r"^\s*As in `", registry[name].kernel.__doc__ or "", re.M)


# Oracles ------------------------------------------------------------------------------------


def test_every_count_metric_has_an_oracle() -> None:
    named = {name for name, metric in registry.items() if metric.needs == "counts"}
    stated = {case.kernel for cases in CASES.values() for case in cases.values()}
    assert stated | ELSEWHERE == named
    for room, cases in CASES.items():
        rooms = {registry[case.kernel].kernel.__module__ for case in cases.values()}
        assert rooms == {f"pandas_ordinal.metrics.{room}"}


# The table of metrics -------------------------------------------------------------------------


ROWS = {
    cells[0]: cells[2:]
    for line in (Path(__file__).parents[2] / "docs/metrics.md").read_text("utf-8").splitlines()
    if line.startswith("| `")
    for cells in [[cell.strip(" `") for cell in line.strip("|").split("|")]]
}
ARROWS = {"↑": "higher", "↓": "lower", "": ""}


@pytest.mark.parametrize("name", [n for n in OF_MATRICES if registry[n].is_row_mean])
def test_means_over_rows_are_means_over_any_parts_of_them(name: str) -> None:
    first, second = np.random.default_rng(7).integers(1, 9, (2, 4, 4))
    second[1] = [0, 0, 0, 1]
    both = first + second
    parts = sum(call(name, one) * one.sum() for one in (first, second))
    assert parts == pytest.approx(call(name, both) * both.sum(), rel=1e-9)


def test_what_is_still_right_is_an_option_of_shares_of_rows() -> None:
    marked = [one for one in registry.values() if one.right_within is not None]
    assert [one.name for one in marked] == ["accuracy_within"]
    for one in marked:
        assert one.right_within in [option.name for option in one.options]
        assert one.range == (0, 1) and one.is_row_mean


def test_the_registry_is_a_table() -> None:
    table = registry.to_frame()
    assert table.index.name == "name" and set(table.index) == set(ROWS)
    assert list(table.columns) == ["needs", "range", "direction", "reference"]
    for name, (written, arrow) in ROWS.items():
        assert table.loc[name, "range"] == written
        assert table.loc[name, "direction"] == ARROWS[arrow]
        assert table.loc[name, "needs"] == registry[name].needs
        assert table.loc[name, "reference"] == registry[name].reference


def test_the_registry_shows_as_a_table() -> None:
    text, html = repr(registry), registry._repr_html_()
    assert len(text.splitlines()) == len(registry) + 2
    for name in registry:
        assert sum(line.startswith(f"{name} ") for line in text.splitlines()) == 1
        assert f"<th>{name}</th>" in html
    assert "…" in text and "higher" in text
    (line,) = (line for line in text.splitlines() if line.startswith("mae "))
    assert line.endswith(
        f"  {registry['mae'].reference[:36]}..."
    )  # 40 characters, one of them blank


def test_the_registry_is_a_mapping_that_nobody_changes() -> None:
    assert "mae" in registry and "qwk" not in registry
    assert registry.get("qwk") is None and len(registry) == len(set(registry))
    with pytest.raises(TypeError):
        registry["own"] = registry["mae"]  # type: ignore[index]
