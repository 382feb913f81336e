"""What holds for all metrics, and what each one states not to depend on."""

from __future__ import annotations

import functools
import inspect
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.strategies import QUICK, matrices

import pandas_ordinal as po
from pandas_ordinal import messages
from pandas_ordinal.metrics import registry
from pandas_ordinal.metrics.metric import known

METRICS = list(registry)
OF_MATRICES = [name for name in METRICS if registry[name].needs in ("counts", "edges")]
INPUTS = {
    "counts": ["counts"],
    "edges": ["counts", "edges"],
    "scores": ["true", "score", "n_classes", "sample_weight"],
    "probabilities": ["true", "proba", "sample_weight"],
}
LENGTHS = [2.0, 1, 4, 3, 0.5, 7, 1, 2]


def some_options(name: str, k: int) -> dict[str, Any]:
    """Values of the options that have no default."""
    step = np.subtract.outer(np.arange(k), np.arange(k))
    values = {"costs": np.where(step > 0, 2.0 * step, -step), "beta2": 0.05}
    return {option: values[option] for option in registry[name].required}


def some_edges(k: int) -> np.ndarray:
    return np.cumsum([0, *LENGTHS[:k]])


def call(name: str, counts: Any, edges: Any = None, **options: Any) -> Any:
    """Score, on bins of different lengths where the metric needs edges."""
    k = np.shape(counts)[-1]
    if registry[name].needs == "edges":
        options["edges"] = some_edges(k) if edges is None else edges
    return registry[name].kernel(counts, **some_options(name, k), **options)


# The table of invariances -------------------------------------------------------------------

Relation = Literal["same", "negated", "complement", None]

RELATIONS: dict[str, Callable[[Any], Any]] = {
    "same": lambda value: value,
    "negated": lambda value: -value,
    "complement": lambda value: 1 - value,
}


@dataclass(frozen=True)
class States:
    """How a value changes with its counts; None: not in a stated way.

    Results that have class dimensions are turned round, or cut to the old classes, before they
    are compared.
    """

    reversal: Relation = "same"  # of the class order, in truth and prediction
    one_reversal: Relation = None  # of the class order, in the prediction alone
    transposition: Relation = "same"  # truth and prediction change places
    scale: Relation = "same"  # all counts times the same number
    unused_end: Relation = "same"  # one more class below or above all others
    unused_middle: Relation = None  # one more class between two others
    options: tuple[tuple[str, Any], ...] = ()
    of: str | None = None  # the metric, where it is not the key of the table


def with_options(of: str, states: dict[str, Relation], **options: Any) -> States:
    return States(**states, of=of, options=tuple(options.items()))


ORDER_ONLY: dict[str, Relation] = {"one_reversal": "negated", "unused_middle": "same"}

TABLE: dict[str, States] = {
    # errors
    "accuracy": States(unused_middle="same"),
    "error_rate": States(unused_middle="same"),
    "accuracy_within": States(),
    "accuracy_within-0": with_options("accuracy_within", {"unused_middle": "same"}, k=0),
    "mae": States(),
    "mse": States(),
    "rmse": States(),
    "bias": States(reversal="negated", transposition="negated"),
    "expected_cost": States(reversal=None, transposition=None),  # its costs are not symmetric
    "class_recall": States(transposition=None, unused_middle="same"),
    "class_mae": States(transposition=None),
    "amae": States(transposition=None),
    "mmae": States(transposition=None),
    "min_mae": States(transposition=None),
    # association
    "pearson": States(one_reversal="negated"),
    "accuracy_pearson": States(),
    "spearman": States(**ORDER_ONLY),
    "kendall_tau": States(**ORDER_ONLY),
    "kendall_tau-c": with_options(
        "kendall_tau", {"one_reversal": "negated", "unused_end": None}, variant="c"
    ),
    "goodman_kruskal_gamma": States(**ORDER_ONLY),
    "somers_d": States(transposition=None, **ORDER_ONLY),
    "ndpm": States(transposition=None, one_reversal="complement", unused_middle="same"),
    "r_int": States(scale=None, unused_middle="same"),
    # index
    "oci": States(unused_end=None),
    "oci-2": with_options("oci", {"scale": None, "unused_end": None}, gamma=2),
    "oci-absolute": with_options("oci", {"scale": None}, beta=0.03, scaled=False),
    # a tie goes up rather than left, so that a turned path may be another one
    "oci_path": States(reversal=None, transposition=None, unused_end=None),
    "uoc": States(transposition=None),
    "auoc": States(transposition=None),
    "oci_general": States(unused_end=None),
    # cost; the largest cost and the matrix depend on the true class sizes alone
    "total_cost": States(transposition=None),
    "max_total_cost": States(transposition=None, one_reversal="same"),
    "stc": States(transposition=None),
    "cost_matrix": States(transposition=None, one_reversal="same", scale=None),
    # of bins, that turn round with the classes
    "interval_total_cost": States(transposition=None),
    "max_interval_total_cost": States(transposition=None, one_reversal="same"),
    "interval_stc": States(transposition=None),
    "interval_cost_matrix": States(transposition=None, one_reversal="same", scale=None),
    "interval_lengths": States(one_reversal="same", unused_middle="same"),
    "interval_mae": States(),
    "interval_mae-midpoint": with_options("interval_mae", {}, distance="midpoint"),
    "interval_smae": States(transposition=None, unused_end=None),
    "geometric_mean": States(transposition=None, unused_middle="same"),
    "min_sensitivity": States(transposition=None, unused_middle="same"),
    # agreement; K - 1 cancels in all weights but the bipolar ones
    "kappa": States(),
    "kappa-identity": with_options("kappa", {"unused_middle": "same"}, weights="identity"),
    "kappa-linear": with_options("kappa", {}, weights="linear"),
    "kappa-ordinal": with_options("kappa", {}, weights="ordinal"),
    "kappa-radical": with_options("kappa", {}, weights="radical"),
    "scott_pi": States(),
    "scott_pi-identity": with_options("scott_pi", {"unused_middle": "same"}, weights="identity"),
    "gwet_ac": States(unused_end=None),
    "gwet_ac-identity": with_options("gwet_ac", {"unused_end": None}, weights="identity"),
    "brennan_prediger": States(unused_end=None),
    "krippendorff_alpha": States(scale=None),
    "cem": States(transposition=None, unused_middle="same"),
    "kappa-bipolar": with_options("kappa", {"unused_end": None}, weights="bipolar"),
}


def test_every_metric_states_its_invariances() -> None:
    """A new metric needs an entry."""
    assert {states.of or key for key, states in TABLE.items()} == set(OF_MATRICES)
    assert set(OF_MATRICES) <= TABLE.keys()


def scores(key: str, counts: Any, edges: Any = None) -> Any:
    states = TABLE[key]
    return np.asarray(call(states.of or key, counts, edges, **dict(states.options)), float)


def class_axes(key: str) -> tuple[int, ...]:
    output = registry[TABLE[key].of or key].output
    return tuple(range(-len(output), 0))


def insert_class(counts: np.ndarray, position: int) -> np.ndarray:
    """Declare one more class, which no row has."""
    wider = np.insert(counts, position, 0, axis=-1)
    return np.insert(wider, position, 0, axis=-2)


Change = Callable[[str, np.ndarray], tuple[Any, Any]]


def reversal(key: str, counts: np.ndarray) -> tuple[Any, Any]:
    turned = scores(key, counts[..., ::-1, ::-1], -some_edges(counts.shape[-1])[::-1])
    return scores(key, counts), np.flip(turned, class_axes(key))


def one_reversal(key: str, counts: np.ndarray) -> tuple[Any, Any]:
    return scores(key, counts), scores(key, counts[..., ::-1])


def transposition(key: str, counts: np.ndarray) -> tuple[Any, Any]:
    after = scores(key, counts.swapaxes(-1, -2))
    return scores(key, counts), after.swapaxes(-1, -2) if len(class_axes(key)) == 2 else after


def scale(factor: float) -> Change:
    def change(key: str, counts: np.ndarray) -> tuple[Any, Any]:
        return scores(key, counts), scores(key, counts * factor)

    return change


def unused_class(where: Callable[[int], int]) -> Change:
    def change(key: str, counts: np.ndarray) -> tuple[Any, Any]:
        position = where(counts.shape[-1])
        lengths = np.insert(np.diff(some_edges(counts.shape[-1])), position, 3)
        after = scores(key, insert_class(counts, position), np.cumsum([0, *lengths]))
        for axis in class_axes(key):
            after = np.delete(after, position, axis)
        return scores(key, counts), after

    return change


CHANGES: dict[str, list[Change]] = {
    "reversal": [reversal],
    "one_reversal": [one_reversal],
    "transposition": [transposition],
    "scale": [scale(factor) for factor in (2, 3, 0.1, 1e-60, 1e60)],
    "unused_end": [unused_class(lambda k: 0), unused_class(lambda k: k)],
    "unused_middle": [unused_class(lambda k: k // 2)],
}


@pytest.mark.parametrize(
    ("key", "kind"),
    [(key, kind) for key, states in TABLE.items() for kind in CHANGES if getattr(states, kind)],
)
@QUICK
@given(data=st.data())
def test_stated_invariance(key: str, kind: str, data: st.DataObject) -> None:
    # with a single class there is no middle, and K - 1 is zero
    counts = data.draw(matrices(min_classes=2))
    for change in CHANGES[kind]:
        before, after = change(key, counts)
        expected = RELATIONS[getattr(TABLE[key], kind)](before)
        np.testing.assert_allclose(after, expected, rtol=1e-11, atol=1e-11, equal_nan=True)


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (key, kind)
        for key, states in TABLE.items()
        for kind in CHANGES
        if not getattr(states, kind)
    ],
)
def test_nothing_is_left_unstated(key: str, kind: str) -> None:
    """Where the table states nothing, some matrix breaks every relation."""
    rng = np.random.default_rng(0)
    cube = rng.integers(0, 4, (300, 3, 3)) * rng.integers(0, 2, (300, 3, 3))
    for change in CHANGES[kind]:
        before, after = change(key, cube)
        for relation in RELATIONS.values():
            close = np.isclose(after, relation(before), rtol=0, atol=1e-6, equal_nan=True)
            assert not close.all()


# Shapes -------------------------------------------------------------------------------------


def examples(k: int, *leading: int) -> np.ndarray:
    """Random matrices, with empty cells, and one without any rows where there are several."""
    rng = np.random.default_rng(k)
    counts = rng.integers(0, 9, (*leading, k, k)) * rng.integers(0, 2, (*leading, k, k))
    if leading and counts.size:
        counts[(0,) * len(leading)] = 0
    return counts


def assert_same(actual: Any, expected: Any) -> None:
    np.testing.assert_allclose(actual, expected, rtol=1e-13, atol=1e-13, equal_nan=True)


@pytest.mark.parametrize("name", OF_MATRICES)
@pytest.mark.parametrize("k", [1, 2, 5])
def test_leading_dimensions(name: str, k: int) -> None:
    metric = registry[name]
    for leading in [(), (4,), (3, 2), (0,), (2, 0), (1, 1, 1)]:
        counts = examples(k, *leading)
        actual = call(name, counts)
        assert np.shape(actual) == leading + (k,) * len(metric.output)
        for position in np.ndindex(leading):
            assert_same(actual[position], call(name, counts[position]))


@pytest.mark.parametrize("name", OF_MATRICES)
def test_more_matrices_than_any_block(name: str) -> None:
    counts = examples(3, 5000)
    actual = call(name, counts)
    for position in (0, 1, 2047, 2048, 4095, 4096, 4999):
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


@pytest.mark.parametrize("name", METRICS)
def test_class_dimensions(name: str) -> None:
    assert registry[name].output in [(), ("true",), ("true", "pred")]


@pytest.mark.parametrize("name", METRICS)
def test_needs(name: str) -> None:
    """Kernels of rows score segments; those of matrices do not."""
    metric = registry[name]
    assert metric.needs in INPUTS
    assert (metric.by_segment is None) == (name in OF_MATRICES)


# Inputs -------------------------------------------------------------------------------------


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
    """Undefined is NaN, without a word, also where NumPy would warn."""
    single = np.zeros((4, 3, 3))
    single[1, 0, 0] = 1
    single[2, 0, 2] = 1
    single[3] = [[1e15, 0, 0], [0, 0, 1], [0, 0, 0]]
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        values = np.asarray(call(name, single), float)
    assert not np.isinf(values).any()


@pytest.mark.parametrize("name", OF_MATRICES)
@pytest.mark.parametrize("k", [1, 2, 5])
def test_no_rows(name: str, k: int) -> None:
    value = call(name, np.zeros((k, k), int))
    assert not value.any() if name == "oci_path" else np.isnan(value).all()


# Range and direction ------------------------------------------------------------------------


@pytest.mark.parametrize("name", OF_MATRICES)
@QUICK
@given(counts=matrices())
def test_values_stay_within_bounds(name: str, counts: np.ndarray) -> None:
    low, high = registry[name].bounds(len(counts))
    values = np.asarray(call(name, counts), float)
    values = values[~np.isnan(values)]
    assert (values >= low - 1e-12).all()
    assert (values <= high + 1e-12).all()


@pytest.mark.parametrize("name", OF_MATRICES)
@pytest.mark.parametrize("k", [2, 3, 6])
def test_perfect_prediction_is_the_best(name: str, k: int) -> None:
    metric = registry[name]
    perfect = call(name, np.diag(np.arange(1, k + 1)))
    low, high = metric.bounds(k)
    if name == "expected_cost":  # as good as its costs
        assert perfect == 0
    elif metric.greater_is_better is True:
        np.testing.assert_allclose(perfect, high, rtol=0, atol=1e-12)
    elif metric.greater_is_better is False:
        np.testing.assert_allclose(perfect, low, rtol=0, atol=1e-12)


# Best ends and ranges as defined; None: neither end is better.
RANGES: dict[str, tuple[float, float, bool | None]] = {
    "accuracy": (0, 1, True),
    "error_rate": (0, 1, False),
    "accuracy_within": (0, 1, True),
    "mae": (0, 3, False),
    "bias": (-3, 3, None),
    "class_recall": (0, 1, True),
    "geometric_mean": (0, 1, True),
    "min_sensitivity": (0, 1, True),
    "cem": (0, 1, True),
    "pearson": (-1, 1, True),
    "accuracy_pearson": (-0.5, 1, True),
    "spearman": (-1, 1, True),
    "kendall_tau": (-1, 1, True),
    "goodman_kruskal_gamma": (-1, 1, True),
    "somers_d": (-1, 1, True),
    "r_int": (-1, 1, True),
    "ndpm": (0, 1, False),
    "oci": (0, 1, False),
    "oci_general": (0, 1, False),
    "uoc": (0, 1, False),
    "auoc": (0, 1, False),
    "stc": (0, 1, False),
    "interval_stc": (0, 1, False),
    "interval_smae": (0, 1, False),
    "interval_mae": (0, np.inf, False),
    "interval_total_cost": (0, np.inf, False),
}


@pytest.mark.parametrize("name", RANGES)
def test_range_and_direction_for_four_classes(name: str) -> None:
    low, high, greater_is_better = RANGES[name]
    assert registry[name].bounds(4) == (low, high)
    assert registry[name].greater_is_better is greater_is_better


@pytest.mark.parametrize("name", ["mse", "rmse", "amae", "mmae", "min_mae", "class_mae"])
def test_errors_start_at_zero(name: str) -> None:
    assert registry[name].bounds(4)[0] == 0
    assert registry[name].greater_is_better is False


def test_kappa_is_better_when_higher() -> None:
    assert registry["kappa"].bounds(4)[1] == 1
    assert registry["kappa"].greater_is_better is True


# Names, signatures and docstrings -----------------------------------------------------------


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
    """Nothing but what a metric is a function of can be given by position."""
    metric = registry[name]
    inputs = INPUTS[metric.needs]
    parameters = list(inspect.signature(metric.kernel).parameters.values())
    assert [parameter.name for parameter in parameters[: len(inputs)]] == inputs
    options = parameters[len(inputs) :]
    assert metric.options == tuple(options)
    assert all(option.kind is option.KEYWORD_ONLY for option in options)
    assert metric.required == tuple(o.name for o in options if o.default is o.empty)
    if options:
        needed = {"costs": np.eye(3), "other": [1, 2, 3], "beta2": 0.5}
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
        options = {"other": [1, 3, 2]} if "other" in metric.required else {}
        weight = np.array([1, 2, 3])
        by_position = metric.kernel(*arrays, weight, **options)
        assert_same(by_position, metric.kernel(*arrays, sample_weight=weight, **options))


def test_options() -> None:
    options = {name: [option.name for option in registry[name].options] for name in METRICS}
    assert options["oci"] == ["beta", "gamma", "scaled"]
    assert options["interval_mae"] == ["distance", "unbounded", "class_sizes"]
    assert options["vus_cov"] == ["other", "ties", "method"]
    assert options["rps"] == ["normalized"]
    assert options["mae"] == []
    beta = registry["oci"].options[0]
    assert (beta.default, beta.annotation) == (0.75, "float")


@pytest.mark.parametrize("name", METRICS)
def test_example_of_options(name: str) -> None:
    """It sets what has no default, as far as that is no column."""
    metric = registry[name]
    options = eval(f"dict({metric.example})")
    assert options.keys() == set(metric.required) - {"other"}
    if options:
        assert np.isfinite(metric.kernel(ARRAYS["counts"], **options))


def test_undefined() -> None:
    assert registry["oci_path"].undefined is False
    assert all(np.isnan(registry[name].undefined) for name in METRICS if name != "oci_path")


# Which metric is meant ----------------------------------------------------------------------


class TestResolve:
    @pytest.mark.parametrize("name", METRICS)
    def test_name_and_kernel(self, name: str) -> None:
        for which in (name, getattr(po.metrics, name)):
            assert po.metrics.resolve(which) == (registry[name], {})

    def test_partial(self) -> None:
        metric, options = po.metrics.resolve(functools.partial(po.metrics.oci, beta=0.25))
        assert metric is registry["oci"]
        assert options == {"beta": 0.25}
        twice = functools.partial(functools.partial(po.metrics.oci, beta=0.25), gamma=2)
        assert po.metrics.resolve(twice).options == {"beta": 0.25, "gamma": 2}

    def test_options_are_a_copy(self) -> None:
        which = functools.partial(po.metrics.oci, beta=0.25)
        po.metrics.resolve(which).options.clear()
        assert which.keywords == {"beta": 0.25}

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("ocii", "there is no metric 'ocii'; did you mean 'oci'?"),
            ("MAE", "there is no metric 'MAE'; did you mean 'mae'?"),
            ("", f"there is no metric ''; there are {messages.show(METRICS)}"),
            ("7 + 7", f"there is no metric '7 + 7'; there are {messages.show(METRICS)}"),
        ],
    )
    def test_unknown_names(self, name: str, message: str) -> None:
        with pytest.raises(ValueError) as caught:
            po.metrics.resolve(name)
        assert str(caught.value) == message

    @pytest.mark.parametrize(
        "which",
        [
            max,
            functools.partial(max, key=len),
            functools.partial(po.metrics.oci, np.eye(3)),
            lambda counts: counts.sum(axis=(-1, -2)),
            3,
            None,
        ],
    )
    def test_what_is_no_metric(self, which: Any) -> None:
        with pytest.raises(ValueError, match=r"is not a known metric: give a name such as 'oci'"):
            po.metrics.resolve(which)
        assert known(which) is None


def test_completion_offers_metrics() -> None:
    assert dir(po.metrics) == sorted(po.metrics.__all__)
    assert set(METRICS) <= set(dir(po.metrics))
    assert po.metrics.count_kernel.metric  # modules stay where they are


# Docstrings ---------------------------------------------------------------------------------


def sections(kernel: Callable[..., Any]) -> dict[str, str]:
    """The sections of a NumPy-style docstring."""
    parts = re.split(r"^(\w+)\n-{3,}\n", inspect.cleandoc(kernel.__doc__ or ""), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", METRICS)
def test_docstring(name: str) -> None:
    metric = registry[name]
    found = sections(metric.kernel)
    assert {"Parameters", "Returns", "Notes", "References", "Examples"} <= found.keys()
    for parameter in inspect.signature(metric.kernel).parameters:
        assert re.search(rf"^{parameter}(,| :)", found["Parameters"], re.M)
    assert found["Notes"].strip()
    assert ">>>" in found["Examples"]
    for doi in re.findall(r"doi:\s*(10\.\d+/[^\s;]+)", metric.reference):
        assert doi.rstrip(".,") in found["References"]


# Real differences: the parameter, and the metrics in which it means another thing than elsewhere.
DIFFERENT: dict[str, list[set[str]]] = {
    "beta": [{"uoc"}],  # a share, not a weight
    "scaled": [{"oci_general"}],  # of its beta1
    "ties": [{"vus", "vus_se", "vus_cov"}],  # of sequences, not of pairs
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
    """What a docstring says of each parameter, its type included."""
    text = sections(registry[name].kernel)["Parameters"].strip()
    return {
        described.split(" :")[0]: " ".join(described.split())
        for described in re.split(r"\n(?=\S)", text)
    }


def test_same_parameters_say_the_same() -> None:
    said: dict[tuple[str, int], set[str]] = {}
    for name in METRICS:
        for parameter, text in parameters(name).items():
            groups = DIFFERENT.get(parameter, [])
            group = next((i for i, members in enumerate(groups) if name in members), -1)
            said.setdefault((parameter, group), set()).add(text)
    assert {key: texts for key, texts in said.items() if len(texts) > 1} == {}
    for parameter, groups in DIFFERENT.items():
        texts = [said[parameter, group] for group in range(-1, len(groups))]
        assert len(set.union(*texts)) == len(texts), f"{parameter} says the same everywhere"


@pytest.mark.parametrize("name", METRICS)
def test_parameters_stand_in_the_order_of_the_signature(name: str) -> None:
    assert list(parameters(name)) == list(inspect.signature(registry[name].kernel).parameters)


COMMON_ERRORS = {
    "counts": "If counts are negative, not finite or not square",
    "edges": "If counts are negative, not finite or not square, if edges do not increase or are",
    "scores": "If a class is none of -1 to K - 1, a score is NaN",
    "probabilities": "If a class is none of -1 to K - 1, probabilities are negative or NaN",
}


def test_errors_of_the_same_arrays_and_options_say_the_same() -> None:
    said: dict[tuple[str, frozenset[str]], set[str]] = {}
    for name in METRICS:
        metric = registry[name]
        text = " ".join(sections(metric.kernel)["Raises"].split())
        assert text.startswith(f"ValueError {COMMON_ERRORS[metric.needs]}")
        key = metric.needs, frozenset(option.name for option in metric.options)
        said.setdefault(key, set()).add(text)
    assert {key: texts for key, texts in said.items() if len(texts) > 1} == {}


@pytest.mark.parametrize("name", METRICS)
def test_nothing_is_said_by_reference(name: str) -> None:
    assert not re.search(r"^\s*As in `", registry[name].kernel.__doc__ or "", re.M)
